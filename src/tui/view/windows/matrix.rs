//! The window of the decision at other scores and cubes.

mod by_rollout;
mod cell_text;
mod legend;

use std::ops::RangeInclusive;

use ratatui::layout::Rect;

use cell_text::{CellText, choice_words, cost_text, short_answer};

use super::cube_facts::{LONGEST, whose_figures};
use crate::analysis::matrix::ACTIONS;
use crate::analysis::{BestChoice, Cell, CellAnswer, ReferenceChoice};
use crate::cube::cube_words;
use crate::game::{CubeOwner, GameState, Play, PlayList, Position, Rules};
use crate::review::Mark;
use crate::tui::figures::rolled_cells;
use crate::tui::keys::ActionId;
use crate::tui::rollouts::inquiry::{Answer, Inquiry, MATRIX, MatrixAnswer, MatrixPlace};
use crate::tui::screen::targets::Target;
use crate::tui::state::App;
use crate::tui::text;
use crate::tui::theme::Role;
use crate::tui::view::drawing::paint::Paint;
use crate::tui::view::drawing::window::{more, rows, title_acts, window};
use crate::tui::view::drawing::words::{mark_role, packed};

/// Columns of a cell: of its code and its figure, and where there is room of the signs before them. The code of a cube
/// action has two letters more than that of a play or an answer.
const CELL: usize = 8;
const ACTION_CELL: usize = 9;
const WIDE_CELL: usize = 11;
/// Columns before the cells.
const LEFT: usize = 4;
/// Rows above the cells: the named scores, what the axes are, and the heads of the columns.
const HEADS: usize = 3;
/// Rows that the selected cell has in any case.
const SELECTED_LINES: usize = 2;
/// Rows of the cells with their heads and of the selected one, with gaps.
const LEAST_HEIGHT: u16 = HEADS as u16 + MatrixPlace::SIDE as u16 + 2 + 4;
/// Rows of the legend at most.
const MOST_LEGEND: usize = 10;
/// A cost that is smaller is shown as none.
const SHOWN: f32 = 5e-4;

pub(crate) fn draw(
    paint: &mut Paint<'_>,
    screen: Rect,
    app: &App,
    inquiry: &Inquiry,
    place: MatrixPlace,
) {
    let Inquiry::Matrix { state, .. } = inquiry else {
        return;
    };
    let answer = app.inquiries.about(inquiry);
    let matrix = answer.and_then(|answer| answer.matrix.as_ref());
    let side = matrix.map_or_else(String::new, |matrix| depth(answer, matrix));
    let name = match place.owner {
        CubeOwner::Centred => "other scores: cube centred",
        CubeOwner::Mover => "other scores: own cube",
        CubeOwner::Opponent => "other scores: their cube",
    };
    let wide = (LEFT + WIDE_CELL * MatrixPlace::SIDE) as u16;
    let Some(matrix) = matrix else {
        let area = window(paint, screen, (wide, LEAST_HEIGHT), name, &side);
        title_acts(paint, area, ActionId::Complete);
        let failure = answer.and_then(|answer| answer.failure.as_deref());
        let words = failure.unwrap_or("being worked out …");
        paint.line(area, 0, &[(words, Role::OverlayMuted)]);
        return;
    };
    let (matrix, rolled) = rolled_cells::shown(app, state, matrix);
    let width = wide.min(screen.width.saturating_sub(4));
    let pane = Pane {
        app,
        letters: letters(&matrix),
        matrix,
        rolled,
        state: *state,
        place,
        cell: match (width < wide, state.roll.is_some() || state.doubled) {
            (true, true) => CELL,
            (true, false) => ACTION_CELL,
            (false, _) => WIDE_CELL,
        },
    };
    // As tall as the legend takes, whichever cell is selected.
    let legend = pane.legend(usize::from(width), MOST_LEGEND).len() as u16;
    let area = window(paint, screen, (wide, LEAST_HEIGHT + legend), name, &side);
    title_acts(paint, area, ActionId::Complete);
    pane.named(paint, area);
    pane.grid(paint, area);
    pane.words(paint, area);
}

/// Depth of the cells, in words.
fn depth(answer: Option<&Answer>, matrix: &MatrixAnswer) -> String {
    let plies = matrix.answers.iter().flatten().map(|a| a.ply);
    let least = plies.clone().min().unwrap_or(0);
    let most = plies.max().unwrap_or(0);
    let all = matrix.answers.len();
    let done = matrix.answers.iter().flatten();
    let done = done.filter(|a| a.ply == most).count();
    match answer {
        Some(answer) if answer.is_done || answer.failure.is_some() => format!("{most}-ply"),
        _ if least < most => format!("{most}-ply in {done} of {all} cells …"),
        _ => format!("{most}-ply, deeper …"),
    }
}

