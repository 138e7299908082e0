//! `luckless lab`: what the repository holds that the program itself has made.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use clap::ValueEnum;

use super::output;
use super::usage::say;
use crate::eval::Engine;
use crate::lab::{fuzz, sample_matches};
use crate::match_file;

const EXAMPLES: &str = "\
Examples:
  luckless lab sample-matches --out sample_matches
  luckless lab fuzz --seconds 600 --seed 1      damaged files, for ten minutes

A file that `fuzz` finds a fault with is kept in the folder of --out.";

/// Repeat an experiment, or make again what the program has made
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Which one
    name: Name,
    /// Folder for the results
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    out: PathBuf,
    /// How long to look for faults (fuzz)
    #[arg(long, value_name = "N", default_value_t = 60)]
    seconds: u64,
    /// Which cases to make (fuzz)
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Name {
    /// The matches of sample_matches/, played by the program with people's mistakes
    SampleMatches,
    /// Every reader of match files fed with damaged files
    Fuzz,
}

impl Args {
    pub(super) fn run(self) -> Result<()> {
        match self.name {
            Name::SampleMatches => self.sample_matches(),
            Name::Fuzz => self.fuzz(),
        }
    }

    fn fuzz(&self) -> Result<()> {
        let end = Instant::now() + Duration::from_secs(self.seconds);
        // A fault is told in one line at the end.
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(|_| {}));
        let (tallies, failures) = fuzz::run(self.seed, |_| Instant::now() < end);
        std::panic::set_hook(hook);
        let mut table = output::Table::new(&["reader", "cases", "read", "slowest ms"]);
        for tally in &tallies {
            table.row(vec![
                tally.reader.to_owned(),
                tally.cases.to_string(),
                tally.read.to_string(),
                format!("{:.1}", tally.slowest.as_secs_f64() * 1e3),
            ]);
        }
        let memory = most_memory().map_or_else(String::new, |mb| format!("most memory: {mb} MB\n"));
        output::text(&format!("{table}{memory}"))?;
        for failure in &failures {
            let path = self
                .out
                .join(format!("fuzz-{}-{}", self.seed, failure.case));
            fs::write(&path, &failure.bytes)
                .with_context(|| format!("cannot write {}", path.display()))?;
            say(&format!("{}: {}", path.display(), failure.what));
        }
        if failures.is_empty() {
            return Ok(());
        }
        bail!("{} kinds of fault", failures.len())
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

/// The most memory the program has had, in megabytes, where the system tells it.
fn most_memory() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kilobytes / 1024)
}
