//! Measures error rates of stopping rules: several rules observe many rollouts of plays with known values. Counts how
//! often a rule ended with a wrong verdict.
//!
//! Observing rules do not affect the trials, so one rollout serves all of them. Only a race depends on its
//! confidence.

use rayon::prelude::*;

use crate::game::Position;
use crate::rollout::{
    Allocation, RolloutError, Settings, Setup, Snapshot, StopReason, StopRules, run_blocking,
};
use crate::stats::interval::ALPHA;

/// Maximum difference of equal values.
const EQUAL: f64 = 1e-9;

/// Plays with known values.
#[derive(Clone, Debug)]
pub struct KnownPlays {
    /// Positions after the plays.
    pub candidates: Vec<Position>,
    /// Values for the player who makes the play.
    pub values: Vec<f64>,
}

/// A stopping rule with its promised error probability.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rule {
    pub stop: StopRules,
    /// Promised maximum probability of a wrong verdict.
    pub promised: f64,
}

impl Rule {
    /// The best play is better than every other with this confidence.
    pub fn separated(confidence: f64) -> Self {
        Self {
            stop: StopRules {
                separated: Some(confidence),
                ..StopRules::default()
            },
            promised: 1.0 - confidence,
        }
    }

    /// No other play differs from the best by more than this many points.
    pub fn equivalent(points: f64) -> Self {
        Self {
            stop: StopRules {
                equivalent: Some(points),
                ..StopRules::default()
            },
            promised: ALPHA,
        }
    }

    /// The half-width of the anytime interval is at most this many points.
    pub fn width(points: f64) -> Self {
        Self {
            stop: StopRules {
                half_width: Some(points),
                ..StopRules::default()
            },
            promised: ALPHA,
        }
    }

    /// The standard error is at most this many points.
    pub fn standard_error(points: f64) -> Self {
        Self {
            stop: StopRules {
                standard_error: Some(points),
                ..StopRules::default()
            },
            promised: ALPHA,
        }
    }
}

/// Results of a rule.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RuleRecord {
    pub runs: u32,
    /// Rollouts that the rule ended before the trials ran out.
    pub ended: u32,
    /// Rollouts ended early with a wrong verdict.
    pub wrong: u32,
    /// Mean trials per play at the end.
    pub trials: f64,
}

impl RuleRecord {
    /// Share of rollouts that ended with a wrong verdict.
    pub fn share(&self) -> f64 {
        f64::from(self.wrong) / f64::from(self.runs)
    }
}

/// Rolls out the plays `runs` times, each with its own seed, and compares the verdict of each rule with their values.
///
/// # Errors
/// A [`RolloutError`] for invalid settings.
pub fn measure(
    setup: &Setup,
    plays: &KnownPlays,
    settings: &Settings,
    rules: &[Rule],
    runs: u32,
) -> Result<Vec<RuleRecord>, RolloutError> {
    let one = |run: u32| {
        let mut settings = Settings {
            seed: settings.seed.wrapping_add(u64::from(run)),
            ..settings.clone()
        };
        if settings.allocation == Allocation::Race {
            settings.stop.separated = Some(1.0 - ALPHA);
        }
        watch(setup, plays, &settings, rules)
    };
    let all: Vec<Vec<Option<Ended>>> = (0..runs)
        .into_par_iter()
        .map(one)
        .collect::<Result<_, _>>()?;
    let kept = |rule: usize| {
        let ended: Vec<Ended> = all.iter().filter_map(|run| run[rule]).collect();
        let trials: f64 = ended.iter().map(|e| e.trials as f64).sum();
        RuleRecord {
            runs,
            ended: ended.len() as u32,
            wrong: ended.iter().filter(|e| e.is_wrong).count() as u32,
            trials: trials / (ended.len() as f64).max(1.0),
        }
    };
    Ok((0..rules.len()).map(kept).collect())
}

/// The end of a rollout by a rule.
#[derive(Clone, Copy)]
struct Ended {
    trials: u64,
    is_wrong: bool,
}

