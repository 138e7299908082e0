//! The notes in the file beside a library, by the matches they belong to.

use std::collections::HashMap;
use std::path::Path;

use super::super::{NoteStore, Notes, READING, StoreError, user_folders};
use super::LibraryMatch;
use super::tables::MARK;
use crate::library::{Filter, NoteTexts};

/// Notes by the mark of the beginning they were written about, as short as the library keeps it.
#[derive(Default)]
pub(super) struct NotesBeside(HashMap<String, Notes>);

impl NotesBeside {
    /// Those in the folder of the library at `path`; none where `filter` asks for no notes.
    pub(super) fn read(path: &Path, filter: &Filter) -> Result<Self, StoreError> {
        let Some(folder) = path.parent().filter(|_| filter.asks_for_notes()) else {
            return Ok(Self::default());
        };
        let mut by_mark: HashMap<String, Notes> = HashMap::new();
        let all = NoteStore::read_by_mark(&folder.join(user_folders::NOTES), READING)?;
        for (mark, place, text) in all {
            let mark = mark.get(..MARK).unwrap_or_default().to_owned();
            by_mark.entry(mark).or_default().insert(place, text);
        }
        Ok(Self(by_mark))
    }

    /// The notes of a match: of one place the newest, which is that of the longest beginning.
    pub(super) fn of(&self, one: &LibraryMatch) -> NoteTexts {
        let mut notes = Notes::new();
        for mark in one.beginning.as_bytes().chunks(MARK) {
            let kept = std::str::from_utf8(mark)
                .ok()
                .and_then(|mark| self.0.get(mark));
            notes.extend(
                kept.into_iter()
                    .flatten()
                    .map(|(at, text)| (*at, text.clone())),
            );
        }
        notes
            .into_iter()
            .filter(|(_, text)| !text.is_empty())
            .collect()
    }
}
