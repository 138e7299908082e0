//! The library: all added matches, their decisions and their files, in a SQLite file.
//!
//! A match is identified by its beginning ([`MatchFingerprint`]), so that it is one match in all files and formats.
//! Of two records of one match the longer is kept. The decisions of a match are one row of packed records
//! ([`PackedDecision`]): they are written together, share a checksum, and are searched without parsing. The whole
//! review is in the reviews file, under the key stored here.
//!
//! A file is identified by its path and the hash of its bytes. The reason why a file was unreadable is kept, and the
//! fingerprints of matches that the user removed. Removed matches are not added again with their folder, not even
//! from another file.

mod corrected;
mod entry;
mod file_rows;
pub(super) mod notes_beside;
mod path_text;
mod removal;
pub(super) mod tables;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{OptionalExtension as _, Row, params};

use super::checksum::field;
use super::database::Database;
use super::listing::open_to_list;
use super::rows::damaged;
use super::{Lookup, MatchFingerprint, Notes, READ_TIMEOUT, StoreError, file};
use crate::library::{
    Filter, FilteredMatch, MatchFit, PackedDecision, People, Search, SearchResult, SearchRun,
};
use corrected::carry_notes;
use entry::MatchFiles;
use file_rows::{FILE, file_of, forget_moved, known, put_file, put_first};
use notes_beside::NotesBeside;
use path_text::path_text;
use tables::{
    Beginning, DECISIONS, FileBefore, HEAD, KIND, Stored, by_id, find, has_sound_decisions,
    not_found, packed, people, people_rows, person_sum, store_match,
};

pub use entry::{FileState, Kept, LibraryFile, LibraryMatch, NewMatch};
pub use tables::MatchMark;

/// Aborts a transaction on purpose. SQLite itself never returns this error here, and it does not indicate damage.
const ROLLED_BACK: rusqlite::Error = rusqlite::Error::StatementChangedRows(0);

/// An open library.
#[derive(Debug)]
pub struct LibraryStore(Database);

