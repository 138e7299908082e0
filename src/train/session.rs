//! The training loop, and the files from which it continues.
//!
//! A folder holds `checkpoint`, and of the same round `luck-S-R.checkpoint` and
//! `pruning-S-R.checkpoint` (weights, optimiser, place in the recipe), `round-N.samples` and
//! `round-N.luck` (the samples still in the window), and `luckless.net`, `luck.net` and
//! `pruning.net` (the nets as they stand, ready to use). Each is written aside and renamed; the first
//! is written last, and the others keep what it needs, so that a kill at any time leaves a whole.

use std::collections::VecDeque;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::checkpoint::{self, Place, write_whole};
use super::learn::{Learner, Lesson};
use super::play::{self, Games, Harvest, Labels};
use super::pruning::PruningLearner;
use super::recipe::{Recipe, Stage};
use super::sample::{LuckSample, Sample};
use super::weights::Weights;
use crate::eval::Engine;
use crate::eval::luck_net::LuckNet;
use crate::eval::net::{Net, Origin};
use crate::eval::pruning_net::PruningNet;

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
    /// Mean loss of the net of luck in it.
    #[serde(default)]
    pub luck_loss: f32,
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
    /// Samples that are none.
    #[error("the samples of {path} or of the file of luck beside it are damaged")]
    Samples {
        /// Which file.
        path: String,
    },
    /// A folder without samples.
    #[error("no samples are kept in {path}: expected files round-N.samples")]
    NoSamples {
        /// Which folder.
        path: String,
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
    luck: Learner,
    pruning: PruningLearner,
    progress: Progress,
    /// What the last rounds gave, oldest first.
    window: VecDeque<Harvest>,
    /// What another training has kept.
    also: Vec<Harvest>,
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
            learner: Learner::new(Weights::random(Sample::OUTPUTS, seed)),
            luck: Learner::new(Weights::random(LuckSample::OUTPUTS, seed)),
            pruning: PruningLearner::new(seed),
            progress: Progress::default(),
            window: VecDeque::new(),
            also: Vec::new(),
        };
        if folder.join("checkpoint").exists() {
            session.restore()?;
        }
        Ok(session)
    }

    /// Learns from the samples that another training has kept in `folder` as well, as long as there
    /// are samples of its own by lookahead. They are not kept here: whoever continues names the
    /// folder again.
    ///
    /// # Errors
    /// [`TrainError::File`].
    pub fn learn_also(&mut self, folder: &Path) -> Result<(), TrainError> {
        let entries = fs::read_dir(folder).map_err(file("read", folder))?;
        let number = |name: &str| -> Option<u64> {
            let name = name.strip_prefix("round-")?;
            name.strip_suffix(".samples")?.parse().ok()
        };
        let names = entries.flatten().map(|e| e.file_name());
        let mut rounds: Vec<u64> = names.filter_map(|n| number(n.to_str()?)).collect();
        rounds.sort_unstable();
        if rounds.is_empty() {
            return Err(TrainError::NoSamples {
                path: folder.display().to_string(),
            });
        }
        for round in rounds {
            self.also.push(harvest(folder, round)?);
        }
        Ok(())
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
        self.learner.average.net(self.origin())
    }

    /// The net of luck as it stands.
    #[must_use]
    pub fn luck_net(&self) -> LuckNet {
        self.luck.average.luck_net(self.origin())
    }

    /// The pruning net as it stands.
    #[must_use]
    pub fn pruning_net(&self) -> PruningNet {
        self.pruning.net(self.origin())
    }

    fn origin(&self) -> Origin {
        let recipe = match self.stage() {
            None => self.recipe.name.to_owned(),
            Some(stage) => format!(
                "{}, {} round {}",
                self.recipe.name, stage.name, self.progress.round
            ),
        };
        Origin {
            recipe,
            seed: self.seed,
            positions: self.progress.positions,
        }
    }

    /// Plays one round while learning from the rounds before it. Returns false when the recipe is
    /// finished.
    pub fn round(&mut self) -> bool {
        let Some(stage) = self.stage() else {
            return false;
        };
        if stage.anew && self.progress.round == 0 {
            let seed = self.seed ^ ANEW_SEED;
            self.learner = Learner::new(Weights::random(Sample::OUTPUTS, seed));
        }
        // The averaged weights lag behind: labels that hang on them would spread what is learnt
        // several times more slowly.
        let engine = Engine::new(
            self.learner.weights.net(Origin::default()),
            self.luck.weights.luck_net(Origin::default()),
            // It knows nothing yet while games are merely played.
            (stage.labels != Labels::Played).then(|| self.pruning.net(Origin::default())),
        );
        let games = Games {
            first: self.progress.games,
            count: stage.games,
            seed: self.seed,
            lambda: stage.lambda,
            labels: stage.labels,
            hard: stage.hard,
        };
        let (round, seed) = (self.progress.round, self.seed ^ self.progress.games);
        let also = match stage.labels {
            Labels::Lookahead => &self.also[..],
            _ => &[],
        };
        let past = self.window.back().map_or(&[][..], |h| &h.samples);
        let window = || also.iter().chain(&self.window);
        let (learner, luck) = (&mut self.learner, &mut self.luck);
        let pruning = &mut self.pruning;
        let learning = || {
            let rate = stage.rate_at(round);
            let samples: Vec<&[Sample]> = window().map(|h| &h.samples[..]).collect();
            let loss = learn(learner, &samples, stage.batch, stage.reuse, rate, seed);
            let (share, seed_of_it) = (stage.reuse.min(PRUNING_REUSE), seed ^ PRUNING_SEED);
            draw(&samples, stage.batch, share, seed_of_it, |batch| {
                pruning.step(batch, rate)
            });
            let samples: Vec<&[LuckSample]> = window().map(|h| &h.luck[..]).collect();
            let (rate, seed) = (stage.luck_rate_at(round), seed ^ LUCK_SEED);
            let luck_loss = learn(luck, &samples, stage.batch, stage.luck_reuse, rate, seed);
            (loss, luck_loss)
        };
        let ((loss, luck_loss), harvest) =
            rayon::join(learning, || play::play(&engine, &games, past));
        self.progress.games += stage.games;
        self.progress.positions += harvest.samples.len() as u64;
        self.progress.loss = loss;
        self.progress.luck_loss = luck_loss;
        self.window.push_back(harvest);
        self.progress.round += 1;
        if self.progress.round == stage.rounds {
            self.progress.round = 0;
            self.progress.stage += 1;
        }
        let keep = self.stage().map_or(0, |s| s.window);
        if self.stage().is_none_or(|s| s.labels != stage.labels) {
            self.window.clear();
        }
        while self.window.len() > keep {
            self.window.pop_front();
        }
        true
    }

    /// Writes the checkpoints and the nets. Sample files are written once each.
    ///
    /// # Errors
    /// [`TrainError::File`].
    pub fn save(&self) -> Result<(), TrainError> {
        let last = self.rounds_played();
        let kept: Vec<u64> = (last - self.window.len() as u64..last).collect();
        let write = |name: &str, bytes: &[u8]| {
            let path = self.folder.join(name);
            write_whole(&path, bytes).map_err(file("write", &path))
        };
        for (&round, harvest) in kept.iter().zip(&self.window) {
            if !self.folder.join(samples_of(round)).exists() {
                write(&luck_of(round), bytemuck::cast_slice(&harvest.luck))?;
                write(&samples_of(round), bytemuck::cast_slice(&harvest.samples))?;
            }
        }
        let place = Place {
            recipe: self.recipe.name.to_owned(),
            seed: self.seed,
            progress: self.progress,
            kept: kept.clone(),
        };
        let (learner, luck, pruning) = (&self.learner, &self.luck, &self.pruning);
        let bytes = |steps, groups: &[&[f32]]| checkpoint::to_bytes(&place, steps, groups);
        let [luck_name, pruning_name] = later_parts(&self.progress);
        write(&luck_name, &bytes(luck.steps, &luck.groups()))?;
        write(&pruning_name, &bytes(pruning.steps, &pruning.groups()))?;
        write("checkpoint", &bytes(learner.steps, &learner.groups()))?;
        write("luckless.net", &self.net().to_bytes())?;
        write("luck.net", &self.luck_net().to_bytes())?;
        write("pruning.net", &self.pruning_net().to_bytes())?;
        self.forget(&kept);
        Ok(())
    }

    fn restore(&mut self) -> Result<(), TrainError> {
        let bad = |reason: &str| TrainError::Checkpoint {
            path: self.folder.display().to_string(),
            reason: reason.to_owned(),
        };
        let read = |name: &str| {
            let path = self.folder.join(name);
            fs::read(&path).map_err(file("read", &path))
        };
        let (learner, luck, pruning) = (&mut self.learner, &mut self.luck, &mut self.pruning);
        let restored = |name: &str, groups: &mut [&mut [f32]]| {
            checkpoint::from_bytes(&read(name)?, groups).map_err(|reason| bad(&reason))
        };
        let (place, steps) = restored("checkpoint", &mut learner.groups_mut())?;
        learner.steps = steps;
        if place.recipe != self.recipe.name || place.seed != self.seed {
            return Err(bad("it is of another recipe or seed"));
        }
        let [luck_name, pruning_name] = later_parts(&place.progress);
        let (luck_place, steps) = restored(&luck_name, &mut luck.groups_mut())?;
        luck.steps = steps;
        let (pruning_place, steps) = restored(&pruning_name, &mut pruning.groups_mut())?;
        pruning.steps = steps;
        if luck_place != place || pruning_place != place {
            return Err(bad("its parts are of different rounds"));
        }
        let mut window = VecDeque::new();
        for round in place.kept {
            window.push_back(harvest(&self.folder, round)?);
        }
        self.window = window;
        self.progress = place.progress;
        Ok(())
    }

    /// Rounds played in all stages.
    fn rounds_played(&self) -> u64 {
        let done = &self.recipe.stages[..self.progress.stage];
        done.iter().map(|s| s.rounds).sum::<u64>() + self.progress.round
    }

    /// Removes files that are needed no more.
    fn forget(&self, kept: &[u64]) {
        let oldest = kept
            .first()
            .copied()
            .unwrap_or_else(|| self.rounds_played());
        for round in (0..oldest).rev() {
            let _ = fs::remove_file(self.folder.join(luck_of(round)));
            if fs::remove_file(self.folder.join(samples_of(round))).is_err() {
                break;
            }
        }
        let current = later_parts(&self.progress);
        for entry in fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            let is_part = name.ends_with(".checkpoint") && name.contains('-');
            if is_part && !current.iter().any(|c| *c == name) {
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}

/// Keeps the random numbers of the two nets' learning apart.
const LUCK_SEED: u64 = 0x6c75_636b;

/// The same for the pruning net.
const PRUNING_SEED: u64 = 0x7072_756e;

/// The pruning net is shown a sample at most so many times: it is small and learns fast.
const PRUNING_REUSE: f32 = 1.0;

/// Keeps the first weights of a net that begins anew apart from the first of all.
const ANEW_SEED: u64 = 0x616e_6577;

fn samples_of(round: u64) -> String {
    format!("round-{round}.samples")
}

fn luck_of(round: u64) -> String {
    format!("round-{round}.luck")
}

/// The later parts of a checkpoint have their place in their names: they are written before the
/// first part, which must find those it belongs to.
fn later_parts(progress: &Progress) -> [String; 2] {
    let place = format!("{}-{}.checkpoint", progress.stage, progress.round);
    [format!("luck-{place}"), format!("pruning-{place}")]
}

/// The samples of a round.
fn harvest(folder: &Path, round: u64) -> Result<Harvest, TrainError> {
    let read = |name: String| {
        let path = folder.join(name);
        fs::read(&path).map_err(file("read", &path))
    };
    let samples: Option<Vec<Sample>> = unpacked(&read(samples_of(round))?, Sample::is_sound);
    let luck: Option<Vec<LuckSample>> = unpacked(&read(luck_of(round))?, LuckSample::is_sound);
    let damaged = || TrainError::Samples {
        path: folder.join(samples_of(round)).display().to_string(),
    };
    Ok(Harvest {
        samples: samples.ok_or_else(damaged)?,
        luck: luck.ok_or_else(damaged)?,
    })
}

/// The samples of a file, or `None` if it holds anything else.
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

/// Learns from random samples of the window, each of the newest as many times as `reuse` says;
/// returns the mean loss.
fn learn<L: Lesson>(
    learner: &mut Learner,
    window: &[&[L]],
    batch: usize,
    reuse: f32,
    rate: f32,
    seed: u64,
) -> f32 {
    draw(window, batch, reuse, seed, |lessons| {
        learner.step(lessons.iter().copied(), rate)
    })
}

/// Hands batches of random samples of the window to `step`, each of the newest as many times as
/// `reuse` says, on average; returns the mean of what it returns.
fn draw<L>(
    window: &[&[L]],
    batch: usize,
    reuse: f32,
    seed: u64,
    mut step: impl FnMut(&[&L]) -> f32,
) -> f32 {
    // A round without games gives nothing new.
    let newest = window.iter().rev().map(|w| w.len()).find(|&n| n > 0);
    let newest = newest.unwrap_or(0);
    let steps = (newest as f32 * reuse / batch as f32).ceil() as usize;
    let total: usize = window.iter().map(|w| w.len()).sum();
    let starts: Vec<usize> = window
        .iter()
        .scan(0, |sum, w| Some(std::mem::replace(sum, *sum + w.len())))
        .collect();
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(u64::MAX);
    let mut loss = 0.0;
    let mut lessons: Vec<&L> = Vec::with_capacity(batch);
    for _ in 0..steps {
        lessons.clear();
        for _ in 0..batch {
            let n = rng.random_range(0..total);
            let part = starts.partition_point(|&s| s <= n) - 1;
            lessons.push(&window[part][n - starts[part]]);
        }
        loss += step(&lessons);
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
        assert_eq!(through.luck_net().to_bytes(), session.luck_net().to_bytes());
        let pruning = [&through, &session].map(|s| s.pruning_net().to_bytes());
        assert_eq!(pruning[0], pruning[1]);
        assert!(through.progress().positions > 1000);
    }

    /// Samples of another training make a difference, from the first stage that looks ahead.
    #[test]
    fn samples_of_another_training_are_learnt_from() {
        let folders = [(); 3].map(|()| tempfile::tempdir().unwrap());
        let mut other = Session::open(folders[0].path(), smoke(), 3).unwrap();
        let until = |session: &mut Session, stage: usize| {
            while session.progress().stage < stage {
                session.round();
            }
        };
        until(&mut other, 1);
        other.round();
        other.save().unwrap();
        let mut nets = [false, true].map(|also| {
            let folder = &folders[1 + usize::from(also)];
            let mut session = Session::open(folder.path(), smoke(), 4).unwrap();
            if also {
                session.learn_also(folders[0].path()).unwrap();
            }
            until(&mut session, 1);
            let before = session.net().to_bytes();
            until(&mut session, 2);
            [before, session.net().to_bytes()]
        });
        let [alone, with] = &mut nets;
        assert_eq!(alone[0], with[0]);
        assert_ne!(alone[1], with[1]);
    }

    #[test]
    fn samples_that_are_none_are_refused() {
        let folders = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let [own, other] = &folders;
        let mut session = Session::open(own.path(), smoke(), 4).unwrap();
        let empty = session.learn_also(other.path());
        assert!(matches!(empty, Err(TrainError::NoSamples { .. })));
        for bytes in [vec![0xff; 38], vec![0; 37]] {
            fs::write(other.path().join("round-3.samples"), bytes).unwrap();
            fs::write(other.path().join("round-3.luck"), []).unwrap();
            let damaged = session.learn_also(other.path());
            assert!(matches!(damaged, Err(TrainError::Samples { .. })));
        }
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
