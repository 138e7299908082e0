//! Where checkers lie, in columns; a row is two of them.

use super::super::{BoardStyle, SLOTS, Scene};
use crate::game::Player;
use crate::game::position::{BAR, OFF};

/// A place for a checker, counted as its owner counts: 25 is the bar, 0 the tray.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The owner.
    pub player: Player,
    pub point: usize,
    /// Which of the checkers there, from the edge of the board.
    pub slot: u16,
}

impl Place {
    /// The centre of the checker there.
    pub(super) fn centre(self, style: BoardStyle, bottom: Player, mirrored: bool) -> [f32; 2] {
        let slot = self.slot.min(SLOTS - 1);
        let is_bottom = self.player == bottom;
        match self.point {
            BAR => on_bar(
                style,
                style.bar_column(mirrored),
                is_bottom,
                slot.min(SLOTS - 2),
            ),
            OFF => {
                let column = style.tray_column(mirrored);
                on_point(style, column, !is_bottom, 1)
            }
            point => {
                let point = if is_bottom { point } else { BAR - point };
                let (top, place) = Scene::place(point, mirrored);
                on_point(style, style.column(place, mirrored), top, slot)
            }
        }
    }
}

/// Height of a checker with the gap to the next.
fn pitch(style: BoardStyle) -> f32 {
    2.0 * f32::from(style.half) / f32::from(SLOTS)
}

/// The middle of the columns of a point. On the smallest board its third column parts it from the next.
pub(super) fn middle_of(style: BoardStyle, column: u16) -> f32 {
    let wide = if style.is_small() { 2 } else { style.wide };
    f32::from(column) + f32::from(wide) / 2.0
}

/// Half of the width and of the height of a checker.
pub(super) fn radii(style: BoardStyle) -> [f32; 2] {
    let most = 0.48 * f32::from(style.wide);
    let tall = 0.48 * pitch(style);
    let wide = most.min(1.25 * tall);
    [wide, tall.min(wide)]
}

/// Where the points of a half begin.
pub(super) fn foot(style: BoardStyle, top: bool) -> f32 {
    if top {
        2.0
    } else {
        2.0 * f32::from(style.height() - 1)
    }
}

/// The centre of a checker on a point.
pub(super) fn on_point(style: BoardStyle, column: u16, top: bool, slot: u16) -> [f32; 2] {
    let x = middle_of(style, column);
    let up = (f32::from(slot) + 0.5) * pitch(style);
    let foot = foot(style, top);
    [x, if top { foot + up } else { foot - up }]
}

/// The centre of a checker on the bar, the first next to the middle.
pub(super) fn on_bar(style: BoardStyle, column: u16, top: bool, slot: u16) -> [f32; 2] {
    on_point(style, column, top, SLOTS - 1 - slot)
}
