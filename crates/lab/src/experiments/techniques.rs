//! Measures the value of each rollout technique, position by position.

use std::time::Duration;

use crate::dice::DiceSource;
use crate::eval::{CandidateFilter, lookahead};
use crate::game::{Position, Roll};
use crate::rollout::{LuckKind, RolloutError, Settings, Setup, run_blocking};

/// A benchmark position: checkers of the player on roll and the opponent, and the roll to be played.
#[derive(Clone, Copy, Debug)]
pub struct BenchmarkPosition {
    pub name: &'static str,
    mover: &'static [(usize, u8)],
    opponent: &'static [(usize, u8)],
    dice: (u8, u8),
}

/// An opening, a middle game, a holding game, prime against prime, a backgame, a race.
pub const CASES: [BenchmarkPosition; 6] = [
    BenchmarkPosition {
        name: "open",
        mover: &[(24, 2), (13, 5), (8, 3), (6, 5)],
        opponent: &[(24, 2), (13, 5), (8, 3), (6, 5)],
        dice: (2, 1),
    },
    BenchmarkPosition {
        name: "middle",
        mover: &[(24, 1), (21, 1), (13, 4), (8, 3), (6, 4), (4, 2)],
        opponent: &[(24, 1), (20, 1), (13, 4), (8, 3), (6, 4), (5, 2)],
        dice: (5, 1),
    },
    BenchmarkPosition {
        name: "hold",
        mover: &[(20, 2), (13, 3), (8, 2), (6, 4), (5, 2), (4, 2)],
        opponent: &[(13, 3), (8, 3), (6, 4), (4, 3), (3, 2)],
        dice: (4, 3),
    },
    BenchmarkPosition {
        name: "prime",
        mover: &[
            (22, 2),
            (13, 1),
            (9, 2),
            (8, 2),
            (7, 2),
            (6, 2),
            (5, 2),
            (4, 2),
        ],
        opponent: &[(22, 2), (9, 2), (8, 2), (7, 2), (6, 3), (5, 2), (4, 2)],
        dice: (4, 3),
    },
    BenchmarkPosition {
        name: "backgame",
        mover: &[(24, 2), (22, 3), (13, 2), (8, 2), (6, 3), (5, 2), (4, 1)],
        opponent: &[(11, 2), (10, 2), (8, 2), (7, 3), (6, 3), (5, 2), (4, 1)],
        dice: (5, 4),
    },
    BenchmarkPosition {
        name: "race",
        mover: &[(12, 1), (10, 1), (8, 3), (7, 2), (6, 4), (4, 2), (3, 2)],
        opponent: &[(11, 2), (9, 1), (8, 2), (7, 2), (6, 4), (5, 2), (4, 2)],
        dice: (4, 3),
    },
];

impl BenchmarkPosition {
    /// Returns the positions after the two best plays by static evaluation, with the opponent on roll.
    pub fn candidates(&self, setup: &Setup) -> Vec<Position> {
        let roll = Roll::new(self.dice.0, self.dice.1);
        let position = Position::from_points(self.mover, self.opponent);
        let (Some(roll), Ok(position)) = (roll, position) else {
            return Vec::new();
        };
        let filter = CandidateFilter::default();
        let plays = lookahead::candidates(&*setup.evaluator, &position, roll, 0, filter, &|| false);
        plays
            .unwrap_or_default()
            .iter()
            .take(2)
            .map(|c| c.result)
            .collect()
    }
}

/// Results of a technique.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Worth {
    /// Trials per play.
    pub trials: u64,
    /// Trials times the squared standard error of the best play's equity: the effective variance of a trial.
    pub variance: f64,
    /// Trials times the squared standard error of the difference between the two best plays.
    pub difference: f64,
    /// CPU seconds per trial of each play.
    pub seconds: f64,
    /// Equity of the best play and its standard error.
    pub equity: [f64; 2],
}

impl Worth {
    /// CPU seconds until the standard error of the difference is `points`.
    pub fn seconds_to(&self, points: f64) -> f64 {
        2.0 * self.seconds * self.difference / (points * points)
    }
}

/// Rolls out the two best plays of a case for about `time`, in whole sets of 1296 trials.
///
/// # Errors
/// A [`RolloutError`] for invalid settings.
pub fn measure(
    setup: &Setup,
    case: &BenchmarkPosition,
    dice: DiceSource,
    luck: LuckKind,
    horizon: Option<u16>,
    time: Duration,
) -> Result<Worth, RolloutError> {
    let candidates = case.candidates(setup);
    let mut settings = Settings {
        dice_source: dice,
        luck,
        horizon,
        ..Settings::default()
    };
    settings.stop.trials = 1_000_000_000;
    let set = if dice == DiceSource::Sobol {
        1280
    } else {
        1296
    };
    let began = std::time::Instant::now();
    let mut trials = 0;
    let result = run_blocking(setup, &candidates, &settings, &mut |_| {
        trials += settings.block();
        trials % set != 0 || trials < 2 * set || began.elapsed() < time
    })?;
    let candidate = &result.candidates[0];
    let n = candidate.trials as f64;
    let se = result.difference.map_or(f64::NAN, |d| d.equity.se);
    Ok(Worth {
        trials: candidate.trials,
        variance: n * candidate.equity.se.powi(2),
        difference: n * se * se,
        seconds: result.cpu_seconds / (2.0 * n),
        equity: [candidate.equity.mean, candidate.equity.se],
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{Engine, Evaluator};
    use std::sync::Arc;

    #[test]
    fn the_cases_are_positions_with_two_plays() {
        let setup = Setup::from(Arc::new(Engine::embedded()) as Arc<dyn Evaluator>);
        for case in &CASES {
            assert_eq!(case.candidates(&setup).len(), 2, "{}", case.name);
        }
    }

    #[test]
    fn luck_is_worth_something_in_a_race() {
        let setup = Setup::from(Arc::new(Engine::embedded()) as Arc<dyn Evaluator>);
        let worth = |luck| {
            let time = Duration::from_millis(1);
            measure(&setup, &CASES[5], DiceSource::Rotation, luck, None, time)
                .expect("sound settings")
        };
        let (none, full) = (worth(LuckKind::None), worth(LuckKind::Lookahead(None)));
        assert!(full.variance < none.variance / 10.0, "{none:?} {full:?}");
        assert!(none.trials == 2592 && none.seconds > 0.0);
    }
}
