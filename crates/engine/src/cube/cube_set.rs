//! Sets of cubes for a single lookahead, and their values.

use super::context::Cube;

/// Maximum number of cubes in one lookahead: three owners for each value, and five plies of doubling.
pub(super) const MOST_CUBES: usize = 24;

/// Values of several cubes in one position.
pub(super) type ValueRow = [f32; MOST_CUBES];

/// Distinct cubes, in the order of their addition.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Cubes {
    pub(super) all: [Cube; MOST_CUBES],
    pub(super) len: usize,
}

impl Cubes {
    pub(super) const NONE: Self = Self {
        all: [Cube::CENTRED; MOST_CUBES],
        len: 0,
    };

    pub(super) fn as_slice(&self) -> &[Cube] {
        &self.all[..self.len]
    }

    /// Returns the index of `cube`, which is added if necessary.
    pub(super) fn place(&mut self, cube: Cube) -> usize {
        if let Some(i) = self.as_slice().iter().position(|c| *c == cube) {
            return i;
        }
        debug_assert!(self.len < MOST_CUBES, "one cube more than there can be");
        let i = self.len.min(MOST_CUBES - 1);
        self.all[i] = cube;
        self.len = i + 1;
        i
    }

    pub(super) fn flipped(&self) -> Self {
        Self {
            all: self.all.map(Cube::flipped),
            len: self.len,
        }
    }

    pub(super) fn lowest(&self) -> u8 {
        self.as_slice().iter().map(|c| c.level).min().unwrap_or(0)
    }
}
