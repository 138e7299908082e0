//! `luckless-lab`, the program for developers: reproducible experiments, generated files of the repository, and
//! training of the nets. Each is a subcommand.

mod benchmarks;
mod bias_check;
mod common;
mod coverage;
mod cube;
mod filters;
mod intervals;
mod koca;
mod ladder;
mod levels;
mod library;
mod match_rollouts;
mod openings;
mod pairs;
mod presets;
mod rated_players;
mod rollouts;
mod settle;
mod train;
mod train_efficiency;
mod train_race_pruning;

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use clap::{CommandFactory as _, Parser};

use self::common::setup;
use crate::cli::common::options::{count, seconds};
use crate::cli::common::output;
use crate::cli::common::usage::{self, say};
use crate::eval::Engine;
use crate::experiments::calibration::{self, CalibrationErrors};
use crate::experiments::{fuzz, inputs, sample_matches, techniques};
use crate::grid::Grid;
use crate::match_file;
use crate::notation::gnubg_id::position_id;
use crate::train::all_round_samples;

const EXAMPLES: &str = "\
Examples:
  luckless-lab train --out nets
  luckless-lab sample-matches --out sample_matches
  luckless-lab benchmarks
  luckless-lab coverage --out crates/lab/records
  luckless-lab techniques --seconds 10
  luckless-lab calibration --positions 2000
  luckless-lab cube --positions 100
  luckless-lab intervals --runs 1000
  luckless-lab koca --positions 2 --rollouts 20
  luckless-lab ladder --seconds 60 --out crates/lab/records
  luckless-lab library --out /tmp/large
  luckless-lab match-rollouts --trials 36
  luckless-lab pair-coverage --runs 1000
  luckless-lab settle --first 6
  luckless-lab fuzz --seconds 600 --seed 1";

/// Name of the program.
const NAME: &str = "luckless-lab";

/// Experiments, generated files and training, for developers of Luckless.
#[derive(Debug, Parser)]
#[command(
    name = NAME,
    version,
    after_help = EXAMPLES,
    max_term_width = 100
)]
struct Cli {
    #[command(subcommand)]
    experiment: Experiment,
}

/// Runs `luckless-lab` on `arguments`, the first of which is its own name.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    usage::speak_as(NAME);
    match Cli::try_parse_from(arguments) {
        Ok(cli) => usage::status(cli.run()),
        Err(error) => usage::report(&error, &Cli::command()),
    }
}

#[derive(Debug, clap::Subcommand)]
enum Experiment {
    SampleMatches(SampleMatches),
    BiasCheck(bias_check::BiasCheck),
    Coverage(coverage::Coverage),
    Techniques(Techniques),
    Calibration(Calibration),
    Cube(cube::Args),
    Intervals(intervals::Intervals),
    Koca(koca::Koca),
    Ladder(ladder::Ladder),
    Levels(levels::Levels),
    Library(library::Library),
    Presets(presets::Presets),
    RatedPlayers(rated_players::RatedPlayers),
    PairCoverage(pairs::PairCoverage),
    Meeting(pairs::Coalescing),
    Turns(pairs::Turns),
    Families(pairs::Families),
    MatchRollouts(match_rollouts::MatchRollouts),
    Settle(settle::Settle),
    Decisions(pairs::Decisions),
    Filters(filters::Filters),
    Fuzz(Fuzz),
    Inputs(Inputs),
    Openings(openings::Openings),
    Train(train::Args),
    TrainEfficiency(train_efficiency::Args),
    TrainRacePruning(train_race_pruning::Args),
    Benchmarks(benchmarks::Benchmarks),
}

