//! Files of the library that cannot be read, are forgotten, or whose matches are removed.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use rusqlite::{OptionalExtension as _, Row};

use super::file_rows::{files_of, known, put_file, removed};
use super::tables::{Beginning, find};
use super::{FileState, LibraryFile, LibraryStore, path_text};
use crate::store::checksum::field;
use crate::store::{MatchFingerprint, StoreError};

impl LibraryStore {
    /// Records that a file could not be read, and the reason. Its known matches and removed matches are kept.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be written.
    pub fn set_failed(&mut self, path: &Path, why: &str) -> Result<(), StoreError> {
        let path = path_text(path);
        self.0.change(|change| {
            let (hash, matches, removed) = match known(change, &path)? {
                Some(LibraryFile {
                    state: FileState::Removed,
                    ..
                }) => return Ok(()),
                Some(file) => (file.hash, file.state.matches().to_vec(), file.removed),
                None => (String::new(), Vec::new(), Vec::new()),
            };
            let why = why.to_owned();
            put_file(
                change,
                &path,
                &hash,
                &FileState::Failed { why, matches },
                &removed,
            )
        })
    }

    /// Deletes the entries of unreadable files that no longer exist, and of files in `forgotten` without matches.
    /// Returns the number of the latter.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be written.
    pub fn forget_failed(&mut self, forgotten: &[PathBuf]) -> Result<usize, StoreError> {
        let mut count = 0;
        self.0.change(|change| {
            count = 0;
            for file in files_of(change)? {
                let path = path_text(&file.path);
                let is_named = file.is_unread() && forgotten.contains(&file.path);
                count += usize::from(is_named);
                match file.clone().unless_gone().filter(|_| !is_named) {
                    None => {
                        change.execute("DELETE FROM files WHERE path = ?1", [&path])?;
                    }
                    Some(now) if now != file => {
                        put_file(change, &path, &now.hash, &now.state, &now.removed)?;
                    }
                    Some(_) => {}
                }
            }
            Ok(())
        })?;
        Ok(count)
    }

    /// Deletes the links from these files to matches; the matches stay with their other files. The list of removed
    /// matches is kept.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be written.
    pub fn forget_files(&mut self, paths: &[PathBuf]) -> Result<(), StoreError> {
        self.0.change(|change| {
            for file in files_of(change)? {
                if paths.contains(&file.path) && matches!(file.state, FileState::Read(_)) {
                    let path = path_text(&file.path);
                    match file.removed.is_empty() {
                        true => {
                            change.execute("DELETE FROM files WHERE path = ?1", [&path])?;
                        }
                        false => {
                            let state = FileState::Removed;
                            put_file(change, &path, &file.hash, &state, &file.removed)?;
                        }
                    }
                }
            }
            Ok(())
        })
    }

    /// Records that a file is readable again with the same bytes, and hence the same matches. Returns its entry.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be written.
    pub fn set_readable(&mut self, path: &Path) -> Result<Option<LibraryFile>, StoreError> {
        let path = path_text(path);
        let mut file = None;
        self.0.change(|change| {
            file = known(change, &path)?;
            if let Some(file) = &mut file
                && let FileState::Failed { matches, .. } = &file.state
            {
                file.state = FileState::Read(matches.clone());
                put_file(change, &path, &file.hash, &file.state, &file.removed)?;
            }
            Ok(())
        })?;
        Ok(file)
    }

    /// Removes matches from the library. Their files stay, but are not added again with their folder.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be written.
    pub fn remove(&mut self, ids: &[i64]) -> Result<(), StoreError> {
        self.0.change(|change| {
            let mut beginnings = HashMap::new();
            for id in ids {
                let question = "SELECT beginning FROM matches WHERE id = ?1";
                let beginning = |row: &Row<'_>| Ok(field::<String>(row, 0));
                let found = change.query_row(question, [id], beginning).optional()?;
                let found = found.flatten();
                beginnings.extend(found.map(|beginning| (*id, beginning)));
                change.execute("DELETE FROM matches WHERE id = ?1", [id])?;
            }
            // Read inside the transaction, so that another process's changes are not lost.
            for file in files_of(change)? {
                let all = file.state.matches();
                if all.iter().any(|id| ids.contains(id)) {
                    let left: Vec<i64> =
                        all.iter().filter(|id| !ids.contains(id)).copied().collect();
                    let mut removed = file.removed.clone();
                    removed.extend(all.iter().filter_map(|id| beginnings.get(id).cloned()));
                    let state = match &file.state {
                        _ if left.is_empty() => FileState::Removed,
                        FileState::Failed { why, .. } => FileState::Failed {
                            why: why.clone(),
                            matches: left,
                        },
                        _ => FileState::Read(left),
                    };
                    let path = path_text(&file.path);
                    put_file(change, &path, &file.hash, &state, &removed)?;
                }
            }
            Ok(())
        })?;
        self.0.shrink();
        Ok(())
    }

    /// Returns whether a match was removed, with any file.
    ///
    /// # Errors
    /// [`StoreError`] if the library cannot be read.
    pub fn was_removed(&self, fingerprint: &MatchFingerprint) -> Result<bool, StoreError> {
        let beginning = Beginning::of(fingerprint);
        let removed = self.0.read(removed)?;
        Ok(removed.iter().any(|one| beginning.fits(one)))
    }

    /// Records that all matches of a file were removed before, with other files.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be written.
    pub fn set_removed(
        &mut self,
        path: &Path,
        hash: &str,
        all: &[MatchFingerprint],
    ) -> Result<(), StoreError> {
        let path = path_text(path);
        self.0.change(|change| {
            let before = known(change, &path)?.map_or_else(Vec::new, |file| file.removed);
            put_file(
                change,
                &path,
                hash,
                &FileState::Removed,
                &with_added(before, all),
            )
        })
    }

    /// Records that these matches of a file, which has others, were removed before, with other files.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be written.
    pub fn add_removed(&mut self, path: &Path, all: &[MatchFingerprint]) -> Result<(), StoreError> {
        let path = path_text(path);
        self.0.change(|change| {
            let Some(file) = known(change, &path)? else {
                return Ok(());
            };
            put_file(
                change,
                &path,
                &file.hash,
                &file.state,
                &with_added(file.removed, all),
            )
        })
    }

    /// Returns whether a match that was removed with a file is in the library again.
    ///
    /// # Errors
    /// [`StoreError`] if the library cannot be read.
    pub fn holds_removed(&self, file: &LibraryFile) -> Result<bool, StoreError> {
        self.0.read(|connection| {
            for marks in &file.removed {
                if find(connection, &Beginning::of_marks(marks))?.is_some() {
                    return Ok(true);
                }
            }
            Ok(false)
        })
    }
}

/// Returns the beginnings of removed matches, with those of `more` added.
fn with_added(mut removed: Vec<String>, more: &[MatchFingerprint]) -> Vec<String> {
    for one in more {
        let marks = Beginning::of(one).marks().to_owned();
        if !removed.contains(&marks) {
            removed.push(marks);
        }
    }
    removed
}
