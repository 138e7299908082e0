//! Experiments with coupled dice: the coverage of intervals of differences, the value of coalescing games, the
//! correlation of luck by turn, and the time to find the best of several plays.

use rayon::prelude::*;

use super::decisions::BenchmarkDecision;
use crate::dice::DiceSource;
use crate::game::Position;
use crate::rollout::{
    Allocation, Coupling, LuckKind, RolloutError, Settings, Setup, TrialRecord, Turn, replay,
    run_blocking,
};
use crate::stats::{CoMoments, Moments};

/// All couplings of two candidates, with their usual parameters.
pub const COUPLINGS: [Coupling; 6] = Coupling::ALL;

/// Coverage of short rollouts of a pair.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PairingCounts {
    pub runs: u32,
    /// Share in which the fixed-sample 95% interval of the difference contained the exact value.
    pub fixed: f64,
    /// The same share for the anytime interval at its end.
    pub anytime: f64,
    /// Mean over all rollouts minus the exact value, in standard errors of that mean: first play, second play,
    /// difference.
    pub off: [f64; 3],
    /// Mean squared error of the difference divided by the mean of its squared standard error.
    pub honesty: f64,
}

/// A short rollout: means, coverage of the intervals, squared error and squared standard error.
struct Short {
    means: [f64; 3],
    held: [bool; 2],
    squares: [f64; 2],
}

/// Rolls out a pair of exactly known positions `runs` times.
///
/// # Errors
/// A [`RolloutError`] for invalid settings.
pub fn coverage(
    setup: &Setup,
    candidates: &[Position; 2],
    settings: &Settings,
    runs: u32,
) -> Result<PairingCounts, RolloutError> {
    let exact = candidates.map(|p| {
        let chances = setup.evaluator.exact(&p).unwrap_or_default();
        -f64::from(chances.equity())
    });
    coverage_of(setup, candidates, exact, settings, runs)
}

/// Rolls out a pair of positions with known values `runs` times.
///
/// # Errors
/// A [`RolloutError`] for invalid settings.
pub fn coverage_of(
    setup: &Setup,
    candidates: &[Position; 2],
    exact: [f64; 2],
    settings: &Settings,
    runs: u32,
) -> Result<PairingCounts, RolloutError> {
    let truth = [exact[0], exact[1], exact[0] - exact[1]];
    let one = |run: u32| -> Result<Short, RolloutError> {
        let settings = Settings {
            seed: settings.seed.wrapping_add(u64::from(run)),
            ..settings.clone()
        };
        let result = run_blocking(setup, candidates, &settings, &mut |_| true)?;
        let d = result.difference.unwrap_or_default().equity;
        let inside = |[low, high]: [f64; 2]| low <= truth[2] && truth[2] <= high;
        let candidate = |i: usize| result.candidates[i].equity.mean;
        Ok(Short {
            means: [candidate(0), candidate(1), d.mean],
            held: [inside(d.ci95), inside(d.anytime95)],
            squares: [d.mean - truth[2], d.se].map(|x| x * x),
        })
    };
    let all: Vec<_> = (0..runs)
        .into_par_iter()
        .map(one)
        .collect::<Result<_, _>>()?;
    let mut means = [Moments::default(); 3];
    for short in &all {
        for (mean, x) in means.iter_mut().zip(&short.means) {
            mean.push(*x);
        }
    }
    let share = |i: usize| all.iter().filter(|a| a.held[i]).count() as f64 / f64::from(runs);
    let sum = |i: usize| all.iter().map(|a| a.squares[i]).sum::<f64>();
    Ok(PairingCounts {
        runs,
        fixed: share(0),
        anytime: share(1),
        honesty: sum(0) / sum(1),
        off: std::array::from_fn(|i| (means[i].mean() - truth[i]) / means[i].standard_error()),
    })
}

/// Results of a coupling for two plays.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Coalescence {
    /// Share of the trials in which the two games coalesced.
    pub share: f64,
    /// Variance of the difference over all trials, and over those that coalesced.
    pub variances: [f64; 2],
    /// Correlation of the results.
    pub correlation: f64,
    /// CPU seconds per trial of both plays; the second value stops games when they coalesce.
    pub seconds: [f64; 2],
}

