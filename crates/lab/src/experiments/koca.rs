//! Koca's test of matched ranks.
//!
//! Koca proposed it on bug-gnubg in March 2009. Take several pairs of plays. Roll each out conventionally with a huge
//! number of trials, so that the true difference is known. Then roll out with just 36 trials, a hundred times, and
//! compute the standard deviation of the errors. Repeat with the other technique and compare. Here this is done for
//! every coupling, with and without luck subtracted. A trial's results with and without luck come from the same
//! games, which are played once.
//!
//! The need of a method is measured in trials: the ratio of its variance to that of independent dice is the ratio of
//! the trials needed for the same error. Decisions differ in size by orders of magnitude, so the geometric mean of
//! that ratio over decisions is taken. Its interval comes from resampling the rollouts of each decision (bootstrap;
//! B. Efron, 1979). It covers these decisions, not all decisions.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::decisions::BenchmarkDecision;
use crate::dice::DiceSource;
use crate::rollout::{
    Coupling, LuckKind, Pilot, RolloutError, Settings, Setup, TrialRecord, run_blocking,
};
use crate::stats::interval::NORMAL_975;
use crate::stats::{CoMoments, Moments};

/// A rollout method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Method {
    pub name: &'static str,
    pub coupling: Coupling,
    pub dice: DiceSource,
}

/// The fixed methods, independent dice first. The pilot's choice follows as the last row of every table.
pub const METHODS: [Method; 6] = [
    method("independent", Coupling::None, DiceSource::Rotation),
    method("same dice", Coupling::Dice, DiceSource::Rotation),
    method("ranks", Coupling::Rank, DiceSource::Rotation),
    method("ranks, stratified", Coupling::Rank, DiceSource::Decks),
    method("quantiles", Coupling::QUANTILE, DiceSource::Rotation),
    method("hybrid", Coupling::HYBRID, DiceSource::Rotation),
];
/// The pilot's choice.
pub const AUTO: &str = "auto";
/// Number of methods including the pilot's choice.
pub const ROWS: usize = METHODS.len() + 1;

const fn method(name: &'static str, coupling: Coupling, dice: DiceSource) -> Method {
    Method {
        name,
        coupling,
        dice,
    }
}

/// The size of the experiment.
#[derive(Clone, Copy, Debug)]
pub struct KocaSettings {
    /// Rollouts of each decision with each method.
    pub rollouts: u64,
    /// Trials per rollout.
    pub trials: u64,
    /// Trials of the reference rollout.
    pub truth: u64,
    /// Trials of each method with luck by lookahead, for its correlation; 0 for none.
    pub lookahead: u64,
    /// Seed of the dice.
    pub seed: u64,
}

/// Results of a method on a decision, with one kind of luck.
#[derive(Clone, Debug, Default)]
pub struct MethodOutcome {
    /// Estimated minus true difference, for each rollout.
    pub errors: Vec<f64>,
    /// Correlation of the two plays' results over all trials.
    pub correlation: f64,
    /// Share of the trials in which the two games coalesced.
    pub coalesced: f64,
    /// CPU seconds per rollout.
    pub seconds: f64,
    /// The chosen coupling and luck, in the pilot's row.
    pub chosen: Option<(Coupling, LuckKind)>,
    /// CPU seconds of the pilot.
    pub pilot: f64,
}

/// Results of all methods on a decision.
#[derive(Clone, Debug)]
pub struct DecisionOutcomes {
    /// The reference difference and its standard error.
    pub truth: [f64; 2],
    /// Results without and with luck subtracted, for each of [`METHODS`] and the pilot's choice.
    pub cells: [Vec<MethodOutcome>; 2],
    /// Correlation with luck by lookahead subtracted, for each of [`METHODS`].
    pub lookahead: Vec<f64>,
}

