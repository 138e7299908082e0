//! Measures of a diagram and the places of its parts.

use crate::game::position::BAR;

/// Width of a point, of the bar and of the tray.
pub(super) const STEP: f32 = 40.0;
/// Radius of a checker.
pub(super) const RADIUS: f32 = 18.5;
/// Width of the frame, which contains the numbers of the points.
pub(super) const FRAME: f32 = 22.0;
/// Height of the notes above the board, and of those below.
pub(super) const NOTES: f32 = 36.0;
/// Height inside the frame.
pub(super) const INNER: f32 = 444.0;
/// Length of a point.
pub(super) const POINT: f32 = 188.0;
/// Size of a die and of the cube.
pub(super) const DIE: f32 = 34.0;
/// Width of the wood between the tables and the tray.
pub(super) const RAIL: f32 = 8.0;

/// Width of the drawing.
pub(super) const WIDTH: f32 = 2.0 * FRAME + 14.0 * STEP + RAIL;
/// Height of the identifier, below all other parts.
pub(super) const IDENTIFIER: f32 = 24.0;
/// Height of the drawing without its identifier.
pub(super) const HEIGHT: f32 = INNER + 2.0 * FRAME + 2.0 * NOTES;
/// Upper and lower edge of the inside of the frame.
pub(super) const TOP: f32 = NOTES + FRAME;
pub(super) const BOTTOM: f32 = TOP + INNER;
/// Vertical centre of the board.
pub(super) const MIDDLE: f32 = 0.5 * (TOP + BOTTOM);

/// The orientation of the board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    pub(super) mirrored: bool,
}

/// A stack of checkers: the centre of its first checker, and its direction, 1 for down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stack {
    pub(super) x: f32,
    pub(super) first: f32,
    pub(super) way: f32,
}

/// Number of checkers in a stack without overlap; in taller stacks they overlap.
const LOOSE: u8 = 5;

impl Stack {
    /// Returns the centre of checker `i` of `count`, where checker 0 is at the edge.
    pub(super) fn checker(&self, i: u8, count: u8) -> (f32, f32) {
        let room = f32::from(LOOSE - 1) * 2.0 * RADIUS;
        let step = (room / f32::from(count.max(LOOSE) - 1)).min(2.0 * RADIUS);
        (self.x, self.first + self.way * step * f32::from(i))
    }
}

impl Layout {
    /// Returns the place of a column of the unmirrored drawing.
    pub(super) fn x(&self, x: f32) -> f32 {
        if self.mirrored { WIDTH - x } else { x }
    }

    /// Returns the left edge of a part of this width; `x` is its unmirrored left edge.
    pub(super) fn left(&self, x: f32, width: f32) -> f32 {
        if self.mirrored { WIDTH - x - width } else { x }
    }

    /// Returns the centre of point `n` (1 to 24, of the player below), and whether the point is at the top.
    pub(super) fn point(&self, n: usize) -> (f32, bool) {
        let top = n > 12;
        let column = if top { n - 13 } else { 12 - n };
        let bar = if column >= 6 { STEP } else { 0.0 };
        let x = FRAME + (column as f32 + 0.5) * STEP + bar;
        (self.x(x), top)
    }

    /// Returns the stack of one side at one of its own places, 25 for the bar. `below`: whether the side is
    /// at the bottom.
    pub(super) fn stack(&self, place: usize, below: bool) -> Stack {
        if place == BAR {
            // Checkers on the bar enter the opponent's home: the upper side's are below the centre.
            let way = if below { -1.0 } else { 1.0 };
            return Stack {
                x: self.x(FRAME + 6.5 * STEP),
                first: MIDDLE + way * (RADIUS + 14.0),
                way,
            };
        }
        let (x, top) = self.point(if below { place } else { BAR - place });
        let way = if top { 1.0 } else { -1.0 };
        let edge = if top { TOP } else { BOTTOM };
        Stack {
            x,
            first: edge + way * (RADIUS + 1.0),
            way,
        }
    }

    /// Returns the left edge of the tray.
    pub(super) fn tray(&self) -> f32 {
        self.left(FRAME + 13.0 * STEP + RAIL, STEP)
    }

    /// Returns the `i`-th checker borne off by a side: left, top, width, height.
    pub(super) fn off(&self, i: u8, below: bool) -> [f32; 4] {
        let (width, height) = (STEP - 8.0, 9.0);
        let along = 6.0 + 10.5 * f32::from(i);
        let y = if below {
            BOTTOM - along - height
        } else {
            TOP + along
        };
        [self.tray() + 4.0, y, width, height]
    }
}
