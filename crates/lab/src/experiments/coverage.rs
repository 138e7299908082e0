//! Measures the coverage of rollout intervals.
//!
//! Runs many independent rollouts, each with its own seed, of a position whose value is known exactly or from a
//! reference with many more trials. For each interval, counts the rollouts in which it contained the value: at the
//! end, or at *every* look of a user who looks after each block.

use rayon::prelude::*;

use crate::game::Position;
use crate::rollout::{LuckKind, RolloutError, Settings, Setup, TrialRecord, run_blocking};
use crate::stats::interval::half_width;
use crate::stats::order;

/// Shares of rollouts in which an interval contained the value.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Shares {
    pub runs: u32,
    /// Fixed-sample interval, at the end.
    pub fixed: f64,
    /// Fixed-sample interval, at every look; not designed for that.
    pub fixed_watched: f64,
    /// Anytime interval, at every look.
    pub anytime: f64,
    /// Non-asymptotic interval by betting, at every look; `None` if results are unbounded.
    pub non_asymptotic: Option<f64>,
    /// Riordan's interval from order statistics, at the end.
    pub order: Option<f64>,
    /// Mean half-widths at the end, in points: fixed, anytime, non-asymptotic, order.
    pub widths: [f64; 4],
    /// Mean squared error divided by mean squared standard error.
    pub honesty: f64,
    /// Root mean square error, in points.
    pub error: f64,
}

/// Whether each interval held at the looks of one rollout.
#[derive(Clone, Copy, Default)]
struct Held {
    fixed: bool,
    fixed_watched: bool,
    anytime: bool,
    non_asymptotic: bool,
    order: bool,
    bounded: bool,
    widths: [f64; 4],
    error: f64,
    se: f64,
}

/// Coverage with luck subtracted, and of the same rollouts without.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CoverageCounts {
    /// For the variance-reduced results.
    pub variance_reduced: Shares,
    pub plain: Shares,
}

/// Rolls out `position` (after a play) `runs` times, and compares the intervals of its equity with `value`.
///
/// # Errors
/// A [`RolloutError`] for invalid settings.
pub fn measure(
    setup: &Setup,
    position: Position,
    settings: &Settings,
    value: f64,
    runs: u32,
) -> Result<CoverageCounts, RolloutError> {
    let mut setup = setup.clone();
    setup.keep_trials = true;
    let one = |run: u32| -> Result<[Held; 2], RolloutError> {
        let settings = Settings {
            seed: settings.seed.wrapping_add(u64::from(run)),
            ..settings.clone()
        };
        watch(&setup, position, &settings, value)
    };
    let all: Vec<[Held; 2]> = (0..runs)
        .into_par_iter()
        .map(one)
        .collect::<Result<_, _>>()?;
    let of = |i: usize| shares(&all.iter().map(|both| both[i]).collect::<Vec<_>>());
    Ok(CoverageCounts {
        variance_reduced: of(0),
        plain: of(1),
    })
}

fn shares(all: &[Held]) -> Shares {
    let n = all.len() as f64;
    let share = |pick: &dyn Fn(&Held) -> bool| all.iter().filter(|h| pick(h)).count() as f64 / n;
    let bounded = all.iter().all(|h| h.bounded);
    let mean = |pick: &dyn Fn(&Held) -> f64| all.iter().map(pick).sum::<f64>() / n;
    Shares {
        runs: all.len() as u32,
        fixed: share(&|h| h.fixed),
        fixed_watched: share(&|h| h.fixed_watched),
        anytime: share(&|h| h.anytime),
        non_asymptotic: bounded.then(|| share(&|h| h.non_asymptotic)),
        order: bounded.then(|| share(&|h| h.order)),
        widths: [0, 1, 2, 3].map(|i| mean(&|h| h.widths[i])),
        honesty: mean(&|h| h.error * h.error) / mean(&|h| h.se * h.se),
        error: mean(&|h| h.error * h.error).sqrt(),
    }
}

