//! Encodes positions for the net, in batches: the changes of the rows, and the kind.

use super::features::View;
use super::last_checkers;
use super::rows::RowList;
use crate::game::Position;

/// Number of positions per batch.
pub(super) const BATCH: usize = 4;

/// One position, as added and removed rows.
#[derive(Clone, Default)]
pub struct Encoded {
    /// The kind; `None` if the position is evaluated without a net: the game is over, or it is a bearoff or
    /// has only the last checkers.
    pub kind: Option<usize>,
    /// Rows of the position that the preceding one lacks; all rows without a preceding position.
    pub add: RowList,
    /// Rows of the preceding position that this one lacks.
    pub sub: RowList,
}

/// Encodes `positions`, at most as many as `out` has. `view` creates the view of a position; `difference`
/// writes the changes of the rows from the preceding position, or all rows.
#[inline(always)]
pub(super) fn encode<'a>(
    from: Option<&View<'_>>,
    positions: &'a [Position],
    out: &mut [Encoded],
    view: impl Fn(&'a Position) -> View<'a>,
    difference: impl Fn(&View<'_>, Option<&View<'_>>, &mut Encoded),
) {
    for (position, encoded) in positions.iter().zip(out) {
        let view = view(position);
        if view.is_bearoff() || last_checkers::are_left(position) || position.is_over() {
            encoded.kind = None;
            continue;
        }
        encoded.kind = Some(view.kind());
        difference(&view, from, encoded);
    }
}

/// Portable version of [`encode`].
#[inline(always)]
pub(super) fn portable(from: Option<&View<'_>>, positions: &[Position], out: &mut [Encoded]) {
    encode(from, positions, out, View::new, |to, from, encoded| {
        let Encoded { add, sub, .. } = encoded;
        match from {
            Some(from) => to.difference(from, add, sub),
            None => {
                to.rows(add);
                sub.clear();
            }
        }
    });
}
