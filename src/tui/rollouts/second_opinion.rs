//! Queries to GNU Backgammon about a decision, and its replies.

use crate::game::{GameState, Play};
use crate::match_file::Chances;

/// A query to GNU Backgammon.
#[derive(Clone, Debug, PartialEq)]
pub struct SecondQuestion {
    /// Host and port.
    pub address: String,
    /// Before the plays.
    pub state: GameState,
    pub plays: Vec<Play>,
    /// Search depth in plies, in its own count.
    pub ply: u8,
}

/// Its figures of a play.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SecondFigures {
    /// For the player who makes it.
    pub chances: Chances,
    /// Points in money play, otherwise match-winning chance.
    pub worth: f64,
}
