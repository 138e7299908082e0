//! The weights of a net in floating point.
//!
//! The first layer is split into parts of [`PART`] hidden units. The data that a batch uses of one part, and its
//! gradient, then stay in the second-level cache during the passes.

use std::sync::Arc;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use crate::eval::features::View;
use crate::eval::kinds::{KINDS, PHASES, Sharing};
use crate::eval::luck_net::LuckNet;
use crate::eval::net::{FloatLayer, FloatWeights, Net, Origin};
use crate::eval::rows::{ROWS, RowKind, RowList, SHARED_ROWS, row_kind, shared_row};
use crate::eval::simd::{HIDDEN, OUTCOMES};
use crate::game::Position;

/// Hidden units per part of the first layer.
pub const PART: usize = 64;
/// Number of weights that one thread processes at a time.
const PIECE: usize = 1 << 16;
pub const PARTS: usize = HIDDEN / PART;

/// The unit that has a head of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heads {
    /// Each kind of position; each also has its own bias in the first layer.
    Kinds,
    /// Each phase.
    Phases,
}

impl Heads {
    /// Number of heads.
    pub fn count(self) -> usize {
        match self {
            Self::Kinds => KINDS,
            Self::Phases => PHASES,
        }
    }

    /// Number of biases of the first layer.
    pub fn biases(self) -> usize {
        match self {
            Self::Kinds => KINDS,
            Self::Phases => 1,
        }
    }

    /// The head for a position.
    pub fn of(self, view: &View<'_>) -> usize {
        match self {
            Self::Kinds => view.kind(),
            Self::Phases => view.phase(),
        }
    }
}

/// All weights of a net; also used for gradients and optimiser moments.
#[derive(Clone)]
pub struct Weights {
    pub heads: Heads,
    /// How kinds of position share rows of the first layer.
    pub sharing: Arc<Sharing>,
    /// First layer, `PARTS` x [`Weights::all_rows`] x `PART`; rows shared by patterns come last in each part.
    pub rows: Vec<f32>,
    /// Bias of the hidden units, [`Heads::biases`] x `HIDDEN`.
    pub bias: Vec<f32>,
    /// The layers after the first, each for all heads.
    pub layers: Vec<DenseLayer>,
}

/// A dense layer, once per head.
#[derive(Clone)]
pub struct DenseLayer {
    pub inputs: usize,
    pub outputs: usize,
    /// Heads x `outputs` x `inputs`.
    pub weights: Vec<f32>,
    /// Heads x `outputs`.
    pub bias: Vec<f32>,
}

impl DenseLayer {
    fn zero(heads: Heads, inputs: usize, outputs: usize) -> Self {
        Self {
            inputs,
            outputs,
            weights: vec![0.0; heads.count() * outputs * inputs],
            bias: vec![0.0; heads.count() * outputs],
        }
    }

    /// A layer of zeros with the shape of one head of this layer.
    pub fn zero_head(&self) -> Self {
        Self {
            inputs: self.inputs,
            outputs: self.outputs,
            weights: vec![0.0; self.outputs * self.inputs],
            bias: vec![0.0; self.outputs],
        }
    }
}

impl Weights {
    /// Zero weights, with rows shared by all kinds; `outputs` are the sizes of the layers after the first.
    pub fn zero(heads: Heads, outputs: &[usize]) -> Self {
        Self::shared(heads, Arc::new(Sharing::whole()), outputs)
    }

    fn shared(heads: Heads, sharing: Arc<Sharing>, outputs: &[usize]) -> Self {
        let inputs = [HIDDEN].iter().chain(outputs);
        let layers = inputs.zip(outputs);
        Self {
            heads,
            rows: vec![0.0; (sharing.len() + SHARED_ROWS) * HIDDEN],
            sharing,
            bias: vec![0.0; heads.biases() * HIDDEN],
            layers: layers
                .map(|(&i, &o)| DenseLayer::zero(heads, i, o))
                .collect(),
        }
    }