/// Rolls out two plays with a coupling and a kind of luck.
///
/// # Errors
/// A [`RolloutError`] for invalid settings.
pub fn coalescence(
    setup: &Setup,
    candidates: &[Position],
    coupling: Coupling,
    luck: LuckKind,
    trials: u64,
) -> Result<Coalescence, RolloutError> {
    let mut setup = setup.clone();
    setup.keep_trials = true;
    let mut settings = Settings {
        coupling,
        luck,
        ..Settings::default()
    };
    settings.ranks.by = if luck == LuckKind::None {
        LuckKind::Net
    } else {
        LuckKind::Auto
    };
    settings.stop.trials = trials;
    let mut records: Vec<TrialRecord> = Vec::new();
    let result = run_blocking(&setup, candidates, &settings, &mut |look| {
        if look.records.len() as u64 >= 2 * trials {
            records.extend(look.records);
        }
        true
    })?;
    let mut within = Moments::default();
    for two in records.chunks_exact(2).filter(|two| two[0].has_coalesced()) {
        within.push(two[0].exported().variance_reduced - two[1].exported().variance_reduced);
    }
    let d = result.difference.unwrap_or_default();
    let ended = if coupling == Coupling::None {
        result.cpu_seconds
    } else {
        let settings = Settings {
            end_when_coalesced: true,
            ..settings
        };
        run_blocking(&setup, candidates, &settings, &mut |_| true)?.cpu_seconds
    };
    let n = trials as f64;
    Ok(Coalescence {
        share: d.coalesced_share(),
        variances: [
            d.variance,
            if within.count() > 1 {
                within.variance()
            } else {
                0.0
            },
        ],
        correlation: d.correlation,
        seconds: [result.cpu_seconds / n, ended / n],
    })
}

/// Correlation of two games' luck at one turn.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AtTurn {
    /// Number of pairs in which both games were unfinished.
    pub games: u64,
    /// Correlation of the luck of the two rolls.
    pub correlation: f64,
    /// Share of pairs with equal rolls.
    pub same_roll: f64,
    /// Share of pairs with equal positions before the roll.
    pub same_position: f64,
}

/// Analyses `trials` trials of each decision, turn by turn, up to `turns`, with luck by the luck net.
///
/// # Errors
/// A [`RolloutError`] for invalid settings.
pub fn by_turn(
    setup: &Setup,
    decisions: &[&BenchmarkDecision],
    coupling: Coupling,
    trials: u64,
    turns: usize,
) -> Result<Vec<AtTurn>, RolloutError> {
    let settings = Settings {
        coupling,
        luck: LuckKind::Net,
        dice_source: DiceSource::Random,
        ..Settings::default()
    };
    let look = |d: &&BenchmarkDecision| -> Result<Vec<(CoMoments, u64, u64)>, RolloutError> {
        let mut seen = vec![(CoMoments::default(), 0, 0); turns];
        for trial in 0..trials {
            let played = replay(setup, &d.candidates, &settings, trial)?;
            let own = |candidate| -> Vec<&Turn> {
                played
                    .turns
                    .iter()
                    .filter(|t| t.candidate == candidate)
                    .collect()
            };
            let [a, mut b] = [own(0), own(1)];
            if played.results[0].has_coalesced() {
                // After coalescing, both games continue with the turns of the first.
                b.extend_from_slice(a.get(b.len()..).unwrap_or_default());
            }
            for ((x, y), (luck, same_roll, same_position)) in a.iter().zip(&b).zip(&mut seen) {
                luck.push(x.luck, y.luck);
                *same_roll += u64::from(x.roll == y.roll);
                *same_position += u64::from(x.position == y.position);
            }
        }
        Ok(seen)
    };
    let all: Vec<_> = decisions
        .par_iter()
        .map(look)
        .collect::<Result<Vec<_>, _>>()?;
    let mut sum = vec![(CoMoments::default(), 0, 0); turns];
    for seen in &all {
        for (sum, (luck, same_roll, same_position)) in sum.iter_mut().zip(seen) {
            sum.0.merge(luck);
            sum.1 += same_roll;
            sum.2 += same_position;
        }
    }
    let share = |n: u64, of: u64| {
        if of == 0 { 0.0 } else { n as f64 / of as f64 }
    };
    let at = |(luck, same_roll, same_position): &(CoMoments, u64, u64)| AtTurn {
        games: luck.count(),
        correlation: luck.correlation(),
        same_roll: share(*same_roll, luck.count()),
        same_position: share(*same_position, luck.count()),
    };
    Ok(sum.iter().map(at).collect())
}

/// Result of deciding a family.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Named {
    /// Index of the play named best.
    pub best: usize,
    /// Whether the decision came before the trials ran out.
    pub decided: bool,
    /// Total trials of all plays.
    pub trials: u64,
    pub seconds: f64,
}

/// Races all plays on the same dice until one is better than all others with 95% anytime-valid confidence.
///
/// # Errors
/// A [`RolloutError`] for invalid settings.
pub fn race(
    setup: &Setup,
    candidates: &[Position],
    coupling: Coupling,
    seed: u64,
    trials: u64,
) -> Result<Named, RolloutError> {
    let mut settings = Settings {
        seed,
        coupling,
        luck: LuckKind::Net,
        allocation: Allocation::Race,
        ..Settings::default()
    };
    settings.stop.trials = trials;
    settings.stop.separated = Some(0.95);
    let result = run_blocking(setup, candidates, &settings, &mut |_| true)?;
    let beaten = result.family.map(|f| f.beaten).unwrap_or_default();
    let mean = |i: usize| result.candidates[i].equity.mean;
    let best = (0..candidates.len())
        .filter(|&i| beaten.get(i) != Some(&true))
        .max_by(|&i, &j| mean(i).total_cmp(&mean(j)))
        .unwrap_or(0);
    Ok(Named {
        best,
        decided: result.status
            == crate::rollout::Status::Done(crate::rollout::StopReason::Separated),
        trials: result.candidates.iter().map(|s| s.trials).sum(),
        seconds: result.cpu_seconds,
    })
}

