//! Games played out from a position, with the luck taken out.
//!
//! From the inside out: [`luck`] (what the dice gave), [`trial`] (one game), [`pair`] (two
//! strands' games side by side), [`plan`] (which trials make a unit of work, with which dice),
//! [`tally`] (what is counted and what is read from it), [`merger`] (units back into order),
//! [`control`] (pause, resume, cancel), [`runner`] (threads and the handle to them). The
//! statistics are explained in `docs/rollouts.md`.

mod control;
mod cpu;
pub mod error;
mod luck;
mod merger;
mod pair;
mod plan;
mod progress;
pub mod result;
mod runner;
pub mod settings;
mod tally;
mod trial;

#[cfg(test)]
mod tests;

pub use error::RolloutError;
pub use luck::RollValues;
pub use progress::Progress;
pub use result::{
    DifferenceResult, ErrorMethod, Estimate, HistoryPoint, RolloutResult, Status, StopReason,
    StrandResult,
};
pub use runner::{OnChange, Rollout, RolloutHandle};
pub use settings::{Coupling, Reduction, Settings, StopRules};
pub use trial::{TrialResult, play_trial};
