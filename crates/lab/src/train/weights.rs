//! The weights of a net in real numbers.
//!
//! The first layer is cut into parts of [`PART`] hidden units, one behind the other. What a batch
//! touches of one part, and its gradient, then stay in the processor's second cache while the batch
//! goes through it.

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

/// Hidden units of a part of the first layer.
pub const PART: usize = 64;
/// Weights that one thread takes at a time where all are treated alike.
const PIECE: usize = 1 << 16;
/// Parts of the first layer.
pub const PARTS: usize = HIDDEN / PART;

/// What has a head of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heads {
    /// Each kind of position, and a bias of the first layer as well.
    Kinds,
    /// Each phase.
    Phases,
}

impl Heads {
    /// How many heads there are.
    pub fn count(self) -> usize {
        match self {
            Self::Kinds => KINDS,
            Self::Phases => PHASES,
        }
    }

    /// How many biases the first layer has.
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

/// All weights of a net; also the shape of a gradient and of the optimiser's moments.
#[derive(Clone)]
pub struct Weights {
    /// What has a head of its own.
    pub heads: Heads,
    /// Which kinds of position share which rows of the first layer.
    pub sharing: Arc<Sharing>,
    /// First layer, `PARTS` x [`Weights::all_rows`] x `PART`; rows that patterns share are the last
    /// of each part.
    pub rows: Vec<f32>,
    /// Bias of the hidden units, [`Heads::biases`] x `HIDDEN`.
    pub bias: Vec<f32>,
    /// What follows the first layer, each layer of one head after the other.
    pub layers: Vec<DenseLayer>,
}

/// A layer in which everything is connected, once for each head.
#[derive(Clone)]
pub struct DenseLayer {
    /// Numbers it takes.
    pub inputs: usize,
    /// Numbers it gives.
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

    /// A layer of zeros in the shape of one head of this one.
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
    /// Weights that are all zero, the rows shared by all kinds; layers of so many outputs follow the first.
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

    /// Weights that are all zero, in the shape of these.
    pub fn zero_like(&self) -> Self {
        let mut zero = self.clone();
        zero.groups_mut().into_iter().for_each(|g| g.fill(0.0));
        zero
    }

    /// Small random weights for the checkers: thirty rows are active at once, and a hidden unit
    /// should start in the middle of its range. Patterns start at zero, so that one never seen
    /// means nothing.
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
        // All heads, and all biases of the first layer, begin alike.
        alike(&mut w.bias, HIDDEN, || middle(&mut rng));
        for layer in &mut w.layers {
            let of_head = layer.outputs * layer.inputs;
            alike(&mut layer.weights, of_head, || rng.random_range(-0.1..0.1));
        }
        // The last layer's outputs need no room to bend in.
        let (_, inner) = w.layers.split_last_mut().expect("there is an output layer");
        for layer in inner {
            alike(&mut layer.bias, layer.outputs, || middle(&mut rng));
        }
        w
    }

    /// The weights of a main net, as far as its rounded ones tell.
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

    /// Rows of the first layer, those that patterns share included.
    pub fn all_rows(&self) -> usize {
        self.sharing.len() + SHARED_ROWS
    }

    /// Weights of one part of the first layer.
    pub fn part_size(&self) -> usize {
        self.all_rows() * PART
    }

    /// Where in the first layer the weight from a row to a hidden unit is.
    pub fn place(&self, row: usize, unit: usize) -> usize {
        (unit / PART * self.all_rows() + row) * PART + unit % PART
    }

    /// Whether all kinds share all rows.
    pub fn is_whole(&self) -> bool {
        self.sharing.len() == ROWS
    }

    /// Gives kinds rows of their own, all of them alike at first.
    ///
    /// # Panics
    /// If some have already.
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

    /// Rounded to the integers that evaluation uses: a main net.
    pub fn net(&self, origin: Origin) -> Net {
        let (rows, layers) = (self.folded(), self.later());
        Net::quantised(&self.floats(&rows, &layers), origin)
    }

    /// Rounded to the integers that evaluation uses: a luck net.
    pub fn luck_net(&self, origin: Origin) -> LuckNet {
        let (rows, layers) = (self.folded(), self.later());
        LuckNet::quantised(&self.floats(&rows, &layers), origin)
    }

    /// The rows that evaluation uses: each pattern's own weights and its shared ones, added.
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
            sharing: &self.sharing,
            rows,
            bias: &self.bias,
            layers,
        }
    }

    /// Moves each weight by `share` of the way to another's.
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

    /// All groups of weights, for code that treats them alike.
    pub fn groups(&self) -> Vec<&[f32]> {
        let layers = self.layers.iter().flat_map(|l| [&l.weights[..], &l.bias]);
        [&self.rows[..], &self.bias]
            .into_iter()
            .chain(layers)
            .collect()
    }

    /// All groups of weights, to be changed.
    pub fn groups_mut(&mut self) -> Vec<&mut [f32]> {
        let layers = self.layers.iter_mut();
        let layers = layers.flat_map(|l| [&mut l.weights[..], &mut l.bias]);
        let first = [&mut self.rows[..], &mut self.bias];
        first.into_iter().chain(layers).collect()
    }
}

/// Fills the first `size` of `weights`, and repeats them.
fn alike(weights: &mut [f32], size: usize, mut weight: impl FnMut() -> f32) {
    let (first, rest) = weights.split_at_mut(size);
    first.iter_mut().for_each(|w| *w = weight());
    rest.chunks_exact_mut(size)
        .for_each(|w| w.copy_from_slice(first));
}

/// How often each kind of position (the slower index) has each row.
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
        // Real weights come back from rounded ones as the same net.
        let again = Weights::of_net(&after).net(Origin::default());
        assert!(again.to_bytes() == after.to_bytes());
    }
}
