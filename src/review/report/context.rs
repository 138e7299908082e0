//! How a match was analysed, as its report says it.

use super::RolloutsReport;
use crate::cube::Model;
use crate::review::Thresholds;

/// How a match was analysed.
#[derive(Clone, Copy, Debug)]
pub struct ReportContext<'a> {
    /// Name of the evaluator.
    pub engine: &'a str,
    /// The model of cubeful values.
    pub model: &'a Model,
    /// Plies at most.
    pub ply: u8,
    /// From which loss on a decision is marked as what.
    pub thresholds: Thresholds,
    /// The rollouts, if any were requested.
    pub rollouts: Option<RolloutsReport>,
}
