//! The rollout of a cube decision, as printed: what each action is worth and which is right.

use std::fmt::Write as _;

use serde::Serialize;

use super::output::percent;
use super::rolling_run::Outcome;
use super::strand::{Difference, error, estimate};
use crate::cube::{Action, Decision};
use crate::rollout::RolloutResult;

/// Names of the two strands, in their order.
pub(super) const STRANDS: [&str; 2] = ["no double", "double/take"];

/// A cube decision that was rolled out, for the player on roll.
#[derive(Serialize)]
pub(super) struct CubeDecision {
    no_double: f64,
    double_take: f64,
    double_pass: f64,
    cubeful_equity: f64,
    action: Action,
    /// Double/take less no double.
    difference: Difference,
    /// Chance that a double, answered well, is worth at least as much as none.
    p_double: f64,
    /// Chance that the take costs less than the pass.
    p_take: f64,
}

impl CubeDecision {
    /// What the two strands say; `None` if they are none of a cube decision, or not begun.
    pub(super) fn new(outcome: &Outcome) -> Option<Self> {
        let cube = outcome.described.settings.cube.filter(|c| c.decision)?;
        let RolloutResult {
            strands,
            difference: Some(difference),
            ..
        } = &*outcome.result
        else {
            return None;
        };
        let [hold, take] = [strands.first()?, strands.get(1)?].map(|s| s.turned().equity);
        if difference.trials == 0 {
            return None;
        }
        let beavers = cube.beavers && cube.away.is_none();
        let decision = Decision::in_points(hold.mean as f32, take.mean as f32, beavers);
        let gain = if take.mean < 1.0 {
            difference.equity.chance_above(0.0)
        } else {
            1.0 - hold.chance_above(1.0)
        };
        Some(Self {
            no_double: hold.mean,
            double_take: take.mean,
            double_pass: 1.0,
            cubeful_equity: f64::from(decision.cubeful_equity),
            action: decision.action,
            difference: Difference::new(difference),
            p_double: gain,
            p_take: 1.0 - take.chance_above(1.0),
        })
    }

    /// For people, under the table of the strands.
    pub(super) fn text(&self, outcome: &Outcome) -> String {
        let mut text = String::from("double/pass  +1.0000\n");
        if let Some(difference) = &outcome.result.difference {
            let _ = writeln!(
                text,
                "double/take less no double  {}, standard error {}",
                estimate(&difference.equity),
                error(difference.equity.se),
            );
        }
        let _ = writeln!(
            text,
            "{}  (a double is right: {}, a take is: {})",
            self.action.name(),
            percent(self.p_double),
            percent(self.p_take),
        );
        text
    }
}
