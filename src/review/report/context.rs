//! How a match was analysed, as its report says it.

use super::RolloutsReport;
use crate::cube::Model;
use crate::review::Thresholds;

/// How a match was analysed.
#[derive(Clone, Copy, Debug)]
pub struct ReportContext<'a> {
    /// Name of the evaluator.
    pub engine: &'a str,
    /// What cubeful values were made with.
    pub model: &'a Model,
    /// Plies at most.
    pub ply: u8,
    /// From which loss on a decision is marked as what.
    pub thresholds: Thresholds,
    /// What was rolled out, if anything was to be.
    pub rollouts: Option<RolloutsReport>,
}
