//! The starting position and cube of a game.

use super::model::Game;
use crate::game::{Player, Position};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Start {
    /// The board, seen by the left player.
    pub(super) board: Position,
    pub(super) cube: u32,
    pub(super) owner: Option<Player>,
}

impl Start {
    /// Starts from this board with the cube in the middle at 1.
    pub(super) fn with_board(board: Position) -> Self {
        Self {
            board,
            cube: 1,
            owner: None,
        }
    }

    /// Returns the start of a game.
    pub(super) fn of(game: &Game) -> Self {
        Self {
            board: game.start,
            cube: game.cube,
            owner: game.owner,
        }
    }
}

impl Default for Start {
    fn default() -> Self {
        Self::with_board(Position::opening())
    }
}
