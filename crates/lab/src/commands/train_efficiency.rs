//! `luckless-lab train-efficiency`: trains the net of cube efficiencies.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::Result;

use super::common::{pool, save_net, try_to_write};
use crate::cli::common::options::{Nets, Threads};
use crate::cli::common::usage::say;
use crate::game::Rules;
use crate::train::efficiency;

const EXAMPLES: &str = "\
Examples:
  luckless-lab train-efficiency --out efficiency.net
  luckless-lab train-efficiency --jacoby --out efficiency_jacoby.net
  luckless-lab train-efficiency --out try.net --rounds 5 --games 100";

/// Learn how efficient the cube is in each position, by self-play
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// File for the net
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Rounds: each is played with the net of the one before
    #[arg(long, value_name = "N", default_value_t = 100,
          value_parser = clap::value_parser!(u32).range(1..=10_000))]
    rounds: u32,
    /// For the Jacoby rule, by which gammons count only once the cube is turned
    #[arg(long)]
    jacoby: bool,
    /// Games of a round
    #[arg(long, value_name = "N", default_value_t = 1400,
          value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    games: u64,
    /// Key of the games
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    nets: Nets,
}

impl Args {
    pub(super) fn run(self) -> Result<()> {
        let engine = self.nets.engine()?;
        try_to_write(&self.out)?;
        let pool = pool(&self.threads)?;
        let start = Instant::now();
        let mut report = |p: efficiency::EfficiencyProgress| {
            say(&format!(
                "{:7.1} s  round {}/{}  {} positions  {}",
                start.elapsed().as_secs_f64(),
                p.round,
                self.rounds,
                p.samples,
                p.errors
                    .map(|[net, constant]| format!("{net:.4} ({constant:.4})"))
                    .join("  "),
            ));
        };
        let rules = Rules {
            jacoby: self.jacoby,
            ..Rules::default()
        };
        let learn = || {
            efficiency::learn(
                &engine,
                rules,
                self.rounds,
                self.games,
                self.seed,
                &mut report,
            )
        };
        let net = pool.install(learn);
        save_net(&self.out, &net.to_bytes())
    }
}
