//! The fields of an identifier, with their columns.

use super::{IdError, shown};

/// Returns the end of the first `mark` in a text, in bytes, ignoring case.
pub(super) fn end_of_mark(text: &str, mark: &str) -> Option<usize> {
    text.as_bytes()
        .windows(mark.len())
        .position(|window| window.eq_ignore_ascii_case(mark.as_bytes()))
        .map(|at| at + mark.len())
}

/// Returns the identifier at the start of `text`, without the text after it: any character that `is_part`
/// rejects may follow. The first field ends at a colon or at the end of a word, so that a wrong character in
/// it is reported.
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
    // A continuing text is a field with an error, or a field broken by e-mail.
    let rest = &rest[end..];
    match rest == "=" || rest.trim_start_matches(is_mark).starts_with(':') {
        true => word,
        false => word[..colon + end].trim_end_matches(':'),
    }
}

/// Returns the fields of `body` between colons, at most `most`; the first starts at `column`.
pub(super) fn fields(body: &str, mut column: usize, most: usize) -> Vec<Field<'_>> {
    let mut fields = Vec::with_capacity(most);
    for text in body.splitn(most, ':') {
        fields.push(Field { text, column });
        column += text.chars().count() + 1;
    }
    fields
}

/// A field and its column.
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

    /// Parses a side: 1, 0 or -1.
    pub(super) fn side(&self, expected: &str, zero: bool) -> Result<i32, IdError> {
        match self.number(expected)? {
            side @ (1 | -1) => Ok(side),
            0 if zero => Ok(0),
            _ => Err(self.error(expected)),
        }
    }
}
