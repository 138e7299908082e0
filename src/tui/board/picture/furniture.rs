//! Draws borne-off checkers, the cube and the dice.

use super::super::palette::{CheckerInks, Ink};
use super::super::shapes::Shape;
use super::{Drawing, Label, places};
use crate::game::Player;

/// Places of the pips of each die, in thirds of its size from the centre.
const PIPS: [&[(i8, i8)]; 6] = [
    &[(0, 0)],
    &[(-1, -1), (1, 1)],
    &[(-1, -1), (0, 0), (1, 1)],
    &[(-1, -1), (1, -1), (-1, 1), (1, 1)],
    &[(-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)],
    &[(-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)],
];

impl Drawing<'_> {
    /// Draws borne-off checkers on their edges, fifteen in a half. Those borne off by the displayed play are marked.
    pub(super) fn trays(&mut self) {
        let scene = self.subject.scene;
        for player in [Player::Left, Player::Right] {
            let (off, moved) = scene.off(player);
            for i in 0..off {
                let ink = match i {
                    i if i + moved >= off => Ink::Moved,
                    i => self.palette.slab(player, i),
                };
                let slab = self.slab(player != scene.bottom, i);
                self.raster.fill(&slab, ink);
            }
        }
    }

    /// The shape of borne-off checker number `i`.
    fn slab(&self, top: bool, i: u8) -> Shape {
        let left = f32::from(self.style.tray_column(self.subject.mirrored));
        let (wide, half) = (f32::from(self.style.wide), self.style.half);
        let foot = places::foot(self.style, top);
        let away = if top { 1.0 } else { -1.0 };
        // If slabs would be thinner than half a row, they are drawn three in a row.
        if half < 8 {
            let x = left + wide / 2.0 - 1.5 + f32::from(i % 3);
            let y = foot + away * f32::from(i / 3) * 2.0;
            return Shape::rect(x, y.min(y + 2.0 * away), x + 0.75, y.max(y + 2.0 * away));
        }
        let (tall, gap) = if half >= 15 { (2.0, 0.25) } else { (1.0, 0.0) };
        let from = foot + away * f32::from(i) * tall;
        let to = from + away * (tall - gap);
        Shape::rect(left + 0.25, from.min(to), left + wide - 0.25, from.max(to))
    }

    fn middle(&self) -> u16 {
        self.style.middle_row() + self.style.middle / 2
    }

    /// Draws the cube on the bar, in the middle or on its owner's side.
    pub(super) fn cube(&mut self) {
        let cube = self.subject.cube.clone();
        let column = self.style.bar_column(self.subject.mirrored);
        let row = match cube.owner {
            None => self.middle(),
            Some(owner) => {
                let away = if self.style.is_small() { 1 } else { 2 };
                match owner == self.subject.scene.bottom {
                    true => self.style.height() - 1 - away,
                    false => away,
                }
            }
        };
        if cube.crawford {
            self.centred(column, row, "Cr".into(), Ink::Number, Ink::Frame);
        } else if !cube.is_offered() {
            self.tile(column, row, cube.value, cube.owner);
        }
        let Some((words, value)) = cube.action else {
            return;
        };
        let x = self.hand() + 1;
        self.labels.push(Label {
            x,
            y: self.middle(),
            text: words.to_owned(),
            ink: Ink::Words,
            ground: Ink::Felt,
        });
        if let Some(value) = value {
            self.tile(x + words.len() as u16 + 1, self.middle(), value, None);
        }
    }

    /// Draws a cube as wide as a point, in its owner's colours.
    fn tile(&mut self, column: u16, row: u16, value: u32, owner: Option<Player>) {
        let (body, text) = match owner.map(Ink::of) {
            Some(CheckerInks { face, text, .. }) => (face, text),
            None => (Ink::Cube, Ink::CubeText),
        };
        // Whole cells and half rows give sharp edges.
        let side = f32::from(self.style.wide.min(6));
        let tall = match self.style.wide {
            3 => 2.0,
            4 => 4.0,
            _ => 6.0,
        };
        let x = f32::from(column) + f32::from(self.style.wide) / 2.0;
        let y = f32::from(row) * 2.0 + 1.0;
        let [left, top] = [x - side / 2.0, y - tall / 2.0];
        let cube = Shape::rect(left, top, left + side, top + tall);
        self.raster.fill(&cube, body);
        let value = value.to_string();
        let width = value.len() as f32;
        self.labels.push(Label {
            x: (x - width / 2.0).round() as u16,
            y: row,
            text: value,
            ink: text,
            ground: body,
        });
    }

    /// Left column of the half in which the player on roll throws: the right one for the bottom player.
    fn hand(&self) -> u16 {
        let scene = self.subject.scene;
        let is_right = (scene.on_roll == scene.bottom) != self.subject.mirrored;
        let place = if is_right { 6 } else { 0 };
        self.style.column(place, self.subject.mirrored)
    }

    /// Draws the dice in the colours of the player on roll.
    pub(super) fn dice(&mut self) {
        let Some(roll) = self.subject.roll else {
            return;
        };
        let CheckerInks { face, text, .. } = Ink::of(self.subject.scene.on_roll);
        let (wide, gap) = match (self.style.middle, self.style.wide) {
            (1, _) => (3, 1),
            (_, ..6) => (5, 2),
            _ => (7, 3),
        };
        let first = self.hand() + (6 * self.style.wide - (2 * wide + gap)) / 2;
        for (x, die) in [(first, roll.high()), (first + wide + gap, roll.low())] {
            match self.style.middle {
                1 => self.labels.push(Label {
                    x,
                    y: self.middle(),
                    text: format!(" {die} "),
                    ink: text,
                    ground: face,
                }),
                _ => self.die(x, wide, die, face, text),
            }
        }
    }

    /// Draws a die from column `x`, three rows tall. Pips are characters, which are sharper than samples.
    fn die(&mut self, x: u16, wide: u16, die: u8, body: Ink, pip: Ink) {
        let (left, width) = (f32::from(x), f32::from(wide));
        let top = 2.0 * f32::from(self.middle() - 1);
        let face = Shape::rect(left, top, left + width, top + 6.0);
        self.raster.fill(&face, body);
        let apart = i32::from(wide / 2) - 1;
        for &(across, down) in PIPS[usize::from(die.clamp(1, 6)) - 1] {
            let across = i32::from(x + wide / 2) + apart * i32::from(across);
            let down = i32::from(self.middle()) + i32::from(down);
            self.labels.push(Label {
                x: across as u16,
                y: down as u16,
                text: "●".into(),
                ink: pip,
                ground: body,
            });
        }
    }
}
