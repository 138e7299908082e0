//! `luckless bench`: measures the program's speed and prints the signature of its results.
//!
//! Measurements, each on one thread unless it says all:
//! * *static evaluations*: all plays of all twenty-one rolls of the bench positions, generated in advance;
//! * *plays*: generating them;
//! * *decisions*: all plays of a roll, evaluated and ranked at 0, 1 and 2 plies;
//! * *trials*: variance-reduced full games at 0-ply.
//!
//! Each figure is the best of three measurements: other programs can only slow one down.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use serde::Serialize;

use super::bench_signature::signature;
use crate::cli::common::options::{Nets, Threads, seconds};
use crate::cli::common::output;
use crate::cli::common::usage::misuse;
use crate::eval::lookahead;
use crate::eval::simd::Kernel;
use crate::eval::{CandidateFilter, Evaluator, Probabilities};
use crate::game::roll::DISTINCT;
use crate::game::{PlayList, Position, Roll};
use crate::grid::Grid;
use crate::notation;
use crate::rollout::{Coupling, Rollout, Settings, StopRules};
use crate::words;

const EXAMPLES: &str = "\
Examples:
  luckless bench
  luckless bench --json --seconds 5
  luckless bench --signature

The signature changes if and only if results change.";

/// Positions from the engine's own games: contact, races, bearoffs.
const POSITIONS: &str = include_str!("bench_positions.txt");
/// Number of measurements, of which the best counts.
const MEASUREMENTS: u32 = 3;

/// The program's own speed, and the signature of its results
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Machine output: one JSON document
    #[arg(long)]
    json: bool,
    /// Seconds for each figure
    #[arg(long, value_name = "S", default_value = "1.2", value_parser = seconds)]
    seconds: f64,
    /// Print the signature alone, measure nothing
    #[arg(long)]
    signature: bool,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    nets: Nets,
}

#[derive(Serialize)]
pub struct BenchDocument {
    pub simd: &'static str,
    /// Static evaluations on each kernel of the machine.
    kernels: BTreeMap<&'static str, f64>,
    /// Positions for which the luck net predicts 21 rolls.
    luck_per_s: f64,
    threads: usize,
    pub static_evals_per_s: f64,
    plays_per_s: f64,
    decisions_per_s: Decisions,
    trials_per_s: f64,
    trials_per_s_all: f64,
    pub signature: String,
}

#[derive(Serialize)]
struct Signature {
    signature: String,
}

#[derive(Serialize)]
struct Decisions {
    #[serde(rename = "0ply")]
    ply0: f64,
    #[serde(rename = "1ply")]
    ply1: f64,
    #[serde(rename = "2ply")]
    ply2: f64,
}

impl Args {
    pub fn run(self) -> Result<()> {
        if !(0.0..=600.0).contains(&self.seconds) {
            return Err(misuse("--seconds must be from 0 to 600"));
        }
        if self.signature {
            let engine: Arc<dyn Evaluator> = Arc::new(self.nets.engine()?);
            let signature = signature(&engine, &positions()?)?;
            return match self.json {
                true => output::json(&Signature { signature }),
                false => output::text(&format!("{signature}\n")),
            };
        }
        let document = measure(&self.nets, self.seconds, self.threads.number().get())?;
        if self.json {
            output::json(&document)
        } else {
            output::text(&document.to_text())
        }
    }
}

/// Measures everything, for `seconds` each.
pub fn measure(nets: &Nets, seconds: f64, threads: usize) -> Result<BenchDocument> {
    let engine = nets.engine()?;
    let simd = engine.kernel().name();
    let engine: Arc<dyn Evaluator> = Arc::new(engine);
    let positions = positions()?;
    let time = Duration::from_secs_f64(seconds / f64::from(MEASUREMENTS));
    let decisions = |ply| decisions(&*engine, &positions, ply, time);
    Ok(BenchDocument {
        simd,
        signature: signature(&engine, &positions)?,
        kernels: kernels(nets, &positions, time)?,
        luck_per_s: luck(&*engine, &positions, time),
        threads,
        static_evals_per_s: evaluations(&*engine, &positions, time),
        plays_per_s: plays(&positions, time),
        decisions_per_s: Decisions {
            ply0: decisions(0),
            ply1: decisions(1),
            ply2: decisions(2),
        },
        trials_per_s: trials(&engine, &positions, 1, time)?,
        trials_per_s_all: trials(&engine, &positions, threads, time)?,
    })
}

/// Measures static evaluations on each kernel of the machine.
fn kernels(
    nets: &Nets,
    positions: &[Position],
    time: Duration,
) -> Result<BTreeMap<&'static str, f64>> {
    Kernel::available()
        .into_iter()
        .map(|kernel| {
            let engine = nets.engine()?.on(kernel);
            Ok((kernel.name(), evaluations(&engine, positions, time)))
        })
        .collect()
}

/// Measures predictions of the 21 rolls, one position at a time.
fn luck(engine: &dyn Evaluator, positions: &[Position], time: Duration) -> f64 {
    let mut rolls = [Probabilities::default(); DISTINCT];
    rate(time, |_| {
        for position in positions {
            engine.roll_values(position, &mut rolls);
            std::hint::black_box(&rolls);
        }
        positions.len()
    })
}

