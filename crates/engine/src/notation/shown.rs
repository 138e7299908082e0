//! Texts from outside in messages.

use crate::sanitize;

/// A text from outside as it may be shown in a message: short, and without control characters.
pub fn shown(text: &str) -> String {
    let mut short = sanitize::clean_at_most(text, 40);
    if text.chars().count() > 40 {
        short.push('…');
    }
    short
}
