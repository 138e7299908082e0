//! Draws dotted lines from start to end of moved checkers.

use std::collections::BTreeMap;

use super::super::palette::Ink;
use super::super::raster::SAMPLES;
use super::{Drawing, Label, Trace, row_of};

/// Bits of the dots of a Braille character, by row, two per row.
const DOTS: [[u32; 2]; 4] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]];

impl Trace {
    /// The sign of its play in the candidate list; `None` for the selected play, which is shown by its checkers.
    pub fn sign(&self) -> Option<&'static str> {
        match self.ink {
            Ink::Best => Some("★"),
            Ink::Played => Some("▸"),
            _ => None,
        }
    }
}

impl Drawing<'_> {
    /// Draws the lines behind checkers. A play that is not displayed has its sign at the end.
    pub(super) fn traces(&mut self) {
        let mut dots: BTreeMap<(u16, u16), (u32, Ink)> = BTreeMap::new();
        for trace in &self.subject.traces {
            let [from, to] = [trace.from, trace.to].map(|place| self.centre_of(place));
            for ((x, y), dot) in line(from, to) {
                let (bits, ink) = dots.entry((x, y)).or_insert((0, trace.ink));
                *bits |= dot;
                *ink = trace.ink;
            }
        }
        for ((x, y), (bits, ink)) in dots {
            self.dotted([x, y], bits, ink);
        }
        for trace in &self.subject.traces {
            let Some(sign) = trace.sign() else { continue };
            let mut at = self.centre_of(trace.to);
            let mut x = (at[0] - 0.5).round() as u16;
            // Signs of two plays with the same end are placed side by side.
            let other = |label: &Label| ["★", "▸"].contains(&&*label.text) && label.text != sign;
            let is_here = |label: &&Label| (label.x, label.y) == (x, row_of(at));
            if self.labels.iter().filter(is_here).any(other) {
                (at[0], x) = (at[0] + 1.0, x + 1);
            }
            let ground = self.ground_of([x, row_of(at)]).0;
            self.labels
                .retain(|label| (label.x, label.y) != (x, row_of(at)));
            self.sign(at, sign, trace.ink, ground);
        }
    }

    /// Draws dots in a cell unless an object is there. On medium boards, cells with edges of points are spared; on
    /// the smallest board little of the line would remain, and on large ones edges are thin.
    fn dotted(&mut self, [x, y]: [u16; 2], bits: u32, ink: Ink) {
        if x >= self.style.width() || y >= self.style.height() {
            return;
        }
        let (ground, samples) = self.ground_of([x, y]);
        let least = match self.style.is_small() || self.has_rims() {
            true => SAMPLES / 2,
            false => SAMPLES * 7 / 8,
        };
        let is_free = self.labels.iter().all(|label| {
            let end = label.x + label.text.chars().count() as u16;
            label.y != y || !(label.x..end).contains(&x)
        });
        if ground.is_raised() || samples < least || !is_free {
            return;
        }
        if let Some(sign) = char::from_u32(0x2800 + bits) {
            self.labels.push(Label {
                x,
                y,
                text: sign.into(),
                ink,
                ground,
            });
        }
    }

    /// The most frequent ink of a cell, and its number of samples.
    fn ground_of(&self, [x, y]: [u16; 2]) -> (Ink, usize) {
        let samples = self.raster.cell(x, y);
        let count = |ink: &Ink| samples.iter().filter(|other| *other == ink).count();
        let counted = samples.iter().map(|ink| (*ink, count(ink)));
        counted.max_by_key(|(_, n)| *n).unwrap_or((Ink::Felt, 0))
    }
}

/// The cells and dots along a line.
fn line(from: [f32; 2], to: [f32; 2]) -> impl Iterator<Item = ((u16, u16), u32)> {
    let length = (to[0] - from[0]).abs().max((to[1] - from[1]).abs());
    // Dots are half a column apart; every second one is omitted.
    let steps = length.max(1.0).ceil() as u16;
    (0..=steps).map(move |i| {
        let part = f32::from(i) / f32::from(steps);
        let at = |axis: usize| (from[axis] + (to[axis] - from[axis]) * part).max(0.0);
        let (x, y) = (at(0), at(1) / 2.0);
        let dot = DOTS[(y.fract() * 4.0) as usize % 4][(x.fract() * 2.0) as usize % 2];
        ((x as u16, y as u16), dot)
    })
}
