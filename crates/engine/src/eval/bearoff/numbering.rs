//! Numbers for all home boards of up to fifteen checkers on six points.
//!
//! Let `t(p)` be the number of checkers on point `p` or behind it. The number of a home board is
//!
//! ```text
//! sum over p = 1..6 of C(t(p) + 6 - p, 7 - p)
//! ```
//!
//! which is the combinatorial number system for the six strictly decreasing numbers `t(p) + 6 - p`. It has
//! two useful properties. Any step of a checker lowers some `t(p)` and raises none, so it lowers the number:
//! a table can be filled in order of the numbers. And boards with at most `n` checkers are exactly the first
//! `C(n + 6, 6)`, so a table for fewer checkers is a prefix of a larger one.
//!
//! This file does not use the crate, because the build script compiles it too.

/// Number of points of a home board.
pub(super) const POINTS: usize = 6;

/// Checkers on the points 1 to 6 (index 0 is the ace point).
pub(super) type Home = [u8; POINTS];

/// Returns the number of home boards with at most `checkers` checkers: C(checkers + 6, 6).
pub(super) const fn boards(checkers: usize) -> usize {
    choose(checkers + POINTS, POINTS)
}

const fn choose(n: usize, k: usize) -> usize {
    let (mut result, mut i) = (1, 0);
    while i < k {
        if n < i + 1 {
            return 0;
        }
        result = result * (n - i) / (i + 1);
        i += 1;
    }
    result
}

/// `TERMS[p - 1][t]` is C(t + 6 - p, 7 - p).
const TERMS: [[u16; 16]; POINTS] = {
    let mut terms = [[0; 16]; POINTS];
    let mut p = 1;
    while p <= POINTS {
        let mut t = 0;
        while t < 16 {
            terms[p - 1][t] = choose(t + POINTS - p, POINTS + 1 - p) as u16;
            t += 1;
        }
        p += 1;
    }
    terms
};

/// Returns the number of a home board, and its checkers (at most fifteen).
#[inline]
pub(super) fn number(home: &Home) -> (usize, u8) {
    let (mut behind, mut number) = (0u8, 0usize);
    for p in (0..POINTS).rev() {
        behind += home[p];
        number += usize::from(TERMS[p][usize::from(behind & 15)]);
    }
    (number, behind)
}

/// Returns the home board with this number: the inverse of [`number`].
pub(super) fn board(mut number: usize) -> Home {
    let mut behind = [0u8; POINTS + 1];
    for p in 0..POINTS {
        let t = (0..16)
            .rev()
            .find(|&t| usize::from(TERMS[p][t]) <= number)
            .unwrap_or(0);
        number -= usize::from(TERMS[p][t]);
        behind[p] = t as u8;
    }
    std::array::from_fn(|p| behind[p] - behind[p + 1])
}
