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
  luckless lab coverage --runs 2000
  luckless lab techniques --seconds 10
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
    /// Only this position (bearoff, race, hold; open, middle, prime, backgame)
    #[arg(long, value_name = "NAME")]
    position: Option<String>,
    /// Rollouts for each row of `coverage`
    #[arg(long, value_name = "N", default_value = "2000")]
    runs: u32,
    /// Trials of each rollout of `coverage`
    #[arg(long, value_name = "N", default_value = "720")]
    trials: u64,
    /// Seconds for each row of `techniques`, and for all of `fuzz`
    #[arg(long, value_name = "S", default_value = "2")]
    seconds: f64,
    /// Which cases `fuzz` makes
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Name {
    /// The matches of sample_matches/, played by the program with people's mistakes
    SampleMatches,
    /// Every reader of match files fed with damaged files
    Fuzz,
    /// How often the intervals of rollouts hold, for each source of dice and kind of luck
    Coverage,
    /// What each source of dice, kind of luck and horizon is worth, for six positions
    Techniques,
}

impl Args {
    pub(super) fn run(self) -> Result<()> {
        match self.name {
            Name::SampleMatches => self.sample_matches(),
            Name::Fuzz => self.fuzz(),
            Name::Coverage => {
                super::lab_rollouts::coverage(self.runs, self.trials, self.position.as_deref())
            }
            Name::Techniques => {
                super::lab_rollouts::techniques(self.seconds, self.position.as_deref())
            }
        }
    }

    fn fuzz(&self) -> Result<()> {
        let end = Instant::now() + Duration::from_secs_f64(self.seconds.clamp(0.0, 1e6));
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
