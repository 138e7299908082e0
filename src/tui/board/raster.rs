//! A picture of samples, eight by eight per cell of the screen.

use super::palette::Ink;
use super::shapes::Shape;

/// Samples per row and per column of a cell.
const SIDE: usize = 8;
/// Samples per length unit, across and down: a cell is two units tall and one wide.
const ACROSS: f32 = SIDE as f32;
const DOWN: f32 = SIDE as f32 / 2.0;
/// Samples in a cell.
pub const SAMPLES: usize = SIDE * SIDE;

/// The samples of a rectangle of cells, each with its ink.
#[derive(Clone, Debug)]
pub struct Raster {
    width: u16,
    height: u16,
    /// Stored cell by cell.
    samples: Vec<Ink>,
}

impl Raster {
    /// A picture of `width` by `height` cells, filled with one ink.
    pub fn new(width: u16, height: u16, ground: Ink) -> Self {
        let cells = usize::from(width) * usize::from(height);
        Self {
            width,
            height,
            samples: vec![ground; cells * SAMPLES],
        }
    }

    pub fn width(&self) -> u16 {
        self.width
    }

    pub fn height(&self) -> u16 {
        self.height
    }

    /// The samples of a cell, row by row.
    pub fn cell(&self, x: u16, y: u16) -> &[Ink] {
        let first = (usize::from(y) * usize::from(self.width) + usize::from(x)) * SAMPLES;
        &self.samples[first..first + SAMPLES]
    }

    /// Draws a shape, clipped to the picture.
    pub fn fill(&mut self, shape: &Shape, ink: Ink) {
        for j in self.rows(shape) {
            let Some((from, to)) = self.columns(shape, j) else {
                continue;
            };
            // A row of samples is stored in pieces, one per cell.
            let mut i = from;
            while i < to {
                let end = ((i / SIDE + 1) * SIDE).min(to);
                let first = self.place(i, j);
                self.samples[first..first + end - i].fill(ink);
                i = end;
            }
        }
    }

    /// Draws the part of a shape in which `holds` is true.
    pub fn fill_where(&mut self, shape: &Shape, ink: Ink, holds: impl Fn(f32, f32) -> bool) {
        for j in self.rows(shape) {
            let Some((from, to)) = self.columns(shape, j) else {
                continue;
            };
            let y = (j as f32 + 0.5) / DOWN;
            for i in from..to {
                if holds((i as f32 + 0.5) / ACROSS, y) {
                    let place = self.place(i, j);
                    self.samples[place] = ink;
                }
            }
        }
    }

    /// The rows of samples that a shape may cover.
    fn rows(&self, shape: &Shape) -> std::ops::Range<usize> {
        let [_, top, _, bottom] = shape.bounds();
        let rows = usize::from(self.height) * SIDE;
        nearest(top * DOWN, rows)..nearest(bottom * DOWN, rows)
    }

    /// The range of samples in a row whose centres are in a shape.
    fn columns(&self, shape: &Shape, j: usize) -> Option<(usize, usize)> {
        let (from, to) = shape.span((j as f32 + 0.5) / DOWN)?;
        let columns = usize::from(self.width) * SIDE;
        Some((
            nearest(from * ACROSS, columns),
            nearest(to * ACROSS, columns),
        ))
    }

    /// Index of a sample.
    fn place(&self, i: usize, j: usize) -> usize {
        let cell = j / SIDE * usize::from(self.width) + i / SIDE;
        cell * SAMPLES + j % SIDE * SIDE + i % SIDE
    }
}

/// The first sample with its centre at or after `at`, at most `most`.
fn nearest(at: f32, most: usize) -> usize {
    ((at - 0.5).ceil().max(0.0) as usize).min(most)
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
