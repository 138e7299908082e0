//! The inputs of the net: a sparse list of rows of its first layer.
//!
//! There are four groups of rows for each of two roles (the player on roll, and the player who has just
//! played), all in that side's own coordinates:
//!
//! * **counts**: one row for each checker. The `k`-th checker on a place has its own row, so that moving a
//!   checker removes one row and adds one;
//! * **blocks**: for each occupied place, which of the six points ahead of it the opponent has made (64
//!   patterns): primes, escapes, timing;
//! * **shots**: for each blot, from which of the six pips in front of it an opposing checker can hit it (64
//!   patterns);
//! * **board**: which of the six home points are made, with the number of opposing checkers on the bar.
//!
//! An empty pattern has no row. The plays of one roll differ in a few checkers. A play is therefore evaluated
//! by the *difference* between its rows and those of the position before it. The efficiently updatable nets
//! of computer shogi and chess (Nasu 2018) do the same.
//! before it. The efficiently updatable nets of computer shogi and chess (Nasu 2018) do the same.

use wide::{CmpEq, i8x16, i16x16};

use super::rows::{BLOCK_BASE, BOARD_BASE, Cursor, ROLE_ROWS, RowList, SHOT_BASE, count_row};
use crate::game::position::BAR;
use crate::game::{Position, Side};

/// Number of phases of the game, see [`View::phase`].
pub const PHASES: usize = 12;

/// Number of kinds in each phase: by the leader of the race, and by the sides that have made four points of
/// their home boards.
pub const KINDS_OF_PHASE: usize = 3 * 4;

/// Number of kinds of position, see [`View::kind`].
pub const KINDS: usize = PHASES * KINDS_OF_PHASE;

/// A position's occupation masks, from which its rows follow by bit arithmetic. In each mask the places of
/// the player on roll are the low half and those of the opponent the high half, both in that side's own
/// coordinates.
#[derive(Clone, Copy)]
pub struct View<'a> {
    position: &'a Position,
    /// Places with a checker, 1 to 25.
    occupied: u64,
    /// Points with exactly one checker.
    blots: u64,
    /// The opponent's made points, in this side's coordinates.
    blocks: u64,
    /// The opponent's checkers, in this side's coordinates; the opponent's bar is bit 0.
    hitters: u64,
    /// Each side's home board pattern and opposing checkers on the bar, 0 to 255.
    boards: [usize; 2],
}

/// Joins the places of both sides in one mask.
#[inline(always)]
pub(super) const fn joined(own: u32, other: u32) -> u64 {
    own as u64 | (other as u64) << 32
}

/// Returns a mask with the same places for both sides.
const fn both(places: u32) -> u64 {
    joined(places, places)
}

/// Returns the places of one side.
#[inline(always)]
fn half(mask: u64, role: usize) -> u32 {
    (mask >> (32 * role)) as u32
}

impl<'a> View<'a> {
    /// Creates the view of a position.
    #[inline]
    pub fn new(position: &'a Position) -> Self {
        let masks =
            [1, 2].map(|least| joined(position.mover.mask(least), position.opponent.mask(least)));
        Self::of_masks(position, masks)
    }

    /// Creates the view of a position from masks: bytes that are at least one, and bytes that are at least
    /// two, with those of the player on roll in the low half.
    #[inline(always)]
    pub(super) fn of_masks(position: &'a Position, [one, two]: [u64; 2]) -> Self {
        const POINTS: u64 = both((1 << BAR) - 2);
        const PLACES: u64 = POINTS | both(1 << BAR);
        let (occupied, made) = (one & PLACES, two & POINTS);
        // Place 1 of one side is place 24 of the other, and its bar, place 25, becomes place 0.
        let turned = |mask: u64| mask.reverse_bits() >> 6;
        let board = |role, other: &Side| {
            (half(made, role) >> 1 & 63) as usize * 4 + usize::from(other.bar().min(3))
        };
        Self {
            position,
            occupied,
            blots: occupied & POINTS & !made,
            blocks: turned(made),
            hitters: turned(occupied),
            boards: [board(0, &position.opponent), board(1, &position.mover)],
        }
    }

