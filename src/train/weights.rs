//! The weights of a net in real numbers.
//!
//! The first layer is cut into parts of [`PART`] hidden units, one behind the other, so that what a
//! batch touches of one part, and its gradient, stay in the processor's second cache while the
//! batch goes through it.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::eval::features::{self, HEADS, PLANS, ROWS, RowKind, SHARED_ROWS, row_kind, shared_row};
use crate::eval::luck_net::LuckNet;
use crate::eval::net::{FloatLayer, FloatWeights, Net, Origin};
use crate::eval::simd::{HIDDEN, OUTCOMES};

/// Hidden units of a part of the first layer.
pub const PART: usize = 64;
/// Parts of the first layer.
pub const PARTS: usize = HIDDEN / PART;

/// All weights of a net; also the shape of a gradient and of the optimiser's moments.
#[derive(Clone)]
pub struct Weights {
    /// First layers: one for all positions, or one for each of [`PLANS`] plans.
    pub plans: usize,
    /// First layers, `PARTS` x [`Weights::all_rows`] x `PART`; rows that patterns share are the last
    /// of each part.
    pub rows: Vec<f32>,
    /// Bias of the hidden units, plans x `HIDDEN`.
    pub bias: Vec<f32>,
    /// What follows the first layer, each layer of one head after the other.
    pub layers: Vec<Dense>,
}

/// A layer in which everything is connected, once for each head.
#[derive(Clone)]
pub struct Dense {
    /// Numbers it takes.
    pub inputs: usize,
    /// Numbers it gives.
    pub outputs: usize,
    /// `HEADS` x `outputs` x `inputs`.
    pub weights: Vec<f32>,
    /// `HEADS` x `outputs`.
    pub bias: Vec<f32>,
}

impl Dense {
    fn zero(inputs: usize, outputs: usize) -> Self {
        Self {
            inputs,
            outputs,
            weights: vec![0.0; HEADS * outputs * inputs],
            bias: vec![0.0; HEADS * outputs],
        }
    }
}

impl Weights {
    /// All zero, for all positions alike; layers of so many outputs follow the first.
    #[must_use]
    pub fn zero(outputs: &[usize]) -> Self {
        let inputs = [HIDDEN].iter().chain(outputs);
        let layers = inputs.zip(outputs);
        Self {
            plans: 1,
            rows: vec![0.0; (ROWS + SHARED_ROWS) * HIDDEN],
            bias: vec![0.0; HIDDEN],
            layers: layers.map(|(&i, &o)| Dense::zero(i, o)).collect(),
        }
    }

    /// All zero, in the shape of another's.
    #[must_use]
    pub fn zero_like(&self) -> Self {
        let mut zero = self.clone();
        zero.groups_mut().into_iter().for_each(|g| g.fill(0.0));
        zero
    }

    /// Small random weights for the checkers: thirty rows are active at once, and a hidden unit
    /// should start in the middle of its range. Patterns start at zero, so that one never seen
    /// means nothing.
    #[must_use]
    pub fn random(outputs: &[usize], seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut w = Self::zero(outputs);
        for row in (0..ROWS).filter(|&row| row_kind(row) == RowKind::Count) {
            for unit in 0..HIDDEN {
                let place = w.place(row, unit);
                w.rows[place] = rng.random_range(-0.12..0.12);
            }
        }
        let middle = |rng: &mut ChaCha8Rng| rng.random_range(0.1..0.5);
        w.bias.iter_mut().for_each(|w| *w = middle(&mut rng));
        for layer in &mut w.layers {
            let weights = layer.weights.iter_mut();
            weights.for_each(|w| *w = rng.random_range(-0.1..0.1));
        }
        // The last layer's outputs need no room to bend in.
        let (_, inner) = w.layers.split_last_mut().expect("there is an output layer");
        for layer in inner {
            layer.bias.iter_mut().for_each(|w| *w = middle(&mut rng));
        }
        w
    }

    /// The weights of a net of outcomes, as far as its rounded ones tell.
    #[must_use]
    pub fn of_net(net: &Net) -> Self {
        let mut w = Self::zero(&[OUTCOMES]);
        w.divide();
        let [rows, bias, heads, head_bias] = net.real();
        for (row, weights) in rows.chunks_exact(HIDDEN).enumerate() {
            for (unit, &weight) in weights.iter().enumerate() {
                let place = w.place(row, unit);
                w.rows[place] = weight;
            }
        }
        w.bias = bias;
        w.layers[0].weights = heads;
        w.layers[0].bias = head_bias;
        w
    }

