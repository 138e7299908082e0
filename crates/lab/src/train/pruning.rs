//! Trains the pruning net, from checker places to the equity of the label.
//!
//! It is small enough for Adam to move all its weights at each step.

use multiversion::multiversion;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::learn::{Adam, move_weights};
use super::sample::{Sample, equity};
use crate::eval::features::all_checkers;
use crate::eval::net::Origin;
use crate::eval::pruning_net::{PRUNING_ROWS, PruningNet, UNITS};
use crate::eval::rows::COUNT_ROWS;
use crate::game::Position;

/// Start of the bias among the weights, after the rows.
const BIAS: usize = PRUNING_ROWS * UNITS;
/// Start of the output weights. The output bias follows them; the quantised net omits it.
const OUTPUT: usize = BIAS + UNITS;
const SIZE: usize = OUTPUT + UNITS + 1;
/// Larger weights do not fit the integers of the quantised net.
const MOST_WEIGHT: f32 = 4.0;

/// A pruning net in floating point, with its optimiser's state.
pub(super) struct PruningLearner {
    weights: Vec<f32>,
    moments: [Vec<f32>; 2],
    gradient: Vec<f32>,
    pub(super) steps: u64,
}

impl PruningLearner {
    /// A net with random weights.
    pub(super) fn new(seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut weights = vec![0.0; SIZE];
        for w in &mut weights[..BIAS] {
            *w = rng.random_range(-0.12..0.12);
        }
        for w in &mut weights[BIAS..OUTPUT] {
            *w = rng.random_range(0.1..0.5);
        }
        for w in &mut weights[OUTPUT..SIZE - 1] {
            *w = rng.random_range(-0.1..0.1);
        }
        Self {
            weights,
            moments: [vec![0.0; SIZE], vec![0.0; SIZE]],
            gradient: vec![0.0; SIZE],
            steps: 0,
        }
    }

    /// Restores a learner from a quantised net, up to rounding.
    pub(super) fn of_net(net: &PruningNet) -> Self {
        let mut learner = Self::new(0);
        learner.weights = net.real();
        learner.weights.push(0.0);
        learner
    }

    /// Learns from one batch at the given rate. Returns the mean squared error.
    pub(super) fn step(&mut self, batch: &[&Sample], rate: f32) -> f32 {
        let loss: f32 = batch.iter().map(|s| self.add_gradient(s)).sum();
        self.steps += 1;
        let adam = Adam::new(batch.len().max(1) as f32, rate, self.steps, MOST_WEIGHT);
        let [m, v] = &mut self.moments;
        move_weights(&adam, &mut self.weights, &mut self.gradient, m, v);
        loss / batch.len().max(1) as f32
    }

    /// Adds the gradient of half of one sample's squared error. Returns the squared error.
    fn add_gradient(&mut self, sample: &Sample) -> f32 {
        let rows = rows_of(&sample.board());
        let target = equity(&sample.label());
        add_gradient(&self.weights, &mut self.gradient, &rows, target)
    }

    /// Learns from batches of rival plays, each with its value for the player on roll after it: only their
    /// differences count, not their common level.
    pub(super) fn step_of_rivals(&mut self, batch: &[Rivals], rate: f32) {
        let plays: usize = batch.iter().map(|rivals| rivals.results.len()).sum();
        for rivals in batch {
            self.look_at_rivals(rivals);
        }
        self.steps += 1;
        let adam = Adam::new(plays.max(1) as f32, rate, self.steps, MOST_WEIGHT);
        let [m, v] = &mut self.moments;
        move_weights(&adam, &mut self.weights, &mut self.gradient, m, v);
    }

    fn look_at_rivals(&mut self, rivals: &Rivals) {
        let rows: Vec<Vec<usize>> = rivals.results.iter().map(rows_of).collect();
        let errors = rows.iter().zip(&rivals.equities);
        let errors = errors.map(|(rows, equity)| output(&self.weights, rows) - equity);
        let shift = errors.sum::<f32>() / rows.len().max(1) as f32;
        for (rows, equity) in rows.iter().zip(&rivals.equities) {
            add_gradient(&self.weights, &mut self.gradient, rows, equity + shift);
        }
    }

    /// Returns the quantised net.
    pub(super) fn net(&self, origin: Origin) -> PruningNet {
        let (rows, rest) = self.weights.split_at(BIAS);
        let (bias, output) = rest.split_at(UNITS);
        PruningNet::quantised(rows, bias, &output[..UNITS], origin)
    }

