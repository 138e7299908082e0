//! One step of learning: the gradient of a loss over a batch, and Adam on the rows that the batch
//! has touched.
//!
//! The first layer is sparse, so only touched rows have a gradient, and the optimiser (Kingma and
//! Ba 2015) moves only those ("lazy" moments). A batch goes through the first layer one part of the
//! hidden units at a time, there and back. What it touches of a part fits the second cache, and
//! what it touches of the whole does not.

use std::sync::Arc;

use multiversion::multiversion;

use super::batch::{Batch, InputMask, scatter, share_out};
use super::pass::Pass;
use super::weights::{Heads, PART, PARTS, Weights};
use crate::eval::kinds::Sharing;
use crate::eval::simd::{FULL, LARGEST_WEIGHT};
use crate::game::Position;

const BETA1: f32 = 0.9;
const BETA2: f32 = 0.999;
const EPSILON: f32 = 1e-8;
/// Larger first-layer weights have no room in a net's file, and could overflow the 16-bit sums of evaluation. Where a
/// pattern's own weight and its shared one come to more, rounding cuts their sum off.
const MOST_WEIGHT: f32 = LARGEST_WEIGHT as f32 / FULL as f32;
/// Steps after which the average takes in the weights.
const AVERAGE_EVERY: u64 = 16;
/// Such steps that the average reaches back over.
const AVERAGE_OVER: u64 = 60;

/// A training example.
pub trait TrainingExample {
    /// What has a head of its own in a net that learns this.
    const HEADS: Heads;

    /// Outputs of the layers after the first that a net needs to learn this.
    const OUTPUTS: &'static [usize];

    /// What the net is shown.
    fn position(&self) -> Position;

    /// Whether the next example is a rival: the two belong into one batch, side by side.
    fn has_rival(&self) -> bool {
        false
    }

    /// By how much the net's `outputs`, which are lost, miss what rivals are compared by.
    fn off(&self, _outputs: &mut [f32]) -> f32 {
        0.0
    }

    /// Replaces the net's `outputs` by the slope of the loss in each; returns the loss. `beside` says
    /// how much more they are [`off`](Self::off) than those of the rival, if there is one.
    fn assess(&self, outputs: &mut [f32], beside: f32) -> f32;
}

/// Weights with the state of their optimiser.
pub struct Learner {
    /// The net as it stands.
    pub weights: Weights,
    /// First and second moments of the gradient.
    pub moments: [Weights; 2],
    /// The running average of the weights: what a training gives away. It takes the place of a very small
    /// learning rate (Polyak and Juditsky 1992).
    pub average: Weights,
    /// Steps taken.
    pub steps: u64,
    gradient: Gradient,
    batch: Batch,
    pass: Pass,
}

impl Learner {
    /// Starts from `weights`.
    #[must_use]
    pub fn new(weights: Weights) -> Self {
        let zero = weights.zero_like();
        let average = weights.clone();
        Self::resume(weights, [zero.clone(), zero], average, 0)
    }

    /// The same learner, shown only so much.
    #[must_use]
    pub fn seeing(mut self, input_mask: InputMask) -> Self {
        self.batch.input_mask = input_mask;
        self
    }

    /// Goes on with an optimiser's saved state.
    #[must_use]
    pub fn resume(weights: Weights, moments: [Weights; 2], average: Weights, steps: u64) -> Self {
        Self {
            gradient: Gradient::new(&weights),
            batch: Batch::default(),
            pass: Pass::new(&weights),
            weights,
            moments,
            average,
            steps,
        }
    }

    /// Gives kinds of position rows of their own, see [`Weights::divide`].
    pub fn divide(&mut self, sharing: &Arc<Sharing>) {
        let [m, v] = &mut self.moments;
        for weights in [&mut self.weights, m, v, &mut self.average] {
            weights.divide(sharing);
        }
        self.gradient = Gradient::new(&self.weights);
    }

