//! Composes a board of shapes and labels.

use super::glyphs::{Fitted, Fitter};
use super::palette::{CheckerInks, Ink, Palette};
use super::raster::Raster;
use super::shapes::Shape;
use super::{BoardStyle, SLOTS, Scene, Slot};
use crate::game::{Player, Roll};
use crate::store::settings::GlyphSet;

mod furniture;
mod places;
mod traces;

pub use places::Place;

/// The content of a board's picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Subject {
    pub scene: Scene,
    pub style: BoardStyle,
    /// Bears off on the left.
    pub mirrored: bool,
    pub roll: Option<Roll>,
    pub cube: Cube,
    /// Lines from start to end of moved checkers.
    pub traces: Vec<Trace>,
    /// Checkers clicked to choose a play.
    pub picked: Vec<Place>,
    /// Checkers in motion, which the scene omits.
    pub moving: Vec<Moving>,
    pub glyphs: GlyphSet,
}

/// The displayed cube.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cube {
    /// The number on it.
    pub value: u32,
    pub owner: Option<Player>,
    /// Whether this game has no cube.
    pub crawford: bool,
    /// Text about the cube action, and the cube value after a double.
    pub action: Option<(&'static str, Option<u32>)>,
}

impl Cube {
    /// Returns whether it is being offered; it is then drawn only beside the text.
    pub fn is_offered(&self) -> bool {
        matches!(self.action, Some((_, Some(_))))
    }
}

/// The path of a checker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trace {
    pub from: Place,
    pub to: Place,
    pub ink: Ink,
}

/// A checker in motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moving {
    pub player: Player,
    pub from: Place,
    pub to: Place,
    /// Progress from 0 to 1.
    pub way: f32,
}

/// A label on the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// First column.
    pub x: u16,
    pub y: u16,
    pub text: String,
    pub ink: Ink,
    /// Ink of the ground under it.
    pub ground: Ink,
}

/// A drawn board.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// Width in columns.
    pub width: u16,
    /// Cells by row.
    pub cells: Vec<Fitted>,
    pub labels: Vec<Label>,
}

impl Picture {
    /// Draws a board with `palette` and the characters of `fitter`.
    pub fn of(subject: &Subject, palette: &Palette, fitter: &mut Fitter) -> Self {
        let Drawing { raster, labels, .. } = Drawing::of(subject, palette);
        let (width, height) = (raster.width(), raster.height());
        let cells = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let cells = cells.map(|(x, y)| fitter.fit(raster.cell(x, y), palette));
        Self {
            width,
            cells: cells.collect(),
            labels,
        }
    }
}

/// A board being drawn.
struct Drawing<'a> {
    subject: &'a Subject,
    style: BoardStyle,
    raster: Raster,
    labels: Vec<Label>,
    /// Half-width and half-height of a checker.
    radii: [f32; 2],
    palette: &'a Palette,
    /// Whether cells may mix the colours of their inks, which thin rims need.
    mixes: bool,
}

impl<'a> Drawing<'a> {
    /// Draws the whole board.
    fn of(subject: &'a Subject, palette: &'a Palette) -> Self {
        let style = subject.style;
        let mut drawing = Self {
            subject,
            style,
            raster: Raster::new(style.width(), style.height(), Ink::Frame),
            labels: Vec::new(),
            radii: places::radii(style),
            palette,
            mixes: palette.mixes,
        };
        drawing.ground();
        drawing.points();
        drawing.checkers();
        drawing.picked();
        drawing.trays();
        drawing.cube();
        drawing.dice();
        drawing.traces();
        drawing.moving();
        drawing
    }

    /// Left edge of the point at `place` from the left, in columns.
    fn left(&self, place: u16) -> f32 {
        f32::from(self.style.column(place, self.subject.mirrored))
    }

    /// Draws the felt of both halves and the tray.
    fn ground(&mut self) {
        let (top, bottom) = (2.0, 2.0 * f32::from(self.style.height() - 1));
        let wide = f32::from(self.style.wide);
        for first in [0, 6] {
            let left = self.left(first);
            let felt = Shape::rect(left, top, left + 6.0 * wide, bottom);
            self.raster.fill(&felt, Ink::Felt);
        }
        let left = f32::from(self.style.tray_column(self.subject.mirrored));
        let middle = f32::from(self.style.middle_row());
        let ends = [
            (top, 2.0 * middle),
            (2.0 * (middle + f32::from(self.style.middle)), bottom),
        ];
        for (top, bottom) in ends {
            let tray = Shape::rect(left, top, left + wide, bottom);
            self.raster.fill(&tray, Ink::Tray);
        }
    }

