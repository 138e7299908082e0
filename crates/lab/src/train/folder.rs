//! The folder of a training.
//!
//! It contains `checkpoint`, and for the same round `luck-S-R.checkpoint` and `pruning-S-R.checkpoint` (weights,
//! optimiser state, position in the recipe). It also contains `round-N.samples` and `round-N.luck` (the samples in
//! the window), and `luckless.net`, `luck.net` and `pruning.net` (the current nets, ready to use). Each file is
//! written under another name and renamed. `checkpoint` is written last, and the files it needs are kept, so that the
//! folder is consistent after a kill at any time.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::play::RoundSamples;
use super::progress::TrainingProgress;
use super::sample::{LuckSample, Sample};
use crate::store::{self, StoreError};

#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TrainError {
    /// Reading or writing a file failed.
    #[error("cannot {action} {path}")]
    File {
        /// `read` or `write`.
        action: &'static str,
        path: String,
        source: io::Error,
    },
    /// A file with invalid samples.
    #[error("the samples of {path} or of the file of luck beside it are damaged")]
    Samples { path: String },
    /// A folder without samples.
    #[error("no samples are kept in {path}: expected files round-N.samples")]
    NoSamples { path: String },
    /// A damaged checkpoint, or one of another recipe or seed.
    #[error("the checkpoint in {path} cannot be continued: {reason}")]
    Checkpoint { path: String, reason: String },
}

/// Returns the samples that a training has stored in `folder`, oldest round first.
///
/// # Errors
/// [`TrainError::File`], [`TrainError::Samples`] or [`TrainError::NoSamples`].
pub fn all_round_samples(folder: &Path) -> Result<Vec<RoundSamples>, TrainError> {
    Folder::at(folder).all_round_samples()
}

#[derive(Clone, Debug)]
pub(super) struct Folder(PathBuf);

impl Folder {
    /// Opens a folder, creating it if missing.
    pub(super) fn open(path: &Path) -> Result<Self, TrainError> {
        fs::create_dir_all(path).map_err(file("write", path))?;
        Ok(Self::at(path))
    }

    /// Opens an existing folder.
    pub(super) fn at(path: &Path) -> Self {
        Self(path.to_owned())
    }

    pub(super) fn has_checkpoint(&self) -> bool {
        self.0.join("checkpoint").exists()
    }

    /// The error for a checkpoint that cannot be continued.
    pub(super) fn bad_checkpoint(&self, reason: &str) -> TrainError {
        TrainError::Checkpoint {
            path: self.0.display().to_string(),
            reason: reason.to_owned(),
        }
    }

    pub(super) fn read(&self, name: &str) -> Result<Vec<u8>, TrainError> {
        let path = self.0.join(name);
        fs::read(&path).map_err(file("read", &path))
    }

    /// Writes a file atomically.
    pub(super) fn write(&self, name: &str, bytes: &[u8]) -> Result<(), TrainError> {
        let path = self.0.join(name);
        let source = |error| match error {
            StoreError::Io { source, .. } => source,
            other => io::Error::other(other),
        };
        let written = store::file::write(&path, bytes).map_err(source);
        written.map_err(file("write", &path))
    }

    /// Writes the samples of a round, unless they exist.
    pub(super) fn keep(&self, round: u64, samples: &RoundSamples) -> Result<(), TrainError> {
        self.write(&luck_of(round), bytemuck::cast_slice(&samples.luck))?;
        self.write(&samples_of(round), bytemuck::cast_slice(&samples.samples))
    }

    /// Reads the samples of a round and verifies their checksum.
    pub(super) fn round_samples(
        &self,
        round: u64,
        checksum: u32,
    ) -> Result<RoundSamples, TrainError> {
        let samples = self.any_round_samples(round)?;
        match samples.checksum() == checksum {
            true => Ok(samples),
            false => Err(self.damaged(round)),
        }
    }

    fn any_round_samples(&self, round: u64) -> Result<RoundSamples, TrainError> {
        let samples = unpacked(&self.read(&samples_of(round))?, Sample::is_sound);
        let luck = unpacked(&self.read(&luck_of(round))?, LuckSample::is_sound);
        match (samples, luck) {
            (Some(samples), Some(luck)) => Ok(RoundSamples { samples, luck }),
            _ => Err(self.damaged(round)),
        }
    }