/// Rolls out a decision with every method.
///
/// # Errors
/// A [`RolloutError`] for invalid settings.
pub fn measure(
    setup: &Setup,
    decision: &BenchmarkDecision,
    plan: &KocaSettings,
) -> Result<DecisionOutcomes, RolloutError> {
    let truth = true_difference(setup, decision, plan)?;
    let mut setup = setup.clone();
    setup.keep_trials = true;
    let mut cells = fixed_methods(&setup, decision, plan, truth[0])?;
    for (kind, luck) in [LuckKind::None, LuckKind::Auto].into_iter().enumerate() {
        let cell = choice_of_pilot(&setup, decision, plan, luck, truth[0], &cells)?;
        cells[kind].push(cell);
    }
    let lookahead = lookahead_correlations(&setup, decision, plan)?;
    Ok(DecisionOutcomes {
        truth,
        cells,
        lookahead,
    })
}

/// Returns the difference of the two plays from a long rollout with independent dice, and its standard error.
fn true_difference(
    setup: &Setup,
    decision: &BenchmarkDecision,
    plan: &KocaSettings,
) -> Result<[f64; 2], RolloutError> {
    let mut settings = Settings {
        seed: plan.seed ^ 0x7472_7574,
        coupling: Coupling::None,
        luck: LuckKind::Net,
        ..Settings::default()
    };
    settings.stop.trials = plan.truth;
    let result = run_blocking(setup, &decision.candidates, &settings, &mut |_| true)?;
    let difference = result.difference.unwrap_or_default();
    Ok([difference.equity.mean, difference.equity.se])
}

/// The settings of a fixed method. Ranks use the luck net.
fn settings_of(method: &Method, luck: LuckKind) -> Settings {
    let mut settings = Settings {
        coupling: method.coupling,
        dice_source: method.dice,
        luck,
        ..Settings::default()
    };
    settings.ranks.by = LuckKind::Net;
    settings
}

/// Returns the outcomes of [`METHODS`], without and with luck subtracted.
fn fixed_methods(
    setup: &Setup,
    decision: &BenchmarkDecision,
    plan: &KocaSettings,
    truth: f64,
) -> Result<[Vec<MethodOutcome>; 2], RolloutError> {
    let mut cells = [Vec::new(), Vec::new()];
    for method in &METHODS {
        let reduced = settings_of(method, LuckKind::Net);
        let [mut plain, reduced] = rollouts(setup, decision, &reduced, plan, truth)?;
        // Measures the cost of plain trials on a few of them.
        let few = KocaSettings {
            rollouts: plan.rollouts.div_ceil(10),
            ..*plan
        };
        let cost = settings_of(method, LuckKind::None);
        plain.seconds = rollouts(setup, decision, &cost, &few, truth)?[0].seconds;
        cells[0].push(plain);
        cells[1].push(reduced);
    }
    Ok(cells)
}

/// Returns the outcome of the pilot's choice with `luck`, given the truth and the outcomes of the fixed methods.
fn choice_of_pilot(
    setup: &Setup,
    decision: &BenchmarkDecision,
    plan: &KocaSettings,
    luck: LuckKind,
    truth: f64,
    fixed: &[Vec<MethodOutcome>; 2],
) -> Result<MethodOutcome, RolloutError> {
    let asked = Settings {
        seed: plan.seed,
        luck,
        ..Settings::default()
    };
    let began = crate::rollout::cpu_seconds();
    let pilot = Pilot::run(setup, &decision.candidates, &asked, &|| false)?;
    let pilot_seconds = crate::rollout::cpu_seconds() - began;
    let found = &pilot.settings;
    // A fixed method with the same settings has had the same trials.
    let same = METHODS
        .iter()
        .position(|m| m.coupling == found.coupling && m.dice == found.dice_source);
    let mut cell = match (same, found.luck) {
        (Some(row), LuckKind::None) => fixed[0][row].clone(),
        (Some(row), LuckKind::Net) => fixed[1][row].clone(),
        _ => {
            let [_, reduced] = rollouts(setup, decision, found, plan, truth)?;
            reduced
        }
    };
    cell.chosen = Some((found.coupling, found.luck));
    cell.pilot = pilot_seconds;
    Ok(cell)
}

