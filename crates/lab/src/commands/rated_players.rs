//! `luckless-lab rated-players`: performance rating of randomly erring players, by temperature.

use anyhow::Result;

use crate::cli::common::options::count;
use crate::cli::common::output;
use crate::eval::Engine;
use crate::experiments::rated_players::{LuckAdjusted, luck_adjusted, matches, rating};
use crate::grid::Grid;
use crate::stats::Moments;
use crate::stats::interval::informative;

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
    /// Their luck-adjusted results against a player of this temperature instead, all at 0-ply
    #[arg(long, value_name = "POINTS")]
    against: Option<f64>,
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
        if let Some(other) = self.against {
            return self.luck_adjusted(other);
        }
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

    /// Counts how often the interval of the luck-adjusted result covered the player's average result.
    fn luck_adjusted(&self, other: f64) -> Result<()> {
        let engine = Engine::embedded();
        let headings = [
            "temperature",
            "against",
            "matches",
            "games each",
            "won",
            "se",
            "less luck",
            "se",
            "sd",
            "estimated sd",
            "no interval",
            "too wide",
            "held",
            "held, shown",
        ];
        let mut table = Grid::new(&headings);
        for &temperature in &self.temperatures {
            let all = luck_adjusted(
                &engine,
                [temperature, other],
                self.length,
                self.matches,
                self.seed,
            );
            let of = |value: &dyn Fn(&LuckAdjusted) -> f64| -> Moments {
                all.iter().map(value).collect()
            };
            let (won, adjusted) = (of(&|one| one.result), of(&|one| one.adjusted));
            let intervals = || all.iter().filter_map(|one| one.ci95);
            let holds = |[low, high]: [f64; 2]| low <= adjusted.mean() && adjusted.mean() <= high;
            let shown = || intervals().filter(|&ci| informative(ci, [0.0, 1.0]).is_some());
            let share =
                |part: usize, of: usize| format!("{:.1}%", 100.0 * part as f64 / of.max(1) as f64);
            let squares = all.iter().filter_map(|one| one.se).map(|se| se * se);
            let estimated: Moments = squares.collect();
            let percent = |x: f64| format!("{:.2}%", 100.0 * x);
            table.row(vec![
                temperature.to_string(),
                other.to_string(),
                all.len().to_string(),
                format!("{:.1}", of(&|one| one.games as f64).mean()),
                percent(won.mean()),
                percent(won.standard_error()),
                percent(adjusted.mean()),
                percent(adjusted.standard_error()),
                percent(adjusted.variance().sqrt()),
                percent(estimated.mean().sqrt()),
                share(all.len() - intervals().count(), all.len()),
                share(intervals().count() - shown().count(), all.len()),
                share(
                    intervals().filter(|&ci| holds(ci)).count(),
                    intervals().count(),
                ),
                share(shown().filter(|&ci| holds(ci)).count(), shown().count()),
            ]);
        }
        output::text(&table.to_string())
    }
}
