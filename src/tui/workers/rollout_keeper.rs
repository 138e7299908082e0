//! Stores rollouts requested by the user in the file shared with `luckless rollout`, and finds them when they are
//! requested again.
//!
//! The running rollout is saved every half second, later less often ([`save_interval`]), on a separate thread: a slow
//! disk delays nothing, and a kill loses only the time since the last save.

use std::cell::Cell;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::piloted::Finder;
use super::running::RunningRollout;
use crate::game::Position;
use crate::notation::play_text;
use crate::rollout::{Leeway, Progress, Setup, WantedRollout};
use crate::store::{
    Lookup, RolloutCommand, RolloutLabel, RolloutWorker, WORTH_KEEPING, save_interval,
};
use crate::tui::rollouts::job::{Job, JobPlay};

/// How long to look for a rollout before starting a new one.
const FIND_TIMEOUT: Duration = Duration::from_secs(1);

pub struct RolloutKeeper {
    worker: Arc<RolloutWorker>,
    setup: Setup,
    /// When to save the running rollout next.
    due: Cell<Option<Instant>>,
}

impl RolloutKeeper {
    /// Stores them through `worker`.
    pub fn new(worker: Arc<RolloutWorker>, setup: Setup) -> Self {
        Self {
            worker,
            setup,
            due: Cell::new(None),
        }
    }

    /// Returns a search for a stored rollout of these positions. The found rollout ends by the given settings, but
    /// not before the trials already done. The search blocks.
    pub fn finder(&self, positions: &[Position]) -> Finder {
        let (worker, setup) = (Arc::clone(&self.worker), self.setup.clone());
        let candidates = positions.to_vec();
        Box::new(move |settings| {
            let wanted = WantedRollout {
                setup,
                settings: settings.clone(),
                candidates,
                leeway: Leeway::More,
            };
            match worker.find(wanted, FIND_TIMEOUT)? {
                Lookup::Kept(progress) => Ok(Some(progress)),
                Lookup::Nothing => Ok(None),
                Lookup::Damaged(why) => Err(why),
            }
        })
    }

    /// Saves a job if it is due, or if it `rests` (ended or paused). Even short rollouts are saved, because their
    /// displayed figures must be there next time.
    pub fn save_if_due(&self, job: &Job, running: &dyn RunningRollout, rests: bool) {
        let now = Instant::now();
        if !rests && self.due.get().is_some_and(|due| now < due) {
            return;
        }
        let is_worth = |p: &Progress| p.trials() > 0 && (rests || p.seconds >= WORTH_KEEPING);
        if let Some(progress) = running.progress().filter(is_worth) {
            // The next rollout has nothing saved yet.
            self.due
                .set((!rests).then(|| now + save_interval(progress.seconds)));
            self.worker.save(shown(job), progress);
        }
    }
}

