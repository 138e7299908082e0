//! The rollouts of a session, and other results of workers for a decision.

pub(crate) mod decision_count;
pub(crate) mod generation;
pub(crate) mod inquiry;
pub(crate) mod job;
pub(crate) mod jobs;
pub(crate) mod ranking;
pub(crate) mod rolled_plays;
pub(crate) mod second_opinion;