impl LibraryStore {
    /// Opens the file at `path`; creates it and its folder if missing.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be opened or belongs to another program.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Database::open(path, &KIND).map(Self)
    }

    /// Opens the file at `path` for reading; `None` if it is missing. Waits at most `timeout` for another process.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be opened or belongs to another program.
    pub fn open_to_read(path: &Path, timeout: Duration) -> Result<Option<Self>, StoreError> {
        Ok(Database::open_to_read(path, &KIND, timeout)?.map(Self))
    }

    /// Opens the file as [`LibraryStore::open_to_read`] does, and checks every page for damage, before a complete
    /// listing.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be opened or belongs to another program.
    pub fn open_to_list(path: &Path, timeout: Duration) -> Result<Option<Self>, StoreError> {
        Ok(open_to_list(path, &KIND, timeout)?.map(Self))
    }

    /// Path of the library's file.
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Path of the reviews file in the same folder.
    pub fn reviews(&self) -> Option<PathBuf> {
        Some(self.0.path().parent()?.join(super::user_folders::REVIEWS))
    }

    /// Returns all undamaged matches, by the day they were played. Damage is passed to `report`.
    ///
    /// # Errors
    /// [`StoreError`] if they cannot be read.
    pub fn matches(&self, report: &mut dyn FnMut(String)) -> Result<Vec<LibraryMatch>, StoreError> {
        let mut files: BTreeMap<i64, MatchFiles> = BTreeMap::new();
        for file in self.files(report)? {
            let FileState::Read(ids) = &file.state else {
                continue;
            };
            for (place, id) in ids.iter().enumerate() {
                let files_of_match = files.entry(*id).or_default();
                match place {
                    0 => files_of_match.leading.push(file.path.clone()),
                    _ => files_of_match.others.push(file.path.clone()),
                }
            }
        }
        let question = format!("SELECT {HEAD} FROM matches WHERE id = ?1");
        let mut all = Vec::new();
        let mut bad = 0;
        for id in self.0.ids("matches")? {
            let found = self.0.read_row(|connection| {
                let mut question = connection.prepare_cached(&question)?;
                question
                    .query_row([id], |row| Ok(Stored::whole(row)))
                    .optional()
            })?;
            match found {
                Lookup::Kept(Some(stored)) => {
                    all.push(stored.listed(files.remove(&id).unwrap_or_default()));
                }
                _ => bad += 1,
            }
        }
        if bad > 0 {
            report(damaged(self.path(), bad, ["match", "matches"]));
        }
        // Errors in reading people are reported elsewhere.
        let people = self.0.read(people_rows).unwrap_or_default();
        let bad = people.iter().filter(|one| one.is_none()).count();
        if bad > 0 {
            report(damaged(self.path(), bad, ["name", "names"]));
        }
        all.sort_by(|a, b| (&a.head.date, a.id).cmp(&(&b.head.date, b.id)));
        Ok(all)
    }

    /// Returns the match with this fingerprint, if it exists undamaged.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be read.
    pub fn find(&self, of: &MatchFingerprint) -> Result<Option<LibraryMatch>, StoreError> {
        let mark = Beginning::of(of);
        let found = self.0.read(|connection| find(connection, &mark))?;
        Ok(found.map(|stored| stored.listed(MatchFiles::default())))
    }

    /// Returns the match with this ID, without its files, if it exists undamaged.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be read.
    pub fn get(&self, id: i64) -> Result<Option<LibraryMatch>, StoreError> {
        let found = self.0.read(|connection| by_id(connection, id))?;
        Ok(found.map(|stored| stored.listed(MatchFiles::default())))
    }

    /// Returns the IDs of all matches, including damaged ones.
    ///
    /// # Errors
    /// [`StoreError`] if they cannot be read.
    pub fn numbers(&self) -> Result<BTreeSet<i64>, StoreError> {
        Ok(self.0.ids("matches")?.into_iter().collect())
    }

    /// Returns all known files, except unreadable ones that no longer exist. Damaged rows are skipped; their files
    /// are read again when added.
    ///
    /// # Errors
    /// [`StoreError`] if they cannot be read.
    pub fn files(&self, report: &mut dyn FnMut(String)) -> Result<Vec<LibraryFile>, StoreError> {
        let question = format!("SELECT {FILE} FROM files WHERE id = ?1");
        let (mut all, mut bad) = (Vec::new(), 0);
        for id in self.0.ids("files")? {
            let found = self.0.read_row(|connection| {
                let mut question = connection.prepare_cached(&question)?;
                question.query_row([id], |row| Ok(file_of(row))).optional()
            })?;
            match found {
                Lookup::Kept(Some(file)) => all.extend(file.unless_gone()),
                _ => bad += 1,
            }
        }
        if bad > 0 {
            report(damaged(self.path(), bad, ["file", "files"]));
        }
        Ok(all)
    }

    /// Returns the path that identifies a file: canonical, however the file is named. Older libraries may store the
    /// path as the user typed it.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be read.
    pub fn path_of(&self, path: &Path) -> Result<PathBuf, StoreError> {
        let named = file::whole_path(path);
        Ok(match self.file(&named)? {
            Some(_) => named,
            None => file::real_path(&named),
        })
    }

    /// Returns the entry of the file at `path`.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be read.
    pub fn file(&self, path: &Path) -> Result<Option<LibraryFile>, StoreError> {
        let path = path_text(path);
        self.0.read(|connection| known(connection, &path))
    }

    /// Stores all matches of a file in one transaction. A match that already exists gets the file, and is replaced if
    /// `new` is the better record: other results, deeper, or more turns. If only the file's head data changed, the
    /// match gets the new names, day, event and place.
    ///
    /// # Errors
    /// [`StoreError`] if they cannot be written; the old content is then unchanged.
    pub fn keep(
        &mut self,
        path: &Path,
        hash: &str,
        matches: &[NewMatch],
    ) -> Result<Vec<Kept>, StoreError> {
        let path = path_text(path);
        let mut kept = Vec::new();
        let mut gone = false;
        let (library, mut uncarried) = (self.path().to_owned(), None);
        let done = self.0.change(|change| {
            kept.clear();
            gone = false;
            uncarried = None;
            let moved = forget_moved(change, &path, hash)?;
            let before = known(change, &path)?.or(moved);
            let removed = still_removed(before.as_ref(), matches);
            let mut before = match before {
                Some(file) => FileBefore {
                    has_changed: file.hash != hash,
                    matches: file.state.matches().to_vec(),
                    left: not_found(change, &path, file.state.matches(), matches)?,
                    ..FileBefore::default()
                },
                None => FileBefore::default(),
            };
            for one in matches {
                match store_match(change, one, &mut before)? {
                    Some(one) => kept.push(one),
                    None => gone = true,
                }
            }
            if gone {
                return Err(ROLLED_BACK);
            }
            let ids: Vec<i64> = kept.iter().map(|kept| kept.id()).collect();
            put_file(change, &path, hash, &FileState::Read(ids), &removed)?;
            // If notes cannot be carried over now, they would become invisible: abort, so that a later import repeats
            // the step.
            if let Err(why) = carry_notes(&library, &before.corrected) {
                uncarried = Some(why);
                return Err(ROLLED_BACK);
            }
            put_first(change, &path, &before.taken_up)
        });
        if gone {
            return Err(self.0.wrong("a match was removed while it was added again"));
        }
        match uncarried {
            Some(why) => Err(why),
            None => done.map(|()| kept),
        }
    }

    /// Returns whether the decisions of all these matches exist undamaged.
    ///
    /// # Errors
    /// [`StoreError`] if they cannot be read.
    pub fn has_decisions(&self, ids: &[i64]) -> Result<bool, StoreError> {
        self.0.read(|connection| {
            for id in ids {
                if !has_sound_decisions(connection, *id)? {
                    return Ok(false);
                }
            }
            Ok(true)
        })
    }

    /// Returns the decisions of a match; `None` if the match does not exist.
    ///
    /// # Errors
    /// [`StoreError`] if they cannot be read.
    pub fn decisions(&self, id: i64) -> Result<Lookup<Vec<PackedDecision>>, StoreError> {
        let question = format!("SELECT {DECISIONS} FROM matches WHERE id = ?1");
        let found = self.0.read_row(|connection| {
            let row = |row: &Row<'_>| Ok(packed(row).map(<[_]>::to_vec));
            connection.query_row(&question, [id], row).optional()
        })?;
        Ok(match found {
            Lookup::Kept(Some(decisions)) => Lookup::Kept(decisions),
            Lookup::Kept(None) => Lookup::Damaged(damaged(self.path(), 1, ["match", "matches"])),
            Lookup::Nothing => Lookup::Nothing,
            Lookup::Damaged(why) => Lookup::Damaged(why),
        })
    }

    /// Calls `each` with the ID and decisions of every match. Returns the number of damaged matches, which are
    /// skipped.
    ///
    /// # Errors
    /// [`StoreError`] if they cannot be read.
    pub fn each(&self, mut each: impl FnMut(i64, &[PackedDecision])) -> Result<u32, StoreError> {
        let question = format!("SELECT {DECISIONS} FROM matches ORDER BY id");
        self.0.read(|connection| {
            let mut statement = connection.prepare(&question)?;
            let mut rows = statement.query([])?;
            let mut bad = 0;
            while let Some(row) = rows.next()? {
                match (field(row, 0), packed(row)) {
                    (Some(id), Some(decisions)) => each(id, decisions),
                    _ => bad += 1,
                }
            }
            Ok(bad)
        })
    }

    /// Returns the matches among `matches` that pass the filter, in order. If the filter has conditions on decisions,
    /// a match needs one decision that passes. Each match comes with the player to show first: the one who passes; if
    /// both do, the user, else the left player.
    ///
    /// # Errors
    /// [`StoreError`] if they cannot be read.
    pub fn filter<'a>(
        &self,
        filter: &Filter,
        matches: &'a [LibraryMatch],
        people: &People,
    ) -> Result<Vec<(&'a LibraryMatch, usize)>, StoreError> {
        let mut fitting = self.fits(filter, matches, people)?;
        fitting.retain(|_, fit| !fit.is_none());
        if filter.asks_for_decisions() {
            let mut with_decisions = BTreeMap::new();
            self.each(|id, all| {
                if let Some(fit) = fitting.remove(&id)
                    && all.iter().any(|one| filter.fits(&fit, one))
                {
                    with_decisions.insert(id, fit);
                }
            })?;
            fitting = with_decisions;
        }
        let first = |one: &LibraryMatch, [left, right]: [bool; 2]| {
            let fitting = usize::from(!left && right);
            let me = one.head.players.iter().position(|name| people.is_me(name));
            match me {
                Some(me) if left == right => me,
                _ => fitting,
            }
        };
        let fitting = |one: &'a LibraryMatch| Some((one, first(one, fitting.get(&one.id)?.sides)));
        Ok(matches.iter().filter_map(fitting).collect())
    }

    /// Returns how each match passes, by match ID. Reads the notes if `filter` needs them.
    ///
    /// # Errors
    /// [`StoreError`] if the notes cannot be read.
    pub(super) fn fits(
        &self,
        filter: &Filter,
        matches: &[LibraryMatch],
        people: &People,
    ) -> Result<BTreeMap<i64, MatchFit>, StoreError> {
        let notes = NotesBeside::read(self.path(), filter)?;
        let fit = |one: &LibraryMatch| {
            let of_match = FilteredMatch::new(one.id, &one.head, people);
            (
                one.id,
                filter.match_fit(&of_match.with_notes(notes.of(one))),
            )
        };
        Ok(matches.iter().map(fit).collect())
    }

    /// Returns the user's notes on the turns of these matches, by match ID.
    ///
    /// # Errors
    /// [`StoreError`] if the notes cannot be read.
    pub fn notes(&self, matches: &[LibraryMatch]) -> Result<BTreeMap<i64, Notes>, StoreError> {
        let beside = NotesBeside::read_all(self.path(), READ_TIMEOUT)?;
        let all = matches.iter().map(|one| (one.id, beside.texts(one)));
        Ok(all.collect())
    }

    /// Searches the decisions of these matches, as returned by [`LibraryStore::matches`].
    ///
    /// # Errors
    /// [`StoreError`] if they cannot be read.
    pub fn search(
        &self,
        search: &Search,
        matches: &[LibraryMatch],
        people: &People,
    ) -> Result<SearchResult, StoreError> {
        let fits = self.fits(&search.filter, matches, people)?;
        let newness: BTreeMap<i64, usize> = matches.iter().map(|one| one.id).zip(0..).collect();
        let mut run = SearchRun::new(search);
        let damaged = self.each(|id, decisions| {
            if let (Some(fit), Some(newness)) = (fits.get(&id), newness.get(&id)) {
                run.visit(id, fit, *newness as f64, decisions);
            }
        })?;
        Ok(SearchResult {
            damaged,
            ..run.finish()
        })
    }

    /// Returns the players and their names.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be read.
    pub fn people(&self) -> Result<People, StoreError> {
        self.0.read(people)
    }

    /// Changes the assignment of names to players and to the user. Returns the new assignment.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be written.
    pub fn change_people(&mut self, how: impl Fn(&mut People)) -> Result<People, StoreError> {
        let mut changed = People::default();
        self.0.change(|change| {
            changed = people(change)?;
            how(&mut changed);
            change.execute("DELETE FROM people", [])?;
            for (name, player, me) in changed.rows() {
                let sum = person_sum(name, player, me);
                change.execute(
                    "INSERT INTO people (name, player, me, sum) VALUES (?1, ?2, ?3, ?4)",
                    params![name, player, me, sum],
                )?;
            }
            Ok(())
        })?;
        Ok(changed)
    }
}

/// Returns the matches that the user removed from a file and that are not among the `matches` added now.
fn still_removed(before: Option<&LibraryFile>, matches: &[NewMatch]) -> Vec<String> {
    let mut removed = before.map_or_else(Vec::new, |file| file.removed.clone());
    let is_named = |one: &str| {
        let mut new = matches.iter();
        new.any(|new| Beginning::of(&new.fingerprint).fits(one))
    };
    removed.retain(|one| !is_named(one));
    removed
}

#[cfg(test)]
mod tests;
