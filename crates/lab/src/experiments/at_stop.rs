//! Whether verdicts and intervals hold where a rollout by default stops by itself: endings with the cube whose exact
//! values a table knows that the rollouts do not have, and decisions with contact or at a score whose values are those of
//! a rollout of many more trials.

use rayon::prelude::*;

use super::close_decisions::CloseDecision;
use crate::cube::CubeDecision;
use crate::eval::bearoff::two_sided::TwoSided;
use crate::game::{GameState, PlayList, Position, Roll};
use crate::rollout::{
    CubeSettings, RolloutError, RolloutPreset, RolloutResult, Settings, Setup, Status, StopReason,
    run_blocking,
};

/// Two values that differ by no more than this are equal: the table has single precision.
const EQUAL: f64 = 1e-6;

/// What is rolled out, and what it is worth to the player who rolls or plays.
#[derive(Clone, Debug)]
pub struct KnownEnding {
    /// What it is called.
    pub name: String,
    candidates: Vec<Position>,
    values: Vec<f64>,
    /// Largest error of the difference of two values, in points.
    error: f64,
    cube: CubeSettings,
}

impl KnownEnding {
    /// A decision that no table knows, by a rollout of `trials` trials of each play as the default plays. A verdict is
    /// wrong where it is by more than three standard errors of a difference.
    ///
    /// # Errors
    /// A [`RolloutError`] for settings that make no sense.
    pub fn by_rollout(
        setup: &Setup,
        decision: &CloseDecision,
        trials: u64,
    ) -> Result<Self, RolloutError> {
        let Settings { cube, ply, .. } = decision.settings();
        let mut settings = Settings {
            cube,
            ply,
            seed: 1 << 40,
            ..Settings::default()
        };
        settings.stop.trials = trials;
        let long = run_blocking(setup, &decision.candidates, &settings, &mut |_| true)?;
        let equities = long.candidates.iter().map(|c| c.equity);
        let sign = if decision.roll.is_none() { -1.0 } else { 1.0 };
        let widest = equities.clone().map(|e| e.se).fold(0.0, f64::max);
        let dice = decision.roll.map_or("cube".to_owned(), |r| r.to_string());
        Ok(Self {
            name: format!("{} {dice}", decision.id),
            candidates: decision.candidates.clone(),
            values: equities.map(|e| sign * e.mean).collect(),
            error: 3.0 * std::f64::consts::SQRT_2 * widest,
            cube: cube.expect("a decision has a cube"),
        })
    }

    /// The cube decision before a roll; `None` where the table does not know it.
    pub fn cube(table: &TwoSided, name: &str, position: Position) -> Option<Self> {
        let [_, _, centred, theirs] = table.values(&position)?.map(f64::from);
        Some(Self {
            name: name.to_owned(),
            candidates: vec![position; 2],
            values: vec![centred, 2.0 * theirs],
            error: EQUAL,
            cube: CubeSettings::of_decision(&GameState::money(position)),
        })
    }

    /// The plays of a roll, at most `most` of them, the best first; `None` where there are fewer than three, or where
    /// the table does not know them.
    pub fn plays(
        table: &TwoSided,
        name: &str,
        position: Position,
        roll: Roll,
        most: usize,
    ) -> Option<Self> {
        let of = |&after: &Position| {
            let [_, _, centred, theirs] = table.values(&after)?.map(f64::from);
            // The opponent rolls next, and may double.
            Some((after, -centred.max((2.0 * theirs).min(1.0))))
        };
        let list = PlayList::of(&position, roll);
        let all = list.results().iter().map(of);
        let mut all: Vec<(Position, f64)> = all.collect::<Option<_>>()?;
        all.sort_by(|a, b| b.1.total_cmp(&a.1));
        all.truncate(most);
        (all.len() > 2).then(|| Self {
            name: name.to_owned(),
            candidates: all.iter().map(|one| one.0).collect(),
            values: all.iter().map(|one| one.1).collect(),
            error: EQUAL,
            cube: CubeSettings::after_play(&GameState::money(position)),
        })
    }

