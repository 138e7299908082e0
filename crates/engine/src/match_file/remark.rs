//! Remarks of a file, as they are kept.

use crate::sanitize;

/// Longest remark kept, in characters.
pub const LONGEST_REMARK: usize = 4000;
/// What is reported of a longer one.
pub const REMARK_CUT: &str = "the remark is longer than 4000 characters and was cut";

/// A remark that is safe to show, line by line, and whether it is longer than is kept. Blanks at the head of a line
/// stay: tables stand on them.
pub fn clean_lines(text: &str) -> (String, bool) {
    let lines: Vec<String> = text
        .lines()
        .map(|line| sanitize::clean(line).trim_end().to_owned())
        .collect();
    let safe = lines.join("\n");
    let safe = safe.trim();
    match safe.char_indices().nth(LONGEST_REMARK) {
        Some((end, _)) => (safe[..end].trim_end().to_owned(), true),
        None => (safe.to_owned(), false),
    }
}
