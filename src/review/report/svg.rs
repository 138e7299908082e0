//! A position as an SVG picture: the player on roll below, bearing off on the right.

use std::fmt::Write as _;

use crate::game::{CubeOwner, GameState, Position, Roll};

use super::ReportSide;

/// Width of a point, and the unit of everything.
const STEP: f32 = 30.0;
/// Left edge of the points.
const EDGE: f32 = 14.0;
/// Height of the board.
const HEIGHT: f32 = 330.0;
const WIDTH: f32 = 2.0 * EDGE + 14.0 * STEP;
/// Radius of a checker.
const RADIUS: f32 = 13.5;
/// Checkers of a stack that are drawn; a number tells the rest.
const TALLEST: u8 = 5;

/// The picture. `mover` says whose side the player on roll is; `label` is read out instead of it.
#[must_use]
pub fn board(state: &GameState, mover: ReportSide, label: &str) -> String {
    let mut out = String::with_capacity(6000);
    let _ = write!(
        out,
        "<svg class=\"board\" viewBox=\"0 0 {WIDTH} {}\" role=\"img\"><title>{}</title>\
         <rect class=\"wood\" width=\"{WIDTH}\" height=\"{}\" rx=\"6\"/>\
         <rect class=\"felt\" x=\"{EDGE}\" y=\"{EDGE}\" width=\"{}\" height=\"{}\"/>\
         <rect class=\"felt\" x=\"{}\" y=\"{EDGE}\" width=\"{}\" height=\"{}\"/>",
        HEIGHT + 26.0,
        super::html::escape(label),
        HEIGHT + 26.0,
        6.0 * STEP,
        HEIGHT - 2.0 * EDGE,
        EDGE + 7.0 * STEP,
        6.0 * STEP,
        HEIGHT - 2.0 * EDGE,
    );
    points(&mut out);
    checkers(&mut out, &state.position, mover);
    cube(&mut out, state);
    if let Some(roll) = state.roll {
        dice(&mut out, roll, mover);
    }
    pips(&mut out, &state.position);
    out.push_str("</svg>");
    out
}

/// Left edge of point `n`, 1 to 24, and whether it hangs from the top.
fn place(n: usize) -> (f32, bool) {
    let top = n > 12;
    // Column 0 is the leftmost of 12.
    let column = if top { n - 13 } else { 12 - n };
    let bar = if column >= 6 { STEP } else { 0.0 };
    (EDGE + column as f32 * STEP + bar, top)
}

fn points(out: &mut String) {
    for n in 1..=24 {
        let (x, top) = place(n);
        let (base, tip) = if top {
            (EDGE, EDGE + 125.0)
        } else {
            (HEIGHT - EDGE, HEIGHT - EDGE - 125.0)
        };
        let class = if n % 2 == 0 { "dark" } else { "pale" };
        let y = if top { EDGE - 3.5 } else { HEIGHT - 3.5 };
        let middle = x + 0.5 * STEP;
        let _ = write!(
            out,
            "<path class=\"{class}\" d=\"M{x} {base}h{STEP}L{middle} {tip}z\"/>\
             <text class=\"no\" x=\"{middle}\" y=\"{y}\">{n}</text>",
        );
    }
}

fn checkers(out: &mut String, position: &Position, mover: ReportSide) {
    let sides = [&position.mover, &position.opponent];
    for (side, checkers) in sides.into_iter().enumerate() {
        let own = side == 0;
        let left = own == (mover == ReportSide::Left);
        let class = if left { "left" } else { "right" };
        for n in 1..=24 {
            let (x, top) = place(if own { n } else { 25 - n });
            let first = if top {
                EDGE + RADIUS
            } else {
                HEIGHT - EDGE - RADIUS
            };
            let step = if top { 1.0 } else { -1.0 } * 1.9 * RADIUS;
            stack(out, class, x + 0.5 * STEP, first, step, checkers.at(n));
        }
        // On the bar a checker stands in the half it has to enter into.
        let bar = EDGE + 6.5 * STEP;
        let (first, step) = if own {
            (120.0, -1.0)
        } else {
            (HEIGHT - 120.0, 1.0)
        };
        stack(out, class, bar, first, step * 1.9 * RADIUS, checkers.bar());
        off(out, class, own, checkers.off());
    }
}

