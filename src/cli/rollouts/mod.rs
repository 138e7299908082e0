//! `rollout`, `compare` and what belongs to them: batches, shards, replays, games by hand, what is kept.

pub(crate) mod batch;
pub(crate) mod batch_answers;
pub(crate) mod bias_check;
pub(crate) mod by_hand;
pub mod candidate;
pub(crate) mod checkpoint;
pub(crate) mod compare;
pub(crate) mod compare_print;
pub(crate) mod cube_decision;
mod ended_document;
pub(crate) mod hand_games;
pub(crate) mod kept;
pub(crate) mod merge;
pub(crate) mod replay;
pub(crate) mod rollout;
pub(crate) mod rollout_choice;
pub(crate) mod rollout_files;
pub mod rollout_options;
pub(crate) mod rollout_print;
pub(crate) mod rollout_run;
pub(crate) mod rollout_saving;
mod rollout_xg;
pub(crate) mod trial_export;

#[cfg(test)]
mod tests;