    /// Learns from one batch at the given rate; returns the mean loss.
    pub fn step<'a, L: TrainingExample + 'a>(
        &mut self,
        lessons: impl ExactSizeIterator<Item = &'a L> + Clone,
        rate: f32,
    ) -> f32 {
        let n = lessons.len().max(1) as f32;
        self.batch
            .look(&self.weights, lessons.clone().map(L::position));
        self.batch.sum(&self.weights);
        let mut loss = 0.0;
        let mut lessons = lessons.enumerate().peekable();
        while let Some((i, lesson)) = lessons.next() {
            match lessons.next_if(|_| lesson.has_rival()) {
                None => loss += self.assess(i, lesson, 0.0),
                Some((j, rival)) => {
                    let beside = self.off(i, lesson) - self.off(j, rival);
                    loss += self.assess(i, lesson, beside) + self.assess(j, rival, -beside);
                }
            }
        }
        self.steps += 1;
        self.update(n, rate);
        if self.steps.is_multiple_of(AVERAGE_EVERY) {
            let taken = (self.steps / AVERAGE_EVERY).min(AVERAGE_OVER);
            self.average.approach(&self.weights, 1.0 / taken as f32);
        }
        loss / n
    }

    /// The loss of the `i`-th example of the batch, whose slopes are added to the gradient.
    fn assess<L: TrainingExample>(&mut self, i: usize, lesson: &L, beside: f32) -> f32 {
        let head = usize::from(self.batch.heads[i]);
        let sum = &mut self.batch.sums[i];
        let loss = lesson.assess(self.pass.forward(&self.weights, head, sum), beside);
        self.gradient.heads_used[head] = true;
        let bias = usize::from(self.batch.biases[i]);
        let gradient = &mut self.gradient.rest;
        self.pass.backward(&self.weights, gradient, head, bias, sum);
        loss
    }

    fn off<L: TrainingExample>(&mut self, i: usize, lesson: &L) -> f32 {
        let head = usize::from(self.batch.heads[i]);
        let sum = &self.batch.sums[i];
        lesson.off(self.pass.forward(&self.weights, head, sum))
    }

    /// Weights, moments and average, for a checkpoint.
    pub(super) fn groups(&self) -> Vec<&[f32]> {
        let [m, v] = &self.moments;
        let all = [&self.weights, m, v, &self.average];
        all.into_iter().flat_map(Weights::groups).collect()
    }

    /// The same, to be changed.
    pub(super) fn groups_mut(&mut self) -> Vec<&mut [f32]> {
        let [m, v] = &mut self.moments;
        let all = [&mut self.weights, m, v, &mut self.average];
        all.into_iter().flat_map(Weights::groups_mut).collect()
    }

    /// Shows `lessons` to the averaged weights, which do not learn from them: hands each with the net's outputs
    /// to `each`.
    pub fn examine<L: TrainingExample>(
        &mut self,
        lessons: &[L],
        mut each: impl FnMut(&L, &mut [f32]),
    ) {
        for part in lessons.chunks(512) {
            self.batch.look(&self.average, part.iter().map(L::position));
            self.batch.sum(&self.average);
            for (i, lesson) in part.iter().enumerate() {
                let head = usize::from(self.batch.heads[i]);
                let sum = &self.batch.sums[i];
                each(lesson, self.pass.forward(&self.average, head, sum));
            }
        }
    }

