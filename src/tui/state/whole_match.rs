//! The rollouts of a whole match: what they answer, and how far they are.

use std::time::Duration;

use crate::review::ErrorFilter;

/// What the rollouts of a whole match answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MatchRolloutGoal {
    /// The closest decisions.
    Close,
    /// Errors.
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
    /// Decisions done, and how many are worth it.
    pub done: (usize, usize),
    /// Time used.
    pub used: Duration,
}