    #[inline]
    pub fn position(&self) -> &'a Position {
        self.position
    }

    /// Returns whether both sides have all checkers at home or off.
    #[inline]
    pub fn is_bearoff(&self) -> bool {
        self.occupied & both(!0 << 7) == 0
    }

    #[inline]
    fn is_race(&self) -> bool {
        let rearmost = |role| 31 - (half(self.occupied, role) | 1).leading_zeros();
        rearmost(0) + rearmost(1) < BAR as u32
    }

    /// Returns the phase of the game, 0 to 11. It depends on whether the sides have passed each other and on
    /// who has begun to bear off. It also depends on the number of checkers (none, one or two, three or more)
    /// that each side has in the opponent's home board.
    #[inline]
    pub fn phase(&self) -> usize {
        if self.is_race() {
            return 0;
        }
        let off = [
            self.position.mover.off() > 0,
            self.position.opponent.off() > 0,
        ];
        if off[0] || off[1] {
            return if off[1] { 2 } else { 1 };
        }
        let back = |side: &Side| match side.back_checkers() {
            0 => 0,
            1 | 2 => 1,
            _ => 2,
        };
        3 + 3 * back(&self.position.mover) + back(&self.position.opponent)
    }

    /// Returns the kind of the position: its phase, the leader of the race by more than a tenth, and the
    /// sides with four or more made points in the home board.
    #[inline]
    pub fn kind(&self) -> usize {
        let strong = |board: usize| usize::from((board >> 2).count_ones() >= 4);
        let boards = 2 * strong(self.boards[0]) + strong(self.boards[1]);
        KINDS_OF_PHASE * self.phase() + 4 * leader(self.position) + boards
    }

    /// Writes every row of the position to `out`.
    pub fn rows(&self, out: &mut RowList) {
        let mut cursor = out.start();
        self.write_rows(&mut cursor);
        cursor.finish();
    }

    fn write_rows(&self, out: &mut Cursor<'_>) {
        for role in 0..2 {
            let base = role * ROLE_ROWS;
            let side = if role == 0 {
                &self.position.mover
            } else {
                &self.position.opponent
            };
            checkers(side, |row| out.push(base + row));
            let groups = [(self.occupied, self.blocks), (self.blots, self.hitters)];
            for (first, (has, ahead)) in [BLOCK_BASE, SHOT_BASE].into_iter().zip(groups) {
                for place in bits(half(has, role).into()) {
                    let pattern = pattern(half(ahead, role).into(), place);
                    out.push_if(pattern != 0, base + first + place * 64 + pattern);
                }
            }
            out.push(base + BOARD_BASE + self.boards[role]);
        }
    }

    /// Writes the changes from the rows of `from` to those of this position: added rows to `add`, removed
    /// rows to `sub`.
    #[inline]
    pub fn difference(&self, from: &View<'_>, add: &mut RowList, sub: &mut RowList) {
        let (mut plus, mut minus) = (add.start(), sub.start());
        self.count_difference(from, &mut plus, &mut minus);
        self.board_difference(from, &mut plus, &mut minus);
        pattern_difference(&self.patterns(from), &mut plus, &mut minus);
        plus.finish();
        minus.finish();
    }

    /// Returns the patterns of blocks, then of shots, before and after.
    #[inline(always)]
    pub(super) fn patterns(&self, from: &View<'_>) -> [Patterns; 2] {
        let [blocks, shots] = &PATTERN_ROWS;
        [
            Patterns {
                old: from.occupied,
                new: self.occupied,
                from: from.blocks,
                to: self.blocks,
                rows: blocks,
            },
            Patterns {
                old: from.blots,
                new: self.blots,
                from: from.hitters,
                to: self.hitters,
                rows: shots,
            },
        ]
    }

    /// Writes the rows of both boards.
    #[inline(always)]
    #[cfg_attr(
        not(target_arch = "x86_64"),
        allow(dead_code, reason = "vectors of bytes alone ask for it")
    )]
    pub(super) fn boards(&self, out: &mut Cursor<'_>) {
        for (role, board) in self.boards.into_iter().enumerate() {
            out.push(role * ROLE_ROWS + BOARD_BASE + board);
        }
    }

    #[inline(always)]
    pub(super) fn board_difference<'c>(
        &self,
        from: &View<'_>,
        add: &mut Cursor<'c>,
        sub: &mut Cursor<'c>,
    ) {
        for role in 0..2 {
            let base = role * ROLE_ROWS + BOARD_BASE;
            let (was, is) = (from.boards[role], self.boards[role]);
            sub.push_if(was != is, base + was);
            add.push_if(was != is, base + is);
        }
    }

    #[inline(always)]
    fn count_difference<'c>(&self, from: &View<'_>, add: &mut Cursor<'c>, sub: &mut Cursor<'c>) {
        changed_checkers(from.position, self.position, |role, row, comes| {
            add.push_if(comes, role * ROLE_ROWS + row);
            sub.push_if(!comes, role * ROLE_ROWS + row);
        });
    }
}

