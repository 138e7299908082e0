//! Joins notes that two processes have written at the same place.

use super::{LONGEST_NOTE, MatchFingerprint, NOTES, NoteStore};
use crate::match_file::EventPlace;
use crate::sanitize::clean;
use crate::store::StoreError;

/// Separator of the two texts: a note is one line.
const BETWEEN: &str = " / ";

impl NoteStore {
    /// Replaces the note on an event; an empty text removes it.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be written or is longer than [`LONGEST_NOTE`]; it is then not stored at all.
    pub fn keep(
        &mut self,
        of: &MatchFingerprint,
        place: EventPlace,
        text: &str,
    ) -> Result<(), StoreError> {
        self.write(of, place, text, &|_| None).map(drop)
    }

    /// Stores a note as [`NoteStore::keep`] does, for a writer who has seen the `known` texts at that place. If
    /// another process has written a different note, both are stored, joined, and returned.
    ///
    /// # Errors
    /// As [`NoteStore::keep`]; nothing changes if the joined text is longer than [`LONGEST_NOTE`].
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

    /// Writes a note, or the result of `join` with the stored note. Returns that result.
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
            NOTES.write(change, of, place, whole)
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

/// Returns both texts joined, unless the stored text, as displayed, equals the new one or a known one.
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
        // The other writer removed a note it had not seen.
        assert_eq!(keep("", "from A"), (true, "from A / from B".into()));
        // A known text is replaced, even by the same text.
        assert_eq!(keep("new", "from A / from B"), (false, "new".into()));
        assert_eq!(keep("new", "older"), (false, "new".into()));
        assert_eq!(keep("", "new"), (false, String::new()));
        assert_eq!(keep("again", "new"), (false, "again".into()));
        let long = "x".repeat(LONGEST_NOTE - 2);
        let refused = store.keep_beside(&mark, (0, 1), &long, &[]).unwrap_err();
        assert_has!(refused.to_string(), "meanwhile");
        assert_eq!(store.notes(&mark).unwrap()[&(0, 1)], "again");
    }

    /// Notes are displayed in one line without control characters; such a difference does not count.
    #[test]
    fn a_note_is_known_as_it_is_shown() {
        let kept = "why?\nbecause\u{1b}";
        assert_eq!(joined(kept, "new", &["why? because".into()]), None);
        let known = [String::new(), "older".into(), kept.into()];
        assert_eq!(joined(kept, "new", &known), None);
        assert!(joined(kept, "new", &known[..2]).is_some());
    }
}