pub fn positions() -> Result<Vec<Position>> {
    POSITIONS
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
        .map(|id| Ok(notation::parse_id(id).context("bench position")?.position))
        .collect()
}

/// Repeats `pass`, which returns its amount of work. Returns the amount per second.
fn rate(time: Duration, mut pass: impl FnMut(usize) -> usize) -> f64 {
    let mut best = 0.0f64;
    let mut turn = 0;
    for _ in 0..MEASUREMENTS {
        let (start, mut done) = (Instant::now(), 0);
        let elapsed = loop {
            done += pass(turn);
            turn += 1;
            let elapsed = start.elapsed();
            if elapsed >= time {
                break elapsed;
            }
        };
        best = best.max(done as f64 / elapsed.as_secs_f64());
    }
    best
}

fn evaluations(engine: &dyn Evaluator, positions: &[Position], time: Duration) -> f64 {
    let mut lists = Vec::new();
    for position in positions {
        for roll in Roll::ALL {
            let list = PlayList::of(position, roll);
            lists.push((position, list));
        }
    }
    let mut equities = vec![0.0; lists.iter().map(|(_, l)| l.len()).max().unwrap_or(0)];
    rate(time, |turn| {
        let (position, list) = &lists[turn % lists.len()];
        engine.equities_after(position, list.results(), &mut equities[..list.len()]);
        list.len()
    })
}

fn plays(positions: &[Position], time: Duration) -> f64 {
    let mut list = PlayList::new();
    rate(time, |turn| {
        let mut made = 0;
        for roll in Roll::ALL {
            list.generate(&positions[turn % positions.len()], roll);
            made += list.len();
        }
        made
    })
}

fn decisions(engine: &dyn Evaluator, positions: &[Position], ply: u8, time: Duration) -> f64 {
    rate(time, |turn| {
        let position = &positions[turn % positions.len()];
        let roll = Roll::ALL[turn / positions.len() % Roll::ALL.len()];
        let filter = CandidateFilter::default();
        let all = lookahead::candidates(engine, position, roll, ply, filter, &|| false);
        usize::from(all.is_some())
    })
}

/// Measures variance-reduced trials of contact positions: runs with increasing numbers of trials until one is long
/// enough.
fn trials(
    engine: &Arc<dyn Evaluator>,
    positions: &[Position],
    threads: usize,
    time: Duration,
) -> Result<f64> {
    const ROLLED_OUT: usize = 5;
    let candidates = &positions[..ROLLED_OUT.min(positions.len())];
    let enough = time.as_secs_f64() * f64::from(MEASUREMENTS) / 2.0;
    let mut trials = 4;
    loop {
        let settings = Settings {
            coupling: Coupling::None,
            stop: StopRules {
                trials,
                ..StopRules::default()
            },
            ..Settings::default()
        };
        let engine = Arc::clone(engine);
        let rollout = Rollout::start(engine, candidates.to_vec(), settings, threads, None)?;
        let result = rollout.join();
        let done: u64 = result.candidates.iter().map(|s| s.trials).sum();
        if result.seconds >= enough || done == 0 {
            return Ok(done as f64 / result.seconds);
        }
        trials *= 3;
    }
}

impl BenchDocument {
    /// The figures with their names.
    pub fn rows(&self) -> Vec<(String, f64)> {
        let kernels = self.kernels.iter();
        let mut rows: Vec<(String, f64)> = kernels
            .map(|(kernel, figure)| (format!("static evaluations, {kernel}"), *figure))
            .collect();
        let all = format!("trials, {}", words::counted(self.threads, "thread"));
        let others = [
            ("luck tables by the luck net", self.luck_per_s),
            ("plays generated", self.plays_per_s),
            ("decisions, 0-ply", self.decisions_per_s.ply0),
            ("decisions, 1-ply", self.decisions_per_s.ply1),
            ("decisions, 2-ply", self.decisions_per_s.ply2),
            ("trials, luck subtracted", self.trials_per_s),
            (&all, self.trials_per_s_all),
        ];
        rows.extend(others.map(|(name, figure)| (name.to_owned(), figure)));
        rows
    }

    fn to_text(&self) -> String {
        let mut table = Grid::new(&["", "per second"]);
        for (name, figure) in self.rows() {
            table.row(vec![name, grouped(figure)]);
        }
        format!("simd {}\n{table}signature {}\n", self.simd, self.signature)
    }
}

/// Formats a figure with separated thousands.
pub fn grouped(figure: f64) -> String {
    if figure < 100.0 {
        return format!("{figure:.1}");
    }
    words::grouped(figure)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_positions_cover_the_game() {
        let positions = positions().unwrap();
        let count =
            |which: &dyn Fn(&Position) -> bool| positions.iter().filter(|p| which(p)).count();
        assert!(count(&|p| !p.is_race()) >= 30);
        assert!(count(&|p| p.mover.bar() + p.opponent.bar() > 0) >= 3);
        assert!(count(&Position::is_race) >= 8);
        assert!(count(&Position::is_bearoff) >= 3);
        assert!(positions.iter().all(|p| !p.is_over()));
        // The positions that are rolled out.
        assert!(positions[..5].iter().all(|p| !p.is_race()));
    }

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!(grouped(12.34), "12.3");
        assert_eq!(grouped(999.0), "999");
        assert_eq!(grouped(1234567.4), "1,234,567");
    }
}
