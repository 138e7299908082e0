//! The open document, even while a variation is displayed, and the rollouts of the whole match.

use std::time::Duration;

use super::whole_match::{MatchRolloutGoal, MatchRollouts};
use super::{App, Document};
use crate::store::ReviewKey;
use crate::tui::rollouts::decision_count::DecisionCount;

impl App {
    /// The open match or position, even while a variation of it is displayed.
    pub fn home(&self) -> &Document {
        match &self.variation {
            Some(open) => &open.home.document,
            None => &self.document,
        }
    }

    /// Mutable access to the open document, to which notes and variations belong.
    pub fn home_mut(&mut self) -> &mut Document {
        match &mut self.variation {
            Some(open) => &mut open.home.document,
            None => &mut self.document,
        }
    }

    /// Depth of a document's review: as opened, or by the settings if it is not a file.
    pub fn review_ply(&self, document: &Document) -> u8 {
        let key = document.key.as_ref();
        key.map_or(self.settings.review.ply, ReviewKey::ply)
    }

    /// The match of statistics and report: the open one, or for a standalone position the displayed line of its
    /// variation.
    pub fn match_in_review(&self) -> &Document {
        match self.home() {
            home if home.record.games.is_empty() && self.hand().is_none() => &self.document,
            home => home,
        }
    }

    /// Its displayed turn, or the turn at which the displayed variation starts.
    pub fn home_turn(&self) -> usize {
        self.variation.as_ref().map_or(self.at, |open| open.home.at)
    }

    /// Requests rollouts of match decisions, in a run that has not started yet.
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

    /// Starts a new run number of match rollouts. A run ends some time after its cancellation; its late results are
    /// then ignored.
    pub fn next_match_run(&mut self) -> u64 {
        self.match_runs += 1;
        self.match_runs
    }
}
