//! `luckless lab`: what the repository holds that the program itself has made.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use clap::ValueEnum;

use super::output;
use crate::eval::Engine;
use crate::lab::sample_matches;
use crate::match_file;

const EXAMPLES: &str = "\
Examples:
  luckless lab sample-matches --out sample_matches
  luckless lab coverage --runs 2000
  luckless lab techniques --seconds 10";

/// Repeat an experiment, or make again what the program has made
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Which one
    name: Name,
    /// Folder for the results
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    out: PathBuf,
    /// Only this position (bearoff, race, hold; open, middle, prime, backgame)
    #[arg(long, value_name = "NAME")]
    position: Option<String>,
    /// Rollouts for each row of `coverage`
    #[arg(long, value_name = "N", default_value = "2000")]
    runs: u32,
    /// Trials of each rollout of `coverage`
    #[arg(long, value_name = "N", default_value = "720")]
    trials: u64,
    /// Seconds for each row of `techniques`
    #[arg(long, value_name = "S", default_value = "2")]
    seconds: f64,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Name {
    /// The matches of sample_matches/, played by the program with people's mistakes
    SampleMatches,
    /// How often the intervals of rollouts hold, for each source of dice and kind of luck
    Coverage,
    /// What each source of dice, kind of luck and horizon is worth, for six positions
    Techniques,
}

impl Args {
    pub(super) fn run(self) -> Result<()> {
        match self.name {
            Name::SampleMatches => self.sample_matches(),
            Name::Coverage => {
                super::lab_rollouts::coverage(self.runs, self.trials, self.position.as_deref())
            }
            Name::Techniques => {
                super::lab_rollouts::techniques(self.seconds, self.position.as_deref())
            }
        }
    }

    fn sample_matches(&self) -> Result<()> {
        let engine = Engine::embedded();
        fs::create_dir_all(&self.out)
            .with_context(|| format!("cannot make {}", self.out.display()))?;
        for sample in &sample_matches::SAMPLES {
            let record = sample_matches::play(&engine, sample);
            let path = self.out.join(format!("{}.mat", sample.file));
            fs::write(&path, match_file::mat::write::write(&record))
                .with_context(|| format!("cannot write {}", path.display()))?;
            output::text(&format!(
                "{}: {} games\n",
                path.display(),
                record.games.len()
            ))?;
        }
        Ok(())
    }
}
