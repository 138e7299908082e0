//! How thoroughly a decision is analysed, by name: from the static evaluation to truncated rollouts.
//!
//! A truncated rollout as a level of evaluation. The plays that lookahead leaves in the running are
//! played on for some rolls, both sides choosing one ply deep, and the net evaluates the end.
//! Whatever the net misvalues at first sight and sees some rolls later is mended so; and since the
//! players' own tables measure the luck, few trials are enough. Cube decisions are played to the end.

use super::blocking::run_blocking;
use crate::cube::{CubeDecision, CubefulCandidate, MatchChances, Model};
use crate::eval::lookahead::{Candidate, candidates};
use crate::eval::{CandidateFilter, Evaluator, Probabilities};
use crate::game::{GameState, Position, Roll};
use crate::rollout::{
    Allocation, CandidateResult, Coupling, CubeSettings, LuckKind, MwcLine, RolloutPreset,
    RolloutResult, Settings, Setup, StopRules,
};
use crate::stats::interval::{half_width, normal_error};

/// A level of analysis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    /// Its name on the command line.
    pub name: &'static str,
    /// Plies of lookahead that choose what is rolled out, or that decide.
    pub ply: u8,
    /// The rollout behind it, if any.
    pub rollout: Option<Truncated>,
}

/// Points between plays of which it does not matter which is better.
const EQUIVALENT: f64 = 0.002;

/// Rolls after which the levels that roll out value what is left.
pub const HORIZON: u16 = 6;

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
    /// Most trials a play, in the mean. Plays that are shown to be worse leave theirs to the others: of three
    /// or more none before trial 216.
    pub trials: u64,
    /// Most trials of a cube decision. They are played to the end: what it is worth to own a cube shows late,
    /// and the net errs about it on one side (`crates/lab/records/cube.md`).
    pub cube_trials: u64,
}

