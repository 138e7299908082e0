//! Measures the loss of choices by lookahead on the repository's decisions, against rollouts.

use super::decisions::BenchmarkDecision;
use crate::eval::lookahead;
use crate::rollout::{Coupling, LuckKind, RolloutError, Settings, Setup, StopRules, run_blocking};
use crate::stats::Moments;

/// Depths to test.
pub const PLIES: [u8; 3] = [0, 1, 2];

/// Mean loss per decision at each of [`PLIES`], in points.
pub type Losses = [Moments; PLIES.len()];

/// Rolls out the plays of a decision with `trials` trials and adds the loss of the choice at each depth against the
/// best. Noise of the rollout makes losses look slightly larger.
///
/// # Errors
/// A [`RolloutError`] for invalid settings.
pub fn add(
    setup: &Setup,
    decision: &BenchmarkDecision,
    trials: u64,
    losses: &mut Losses,
) -> Result<(), RolloutError> {
    let settings = Settings {
        coupling: Coupling::Dice,
        luck: LuckKind::Lookahead(Some(0)),
        stop: StopRules {
            trials,
            ..StopRules::default()
        },
        ..Settings::default()
    };
    let result = run_blocking(setup, &decision.candidates, &settings, &mut |_| true)?;
    let truth: Vec<f64> = result.candidates.iter().map(|c| c.equity.mean).collect();
    let best = truth.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    for (ply, loss) in PLIES.into_iter().zip(losses) {
        // Candidates are seen by the opponent.
        let value = |place: &usize| {
            let position = &decision.candidates[*place];
            let chances = lookahead::evaluate(&*setup.evaluator, position, ply, &|| false);
            chances.unwrap_or_default().equity()
        };
        let chosen = (0..truth.len()).min_by(|a, b| value(a).total_cmp(&value(b)));
        loss.push(best - truth[chosen.unwrap_or(0)]);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::eval::{Engine, Evaluator};
    use crate::experiments::decisions::{self, BenchmarkClass};

    #[test]
    fn a_choice_loses_what_its_rollout_is_behind() {
        let setup = Setup::from(Arc::new(Engine::embedded()) as Arc<dyn Evaluator>);
        let all = decisions::bundled();
        let race = all.iter().find(|d| d.kind == BenchmarkClass::Race);
        let mut losses = Losses::default();
        add(&setup, race.expect("a race"), 36, &mut losses).expect("sound settings");
        assert!(losses.iter().all(|loss| loss.count() == 1));
        assert!(losses.iter().all(|loss| (0.0..0.2).contains(&loss.mean())));
    }
}