    /// Zero weights with the same shape.
    pub fn zero_like(&self) -> Self {
        let mut zero = self.clone();
        zero.groups_mut().into_iter().for_each(|g| g.fill(0.0));
        zero
    }

    /// Small random weights for the checkers: thirty rows are active at once, and a hidden unit should start in the
    /// middle of its range. Patterns start at zero, so that an unseen pattern has no effect.
    pub fn random(heads: Heads, outputs: &[usize], seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut w = Self::zero(heads, outputs);
        for row in (0..ROWS).filter(|&row| row_kind(row) == RowKind::Count) {
            for unit in 0..HIDDEN {
                let place = w.place(row, unit);
                w.rows[place] = rng.random_range(-0.12..0.12);
            }
        }
        let middle = |rng: &mut ChaCha8Rng| rng.random_range(0.1..0.5);
        // All heads, and all biases of the first layer, start equal.
        alike(&mut w.bias, HIDDEN, || middle(&mut rng));
        for layer in &mut w.layers {
            let of_head = layer.outputs * layer.inputs;
            alike(&mut layer.weights, of_head, || rng.random_range(-0.1..0.1));
        }
        // The output layer's values are not clipped and need no offset.
        let (_, inner) = w.layers.split_last_mut().expect("there is an output layer");
        for layer in inner {
            alike(&mut layer.bias, layer.outputs, || middle(&mut rng));
        }
        w
    }

    /// Restores the weights of a quantised main net, up to rounding.
    pub fn of_net(net: &Net) -> Self {
        let sharing = Arc::new(net.sharing().clone());
        let mut w = Self::shared(Heads::Kinds, sharing, &[OUTCOMES]);
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

    /// Number of rows of the first layer, including those shared by patterns.
    pub fn all_rows(&self) -> usize {
        self.sharing.len() + SHARED_ROWS
    }

    /// Number of weights in one part of the first layer.
    pub fn part_size(&self) -> usize {
        self.all_rows() * PART
    }

    /// Index in the first layer of the weight from a row to a hidden unit.
    pub fn place(&self, row: usize, unit: usize) -> usize {
        (unit / PART * self.all_rows() + row) * PART + unit % PART
    }

    /// Returns whether all kinds share all rows.
    pub fn is_whole(&self) -> bool {
        self.sharing.len() == ROWS
    }

    /// Gives kinds their own rows, equal at first.
    ///
    /// # Panics
    /// If rows are divided already.
    pub fn divide(&mut self, sharing: &Arc<Sharing>) {
        assert!(self.is_whole(), "divided once");
        let parts = self.rows.chunks_exact(self.part_size());
        self.rows = parts
            .flat_map(|part| {
                let (own, shared) = part.split_at(ROWS * PART);
                let of = |&row: &u16| own[usize::from(row) * PART..][..PART].iter();
                let divided = sharing.rows().iter().flat_map(of);
                divided.chain(shared).copied().collect::<Vec<f32>>()
            })
            .collect();
        self.sharing = Arc::clone(sharing);
    }

    /// Quantises a main net.
    pub fn net(&self, origin: Origin) -> Net {
        let (rows, layers) = (self.folded(), self.later());
        Net::quantised(&self.floats(&rows, &layers), origin)
    }

    /// Quantises a luck net.
    pub fn luck_net(&self, origin: Origin) -> LuckNet {
        let (rows, layers) = (self.folded(), self.later());
        LuckNet::quantised(&self.floats(&rows, &layers), origin)
    }

    /// Returns the rows for evaluation: the sum of each pattern's own and shared weights.
    fn folded(&self) -> Vec<f32> {
        let own_rows = self.sharing.len();
        let mut rows = Vec::with_capacity(own_rows * HIDDEN);
        for (place, &row) in self.sharing.rows().iter().enumerate() {
            let shared = shared_row(usize::from(row)).map(|r| own_rows + r);
            rows.extend((0..HIDDEN).map(|unit| {
                let own = self.rows[self.place(place, unit)];
                own + shared.map_or(0.0, |r| self.rows[self.place(r, unit)])
            }));
        }
        rows
    }

    /// Returns the layers after the first.
    fn later(&self) -> Vec<FloatLayer<'_>> {
        let layers = self.layers.iter().map(|layer| FloatLayer {
            weights: &layer.weights,
            bias: &layer.bias,
        });
        layers.collect()
    }

