//! Lines of a bounded length, from other programs and from people.

use std::io::{self, BufRead, Read as _};

/// A line that has been read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// All of it, without its end.
    Whole(String),
    /// It has more bytes than may be; the rest is still to be read.
    TooLong,
}

/// Reads a line of at most `most` bytes; what follows the last line feed is a line too. `None` at the end. Bytes that are
/// no UTF-8 are replaced.
///
/// # Errors
/// What reading fails with.
pub(crate) fn read_line(input: &mut impl BufRead, most: u64) -> io::Result<Option<Line>> {
    let mut line = Vec::new();
    if input.by_ref().take(most + 1).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    let is_ended = line.pop_if(|last| *last == b'\n').is_some();
    Ok(Some(match is_ended || line.len() as u64 <= most {
        true => Line::Whole(String::from_utf8_lossy(&line).into_owned()),
        false => Line::TooLong,
    }))
}

/// The line without the blanks around it, and without the zero that GNU Backgammon sends behind each line feed.
pub(crate) fn without_zeros(line: &str) -> &str {
    line.trim_matches(|c: char| c == '\0' || c.is_whitespace())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_a_longest_length_and_the_last_needs_no_end() {
        let mut input = "abc\n\nabcd\nabc".as_bytes();
        let mut next = || read_line(&mut input, 3).unwrap();
        let whole = |text: &str| Some(Line::Whole(text.to_owned()));
        assert_eq!(next(), whole("abc"));
        assert_eq!(next(), whole(""));
        assert_eq!(next(), Some(Line::TooLong));
        assert_eq!(next(), whole(""), "what is left of it");
        assert_eq!(next(), whole("abc"));
        assert_eq!(next(), None);
    }
}
