//! One training step: the gradient of a loss over a batch, and Adam on the rows that the batch uses.
//!
//! The first layer is sparse, so only rows in use have a gradient, and the optimiser (Kingma and Ba 2015) moves only
//! those ("lazy" moments). A batch passes through the first layer in parts of the hidden units, forward and backward:
//! the data it uses of one part fits the second-level cache, that of the whole layer does not.
//!
//! Each sum is computed by one thread, in an order that does not depend on their number. Threads divide positions in
//! the forward pass, heads and parts of the first layer in the backward pass.

use std::sync::{Arc, Mutex};

use multiversion::multiversion;
use rayon::prelude::*;

use super::batch::{Batch, InputMask, scatter, share_out};
use super::pass::Pass;
use super::weights::{DenseLayer, Heads, PART, Weights};
use crate::eval::kinds::Sharing;
use crate::eval::simd::{FULL, LARGEST_WEIGHT};
use crate::game::Position;
use crate::locks::lock;

const BETA1: f32 = 0.9;
const BETA2: f32 = 0.999;
const EPSILON: f32 = 1e-8;
/// Limit of first-layer weights: larger ones do not fit a net's file and could overflow the 16-bit sums of
/// evaluation. If a pattern's own and shared weight exceed it together, rounding clips their sum.
const MOST_WEIGHT: f32 = LARGEST_WEIGHT as f32 / FULL as f32;
/// Number of first-layer rows that one thread moves at a time.
const ROWS_AT_ONCE: usize = 4096;
/// Number of steps between updates of the average.
const AVERAGE_EVERY: u64 = 16;
/// Number of such updates over which the average reaches back.
const AVERAGE_OVER: u64 = 60;

/// A training example.
pub trait TrainingExample: Sync {
    /// The positions that have heads of their own in this net.
    const HEADS: Heads;

    /// Output sizes of the layers after the first.
    const OUTPUTS: &'static [usize];

    /// The input position.
    fn position(&self) -> Position;

    /// Returns whether the next example is a rival of this one. Both must be adjacent in one batch.
    fn has_rival(&self) -> bool {
        false
    }

    /// Returns the error of the net's `outputs` in the quantity by which rivals are compared. Overwrites `outputs`.
    fn off(&self, _outputs: &mut [f32]) -> f32 {
        0.0
    }

    /// Replaces the net's `outputs` with the gradient of the loss. Returns the loss. `excess` is the difference
    /// between this example's [`off`](Self::off) and its rival's; 0 without a rival.
    fn assess(&self, outputs: &mut [f32], excess: f32) -> f32;
}

/// Weights with the state of their optimiser.
pub struct Learner {
    /// The current net.
    pub weights: Weights,
    /// First and second moments of the gradient.
    pub moments: [Weights; 2],
    /// The running average of the weights, which a training exports. It replaces a very small learning rate (Polyak
    /// and Juditsky 1992).
    pub average: Weights,
    pub steps: u64,
    gradient: Gradient,
    batch: Batch,
}

impl Learner {
    /// Starts from `weights`.
    pub fn new(weights: Weights) -> Self {
        let zero = weights.zero_like();
        let average = weights.clone();
        Self::resume(weights, [zero.clone(), zero], average, 0)
    }

    /// Restricts the inputs of this learner.
    pub fn seeing(mut self, input_mask: InputMask) -> Self {
        self.batch.input_mask = input_mask;
        self
    }

    /// Continues from an optimiser's saved state.
    pub fn resume(weights: Weights, moments: [Weights; 2], average: Weights, steps: u64) -> Self {
        Self {
            gradient: Gradient::new(&weights),
            batch: Batch::default(),
            weights,
            moments,
            average,
            steps,
        }
    }

    /// Gives kinds of position their own rows; see [`Weights::divide`].
    pub fn divide(&mut self, sharing: &Arc<Sharing>) {
        let [m, v] = &mut self.moments;
        for weights in [&mut self.weights, m, v, &mut self.average] {
            weights.divide(sharing);
        }
        self.gradient = Gradient::new(&self.weights);
    }

    /// Learns from one batch at the given rate. Returns the mean loss.
    pub fn step<L: TrainingExample>(&mut self, lessons: &[&L], rate: f32) -> f32 {
        let n = lessons.len().max(1) as f32;
        let positions = lessons.par_iter().map(|lesson| lesson.position());
        self.batch.look(&self.weights, positions);
        self.batch.sum(&self.weights);
        let loss = self.assess(lessons);
        self.steps += 1;
        self.update(n, rate);
        if self.steps.is_multiple_of(AVERAGE_EVERY) {
            let taken = (self.steps / AVERAGE_EVERY).min(AVERAGE_OVER);
            self.average.approach(&self.weights, 1.0 / taken as f32);
        }
        loss / n
    }

