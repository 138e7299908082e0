//! What GNU Backgammon is asked about a decision, and what it says.

use crate::game::{GameState, Play};
use crate::match_file::Chances;

/// What GNU Backgammon is asked.
#[derive(Clone, Debug, PartialEq)]
pub struct SecondQuestion {
    /// Host and port.
    pub address: String,
    /// Before the plays.
    pub state: GameState,
    pub plays: Vec<Play>,
    /// Plies of lookahead, as it counts them too.
    pub ply: u8,
}

/// What it says of a play.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SecondFigures {
    /// Of the player who makes it.
    pub chances: Chances,
    /// Points in money play, else the chance to win the match.
    pub worth: f64,
}
