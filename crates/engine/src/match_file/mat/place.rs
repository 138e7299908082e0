//! Whose cell it is, as far as the layout tells.

use super::Source;
use super::cells::{CellKind, TextCell, TextRow};
use crate::game::Player;

/// Where left cells start, behind a row number.
const LEFT_COLUMN: usize = 5;
/// A row and its line.
pub(super) struct SourceRow {
    pub(super) line: u32,
    pub(super) row: TextRow,
}

/// A cell with its side.
#[derive(Clone, Copy)]
pub(super) struct Placed<'a> {
    pub(super) line: u32,
    pub(super) row: Option<u32>,
    pub(super) cell: &'a TextCell,
    pub(super) side: Player,
    /// Whether the layout leaves no doubt about the side.
    pub(super) sure: bool,
}

/// The warning about rows that are missing between the last one of a game and `next`, by their numbers.
pub(super) fn missing_row(game: &Source, next: &TextRow) -> Option<String> {
    let mut before = game.rows.iter().rev();
    let last = before.find_map(|row| row.row.number)?;
    let number = next.number.filter(|&number| number > last + 1)?;
    let game = game.number;
    Some(format!(
        "game {game}: row {number} follows row {last}: a row is missing, and what follows may be wrong"
    ))
}

/// Gives each cell its side. In a row of two the first is the left one. A single cell is left if it
/// starts nearer to the left column than to the one in which the game's second cells start; so is a result behind a
/// roll without a play, as GNU Backgammon writes it where the other player resigns at once.
pub(super) fn place(rows: &[SourceRow], fallback: usize) -> Vec<Placed<'_>> {
    let right = right_column(rows).unwrap_or(fallback);
    let mut cells = Vec::new();
    for SourceRow { line, row } in rows {
        for (i, cell) in row.cells.iter().enumerate() {
            let is_near = cell.column < (LEFT_COLUMN + right) / 2;
            let left = match row.cells.len() {
                2 => i == 0 || is_near && is_result_of_roll(row),
                _ => is_near,
            };
            cells.push(Placed {
                line: *line,
                row: row.number,
                cell,
                side: if left { Player::Left } else { Player::Right },
                sure: row.cells.len() == 2,
            });
        }
    }
    cells
}

/// Whether a row has a roll without a play, and a result.
fn is_result_of_roll(row: &TextRow) -> bool {
    let [first, second] = &row.cells[..] else {
        return false;
    };
    let is_bare = matches!(&first.kind, CellKind::Roll { body, .. } if body.trim().is_empty());
    is_bare && matches!(second.kind, CellKind::Wins { .. })
}

/// The most common start of a second cell. A position written behind an illegal play pushes the
/// second cell far along, a result behind a bare roll may stand far to the left: such rows do not count.
fn right_column(rows: &[SourceRow]) -> Option<usize> {
    let mut starts: Vec<usize> = rows
        .iter()
        .filter(|row| row.row.cells.len() == 2 && !row.row.cells[0].is_illegal_play())
        .filter(|row| !is_result_of_roll(&row.row))
        .map(|row| row.row.cells[1].column)
        .collect();
    starts.sort_unstable();
    let runs = starts.chunk_by(|a, b| a == b);
    runs.max_by_key(|run| run.len()).map(|run| run[0])
}