    /// Draws the points with their numbers.
    fn points(&mut self) {
        let length = 2.0 * f32::from(self.style.half) * 0.93;
        // Felt beside each foot, so that a cell with the edge of a checker has two colours. On the smallest board the
        // third column is felt.
        let gap = match self.style.is_small() {
            true => 0.06,
            false => f32::from(self.style.wide) / 8.0,
        };
        for point in 1..=24usize {
            let (top, place) = Scene::place(point, self.subject.mirrored);
            let left = self.left(place);
            let foot = places::foot(self.style, top);
            let column = self.style.column(place, self.subject.mirrored);
            let middle = places::middle_of(self.style, column);
            let triangle = Shape::Triangle {
                base: [left + gap, 2.0 * middle - left - gap],
                foot,
                tip: if top { foot + length } else { foot - length },
            };
            let ink = if point % 2 == 0 {
                Ink::PointA
            } else {
                Ink::PointB
            };
            self.raster.fill(&triangle, ink);
            let row = if top { 0 } else { self.style.height() - 1 };
            let number = self.subject.scene.number(point).to_string();
            self.centred(column, row, number, Ink::Number, Ink::Frame);
        }
    }

    /// Writes text centred in a point's columns.
    fn centred(&mut self, column: u16, y: u16, text: String, ink: Ink, ground: Ink) {
        let width = text.len() as f32;
        let x = (places::middle_of(self.style, column) - width / 2.0)
            .max(0.0)
            .round() as u16;
        self.labels.push(Label {
            x,
            y,
            text,
            ink,
            ground,
        });
    }

    /// Draws the checkers on points and bar.
    fn checkers(&mut self) {
        let scene = self.subject.scene;
        for point in 1..=24 {
            let (top, place) = Scene::place(point, self.subject.mirrored);
            let column = self.style.column(place, self.subject.mirrored);
            for (slot, what) in (0..).zip(scene.slots(point, SLOTS)) {
                let at = places::on_point(self.style, column, top, slot);
                self.slot(at, column, what);
            }
        }
        let column = self.style.bar_column(self.subject.mirrored);
        for player in [Player::Left, Player::Right] {
            let top = player == scene.bottom;
            for (slot, what) in (0..).zip(scene.bar(player, SLOTS - 1)) {
                let at = places::on_bar(self.style, column, top, slot);
                self.slot(at, column, what);
            }
        }
    }

    fn slot(&mut self, at: [f32; 2], column: u16, what: Slot) {
        match what {
            Slot::Empty => {}
            Slot::Ghost(player) => self.ghost(at, Ink::of(player).ghost),
            Slot::Checker { player, moved } => self.checker(at, player, moved),
            Slot::Number {
                player,
                count,
                moved,
            } => {
                self.checker(at, player, moved);
                let CheckerInks { face, text, .. } = Ink::of(player);
                self.centred(column, row_of(at), count.to_string(), text, face);
            }
        }
    }

    fn rim(&self) -> f32 {
        (self.radii[1] * 0.14).max(0.2)
    }

    /// Returns whether rims are visible. On small checkers, and if colours do not mix, they would only blur the edge;
    /// signs replace them.
    fn has_rims(&self) -> bool {
        self.mixes && self.radii[1] > 2.6
    }

    /// Draws the lower edge of a checker or of a place it has left; the rest keeps its colour.
    fn lower_edge(&mut self, [x, y]: [f32; 2], ink: Ink) {
        // Whole columns and half rows give sharp edges.
        let (half, low) = (
            f32::from(self.style.wide) / 2.0 - 1.0,
            (y + self.radii[1]).round(),
        );
        let edge = Shape::rect(x - half, low - 1.0, x + half, low);
        self.raster.fill(&edge, ink);
    }

