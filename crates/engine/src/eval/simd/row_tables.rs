//! Tables by place, and the start of a difference, for the kernels that compare all places of a position.

use crate::eval::features::View;
use crate::eval::rows::{Cursor, first_count_row, last_level};
use crate::game::Position;
use crate::game::position::BAR;

/// Number of places of a side, including unused ones: the bytes of a side.
pub(super) const PLACES: usize = 32;

/// Data aligned for vector loads.
#[repr(C, align(64))]
pub(super) struct Aligned<T>(pub(super) T);

/// The row of the first checker on each place, the player on roll's places first.
pub(super) static FIRST_COUNT: Aligned<[[u16; PLACES]; 2]> = Aligned({
    let mut rows = [[0; PLACES]; 2];
    let mut i = 0;
    while i <= BAR {
        rows[0][i] = first_count_row(0, i) as u16;
        rows[1][i] = first_count_row(1, i) as u16;
        i += 1;
    }
    rows
});

/// The index of the last checker on each place with its own row, the same for both sides.
pub(super) static LAST_LEVEL: Aligned<[[u8; PLACES]; 2]> = Aligned({
    let mut levels = [0; PLACES];
    let mut i = 0;
    while i < PLACES {
        levels[i] = last_level(i);
        i += 1;
    }
    [levels; 2]
});

/// The position without checkers: the difference from it is all rows of a position.
static EMPTY: Position = Position::EMPTY;

/// Writes the rows of the boards that change between `from` and `to`, or all of `to` without `from`. Returns
/// the view from which the other rows differ.
#[inline(always)]
pub(super) fn leave<'v, 'c>(
    to: &View<'_>,
    from: Option<&View<'v>>,
    add: &mut Cursor<'c>,
    sub: &mut Cursor<'c>,
) -> View<'v> {
    match from {
        Some(from) => {
            to.board_difference(from, add, sub);
            *from
        }
        None => {
            to.boards(add);
            View::of_masks(&EMPTY, [0; 2])
        }
    }
}
