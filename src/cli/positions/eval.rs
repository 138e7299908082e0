//! `luckless eval`: chances, equity, candidate plays, cube action.

use std::str::FromStr;
use std::sync::Arc;

use anyhow::Result;

use super::eval_answer::{EvalDocument, EvalRequest};
use super::eval_batch;
use super::eval_card;
use super::eval_rolls::RollsRequest;
use crate::cli::common::options::{CubeModel, Id, Nets, Threads, count, levels, plies};
use crate::cli::common::output;
use crate::cli::common::stdin;
use crate::cli::common::usage::{misuse, refuse_given};
use crate::cube::Model;
use crate::eval::Evaluator;
use crate::game::{GameState, Roll};
use crate::notation::{IdError, looks_like_id, xgid_text};
use crate::review::xg_text::USUAL_PLAYS;
use crate::rollout::{Level, Setup};
use crate::sanitize::{self, without_mark};

const EXAMPLES: &str = "\
Examples:
  luckless eval 4HPwATDgc/ABMA --dice 31
  luckless eval 4HPwATDgc/ABMA --dice 43 --ply 2 --top 5
  luckless eval 4HPwATDgc/ABMA --dice 43 --level rolled
  luckless eval 'XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10' --json
  luckless eval 4HPwATDgc/ABMA --rolls
  printf '4HPwATDgc/ABMA 31\\n' | luckless eval --batch
  luckless eval - < post.txt
  luckless eval 4HPwATDgc/ABMA --dice 31 --top 5 --xg-text
  luckless eval 4HPwATDgc/ABMA --dice 31 --top 5 --html > card.html

With - the position is read from stdin: an ID, or a block of text with one in it.

With --batch each line `POSITION-ID [DICE]` on stdin is answered by one line of JSON on stdout, in \
the same order, as soon as no more input waits. Empty lines, and what stands behind a word that begins \
with #, are skipped. A line that cannot be answered gets \
{\"position\":…,\"error\":…} and does not change the exit status.";

/// Chances, equity, candidate plays and cube action of a position
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The position: an XGID, a GNUBG position ID, POSITION:MATCH, an OGID or a FIBS board; `-` reads it
    /// from stdin
    #[arg(
        value_name = "ID",
        allow_hyphen_values = true,
        required_unless_present = "batch"
    )]
    id: Option<Given>,
    /// The roll to be played, such as 31 [default: the one in the ID, if any]
    #[arg(long, value_name = "DICE")]
    dice: Option<Roll>,
    /// Plies of lookahead; 0 is the static evaluation [default: 2, with --batch 0]
    #[arg(long, value_name = "N", value_parser = plies())]
    ply: Option<u8>,
    /// How thoroughly plays are analysed: instant, quick, standard, deep (0 to 3 plies), rolled or
    /// thorough (truncated rollouts of the best, or of a close cube decision)
    #[arg(long, value_name = "NAME", conflicts_with = "ply", value_parser = levels())]
    level: Option<Level>,
    /// Rank plays with the cube: the default, with --batch only at a score
    #[arg(long, conflicts_with = "cubeless")]
    cubeful: bool,
    /// Rank plays for money without the cube (the default with --batch)
    #[arg(long)]
    cubeless: bool,
    /// Show only the best K plays [default: all, with --xg-text 5]
    #[arg(long, value_name = "K", value_parser = count::<usize>(1))]
    top: Option<usize>,
    /// All rolls instead of one: the best play of each, what it is worth, and how lucky the roll is; the
    /// table marks the roll that is given
    #[arg(long, conflicts_with_all = ["batch", "top", "cubeless", "level", "xg_text", "html"])]
    rolls: bool,
    /// Machine output: one JSON document
    #[arg(long)]
    json: bool,
    /// Board and analysis as the text that eXtreme Gammon writes for forums; it counts one ply more
    #[arg(long, conflicts_with_all = ["json", "batch"])]
    xg_text: bool,
    /// Board and analysis as a card: a page of HTML that needs nothing else
    #[arg(long, conflicts_with_all = ["json", "batch", "xg_text"])]
    html: bool,
    /// Answer lines `POSITION-ID [DICE]` from stdin, a line of JSON each
    #[arg(long, conflicts_with_all = ["id", "dice"])]
    batch: bool,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    nets: Nets,
    #[command(flatten)]
    cube: CubeModel,
}