/// Calls `change` for the row of each checker that is added or removed between `from` and `to`, with its role
/// (0 for the player on roll) and whether it is added. Rows are below
/// [`COUNT_ROWS`](super::rows::COUNT_ROWS).
#[inline(always)]
fn changed_checkers(from: &Position, to: &Position, mut change: impl FnMut(usize, usize, bool)) {
    let old: &[u8; 64] = bytemuck::cast_ref(from);
    let new: &[u8; 64] = bytemuck::cast_ref(to);
    for index in bits(differing(from, to)) {
        let (role, place) = (index / 32, index % 32);
        let (was, is) = (old[index], new[index]);
        // One loop, usually with one iteration: the direction of a change cannot be predicted.
        for k in was.min(is)..was.max(is) {
            change(role, count_row(place, k), is > was);
        }
    }
}

/// Calls `row` for the row of each checker of `position`, with its role; rows as in [`changed_checkers`].
pub fn all_checkers(position: &Position, mut row: impl FnMut(usize, usize)) {
    for (role, side) in [&position.mover, &position.opponent]
        .into_iter()
        .enumerate()
    {
        checkers(side, |of_side| row(role, of_side));
    }
}

/// Calls `row` for the row of each checker of a side.
#[inline(always)]
fn checkers(side: &Side, mut row: impl FnMut(usize)) {
    for place in 0..=BAR {
        for k in 0..side.at(place) {
            row(count_row(place, k));
        }
    }
}

/// Returns the leader of the race: the player on roll by more than a tenth of the opponent's pips (0), the
/// opponent likewise (2), or neither (1).
#[inline(always)]
fn leader(position: &Position) -> usize {
    // The pips of each place; the last bytes of a side are unused.
    const PIPS: [i16x16; 2] = pips();
    let bytes: &[i8x16; 4] = bytemuck::cast_ref(position);
    let pips = |side: usize| {
        let [low, high] = [bytes[2 * side], bytes[2 * side + 1]].map(i16x16::from);
        (low.dot(PIPS[0]) + high.dot(PIPS[1])).reduce_add()
    };
    let (own, other) = (pips(0), pips(1));
    1 + usize::from(10 * other < 9 * own) - usize::from(10 * own < 9 * other)
}

/// Returns the pips of each place.
const fn pips() -> [i16x16; 2] {
    let mut pips = [[0; 16]; 2];
    let mut place = 1;
    while place <= BAR {
        pips[place / 16][place % 16] = place as i16;
        place += 1;
    }
    [i16x16::new(pips[0]), i16x16::new(pips[1])]
}

/// Returns the bytes in which two positions differ: the player on roll's in bits 0 to 31, then the
/// opponent's.
#[inline(always)]
pub(super) fn differing(a: &Position, b: &Position) -> u64 {
    let (a, b): (&[i8x16; 4], &[i8x16; 4]) = (bytemuck::cast_ref(a), bytemuck::cast_ref(b));
    let mut mask = 0;
    for i in 0..4 {
        mask |= u64::from(!a[i].cmp_eq(b[i]).move_mask() as u32 & 0xffff) << (16 * i);
    }
    mask
}

/// Returns the six places before `place`, the nearest in the highest bit.
#[inline(always)]
fn pattern(mask: u64, place: usize) -> usize {
    (mask << 6 >> place & 63) as usize
}

/// One group of pattern rows before and after a play, both sides in each mask. All places are 0 to 25 and all
/// rows are valid, because only [`View::patterns`] creates it.
pub(super) struct Patterns {
    /// Places with a pattern, before and after.
    pub(super) old: u64,
    pub(super) new: u64,
    /// The masks that form the patterns, before and after.
    pub(super) from: u64,
    pub(super) to: u64,
    /// The row of pattern 0 of each place.
    pub(super) rows: &'static PlaceRows,
}

