//! What the library tells of matches and files.

use std::path::{Path, PathBuf};

use super::super::{MatchFingerprint, ReviewId, file};
use crate::library::{MatchHead, PackedDecision};

#[derive(Clone, Debug, PartialEq)]
pub struct LibraryMatch {
    pub id: i64,
    /// What is listed of it.
    pub head: MatchHead,
    /// What its review is found by.
    pub review: ReviewId,
    /// Whether it was analysed by a version that gives the same results as this one.
    pub is_current: bool,
    /// The files it is in: first those that begin with it, and of these the one that its record is of.
    pub files: Vec<PathBuf>,
    /// How many of the files begin with it.
    pub(super) leading: usize,
    /// A mark for each of its first turns.
    pub(super) beginning: String,
}

impl LibraryMatch {
    /// The first of its files that is there; where none is, the first.
    pub fn file_there(&self) -> Option<&Path> {
        there(&self.files)
    }

    /// The same of the files that begin with it: the workstation opens the first match of a file.
    pub fn file_to_open(&self) -> Option<&Path> {
        there(&self.files[..self.leading])
    }
}

/// The files that a match is in.
#[derive(Default)]
pub(super) struct MatchFiles {
    /// Those that begin with it.
    pub(super) leading: Vec<PathBuf>,
    /// Those in which it stands behind others.
    pub(super) others: Vec<PathBuf>,
}

fn there(files: &[PathBuf]) -> Option<&Path> {
    let there = files.iter().find(|path| path.exists());
    there.or(files.first()).map(PathBuf::as_path)
}

/// A match that is to be kept.
#[derive(Clone, Debug)]
pub struct NewMatch {
    /// What it is known by.
    pub fingerprint: MatchFingerprint,
    /// What is listed of it.
    pub head: MatchHead,
    /// Its decisions; `None` of a match that is there already and stays as it is.
    pub decisions: Option<Vec<PackedDecision>>,
    /// What its review is found by.
    pub review: ReviewId,
}

/// What became of a match of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// The match is a new one.
    Added(i64),
    /// The match was there, and has a better record, a new review or a corrected head now.
    Updated(i64),
    /// The match was there, as good, and has one more file now.
    AnotherFile(i64),
    /// The match was there, in this file.
    Unchanged(i64),
}

impl Kept {
    /// The number of the match.
    pub fn id(self) -> i64 {
        match self {
            Self::Added(id) | Self::Updated(id) | Self::AnotherFile(id) | Self::Unchanged(id) => id,
        }
    }
}

/// What is known of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LibraryFile {
    pub path: PathBuf,
    /// The hash of its bytes when it was read.
    pub hash: String,
    /// What became of it.
    pub state: FileState,
    /// How the matches in it began that the user does not want: they are known again in other files.
    pub removed: Vec<String>,
}

impl LibraryFile {
    /// Whether the file could not be read, and no match is known to be in it.
    pub fn is_unread(&self) -> bool {
        matches!(&self.state, FileState::Failed { matches, .. } if matches.is_empty())
    }

    /// This file; `None` if it could not be read, is gone, and no match is known to have been in it: then
    /// nobody need be told.
    pub(super) fn unless_gone(mut self) -> Option<Self> {
        if let FileState::Failed { matches, .. } = &self.state
            && file::is_gone(&self.path)
        {
            // Its matches are still known by the bytes that it had.
            self.state = FileState::Read(matches.clone());
            return Some(self).filter(|file| !file.state.matches().is_empty());
        }
        Some(self)
    }
}

/// What became of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileState {
    /// These matches are in it, in this order.
    Read(Vec<i64>),
    /// It could not be read.
    Failed {
        /// Why, in a line.
        why: String,
        /// What was in it when it could be read, without what the user has removed since.
        matches: Vec<i64>,
    },
    /// The user wants none of its matches.
    Removed,
}

impl FileState {
    /// The matches that are in it, or were when it could be read, in this order.
    pub fn matches(&self) -> &[i64] {
        match self {
            Self::Read(matches) | Self::Failed { matches, .. } => matches,
            Self::Removed => &[],
        }
    }
}