    /// Returns weights and moments for a checkpoint.
    pub(super) fn groups(&self) -> [&[f32]; 3] {
        let [m, v] = &self.moments;
        [&self.weights, m, v]
    }

    /// Mutable access to weights and moments.
    pub(super) fn groups_mut(&mut self) -> [&mut [f32]; 3] {
        let [m, v] = &mut self.moments;
        [&mut self.weights, m, v]
    }
}

/// The plays of one roll, among which the best must be found.
pub(super) struct Rivals {
    /// Positions after the plays.
    pub(super) results: Vec<Position>,
    /// Equity in points of each, for the player on roll after it.
    pub(super) equities: Vec<f32>,
}

/// Returns the start of each row of a position's checkers among the weights.
fn rows_of(position: &Position) -> Vec<usize> {
    let mut rows = Vec::with_capacity(30);
    all_checkers(position, |role, row| {
        rows.push((role * COUNT_ROWS + row) * UNITS)
    });
    rows
}

/// The sum of a position's rows.
#[inline(always)]
fn sum_of(weights: &[f32], rows: &[usize]) -> [f32; UNITS] {
    let mut sum = [0.0f32; UNITS];
    sum.copy_from_slice(&weights[BIAS..OUTPUT]);
    for &row in rows {
        for (s, w) in sum.iter_mut().zip(&weights[row..row + UNITS]) {
            *s += *w;
        }
    }
    sum
}

/// The net's value in points of a position with these rows.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn output(weights: &[f32], rows: &[usize]) -> f32 {
    let clipped = sum_of(weights, rows).map(|s| s.clamp(0.0, 1.0));
    let output = &weights[OUTPUT..OUTPUT + UNITS];
    let products = clipped.iter().zip(output).map(|(c, w)| c * c * w);
    weights[SIZE - 1] + products.sum::<f32>()
}

#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn add_gradient(weights: &[f32], gradient: &mut [f32], rows: &[usize], target: f32) -> f32 {
    let sum = sum_of(weights, rows);
    let clipped = sum.map(|s| s.clamp(0.0, 1.0));
    let output = &weights[OUTPUT..OUTPUT + UNITS];
    let products = clipped.iter().zip(output).map(|(c, w)| c * c * w);
    let error = weights[SIZE - 1] + products.sum::<f32>() - target;
    gradient[SIZE - 1] += error;
    let mut slope = [0.0f32; UNITS];
    for i in 0..UNITS {
        gradient[OUTPUT + i] += error * clipped[i] * clipped[i];
        let inside = sum[i] > 0.0 && sum[i] < 1.0;
        slope[i] = if inside {
            2.0 * error * output[i] * sum[i]
        } else {
            0.0
        };
        gradient[BIAS + i] += slope[i];
    }
    for &row in rows {
        for (g, s) in gradient[row..row + UNITS].iter_mut().zip(&slope) {
            *g += *s;
        }
    }
    error * error
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gradient_is_half_the_slope_of_the_squared_error() {
        let label = [0.4, 0.15, 0.01, 0.3, 0.13, 0.01];
        let sample = Sample::new(&Position::opening(), &label);
        let mut learner = PruningLearner::new(4);
        learner.add_gradient(&sample);
        let gradient = learner.gradient.clone();
        let moved = (0..SIZE).filter(|&i| gradient[i] != 0.0).step_by(97);
        for i in moved {
            let mut at = |delta: f32| {
                let old = learner.weights[i];
                learner.weights[i] = old + delta;
                let error = learner.add_gradient(&sample);
                learner.weights[i] = old;
                error
            };
            let slope = (at(1e-3) - at(-1e-3)) / 4e-3;
            assert!(
                (slope - gradient[i]).abs() < 2e-2,
                "{i}: {slope} {}",
                gradient[i]
            );
        }
    }

    #[test]
    fn it_learns() {
        let sample = Sample::new(&Position::opening(), &[0.4, 0.1, 0.0, 0.3, 0.2, 0.0]);
        let mut learner = PruningLearner::new(4);
        let before = learner.step(&[&sample], 1e-2);
        let after = (0..200).map(|_| learner.step(&[&sample], 1e-2)).last();
        assert!(after.unwrap() < before / 100.0);
    }
}
