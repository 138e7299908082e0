//! Stored rollouts of match decisions, shared with `luckless rollout`. They are found by their key, whichever match
//! or command produced them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::{Lookup, RolloutCommand, RolloutLabel, RolloutWorker};
use crate::notation::play_text;
use crate::review::match_rollouts::DecisionRollout;
use crate::rollout::{Leeway, Progress, Setup, WantedRollout};

/// Maximum time to look for a rollout: less than rolling it out again takes.
const FIND_TIMEOUT: Duration = Duration::from_secs(2);

/// Saves and finds rollouts of match decisions in the background. Several threads may share it.
#[derive(Clone)]
pub struct DecisionRolloutStore {
    worker: Arc<RolloutWorker>,
    /// Evaluators, cube model and dice.
    setup: Setup,
}

impl DecisionRolloutStore {
    /// A store for rollouts with this `setup`.
    pub fn new(worker: Arc<RolloutWorker>, setup: Setup) -> Self {
        Self { worker, setup }
    }

    /// Returns whether the store may contain rollouts.
    pub fn may_hold(&self) -> bool {
        self.worker.may_hold()
    }

    /// Returns the stored progress of a decision's rollout. The caller checks its number of trials.
    ///
    /// # Errors
    /// The reason, in one line, why the store could not be read.
    pub fn find(&self, rollout: &DecisionRollout<'_>) -> Result<Lookup<Progress>, String> {
        let wanted = WantedRollout {
            setup: self.setup.clone(),
            settings: rollout.settings.clone(),
            candidates: rollout.positions.to_vec(),
            leeway: Leeway::Nothing,
        };
        self.worker.find(wanted, FIND_TIMEOUT)
    }

    pub fn keep(&self, rollout: &DecisionRollout<'_>, progress: &Progress) {
        let play = |play| Some(play_text(&rollout.state.position, play));
        let plays = match rollout.plays {
            [] => ["no double", "double/take"].map(|s| Some(s.into())).into(),
            plays => plays.iter().map(play).collect(),
        };
        let shown = RolloutLabel {
            command: RolloutCommand::Review,
            ..RolloutLabel::of(&rollout.state, plays)
        };
        self.worker.save(shown, progress.clone());
    }
}

/// Stored rollouts of one match's decisions while these are rolled out. After the first failure no further lookups
/// are made, so that a locked file delays the match once only.
pub struct KeptDecisions {
    store: DecisionRolloutStore,
    is_unreadable: AtomicBool,
}

impl KeptDecisions {
    pub fn new(store: DecisionRolloutStore) -> Self {
        Self {
            store,
            is_unreadable: AtomicBool::new(false),
        }
    }

    /// Returns whether a lookup has failed.
    pub fn is_unreadable(&self) -> bool {
        self.is_unreadable.load(Ordering::Relaxed)
    }

    /// Returns the stored progress of a decision's rollout, as [`DecisionRolloutStore::find`] does; `None` if there
    /// is none or a lookup failed before. Damage and the first failure are passed to `report`.
    pub fn find(&self, rollout: &DecisionRollout<'_>, report: impl Fn(String)) -> Option<Progress> {
        if self.is_unreadable() {
            return None;
        }
        match self.store.find(rollout) {
            Ok(found) => found.sound(|why| report(format!("{why}: it is made anew"))),
            Err(why) => {
                if !self.is_unreadable.swap(true, Ordering::Relaxed) {
                    report(format!("rollouts that were kept cannot be read: {why}"));
                }
                None
            }
        }
    }

    pub fn keep(&self, rollout: &DecisionRollout<'_>, progress: &Progress) {
        self.store.keep(rollout, progress);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{Engine, Evaluator};
    use crate::game::{GameState, Position};
    use crate::rollout::{CubeSettings, Settings, StopRules, run_blocking};
    use crate::store::RolloutStore;
    use std::sync::Arc;

    #[test]
    fn what_is_kept_is_found_by_what_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("r.sqlite");
        let evaluator: Arc<dyn Evaluator> = Arc::new(Engine::embedded());
        let setup = Setup::from(evaluator);
        let state = GameState::money(Position::opening());
        let settings = Settings {
            horizon: Some(2),
            cube: Some(CubeSettings::of_decision(&state)),
            stop: StopRules {
                trials: 36,
                ..StopRules::default()
            },
            ..Settings::default()
        }
        .resolved(&setup);
        let positions = [state.position; 2];
        let rollout = DecisionRollout {
            turn: 0,
            state,
            plays: &[],
            positions: &positions,
            settings: &settings,
        };
        let mut progress = None;
        let result = run_blocking(&setup, &positions, &settings, &mut |look| {
            progress = Some(look.progress());
            true
        })
        .unwrap();
        let worker = || Arc::new(RolloutWorker::start(path.clone(), |_| ()));
        let find = |store: &DecisionRolloutStore| {
            let found = store.find(&rollout).unwrap();
            found.sound(|why| panic!("{why}"))
        };
        let store = DecisionRolloutStore::new(worker(), setup.clone());
        assert!(find(&store).is_none());
        assert!(!path.exists(), "looking makes no file");
        store.keep(&rollout, &progress.unwrap());
        assert!(find(&store).is_some());
        drop(store);
        let store = DecisionRolloutStore::new(worker(), setup.clone());
        let found = find(&store).unwrap();
        assert_eq!(found.result(&setup).unwrap().candidates, result.candidates);
        assert_eq!(found.trials(), 36);
        // While another process holds the lock, nothing blocks and nothing is lost.
        std::fs::remove_file(&path).unwrap();
        drop(RolloutStore::open(&path).unwrap());
        let lock = rusqlite::Connection::open(&path).unwrap();
        lock.execute_batch("BEGIN IMMEDIATE").unwrap();
        let more = DecisionRolloutStore::new(worker(), setup.clone());
        // Best of several times: a busy machine may delay any single one.
        let is_quick = (0..5).any(|_| {
            let begin = std::time::Instant::now();
            more.keep(&rollout, &found);
            begin.elapsed() < Duration::from_millis(100)
        });
        assert!(is_quick);
        assert!(find(&store).is_none());
        assert!(find(&more).is_some(), "not saved, but known");
        std::thread::sleep(Duration::from_millis(500));
        assert!(find(&DecisionRolloutStore::new(worker(), setup.clone())).is_none());
        lock.execute_batch("ROLLBACK").unwrap();
        drop(more);
        assert!(find(&store).is_some());
        // Another cube efficiency makes another rollout.
        let model = crate::cube::Model {
            efficiency: crate::cube::Efficiency::Constant(0.5),
            ..crate::cube::Model::default()
        };
        let other = Setup {
            cube: Some(Arc::new(model)),
            ..setup
        };
        assert!(find(&DecisionRolloutStore::new(worker(), other)).is_none());
    }
}
