//! Which row of a list lies where: known to drawing and to the mouse alike.

use super::state::Document;
use crate::game::Player;
use crate::match_file::{GameResult, Match};

/// One row of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListLine {
    /// Heading of a game.
    Game(usize),
    /// A turn.
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

/// Rows of the pane of moves, below its title: the list, the note about the turn in view if there is
/// one, of so many lines, the totals.
#[must_use]
pub fn moves_rows(inner: u16, lines: u16) -> [u16; 3] {
    let totals = 3.min(inner / 6);
    let note = match lines {
        1.. if inner >= 14 => (lines + 1).min(inner / 2),
        _ => 0,
    };
    [inner - totals - note, note, totals]
}

/// Lines of the note about the turn in view, in so many columns.
#[must_use]
pub fn note_lines(note: Option<&str>, columns: u16) -> u16 {
    let lines = |note: &str| super::text::wrap(note, usize::from(columns), 100).len() as u16;
    note.map_or(0, lines)
}

/// First row on screen, so that the turn in view is near the middle.
pub fn first_line(lines: &[ListLine], at: usize, height: usize) -> usize {
    let row = lines
        .iter()
        .position(|l| *l == ListLine::Turn(at))
        .unwrap_or(0);
    first_row_around(row, lines.len(), height)
}

/// First row on screen, so that row `at` of so many is near the middle.
#[must_use]
pub fn first_row_around(at: usize, rows: usize, height: usize) -> usize {
    at.saturating_sub(height / 2)
        .min(rows.saturating_sub(height))
}

/// Rows below the list for the facts of a play.
pub const FACTS: u16 = 3;

/// Rows of the list, given those of the pane.
pub fn list_height(pane: u16) -> u16 {
    // Title and column heads above, facts below.
    if pane >= 10 {
        pane.saturating_sub(2 + FACTS)
    } else {
        pane.saturating_sub(1)
    }
}

/// First row of the list, from the top of the pane.
pub fn list_top(pane: u16) -> u16 {
    if pane >= 10 { 2 } else { 1 }
}
