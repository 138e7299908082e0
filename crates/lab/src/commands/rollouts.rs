//! `luckless-lab techniques`: the value of each technique of `crates/lab/records/techniques.md`.

use std::time::Duration;

use anyhow::Result;

use super::common::setup;
use crate::cli::common::output;
use crate::cli::common::usage::refused;
use crate::dice::DiceSource;
use crate::experiments::techniques::{self, CASES};
use crate::grid::Grid;
use crate::rollout::LuckKind;

/// Dice sources used in experiments.
pub(super) const SOURCES: [DiceSource; 8] = [
    DiceSource::Random,
    DiceSource::Rotation,
    DiceSource::Stratified {
        depth: 1,
        decks: false,
    },
    DiceSource::Stratified {
        depth: 2,
        decks: false,
    },
    DiceSource::Stratified {
        depth: 3,
        decks: false,
    },
    DiceSource::Decks,
    DiceSource::Stratified {
        depth: 2,
        decks: true,
    },
    DiceSource::Sobol,
];
pub(super) fn techniques(seconds: f64, only: Option<&str>) -> Result<()> {
    let setup = setup();
    let time = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::from_secs(1));
    let mut lucks = vec![LuckKind::None, LuckKind::Lookahead(Some(0))];
    if setup.has_luck_net() {
        lucks.push(LuckKind::Net);
    }
    let headings = [
        "position",
        "dice",
        "luck",
        "horizon",
        "equity",
        "variance",
        "of difference",
        "us/trial",
        "s to 0.005",
    ];
    let mut table = Grid::new(&headings);
    for case in CASES
        .iter()
        .filter(|c| only.is_none_or(|only| only == c.name))
    {
        for &luck in &lucks {
            for horizon in [None, Some(7), Some(11)] {
                for dice in SOURCES {
                    // With a horizon, the dice source matters little.
                    if horizon.is_some() && dice != DiceSource::Rotation {
                        continue;
                    }
                    let worth = techniques::measure(&setup, case, dice, luck, horizon, time);
                    let w = worth.map_err(refused)?;
                    table.row(vec![
                        case.name.to_owned(),
                        dice.to_string(),
                        luck.to_string(),
                        horizon.map_or_else(|| "end".to_owned(), |h| h.to_string()),
                        format!("{:+.3} (se {:.3})", w.equity[0], w.equity[1]),
                        format!("{:.4}", w.variance),
                        format!("{:.4}", w.difference),
                        format!("{:.0}", 1e6 * w.seconds),
                        format!("{:.2}", w.seconds_to(0.005)),
                    ]);
                }
            }
        }
    }
    output::text(&table.to_string())
}
