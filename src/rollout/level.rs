//! How thoroughly a decision is analysed, by name: from the static evaluation to truncated rollouts.
//!
//! A truncated rollout as a level of evaluation: the plays that lookahead leaves in the running are
//! played on for some rolls, both sides choosing one ply deep, and the net values what is left.
//! Whatever the net misvalues at first sight and sees some rolls later is mended so; and since the
//! players' own tables measure the luck, few trials are enough.

use super::{Coupling, LuckKind, Settings, Setup, StopRules, run_blocking};
use crate::eval::lookahead::{Candidate, candidates};
use crate::eval::{CandidateFilter, Probabilities};
use crate::game::{Position, Roll};

/// A level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    /// Its name on the command line.
    pub name: &'static str,
    /// Plies of lookahead that choose what is rolled out, or that decide.
    pub ply: u8,
    /// The rollout behind it, if any.
    pub rollout: Option<Truncated>,
}

/// A truncated rollout of the plays in the running.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Truncated {
    /// Most plays that are rolled out.
    pub most: usize,
    /// Points behind the best within which a play must be.
    pub within: f32,
    /// Plies at which both sides choose.
    pub ply: u8,
    /// Rolls after which the net values what is left.
    pub horizon: u16,
    /// Trials of each play.
    pub trials: u64,
}

impl Level {
    /// The levels, fastest first. `docs/internals/evaluator.md` says what each loses and costs.
    pub const ALL: [Self; 6] = [
        Self::lookahead("instant", 0),
        Self::lookahead("quick", 1),
        Self::lookahead("standard", 2),
        Self::lookahead("deep", 3),
        Self {
            name: "rolled",
            ply: 1,
            rollout: Some(Truncated {
                most: 4,
                within: 0.08,
                ply: 1,
                horizon: 6,
                trials: 72,
            }),
        },
        Self {
            name: "thorough",
            ply: 2,
            rollout: Some(Truncated {
                most: 5,
                within: 0.08,
                ply: 1,
                horizon: 10,
                trials: 360,
            }),
        },
    ];

    const fn lookahead(name: &'static str, ply: u8) -> Self {
        Self {
            name,
            ply,
            rollout: None,
        }
    }

    /// The level of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.name == name)
    }

    /// All plays of `roll`, best first: those rolled out, then those that lookahead left behind.
    /// `None` if `cancelled` answered true on the way. The same bits whatever the threads.
    #[must_use]
    pub fn analyse(
        &self,
        setup: &Setup,
        position: &Position,
        roll: Roll,
        cancelled: &dyn Fn() -> bool,
    ) -> Option<Vec<LevelValue>> {
        let evaluator = &*setup.evaluator;
        let filter = CandidateFilter::default();
        let list = candidates(evaluator, position, roll, self.ply, filter, cancelled)?;
        let mut analysed: Vec<LevelValue> =
            list.into_iter().map(LevelValue::by_lookahead).collect();
        let Some(rollout) = self.rollout else {
            return Some(analysed);
        };
        let limit = analysed[0].candidate.equity - rollout.within;
        let running = analysed
            .iter()
            .take(rollout.most)
            .take_while(|j| j.candidate.equity >= limit)
            .count();
        if running < 2 {
            return Some(analysed);
        }
        rollout.roll(setup, &mut analysed[..running], cancelled)?;
        Some(analysed)
    }
}

impl Truncated {
    fn roll(
        &self,
        setup: &Setup,
        analysed: &mut [LevelValue],
        cancelled: &dyn Fn() -> bool,
    ) -> Option<()> {
        let settings = Settings {
            ply: self.ply,
            horizon: Some(self.horizon),
            luck: LuckKind::Auto,
            // Independent dice would serve as well: with luck out of the way they hardly matter.
            coupling: Coupling::Dice,
            stop: StopRules {
                trials: self.trials,
                ..StopRules::default()
            },
            ..Settings::default()
        };
        let results: Vec<Position> = analysed.iter().map(|j| j.candidate.result).collect();
        let result = run_blocking(setup, &results, &settings, &mut |_| !cancelled())
            .expect("the settings of a level make sense");
        if cancelled() {
            return None;
        }
        for (one, rolled_out) in analysed.iter_mut().zip(&result.candidates) {
            let chances = rolled_out.probabilities.each_ref().map(|p| p.mean as f32);
            one.candidate.probabilities = Probabilities::from_array(chances);
            one.candidate.equity = rolled_out.equity.mean as f32;
            one.rolled = Some(RolloutPrecision {
                trials: rolled_out.trials,
                se: rolled_out.equity.se,
            });
        }
        analysed.sort_by(|a, b| b.candidate.equity.total_cmp(&a.candidate.equity));
        Some(())
    }
}

/// A play with its value at a level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LevelValue {
    /// The play; its equity and chances are those of the deepest look it got.
    pub candidate: Candidate,
    /// The rollout behind them, if there was one.
    pub rolled: Option<RolloutPrecision>,
}

/// How sure a rolled-out value is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RolloutPrecision {
    /// Trials.
    pub trials: u64,
    /// Standard error of the equity, in points.
    pub se: f64,
}

impl LevelValue {
    fn by_lookahead(candidate: Candidate) -> Self {
        Self {
            candidate,
            rolled: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{Engine, Evaluator};
    use std::sync::Arc;

    fn setup() -> Setup {
        Setup::from(Arc::new(Engine::embedded()) as Arc<dyn Evaluator>)
    }

    #[test]
    fn names_are_of_their_levels() {
        for level in Level::ALL {
            assert_eq!(Level::named(level.name), Some(level));
        }
        assert_eq!(Level::named("magic"), None);
    }

    #[test]
    fn rolled_plays_stand_before_the_others() {
        let position = Position::opening();
        let level = Level::named("rolled").unwrap();
        let roll = "43".parse().unwrap();
        let analysed = level.analyse(&setup(), &position, roll, &|| false).unwrap();
        let rolled = analysed.iter().take_while(|j| j.rolled.is_some()).count();
        assert!((2..=4).contains(&rolled));
        assert!(analysed[rolled..].iter().all(|j| j.rolled.is_none()));
        assert!(analysed[..rolled].is_sorted_by(|a, b| a.candidate.equity >= b.candidate.equity));
        assert_eq!(analysed[0].rolled.unwrap().trials, 72);
        assert!(analysed[0].rolled.unwrap().se < 0.05);
    }

    #[test]
    fn who_cancels_gets_nothing() {
        let level = Level::named("rolled").unwrap();
        let roll = "43".parse().unwrap();
        assert!(
            level
                .analyse(&setup(), &Position::opening(), roll, &|| true)
                .is_none()
        );
    }
}
