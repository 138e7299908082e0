//! A comparison that begins with a pilot: which coupling of the dice, and which luck, serve best for
//! the plays at hand. The pilot takes a good part of a second, so it has a thread of its own; pause
//! and cancel mean it as well.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use super::roller::{Bell, Rolling};
use crate::game::Position;
use crate::rollout::{
    Pilot, Progress, Rollout, RolloutHandle, RolloutResult, Settings, Setup, Status, StopReason,
    StrandResult,
};

/// A pilot, and the rollout that follows it.
pub struct Piloted(Arc<Shared>);

struct Shared {
    /// How many plays.
    plays: usize,
    cancelled: AtomicBool,
    paused: AtomicBool,
    stage: Mutex<Stage>,
}

enum Stage {
    /// Couplings are being tried.
    Trying,
    /// The rollout runs, or has ended.
    Rolling(Box<RolloutHandle>, Arc<Pilot>),
    /// It has never begun: cancelled before, or why it could not be done.
    Over(Option<String>),
}

impl Piloted {
    /// Starts.
    ///
    /// # Errors
    /// One line: why there can be no thread.
    pub fn start(
        setup: Setup,
        positions: Vec<Position>,
        settings: Settings,
        threads: usize,
        bell: Bell,
    ) -> Result<Self, String> {
        let shared = Arc::new(Shared {
            plays: positions.len(),
            cancelled: AtomicBool::new(false),
            paused: AtomicBool::new(false),
            stage: Mutex::new(Stage::Trying),
        });
        let own = Arc::clone(&shared);
        let bell: Arc<dyn Fn() + Send + Sync> = Arc::from(bell);
        thread::Builder::new()
            .name("pilot".into())
            .spawn(move || {
                let ring = Arc::clone(&bell);
                let body = || own.work(setup, positions, &settings, threads, bell);
                let stage = match catch_unwind(AssertUnwindSafe(body)) {
                    Ok(Ok(stage)) => stage,
                    Ok(Err(why)) => Stage::Over(Some(why)),
                    Err(_) => Stage::Over(Some("the pilot failed".into())),
                };
                own.enter(stage);
                ring();
            })
            .map_err(|e| e.to_string())?;
        Ok(Self(shared))
    }
}

impl Shared {
    fn stage(&self) -> MutexGuard<'_, Stage> {
        // A stage is whole at any moment, whoever panicked.
        self.stage.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::SeqCst)
    }

    fn work(
        &self,
        setup: Setup,
        positions: Vec<Position>,
        settings: &Settings,
        threads: usize,
        bell: Arc<dyn Fn() + Send + Sync>,
    ) -> Result<Stage, String> {
        let pilot = Pilot::run(&setup, &positions, settings, &|| self.is_cancelled());
        let pilot = pilot.map_err(|e| e.to_string())?;
        if self.is_cancelled() {
            return Ok(Stage::Over(None));
        }
        let chosen = pilot.settings.clone();
        let ring = Box::new(move || bell());
        let handle = Rollout::start(setup, positions, chosen, threads, Some(ring));
        let handle = handle.map_err(|e| e.to_string())?;
        Ok(Stage::Rolling(Box::new(handle), Arc::new(pilot)))
    }

    /// The next stage; what was asked for meanwhile is done now.
    fn enter(&self, next: Stage) {
        let mut stage = self.stage();
        *stage = next;
        if let Stage::Rolling(handle, _) = &*stage {
            if self.is_cancelled() {
                handle.cancel();
            } else if self.paused.load(Ordering::SeqCst) {
                handle.pause();
            }
        }
    }

    fn handle<T>(&self, read: impl Fn(&RolloutHandle) -> T) -> Option<T> {
        match &*self.stage() {
            Stage::Rolling(handle, _) => Some(read(handle)),
            _ => None,
        }
    }

    /// What is known before the first trial.
    fn blank(&self, is_over: bool) -> RolloutResult {
        RolloutResult {
            strands: vec![StrandResult::default(); self.plays],
            difference: None,
            history: Vec::new(),
            scatter: Vec::new(),
            family: None,
            status: if is_over {
                Status::Done(StopReason::Cancelled)
            } else if self.paused.load(Ordering::SeqCst) {
                Status::Paused
            } else {
                Status::Running
            },
            trials_per_second: 0.0,
            seconds: 0.0,
            cpu_seconds: 0.0,
            match_chances: None,
        }
    }
}

