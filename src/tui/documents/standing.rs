//! What a review of a turn counts for.

/// What a review of a turn counts for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// The reader wanted to see it: candidates only.
    Look,
    /// Part of the standard review, which gives marks and totals; a deeper one will follow.
    Interim,
    /// The standard review's last word.
    Final,
}
