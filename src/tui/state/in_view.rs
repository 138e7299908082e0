//! The displayed content: its areas, units, and the choice made there.

use super::App;
use crate::analysis::ReferenceChoice;
use crate::tui::rollouts::job::Job;
use crate::tui::screen::layout::Areas;
use crate::tui::screen::units::{Scale, Units};
use crate::tui::windows::overlay::Overlay;

impl App {
    /// Stores the drawn areas, to which keys and clicks refer.
    pub(crate) fn drawn(&mut self, areas: Areas) {
        if !areas.candidates.is_empty() && self.quiz.is_none() {
            self.selection.scroll = areas.first_candidate;
        }
        self.areas = areas;
    }

    /// Returns whether the open window stands beside the board on this screen.
    pub fn has_window_beside(&self) -> bool {
        let is_free = self.quiz.is_none() && self.editor.is_none() && self.options.zoom.is_none();
        let columns = self.overlay.as_ref().and_then(Overlay::columns_beside);
        is_free && Areas::has_room_beside(self.areas.screen, columns)
    }

    /// The action taken at the displayed decision, as a choice whose cost can be shown. `None` for drafts and quiz
    /// questions.
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

    /// The selected units for the displayed turn, seen by the player on turn or the doubler.
    pub fn scale(&self) -> Scale {
        let state = self.turn().map(|turn| turn.before.state);
        state.map_or(Scale::CUBE, |state| {
            Scale::new(self.options.units, &state.roller(), &self.model)
        })
    }

    /// Returns whether costs in the displayed match are shown as match-winning chances.
    pub fn is_in_chances(&self) -> bool {
        self.options.units == Units::Whole && self.document.record.length > 0
    }

    /// The selected units for a turn of the displayed document.
    pub fn scale_at(&self, turn: usize) -> Scale {
        let turn = self.document.turns.get(turn);
        turn.map_or(Scale::CUBE, |turn| {
            Scale::new(self.options.units, &turn.before.state.roller(), &self.model)
        })
    }

    /// The units for the figures of a rollout of that turn.
    pub fn scale_of(&self, job: &Job) -> Scale {
        match job.is_cubeful() {
            true => self.scale(),
            false => self.scale().without_score(),
        }
    }
}