    fn floats<'a>(&'a self, rows: &'a [f32], layers: &'a [FloatLayer<'a>]) -> FloatWeights<'a> {
        FloatWeights {
            sharing: &self.sharing,
            rows,
            bias: &self.bias,
            layers,
        }
    }

    /// Moves each weight by `share` of the distance to `other`.
    pub fn approach(&mut self, other: &Self, share: f32) {
        for (group, other) in self.groups_mut().into_iter().zip(other.groups()) {
            let pieces = group.par_chunks_mut(PIECE).zip(other.par_chunks(PIECE));
            pieces.for_each(|(group, other)| {
                for (w, o) in group.iter_mut().zip(other) {
                    *w += share * (o - *w);
                }
            });
        }
    }

    /// Returns all groups of weights.
    pub fn groups(&self) -> Vec<&[f32]> {
        let layers = self.layers.iter().flat_map(|l| [&l.weights[..], &l.bias]);
        [&self.rows[..], &self.bias]
            .into_iter()
            .chain(layers)
            .collect()
    }

    /// Mutable access to all groups of weights.
    pub fn groups_mut(&mut self) -> Vec<&mut [f32]> {
        let layers = self.layers.iter_mut();
        let layers = layers.flat_map(|l| [&mut l.weights[..], &mut l.bias]);
        let first = [&mut self.rows[..], &mut self.bias];
        first.into_iter().chain(layers).collect()
    }
}

/// Fills the first `size` of `weights` and repeats them.
fn alike(weights: &mut [f32], size: usize, mut weight: impl FnMut() -> f32) {
    let (first, rest) = weights.split_at_mut(size);
    first.iter_mut().for_each(|w| *w = weight());
    rest.chunks_exact_mut(size)
        .for_each(|w| w.copy_from_slice(first));
}

/// Counts the positions of each kind (the slower index) that have each row.
pub fn rows_seen(positions: impl Iterator<Item = Position>) -> Vec<u32> {
    let mut seen = vec![0; KINDS * ROWS];
    let mut rows = RowList::new();
    for position in positions {
        let view = View::new(&position);
        view.rows(&mut rows);
        let of_kind = &mut seen[view.kind() * ROWS..][..ROWS];
        for &row in rows.as_slice() {
            of_kind[usize::from(row)] += 1;
        }
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::super::learn::TrainingExample as _;
    use super::super::sample::Sample;
    use super::*;
    use crate::eval::{Engine, Evaluator};

    #[test]
    fn kinds_begin_alike() {
        let whole = Weights::random(Heads::Kinds, Sample::OUTPUTS, 5);
        let mut divided = whole.clone();
        let race = Position::from_points(&[(6, 8), (5, 7)], &[(8, 9), (3, 6)]).unwrap();
        let seen = rows_seen([Position::opening(), race].into_iter());
        divided.divide(&Arc::new(Sharing::by_use(&seen, ROWS + 40)));
        assert!(whole.is_whole() && !divided.is_whole());
        let [before, after] = [&whole, &divided].map(|w| w.net(Origin::default()));
        let value = |net: Net| Engine::with_net(net).probabilities_of(&Position::opening());
        assert_eq!(value(before), value(after.clone()));
        // Restoring a quantised net and quantising it again gives the same net.
        let again = Weights::of_net(&after).net(Origin::default());
        assert!(again.to_bytes() == after.to_bytes());
    }
}
