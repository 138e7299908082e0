//! Places of checkers, in columns; a row is two columns tall.

use super::super::{BoardStyle, SLOTS, Scene};
use crate::game::Player;
use crate::game::position::{BAR, OFF};

/// A place for a checker, numbered for its owner: 25 is the bar, 0 the tray.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub player: Player,
    pub point: usize,
    /// Index of the checker there, from the edge of the board.
    pub slot: u16,
}

impl Place {
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

/// Height of a checker including the gap to the next.
fn pitch(style: BoardStyle) -> f32 {
    2.0 * f32::from(style.half) / f32::from(SLOTS)
}

/// The middle of a point's columns. On the smallest board its third column is a gap.
pub(super) fn middle_of(style: BoardStyle, column: u16) -> f32 {
    let wide = if style.is_small() { 2 } else { style.wide };
    f32::from(column) + f32::from(wide) / 2.0
}

/// Half-width and half-height of a checker.
pub(super) fn radii(style: BoardStyle) -> [f32; 2] {
    let most = 0.48 * f32::from(style.wide);
    let tall = 0.48 * pitch(style);
    let wide = most.min(1.25 * tall);
    [wide, tall.min(wide)]
}

/// y at which the points of a half start.
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

/// The centre of a checker on the bar; the first is next to the middle.
pub(super) fn on_bar(style: BoardStyle, column: u16, top: bool, slot: u16) -> [f32; 2] {
    on_point(style, column, top, SLOTS - 1 - slot)
}
