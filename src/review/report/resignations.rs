//! A game that was given up, in a report.

use serde::{Deserialize, Serialize};

use crate::review::marks::{Mark, Thresholds};
use crate::review::{Resignation, ResignationFault};

/// The cost of a resignation.
/// Equities are those of the player who resigned, in points on the cube, in a match at the score (EMG).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResignationReport {
    /// Points conceded, cube included.
    pub points: u32,
    /// Value of the game if played on.
    pub cubeful_equity: f64,
    /// Value of the concession.
    pub conceded: f64,
    /// How something was given away, if it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<ResignationFault>,
    /// How much, in points on the cube.
    pub given_away: f64,
    /// How bad that is.
    pub mark: Mark,
}

impl ResignationReport {
    pub(super) fn new(resignation: &Resignation, lines: &Thresholds) -> Self {
        let by = resignation.fault();
        let amount = by.map_or(0.0, |_| resignation.cost().abs());
        Self {
            points: resignation.points,
            cubeful_equity: f64::from(resignation.value),
            conceded: f64::from(resignation.conceded),
            by,
            given_away: f64::from(amount),
            mark: Mark::of(amount, lines),
        }
    }

    /// Describes the loss, if there was one, and who bears it: `resigning cost Ben 0.350`.
    /// The names are those of the player who resigned and of the other.
    pub(super) fn words(&self, [resigner, winner]: [&str; 2]) -> Option<String> {
        let (name, how) = match self.by? {
            ResignationFault::Resigning => (resigner, "resigning"),
            ResignationFault::Accepting => (winner, "accepting"),
        };
        Some(format!("{how} cost {name} {:.3}", self.given_away))
    }
}
