//! The training loop.
//!
//! The next round is played while the previous rounds are learned; the threads share both tasks. A [`Folder`] stores
//! the data needed to continue.

use std::collections::{BTreeMap, VecDeque};
use std::path::Path;
use std::sync::Arc;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::checkpoint::{self, TrainingPoint};
use super::folder::{self, Folder, TrainError, later_parts};
use super::learn::{Learner, TrainingExample};
use super::play::{self, Games, Labels, RoundSamples};
use super::progress::TrainingProgress;
use super::pruning::PruningLearner;
use super::recipe::{Recipe, TrainingStage};
use super::sample::{LuckSample, Sample};
use super::weights::{Weights, rows_seen};
use crate::eval::Engine;
use crate::eval::kinds::Sharing;
use crate::eval::luck_net::LuckNet;
use crate::eval::net::{Net, NetError, Origin};
use crate::eval::pruning_net::{PruningNet, PruningNets};

/// A training in progress.
pub struct TrainingSession {
    folder: Folder,
    recipe: &'static Recipe,
    seed: u64,
    learner: Learner,
    luck: Learner,
    /// A luck net that was provided: exported unchanged until one is trained here.
    luck_given: Option<LuckNet>,
    pruning: PruningLearner,
    progress: TrainingProgress,
    /// Samples of the last rounds, oldest first.
    window: VecDeque<RoundSamples>,
    /// Rounds of the window that are stored in the folder, with their checksums.
    kept: BTreeMap<u64, u32>,
    /// Samples of another training.
    also: Vec<RoundSamples>,
}

impl TrainingSession {
    /// Starts in `folder`, or continues from the checkpoint there.
    ///
    /// # Errors
    /// A [`TrainError`] if the folder cannot be used or holds another training.
    pub fn open(folder: &Path, recipe: &'static Recipe, seed: u64) -> Result<Self, TrainError> {
        let mut session = Self {
            folder: Folder::open(folder)?,
            recipe,
            seed,
            learner: Learner::new(Weights::random(Sample::HEADS, Sample::OUTPUTS, seed)),
            luck: Learner::new(Weights::random(
                LuckSample::HEADS,
                LuckSample::OUTPUTS,
                seed,
            )),
            luck_given: None,
            pruning: PruningLearner::new(seed),
            progress: TrainingProgress::default(),
            window: VecDeque::new(),
            kept: BTreeMap::new(),
            also: Vec::new(),
        };
        if session.folder.has_checkpoint() {
            session.restore()?;
        }
        Ok(session)
    }

    /// Also learns from the samples that another training stored in `folder`, from the first stage with lookahead on.
    /// They are not stored here: name the folder again to continue.
    ///
    /// # Errors
    /// [`TrainError::File`].
    pub fn learn_also(&mut self, folder: &Path) -> Result<(), TrainError> {
        self.also.extend(folder::all_round_samples(folder)?);
        Ok(())
    }

    /// Returns whether this training has a checkpoint.
    pub fn has_begun(&self) -> bool {
        self.folder.has_checkpoint()
    }

    /// Starts from the nets in `folder`, unless the training has begun. A recipe that does not train a luck net
    /// exports the provided one unchanged.
    ///
    /// # Errors
    /// A [`NetError`] if they are missing or do not fit.
    pub fn begin_with(&mut self, folder: &Path) -> Result<(), NetError> {
        if !self.has_begun() {
            let net = Net::load(&folder.join(NET))?;
            self.learner = Learner::new(Weights::of_net(&net));
            self.pruning = PruningLearner::of_net(&PruningNet::load(&folder.join(PRUNING_NET))?);
            self.luck_given = Some(LuckNet::load(&folder.join(LUCK_NET))?);
            self.progress.positions = net.header().positions;
        }
        Ok(())
    }

    pub fn progress(&self) -> TrainingProgress {
        self.progress
    }

