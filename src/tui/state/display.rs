//! Display options.

use crate::game::Player;
use crate::review::{ClassFilter, Mark};
use crate::tui::screen::layout::Pane;
use crate::tui::screen::units::Units;

/// Display options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DisplayOptions {
    /// The right player is at the bottom.
    pub flipped: bool,
    /// Bears off on the left.
    pub mirrored: bool,
    /// Shows pip counts.
    pub pips: bool,
    /// Shows the best play and the play made, both on the board.
    pub both_plays: bool,
    /// The pane that fills the screen.
    pub zoom: Option<Pane>,
    /// Columns by which each point of the board is narrower than possible.
    pub smaller_board: u16,
    /// Columns by which the move list is wider (or narrower) than usual.
    pub wider_moves: i16,
    /// Hides everything that reveals the best play.
    pub hidden: bool,
    /// Shows chances instead of equities, or beside them if there is room.
    pub chances: bool,
    /// Sorts plays by equity, regardless of the depth of their figures.
    pub by_equity: bool,
    /// Units of the equities.
    pub units: Units,
    /// Minimum mark of errors that `n` steps to.
    pub threshold: Mark,
    /// Side whose errors count; both if `None`.
    pub whose: Option<Player>,
    /// Class of errors that count; all if `None`.
    pub class: Option<ClassFilter>,
}

impl Default for DisplayOptions {
    fn default() -> Self {
        Self {
            flipped: false,
            mirrored: false,
            pips: true,
            both_plays: false,
            zoom: None,
            smaller_board: 0,
            wider_moves: 0,
            hidden: false,
            chances: false,
            by_equity: false,
            units: Units::default(),
            threshold: Mark::Doubtful,
            whose: None,
            class: None,
        }
    }
}
