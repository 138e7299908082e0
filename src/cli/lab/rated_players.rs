//! `luckless-lab rated-players`: the rating of players who err at random, by their temperature.

use anyhow::Result;

use crate::cli::common::options::count;
use crate::cli::common::output;
use crate::eval::Engine;
use crate::grid::Grid;
use crate::lab::rated_players::{matches, rating};

/// The rating of players who err at random, by their temperature
#[derive(Debug, clap::Args)]
pub(super) struct RatedPlayers {
    /// Temperatures, in points
    #[arg(
        long,
        value_name = "POINTS",
        value_delimiter = ',',
        default_value = "0,0.01,0.02,0.03,0.04,0.06,0.08,0.1,0.13,0.16,0.2"
    )]
    temperatures: Vec<f64>,
    /// Points of each match
    #[arg(long, value_name = "N", default_value_t = 7)]
    length: u16,
    /// Matches at each temperature
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = count::<u64>(2))]
    matches: u64,
    /// Key of dice and errors
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

impl RatedPlayers {
    pub(super) fn run(&self) -> Result<()> {
        let engine = Engine::embedded();
        let mut table = Grid::new(&["temperature", "matches", "decisions", "PR", "se"]);
        for &temperature in &self.temperatures {
            let all = matches(&engine, temperature, self.length, self.matches, self.seed);
            let decisions: u32 = all.iter().map(|one| one.decisions).sum();
            let Some((pr, error)) = rating(&all, self.length) else {
                continue;
            };
            table.row(vec![
                format!("{temperature:.3}"),
                self.matches.to_string(),
                decisions.to_string(),
                format!("{pr:.2}"),
                format!("{error:.2}"),
            ]);
        }
        output::text(&table.to_string())
    }
}