/// Rolls out each play with its own dice, with the usual rule: after each block from `least` trials on, stops when
/// the best leads every other by `deviations` joint standard deviations. A joint standard deviation is the root of
/// the sum of both squared errors. All plays have the same number of trials.
///
/// # Errors
/// A [`RolloutError`] for invalid settings.
pub fn joint_deviation(
    setup: &Setup,
    candidates: &[Position],
    seed: u64,
    trials: u64,
    least: u64,
    deviations: f64,
) -> Result<Named, RolloutError> {
    let mut settings = Settings {
        seed,
        coupling: Coupling::None,
        luck: LuckKind::Net,
        ..Settings::default()
    };
    settings.stop.trials = trials;
    let mut named = Named::default();
    let result = run_blocking(setup, candidates, &settings, &mut |look| {
        let candidates = look.result().candidates;
        let mean = |i: usize| candidates[i].equity.mean;
        let others = 0..candidates.len();
        named.best = others
            .clone()
            .max_by(|&i, &j| mean(i).total_cmp(&mean(j)))
            .unwrap_or(0);
        let best = &candidates[named.best].equity;
        named.trials = candidates.iter().map(|s| s.trials).sum();
        named.decided = candidates[0].trials >= least
            && others.filter(|&i| i != named.best).all(|i| {
                let other = &candidates[i].equity;
                best.mean - other.mean > deviations * best.se.hypot(other.se)
            });
        !named.decided
    })?;
    named.seconds = result.cpu_seconds;
    Ok(named)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{Engine, Evaluator};
    use crate::experiments::decisions::{self, BenchmarkClass};
    use std::sync::Arc;

    fn setup() -> Setup {
        Setup::from(Arc::new(Engine::embedded()) as Arc<dyn Evaluator>)
    }

    #[test]
    fn luck_hangs_together_as_it_is_coupled() {
        let all = decisions::pairs(decisions::bundled());
        let some: Vec<&BenchmarkDecision> = all
            .iter()
            .filter(|d| d.kind == BenchmarkClass::Race)
            .collect();
        let at = |coupling| by_turn(&setup(), &some[..2], coupling, 240, 4).unwrap();
        let (none, dice, rank) = (at(Coupling::None), at(Coupling::Dice), at(Coupling::Rank));
        assert!(
            none[1].correlation.abs() < 0.4 && none[1].same_roll < 0.2,
            "{none:?}"
        );
        assert_eq!(dice[1].same_roll, 1.0);
        assert!(rank[1].correlation > 0.8, "{rank:?}");
    }

    #[test]
    fn families_are_decided() {
        let families = decisions::families(decisions::bundled());
        let five = &families[0].candidates;
        let named = race(&setup(), five, Coupling::Dice, 1, 288).unwrap();
        // The last round is played whole: a block of each play that is still in the race.
        assert!(named.best < 5 && named.trials < 5 * (288 + 36) && named.seconds > 0.0);
        let other = joint_deviation(&setup(), five, 1, 144, 72, 0.0).unwrap();
        assert!(other.decided);
        assert_eq!(other.trials, 5 * 72);
    }

    #[test]
    fn known_pairs_are_covered_and_meetings_seen() {
        let setup = setup();
        let start = |own: &[(usize, u8)]| Position::from_points(&[(5, 1), (3, 1)], own).unwrap();
        let pair = [start(&[(6, 1), (3, 1)]), start(&[(5, 1), (4, 1)])];
        let mut settings = Settings {
            stop_at_known: false,
            luck: LuckKind::Net,
            coupling: Coupling::Rank,
            ..Settings::default()
        };
        settings.stop.trials = 108;
        let held = coverage(&setup, &pair, &settings, 60).unwrap();
        assert!(held.fixed > 0.8, "{held:?}");
        assert!(held.off.iter().all(|o| o.abs() < 5.0), "{held:?}");
        let all = decisions::pairs(decisions::bundled());
        let holding = all
            .iter()
            .find(|d| d.kind == BenchmarkClass::Holding)
            .unwrap();
        let met = coalescence(
            &setup,
            &holding.candidates,
            Coupling::Dice,
            LuckKind::None,
            72,
        )
        .unwrap();
        assert!((0.0..=1.0).contains(&met.share) && met.seconds[0] > 0.0);
    }
}
