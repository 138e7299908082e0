//! 256-bit vectors: the sum is computed in halves of eight registers, so that none is spilled.

use std::arch::x86_64::*;

use super::shape::{
    DENSE_LANES, Dense, FULL, FirstLayerRow, HIDDEN, HeadWeights, Lanes, OUTCOMES, Rows,
};

const LANES: usize = 16;
const REGISTERS: usize = HIDDEN / LANES;
const HALF: usize = REGISTERS / 2;

/// Loads a register of a row.
///
/// # Safety
/// The processor has these instructions, `row` is one whole row, and `register` is below [`REGISTERS`].
#[target_feature(enable = "avx2")]
#[inline]
unsafe fn load(row: *const FirstLayerRow, register: usize) -> __m256i {
    // SAFETY: the caller passes a valid row; rows are 64-byte aligned.
    unsafe { _mm256_load_si256(row.cast::<__m256i>().add(register)) }
}

/// Returns the registers `first..first + HALF` of the sum.
///
/// # Safety
/// The processor has these instructions, and each entry of `add` and `sub` is less than `ROWS`, as in a `RowList`.
#[target_feature(enable = "avx2")]
#[inline]
unsafe fn half(
    base: &FirstLayerRow,
    rows: Rows<'_>,
    add: &[u16],
    sub: &[u16],
    first: usize,
) -> [__m256i; HALF] {
    // SAFETY: every entry of a `RowList` is a row of the table.
    unsafe {
        let mut total = [_mm256_setzero_si256(); HALF];
        for (i, t) in total.iter_mut().enumerate() {
            *t = load(base, first + i);
        }
        for &r in add {
            let row = rows.at(r);
            for (i, t) in total.iter_mut().enumerate() {
                *t = _mm256_add_epi16(*t, load(row, first + i));
            }
        }
        for &r in sub {
            let row = rows.at(r);
            for (i, t) in total.iter_mut().enumerate() {
                *t = _mm256_sub_epi16(*t, load(row, first + i));
            }
        }
        total
    }
}

/// Returns `base` plus the rows `add` minus the rows `sub`.
///
/// # Safety
/// The processor has these instructions, and each entry of `add` and `sub` is less than `ROWS`, as in a `RowList`.
#[target_feature(enable = "avx2")]
pub(super) unsafe fn sum(
    base: &FirstLayerRow,
    rows: Rows<'_>,
    add: &[u16],
    sub: &[u16],
) -> FirstLayerRow {
    let mut out = FirstLayerRow([0; HIDDEN]);
    // SAFETY: every entry of a `RowList` is a row of the table; `out` is aligned and has REGISTERS registers.
    unsafe {
        let to = (&raw mut out).cast::<__m256i>();
        for first in [0, HALF] {
            let total = half(base, rows, add, sub, first);
            for (i, t) in total.iter().enumerate() {
                _mm256_store_si256(to.add(first + i), *t);
            }
        }
    }
    out
}

/// Returns the outputs of `head` for that sum.
///
/// # Safety
/// The processor has these instructions, and each entry of `add` and `sub` is less than `ROWS`, as in a `RowList`.
#[target_feature(enable = "avx2")]
pub(super) unsafe fn outputs(
    base: &FirstLayerRow,
    rows: Rows<'_>,
    add: &[u16],
    sub: &[u16],
    head: &HeadWeights,
) -> [i32; OUTCOMES] {
    // SAFETY: every entry of a `RowList` is a row of the table; the head has OUTCOMES x REGISTERS aligned registers.
    unsafe {
        let (zero, full) = (_mm256_setzero_si256(), _mm256_set1_epi16(FULL));
        let weights = (&raw const *head).cast::<__m256i>();
        let mut totals = [zero; OUTCOMES];
        for first in [0, HALF] {
            let mut active = half(base, rows, add, sub, first);
            for a in &mut active {
                let clipped = _mm256_min_epi16(_mm256_max_epi16(*a, zero), full);
                let scaled = _mm256_slli_epi16::<4>(clipped);
                *a = _mm256_mulhrs_epi16(scaled, scaled);
            }
            for (o, total) in totals.iter_mut().enumerate() {
                for (i, a) in active.iter().enumerate() {
                    let w = _mm256_load_si256(weights.add(o * REGISTERS + first + i));
                    *total = _mm256_add_epi32(*total, _mm256_madd_epi16(*a, w));
                }
            }
        }
        reduce(totals)
    }
}

/// Returns the sums of the eight lanes of each vector, all six at once.
#[target_feature(enable = "avx2")]
#[inline]
pub(super) fn reduce(v: [__m256i; OUTCOMES]) -> [i32; OUTCOMES] {
    let pairs = [0, 2, 4].map(|i| _mm256_hadd_epi32(v[i], v[i + 1]));
    let four = _mm256_hadd_epi32(pairs[0], pairs[1]);
    let two = _mm256_hadd_epi32(pairs[2], pairs[2]);
    let fold = |v| _mm_add_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256::<1>(v));
    let (four, two) = (fold(four), fold(two));
    [
        _mm_cvtsi128_si32(four),
        _mm_extract_epi32::<1>(four),
        _mm_extract_epi32::<2>(four),
        _mm_extract_epi32::<3>(four),
        _mm_cvtsi128_si32(two),
        _mm_extract_epi32::<1>(two),
    ]
}

/// Returns the outputs of a layer for the sums of the units before it.
///
/// # Safety
/// The processor has these instructions, and there are two sums for each of the pairs.
#[target_feature(enable = "avx2")]
pub(super) unsafe fn dense<const PAIRS: usize>(
    sums: &[i16],
    layer: &Dense<PAIRS>,
) -> [i32; DENSE_LANES] {
    const TOTALS: usize = DENSE_LANES / 8;
    let mut active = [[0i16; 2]; PAIRS];
    let mut out = Lanes([0; DENSE_LANES]);
    // SAFETY: the caller passes whole registers of sums, as many as `active` holds; layers and `out` are
    // aligned and hold whole registers.
    unsafe {
        let (zero, full) = (_mm256_setzero_si256(), _mm256_set1_epi16(FULL));
        let (from, to) = (
            sums.as_ptr().cast::<__m256i>(),
            (&raw mut active).cast::<__m256i>(),
        );
        for i in 0..PAIRS / 8 {
            let sum = _mm256_loadu_si256(from.add(i));
            let clipped = _mm256_min_epi16(_mm256_max_epi16(sum, zero), full);
            let scaled = _mm256_slli_epi16::<4>(clipped);
            _mm256_storeu_si256(to.add(i), _mm256_mulhrs_epi16(scaled, scaled));
        }
        let pairs = (&raw const active).cast::<i32>();
        let weights = (&raw const *layer).cast::<__m256i>();
        let mut totals = [zero; TOTALS];
        for pair in 0..PAIRS {
            let both = _mm256_set1_epi32(pairs.add(pair).read_unaligned());
            for (i, total) in totals.iter_mut().enumerate() {
                let from = weights.add(pair * TOTALS + i);
                *total = _mm256_add_epi32(*total, _mm256_madd_epi16(both, _mm256_load_si256(from)));
            }
        }
        let to = (&raw mut out).cast::<__m256i>();
        for (i, total) in totals.iter().enumerate() {
            _mm256_store_si256(to.add(i), *total);
        }
    }
    out.0
}