impl Cli {
    fn run(self) -> Result<()> {
        match self.experiment {
            Experiment::SampleMatches(args) => args.run(),
            Experiment::BiasCheck(args) => args.run(),
            Experiment::Coverage(args) => args.run(),
            Experiment::Techniques(args) => {
                rollouts::techniques(args.seconds, args.position.as_deref())
            }
            Experiment::Calibration(args) => args.run(),
            Experiment::Cube(args) => args.run(),
            Experiment::Intervals(args) => args.run(),
            Experiment::Koca(args) => args.run(),
            Experiment::Ladder(args) => args.run(),
            Experiment::Levels(args) => args.run(),
            Experiment::Library(args) => args.run(),
            Experiment::Presets(args) => args.run(),
            Experiment::RatedPlayers(args) => args.run(),
            Experiment::PairCoverage(args) => args.run(),
            Experiment::Meeting(args) => args.run(),
            Experiment::Turns(args) => args.run(),
            Experiment::Families(args) => args.run(),
            Experiment::MatchRollouts(args) => args.run(),
            Experiment::Settle(args) => args.run(),
            Experiment::Decisions(args) => args.run(),
            Experiment::Filters(args) => args.run(),
            Experiment::Fuzz(args) => args.run(),
            Experiment::Inputs(args) => args.run(),
            Experiment::Openings(args) => args.run(),
            Experiment::Train(args) => args.run(),
            Experiment::TrainEfficiency(args) => args.run(),
            Experiment::TrainRacePruning(args) => args.run(),
            Experiment::Benchmarks(args) => args.run(),
        }
    }
}

/// What each source of dice, kind of luck and horizon is worth, for six positions
#[derive(Debug, clap::Args)]
struct Techniques {
    /// Seconds for each row
    #[arg(long, value_name = "S", default_value = "2", value_parser = seconds)]
    seconds: f64,
    /// Only this position
    #[arg(long, value_name = "NAME", value_parser = techniques::CASES.map(|case| case.name))]
    position: Option<String>,
}

/// The matches of `sample_matches/`, played by the program with people's mistakes
#[derive(Debug, clap::Args)]
struct SampleMatches {
    /// Folder for the matches
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    out: PathBuf,
}

impl SampleMatches {
    fn run(&self) -> Result<()> {
        let engine = Engine::embedded();
        fs::create_dir_all(&self.out)
            .with_context(|| format!("cannot make {}", self.out.display()))?;
        for sample in &sample_matches::SAMPLES {
            let record = sample_matches::play(&engine, sample);
            let path = self.out.join(format!("{}.mat", sample.file));
            fs::write(&path, match_file::mat::write::write(&record))
                .with_context(|| format!("cannot write {}", path.display()))?;
            let games = record.games.len();
            output::text(&format!("{}: {games} games\n", path.display()))?;
        }
        Ok(())
    }
}

/// How right the static evaluation is, held against rollouts of fresh positions
#[derive(Debug, clap::Args)]
struct Calibration {
    /// Positions, each from a game of its own
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = count::<u64>(1))]
    positions: u64,
    /// Trials of each position
    #[arg(long, value_name = "N", default_value_t = 432, value_parser = count::<u64>(1))]
    trials: u64,
    /// Key of games and dice
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// List so many of the positions that the net is most wrong about
    #[arg(long, value_name = "N", default_value_t = 0)]
    worst: usize,
}

impl Calibration {
    fn run(&self) -> Result<()> {
        let setup = setup();
        let plan = calibration::CalibrationSettings {
            positions: self.positions,
            trials: self.trials,
            seed: self.seed,
        };
        let seen = calibration::observe(&setup, &plan)?;
        let mut table = Grid::new(&["static equity", "positions", "bias", "RMSE"]);
        let mut row = |name: &str, e: CalibrationErrors| {
            table.row(vec![
                name.to_owned(),
                e.count.to_string(),
                format!("{:+.4}", e.bias),
                format!("{:.4}", e.rmse),
            ]);
        };
        for (kind, name) in calibration::CLASSES.iter().enumerate() {
            row(name, calibration::errors(&seen, |o| o.kind == kind));
        }
        row("all", calibration::errors(&seen, |_| true));
        output::text(&table.to_string())?;
        let parts = [
            "win",
            "win gammon",
            "win backgammon",
            "lose gammon",
            "lose backgammon",
        ];
        for (part, name) in parts.iter().enumerate() {
            let mut table = Grid::new(&[name, "positions", "said", "found"]);
            let bins = calibration::reliability(&seen, part);
            for (tenth, (count, said, found)) in bins.iter().enumerate().filter(|(_, b)| b.0 > 0) {
                table.row(vec![
                    format!("{}0 to {}0%", tenth, tenth + 1),
                    count.to_string(),
                    format!("{:.2}%", 100.0 * said),
                    format!("{:.2}%", 100.0 * found),
                ]);
            }
            output::text(&format!("\n{table}"))?;
        }
        if self.worst == 0 {
            return Ok(());
        }
        let mut table = Grid::new(&["position", "kind", "said", "found", "se"]);
        for o in calibration::worst(seen).into_iter().take(self.worst) {
            table.row(vec![
                position_id(&o.position),
                calibration::CLASSES[o.kind].to_owned(),
                format!("{:+.3}", o.said.equity()),
                format!("{:+.3}", o.equity[0]),
                format!("{:.3}", o.equity[1]),
            ]);
        }
        output::text(&format!("\n{table}"))
    }
}

