//! Adds match files to the library: each is read, looked up, analysed and kept.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};

use sha2::{Digest as _, Sha256};

use super::library::{FileState, Kept, LibraryFile, LibraryMatch, NewMatch};
use thiserror::Error;

use super::{LibraryStore, MatchFingerprint, ReviewId, ReviewKey, StoreError, file, played};
use crate::cube::Model;
use crate::eval::Evaluator;
use crate::library::{MatchHead, PackedDecision, decisions};
use crate::locks::lock;
use crate::match_file::tag::DATE;
use crate::match_file::{self, LARGEST_FILE, Match};
use crate::review::Report;

pub struct ImportedFile {
    pub path: PathBuf,
    pub bytes: Vec<u8>,
    /// The matches with games, each with its index in the file.
    pub matches: Vec<(usize, Match)>,
}

impl ImportedFile {
    /// Reads a file.
    ///
    /// # Errors
    /// The reason, with the file's name, why the file cannot be read or contains no game.
    pub fn read(path: &Path) -> Result<Self, String> {
        let bytes = match file::read(path, LARGEST_FILE) {
            Ok(bytes) => bytes,
            // The match file reader gives the better error for a path.
            Err(error) => {
                match_file::read(path).map_err(|error| error.to_string())?;
                return Err(error.to_string());
            }
        };
        Self::of_bytes(path, bytes)
    }

    /// Parses the bytes of a file read elsewhere. `path` is its display name.
    ///
    /// # Errors
    /// As [`ImportedFile::read`].
    pub fn of_bytes(path: &Path, bytes: Vec<u8>) -> Result<Self, String> {
        let name = path.display().to_string();
        let mut record = match_file::read_bytes(&bytes, &name).map_err(|e| e.to_string())?;
        let others = std::mem::take(&mut record.others);
        let all = std::iter::once(record).chain(others).enumerate();
        let mut matches: Vec<(usize, Match)> =
            all.filter(|(_, one)| !one.games.is_empty()).collect();
        for (_, record) in &mut matches {
            record.path = Some(path.to_owned());
        }
        if matches.is_empty() {
            return Err(format!("{name}: holds no game to review"));
        }
        Ok(Self {
            path: path.to_owned(),
            bytes,
            matches,
        })
    }
}

/// Hash that identifies the bytes of a file.
fn hash_of(bytes: &[u8]) -> String {
    format!("{:x}", Sha256::digest(bytes))
}

/// Returns whether a file contains positions but no game.
fn holds_positions(path: &Path) -> bool {
    let read = match_file::read(path);
    read.is_ok_and(|record| record.games.is_empty() && !record.positions.is_empty())
}

/// Reviews the matches of files.
pub trait MatchReviewer {
    /// Reads a file.
    ///
    /// # Errors
    /// The reason, with the file's name.
    fn read(&self, path: &Path) -> Result<ImportedFile, String>;

    fn key(&self, file: &ImportedFile, index: usize, record: &Match) -> ReviewKey;

    /// Returns whether the review with this `id` is already stored.
    fn is_kept(&self, id: &ReviewId) -> bool;

