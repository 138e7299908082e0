//! The library of matches, as far as it needs no disk: what is kept of a match and of each of its
//! decisions, and whose name is whose.
//!
//! [`MatchHead`] is a match in a list. [`Decision`] is one decision with what was done and what it cost; [`decisions`]
//! makes those of a reviewed match. [`PackedDecision`] is the same in a hundred bytes: decisions are kept and searched
//! in that form, a million of them at a time. [`names`] folds the ways in which one name is written, [`People`] says
//! which names are one player. [`Filter`] is what matches and decisions are asked for by, [`NoteTexts`] what the user
//! wrote beside them, [`Pattern`] a structure of checkers, [`Likeness`] how near positions are to one; a [`Search`]
//! goes through packed decisions by all three. [`MatchRatings`] is what a player's matches come to. Where all this lies on disk is the business of `store::library`.

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
