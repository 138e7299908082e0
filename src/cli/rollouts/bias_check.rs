//! `--bias-check`: what deeper play would change of a rollout, as printed.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Result;
use serde::Serialize;

use super::rollout_saving::RolloutTask;
use crate::cli::common::options::Threads;
use crate::cli::common::output::points;
use crate::cli::common::usage::refused;
use crate::grid::Grid;
use crate::rollout::bias_check::{BiasCheck, BiasChecker, BiasEstimate};

/// Trials of each play between two checks whether to end.
const BLOCK: u64 = 36;

/// Change by deeper play, in points for the player whose equities are shown.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct BiasDocument {
    /// Plies of the deeper look.
    ply: u8,
    /// Trials of each play that were looked into.
    trials: u64,
    decisions: u64,
    changed: u64,
    plays: Vec<PlayBias>,
}

#[derive(Clone, Debug, Serialize)]
struct PlayBias {
    play: Option<String>,
    #[serde(flatten)]
    change: Change,
    /// Change of this play less that of the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    difference: Option<Change>,
}

#[derive(Clone, Copy, Debug, Serialize)]
struct Change {
    mean: f64,
    se: f64,
    ci95: [f64; 2],
}

impl Change {
    fn new(estimate: BiasEstimate, flipped: bool) -> Self {
        let estimate = match flipped {
            true => estimate.flipped(),
            false => estimate,
        };
        Self {
            mean: estimate.mean,
            se: estimate.standard_error,
            ci95: estimate.ci95,
        }
    }

    fn text(self) -> [String; 2] {
        let [low, high] = self.ci95;
        let interval = match low.is_finite() {
            true => format!("{} … {}", points(low), points(high)),
            false => "–".to_owned(),
        };
        [points(self.mean), interval]
    }
}

impl BiasDocument {
    /// A check of the play of a rollout.
    pub(crate) fn checker(task: &RolloutTask) -> Result<BiasChecker<'_>> {
        BiasChecker::new(&task.setup, &task.candidates, &task.settings).map_err(refused)
    }

    /// Looks into so many trials of each candidate; fewer if the user ends it, or a file of dice has fewer games.
    /// `None` if that was at once, or the rollout before was `interrupted` already.
    pub(crate) fn of(
        task: &RolloutTask,
        trials: u64,
        threads: Threads,
        interrupted: &AtomicBool,
    ) -> Result<Option<Self>> {
        let mut check = Self::checker(task)?;
        // Trials beyond the games of a file would have other dice than those that were rolled out.
        let games = task.setup.prescribed_dice.as_ref().map(|dice| dice.games());
        let trials = trials.min(games.unwrap_or(u64::MAX));
        let ends = || interrupted.load(Ordering::Relaxed);
        threads.pool()?.install(|| {
            let left = |check: &BiasChecker<'_>| trials - check.found().trials;
            while !ends() && left(&check) > 0 && check.extend(left(&check).min(BLOCK), &ends) {}
        });
        let found = check.found();
        Ok((found.trials > 0).then(|| Self::new(found, task)))
    }

    fn new(found: &BiasCheck, task: &RolloutTask) -> Self {
        let flipped = task.shown.is_before_roll();
        let change = |estimate| Change::new(estimate, flipped);
        let play = |i: usize| PlayBias {
            play: task.shown.plays.get(i).cloned().flatten(),
            change: change(found.of(i)),
            difference: (i > 0).then(|| change(found.of_difference(i, 0))),
        };
        Self {
            ply: found.ply,
            trials: found.trials,
            decisions: found.decisions,
            changed: found.changed,
            plays: (0..found.candidates()).map(play).collect(),
        }
    }

    /// The table for readers.
    pub(crate) fn text(&self) -> String {
        let mut table = Grid::new(&["play", "deeper play adds", "95%", "less the first", "95%"]);
        for play in &self.plays {
            let mut cells = vec![play.play.clone().unwrap_or_else(|| "(to roll)".to_owned())];
            cells.extend(play.change.text());
            cells.extend(match play.difference {
                Some(difference) => difference.text(),
                None => [const { String::new() }; 2],
            });
            table.row(cells);
        }
        let mut text = String::new();
        let _ = writeln!(
            text,
            "Bias check: {} trials of each analysed at {}-ply; {} of {} decisions would change\n{table}\
             The interval is of what {}-ply play would add, not of what perfect play would.\n",
            self.trials, self.ply, self.changed, self.decisions, self.ply
        );
        text
    }
}
