//! Rollouts in the background, behind a seam so that the workstation can be tested without them.

use std::sync::Arc;

use crate::game::Position;
use crate::rollout::{RolloutResult, Settings};

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
}

/// Rolls nothing out: says so.
#[derive(Debug, Default)]
pub struct NoRunner;

impl RollRunner for NoRunner {
    fn start(
        &mut self,
        _: Vec<Position>,
        _: Settings,
        _: Bell,
    ) -> Result<Box<dyn Rolling>, String> {
        Err("rollouts are not part of this build".into())
    }
}
