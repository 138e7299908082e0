//! The fields of an identifier, with the columns at which they start.

use super::{IdError, shown};

/// Where the text behind `mark` starts, in bytes; letters may be large or small.
pub(super) fn behind(text: &str, mark: &str) -> Option<usize> {
    text.as_bytes()
        .windows(mark.len())
        .position(|window| window.eq_ignore_ascii_case(mark.as_bytes()))
        .map(|at| at + mark.len())
}

/// An identifier of fields at the beginning of `text`, without what stands behind it: a sentence may go on there with
/// any mark that `is_part` does not take. The first field ends at a colon or where a word does, so that a wrong
/// character in it is named.
pub(super) fn body(text: &str, is_part: impl Fn(char) -> bool) -> &str {
    let ends_word = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ',' | ';' | ')' | ']');
    let word = text.split(ends_word).next().unwrap_or_default();
    let Some(colon) = word.find(':') else {
        return word.trim_end_matches(|c| !is_part(c));
    };
    let rest = &word[colon..];
    let is_mark = |c: char| c != ':' && !is_part(c);
    let Some(end) = rest.find(is_mark) else {
        return word.trim_end_matches(':');
    };
    // What goes on is a field with something wrong in it, and so is one that mail has broken off.
    let behind = &rest[end..];
    match behind == "=" || behind.trim_start_matches(is_mark).starts_with(':') {
        true => word,
        false => word[..colon + end].trim_end_matches(':'),
    }
}

/// The fields of `body` between colons, at most so many; the first starts at `column`.
pub(super) fn fields(body: &str, mut column: usize, most: usize) -> Vec<Field<'_>> {
    let mut fields = Vec::with_capacity(most);
    for text in body.splitn(most, ':') {
        fields.push(Field { text, column });
        column += text.chars().count() + 1;
    }
    fields
}

/// A field and the column it starts at.
#[derive(Clone, Copy)]
pub(super) struct Field<'a> {
    pub(super) text: &'a str,
    pub(super) column: usize,
}

impl Field<'_> {
    pub(super) fn error(&self, expected: &str) -> IdError {
        let found = if self.text.is_empty() {
            "nothing".to_owned()
        } else {
            format!("'{}'", shown(self.text))
        };
        IdError::at(self.column, format!("found {found}, expected {expected}"))
    }

    pub(super) fn number(&self, expected: &str) -> Result<i32, IdError> {
        self.text.parse().map_err(|_| self.error(expected))
    }

    pub(super) fn up_to(&self, limit: u32, expected: &str) -> Result<u32, IdError> {
        let value = u32::try_from(self.number(expected)?).ok();
        value
            .filter(|&n| n <= limit)
            .ok_or_else(|| self.error(expected))
    }

    /// Reads a side: 1, 0 or -1.
    pub(super) fn side(&self, expected: &str, zero: bool) -> Result<i32, IdError> {
        match self.number(expected)? {
            side @ (1 | -1) => Ok(side),
            0 if zero => Ok(0),
            _ => Err(self.error(expected)),
        }
    }
}
