//! Keeps the rollouts that the user has asked for, in the file where `luckless rollout` keeps its own,
//! and finds them again when they are asked for another time.
//!
//! What runs is written twice a second by a thread of its own, so that a slow disk holds nothing up and
//! a kill loses no more than that.

use std::cell::Cell;
use std::path::PathBuf;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, unbounded};

use super::roller::Rolling;
use crate::game::{GameState, Position};
use crate::notation::play_text;
use crate::rollout::{Progress, Setup};
use crate::store::{RolloutKey, RolloutStore, Shown, StoreError};
use crate::tui::job::{Job, JobPlay};
use crate::tui::message::Message;

/// Time between two savings.
const KEEP_EVERY: Duration = Duration::from_millis(500);
/// A rollout that took fewer seconds is done again as quickly as found again.
const WORTH_KEEPING: f64 = 1.0;

/// The thread that writes, and where.
pub struct RollKeeper {
    path: PathBuf,
    setup: Setup,
    orders: Option<Sender<(Shown, Progress)>>,
    writer: Option<JoinHandle<()>>,
    /// When something was last given to the writer.
    kept: Cell<Option<Instant>>,
    /// Seconds from which a rollout is kept.
    worth: f64,
}

impl RollKeeper {
    /// Starts the thread; it tells of the first trouble.
    #[must_use]
    pub fn start(path: PathBuf, setup: Setup, messages: Sender<Message>) -> Self {
        let (orders, wanted) = unbounded();
        let to = path.clone();
        let writer = thread::Builder::new()
            .name("rollout keeper".into())
            .spawn(move || {
                if let Err(error) = write(&to, &wanted) {
                    let why = format!("rollouts are not kept: {error}");
                    // Nobody listens only when the program ends.
                    let _ = messages.send(Message::Warning(why));
                }
            });
        Self {
            path,
            setup,
            orders: Some(orders),
            writer: writer.ok(),
            kept: Cell::new(None),
            worth: WORTH_KEEPING,
        }
    }

    /// A rollout like this job that was kept, set to end as the job does, though not before what has
    /// been done. A file that cannot be read holds none: the writer tells why.
    #[must_use]
    pub fn find(&self, job: &Job, positions: &[Position]) -> Option<Progress> {
        if job.wants_pilot() || !self.path.exists() {
            return None;
        }
        let settings = job.settings.resolved(&self.setup);
        let key = RolloutKey::new(&self.setup.name(), &settings, positions);
        let mut progress = RolloutStore::open(&self.path)
            .ok()?
            .find(&key)
            .ok()??
            .progress;
        progress.settings.stop = settings.stop;
        let (done, stop) = (progress.trials(), &mut progress.settings.stop);
        stop.trials = stop.trials.max(done);
        Some(progress)
    }

    /// Keeps what a job has come to, if it is time to, or has `ended`.
    pub fn look(&self, job: &Job, rolling: &dyn Rolling, ended: bool) {
        let Some(orders) = &self.orders else { return };
        let due = self.kept.get().is_none_or(|at| at.elapsed() >= KEEP_EVERY);
        // What a slow disk has not taken yet is soon out of date; the end is not.
        let wanted = ended || due && orders.is_empty();
        if !wanted {
            return;
        }
        if let Some(progress) = rolling.progress().filter(|p| p.seconds >= self.worth) {
            self.kept.set(Some(Instant::now()));
            // Whoever writes has ended only after telling why.
            let _ = orders.send((shown(job), progress));
        }
    }
}

impl Drop for RollKeeper {
    /// Waits for what is still to be written.
    fn drop(&mut self) {
        self.orders = None;
        if let Some(writer) = self.writer.take() {
            let _ = writer.join();
        }
    }
}

/// How a job is shown by the commands.
fn shown(job: &Job) -> Shown {
    let decision = &job.decision;
    let (cube, owner, score, rules) = decision.game;
    let state = GameState {
        position: decision.position,
        cube,
        owner,
        score,
        rules,
        roll: decision.roll,
        doubled: decision.doubled,
    };
    let plays = job.plays.iter().enumerate();
    let name = |(strand, p): (usize, &JobPlay)| match decision.roll {
        Some(_) => Some(play_text(&decision.position, &p.play)),
        None => Some(job.name(strand)),
    };
    Shown::of(&state, plays.map(name).collect())
}

fn write(path: &std::path::Path, wanted: &Receiver<(Shown, Progress)>) -> Result<(), StoreError> {
    let mut store = None;
    for (shown, progress) in wanted {
        let store = match &mut store {
            Some(store) => store,
            none => none.insert(RolloutStore::open(path)?),
        };
        let key = RolloutKey::new(
            &progress.evaluator,
            &progress.settings,
            &progress.candidates,
        );
        store.save(&key, &shown, &progress, &[])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::roller::tests::finish;
    use super::super::roller::{RollRunner, Runner};
    use super::*;
    use crate::eval::{Engine, Evaluator};
    use crate::game::{Play, Roll};
    use crate::rollout::{Settings, StopRules};
    use crate::tui::jobs::{Aim, Decision, Jobs};
    use std::sync::Arc;

    #[test]
    fn what_was_rolled_out_is_found_and_gone_on_with() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("r.sqlite");
        let evaluator: Arc<dyn Evaluator> = Arc::new(Engine::embedded());
        let setup = Setup::from(evaluator);
        let mut runner = Runner {
            setup: setup.clone(),
            threads: 1,
        };
        let (messages, told) = unbounded();
        let keeper = || {
            let mut keeper = RollKeeper::start(path.clone(), setup.clone(), messages.clone());
            keeper.worth = 0.0;
            keeper
        };
        let opening = Position::opening();
        let decision = Decision::of(&GameState {
            roll: Some(Roll::ALL[0]),
            ..GameState::money(opening)
        });
        let play = JobPlay {
            play: Play::default(),
            result: opening,
        };
        let job = |trials, seed| {
            let settings = Settings {
                seed,
                horizon: Some(3),
                stop: StopRules {
                    trials,
                    ..StopRules::default()
                },
                ..Settings::default()
            };
            let mut jobs = Jobs::default();
            let id = jobs.add(decision, vec![play], Aim::Each, settings);
            jobs.get(id).unwrap().clone()
        };
        let mut roll = |job: &Job, found: Option<Progress>| {
            let ring = Box::new(|| {});
            let started = match found {
                Some(progress) => runner.go_on(progress, ring),
                None => runner.start(vec![opening], job.settings.clone(), ring),
            };
            started.unwrap()
        };
        let (short, long) = (job(36, 1), job(108, 1));
        assert!(keeper().find(&short, &[opening]).is_none() && !path.exists());
        let rolling = roll(&short, None);
        finish(&*rolling);
        keeper().look(&short, &*rolling, true);
        let found = keeper().find(&long, &[opening]).unwrap();
        assert_eq!(found.trials(), 36);
        let both = [Some(found), None].map(|found| finish(&*roll(&long, found)));
        assert_eq!(both[0].strands, both[1].strands);
        // As many as asked for, or as many as there are.
        let found = keeper().find(&job(18, 1), &[opening]).unwrap();
        assert_eq!(found.settings.stop.trials, 36);
        assert!(keeper().find(&job(36, 2), &[opening]).is_none());
        assert!(told.try_recv().is_err());
    }
}