/// The first pattern row of each place, the player on roll's places first.
pub(super) type PlaceRows = [u16; 64];

/// Blocks, then shots.
static PATTERN_ROWS: [PlaceRows; 2] = {
    let mut rows = [[0; 64]; 2];
    let mut place = 0;
    while place <= BAR {
        let mut role = 0;
        while role < 2 {
            let first = role * ROLE_ROWS + 64 * place;
            rows[0][32 * role + place] = (first + BLOCK_BASE) as u16;
            rows[1][32 * role + place] = (first + SHOT_BASE) as u16;
            role += 1;
        }
        place += 1;
    }
    rows
};

/// Writes the rows of added patterns to `add`, and those of removed patterns to `sub`.
#[inline(always)]
pub(super) fn pattern_difference<'c>(
    groups: &[Patterns; 2],
    add: &mut Cursor<'c>,
    sub: &mut Cursor<'c>,
) {
    for group in groups {
        let changed = (group.old ^ group.new) | beyond(group.from ^ group.to);
        let row = |mask, place: usize| group.rows[place] + pattern(mask, place) as u16;
        sub.push_each(group.old & changed & beyond(group.from), |place| {
            row(group.from, place)
        });
        add.push_each(group.new & changed & beyond(group.to), |place| {
            row(group.to, place)
        });
    }
}

/// Returns the places one to six beyond a bit of the mask, whose patterns contain that bit.
#[inline(always)]
fn beyond(mask: u64) -> u64 {
    let three = mask << 1 | mask << 2 | mask << 3;
    three | three << 3
}

/// Iterates over the set bits, lowest first.
#[inline(always)]
fn bits(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        if mask == 0 {
            return None;
        }
        let bit = mask.trailing_zeros();
        mask &= mask - 1;
        Some(bit as usize)
    })
}

#[cfg(test)]
mod tests {
    use super::super::rows::{COUNT_ROWS, MOST_ROWS};
    use super::*;
    use crate::game::{PlayList, Roll};
    use std::collections::BTreeMap;

    fn tally(rows: &[u16]) -> BTreeMap<u16, i32> {
        let mut map = BTreeMap::new();
        for &r in rows {
            *map.entry(r).or_insert(0) += 1;
        }
        map
    }

    fn leader_by_hand(position: &Position) -> usize {
        let [own, other] = [position.mover.pips(), position.opponent.pips()];
        match () {
            () if 10 * own < 9 * other => 0,
            () if 10 * other < 9 * own => 2,
            () => 1,
        }
    }

    /// Random games: the rows before, minus the removed ones, plus the added ones, are the rows after.
    #[test]
    fn differences_lead_from_one_position_to_the_other() {
        let mut list = PlayList::new();
        let (mut old, mut new, mut add, mut sub) = (
            RowList::new(),
            RowList::new(),
            RowList::new(),
            RowList::new(),
        );
        let mut state = 12345u64;
        let mut random = |n: usize| {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (state >> 33) as usize % n
        };
        for _ in 0..40 {
            let mut position = Position::opening();
            while !position.is_over() {
                list.generate(&position, Roll::ordered(random(36)));
                let before = position.flipped();
                View::new(&before).rows(&mut old);
                for result in list.results() {
                    View::new(result).rows(&mut new);
                    assert!(new.as_slice().len() <= MOST_ROWS);
                    assert_eq!(leader(result), leader_by_hand(result));
                    View::new(result).difference(&View::new(&before), &mut add, &mut sub);
                    let mut map = tally(old.as_slice());
                    for &r in add.as_slice() {
                        *map.entry(r).or_insert(0) += 1;
                    }
                    for &r in sub.as_slice() {
                        *map.entry(r).or_insert(0) -= 1;
                    }
                    map.retain(|_, n| *n != 0);
                    assert_eq!(map, tally(new.as_slice()));
                }
                position = list.results()[random(list.len())];
            }
        }
    }

    #[test]
    fn every_checker_has_a_row() {
        let mut rows = RowList::new();
        View::new(&Position::opening()).rows(&mut rows);
        let counts = rows
            .as_slice()
            .iter()
            .filter(|&&r| usize::from(r) % ROLE_ROWS < COUNT_ROWS);
        assert_eq!(counts.count(), 30);
    }
}
