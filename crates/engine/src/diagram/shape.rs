//! The shapes of a drawing.

use crate::game::Player;

/// The kind of a shape, which determines its paint and is its class in SVG.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// The background.
    Page,
    /// Frame and bar.
    Wood,
    /// The two tables and the tray.
    Felt,
    /// Points with even numbers.
    PointA,
    /// Points with odd numbers.
    PointB,
    /// The number of a point, in the frame.
    Number,
    /// A checker on a point or the bar.
    Checker(Player),
    /// A line within a checker.
    Rim(Player),
    /// The number of checkers on a point.
    Count(Player),
    /// A checker borne off.
    Off(Player),
    /// The landing place of a checker of the play.
    Landing(Player),
    /// The way of a checker.
    Arrow,
    ArrowHead,
    /// A cross on a hit checker.
    Hit,
    Die(Player),
    Spot(Player),
    Cube,
    CubeNumber,
    /// Pips and score, beside the board.
    Note,
    /// The colour of a player, beside the notes.
    Sign(Player),
    /// The mark of the player on roll.
    OnRoll,
}

impl Part {
    /// Returns the class in SVG.
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

/// A segment of a path, to a point in units of the drawing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Segment {
    /// Moves the pen without drawing.
    Move(f32, f32),
    Line(f32, f32),
    /// A quadratic curve: control point and end.
    Curve(f32, f32, f32, f32),
    /// Draws back to the start.
    Close,
}

/// The form of a shape.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Form {
    /// A circle: centre and radius.
    Circle { x: f32, y: f32, r: f32 },
    /// A rectangle with rounded corners of radius `round`.
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

/// A part of the drawing.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Shape {
    pub(super) part: Part,
    pub(super) form: Form,
    /// The place of a checker in its own side's numbers, 25 for the bar.
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
