//! 512-bit vectors: the whole sum stays in eight registers.

use std::arch::x86_64::*;

use super::shape::{
    DENSE_LANES, Dense, FULL, FirstLayerRow, HIDDEN, HeadWeights, Lanes, OUTCOMES, Rows,
};

const LANES: usize = 32;
const REGISTERS: usize = HIDDEN / LANES;

/// Loads a register of a row.
///
/// # Safety
/// The processor has these instructions, `row` is one whole row, and `register` is below [`REGISTERS`].
#[target_feature(enable = "avx512f,avx512bw,avx512vnni,avx2")]
#[inline]
unsafe fn load(row: *const FirstLayerRow, register: usize) -> __m512i {
    // SAFETY: the caller passes a valid row; rows are 64-byte aligned.
    unsafe { _mm512_load_si512(row.cast::<__m512i>().add(register)) }
}

/// Returns the registers of the sum.
///
/// # Safety
/// The processor has these instructions, and each entry of `add` and `sub` is less than `ROWS`, as in a `RowList`.
#[target_feature(enable = "avx512f,avx512bw,avx512vnni,avx2")]
#[inline]
unsafe fn registers(
    base: &FirstLayerRow,
    rows: Rows<'_>,
    add: &[u16],
    sub: &[u16],
) -> [__m512i; REGISTERS] {
    // SAFETY: every entry of a `RowList` is a row of the table.
    unsafe {
        let mut total = [_mm512_setzero_si512(); REGISTERS];
        for (i, t) in total.iter_mut().enumerate() {
            *t = load(base, i);
        }
        for &r in add {
            let row = rows.at(r);
            for (i, t) in total.iter_mut().enumerate() {
                *t = _mm512_add_epi16(*t, load(row, i));
            }
        }
        for &r in sub {
            let row = rows.at(r);
            for (i, t) in total.iter_mut().enumerate() {
                *t = _mm512_sub_epi16(*t, load(row, i));
            }
        }
        total
    }
}

/// Returns `base` plus the rows `add` minus the rows `sub`.
///
/// # Safety
/// The processor has these instructions, and each entry of `add` and `sub` is less than `ROWS`, as in a `RowList`.
#[target_feature(enable = "avx512f,avx512bw,avx512vnni,avx2")]
pub(super) unsafe fn sum(
    base: &FirstLayerRow,
    rows: Rows<'_>,
    add: &[u16],
    sub: &[u16],
) -> FirstLayerRow {
    let mut out = FirstLayerRow([0; HIDDEN]);
    // SAFETY: every entry of a `RowList` is a row of the table; `out` is aligned and has REGISTERS registers.
    unsafe {
        let total = registers(base, rows, add, sub);
        let to = (&raw mut out).cast::<__m512i>();
        for (i, t) in total.iter().enumerate() {
            _mm512_store_si512(to.add(i), *t);
        }
    }
    out
}

/// Returns the outputs of `head` for that sum.
///
/// # Safety
/// The processor has these instructions, and each entry of `add` and `sub` is less than `ROWS`, as in a `RowList`.
#[target_feature(enable = "avx512f,avx512bw,avx512vnni,avx2")]
pub(super) unsafe fn outputs(
    base: &FirstLayerRow,
    rows: Rows<'_>,
    add: &[u16],
    sub: &[u16],
    head: &HeadWeights,
) -> [i32; OUTCOMES] {
    // SAFETY: every entry of a `RowList` is a row of the table; the head has OUTCOMES x REGISTERS aligned registers.
    unsafe {
        let mut active = registers(base, rows, add, sub);
        let (zero, full) = (_mm512_setzero_si512(), _mm512_set1_epi16(FULL));
        for a in &mut active {
            let clipped = _mm512_min_epi16(_mm512_max_epi16(*a, zero), full);
            let scaled = _mm512_slli_epi16::<4>(clipped);
            *a = _mm512_mulhrs_epi16(scaled, scaled);
        }
        let weights = (&raw const *head).cast::<__m512i>();
        let mut totals = [_mm256_setzero_si256(); OUTCOMES];
        for (o, slot) in totals.iter_mut().enumerate() {
            let mut total = zero;
            for (i, a) in active.iter().enumerate() {
                let w = _mm512_load_si512(weights.add(o * REGISTERS + i));
                total = _mm512_dpwssd_epi32(total, *a, w);
            }
            let high = _mm512_extracti64x4_epi64::<1>(total);
            *slot = _mm256_add_epi32(_mm512_castsi512_si256(total), high);
        }
        super::avx2::reduce(totals)
    }
}

/// Returns the outputs of a layer for the sums of the units before it.
///
/// # Safety
/// The processor has these instructions, and there are two sums for each of the pairs.
#[target_feature(enable = "avx512f,avx512bw,avx512vnni,avx2")]
pub(super) unsafe fn dense<const PAIRS: usize>(
    sums: &[i16],
    layer: &Dense<PAIRS>,
) -> [i32; DENSE_LANES] {
    const TOTALS: usize = DENSE_LANES / 16;
    let mut active = [[0i16; 2]; PAIRS];
    let mut out = Lanes([0; DENSE_LANES]);
    // SAFETY: the caller passes whole registers of sums, as many as `active` holds; layers and `out` are
    // aligned and hold whole registers.
    unsafe {
        let (zero, full) = (_mm512_setzero_si512(), _mm512_set1_epi16(FULL));
        let (from, to) = (
            sums.as_ptr().cast::<__m512i>(),
            (&raw mut active).cast::<__m512i>(),
        );
        for i in 0..PAIRS / 16 {
            let sum = _mm512_loadu_si512(from.add(i));
            let clipped = _mm512_min_epi16(_mm512_max_epi16(sum, zero), full);
            let scaled = _mm512_slli_epi16::<4>(clipped);
            _mm512_storeu_si512(to.add(i), _mm512_mulhrs_epi16(scaled, scaled));
        }
        let pairs = (&raw const active).cast::<i32>();
        let weights = (&raw const *layer).cast::<__m512i>();
        let mut totals = [zero; TOTALS];
        for pair in 0..PAIRS {
            let both = _mm512_set1_epi32(pairs.add(pair).read_unaligned());
            for (i, total) in totals.iter_mut().enumerate() {
                let from = weights.add(pair * TOTALS + i);
                *total = _mm512_dpwssd_epi32(*total, both, _mm512_load_si512(from));
            }
        }
        let to = (&raw mut out).cast::<__m512i>();
        for (i, total) in totals.iter().enumerate() {
            _mm512_store_si512(to.add(i), *total);
        }
    }
    out.0
}
