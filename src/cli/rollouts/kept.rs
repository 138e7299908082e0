//! `luckless kept`: the rollouts that are kept, as a list, and some of them taken out.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context as _, Result};
use serde::Serialize;

use crate::cli::common::options::{CubeModel, Id, Nets};
use crate::cli::common::output;
use crate::cli::common::usage::{misuse, must_be_there, say};
use crate::eval::Evaluator;
use crate::game::Position;
use crate::grid::Grid;
use crate::notation;
use crate::rollout::Setup;
use crate::sanitize;
use crate::stats::interval::half_width;
use crate::store::{
    ListedCandidate, ListedRollout, READ_TIMEOUT, RolloutCommand, RolloutLabel, RolloutStore,
    UserFolders,
};

const EXAMPLES: &str = "\
Examples:
  luckless kept
  luckless kept 4HPwATDgc/ABMA          those of this position, at any score
  luckless kept --json --most 1000
  luckless kept --remove 17 18

The rollout saved last comes first. Those of whole matches come back with their match, and are listed with --all. \
The same `luckless rollout` or `luckless compare` as before goes on with a rollout; the workstation shows \
it with its position. Figures are missing where another version, net, match equity table or table of bearoffs \
played the trials. `luckless bearoff` makes another table for rollouts with the cube.";

/// The rollouts that are kept, and what they found
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Only those of this position, whatever the dice, the score and the cube
    #[arg(value_name = "ID", allow_hyphen_values = true)]
    position: Option<Id>,
    /// Those of whole matches as well
    #[arg(long)]
    all: bool,
    /// List at most N
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    most: u32,
    /// Take out the rollouts with these numbers, for good
    #[arg(long, value_name = "NUMBER", num_args = 1.., conflicts_with_all = ["position", "all", "most"])]
    remove: Vec<i64>,
    /// Machine output: one JSON document
    #[arg(long)]
    json: bool,
    /// The file that rollouts are kept in [default: the one in the data folder]
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    #[command(flatten)]
    nets: Nets,
    #[command(flatten)]
    cube: CubeModel,
}

#[derive(Serialize)]
struct KeptDocument {
    rollouts: Vec<KeptRow>,
    total: usize,
}

#[derive(Serialize)]
struct KeptRow {
    id: i64,
    saved: String,
    command: RolloutCommand,
    position: String,
    dice: Option<String>,
    ply: u8,
    cubeful: bool,
    horizon: Option<u16>,
    luck: String,
    seed: u64,
    plays: usize,
    trials: u64,
    candidates: Option<Vec<ListedCandidate>>,
}

impl Args {
    pub(crate) fn run(self) -> Result<()> {
        must_be_there(self.store.as_deref())?;
        let path = match &self.store {
            Some(path) => path.clone(),
            None => UserFolders::of_user()
                .context("the system names no folder for rollouts")?
                .rollouts(),
        };
        if !self.remove.is_empty() {
            return self.take_out(&path);
        }
        let Some(store) = RolloutStore::open_to_list(&path, READ_TIMEOUT)? else {
            return self.print(&[], 0);
        };
        // Where a double waits, the player who doubled is rolled out.
        let wanted = self.position.as_ref().map(|id| id.state.roller().position);
        let is_wanted = |label: &RolloutLabel| {
            (self.all || !label.is_of_match())
                && wanted.is_none_or(|wanted| position(label) == Some(wanted))
        };
        let (all, total) = store.listed(&is_wanted, self.most as usize, &mut |why| say(&why))?;
        self.print(&all, total)
    }

    fn take_out(&self, path: &std::path::Path) -> Result<()> {
        let removed = match path.exists() {
            true => RolloutStore::open(path)?.remove(&self.remove)?,
            false => Vec::new(),
        };
        let unknown = self.remove.iter().filter(|id| !removed.contains(id));
        if !removed.is_empty() {
            unknown.for_each(|id| say(&format!("no rollout has the number {id}")));
        }
        match removed.len() {
            0 => Err(misuse(
                "no rollout has such a number: `luckless kept` lists them",
            )),
            _ if self.json => output::json(&serde_json::json!({"removed": removed})),
            1 => output::text("1 rollout removed\n"),
            n => output::text(&format!("{n} rollouts removed\n")),
        }
    }

