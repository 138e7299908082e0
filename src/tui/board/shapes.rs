//! Shapes that a board is made of.
//!
//! Lengths are in columns; a row is two of them tall, so that what is round here is round on the screen.

/// A closed shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// From corner to corner, with corners rounded by `round`.
    Rect {
        /// Left, top, right and bottom edge.
        edges: [f32; 4],
        /// Radius of the corners.
        round: f32,
    },
    /// A disc, or flattened one.
    Disc {
        /// Its centre.
        centre: [f32; 2],
        /// Half of its width and of its height.
        radii: [f32; 2],
    },
    /// With a horizontal base from `left` to `right`, and a tip over its middle.
    Triangle {
        /// Ends of the base.
        base: [f32; 2],
        /// Height at which the base lies.
        foot: f32,
        /// Height at which the tip lies.
        tip: f32,
    },
}

impl Shape {
    /// A rectangle with sharp corners.
    #[must_use]
    pub fn rect(left: f32, top: f32, right: f32, bottom: f32) -> Self {
        Self::Rect {
            edges: [left, top, right, bottom],
            round: 0.0,
        }
    }

    /// A rectangle around all of the shape: left, top, right, bottom.
    #[must_use]
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

    /// Whether a point lies in the shape.
    #[must_use]
    pub fn contains(&self, x: f32, y: f32) -> bool {
        match *self {
            Self::Rect {
                edges: [left, top, right, bottom],
                round,
            } => {
                let beyond = |v: f32, low: f32, high: f32| (low + round - v).max(v - high + round);
                let (dx, dy) = (beyond(x, left, right), beyond(y, top, bottom));
                if dx > 0.0 && dy > 0.0 {
                    dx * dx + dy * dy <= round * round
                } else {
                    dx <= round && dy <= round
                }
            }
            Self::Disc { centre, radii } => {
                let [u, v] = [(x - centre[0]) / radii[0], (y - centre[1]) / radii[1]];
                u * u + v * v <= 1.0
            }
            Self::Triangle { base, foot, tip } => {
                let height = (y - foot) / (tip - foot);
                let middle = f32::midpoint(base[0], base[1]);
                let half = (base[1] - base[0]) / 2.0 * (1.0 - height);
                (0.0..=1.0).contains(&height) && (x - middle).abs() <= half
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
            let mut inside = 0;
            for i in 0..700 {
                for j in 0..700 {
                    let (x, y) = (i as f32 / 100.0 - 0.495, j as f32 / 100.0 - 0.495);
                    if shape.contains(x, y) {
                        inside += 1;
                        assert!(x >= left && x <= right && y >= top && y <= bottom);
                    }
                }
            }
            let found = inside as f32 / 1e4;
            assert!((found - area).abs() < 0.05, "{shape:?}: {found} for {area}");
        }
    }
}
