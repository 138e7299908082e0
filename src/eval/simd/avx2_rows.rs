//! 256-bit vectors: what turns the rows of one position into those of another.
//!
//! As in [`avx512_rows`](super::avx512_rows) all places are looked at, changed or not, so that there is almost
//! nothing to branch on. Sixteen patterns are one vector. What has changed is compressed eight rows at a time,
//! by a table of shuffles.

use std::arch::x86_64::*;

use crate::eval::encoding::{self, Encoded};
use crate::eval::features::{Patterns, View};
use crate::eval::rows::{Cursor, RowList};
use crate::game::{Position, Side};

use super::row_tables::{Aligned, FIRST_COUNT, LAST_LEVEL, PATTERN_STEPS, PLACES, leave};

/// Rows that are compressed at a time: half a vector.
const LANES: usize = 8;
/// Rows of a vector.
const WORDS: usize = 16;

/// For each choice of eight words the shuffle that brings them together. Behind them come zeros, and 0 is a row as
/// well: every entry of a list is one.
static SHUFFLES: Aligned<[[u8; 2 * LANES]; 1 << LANES]> = Aligned({
    let mut table = [[0x80; 2 * LANES]; 1 << LANES];
    let mut chosen = 0;
    while chosen < 1 << LANES {
        let (mut lane, mut to) = (0, 0);
        while lane < LANES {
            if chosen >> lane & 1 != 0 {
                table[chosen][to] = 2 * lane as u8;
                table[chosen][to + 1] = 2 * lane as u8 + 1;
                to += 2;
            }
            lane += 1;
        }
        chosen += 1;
    }
    table
});

/// For places 0 to 15 and 16 to 31: the two bytes of a word of 32 bits that hold the place's pattern. The byte
/// behind the word's last is zero.
static WINDOWS: Aligned<[[u8; PLACES]; 2]> = Aligned({
    let mut bytes = [[0; PLACES]; 2];
    let mut place = 0;
    while place < PLACES {
        let (first, at) = (place as u8 / 8, 2 * (place % WORDS));
        bytes[place / WORDS][at] = first;
        bytes[place / WORDS][at + 1] = if first < 3 { first + 1 } else { 0x80 };
        place += 1;
    }
    bytes
});

/// What brings a place's pattern to the high byte of its two, the same for every eight places.
static SHIFTS: Aligned<[u16; WORDS]> = Aligned({
    let mut factors = [0; WORDS];
    let mut lane = 0;
    while lane < WORDS {
        factors[lane] = 1 << (8 - lane % 8);
        lane += 1;
    }
    factors
});

/// A bit for each lane.
static BITS: Aligned<[u16; WORDS]> = Aligned({
    let mut bits = [0; WORDS];
    let mut lane = 0;
    while lane < WORDS {
        bits[lane] = 1 << lane;
        lane += 1;
    }
    bits
});

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
    // SAFETY: a side has 32 bytes, aligned to as many.
    unsafe { _mm256_load_si256((&raw const *side).cast()) }
}

/// A bit for each byte of the position that is one at least, and for each that is two at least.
#[target_feature(enable = "avx2")]
#[inline]
fn masks(position: &Position) -> [u64; 2] {
    let sides = [load(&position.mover), load(&position.opponent)];
    [_mm256_setzero_si256(), _mm256_set1_epi8(1)].map(|below| {
        let [own, other] = sides.map(|side| mask(_mm256_cmpgt_epi8(side, below)));
        u64::from(own) | u64::from(other) << 32
    })
}

/// A bit for each byte that is all ones.
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
    let (was, is) = (before.position(), to.position());
    counts(0, [&was.mover, &is.mover], &mut plus, &mut minus);
    counts(1, [&was.opponent, &is.opponent], &mut plus, &mut minus);
    for group in &to.patterns(&before) {
        patterns(group, &mut plus, &mut minus);
    }
    plus.finish();
    minus.finish();
}

