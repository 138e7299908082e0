//! The evaluators, model and prescribed dice that a rollout works with, besides its settings.

use std::sync::Arc;

use crate::cube::Model;
use crate::dice::PrescribedDice;
use crate::eval::{Evaluator, Probabilities};
use crate::game::Position;
use crate::game::roll::DISTINCT;

/// The evaluators that play and that measure luck, and the dice that are prescribed.
#[derive(Clone)]
pub struct Setup {
    /// Chooses the plays, and evaluates positions at the horizon.
    pub evaluator: Arc<dyn Evaluator>,
    /// Chooses the plays of the opponent of the player who makes the candidate play; `evaluator` if `None`.
    pub opponent: Option<Arc<dyn Evaluator>>,
    /// Measures luck; `evaluator` if `None`.
    pub luck: Option<Arc<dyn Evaluator>>,
    /// The model that decides about the cube in cubeful rollouts; the standard model if `None`.
    pub cube: Option<Arc<Model>>,
    /// The games of a source of prescribed dice.
    pub prescribed_dice: Option<Arc<PrescribedDice>>,
    /// Whether every trial is kept until it is fetched with
    /// [`RolloutHandle::take_records`](crate::rollout::RolloutHandle::take_records).
    pub keep_trials: bool,
}

impl From<Arc<dyn Evaluator>> for Setup {
    fn from(evaluator: Arc<dyn Evaluator>) -> Self {
        Self {
            evaluator,
            opponent: None,
            luck: None,
            cube: None,
            prescribed_dice: None,
            keep_trials: false,
        }
    }
}

impl Setup {
    /// The model that decides about the cube in cubeful rollouts.
    #[must_use]
    pub fn model(&self) -> &Model {
        self.cube.as_deref().unwrap_or(Model::standard())
    }

    /// Whether luck can be predicted from the position before the roll, as by the luck net.
    #[must_use]
    pub fn has_luck_net(&self) -> bool {
        let luck = self.luck.as_ref().unwrap_or(&self.evaluator);
        luck.roll_values(
            &Position::opening(),
            &mut [Probabilities::default(); DISTINCT],
        )
    }
}
