//! The library: every match that was added, its decisions, and its files, in a SQLite file.
//!
//! A match is known by how it began ([`MatchFingerprint`]), so that it is one match in however many files and formats
//! it was saved. Of two records of one match the one with more turns is kept. The decisions of a match are one row of
//! packed records ([`PackedDecision`]): they are written together, have one checksum, and are searched without being
//! parsed. The whole review is in the file of reviews, under the key that is kept here.
//!
//! A file is known by its path and by the hash of its bytes. Why one could not be read is kept, and that the
//! user removed the matches of one, with how they began: they are not taken in again with their folder, also from
//! another file.

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
    not_found, packed, people, people_rows, person_sum, put,
};

pub use entry::{FileState, Kept, LibraryFile, LibraryMatch, NewMatch};
pub use tables::MatchMark;

/// Ends a change of which nothing is to stay. SQLite itself does not say so here, and it is no sign of damage.
const ROLLED_BACK: rusqlite::Error = rusqlite::Error::StatementChangedRows(0);

/// An open library.
#[derive(Debug)]
pub struct LibraryStore(Database);

impl LibraryStore {
    /// Opens the file at `path`, making it and its folder if they are not there.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be opened, or is something else.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Database::open(path, &KIND).map(Self)
    }

    /// Opens the file at `path` for reading; none if there is no file. Another process that writes to it
    /// is waited for no longer than `timeout`.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be opened, or is something else.
    pub fn open_to_read(path: &Path, timeout: Duration) -> Result<Option<Self>, StoreError> {
        Ok(Database::open_to_read(path, &KIND, timeout)?.map(Self))
    }

    /// Opens the file as [`LibraryStore::open_to_read`] does, to list all of it: damaged pages are found first.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be opened, or is something else.
    pub fn open_to_list(path: &Path, timeout: Duration) -> Result<Option<Self>, StoreError> {
        Ok(open_to_list(path, &KIND, timeout)?.map(Self))
    }

    /// Path of the library's file.
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Path of the file of reviews beside it.
    pub fn reviews(&self) -> Option<PathBuf> {
        Some(self.0.path().parent()?.join(super::user_folders::REVIEWS))
    }

    /// All matches that are whole, by the day they were played; what is damaged is reported to `tell` and
    /// left out.
    ///
    /// # Errors
    /// [`StoreError`] if they cannot be read.
    pub fn matches(&self, tell: &mut dyn FnMut(String)) -> Result<Vec<LibraryMatch>, StoreError> {
        let mut files: BTreeMap<i64, MatchFiles> = BTreeMap::new();
        for file in self.files(tell)? {
            let FileState::Read(ids) = &file.state else {
                continue;
            };
            for (place, id) in ids.iter().enumerate() {
                let of = files.entry(*id).or_default();
                match place {
                    0 => of.leading.push(file.path.clone()),
                    _ => of.others.push(file.path.clone()),
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
            tell(damaged(self.path(), bad, ["match", "matches"]));
        }
        // Where people cannot be read at all, that is an error of its own.
        let people = self.0.read(people_rows).unwrap_or_default();
        let bad = people.iter().filter(|one| one.is_none()).count();
        if bad > 0 {
            tell(damaged(self.path(), bad, ["name", "names"]));
        }
        all.sort_by(|a, b| (&a.head.date, a.id).cmp(&(&b.head.date, b.id)));
        Ok(all)
    }

    /// The match with this fingerprint, if it is there and whole.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be read.
    pub fn find(&self, of: &MatchFingerprint) -> Result<Option<LibraryMatch>, StoreError> {
        let mark = Beginning::of(of);
        let found = self.0.read(|connection| find(connection, &mark))?;
        Ok(found.map(|stored| stored.listed(MatchFiles::default())))
    }

    /// The match with this number, if it is there and whole, without its files.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be read.
    pub fn get(&self, id: i64) -> Result<Option<LibraryMatch>, StoreError> {
        let found = self.0.read(|connection| by_id(connection, id))?;
        Ok(found.map(|stored| stored.listed(MatchFiles::default())))
    }

    /// The numbers of all matches, also of those that are damaged.
    ///
    /// # Errors
    /// [`StoreError`] if they cannot be read.
    pub fn numbers(&self) -> Result<BTreeSet<i64>, StoreError> {
        Ok(self.0.ids("matches")?.into_iter().collect())
    }

    /// All files that are known, but those that could not be read and are gone; a damaged row counts as none, and its
    /// file is read again when it is added.
    ///
    /// # Errors
    /// [`StoreError`] if they cannot be read.
    pub fn files(&self, tell: &mut dyn FnMut(String)) -> Result<Vec<LibraryFile>, StoreError> {
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
            tell(damaged(self.path(), bad, ["file", "files"]));
        }
        Ok(all)
    }

    /// The path under which a file is known, or would be: one path, by whatever way the file is named. A library of
    /// before has files under the paths that they were named by.
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

    /// What is known of the file at `path`.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be read.
    pub fn file(&self, path: &Path) -> Result<Option<LibraryFile>, StoreError> {
        let path = path_text(path);
        self.0.read(|connection| known(connection, &path))
    }

    /// Keeps the matches of a file, all of them or, where that fails, none. One that is there already gets
    /// the file, and is replaced where `new` is the better record of it: made with other results, deeper, or with
    /// more turns. Where the file has changed and that is all, the match gets the names, the day, the event and the
    /// place that it says now.
    ///
    /// # Errors
    /// [`StoreError`] if they cannot be written; what was there then is still there.
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
                match put(change, one, &mut before)? {
                    Some(one) => kept.push(one),
                    None => gone = true,
                }
            }
            if gone {
                // Nothing of it is kept.
                return Err(ROLLED_BACK);
            }
            let ids: Vec<i64> = kept.iter().map(|kept| kept.id()).collect();
            put_file(change, &path, hash, &FileState::Read(ids), &removed)?;
            // Notes that cannot be written now would be lost from view: all is done another time.
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

    /// Whether the decisions of these matches are all there and whole.
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

    /// The decisions of a match; `None` if it is not there.
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

    /// Hands the decisions of every match to `each`, with its number; what is damaged is left out, and
    /// how many matches that were is the answer.
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

    /// The matches among `matches` that fit, in their order: those with a decision that fits, where decisions
    /// are asked for. With each goes the side of the player to be shown first: the one that fits, of both
    /// the user, or else the left one.
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

    /// How each of these matches fits, by its number: with the notes beside it, where `filter` asks for them.
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

    /// What the user wrote beside the turns of these matches, by their numbers.
    ///
    /// # Errors
    /// [`StoreError`] if the notes cannot be read.
    pub fn notes(&self, matches: &[LibraryMatch]) -> Result<BTreeMap<i64, Notes>, StoreError> {
        let beside = NotesBeside::read_all(self.path(), READ_TIMEOUT)?;
        let all = matches.iter().map(|one| (one.id, beside.texts(one)));
        Ok(all.collect())
    }

    /// Searches the decisions of these matches, as [`LibraryStore::matches`] gives them.
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

    /// The players behind the names in the library.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be read.
    pub fn people(&self) -> Result<People, StoreError> {
        self.0.read(people)
    }

    /// Changes which names belong to which player, and which are the user's. Returns all of it as it is then.
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

/// What the user took out of a file, and has not named again with these matches of it: that stays known.
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
