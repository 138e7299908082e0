//! The actions of players, and the states in which they decide.

use crate::game::{GameState, Play, Player, Position, Roll};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// A roll and its play; an empty play is a dance.
    Move {
        roll: Roll,
        play: Play,
    },
    /// A roll without a known play: the player resigned, or the record is damaged there. Nothing moves; the
    /// other player is next.
    Hidden {
        roll: Roll,
    },
    /// A roll and an illegal play that was let stand, recorded as the position after it. No legal play of the
    /// roll leads there.
    Illegal {
        roll: Roll,
        /// The resulting position, seen by the next player.
        after: Position,
    },
    Double {
        /// Value of the cube if taken.
        to: u32,
    },
    Take,
    Pass,
    /// Takes the double, redoubles at once and keeps the cube (money only).
    Beaver {
        /// The new value.
        to: u32,
    },
    Resign,
}

impl Action {
    /// Returns the dice, if the action follows a roll.
    pub fn roll(&self) -> Option<Roll> {
        match *self {
            Self::Move { roll, .. } | Self::Hidden { roll } | Self::Illegal { roll, .. } => {
                Some(roll)
            }
            _ => None,
        }
    }
}

/// The state of a game just before one of its events, seen by the player to decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecisionState {
    /// Index in [`Game::events`](super::Game::events).
    pub event: usize,
    /// The player to decide.
    pub player: Player,
    /// Position, cube, score and dice, seen by `player`.
    pub state: GameState,
}
