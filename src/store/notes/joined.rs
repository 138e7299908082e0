//! A note that two processes have written at the same place.

use super::{LONGEST_NOTE, MatchFingerprint, NOTES, NoteStore};
use crate::match_file::EventPlace;
use crate::sanitize::clean;
use crate::store::StoreError;

/// Stands between the two texts: a note is one line.
const BETWEEN: &str = " / ";

impl NoteStore {
    /// Keeps a note about an event of a game, instead of the one before; an empty one removes it.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be written, or is longer than [`LONGEST_NOTE`]: no part of it is kept then.
    pub fn keep(
        &mut self,
        of: &MatchFingerprint,
        place: EventPlace,
        text: &str,
    ) -> Result<(), StoreError> {
        self.write(of, place, text, &|_| None).map(drop)
    }

    /// Keeps a note as [`NoteStore::keep`] does, for a writer who has seen the `known` texts in that place.
    /// Another one that is there now was written by another process: it stays, and the new one follows it.
    /// Returns both in that case.
    ///
    /// # Errors
    /// As [`NoteStore::keep`]; nothing is changed if both together are longer than [`LONGEST_NOTE`].
    pub fn keep_beside(
        &mut self,
        of: &MatchFingerprint,
        place: EventPlace,
        text: &str,
        known: &[String],
    ) -> Result<Option<String>, StoreError> {
        let text = text.trim();
        self.write(of, place, text, &|kept| joined(kept, text, known))
    }

    /// Writes a note, or what `join` makes of the one that is there; returns what `join` made.
    fn write(
        &mut self,
        of: &MatchFingerprint,
        place: EventPlace,
        text: &str,
        join: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Option<String>, StoreError> {
        let text = text.trim();
        let (mut both, mut length) = (None, 0);
        self.0.change(|change| {
            let kept = NOTES.find(change, of, place)?.unwrap_or_default();
            both = join(&kept);
            let whole = both.as_deref().unwrap_or(text);
            length = whole.chars().count();
            if length > LONGEST_NOTE {
                return Ok(());
            }
            NOTES.put(change, of, place, whole)
        })?;
        if length <= LONGEST_NOTE {
            return Ok(both);
        }
        let what = match both {
            Some(_) => "this one has with the note kept there meanwhile",
            None => "this one",
        };
        Err(self.0.wrong(format!(
            "a note has at most {LONGEST_NOTE} characters, {what} {length}"
        )))
    }
}

/// Both texts, where the one that is kept is neither the new one nor one that the writer knew, as it is shown.
fn joined(kept: &str, text: &str, known: &[String]) -> Option<String> {
    let is_kept = |one: &str| clean(one).trim() == clean(kept).trim();
    if kept.is_empty() || is_kept(text) || known.iter().any(|known| is_kept(known)) {
        return None;
    }
    Some(match text.is_empty() {
        true => kept.to_owned(),
        false => format!("{kept}{BETWEEN}{text}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::match_file::Match;

    #[test]
    fn a_note_of_another_process_is_never_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notes.sqlite");
        let mark = MatchFingerprint::of(&Match::default());
        let mut store = NoteStore::open(&path).unwrap();
        let mut keep = |text: &str, known: &str| {
            let known = [known.to_owned()];
            let both = store.keep_beside(&mark, (0, 1), text, &known).unwrap();
            let kept = store.notes(&mark).unwrap().remove(&(0, 1));
            assert!(both.is_none() || both == kept);
            (both.is_some(), kept.unwrap_or_default())
        };
        assert_eq!(keep("from A", ""), (false, "from A".into()));
        assert_eq!(keep("from B", ""), (true, "from A / from B".into()));
        // Removed by one who has not seen it.
        assert_eq!(keep("", "from A"), (true, "from A / from B".into()));
        // What is known is replaced, also by the same text once more.
        assert_eq!(keep("new", "from A / from B"), (false, "new".into()));
        assert_eq!(keep("new", "older"), (false, "new".into()));
        assert_eq!(keep("", "new"), (false, String::new()));
        assert_eq!(keep("again", "new"), (false, "again".into()));
        let long = "x".repeat(LONGEST_NOTE - 2);
        let refused = store.keep_beside(&mark, (0, 1), &long, &[]).unwrap_err();
        assert!(refused.to_string().contains("meanwhile"), "{refused}");
        assert_eq!(store.notes(&mark).unwrap()[&(0, 1)], "again");
    }

    /// It is shown in one line, without control characters: so changed it is no other note.
    #[test]
    fn a_note_is_known_as_it_is_shown() {
        let kept = "why?\nbecause\u{1b}";
        assert_eq!(joined(kept, "new", &["why? because".into()]), None);
        let known = [String::new(), "older".into(), kept.into()];
        assert_eq!(joined(kept, "new", &known), None);
        assert!(joined(kept, "new", &known[..2]).is_some());
    }
}
