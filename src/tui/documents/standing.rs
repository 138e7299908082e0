//! The role of a turn's review.

/// The role of a turn's review.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Requested by the user: affects only the candidates.
    Look,
    /// Part of the standard review, which gives marks and totals; a deeper one follows.
    Interim,
    /// The final part of the standard review.
    Final,
}
