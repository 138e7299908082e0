//! Lines in braille: a cell holds 2×4 dots and has one look, that of what was drawn last. Where the screen is of ASCII
//! alone each cell has the sign of that.

use ratatui::layout::Rect;

use super::paint::Paint;
use crate::tui::theme::Role;

/// A grid of braille dots.
pub(crate) struct Dots {
    width: u16,
    height: u16,
    bits: Vec<u8>,
    roles: Vec<Role>,
    signs: Vec<char>,
    /// What the lines to come are made of in ASCII.
    pub(crate) sign: char,
}

impl Dots {
    pub(crate) fn new(width: u16, height: u16) -> Self {
        let n = usize::from(width) * usize::from(height);
        Self {
            width,
            height,
            bits: vec![0; n],
            roles: vec![Role::Text; n],
            signs: vec![' '; n],
            sign: '*',
        }
    }

    pub(crate) fn dot(&mut self, x: i32, y: i32, role: Role) {
        let (w, h) = (i32::from(self.width) * 2, i32::from(self.height) * 4);
        if !(0..w).contains(&x) || !(0..h).contains(&y) {
            return;
        }
        const BITS: [[u8; 4]; 2] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]];
        let cell = (y / 4) as usize * usize::from(self.width) + (x / 2) as usize;
        // Lines that lie upon each other do not mix: the later one takes the cell.
        if self.roles[cell] != role {
            self.roles[cell] = role;
            self.bits[cell] = 0;
        }
        self.signs[cell] = self.sign;
        self.bits[cell] |= BITS[(x % 2) as usize][(y % 4) as usize];
    }

    /// A line from one dot to another, every `step`-th dot of it.
    pub(crate) fn line(&mut self, from: (f64, f64), to: (f64, f64), role: Role, step: usize) {
        let span = (to.0 - from.0).abs().max((to.1 - from.1).abs());
        if ![from.0, from.1, to.0, to.1, span]
            .iter()
            .all(|v| v.is_finite())
        {
            return;
        }
        let n = (span.ceil() as usize).clamp(1, 4000);
        for i in (0..=n).step_by(step) {
            let t = i as f64 / n as f64;
            let x = from.0 + t * (to.0 - from.0);
            let y = from.1 + t * (to.1 - from.1);
            self.dot(x.round() as i32, y.round() as i32, role);
        }
    }

    /// Lines from point to point.
    pub(crate) fn path(
        &mut self,
        points: impl Iterator<Item = (f64, f64)>,
        role: Role,
        step: usize,
    ) {
        let mut before = None;
        for point in points {
            self.line(before.unwrap_or(point), point, role, step);
            before = Some(point);
        }
    }

    pub(crate) fn paint(&self, paint: &mut Paint<'_>, area: Rect) {
        for y in 0..self.height {
            for x in 0..self.width {
                let i = usize::from(y) * usize::from(self.width) + usize::from(x);
                if self.bits[i] == 0 {
                    continue;
                }
                let sign = match paint.is_ascii {
                    true => self.signs[i],
                    false => char::from_u32(0x2800 + u32::from(self.bits[i])).unwrap_or(' '),
                };
                let mut buffer = [0; 4];
                paint.put(
                    area.x + x,
                    area.y + y,
                    1,
                    sign.encode_utf8(&mut buffer),
                    self.roles[i],
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_outside_are_ignored_and_inside_make_braille() {
        let mut dots = Dots::new(2, 1);
        for x in -3..9 {
            for y in -3..9 {
                dots.dot(x, y, Role::Zero);
            }
        }
        assert_eq!(dots.bits, [0xff, 0xff]);
        let mut one = Dots::new(1, 1);
        one.dot(1, 3, Role::Zero);
        assert_eq!(one.bits, [0x80]);
        one.line((0.0, f64::NAN), (1.0, 1.0), Role::Zero, 1);
        one.line((0.0, 0.0), (f64::INFINITY, 1.0), Role::Zero, 1);
        assert_eq!(one.bits, [0x80]);
    }
}
