//! The training loop, and the files from which it continues.
//!
//! A folder holds `checkpoint` (weights, optimiser, place in the recipe), `round-N.samples` (the
//! samples still in the window) and `luckless.net` (the net as it stands, ready to use). Each is
//! written aside and renamed, so that a kill at any time leaves a whole one.

use std::collections::VecDeque;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::learn::Learner;
use super::play::{self, Games};
use super::recipe::{Recipe, Stage};
use super::sample::Sample;
use super::weights::Weights;
use crate::eval::Engine;
use crate::eval::net::Net;

/// Where a training stands: the last round that was played and learnt from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    /// Stage, from 0.
    pub stage: usize,
    /// Rounds of that stage done.
    pub round: u64,
    /// Games played so far.
    pub games: u64,
    /// Samples made so far.
    pub positions: u64,
    /// Mean cross-entropy of the last round's learning.
    pub loss: f32,
}

/// What can go wrong.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TrainError {
    /// A file of the training folder.
    #[error("cannot {action} {path}")]
    File {
        /// `read` or `write`.
        action: &'static str,
        /// Which file.
        path: String,
        /// Why.
        source: io::Error,
    },
    /// A checkpoint that is damaged, or of another recipe or seed.
    #[error("the checkpoint in {path} cannot be continued: {reason}")]
    Checkpoint {
        /// The folder.
        path: String,
        /// Why not.
        reason: String,
    },
}

/// A training under way.
pub struct Session {
    folder: PathBuf,
    recipe: &'static Recipe,
    seed: u64,
    learner: Learner,
    progress: Progress,
    /// Samples of the last rounds, oldest first.
    window: VecDeque<Vec<Sample>>,
}

#[derive(Serialize, Deserialize)]
struct CheckpointHeader {
    recipe: String,
    seed: u64,
    steps: u64,
    progress: Progress,
    kept: Vec<u64>,
    crc32: u32,
}

impl Session {
    /// Starts in `folder`, or goes on with the checkpoint that is there.
    ///
    /// # Errors
    /// A [`TrainError`] if the folder cannot be used or holds another training.
    pub fn open(folder: &Path, recipe: &'static Recipe, seed: u64) -> Result<Self, TrainError> {
        fs::create_dir_all(folder).map_err(file("write", folder))?;
        let mut session = Self {
            folder: folder.to_owned(),
            recipe,
            seed,
            learner: Learner::new(Weights::random(seed)),
            progress: Progress::default(),
            window: VecDeque::new(),
        };
        let path = folder.join("checkpoint");
        if path.exists() {
            let bytes = fs::read(&path).map_err(file("read", &path))?;
            session.restore(&bytes)?;
        }
        Ok(session)
    }

    /// Where the training stands.
    #[must_use]
    pub fn progress(&self) -> Progress {
        self.progress
    }

