//! Selects decisions of the library for the quiz.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::library::notes_beside::NotesBeside;
use super::{LibraryStore, Notes, StoreError};
use crate::library::{Decision, Filter, MatchFit, MatchHead, PackedDecision, People};
use crate::study::question::AS_GOOD;
use crate::study::{StudyDecision, decision};

/// Which decisions of a library to select.
#[derive(Clone, Copy, Debug)]
pub struct LibraryChoice<'a> {
    /// Decisions by the player of this name. Without a name: those by players whom the filter selects, or else by the
    /// user. If the library does not know the user, or the filter asks for the user's notes, those by everybody.
    pub whose: Option<&'a str>,
    /// Only decisions that pass this filter.
    pub filter: &'a Filter,
    /// Also select right decisions in situations that pass, so that being asked is no hint.
    pub with_right: bool,
}

impl LibraryChoice<'_> {
    /// Returns whether to select decisions of every player who passes the filter.
    fn is_of_all(&self, people: &People) -> bool {
        let says = self.filter.says_who_decides(people) || self.filter.wants_notes();
        self.whose.is_none() && says
    }

    /// Returns whether to select only the user's decisions, because nobody is named and the library at `path` knows
    /// the user.
    pub fn is_of_user(&self, path: &Path, timeout: Duration) -> bool {
        let people = || {
            LibraryStore::open_to_list(path, timeout)
                .ok()??
                .people()
                .ok()
        };
        let is_of_me = |all: People| all.knows_me() && !self.is_of_all(&all);
        self.whose.is_none() && people().is_some_and(is_of_me)
    }
}

/// Returns all selected decisions of the library at `path`, each with the note on its own turn. Damage is reported to
/// `report` and skipped.
///
/// # Errors
/// [`StoreError`] if the library cannot be read.
pub fn library_decisions(
    path: &Path,
    wanted: &LibraryChoice<'_>,
    timeout: Duration,
    report: &mut dyn FnMut(String),
) -> Result<Vec<StudyDecision>, StoreError> {
    let Some(store) = LibraryStore::open_to_list(path, timeout)? else {
        return Ok(Vec::new());
    };
    let LibraryChoice {
        whose,
        filter,
        with_right,
    } = *wanted;
    let people = store.people()?;
    let situation = filter.of_situation();
    let is_wanted_too = |fit: &MatchFit, one: &PackedDecision| {
        let is_right = || one.error() < AS_GOOD && situation.fits(fit, one);
        filter.fits(fit, one) || with_right && is_right()
    };
    let matches = store.matches(report)?;
    let fits = store.fits(filter, &matches, &people)?;
    // Unreadable notes are reported where the other notes are read.
    let notes = NotesBeside::read_all(path, timeout).unwrap_or_default();
    let found = matches.into_iter().map(|one| {
        let file = one.file_to_open().map(Path::to_owned);
        let notes = notes.texts(&one);
        let (id, head) = (one.id, one.head);
        let found = FoundMatch {
            id,
            head,
            file,
            notes,
        };
        (id, found)
    });
    let found: HashMap<i64, FoundMatch> = found.collect();
    let is_of_all = wanted.is_of_all(&people);
    let mut all = Vec::new();
    store.each(|id, decisions| {
        let (Some(found), Some(fit)) = (found.get(&id), fits.get(&id)) else {
            return;
        };
        let players = found.head.players.each_ref();
        let wanted = players.map(|name| is_of_all || is_wanted(&people, name, whose));
        let fitting = decisions.iter().filter(|one| is_wanted_too(fit, one));
        let unpacked = fitting.filter_map(|packed| Some((packed, packed.unpack()?)));
        let of_them = unpacked.filter(|(_, one)| wanted[one.player.index()]);
        all.extend(of_them.filter_map(|(packed, one)| found.decision(packed, &one)));
    })?;
    Ok(all)
}

/// A match whose decisions are selected.
struct FoundMatch {
    id: i64,
    head: MatchHead,
    file: Option<PathBuf>,
    notes: Notes,
}

impl FoundMatch {
    /// Returns a quiz decision, with the ID and file of its match and the note on it.
    fn decision(&self, packed: &PackedDecision, one: &Decision) -> Option<StudyDecision> {
        let mut decision = decision::of_library(&self.head, one)?;
        decision.match_number = Some(self.id);
        if let Some(place) = &mut decision.place {
            place.file.clone_from(&self.file);
        }
        let note = self.notes.get(&packed.place());
        Some(decision.with_note(note.map(String::as_str)))
    }
}

fn is_wanted(people: &People, name: &str, whose: Option<&str>) -> bool {
    match whose {
        Some(whose) => people.is_called(name, whose),
        None => !people.knows_me() || people.is_me(name),
    }
}
