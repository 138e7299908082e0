//! `luckless-lab train-race-pruning`: trains the pruning net of races.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::Result;

use super::common::{save_net, try_to_write};
use crate::cli::common::options::Nets;
use crate::cli::common::usage::say;
use crate::train::race_pruning;

const EXAMPLES: &str = "\
Examples:
  luckless-lab train-race-pruning --out crates/engine/src/eval/race_pruning.net
  luckless-lab train-race-pruning --out try.net --steps 2000";

/// Learn which plays of a race deserve the main net, from races made at random
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// File for the net
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Steps of 64 rolls each
    #[arg(long, value_name = "N", default_value_t = 80_000,
          value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    steps: u64,
    /// Key of the races
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    nets: Nets,
}

impl Args {
    pub(super) fn run(self) -> Result<()> {
        let engine = self.nets.engine()?;
        try_to_write(&self.out)?;
        let start = Instant::now();
        let net = race_pruning::learn(&engine, self.steps, self.seed, &mut |progress| {
            let [mean, most] = progress.lost;
            say(&format!(
                "{:7.1} s  step {}/{}  lost {mean:.6}, at most {most:.4}",
                start.elapsed().as_secs_f64(),
                progress.step,
                self.steps
            ));
        });
        save_net(&self.out, &net.to_bytes())
    }
}
