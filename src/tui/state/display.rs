//! How things are shown.

use crate::game::Player;
use crate::review::{ClassFilter, Mark};
use crate::tui::screen::layout::Pane;
use crate::tui::screen::units::Units;

/// How things are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DisplayOptions {
    /// The right player at the bottom.
    pub flipped: bool,
    /// Bearing off on the left.
    pub mirrored: bool,
    /// Pip counts.
    pub pips: bool,
    /// The best play and the one that was made, both on the board.
    pub both_plays: bool,
    /// The pane that has the screen to itself.
    pub zoom: Option<Pane>,
    /// Columns that a point of the board is narrower than it could be.
    pub smaller_board: u16,
    /// Columns that the list of moves is wider (or narrower) than usual.
    pub wider_moves: i16,
    /// Nothing tells the best play.
    pub hidden: bool,
    /// Chances instead of equities, or beside them where there is room.
    pub chances: bool,
    /// The plays by equity, whatever the depth of their figures.
    pub by_equity: bool,
    /// Units of the equities.
    pub units: Units,
    /// From which mark on a turn counts as an error for `n`.
    pub threshold: Mark,
    /// Whose errors count; both when `None`.
    pub whose: Option<Player>,
    /// Which classes of errors count; all when `None`.
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
