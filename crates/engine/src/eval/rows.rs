//! The rows of the first layer: their numbers, their kinds, and lists of them.

use crate::game::position::OFF;

/// Number of rows for the checkers of one side: seven levels on each of 25 places, fifteen borne off.
pub const COUNT_ROWS: usize = 25 * 7 + 15;
const LEVELS: u8 = 7;
const OFF_BASE: usize = 25 * 7;
pub(super) const BLOCK_BASE: usize = COUNT_ROWS;
const BLOCK_ROWS: usize = 26 * 64;
pub(super) const SHOT_BASE: usize = BLOCK_BASE + BLOCK_ROWS;
const SHOT_ROWS: usize = 25 * 64;
pub(super) const BOARD_BASE: usize = SHOT_BASE + SHOT_ROWS;
const BOARD_ROWS: usize = 64 * 4;
pub(super) const ROLE_ROWS: usize = BOARD_BASE + BOARD_ROWS;

/// Number of rows of the first layer.
pub const ROWS: usize = 2 * ROLE_ROWS;
/// Upper bound on the rows of a position: 30 checkers, a block and a shot for each, and two boards.
pub const MOST_ROWS: usize = 96;

/// Number of rows used only in training, for the meaning of a pattern at any place. A pattern's own row is
/// the difference at its place. Both are added when the net is rounded, so that patterns rare at one place
/// learn from the others.
pub const SHARED_ROWS: usize = 2 * 2 * 64;

/// The kind of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowKind {
    Count,
    /// The opponent's points ahead of an occupied place.
    Block,
    /// The places from which a blot can be hit.
    Shot,
    /// The made home points.
    Board,
}

/// Returns the kind of a row.
pub fn row_kind(row: usize) -> RowKind {
    match row % ROLE_ROWS {
        BLOCK_BASE..SHOT_BASE => RowKind::Block,
        SHOT_BASE..BOARD_BASE => RowKind::Shot,
        BOARD_BASE.. => RowKind::Board,
        _ => RowKind::Count,
    }
}

/// Returns the shared row of a pattern's row, from 0, if it is one.
pub fn shared_row(row: usize) -> Option<usize> {
    let (group, base) = match row_kind(row) {
        RowKind::Block => (0, BLOCK_BASE),
        RowKind::Shot => (1, SHOT_BASE),
        _ => return None,
    };
    // Both bases are followed by 64 patterns per place.
    let (role, row) = (row / ROLE_ROWS, row % ROLE_ROWS);
    Some((2 * role + group) * 64 + (row - base) % 64)
}

/// Name of this layout; net files with another layout are refused.
pub const LAYOUT: &str = "counts7-blocks6-shots6-board4";

/// Returns the row of the checker number `k + 1` on `place`.
#[inline]
pub(super) fn count_row(place: usize, k: u8) -> usize {
    first_count_row(0, place) + usize::from(k.min(last_level(place)))
}

/// Returns the row of a side's first checker on each place; the second checker has the next row, and so on.
pub(super) const fn first_count_row(role: usize, place: usize) -> usize {
    role * ROLE_ROWS
        + match place {
            OFF => OFF_BASE,
            place => (place - 1) * LEVELS as usize,
        }
}

/// Returns the level of a place's last row, which all further checkers share.
pub(super) const fn last_level(place: usize) -> u8 {
    if place == OFF { 14 } else { LEVELS - 1 }
}

/// Capacity for all rows of a position, and for a whole vector after the last.
pub(super) const ROOM: usize = MOST_ROWS + 32;

/// A list of rows, without allocation. Every entry is less than [`ROWS`], which the kernels rely on.
#[derive(Clone, Copy)]
pub struct RowList {
    rows: [u16; ROOM],
    len: usize,
}

impl RowList {
    #[inline]
    pub fn new() -> Self {
        Self {
            rows: [0; ROOM],
            len: 0,
        }
    }

    #[inline]
    pub fn clear(&mut self) {
        self.len = 0;
    }

    #[inline]
    pub fn as_slice(&self) -> &[u16] {
        &self.rows[..self.len]
    }

    /// Empties the list and returns a cursor to fill it.
    #[inline(always)]
    pub(super) fn start(&mut self) -> Cursor<'_> {
        self.len = 0;
        Cursor {
            rows: &mut self.rows,
            len: 0,
            filled: &mut self.len,
        }
    }
}

impl Default for RowList {
    fn default() -> Self {
        Self::new()
    }
}

/// Writes to a [`RowList`], keeping its length in a register until [`Cursor::finish`].
pub(super) struct Cursor<'a> {
    rows: &'a mut [u16; ROOM],
    len: usize,
    filled: &'a mut usize,
}

impl Cursor<'_> {
    #[inline(always)]
    pub(super) fn push(&mut self, row: usize) {
        self.push_if(true, row);
    }

    /// Writes the row, and counts it if `wanted`: an empty pattern cannot be predicted, so there is no
    /// branch.
    #[inline(always)]
    pub(super) fn push_if(&mut self, wanted: bool, row: usize) {
        debug_assert!(row < ROWS && self.len < self.rows.len());
        // The next row depends only on this sum.
        self.rows[self.len.min(ROOM - 1)] = row.min(ROWS - 1) as u16;
        self.len += usize::from(wanted);
    }

    /// Appends the first `taken` of `LANES` rows that `write` stores after the last row. For kernels, which
    /// guarantee valid entries.
    #[inline(always)]
    pub(super) fn append<const LANES: usize>(
        &mut self,
        taken: u32,
        write: impl FnOnce(&mut [u16; LANES]),
    ) {
        if let Some(behind) = self.rows[self.len.min(ROOM - LANES)..].first_chunk_mut() {
            write(behind);
        }
        self.len += taken as usize;
    }

    /// Writes the row of each bit of `chosen`, lowest first. Several rows are written before the number of
    /// bits is checked, so that there is one unpredictable branch for all of them. `row` may be called for
    /// bits that are not chosen, and must return a valid row.
    #[inline(always)]
    pub(super) fn push_each(&mut self, mut chosen: u64, row: impl Fn(usize) -> u16) {
        const AT_ONCE: u32 = 4;
        loop {
            let taken = chosen.count_ones().min(AT_ONCE);
            self.append::<{ AT_ONCE as usize }>(taken, |behind| {
                for entry in behind {
                    let bit = chosen.trailing_zeros() as usize % 64;
                    *entry = row(bit).min(ROWS as u16 - 1);
                    chosen &= chosen.wrapping_sub(1);
                }
            });
            if chosen == 0 {
                return;
            }
        }
    }

    /// Ends writing: sets the length of the list.
    #[inline(always)]
    pub(super) fn finish(self) {
        *self.filled = self.len.min(ROOM);
    }
}
