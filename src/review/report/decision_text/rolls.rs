//! All rolls of a position, in words.

use super::{percent, points};
use crate::analysis::{RollTable, RollValue};
use crate::game::{GameState, Roll};
use crate::grid::Grid;
use crate::notation::play::dice;
use crate::notation::play_text;

/// All rolls of a position with their best plays.
pub struct RollsText<'a> {
    /// The position as it was given.
    pub position: &'a str,
    /// The same as a state.
    pub state: &'a GameState,
    pub table: &'a RollTable,
    /// The roll that has come, if one has: it is marked.
    pub roll: Option<Roll>,
}

impl RollsText<'_> {
    /// Writes a line for each roll, the best first, under what they are worth on average.
    pub fn write(&self) -> String {
        let table = self.table;
        let position = self.state.roller().position;
        let in_match = table.rolls.iter().any(|one| one.mwc.is_some());
        let mut head = vec!["roll", "best play", "equity"];
        head.extend(in_match.then_some("MWC"));
        head.extend(["luck", ""]);
        let mut grid = Grid::new(&head).with_words(&["best play", ""]);
        for one in &table.rolls {
            let mut row = vec![
                dice(one.roll),
                play_text(&position, &one.play),
                points(one.points),
            ];
            row.extend(in_match.then(|| one.mwc.map_or_else(String::new, percent)));
            row.push(points(table.luck(one)));
            row.push(self.remark(one).to_owned());
            grid.row(row);
        }
        format!(
            "{}\n{} rolls, plays at {}-ply, without a double before: {} on average\n\n{}",
            self.position,
            table.rolls.len(),
            table.ply,
            points(table.mean),
            grid.without_empty_last()
        )
    }

    fn remark(&self, one: &RollValue) -> &'static str {
        match self.roll == Some(one.roll) {
            true => "rolled",
            false => "",
        }
    }
}
