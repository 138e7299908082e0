//! `luckless bearoff`: the exact bearoffs with a live cube, computed once and kept.

use std::collections::HashSet;
use std::io::Read as _;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context as _, Result, bail};
use serde::Serialize;

use crate::cli::common::options::{bearoff_file, load_bearoff};
use crate::cli::common::output;
use crate::cli::common::progress::ProgressLine;
use crate::eval::bearoff::recursion::Recursion;
use crate::eval::bearoff::two_sided::{CHECKERS, TwoSided, USUAL};
use crate::game::{Position, Side};
use crate::store::file;

const EXAMPLES: &str = "\
Examples:
  luckless bearoff                  compute the table and keep it: 14 MB
  luckless bearoff --check 1000     check positions by a second method

The table gives the exact money equities of bearoffs with up to six checkers a side (--checkers 7: 47 MB), for a centred \
cube and one on either side. It lies in the data folder, and is used wherever cubeful values are \
asked for.";

/// Compute, keep and check the exact bearoffs with a cube
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Most checkers a side
    #[arg(long, value_name = "N", default_value_t = USUAL,
          value_parser = clap::value_parser!(u8).range(*CHECKERS.start() as i64..=*CHECKERS.end() as i64))]
    checkers: u8,
    /// The table's file [default: the user's data folder]
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// Compute it again, though there is one
    #[arg(long)]
    force: bool,
    /// Compare N positions of the kept table with direct recursion
    #[arg(long, value_name = "N", conflicts_with_all = ["force", "checkers"],
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    check: Option<u32>,
    /// Machine output: one JSON document
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct TableDocument {
    file: String,
    checkers: u8,
    positions: usize,
    bytes: usize,
    crc32: String,
    /// `null` where it was there already.
    seconds: Option<f64>,
}

/// A table held against the recursion.
#[derive(Serialize)]
struct Checked {
    file: String,
    checkers: u8,
    positions: usize,
    values: usize,
    largest_difference: f64,
    seconds: f64,
}

impl Args {
    pub(crate) fn run(self) -> Result<()> {
        let path = match &self.file {
            Some(path) => path.clone(),
            None => bearoff_file().context("this system names no folder for data; use --file")?,
        };
        if let Some(n) = self.check {
            if !path.exists() {
                bail!(
                    "{}: no table yet: `luckless bearoff` computes it",
                    path.display()
                );
            }
            let table = load_bearoff(&path)?;
            let checked = check(&table, n, path.display().to_string());
            if self.json {
                output::json(&checked)?;
            } else {
                output::text(&format!(
                    "{} positions of {}, {} values: at most {:.1e} from direct recursion ({:.1} s)\n",
                    checked.positions,
                    output::printable(&checked.file),
                    checked.values,
                    checked.largest_difference,
                    checked.seconds
                ))?;
            }
            if checked.largest_difference > 1e-6 {
                bail!("the table is wrong: compute it again with --force");
            }
            return Ok(());
        }
        if path.exists() && !self.force {
            let table = load_bearoff(&path)?;
            if table.checkers() >= self.checkers {
                return self.tell(&TableDocument::new(&path, &table, &table.to_bytes(), None));
            }
        }
        if self.file.is_some() && path.exists() && !is_table(&path)? {
            bail!(
                "{}: not a file of bearoffs, so it is not written over",
                path.display()
            );
        }
        let start = Instant::now();
        let table = self.compute()?;
        let bytes = table.to_bytes();
        file::write(&path, &bytes)?;
        let seconds = start.elapsed().as_secs_f64();
        self.tell(&TableDocument::new(&path, &table, &bytes, Some(seconds)))
    }

    fn compute(&self) -> Result<TwoSided> {
        // A vector that finds no room in the middle of the work ends the program without a word.
        let needed = TwoSided::working_memory(self.checkers);
        if Vec::<u8>::new().try_reserve_exact(needed).is_err() {
            bail!(
                "a table of {} checkers needs {} MB of memory, which the system does not give; fewer \
                 checkers need less",
                self.checkers,
                needed.div_ceil(1 << 20)
            );
        }
        let mut line = ProgressLine::new();
        let table = TwoSided::compute(self.checkers, &mut |share| {
            line.show_words(|| format!("bearoffs {:3.0}%", 100.0 * share));
            true
        });
        line.clear();
        table.context("stopped")
    }

    fn tell(&self, kept: &TableDocument) -> Result<()> {
        if self.json {
            return output::json(kept);
        }
        let how = match kept.seconds {
            Some(seconds) => format!("computed in {seconds:.1} s"),
            None => "there already (--force computes it again)".to_owned(),
        };
        output::text(&format!(
            "{}\nup to {} checkers a side, {} positions, {} bytes, CRC-32 {}: {how}\n",
            output::printable(&kept.file),
            kept.checkers,
            kept.positions,
            kept.bytes,
            kept.crc32
        ))
    }
}

impl TableDocument {
    fn new(path: &std::path::Path, table: &TwoSided, bytes: &[u8], seconds: Option<f64>) -> Self {
        Self {
            file: path.display().to_string(),
            checkers: table.checkers(),
            positions: table.len(),
            bytes: bytes.len(),
            crc32: format!("{:08x}", crc32fast::hash(bytes)),
            seconds,
        }
    }
}

/// Returns whether a file begins like a table, even if the rest is damaged.
fn is_table(path: &std::path::Path) -> Result<bool> {
    let mut head = Vec::new();
    let file = file::open_regular(path).with_context(|| path.display().to_string())?;
    file.take(TwoSided::MAGIC.len() as u64)
        .read_to_end(&mut head)?;
    Ok(head == TwoSided::MAGIC)
}

/// Holds `n` positions, spread over the table, against the recursion.
fn check(table: &TwoSided, n: u32, file: String) -> Checked {
    let start = Instant::now();
    let mut recursion = Recursion::new();
    let mut largest = 0.0f64;
    let mut seen = HashSet::new();
    let mut state = 1u64;
    // Small tables hold fewer positions than may be asked for.
    for _ in 0..20 * u64::from(n) {
        if seen.len() == n as usize {
            break;
        }
        let Some(position) = random(&mut state, table.checkers()) else {
            continue;
        };
        let Some(found) = table.values(&position).filter(|_| seen.insert(position)) else {
            continue;
        };
        for (found, expected) in found.iter().zip(recursion.values(&position)) {
            largest = largest.max((f64::from(*found) - expected).abs());
        }
    }
    Checked {
        file,
        checkers: table.checkers(),
        positions: seen.len(),
        values: 4 * seen.len(),
        largest_difference: largest,
        seconds: start.elapsed().as_secs_f64(),
    }
}

/// A position with 1 to `most` checkers a side at home. The same ones each time.
fn random(state: &mut u64, most: u8) -> Option<Position> {
    let mut below = |n: u8| {
        *state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((*state >> 33) % u64::from(n)) as u8
    };
    let mut side = || {
        let mut counts = [0; 26];
        for _ in 0..=below(most) {
            counts[usize::from(below(6)) + 1] += 1;
        }
        Side::new(&counts).ok()
    };
    Position::new(side()?, side()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_is_checked() {
        let table = TwoSided::compute(2, &mut |_| true).unwrap();
        let checked = check(&table, 100, String::new());
        assert_eq!((checked.positions, checked.values), (100, 400));
        assert!(checked.largest_difference < 1e-6);
        // More than there are: all of them.
        let all = check(&table, 5_000, String::new());
        assert_eq!(all.positions, 27 * 27);
    }
}
