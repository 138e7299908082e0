//! `luckless-lab filters`: the loss and savings of searching fewer plays deeply.

use std::path::PathBuf;

use anyhow::{Context as _, Result, bail};

use super::common::setup;
use crate::cli::common::options::plies;
use crate::cli::common::output;
use crate::eval::{CandidateFilter, Evaluator};
use crate::experiments::judged::{self, AnalysedDecision};
use crate::grid::Grid;
use crate::rollout::cpu_seconds;
use crate::store::file;

/// The filters: maximum number of plays, and points behind the best.
const FILTERS: [(u16, f32); 9] = [
    (16, 0.32),
    (8, 0.16),
    (6, 0.12),
    (5, 0.08),
    (4, 0.08),
    (4, 0.06),
    (3, 0.06),
    (3, 0.04),
    (2, 0.04),
];

/// Scores, as points needed by the player on roll and the opponent.
const SCORES: [[u16; 2]; 6] = [[25, 25], [7, 7], [1, 1], [2, 4], [4, 2], [1, 3]];

/// What choices lose that look at fewer plays more deeply, on decisions judged by others
#[derive(Debug, clap::Args)]
pub(super) struct Filters {
    /// Decisions, a JSON object a line: position, dice, and plays with result and equity
    #[arg(long, value_name = "FILE")]
    judged: PathBuf,
    /// Plies of the deeper look
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = plies())]
    ply: u8,
    /// Decisions that are looked at at scores, from the first on
    #[arg(long, value_name = "N", default_value_t = 1500)]
    decisions: usize,
}

impl Filters {
    pub(super) fn run(&self) -> Result<()> {
        let bytes = file::read(&self.judged, file::LIMIT)?;
        let all = judged::read(&String::from_utf8_lossy(&bytes));
        let all = all.with_context(|| self.judged.display().to_string())?;
        if all.is_empty() {
            bail!("{}: no judged decisions in it", self.judged.display());
        }
        let setup = setup();
        let headings = ["plays", "within", "loss (0.001 points)", "looked at", "ms"];
        let mut table = Grid::new(&headings);
        for (most, within) in FILTERS {
            let began = cpu_seconds();
            let filter = CandidateFilter { most, within };
            let record = judged::choose_all(&*setup.evaluator, &all, self.ply, filter);
            let seconds = (cpu_seconds() - began) / all.len() as f64;
            let loss = record.loss;
            let error = (loss.variance() / all.len() as f64).sqrt();
            table.row(vec![
                most.to_string(),
                format!("{within:.2}"),
                format!("{:.2} (se {:.2})", 1e3 * loss.mean(), 1e3 * error),
                format!("{:.2}", record.looked.mean()),
                format!("{:.3}", 1e3 * seconds),
            ]);
        }
        output::text(&table.to_string())?;
        self.at_scores(&*setup.evaluator, &all)
    }

    /// Prints the loss of the filter at match scores, compared with full lookahead.
    fn at_scores(&self, evaluator: &dyn Evaluator, all: &[AnalysedDecision]) -> Result<()> {
        let headings = [
            "away",
            "plays",
            "within",
            "loss (0.001 points)",
            "judged",
            "other plays",
            "ms",
            "full",
        ];
        let mut table = Grid::new(&headings);
        let few = &all[..all.len().min(self.decisions)];
        for away in SCORES {
            for (most, within) in [FILTERS[1], FILTERS[3], FILTERS[5], FILTERS[6]] {
                let filter = CandidateFilter { most, within };
                let choices = judged::choose_at_score(evaluator, few, away, filter);
                let n = few.len() as f64;
                let error = (choices.loss.variance() / n).sqrt();
                let [own, full] = choices.seconds.map(|seconds| 1e3 * seconds / n);
                table.row(vec![
                    format!("{}-{}", away[0], away[1]),
                    most.to_string(),
                    format!("{within:.2}"),
                    format!("{:.2} (se {:.2})", 1e3 * choices.loss.mean(), 1e3 * error),
                    format!("{:.2}", 1e3 * choices.judged.mean()),
                    format!("{:.1}%", 100.0 * f64::from(choices.others) / n),
                    format!("{own:.3}"),
                    format!("{full:.3}"),
                ]);
            }
        }
        output::text(&format!("\n{table}"))
    }
}
