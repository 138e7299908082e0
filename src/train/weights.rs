//! The net in real numbers.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::eval::features::{HEADS, ROWS};
use crate::eval::net::{FloatWeights, Net};
use crate::eval::simd::{HIDDEN, OUTCOMES};

/// Weights of one output head.
pub const HEAD_WEIGHTS: usize = OUTCOMES * HIDDEN;

/// All weights of a net; also the shape of a gradient and of the optimiser's moments.
#[derive(Clone)]
pub struct Weights {
    /// First layer, `ROWS` x `HIDDEN`.
    pub rows: Vec<f32>,
    /// Bias of the hidden units.
    pub bias: Vec<f32>,
    /// Output layer, `HEADS` x `OUTCOMES` x `HIDDEN`.
    pub heads: Vec<f32>,
    /// Output bias, `HEADS` x `OUTCOMES`.
    pub head_bias: Vec<f32>,
}

impl Weights {
    /// All zero.
    #[must_use]
    pub fn zero() -> Self {
        Self {
            rows: vec![0.0; ROWS * HIDDEN],
            bias: vec![0.0; HIDDEN],
            heads: vec![0.0; HEADS * HEAD_WEIGHTS],
            head_bias: vec![0.0; HEADS * OUTCOMES],
        }
    }

    /// Small random weights: some thirty rows are active at once, and a hidden unit should start
    /// in the middle of its range.
    #[must_use]
    pub fn random(seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut w = Self::zero();
        w.rows
            .iter_mut()
            .for_each(|w| *w = rng.random_range(-0.12..0.12));
        w.bias
            .iter_mut()
            .for_each(|w| *w = rng.random_range(0.1..0.5));
        w.heads
            .iter_mut()
            .for_each(|w| *w = rng.random_range(-0.1..0.1));
        w
    }

    /// Rounded to the integers that evaluation uses.
    #[must_use]
    pub fn quantised(&self, recipe: &str, seed: u64, positions: u64) -> Net {
        let weights = FloatWeights {
            rows: &self.rows,
            bias: &self.bias,
            heads: &self.heads,
            head_bias: &self.head_bias,
        };
        Net::quantised(&weights, recipe, seed, positions)
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
