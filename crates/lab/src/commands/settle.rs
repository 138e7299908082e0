//! `luckless-lab settle`: what it takes to settle close decisions by a rollout as it is by default.

use anyhow::Result;

use super::common::setup;
use crate::cli::common::options::count;
use crate::cli::common::output;
use crate::cli::common::usage::{refused, say};
use crate::experiments::close_decisions::{self, CloseDecision};
use crate::grid::Grid;
use crate::rollout::{
    Allocation, RolloutResult, Settings, Status, StopReason, cpu_seconds, run_blocking,
};

/// CPU seconds and trials until close decisions of matches are settled
#[derive(Debug, clap::Args)]
pub(super) struct Settle {
    /// Only the first N decisions
    #[arg(long, value_name = "N", default_value_t = 24, value_parser = count::<u64>(1))]
    first: u64,
    /// Leave out the first N decisions
    #[arg(long, value_name = "N", default_value_t = 0)]
    skip: u64,
    /// The same trials for all plays, instead of a race
    #[arg(long)]
    equal: bool,
    /// Key of the dice
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

impl Settle {
    pub(super) fn run(&self) -> Result<()> {
        let setup = setup();
        let all = close_decisions::bundled().into_iter().enumerate();
        let all = all.skip(self.skip as usize).take(self.first as usize);
        let mut table = Grid::new(&[
            "", "kind", "position", "dice", "trials", "all", "CPU s", "verdict",
        ]);
        let (mut logarithms, mut runs, mut open) = (0.0, 0.0, 0);
        for (number, decision) in all {
            let mut settings = Settings {
                seed: self.seed,
                ..decision.settings()
            };
            if self.equal {
                settings.allocation = Allocation::Equal;
            }
            let began = cpu_seconds();
            let plays = &decision.candidates;
            let result = run_blocking(&setup, plays, &settings, &mut |_| true).map_err(refused)?;
            let seconds = cpu_seconds() - began;
            let run = Run { seconds, result };
            table.row(run.row(number, &decision, &settings));
            logarithms += run.seconds.ln();
            runs += 1.0;
            open += u32::from(!run.is_settled());
            say(&format!("{number}: {:.1} s", run.seconds));
        }
        let mean = f64::exp(logarithms / runs);
        output::text(&format!(
            "{table}\ngeometric mean {mean:.2} s, {open} of {runs} still open\n"
        ))
    }
}

/// How a decision was settled.
struct Run {
    seconds: f64,
    result: RolloutResult,
}

impl Run {
    fn is_settled(&self) -> bool {
        let by = [StopReason::Separated, StopReason::Equivalent];
        by.iter()
            .any(|one| self.result.status == Status::Done(*one))
    }

    fn row(&self, number: usize, decision: &CloseDecision, settings: &Settings) -> Vec<String> {
        let trials: Vec<u64> = self.result.candidates.iter().map(|c| c.trials).collect();
        let names: Vec<&str> = decision.plays.iter().map(String::as_str).collect();
        let verdict = match self.result.verdict(&names, settings) {
            Some(verdict) => verdict.sentence,
            None if self.is_settled() => "the cube: settled".to_owned(),
            None => "the cube: still open".to_owned(),
        };
        vec![
            number.to_string(),
            decision.kind.clone(),
            decision.id.clone(),
            decision
                .roll
                .map_or_else(|| "cube".to_owned(), |roll| roll.to_string()),
            trials.iter().max().copied().unwrap_or_default().to_string(),
            trials.iter().sum::<u64>().to_string(),
            format!("{:.1}", self.seconds),
            verdict,
        ]
    }
}
