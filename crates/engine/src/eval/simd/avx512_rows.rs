//! 512-bit vectors: the difference between the rows of two positions.
//!
//! All places are compared, changed or not: 64 counts or 64 patterns are one vector, and the changes are
//! compressed. There are therefore few branches.

use std::arch::x86_64::*;

use crate::eval::encoding::{self, Encoded};
use crate::eval::features::{Patterns, View};
use crate::eval::rows::{Cursor, ROWS, RowList};
use crate::game::Position;

use super::row_tables::{Aligned, FIRST_COUNT, LAST_LEVEL, leave};

/// Number of rows written at a time.
const LANES: usize = 32;
/// Number of bytes of a position.
const BYTES: usize = 64;

/// The places of both sides, as bit indices of a word.
static PLACES: Aligned<[u8; BYTES]> = Aligned({
    let mut places = [0; BYTES];
    let mut i = 0;
    while i < BYTES {
        places[i] = i as u8;
        i += 1;
    }
    places
});

/// See [`super::Kernel::encode`].
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn encode(from: Option<&View<'_>>, positions: &[Position], out: &mut [Encoded]) {
    encoding::encode(
        from,
        positions,
        out,
        |position| View::of_masks(position, masks(position)),
        |to, from, encoded| difference(to, from, &mut encoded.add, &mut encoded.sub),
    );
}

/// Writes all rows of a position.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn rows(view: &View<'_>, out: &mut RowList) {
    difference(view, None, out, &mut RowList::new());
}

#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn load(position: &Position) -> __m512i {
    // SAFETY: a position has 64 bytes with 64-byte alignment.
    unsafe { _mm512_load_si512((&raw const *position).cast()) }
}

/// Returns a bit for each byte of the position that is at least 1, and for each that is at least 2.
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn masks(position: &Position) -> [u64; 2] {
    let bytes = load(position);
    [
        _mm512_cmpgt_epi8_mask(bytes, _mm512_setzero_si512()),
        _mm512_cmpgt_epi8_mask(bytes, _mm512_set1_epi8(1)),
    ]
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,avx2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
fn difference(to: &View<'_>, from: Option<&View<'_>>, add: &mut RowList, sub: &mut RowList) {
    let (mut plus, mut minus) = (add.start(), sub.start());
    let before = leave(to, from, &mut plus, &mut minus);
    counts(before.position(), to.position(), &mut plus, &mut minus);
    for group in &to.patterns(&before) {
        patterns(group, &mut plus, &mut minus);
    }
    plus.finish();
    minus.finish();
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,avx2,popcnt")]
#[inline]
fn counts(from: &Position, to: &Position, add: &mut Cursor<'_>, sub: &mut Cursor<'_>) {
    let (was, is) = (load(from), load(to));
    let comes = _mm512_cmpgt_epi8_mask(is, was);
    let (mut count, most) = (_mm512_min_epi8(was, is), _mm512_max_epi8(was, is));
    let last = constant(&LAST_LEVEL.0);
    let first = [constant(&FIRST_COUNT.0[0]), constant(&FIRST_COUNT.0[1])];
    let mut changed = _mm512_cmplt_epi8_mask(count, most);
    // One iteration for each added or removed checker on a place.
    while changed != 0 {
        let level = halves(_mm512_min_epi8(count, last));
        let own = _mm512_add_epi16(first[0], level[0]);
        let other = _mm512_add_epi16(first[1], level[1]);
        let (plus, minus) = (changed & comes, changed & !comes);
        append(add, plus as u32, own);
        append(add, (plus >> 32) as u32, other);
        append(sub, minus as u32, own);
        append(sub, (minus >> 32) as u32, other);
        count = _mm512_add_epi8(count, _mm512_set1_epi8(1));
        changed = _mm512_cmplt_epi8_mask(count, most);
    }
}

/// Writes the rows of added and removed patterns of one group, 32 places of each side.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,avx2,popcnt")]
#[inline]
fn patterns<'c>(group: &Patterns, add: &mut Cursor<'c>, sub: &mut Cursor<'c>) {
    let place = constant(&PLACES.0);
    let six = _mm512_set1_epi8(63);
    let pattern = |has: u64, ahead: u64| {
        let words = _mm512_set1_epi64((ahead << 6) as i64);
        _mm512_and_si512(six, _mm512_maskz_multishift_epi64_epi8(has, place, words))
    };
    let was = pattern(group.old, group.from);
    let is = pattern(group.new, group.to);
    let changed = _mm512_cmpneq_epi8_mask(was, is);
    let goes = _mm512_mask_test_epi8_mask(changed, was, was);
    let comes = _mm512_mask_test_epi8_mask(changed, is, is);
    let [own, other] = [0, 1].map(|role| constant(&group.rows.as_chunks::<LANES>().0[role]));
    for (list, mask, pattern) in [(sub, goes, was), (add, comes, is)] {
        let pattern = halves(pattern);
        append(list, mask as u32, _mm512_add_epi16(own, pattern[0]));
        append(
            list,
            (mask >> 32) as u32,
            _mm512_add_epi16(other, pattern[1]),
        );
    }
}

#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn constant<T: Copy, const N: usize>(table: &'static [T; N]) -> __m512i {
    const { assert!(size_of::<[T; N]>() == BYTES) };
    // SAFETY: the table has this many bytes.
    unsafe { _mm512_loadu_si512(table.as_ptr().cast()) }
}

/// Widens bytes to words.
#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn halves(bytes: __m512i) -> [__m512i; 2] {
    [
        _mm512_cvtepu8_epi16(_mm512_castsi512_si256(bytes)),
        _mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64::<1>(bytes)),
    ]
}

/// Appends the chosen ones of 32 rows.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2,avx2,popcnt")]
#[inline]
fn append(list: &mut Cursor<'_>, chosen: u32, rows: __m512i) {
    // Clamp numbers that are not rows, since one could be written.
    let rows = _mm512_min_epu16(rows, _mm512_set1_epi16(ROWS as i16 - 1));
    let pressed = _mm512_maskz_compress_epi16(chosen, rows);
    list.append::<LANES>(chosen.count_ones(), |behind| {
        // SAFETY: the slice has this many entries of two bytes.
        unsafe { _mm512_storeu_si512(behind.as_mut_ptr().cast(), pressed) };
    });
}
