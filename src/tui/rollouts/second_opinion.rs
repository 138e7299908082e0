//! What GNU Backgammon is asked about a decision, and what it says.

use crate::game::{GameState, Play};

/// What GNU Backgammon is asked.
#[derive(Clone, Debug, PartialEq)]
pub struct SecondQuestion {
    /// Host and port.
    pub address: String,
    /// Before the plays.
    pub state: GameState,
    /// The plays.
    pub plays: Vec<Play>,
    /// Plies of lookahead, as it counts them too.
    pub ply: u8,
}

/// Chances `[win, win_gammon, win_backgammon, lose_gammon, lose_backgammon]` of the player who makes a play,
/// and its worth: points in money play, else the chance to win the match.
pub type SecondFigures = ([f64; 5], f64);
