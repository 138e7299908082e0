//! `luckless matrix`: the decision at other scores and cubes.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::{Mutex, PoisonError};

use anyhow::{Context as _, Result};
use serde::Serialize;

use super::eval_answer::situation;
use super::options::{CubeModel, Id, Nets, Threads};
use super::output::{self};
use super::usage::misuse;
use crate::analysis::matrix::ACTIONS;
use crate::analysis::{BestChoice, Cell, CellAnswer, Matrix, ReferenceChoice};
use crate::cube::{CubeAction, CubeChoice, cube_words};
use crate::game::{CubeOwner, GameState, Position, Roll};
use crate::grid::Grid;
use crate::notation::{parse_play, play_text};

const EXAMPLES: &str = "\
Examples:
  luckless matrix 4HPwATDgc/ABMA --dice 43
  luckless matrix 4HPwATDgc/ABMA --dice 43 --play '24/20 13/10' --max 5
  luckless matrix 'XGID=-BCBBBC------------bbbbcc-:0:0:1:00:0:0:0:0:10' --ply 0
  luckless matrix 4HPwATDgc/ABMA --dice 43 --json

With a roll the best play in each cell, without one the cube action. The cost is that of the present \
choice there: of what is best in the position as given, or of --play. For a cube decision --play is \
double, no double, take or pass. The cube counts in all cells, for money too.";

/// A play or cube decision at other scores and cube positions
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
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
    pub(super) fn run(self) -> Result<()> {
        let roll = self.id.roll(self.dice);
        let given = GameState {
            roll: None,
            ..self.id.state
        };
        if given.position.is_over() {
            return Err(misuse("the game is over: there is nothing to decide"));
        }
        if roll.is_some() && given.doubled {
            return Err(misuse("a double must be answered before the roll"));
        }
        self.cube.agrees_with(&given)?;
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
                let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
                found[i] = Some(answer);
            };
            matrix.fill(&cells, present, self.ply, &never, &put);
            Some(present)
        });
        let present = present.context("there is no play")?;
        let found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
        let answers: Option<Vec<CellAnswer>> = found.into_iter().collect();
        let document = MatrixDocument {
            id: &self.id,
            roll,
            ply: self.ply,
            max: self.max,
            present,
            matrix: &matrix,
            cells: &cells,
            answers: answers.context("the matrix was given up")?,
        };
        if self.json {
            output::json(&document.to_json())
        } else {
            output::text(&document.to_text())
        }
    }
}

/// What `--play` names.
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
        ("beaver", true) if given.rules.beavers => CubeChoice::Beaver,
        _ => {
            let expected = match (given.doubled, given.rules.beavers) {
                (true, true) => "take, pass or beaver",
                (true, false) => "take or pass (the position allows no beavers)",
                (false, _) => "double, no double, take or pass (a play needs --dice)",
            };
            return Err(misuse(format!("'{text}': expected {expected}")));
        }
    };
    Ok(ReferenceChoice::Cube(choice))
}

/// The answer, to be written as text or as JSON.
struct MatrixDocument<'a> {
    id: &'a Id,
    roll: Option<Roll>,
    ply: u8,
    max: u16,
    present: ReferenceChoice,
    matrix: &'a Matrix<'a>,
    cells: &'a [Cell],
    answers: Vec<CellAnswer>,
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
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'static str>,
    away: Option<[u16; 2]>,
    crawford: bool,
    cube: u32,
    owner: &'static str,
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

