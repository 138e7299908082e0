//! `luckless rollout`: games played out from a position or from several plays.

use std::path::Path;

use anyhow::{Result, bail};

use super::rollout_choice::{Chosen, RolloutRequest};
use super::rollout_options::RolloutOptions;
use super::rollout_print::print;
use super::rollout_run::EndedRollout;
use super::rollout_saving::RolloutTask;
use super::rollout_xg;
use crate::cli::common::options::Id;
use crate::cli::common::output;
use crate::cli::common::usage::misuse;
use crate::cube::EquityTable;
use crate::game::{GameState, Roll};
use crate::review::report::position_card::rollers_situation;
use crate::store::RolloutLabel;

const EXAMPLES: &str = "\
Examples:
  luckless rollout 4HPwATDgc/ABMA --dice 31
  luckless rollout 4HPwATDgc/ABMA --dice 43 --play '24/20 13/10' \\
    --play '13/10 13/9'
  luckless rollout 4HPwATDgc/ABMA --dice 64 --top 5 --stop se=0.002 \\
    --trials 12960
  luckless rollout IAAAPAAAAAAAAA --trials 1 --json
  luckless rollout XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:7:10 \\
    --cube-decision
  luckless rollout 4HPwATDgc/ABMA --dice 31 --settlement 0.5
  luckless rollout 4HPwATDgc/ABMA --dice 51 --trials 1000000 \\
    --checkpoint long.rollout

Equities are for the player on roll. Trials are played as in the workstation: at 1-ply, with the cube, \
until the plays are decided or too close to matter. At a score equities are normalised to the cube. \
--ply 0 --cubeless --trials 1296 is quicker. Beside the 95% \
interval for a number of trials fixed in advance stands one that holds at any time, however often \
one looks and whenever one stops. Interrupted (Ctrl-C), it prints what it has and ends with status 1.";

/// Play games out from a position, with the luck subtracted
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The position: an XGID, a GNUBG position ID, POSITION:MATCH, an OGID or a FIBS board
    #[arg(value_name = "ID", allow_hyphen_values = true)]
    id: Option<Id>,
    /// The roll to be played [default: the one in the ID; with none, the cube decision where the
    /// player on roll may double, else the position before the roll]
    #[arg(long, value_name = "DICE")]
    dice: Option<Roll>,
    /// A play to roll out; may be repeated
    #[arg(long, value_name = "PLAY")]
    play: Vec<String>,
    /// Roll out the K best plays, as `luckless eval` ranks them, beside those given [default: 3 if none is]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u16).range(1..=512))]
    top: Option<u16>,
    /// The position is an initial one: the first roll is never a double
    #[arg(hide_short_help = true)]
    #[arg(long)]
    initial: bool,
    /// With --batch: the file for the answers; if it exists, it is continued [default: stdout]
    #[arg(hide_short_help = true)]
    #[arg(long, value_name = "FILE")]
    out: Option<std::path::PathBuf>,
    /// Roll out the cube decision of the player on roll: no double, and double and take (the
    /// default without dice, where trials are played with the cube)
    #[arg(long, conflicts_with_all = ["dice", "play", "top", "initial", "cubeless", "settlement"])]
    cube_decision: bool,
    /// Print the rollout as eXtreme Gammon writes it for forums
    #[arg(hide_short_help = true)]
    #[arg(long, conflicts_with_all = ["json", "batch", "replay", "interactive"])]
    xg_text: bool,
    #[command(flatten)]
    tasks: Tasks,
    #[command(flatten)]
    options: RolloutOptions,
}

/// Tasks that replace rolling one position out.
#[derive(Debug, clap::Args)]
#[group(multiple = false)]
struct Tasks {
    /// Show this trial, roll by roll, instead of rolling out
    #[arg(help_heading = "Instead of one rollout", hide_short_help = true)]
    #[arg(long, value_name = "TRIAL")]
    replay: Option<u64>,
    /// Play the trials yourself: the side whose equity is wanted (own), the other one, or both
    #[arg(help_heading = "Instead of one rollout", hide_short_help = true)]
    #[arg(long, value_name = "SIDE", value_enum, num_args = 0..=1, require_equals = true,
          default_missing_value = "own")]
    interactive: Option<super::by_hand::HandSide>,
    /// Roll out the positions in this file (IDs or JSON, one in a line; - for stdin), a line of JSON for each;
    /// empty lines and those that begin with # are skipped
    #[arg(help_heading = "Instead of one rollout", hide_short_help = true)]
    #[arg(long, value_name = "JOBS")]
    batch: Option<std::path::PathBuf>,
}

