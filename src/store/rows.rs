//! Row formats shared by rollouts and games by hand, and messages about damaged rows of any store.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::game::GameState;
use crate::notation::{parse_possible_id, xgid_text};
use crate::rollout::{RECORD_BYTES, TrialRecord};
use crate::words::counted_as;

/// The command that makes rollouts. Unknown commands of other versions count as `rollout`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RolloutCommand {
    /// Compares plays.
    Compare,
    /// Rolls out decisions of a whole match.
    Review,
    /// Rolls out plays, a position or a cube decision.
    #[default]
    #[serde(other)]
    Rollout,
}

/// The label of a rollout: data known only to the command that made it.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct RolloutLabel {
    pub command: RolloutCommand,
    /// The position as the user gave it.
    pub position: String,
    pub dice: Option<String>,
    /// The plays, in the order of the candidates; `None` for the position itself.
    pub plays: Vec<Option<String>>,
}

impl RolloutLabel {
    /// Returns whether the rollout belongs to a whole match, with which it is restored.
    pub fn is_of_match(&self) -> bool {
        self.command == RolloutCommand::Review
    }

    /// Returns whether the rollout is of a position before its roll. Then the candidate's player has just played and
    /// is not on roll; the displayed equity is the other player's.
    pub fn is_before_roll(&self) -> bool {
        self.dice.is_none()
    }

    pub fn is_comparison(&self) -> bool {
        self.command == RolloutCommand::Compare
    }

    /// Returns the position and dice as an XGID, or the position as given if it cannot be parsed.
    pub fn xgid(&self) -> String {
        let Ok(mut state) = parse_possible_id(&self.position) else {
            return self.position.clone();
        };
        if let Some(roll) = self.dice.as_deref().and_then(|dice| dice.parse().ok()) {
            state.roll = Some(roll);
        }
        xgid_text(&state)
    }

    /// A label for plays of a state, as `luckless rollout` writes it.
    pub fn of(state: &GameState, plays: Vec<Option<String>>) -> Self {
        Self {
            command: RolloutCommand::Rollout,
            position: xgid_text(state),
            dice: state.roll.map(|roll| roll.to_string()),
            plays,
        }
    }
}

/// Returns the message about skipped rows; `called` is their singular and plural noun.
pub(super) fn damaged(path: &Path, bad: usize, called: [&str; 2]) -> String {
    let is = if bad == 1 { "is" } else { "are" };
    let rows = counted_as(bad, called);
    format!("{}: {rows} {is} damaged, and left out", path.display())
}

/// Decodes the records of a row; `None` if they are invalid.
pub(super) fn records(mut data: &[u8]) -> Option<Vec<TrialRecord>> {
    let mut records = Vec::with_capacity(data.len() / RECORD_BYTES);
    while !data.is_empty() {
        let (record, rest) = TrialRecord::read(data)?;
        records.push(record);
        data = rest;
    }
    (!records.is_empty()).then_some(records)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damaged_rows_agree_with_their_number() {
        let said = |bad| damaged(Path::new("a.sqlite"), bad, ["row", "rows"]);
        assert_eq!(said(1), "a.sqlite: 1 row is damaged, and left out");
        assert_eq!(said(2), "a.sqlite: 2 rows are damaged, and left out");
    }

    #[test]
    fn commands_are_kept_as_they_are_called() {
        for (command, text) in [
            (RolloutCommand::Compare, "\"compare\""),
            (RolloutCommand::Review, "\"review\""),
            (RolloutCommand::Rollout, "\"rollout\""),
        ] {
            assert_eq!(serde_json::to_string(&command).unwrap(), text);
            assert_eq!(
                serde_json::from_str::<RolloutCommand>(text).unwrap(),
                command
            );
        }
        let unknown: RolloutCommand = serde_json::from_str("\"later\"").unwrap();
        assert_eq!(unknown, RolloutCommand::Rollout);
    }
}
