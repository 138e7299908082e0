//! `luckless matrix`: the decision at other scores and cubes.

use std::sync::Mutex;

use anyhow::{Context as _, Result};
use serde::Serialize;

use crate::analysis::matrix::ACTIONS;
use crate::analysis::{Cell, CellAnswer, Matrix, ReferenceChoice};
use crate::cli::common::options::{CubeModel, Id, Nets, Threads};
use crate::cli::common::output;
use crate::cli::common::usage::misuse;
use crate::cube::CubeChoice;
use crate::game::{GameState, Roll};
use crate::locks::{lock, unlocked};
use crate::notation::{parse_play, play_text};
use crate::review::report::decision_text::MatrixText;

const EXAMPLES: &str = "\
Examples:
  luckless matrix 4HPwATDgc/ABMA --dice 43
  luckless matrix 4HPwATDgc/ABMA --dice 43 --play '24/20 13/10' --max 5
  luckless matrix 'XGID=-BCBBBC------------bbbbcc-:0:0:1:00:0:0:0:0:10' --ply 0
  luckless matrix 4HPwATDgc/ABMA --dice 43 --json

With a roll the best play in each cell, without one the cube action. The cost is that of the present \
choice there: of what is best in the position as given, or of --play. For a cube decision --play is \
double, no double, take, pass or beaver, which is a take where there are none. Where a double is best the cost is what it costs doubler and taker \
together; --play double counts the doubler's part alone. The cube counts in all cells, for money too.";

/// A play or cube decision at other scores and cube positions
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The position: an XGID, a GNUBG position ID, POSITION:MATCH, an OGID or a FIBS board
    #[arg(value_name = "ID", allow_hyphen_values = true)]
    id: Id,
    /// The roll to be played [default: the one in the ID, if any; none: the cube decision]
    #[arg(long, value_name = "DICE")]
    dice: Option<Roll>,
    /// Scores up to so many points away
    #[arg(long, value_name = "N", default_value = "9",
          value_parser = clap::value_parser!(u16).range(2..=25))]
    max: u16,
    /// Plies of lookahead; 0 is the static evaluation
    #[arg(long, value_name = "N", default_value = "2",
          value_parser = clap::value_parser!(u8).range(0..=3))]
    ply: u8,
    /// The choice whose cost is shown [default: the best one in the position as given]
    #[arg(long, value_name = "PLAY")]
    play: Option<String>,
    /// Machine output: one JSON document
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    nets: Nets,
    #[command(flatten)]
    cube: CubeModel,
}

impl Args {
    pub(crate) fn run(self) -> Result<()> {
        let roll = self.id.roll(self.dice);
        let given = self.id.state.before_roll();
        if given.position.is_over() {
            return Err(misuse("the game is over: there is nothing to decide"));
        }
        if roll.is_some() && given.doubled {
            return Err(misuse("a double must be answered before the roll"));
        }
        let given = self.cube.by_rule(given)?;
        let named = self.play.as_deref();
        let named = named.map(|text| choice(text, &given, roll)).transpose()?;
        let (engine, model) = (self.nets.engine()?, self.cube.load()?);
        let matrix = Matrix::new(&engine, &model, given, roll);
        let cells = matrix.cells(self.max);
        let pool = self.threads.pool()?;
        let found = Mutex::new(vec![None; cells.len()]);
        let present = pool.install(|| {
            let never = || false;
            let present = named.or_else(|| matrix.best_here(self.ply, &never))?;
            let put = |i: usize, answer: CellAnswer| {
                let mut found = lock(&found);
                found[i] = Some(answer);
            };
            matrix.fill(&cells, present, self.ply, &never, &put);
            Some(present)
        });
        let present = present.context("there is no play")?;
        let found = unlocked(found);
        let answers: Option<Vec<CellAnswer>> = found.into_iter().collect();
        let text = MatrixText {
            position: &self.id.text,
            state: GameState {
                roll,
                ..self.id.state
            },
            ply: self.ply,
            max: self.max,
            present,
            cells: &cells,
            answers: &answers.context("the matrix was given up")?,
        };
        if self.json {
            output::json(&to_json(&text, &matrix))
        } else {
            let table = self.cube.table_words(&model, &text.state);
            output::text(&output::with_head(
                &text.write(),
                &table.unwrap_or_default(),
            ))
        }
    }
}

/// Parses the value of `--play`.
fn choice(text: &str, given: &GameState, roll: Option<Roll>) -> Result<ReferenceChoice> {
    if let Some(roll) = roll {
        let play = parse_play(text, &given.position, roll);
        let play = play.map_err(|e| misuse(format!("'{text}': {e}")))?;
        return Ok(ReferenceChoice::Play(play.apply(&given.position)));
    }
    let words = text.trim().to_lowercase().replace(['-', '_'], " ");
    let choice = match (&*words, given.doubled) {
        ("double" | "redouble", false) => CubeChoice::Double,
        ("no double" | "no redouble" | "nd" | "roll", false) => CubeChoice::NoDouble,
        ("take", _) => CubeChoice::Take,
        ("pass" | "drop", _) => CubeChoice::Pass,
        ("beaver", _) if given.rules.beavers => CubeChoice::Beaver,
        _ => {
            let expected = match (given.doubled, given.rules.beavers) {
                (true, true) => "take, pass or beaver",
                (true, false) => "take or pass (the position allows no beavers)",
                (false, true) => "double, no double, take, pass or beaver (a play needs --dice)",
                (false, false) => "double, no double, take or pass (a play needs --dice)",
            };
            return Err(misuse(format!("'{text}': expected {expected}")));
        }
    };
    Ok(ReferenceChoice::Cube(choice))
}

#[derive(Serialize)]
struct MatrixJson<'a> {
    position: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    dice: Option<String>,
    ply: u8,
    /// `checker play`, `cube action` or `answer to a double`.
    decision: &'static str,
    /// The choice whose costs are shown.
    present_choice: String,
    cells: Vec<CellJson>,
}

#[derive(Serialize)]
struct CellJson {
    #[serde(flatten)]
    cell: Cell,
    best: Option<String>,
    cost: Option<f32>,
    changed: bool,
    ply: u8,
    equities: Vec<EquityJson>,
}

#[derive(Serialize)]
struct EquityJson {
    choice: String,
    equity: f32,
}

/// The answer as machine output.
fn to_json<'a>(text: &MatrixText<'a>, matrix: &Matrix<'_>) -> MatrixJson<'a> {
    let plays = matrix
        .plays()
        .map(|c| play_text(&text.state.position, &c.play));
    let plays: Vec<String> = plays.collect();
    let equity = |&(i, equity): &(usize, f32)| EquityJson {
        choice: match plays.get(i) {
            Some(play) => play.clone(),
            None => ACTIONS.get(i).copied().unwrap_or_default().to_owned(),
        },
        equity,
    };
    let cell = |(cell, answer): (&Cell, &CellAnswer)| CellJson {
        cell: *cell,
        best: answer.best.map(|best| text.verdict(best)),
        cost: answer.cost,
        changed: answer.is_change,
        ply: answer.ply,
        equities: answer.equities.iter().map(equity).collect(),
    };
    MatrixJson {
        position: text.position,
        dice: text.state.roll.map(|roll| roll.to_string()),
        ply: text.ply,
        decision: text.decision(),
        present_choice: text.present_name(),
        cells: text.cells.iter().zip(text.answers).map(cell).collect(),
    }
}