impl Level {
    /// The levels, fastest first. `crates/lab/records/evaluator.md` says what each loses and costs.
    pub const ALL: [Self; 6] = [
        Self::lookahead("instant", 0),
        Self::lookahead("quick", 1),
        Self::lookahead("standard", 2),
        Self::lookahead("deep", 3),
        Self {
            name: "rolled",
            ply: 2,
            rollout: Some(Truncated {
                most: 4,
                within: 0.08,
                ply: 1,
                horizon: HORIZON,
                trials: 216,
                cube_trials: 144,
            }),
        },
        Self {
            name: "thorough",
            ply: 2,
            rollout: Some(Truncated {
                most: 5,
                within: 0.08,
                ply: 1,
                horizon: HORIZON,
                trials: 1296,
                cube_trials: 648,
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
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.name == name)
    }

    /// All plays of `roll` in `state`, best first: those rolled out, then those that lookahead left
    /// behind; with the cube and at the score where `cubeful`, by the model of `setup`. `None` if
    /// `cancelled` answered true on the way. The same bits whatever the threads.
    pub fn analyse(
        &self,
        setup: &Setup,
        state: &GameState,
        roll: Roll,
        cubeful: bool,
        cancelled: &dyn Fn() -> bool,
    ) -> Option<Vec<LevelValue>> {
        let model = cubeful.then(|| setup.model());
        let evaluator = &*setup.evaluator;
        let mut analysed = LevelValue::all(evaluator, model, state, roll, self.ply, cancelled)?;
        let Some(rollout) = self.rollout else {
            return Some(analysed);
        };
        let limit = analysed.first()?.equity() - rollout.within;
        let running = analysed.iter().take(rollout.most);
        let running = running.take_while(|one| one.equity() >= limit).count();
        if running < 2 {
            return Some(analysed);
        }
        let cube = cubeful.then(|| CubeSettings::after_play(state));
        rollout.roll(setup, &mut analysed[..running], cube, cancelled)?;
        Some(analysed)
    }

    /// The cube decision of the player on roll of `state`, before the roll; that of the doubler while a double
    /// waits for its answer. It is rolled out where the gain of a double, what speaks for a take, or what speaks
    /// against a beaver is less than the level's points. `None` if `cancelled` answered true on the way.
    pub fn decide(
        &self,
        setup: &Setup,
        state: &GameState,
        cancelled: &dyn Fn() -> bool,
    ) -> Option<LevelDecision> {
        let model = setup.model();
        let looked = model.decide_with_chances(&*setup.evaluator, state, self.ply, cancelled);
        let (decision, chances) = looked?;
        let roller = &state.roller();
        let close = |within: f32| {
            let near = |points: Option<f32>| points.is_some_and(|points| points.abs() <= within);
            let taken = decision.double_take;
            // A beaver doubles what a take is worth, so it is right where that is less than nothing.
            let beavered = taken.filter(|_| roller.allows_beavers());
            near(decision.gain()) || near(taken.map(|take| take - 1.0)) || near(beavered)
        };
        let known = model.is_exact(roller);
        // A double that changes nothing is not rolled out.
        let rollout = self
            .rollout
            .filter(|rollout| !known && roller.may_double() && close(rollout.within));
        let looked = LevelDecision::looked_ahead(decision, chances);
        let rolled = rollout.and_then(|rollout| rollout.decide(setup, roller, looked, cancelled));
        (!cancelled()).then(|| rolled.unwrap_or(looked))
    }
}

/// A cube decision at a level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LevelDecision {
    pub decision: CubeDecision,
    /// Cubeless chances of the player on roll who does not double, by lookahead.
    pub chances: Probabilities,
    /// The rollouts behind it, if there were any: without a double, and after a double and a take.
    pub rolled: Option<[RolloutPrecision; 2]>,
    /// Cubeless chances of the player on roll in these rollouts.
    pub rolled_chances: Option<[Probabilities; 2]>,
}

impl LevelDecision {
    /// A decision valued by lookahead alone, with the cubeless chances of the player on roll.
    pub fn looked_ahead(decision: CubeDecision, chances: Probabilities) -> Self {
        Self {
            decision,
            chances,
            rolled: None,
            rolled_chances: None,
        }
    }
}

/// The decision of the player on roll in `state` by a rollout of it: without a double, and after a double
/// and a take. `None` of a rollout of something else.
pub fn cube_decision(result: &RolloutResult, state: &GameState) -> Option<CubeDecision> {
    let [hold, take] = &result.candidates[..] else {
        return None;
    };
    let points = [hold, take].map(|s| s.flipped().equity.mean as f32);
    let beavers = state.allows_beavers();
    let mut decision = CubeDecision::in_points(points[0], points[1], beavers);
    // It is that of the player who is not on roll.
    decision.mwc = result.mwc.map(MwcLine::flipped).map(|mwc| {
        let [zero, point] = [mwc.zero, mwc.point].map(|x| x as f32);
        // A mean of reduced results may lie a little beyond what can be won.
        let chance = |points: f32| (zero + point * points).clamp(0.0, 1.0);
        MatchChances {
            cubeful: chance(decision.cubeful_equity),
            no_double: chance(decision.no_double),
            double_take: decision.double_take.map(chance),
            double_pass: decision.double_pass.map(chance),
            point,
        }
    });
    Some(decision)
}

impl Truncated {
    /// Rolls a cube decision out that lookahead has valued: the decision by the rollout. `None` if it cannot
    /// be rolled out, or `cancelled` answered true on the way.
    fn decide(
        &self,
        setup: &Setup,
        state: &GameState,
        looked: LevelDecision,
        cancelled: &dyn Fn() -> bool,
    ) -> Option<LevelDecision> {
        let positions = [state.position; 2];
        let settings = self.cube_settings(state);
        let result = run_blocking(setup, &positions, &settings, &mut |_| !cancelled()).ok()?;
        let candidates = [&result.candidates[0], &result.candidates[1]];
        Some(LevelDecision {
            decision: cube_decision(&result, state)?,
            rolled: Some(candidates.map(RolloutPrecision::from)),
            rolled_chances: Some(candidates.map(|one| one.flipped().chances())),
            ..looked
        })
    }

    /// How the cube decision of the player on roll in `state` is rolled out.
    pub fn cube_settings(&self, state: &GameState) -> Settings {
        let cube = CubeSettings::of_decision(state);
        self.settings(2, Some(cube))
    }

    /// How `candidates`, the plays of a roll or the two sides of a cube decision, are rolled out. It ends where
    /// it is clear which is the best, at the latest after so many trials each in the mean. The intervals that
    /// say so are endless before the fifth block, and of more than two values before the sixth. So the few
    /// trials of `rolled` are mostly all played, and those of its cube decisions always.
    pub fn settings(&self, candidates: usize, cube: Option<CubeSettings>) -> Settings {
        let (horizon, trials) = match cube {
            Some(CubeSettings { decision: true, .. }) => (None, self.cube_trials),
            _ => (Some(self.horizon), self.trials),
        };
        Settings {
            allocation: match candidates {
                0..=2 => Allocation::Equal,
                _ => Allocation::Race,
            },
            ply: self.ply,
            horizon,
            luck: LuckKind::Auto,
            // Independent dice would serve as well: with luck out of the way they hardly matter.
            coupling: Coupling::Dice,
            cube,
            stop: StopRules {
                trials,
                separated: Some(RolloutPreset::SEPARATED),
                equivalent: Some(EQUIVALENT),
                ..StopRules::default()
            },
            ..Settings::default()
        }
    }