    /// How many plays there are; two sides of a cube decision.
    pub fn count(&self) -> usize {
        self.candidates.len()
    }
}

/// What many rollouts of one ending came to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AtStop {
    /// Rollouts.
    pub runs: u32,
    /// Rollouts that were settled.
    pub settled: u32,
    /// Settled rollouts whose verdict is wrong.
    pub wrong: u32,
    /// Intervals of equities that were shown, and how many of them held the value.
    pub shown: [u32; 2],
    /// The same of fixed-sample intervals: 1.96 standard errors to either side.
    pub fixed: [u32; 2],
    /// Trials of all plays together, in the mean.
    pub trials: f64,
}

/// Rolls an ending out `runs` times as is done by default, at `ply` plies, with seeds of their own.
///
/// # Errors
/// A [`RolloutError`] for settings that make no sense.
pub fn measure(
    setup: &Setup,
    ending: &KnownEnding,
    ply: u8,
    runs: u32,
) -> Result<AtStop, RolloutError> {
    let one = |seed: u32| {
        let mut settings = Settings {
            cube: Some(ending.cube),
            seed: u64::from(seed) + 1,
            ..Settings::default()
        };
        RolloutPreset::STANDARD.apply(&mut settings, ending.count());
        settings.ply = ply;
        run_blocking(setup, &ending.candidates, &settings, &mut |_| true)
    };
    let results = (0..runs).into_par_iter().map(one);
    let results: Vec<RolloutResult> = results.collect::<Result<_, _>>()?;
    let mut all = AtStop {
        runs,
        ..AtStop::default()
    };
    for result in &results {
        count(&mut all, ending, result);
    }
    all.trials /= f64::from(runs);
    Ok(all)
}

fn count(all: &mut AtStop, ending: &KnownEnding, result: &RolloutResult) {
    let sides = result.candidates.iter().zip(&ending.values);
    for (candidate, &value) in sides {
        // Equities of a cube decision are those of the player who does not roll.
        let value = if ending.cube.decision { -value } else { value };
        let e = candidate.equity;
        let within =
            |[low, high]: [f64; 2]| u32::from(low - EQUAL <= value && value <= high + EQUAL);
        let fixed = [e.mean - 1.96 * e.se, e.mean + 1.96 * e.se];
        for (counts, interval) in [(&mut all.shown, e.ci95), (&mut all.fixed, fixed)] {
            counts[0] += 1;
            counts[1] += within(interval);
        }
        all.trials += candidate.trials as f64;
    }
    let loss = match ending.cube.decision {
        true => cube_loss(&ending.values, result),
        false => {
            let best = ending
                .values
                .iter()
                .copied()
                .fold(f64::NEG_INFINITY, f64::max);
            result
                .best()
                .map_or(0.0, |named| best - ending.values[named])
        }
    };
    let most = match result.status {
        Status::Done(StopReason::Separated) => 0.0,
        Status::Done(StopReason::Equivalent) => RolloutPreset::EQUIVALENT,
        _ => return,
    };
    all.settled += 1;
    all.wrong += u32::from(loss > most + ending.error);
}

/// What the cube actions that a rollout names cost, the dearer of both.
fn cube_loss(values: &[f64], result: &RolloutResult) -> f64 {
    let [no_double, take] = [values[0], values[1]];
    let rolled = [0, 1].map(|i| -result.candidates[i].equity.mean as f32);
    let named = CubeDecision::in_points(rolled[0], rolled[1], false);
    let doubles = take.min(1.0);
    let double_loss = match named.action.doubles() {
        true => no_double - doubles,
        false => doubles - no_double,
    };
    let answer_loss = match f64::from(rolled[1]) <= 1.0 {
        true => take - 1.0,
        false => 1.0 - take,
    };
    double_loss.max(answer_loss).max(0.0)
}
