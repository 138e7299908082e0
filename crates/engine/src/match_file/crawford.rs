//! The Crawford game: which game it is by score, and whether it was played as such. Shared by all readers.

use super::cube::IN_CRAWFORD;
use super::model::{Action, Event, Match};
use crate::game;

/// Returns whether exactly one player needs one point, in a match with the Crawford rule. The first such game
/// is the Crawford game.
pub(super) fn is_crawford_score(record: &Match, score: [u16; 2]) -> bool {
    record.crawford && game::is_crawford_score(record.length, score)
}

/// How a game was played whose score makes it the Crawford game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CrawfordGame {
    /// Without a double, by the rule.
    Played,
    /// With a double: the rule is not in force.
    NoRule,
    /// With a double, but earlier games are missing, and the Crawford game may be among them.
    Missing,
}

impl CrawfordGame {
    /// Classifies the game with this number, which follows the games of `record`.
    pub(super) fn of(record: &Match, number: u32, events: &[Event]) -> Self {
        let before = record.games.last().map_or(0, |game| game.number);
        let is_double = |event: &Event| matches!(event.action, Action::Double { .. });
        match events.iter().any(is_double) {
            false => Self::Played,
            true if number > before.saturating_add(1) => Self::Missing,
            true => Self::NoRule,
        }
    }

    /// Returns whether a warning about the game applies: a double after the Crawford game is legal.
    pub(super) fn stands(self, message: &str) -> bool {
        self != Self::Missing || !message.contains(IN_CRAWFORD)
    }
}
