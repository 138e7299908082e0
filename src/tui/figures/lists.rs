//! Which row of a list lies where: known to drawing and to the mouse alike.

use super::candidate_rows::CandidateRow;
use crate::game::Player;
use crate::match_file::{GameResult, Match};
use crate::tui::screen::layout::LOW;
use crate::tui::state::{App, Document};
use crate::tui::text;

/// One row of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListLine {
    /// Heading of a game.
    Game(usize),
    Turn(usize),
    /// How a game ended.
    Result(usize, GameResult),
    /// Who has won the match.
    Winner(Player),
}

/// All rows: the games' headings, their turns and results, and the winner of the match.
pub fn lines(document: &Document) -> Vec<ListLine> {
    let (turns, games) = (&document.turns, &document.record.games);
    let mut lines = Vec::with_capacity(turns.len() + 2 * games.len() + 1);
    let mut game = None;
    for (i, turn) in turns.iter().enumerate() {
        if game != Some(turn.game) {
            game = Some(turn.game);
            lines.push(ListLine::Game(turn.game));
        }
        lines.push(ListLine::Turn(i));
        if turns.get(i + 1).is_none_or(|next| next.game != turn.game) {
            let result = games.get(turn.game).and_then(|g| g.result);
            lines.extend(result.map(|r| ListLine::Result(turn.game, r)));
        }
    }
    lines.extend(winner(&document.record).map(ListLine::Winner));
    lines
}

fn winner(record: &Match) -> Option<Player> {
    let [left, right] = record.final_score();
    let won = |points: u32| record.length > 0 && points >= u32::from(record.length);
    match (won(left), won(right)) {
        (true, false) => Some(Player::Left),
        (false, true) => Some(Player::Right),
        _ => None,
    }
}

/// Texts beside the turn in view: the user's note, and the file's remark. Both may tell the answer, and are hidden with
/// it.
pub fn beside(app: &App) -> [Option<&str>; 2] {
    if app.options.hidden {
        return [None; 2];
    }
    let note = app.written(app.at);
    let remark = app.document.remarks.get(&app.at).map(String::as_str);
    // A list that was made of noted positions has their notes as its remarks.
    [note, remark.filter(|remark| note != Some(*remark))]
}

/// Rows of the pane of moves, below its title: the list, the note about the turn in view and the remark of the
/// file if there are any, the totals.
pub fn moves_rows(app: &App, inner: u16, columns: u16) -> [u16; 4] {
    // A rule, and a row for each player.
    let totals = if inner >= 12 { 3 } else { 0 };
    let wanted = beside(app).map(|text| text_rows(text, columns));
    let [note, remark] = match inner {
        14.. => shared(wanted, inner / 2),
        _ => [0; 2],
    };
    [inner - totals - note - remark, note, remark, totals]
}

/// Rows of a text in so many columns, under its rule.
fn text_rows(text: Option<&str>, columns: u16) -> u16 {
    let lines = |words: &str| text::wrap(words, usize::from(columns), 100).len() as u16;
    match text.map_or(0, lines) {
        0 => 0,
        lines => lines + 1,
    }
}

/// Rows of two texts that share `rows`: neither gets less than half of them for the other's sake.
fn shared([first, second]: [u16; 2], rows: u16) -> [u16; 2] {
    let first = first.min(rows - second.min(rows / 2));
    [first, second.min(rows - first)]
}

/// First row on screen, so that the turn in view is near the middle; after a click on it the list stays where it was.
pub fn first_line(app: &App, lines: &[ListLine], height: usize) -> usize {
    let row = lines.iter().position(|l| *l == ListLine::Turn(app.at));
    let row = row.unwrap_or(0);
    let held = app.held_list.filter(|held| held.turn == app.at);
    match held.map(|held| held.first) {
        Some(first) if (first..first + height).contains(&row) => first,
        _ => first_row_around(row, lines.len(), height),
    }
}

/// First row on screen, so that row `at` of so many is near the middle.
pub fn first_row_around(at: usize, rows: usize, height: usize) -> usize {
    at.saturating_sub(height / 2)
        .min(rows.saturating_sub(height))
}

/// First candidate on screen: that of the last key, or else where the selected one is to be seen, and no room is
/// left empty while others stand above.
pub fn first_candidate(
    scroll: usize,
    selected: Option<usize>,
    rows: &[CandidateRow],
    height: usize,
) -> usize {
    let Some(last) = rows.len().checked_sub(1) else {
        return 0;
    };
    let mut first = scroll.min(last);
    while first > 0 && rows_between(rows, first - 1, last) <= height {
        first -= 1;
    }
    let Some(selected) = selected.filter(|at| *at <= last) else {
        return first;
    };
    first = first.min(selected);
    while first < selected && rows_between(rows, first, selected) > height {
        first += 1;
    }
    first
}

/// The play that was made, if the list of so many rows from `first` on does not reach it: it then has the last row.
/// Not while a play is selected, which the list follows.
pub fn pinned_candidate(
    app: &App,
    rows: &[CandidateRow],
    first: usize,
    height: usize,
) -> Option<usize> {
    let played = rows.iter().position(|row| row.is_played)?;
    let is_below = played >= first && rows_between(rows, first, played) > height;
    (is_below && height > 1 && app.selection.play.is_none()).then_some(played)
}

/// Rows of the screen from one candidate to another: rules between levels take rows as well.
fn rows_between(rows: &[CandidateRow], first: usize, last: usize) -> usize {
    let below = rows[first..=last].iter().skip(1);
    last + 1 - first + below.filter(|row| row.starts_level).count()
}

/// Rows below the list for the facts of a play.
pub const FACTS: u16 = 3;

/// Rows of the list, given those of the pane.
pub fn list_height(pane: u16) -> u16 {
    // Title and column heads above, facts below.
    if pane >= LOW {
        pane.saturating_sub(2 + FACTS)
    } else {
        pane.saturating_sub(1)
    }
}

/// First row of the list, from the top of the pane.
pub fn list_top(pane: u16) -> u16 {
    if pane >= LOW { 2 } else { 1 }
}
