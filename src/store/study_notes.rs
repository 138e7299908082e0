//! Finds the user's notes on decisions that are shown without their match: those of the library, quiz cards and
//! positions of a list.

use std::collections::HashMap;
use std::path::Path;
use std::time::Duration;

use super::library::notes_beside::NotesBeside;
use super::{LibraryStore, Lookup, StoreError};
use crate::game::GameState;
use crate::notation::{parse_id, xgid_text};
use crate::sanitize;
use crate::study::{StudyCard, StudyDecision, decision};

/// Notes by decision.
#[derive(Debug, Default)]
pub struct StudyNotes {
    /// Notes on turns of matches of the library, by the XGID of the decision.
    of_library: HashMap<String, String>,
    /// All notes, including those on standalone positions.
    all: NotesBeside,
}

impl StudyNotes {
    /// Reads the notes in the folder of the library at `path`. Waits at most `timeout` for another process.
    ///
    /// # Errors
    /// [`StoreError`] if they or the library cannot be read.
    pub fn read(path: &Path, timeout: Duration) -> Result<Self, StoreError> {
        let all = NotesBeside::read_all(path, timeout)?;
        let of_library = match all.is_empty() {
            true => HashMap::new(),
            false => beside_moves(&all, path, timeout)?,
        };
        Ok(Self { of_library, all })
    }

    /// Returns the note on a decision of any match.
    fn about(&self, state: &GameState) -> Option<String> {
        let beside = self.of_library.get(&xgid_text(state));
        let beside = beside.and_then(|text| in_one_line(text));
        beside.or_else(|| self.about_position(state))
    }

    /// Returns the note on a standalone position.
    fn about_position(&self, state: &GameState) -> Option<String> {
        in_one_line(self.all.of_position(state)?)
    }

    /// Adds notes to decisions that have none. A note on a turn of one match is not about the same decision of
    /// another: a decision of a known match only gets notes on its position.
    pub fn put_beside(&self, decisions: &mut [StudyDecision]) {
        for one in decisions {
            one.note = one.note.take().or_else(|| match one.place {
                Some(_) => self.about_position(&one.state),
                None => self.about(&one.state),
            });
        }
    }

    /// Replaces the remarks of a list's author with the user's notes.
    pub fn put_over_remarks(&self, decisions: &mut [StudyDecision]) {
        for one in decisions {
            one.note = self.about(&one.state).or(one.note.take());
        }
    }

    /// Replaces the notes on cards with those on their decisions.
    pub fn put_beside_cards(&self, cards: &mut [StudyCard]) {
        for card in cards {
            let state = parse_id(&card.position).ok();
            card.note = state.and_then(|state| self.about(&state));
        }
    }
}

fn in_one_line(note: &str) -> Option<String> {
    let note = Some(note).filter(|text| !text.trim().is_empty())?;
    Some(sanitize::clean(note).into_owned())
}

/// Returns the notes on turns of the library's matches, by the XGID of the decision. Damage is reported where the
/// matches are listed.
fn beside_moves(
    all: &NotesBeside,
    path: &Path,
    timeout: Duration,
) -> Result<HashMap<String, String>, StoreError> {
    let mut by_decision = HashMap::new();
    let Some(store) = LibraryStore::open_to_read(path, timeout)? else {
        return Ok(by_decision);
    };
    for one in store.matches(&mut |_| {})? {
        let notes = all.texts(&one);
        if notes.is_empty() {
            continue;
        }
        let Lookup::Kept(decisions) = store.decisions(one.id)? else {
            continue;
        };
        for packed in decisions {
            let about = notes.get(&packed.place()).zip(packed.unpack());
            let noted = about.and_then(|(text, unpacked)| {
                let decision = decision::of_library(&one.head, &unpacked)?;
                let decision = decision.with_note(Some(text));
                Some((decision.key(), decision.note?))
            });
            by_decision.extend(noted);
        }
    }
    Ok(by_decision)
}
