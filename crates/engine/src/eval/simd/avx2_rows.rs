//! 256-bit vectors: the difference between the rows of two positions.
//!
//! Vectors of bytes, and words with a bit for each place, determine the changes. Their rows are written four
//! at a time, so that there are few branches.

use std::arch::x86_64::*;

use crate::eval::encoding::{self, Encoded};
use crate::eval::features::{View, joined, pattern_difference};
use crate::eval::rows::{Cursor, RowList};
use crate::game::{Position, Side};

use super::row_tables::{Aligned, FIRST_COUNT, LAST_LEVEL, PLACES, leave};

/// See [`super::Kernel::encode`].
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
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
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn rows(view: &View<'_>, out: &mut RowList) {
    difference(view, None, out, &mut RowList::new());
}

#[target_feature(enable = "avx2")]
#[inline]
fn load(side: &Side) -> __m256i {
    // SAFETY: a side has 32 bytes with 32-byte alignment.
    unsafe { _mm256_load_si256((&raw const *side).cast()) }
}

/// Returns a bit for each byte of the position that is at least 1, and for each that is at least 2.
#[target_feature(enable = "avx2")]
#[inline]
fn masks(position: &Position) -> [u64; 2] {
    let sides = [load(&position.mover), load(&position.opponent)];
    [_mm256_setzero_si256(), _mm256_set1_epi8(1)].map(|below| {
        let [own, other] = sides.map(|side| mask(_mm256_cmpgt_epi8(side, below)));
        joined(own, other)
    })
}

/// Returns a bit for each byte with all bits set.
#[target_feature(enable = "avx2")]
#[inline]
fn mask(bytes: __m256i) -> u32 {
    _mm256_movemask_epi8(bytes) as u32
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
fn difference(to: &View<'_>, from: Option<&View<'_>>, add: &mut RowList, sub: &mut RowList) {
    let (mut plus, mut minus) = (add.start(), sub.start());
    let before = leave(to, from, &mut plus, &mut minus);
    counts(before.position(), to.position(), &mut plus, &mut minus);
    pattern_difference(&to.patterns(&before), &mut plus, &mut minus);
    plus.finish();
    minus.finish();
}

/// Writes the rows of added and removed checkers.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
#[inline]
fn counts(from: &Position, to: &Position, add: &mut Cursor<'_>, sub: &mut Cursor<'_>) {
    let both = |[own, other]: [__m256i; 2]| joined(mask(own), mask(other));
    let sides = [(&from.mover, &to.mover), (&from.opponent, &to.opponent)];
    let sides = sides.map(|(was, is)| [load(was), load(is)]);
    let comes = both(sides.map(|[was, is]| _mm256_cmpgt_epi8(is, was)));
    let most = sides.map(|[was, is]| _mm256_max_epi8(was, is));
    let mut count = sides.map(|[was, is]| _mm256_min_epi8(was, is));
    // One iteration for each added or removed checker on a place.
    loop {
        let changed = both([0, 1].map(|side| _mm256_cmpgt_epi8(most[side], count[side])));
        if changed == 0 {
            return;
        }
        let levels = levels(count);
        let row = |place: usize| FIRST_COUNT.0.as_flattened()[place] + u16::from(levels.0[place]);
        add.push_each(changed & comes, row);
        sub.push_each(changed & !comes, row);
        count = count.map(|count| _mm256_add_epi8(count, _mm256_set1_epi8(1)));
    }
}

/// Returns the offset of the next checker's row from that of the first, on each place.
#[target_feature(enable = "avx2")]
#[inline]
fn levels(count: [__m256i; 2]) -> Aligned<[u8; 2 * PLACES]> {
    let mut levels = Aligned([0; 2 * PLACES]);
    // SAFETY: the tables have 64 bytes with 64-byte alignment.
    unsafe {
        let last = _mm256_load_si256(LAST_LEVEL.0.as_ptr().cast());
        for (side, count) in count.into_iter().enumerate() {
            let to = levels.0.as_mut_ptr().cast::<__m256i>().add(side);
            _mm256_store_si256(to, _mm256_min_epu8(count, last));
        }
    }
    levels
}
