//! The length of a match as files write it.

use super::text::quote;
use crate::notation::LONGEST_MATCH;

/// Lengths that programs write for money play.
const ENDLESS: [i64; 4] = [0, 9999, 99_999, 999_999];

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct MatchLength {
    /// Points; 0 for money.
    pub(super) points: u16,
    /// The warning about an impossible length.
    pub(super) complaint: Option<String>,
}

impl MatchLength {
    /// Reads a number as a length.
    pub(super) fn new(number: i64) -> Self {
        Self::written(number, &number.to_string())
    }

    /// Parses digits, perhaps with a sign; `None` for any other text.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
        let is_number = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        is_number.then(|| Self::written(text.parse().unwrap_or(i64::MAX), text))
    }

    /// Reads a text as a length. Text other than a number means money; unknown words cause a warning.
    pub(super) fn read(text: &str) -> Self {
        let is_money = text.is_empty() || text.eq_ignore_ascii_case("unlimited");
        Self::parse(text).unwrap_or_else(|| Self {
            points: 0,
            complaint: (!is_money).then(|| {
                let found = quote(text);
                format!("'{found}' is no length of a match: it is read as money")
            }),
        })
    }

    fn written(number: i64, text: &str) -> Self {
        let points = u16::try_from(number).ok();
        let points = points
            .filter(|&points| points <= LONGEST_MATCH)
            .unwrap_or(0);
        let is_match = points > 0 || ENDLESS.contains(&number);
        let complaint = (!is_match).then(|| {
            let found = quote(text);
            format!("a match to {found} points is read as money: the longest match is to {LONGEST_MATCH}")
        });
        Self { points, complaint }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lengths_of_matches_are_lengths() {
        let read = |number: i64| {
            let length = MatchLength::new(number);
            (length.points, length.complaint.is_some())
        };
        for (number, expected) in [
            (7, (7, false)),
            (9998, (9998, false)),
            (0, (0, false)),
            (9999, (0, false)),
            (99_999, (0, false)),
            (999_999, (0, false)),
            (10_000, (0, true)),
            (65_535, (0, true)),
            (65_536 + 7, (0, true)),
            (-1, (0, true)),
            (i64::MAX, (0, true)),
        ] {
            assert_eq!(read(number), expected, "{number}");
        }
        assert_eq!(MatchLength::parse("07"), Some(MatchLength::new(7)));
        assert_eq!(MatchLength::parse("-7"), Some(MatchLength::new(-7)));
        for none in ["", "-", "7.0", "unlimited"] {
            assert_eq!(MatchLength::parse(none), None, "{none}");
        }
        assert_eq!(MatchLength::read("unlimited"), MatchLength::default());
        assert_eq!(MatchLength::read("7"), MatchLength::new(7));
        let odd = MatchLength::read("seven").complaint.unwrap();
        assert!(odd.starts_with("'seven' is no length"), "{odd}");
        let long = MatchLength::parse(&"9".repeat(100)).unwrap();
        let complaint = long.complaint.unwrap();
        assert!(complaint.starts_with("a match to 999") && complaint.chars().count() < 140);
    }
}
