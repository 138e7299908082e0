//! Which game is the Crawford game by its score, and whether it was: the same for every reader.

use super::cube::IN_CRAWFORD;
use super::model::{Action, Event, Match};
use crate::game;

/// Whether just one player needs one point, in a match with the Crawford rule. The first such game is the
/// Crawford game.
pub(super) fn is_crawford_score(record: &Match, score: [u16; 2]) -> bool {
    record.crawford && game::is_crawford_score(record.length, score)
}

/// What became of a game that its score makes the Crawford game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CrawfordGame {
    /// Nobody doubles in it, as the rule has it.
    Played,
    /// A double shows that there is no such rule.
    NoRule,
    /// A double shows that there is no such rule, but games before this one are missing, the Crawford game
    /// among them.
    Missing,
}

impl CrawfordGame {
    /// What became of the game of this number that comes next in `record`.
    pub(super) fn of(record: &Match, number: u32, events: &[Event]) -> Self {
        let before = record.games.last().map_or(0, |game| game.number);
        let is_double = |event: &Event| matches!(event.action, Action::Double { .. });
        match events.iter().any(is_double) {
            false => Self::Played,
            true if number > before.saturating_add(1) => Self::Missing,
            true => Self::NoRule,
        }
    }

    /// Whether what is reported of a game stands: a double after the Crawford game is no surprise.
    pub(super) fn stands(self, message: &str) -> bool {
        self != Self::Missing || !message.contains(IN_CRAWFORD)
    }
}
