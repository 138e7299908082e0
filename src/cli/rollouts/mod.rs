//! `rollout`, `compare` and what belongs to them: batches, shards, replays, games by hand, what is kept.

pub(in crate::cli) mod batch;
pub(in crate::cli) mod batch_answers;
pub(in crate::cli) mod bias_check;
pub(in crate::cli) mod by_hand;
pub(in crate::cli) mod candidate;
pub(in crate::cli) mod checkpoint;
pub(in crate::cli) mod compare;
pub(in crate::cli) mod compare_print;
pub(in crate::cli) mod cube_decision;
mod ended_document;
pub(in crate::cli) mod hand_games;
pub(in crate::cli) mod kept;
pub(in crate::cli) mod merge;
pub(in crate::cli) mod replay;
pub(in crate::cli) mod rollout;
pub(in crate::cli) mod rollout_choice;
pub(in crate::cli) mod rollout_files;
pub(in crate::cli) mod rollout_options;
pub(in crate::cli) mod rollout_print;
pub(in crate::cli) mod rollout_run;
pub(in crate::cli) mod rollout_saving;
mod rollout_xg;
pub(in crate::cli) mod trial_export;

#[cfg(test)]
mod tests;
