//! Progress of the rollouts of a whole match.

/// Number of finished decisions, out of a total.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DecisionCount {
    pub done: usize,
    pub of: usize,
}
