//! What players do, and the states in which they decide it.

use crate::game::{GameState, Play, Player, Position, Roll};

/// What a player can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Rolled and played; an empty play is a dance.
    Move {
        /// The dice.
        roll: Roll,
        play: Play,
    },
    /// Rolled, and what was played is not known: the player resigned instead, or the record is
    /// damaged there. Nothing moves; the other player is next.
    Hidden {
        /// The dice.
        roll: Roll,
    },
    /// Rolled, and moved as no legal play does: an illegal play that was let stand, known by the
    /// position that the record has after it. No legal play of the roll leads there.
    Illegal {
        /// The dice.
        roll: Roll,
        /// The position after it, seen by the next player.
        after: Position,
    },
    /// Offered the cube at this new value.
    Double {
        /// Value of the cube if taken.
        to: u32,
    },
    /// Took the double just offered.
    Take,
    /// Passed the double just offered.
    Pass,
    /// Took the double, redoubled at once and kept the cube (money only).
    Beaver {
        /// The new value.
        to: u32,
    },
    /// Gave the game up.
    Resign,
}

impl Action {
    /// The dice, if it is what was made of a roll.
    pub fn roll(&self) -> Option<Roll> {
        match *self {
            Self::Move { roll, .. } | Self::Hidden { roll } | Self::Illegal { roll, .. } => {
                Some(roll)
            }
            _ => None,
        }
    }
}

/// The state of a game just before one of its events, as the player whose decision it is saw it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecisionState {
    /// Place in [`Game::events`](super::Game::events).
    pub event: usize,
    /// Whose decision it is.
    pub player: Player,
    /// Position, cube, score and dice, seen by that player.
    pub state: GameState,
}
