//! What is selected among the candidates.

use crate::game::Position;
use crate::tui::documents::picks::Pick;

/// The selection in the candidate list, which belongs to a play and not to a row.
#[derive(Debug, Default)]
pub struct Selection {
    /// The position after the selected play.
    pub play: Option<Position>,
    /// First row on screen.
    pub scroll: usize,
    /// What was clicked on the board: only plays that do it are listed.
    pub picks: Vec<Pick>,
}

impl Selection {
    /// Whether there is nothing to step back from.
    pub fn is_empty(&self) -> bool {
        self.play.is_none() && self.picks.is_empty()
    }

    /// Shows all plays again, and none of them selected.
    pub fn clear(&mut self) {
        self.play = None;
        self.picks.clear();
    }
}

/// Where the list of moves stood when a turn was clicked in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeldList {
    pub turn: usize,
    /// The first row on screen.
    pub first: usize,
}
