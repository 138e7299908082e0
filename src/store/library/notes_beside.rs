//! The notes in the library's folder, by match.

use std::collections::HashMap;
use std::path::Path;
use std::time::Duration;

use super::super::{MatchFingerprint, NoteStore, Notes, READ_TIMEOUT, StoreError, user_folders};
use super::LibraryMatch;
use super::tables::MARK;
use crate::game::GameState;
use crate::library::{Filter, NoteTexts};

/// Notes by the mark of their beginning, shortened to the library's length.
#[derive(Debug, Default)]
pub(crate) struct NotesBeside(HashMap<String, Notes>);

impl NotesBeside {
    /// Reads the notes in the folder of the library at `path`, if `filter` needs them.
    pub(super) fn read(path: &Path, filter: &Filter) -> Result<Self, StoreError> {
        match filter.asks_for_notes() {
            true => Self::read_all(path, READ_TIMEOUT),
            false => Ok(Self::default()),
        }
    }

    /// Reads all notes in the folder of the library at `path`.
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

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the notes of a match as a filter searches them.
    pub(super) fn of(&self, one: &LibraryMatch) -> NoteTexts {
        self.texts(one).into_iter().collect()
    }

    /// Returns the notes of a match. Of several notes at a place, that of the longest beginning counts; it is the
    /// newest.
    pub(crate) fn texts(&self, one: &LibraryMatch) -> Notes {
        self.of_beginning(&one.beginning)
    }

    /// Returns the notes of the match with this beginning.
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

    /// Returns the note on a standalone position, whatever its dice.
    pub(crate) fn of_position(&self, state: &GameState) -> Option<&str> {
        let about = MatchFingerprint::of_position(state);
        let mut kept = about.marks().filter_map(|mark| self.0.get(&short(mark)));
        kept.next()?.values().next().map(String::as_str)
    }
}

/// Shortens a mark to the length stored in the library.
fn short(mark: &str) -> String {
    mark.get(..MARK).unwrap_or_default().to_owned()
}
