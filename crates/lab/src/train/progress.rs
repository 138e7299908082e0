//! How far a training has come.

use serde::{Deserialize, Serialize};

/// Where a training stands: the last round that was played and learnt from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TrainingProgress {
    /// Stage, from 0.
    pub stage: usize,
    /// Rounds of that stage done.
    pub round: u64,
    /// Games played so far.
    pub games: u64,
    /// Samples made so far.
    pub positions: u64,
    /// Mean loss of the last round's learning: cross-entropy of the outcomes and squared error of the equity.
    pub loss: f32,
    /// Mean loss of the luck net in it.
    #[serde(default)]
    pub luck_loss: f32,
}
