//! The colours of a diagram.

use std::fmt;

use super::shape::Part;
use crate::game::Player;

/// A screen colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rgb(pub u8, pub u8, pub u8);

impl From<[u8; 3]> for Rgb {
    fn from([red, green, blue]: [u8; 3]) -> Self {
        Self(red, green, blue)
    }
}

impl fmt::Display for Rgb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }
}

/// The colours of the parts of a diagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colours {
    /// The background.
    pub page: Rgb,
    /// Pips and score, on the page.
    pub ink: Rgb,
    /// Frame and bar.
    pub wood: Rgb,
    /// The numbers of the points, on the wood.
    pub number: Rgb,
    /// The tables.
    pub felt: Rgb,
    /// The two alternating colours of points.
    pub points: [Rgb; 2],
    /// The checkers of the left and the right player.
    pub checkers: [Rgb; 2],
    /// The edges and counts of their checkers.
    pub edges: [Rgb; 2],
    pub cube: Rgb,
    /// Number and edge of the cube.
    pub cube_ink: Rgb,
    pub arrow: Rgb,
    /// The cross on a hit checker.
    pub hit: Rgb,
}

impl Default for Colours {
    /// A wooden board on a white page.
    fn default() -> Self {
        Self {
            page: Rgb(255, 255, 255),
            ink: Rgb(40, 44, 52),
            wood: Rgb(94, 62, 40),
            number: Rgb(233, 221, 200),
            felt: Rgb(234, 224, 203),
            points: [Rgb(158, 110, 74), Rgb(205, 178, 138)],
            checkers: [Rgb(35, 39, 46), Rgb(250, 247, 240)],
            edges: [Rgb(214, 219, 227), Rgb(60, 54, 48)],
            cube: Rgb(255, 255, 255),
            cube_ink: Rgb(34, 34, 34),
            arrow: Rgb(24, 128, 74),
            hit: Rgb(204, 44, 36),
        }
    }
}

impl Colours {
    /// Returns black, white and greys, for print.
    pub fn printed() -> Self {
        let grey = |level| Rgb(level, level, level);
        let (black, white) = (grey(0), grey(255));
        Self {
            page: white,
            ink: black,
            wood: grey(80),
            number: white,
            felt: white,
            points: [grey(170), grey(222)],
            checkers: [grey(24), white],
            edges: [grey(220), black],
            cube: white,
            cube_ink: black,
            arrow: black,
            hit: black,
        }
    }
}

/// The paint of a shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ink {
    pub(super) fill: Option<Rgb>,
    /// Colour and width of the line.
    pub(super) line: Option<(Rgb, f32)>,
    pub(super) broken: bool,
}

impl Ink {
    fn fill(colour: Rgb) -> Self {
        Self {
            fill: Some(colour),
            line: None,
            broken: false,
        }
    }

    fn line(colour: Rgb, width: f32) -> Self {
        Self {
            fill: None,
            line: Some((colour, width)),
            broken: false,
        }
    }

    fn edged(colour: Rgb, edge: Rgb, width: f32) -> Self {
        Self {
            fill: Some(colour),
            line: Some((edge, width)),
            broken: false,
        }
    }
}

impl Colours {
    /// Returns the paint of a part.
    pub(super) fn ink(&self, part: Part) -> Ink {
        let of_player = |colours: &[Rgb; 2], player: Player| colours[player.index()];
        let checker = |player| of_player(&self.checkers, player);
        let edge = |player| of_player(&self.edges, player);
        match part {
            Part::Page => Ink::fill(self.page),
            Part::Wood => Ink::fill(self.wood),
            Part::Felt => Ink::fill(self.felt),
            Part::PointA => Ink::fill(self.points[0]),
            Part::PointB => Ink::fill(self.points[1]),
            Part::Number => Ink::line(self.number, 1.4),
            Part::Checker(player) => Ink::edged(checker(player), edge(player), 1.6),
            Part::Rim(player) => Ink::line(edge(player), 0.7),
            Part::Count(player) => Ink::line(edge(player), 2.4),
            Part::Off(player) => Ink::edged(checker(player), edge(player), 1.0),
            Part::Landing(_) => Ink {
                broken: true,
                ..Ink::line(self.arrow, 2.0)
            },
            Part::Arrow => Ink::line(self.arrow, 4.0),
            Part::ArrowHead => Ink::edged(self.arrow, self.arrow, 1.0),
            Part::Hit => Ink::line(self.hit, 4.0),
            Part::Die(player) => Ink::edged(checker(player), edge(player), 1.4),
            Part::Spot(player) => Ink::fill(edge(player)),
            Part::Cube => Ink::edged(self.cube, self.cube_ink, 1.4),
            Part::CubeNumber => Ink::line(self.cube_ink, 2.0),
            Part::Note => Ink::line(self.ink, 1.5),
            Part::Sign(player) => Ink::edged(checker(player), self.ink, 1.2),
            Part::OnRoll => Ink::fill(self.ink),
        }
    }
}