impl MatrixDocument<'_> {
    fn name(&self, result: &Position) -> String {
        let play = self.matrix.play(result).unwrap_or_default();
        play_text(&self.id.state.position, &play)
    }

    fn verdict(&self, verdict: BestChoice) -> String {
        match verdict {
            BestChoice::Play(result) => self.name(&result),
            BestChoice::Action(action) => action.name().to_owned(),
            BestChoice::Answer(choice) => choice.name().to_owned(),
        }
    }

    fn present_name(&self) -> String {
        match self.present {
            ReferenceChoice::Best(verdict) => self.verdict(verdict),
            ReferenceChoice::Play(result) => self.name(&result),
            ReferenceChoice::Cube(choice) => choice.name().to_owned(),
        }
    }

    fn decision(&self) -> &'static str {
        match (self.matrix.is_play(), self.id.state.doubled) {
            (true, _) => "checker play",
            (false, false) => "cube action",
            (false, true) => "answer to a double",
        }
    }

    fn to_json(&self) -> MatrixJson<'_> {
        let plays: Vec<String> = (self.matrix.plays())
            .map(|c| play_text(&self.id.state.position, &c.play))
            .collect();
        let equity = |&(i, equity): &(usize, f32)| EquityJson {
            choice: match plays.get(i) {
                Some(play) => play.clone(),
                None => ACTIONS[i.min(2)].to_owned(),
            },
            equity,
        };
        let cell = |(cell, answer): (&Cell, &CellAnswer)| CellJson {
            name: cell.name.map(|name| name.name()),
            away: cell.away,
            crawford: cell.crawford,
            cube: cell.cube,
            owner: owner(cell.owner),
            best: answer.best.map(|best| self.verdict(best)),
            cost: answer.cost,
            changed: answer.is_change,
            ply: answer.ply,
            equities: answer.equities.iter().map(equity).collect(),
        };
        MatrixJson {
            position: &self.id.text,
            dice: self.roll.map(|roll| roll.to_string()),
            ply: self.ply,
            decision: self.decision(),
            present_choice: self.present_name(),
            cells: self.cells.iter().zip(&self.answers).map(cell).collect(),
        }
    }

    fn to_text(&self) -> String {
        let asked = match self.roll {
            Some(roll) => format!("to play {roll}"),
            None => self.decision().to_owned(),
        };
        let mut text = format!(
            "{}  {}, {asked}, {}-ply\n",
            self.id.text,
            situation(&self.id.state),
            self.ply
        );
        let letters = self.letters();
        let _ = write!(text, "\n{}", self.legend(&letters));
        let _ = write!(text, "\n{}", self.named(&letters));
        for &owner in self.matrix.owners() {
            let _ = write!(text, "\n{}\n{}", owned(owner), self.grid(owner, &letters));
        }
        let _ = writeln!(
            text,
            "\nrows: points away of the player to decide; columns: of the other. A figure is what \
             the present choice\ncosts there, in points on the cube of the cell (EMG); · it is right; – nobody may double"
        );
        text
    }

    /// What is best somewhere, most often first, with how often; the present one before all.
    fn letters(&self) -> Vec<(String, usize)> {
        let mut counts: HashMap<String, usize> = HashMap::new();
        for best in self.answers.iter().filter_map(|a| a.best) {
            *counts.entry(self.verdict(best)).or_default() += 1;
        }
        let present = self.present_name();
        let mut all: Vec<(String, usize)> = counts.into_iter().collect();
        all.sort_by(|a, b| (a.0 != present, b.1, &a.0).cmp(&(b.0 != present, a.1, &b.0)));
        if all.first().is_none_or(|(name, _)| *name != present) {
            all.insert(0, (present, 0));
        }
        all
    }

    fn legend(&self, letters: &[(String, usize)]) -> String {
        let mut text = String::new();
        for (i, (name, count)) in letters.iter().enumerate() {
            let present = if i == 0 { ", the present choice" } else { "" };
            let s = if *count == 1 { "" } else { "s" };
            let _ = writeln!(
                text,
                "{}  {}: best in {count} cell{s}{present}",
                self.letter(letters, name),
                cube_words(name, &self.id.state)
            );
        }
        text
    }

    /// A sign for what is best.
    fn letter(&self, letters: &[(String, usize)], name: &str) -> String {
        if !self.matrix.is_play() {
            let action = CubeAction::ALL.into_iter().find(|a| a.name() == name);
            return action.map_or(name, |action| action.short_name()).to_owned();
        }
        let place = letters.iter().position(|(known, _)| known == name);
        let letter = place.and_then(|i| u8::try_from(i).ok()).filter(|i| *i < 26);
        letter.map_or_else(|| "*".to_owned(), |i| char::from(b'A' + i).to_string())
    }

    fn cell(&self, answer: &CellAnswer, letters: &[(String, usize)]) -> String {
        let Some(best) = answer.best else {
            return "–".to_owned();
        };
        let sign = self.letter(letters, &self.verdict(best));
        match answer.cost {
            Some(cost) if cost >= 5e-4 => format!("{sign} {}", cost_text(cost)),
            _ if answer.is_change => format!("{sign} .000"),
            _ => format!("{sign}    ·"),
        }
    }

    fn named(&self, letters: &[(String, usize)]) -> Grid {
        let mut table = Grid::new(&["score", "cube", "best", "cost"]);
        for (cell, answer) in self.cells.iter().zip(&self.answers) {
            let Some(name) = cell.name else { continue };
            let best = answer.best.map_or_else(
                || "– (nobody may double)".to_owned(),
                |best| {
                    let name = self.verdict(best);
                    let letter = self.letter(letters, &name);
                    let said = cube_words(&name, &self.id.state);
                    if letter == name {
                        said.to_owned()
                    } else {
                        format!("{letter} {said}")
                    }
                },
            );
            let cost = match answer.cost {
                Some(cost) if answer.is_change || cost >= 5e-4 => cost_text(cost),
                Some(_) => "·".to_owned(),
                None => String::new(),
            };
            let cube = format!("{} {}", cell.cube, owner_word(cell.owner));
            table.row(vec![name.name().to_owned(), cube, best, cost]);
        }
        table
    }

    fn grid(&self, owner: CubeOwner, letters: &[(String, usize)]) -> Grid {
        let heads: Vec<String> = (2..=self.max).map(|n| n.to_string()).collect();
        let mut headings = vec![""];
        headings.extend(heads.iter().map(String::as_str));
        let mut table = Grid::new(&headings);
        let all = self.cells.iter().zip(&self.answers);
        let of: HashMap<[u16; 2], &CellAnswer> = all
            .filter(|(cell, _)| cell.name.is_none() && cell.owner == owner)
            .filter_map(|(cell, answer)| Some((cell.away?, answer)))
            .collect();
        for mine in 2..=self.max {
            let cell = |theirs| {
                let answer = of.get(&[mine, theirs]);
                answer.map_or_else(String::new, |answer| self.cell(answer, letters))
            };
            let row = std::iter::once(mine.to_string()).chain((2..=self.max).map(cell));
            table.row(row.collect());
        }
        table
    }
}

/// `.012`, or `1.23`.
fn cost_text(cost: f32) -> String {
    if cost < 0.9995 {
        format!("{cost:.3}").trim_start_matches('0').to_owned()
    } else {
        format!("{cost:.2}")
    }
}

/// Who owns the cube, in the machine output.
fn owner(owner: CubeOwner) -> &'static str {
    match owner {
        CubeOwner::Centred => "centred",
        CubeOwner::Mover => "mover",
        CubeOwner::Opponent => "opponent",
    }
}

fn owner_word(owner: CubeOwner) -> &'static str {
    match owner {
        CubeOwner::Centred => "centred",
        CubeOwner::Mover => "own",
        CubeOwner::Opponent => "theirs",
    }
}

/// Whose cube it is, as a heading.
fn owned(owner: CubeOwner) -> &'static str {
    match owner {
        CubeOwner::Centred => "cube centred",
        CubeOwner::Mover => "own cube",
        CubeOwner::Opponent => "their cube",
    }
}
