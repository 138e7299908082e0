//! Notes and variations at a move, in the form in which they are stored.

use crate::match_file::{EventPlace, Variations};
use crate::store::MatchFingerprint;

/// Data stored at a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoteContent {
    Note {
        /// The text; an empty one removes the stored note.
        text: String,
        /// The texts that the user has seen at that place; any other stored text comes from another process.
        known: Vec<String>,
    },
    /// Variations, including removed ones.
    Variations(Box<Variations>),
}

/// A note or variations to store. It identifies its match, because another one may be open when it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoteChange {
    pub mark: MatchFingerprint,
    /// Game and event.
    pub place: EventPlace,
    pub content: NoteContent,
    /// Description of the place.
    pub about: String,
    /// Whether it is an older note, carried over to a match that was read again.
    pub is_carried: bool,
}

/// A note that was joined with one the user had not seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JoinedNote {
    pub mark: MatchFingerprint,
    /// Game and event.
    pub place: EventPlace,
    /// The user's text; empty if the note was to be removed.
    pub sent: String,
    /// The stored text: the existing one followed by the user's.
    pub text: String,
    /// Description of the place.
    pub about: String,
}
