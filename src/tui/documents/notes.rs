//! What is kept beside a move: a note, or variations.

use crate::match_file::{EventPlace, Variations};
use crate::store::MatchFingerprint;

/// What is kept beside a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoteContent {
    /// A note of the user.
    Note {
        /// What it says; an empty one removes what is there.
        text: String,
        /// What the user has seen in its place: any other text there was written by another process.
        known: Vec<String>,
    },
    /// Variations, with those that were removed.
    Variations(Box<Variations>),
}

/// A note or the variations of a move to be kept. It names its match, as another one may be open by the time it is
/// written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoteChange {
    pub mark: MatchFingerprint,
    /// Game and event.
    pub place: EventPlace,
    /// What it says.
    pub content: NoteContent,
    /// Where it belongs, in words.
    pub about: String,
    /// Whether it was written before, and goes with a match that was read again.
    pub is_carried: bool,
}

/// A note in whose place was one that the user had not seen, and what is kept there now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JoinedNote {
    pub mark: MatchFingerprint,
    /// Game and event.
    pub place: EventPlace,
    /// What the user wrote; nothing where the note was to be removed.
    pub sent: String,
    /// What is kept: the text that was there, and that of the user behind it.
    pub text: String,
    /// Where it belongs, in words.
    pub about: String,
}