    fn damaged(&self, round: u64) -> TrainError {
        TrainError::Samples {
            path: self.0.join(samples_of(round)).display().to_string(),
        }
    }

    /// Reads the samples of all stored rounds.
    pub(super) fn all_round_samples(&self) -> Result<Vec<RoundSamples>, TrainError> {
        let entries = fs::read_dir(&self.0).map_err(file("read", &self.0))?;
        let names = entries.flatten().map(|e| e.file_name());
        let names = names.filter_map(|n| n.into_string().ok());
        let samples = names.filter(|name| name.ends_with(".samples"));
        let mut rounds: Vec<u64> = samples.filter_map(|name| round_of(&name)).collect();
        rounds.sort_unstable();
        if rounds.is_empty() {
            return Err(TrainError::NoSamples {
                path: self.0.display().to_string(),
            });
        }
        rounds
            .into_iter()
            .map(|r| self.any_round_samples(r))
            .collect()
    }

    /// Removes samples of rounds before `oldest`, and parts of other checkpoints than that of `progress`.
    pub(super) fn forget(&self, oldest: u64, progress: &TrainingProgress) {
        let current = later_parts(progress);
        for entry in fs::read_dir(&self.0).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            let is_part = is_later_part(&name);
            let is_old = round_of(&name).is_some_and(|round| round < oldest);
            if is_old || is_part && !current.iter().any(|c| *c == name) {
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}

/// Returns the round of a samples file.
fn round_of(name: &str) -> Option<u64> {
    let (round, kind) = name.strip_prefix("round-")?.split_once('.')?;
    let keeps = matches!(kind, "samples" | "luck");
    keeps.then(|| round.parse().ok())?
}

fn samples_of(round: u64) -> String {
    format!("round-{round}.samples")
}

fn luck_of(round: u64) -> String {
    format!("round-{round}.luck")
}

/// Names of the luck and pruning parts of a checkpoint. They contain its position, because they are written before
/// the first part, which must find its own.
pub(super) fn later_parts(progress: &TrainingProgress) -> [String; 2] {
    let place = format!("{}-{}.checkpoint", progress.stage, progress.round);
    [format!("luck-{place}"), format!("pruning-{place}")]
}

/// Returns whether a file name belongs to a luck or pruning part of a checkpoint.
fn is_later_part(name: &str) -> bool {
    let part = name.strip_suffix(".checkpoint").and_then(|name| {
        let place = name.strip_prefix("luck-");
        place.or_else(|| name.strip_prefix("pruning-"))
    });
    let place = part.and_then(|place| place.split_once('-'));
    place.is_some_and(|(stage, round)| {
        stage.parse::<usize>().is_ok() && round.parse::<u64>().is_ok()
    })
}

/// Decodes samples; `None` if the bytes are not sound samples.
fn unpacked<T: bytemuck::AnyBitPattern>(
    bytes: &[u8],
    is_sound: impl Fn(&T) -> bool,
) -> Option<Vec<T>> {
    let chunks = bytes.chunks_exact(std::mem::size_of::<T>());
    if !chunks.remainder().is_empty() {
        return None;
    }
    let samples: Vec<T> = chunks.map(bytemuck::pod_read_unaligned).collect();
    samples.iter().all(is_sound).then_some(samples)
}

fn file<'a>(action: &'static str, path: &'a Path) -> impl FnOnce(io::Error) -> TrainError + 'a {
    move |source| TrainError::File {
        action,
        path: path.display().to_string(),
        source,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rounds between two checkpoints may never have been written.
    #[test]
    fn what_is_needed_no_more_is_removed_across_gaps() {
        let folder = tempfile::tempdir().unwrap();
        let names = ["round-1.samples", "round-7.luck", "luck-0-3.checkpoint"];
        let kept = ["round-8.samples", "round-x.luck", "my-own.checkpoint"];
        for name in names.iter().chain(&kept) {
            fs::write(folder.path().join(name), []).unwrap();
        }
        Folder::at(folder.path()).forget(8, &TrainingProgress::default());
        let is_there = |name: &&str| folder.path().join(name).exists();
        assert!(kept.iter().all(is_there) && !names.iter().any(is_there));
    }
}