    /// Reviews a match of a file and determines the day it was played.
    ///
    /// # Errors
    /// The reason why there is no review, for example that `cancelled` returned true.
    fn review(
        &mut self,
        file: &ImportedFile,
        index: usize,
        record: &Match,
        cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Result<(Report, String), String>;

    fn evaluator(&self) -> &dyn Evaluator;

    /// The cube model of the review.
    fn model(&self) -> &Model;

    /// Maximum search depth in plies.
    fn ply(&self) -> u8;
}

/// The reason why a file was not added.
#[derive(Debug, Error)]
pub enum NotTaken {
    #[error("{0}")]
    Unreadable(String),
    /// The review of a match failed or was cancelled.
    #[error("{0}")]
    Unreviewed(String),
    /// The library returned an error.
    #[error(transparent)]
    Library(#[from] StoreError),
}

/// Adds files to a library.
pub struct LibraryImporter<'a> {
    /// The library. Threads that fill it share one connection; separate connections would block each other until one
    /// times out.
    pub library: &'a Mutex<LibraryStore>,
    pub reviewer: &'a mut dyn MatchReviewer,
    /// Accept an existing review of the same depth by another evaluator or match equity table. The background import
    /// analyses nothing again for that reason alone.
    pub any_engine: bool,
    /// Returns true once the user cancelled.
    pub cancelled: &'a (dyn Fn() -> bool + Sync),
}

/// Which matches of a file to add.
enum WantedMatches {
    /// None: these are kept unchanged.
    None(Vec<Kept>),
    /// Only the remaining matches. All matches of these bytes were added once; a missing match was removed by the
    /// user.
    Left(Vec<i64>),
    All,
}

impl WantedMatches {
    /// Returns whether to add a match; `there` is its library entry.
    fn holds(&self, there: Option<&LibraryMatch>) -> bool {
        match self {
            Self::None(_) => false,
            Self::Left(ids) => there.is_some_and(|one| ids.contains(&one.id)),
            Self::All => true,
        }
    }
}

impl LibraryImporter<'_> {
    /// Adds the matches of a file. A failure is recorded unless the file is missing. `is_named`: the user named the
    /// file itself, not its folder, so that removed matches return.
    ///
    /// # Errors
    /// The reason, in one line.
    pub fn file(&mut self, path: &Path, is_named: bool) -> Result<Vec<Kept>, NotTaken> {
        let path = self.library().path_of(path)?;
        if let Some(kept) = self.unchanged(&path)? {
            return Ok(kept);
        }
        let read = match self.reviewer.read(&path) {
            Ok(read) => read,
            // Folders may contain position lists beside matches.
            Err(_) if !is_named && holds_positions(&path) => return Ok(Vec::new()),
            Err(error) => {
                self.keep_failure(&path, &error)?;
                return Err(NotTaken::Unreadable(error));
            }
        };
        let hash = hash_of(&read.bytes);
        let wanted = match self.wanted(&path, &hash, is_named)? {
            WantedMatches::None(kept) => return Ok(kept),
            wanted => wanted,
        };
        let (matches, removed) = self.all_analysed(&read, &wanted, is_named)?;
        if matches.is_empty() && !removed.is_empty() {
            self.library().set_removed(&path, &hash, &removed)?;
            return Ok(Vec::new());
        }
        let kept = self.library().keep(&path, &hash, &matches)?;
        if !removed.is_empty() {
            self.library().add_removed(&path, &removed)?;
        }
        Ok(kept)
    }

    /// Returns the kept matches of a file that is unchanged since all of them were added. Most files of a folder
    /// added again therefore need no parsing.
    fn unchanged(&self, path: &Path) -> Result<Option<Vec<Kept>>, StoreError> {
        let Some(there) = self.library().file(path)? else {
            return Ok(None);
        };
        let FileState::Read(ids) = there.state else {
            return Ok(None);
        };
        let is_as_it_was = || {
            let bytes = file::read(path, LARGEST_FILE);
            bytes.is_ok_and(|bytes| hash_of(&bytes) == there.hash)
        };
        let all = there.removed.is_empty() && is_as_it_was() && self.are_done(&ids)?;
        Ok(all.then(|| ids.into_iter().map(Kept::Unchanged).collect()))
    }

    /// Records why a file cannot be read. A missing file is not a failure.
    fn keep_failure(&self, path: &Path, why: &str) -> Result<(), StoreError> {
        match file::is_gone(path) {
            true => self.library().forget_failed(&[]).map(|_| ()),
            false => self.library().set_failed(path, why),
        }
    }

    /// Decides which matches of a file with these bytes to add.
    fn wanted(&self, path: &Path, hash: &str, is_named: bool) -> Result<WantedMatches, StoreError> {
        let Some(there) = self.with_these_bytes(path, hash)? else {
            return Ok(WantedMatches::All);
        };
        // A removed match may have been added again through another file.
        let is_back = self.library().holds_removed(&there)?;
        let comes_back = is_back || is_named && !there.removed.is_empty();
        Ok(match there.state {
            _ if comes_back => WantedMatches::All,
            FileState::Removed => WantedMatches::None(Vec::new()),
            FileState::Read(ids) if self.are_done(&ids)? => {
                WantedMatches::None(ids.into_iter().map(Kept::Unchanged).collect())
            }
            FileState::Read(ids) if !is_named && self.are_there(&ids)? => WantedMatches::Left(ids),
            _ => WantedMatches::All,
        })
    }

