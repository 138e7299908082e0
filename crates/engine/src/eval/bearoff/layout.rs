//! The layout of the file of bearoff tables.
//!
//! Four tables follow each other, with little-endian numbers and boards in the order of their
//! [numbers](super::numbering):
//! 1. for each board of up to fifteen checkers, a row of sixteen `u16`: the distribution of the number of
//!    rolls to bear off all of them. `row[0]` is the lowest possible number of rolls `n0`, and `row[k]` the
//!    chance to be off within `n0 + k - 1` rolls in 65,535ths. The last entry is always certainty. A row is half
//!    a cache line;
//! 2. for each of these boards the mean number of rolls, `f32`;
//! 3. for each pair of boards of up to four checkers, the chance that the player on roll (first board) wins,
//!    `f32`;
//! 4. for each board of exactly fifteen checkers five `u16`: the chances that none of them is borne off after
//!    one to five rolls, in 65,535ths. (After six the chance is at most 2.6e-6, which rounds to zero.)
//!
//! *Why cumulative chances.* Rounding errors are at most half a step, e = 1/131,070. The chances stay
//! monotone, and their errors do not add up: a chance to win is a sum of one side's chances over the other
//! side's tail. Summation by parts bounds its error by 2e = 1.53e-5. Rounding the individual chances would
//! allow that error for each entry.
//!
//! This file does not use the crate, because the build script compiles it too.

/// Number of entries in a row.
pub(super) const ROW: usize = 16;
/// A chance of 1.
pub(super) const CERTAIN: u16 = u16::MAX;
/// Maximum number of checkers per side in the two-sided table.
pub(super) const TWO_SIDED_CHECKERS: usize = 4;
/// Maximum number of rolls for which the first checker may stay.
pub(super) const FIRST: usize = 5;