fn watch(
    setup: &Setup,
    plays: &KnownPlays,
    settings: &Settings,
    rules: &[Rule],
) -> Result<Vec<Option<Ended>>, RolloutError> {
    let mut ended: Vec<Option<Ended>> = vec![None; rules.len()];
    run_blocking(setup, &plays.candidates, settings, &mut |look| {
        for (rule, ended) in rules.iter().zip(&mut ended) {
            if ended.is_none()
                && let Some(reason) = look.stops_by(&rule.stop)
            {
                *ended = Some(Ended {
                    trials: look.trials(),
                    is_wrong: is_wrong(plays, &rule.stop, reason, look),
                });
            }
        }
        ended.iter().any(Option::is_none)
    })?;
    Ok(ended)
}

/// Returns whether a rule's verdict is wrong.
fn is_wrong(
    plays: &KnownPlays,
    rules: &StopRules,
    reason: StopReason,
    look: &Snapshot<'_>,
) -> bool {
    let values = &plays.values;
    let best = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    match reason {
        StopReason::Separated => {
            let (named, _) = look.leads(ALPHA);
            values[named] < best - EQUAL
        }
        StopReason::Equivalent => {
            let most = rules.equivalent.unwrap_or_default();
            let (named, leads) = look.leads(ALPHA);
            let compared = |i: usize| i == named || leads.iter().any(|lead| lead.0 == i);
            // Plays that lost a race are claimed to be worse than another.
            let dropped = (0..values.len()).any(|i| !compared(i) && values[i] >= best - EQUAL);
            // One that is not shown to be worse is said to be better by so many points at most.
            let claimed = |&(i, [low, _]): &(usize, [f64; 2])| {
                let more = if low > 0.0 { 0.0 } else { most };
                values[i] > values[named] + more + EQUAL
            };
            dropped || leads.iter().any(claimed)
        }
        // The interval that became narrow must contain the value; for a pair, the difference.
        _ => {
            let result = look.result();
            let (estimate, value) = match &result.difference {
                Some(difference) => (difference.equity, values[0] - values[1]),
                None => (result.candidates[0].equity, values[0]),
            };
            let [low, high] = estimate.anytime95;
            value < low || high < value
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::eval::{Engine, Evaluator};
    use crate::experiments::oracle::{self, Blurred};
    use crate::rollout::LuckKind;

    #[test]
    fn rules_are_held_against_known_values() {
        let evaluator = Arc::new(Blurred::new(Engine::embedded(), 0.1)) as Arc<dyn Evaluator>;
        let setup = Setup::from(Arc::clone(&evaluator));
        let own: [&[(usize, u8)]; 3] = [&[(5, 1), (3, 1)], &[(6, 1), (2, 1)], &[(6, 1), (6, 1)]];
        let candidates: Vec<Position> = own
            .iter()
            .map(|own| Position::from_points(&[(6, 1), (4, 1)], own).unwrap())
            .collect();
        let values = candidates.iter().map(|p| -oracle::value(&*evaluator, p));
        let mut plays = KnownPlays {
            values: values.collect(),
            candidates,
        };
        let mut settings = Settings {
            luck: LuckKind::None,
            allocation: Allocation::Race,
            ..Settings::default()
        };
        settings.stop.trials = 720;
        let rules = [
            Rule::separated(0.95),
            Rule::equivalent(2.0),
            Rule::width(1.0),
            Rule::standard_error(0.1),
        ];
        let kept = measure(&setup, &plays, &settings, &rules, 20).unwrap();
        assert!(
            kept.iter().all(|k| k.runs == 20 && k.wrong <= 2),
            "{kept:?}"
        );
        assert!(kept[1].ended == 20 && kept[1].wrong == 0, "{kept:?}");
        assert!(kept[2].ended == 20 && kept[3].ended == 20, "{kept:?}");
        // With other values, the verdicts are wrong.
        plays.values = vec![-5.0, 5.0, 9.0];
        let kept = measure(&setup, &plays, &settings, &rules, 10).unwrap();
        assert!(kept[1].wrong == 10 && kept[2].wrong == 10, "{kept:?}");
        // The second play is too close to the first to separate.
        plays.candidates.remove(1);
        plays.values.remove(2);
        let even = Settings {
            allocation: Allocation::Equal,
            ..settings
        };
        let kept = measure(&setup, &plays, &even, &rules[..1], 10).unwrap();
        assert!(
            kept[0].ended > 0 && kept[0].wrong == kept[0].ended,
            "{kept:?}"
        );
    }
}