    /// Returns the loss of the batch. Adds its gradient, and replaces the batch's sums with their gradients.
    fn assess<L: TrainingExample>(&mut self, lessons: &[&L]) -> f32 {
        let excess = self.excess_over_rivals(lessons);
        let weights = &self.weights;
        let mut parts = Vec::new();
        let (mut order, mut sums) = (&self.batch.order[..], &mut self.batch.sums[..]);
        for (head, gradient) in self.gradient.heads.iter_mut().enumerate() {
            let of_head = order.partition_point(|place| usize::from(place.head) <= head);
            if of_head > 0 {
                let (here, slopes);
                (here, order) = order.split_at(of_head);
                (slopes, sums) = sums.split_at_mut(of_head);
                parts.push((head, gradient, here, slopes));
            }
        }
        let losses = parts.into_par_iter().map_init(
            || Pass::new(weights),
            |pass, (head, gradient, places, sums)| {
                gradient.used = true;
                let mut loss = 0.0;
                for (place, sum) in places.iter().zip(sums) {
                    let example = place.example as usize;
                    let outputs = pass.forward(weights, head, sum);
                    loss += lessons[example].assess(outputs, excess[example]);
                    pass.backward(weights, &mut gradient.layers, head, sum);
                }
                loss
            },
        );
        let losses: Vec<f32> = losses.collect();
        self.batch.add_slopes(&mut self.gradient.bias);
        losses.iter().sum()
    }

    /// Returns how much each example's [`off`](TrainingExample::off) exceeds its rival's; 0 without a rival.
    fn excess_over_rivals<L: TrainingExample>(&self, lessons: &[&L]) -> Vec<f32> {
        let has_next = |example| example + 1 < lessons.len();
        let first = lessons.iter().enumerate();
        let first = first.map(|(example, lesson)| lesson.has_rival() && has_next(example));
        let first: Vec<bool> = first.collect();
        let has_rival = |example: usize| first[example] || example > 0 && first[example - 1];
        let places = self.batch.order.par_iter().zip(&self.batch.sums);
        let off = places.map_init(
            || Pass::new(&self.weights),
            |pass, (place, sum)| {
                let example = place.example as usize;
                let off = match has_rival(example) {
                    false => 0.0,
                    true => {
                        let head = usize::from(place.head);
                        lessons[example].off(pass.forward(&self.weights, head, sum))
                    }
                };
                (example, off)
            },
        );
        let mut excess = vec![0.0; lessons.len()];
        for (example, off) in off.collect::<Vec<_>>() {
            excess[example] = off;
        }
        for (example, _) in first.iter().enumerate().filter(|(_, is_first)| **is_first) {
            let difference = excess[example] - excess[example + 1];
            excess[example] = difference;
            excess[example + 1] = -difference;
        }
        excess
    }

    /// Returns weights, moments and average for a checkpoint.
    pub(super) fn groups(&self) -> Vec<&[f32]> {
        let [m, v] = &self.moments;
        let all = [&self.weights, m, v, &self.average];
        all.into_iter().flat_map(Weights::groups).collect()
    }

    /// Mutable access to all groups of numbers.
    pub(super) fn groups_mut(&mut self) -> Vec<&mut [f32]> {
        let [m, v] = &mut self.moments;
        let all = [&mut self.weights, m, v, &mut self.average];
        all.into_iter().flat_map(Weights::groups_mut).collect()
    }

    /// Evaluates `lessons` with the averaged weights, without learning. Calls `each` with every lesson and the net's
    /// outputs.
    pub fn examine<L: TrainingExample>(
        &mut self,
        lessons: &[L],
        mut each: impl FnMut(&L, &mut [f32]),
    ) {
        let mut pass = Pass::new(&self.average);
        for part in lessons.chunks(512) {
            let positions = part.par_iter().map(TrainingExample::position);
            self.batch.look(&self.average, positions);
            self.batch.sum(&self.average);
            for (place, sum) in self.batch.order.iter().zip(&self.batch.sums) {
                let outputs = pass.forward(&self.average, usize::from(place.head), sum);
                each(&part[place.example as usize], outputs);
            }
        }
    }

