//! What was opened, also while a variation of it is in view, and the rollouts of the whole match.

use std::time::Duration;

use super::whole_match::{MatchRolloutGoal, MatchRollouts};
use super::{App, Document};
use crate::store::ReviewKey;
use crate::tui::rollouts::decision_count::DecisionCount;

impl App {
    /// The match or position that is open, also while a variation of it is in view.
    pub fn home(&self) -> &Document {
        match &self.variation {
            Some(open) => &open.home.document,
            None => &self.document,
        }
    }

    /// The document that was opened, to be changed: notes and variations belong to it.
    pub fn home_mut(&mut self) -> &mut Document {
        match &mut self.variation {
            Some(open) => &mut open.home.document,
            None => &mut self.document,
        }
    }

    /// Plies that the review of a document goes deep: those it was opened for, or of what is no file those of the
    /// settings.
    pub fn review_ply(&self, document: &Document) -> u8 {
        let key = document.key.as_ref();
        key.map_or(self.settings.review.ply, ReviewKey::ply)
    }

    /// The match that statistics and report are of: the one that is open, or where a position stands alone the line
    /// of its variation in view.
    pub fn match_in_review(&self) -> &Document {
        match self.home() {
            home if home.record.games.is_empty() && self.hand().is_none() => &self.document,
            home => home,
        }
    }

    /// The turn of it in view, or that the variation in view hangs on.
    pub fn home_turn(&self) -> usize {
        self.variation.as_ref().map_or(self.at, |open| open.home.at)
    }

    /// Wants decisions of the match rolled out, in a run that has not begun yet.
    pub fn want_match_rollouts(&mut self, goal: MatchRolloutGoal, budget: Duration) {
        self.next_match_run();
        self.match_rollouts = Some(MatchRollouts {
            budget,
            goal,
            has_begun: false,
            is_paused: false,
            count: DecisionCount::default(),
            used: Duration::ZERO,
        });
    }

    /// The number of a new run of match rollouts. A run ends some time after it was told to, so news of the
    /// runs before it are dropped from now on.
    pub fn next_match_run(&mut self) -> u64 {
        self.match_runs += 1;
        self.match_runs
    }
}
