//! Rollouts in the background.

use std::sync::Arc;

use super::piloted::{PilotedRollout, Preparation};
use super::running::{Notify, RunningRollout};
use crate::game::Position;
use crate::rollout::{
    Pilot, Progress, Rollout, RolloutError, RolloutHandle, RolloutResult, Settings, Setup,
};

/// Runs rollouts of this program on all threads.
pub struct Runner {
    pub setup: Setup,
    pub threads: usize,
}

impl Runner {
    /// Starts a rollout of the positions, each after a play with the opponent on roll.
    #[cfg(test)]
    pub fn start(
        &mut self,
        positions: Vec<Position>,
        settings: Settings,
        notify: Notify,
    ) -> Result<Box<dyn RunningRollout>, String> {
        let setup = self.setup.clone();
        let handle = Rollout::start(setup, positions, settings, self.threads, Some(notify));
        under_way(handle)
    }

    /// Starts a rollout of the positions after its preparation.
    ///
    /// # Errors
    /// The reason, in one line.
    pub fn start_after(
        &mut self,
        before: Preparation,
        positions: Vec<Position>,
        settings: Settings,
        notify: Notify,
    ) -> Result<Box<dyn RunningRollout>, String> {
        let (setup, threads) = (self.setup.clone(), self.threads);
        let piloted = PilotedRollout::start(setup, positions, settings, threads, before, notify)?;
        Ok(Box::new(piloted))
    }

    /// Continues a finished rollout.
    ///
    /// # Errors
    /// The reason, in one line.
    pub fn go_on(
        &mut self,
        progress: Progress,
        notify: Notify,
    ) -> Result<Box<dyn RunningRollout>, String> {
        let setup = self.setup.clone();
        under_way(Rollout::resume(setup, progress, self.threads, Some(notify)))
    }
}

fn under_way(
    handle: Result<RolloutHandle, RolloutError>,
) -> Result<Box<dyn RunningRollout>, String> {
    let handle = handle.map_err(|error| error.to_string())?;
    Ok(Box::new(handle))
}

impl RunningRollout for RolloutHandle {
    fn result(&self) -> Arc<RolloutResult> {
        Self::result(self)
    }

    fn pause(&self) {
        Self::pause(self);
    }

    fn resume(&self) {
        Self::resume(self);
    }

    fn cancel(&self) {
        Self::cancel(self);
    }

    fn is_finished(&self) -> bool {
        Self::is_finished(self)
    }

    fn progress(&self) -> Option<Progress> {
        Some(Self::progress(self))
    }

    fn pilot(&self) -> Option<Arc<Pilot>> {
        None
    }

    fn failure(&self) -> Option<String> {
        Self::failure(self)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::eval::{Engine, Evaluator};
    use crate::rollout::StopRules;
    use std::time::Duration;

    pub(crate) fn finish(rolling: &dyn RunningRollout) -> Arc<RolloutResult> {
        for _ in 0..2000 {
            if rolling.is_finished() {
                return rolling.result();
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("it does not end");
    }

    #[test]
    fn going_on_is_as_if_it_had_never_ended() {
        let settings = |trials| Settings {
            horizon: Some(3),
            stop: StopRules {
                trials,
                ..Settings::default().stop
            },
            ..Settings::default()
        };
        let evaluator: Arc<dyn Evaluator> = Arc::new(Engine::embedded());
        let mut runner = Runner {
            setup: evaluator.into(),
            threads: 1,
        };
        let notify = || -> Notify { Box::new(|| {}) };
        let start = vec![Position::opening()];
        let straight = runner.start(start.clone(), settings(72), notify()).unwrap();
        let first = runner.start(start, settings(36), notify()).unwrap();
        assert_eq!(finish(&*first).candidates[0].trials, 36);
        let mut progress = first.progress().unwrap();
        progress.settings = settings(72);
        let second = runner.go_on(progress, notify()).unwrap();
        assert_eq!(finish(&*second).candidates, finish(&*straight).candidates);
    }
}
