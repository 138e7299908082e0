//! What is selected among the candidates.

use super::App;
use crate::analysis::ReferenceChoice;
use crate::game::Position;
use crate::tui::documents::picks::Pick;
use crate::tui::screen::layout::Areas;

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
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.play.is_none() && self.picks.is_empty()
    }

    /// Shows all plays again, and none of them selected.
    pub fn clear(&mut self) {
        self.play = None;
        self.picks.clear();
    }
}

impl App {
    /// Takes what was drawn for what keys and clicks are about.
    pub(in crate::tui) fn drawn(&mut self, areas: Areas) {
        if !areas.candidates.is_empty() && self.quiz.is_none() {
            self.selection.scroll = areas.first_candidate;
        }
        self.areas = areas;
    }

    /// What was played or done at the decision in view, as a choice whose cost can be asked for. A draft and a
    /// question of the quiz have none.
    #[must_use]
    pub fn made_choice(&self) -> Option<ReferenceChoice> {
        if self.editor.is_some() || self.quiz.is_some() {
            return None;
        }
        let review = self.document.reviews.get(self.at)?.as_ref()?;
        if self.turn()?.before.state.roll.is_none() {
            return Some(ReferenceChoice::Cube(review.cube?.choice?));
        }
        let played = review.candidates.get(review.played?)?;
        Some(ReferenceChoice::Play(played.result))
    }
}

/// Where the list of moves stood when a turn was clicked in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeldList {
    /// The turn.
    pub turn: usize,
    /// The first row on screen.
    pub first: usize,
}