/// Returns the correlations of [`METHODS`] with luck by lookahead subtracted; empty if the plan has no trials for it.
fn lookahead_correlations(
    setup: &Setup,
    decision: &BenchmarkDecision,
    plan: &KocaSettings,
) -> Result<Vec<f64>, RolloutError> {
    let mut correlations = Vec::new();
    if plan.lookahead > 0 {
        for method in &METHODS {
            let mut settings = settings_of(method, LuckKind::Lookahead(Some(0)));
            settings.ranks.by = LuckKind::Lookahead(Some(0));
            settings.seed = plan.seed;
            settings.stop.trials = plan.lookahead;
            let result = run_blocking(setup, &decision.candidates, &settings, &mut |_| true)?;
            correlations.push(result.difference.map_or(0.0, |d| d.correlation));
        }
    }
    Ok(correlations)
}

/// Runs many short rollouts with the same settings. Returns the results without and with luck subtracted.
fn rollouts(
    setup: &Setup,
    decision: &BenchmarkDecision,
    settings: &Settings,
    plan: &KocaSettings,
    truth: f64,
) -> Result<[MethodOutcome; 2], RolloutError> {
    let mut cells = [MethodOutcome::default(), MethodOutcome::default()];
    let mut joint = [CoMoments::default(); 2];
    let (mut coalesced, mut seconds) = (0, 0.0);
    for rollout in 0..plan.rollouts {
        let mut settings = settings.clone();
        settings.seed = plan.seed.wrapping_add(1 + rollout);
        settings.stop.trials = plan.trials;
        let mut records: Vec<TrialRecord> = Vec::new();
        let result = run_blocking(setup, &decision.candidates, &settings, &mut |look| {
            records.clear();
            records.extend(look.records);
            true
        })?;
        let mut differences = [Moments::default(); 2];
        for two in records.chunks_exact(2) {
            let [a, b] = [two[0].exported(), two[1].exported()];
            for (kind, (x, y)) in [(a.plain, b.plain), (a.variance_reduced, b.variance_reduced)]
                .into_iter()
                .enumerate()
            {
                differences[kind].push(x - y);
                joint[kind].push(x, y);
            }
        }
        for (cell, mean) in cells.iter_mut().zip(&differences) {
            cell.errors.push(mean.mean() - truth);
        }
        coalesced += result.difference.map_or(0, |d| d.coalesced);
        seconds += result.cpu_seconds;
    }
    let n = plan.rollouts.max(1) as f64;
    for (cell, joint) in cells.iter_mut().zip(&joint) {
        cell.correlation = joint.correlation();
        cell.coalesced = coalesced as f64 / (n * plan.trials as f64);
        cell.seconds = seconds / n;
    }
    Ok(cells)
}

/// Rolls out all decisions on the current thread pool.
///
/// # Errors
/// As [`measure`].
pub fn run(
    setup: &Setup,
    decisions: &[BenchmarkDecision],
    plan: &KocaSettings,
) -> Result<Vec<DecisionOutcomes>, RolloutError> {
    decisions
        .par_iter()
        .map(|d| measure(setup, d, plan))
        .collect()
}

/// Returns the standard deviation of errors and its 95% interval (chi-squared through its logarithm, with the
/// observed kurtosis).
pub fn spread(errors: &[f64]) -> [f64; 3] {
    let moments: Moments = errors.iter().copied().collect();
    let n = errors.len() as f64;
    let variance = moments.variance();
    let fourth = errors
        .iter()
        .map(|e| (e - moments.mean()).powi(4))
        .sum::<f64>()
        / n;
    let kurtosis = if variance > 0.0 {
        fourth / (variance * variance)
    } else {
        3.0
    };
    // Error of the logarithm of the standard deviation.
    let error = 0.5 * ((kurtosis - 1.0).max(0.5) / n).sqrt();
    let sd = variance.sqrt();
    [
        sd,
        sd * (-NORMAL_975 * error).exp(),
        sd * (NORMAL_975 * error).exp(),
    ]
}

/// A geometric mean of ratios over decisions, with its 95% interval.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ratio {
    pub mean: f64,
    pub interval: [f64; 2],
}

/// Returns the number of trials that a method needs relative to independent dice with the same kind of luck; with
/// `cpu`, the ratio of seconds. The result is a geometric mean over the outcomes.
pub fn ratio(outcomes: &[&DecisionOutcomes], luck: usize, row: usize, cpu: bool) -> Ratio {
    let base = |o: &DecisionOutcomes| (luck, 0, o.cells[luck][0].seconds);
    let own = |o: &DecisionOutcomes| (luck, row, o.cells[luck][row].seconds);
    compare(outcomes, &own, &base, cpu)
}

