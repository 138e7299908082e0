//! The words below the matrix: what its codes and figures say.

use super::cell_text::choice_words;
use super::{Pane, SHOWN};
use crate::analysis::{BestChoice, Cell, CellAnswer, ReferenceChoice};
use crate::cube::{CubeAction, CubeChoice, cube_words};
use crate::game::{GameState, Position};
use crate::tui::text;
use crate::tui::view::drawing::words::packed;
use crate::tui::view::windows::cube_facts::act;

impl Pane<'_> {
    /// What the codes say, in lines of so many columns: in sentences if they take at most so many lines.
    pub(super) fn legend(&self, columns: usize, most: usize) -> Vec<String> {
        let sentences = match self.letters.is_empty() {
            true => vec![self.cost_words(), self.code_words().join(", ")],
            false => self.play_sentences(),
        };
        let lines = sentences.iter();
        let lines: Vec<String> = lines
            .flat_map(|line| text::wrap(line, columns, 3))
            .collect();
        match lines.len() <= most {
            true => lines,
            false => self.short_legend(columns),
        }
    }

    /// The codes beside each other, and what a figure is.
    fn short_legend(&self, columns: usize) -> Vec<String> {
        const GAP: &str = "  ";
        if self.letters.is_empty() {
            let mut lines = packed(&self.code_words(), GAP, columns);
            lines.extend(text::wrap(&self.cost_words(), columns, 3));
            return lines;
        }
        let plays = self.listed().into_iter();
        let mut pieces: Vec<String> = plays
            .map(|(_, result)| {
                format!(
                    "{} {}",
                    self.sign(BestChoice::Play(result)),
                    self.named_play(result)
                )
            })
            .collect();
        let [figure, rolled] = self.figure_words();
        pieces.push(format!("figure: {figure}{rolled}"));
        packed(&pieces, GAP, columns)
    }

    /// The plays with a letter: those that are best with this cube, others may be with another owner. The first one is
    /// always there.
    fn listed(&self) -> Vec<(usize, Position)> {
        let letters = self.letters.iter().map(|(result, _)| *result).enumerate();
        letters
            .filter(|(i, result)| *i == 0 || self.count(*result).0 > 0)
            .collect()
    }

    /// A sentence for each play with a letter.
    fn play_sentences(&self) -> Vec<String> {
        let line = |(i, result): (usize, Position)| {
            let letter = self.sign(BestChoice::Play(result));
            let (count, all) = self.count(result);
            let equal = (i == 0).then(|| self.count_without_loss());
            let (best, count) = match equal {
                Some(equal) if equal > count => ("best or equal", equal),
                _ => ("best", count),
            };
            let name = self.named_play(result);
            let words = format!("{letter}  {name}: {best} at {count} of {all} scores");
            let [figure, rolled] = self.figure_words();
            match i {
                0 => format!("{words}. A figure is {figure}{rolled}"),
                _ => words,
            }
        };
        self.listed().into_iter().map(line).collect()
    }

    /// Says what the figure of a play is, and what its `R` means.
    fn figure_words(&self) -> [&'static str; 2] {
        let rolled = if self.any_rolled() {
            ", R by rollout"
        } else {
            ""
        };
        ["what A costs, · nothing", rolled]
    }

    /// A play, and whether it is the one that was made.
    fn named_play(&self, result: Position) -> String {
        let made = if self.is_made(result) { ", made" } else { "" };
        format!("{}{made}", self.name(&result))
    }

    /// Whether a play is the one that was made.
    fn is_made(&self, result: Position) -> bool {
        self.app.made_choice() == Some(ReferenceChoice::Play(result))
    }

    /// Says what is right at the score of a cube decision, and whose loss a figure is.
    fn cost_words(&self) -> String {
        let own = self.matrix.cells.iter().zip(&self.matrix.answers);
        let mut own = own.filter(|(cell, _)| cell.is_of(&self.state));
        let known = own.find_map(|(_, answer)| answer.as_ref());
        let own = known.and_then(|answer| answer.best);
        let (right, made, loser) = match self.matrix.reference {
            ReferenceChoice::Cube(choice) => (own, Some(choice), Some(choice)),
            ReferenceChoice::Best(best) => {
                let loser = match best {
                    BestChoice::Answer(choice) => Some(choice),
                    // Of a double that is answered both can lose something.
                    BestChoice::Action(action) if action.doubles() => None,
                    _ => Some(CubeChoice::NoDouble),
                };
                // Where nobody may double, nothing is best.
                let right = if known.is_some() { own } else { Some(best) };
                (right, None, loser)
            }
            ReferenceChoice::Play(_) => (own, None, None),
        };
        let right = right.and_then(|best| choice_words(best, &self.state));
        let right = right.map(|name| format!("best now: {name}"));
        let made = made.map(|choice| format!("made: {}", cube_words(choice.name(), &self.state)));
        let all: Vec<String> = right.into_iter().chain(made).collect();
        let loss = loser.map_or_else(
            || "what it costs doubler and taker".to_owned(),
            |choice| format!("what {} costs", act(choice)),
        );
        let all = match all.is_empty() {
            true => String::new(),
            false => format!("{}. ", all.join(", ")),
        };
        format!("{all}A figure is {loss} there, · nothing.")
    }

    /// The codes of the cells with the cube in view, and what each says.
    fn code_words(&self) -> Vec<String> {
        // The cube in view may be owned where that of the decision is not.
        let state = GameState {
            owner: self.place.owner,
            ..self.state
        };
        let shown: Vec<Option<BestChoice>> = self.in_view().iter().map(|a| a.best).collect();
        let actions = CubeAction::ALL.map(BestChoice::Action);
        let answers = [CubeChoice::Take, CubeChoice::Pass, CubeChoice::Beaver];
        let all = actions.into_iter().chain(answers.map(BestChoice::Answer));
        let all = all.filter(|best| shown.contains(&Some(*best)));
        let mut words: Vec<String> = all
            .filter_map(|best| {
                Some(format!(
                    "{} {}",
                    self.sign(best),
                    choice_words(best, &state)?
                ))
            })
            .collect();
        if shown.contains(&None) {
            words.push("– no cube decision".to_owned());
        }
        if self.any_rolled() {
            words.push("R by rollout".to_owned());
        }
        words
    }

    /// Whether a cell with the cube in view goes by its rollout.
    fn any_rolled(&self) -> bool {
        let mut cells = self.rolled.iter();
        cells.any(|cell| self.is_in_view(cell))
    }

    /// Whether a cell has the cube in view.
    pub(super) fn is_in_view(&self, cell: &Cell) -> bool {
        cell.owner == self.place.owner || cell.name.is_some() && cell.away.is_some()
    }

    /// At how many scores with the cube in view a play is best, and the number of these scores.
    fn count(&self, result: Position) -> (usize, usize) {
        let is_best = |answer: &&&CellAnswer| answer.best == Some(BestChoice::Play(result));
        let answers = self.in_view();
        (answers.iter().filter(is_best).count(), answers.len())
    }

    /// At how many scores with the cube in view the play in question loses nothing that is shown.
    fn count_without_loss(&self) -> usize {
        let is_equal = |answer: &&&CellAnswer| answer.cost.is_some_and(|cost| cost < SHOWN);
        self.in_view().iter().filter(is_equal).count()
    }

    /// The answers of the cells with the cube in view.
    fn in_view(&self) -> Vec<&CellAnswer> {
        let cells = self.matrix.cells.iter().zip(&self.matrix.answers);
        let seen = cells.filter(|(cell, _)| self.is_in_view(cell));
        seen.filter_map(|(_, answer)| answer.as_ref()).collect()
    }
}
