//! Lays a diagram out as a drawing: its shapes, from back to front.

use super::arrows;
use super::layout::{
    BOTTOM, DIE, FRAME, HEIGHT, IDENTIFIER, INNER, Layout, MIDDLE, NOTES, POINT, RADIUS, RAIL,
    STEP, TOP, WIDTH,
};
use super::lettering::{Held, line};
use super::shape::{Part, Segment, Shape};
use super::subject::Diagram;
use crate::game::position::{BAR, POINTS};
use crate::game::{CubeOwner, GameState, Player, Roll};
use crate::notation::xgid_text;

/// Height of the digits of points, and below of the identifier, of the notes and of counts.
const SMALL: f32 = 9.0;
const IDENTIFIER_DIGITS: f32 = 11.0;
const NOTE: f32 = 12.0;
const COUNT: f32 = 14.0;

pub(super) struct Drawing {
    pub(super) height: f32,
    /// The shapes from back to front.
    pub(super) shapes: Vec<Shape>,
}

pub(super) fn drawing(diagram: &Diagram) -> Drawing {
    let height = match diagram.identified {
        true => HEIGHT + IDENTIFIER,
        false => HEIGHT,
    };
    let page = Shape::rectangle(Part::Page, [0.0, 0.0, WIDTH, height], 0.0);
    let mut shapes = Vec::with_capacity(160);
    shapes.push(page);
    lay_out(&mut shapes, diagram);
    if diagram.identified {
        identifier(&mut shapes, &diagram.state);
    }
    Drawing { height, shapes }
}

/// Adds everything except the page and the identifier.
fn lay_out(shapes: &mut Vec<Shape>, diagram: &Diagram) {
    let layout = Layout {
        mirrored: diagram.mirrored,
    };
    board(shapes, layout);
    points(shapes, layout);
    for below in [true, false] {
        checkers(shapes, diagram, layout, below);
        borne_off(shapes, diagram, layout, below);
        notes(shapes, diagram, layout, below);
    }
    cube(shapes, diagram, layout);
    if let Some(roll) = diagram.state.roll {
        dice(shapes, roll, diagram.player, layout);
    }
    if let Some(play) = &diagram.play {
        arrows::play(shapes, diagram, play, layout);
    }
}

/// Adds the XGID below all other parts, centred.
fn identifier(shapes: &mut Vec<Shape>, state: &GameState) {
    let at = (0.5 * WIDTH, HEIGHT + 0.35 * IDENTIFIER);
    let xgid = line(&xgid_text(state), Held::Middle, at, IDENTIFIER_DIGITS);
    shapes.push(Shape::path(Part::Note, xgid));
}

fn board(shapes: &mut Vec<Shape>, layout: Layout) {
    let frame = [0.0, NOTES, WIDTH, HEIGHT - 2.0 * NOTES];
    shapes.push(Shape::rectangle(Part::Wood, frame, 8.0));
    for (x, width) in [
        (FRAME, 6.0 * STEP),
        (FRAME + 7.0 * STEP, 6.0 * STEP),
        (FRAME + 13.0 * STEP + RAIL, STEP),
    ] {
        let felt = [layout.left(x, width), TOP, width, INNER];
        shapes.push(Shape::rectangle(Part::Felt, felt, 2.0));
    }
}

fn points(shapes: &mut Vec<Shape>, layout: Layout) {
    for n in 1..=POINTS {
        let (x, top) = layout.point(n);
        let (edge, way) = if top { (TOP, 1.0) } else { (BOTTOM, -1.0) };
        let part = if n % 2 == 0 {
            Part::PointA
        } else {
            Part::PointB
        };
        let triangle = vec![
            Segment::Move(x - 0.5 * STEP, edge),
            Segment::Line(x, edge + way * POINT),
            Segment::Line(x + 0.5 * STEP, edge),
            Segment::Close,
        ];
        shapes.push(Shape::path(part, triangle));
        let number = line(
            &n.to_string(),
            Held::Middle,
            (x, edge - way * 0.5 * FRAME),
            SMALL,
        );
        shapes.push(Shape::path(Part::Number, number));
    }
}

fn checkers(shapes: &mut Vec<Shape>, diagram: &Diagram, layout: Layout, below: bool) {
    let (player, side) = (diagram.player(below), diagram.side(below));
    for place in 1..=BAR {
        let count = side.at(place);
        let stack = layout.stack(place, below);
        for i in 0..count {
            let at = stack.checker(i, count);
            shapes.push(Shape {
                place: u8::try_from(place).ok(),
                ..Shape::circle(Part::Checker(player), at, RADIUS)
            });
            shapes.push(Shape::circle(Part::Rim(player), at, 0.68 * RADIUS));
        }
        if count > 5 {
            let at = stack.checker(count - 1, count);
            let number = line(&count.to_string(), Held::Middle, at, COUNT);
            shapes.push(Shape::path(Part::Count(player), number));
        }
    }
}

