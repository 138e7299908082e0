//! The training loop.
//!
//! The next round is played while the rounds before are learnt from; the threads share both. What is
//! needed to go on is kept in a [`Folder`].

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

/// A training under way.
pub struct TrainingSession {
    folder: Folder,
    recipe: &'static Recipe,
    seed: u64,
    learner: Learner,
    luck: Learner,
    /// A luck net that came from elsewhere: given away as it is as long as none is trained here.
    luck_given: Option<LuckNet>,
    pruning: PruningLearner,
    progress: TrainingProgress,
    /// What the last rounds gave, oldest first.
    window: VecDeque<RoundSamples>,
    /// Rounds of it that are kept in the folder, with their checksums.
    kept: BTreeMap<u64, u32>,
    /// What another training has kept.
    also: Vec<RoundSamples>,
}

impl TrainingSession {
    /// Starts in `folder`, or goes on with the checkpoint that is there.
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

    /// Learns from the samples that another training has kept in `folder` as well, as long as there
    /// are samples of its own by lookahead. They are not kept here: name the folder again to
    /// continue.
    ///
    /// # Errors
    /// [`TrainError::File`].
    pub fn learn_also(&mut self, folder: &Path) -> Result<(), TrainError> {
        self.also.extend(folder::all_round_samples(folder)?);
        Ok(())
    }

    /// Whether this training has a checkpoint to go on from.
    pub fn has_begun(&self) -> bool {
        self.folder.has_checkpoint()
    }

    /// Begins with the nets in `folder`, unless the training has begun. Its luck net is given away as
    /// it is by a recipe that trains none.
    ///
    /// # Errors
    /// A [`NetError`] if they are not there or do not fit.
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

    /// Where the training stands.
    pub fn progress(&self) -> TrainingProgress {
        self.progress
    }

    /// The stage at hand, or `None` when the recipe is finished.
    pub fn stage(&self) -> Option<&'static TrainingStage> {
        self.recipe.stages.get(self.progress.stage)
    }

    /// The net as it stands.
    pub fn net(&self) -> Net {
        self.learner.average.net(self.origin())
    }

    /// The luck net as it stands.
    pub fn luck_net(&self) -> LuckNet {
        match &self.luck_given {
            Some(net) if self.luck.steps == 0 => net.clone(),
            _ => self.luck.average.luck_net(self.origin()),
        }
    }

    /// The pruning net as it stands.
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
        self.prepare(stage);
        // The averaged weights lag behind: labels that depend on them would spread what is
        // learnt several times more slowly.
        let engine = Engine::new(
            self.learner.weights.net(Origin::default()),
            self.luck.weights.luck_net(Origin::default()),
            // It knows nothing yet while games are merely played.
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

    /// Gives the learner the shape of a stage: random weights where it begins anew, and kinds of position where it
    /// divides them.
    fn prepare(&mut self, stage: &TrainingStage) {
        if stage.anew && self.progress.round == 0 {
            let seed = self.seed ^ ANEW_SEED;
            self.learner = Learner::new(Weights::random(Sample::HEADS, Sample::OUTPUTS, seed));
        }
        if stage.divided && self.learner.weights.is_whole() {
            self.divide();
        }
    }

    /// Goes on to the next round, or to the next stage, which keeps as many samples as it learns from.
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

    /// The seed of what is drawn from the samples in this round of the stage.
    fn draw_seed(&self, stage: &TrainingStage) -> u64 {
        // Without games only the round tells one draw from the next.
        let round = match stage.games {
            0 => 1 + self.progress.round,
            _ => 0,
        };
        self.seed ^ self.progress.games ^ round.rotate_left(40)
    }

    /// Gives kinds of position rows of their own: those that are common in the samples that are kept.
    fn divide(&mut self) {
        let samples = self.window.iter().flat_map(|h| &h.samples);
        let seen = rows_seen(samples.map(Sample::board));
        self.learner
            .divide(&Arc::new(Sharing::by_use(&seen, WEIGHTS)));
    }

    /// Writes the checkpoints and the nets. Sample files are written once each.
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
        // Before the checkpoint, which needs the sharing of rows of the one, and the other where it was given.
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
        let put = |bytes: &[u8], groups: &mut [&mut [f32]]| {
            checkpoint::from_bytes(bytes, groups).map_err(|reason| bad(&reason))
        };
        let restored =
            |name: &str, groups: &mut [&mut [f32]]| put(&self.folder.read(name)?, groups);
        let (place, steps) = put(&first, &mut learner.groups_mut())?;
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

    /// Rounds played in all stages.
    fn rounds_played(&self) -> u64 {
        let done = &self.recipe.stages[..self.progress.stage];
        done.iter().map(|s| s.rounds).sum::<u64>() + self.progress.round
    }
}

/// Rows of weights that a net is given when its kinds part: as many as the program has room for.
pub(crate) const WEIGHTS: usize = 30_000;

/// What the nets of outcomes, of pruning and of luck are called in a training's folder.
const NET: &str = "luckless.net";
const PRUNING_NET: &str = "pruning.net";
const LUCK_NET: &str = "luck.net";

/// Keeps the random numbers of the two nets' learning apart.
const LUCK_SEED: u64 = 0x6c75_636b;

/// Keeps the random numbers of the pruning net's learning apart.
const PRUNING_SEED: u64 = 0x7072_756e;

/// The pruning net is shown a sample at most so many times: it is small and learns fast.
const PRUNING_REUSE: f32 = 1.0;

/// Keeps the first weights of a net that begins anew apart from the first of all.
const ANEW_SEED: u64 = 0x616e_6577;

/// Learns from random samples of the window, each of the newest as many times as `reuse` says;
/// returns the mean loss.
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

/// Hands batches of random samples of the window to `step`, each of the newest as many times as
/// `reuse` says, on average; returns the mean of what it returns.
fn draw<L: TrainingExample>(
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
        while lessons.len() < batch {
            let n = rng.random_range(0..total);
            let part = starts.partition_point(|&s| s <= n) - 1;
            let (part, n) = (window[part], n - starts[part]);
            // A rival comes with the one it stands beside.
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
