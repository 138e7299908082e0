//! What is kept beside a move: a note, or variations.

use crate::match_file::Variations;
use crate::store::MatchFingerprint;

/// What is kept beside a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoteContent {
    /// A text of the user; an empty one removes what is there.
    Note(String),
    /// Variations, with those that were removed.
    Variations(Box<Variations>),
}

/// A note or the variations of a move to be kept. It names its match, as another one may be open by the time it is
/// written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoteChange {
    /// The match.
    pub mark: MatchFingerprint,
    /// Game and event.
    pub place: (usize, usize),
    /// What it says.
    pub content: NoteContent,
    /// Where it belongs, in words.
    pub about: String,
}