/// What the parts of the net are worth: fresh nets without one of them, on the samples of a training
#[derive(Debug, clap::Args)]
struct Inputs {
    /// Folder of the training
    #[arg(long, value_name = "FOLDER")]
    samples: PathBuf,
    /// Rounds to learn from, the newest but those held out
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = count::<u64>(1))]
    rounds: u64,
    /// How often each sample is shown
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = count::<u64>(1))]
    passes: u64,
}

impl Inputs {
    /// Number of held-out rounds.
    const LATER: usize = 3;

    fn run(&self) -> Result<()> {
        let mut learnt = all_round_samples(&self.samples)?;
        let kept = (self.rounds as usize).saturating_add(Self::LATER);
        learnt.drain(..learnt.len().saturating_sub(kept));
        if learnt.len() <= Self::LATER {
            bail!(
                "{}: expected more than {} rounds",
                self.samples.display(),
                Self::LATER
            );
        }
        let later = learnt.split_off(learnt.len() - Self::LATER);
        let later: Vec<_> = later.into_iter().flat_map(|h| h.samples).collect();
        let mut table = Grid::new(&["net", "cross-entropy", "RMS", "RMS on what was learnt"]);
        for variant in inputs::variants() {
            let fit = inputs::fit(&variant, &learnt, &later, self.passes);
            say(&format!("{}: {:.5}", variant.name, fit.loss));
            table.row(vec![
                variant.name.to_owned(),
                format!("{:.5}", fit.loss),
                format!("{:.5}", fit.rms),
                format!("{:.5}", fit.learnt_rms),
            ]);
        }
        output::text(&table.to_string())
    }
}

/// Every reader of match files fed with damaged files
#[derive(Debug, clap::Args)]
struct Fuzz {
    /// How long to look for faults
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=604_800))]
    seconds: u64,
    /// Which cases to make
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Folder for the files that show a fault
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    out: PathBuf,
}

impl Fuzz {
    fn run(&self) -> Result<()> {
        let end = Instant::now() + Duration::from_secs(self.seconds);
        // Faults are reported in one line at the end.
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(|_| {}));
        let (tallies, failures) = fuzz::run(self.seed, |_| Instant::now() < end);
        std::panic::set_hook(hook);
        let mut table = Grid::new(&["reader", "cases", "read", "slowest ms"]);
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
            let name = format!("fuzz-{}-{}", self.seed, failure.case);
            let path = self.out.join(name);
            fs::write(&path, &failure.bytes)
                .with_context(|| format!("cannot write {}", path.display()))?;
            say(&format!("{}: {}", path.display(), failure.what));
        }
        if failures.is_empty() {
            return Ok(());
        }
        bail!("{} kinds of fault", failures.len())
    }
}

/// Peak memory of the program in megabytes, if the system reports it.
fn most_memory() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kilobytes / 1024)
}

#[cfg(test)]
mod tests {

    use super::*;

    #[test]
    fn the_definition_is_consistent() {
        Cli::command().debug_assert();
    }

    /// Default values must be accepted by their parsers.
    #[test]
    fn defaults_are_values() {
        let mut command = Cli::command();
        command.build();
        for subcommand in command.get_subcommands_mut() {
            let name = subcommand.get_name().to_owned();
            for argument in subcommand.clone().get_arguments() {
                let Some(long) = argument.get_long() else {
                    continue;
                };
                let option = format!("--{long}");
                for value in argument.get_default_values() {
                    let arguments = [name.as_ref(), option.as_ref(), value.as_os_str()];
                    let parsed = subcommand.try_get_matches_from_mut(arguments);
                    let invalid = parsed.err().map(|error| error.kind());
                    assert_ne!(
                        invalid,
                        Some(clap::error::ErrorKind::ValueValidation),
                        "{arguments:?}"
                    );
                }
            }
        }
    }
}
