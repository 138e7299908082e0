//! The turns of a match: what a review walks through.

use super::move_numbers::MoveNumbers;
use super::resignation::ResignedGame;
use crate::game::{GameState, Play, Player, Roll};
use crate::match_file::variations::is_first_roll;
use crate::match_file::{Action, DecisionState, EventPlace, Match};

/// Something a player of a match had to decide, and what was done.
#[derive(Clone, Copy, Debug)]
pub struct MatchTurn {
    /// Place of the game in [`Match::games`].
    pub game: usize,
    /// Number within the game, from 1: a player's cube actions share the number of the move.
    pub number: u32,
    /// The state, seen by the player whose turn it is.
    pub before: DecisionState,
    /// The action; `None` for a position that stands alone.
    pub action: Option<Action>,
    /// Of a resignation, what it ended, as far as the record tells.
    pub resigned: Option<ResignedGame>,
    /// The turn belongs to a match though it has no action yet.
    pub is_of_match: bool,
}

impl MatchTurn {
    /// The cube decision before the roll of this turn.
    pub fn before_roll(&self) -> Self {
        let mut turn = Self {
            action: None,
            ..*self
        };
        turn.before.state.roll = None;
        turn
    }

    /// A position without a match, with or without dice.
    pub fn alone(state: GameState) -> Self {
        Self {
            game: 0,
            number: 1,
            before: DecisionState {
                event: 0,
                player: Player::Left,
                state,
            },
            action: None,
            resigned: None,
            is_of_match: false,
        }
    }

    /// The play that was made, if it is known.
    pub fn played(&self) -> Option<Play> {
        match self.action {
            Some(Action::Move { play, .. }) => Some(play),
            _ => None,
        }
    }

    /// Place of the turn in the match: game and event.
    pub fn place(&self) -> EventPlace {
        (self.game, self.before.event)
    }

    /// Returns whether this is the first roll of a game, which is never a double.
    /// Both players threw one die, and threw again when they were equal.
    pub fn is_opening_roll(&self) -> bool {
        (self.is_of_match || self.action.is_some()) && is_first_roll(&self.before)
    }

    /// Returns whether the roll decided who begins. A double as a file's first roll did not: it came like any
    /// later roll.
    pub fn says_who_begins(&self) -> bool {
        let roll = self.before.state.roll;
        self.is_opening_roll() && !roll.is_some_and(Roll::is_double)
    }
}

/// Every turn of a match, game after game.
pub fn turns(record: &Match) -> Vec<MatchTurn> {
    let mut all = Vec::new();
    for (index, game) in record.games.iter().enumerate() {
        let mut numbers = MoveNumbers::starting_at(1);
        for (before, event) in record.decision_states(game).into_iter().zip(&game.events) {
            all.push(MatchTurn {
                game: index,
                number: numbers.next(&before),
                resigned: ResignedGame::of(game, before.event),
                before,
                action: Some(event.action),
                is_of_match: true,
            });
        }
    }
    all
}
