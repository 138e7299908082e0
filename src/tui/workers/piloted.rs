//! Rollouts with a preceding search in the store or pilot. The pilot finds the best coupling of the dice and kind of
//! luck for the plays. Both take time, so they run on a separate thread; pausing and cancelling affect them, too.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;

use super::running::{Notify, RunningRollout};
use crate::game::Position;
use crate::locks::lock;
use crate::panics::guarded;
use crate::rollout::{
    CandidateResult, Pilot, Progress, Rollout, RolloutHandle, RolloutResult, Settings, Setup,
    Status, StopReason,
};

/// Looks for a stored rollout with these settings; an error gives the reason why the lookup failed.
pub type Finder = Box<dyn FnOnce(&Settings) -> Result<Option<Progress>, String> + Send>;

/// Steps before a rollout.
pub struct Preparation {
    /// Whether a pilot chooses its coupling.
    pub wants_pilot: bool,
    /// Looks for an earlier rollout to continue.
    pub find: Option<Finder>,
    /// Reports why the lookup failed.
    pub warn: Box<dyn Fn(String) + Send>,
}

/// A rollout with its preparation.
pub struct PilotedRollout(Arc<Shared>);

struct Shared {
    plays: usize,
    cancelled: AtomicBool,
    paused: AtomicBool,
    phase: Mutex<PilotPhase>,
}

enum PilotPhase {
    /// Looking for the rollout, or testing couplings.
    Trying,
    /// The rollout runs or has ended; with the result of its pilot, if any.
    RollingOut(Box<RolloutHandle>, Option<Arc<Pilot>>),
    /// The rollout never started: cancelled, or failed with a reason.
    Over(Option<String>),
}

impl PilotedRollout {
    /// Starts the preparation.
    ///
    /// # Errors
    /// The reason, in one line, why the thread cannot be started.
    pub fn start(
        setup: Setup,
        positions: Vec<Position>,
        settings: Settings,
        threads: usize,
        before: Preparation,
        notify: Notify,
    ) -> Result<Self, String> {
        let shared = Arc::new(Shared {
            plays: positions.len(),
            cancelled: AtomicBool::new(false),
            paused: AtomicBool::new(false),
            phase: Mutex::new(PilotPhase::Trying),
        });
        let own = Arc::clone(&shared);
        let notify: Arc<dyn Fn() + Send + Sync> = Arc::from(notify);
        thread::Builder::new()
            .name("rollout start".into())
            .spawn(move || {
                let wake = Arc::clone(&notify);
                let body = || own.work(setup, positions, settings, threads, before, notify);
                let phase = match guarded(body) {
                    Ok(Ok(phase)) => phase,
                    Ok(Err(why)) | Err(why) => PilotPhase::Over(Some(why)),
                };
                own.enter(phase);
                wake();
            })
            .map_err(|e| e.to_string())?;
        Ok(Self(shared))
    }
}

impl Shared {
    fn phase(&self) -> MutexGuard<'_, PilotPhase> {
        // A phase is complete at any time, even after a panic.
        lock(&self.phase)
    }

    fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::SeqCst)
    }

    fn work(
        &self,
        setup: Setup,
        positions: Vec<Position>,
        settings: Settings,
        threads: usize,
        before: Preparation,
        notify: Arc<dyn Fn() + Send + Sync>,
    ) -> Result<PilotPhase, String> {
        let wake: Notify = Box::new(move || notify());
        let pilot = before
            .wants_pilot
            .then(|| Pilot::choose(&setup, &positions, &settings, &|| self.is_cancelled()));
        let pilot = pilot.transpose().map_err(|e| e.to_string())?;
        // The pilot's choice determines the stored rollout to look for.
        let settings = pilot.as_ref().map_or(settings, |p| p.settings.clone());
        if self.is_cancelled() {
            return Ok(PilotPhase::Over(None));
        }
        let found = before.find.map_or(Ok(None), |find| find(&settings));
        let found = found.unwrap_or_else(|why| {
            (before.warn)(format!("begun anew, what was kept cannot be read: {why}"));
            None
        });
        if self.is_cancelled() {
            return Ok(PilotPhase::Over(None));
        }
        let handle = match found {
            Some(progress) => Rollout::resume(setup, progress, threads, Some(wake)),
            None => Rollout::start(setup, positions, settings, threads, Some(wake)),
        };
        let pilot = pilot.map(Arc::new);
        let handle = handle.map_err(|e| e.to_string())?;
        Ok(PilotPhase::RollingOut(Box::new(handle), pilot))
    }

    /// Enters the next phase, and applies requests made meanwhile.
    fn enter(&self, next: PilotPhase) {
        let mut phase = self.phase();
        *phase = next;
        if let PilotPhase::RollingOut(handle, _) = &*phase {
            if self.is_cancelled() {
                handle.cancel();
            } else if self.paused.load(Ordering::SeqCst) {
                handle.pause();
            }
        }
    }

    fn handle<T>(&self, read: impl Fn(&RolloutHandle) -> T) -> Option<T> {
        match &*self.phase() {
            PilotPhase::RollingOut(handle, _) => Some(read(handle)),
            _ => None,
        }
    }

    /// The result before the first trial.
    fn blank(&self, is_over: bool) -> RolloutResult {
        let status = if is_over {
            Status::Done(StopReason::Cancelled)
        } else if self.paused.load(Ordering::SeqCst) {
            Status::Paused
        } else {
            Status::Running
        };
        RolloutResult {
            candidates: vec![CandidateResult::default(); self.plays],
            ..RolloutResult::empty(status)
        }
    }
}