    fn update(&mut self, n: f32, rate: f32) {
        let adam = Adam::new(n, rate, self.steps, f32::INFINITY);
        self.update_rows(&Adam::new(n, rate, self.steps, MOST_WEIGHT));
        let [m, v] = &mut self.moments;
        let w = &mut self.weights;
        let Gradient {
            rest: g,
            heads_used,
            ..
        } = &mut self.gradient;
        move_weights(&adam, &mut w.bias, &mut g.bias, &mut m.bias, &mut v.bias);
        for (h, used) in heads_used.iter_mut().enumerate() {
            // Heads that the batch did not use keep still, as untouched rows do.
            if !std::mem::take(used) {
                continue;
            }
            let layers = w.layers.iter_mut().zip(&mut g.layers);
            let moments = m.layers.iter_mut().zip(&mut v.layers);
            for ((w, g), (m, v)) in layers.zip(moments) {
                let r = h * w.outputs * w.inputs..(h + 1) * w.outputs * w.inputs;
                let b = h * w.outputs..(h + 1) * w.outputs;
                let (gw, gb) = (&mut g.weights[r.clone()], &mut g.bias[b.clone()]);
                let (mw, mb) = (&mut m.weights[r.clone()], &mut m.bias[b.clone()]);
                let (vw, vb) = (&mut v.weights[r.clone()], &mut v.bias[b.clone()]);
                move_weights(&adam, &mut w.weights[r], gw, mw, vw);
                move_weights(&adam, &mut w.bias[b], gb, mb, vb);
            }
        }
    }

    fn update_rows(&mut self, adam: &Adam) {
        let touched = self.batch.touched();
        let [m, v] = &mut self.moments;
        let slopes = &mut self.gradient.part;
        for part in 0..PARTS {
            scatter(slopes, &self.batch, part);
            share_out(slopes, &touched, &self.weights.sharing);
            for &row in &touched {
                let here = row as usize * PART;
                let from = part * self.weights.part_size() + here;
                let (g, r) = (here..here + PART, from..from + PART);
                let (w, m) = (&mut self.weights.rows[r.clone()], &mut m.rows[r.clone()]);
                move_weights(adam, w, &mut slopes[g], m, &mut v.rows[r]);
            }
        }
    }
}

/// The slope of the loss over a batch.
struct Gradient {
    /// Of one part of the first layer; the parts take turns.
    part: Vec<f32>,
    /// Of everything else.
    rest: Weights,
    heads_used: Vec<bool>,
}

impl Gradient {
    fn new(weights: &Weights) -> Self {
        Self {
            part: vec![0.0; weights.part_size()],
            rest: Weights {
                rows: Vec::new(),
                ..weights.zero_like()
            },
            heads_used: vec![false; weights.heads.count()],
        }
    }
}

/// How weights are moved in one step.
#[derive(Clone, Copy)]
pub(super) struct Adam {
    /// Makes the summed gradient a mean.
    scale: f32,
    rate: f32,
    most: f32,
}

impl Adam {
    /// The `step`-th step, counted from 1, over a batch of `n`; no weight grows beyond `most`.
    pub(super) fn new(n: f32, rate: f32, step: u64, most: f32) -> Self {
        let step = step.min(100_000) as i32;
        Self {
            scale: 1.0 / n,
            rate: rate * (1.0 - BETA2.powi(step)).sqrt() / (1.0 - BETA1.powi(step)),
            most,
        }
    }
}

/// Moves weights by their gradient, and clears it.
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

    /// The gradient is that of the loss: compared with finite differences.
    fn check_slope<L: TrainingExample>(lesson: &L) {
        let mut learner = Learner::new(Weights::random(L::HEADS, L::OUTPUTS, 3));
        let seen = rows_seen([lesson.position()].into_iter());
        learner.divide(&Arc::new(Sharing::by_use(&seen, ROWS + 40)));
        let loss = |learner: &mut Learner| {
            let positions = [lesson.position()].into_iter();
            learner.batch.look(&learner.weights, positions);
            learner.batch.sum(&learner.weights);
            f64::from(learner.assess(0, lesson, 0.0))
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
        let before = learner.step([&sample].into_iter(), 1e-2);
        for _ in 0..100 {
            learner.step([&sample].into_iter(), 1e-2);
        }
        let after = learner.step([&sample].into_iter(), 1e-2);
        let entropy: f32 = [0.4f32, 0.1, 0.3, 0.2].iter().map(|p| -p * p.ln()).sum();
        assert!(
            after < before && after < entropy + 0.05,
            "{before} {after} {entropy}"
        );
    }
}