impl Rolling for Piloted {
    fn result(&self) -> Arc<RolloutResult> {
        match &*self.0.stage() {
            Stage::Trying => Arc::new(self.0.blank(false)),
            Stage::Rolling(handle, _) => handle.result(),
            Stage::Over(_) => Arc::new(self.0.blank(true)),
        }
    }

    fn pause(&self) {
        self.0.paused.store(true, Ordering::SeqCst);
        self.0.handle(RolloutHandle::pause);
    }

    fn resume(&self) {
        self.0.paused.store(false, Ordering::SeqCst);
        self.0.handle(RolloutHandle::resume);
    }

    fn cancel(&self) {
        self.0.cancelled.store(true, Ordering::SeqCst);
        self.0.handle(RolloutHandle::cancel);
    }

    fn is_finished(&self) -> bool {
        match &*self.0.stage() {
            Stage::Trying => false,
            Stage::Rolling(handle, _) => handle.is_finished(),
            Stage::Over(_) => true,
        }
    }

    fn progress(&self) -> Option<Progress> {
        self.0.handle(RolloutHandle::progress)
    }

    fn pilot(&self) -> Option<Arc<Pilot>> {
        match &*self.0.stage() {
            Stage::Rolling(_, pilot) => Some(Arc::clone(pilot)),
            _ => None,
        }
    }

    fn failure(&self) -> Option<String> {
        match &*self.0.stage() {
            Stage::Trying => None,
            Stage::Rolling(handle, _) => handle.failure(),
            Stage::Over(why) => why.clone(),
        }
    }
}

impl Drop for Piloted {
    fn drop(&mut self) {
        // A pilot nobody waits for ends soon, and no rollout follows.
        self.cancel();
    }
}

#[cfg(test)]
mod tests {
    use super::super::roller::tests::finish;
    use super::*;
    use crate::eval::{Engine, Evaluator};
    use crate::game::{PlayList, Roll};
    use crate::rollout::{Coupling, StopRules};

    fn start(plays: usize) -> Piloted {
        let mut list = PlayList::new();
        list.generate(&Position::opening(), Roll::new(3, 1).unwrap());
        let evaluator: Arc<dyn Evaluator> = Arc::new(Engine::embedded());
        let settings = Settings {
            horizon: Some(2),
            stop: StopRules {
                trials: 72,
                ..StopRules::default()
            },
            ..Settings::default()
        };
        let results = list.results()[..plays].to_vec();
        Piloted::start(evaluator.into(), results, settings, 1, Box::new(|| {})).unwrap()
    }

    #[test]
    fn a_pilot_chooses_and_the_comparison_follows() {
        let piloted = start(3);
        let result = finish(&piloted);
        assert_eq!(piloted.failure(), None);
        let pilot = piloted.pilot().unwrap();
        let progress = piloted.progress().unwrap();
        assert_eq!(progress.settings, pilot.settings);
        assert_ne!(progress.settings.coupling, Coupling::None);
        assert_eq!(result.strands[0].trials, 72);
        assert_eq!(result.family.as_ref().unwrap().differences.len(), 3);
    }

    #[test]
    fn a_pilot_can_be_cancelled_and_refused() {
        let piloted = start(2);
        piloted.pause();
        piloted.cancel();
        let result = finish(&piloted);
        assert_eq!(result.status, Status::Done(StopReason::Cancelled));
        assert_eq!(piloted.failure(), None);
        // It takes two plays.
        let one = start(1);
        finish(&one);
        assert!(one.failure().is_some() && one.progress().is_none());
    }
}