impl RunningRollout for PilotedRollout {
    fn result(&self) -> Arc<RolloutResult> {
        match &*self.0.phase() {
            PilotPhase::Trying => Arc::new(self.0.blank(false)),
            PilotPhase::RollingOut(handle, _) => handle.result(),
            PilotPhase::Over(_) => Arc::new(self.0.blank(true)),
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
        match &*self.0.phase() {
            PilotPhase::Trying => false,
            PilotPhase::RollingOut(handle, _) => handle.is_finished(),
            PilotPhase::Over(_) => true,
        }
    }

    fn progress(&self) -> Option<Progress> {
        self.0.handle(RolloutHandle::progress)
    }

    fn pilot(&self) -> Option<Arc<Pilot>> {
        match &*self.0.phase() {
            PilotPhase::RollingOut(_, pilot) => pilot.clone(),
            _ => None,
        }
    }

    fn failure(&self) -> Option<String> {
        match &*self.0.phase() {
            PilotPhase::Trying => None,
            PilotPhase::RollingOut(handle, _) => handle.failure(),
            PilotPhase::Over(why) => why.clone(),
        }
    }
}

impl Drop for PilotedRollout {
    fn drop(&mut self) {
        // Without a receiver it ends soon and no rollout follows.
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
    use crossbeam_channel::{Receiver, unbounded};

    fn start(plays: usize) -> PilotedRollout {
        begin(plays, None, true).0
    }

    /// Starts; returns the rollout and its warnings.
    fn begin(
        plays: usize,
        find: Option<Finder>,
        wants_pilot: bool,
    ) -> (PilotedRollout, Receiver<String>) {
        let (warn, warned) = unbounded();
        let before = Preparation {
            wants_pilot,
            find,
            warn: Box::new(move |why| warn.send(why).unwrap()),
        };
        let list = PlayList::of(&Position::opening(), Roll::new(3, 1).unwrap());
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
        let (setup, notify) = (evaluator.into(), Box::new(|| {}));
        let started = PilotedRollout::start(setup, results, settings, 1, before, notify);
        (started.unwrap(), warned)
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
        assert_eq!(result.candidates[0].trials, 72);
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
        // A pilot needs two plays.
        let one = start(1);
        finish(&one);
        assert!(one.failure().is_some() && one.progress().is_none());
    }

    #[test]
    fn what_was_kept_goes_on_and_what_cannot_be_read_begins_anew() {
        // The search blocks until released.
        let (go, gate) = crossbeam_channel::unbounded::<()>();
        let slow = move |found: Result<Option<Progress>, String>| -> Option<Finder> {
            let gate = gate.clone();
            Some(Box::new(move |_| {
                let _ = gate.recv();
                found
            }))
        };
        // Meanwhile it is running without trials.
        let (first, warned) = begin(2, slow(Err("locked".into())), false);
        assert_eq!(first.result().status, Status::Running);
        assert!(!first.is_finished() && first.progress().is_none());
        go.send(()).unwrap();
        let whole = finish(&first);
        assert_eq!(whole.candidates[0].trials, 72);
        assert!(warned.try_recv().unwrap().ends_with("locked"));
        let mut progress = first.progress().unwrap();
        assert!(first.pilot().is_none());
        progress.settings.stop.trials = 108;
        let (second, warned) = begin(2, slow(Ok(Some(progress))), true);
        go.send(()).unwrap();
        assert_eq!(finish(&second).candidates[0].trials, 108);
        assert!(second.pilot().is_some() && warned.try_recv().is_err());
        // A rollout cancelled during the search never starts.
        let (third, _warned) = begin(2, slow(Ok(None)), false);
        third.cancel();
        go.send(()).unwrap();
        let result = finish(&third);
        assert_eq!(result.status, Status::Done(StopReason::Cancelled));
        assert!(third.progress().is_none());
    }
}
