//! Selection in the candidate list.

use crate::game::Position;
use crate::tui::documents::picks::Pick;

/// The selection in the candidate list; it refers to a play, not to a row.
#[derive(Debug, Default)]
pub struct Selection {
    /// The position after the selected play.
    pub play: Option<Position>,
    /// First displayed row.
    pub scroll: usize,
    /// Clicks on the board: only plays that satisfy them are listed.
    pub picks: Vec<Pick>,
}

impl Selection {
    /// Returns whether nothing is selected.
    pub fn is_empty(&self) -> bool {
        self.play.is_none() && self.picks.is_empty()
    }

    /// Clears the selection, so that all plays are listed.
    pub fn clear(&mut self) {
        self.play = None;
        self.picks.clear();
    }
}

/// Scroll position of the move list when one of its turns was clicked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeldList {
    pub turn: usize,
    /// First displayed row.
    pub first: usize,
}
