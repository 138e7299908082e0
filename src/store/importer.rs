//! Match files taken into the library, one after the other: read, looked up, analysed, kept.

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

/// A file that was read.
pub struct ImportedFile {
    pub path: PathBuf,
    pub bytes: Vec<u8>,
    /// Its matches that have games, each with its place in the file.
    pub matches: Vec<(usize, Match)>,
}

impl ImportedFile {
    /// Reads a file.
    ///
    /// # Errors
    /// Why it cannot be read, with its name, or that there is no game in it.
    pub fn read(path: &Path) -> Result<Self, String> {
        let bytes = match file::read(path, LARGEST_FILE) {
            Ok(bytes) => bytes,
            // The reader of match files says best what is wrong with a path.
            Err(error) => {
                match_file::read(path).map_err(|error| error.to_string())?;
                return Err(error.to_string());
            }
        };
        Self::of_bytes(path, bytes)
    }

    /// A file that was read elsewhere. `path` is what it is called.
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

/// What the bytes of a file are known by.
fn hash_of(bytes: &[u8]) -> String {
    format!("{:x}", Sha256::digest(bytes))
}

/// Whether a file holds positions, and no game.
fn holds_positions(path: &Path) -> bool {
    let read = match_file::read(path);
    read.is_ok_and(|record| record.games.is_empty() && !record.positions.is_empty())
}

/// The reviewer of the matches of files.
pub trait MatchReviewer {
    /// Reads a file.
    ///
    /// # Errors
    /// Why it cannot be read, with its name.
    fn read(&self, path: &Path) -> Result<ImportedFile, String>;

    /// The key of the review of a match in a file.
    fn key(&self, file: &ImportedFile, index: usize, record: &Match) -> ReviewKey;

    /// Whether the review that is found by `id` is kept, as far as reviews are.
    fn is_kept(&self, id: &ReviewId) -> bool;

    /// The review of a match of a file, and the day it was played.
    ///
    /// # Errors
    /// Why there is none: it was given up because `cancelled` answered true.
    fn review(
        &mut self,
        file: &ImportedFile,
        index: usize,
        record: &Match,
        cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Result<(Report, String), String>;

    fn evaluator(&self) -> &dyn Evaluator;

    /// The model that cubeful values are made with.
    fn model(&self) -> &Model;

    /// Plies at most.
    fn ply(&self) -> u8;
}

/// Why a file was not taken in.
#[derive(Debug, Error)]
pub enum NotTaken {
    /// The file cannot be read.
    #[error("{0}")]
    Unreadable(String),
    /// The review of a match failed, or was given up.
    #[error("{0}")]
    Unreviewed(String),
    /// The library refuses.
    #[error(transparent)]
    Library(#[from] StoreError),
}

/// Takes files into a library.
pub struct LibraryImporter<'a> {
    /// The library. Threads that fill it together share one: with a connection each they would keep one another waiting
    /// until one of them gives up.
    pub library: &'a Mutex<LibraryStore>,
    pub reviewer: &'a mut dyn MatchReviewer,
    /// Whether the review of another evaluator or with another match equity table will do, if it is as deep: in the
    /// background nothing is analysed again for that alone.
    pub any_engine: bool,
    /// Answers true once the user wants an end.
    pub cancelled: &'a (dyn Fn() -> bool + Sync),
}

/// Which matches of a file are taken in.
enum WantedMatches {
    /// None: these are kept as they are.
    None(Vec<Kept>),
    /// Those that are left. All matches of these bytes were kept once: one that is not among them was removed.
    Left(Vec<i64>),
    All,
}

impl WantedMatches {
    /// Whether a match is among them; `there`: as the library has it.
    fn holds(&self, there: Option<&LibraryMatch>) -> bool {
        match self {
            Self::None(_) => false,
            Self::Left(ids) => there.is_some_and(|one| ids.contains(&one.id)),
            Self::All => true,
        }
    }
}

impl LibraryImporter<'_> {
    /// Takes the matches of a file in; why that failed is kept as well, unless it is not there. `is_named`: by the
    /// user, and not with its folder, so matches that were removed come back.
    ///
    /// # Errors
    /// Why it failed, in a line.
    pub fn file(&mut self, path: &Path, is_named: bool) -> Result<Vec<Kept>, NotTaken> {
        let path = self.library().path_of(path)?;
        if let Some(kept) = self.unchanged(&path)? {
            return Ok(kept);
        }
        let read = match self.reviewer.read(&path) {
            Ok(read) => read,
            // A folder may hold lists of positions beside its matches.
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

    /// The matches of a file that is as it was when all of them were taken in. So most files of a folder that is added
    /// again need not be read as matches.
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

    /// Keeps why a file cannot be read; one that is gone has not failed.
    fn keep_failure(&self, path: &Path, why: &str) -> Result<(), StoreError> {
        match file::is_gone(path) {
            true => self.library().forget_failed(&[]).map(|_| ()),
            false => self.library().set_failed(path, why),
        }
    }

    /// Which matches of a file with these bytes are to be taken in, by what is known of it.
    fn wanted(&self, path: &Path, hash: &str, is_named: bool) -> Result<WantedMatches, StoreError> {
        let Some(there) = self.with_these_bytes(path, hash)? else {
            return Ok(WantedMatches::All);
        };
        // A match that was removed may have been named in another file since.
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

    /// What is known of a file, if it was of these bytes then.
    fn with_these_bytes(&self, path: &Path, hash: &str) -> Result<Option<LibraryFile>, StoreError> {
        let there = self.library().file(path)?;
        let there = there.filter(|file| file.hash == hash);
        let is_failed = |file: &LibraryFile| matches!(file.state, FileState::Failed { .. });
        if there.as_ref().is_some_and(is_failed) {
            // What was removed is not taken in again because its file could not be read for a while.
            return self.library().set_readable(path);
        }
        Ok(there)
    }

    /// The matches of a file as they are to be kept, and those among them that were removed and stay so.
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
            // It was removed with another file, or before this one was changed or had another name.
            if !is_named && there.is_none() && self.library().was_removed(&fingerprint)? {
                removed.push(fingerprint);
            } else if wanted.holds(there.as_ref()) {
                let analysed = self.analysed(read, *index, record);
                matches.push(analysed.map_err(NotTaken::Unreviewed)?);
            }
        }
        Ok((matches, removed))
    }

    /// The library, for one step.
    fn library(&self) -> MutexGuard<'_, LibraryStore> {
        lock(self.library)
    }

    /// Whether these matches are all there, and need no other review.
    fn are_done(&self, ids: &[i64]) -> Result<bool, StoreError> {
        for id in ids {
            let there = self.library().get(*id)?;
            if !there.is_some_and(|one| self.is_as_wanted(&one)) {
                return Ok(false);
            }
        }
        self.library().has_decisions(ids)
    }

    /// Whether these matches are all there and whole.
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

    /// The match equity table of the reviews, as a head has it.
    fn table(&self) -> Option<String> {
        self.reviewer.model().fingerprint().table.unless_standard()
    }

    /// A match as it is to be kept. One that is there already is not analysed again: only what this file says of it may
    /// be new.
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
