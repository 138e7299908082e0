//! 128-bit vectors of 64-bit Arm; every such processor has them.

use std::arch::aarch64::*;

use super::shape::{
    DENSE_LANES, Dense, FULL, FirstLayerRow, HIDDEN, HeadWeights, Lanes, OUTCOMES, Rows,
};

const LANES: usize = 8;
/// Number of registers of sums at a time: half of the machine's, so that the rest can hold summands.
const PART: usize = 16;
const PARTS: usize = HIDDEN / LANES / PART;

type Sums = [int16x8_t; PART];

/// Returns part `part` of the sum of rows.
///
/// # Safety
/// The processor has these instructions, and each entry of `add` and `sub` is less than `ROWS`, as in a `RowList`.
#[target_feature(enable = "neon")]
#[inline]
unsafe fn sums(
    base: &FirstLayerRow,
    rows: Rows<'_>,
    add: &[u16],
    sub: &[u16],
    part: usize,
) -> Sums {
    let first = part * PART * LANES;
    // SAFETY: every entry of a `RowList` is a row of the table; a part lies within a row.
    unsafe {
        let at = |row: *const FirstLayerRow| row.cast::<i16>().add(first);
        let mut total = [vdupq_n_s16(0); PART];
        for (i, t) in total.iter_mut().enumerate() {
            *t = vld1q_s16(at(base).add(i * LANES));
        }
        for &r in add {
            let row = at(rows.at(r));
            for (i, t) in total.iter_mut().enumerate() {
                *t = vaddq_s16(*t, vld1q_s16(row.add(i * LANES)));
            }
        }
        for &r in sub {
            let row = at(rows.at(r));
            for (i, t) in total.iter_mut().enumerate() {
                *t = vsubq_s16(*t, vld1q_s16(row.add(i * LANES)));
            }
        }
        total
    }
}

/// Returns the squared clipped rectifier of eight sums.
#[target_feature(enable = "neon")]
#[inline]
fn activation(sum: int16x8_t) -> int16x8_t {
    let clipped = vminq_s16(vmaxq_s16(sum, vdupq_n_s16(0)), vdupq_n_s16(FULL));
    // The rounded doubling high product of x << 4 with itself equals the portable code's result.
    let scaled = vshlq_n_s16::<4>(clipped);
    vqrdmulhq_s16(scaled, scaled)
}

/// Returns `base` plus the rows `add` minus the rows `sub`.
///
/// # Safety
/// The processor has these instructions, and each entry of `add` and `sub` is less than `ROWS`, as in a `RowList`.
#[target_feature(enable = "neon")]
pub(super) unsafe fn sum(
    base: &FirstLayerRow,
    rows: Rows<'_>,
    add: &[u16],
    sub: &[u16],
) -> FirstLayerRow {
    let mut out = FirstLayerRow([0; HIDDEN]);
    for part in 0..PARTS {
        // SAFETY: as in `sums`; `out` is a row.
        unsafe {
            let total = sums(base, rows, add, sub, part);
            let to = out.0.as_mut_ptr().add(part * PART * LANES);
            for (i, t) in total.iter().enumerate() {
                vst1q_s16(to.add(i * LANES), *t);
            }
        }
    }
    out
}

/// Returns the outputs of `head` for that sum.
///
/// # Safety
/// The processor has these instructions, and each entry of `add` and `sub` is less than `ROWS`, as in a `RowList`.
#[target_feature(enable = "neon")]
pub(super) unsafe fn outputs(
    base: &FirstLayerRow,
    rows: Rows<'_>,
    add: &[u16],
    sub: &[u16],
    head: &HeadWeights,
) -> [i32; OUTCOMES] {
    let mut totals = [vdupq_n_s32(0); OUTCOMES];
    for part in 0..PARTS {
        // SAFETY: as in `sums`; each output's weights are as long as a row.
        unsafe {
            let active = sums(base, rows, add, sub, part);
            for (total, weights) in totals.iter_mut().zip(&head.0) {
                let weights = weights.as_ptr().add(part * PART * LANES);
                for (i, sum) in active.iter().enumerate() {
                    let (a, w) = (activation(*sum), vld1q_s16(weights.add(i * LANES)));
                    *total = vmlal_s16(*total, vget_low_s16(a), vget_low_s16(w));
                    *total = vmlal_high_s16(*total, a, w);
                }
            }
        }
    }
    totals.map(|total| vaddvq_s32(total))
}

/// Returns the outputs of a layer for the sums of the units before it.
///
/// # Safety
/// The processor has these instructions, and there are two sums for each of the pairs.
#[target_feature(enable = "neon")]
pub(super) unsafe fn dense<const PAIRS: usize>(
    sums: &[i16],
    layer: &Dense<PAIRS>,
) -> [i32; DENSE_LANES] {
    const QUADS: usize = DENSE_LANES / 4;
    let mut active = [[0i16; 2]; PAIRS];
    let mut out = Lanes([0; DENSE_LANES]);
    // SAFETY: the caller passes whole registers of sums, as many as `active` holds; layers and `out` hold
    // whole registers.
    unsafe {
        let to = (&raw mut active).cast::<i16>();
        for i in (0..2 * PAIRS).step_by(LANES) {
            let a = activation(vld1q_s16(sums.as_ptr().add(i)));
            vst1q_s16(to.add(i), a);
        }
        let mut totals = [vdupq_n_s32(0); QUADS];
        for (pair, weights) in active.iter().zip(&layer.0) {
            for (i, total) in totals.iter_mut().enumerate() {
                // The weights of the two units alternate.
                let w = vld2_s16(weights.as_ptr().add(8 * i));
                *total = vmlal_n_s16(*total, w.0, pair[0]);
                *total = vmlal_n_s16(*total, w.1, pair[1]);
            }
        }
        for (i, total) in totals.iter().enumerate() {
            vst1q_s32(out.0.as_mut_ptr().add(4 * i), *total);
        }
    }
    out.0
}