    fn update(&mut self, n: f32, rate: f32) {
        let adam = Adam::new(n, rate, self.steps, f32::INFINITY);
        self.update_rows(&Adam::new(n, rate, self.steps, MOST_WEIGHT));
        let [m, v] = &mut self.moments;
        let w = &mut self.weights;
        let g = &mut self.gradient;
        move_weights(&adam, &mut w.bias, &mut g.bias, &mut m.bias, &mut v.bias);
        for (h, of_head) in g.heads.iter_mut().enumerate() {
            // Heads that the batch did not use stay unchanged, like unused rows.
            if !std::mem::take(&mut of_head.used) {
                continue;
            }
            let layers = w.layers.iter_mut().zip(&mut of_head.layers);
            let moments = m.layers.iter_mut().zip(&mut v.layers);
            for ((w, g), (m, v)) in layers.zip(moments) {
                let r = h * w.outputs * w.inputs..(h + 1) * w.outputs * w.inputs;
                let b = h * w.outputs..(h + 1) * w.outputs;
                let (mw, mb) = (&mut m.weights[r.clone()], &mut m.bias[b.clone()]);
                let (vw, vb) = (&mut v.weights[r.clone()], &mut v.bias[b.clone()]);
                move_weights(&adam, &mut w.weights[r], &mut g.weights, mw, vw);
                move_weights(&adam, &mut w.bias[b], &mut g.bias, mb, vb);
            }
        }
    }

    fn update_rows(&mut self, adam: &Adam) {
        let touched = self.batch.touched();
        let size = self.weights.part_size();
        let [m, v] = &mut self.moments;
        let (batch, gradient) = (&self.batch, &self.gradient);
        let sharing = &self.weights.sharing;
        let weights = self.weights.rows.par_chunks_exact_mut(size);
        let moments = m.rows.par_chunks_exact_mut(size);
        let moments = moments.zip(v.rows.par_chunks_exact_mut(size));
        weights
            .zip(moments)
            .enumerate()
            .for_each(|(part, (w, (m, v)))| {
                gradient.with_part(size, |slopes| {
                    scatter(slopes, batch, part);
                    share_out(slopes, &touched, sharing);
                    move_rows(adam, &touched, [w, slopes, m, v]);
                });
            });
    }
}

/// Moves the used rows of a part of the first layer; `state` is weights, gradients and moments.
fn move_rows(adam: &Adam, touched: &[u32], state: [&mut [f32]; 4]) {
    let [w, g, m, v] = state.map(|all| all.par_chunks_mut(ROWS_AT_ONCE * PART));
    let blocks = w.zip(g).zip(m.zip(v)).enumerate();
    blocks.for_each(|(block, ((w, g), (m, v)))| {
        let first = block * ROWS_AT_ONCE;
        let rows = touched.iter().map(|&row| row as usize);
        let start = touched.partition_point(|&row| (row as usize) < first);
        for row in rows
            .skip(start)
            .take_while(|&row| row < first + ROWS_AT_ONCE)
        {
            let r = (row - first) * PART..(row - first + 1) * PART;
            let (w, g) = (&mut w[r.clone()], &mut g[r.clone()]);
            move_weights(adam, w, g, &mut m[r.clone()], &mut v[r]);
        }
    });
}

/// The gradient of the loss over a batch.
struct Gradient {
    /// Buffers for parts of the first layer, one for each part processed at once; all zero when not in use.
    parts: Mutex<Vec<Vec<f32>>>,
    bias: Vec<f32>,
    heads: Vec<HeadGradient>,
}

/// The gradient of the layers of one head.
struct HeadGradient {
    layers: Vec<DenseLayer>,
    used: bool,
}

impl Gradient {
    fn new(weights: &Weights) -> Self {
        let of_head = |_| HeadGradient {
            layers: weights.layers.iter().map(DenseLayer::zero_head).collect(),
            used: false,
        };
        Self {
            parts: Mutex::default(),
            bias: vec![0.0; weights.bias.len()],
            heads: (0..weights.heads.count()).map(of_head).collect(),
        }
    }

    /// Calls `work` with a zeroed buffer for the gradient of a part of the first layer; `work` must leave it zeroed.
    fn with_part(&self, size: usize, work: impl FnOnce(&mut [f32])) {
        let free = || lock(&self.parts);
        let kept = free().pop();
        let mut part = kept.unwrap_or_else(|| vec![0.0; size]);
        work(&mut part);
        free().push(part);
    }
}

/// Parameters of one optimiser step.
#[derive(Clone, Copy)]
pub(super) struct Adam {
    /// Converts the summed gradient into a mean.
    scale: f32,
    rate: f32,
    most: f32,
}

impl Adam {
    /// Parameters of step number `step`, from 1, over a batch of `n`; `most` limits the weights.
    pub(super) fn new(n: f32, rate: f32, step: u64, most: f32) -> Self {
        let step = step.min(100_000) as i32;
        Self {
            scale: 1.0 / n,
            rate: rate * (1.0 - BETA2.powi(step)).sqrt() / (1.0 - BETA1.powi(step)),
            most,
        }
    }
}