/// Plies where nothing is said: those of the workstation.
const USUAL_PLY: u8 = 2;

/// Where the position is.
#[derive(Clone, Debug)]
enum Given {
    Argument(Id),
    Stdin,
}

impl FromStr for Given {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        if text == "-" {
            return Ok(Self::Stdin);
        }
        text.parse().map(Self::Argument)
    }
}

/// Longest text that is read for the position in it, in bytes.
const LONGEST_TEXT: u64 = 1 << 16;

fn read_stdin() -> Result<Id> {
    let bytes = stdin::read(LONGEST_TEXT)?;
    let text = String::from_utf8_lossy(&bytes);
    let text = without_mark(&text);
    let mut id: Id = text
        .parse()
        .map_err(|error| misuse(format!("stdin: {error}")))?;
    // One position may be told twice, with all about it and without.
    let board = id.state.position;
    let is_another = |other: Id| ![board, board.flipped()].contains(&other.state.position);
    let is_another = |line: &&str| looks_like_id(line) && line.parse().is_ok_and(is_another);
    if let Some(line) = text.lines().find(is_another) {
        let line = sanitize::clean_at_most(line.trim(), 60);
        return Err(misuse(format!(
            "stdin: another position, {line}; --batch answers them all"
        )));
    }
    if id.text.contains(char::is_whitespace) {
        id.text = xgid_text(&id.state);
    }
    Ok(id)
}

impl Args {
    pub(crate) fn run(mut self) -> Result<()> {
        let engine = self.nets.engine()?;
        let model = self.cube.load()?;
        let engine: Arc<dyn Evaluator> = Arc::new(engine);
        let model = Arc::new(model);
        let setup = Setup {
            cube: Some(model.clone()),
            ..Setup::from(engine.clone())
        };
        let level = self.level;
        let roller = level.filter(|level| level.rollout.is_some());
        // Programs, which ask for many positions, get what is fast.
        let usual = if self.batch { 0 } else { USUAL_PLY };
        let is_usual = !self.batch && !self.cubeless;
        let request = EvalRequest {
            ply: level.map_or(self.ply.unwrap_or(usual), |level| level.ply),
            roller: roller.map(|level| (&setup, level)),
            top: self.top.or_else(|| self.xg_text.then_some(USUAL_PLAYS)),
            cubeful: self.cubeful || is_usual,
            model: &model,
            given: &self.cube,
        };
        let id = match self.id.take() {
            Some(Given::Argument(id)) => id,
            Some(Given::Stdin) => read_stdin()?,
            None => return eval_batch::run(&*engine, request, self.threads),
        };
        self.agrees_with(&id)?;
        if self.rolls {
            let pool = self.threads.pool()?;
            let request = RollsRequest {
                id: &id,
                roll: id.roll(self.dice),
                ply: request.ply,
                json: self.json,
            };
            return pool.install(|| request.print(&*engine, &model));
        }
        let answer = request.answer(&*engine, &id, self.dice).map_err(misuse)?;
        self.print(&answer, &id, &model)
    }

    /// Refuses what says nothing of this position.
    fn agrees_with(&self, id: &Id) -> Result<()> {
        if self.cubeless && !id.state.score.is_money() {
            return Err(misuse(
                "--cubeless ranks plays for money: at a score they are ranked with the cube",
            ));
        }
        if id.roll(self.dice).is_none() {
            let given = [(self.top.is_some(), "--top"), (self.cubeless, "--cubeless")];
            refuse_given(&given, "without dice there are no plays to rank")?;
        }
        Ok(())
    }

    /// Prints the answer in the form that is asked for.
    fn print(&self, answer: &EvalDocument, id: &Id, model: &Model) -> Result<()> {
        let state = GameState {
            roll: id.roll(self.dice),
            ..id.state
        };
        let table = self.cube.table_words(model, &id.state);
        let table = table.unwrap_or_default();
        if self.json {
            output::json(answer)
        } else if self.html {
            output::text(&eval_card::write(answer, &state, &table))
        } else if self.xg_text {
            let truncated = self.level.and_then(|level| level.rollout);
            output::text(&answer.to_xg_text(&state, model, truncated))
        } else {
            output::text(&answer.to_text(&id.state, &table))
        }
    }
}
