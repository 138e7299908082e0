//! Words with their number and person.

use std::fmt::Display;

/// A whole number with its thousands set apart: `1,296`.
pub fn grouped(number: f64) -> String {
    let digits = format!("{number:.0}");
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1 error`, `2 errors`: a number and what it counts, of which more than one ends in *s*.
///
/// ```
/// use luckless_engine::words::counted;
/// assert_eq!([0, 1, 2].map(|n: u32| counted(n, "roll")), ["0 rolls", "1 roll", "2 rolls"]);
/// ```
pub fn counted<N: Display + PartialEq + From<u8>>(number: N, what: &str) -> String {
    let s = if number == N::from(1) { "" } else { "s" };
    format!("{number} {what}{s}")
}

/// `1 match`, `2 matches`: a number and what it counts, in both forms.
///
/// ```
/// use luckless_engine::words::counted_as;
/// assert_eq!([1, 2].map(|n: u32| counted_as(n, ["match", "matches"])), ["1 match", "2 matches"]);
/// ```
pub fn counted_as<N: Display + PartialEq + From<u8>>(number: N, [one, more]: [&str; 2]) -> String {
    match number == N::from(1) {
        true => format!("{number} {one}"),
        false => format!("{number} {more}"),
    }
}

/// The form of a verb that goes with a player's name, or with *You*, as a person may be called.
///
/// ```
/// use luckless_engine::words::verb;
/// assert_eq!(["Anna", "You"].map(|name| verb(name, ["wins", "win"])), ["wins", "win"]);
/// ```
pub fn verb<'a>(name: &str, [of_other, of_you]: [&'a str; 2]) -> &'a str {
    match name.eq_ignore_ascii_case("you") {
        true => of_you,
        false => of_other,
    }
}