    /// Draws a checker: rim, face, and highlight on the upper left.
    fn checker(&mut self, centre: [f32; 2], player: Player, moved: bool) {
        let inks = Ink::of(player);
        if self.style.is_small() {
            return self.slab_at(centre, inks.face, moved);
        }
        let [a, b] = self.radii;
        let disc = |shrunk: f32| Shape::Disc {
            centre,
            radii: [a - shrunk, b - shrunk],
        };
        let rim = self.rim();
        let has_rim = self.has_rims();
        if has_rim {
            let ink = if moved { Ink::Moved } else { inks.rim };
            self.raster.fill(&disc(0.0), ink);
        }
        self.raster.fill(&disc(rim), inks.face);
        if has_rim {
            let shadow = [centre[0] + a * 0.22, centre[1] + b * 0.26];
            let lit = |x: f32, y: f32| {
                let (u, v) = ((x - shadow[0]) / a, (y - shadow[1]) / b);
                u * u + v * v > 0.72
            };
            self.raster.fill_where(&disc(rim * 1.7), inks.light, lit);
        }
        if moved && self.mixes && !has_rim {
            self.lower_edge(centre, Ink::Moved);
        }
        if moved && !self.mixes {
            self.sign(centre, "◆", inks.text, inks.face);
        }
    }

    /// Writes a sign in the middle of a checker.
    fn sign(&mut self, at: [f32; 2], sign: &str, ink: Ink, ground: Ink) {
        self.labels.push(Label {
            x: (at[0] - 0.5).round() as u16,
            y: row_of(at),
            text: sign.to_owned(),
            ink,
            ground,
        });
    }

    /// Draws a checker on the smallest board: two columns of one row, with a gap above. A line below marks a checker
    /// moved by the displayed play.
    fn slab_at(&mut self, [x, y]: [f32; 2], fill: Ink, moved: bool) {
        let body = Shape::rect(x - 1.0, y - 0.75, x + 1.0, y + 1.0);
        self.raster.fill(&body, fill);
        if moved {
            let row = Shape::rect(x - 1.0, y - 1.0, x + 1.0, y + 1.0);
            self.raster.fill(&row, fill);
            let line = Shape::rect(x - 1.0, y + 0.5, x + 1.0, y + 1.0);
            self.raster.fill(&line, Ink::Moved);
        }
    }

    /// Draws only the rim; on the smallest board a line.
    fn ghost(&mut self, centre: [f32; 2], ink: Ink) {
        if self.style.is_small() {
            let [x, y] = centre;
            let line = Shape::rect(x - 1.0, y + 0.5, x + 1.0, y + 1.0);
            return self.raster.fill(&line, ink);
        }
        if self.mixes && !self.has_rims() {
            return self.lower_edge(centre, ink);
        }
        if !self.mixes {
            let ground = self
                .raster
                .cell((centre[0] - 0.5).round() as u16, row_of(centre))[36];
            return self.sign(centre, "◦", ink, ground);
        }
        let [a, b] = self.radii;
        let rim = self.rim().max(0.3);
        let outside = |x: f32, y: f32| {
            let (u, v) = ((x - centre[0]) / (a - rim), (y - centre[1]) / (b - rim));
            u * u + v * v > 1.0
        };
        let disc = Shape::Disc {
            centre,
            radii: self.radii,
        };
        self.raster.fill_where(&disc, ink, outside);
    }

    fn picked(&mut self) {
        for place in &self.subject.picked {
            self.checker(self.centre_of(*place), place.player, true);
        }
    }

    fn moving(&mut self) {
        for moving in &self.subject.moving {
            let [from, to] = [moving.from, moving.to].map(|place| self.centre_of(place));
            let between = |i: usize| from[i] + (to[i] - from[i]) * moving.way;
            self.checker([between(0), between(1)], moving.player, false);
        }
    }

    /// The centre of a checker at a place.
    fn centre_of(&self, place: Place) -> [f32; 2] {
        place.centre(self.style, self.subject.scene.bottom, self.subject.mirrored)
    }
}

/// The row of cells at the middle of a checker; the upper one of two.
fn row_of([_, y]: [f32; 2]) -> u16 {
    (y / 2.0 - 0.01) as u16
}

#[cfg(test)]
mod tests;