    /// Rows of the first layers, those that patterns share included.
    #[must_use]
    pub fn all_rows(&self) -> usize {
        self.plans * ROWS + SHARED_ROWS
    }

    /// Weights of one part of the first layers.
    #[must_use]
    pub fn part_size(&self) -> usize {
        self.all_rows() * PART
    }

    /// Where in the first layers the weight from a row to a hidden unit is.
    #[must_use]
    pub fn place(&self, row: usize, unit: usize) -> usize {
        (unit / PART * self.all_rows() + row) * PART + unit % PART
    }

    /// Which of the first layers values the positions that `head` speaks for.
    #[must_use]
    pub fn plan(&self, head: usize) -> usize {
        if self.plans == 1 {
            0
        } else {
            features::plan(head)
        }
    }

    /// Gives each plan a first layer of its own, all of them alike at first.
    pub fn divide(&mut self) {
        if self.plans == PLANS {
            return;
        }
        let parts = self.rows.chunks_exact(self.part_size());
        self.rows = parts
            .flat_map(|part| {
                let (own, shared) = part.split_at(ROWS * PART);
                [own.repeat(PLANS), shared.to_vec()].concat()
            })
            .collect();
        self.bias = self.bias.repeat(PLANS);
        self.plans = PLANS;
    }

    /// Rounded to the integers that evaluation uses: a net of outcomes.
    #[must_use]
    pub fn net(&self, origin: Origin) -> Net {
        let mut divided = self.clone();
        divided.divide();
        let (rows, layers) = (divided.folded(), divided.later());
        Net::quantised(&divided.floats(&rows, &layers), origin)
    }

    /// Rounded to the integers that evaluation uses: a net of luck.
    #[must_use]
    pub fn luck_net(&self, origin: Origin) -> LuckNet {
        let (rows, layers) = (self.folded(), self.later());
        LuckNet::quantised(&self.floats(&rows, &layers), origin)
    }

    /// The rows that evaluation uses, plans x `ROWS` x `HIDDEN`: each pattern's own weights and its
    /// shared ones, added.
    fn folded(&self) -> Vec<f32> {
        let own_rows = self.plans * ROWS;
        let mut rows = Vec::with_capacity(own_rows * HIDDEN);
        for row in 0..own_rows {
            let shared = shared_row(row % ROWS).map(|r| own_rows + r);
            rows.extend((0..HIDDEN).map(|unit| {
                let own = self.rows[self.place(row, unit)];
                own + shared.map_or(0.0, |r| self.rows[self.place(r, unit)])
            }));
        }
        rows
    }

    /// What follows the first layer.
    fn later(&self) -> Vec<FloatLayer<'_>> {
        let layers = self.layers.iter().map(|layer| FloatLayer {
            weights: &layer.weights,
            bias: &layer.bias,
        });
        layers.collect()
    }

    fn floats<'a>(&'a self, rows: &'a [f32], layers: &'a [FloatLayer<'a>]) -> FloatWeights<'a> {
        FloatWeights {
            rows,
            bias: &self.bias,
            layers,
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

    /// All groups of weights, for whoever treats them alike.
    #[must_use]
    pub fn groups(&self) -> Vec<&[f32]> {
        let layers = self.layers.iter().flat_map(|l| [&l.weights[..], &l.bias]);
        [&self.rows[..], &self.bias]
            .into_iter()
            .chain(layers)
            .collect()
    }

    /// The same, to be changed.
    pub fn groups_mut(&mut self) -> Vec<&mut [f32]> {
        let layers = self.layers.iter_mut();
        let layers = layers.flat_map(|l| [&mut l.weights[..], &mut l.bias]);
        let first = [&mut self.rows[..], &mut self.bias];
        first.into_iter().chain(layers).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::learn::Lesson as _;
    use super::super::sample::Sample;
    use super::*;

    #[test]
    fn plans_begin_alike() {
        let whole = Weights::random(Sample::OUTPUTS, 5);
        let mut divided = whole.clone();
        divided.divide();
        assert_eq!(divided.plans, PLANS);
        let [before, after] = [&whole, &divided].map(|w| w.net(Origin::default()));
        assert!(before.to_bytes() == after.to_bytes());
        // Real weights come back from rounded ones as the same net.
        let again = Weights::of_net(&after).net(Origin::default());
        assert!(again.to_bytes() == after.to_bytes());
    }
}
