//! The shapes that a drawing is made of.

use crate::game::Player;

/// What a shape is a part of; it chooses the paint, and is the class in SVG.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// What lies behind everything.
    Page,
    /// Frame and bar.
    Wood,
    /// The two tables and the tray.
    Felt,
    /// The points of even number.
    PointA,
    /// The points of odd number.
    PointB,
    /// The number of a point, in the frame.
    Number,
    /// A checker on a point or the bar.
    Checker(Player),
    /// A line within a checker.
    Rim(Player),
    /// How many checkers there are on a point.
    Count(Player),
    /// A checker borne off.
    Off(Player),
    /// Where a checker of the play lands.
    Landing(Player),
    /// From where to where a checker goes.
    Arrow,
    ArrowHead,
    /// A cross on a checker that is hit.
    Hit,
    Die(Player),
    /// A spot of a die.
    Spot(Player),
    /// The doubling cube.
    Cube,
    CubeNumber,
    /// Pips and score, beside the board.
    Note,
    /// The colour of a player beside the notes.
    Sign(Player),
    /// The mark of the player on roll.
    OnRoll,
}

impl Part {
    /// The class in SVG.
    pub(super) fn class(self) -> &'static str {
        let side = |player, [left, right]: [&'static str; 2]| match player {
            Player::Left => left,
            Player::Right => right,
        };
        match self {
            Self::Page => "page",
            Self::Wood => "wood",
            Self::Felt => "felt",
            Self::PointA => "point-a",
            Self::PointB => "point-b",
            Self::Number => "number",
            Self::Checker(player) => side(player, ["checker left", "checker right"]),
            Self::Rim(player) => side(player, ["rim left", "rim right"]),
            Self::Count(player) => side(player, ["count left", "count right"]),
            Self::Off(player) => side(player, ["off left", "off right"]),
            Self::Landing(player) => side(player, ["landing left", "landing right"]),
            Self::Arrow => "arrow",
            Self::ArrowHead => "arrow-head",
            Self::Hit => "hit",
            Self::Die(player) => side(player, ["die left", "die right"]),
            Self::Spot(player) => side(player, ["spot left", "spot right"]),
            Self::Cube => "cube",
            Self::CubeNumber => "cube-number",
            Self::Note => "note",
            Self::Sign(player) => side(player, ["sign left", "sign right"]),
            Self::OnRoll => "on-roll",
        }
    }
}

/// A step of a path, to a point in units of the drawing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Segment {
    /// The pen is lifted and set down here.
    Move(f32, f32),
    /// A straight line.
    Line(f32, f32),
    /// A quadratic curve: its control point, and its end.
    Curve(f32, f32, f32, f32),
    /// Back to where the pen was set down.
    Close,
}

/// The form of a shape.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Form {
    /// A circle: middle and radius.
    Circle { x: f32, y: f32, r: f32 },
    /// A rectangle with round corners of this radius.
    Rectangle {
        x: f32,
        y: f32,
        width: f32,
        height: f32,
        round: f32,
    },
    /// Lines and curves.
    Path(Vec<Segment>),
}

/// Something to be drawn.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Shape {
    pub(super) part: Part,
    pub(super) form: Form,
    /// The place of a checker in the numbers of its own side, 25 for the bar.
    pub(super) place: Option<u8>,
}

impl Shape {
    pub(super) fn new(part: Part, form: Form) -> Self {
        Self {
            part,
            form,
            place: None,
        }
    }

    pub(super) fn circle(part: Part, (x, y): (f32, f32), r: f32) -> Self {
        Self::new(part, Form::Circle { x, y, r })
    }

    pub(super) fn rectangle(part: Part, [x, y, width, height]: [f32; 4], round: f32) -> Self {
        let form = Form::Rectangle {
            x,
            y,
            width,
            height,
            round,
        };
        Self::new(part, form)
    }

    pub(super) fn path(part: Part, segments: Vec<Segment>) -> Self {
        Self::new(part, Form::Path(segments))
    }
}
