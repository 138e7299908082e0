//! The language in which matches and decisions are asked for: words with blanks between, all of which must
//! hold. [`KEYS`] is the table of what there is; the book's table is made of it.
//!
//! A word asks for something about the match and the player who decides (a name, a date, a rating), or for
//! something about the decision. [`Filter::match_fit`] answers the first for both players of a match at once, so that
//! a match that does not fit costs nothing; [`Filter::fits`] answers the second from the packed record and the notes.

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