    /// The stage at hand, or `None` when the recipe is finished.
    #[must_use]
    pub fn stage(&self) -> Option<&'static Stage> {
        self.recipe.stages.get(self.progress.stage)
    }

    /// The net as it stands.
    #[must_use]
    pub fn net(&self) -> Net {
        let name = match self.stage() {
            None => self.recipe.name.to_owned(),
            Some(stage) => format!(
                "{}, {} round {}",
                self.recipe.name, stage.name, self.progress.round
            ),
        };
        self.learner
            .average
            .quantised(&name, self.seed, self.progress.positions)
    }

    /// Plays one round while learning from the rounds before it. Returns false when the recipe is
    /// finished.
    pub fn round(&mut self) -> bool {
        let Some(stage) = self.stage() else {
            return false;
        };
        let engine = Engine::with_net(self.net());
        let games = Games {
            first: self.progress.games,
            count: stage.games,
            seed: self.seed,
            lambda: stage.lambda,
            lookahead: stage.lookahead,
        };
        let (round, seed) = (self.progress.round, self.seed ^ self.progress.games);
        let (learner, window) = (&mut self.learner, &self.window);
        let (loss, samples) = rayon::join(
            || learn(learner, window, stage, round, seed),
            || play::play(&engine, &games),
        );
        self.progress.games += stage.games;
        self.progress.positions += samples.len() as u64;
        self.progress.loss = loss;
        self.window.push_back(samples);
        self.progress.round += 1;
        if self.progress.round == stage.rounds {
            self.progress.round = 0;
            self.progress.stage += 1;
        }
        let keep = self.stage().map_or(0, |s| s.window);
        let same_labels = self.stage().is_some_and(|s| s.lookahead == stage.lookahead);
        if !same_labels {
            self.window.clear();
        }
        while self.window.len() > keep {
            self.window.pop_front();
        }
        true
    }

    /// Writes the checkpoint and the net. Sample files are written once each.
    ///
    /// # Errors
    /// [`TrainError::File`].
    pub fn save(&self) -> Result<(), TrainError> {
        let last = self.rounds_played();
        let kept: Vec<u64> = (last - self.window.len() as u64..last).collect();
        for (&round, samples) in kept.iter().zip(&self.window) {
            let path = self.samples_path(round);
            if !path.exists() {
                write_whole(&path, bytemuck::cast_slice(samples))?;
            }
        }
        let mut body: Vec<u8> = Vec::new();
        let [m, v] = &self.learner.moments;
        for weights in [&self.learner.weights, m, v, &self.learner.average] {
            for group in weights.groups() {
                body.extend(group.iter().flat_map(|w| w.to_le_bytes()));
            }
        }
        let header = CheckpointHeader {
            recipe: self.recipe.name.to_owned(),
            seed: self.seed,
            steps: self.learner.steps,
            progress: self.progress,
            crc32: crc32fast::hash(&body),
            kept: kept.clone(),
        };
        let mut bytes = serde_json::to_vec(&header).expect("a header is plain data");
        bytes.push(b'\n');
        bytes.extend(body);
        write_whole(&self.folder.join("checkpoint"), &bytes)?;
        write_whole(&self.folder.join("luckless.net"), &self.net().to_bytes())?;
        self.forget(&kept);
        Ok(())
    }

    fn restore(&mut self, bytes: &[u8]) -> Result<(), TrainError> {
        let bad = |reason: &str| TrainError::Checkpoint {
            path: self.folder.display().to_string(),
            reason: reason.to_owned(),
        };
        let end = bytes
            .iter()
            .position(|&b| b == b'\n')
            .ok_or_else(|| bad("no header"))?;
        let header: CheckpointHeader =
            serde_json::from_slice(&bytes[..end]).map_err(|e| bad(&e.to_string()))?;
        if header.recipe != self.recipe.name || header.seed != self.seed {
            return Err(bad("it is of another recipe or seed"));
        }
        let body = &bytes[end + 1..];
        let mut parts = [(); 4].map(|()| Weights::zero());
        let size: usize = parts[0].groups().iter().map(|g| 4 * g.len()).sum();
        if body.len() != 4 * size || crc32fast::hash(body) != header.crc32 {
            return Err(bad("its checksum or length is wrong"));
        }
        let mut words = body.chunks_exact(4);
        for part in &mut parts {
            for group in part.groups_mut() {
                for (w, word) in group.iter_mut().zip(&mut words) {
                    *w = f32::from_le_bytes(word.try_into().expect("four bytes"));
                }
            }
        }
        let [weights, m, v, average] = parts;
        self.window.clear();
        for round in header.kept {
            let path = self.samples_path(round);
            let bytes = fs::read(&path).map_err(file("read", &path))?;
            let samples = bytes
                .chunks_exact(super::sample::BYTES)
                .map(bytemuck::pod_read_unaligned)
                .collect();
            self.window.push_back(samples);
        }
        self.learner = Learner::resume(weights, [m, v], average, header.steps);
        self.progress = header.progress;
        Ok(())
    }

    /// Rounds played in all stages.
    fn rounds_played(&self) -> u64 {
        let done = &self.recipe.stages[..self.progress.stage];
        done.iter().map(|s| s.rounds).sum::<u64>() + self.progress.round
    }

    fn samples_path(&self, round: u64) -> PathBuf {
        self.folder.join(format!("round-{round}.samples"))
    }

    /// Removes sample files that have left the window.
    fn forget(&self, kept: &[u64]) {
        let oldest = kept
            .first()
            .copied()
            .unwrap_or_else(|| self.rounds_played());
        for round in (0..oldest).rev() {
            if fs::remove_file(self.samples_path(round)).is_err() {
                break;
            }
        }
    }
}

/// Learns from random samples of the window, as many as the stage's reuse says; returns the mean
/// cross-entropy.
fn learn(
    learner: &mut Learner,
    window: &VecDeque<Vec<Sample>>,
    stage: &Stage,
    round: u64,
    seed: u64,
) -> f32 {
    let Some(newest) = window.back().filter(|w| !w.is_empty()) else {
        return 0.0;
    };
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(u64::MAX);
    let steps = (newest.len() as f32 * stage.reuse / stage.batch as f32).ceil() as usize;
    let total: usize = window.iter().map(Vec::len).sum();
    let starts: Vec<usize> = window
        .iter()
        .scan(0, |sum, w| Some(std::mem::replace(sum, *sum + w.len())))
        .collect();
    let mut loss = 0.0;
    let mut batch: Vec<&Sample> = Vec::with_capacity(stage.batch);
    for _ in 0..steps {
        batch.clear();
        for _ in 0..stage.batch {
            let n = rng.random_range(0..total);
            let shard = starts.partition_point(|&s| s <= n) - 1;
            batch.push(&window[shard][n - starts[shard]]);
        }
        loss += learner.step(batch.iter().copied(), stage.rate_at(round));
    }
    loss / steps.max(1) as f32
}

fn file<'a>(action: &'static str, path: &'a Path) -> impl FnOnce(io::Error) -> TrainError + 'a {
    move |source| TrainError::File {
        action,
        path: path.display().to_string(),
        source,
    }
}

fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), TrainError> {
    let aside = path.with_extension("part");
    fs::write(&aside, bytes).map_err(file("write", &aside))?;
    fs::rename(&aside, path).map_err(file("write", path))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn smoke() -> &'static Recipe {
        Recipe::named("smoke").unwrap()
    }

    /// Stopped after every round and opened again, or not: the same net, to the last bit.
    #[test]
    fn continuing_is_as_if_never_stopped() {
        let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
        let mut through = Session::open(folders[0].path(), smoke(), 3).unwrap();
        while through.round() {}
        let mut session = Session::open(folders[1].path(), smoke(), 3).unwrap();
        while session.round() {
            session.save().unwrap();
            session = Session::open(folders[1].path(), smoke(), 3).unwrap();
        }
        assert_eq!(through.net().to_bytes(), session.net().to_bytes());
        assert!(through.progress().positions > 1000);
    }

    #[test]
    fn another_seed_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let mut session = Session::open(folder.path(), smoke(), 1).unwrap();
        session.round();
        session.save().unwrap();
        assert!(matches!(
            Session::open(folder.path(), smoke(), 2),
            Err(TrainError::Checkpoint { .. })
        ));
    }
}