    /// The current stage; `None` when the recipe is finished.
    pub fn stage(&self) -> Option<&'static TrainingStage> {
        self.recipe.stages.get(self.progress.stage)
    }

    /// The current net.
    pub fn net(&self) -> Net {
        self.learner.average.net(self.origin())
    }

    /// The current luck net.
    pub fn luck_net(&self) -> LuckNet {
        match &self.luck_given {
            Some(net) if self.luck.steps == 0 => net.clone(),
            _ => self.luck.average.luck_net(self.origin()),
        }
    }

    /// The current pruning net.
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

    /// Plays one round while learning from the previous ones. Returns false when the recipe is finished.
    pub fn round(&mut self) -> bool {
        let Some(stage) = self.stage() else {
            return false;
        };
        self.prepare(stage);
        // Not the averaged weights, which lag behind: labels from them would spread new knowledge several times more
        // slowly.
        let engine = Engine::new(
            self.learner.weights.net(Origin::default()),
            self.luck.weights.luck_net(Origin::default()),
            // Untrained while games are played without lookahead.
            (stage.labels != Labels::Played).then(|| PruningNets {
                contact: self.pruning.net(Origin::default()),
                race: None,
            }),
        );
        let games = Games {
            first: self.progress.games,
            count: stage.games,
            seed: self.seed,
            lambda: stage.lambda,
            labels: stage.labels,
            hard: stage.hard,
            near: stage.near,
            rivals: stage.rivals,
        };
        let (round, seed) = (self.progress.round, self.draw_seed(stage));
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
        let ((loss, luck_loss), samples) =
            rayon::join(learning, || play::play(&engine, &games, past));
        self.progress.games += stage.games;
        self.progress.positions += samples.samples.len() as u64;
        (self.progress.loss, self.progress.luck_loss) = (loss, luck_loss);
        self.window.push_back(samples);
        self.end_round(stage);
        true
    }

    /// Prepares the learner for a stage: restarts from random weights or gives kinds of position their own rows, if
    /// the stage asks for it.
    fn prepare(&mut self, stage: &TrainingStage) {
        if stage.anew && self.progress.round == 0 {
            let seed = self.seed ^ ANEW_SEED;
            self.learner = Learner::new(Weights::random(Sample::HEADS, Sample::OUTPUTS, seed));
        }
        if stage.divided && self.learner.weights.is_whole() {
            self.divide();
        }
    }

    /// Continues with the next round or the next stage, and drops samples outside the window.
    fn end_round(&mut self, stage: &TrainingStage) {
        self.progress.round += 1;
        if self.progress.round >= stage.rounds {
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
    }

    /// Seed for drawing samples in this round.
    fn draw_seed(&self, stage: &TrainingStage) -> u64 {
        // Without games, the round distinguishes one draw from the next.
        let round = match stage.games {
            0 => 1 + self.progress.round,
            _ => 0,
        };
        self.seed ^ self.progress.games ^ round.rotate_left(40)
    }

    /// Gives kinds of position their own copies of the rows that are common among the kept samples.
    fn divide(&mut self) {
        let samples = self.window.iter().flat_map(|h| &h.samples);
        let seen = rows_seen(samples.map(Sample::board));
        self.learner
            .divide(&Arc::new(Sharing::by_use(&seen, WEIGHTS)));
    }

    /// Writes the checkpoints and the nets. Each sample file is written once.
    ///
    /// # Errors
    /// [`TrainError::File`].
    pub fn save(&mut self) -> Result<(), TrainError> {
        let last = self.rounds_played();
        let oldest = last - self.window.len() as u64;
        self.kept.retain(|&round, _| round >= oldest);
        for (round, samples) in (oldest..).zip(&self.window) {
            if !self.kept.contains_key(&round) {
                self.folder.keep(round, samples)?;
                self.kept.insert(round, samples.checksum());
            }
        }
        let place = TrainingPoint {
            recipe: self.recipe.name.to_owned(),
            stages: Some(self.recipe.checksum()),
            seed: self.seed,
            progress: self.progress,
            kept: self
                .kept
                .iter()
                .map(|(&round, &sum)| (round, sum))
                .collect(),
            luck_given: self.luck_given.is_some(),
            divided: !self.learner.weights.is_whole(),
        };
        let (learner, luck, pruning) = (&self.learner, &self.luck, &self.pruning);
        let bytes = |steps, groups: &[&[f32]]| checkpoint::to_bytes(&place, steps, groups);
        let [luck_name, pruning_name] = later_parts(&self.progress);
        let write = |name: &str, bytes: Vec<u8>| self.folder.write(name, &bytes);
        write(&luck_name, bytes(luck.steps, &luck.groups()))?;
        write(&pruning_name, bytes(pruning.steps, &pruning.groups()))?;
        // Written before the checkpoint, which needs the main net's sharing of rows, and the luck net if it was
        // provided.
        write(NET, self.net().to_bytes())?;
        write(LUCK_NET, self.luck_net().to_bytes())?;
        write(PRUNING_NET, self.pruning_net().to_bytes())?;
        write("checkpoint", bytes(learner.steps, &learner.groups()))?;
        self.folder.forget(oldest, &self.progress);
        Ok(())
    }

    fn restore(&mut self) -> Result<(), TrainError> {
        let bad = |reason: &str| self.folder.bad_checkpoint(reason);
        let first = self.folder.read("checkpoint")?;
        let place = checkpoint::place(&first).map_err(|reason| bad(&reason))?;
        if place.divided {
            let net = Net::from_bytes(&self.folder.read(NET)?).map_err(|e| bad(&e.to_string()))?;
            self.learner.divide(&Arc::new(net.sharing().clone()));
        }
        let (learner, luck, pruning) = (&mut self.learner, &mut self.luck, &mut self.pruning);
        let restore = |bytes: &[u8], groups: &mut [&mut [f32]]| {
            checkpoint::from_bytes(bytes, groups).map_err(|reason| bad(&reason))
        };
        let restored =
            |name: &str, groups: &mut [&mut [f32]]| restore(&self.folder.read(name)?, groups);
        let (place, steps) = restore(&first, &mut learner.groups_mut())?;
        learner.steps = steps;
        if place.recipe != self.recipe.name || place.seed != self.seed {
            return Err(bad("it is of another recipe or seed"));
        }
        if place
            .stages
            .is_some_and(|stages| stages != self.recipe.checksum())
        {
            return Err(bad("the stages of its recipe have changed"));
        }
        let [luck_name, pruning_name] = later_parts(&place.progress);
        let (luck_place, steps) = restored(&luck_name, &mut luck.groups_mut())?;
        luck.steps = steps;
        let (pruning_place, steps) = restored(&pruning_name, &mut pruning.groups_mut())?;
        pruning.steps = steps;
        if luck_place != place || pruning_place != place {
            return Err(bad("its parts are of different rounds"));
        }
        if place.luck_given {
            let net = LuckNet::from_bytes(&self.folder.read(LUCK_NET)?);
            self.luck_given = Some(net.map_err(|e| bad(&format!("{LUCK_NET}: {e}")))?);
        }
        let kept = place.kept.iter();
        let samples = kept.map(|&(round, sum)| self.folder.round_samples(round, sum));
        self.window = samples.collect::<Result<_, _>>()?;
        self.kept = place.kept.iter().copied().collect();
        self.progress = place.progress;
        Ok(())
    }

    fn rounds_played(&self) -> u64 {
        let done = &self.recipe.stages[..self.progress.stage];
        done.iter().map(|s| s.rounds).sum::<u64>() + self.progress.round
    }
}

