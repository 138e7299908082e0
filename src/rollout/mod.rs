//! Games played out from a position, with the luck taken out.

pub mod result;
pub mod settings;

pub use result::{
    DifferenceResult, Estimate, HistoryPoint, RolloutResult, Status, StopReason, StrandResult,
};
pub use settings::{Coupling, Reduction, Settings, StopRules};
