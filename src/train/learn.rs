//! One step of learning: the gradient of a loss over a batch, and Adam on the rows that the batch
//! has touched.
//!
//! The first layer is sparse, so its gradient is kept as a list of touched rows, and the
//! optimiser (Kingma and Ba 2015) moves only those ("lazy" moments).

use multiversion::multiversion;

use super::weights::{ALL_ROWS, Weights};
use crate::eval::features::{HEADS, MOST_ROWS, ROWS, RowList, View, shared_row};
use crate::eval::simd::HIDDEN;
use crate::game::Position;

const BETA1: f32 = 0.9;
const BETA2: f32 = 0.999;
const EPSILON: f32 = 1e-8;
/// Larger first-layer weights could overflow the 16-bit sums of evaluation.
const MOST_WEIGHT: f32 = 2.5;
/// The average takes in the weights every so many steps,
const AVERAGE_EVERY: u64 = 16;
/// and reaches back over so many of these.
const AVERAGE_OVER: u64 = 60;

/// Something to learn from.
pub trait Lesson {
    /// Outputs a net needs to learn this.
    const OUTPUTS: usize;

    /// What the net is shown.
    fn position(&self) -> Position;

    /// Replaces the net's `outputs` by the slope of the loss in each; returns the loss.
    fn judge(&self, outputs: &mut [f32]) -> f32;
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
    gradient: Weights,
    touched: Vec<u16>,
    is_touched: Vec<bool>,
    pass: Pass,
}

impl Learner {
    /// Starts from `weights`.
    #[must_use]
    pub fn new(weights: Weights) -> Self {
        let zero = Weights::zero(weights.outputs);
        let average = weights.clone();
        Self::resume(weights, [zero.clone(), zero], average, 0)
    }

    /// Goes on with an optimiser's saved state.
    #[must_use]
    pub fn resume(weights: Weights, moments: [Weights; 2], average: Weights, steps: u64) -> Self {
        Self {
            gradient: Weights::zero(weights.outputs),
            pass: Pass::new(weights.outputs),
            weights,
            moments,
            average,
            steps,
            touched: Vec::new(),
            is_touched: vec![false; ALL_ROWS],
        }
    }

    /// Learns from one batch at the given rate; returns the mean loss.
    pub fn step<'a, L: Lesson + 'a>(
        &mut self,
        batch: impl ExactSizeIterator<Item = &'a L>,
        rate: f32,
    ) -> f32 {
        debug_assert_eq!(L::OUTPUTS, self.weights.outputs);
        let n = batch.len().max(1) as f32;
        let mut loss = 0.0;
        for lesson in batch {
            self.pass.look(&lesson.position());
            for &row in &self.pass.rows {
                if !self.is_touched[usize::from(row)] {
                    self.is_touched[usize::from(row)] = true;
                    self.touched.push(row);
                }
            }
            forward(&self.weights, &mut self.pass);
            loss += lesson.judge(&mut self.pass.outputs);
            backward(&self.weights, &mut self.gradient, &self.pass);
        }
        self.steps += 1;
        self.update(n, rate);
        if self.steps.is_multiple_of(AVERAGE_EVERY) {
            let taken = (self.steps / AVERAGE_EVERY).min(AVERAGE_OVER);
            self.average.approach(&self.weights, 1.0 / taken as f32);
        }
        loss / n
    }

    /// Mean loss of the averaged weights over `lessons`, which are not learnt from.
    pub fn loss<L: Lesson>(&mut self, lessons: &[L]) -> f64 {
        let mut sum = 0.0;
        for lesson in lessons {
            self.pass.look(&lesson.position());
            forward(&self.average, &mut self.pass);
            sum += f64::from(lesson.judge(&mut self.pass.outputs));
        }
        sum / lessons.len().max(1) as f64
    }

    fn update(&mut self, n: f32, rate: f32) {
        let step = self.steps.min(100_000) as i32;
        let adam = Adam {
            scale: 1.0 / n,
            rate: rate * (1.0 - BETA2.powi(step)).sqrt() / (1.0 - BETA1.powi(step)),
            most: f32::INFINITY,
        };
        let [m, v] = &mut self.moments;
        let (w, g) = (&mut self.weights, &mut self.gradient);
        let rows = Adam {
            most: MOST_WEIGHT,
            ..adam
        };
        for row in self.touched.drain(..) {
            let row = usize::from(row);
            self.is_touched[row] = false;
            let r = row * HIDDEN..(row + 1) * HIDDEN;
            let (ww, gw) = (&mut w.rows[r.clone()], &mut g.rows[r.clone()]);
            move_weights(&rows, ww, gw, &mut m.rows[r.clone()], &mut v.rows[r]);
        }
        move_weights(&adam, &mut w.bias, &mut g.bias, &mut m.bias, &mut v.bias);
        let outputs = w.outputs;
        for h in 0..HEADS {
            // Heads that the batch did not use keep still, as untouched rows do.
            let r = h * outputs * HIDDEN..(h + 1) * outputs * HIDDEN;
            let b = h * outputs..(h + 1) * outputs;
            if g.head_bias[b.clone()].iter().all(|&x| x == 0.0) {
                continue;
            }
            let (gw, gb) = (&mut g.heads[r.clone()], &mut g.head_bias[b.clone()]);
            let (mw, mb) = (&mut m.heads[r.clone()], &mut m.head_bias[b.clone()]);
            let (vw, vb) = (&mut v.heads[r.clone()], &mut v.head_bias[b.clone()]);
            move_weights(&adam, &mut w.heads[r], gw, mw, vw);
            move_weights(&adam, &mut w.head_bias[b], gb, mb, vb);
        }
    }
}

