//! Remarks as the model stores them: sanitised and limited in length.

use crate::sanitize;

/// Maximum length of a remark, in characters.
pub const LONGEST_REMARK: usize = 4000;
/// Warning about a longer remark.
pub const REMARK_CUT: &str = "the remark is longer than 4000 characters and was cut";

/// Sanitises a remark line by line. Also returns whether it was shortened. Blanks at the start of a line
/// stay, because tables need them.
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
