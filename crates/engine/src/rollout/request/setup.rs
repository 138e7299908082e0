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
    /// Every trial is kept until it is fetched with
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
    pub fn model(&self) -> &Model {
        self.cube.as_deref().unwrap_or(Model::standard())
    }

    /// Each side has the other's evaluator. Twice changes nothing. Luck is measured by [`Self::luck`], or without it by the
    /// evaluator that the candidate's player has then.
    pub fn swap_sides(&mut self) {
        if let Some(opponent) = &mut self.opponent {
            std::mem::swap(opponent, &mut self.evaluator);
        }
    }

    /// Returns whether luck can be predicted from the position before the roll, as by the luck net.
    pub fn has_luck_net(&self) -> bool {
        let luck = self.luck.as_ref().unwrap_or(&self.evaluator);
        luck.roll_values(
            &Position::opening(),
            &mut [Probabilities::default(); DISTINCT],
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Engine;

    #[test]
    fn sides_that_are_swapped_twice_are_as_before() {
        let [own, other]: [Arc<dyn Evaluator>; 2] =
            [(); 2].map(|()| Arc::new(Engine::embedded()) as Arc<dyn Evaluator>);
        let mut setup = Setup::from(Arc::clone(&own));
        setup.swap_sides();
        assert!(setup.opponent.is_none() && Arc::ptr_eq(&setup.evaluator, &own));
        setup.opponent = Some(Arc::clone(&other));
        for [player, opponent] in [[&other, &own], [&own, &other]] {
            setup.swap_sides();
            assert!(Arc::ptr_eq(&setup.evaluator, player));
            assert!(Arc::ptr_eq(setup.opponent.as_ref().unwrap(), opponent));
        }
    }
}
