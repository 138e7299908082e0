//! Variance-reduced rollouts: games played out from a position, with the luck subtracted.
//!
//! From the inside out:
//!
//! * [`luck`]: the luck of a roll, the control variate.
//! * [`play_choice`]: plays, and the tables that luck is measured from.
//! * [`game_memory`], [`early_memory`] and [`tables`]: which positions and games those tables
//!   belong to.
//! * [`trial`]: one game.
//! * [`roll_source`]: how its rolls are found.
//! * [`coupling`] and [`pair`]: two candidates' games side by side.
//! * [`cubeful`] and [`cube_turn`]: the cube in them.
//! * [`plan`] and [`round`]: which trials make a unit of work, with which dice, and how units are counted.
//! * [`rollout_design`] and [`tally`]: what is counted, and what is read from it.
//! * [`pair_tally`] and [`pairwise`]: two candidates, and every two of several.
//! * [`comparison`] and [`verdict`]: what that says about the candidates, in figures and in words.
//! * [`cube_gain`]: what it says about a double.
//! * [`pilot`]: the choice of coupling and luck by a short rollout.
//! * [`stops`] and [`allocation`]: when a rollout ends, and which candidates get trials.
//! * [`merger`]: units of work merged in order.
//! * [`identity`]: what identifies a rollout, and whether it can be resumed.
//! * [`control`]: pause, resume, cancel.
//! * [`runner`] and [`blocking`]: on threads with a handle, and on the calling thread.
//!
//! Besides:
//!
//! * [`limits`] and [`check`]: which settings are refused.
//! * [`records`] and [`shard_merge`]: trials that were played elsewhere.
//! * [`replay`]: one trial, roll by roll.
//! * [`bias_check`]: decisions of many trials, one ply deeper.
//! * [`single`]: one trial, for experiments.
//! * [`by_hand`]: trials that a person plays.
//! * [`level`]: truncated rollouts as a way to analyse decisions.
//! * [`preset`]: rollouts by name.
//!
//! The statistics are explained in `docs/methods/rollouts.md`.

mod allocation;
pub mod bias_check;
mod blocking;
pub mod by_hand;
mod check;
mod comparison;
mod control;
pub mod coupling;
mod cpu;
mod cube_gain;
mod cube_turn;
mod cubeful;
mod early_memory;
pub mod error;
mod extremes;
mod four_states;
mod game_memory;
pub mod identity;
pub mod level;
pub mod limits;
mod luck;
mod merger;
mod names;
mod pair;
mod pair_tally;
mod pairwise;
pub mod pilot;
mod plan;
mod play_choice;
pub mod preset;
mod progress;
mod records;
mod replay;
pub mod result;
mod results_digest;
mod roll_source;
mod rollout_design;
mod round;
mod runner;
pub mod settings;
mod setup;
mod shard_merge;
mod single;
mod stops;
mod tables;
mod tally;
mod trial;
mod turn;
pub mod verdict;

#[cfg(test)]
mod tests;

pub use blocking::{Snapshot, resume_blocking, run_blocking};
pub use coupling::{Coupling, Ranks};
pub use cpu::thread_seconds as cpu_seconds;
pub use cube_gain::{chance_of_double, double_gain};
pub use cubeful::{CAP, CubeEnd, CubeSettings};
pub use error::RolloutError;
pub use identity::{Identity, Leeway, Unfit, WantedRollout};
pub use level::{Level, LevelDecision, LevelValue, RolloutPrecision, Truncated, cube_decision};
pub use luck::RollValues;
pub use pilot::{LONG, Pilot, Tried};
pub use preset::RolloutPreset;
pub use progress::Progress;
pub use records::{ExportedTrial, RECORD_BYTES, TrialRecord};
pub use replay::{Replay, replay};
pub use result::{
    CandidateResult, CubeSeen, DifferenceResult, ErrorMethod, Estimate, ExtremeTrial, FamilyResult,
    HistoryPoint, PlayDifference, RolloutResult, Status, StopReason,
};
pub use results_digest::RESULTS_DIGEST;
pub use runner::{OnChange, Rollout, RolloutHandle, panic_reason};
pub use settings::{Allocation, Early, LuckKind, PlayStyle, Settings, Shard, StopRules};
pub use setup::Setup;
pub use shard_merge::ShardMerge;
pub use single::{TrialResult, play_trial};
pub use turn::Turn;
pub use verdict::ComparisonVerdict;
