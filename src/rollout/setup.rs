//! What a rollout works with, besides its settings.

use std::sync::Arc;

use crate::cube::Model;
use crate::dice::Preset;
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
    pub preset: Option<Arc<Preset>>,
    /// Whether every trial is kept until it is fetched with
    /// [`RolloutHandle::harvest`](super::RolloutHandle::harvest).
    pub keep_trials: bool,
}

impl From<Arc<dyn Evaluator>> for Setup {
    fn from(evaluator: Arc<dyn Evaluator>) -> Self {
        Self {
            evaluator,
            opponent: None,
            luck: None,
            cube: None,
            preset: None,
            keep_trials: false,
        }
    }
}

impl Setup {
    /// The names of all evaluators.
    #[must_use]
    pub fn name(&self) -> String {
        let mut name = self.evaluator.name().to_owned();
        if let Some(opponent) = &self.opponent {
            name += &format!(" against {}", opponent.name());
        }
        if let Some(luck) = &self.luck {
            name += &format!(", luck by {}", luck.name());
        }
        if let Some(model) = &self.cube {
            name += &model_name(model);
        }
        name
    }

    /// Whether luck can be had from one look at a position.
    #[must_use]
    pub fn offers_cheap_luck(&self) -> bool {
        let luck = self.luck.as_ref().unwrap_or(&self.evaluator);
        luck.roll_values(
            &Position::opening(),
            &mut [Probabilities::default(); DISTINCT],
        )
    }
}

/// In what `model` differs from the standard one: what has to be known to repeat its decisions.
fn model_name(model: &Model) -> String {
    let standard = Model::standard();
    let mut name = String::new();
    if model.table != standard.table {
        // FNV-1a over what a match of 25 points can ask for.
        let mut digest = 0x811c_9dc5u32;
        for (a, b) in (1..=25).flat_map(|a| (1..=25).map(move |b| (a, b))) {
            for after_crawford in [false, true] {
                let chance = model.table.chance(a, b, after_crawford);
                for byte in chance.to_le_bytes() {
                    digest = (digest ^ u32::from(byte)).wrapping_mul(0x0100_0193);
                }
            }
        }
        name += &format!(", match equities {} {digest:08x}", model.table.name());
    }
    // Always, so that rollouts kept by a version with other lives are not gone on with.
    let e = &model.efficiency;
    let [least, most] = e.race_range;
    name += &format!(
        ", cube lives {} {}+{}p {least}-{most} {}",
        e.contact, e.race, e.race_pip, e.bearoff
    );
    if let Some(table) = &model.bearoff {
        name += &format!(", exact bearoffs of {} checkers", table.checkers());
    }
    name
}
