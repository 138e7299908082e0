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
    /// What was found.
    pub message: String,
}

impl ReportWarning {
    /// Where it is: `12:5`, or `byte 204`.
    #[must_use]
    pub fn place(&self) -> String {
        match self.offset {
            Some(offset) => format!("byte {offset}"),
            None => format!("{}:{}", self.line, self.column),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_is_a_line_or_a_byte() {
        let mut warning = ReportWarning {
            line: 12,
            column: 5,
            offset: None,
            message: String::new(),
        };
        assert_eq!(warning.place(), "12:5");
        (warning.line, warning.column, warning.offset) = (0, 0, Some(204));
        assert_eq!(warning.place(), "byte 204");
    }
}
