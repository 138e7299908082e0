//! Areas that respond to the mouse, and the meaning of clicks.

use ratatui::layout::{Position as Cell, Rect};

use crate::game::Position;
use crate::tui::keys::ActionId;
use crate::tui::rollouts::inquiry::MatrixPlace;

/// The meaning of a click.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// No effect: the background of a window covers what is below.
    Ground,
    /// No effect: a message or the list of keys covers what is below.
    Cover,
    /// Same effect as the key of an action.
    Action(ActionId),
    /// A row of the list in the window, or a roll of the map there.
    Row(usize),
    /// A reference position of the selected error family in the study plan, by index.
    Reference(usize),
    /// A cell of the matrix of scores.
    Cell(MatrixPlace),
    /// A score of the match equity table, in points needed by the bottom player and the opponent.
    AwayScore([u16; 2]),
    Turn(usize),
    /// A range of turns side by side, starting with the first.
    Course {
        first: usize,
        turns: usize,
    },
    /// A range of trials of the displayed rollout, from none to this number.
    Trials(u64),
    /// A play, by the resulting position.
    Play(Position),
    /// An edge that can be dragged.
    Divider(Divider),
}

/// An edge between panes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Divider {
    /// Right of the list of moves.
    Moves,
    /// Right of the board.
    BoardSide,
    /// Below the board.
    BoardFoot,
}

/// An edge being dragged: where the button was pressed, and the widths at that moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dragged {
    pub divider: Divider,
    /// The column where the button was pressed; the row for the foot of the board.
    pub from: u16,
    /// Columns by which the move list was wider than usual.
    pub wider_moves: i16,
    /// Columns by which each point of the board was narrower than possible.
    pub smaller_board: u16,
}

/// All areas that respond to the mouse, the lowest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Targets(Vec<(Rect, Target)>);

impl Targets {
    /// Adds an area on top of the others.
    pub fn add(&mut self, area: Rect, target: Target) {
        if !area.is_empty() {
            self.0.push((area, target));
        }
    }

    /// The topmost target at a cell of the screen, and its area.
    pub fn at(&self, column: u16, row: u16) -> Option<(Rect, Target)> {
        let cell = Cell::new(column, row);
        let mut from_top = self.0.iter().rev();
        from_top.find(|(area, _)| area.contains(cell)).copied()
    }

    /// All targets, the lowest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &(Rect, Target)> {
        self.0.iter()
    }
}

/// Index of the item at a column, of `count` items side by side in `area`.
pub fn share(area: Rect, column: u16, count: u64) -> u64 {
    let along = u64::from(
        column
            .saturating_sub(area.x)
            .min(area.width.saturating_sub(1)),
    );
    // The last column belongs to the last item.
    let last = u64::from(area.width.saturating_sub(1)).max(1);
    (along * count.saturating_sub(1) + last / 2) / last
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_top_is_found_and_ends_are_ends() {
        let mut targets = Targets::default();
        targets.add(Rect::new(0, 0, 10, 5), Target::Turn(1));
        targets.add(Rect::new(2, 2, 3, 1), Target::Ground);
        targets.add(Rect::new(5, 2, 0, 1), Target::Turn(9));
        assert_eq!(targets.at(3, 2).map(|t| t.1), Some(Target::Ground));
        assert_eq!(targets.at(5, 2).map(|t| t.1), Some(Target::Turn(1)));
        assert_eq!(targets.at(10, 2), None);
        let area = Rect::new(4, 0, 21, 3);
        assert_eq!([4, 14, 24].map(|x| share(area, x, 41)), [0, 20, 40]);
        assert_eq!(share(area, 99, 41), 40);
        assert_eq!(share(Rect::new(0, 0, 1, 1), 0, 7), 0);
    }
}
