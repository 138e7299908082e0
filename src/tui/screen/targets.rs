//! What can be pointed at: where it was drawn, and what a click there means.

use ratatui::layout::{Position as Cell, Rect};

use crate::game::Position;
use crate::tui::keys::ActionId;
use crate::tui::rollouts::inquiry::MatrixPlace;

/// What a click means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Nothing: the ground of a window hides what lies below it.
    Ground,
    /// Nothing: a message, or the keys that may follow, hide what lies below them.
    Cover,
    /// What the key of an action does.
    Action(ActionId),
    /// A row of the list in the window, or a roll of the map there.
    Row(usize),
    /// A position that stands for the selected family of the study plan, by its place.
    Reference(usize),
    /// A cell of the matrix of scores.
    Cell(MatrixPlace),
    /// A score of the match equity table, in points that the player at the bottom and the other need.
    AwayScore([u16; 2]),
    Turn(usize),
    /// So many turns from the first one on, side by side.
    Course {
        first: usize,
        turns: usize,
    },
    /// Trials of the rollout on show, from none to so many.
    Trials(u64),
    /// A play, by the position after it.
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

/// An edge on its way: where the button went down, and how wide things were then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dragged {
    /// Which edge.
    pub divider: Divider,
    /// The column, or for the foot of the board the row, at which the button went down.
    pub from: u16,
    /// The list of moves was so many columns wider than usual.
    pub wider_moves: i16,
    /// The points of the board were so many columns narrower than they could be.
    pub smaller_board: u16,
}

/// Everything that can be pointed at, the lowest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Targets(Vec<(Rect, Target)>);

impl Targets {
    /// Adds what was drawn over all that is there.
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

/// Which of `count` things that lie side by side in `area` a column belongs to.
pub fn share(area: Rect, column: u16, count: u64) -> u64 {
    let along = u64::from(
        column
            .saturating_sub(area.x)
            .min(area.width.saturating_sub(1)),
    );
    // The last column is the last thing.
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
