//! The shapes of which a board is drawn.
//!
//! Lengths are in columns; a row is two units tall, so that discs look round on the screen.

/// A closed shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// A rectangle with rounded corners.
    Rect {
        /// Left, top, right and bottom edge.
        edges: [f32; 4],
        /// Radius of the corners.
        round: f32,
    },
    /// A disc or ellipse.
    Disc {
        centre: [f32; 2],
        /// Half-width and half-height.
        radii: [f32; 2],
    },
    /// A triangle with a horizontal base and a tip over its middle.
    Triangle {
        /// Left and right end of the base.
        base: [f32; 2],
        /// y of the base.
        foot: f32,
        /// y of the tip.
        tip: f32,
    },
}

impl Shape {
    pub fn rect(left: f32, top: f32, right: f32, bottom: f32) -> Self {
        Self::Rect {
            edges: [left, top, right, bottom],
            round: 0.0,
        }
    }

    /// Bounding rectangle: left, top, right, bottom.
    pub fn bounds(&self) -> [f32; 4] {
        match *self {
            Self::Rect { edges, .. } => edges,
            Self::Disc {
                centre: [x, y],
                radii: [a, b],
            } => [x - a, y - b, x + a, y + b],
            Self::Triangle {
                base: [left, right],
                foot,
                tip,
            } => [left, foot.min(tip), right, foot.max(tip)],
        }
    }

    /// The horizontal extent of the shape at height `y`; `None` above and below it. All shapes are convex.
    pub fn span(&self, y: f32) -> Option<(f32, f32)> {
        let [left, top, right, bottom] = self.bounds();
        if y < top || y > bottom {
            return None;
        }
        match *self {
            Self::Rect { round, .. } => {
                let beyond = (top + round - y).max(y - bottom + round).max(0.0);
                let inset = round - (round * round - beyond * beyond).max(0.0).sqrt();
                Some((left + inset, right - inset))
            }
            Self::Disc { centre, radii } => {
                let up = (y - centre[1]) / radii[1];
                let half = radii[0] * (1.0 - up * up).max(0.0).sqrt();
                Some((centre[0] - half, centre[0] + half))
            }
            Self::Triangle { foot, tip, .. } => {
                let half = (right - left) / 2.0 * (1.0 - (y - foot) / (tip - foot));
                let middle = f32::midpoint(left, right);
                Some((middle - half, middle + half))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_lie_in_their_bounds_and_have_their_area() {
        let disc = Shape::Disc {
            centre: [3.0, 4.0],
            radii: [2.0, 1.0],
        };
        let triangle = Shape::Triangle {
            base: [0.0, 4.0],
            foot: 6.0,
            tip: 0.0,
        };
        let round = Shape::Rect {
            edges: [0.0, 0.0, 4.0, 4.0],
            round: 1.0,
        };
        let pi = std::f32::consts::PI;
        for (shape, area) in [
            (disc, 2.0 * pi),
            (triangle, 12.0),
            (round, 12.0 + pi),
            (Shape::rect(1.0, 1.0, 3.0, 2.0), 2.0),
        ] {
            let [left, top, right, bottom] = shape.bounds();
            let mut found = 0.0;
            for j in 0..7000 {
                let y = j as f32 / 1000.0 - 0.4995;
                if let Some((from, to)) = shape.span(y) {
                    assert!(from <= to && from >= left - 1e-4 && to <= right + 1e-4);
                    assert!(y >= top && y <= bottom);
                    found += (to - from) / 1e3;
                }
            }
            assert!((found - area).abs() < 0.05, "{shape:?}: {found} for {area}");
        }
    }
}
