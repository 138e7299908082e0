//! Variance-reduced rollouts: games played out from a position, with the luck subtracted.
//!
//! From the bottom up:
//!
//! * [`request`]: what is rolled out: settings and evaluators, and what is refused.
//! * [`trials`]: one game, or those of two candidates side by side: plays, cube, dice, luck.
//! * [`counts`]: what is counted of trials, and what that says about the candidates.
//! * [`run`]: many trials, on threads or on the calling thread: shared out, merged in order, stopped,
//!   saved and resumed; and what is built on that.
//!
//! The statistics are explained in `docs/methods/rollouts.md`.

mod counts;
mod request;
mod run;
mod trials;

pub mod testing;
#[cfg(test)]
mod tests;

pub use counts::cube_gain::{chance_of_double, double_gain};
pub use counts::result::{
    CandidateResult, CubeSeen, DifferenceResult, ErrorMethod, Estimate, ExtremeTrial, FamilyResult,
    HistoryPoint, PlayDifference, RolloutResult, Status, StopReason,
};
pub use counts::verdict::{ComparisonVerdict, Standing};
pub use request::coupling::{Coupling, Ranks};
pub use request::cube_settings::{CAP, CubeSettings};
pub use request::error::RolloutError;
pub use request::limits;
pub use request::luck_kind::LuckKind;
pub use request::preset::RolloutPreset;
pub use request::settings::{Allocation, Early, PlayStyle, Settings, Shard, StopRules};
pub use request::setup::Setup;
pub use run::blocking::{Snapshot, resume_blocking, run_blocking};
pub use run::cpu::thread_seconds as cpu_seconds;
pub use run::identity::{Identity, Leeway, Unfit, WantedRollout};
pub use run::level::{
    Level, LevelDecision, LevelValue, RolloutPrecision, Truncated, cube_decision,
};
pub use run::pilot::{LONG, Pilot, Tried};
pub use run::progress::Progress;
pub use run::replay::{Replay, replay};
pub use run::results_digest::RESULTS_DIGEST;
pub use run::runner::{OnChange, Rollout, RolloutHandle};
pub use run::shard_merge::ShardMerge;
pub use run::{bias_check, by_hand, level};
pub use trials::cubeful::{CubeEnd, MwcLine};
pub use trials::records::{ExportedTrial, RECORD_BYTES, TrialRecord};
pub use trials::turn::Turn;
