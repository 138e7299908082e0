//! External text in messages.

use crate::sanitize;

/// Returns external text in a form that is safe in a message: short, and without control characters.
pub fn shown(text: &str) -> String {
    let mut short = sanitize::clean_at_most(text, 40);
    if text.chars().count() > 40 {
        short.push('…');
    }
    short
}