fn borne_off(shapes: &mut Vec<Shape>, diagram: &Diagram, layout: Layout, below: bool) {
    let part = Part::Off(diagram.player(below));
    for i in 0..diagram.side(below).off() {
        shapes.push(Shape::rectangle(part, layout.off(i, below), 2.0));
    }
}

/// Adds the notes beside the board: colour of the side, mark of the player on roll, pips, and the score.
fn notes(shapes: &mut Vec<Shape>, diagram: &Diagram, layout: Layout, below: bool) {
    let score = diagram.state.score;
    let away = score
        .away()
        .map(|(own, other)| if below { own } else { other });
    let y = if below {
        HEIGHT - 0.5 * NOTES
    } else {
        0.5 * NOTES
    };
    let start = layout.left(FRAME, 0.0);
    let (held, other, way) = if layout.mirrored {
        (Held::Right, Held::Left, -1.0)
    } else {
        (Held::Left, Held::Right, 1.0)
    };
    shapes.push(Shape::circle(
        Part::Sign(diagram.player(below)),
        (start + way * 8.0, y),
        8.0,
    ));
    // A player who has doubled is on roll; the player below has to answer.
    if below != diagram.state.doubled {
        let tip = vec![
            Segment::Move(start - way * 14.0, y - 6.0),
            Segment::Line(start - way * 4.0, y),
            Segment::Line(start - way * 14.0, y + 6.0),
            Segment::Close,
        ];
        shapes.push(Shape::path(Part::OnRoll, tip));
    }
    if diagram.pips {
        let pips = format!("pips {}", diagram.side(below).pips());
        let pips = line(&pips, held, (start + way * 26.0, y), NOTE);
        shapes.push(Shape::path(Part::Note, pips));
    }
    let score = match away {
        None if !below => return,
        None => "money".to_owned(),
        Some(1) if score.crawford => "1 away  Crawford".to_owned(),
        Some(away) => format!("{away} away"),
    };
    let end = layout.x(WIDTH - FRAME);
    let score = line(&score, other, (end, y), NOTE);
    shapes.push(Shape::path(Part::Note, score));
}

fn cube(shapes: &mut Vec<Shape>, diagram: &Diagram, layout: Layout) {
    let state = &diagram.state;
    // The Crawford game has no cube, nor has a game in which both players need one point.
    if !state.doubled && (state.score.crawford || state.score.away() == Some((1, 1))) {
        return;
    }
    let tray = layout.tray() + 0.5 * STEP;
    // An owned cube lies in the owner's half of the tray, beyond the checkers borne off and those that the
    // displayed play bears off.
    let position = &state.position;
    let after = diagram.play.map(|play| play.apply(position));
    let off = after.map_or(position.mover.off(), |after| after.opponent.off());
    let [_, mine, _, _] = layout.off(off, true);
    let [_, theirs, _, height] = layout.off(position.opponent.off(), false);
    // The cube of a pending double lies on the board.
    let (x, y, value) = match (state.doubled, state.owner) {
        (true, _) => (
            layout.x(FRAME + 10.0 * STEP),
            MIDDLE,
            state.cube.saturating_mul(2),
        ),
        (_, CubeOwner::Centred) => (tray, MIDDLE, state.cube),
        (_, CubeOwner::Mover) => (tray, mine + height - 0.5 * DIE, state.cube),
        (_, CubeOwner::Opponent) => (tray, theirs + 0.5 * DIE, state.cube),
    };
    let size = DIE;
    let square = [x - 0.5 * size, y - 0.5 * size, size, size];
    shapes.push(Shape::rectangle(Part::Cube, square, 4.0));
    let text = value.to_string();
    let tall = if text.len() > 2 { 8.0 } else { 13.0 };
    let number = line(&text, Held::Middle, (x, y), tall);
    shapes.push(Shape::path(Part::CubeNumber, number));
}

fn dice(shapes: &mut Vec<Shape>, roll: Roll, player: Player, layout: Layout) {
    for (i, die) in [(-1.0, roll.high()), (1.0, roll.low())] {
        let x = layout.x(FRAME + 10.0 * STEP) + i * 24.0;
        let square = [x - 0.5 * DIE, MIDDLE - 0.5 * DIE, DIE, DIE];
        shapes.push(Shape::rectangle(Part::Die(player), square, 6.0));
        for (column, row) in spots(die) {
            let at = (x + 9.0 * column, MIDDLE + 9.0 * row);
            shapes.push(Shape::circle(Part::Spot(player), at, 3.2));
        }
    }
}

/// Returns the places of the spots of a die, relative to its centre.
fn spots(die: u8) -> impl Iterator<Item = (f32, f32)> {
    let all: [(bool, [(f32, f32); 2]); 3] = [
        (die > 1, [(-1.0, -1.0), (1.0, 1.0)]),
        (die > 3, [(-1.0, 1.0), (1.0, -1.0)]),
        (die == 6, [(-1.0, 0.0), (1.0, 0.0)]),
    ];
    let pairs = all.into_iter().filter(|pair| pair.0);
    let middle = (die % 2 == 1).then_some((0.0, 0.0));
    middle.into_iter().chain(pairs.flat_map(|pair| pair.1))
}
