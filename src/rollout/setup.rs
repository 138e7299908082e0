//! What a rollout works with, besides its settings.

use std::sync::Arc;

use crate::cube::Model;
use crate::dice::PrescribedDice;
use crate::eval::{Evaluator, Probabilities};
use crate::game::Position;
use crate::game::roll::DISTINCT;

/// Who plays, who measures luck, and which dice are prescribed.
#[derive(Clone)]
pub struct Setup {
    /// Plays, and values what is left at the horizon.
    pub evaluator: Arc<dyn Evaluator>,
    /// Plays for the opponent of the player who makes the candidate play, if somebody else does.
    pub opponent: Option<Arc<dyn Evaluator>>,
    /// Measures luck, if somebody else does.
    pub luck: Option<Arc<dyn Evaluator>>,
    /// What the cube is played by in cubeful rollouts; the standard model if there is none.
    pub cube: Option<Arc<Model>>,
    /// The games of a source of prescribed dice.
    pub prescribed_dice: Option<Arc<PrescribedDice>>,
    /// Whether every trial is kept until it is fetched with
    /// [`RolloutHandle::take_records`](super::RolloutHandle::take_records).
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
    /// What the cube is played by in cubeful rollouts.
    #[must_use]
    pub fn model(&self) -> &Model {
        self.cube.as_deref().unwrap_or(Model::standard())
    }

    /// Whether the evaluator has a luck net.
    #[must_use]
    pub fn has_luck_net(&self) -> bool {
        let luck = self.luck.as_ref().unwrap_or(&self.evaluator);
        luck.roll_values(
            &Position::opening(),
            &mut [Probabilities::default(); DISTINCT],
        )
    }
}