fn stack(out: &mut String, class: &str, x: f32, first: f32, step: f32, count: u8) {
    for i in 0..count.min(TALLEST) {
        let y = first + f32::from(i) * step;
        let _ = write!(
            out,
            "<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"{RADIUS}\"/>"
        );
    }
    if count > TALLEST {
        let y = first + f32::from(TALLEST - 1) * step + 5.0;
        let _ = write!(
            out,
            "<text class=\"count {class}\" x=\"{x}\" y=\"{y}\">{count}</text>"
        );
    }
}

/// Checkers borne off, as a number in the tray.
fn off(out: &mut String, class: &str, own: bool, count: u8) {
    if count > 0 {
        let x = EDGE + 13.5 * STEP + 6.0;
        let y = if own { HEIGHT - 40.0 } else { 40.0 };
        let _ = write!(
            out,
            "<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"{RADIUS}\"/>\
             <text class=\"count {class}\" x=\"{x}\" y=\"{}\">{count}</text>",
            y + 5.0
        );
    }
}

fn cube(out: &mut String, state: &GameState) {
    let doubled = state.doubled;
    let value = match (doubled, state.cube) {
        (true, cube) => cube.saturating_mul(2),
        (false, 1) => 64,
        (false, cube) => cube,
    };
    let y = match (doubled, state.owner) {
        (true, _) | (_, CubeOwner::Centred) => 0.5 * HEIGHT,
        (_, CubeOwner::Mover) => HEIGHT - 90.0,
        (_, CubeOwner::Opponent) => 90.0,
    };
    let x = EDGE + 13.5 * STEP + 6.0;
    let _ = write!(
        out,
        "<rect class=\"cube\" x=\"{}\" y=\"{}\" width=\"24\" height=\"24\" rx=\"3\"/>\
         <text class=\"cubeno\" x=\"{x}\" y=\"{}\">{value}</text>",
        x - 12.0,
        y - 12.0,
        y + 4.5
    );
}

fn dice(out: &mut String, roll: Roll, mover: ReportSide) {
    let class = if mover == ReportSide::Left {
        "left"
    } else {
        "right"
    };
    for (i, die) in [roll.high(), roll.low()].into_iter().enumerate() {
        let x = EDGE + 9.0 * STEP + i as f32 * 34.0;
        let y = 0.5 * HEIGHT - 13.0;
        let _ = write!(
            out,
            "<rect class=\"die {class}\" x=\"{x}\" y=\"{y}\" width=\"26\" height=\"26\" rx=\"5\"/>"
        );
        for (column, row) in eyes(die) {
            let _ = write!(
                out,
                "<circle class=\"eye {class}\" cx=\"{}\" cy=\"{}\" r=\"2.4\"/>",
                x + 13.0 + 7.0 * column,
                y + 13.0 + 7.0 * row
            );
        }
    }
}

/// Where the eyes of a die are, from its middle.
fn eyes(die: u8) -> Vec<(f32, f32)> {
    let mut eyes = Vec::new();
    if die % 2 == 1 {
        eyes.push((0.0, 0.0));
    }
    if die > 1 {
        eyes.extend([(-1.0, -1.0), (1.0, 1.0)]);
    }
    if die > 3 {
        eyes.extend([(-1.0, 1.0), (1.0, -1.0)]);
    }
    if die == 6 {
        eyes.extend([(-1.0, 0.0), (1.0, 0.0)]);
    }
    eyes
}

fn pips(out: &mut String, position: &Position) {
    let _ = write!(
        out,
        "<text class=\"pips\" x=\"{EDGE}\" y=\"{}\">pips: {} on roll, {} opponent</text>",
        HEIGHT + 18.0,
        position.mover.pips(),
        position.opponent.pips()
    );
}
