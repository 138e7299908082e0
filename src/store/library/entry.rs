//! Entries of the library: matches and files.

use std::path::{Path, PathBuf};

use super::super::{MatchFingerprint, ReviewId, file};
use crate::library::{MatchHead, PackedDecision};

#[derive(Clone, Debug, PartialEq)]
pub struct LibraryMatch {
    pub id: i64,
    pub head: MatchHead,
    pub review: ReviewId,
    /// The analysis is by a version with the same results as this one.
    pub is_current: bool,
    /// Its files. Those that begin with it come first, led by the source of its record.
    pub files: Vec<PathBuf>,
    /// Number of files that begin with it.
    pub(super) leading: usize,
    /// The marks of its first turns, concatenated.
    pub(super) beginning: String,
}

impl LibraryMatch {
    /// The first of its files that exists; if none does, the first.
    pub fn file_there(&self) -> Option<&Path> {
        there(&self.files)
    }

    /// The first existing file that begins with the match. The workstation opens the first match of a file.
    pub fn file_to_open(&self) -> Option<&Path> {
        there(&self.files[..self.leading])
    }
}

#[derive(Default)]
pub(super) struct MatchFiles {
    /// Files that begin with the match.
    pub(super) leading: Vec<PathBuf>,
    /// Files in which it follows other matches.
    pub(super) others: Vec<PathBuf>,
}

fn there(files: &[PathBuf]) -> Option<&Path> {
    let there = files.iter().find(|path| path.exists());
    there.or(files.first()).map(PathBuf::as_path)
}

/// A match to be stored.
#[derive(Clone, Debug)]
pub struct NewMatch {
    pub fingerprint: MatchFingerprint,
    pub head: MatchHead,
    /// Its decisions; `None` for a match that is already stored and stays unchanged.
    pub decisions: Option<Vec<PackedDecision>>,
    pub review: ReviewId,
}

/// Result of storing a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// The match is new.
    Added(i64),
    /// The match existed, and now has a better record, a new review or corrected head data.
    Updated(i64),
    /// The match existed with an equally good record, and now has one more file.
    AnotherFile(i64),
    /// The match and the file were already stored.
    Unchanged(i64),
}

impl Kept {
    pub fn id(self) -> i64 {
        match self {
            Self::Added(id) | Self::Updated(id) | Self::AnotherFile(id) | Self::Unchanged(id) => id,
        }
    }
}

/// A file known to the library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LibraryFile {
    pub path: PathBuf,
    /// Hash of its bytes when it was read.
    pub hash: String,
    pub state: FileState,
    /// The beginnings of its matches that the user removed. They identify these matches in other files.
    pub removed: Vec<String>,
}

impl LibraryFile {
    /// Returns whether the file could not be read and never yielded a match.
    pub fn is_unread(&self) -> bool {
        matches!(&self.state, FileState::Failed { matches, .. } if matches.is_empty())
    }

    /// Returns this file; `None` if it is unreadable, no longer exists, and never yielded a match: then it need not
    /// be listed.
    pub(super) fn unless_gone(mut self) -> Option<Self> {
        if let FileState::Failed { matches, .. } = &self.state
            && file::is_gone(&self.path)
        {
            // Its matches are still known from its former bytes.
            self.state = FileState::Read(matches.clone());
            return Some(self).filter(|file| !file.state.matches().is_empty());
        }
        Some(self)
    }
}

/// Result of reading a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileState {
    /// IDs of its matches, in order.
    Read(Vec<i64>),
    Failed {
        /// The reason, in one line.
        why: String,
        /// Its matches when it was readable, except those removed since.
        matches: Vec<i64>,
    },
    /// The user removed all its matches.
    Removed,
}

impl FileState {
    /// The matches of the file, or those of its last readable state, in order.
    pub fn matches(&self) -> &[i64] {
        match self {
            Self::Read(matches) | Self::Failed { matches, .. } => matches,
            Self::Removed => &[],
        }
    }
}