/// One position on its way through the net.
struct Pass {
    list: RowList,
    /// Rows of the position, and the shared rows that go with them.
    rows: Vec<u16>,
    head: usize,
    sum: [f32; HIDDEN],
    active: [f32; HIDDEN],
    /// Outputs; later the slope of the loss in each.
    outputs: Vec<f32>,
}

impl Pass {
    fn new(outputs: usize) -> Self {
        Self {
            list: RowList::new(),
            rows: Vec::with_capacity(2 * MOST_ROWS),
            head: 0,
            sum: [0.0; HIDDEN],
            active: [0.0; HIDDEN],
            outputs: vec![0.0; outputs],
        }
    }

    fn look(&mut self, position: &Position) {
        let view = View::new(position);
        view.rows(&mut self.list);
        self.head = view.head();
        let list = self.list.as_slice();
        self.rows.clear();
        self.rows.extend(list);
        let shared = list.iter().filter_map(|&r| shared_row(usize::from(r)));
        self.rows.extend(shared.map(|r| (ROWS + r) as u16));
    }
}

#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn forward(weights: &Weights, pass: &mut Pass) {
    pass.sum.copy_from_slice(&weights.bias);
    for &row in &pass.rows {
        let w = &weights.rows[usize::from(row) * HIDDEN..][..HIDDEN];
        for (s, w) in pass.sum.iter_mut().zip(w) {
            *s += *w;
        }
    }
    for (a, s) in pass.active.iter_mut().zip(&pass.sum) {
        let c = s.clamp(0.0, 1.0);
        *a = c * c;
    }
    let head = &weights.heads[pass.head * weights.outputs * HIDDEN..];
    let bias = &weights.head_bias[pass.head * weights.outputs..];
    for (o, output) in pass.outputs.iter_mut().enumerate() {
        // Sixteen running sums, so that the addition is not one serial chain.
        let mut lanes = [0.0f32; 16];
        let w = &head[o * HIDDEN..(o + 1) * HIDDEN];
        for (a, w) in pass.active.chunks_exact(16).zip(w.chunks_exact(16)) {
            for ((l, a), w) in lanes.iter_mut().zip(a).zip(w) {
                *l += a * w;
            }
        }
        *output = lanes.iter().sum::<f32>() + bias[o];
    }
}

/// Adds one position's gradient.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn backward(weights: &Weights, gradient: &mut Weights, pass: &Pass) {
    let mut back = [0.0f32; HIDDEN];
    let first = pass.head * weights.outputs;
    for (o, &error) in pass.outputs.iter().enumerate() {
        if error == 0.0 {
            continue;
        }
        gradient.head_bias[first + o] += error;
        let at = (first + o) * HIDDEN;
        for (b, w) in back.iter_mut().zip(&weights.heads[at..at + HIDDEN]) {
            *b += error * w;
        }
        let g = &mut gradient.heads[at..at + HIDDEN];
        for (g, a) in g.iter_mut().zip(&pass.active) {
            *g += error * a;
        }
    }
    for (b, s) in back.iter_mut().zip(&pass.sum) {
        *b = if *s > 0.0 && *s < 1.0 {
            *b * 2.0 * *s
        } else {
            0.0
        };
    }
    for (g, b) in gradient.bias.iter_mut().zip(&back) {
        *g += *b;
    }
    for &row in &pass.rows {
        let g = &mut gradient.rows[usize::from(row) * HIDDEN..][..HIDDEN];
        for (g, b) in g.iter_mut().zip(&back) {
            *g += *b;
        }
    }
}

#[derive(Clone, Copy)]
struct Adam {
    /// Makes the summed gradient a mean.
    scale: f32,
    rate: f32,
    most: f32,
}

/// Moves weights by their gradient, and clears it.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn move_weights(adam: &Adam, w: &mut [f32], g: &mut [f32], m: &mut [f32], v: &mut [f32]) {
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
    use super::*;
    use crate::game::roll::DISTINCT;

    /// The gradient is that of the loss: compared with finite differences.
    fn check_slope<L: Lesson>(lesson: &L) {
        let mut weights = Weights::random(L::OUTPUTS, 3);
        let mut pass = Pass::new(L::OUTPUTS);
        pass.look(&lesson.position());
        let mut gradient = Weights::zero(L::OUTPUTS);
        forward(&weights, &mut pass);
        lesson.judge(&mut pass.outputs);
        backward(&weights, &mut gradient, &pass);
        let row = pass.rows[5];
        let times = pass.rows.iter().filter(|&&r| r == row).count() as f32;
        for unit in (0..HIDDEN).step_by(37) {
            let i = usize::from(row) * HIDDEN + unit;
            let h = 1e-2;
            let mut at = |delta: f32| {
                let old = weights.rows[i];
                weights.rows[i] = old + delta / times;
                forward(&weights, &mut pass);
                let loss = lesson.judge(&mut pass.outputs);
                weights.rows[i] = old;
                f64::from(loss)
            };
            let slope = (at(h) - at(-h)) / f64::from(2.0 * h);
            let got = f64::from(gradient.rows[i] / times);
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
        let mut learner = Learner::new(Weights::random(Sample::OUTPUTS, 1));
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
