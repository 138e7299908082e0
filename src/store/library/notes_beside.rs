//! The notes in the file beside a library, by the matches they belong to.

use std::collections::HashMap;
use std::path::Path;
use std::time::Duration;

use super::super::{MatchFingerprint, NoteStore, Notes, READ_TIMEOUT, StoreError, user_folders};
use super::LibraryMatch;
use super::tables::MARK;
use crate::game::GameState;
use crate::library::{Filter, NoteTexts};

/// Notes by the mark of the beginning they were written about, as short as the library keeps it.
#[derive(Debug, Default)]
pub(crate) struct NotesBeside(HashMap<String, Notes>);

impl NotesBeside {
    /// The notes in the folder of the library at `path`; none where `filter` asks for no notes.
    pub(super) fn read(path: &Path, filter: &Filter) -> Result<Self, StoreError> {
        match filter.asks_for_notes() {
            true => Self::read_all(path, READ_TIMEOUT),
            false => Ok(Self::default()),
        }
    }

    /// All notes in the folder of the library at `path`.
    pub(crate) fn read_all(path: &Path, timeout: Duration) -> Result<Self, StoreError> {
        let Some(folder) = path.parent() else {
            return Ok(Self::default());
        };
        let mut by_mark: HashMap<String, Notes> = HashMap::new();
        let all = NoteStore::read_by_mark(&folder.join(user_folders::NOTES), timeout)?;
        for (mark, place, text) in all {
            by_mark.entry(short(&mark)).or_default().insert(place, text);
        }
        Ok(Self(by_mark))
    }

    /// Whether there are no notes.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The notes of a match as a filter looks through them.
    pub(super) fn of(&self, one: &LibraryMatch) -> NoteTexts {
        self.texts(one).into_iter().collect()
    }

    /// The notes of a match: of one place the newest, which is that of the longest beginning.
    pub(crate) fn texts(&self, one: &LibraryMatch) -> Notes {
        self.of_beginning(&one.beginning)
    }

    /// The notes of the match that begins so.
    pub(super) fn of_beginning(&self, beginning: &str) -> Notes {
        let mut notes = Notes::new();
        for mark in beginning.as_bytes().chunks(MARK) {
            let kept = std::str::from_utf8(mark)
                .ok()
                .and_then(|mark| self.0.get(mark));
            notes.extend(
                kept.into_iter()
                    .flatten()
                    .map(|(at, text)| (*at, text.clone())),
            );
        }
        notes.retain(|_, text| !text.is_empty());
        notes
    }

    /// The note about a position that stands alone, whatever its dice.
    pub(crate) fn of_position(&self, state: &GameState) -> Option<&str> {
        let about = MatchFingerprint::of_position(state);
        let mut kept = about.marks().filter_map(|mark| self.0.get(&short(mark)));
        kept.next()?.values().next().map(String::as_str)
    }
}

/// A mark as short as the library keeps it.
fn short(mark: &str) -> String {
    mark.get(..MARK).unwrap_or_default().to_owned()
}
