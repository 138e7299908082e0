//! Draws a play on the position before it: an arrow and a landing place for each checker, and the hits.

use super::layout::{Layout, MIDDLE, RADIUS, STEP};
use super::shape::{Part, Segment, Shape};
use super::subject::Diagram;
use crate::game::position::{BAR, OFF};
use crate::game::{Play, Position};
use crate::notation::play::{hits, ways};

pub(super) fn play(shapes: &mut Vec<Shape>, diagram: &Diagram, play: &Play, layout: Layout) {
    let position = &diagram.state.position;
    let hit = hits(position, play);
    for place in (1..BAR).filter(|place| hit >> place & 1 == 1) {
        let (x, y) = layout.stack(BAR - place, false).checker(0, 1);
        shapes.push(Shape::path(Part::Hit, cross(x, y, 0.5 * RADIUS)));
    }
    let mut taken = [0u8; 26];
    let mut come = [0u8; 26];
    let mut over = Vec::new();
    for way in ways(play) {
        let (Some(&from), Some(&to)) = (way.first(), way.last()) else {
            continue;
        };
        let (from, to) = (usize::from(from), usize::from(to));
        let start = start(position, layout, from, taken[from]);
        taken[from] += 1;
        let end = end(position, layout, to, hit, come[to]);
        come[to] += 1;
        if to != OFF {
            let landing = Part::Landing(diagram.player(true));
            shapes.push(Shape::circle(landing, end, RADIUS - 1.5));
        }
        over.extend(arrow(start, end));
    }
    shapes.extend(over);
}

/// Returns the centre of the checker that leaves.
fn start(position: &Position, layout: Layout, from: usize, taken: u8) -> (f32, f32) {
    let count = position.mover.at(from);
    let stack = layout.stack(from, true);
    stack.checker(count.saturating_sub(1 + taken), count)
}

/// Returns the destination: on top of the stack, or in place of a hit checker.
fn end(position: &Position, layout: Layout, to: usize, hit: u32, come: u8) -> (f32, f32) {
    if to == OFF {
        let [x, y, width, height] = layout.off(position.mover.off() + come, true);
        return (x + 0.5 * width, y + 0.5 * height);
    }
    let is_hit = to < BAR && hit >> to & 1 == 1;
    let count = position.mover.at(to) + come + u8::from(is_hit);
    layout.stack(to, true).checker(count, count + 1)
}

/// Draws a curved arrow between two centres, bent toward the middle of the board.
fn arrow(from: (f32, f32), to: (f32, f32)) -> [Shape; 2] {
    let far = (to.0 - from.0).abs();
    let bend = (0.18 * far).min(0.9 * STEP);
    let half = 0.5 * (from.1 + to.1);
    let toward = if half < MIDDLE { bend } else { -bend };
    let control = (0.5 * (from.0 + to.0), half + toward);
    let (dx, dy) = (to.0 - control.0, to.1 - control.1);
    let length = dx.hypot(dy).max(1.0);
    let (ux, uy) = (dx / length, dy / length);
    let neck = (to.0 - 9.0 * ux, to.1 - 9.0 * uy);
    let line = vec![
        Segment::Move(from.0, from.1),
        Segment::Curve(control.0, control.1, neck.0, neck.1),
    ];
    let head = vec![
        Segment::Move(to.0, to.1),
        Segment::Line(neck.0 - ux * 3.0 - 7.0 * uy, neck.1 - uy * 3.0 + 7.0 * ux),
        Segment::Line(neck.0 - ux * 3.0 + 7.0 * uy, neck.1 - uy * 3.0 - 7.0 * ux),
        Segment::Close,
    ];
    [
        Shape::path(Part::Arrow, line),
        Shape::path(Part::ArrowHead, head),
    ]
}

fn cross(x: f32, y: f32, r: f32) -> Vec<Segment> {
    vec![
        Segment::Move(x - r, y - r),
        Segment::Line(x + r, y + r),
        Segment::Move(x - r, y + r),
        Segment::Line(x + r, y - r),
    ]
}