/// The plays that are best somewhere, the present one first, then by how often.
fn letters(matrix: &MatrixAnswer) -> Vec<(Position, usize)> {
    let mut all: Vec<(Position, usize)> = Vec::new();
    if let ReferenceChoice::Play(result) | ReferenceChoice::Best(BestChoice::Play(result)) =
        matrix.reference
    {
        all.push((result, 0));
    }
    for answer in matrix.answers.iter().flatten() {
        if let Some(BestChoice::Play(result)) = answer.best {
            match all.iter_mut().find(|(known, _)| *known == result) {
                Some((_, count)) => *count += 1,
                None => all.push((result, 1)),
            }
        }
    }
    if let Some((_, others)) = all.split_first_mut() {
        // A stable sort: of equals the first that was found.
        others.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    }
    all
}

struct Pane<'a> {
    app: &'a App,
    letters: Vec<(Position, usize)>,
    /// The matrix as it is shown: by rollout where there is one.
    matrix: MatrixAnswer,
    /// The cells that go by their rollout.
    rolled: Vec<Cell>,
    state: GameState,
    place: MatrixPlace,
    /// Columns of a cell.
    cell: usize,
}

impl Pane<'_> {
    /// A sign of what is best: a letter for a play or an answer, two or three for a cube action.
    fn sign(&self, best: BestChoice) -> String {
        match best {
            BestChoice::Play(result) => {
                let place = self.letters.iter().position(|(known, _)| *known == result);
                match place {
                    Some(i @ 0..26) => char::from(b'A' + i as u8).to_string(),
                    _ => "*".to_owned(),
                }
            }
            BestChoice::Action(action) => action.short_name().to_owned(),
            BestChoice::Answer(choice) => short_answer(choice).to_owned(),
        }
    }

    fn cell(&self, answer: Option<&CellAnswer>) -> CellText {
        let Some(answer) = answer else {
            return CellText::only("…");
        };
        let Some(best) = answer.best else {
            return CellText::only("–");
        };
        let (figure, is_change) = match answer.cost {
            Some(cost) if cost >= SHOWN => (cost_text(cost), answer.is_change),
            _ if answer.is_change => (".000".to_owned(), true),
            _ => ("·".to_owned(), false),
        };
        CellText {
            code: self.sign(best),
            figure,
            is_change,
        }
    }

    fn put(&self, paint: &mut Paint<'_>, cell: Rect, place: MatrixPlace) {
        let found = self.matrix.at(place);
        let shown = match found {
            Some((_, answer)) => self.cell(answer),
            None => CellText::only(""),
        };
        let is_rolled = found.is_some_and(|(cell, _)| self.rolled.contains(cell));
        let (signs, words) = shown.fitted(self.is_here(place), is_rolled, self.cell);
        let cost = found.and_then(|(_, answer)| answer?.cost).unwrap_or(0.0);
        let role = match Mark::of(cost, &self.app.thresholds()) {
            Mark::Fine if shown.is_change => Role::Overlay,
            Mark::Fine => Role::OverlayMuted,
            mark => mark_role(mark),
        };
        // The signs stand beside their own cell's words, not nearer to those of the cell before.
        let used = text::width(&signs) + text::width(&words);
        let margin = " ".repeat(self.cell.saturating_sub(used));
        let parts = [
            (&*margin, role),
            (&*signs, Role::OverlayKey),
            (&*words, role),
        ];
        paint.line(cell, 0, &parts);
        if found.is_some() {
            paint.target(cell, Target::Cell(place));
        }
        if place == self.place {
            paint.select(cell, Role::OverlayCursor);
        }
    }

    /// Whether this is the score and the cube of the decision itself.
    fn is_here(&self, place: MatrixPlace) -> bool {
        let found = self.matrix.at(place);
        found.is_some_and(|(cell, _)| cell.is_of(&self.state))
    }

    fn named(&self, paint: &mut Paint<'_>, area: Rect) {
        let named: Vec<(MatrixPlace, &str)> = (0..)
            .map_while(|column| {
                let owner = self.place.owner;
                let place = MatrixPlace {
                    row: 0,
                    column,
                    owner,
                };
                let (cell, _) = self.matrix.at(place)?;
                Some((place, cell.name.map_or("", |name| name.name())))
            })
            .collect();
        if self.cell == WIDE_CELL && LEFT + 2 * WIDE_CELL * named.len() <= area.width.into() {
            return self.named_in_columns(paint, area, &named);
        }
        let widths: Vec<usize> = (named.iter().enumerate())
            .map(|(i, (_, name))| text::width(name) + 1 + usize::from(i > 0) + self.cell)
            .collect();
        let selected = named.iter().position(|(place, _)| *place == self.place);
        let first = first_column(&widths, usize::from(area.width), selected.unwrap_or(0));
        // A name stands nearer to its own cell than to the one before, where there is room.
        let spare = usize::from(area.width).saturating_sub(widths.iter().sum());
        let gap = " ".repeat(1 + (spare / named.len().max(1)).min(3));
        let mut x = area.x;
        for (i, (place, name)) in named.into_iter().enumerate().skip(first) {
            let words = format!("{}{name} ", if i == first { "" } else { &gap });
            let room = usize::from(area.right().saturating_sub(x));
            if text::width(&words) + self.cell > room {
                let end = usize::from(x - area.x);
                return out_of_sight(paint, rows(area, 0, 1), end, first, true);
            }
            x += paint.put(
                x,
                area.y,
                area.right().saturating_sub(x),
                &words,
                Role::OverlayKey,
            );
            let wide = self.cell as u16;
            self.put(paint, Rect::new(x, area.y, wide, 1), place);
            x += wide;
        }
        let end = usize::from(x - area.x);
        out_of_sight(paint, rows(area, 0, 1), end, first, false);
    }

    /// The named scores, each in two columns of the grid: its name, and its cell.
    fn named_in_columns(&self, paint: &mut Paint<'_>, area: Rect, named: &[(MatrixPlace, &str)]) {
        let wide = WIDE_CELL as u16;
        for (x, (place, name)) in (area.x + LEFT as u16..).step_by(2 * WIDE_CELL).zip(named) {
            let cell = Rect::new(x + wide, area.y, wide, 1);
            self.put(paint, cell, *place);
            // Beside its own cell, into which the longest name leans, and not the one before.
            let start = wide.saturating_sub(text::width(name) as u16 + 1).max(1);
            paint.put(x + start, area.y, wide, name, Role::OverlayKey);
        }
    }

    /// Says what rows and columns are, in so many columns.
    fn axes(&self, width: usize) -> String {
        const NARROW: &str = "down: points away of who decides";
        let first = match self.state.rules.no_crawford {
            true => "",
            false => "; 1: post-Crawford",
        };
        let all = [
            format!("down: points away of the player to decide; across: of the other{first}"),
            format!("{NARROW}; across: of the other{first}"),
            format!("{NARROW}{first}"),
        ];
        let found = all.into_iter().find(|words| text::width(words) <= width);
        found.unwrap_or_else(|| NARROW.to_owned())
    }

    /// The rows of the grid in sight: all where there is room, else as many as leave the selected cell its lines, moved
    /// along with it.
    fn rows_in_sight(&self, height: u16) -> RangeInclusive<usize> {
        let room = usize::from(height).saturating_sub(HEADS);
        if room >= MatrixPlace::SIDE {
            return 1..=MatrixPlace::SIDE;
        }
        let count = room.saturating_sub(SELECTED_LINES).max(1);
        let last = self.place.row.max(count);
        last + 1 - count..=last
    }

    fn grid(&self, paint: &mut Paint<'_>, area: Rect) {
        // On a narrow screen the columns move along with the selected cell.
        let room = usize::from(area.width).saturating_sub(LEFT);
        let selected = if self.place.row == 0 {
            0
        } else {
            self.place.column
        };
        let wide = self.cell;
        let first = first_column(&[wide; MatrixPlace::SIDE], room, selected);
        let columns = first..MatrixPlace::SIDE.min(first + room / wide);
        let head: String = (1..=MATRIX)
            .skip(first)
            .take(columns.len())
            .map(|n| format!("{n:>wide$}"))
            .collect();
        let corner = text::fit("away", LEFT);
        let words = [(&*corner, Role::OverlayMuted), (&*head, Role::OverlayKey)];
        paint.line(area, 2, &words);
        // The columns may fill their own line.
        let is_behind = columns.end < MatrixPlace::SIDE;
        let sides = 3 * usize::from(is_behind || first > 0);
        let axes = self.axes(usize::from(area.width).saturating_sub(sides));
        paint.line(area, 1, &[(&axes, Role::OverlayMuted)]);
        let end = text::width(&axes);
        out_of_sight(paint, rows(area, 1, 1), end, first, is_behind);
        for (y, row) in (HEADS as u16..area.height).zip(self.rows_in_sight(area.height)) {
            let name = format!("{row:>3} ");
            paint.line(area, y, &[(&name, Role::OverlayKey)]);
            for column in columns.clone() {
                let at = (LEFT + wide * (column - first)) as u16;
                let cell = Rect::new(area.x + at, area.y + y, wide as u16, 1);
                let owner = self.place.owner;
                self.put(paint, cell, MatrixPlace { row, column, owner });
            }
        }
    }

    /// Legend and the selected cell. The legend has its room first, in short words where there is little: the cells
    /// say nothing without it.
    fn words(&self, paint: &mut Paint<'_>, area: Rect) {
        let in_sight = self.rows_in_sight(area.height).count();
        let area = rows(area, (HEADS + in_sight) as u16, area.height);
        let (width, room) = (usize::from(area.width), usize::from(area.height));
        let selected = self.selected(width);
        let mut legend = self.legend(width, room.saturating_sub(selected.len() + 2));
        if in_sight < MatrixPlace::SIDE {
            // What is selected says in words what its cell says.
            legend.truncate(room.saturating_sub(selected.len()));
        }
        let all = legend.len() + selected.len();
        // Each has an empty row above it where there is room for that.
        let [first, second] = [1, 2].map(|gaps| u16::from(all + gaps <= room));
        let below = first + second + legend.len() as u16;
        for (row, words) in (first..).zip(&legend) {
            paint.line(area, row, &[(words, Role::Overlay)]);
        }
        for (row, (words, role)) in (below..).zip(&selected) {
            let words = text::cut(words, width);
            paint.line(area, row, &[(&words, *role)]);
        }
        more(paint, area, 0, all.saturating_sub(room));
    }

    fn name(&self, result: &Position) -> String {
        let found = self
            .play(result)
            .map(|play| text::play(&play, &self.state.position));
        found.unwrap_or_default()
    }

    fn play(&self, result: &Position) -> Option<Play> {
        Play::to(&self.state.position, self.state.roll?, result)
    }

    /// The selected cell at length.
    fn selected(&self, width: usize) -> Vec<(String, Role)> {
        let Some((cell, answer)) = self.matrix.at(self.place) else {
            return Vec::new();
        };
        let mut lines = vec![(score(cell, self.state.rules), Role::OverlayKey)];
        let Some(answer) = answer else { return lines };
        let Some(best) = answer.best else {
            lines.push((
                "no cube decision: the cube is dead, or cannot be turned".to_owned(),
                Role::Overlay,
            ));
            return lines;
        };
        let names = self.equity_names(cell);
        let equities = answer.equities.iter().map(|(i, equity)| {
            let name = names.get(*i).map_or("", String::as_str);
            format!("{} {name}", text::equity(f64::from(*equity)))
        });
        let equities: Vec<String> = equities.collect();
        if let Some(name) = choice_words(best, &cell.state(&self.state)) {
            lines[0].0.push_str(&format!(": {name}"));
        }
        if let Some(whose) = whose_figures(self.app, &self.state, LONGEST) {
            lines[0].0.push_str(&format!("; {whose}:"));
        }
        let equities = packed(&equities, "   ", width).into_iter();
        lines.extend(equities.map(|line| (line, Role::Overlay)));
        let words = self.rollout_words(cell).into_iter();
        let words = words.flat_map(|words| packed(&words, "   ", width));
        lines.extend(words.map(|line| (line, Role::Overlay)));
        lines
    }

    /// Names of the equities of a cell.
    fn equity_names(&self, cell: &Cell) -> Vec<String> {
        let Some(roll) = self.state.roll else {
            let state = cell.state(&self.state);
            return ACTIONS
                .map(|name| cube_words(name, &state).to_owned())
                .to_vec();
        };
        let list = PlayList::of(&self.state.position, roll);
        let plays = list.plays().iter();
        plays
            .map(|play| text::play(play, &self.state.position))
            .collect()
    }
}

/// Says in `line`, whose words take `end` columns, that there are others before the first one shown, or behind.
fn out_of_sight(paint: &mut Paint<'_>, line: Rect, end: usize, first: usize, is_behind: bool) {
    let sides = match (first > 0, is_behind) {
        (true, true) => "‹›",
        (true, false) => "‹",
        (false, true) => "›",
        (false, false) => return,
    };
    let free = usize::from(line.width).saturating_sub(end);
    if free > text::width(sides) {
        paint.line_right(line, 0, &[(sides, Role::OverlayMuted)]);
    }
}

/// The first column to be shown, so that the selected one fits into `room`.
fn first_column(widths: &[usize], room: usize, selected: usize) -> usize {
    let upto = |first: usize| widths[first..=selected].iter().sum::<usize>();
    (0..selected)
        .find(|first| upto(*first) <= room)
        .unwrap_or(selected)
}

/// A score and its cube in words.
pub(crate) fn score(cell: &Cell, rules: Rules) -> String {
    let name = cell.score_words(rules);
    let owner = match cell.owner {
        CubeOwner::Centred => "centred",
        CubeOwner::Mover => "own",
        CubeOwner::Opponent => "theirs",
    };
    format!("{name}, cube {} {owner}", cell.cube)
}
