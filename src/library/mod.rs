//! The library of matches without its files: matches, decisions, and the players' names.
//!
//! [`MatchHead`] is a match in a list. [`Decision`] is a decision with the action taken and its cost; [`decisions`]
//! extracts those of a reviewed match. [`PackedDecision`] is the same in a hundred bytes: the form in which decisions
//! are stored and searched, up to a million at a time. [`names`] folds spellings of a name, and [`People`] assigns
//! names to players. [`Filter`] selects matches and decisions, [`NoteTexts`] are the user's notes, [`Pattern`] is a
//! structure of checkers, and [`Likeness`] measures the distance between positions; a [`Search`] uses all of them on
//! packed decisions. [`MatchRatings`] rates a player over several matches. `store::library` keeps all this on disk.

pub(crate) mod decision;
pub mod filter;
pub(crate) mod head;
pub(crate) mod names;
mod note_texts;
pub(crate) mod packed;
pub(crate) mod pattern;
pub(crate) mod people;
mod ratings;
pub(crate) mod search;
pub(crate) mod similar;
#[cfg(test)]
mod tests;

pub use decision::{Answer, Decision, decisions};
pub use filter::{Filter, FilterError, FilteredMatch, MatchFit};
pub use head::{MatchHead, is_unfinished, match_score};
pub use note_texts::NoteTexts;
pub use packed::PackedDecision;
pub use pattern::Pattern;
pub use people::People;
pub use ratings::MatchRatings;
pub use search::{Found, Order, Search, SearchResult, SearchRun};
pub use similar::Likeness;
