//! Keeps the rollouts that the user has asked for, in the file where `luckless rollout` keeps its own,
//! and finds them again when they are asked for another time.
//!
//! What runs is saved every half second, after a while less often ([`save_interval`]), by a thread of its own: so a
//! slow disk holds nothing up, and a kill loses no more than that.

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

/// How long to look for a rollout before it is begun anew.
const FIND_TIMEOUT: Duration = Duration::from_secs(1);

/// Keeps rollouts, and finds them.
pub struct RolloutKeeper {
    worker: Arc<RolloutWorker>,
    setup: Setup,
    /// When the rollout that runs is to be saved next.
    due: Cell<Option<Instant>>,
}

impl RolloutKeeper {
    /// Keeps them through `worker`.
    pub fn new(worker: Arc<RolloutWorker>, setup: Setup) -> Self {
        Self {
            worker,
            setup,
            due: Cell::new(None),
        }
    }

    /// A search for a rollout of these positions that was kept, set to end by the settings it is given,
    /// though not before what has been done. It waits for the disk.
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

    /// Keeps what a job has come to, if it is time to, or if it `rests`: it has ended or is paused. However short it
    /// was, its figures are those that the screen shows: they must be there again next time.
    pub fn save_if_due(&self, job: &Job, running: &dyn RunningRollout, rests: bool) {
        let now = Instant::now();
        if !rests && self.due.get().is_some_and(|due| now < due) {
            return;
        }
        let is_worth = |p: &Progress| p.trials() > 0 && (rests || p.seconds >= WORTH_KEEPING);
        if let Some(progress) = running.progress().filter(is_worth) {
            // Another one may run next, which has nothing saved yet.
            self.due
                .set((!rests).then(|| now + save_interval(progress.seconds)));
            self.worker.save(shown(job), progress);
        }
    }
}

/// Label under which a job is shown by the commands.
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
        // As many as asked for, or as many as there are.
        let found = find(&job(18, 1)).unwrap();
        assert_eq!(found.settings.stop.trials, 36);
        assert!(find(&job(36, 2)).is_none());
        assert!(received.try_recv().is_err());
    }

    fn setups() -> [Setup; 2] {
        let evaluator: Arc<dyn Evaluator> = Arc::new(Engine::embedded());
        let command_line = Setup::from(evaluator);
        // The workstation always has a model of the cube at hand.
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

    /// Whether cube and score are at hand does not matter to a rollout without them: what the
    /// workstation keeps the command line finds, and the other way round.
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

    /// A race drops plays by a confidence: what was dropped by another one says nothing here.
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