impl Args {
    pub(crate) fn run(mut self) -> Result<()> {
        self.options.as_workstation =
            self.tasks.batch.is_none() && self.tasks.interactive.is_none();
        if let Some(jobs) = &self.tasks.batch {
            return self.run_batch(jobs);
        }
        let id = self.agreeing_id()?;
        let files = self.options.files()?;
        let model = self.options.model(&files, &id.state)?;
        let Chosen {
            situation,
            candidates,
            shown,
        } = self.request(id).choose(files.engine(), model.as_deref())?;
        if self.xg_text && shown.is_before_roll() && !situation.cube_decision {
            return Err(misuse(
                "--xg-text has the plays of a roll, or a cube decision",
            ));
        }
        let setup = self.options.setup(&files, situation)?;
        let settings = self.options.settings(&setup, situation);
        if let Some(trial) = self.tasks.replay {
            self.options.agrees_with_replay()?;
            let json = self.options.json;
            return super::replay::run(&setup, &settings, &candidates, &shown, trial, json);
        }
        if let Some(side) = self.tasks.interactive {
            return super::by_hand::run(&self.options, side, setup, settings, &candidates, &shown);
        }
        let table = self.options.table_words(&setup, &id.state);
        let outcome = self.options.run(RolloutTask {
            setup,
            settings,
            candidates,
            shown: shown.clone(),
        })?;
        if self.xg_text {
            let table = model.as_deref().map(|model| &*model.table);
            print_xg_text(&outcome, &shown, &id.state, table)?;
        } else {
            // While a double is on offer all figures are the doubler's.
            let rules = rollers_situation(&id.state) + &table.unwrap_or_default();
            print(
                &outcome,
                &shown,
                &rules,
                id.state.doubled,
                self.options.json,
            )?;
        }
        outcome.completed()
    }

    /// Returns the request for a rollout of `id`.
    fn request<'a>(&'a self, id: &'a Id) -> RolloutRequest<'a> {
        RolloutRequest {
            id,
            dice: self.dice,
            plays: &self.play,
            top: self.top,
            initial: self.initial,
            cube_decision: self.cube_decision,
            // By hand the user turns the cube.
            asks_about_cube: self.tasks.interactive.is_none()
                && self.options.asks_about_cube(&id.state),
        }
    }

    /// Rolls out the positions of a file of jobs.
    fn run_batch(&self, jobs: &Path) -> Result<()> {
        let is_asked = self.id.is_some() || self.dice.is_some() || !self.play.is_empty();
        if is_asked || self.top.is_some() || self.initial || self.cube_decision {
            return Err(misuse("what is to be rolled out is in the file of jobs"));
        }
        let out = output::named_file(self.out.clone(), false)?;
        super::batch::run(&self.options, jobs, out.as_deref())
    }

    /// The position, where the options agree with each other.
    fn agreeing_id(&self) -> Result<&Id> {
        let is_by_hand = self.tasks.interactive.is_some();
        match &self.id {
            _ if self.out.is_some() => Err(misuse("--out goes with --batch")),
            None => Err(misuse("give a position, or --batch")),
            Some(_) if is_by_hand && self.options.json => Err(misuse(
                "--json goes with rollouts: by hand boards are shown",
            )),
            Some(_) if is_by_hand && self.options.settles() => {
                Err(misuse("--settlement is for games that the program plays"))
            }
            Some(id) => Ok(id),
        }
    }
}

/// Prints the rollout as eXtreme Gammon writes it.
fn print_xg_text(
    outcome: &EndedRollout,
    shown: &RolloutLabel,
    state: &GameState,
    table: Option<&EquityTable>,
) -> Result<()> {
    let state = GameState {
        roll: shown.dice.as_deref().and_then(|dice| dice.parse().ok()),
        ..*state
    };
    let table = table.unwrap_or(EquityTable::standard());
    match rollout_xg::text(outcome, &shown.plays, &state, table) {
        Some(text) => output::text(&text),
        // Stopped before the first trial.
        None => bail!("the rollout ended before there was anything to write"),
    }
}
