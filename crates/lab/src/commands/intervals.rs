//! `luckless-lab intervals`: compares width and coverage of the intervals of duels for several numbers of pairs.

use std::path::PathBuf;

use anyhow::Result;

use super::common::save;
use crate::cli::common::options::count;
use crate::cli::common::output;
use crate::experiments::intervals::{KINDS, SPREADS, simulate};
use crate::grid::Grid;

/// Coverage and width of the intervals of duels, on simulated results with and without rare extremes
#[derive(Debug, clap::Args)]
pub(super) struct Intervals {
    /// Repetitions of each row
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = count::<u64>(10))]
    runs: u64,
    /// Numbers of pairs
    #[arg(long, value_name = "N", value_delimiter = ',', default_value = "50,200,1000", value_parser = count::<u64>(2))]
    pairs: Vec<u64>,
    /// Key of the numbers
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Keep the text in this folder, as intervals.txt
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

impl Intervals {
    pub(super) fn run(&self) -> Result<()> {
        let mut text = format!(
            "Results in %MWC between -120 and 120, {} repetitions, seed {}. Held: the share of repetitions in\n\
             which the interval held the mean, and at every look where it is made for that. Half width: mean.\n",
            self.runs, self.seed
        );
        output::text(&text)?;
        for spread in &SPREADS {
            let mut table =
                Grid::new(&["pairs", "interval", "held", "at every look", "half width"]);
            for &pairs in &self.pairs {
                let shown = simulate(spread, pairs, self.runs, self.seed);
                for (name, shown) in KINDS.iter().zip(shown) {
                    table.row(vec![
                        pairs.to_string(),
                        (*name).to_owned(),
                        format!("{:.2}%", 100.0 * shown.end),
                        format!("{:.2}%", 100.0 * shown.always),
                        format!("{:.2}", 100.0 * shown.radius),
                    ]);
                }
            }
            let part = format!("\n{}: {}\n{table}", spread.name, spread.words);
            output::text(&part)?;
            text += &part;
        }
        save(self.out.as_deref(), "intervals", &text, &[])
    }
}
