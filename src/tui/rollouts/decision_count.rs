//! How far the rollouts of a whole match are.

/// Decisions that are rolled out, of how many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DecisionCount {
    /// Decisions done.
    pub done: usize,
    pub of: usize,
}
