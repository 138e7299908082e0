//! The filter language for matches and decisions: words separated by blanks, all of which must hold. [`KEYS`] is the
//! table of words, from which the book's table is made.
//!
//! A word is a condition on the match and the player who decides (a name, a date, a rating), or on the decision.
//! [`Filter::match_fit`] tests the former once for both players of a match, so that other matches cost nothing;
//! [`Filter::fits`] tests the latter on the packed record and the notes.

mod hints;
mod parse;
mod range;
mod score;
mod spelling;
mod table;
#[cfg(test)]
mod tests;
mod words;

pub use parse::FilterError;
pub use range::Range;
pub use score::{ScoreRegion, ScoreTest};
pub use table::{FilterKey, KEYS, begun, completion, completions, manual, value_completions};
pub use words::{Filter, FilteredMatch, MatchFit, event_word, opponent_word, player_word};
