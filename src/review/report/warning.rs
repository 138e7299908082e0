//! Warnings of the reader, as a review has them.

use serde::{Deserialize, Serialize};

/// A warning of the reader.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReportWarning {
    /// Line, from 1; 0 in a binary file.
    pub line: u32,
    /// Column, from 1; 0 in a binary file.
    pub column: u32,
    /// Place in a binary file, in bytes from its beginning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<u64>,
    pub message: String,
}

impl ReportWarning {
    /// The message behind its place, if that is known: `12:5: …` or `byte 204: …`.
    pub fn with_place(&self) -> String {
        let message = &self.message;
        match (self.offset, self.line) {
            (Some(offset), _) => format!("byte {offset}: {message}"),
            (None, 0) => message.clone(),
            (None, line) => format!("{line}:{}: {message}", self.column),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_is_a_line_or_a_byte_or_unknown() {
        let mut warning = ReportWarning {
            line: 12,
            column: 5,
            offset: None,
            message: "no result".to_owned(),
        };
        assert_eq!(warning.with_place(), "12:5: no result");
        (warning.line, warning.column, warning.offset) = (0, 0, Some(204));
        assert_eq!(warning.with_place(), "byte 204: no result");
        warning.offset = None;
        assert_eq!(warning.with_place(), "no result");
    }
}
