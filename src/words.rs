//! Words with their number.

use std::fmt::Display;

/// `1 error`, `2 errors`: a number and what it counts, of which more than one ends in *s*.
///
/// ```
/// use luckless::words::counted;
/// assert_eq!([0, 1, 2].map(|n: u32| counted(n, "roll")), ["0 rolls", "1 roll", "2 rolls"]);
/// ```
#[must_use]
pub fn counted<N: Display + PartialEq + From<u8>>(number: N, what: &str) -> String {
    let s = if number == N::from(1) { "" } else { "s" };
    format!("{number} {what}{s}")
}