/// Returns the number of trials that a method needs relative to independent dice without luck subtracted; with `cpu`,
/// the ratio of seconds.
pub fn ratio_to_plain(outcomes: &[&DecisionOutcomes], luck: usize, row: usize, cpu: bool) -> Ratio {
    let base = |o: &DecisionOutcomes| (0, 0, o.cells[0][0].seconds);
    let own = |o: &DecisionOutcomes| (luck, row, o.cells[luck][row].seconds);
    compare(outcomes, &own, &base, cpu)
}

/// Selects a cell of an outcome, and its seconds.
type Pick<'a> = &'a dyn Fn(&DecisionOutcomes) -> (usize, usize, f64);

/// Number of bootstrap samples of an interval.
const DRAWINGS: usize = 400;

fn compare(outcomes: &[&DecisionOutcomes], own: Pick<'_>, base: Pick<'_>, cpu: bool) -> Ratio {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut draw = |errors: &[f64], again: bool| {
        let mut moments = Moments::default();
        for &e in errors {
            let e = if again {
                errors[rng.random_range(0..errors.len())]
            } else {
                e
            };
            moments.push(e);
        }
        // If all rollouts of a decision give the same result, there is no ratio. A width far below any real one keeps
        // the logarithm finite.
        moments.variance().max(1e-12).ln()
    };
    let mut mean = |again: bool| {
        let logs = outcomes.iter().map(|o| {
            let ((l, r, seconds), (bl, br, base_seconds)) = (own(o), base(o));
            let same = (l, r) == (bl, br);
            let mut log = 0.0;
            if !same {
                log += draw(&o.cells[l][r].errors, again) - draw(&o.cells[bl][br].errors, again);
            }
            if cpu && seconds > 0.0 && base_seconds > 0.0 {
                log += (seconds / base_seconds).ln();
            }
            log
        });
        (logs.sum::<f64>() / outcomes.len().max(1) as f64).exp()
    };
    let found = mean(false);
    let mut drawn: Vec<f64> = (0..DRAWINGS).map(|_| mean(true)).collect();
    drawn.sort_by(f64::total_cmp);
    let at = |share: f64| drawn[((share * DRAWINGS as f64) as usize).min(DRAWINGS - 1)];
    // Subtracts the bias of the bootstrap: resampling lowers the variances of both.
    let middle = at(0.5);
    Ratio {
        mean: found,
        interval: [at(0.025) * found / middle, at(0.975) * found / middle],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{Engine, Evaluator};
    use crate::experiments::decisions;
    use std::sync::Arc;

    #[test]
    fn a_small_run_of_koca_s_test() {
        let setup = Setup::from(Arc::new(Engine::embedded()) as Arc<dyn Evaluator>);
        let all = decisions::pairs(decisions::bundled());
        let races: Vec<_> = all
            .into_iter()
            .filter(|d| d.kind == decisions::BenchmarkClass::Race)
            .take(2)
            .collect();
        let plan = KocaSettings {
            rollouts: 36,
            trials: 36,
            truth: 360,
            lookahead: 36,
            seed: 1,
        };
        let outcomes = run(&setup, &races, &plan).unwrap();
        let picked: Vec<&DecisionOutcomes> = outcomes.iter().collect();
        for o in &outcomes {
            assert_eq!(o.cells[0].len(), ROWS);
            assert_eq!(o.lookahead.len(), METHODS.len());
            for cell in o.cells.iter().flatten() {
                assert_eq!(cell.errors.len(), 36);
                let [sd, low, high] = spread(&cell.errors);
                assert!(low <= sd && sd <= high);
            }
        }
        assert_eq!(ratio(&picked, 0, 0, false).mean, 1.0);
        // In a race, ranks and equal dice remove almost all variance.
        for row in [1, 2] {
            let r = ratio(&picked, 0, row, false);
            assert!(r.mean < 0.8, "{row} {r:?}");
            assert!(r.interval[0] <= r.mean && r.mean <= r.interval[1]);
        }
    }
}
