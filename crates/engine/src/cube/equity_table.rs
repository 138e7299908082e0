//! A match equity table: look-ups of the chance to win a match from a score. [`met`](super::met) creates
//! tables.

use serde::Serialize;
use sha2::{Digest as _, Sha256};
use thiserror::Error;

use crate::stats::portable::normal_cdf;

/// Maximum number of points to go, on either side, without approximation.
pub const MOST_AWAY: usize = 64;

/// Errors in a match equity table.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TableError {
    /// The text is not a table.
    #[error("line {line}: {message}")]
    Line {
        /// Line, from 1.
        line: usize,
        /// The content that was found and the content that was expected.
        message: String,
    },
    /// The document is not XML.
    #[error("not a match equity table: {0}")]
    Xml(String),
    /// The numbers are not chances of equal players.
    #[error("{away}-away {other}-away: {message}")]
    Value {
        /// Points needed by the player.
        away: usize,
        /// Points needed by the opponent.
        other: usize,
        message: &'static str,
    },
    /// The table is too small, too large, or not square.
    #[error("{0}")]
    Shape(String),
}

#[derive(Clone, Debug, PartialEq)]
pub struct EquityTable {
    pub(super) name: String,
    pub(super) given: usize,
    /// The chances before and in the Crawford game: `pre[(a - 1) * MOST_AWAY + b - 1]`.
    pub(super) pre: Vec<f32>,
    /// The chances of the trailer after the Crawford game: `post[n - 1]`.
    pub(super) post: Vec<f32>,
    /// κ of the approximation for longer matches.
    pub(super) far: f64,
    /// The Crawford rule applies.
    pub(super) crawford: bool,
}

impl EquityTable {
    pub(super) fn empty(name: &str, given: usize) -> Self {
        Self {
            name: name.to_owned(),
            given,
            pre: vec![0.5; MOST_AWAY * MOST_AWAY],
            post: vec![0.0; MOST_AWAY],
            far: 0.0,
            crawford: true,
        }
    }

    /// Returns the name of the table, without control characters.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the SHA-256 of everything that determines its chances.
    pub fn digest(&self) -> [u8; 32] {
        // Name and given size do not affect chances.
        let Self {
            name: _,
            given: _,
            pre,
            post,
            far,
            crawford,
        } = self;
        let mut digest = Sha256::new();
        for chance in pre.iter().chain(post) {
            digest.update(chance.to_le_bytes());
        }
        digest.update(far.to_le_bytes());
        digest.update([u8::from(*crawford)]);
        digest.finalize().into()
    }

    /// Returns whether the table is for matches with the Crawford rule.
    pub fn has_crawford(&self) -> bool {
        self.crawford
    }

    /// Returns the points to go up to which the table was given; further entries are computed.
    pub fn given(&self) -> usize {
        self.given
    }

    /// Returns the winning chance of a player who needs `mine` points against `theirs`, before the next game;
    /// zero points needed means a won match. `after_crawford`: whether the Crawford game has been played.
    pub fn chance(&self, mine: i32, theirs: i32, after_crawford: bool) -> f32 {
        self.chance_by(mine, theirs, after_crawford, |a, b| self.at(a, b))
    }

    pub(super) fn chance_by(
        &self,
        mine: i32,
        theirs: i32,
        after_crawford: bool,
        at: impl Fn(usize, usize) -> f32,
    ) -> f32 {
        let row = |n: i32| self.post[(n as usize).min(MOST_AWAY) - 1];
        match (mine, theirs) {
            (..=0, _) => 1.0,
            (_, ..=0) => 0.0,
            (1, 1) => 0.5,
            (n, 1) if after_crawford => row(n),
            (1, n) if after_crawford => 1.0 - row(n),
            (a, b) if a.max(b) as usize <= MOST_AWAY => at(a as usize, b as usize),
            (a, b) => self.far_chance(a, b),
        }
    }

    /// Returns the chance by the approximation for long matches: see [`met`](super::met).
    pub fn far_chance(&self, mine: i32, theirs: i32) -> f32 {
        match (mine, theirs) {
            (..=0, _) => 1.0,
            (_, ..=0) => 0.0,
            (a, b) => {
                let (a, b) = (f64::from(a), f64::from(b));
                let z = self.far * (b - a) / (a + b).sqrt();
                normal_cdf(z) as f32
            }
        }
    }

    /// Returns the largest difference to another table up to `length` points, with its score and whether it
    /// is post-Crawford.
    pub fn difference(&self, other: &Self, length: usize) -> TableDifference {
        let mut worst = TableDifference::default();
        let n = length.min(MOST_AWAY) as i32;
        let scores = (1..=n).flat_map(|a| (1..=n).map(move |b| (a, b, false)));
        for (a, b, post) in scores.chain((2..=n).map(|a| (a, 1, true))) {
            let off = (self.chance(a, b, post) - other.chance(a, b, post)).abs();
            worst.sum += f64::from(off);
            worst.scores += 1;
            if off > worst.largest {
                (worst.largest, worst.mine, worst.theirs) = (off, a, b);
                worst.after_crawford = post;
            }
        }
        worst
    }

    pub(super) fn at(&self, a: usize, b: usize) -> f32 {
        self.pre[(a - 1) * MOST_AWAY + b - 1]
    }

    pub(super) fn set(&mut self, a: usize, b: usize, chance: f32) {
        self.pre[(a - 1) * MOST_AWAY + b - 1] = chance;
    }
}

/// The difference between two tables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct TableDifference {
    /// The largest difference of two chances.
    pub largest: f32,
    /// Points needed by the player at that score.
    pub mine: i32,
    /// Points needed by the opponent at that score.
    pub theirs: i32,
    /// That score is post-Crawford.
    pub after_crawford: bool,
    /// Sum of the differences.
    #[serde(skip)]
    pub sum: f64,
    /// Number of scores compared.
    pub scores: u32,
}

impl TableDifference {
    /// Returns the mean difference.
    pub fn mean(&self) -> f64 {
        self.sum / f64::from(self.scores.max(1))
    }
}

/// Clamps a chance away from 0 and 1.
pub(super) fn never_certain(chance: f32) -> f32 {
    chance.clamp(f32::EPSILON, 1.0 - f32::EPSILON)
}