/// Number of first-layer rows after kinds get their own: the program's maximum.
pub(crate) const WEIGHTS: usize = 30_000;

/// File names of the nets of outcomes, pruning and luck.
const NET: &str = "luckless.net";
const PRUNING_NET: &str = "pruning.net";
const LUCK_NET: &str = "luck.net";

/// Separates the random streams of the two nets' learning.
const LUCK_SEED: u64 = 0x6c75_636b;

/// Separates the random stream of the pruning net's learning.
const PRUNING_SEED: u64 = 0x7072_756e;

/// Maximum uses of a sample by the pruning net, which is small and learns fast.
const PRUNING_REUSE: f32 = 1.0;

/// Separates the initial weights of a restarted net from the first ones.
const ANEW_SEED: u64 = 0x616e_6577;

/// Learns from random samples of the window, using each of the newest `reuse` times on average. Returns the mean
/// loss.
fn learn<L: TrainingExample>(
    learner: &mut Learner,
    window: &[&[L]],
    batch: usize,
    reuse: f32,
    rate: f32,
    seed: u64,
) -> f32 {
    draw(window, batch, reuse, seed, |lessons| {
        learner.step(lessons, rate)
    })
}

/// Calls `step` with batches of random samples of the window, using each of the newest `reuse` times on average.
/// Returns the mean of its results.
fn draw<L: TrainingExample>(
    window: &[&[L]],
    batch: usize,
    reuse: f32,
    seed: u64,
    mut step: impl FnMut(&[&L]) -> f32,
) -> f32 {
    // A round without games has no new samples.
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
        while lessons.len() < batch {
            let n = rng.random_range(0..total);
            let part = starts.partition_point(|&s| s <= n) - 1;
            let (part, n) = (window[part], n - starts[part]);
            // A rival is drawn together with its partner.
            if n == 0 || !part[n - 1].has_rival() {
                let both = if part[n].has_rival() { 2 } else { 1 };
                lessons.extend(part[n..].iter().take(both));
            }
        }
        loss += step(&lessons);
    }
    loss / steps.max(1) as f32
}

#[cfg(test)]
mod tests;
