//! The first layer of the small nets, whose inputs are checkers without patterns.
//!
//! The pruning nets and the efficiency nets differ in their units and their further layers. All arithmetic is
//! in integers.

use super::net_file::round;
use super::rows::{COUNT_ROWS, count_row};
use super::simd::FULL;
use crate::game::position::BAR;
use crate::game::{Position, Side};

/// log2 of the activation of a fully active unit.
pub(super) const ACTIVATION_BITS: u32 = 12;
/// Number of bits by which a sum is shifted before it is squared, so that the square of [`FULL`] is a full
/// activation in the upper 16 of 32 bits.
pub(super) const SHIFT: u32 = (16 + ACTIVATION_BITS) / 2 - FULL.ilog2();

/// Number of bytes of a position, the player on roll's first.
pub(super) const BYTES: usize = size_of::<Position>();
/// Number of possible counts of checkers on a place: zero to fifteen.
const COUNTS: usize = 16;

/// One weight for each unit.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub(super) struct Row<const UNITS: usize>(pub(super) [i16; UNITS]);

impl<const UNITS: usize> Row<UNITS> {
    /// Zero for every unit.
    pub(super) const ZERO: Self = Self([0; UNITS]);

    /// Rounds the first weights to integers; a weight of one becomes `one`.
    pub(super) fn rounded(weights: &[f32], one: f32) -> Self {
        Self(std::array::from_fn(|i| round(weights[i], one)))
    }

    /// Returns the maximum that units can add to an output with these weights.
    pub(super) fn most(&self) -> i64 {
        let sum: i64 = self.0.iter().map(|&w| i64::from(w).abs()).sum();
        sum << ACTIVATION_BITS
    }
}

/// For each byte of a position, the sums of the rows for each number of checkers.
#[derive(Clone)]
pub(super) struct Stacks<const UNITS: usize>(Box<[[Row<UNITS>; COUNTS]; BYTES]>);

impl<const UNITS: usize> Stacks<UNITS> {
    /// Creates the sums from the rows of single checkers, those of the player on roll first.
    pub(super) fn new(rows: &[Row<UNITS>]) -> Self {
        let mut stacks = vec![[Row::ZERO; COUNTS]; BYTES];
        for (byte, stack) in stacks.iter_mut().enumerate() {
            let (role, place) = (byte / size_of::<Side>(), byte % size_of::<Side>());
            if place > BAR {
                continue;
            }
            for count in 1..COUNTS {
                let row = &rows[role * COUNT_ROWS + count_row(place, count as u8 - 1)].0;
                let below = stack[count - 1].0;
                stack[count] = Row(std::array::from_fn(|i| below[i].wrapping_add(row[i])));
            }
        }
        let stacks: Box<[_; BYTES]> = stacks.into_boxed_slice().try_into().expect("as many");
        Self(stacks)
    }

    /// Returns the sum for `count` checkers at `byte`.
    #[inline(always)]
    pub(super) fn of(&self, byte: usize, count: u8) -> &[i16; UNITS] {
        &self.0[byte % BYTES][usize::from(count) % COUNTS].0
    }
}
