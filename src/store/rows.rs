//! What the rows of rollouts and of games by hand have in common, and what is said of damaged rows of any store.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::game::GameState;
use crate::notation::{parse_possible_id, xgid_text};
use crate::rollout::{RECORD_BYTES, TrialRecord};
use crate::words::counted_as;

/// The command that makes rollouts. One of another version counts as `rollout`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RolloutCommand {
    /// It compares plays.
    Compare,
    /// It rolls out decisions of a whole match.
    Review,
    /// It rolls out plays, a position or a cube decision.
    #[default]
    #[serde(other)]
    Rollout,
}

/// What a rollout is called where it is shown: what only its command knows.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct RolloutLabel {
    /// The command that made it.
    pub command: RolloutCommand,
    /// The position as it was given.
    pub position: String,
    /// The roll.
    pub dice: Option<String>,
    /// The plays, in the order of the candidates; `None` for the position itself.
    pub plays: Vec<Option<String>>,
}

impl RolloutLabel {
    /// Whether the rollout is one of those of a whole match, which come back with the match.
    pub fn is_of_match(&self) -> bool {
        self.command == RolloutCommand::Review
    }

    /// Whether what was rolled out is a position before its roll. Then the candidate's player, who has just played, is
    /// not on roll, and the equity that is asked for is the other one's.
    pub fn is_before_roll(&self) -> bool {
        self.dice.is_none()
    }

    /// Whether the rollout compares its plays.
    pub fn is_comparison(&self) -> bool {
        self.command == RolloutCommand::Compare
    }

    /// The position with the dice beside it as an XGID; as it was given where it is none that is known.
    pub fn xgid(&self) -> String {
        let Ok(mut state) = parse_possible_id(&self.position) else {
            return self.position.clone();
        };
        if let Some(roll) = self.dice.as_deref().and_then(|dice| dice.parse().ok()) {
            state.roll = Some(roll);
        }
        xgid_text(&state)
    }

    /// A rollout of plays of a state, shown as `luckless rollout` shows its own.
    pub fn of(state: &GameState, plays: Vec<Option<String>>) -> Self {
        Self {
            command: RolloutCommand::Rollout,
            position: xgid_text(state),
            dice: state.roll.map(|roll| roll.to_string()),
            plays,
        }
    }
}

/// The message about rows that are left out, with what one of them and several are called.
pub(super) fn damaged(path: &Path, bad: usize, called: [&str; 2]) -> String {
    let is = if bad == 1 { "is" } else { "are" };
    let rows = counted_as(bad, called);
    format!("{}: {rows} {is} damaged, and left out", path.display())
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
