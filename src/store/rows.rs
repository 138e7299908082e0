//! What the rows of rollouts and of games by hand have in common.

use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use crate::game::GameState;
use crate::notation::xgid_text;
use crate::rollout::{RECORD_BYTES, TrialRecord};

/// What a rollout is called where it is shown: what only its command knows.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct RolloutLabel {
    /// The command that made it.
    pub command: String,
    /// The position as it was given.
    pub position: String,
    /// The roll.
    pub dice: Option<String>,
    /// The plays, in the order of the candidates; `None` for the position itself.
    pub plays: Vec<Option<String>>,
}

impl RolloutLabel {
    /// A rollout of plays of a state, shown as `luckless rollout` shows its own.
    #[must_use]
    pub fn of(state: &GameState, plays: Vec<Option<String>>) -> Self {
        Self {
            command: "rollout".into(),
            position: xgid_text(state),
            dice: state.roll.map(|roll| roll.to_string()),
            plays,
        }
    }
}

/// The records of a row, if they are records.
pub(super) fn records(mut data: &[u8]) -> Option<Vec<TrialRecord>> {
    let mut records = Vec::with_capacity(data.len() / RECORD_BYTES);
    while !data.is_empty() {
        let (record, rest) = TrialRecord::read(data)?;
        records.push(record);
        data = rest;
    }
    (!records.is_empty()).then_some(records)
}

/// Seconds since 1970.
pub(super) fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |d| d.as_secs() as i64)
}