    fn print(&self, all: &[ListedRollout], total: usize) -> Result<()> {
        let evaluator: Arc<dyn Evaluator> = Arc::new(self.nets.engine()?);
        let setup = Setup {
            cube: Some(Arc::new(self.cube.load()?)),
            ..Setup::from(evaluator)
        };
        let rows: Vec<KeptRow> = all.iter().map(|one| KeptRow::of(one, &setup)).collect();
        if self.json {
            let rollouts = rows;
            return output::json(&KeptDocument { rollouts, total });
        }
        if rows.is_empty() {
            let what = if self.position.is_some() {
                "no rollout of this position is kept\n"
            } else {
                "no rollout is kept\n"
            };
            return output::text(what);
        }
        let mut text = table(&rows).to_string();
        if rows.len() < total {
            let last = match rows.len() {
                1 => "the last one".to_owned(),
                n => format!("the last {n}"),
            };
            text += &format!("{last} of {total}: --most shows more\n");
        }
        output::text(&text)
    }
}

/// The checkers of what was rolled out, as far as its label tells.
fn position(label: &RolloutLabel) -> Option<Position> {
    let state = notation::parse_possible_id(&label.position).ok()?;
    Some(state.roller().position)
}

impl KeptRow {
    fn of(one: &ListedRollout, setup: &Setup) -> Self {
        let RolloutLabel {
            command,
            position,
            dice,
            ..
        } = &one.rollout.shown;
        let settings = &one.rollout.progress.settings;
        Self {
            id: one.rollout.id,
            saved: one.day(),
            command: *command,
            position: position.clone(),
            dice: dice.clone(),
            ply: settings.ply,
            cubeful: settings.cube.is_some(),
            horizon: settings.horizon,
            luck: settings.luck.to_string(),
            seed: settings.seed,
            plays: one.rollout.progress.candidates.len(),
            trials: one.rollout.progress.trials(),
            candidates: one.candidates(setup),
        }
    }

    /// How it was played, as briefly as can be: two rollouts of a position may differ in that alone.
    fn ply_cell(&self) -> String {
        let cube = if self.cubeful { " cube" } else { "" };
        let cut = self.horizon.map(|rolls| format!(", cut at {rolls}"));
        format!("{}{cube}{}", self.ply, cut.unwrap_or_default())
    }
}

fn table(rows: &[KeptRow]) -> Grid {
    let mut grid = Grid::new(&[
        "number", "saved", "roll", "best", "equity", "±95%", "plays", "trials", "ply", "position",
    ])
    .with_words(&["saved", "best", "position"]);
    for row in rows {
        let best = row.candidates.as_ref().and_then(|all| all.first());
        // A comparison of differences alone has no equities.
        let best = best.filter(|best| best.equity.mean.is_finite());
        let (name, equity, half) = match best {
            None => ("–".to_owned(), "–".to_owned(), "–".to_owned()),
            Some(best) => {
                let half = half_width(best.equity.ci95);
                (
                    best.play.clone().unwrap_or_else(|| "position".to_owned()),
                    output::points(best.equity.mean),
                    match half.is_finite() {
                        _ if best.is_passed => "pass".to_owned(),
                        true => format!("{half:.4}"),
                        false => "–".to_owned(),
                    },
                )
            }
        };
        let cells = [
            row.id.to_string(),
            row.saved.clone(),
            row.dice.clone().unwrap_or_else(|| "–".to_owned()),
            name,
            equity,
            half,
            row.plays.to_string(),
            row.trials.to_string(),
            row.ply_cell(),
            row.position.clone(),
        ];
        grid.row(cells.map(|cell| sanitize::clean(&cell).into_owned()).into());
    }
    grid
}