/// Writes the rows of one side's checkers that come and go.
#[target_feature(enable = "avx2,popcnt")]
#[inline]
fn counts(role: usize, sides: [&Side; 2], add: &mut Cursor<'_>, sub: &mut Cursor<'_>) {
    let [was, is] = sides.map(|side| load(side));
    let comes = mask(_mm256_cmpgt_epi8(is, was));
    let (mut count, most) = (_mm256_min_epu8(was, is), _mm256_max_epu8(was, is));
    let mut changed = mask(_mm256_cmpgt_epi8(most, count));
    // Once for one checker more or less on a place, again for the second.
    while changed != 0 {
        let level = _mm256_min_epu8(count, constant(&LAST_LEVEL.0[0]));
        let halves = [
            _mm256_castsi256_si128(level),
            _mm256_extracti128_si256::<1>(level),
        ];
        for (half, first) in FIRST_COUNT.0[role]
            .as_chunks::<WORDS>()
            .0
            .iter()
            .enumerate()
        {
            let rows = _mm256_add_epi16(constant(first), _mm256_cvtepu8_epi16(halves[half]));
            let (plus, minus) = (changed & comes, changed & !comes);
            let [lower, upper] = [16 * half, 16 * half + 8];
            append(add, plus >> lower, plus >> upper, rows);
            append(sub, minus >> lower, minus >> upper, rows);
        }
        count = _mm256_add_epi8(count, _mm256_set1_epi8(1));
        changed = mask(_mm256_cmpgt_epi8(most, count));
    }
}

/// Writes the rows of one group's patterns that come and go.
#[target_feature(enable = "avx2,popcnt")]
#[inline]
fn patterns(group: &Patterns, add: &mut Cursor<'_>, sub: &mut Cursor<'_>) {
    let base = _mm256_set1_epi16(group.base as i16);
    for half in 0..2 {
        let was = pattern(half, group.old, group.from);
        let is = pattern(half, group.new, group.to);
        let same = _mm256_cmpeq_epi16(was, is);
        let changed =
            |of| _mm256_cmpgt_epi16(_mm256_andnot_si256(same, of), _mm256_setzero_si256());
        // Eight bits of what goes, eight of what comes, and the same of the upper eight places.
        let bits = mask(_mm256_packs_epi16(changed(was), changed(is)));
        let first = _mm256_add_epi16(
            base,
            constant(&PATTERN_STEPS.0.as_chunks::<WORDS>().0[half]),
        );
        append(sub, bits, bits >> 16, _mm256_add_epi16(first, was));
        append(add, bits >> 8, bits >> 24, _mm256_add_epi16(first, is));
    }
}

/// The patterns of sixteen places, those that `has` names, of what lies in the six places before each.
#[target_feature(enable = "avx2")]
#[inline]
fn pattern(half: usize, has: u32, ahead: u32) -> __m256i {
    let windows = _mm256_shuffle_epi8(
        _mm256_set1_epi32((ahead << 6) as i32),
        constant(&WINDOWS.0[half]),
    );
    let high = _mm256_mullo_epi16(windows, constant(&SHIFTS.0));
    let six = _mm256_and_si256(_mm256_srli_epi16::<8>(high), _mm256_set1_epi16(63));
    let bits = constant(&BITS.0);
    let named = _mm256_set1_epi16((has >> (16 * half)) as i16);
    let named = _mm256_cmpeq_epi16(_mm256_and_si256(named, bits), bits);
    _mm256_and_si256(six, named)
}

#[target_feature(enable = "avx2")]
#[inline]
fn constant<T: Copy, const N: usize>(table: &'static [T; N]) -> __m256i {
    const { assert!(size_of::<[T; N]>() == size_of::<Side>()) };
    // SAFETY: the table has as many bytes.
    unsafe { _mm256_loadu_si256(table.as_ptr().cast()) }
}

/// Puts the chosen of sixteen rows behind the last: eight bits say which of the lower half, eight which of the upper.
#[target_feature(enable = "avx2,popcnt")]
#[inline]
fn append(list: &mut Cursor<'_>, lower: u32, upper: u32, rows: __m256i) {
    let halves = [
        (lower & 0xff, _mm256_castsi256_si128(rows)),
        (upper & 0xff, _mm256_extracti128_si256::<1>(rows)),
    ];
    for (chosen, rows) in halves {
        // SAFETY: there are as many bytes.
        let order = unsafe { _mm_load_si128(SHUFFLES.0[chosen as usize].as_ptr().cast()) };
        let compressed = _mm_shuffle_epi8(rows, order);
        list.append::<LANES>(chosen.count_ones(), |behind| {
            // SAFETY: so many entries of two bytes are there.
            unsafe { _mm_storeu_si128(behind.as_mut_ptr().cast(), compressed) };
        });
    }
}