    /// Returns the library's entry of a file if its bytes are unchanged.
    fn with_these_bytes(&self, path: &Path, hash: &str) -> Result<Option<LibraryFile>, StoreError> {
        let there = self.library().file(path)?;
        let there = there.filter(|file| file.hash == hash);
        let is_failed = |file: &LibraryFile| matches!(file.state, FileState::Failed { .. });
        if there.as_ref().is_some_and(is_failed) {
            // Removed matches stay removed although the file was unreadable for a while.
            return self.library().set_readable(path);
        }
        Ok(there)
    }

    /// Returns the matches of a file in the form to be stored, and the fingerprints of those that stay removed.
    fn all_analysed(
        &mut self,
        read: &ImportedFile,
        wanted: &WantedMatches,
        is_named: bool,
    ) -> Result<(Vec<NewMatch>, Vec<MatchFingerprint>), NotTaken> {
        let mut matches = Vec::with_capacity(read.matches.len());
        let mut removed = Vec::new();
        for (index, record) in &read.matches {
            let fingerprint = MatchFingerprint::of(record);
            let there = self.library().find(&fingerprint)?;
            // The match was removed with another file, or before this file changed or was renamed.
            if !is_named && there.is_none() && self.library().was_removed(&fingerprint)? {
                removed.push(fingerprint);
            } else if wanted.holds(there.as_ref()) {
                let analysed = self.analysed(read, *index, record);
                matches.push(analysed.map_err(NotTaken::Unreviewed)?);
            }
        }
        Ok((matches, removed))
    }

    /// Locks the library for one step.
    fn library(&self) -> MutexGuard<'_, LibraryStore> {
        lock(self.library)
    }

    /// Returns whether all these matches exist and need no new review.
    fn are_done(&self, ids: &[i64]) -> Result<bool, StoreError> {
        for id in ids {
            let there = self.library().get(*id)?;
            if !there.is_some_and(|one| self.is_as_wanted(&one)) {
                return Ok(false);
            }
        }
        self.library().has_decisions(ids)
    }

    /// Returns whether all these matches exist undamaged.
    fn are_there(&self, ids: &[i64]) -> Result<bool, StoreError> {
        for id in ids {
            if self.library().get(*id)?.is_none() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn is_as_wanted(&self, one: &LibraryMatch) -> bool {
        let engine = self.reviewer.evaluator().name();
        let is_of_table = || one.head.is_of_table(self.table().as_deref());
        let is_alike = || one.head.engine == engine && is_of_table();
        one.is_current
            && (self.any_engine || is_alike())
            && one.head.ply >= self.reviewer.ply()
            && self.reviewer.is_kept(&one.review)
    }

    /// The match equity table of the reviews, in the form of a match head.
    fn table(&self) -> Option<String> {
        self.reviewer.model().fingerprint().table.unless_standard()
    }

    /// Returns a match in the form to be stored. A match in the library is not analysed again; only its head data
    /// from this file may be new.
    fn analysed(
        &mut self,
        file: &ImportedFile,
        index: usize,
        record: &Match,
    ) -> Result<NewMatch, String> {
        let fingerprint = MatchFingerprint::of(record);
        let turns: usize = record.games.iter().map(|game| game.events.len()).sum();
        let there = self
            .library()
            .find(&fingerprint)
            .map_err(|e| e.to_string())?;
        let is_whole = |one: &LibraryMatch| one.head.turns as usize >= turns;
        let there = there
            .filter(|one| self.is_as_wanted(one) && is_whole(one) && one.head.has_rules_of(record));
        let is_sound = |one: &LibraryMatch| self.library().has_decisions(&[one.id]);
        if let Some(one) = there
            && is_sound(&one).map_err(|e| e.to_string())?
        {
            let day = played(record.tag(DATE), &file.path);
            return Ok(NewMatch {
                fingerprint,
                head: one.head.described_by(record, &day),
                decisions: None,
                review: one.review,
            });
        }
        let (report, day) = self.reviewer.review(file, index, record, self.cancelled)?;
        let (evaluator, model) = (self.reviewer.evaluator(), self.reviewer.model());
        let all = decisions(record, &report, evaluator, model);
        Ok(NewMatch {
            fingerprint,
            head: MatchHead {
                table: self.table().filter(|_| record.length > 0),
                ..MatchHead::new(record, &report, &day)
            },
            decisions: Some(all.iter().map(PackedDecision::from).collect()),
            review: self.reviewer.key(file, index, record).id,
        })
    }
}
