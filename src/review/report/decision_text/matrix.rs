//! A decision at other scores and cubes.

use std::collections::HashMap;
use std::fmt::Write as _;

use crate::analysis::matrix::owners;
use crate::analysis::{BestChoice, Cell, CellAnswer, ReferenceChoice, ScoreName};
use crate::cube::{CubeAction, cube_words};
use crate::game::{CubeOwner, GameState, Play, Position};
use crate::grid::Grid;
use crate::notation::play_text;
use crate::review::report::position_card::deciders_situation;
use crate::words::counted;

/// The best choice at other scores, and the cost of the present choice there.
#[derive(Debug)]
pub struct MatrixText<'a> {
    pub position: &'a str,
    /// The decision, with the roll that is to be played.
    pub state: GameState,
    /// Plies behind the answers.
    pub ply: u8,
    /// Points away up to which the cells go.
    pub max: u16,
    /// The choice whose cost is shown.
    pub present: ReferenceChoice,
    /// The scores and cubes.
    pub cells: &'a [Cell],
    /// The best choice in each of them.
    pub answers: &'a [CellAnswer],
}

impl MatrixText<'_> {
    fn name(&self, result: &Position) -> String {
        let before = &self.state.position;
        let play = self
            .state
            .roll
            .and_then(|roll| Play::to(before, roll, result));
        play_text(before, &play.unwrap_or_default())
    }

    /// Writes a best choice.
    pub fn verdict(&self, verdict: BestChoice) -> String {
        match verdict {
            BestChoice::Play(result) => self.name(&result),
            BestChoice::Action(action) => action.name().to_owned(),
            BestChoice::Answer(choice) => choice.name().to_owned(),
        }
    }

    /// The choice whose cost is shown, as it is written.
    pub fn present_name(&self) -> String {
        match self.present {
            ReferenceChoice::Best(verdict) => self.verdict(verdict),
            ReferenceChoice::Play(result) => self.name(&result),
            ReferenceChoice::Cube(choice) => choice.name().to_owned(),
        }
    }

    /// `checker play`, `cube action` or `answer to a double`.
    pub fn decision(&self) -> &'static str {
        match (self.is_play(), self.state.doubled) {
            (true, _) => "checker play",
            (false, false) => "cube action",
            (false, true) => "answer to a double",
        }
    }

    fn is_play(&self) -> bool {
        self.state.roll.is_some()
    }

    /// The whole matrix, in lines.
    pub fn write(&self) -> String {
        let asked = match self.state.roll {
            Some(roll) => format!("to play {roll}"),
            None => self.decision().to_owned(),
        };
        let mut text = format!(
            "{}  {}, {asked}, {}-ply\n",
            self.position,
            deciders_situation(&self.state),
            self.ply
        );
        let letters = self.letters();
        let _ = write!(text, "\n{}", self.legend(&letters));
        let _ = write!(text, "\n{}", self.named(&letters));
        for &owner in owners(self.is_play(), self.state.doubled) {
            let _ = write!(text, "\n{}\n{}", owned(owner), self.grid(owner, &letters));
        }
        let first = match self.state.rules.no_crawford {
            true => "",
            false => " (1: post-Crawford)",
        };
        let _ = writeln!(
            text,
            "\nrows: points away of the player to decide; columns: of the other{first}.\nA figure is what {} \
             there, in points on the cube of the cell (EMG);\n· it is right; – no cube decision",
            self.whose_loss()
        );
        text
    }

    /// Says whose loss a figure is: with a double that is answered both players can lose something.
    fn whose_loss(&self) -> &'static str {
        match self.present {
            ReferenceChoice::Best(BestChoice::Action(action)) if action.doubles() => {
                "the present choice costs doubler and taker"
            }
            _ => "the present choice costs",
        }
    }

    /// Returns the best choices with their number of cells, most frequent first; the present choice leads.
    fn letters(&self) -> Vec<(String, usize)> {
        let mut counts: HashMap<String, usize> = HashMap::new();
        for best in self.answers.iter().filter_map(|a| a.best) {
            *counts.entry(self.verdict(best)).or_default() += 1;
        }
        let present = self.present_name();
        let mut all: Vec<(String, usize)> = counts.into_iter().collect();
        all.sort_by(|a, b| (a.0 != present, b.1, &a.0).cmp(&(b.0 != present, a.1, &b.0)));
        if all.first().is_none_or(|(name, _)| *name != present) {
            // A double by itself is part of double/take and of double/pass.
            let is_right = |a: &&CellAnswer| a.best.is_some() && !a.is_change;
            all.insert(0, (present, self.answers.iter().filter(is_right).count()));
        }
        all
    }

    fn legend(&self, letters: &[(String, usize)]) -> String {
        let mut text = String::new();
        for (i, (name, count)) in letters.iter().enumerate() {
            let present = if i == 0 { ", the present choice" } else { "" };
            let count = counted(*count, "cell");
            let mut bests = self.answers.iter().filter_map(|answer| answer.best);
            let is_part = !self.is_play() && bests.all(|best| self.verdict(best) != *name);
            let is = if is_part { "right" } else { "best" };
            let _ = writeln!(
                text,
                "{}  {}: {is} in {count}{present}",
                self.letter(letters, name),
                cube_words(name, &self.state)
            );
        }
        text
    }

    /// A sign for what is best.
    fn letter(&self, letters: &[(String, usize)], name: &str) -> String {
        if !self.is_play() {
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
        for (cell, answer) in self.cells.iter().zip(self.answers) {
            let Some(name) = cell.name else { continue };
            let best = answer.best.map_or_else(
                || "– (no cube decision)".to_owned(),
                |best| {
                    let name = self.verdict(best);
                    let letter = self.letter(letters, &name);
                    let said = cube_words(&name, &cell.state(&self.state));
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
            let score = match name {
                ScoreName::Own => cell.score_words(self.state.rules),
                _ => name.name().to_owned(),
            };
            table.row(vec![score, cube, best, cost]);
        }
        table
    }

    fn grid(&self, owner: CubeOwner, letters: &[(String, usize)]) -> Grid {
        let heads: Vec<String> = (1..=self.max).map(|n| n.to_string()).collect();
        let mut headings = vec![""];
        headings.extend(heads.iter().map(String::as_str));
        let mut table = Grid::new(&headings);
        for mine in 1..=self.max {
            let cell = |theirs| {
                let mut all = self.cells.iter().zip(self.answers);
                let found = all.find(|(cell, _)| cell.is_at([mine, theirs], owner));
                found.map_or_else(String::new, |(_, answer)| self.cell(answer, letters))
            };
            let row = std::iter::once(mine.to_string()).chain((1..=self.max).map(cell));
            table.row(row.collect());
        }
        table
    }
}

/// A cost in points as it is written: `0.012`, or `1.23`.
fn cost_text(cost: f32) -> String {
    if cost < 0.9995 {
        format!("{cost:.3}")
    } else {
        format!("{cost:.2}")
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
