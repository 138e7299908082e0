//! A player's decisions by kind of position.

use super::TypeReport;
use super::context::ReportContext;
use crate::review::PositionType;
use crate::review::figures::Rate;
use crate::review::marks::Mark;
use crate::review::match_review::AnalysedTurn;

/// Sums for one player, a row for each kind in the order of [`PositionType::ALL`].
#[derive(Clone, Debug)]
pub(super) struct Types(Vec<TypeReport>);

impl Default for Types {
    fn default() -> Self {
        let row = |kind| TypeReport {
            kind,
            decisions: 0,
            error: 0.0,
            error_unnormalised: 0.0,
            blunders: 0,
            pr: None,
            pr_counted: Rate::default(),
        };
        Self(PositionType::ALL.map(row).to_vec())
    }
}

impl Types {
    /// Adds the decisions of a turn; `point` is what a point is worth in MWC or points.
    pub(super) fn add(&mut self, one: &AnalysedTurn, point: f64, context: &ReportContext<'_>) {
        let kind = PositionType::of(&one.turn.before.state.position);
        let Some(row) = self.0.iter_mut().find(|row| row.kind == kind) else {
            return;
        };
        for verdict in one.review.decision_costs() {
            let error = f64::from(verdict.error);
            row.decisions += u32::from(verdict.unforced);
            row.error += error;
            row.error_unnormalised += error * point;
            let blunder = Mark::of(verdict.error, &context.thresholds) == Mark::Blunder;
            row.blunders += u32::from(blunder);
            if verdict.in_pr {
                row.pr_counted.add(error);
            }
        }
    }

    /// The rows with anything in them, rated as of a match of `length` points.
    pub(super) fn finish(mut self, length: u16) -> Vec<TypeReport> {
        self.0.retain(|row| row.decisions > 0 || row.error > 0.0);
        for row in &mut self.0 {
            row.pr = row.pr_counted.pr(length);
        }
        self.0
    }
}