/// Returns the means of whole blocks of trials in ascending order; without variance reduction if `plain`. Block means
/// are independent for any dice, as order statistics require.
fn block_means(records: &[TrialRecord], block: usize, plain: bool) -> Vec<f64> {
    let value = |record: &TrialRecord| {
        let trial = record.exported();
        match plain {
            true => trial.plain,
            false => trial.variance_reduced,
        }
    };
    let whole = records.chunks_exact(block);
    let mean = |trials: &[TrialRecord]| trials.iter().map(value).sum::<f64>() / block as f64;
    let mut means: Vec<f64> = whole.map(mean).collect();
    means.sort_by(f64::total_cmp);
    means
}

/// Runs one rollout as seen by a user who looks after each block: with luck subtracted, and without.
fn watch(
    setup: &Setup,
    position: Position,
    settings: &Settings,
    value: f64,
) -> Result<[Held; 2], RolloutError> {
    let mut both = [Held {
        fixed_watched: true,
        anytime: true,
        non_asymptotic: true,
        ..Held::default()
    }; 2];
    let inside = |[low, high]: [f64; 2]| low <= value && value <= high;
    let bound = settings.luck_bound.unwrap_or(0.0) + 3.0;
    let unbounded = settings.luck_bound.is_none() && settings.luck != LuckKind::None;
    let block = settings.block();
    run_blocking(setup, &[position], settings, &mut |look| {
        let result = look.result();
        let candidate = &result.candidates[0];
        let seen = [
            (candidate.equity, candidate.nonasymptotic95),
            (candidate.plain, Some(candidate.plain_nonasymptotic95)),
        ];
        for (plain, (held, (e, non_asymptotic))) in both.iter_mut().zip(seen).enumerate() {
            let plain = plain == 1;
            held.fixed = inside(e.ci95);
            // Nobody relies on a spread of fewer than two blocks.
            held.fixed_watched &= candidate.trials < 2 * block || held.fixed;
            held.anytime &= inside(e.anytime95);
            held.bounded = non_asymptotic.is_some();
            held.non_asymptotic &= non_asymptotic.is_none_or(inside);
            held.widths = [
                half_width(e.ci95),
                half_width(e.anytime95),
                non_asymptotic.map_or(f64::NAN, half_width),
                f64::NAN,
            ];
            (held.error, held.se) = (e.mean - value, e.se);
            if candidate.trials >= settings.stop.trials && (plain || !unbounded) {
                let means = block_means(look.records, block as usize, plain);
                let bound = if plain { 3.0 } else { bound };
                let interval = order::interval(&means, -bound, bound);
                held.order = inside(interval);
                held.widths[3] = half_width(interval);
            }
        }
        true
    })?;
    Ok(both)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{Engine, Evaluator};
    use std::sync::Arc;

    #[test]
    fn a_bearoff_is_covered() {
        let setup = Setup::from(Arc::new(Engine::embedded()) as Arc<dyn Evaluator>);
        let position =
            Position::from_points(&[(6, 2), (3, 1)], &[(5, 2), (2, 1)]).expect("few checkers");
        let exact = setup.evaluator.exact(&position).expect("a small bearoff");
        let mut settings = Settings {
            stop_at_known: false,
            luck: LuckKind::None,
            ..Settings::default()
        };
        settings.stop.trials = 360;
        let value = -f64::from(exact.equity());
        let found = measure(&setup, position, &settings, value, 100).expect("sound settings");
        let shares = found.plain;
        assert!(shares.fixed >= 0.88 && shares.anytime >= 0.9, "{shares:?}");
        assert!(shares.non_asymptotic.is_some_and(|s| s >= 0.9));
        assert!(shares.order.is_some_and(|s| s >= 0.9));
        assert!(shares.widths[0] < shares.widths[1] && shares.widths[1] < shares.widths[3]);
    }
}
