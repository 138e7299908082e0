//! Progress of a training.

use serde::{Deserialize, Serialize};

/// Position in a training: the last round that was played and learned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TrainingProgress {
    /// Index of the stage, from 0.
    pub stage: usize,
    /// Finished rounds of that stage.
    pub round: u64,
    pub games: u64,
    pub positions: u64,
    /// Mean loss in the last round: cross-entropy of the outcomes plus squared error of the equity.
    pub loss: f32,
    /// Mean loss of the luck net in the last round.
    #[serde(default)]
    pub luck_loss: f32,
}
