//! Rollouts in the background, behind a seam so that the workstation can be tested without them.

use std::sync::Arc;

use crate::eval::Evaluator;
use crate::game::Position;
use crate::rollout::{Rollout, RolloutHandle, RolloutResult, Settings};

/// A bell the runner rings when there is something new; ringing it twice is ringing it once.
pub type Bell = Box<dyn Fn() + Send + Sync>;

/// Something that rolls out.
pub trait RollRunner {
    /// Starts rolling out the positions (each after a play, its opponent on roll).
    ///
    /// # Errors
    /// One line: why it cannot be done.
    fn start(
        &mut self,
        positions: Vec<Position>,
        settings: Settings,
        bell: Bell,
    ) -> Result<Box<dyn Rolling>, String>;
}

/// A rollout under way.
pub trait Rolling {
    /// What it knows.
    fn result(&self) -> Arc<RolloutResult>;
    /// Stops for a while.
    fn pause(&self);
    /// Goes on.
    fn resume(&self);
    /// Ends it; what was done counts.
    fn cancel(&self);
    /// Whether nothing more will come.
    fn is_finished(&self) -> bool;
    /// Why it failed, if it did.
    fn failure(&self) -> Option<String>;
}

/// The rollouts of this program, on all threads.
pub struct Runner {
    /// What values positions.
    pub evaluator: Arc<dyn Evaluator>,
    /// Threads.
    pub threads: usize,
}

impl RollRunner for Runner {
    fn start(
        &mut self,
        positions: Vec<Position>,
        settings: Settings,
        bell: Bell,
    ) -> Result<Box<dyn Rolling>, String> {
        let evaluator = self.evaluator.clone();
        let handle = Rollout::start(evaluator, positions, settings, self.threads, Some(bell));
        match handle {
            Ok(handle) => Ok(Box::new(handle)),
            Err(error) => Err(error.to_string()),
        }
    }
}

impl Rolling for RolloutHandle {
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

    fn failure(&self) -> Option<String> {
        Self::failure(self)
    }
}
