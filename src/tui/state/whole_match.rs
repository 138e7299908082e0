//! The rollouts of a whole match: purpose and progress.

use std::time::Duration;

use crate::review::ErrorFilter;
use crate::tui::rollouts::decision_count::DecisionCount;

/// The purpose of rollouts of a whole match.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MatchRolloutGoal {
    /// The closest decisions.
    Close,
    Errors(ErrorFilter),
    /// Verification of the imported analysis.
    Verify,
}

/// The rollouts of the whole match.
#[derive(Clone, Debug)]
pub struct MatchRollouts {
    /// Time budget.
    pub budget: Duration,
    pub goal: MatchRolloutGoal,
    /// Whether they have started, which is after the standard review.
    pub has_begun: bool,
    /// Whether the user has paused them.
    pub is_paused: bool,
    /// Finished decisions and their total.
    pub count: DecisionCount,
    /// Time used.
    pub used: Duration,
}

impl MatchRollouts {
    /// Estimated seconds left: for errors from the mean time so far, if any; otherwise the rest of the budget.
    pub fn seconds_left(&self) -> Option<f64> {
        let DecisionCount { done, of } = self.count;
        match self.goal {
            // The estimate assumes that the rest take as long on average.
            MatchRolloutGoal::Errors(_) => (done > 0)
                .then(|| self.used.as_secs_f64() * of.saturating_sub(done) as f64 / done as f64),
            MatchRolloutGoal::Close | MatchRolloutGoal::Verify => {
                Some(self.budget.saturating_sub(self.used).as_secs() as f64)
            }
        }
    }
}
