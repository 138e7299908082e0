//! Artificial snapshots of rollouts.

use std::sync::Arc;

use crate::cube::dahl::States;
use crate::rollout::{
    CandidateResult, Coupling, DifferenceResult, Estimate, FamilyResult, HistoryPoint, LuckKind,
    Pilot, PlayDifference, RolloutResult, Settings as Rolled, Status, Tried,
};
use crate::tui::rollouts::jobs::JobId;
use crate::tui::state::App;

fn estimate(mean: f64, se: f64) -> Estimate {
    Estimate {
        mean,
        se,
        ci95: [mean - 1.96 * se, mean + 1.96 * se],
        anytime95: [mean - 3.5 * se, mean + 3.5 * se],
    }
}

/// An artificial snapshot of a rollout: each play is slightly worse than the previous one.
pub(super) fn fake(app: &App, id: JobId, trials: u64, status: Status) -> Arc<RolloutResult> {
    let job = app.jobs.get(id).expect("the job is known");
    let mut result = made_up(job.plays.len(), trials, status);
    if job.settings.settlement.is_some() {
        for candidate in &mut Arc::make_mut(&mut result).candidates {
            let Estimate { mean, se, .. } = candidate.equity;
            candidate.states = Some(States {
                centred: estimate(mean + 0.02, se),
                own: estimate(mean + 0.09, se),
                other: estimate(mean - 0.11, se),
            });
        }
    }
    result
}

/// The same with this number of plays.
pub(crate) fn made_up(plays: usize, trials: u64, status: Status) -> Arc<RolloutResult> {
    let n = trials.max(1) as f64;
    let mean = |i: usize| 0.1 - 0.03 * i as f64;
    let candidates: Vec<CandidateResult> = (0..plays)
        .map(|i| CandidateResult {
            trials,
            equity: estimate(mean(i), 0.5 / n.sqrt()),
            plain: estimate(mean(i) - 0.01, 1.3 / n.sqrt()),
            probabilities: [0.52, 0.14, 0.01, 0.13, 0.01].map(|p| estimate(p, 0.01)),
            equivalent_trials: 6.8 * n,
            p_best: 1.0 / (i + 1) as f64,
            ..CandidateResult::default()
        })
        .collect();
    let mut all: Vec<Vec<HistoryPoint>> = (0..candidates.len())
        .map(|i| history(mean(i), trials))
        .collect();
    let difference = (candidates.len() == 2).then(|| {
        all.push(history(0.03, trials));
        DifferenceResult {
            trials,
            equity: estimate(0.03, 0.4 / n.sqrt()),
            correlation: 0.71,
            plain_correlation: 0.4,
            equivalent_trials: 20.0 * n,
            independent_trials: 1.8 * n,
            coalesced: trials / 8,
            ..DifferenceResult::default()
        }
    });
    let candidates_are = |n: usize| candidates.len() == n;
    Arc::new(RolloutResult {
        difference,
        history: all,
        scatter: if candidates_are(2) {
            scatter()
        } else {
            Vec::new()
        },
        family: (!candidates_are(2))
            .then(|| family(&candidates, trials))
            .flatten(),
        status,
        trials_per_second: 1900.0,
        seconds: 1.0,
        cpu_seconds: 2.0,
        mwc: None,
        double_gain95: None,
        candidates,
    })
}

/// Twelve points on the way to `trials` trials.
fn history(mean: f64, trials: u64) -> Vec<HistoryPoint> {
    let point = |k: u64| {
        let trials = trials * k / 12;
        let se = 0.5 / (trials.max(1) as f64).sqrt();
        HistoryPoint {
            trials,
            mean: mean + if k.is_multiple_of(2) { se } else { -se } / 2.0,
            ci95: 1.96 * se,
            anytime95: if k < 3 { f64::INFINITY } else { 3.5 * se },
        }
    };
    (1..=12).map(point).collect()
}

/// An artificial result of a pilot.
pub(super) fn pilot(settings: &Rolled, plays: usize) -> Pilot {
    let coupling = if plays == 2 {
        Coupling::HYBRID
    } else {
        Coupling::QUANTILE
    };
    let tried = |coupling, variance| Tried {
        coupling,
        luck: LuckKind::Net,
        trials: 144,
        variance,
        correlation: 0.7,
        cost: 8.0,
    };
    Pilot {
        settings: Rolled {
            coupling,
            luck: LuckKind::Net,
            ..settings.clone()
        },
        tried: vec![tried(coupling, 0.10), tried(Coupling::Dice, 0.13)],
        cost: 900.0,
    }
}

/// Correlated results of pairs, without randomness.
fn scatter() -> Vec<[f32; 2]> {
    let part = |n: u32, way: f64| (f64::from(n) * way).fract() - 0.5;
    let pair = |n| {
        let (x, y) = (part(n, 0.754_877_666), part(n, 0.569_840_291));
        [(x + 0.4 * y) as f32, (x - 0.4 * y) as f32]
    };
    (0..200).map(pair).collect()
}

/// All differences of the candidates; with enough trials one play is separated, because its deficit is known.
fn family(candidates: &[CandidateResult], trials: u64) -> Option<FamilyResult> {
    let k = candidates.len();
    let se = 0.3 / (trials.max(1) as f64).sqrt();
    let pairs = (0..k).flat_map(|i| (i + 1..k).map(move |j| (i, j)));
    let differences = pairs.map(|(first, second)| {
        let mean = candidates[first].equity.mean - candidates[second].equity.mean;
        let equity = estimate(mean, se);
        PlayDifference {
            first,
            second,
            trials,
            equity,
            simultaneous_ci95: [mean - 2.4 * se, mean + 2.4 * se],
            simultaneous_anytime95: [mean - 4.0 * se, mean + 4.0 * se],
            correlation: 0.62,
        }
    });
    let beaten = |i: usize| 0.03 * i as f64 > 3.8 * se;
    (k > 2).then(|| FamilyResult {
        differences: differences.collect(),
        beaten: (0..k).map(beaten).collect(),
        out: Vec::new(),
    })
}
