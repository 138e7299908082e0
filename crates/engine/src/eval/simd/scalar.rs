//! The reference implementation, which every other kernel must match.

use super::shape::{
    ACTIVATION_BITS, DENSE_LANES, Dense, FULL, FirstLayerRow, HIDDEN, HeadWeights, OUTCOMES, Rows,
};

pub(super) fn sum(base: &FirstLayerRow, rows: Rows<'_>, add: &[u16], sub: &[u16]) -> FirstLayerRow {
    let mut total = *base;
    for &r in add {
        for (t, w) in total.0.iter_mut().zip(&rows.get(r).0) {
            *t = t.wrapping_add(*w);
        }
    }
    for &r in sub {
        for (t, w) in total.0.iter_mut().zip(&rows.get(r).0) {
            *t = t.wrapping_sub(*w);
        }
    }
    total
}

pub(super) fn outputs(
    base: &FirstLayerRow,
    rows: Rows<'_>,
    add: &[u16],
    sub: &[u16],
    head: &HeadWeights,
) -> [i32; OUTCOMES] {
    let total = sum(base, rows, add, sub);
    let mut active = [0i16; HIDDEN];
    for (a, t) in active.iter_mut().zip(total.0) {
        *a = activation(t);
    }
    std::array::from_fn(|o| {
        active.iter().zip(&head.0[o]).fold(0i32, |s, (&a, &w)| {
            s.wrapping_add(i32::from(a) * i32::from(w))
        })
    })
}

pub(super) fn dense<const PAIRS: usize>(sums: &[i16], layer: &Dense<PAIRS>) -> [i32; DENSE_LANES] {
    let mut out = [0i32; DENSE_LANES];
    for (pair, weights) in sums.chunks_exact(2).zip(&layer.0) {
        let a = [activation(pair[0]), activation(pair[1])].map(i32::from);
        for (o, w) in out.iter_mut().zip(weights.chunks_exact(2)) {
            let both = a[0] * i32::from(w[0]) + a[1] * i32::from(w[1]);
            *o = o.wrapping_add(both);
        }
    }
    out
}

/// Returns the squared clipped rectifier: (x / [`FULL`])² between 0 and 1, in units of
/// 2^-[`ACTIVATION_BITS`], rounded.
fn activation(x: i16) -> i16 {
    const ROUND: i32 = 1 << 14;
    const { assert!((FULL as i32 * 16 * (FULL as i32 * 16) + ROUND) >> 15 == 1 << ACTIVATION_BITS) };
    let x = i32::from(x.clamp(0, FULL)) << 4;
    ((x * x + ROUND) >> 15) as i16
}
