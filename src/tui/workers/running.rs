//! Interface of a running rollout.

use std::sync::Arc;

use crate::rollout::{Pilot, Progress, RolloutResult};

/// Called by the runner when there is a new result. Two calls have the same effect as one.
pub type Notify = Box<dyn Fn() + Send + Sync>;

/// A running rollout.
pub trait RunningRollout {
    /// Figures of the rollout so far.
    fn result(&self) -> Arc<RolloutResult>;
    /// Pauses.
    fn pause(&self);
    /// Resumes.
    fn resume(&self);
    /// Ends the rollout; finished trials count.
    fn cancel(&self);
    /// Returns whether the rollout has ended and no more results will come.
    fn is_finished(&self) -> bool;
    /// The data for continuing the rollout later, if it has started.
    fn progress(&self) -> Option<Progress>;
    /// The result of the rollout's pilot, if finished.
    fn pilot(&self) -> Option<Arc<Pilot>>;
    /// The reason for a failure.
    fn failure(&self) -> Option<String>;
}