/// The label of a job in commands.
fn shown(job: &Job) -> RolloutLabel {
    let state = *job.decision.state();
    let plays = job.plays.iter().enumerate();
    let name = |(candidate, p): (usize, &JobPlay)| match state.roll {
        Some(_) => Some(play_text(&state.position, &p.play)),
        None => Some(job.name(candidate)),
    };
    let command = if job.is_comparison() {
        RolloutCommand::Compare
    } else {
        RolloutCommand::Rollout
    };
    RolloutLabel {
        command,
        ..RolloutLabel::of(&state, plays.map(name).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::super::roller::Runner;
    use super::super::roller::tests::finish;
    use super::*;
    use crate::eval::{Engine, Evaluator};
    use crate::game::GameState;
    use crate::game::{Play, Roll};
    use crate::rollout::{Settings, StopRules};
    use crate::store::UnsavedRecords;
    use crate::tui::rollouts::jobs::{Aim, DecisionKey, Jobs};
    use crossbeam_channel::unbounded;

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
        let opening = Position::opening();
        let (tell, received) = unbounded();
        let keeper = || {
            let tell = tell.clone();
            let tell = move |unsaved: &UnsavedRecords| tell.send(unsaved.clone()).unwrap();
            let worker = Arc::new(RolloutWorker::start(path.clone(), tell));
            RolloutKeeper::new(worker, setup.clone())
        };
        let find = |job: &Job| {
            let find = keeper().finder(&[opening]);
            find(&job.settings).unwrap()
        };
        let decision = DecisionKey::of(&GameState {
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
            let wake = Box::new(|| {});
            let started = match found {
                Some(progress) => runner.go_on(progress, wake),
                None => runner.start(vec![opening], job.settings.clone(), wake),
            };
            started.unwrap()
        };
        let (short, long) = (job(36, 1), job(108, 1));
        assert!(find(&short).is_none() && !path.exists());
        let running = roll(&short, None);
        finish(&*running);
        keeper().save_if_due(&short, &*running, true);
        let found = find(&long).unwrap();
        assert_eq!(found.trials(), 36);
        let both = [Some(found), None].map(|found| finish(&*roll(&long, found)));
        assert_eq!(both[0].candidates, both[1].candidates);
        // As many trials as requested, or as many as stored.
        let found = find(&job(18, 1)).unwrap();
        assert_eq!(found.settings.stop.trials, 36);
        assert!(find(&job(36, 2)).is_none());
        assert!(received.try_recv().is_err());
    }

    fn setups() -> [Setup; 2] {
        let evaluator: Arc<dyn Evaluator> = Arc::new(Engine::embedded());
        let command_line = Setup::from(evaluator);
        // The workstation always has a cube model.
        let workstation = Setup {
            cube: Some(Arc::default()),
            ..command_line.clone()
        };
        [workstation, command_line]
    }

    fn found(
        path: &std::path::Path,
        setup: Setup,
        settings: &Settings,
        positions: &[Position],
    ) -> Option<u64> {
        let worker = Arc::new(RolloutWorker::start(path.to_owned(), |_| ()));
        let find = RolloutKeeper::new(worker, setup).finder(positions);
        find(settings).unwrap().map(|progress| progress.trials())
    }

    /// Cube and score do not matter to a rollout without them: workstation and command line find each other's
    /// rollouts.
    #[test]
    fn a_cubeless_rollout_is_one_for_the_workstation_and_the_command_line() {
        use crate::rollout::Rollout;
        use crate::store::RolloutStore;
        let folder = tempfile::tempdir().unwrap();
        let start = [Position::opening()];
        let settings = |seed| Settings {
            seed,
            horizon: Some(2),
            stop: StopRules {
                trials: 36,
                ..StopRules::default()
            },
            ..Settings::default()
        };
        for (seed, [own, other]) in (1..).zip([setups(), {
            let [workstation, command_line] = setups();
            [command_line, workstation]
        }]) {
            let path = folder.path().join(seed.to_string());
            let settings = settings(seed);
            let rollout = Rollout::start(own, start.to_vec(), settings.clone(), 1, None);
            let mut rollout = rollout.unwrap();
            rollout.wait();
            let mut store = RolloutStore::open(&path).unwrap();
            let shown = RolloutLabel::default();
            store.save(&shown, &rollout.progress(), &[]).unwrap();
            assert_eq!(found(&path, other, &settings, &start), Some(36));
        }
    }

    /// A race drops plays by its confidence: plays dropped by another confidence are not valid here.
    #[test]
    fn a_race_by_another_confidence_begins_anew() {
        use crate::rollout::{Allocation, Rollout};
        use crate::store::RolloutStore;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("r.sqlite");
        let opening = Position::opening();
        let list = crate::game::PlayList::of(&opening, Roll::new(4, 3).unwrap());
        let plays = list.results()[..3].to_vec();
        let [workstation, command_line] = setups();
        let settings = |separated| Settings {
            horizon: Some(2),
            allocation: Allocation::Race,
            stop: StopRules {
                trials: 72,
                separated,
                ..StopRules::default()
            },
            ..Settings::default()
        };
        let loose = settings(Some(0.5));
        let rollout = Rollout::start(command_line, plays.clone(), loose.clone(), 1, None);
        let mut rollout = rollout.unwrap();
        rollout.wait();
        let progress = rollout.progress();
        let mut store = RolloutStore::open(&path).unwrap();
        store
            .save(&RolloutLabel::default(), &progress, &[])
            .unwrap();
        assert!(found(&path, workstation.clone(), &loose, &plays).is_some());
        assert_eq!(found(&path, workstation, &settings(None), &plays), None);
    }
}
