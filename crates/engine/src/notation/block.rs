//! Finds a position in other text: a forum post, an export, or a copied page.
//!
//! Programs translate all words around an identifier, so only the shape of the identifier is used.

use super::{IdError, Xgid, gnubg_id, ogid, xgid};
use crate::game::GameState;

/// Maximum number of words between a position ID and its match ID.
const MOST_WORDS_BETWEEN: usize = 4;

/// Returns the first position among the words of `text`, if there is one.
pub(super) fn find(text: &str) -> Option<Result<GameState, IdError>> {
    let bare = |word: &str| {
        let is_mark = |c: char| !c.is_alphanumeric() && !"-+/=".contains(c);
        word.trim_matches(is_mark).to_owned()
    };
    let words: Vec<&str> = text.split_whitespace().collect();
    for (i, word) in words.iter().enumerate() {
        let word = bare(word);
        if xgid::looks_like(&word) && word.matches(':').count() >= 3 {
            return Some(Xgid::parse(&word).map(|id| id.state));
        }
        if ogid::looks_like(&word) {
            return Some(ogid::parse(&word));
        }
        let word = without_label(&word);
        if word.contains(':') && word.len() >= 14 && gnubg_id::parse(word).is_ok() {
            return Some(gnubg_id::parse(word));
        }
        if word.len() == 14 && gnubg_id::parse(word).is_ok() {
            let next = words[i + 1..].iter().map(|next| bare(next));
            // Skip a colon between blanks.
            let next = next
                .filter(|next| !next.is_empty())
                .take(MOST_WORDS_BETWEEN);
            let both = next
                .map(|next| format!("{word}:{}", without_label(&next)))
                .find_map(|both| gnubg_id::parse(&both).ok());
            return Some(both.map_or_else(|| gnubg_id::parse(word), Ok));
        }
    }
    None
}

/// Returns the text after `ID=` or `ID:` in a word.
fn without_label(word: &str) -> &str {
    let label = word.find(['=', ':']).filter(|&at| {
        let before = word[..at].to_ascii_lowercase();
        before.ends_with("id")
    });
    label.map_or(word, |at| &word[at + 1..])
}
