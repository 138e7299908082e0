//! A rollout under way, however it is made.

use std::sync::Arc;

use crate::rollout::{Pilot, Progress, RolloutResult};

/// Called by the runner when there is a new result. Calling it twice has the effect of calling it
/// once.
pub type Notify = Box<dyn Fn() + Send + Sync>;

/// A rollout under way.
pub trait RunningRollout {
    /// Figures of the rollout so far.
    fn result(&self) -> Arc<RolloutResult>;
    /// Stops for a while.
    fn pause(&self);
    /// Goes on.
    fn resume(&self);
    /// Ends the rollout; what was done counts.
    fn cancel(&self);
    /// Whether the rollout has ended, and nothing more will come.
    fn is_finished(&self) -> bool;
    /// What is needed to go on with the rollout later, if it has begun.
    fn progress(&self) -> Option<Progress>;
    /// What the pilot of the rollout found, if it had one and that is over.
    fn pilot(&self) -> Option<Arc<Pilot>>;
    /// Why the rollout failed, if it did.
    fn failure(&self) -> Option<String>;
}
