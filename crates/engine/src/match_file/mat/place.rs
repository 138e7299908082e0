//! The games of a file before replay, and the player of each cell by its column.

use super::cells::{CellKind, TextCell, TextRow};
use super::lines::ScoreLine;
use crate::game::Player;
use crate::match_file::start::Start;

/// Column of left cells, after a row number.
const LEFT_COLUMN: usize = 5;
/// Maximum distance at which a single cell certainly belongs to a column.
const NEAR: usize = 4;

pub(super) struct SourceRow {
    pub(super) line: u32,
    pub(super) row: TextRow,
}

/// A game as recorded in the file.
#[derive(Default)]
pub(super) struct Source {
    /// The game began with a score line before any player was known; the line may be a remark.
    pub(super) is_doubtful: bool,
    /// The game began with a score line, without a line `Game N`.
    pub(super) by_score: bool,
    pub(super) number: u32,
    pub(super) line: u32,
    /// Line of the score, if there is one.
    pub(super) score_line: u32,
    pub(super) score: Option<ScoreLine>,
    pub(super) start: Option<Start>,
    pub(super) rows: Vec<SourceRow>,
    /// The columns are exchanged: the left column belongs to the right player.
    pub(super) is_exchanged: bool,
}

impl Source {
    /// Returns whether the score line names players and is not a remark.
    pub(super) fn has_score(&self) -> bool {
        self.score.is_some() && !(self.is_doubtful && self.rows.is_empty())
    }
}

/// A line of two numbers after the rows: the final score, or a line to warn of with `message`.
pub(super) struct ClosingLine {
    pub(super) line: u32,
    pub(super) numbers: [u32; 2],
    pub(super) message: String,
}

/// Returns whether the score line after all games is the final score.
pub(super) fn is_final_score(
    sources: &[Source],
    index: usize,
    expected: [u16; 2],
    length: u16,
) -> bool {
    let source = &sources[index];
    let is_last = index > 0 && index + 1 == sources.len() && source.rows.is_empty();
    let needed = |points: u16| match length {
        0 => points,
        length => points.min(length),
    };
    let is_over = length > 0 && expected.iter().any(|&points| points >= length);
    let written = source.score.as_ref().map(|line| line.points.map(needed));
    is_last && (source.by_score || is_over) && written == Some(expected.map(needed))
}

/// A cell with its player.
#[derive(Clone, Copy)]
pub(super) struct Placed<'a> {
    pub(super) line: u32,
    pub(super) row: Option<u32>,
    pub(super) cell: &'a TextCell,
    pub(super) side: Player,
    /// The layout determines the side without doubt.
    pub(super) sure: bool,
    /// The cell is in the usual column of its side, in a row of one or two.
    pub(super) is_plain: bool,
}

impl Placed<'_> {
    /// Returns whether the cell is in the left column.
    pub(super) fn is_left(&self) -> bool {
        self.cell.column <= LEFT_COLUMN + NEAR
    }
}

/// Returns the warning about row numbers missing between the last row of a game and `next`.
pub(super) fn missing_row(game: &Source, next: &TextRow) -> Option<String> {
    let mut before = game.rows.iter().rev();
    let last = before.find_map(|row| row.row.number)?;
    let number = next.number.filter(|&number| number > last + 1)?;
    let game = game.number;
    Some(format!(
        "game {game}: row {number} follows row {last}: a row is missing, and what follows may be wrong"
    ))
}

/// Assigns a player to each cell. In a row of two, the first cell is the left one. A single cell is left if
/// it is nearer to the left column than to the usual column of second cells. The same holds for a result
/// after a roll without a play, as GNU Backgammon writes an immediate resignation of the other player. With
/// `is_exchanged`, the left column belongs to the right player.
pub(super) fn place(rows: &[SourceRow], fallback: usize, is_exchanged: bool) -> Vec<Placed<'_>> {
    let known = right_column(rows);
    let right = known.unwrap_or(fallback);
    let mut cells = Vec::new();
    for SourceRow { line, row } in rows {
        for (i, cell) in row.cells.iter().enumerate() {
            let is_near = cell.column < (LEFT_COLUMN + right) / 2;
            let left = match row.cells.len() {
                2 => i == 0 || is_near && is_result_of_roll(row),
                _ => is_near,
            };
            let own = if left { LEFT_COLUMN } else { right };
            let is_in_column = known.is_some() && cell.column.abs_diff(own) <= NEAR;
            cells.push(Placed {
                line: *line,
                row: row.number,
                cell,
                side: match left != is_exchanged {
                    true => Player::Left,
                    false => Player::Right,
                },
                sure: row.cells.len() == 2,
                is_plain: row.cells.len() == 2 || row.cells.len() == 1 && is_in_column,
            });
        }
    }
    cells
}

/// Returns whether a row consists of a roll without a play, and a result.
fn is_result_of_roll(row: &TextRow) -> bool {
    let [first, second] = &row.cells[..] else {
        return false;
    };
    let is_bare = matches!(&first.kind, CellKind::Roll { body, .. } if body.trim().is_empty());
    is_bare && matches!(second.kind, CellKind::Wins { .. })
}

/// Returns the most common column of second cells. Two kinds of rows do not count: those with a position
/// after an illegal play, and those with a result after a roll without a play.
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
