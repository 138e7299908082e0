//! One step of learning: the gradient of the cross-entropy over a batch, and Adam on the rows
//! that the batch has touched.
//!
//! The first layer is sparse, so its gradient is kept as a list of touched rows, and the
//! optimiser (Kingma and Ba 2015) moves only those ("lazy" moments).

use multiversion::multiversion;

use super::sample::{Outcomes, Sample};
use super::weights::{ALL_ROWS, HEAD_WEIGHTS, Weights};
use crate::eval::features::{HEADS, MOST_ROWS, ROWS, RowList, View, shared_row};
use crate::eval::simd::{HIDDEN, OUTCOMES};

const BETA1: f32 = 0.9;
const BETA2: f32 = 0.999;
const EPSILON: f32 = 1e-8;
/// Larger first-layer weights could overflow the 16-bit sums of evaluation.
const MOST_WEIGHT: f32 = 2.5;

/// The average takes in the weights every so many steps,
const AVERAGE_EVERY: u64 = 64;
/// and reaches back over so many of these.
const AVERAGE_OVER: u64 = 200;

/// Weights with the state of their optimiser.
pub struct Learner {
    /// The net as it stands.
    pub weights: Weights,
    /// First and second moments of the gradient.
    pub moments: [Weights; 2],
    /// The running average of the weights: what is used. It takes the place of a very small
    /// learning rate (Polyak and Juditsky 1992).
    pub average: Weights,
    /// Steps taken.
    pub steps: u64,
    gradient: Weights,
    touched: Vec<u16>,
    is_touched: Vec<bool>,
}

impl Learner {
    /// Starts from `weights`.
    #[must_use]
    pub fn new(weights: Weights) -> Self {
        let average = weights.clone();
        Self::resume(weights, [Weights::zero(), Weights::zero()], average, 0)
    }

    /// Goes on with an optimiser's saved state.
    #[must_use]
    pub fn resume(weights: Weights, moments: [Weights; 2], average: Weights, steps: u64) -> Self {
        Self {
            weights,
            moments,
            average,
            steps,
            gradient: Weights::zero(),
            touched: Vec::new(),
            is_touched: vec![false; ALL_ROWS],
        }
    }

    /// Learns from one batch at the given rate; returns the mean cross-entropy.
    pub fn step<'a>(&mut self, batch: impl ExactSizeIterator<Item = &'a Sample>, rate: f32) -> f32 {
        let n = batch.len().max(1) as f32;
        let mut loss = 0.0;
        let mut list = RowList::new();
        let mut rows = Vec::with_capacity(4 * MOST_ROWS);
        for sample in batch {
            let position = sample.position();
            let view = View::new(&position);
            view.rows(&mut list);
            with_shared(list.as_slice(), &mut rows);
            for &row in &rows {
                if !self.is_touched[usize::from(row)] {
                    self.is_touched[usize::from(row)] = true;
                    self.touched.push(row);
                }
            }
            let target = Target {
                label: sample.label(),
                // Who has borne off a checker cannot lose a gammon any more.
                no_gammon: [position.opponent.off() > 0, position.mover.off() > 0],
                head: view.head(),
            };
            loss += accumulate(&self.weights, &mut self.gradient, &rows, &target);
        }
        self.steps += 1;
        self.update(n, rate);
        if self.steps.is_multiple_of(AVERAGE_EVERY) {
            let taken = (self.steps / AVERAGE_EVERY).min(AVERAGE_OVER);
            self.average.approach(&self.weights, 1.0 / taken as f32);
        }
        loss / n
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
            let group = (&mut w.rows[r.clone()], &mut g.rows[r.clone()]);
            move_weights(
                &rows,
                group.0,
                group.1,
                &mut m.rows[r.clone()],
                &mut v.rows[r],
            );
        }
        move_weights(&adam, &mut w.bias, &mut g.bias, &mut m.bias, &mut v.bias);
        for h in 0..HEADS {
            // Heads that the batch did not use keep still, as untouched rows do.
            let r = h * HEAD_WEIGHTS..(h + 1) * HEAD_WEIGHTS;
            let b = h * OUTCOMES..(h + 1) * OUTCOMES;
            if g.head_bias[b.clone()].iter().all(|&x| x == 0.0) {
                continue;
            }
            let (gw, gb) = (&mut g.heads[r.clone()], &mut g.head_bias[b.clone()]);
            move_weights(
                &adam,
                &mut w.heads[r.clone()],
                gw,
                &mut m.heads[r.clone()],
                &mut v.heads[r],
            );
            let (mb, vb) = (&mut m.head_bias[b.clone()], &mut v.head_bias[b.clone()]);
            move_weights(&adam, &mut w.head_bias[b], gb, mb, vb);
        }
    }
}

/// The rows of a position and the shared rows that go with them.
fn with_shared(list: &[u16], rows: &mut Vec<u16>) {
    rows.clear();
    rows.extend(list);
    let shared = list.iter().filter_map(|&r| shared_row(usize::from(r)));
    rows.extend(shared.map(|r| (ROWS + r) as u16));
}

/// What a sample should come out as.
struct Target {
    label: Outcomes,
    no_gammon: [bool; 2],
    head: usize,
}