/// Moves weights by their gradient, and clears the gradient.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
pub(super) fn move_weights(
    adam: &Adam,
    w: &mut [f32],
    g: &mut [f32],
    m: &mut [f32],
    v: &mut [f32],
) {
    for (((w, g), m), v) in w.iter_mut().zip(g).zip(m).zip(v) {
        let gradient = *g * adam.scale;
        *g = 0.0;
        *m = BETA1 * *m + (1.0 - BETA1) * gradient;
        *v = BETA2 * *v + (1.0 - BETA2) * gradient * gradient;
        let moved = *w - adam.rate * *m / (v.sqrt() + EPSILON);
        *w = moved.clamp(-adam.most, adam.most);
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::{LuckSample, Sample};
    use super::super::weights::rows_seen;
    use super::*;
    use crate::eval::rows::ROWS;
    use crate::eval::simd::HIDDEN;
    use crate::game::roll::DISTINCT;

    /// Compares the gradient of the loss with finite differences.
    fn check_slope<L: TrainingExample>(lesson: &L) {
        let mut learner = Learner::new(Weights::random(L::HEADS, L::OUTPUTS, 3));
        let seen = rows_seen([lesson.position()].into_iter());
        learner.divide(&Arc::new(Sharing::by_use(&seen, ROWS + 40)));
        let loss = |learner: &mut Learner| {
            let positions = [lesson.position()].into_par_iter();
            learner.batch.look(&learner.weights, positions);
            learner.batch.sum(&learner.weights);
            f64::from(learner.assess(&[lesson]))
        };
        loss(&mut learner);
        let slopes = learner.batch.sums[0];
        let row = learner.batch.rows[5] as usize;
        let times = learner.batch.rows.iter().filter(|&&r| r as usize == row);
        let times = times.count() as f32;
        for unit in (0..HIDDEN).step_by(37) {
            let i = learner.weights.place(row, unit);
            let h = 1e-2;
            let mut at = |delta: f32| {
                let old = learner.weights.rows[i];
                learner.weights.rows[i] = old + delta / times;
                let loss = loss(&mut learner);
                learner.weights.rows[i] = old;
                loss
            };
            let slope = (at(h) - at(-h)) / f64::from(2.0 * h);
            let got = f64::from(slopes[unit]);
            assert!((slope - got).abs() < 2e-3, "unit {unit}: {slope} {got}");
        }
    }

    #[test]
    fn gradients_are_the_slope_of_the_loss() {
        let label = [0.4, 0.15, 0.01, 0.3, 0.13, 0.01];
        check_slope(&Sample::new(&Position::opening(), &label));
        let values = std::array::from_fn(|r| [0.02 * r as f32, 0.01 * r as f32, 0.1]);
        const { assert!(DISTINCT == 21) };
        check_slope(&LuckSample::new(&Position::opening(), &values));
    }

    #[test]
    fn a_net_learns_one_position_by_heart() {
        let mut learner = Learner::new(Weights::random(Sample::HEADS, Sample::OUTPUTS, 1));
        let sample = Sample::new(&Position::opening(), &[0.4, 0.1, 0.0, 0.3, 0.2, 0.0]);
        let before = learner.step(&[&sample], 1e-2);
        for _ in 0..100 {
            learner.step(&[&sample], 1e-2);
        }
        let after = learner.step(&[&sample], 1e-2);
        let entropy: f32 = [0.4f32, 0.1, 0.3, 0.2].iter().map(|p| -p * p.ln()).sum();
        assert!(
            after < before && after < entropy + 0.05,
            "{before} {after} {entropy}"
        );
    }

    /// The sums of a step do not depend on the number of threads.
    #[test]
    fn a_step_is_the_same_on_any_number_of_threads() {
        let race = Position::from_points(&[(6, 8), (5, 7)], &[(8, 9), (3, 6)]).unwrap();
        let contact = Position::from_points(&[(24, 2), (6, 13)], &[(13, 7), (8, 8)]).unwrap();
        let positions = [race, Position::opening(), contact];
        let sample = |i: usize| {
            let win = 0.2 + 0.6 * (i % 7) as f32 / 7.0;
            let label = [0.9 * win, 0.1 * win, 0.0, 1.0 - win, 0.0, 0.0];
            let sample = Sample::new(&positions[i % 3], &label);
            if i.is_multiple_of(5) {
                sample.with_rival()
            } else {
                sample
            }
        };
        let samples: Vec<Sample> = (0..700).map(sample).collect();
        let lessons: Vec<&Sample> = samples.iter().collect();
        let learnt = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            pool.build().unwrap().install(|| {
                let mut learner = Learner::new(Weights::random(Sample::HEADS, Sample::OUTPUTS, 1));
                let losses = (0..20).map(|_| learner.step(&lessons, 1e-3));
                let losses: Vec<f32> = losses.collect();
                assert!(losses[19] < losses[0]);
                (losses, learner.weights.rows, learner.weights.bias)
            })
        };
        assert!(learnt(1) == learnt(5));
    }
}
