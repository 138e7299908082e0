//! Rollouts of a stage of review, kept beside those of `luckless rollout`: found again by what they
//! are, whichever match and program they come from.

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::{RolloutKey, RolloutStore, Shown, StoreError};
use crate::notation::play_text;
use crate::review::rolled::Rolling;
use crate::rollout::Progress;

/// An open file of rollouts that several threads use.
#[derive(Debug)]
pub struct StageStore {
    store: Mutex<RolloutStore>,
    /// Name of the evaluator, part of every key.
    evaluator: String,
}

impl StageStore {
    /// Opens the file at `path` for rollouts by `evaluator` ([`Setup::name`]).
    ///
    /// [`Setup::name`]: crate::rollout::Setup::name
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be opened, or is something else.
    pub fn open(path: &Path, evaluator: String) -> Result<Self, StoreError> {
        Ok(Self {
            store: Mutex::new(RolloutStore::open(path)?),
            evaluator,
        })
    }

    fn lock(&self) -> MutexGuard<'_, RolloutStore> {
        // What is at hand is a connection: whole whoever panicked.
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn key(&self, rolling: &Rolling<'_>) -> RolloutKey {
        RolloutKey::new(&self.evaluator, rolling.settings, rolling.positions)
    }

    /// The rollout of a decision, if it is there.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be read.
    pub fn find(&self, rolling: &Rolling<'_>) -> Result<Option<Progress>, StoreError> {
        let found = self.lock().find(&self.key(rolling))?;
        Ok(found.map(|kept| kept.progress))
    }

    /// Keeps the rollout of a decision.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be written.
    pub fn keep(&self, rolling: &Rolling<'_>, progress: &Progress) -> Result<(), StoreError> {
        let play = |play| Some(play_text(&rolling.state.position, play));
        let plays = match rolling.plays {
            [] => ["no double", "double/take"].map(|s| Some(s.into())).into(),
            plays => plays.iter().map(play).collect(),
        };
        let shown = Shown::of(&rolling.state, plays);
        let key = self.key(rolling);
        self.lock().save(&key, &shown, progress, &[])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{Engine, Evaluator};
    use crate::game::{GameState, Position};
    use crate::rollout::{Cubeful, Settings, Setup, StopRules, roll_here};
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
            cube: Some(Cubeful {
                decision: true,
                ..Cubeful::new(&state, true)
            }),
            stop: StopRules {
                trials: 36,
                ..StopRules::default()
            },
            ..Settings::default()
        }
        .resolved(&setup);
        let positions = [state.position; 2];
        let rolling = Rolling {
            turn: 0,
            state,
            plays: &[],
            positions: &positions,
            settings: &settings,
        };
        let mut progress = None;
        let result = roll_here(&setup, &positions, &settings, &mut |look| {
            progress = Some(look.progress());
            true
        })
        .unwrap();
        let store = StageStore::open(&path, setup.name()).unwrap();
        assert!(store.find(&rolling).unwrap().is_none());
        store.keep(&rolling, &progress.unwrap()).unwrap();
        let found = store.find(&rolling).unwrap().unwrap();
        assert_eq!(found.result(&setup).unwrap().strands, result.strands);
        // Another evaluator, another rollout.
        let other = StageStore::open(&path, "other".into()).unwrap();
        assert!(other.find(&rolling).unwrap().is_none());
    }
}
