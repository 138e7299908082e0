//! A picture of small samples: eight by eight in each cell of the screen.

use super::palette::Ink;
use super::shapes::Shape;

/// Samples in a row, and rows of samples, of a cell.
const SIDE: usize = 8;
/// Samples of a cell.
pub const SAMPLES: usize = SIDE * SIDE;

/// The samples of a rectangle of cells, each with the ink that lies there.
#[derive(Clone, Debug)]
pub struct Raster {
    width: u16,
    height: u16,
    /// Cell by cell, so that those of one cell lie together.
    samples: Vec<Ink>,
}

impl Raster {
    /// So many cells full of one ink.
    #[must_use]
    pub fn new(width: u16, height: u16, ground: Ink) -> Self {
        let cells = usize::from(width) * usize::from(height);
        Self {
            width,
            height,
            samples: vec![ground; cells * SAMPLES],
        }
    }

    /// Columns of cells.
    #[must_use]
    pub fn width(&self) -> u16 {
        self.width
    }

    /// Rows of cells.
    #[must_use]
    pub fn height(&self) -> u16 {
        self.height
    }

    /// The samples of a cell, row by row.
    #[must_use]
    pub fn cell(&self, x: u16, y: u16) -> &[Ink] {
        let first = (usize::from(y) * usize::from(self.width) + usize::from(x)) * SAMPLES;
        &self.samples[first..first + SAMPLES]
    }

    /// Lays a shape over what is there; what of it lies outside is lost.
    pub fn fill(&mut self, shape: &Shape, ink: Ink) {
        self.fill_where(shape, ink, |_, _| true);
    }

    /// Lays the part of a shape over what is there that a condition holds in.
    pub fn fill_where(&mut self, shape: &Shape, ink: Ink, holds: impl Fn(f32, f32) -> bool) {
        let [left, top, right, bottom] = shape.bounds();
        // Samples lie denser across than down: a cell is one column wide and two tall.
        let (across, down) = (SIDE as f32, SIDE as f32 / 2.0);
        let columns = usize::from(self.width) * SIDE;
        let rows = usize::from(self.height) * SIDE;
        let first = |v: f32| v.floor().max(0.0) as usize;
        let last = |v: f32, most: usize| (v.ceil().max(0.0) as usize).min(most);
        for j in first(top * down)..last(bottom * down, rows) {
            let y = (j as f32 + 0.5) / down;
            for i in first(left * across)..last(right * across, columns) {
                let x = (i as f32 + 0.5) / across;
                if shape.contains(x, y) && holds(x, y) {
                    let cell = j / SIDE * usize::from(self.width) + i / SIDE;
                    self.samples[cell * SAMPLES + j % SIDE * SIDE + i % SIDE] = ink;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shape_covers_its_samples_and_nothing_outside() {
        let mut raster = Raster::new(4, 3, Ink::Felt);
        raster.fill(&Shape::rect(1.0, 2.0, 2.5, 9.0), Ink::Frame);
        let count = |x, y| {
            let cell = raster.cell(x, y).iter();
            cell.filter(|ink| **ink == Ink::Frame).count()
        };
        assert_eq!([count(0, 1), count(1, 0), count(1, 1)], [0, 0, 64]);
        assert_eq!([count(2, 1), count(2, 2), count(3, 2)], [32, 32, 0]);
        raster.fill(&Shape::rect(-5.0, -5.0, -1.0, 20.0), Ink::Frame);
        assert_eq!(raster.cell(0, 0)[0], Ink::Felt);
    }
}
