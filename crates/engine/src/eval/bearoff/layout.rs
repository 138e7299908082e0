//! How the bearoff tables lie in their file.
//!
//! Four tables follow each other, all numbers little-endian, boards in the order of their
//! [numbers](super::numbering):
//! 1. for each board of up to fifteen checkers a row of sixteen `u16`: the distribution of the
//!    number of rolls to bear off all of them. `row[0]` is the least number of rolls `n0` that
//!    happens at all, and `row[k]` the chance to be off within `n0 + k - 1` rolls in 65,535ths. The
//!    last entry is always certainty. Half a cache line;
//! 2. for each of them the mean number of rolls, `f32`;
//! 3. for each pair of boards of up to four checkers the chance that the player on roll (first
//!    board) wins, `f32`;
//! 4. for each board of exactly fifteen checkers five `u16`: the chances that none of them is
//!    borne off after one roll, …, after five, in 65,535ths. (After six that is 2.6e-6 at most,
//!    which rounds to nothing.)
//!
//! *Why cumulative chances.* Rounded, they are wrong by at most half a step, e = 1/131,070. They
//! stay monotone, and their errors do not add up: a chance to win is a sum of one side's chances
//! over the other side's tail. Summation by parts bounds its error by 2e = 1.53e-5. Rounding the
//! chances themselves would allow that error once for each entry.
//!
//! This file knows nothing of the crate: the build script compiles it too.

/// Entries of a row.
pub(super) const ROW: usize = 16;
/// A chance of one.
pub(super) const CERTAIN: u16 = u16::MAX;
/// Most checkers a side in the two-sided table.
pub(super) const TWO_SIDED_CHECKERS: usize = 4;
/// Rolls for which a first checker may be waited for.
pub(super) const FIRST: usize = 5;
