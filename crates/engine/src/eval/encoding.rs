//! Positions as the net takes them, some at a time: what changes of the rows, and which weights they have.

use super::features::View;
use super::last_checkers;
use super::rows::RowList;
use crate::game::Position;

/// Positions that are encoded at a time.
pub(super) const BATCH: usize = 4;

/// One position, as rows that come and go.
#[derive(Clone, Default)]
pub struct Encoded {
    /// Its kind; `None` if it is valued without a net: the game is over, or a bearoff or the last checkers are
    /// left.
    pub kind: Option<usize>,
    /// Rows that it has and the position before it has not; all its rows if there is none.
    pub add: RowList,
    /// Rows that the position before it had and it has not.
    pub sub: RowList,
}

/// Encodes `positions`, at most as many as `out` has. `view` looks at a position; `difference` writes what turns
/// the rows of a position before, if there is one, into those of a position.
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

/// [`encode`] in portable code.
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
