//! The weights of a net in real numbers.
//!
//! The first layer is cut into parts of [`PART`] hidden units, one behind the other, so that what a
//! batch touches of one part, and its gradient, stay in the processor's second cache while the
//! batch goes through it.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::eval::features::{HEADS, ROWS, SHARED_ROWS, is_count, shared_row};
use crate::eval::luck_net::LuckNet;
use crate::eval::net::{FloatWeights, Net, Origin};
use crate::eval::simd::HIDDEN;

/// Rows of the first layer, those shared between places included.
pub const ALL_ROWS: usize = ROWS + SHARED_ROWS;

/// Hidden units of a part of the first layer.
pub const PART: usize = 64;
/// Parts of the first layer.
pub const PARTS: usize = HIDDEN / PART;
/// Weights of one part.
pub const PART_SIZE: usize = ALL_ROWS * PART;

/// Where in the first layer the weight from a row to a hidden unit is.
#[must_use]
pub const fn place(row: usize, unit: usize) -> usize {
    (unit / PART * ALL_ROWS + row) * PART + unit % PART
}

/// All weights of a net; also the shape of a gradient and of the optimiser's moments.
#[derive(Clone)]
pub struct Weights {
    /// Outputs of a head.
    pub outputs: usize,
    /// First layer, `PARTS` x `ALL_ROWS` x `PART`; the shared rows are the last of each part.
    pub rows: Vec<f32>,
    /// Bias of the hidden units.
    pub bias: Vec<f32>,
    /// Output layer, `HEADS` x `outputs` x `HIDDEN`.
    pub heads: Vec<f32>,
    /// Output bias, `HEADS` x `outputs`.
    pub head_bias: Vec<f32>,
}

impl Weights {
    /// All zero.
    #[must_use]
    pub fn zero(outputs: usize) -> Self {
        Self {
            outputs,
            rows: vec![0.0; ALL_ROWS * HIDDEN],
            bias: vec![0.0; HIDDEN],
            heads: vec![0.0; HEADS * outputs * HIDDEN],
            head_bias: vec![0.0; HEADS * outputs],
        }
    }

    /// Small random weights for the checkers: thirty rows are active at once, and a hidden unit
    /// should start in the middle of its range. Patterns start at zero, so that one never seen
    /// means nothing.
    #[must_use]
    pub fn random(outputs: usize, seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut w = Self::zero(outputs);
        for row in (0..ROWS).filter(|&row| is_count(row)) {
            for unit in 0..HIDDEN {
                w.rows[place(row, unit)] = rng.random_range(-0.12..0.12);
            }
        }
        w.bias
            .iter_mut()
            .for_each(|w| *w = rng.random_range(0.1..0.5));
        w.heads
            .iter_mut()
            .for_each(|w| *w = rng.random_range(-0.1..0.1));
        w
    }

    /// Rounded to the integers that evaluation uses: a net of outcomes.
    #[must_use]
    pub fn net(&self, origin: Origin) -> Net {
        Net::quantised(&self.floats(&self.folded()), origin)
    }

    /// Rounded to the integers that evaluation uses: a net of luck.
    #[must_use]
    pub fn luck_net(&self, origin: Origin) -> LuckNet {
        LuckNet::quantised(&self.floats(&self.folded()), origin)
    }

    /// The rows that evaluation uses, `ROWS` x `HIDDEN`: each pattern's own weights and its shared
    /// ones, added.
    fn folded(&self) -> Vec<f32> {
        let mut rows = Vec::with_capacity(ROWS * HIDDEN);
        for row in 0..ROWS {
            let shared = shared_row(row).map(|r| ROWS + r);
            rows.extend((0..HIDDEN).map(|unit| {
                let own = self.rows[place(row, unit)];
                own + shared.map_or(0.0, |r| self.rows[place(r, unit)])
            }));
        }
        rows
    }

    fn floats<'a>(&'a self, rows: &'a [f32]) -> FloatWeights<'a> {
        FloatWeights {
            rows,
            bias: &self.bias,
            heads: &self.heads,
            head_bias: &self.head_bias,
        }
    }

    /// Moves each weight by `share` of the way to another's.
    pub fn approach(&mut self, other: &Self, share: f32) {
        for (group, other) in self.groups_mut().into_iter().zip(other.groups()) {
            for (w, o) in group.iter_mut().zip(other) {
                *w += share * (o - *w);
            }
        }
    }

    /// The four groups, for whoever treats all weights alike.
    #[must_use]
    pub fn groups(&self) -> [&[f32]; 4] {
        [&self.rows, &self.bias, &self.heads, &self.head_bias]
    }

    /// The four groups, to be changed.
    pub fn groups_mut(&mut self) -> [&mut [f32]; 4] {
        [
            &mut self.rows,
            &mut self.bias,
            &mut self.heads,
            &mut self.head_bias,
        ]
    }
}