/// Adds one sample's gradient; returns its cross-entropy.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn accumulate(weights: &Weights, gradient: &mut Weights, rows: &[u16], target: &Target) -> f32 {
    let mut sum = [0.0f32; HIDDEN];
    sum.copy_from_slice(&weights.bias);
    for &row in rows {
        let w = &weights.rows[usize::from(row) * HIDDEN..][..HIDDEN];
        for (s, w) in sum.iter_mut().zip(w) {
            *s += *w;
        }
    }
    let mut active = [0.0f32; HIDDEN];
    for (a, s) in active.iter_mut().zip(&sum) {
        let c = s.clamp(0.0, 1.0);
        *a = c * c;
    }
    let first = target.head * HEAD_WEIGHTS;
    let head = &weights.heads[first..first + HEAD_WEIGHTS];
    let mut outputs = [0.0f32; OUTCOMES];
    for (o, output) in outputs.iter_mut().enumerate() {
        // Sixteen running sums, so that the addition is not one serial chain.
        let mut lanes = [0.0f32; 16];
        let w = &head[o * HIDDEN..(o + 1) * HIDDEN];
        for (a, w) in active.chunks_exact(16).zip(w.chunks_exact(16)) {
            for ((l, a), w) in lanes.iter_mut().zip(a).zip(w) {
                *l += a * w;
            }
        }
        *output = lanes.iter().sum::<f32>() + weights.head_bias[target.head * OUTCOMES + o];
    }
    let chances = softmax(&outputs, target.no_gammon);
    let mut back = [0.0f32; HIDDEN];
    let mut loss = 0.0;
    for o in 0..OUTCOMES {
        if chances[o] == 0.0 {
            continue;
        }
        loss -= target.label[o] * chances[o].max(1e-9).ln();
        let error = chances[o] - target.label[o];
        gradient.head_bias[target.head * OUTCOMES + o] += error;
        let w = &head[o * HIDDEN..(o + 1) * HIDDEN];
        for (b, w) in back.iter_mut().zip(w) {
            *b += error * w;
        }
        let g = &mut gradient.heads[first + o * HIDDEN..][..HIDDEN];
        for (g, a) in g.iter_mut().zip(&active) {
            *g += error * a;
        }
    }
    for (b, s) in back.iter_mut().zip(&sum) {
        *b = if *s > 0.0 && *s < 1.0 {
            *b * 2.0 * *s
        } else {
            0.0
        };
    }
    for (g, b) in gradient.bias.iter_mut().zip(&back) {
        *g += *b;
    }
    for &row in rows {
        let g = &mut gradient.rows[usize::from(row) * HIDDEN..][..HIDDEN];
        for (g, b) in g.iter_mut().zip(&back) {
            *g += *b;
        }
    }
    loss
}

#[inline(always)]
fn softmax(outputs: &[f32; OUTCOMES], no_gammon: [bool; 2]) -> [f32; OUTCOMES] {
    let possible = |o: usize| match o {
        1 | 2 => !no_gammon[0],
        4 | 5 => !no_gammon[1],
        _ => true,
    };
    let most = outputs.iter().copied().fold(f32::MIN, f32::max);
    let mut chances = [0.0; OUTCOMES];
    for o in (0..OUTCOMES).filter(|&o| possible(o)) {
        chances[o] = (outputs[o] - most).exp();
    }
    let total: f32 = chances.iter().sum::<f32>().max(f32::MIN_POSITIVE);
    chances.map(|c| c / total)
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
    use super::*;
    use crate::game::Position;

    /// The gradient is that of the loss: compared with finite differences.
    #[test]
    fn gradient_is_the_slope_of_the_loss() {
        let mut weights = Weights::random(3);
        let position = Position::opening();
        let view = View::new(&position);
        let mut list = RowList::new();
        view.rows(&mut list);
        let target = Target {
            label: [0.4, 0.15, 0.01, 0.3, 0.13, 0.01],
            no_gammon: [false; 2],
            head: view.head(),
        };
        let mut gradient = Weights::zero();
        accumulate(&weights, &mut gradient, list.as_slice(), &target);
        let row = usize::from(list.as_slice()[5]) * HIDDEN;
        let mut scratch = Weights::zero();
        for unit in (0..HIDDEN).step_by(37) {
            let times = list
                .as_slice()
                .iter()
                .filter(|&&r| usize::from(r) * HIDDEN == row)
                .count();
            let at = |delta: f32, weights: &mut Weights, scratch: &mut Weights| {
                let old = weights.rows[row + unit];
                weights.rows[row + unit] = old + delta / times as f32;
                let loss = accumulate(weights, scratch, list.as_slice(), &target);
                weights.rows[row + unit] = old;
                f64::from(loss)
            };
            let h = 1e-2;
            let slope =
                (at(h, &mut weights, &mut scratch) - at(-h, &mut weights, &mut scratch)) / 2e-2;
            let got = f64::from(gradient.rows[row + unit]) / times as f64;
            assert!((slope - got).abs() < 2e-3, "unit {unit}: {slope} {got}");
        }
    }

    #[test]
    fn a_net_learns_one_position_by_heart() {
        let mut learner = Learner::new(Weights::random(1));
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
