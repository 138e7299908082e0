//! Rollouts of decisions of a match, kept beside those of `luckless rollout`: found again by what they
//! are, whichever match and program they come from.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::{Lookup, RolloutCommand, RolloutLabel, RolloutWorker};
use crate::notation::play_text;
use crate::review::match_rollouts::DecisionRollout;
use crate::rollout::{Leeway, Progress, Setup, WantedRollout};

/// How long a rollout is looked for: less than it would take to play it.
const FIND_TIMEOUT: Duration = Duration::from_secs(2);

/// The rollouts of decisions of a match, saved and found in the background; several threads may use it.
#[derive(Clone)]
pub struct DecisionRolloutStore {
    worker: Arc<RolloutWorker>,
    /// Evaluators, cube model and dice.
    setup: Setup,
}

impl DecisionRolloutStore {
    /// The store for rollouts by `setup`.
    pub fn new(worker: Arc<RolloutWorker>, setup: Setup) -> Self {
        Self { worker, setup }
    }

    /// Whether there may be anything to find.
    pub fn may_hold(&self) -> bool {
        self.worker.may_hold()
    }

    /// The rollout of a decision as far as it was kept; the caller looks at its trials.
    ///
    /// # Errors
    /// Why that is not known, in a line.
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

/// What was kept of the decisions of one match, while they are rolled out. The file is waited for once and not for
/// each decision: after a failure nothing is looked for.
pub struct KeptDecisions {
    store: DecisionRolloutStore,
    is_unreadable: AtomicBool,
}

impl KeptDecisions {
    /// The rollouts of decisions that `store` has, before any was looked for.
    pub fn new(store: DecisionRolloutStore) -> Self {
        Self {
            store,
            is_unreadable: AtomicBool::new(false),
        }
    }

    /// Whether the file could not be read.
    pub fn is_unreadable(&self) -> bool {
        self.is_unreadable.load(Ordering::Relaxed)
    }

    /// The rollout of a decision as far as it was kept, as [`DecisionRolloutStore::find`] gives it; `None`
    /// without one, and after a failure. `tell` gets a line about damage, and about the first failure.
    pub fn find(&self, rollout: &DecisionRollout<'_>, tell: impl Fn(String)) -> Option<Progress> {
        if self.is_unreadable() {
            return None;
        }
        match self.store.find(rollout) {
            Ok(found) => found.sound(|why| tell(format!("{why}: it is made anew"))),
            Err(why) => {
                if !self.is_unreadable.swap(true, Ordering::Relaxed) {
                    tell(format!("rollouts that were kept cannot be read: {why}"));
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
        // Another process writes for long: nothing waits for it, and nothing is lost.
        std::fs::remove_file(&path).unwrap();
        drop(RolloutStore::open(&path).unwrap());
        let lock = rusqlite::Connection::open(&path).unwrap();
        lock.execute_batch("BEGIN IMMEDIATE").unwrap();
        let more = DecisionRolloutStore::new(worker(), setup.clone());
        // One of several times: on busy cores anything may take a while.
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
        // Another cube efficiency, another rollout.
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
