//! `luckless-lab train`: trains the nets from random weights.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::Result;

use super::common::{pool, print_path};
use crate::cli::common::options::Threads;
use crate::cli::common::output;
use crate::cli::common::usage::misuse;
use crate::train::{Recipe, TrainingSession};

const EXAMPLES: &str = "\
Examples:
  luckless-lab train --out nets                  the whole way to the embedded net
  luckless-lab train --out try --recipe quick    a few minutes, a weaker net
  luckless eval 4HPwATDgc/ABMA --dice 31 --nets nets/luckless.net

Stopped at any time, the same command goes on from the last checkpoint in the folder.";

/// Time between two saves.
const SAVE_EVERY: Duration = Duration::from_secs(60);

/// Train a net from nothing, by self-play
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Folder for the net and the checkpoint; a training found there is continued
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
    /// Which recipe: full, onward or luck (these go on from nets), quick, reduced or smoke
    #[arg(long, default_value = "full", value_parser = recipe)]
    recipe: &'static Recipe,
    /// Key of the random numbers
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Learn from the samples kept by another training as well, once this one looks ahead
    #[arg(long, value_name = "FOLDER")]
    also: Option<PathBuf>,
    /// Begin with the three nets of this folder rather than with random ones; a training that has begun
    /// goes on from its checkpoint
    #[arg(long, value_name = "FOLDER")]
    from: Option<PathBuf>,
    #[command(flatten)]
    threads: Threads,
}

fn recipe(name: &str) -> Result<&'static Recipe, String> {
    Recipe::named(name).ok_or_else(|| {
        let names: Vec<&str> = Recipe::ALL.iter().map(|r| r.name).collect();
        format!("expected one of {}", names.join(", "))
    })
}

impl Args {
    pub(super) fn run(self) -> Result<()> {
        pool(&self.threads)?.install(|| self.train())
    }

    fn train(&self) -> Result<()> {
        let mut session = TrainingSession::open(&self.out, self.recipe, self.seed)?;
        if let Some(folder) = &self.from {
            session.begin_with(folder)?;
        } else if self.recipe.goes_on_from_nets() && !session.has_begun() {
            return Err(misuse(format!(
                "the recipe {} goes on from nets: expected --from FOLDER with luckless.net, luck.net and \
                 pruning.net",
                self.recipe.name
            )));
        }
        if let Some(folder) = &self.also {
            session.learn_also(folder)?;
        }
        if !session.has_begun() {
            // Fails early, before hours of play, if the folder cannot be written.
            session.save()?;
        }
        let start = Instant::now();
        let mut saved = Instant::now();
        while let Some(stage) = session.stage() {
            let round = session.progress().round + 1;
            session.round();
            let progress = session.progress();
            let said = output::text(&format!(
                "{:8.1} s  {} {round}/{}  {} games  {} positions  loss {:.5}  luck {:.5}\n",
                start.elapsed().as_secs_f64(),
                stage.name,
                stage.rounds,
                progress.games,
                progress.positions,
                progress.loss,
                progress.luck_loss,
            ));
            if said.is_err() || saved.elapsed() >= SAVE_EVERY || session.stage().is_none() {
                session.save()?;
                saved = Instant::now();
            }
            said?;
        }
        print_path(&self.out.join("luckless.net"))
    }
}