    fn roll(
        &self,
        setup: &Setup,
        analysed: &mut [LevelValue],
        cube: Option<CubeSettings>,
        cancelled: &dyn Fn() -> bool,
    ) -> Option<()> {
        let results: Vec<Position> = analysed.iter().map(|j| j.candidate.result).collect();
        let settings = self.settings(results.len(), cube);
        let Ok(result) = run_blocking(setup, &results, &settings, &mut |_| !cancelled()) else {
            // What cannot be rolled out, a cube too large for one, keeps the verdict of lookahead.
            return Some(());
        };
        if cancelled() {
            return None;
        }
        put_rolled(analysed, &result);
        Some(())
    }
}

/// Puts what the rollout of plays says in the place of what lookahead said, the best first.
fn put_rolled(analysed: &mut [LevelValue], result: &RolloutResult) {
    let values = analysed.iter().zip(&result.candidates).enumerate();
    let values: Vec<LevelValue> = values
        .map(|(i, (looked, rolled_out))| {
            let beside = result.equity_beside_best(i);
            let equity = beside.unwrap_or(rolled_out.equity.mean);
            rolled(*looked, rolled_out, equity, result.mwc)
        })
        .collect();
    for (one, i) in analysed.iter_mut().zip(result.best_first()) {
        *one = values[i];
    }
}

/// A play with what its rollout says in the place of what lookahead said; `equity` ranks it.
fn rolled(
    looked: LevelValue,
    rolled_out: &CandidateResult,
    equity: f64,
    mwc: Option<MwcLine>,
) -> LevelValue {
    let probabilities = rolled_out.chances();
    let mwc = mwc.map(|mwc| mwc.at(equity).clamp(0.0, 1.0) as f32);
    LevelValue {
        candidate: Candidate {
            probabilities,
            equity: match looked.cubeful {
                Some(_) => probabilities.equity(),
                None => equity as f32,
            },
            ..looked.candidate
        },
        cubeful: looked.cubeful.map(|_| equity as f32),
        mwc: mwc.filter(|_| looked.mwc.is_some()),
        rolled: Some(RolloutPrecision::from(rolled_out)),
    }
}

/// A play with its value at a level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LevelValue {
    /// The play; its cubeless equity and chances are those of the deepest look it got.
    pub candidate: Candidate,
    /// Equity that ranks the play if the cube counts, in points on the present cube (EMG in a match).
    pub cubeful: Option<f32>,
    /// The chance to win the match, in a match.
    pub mwc: Option<f32>,
    /// The rollout behind them, if there was one.
    pub rolled: Option<RolloutPrecision>,
}

/// How sure a rolled-out value is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RolloutPrecision {
    pub trials: u64,
    /// Standard error of the equity that ranks the play, in points. Where the trials ended alike there is none to
    /// see, and the interval allows for endings that were not seen: then it is that of a normal distribution with as
    /// wide an interval.
    pub se: f64,
    /// Half the width of its fixed-sample 95% interval: more than 1.96 standard errors where these are estimated
    /// from little, or where an allowance counts.
    pub half_width: f64,
    /// The chance that the play is the best of those rolled out with it.
    pub p_best: f64,
}

impl From<&CandidateResult> for RolloutPrecision {
    fn from(rolled_out: &CandidateResult) -> Self {
        let own = &rolled_out.equity;
        let allowed = normal_error(own.ci95);
        Self {
            trials: rolled_out.trials,
            se: match own.se == 0.0 && allowed.is_finite() {
                true => allowed,
                false => own.se,
            },
            half_width: half_width(own.ci95),
            p_best: rolled_out.p_best,
        }
    }
}

impl LevelValue {
    /// All plays of `roll` in `state` by lookahead alone, best first: with the cube and at the score by `model`, without
    /// one cubeless. A roll that the state has does not matter. `None` if `cancelled` answered true on the way.
    pub fn all(
        evaluator: &dyn Evaluator,
        model: Option<&Model>,
        state: &GameState,
        roll: Roll,
        ply: u8,
        cancelled: &dyn Fn() -> bool,
    ) -> Option<Vec<Self>> {
        let filter = CandidateFilter::default();
        Some(match model {
            Some(model) => {
                let all = model.candidates(evaluator, state, roll, ply, filter, cancelled)?;
                all.into_iter().map(Self::from).collect()
            }
            None => {
                let all = candidates(evaluator, &state.position, roll, ply, filter, cancelled)?;
                all.into_iter().map(Self::from).collect()
            }
        })
    }

    /// The equity that ranks the play, in points: cubeful where the cube counts, else cubeless.
    pub fn equity(&self) -> f32 {
        self.cubeful.unwrap_or(self.candidate.equity)
    }
}

impl From<Candidate> for LevelValue {
    fn from(candidate: Candidate) -> Self {
        Self {
            candidate,
            cubeful: None,
            mwc: None,
            rolled: None,
        }
    }
}

impl From<CubefulCandidate> for LevelValue {
    fn from(play: CubefulCandidate) -> Self {
        Self {
            cubeful: Some(play.cubeful),
            mwc: play.mwc,
            ..Self::from(play.candidate)
        }
    }
}

#[cfg(test)]
mod tests;
