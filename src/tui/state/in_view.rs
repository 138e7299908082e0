//! What is in view: where it was drawn, its units, and the choice that was made there.

use super::App;
use crate::analysis::ReferenceChoice;
use crate::tui::rollouts::job::Job;
use crate::tui::screen::layout::Areas;
use crate::tui::screen::units::{Scale, Units};

impl App {
    /// Takes what was drawn for what keys and clicks are about.
    pub(crate) fn drawn(&mut self, areas: Areas) {
        if !areas.candidates.is_empty() && self.quiz.is_none() {
            self.selection.scroll = areas.first_candidate;
        }
        self.areas = areas;
    }

    /// What was played or done at the decision in view, as a choice whose cost can be asked for. A draft and a
    /// question of the quiz have none.
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

    /// The units wanted for the turn in view, seen by whose turn it is, or by who has doubled.
    pub fn scale(&self) -> Scale {
        let state = self.turn().map(|turn| turn.before.state);
        state.map_or(Scale::CUBE, |state| {
            Scale::new(self.options.units, &state.roller(), &self.model)
        })
    }

    /// Whether costs in the match in view are told as chances to win it.
    pub fn is_in_chances(&self) -> bool {
        self.options.units == Units::Whole && self.document.record.length > 0
    }

    /// The units wanted for a turn of the document in view.
    pub fn scale_at(&self, turn: usize) -> Scale {
        let turn = self.document.turns.get(turn);
        turn.map_or(Scale::CUBE, |turn| {
            Scale::new(self.options.units, &turn.before.state.roller(), &self.model)
        })
    }

    /// The units in which the figures of a rollout of that turn are told.
    pub fn scale_of(&self, job: &Job) -> Scale {
        match job.is_cubeful() {
            true => self.scale(),
            false => self.scale().without_score(),
        }
    }
}
