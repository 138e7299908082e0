//! Carries notes over when a play of a match is corrected, for turns that are unchanged.
//!
//! Notes are stored under the match's fingerprint, which changes with an early play.

use std::path::Path;

use super::super::{NoteStore, READ_TIMEOUT, StoreError, user_folders};
use super::notes_beside::NotesBeside;
use super::tables::CorrectedMatch;

/// Copies the notes of these matches to their new fingerprints.
pub(super) fn carry_notes(library: &Path, all: &[CorrectedMatch]) -> Result<(), StoreError> {
    let Some(folder) = library.parent().filter(|_| !all.is_empty()) else {
        return Ok(());
    };
    let beside = NotesBeside::read_all(library, READ_TIMEOUT)?;
    if beside.is_empty() {
        return Ok(());
    }
    let mut store = NoteStore::open_within(&folder.join(user_folders::NOTES), READ_TIMEOUT)?;
    for one in all {
        let mut notes = beside.of_beginning(&one.before);
        notes.retain(|place, _| !one.other.contains(place));
        let known = store.notes(&one.now)?;
        for (place, text) in notes {
            if !known.contains_key(&place) {
                store.keep(&one.now, place, &text)?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::tests::new;
    use super::super::{Kept, LibraryStore};
    use super::*;
    use crate::match_file::read_bytes;

    const TEXT: &str = include_str!("../../../sample_matches/clara-dev-3pt.mat");

    /// A note stays with its turn even if an earlier play was corrected while the match was not open.
    #[test]
    fn notes_come_along() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let mut store = LibraryStore::open(&at(user_folders::LIBRARY)).unwrap();
        let corrected = TEXT.replace("32: 6/3 13/11 ", "32: 13/8      ");
        let [old, new] =
            [TEXT, &corrected].map(|text| new(&read_bytes(text.as_bytes(), "a.mat").unwrap()));
        assert_ne!(old.fingerprint, new.fingerprint);
        let path = Path::new("/m/a.mat");
        let id = store.keep(path, "1", std::slice::from_ref(&old)).unwrap()[0].id();
        let mut notes = NoteStore::open(&at(user_folders::NOTES)).unwrap();
        let first = (0, 2);
        let later = (1, 3);
        // Game 1 has a dance there: no decision.
        let dance = (0, 13);
        for (place, text) in [(first, "first"), (later, "later"), (dance, "dance")] {
            notes.keep(&old.fingerprint, place, text).unwrap();
        }
        let kept = store.keep(path, "2", std::slice::from_ref(&new)).unwrap();
        assert_eq!(kept, [Kept::Updated(id)]);
        let found = notes.notes(&new.fingerprint).unwrap();
        assert_eq!(found.get(&first).map(String::as_str), Some("first"));
        assert_eq!(found.get(&later).map(String::as_str), Some("later"));
        assert!(found.contains_key(&dance));
        // An existing note is not overwritten.
        notes.keep(&old.fingerprint, first, "another").unwrap();
        store.keep(path, "3", &[old]).unwrap();
        store.keep(path, "4", std::slice::from_ref(&new)).unwrap();
        let found = notes.notes(&new.fingerprint).unwrap();
        assert_eq!(found.get(&first).map(String::as_str), Some("first"));
    }
}
