//! The two orders in which what belongs to both players is kept. `own` says of a player that he made the candidate play.

/// The place among evaluators, styles and lookaheads: the player who made the candidate play comes first.
#[inline(always)]
pub(crate) fn player(own: bool) -> usize {
    usize::from(!own)
}

/// The place among cube contexts, and the side of a lookahead at the score: the opponent comes first, who is on roll
/// after the candidate play.
#[inline(always)]
pub(crate) fn side(own: bool) -> usize {
    usize::from(own)
}
