//! The rollouts of a whole match: what they answer, and how far they are.

use std::time::Duration;

use crate::review::ErrorFilter;
use crate::tui::rollouts::decision_count::DecisionCount;

/// What the rollouts of a whole match answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MatchRolloutGoal {
    /// The closest decisions.
    Close,
    Errors(ErrorFilter),
    /// Whether the analysis of the file is right.
    Verify,
}

/// The rollouts of the whole match.
#[derive(Clone, Debug)]
pub struct MatchRollouts {
    /// How long they may take.
    pub budget: Duration,
    /// What they answer.
    pub goal: MatchRolloutGoal,
    /// Whether they have begun: not before the standard review has ended.
    pub has_begun: bool,
    /// Whether the user has stopped them for a while.
    pub is_paused: bool,
    /// Decisions done, and how many there are.
    pub count: DecisionCount,
    /// Time used.
    pub used: Duration,
}

impl MatchRollouts {
    /// Seconds that are left: of errors as many as those done took, once one is; else until the time is up.
    pub fn seconds_left(&self) -> Option<f64> {
        let DecisionCount { done, of } = self.count;
        match self.goal {
            // As long as the others took; a guess is a guess from a few of them on.
            MatchRolloutGoal::Errors(_) => (done > 0)
                .then(|| self.used.as_secs_f64() * of.saturating_sub(done) as f64 / done as f64),
            MatchRolloutGoal::Close | MatchRolloutGoal::Verify => {
                Some(self.budget.saturating_sub(self.used).as_secs() as f64)
            }
        }
    }
}
