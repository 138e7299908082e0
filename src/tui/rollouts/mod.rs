//! The rollouts of a session, and the other figures of a decision that workers are asked for.

pub mod decision_count;
pub mod generation;
pub mod inquiry;
pub mod job;
pub mod jobs;
pub mod ranking;
pub mod rolled_plays;
pub mod second_opinion;
