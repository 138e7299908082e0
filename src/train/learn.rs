//! One step of learning: the gradient of a loss over a batch, and Adam on the rows that the batch
//! has touched.
//!
//! The first layer is sparse, so only touched rows have a gradient, and the optimiser (Kingma and
//! Ba 2015) moves only those ("lazy" moments). A batch goes through the first layer one part of
//! the hidden units at a time, there and back: what it touches of a part fits the second cache,
//! what it touches of the whole does not.

use multiversion::multiversion;

use super::weights::{Dense, PART, PARTS, Weights};
use crate::eval::features::{HEADS, MOST_ROWS, PLANS, ROWS, RowKind, RowList};
use crate::eval::features::{SHARED_ROWS, View, row_kind, shared_row};
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
    /// Outputs of the layers after the first that a net needs to learn this.
    const OUTPUTS: &'static [usize];

    /// What the net is shown.
    fn position(&self) -> Position;

    /// Replaces the net's `outputs` by the slope of the loss in each; returns the loss.
    fn judge(&self, outputs: &mut [f32]) -> f32;
}

/// What a net is shown and what it has; all there is but for experiments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sight {
    /// Whether it sees what lies ahead of checkers, from where blots can be hit, home boards.
    pub patterns: [bool; 3],
    /// Whether each kind of position has a head of its own.
    pub heads: bool,
    /// Hidden units in use.
    pub units: usize,
}

impl Default for Sight {
    fn default() -> Self {
        Self {
            patterns: [true; 3],
            heads: true,
            units: HIDDEN,
        }
    }
}

impl Sight {
    fn sees(&self, row: usize) -> bool {
        match row_kind(row) {
            RowKind::Count => true,
            RowKind::Block => self.patterns[0],
            RowKind::Shot => self.patterns[1],
            RowKind::Board => self.patterns[2],
        }
    }
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
    pub fn seeing(mut self, sight: Sight) -> Self {
        self.batch.sight = sight;
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

    /// Gives each plan a first layer of its own, see [`Weights::divide`].
    pub fn divide(&mut self) {
        let [m, v] = &mut self.moments;
        for weights in [&mut self.weights, m, v, &mut self.average] {
            weights.divide();
        }
        self.gradient = Gradient::new(&self.weights);
    }

    /// Learns from one batch at the given rate; returns the mean loss.
    pub fn step<'a, L: Lesson + 'a>(
        &mut self,
        lessons: impl ExactSizeIterator<Item = &'a L> + Clone,
        rate: f32,
    ) -> f32 {
        let n = lessons.len().max(1) as f32;
        self.batch
            .look(&self.weights, lessons.clone().map(L::position));
        self.batch.sum(&self.weights);
        let mut loss = 0.0;
        for (i, lesson) in lessons.enumerate() {
            loss += self.judge(i, lesson);
        }
        self.steps += 1;
        self.update(n, rate);
        if self.steps.is_multiple_of(AVERAGE_EVERY) {
            let taken = (self.steps / AVERAGE_EVERY).min(AVERAGE_OVER);
            self.average.approach(&self.weights, 1.0 / taken as f32);
        }
        loss / n
    }

    /// The loss of the `i`-th lesson of the batch; its sum is replaced by the slope of the loss in
    /// it.
    fn judge<L: Lesson>(&mut self, i: usize, lesson: &L) -> f32 {
        let head = usize::from(self.batch.heads[i]);
        let sum = &mut self.batch.sums[i];
        let loss = lesson.judge(self.pass.forward(&self.weights, head, sum));
        self.gradient.heads_used[head] = true;
        let plan = usize::from(self.batch.plans[i]);
        let gradient = &mut self.gradient.rest;
        self.pass.backward(&self.weights, gradient, head, plan, sum);
        loss
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

    /// Judges the averaged weights by `lessons`, which are not learnt from: hands the loss of each,
    /// and its slope in the outputs, to `each`.
    pub fn examine<L: Lesson>(&mut self, lessons: &[L], mut each: impl FnMut(f32, &[f32])) {
        for part in lessons.chunks(512) {
            self.batch.look(&self.average, part.iter().map(L::position));
            self.batch.sum(&self.average);
            for (i, lesson) in part.iter().enumerate() {
                let head = usize::from(self.batch.heads[i]);
                let sum = &self.batch.sums[i];
                let outputs = self.pass.forward(&self.average, head, sum);
                let loss = lesson.judge(outputs);
                each(loss, outputs);
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
            share_out(slopes, &touched, self.weights.plans * ROWS);
            for &row in &touched {
                let here = usize::from(row) * PART;
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
    /// Of one part of the first layers; the parts take turns.
    part: Vec<f32>,
    /// Of everything else.
    rest: Weights,
    heads_used: [bool; HEADS],
}

impl Gradient {
    fn new(weights: &Weights) -> Self {
        Self {
            part: vec![0.0; weights.part_size()],
            rest: Weights {
                rows: Vec::new(),
                ..weights.zero_like()
            },
            heads_used: [false; HEADS],
        }
    }
}

/// One position on its way through the layers after the first, there and back.
struct Pass {
    /// What each layer takes.
    active: Vec<Vec<f32>>,
    /// What each layer gives; on the way back the slope of the loss in it.
    sums: Vec<Vec<f32>>,
    /// The slope of the loss in what a layer takes.
    back: Vec<f32>,
}

impl Pass {
    fn new(weights: &Weights) -> Self {
        let zeros = |size: fn(&Dense) -> usize| {
            let layers = weights.layers.iter();
            layers.map(|l| vec![0.0; size(l)]).collect::<Vec<_>>()
        };
        Self {
            active: zeros(|l| l.inputs),
            sums: zeros(|l| l.outputs),
            back: vec![0.0; HIDDEN],
        }
    }

    /// The outputs for a sum of rows.
    fn forward(&mut self, weights: &Weights, head: usize, sum: &[f32; HIDDEN]) -> &mut [f32] {
        activation(sum, &mut self.active[0]);
        for (i, layer) in weights.layers.iter().enumerate() {
            if i > 0 {
                activation(&self.sums[i - 1], &mut self.active[i]);
            }
            outputs(layer, head, &self.active[i], &mut self.sums[i]);
        }
        self.sums.last_mut().expect("there is an output layer")
    }

    /// From the slope of the loss in the outputs: adds the position's gradient to all but the rows;
    /// its sum becomes the slope in it.
    fn backward(
        &mut self,
        weights: &Weights,
        gradient: &mut Weights,
        head: usize,
        plan: usize,
        sum: &mut [f32; HIDDEN],
    ) {
        for (i, layer) in weights.layers.iter().enumerate().rev() {
            let back = &mut self.back[..layer.inputs];
            let (before, here) = self.sums.split_at_mut(i);
            backward(
                layer,
                &mut gradient.layers[i],
                head,
                &here[0],
                &self.active[i],
                back,
            );
            let of = before.last_mut().map_or(&mut sum[..], |s| &mut s[..]);
            for (s, b) in of.iter_mut().zip(back) {
                *s = if *s > 0.0 && *s < 1.0 {
                    *b * 2.0 * *s
                } else {
                    0.0
                };
            }
        }
        let bias = &mut gradient.bias[plan * HIDDEN..][..HIDDEN];
        bias.iter_mut().zip(sum).for_each(|(g, s)| *g += *s);
    }
}

/// Positions on their way through the first layer.
#[derive(Default)]
struct Batch {
    sight: Sight,
    list: RowList,
    /// Rows of all positions, one position's behind the other's.
    rows: Vec<u16>,
    /// The shared rows that go with them.
    shared: Vec<u16>,
    /// Which rows those are.
    is_touched: Vec<bool>,
    /// Where the rows and the shared rows of each end.
    ends: Vec<[usize; 2]>,
    heads: Vec<u8>,
    /// Which first layer each goes through.
    plans: Vec<u8>,
    /// Sum of each position's rows and the bias; later the slope of the loss in it.
    sums: Vec<[f32; HIDDEN]>,
}

impl Batch {
    fn look(&mut self, weights: &Weights, positions: impl Iterator<Item = Position>) {
        let own_rows = weights.plans * ROWS;
        self.is_touched.clear();
        self.is_touched.resize(weights.all_rows(), false);
        self.rows.clear();
        self.shared.clear();
        self.ends.clear();
        self.heads.clear();
        self.plans.clear();
        for position in positions {
            let view = View::new(&position);
            view.rows(&mut self.list);
            debug_assert!(self.list.as_slice().len() <= MOST_ROWS);
            let head = view.head();
            let plan = weights.plan(head);
            let rows = self.list.as_slice().iter().map(|&r| usize::from(r));
            let rows = rows.filter(|&row| self.sight.sees(row));
            let own = rows.clone().map(|row| (plan * ROWS + row) as u16);
            self.rows.extend(own);
            let shared = rows.filter_map(shared_row);
            self.shared.extend(shared.map(|r| (own_rows + r) as u16));
            self.ends.push([self.rows.len(), self.shared.len()]);
            self.heads
                .push(if self.sight.heads { head as u8 } else { 0 });
            self.plans.push(plan as u8);
        }
        for &row in self.rows.iter().chain(&self.shared) {
            self.is_touched[usize::from(row)] = true;
        }
        self.sums.resize(self.ends.len(), [0.0; HIDDEN]);
    }

    fn sum(&mut self, weights: &Weights) {
        for part in 0..PARTS {
            gather(weights, self, part);
        }
        if self.sight.units < HIDDEN {
            // A unit without a sum is not active, and has no slope.
            let unused = self.sums.iter_mut().map(|s| &mut s[self.sight.units..]);
            unused.for_each(|s| s.fill(0.0));
        }
    }

    /// The rows that the batch has, the shared rows that go with them among them.
    fn touched(&self) -> Vec<u16> {
        let rows = (0..).zip(&self.is_touched);
        rows.filter_map(|(row, &is)| is.then_some(row)).collect()
    }
}

const _: () = assert!(PLANS * ROWS + SHARED_ROWS <= u16::MAX as usize);

/// One row of a part.
fn row_of(part: &[f32], row: usize) -> &[f32; PART] {
    let row = &part[row * PART..][..PART];
    row.try_into().expect("a row is as long as a part is wide")
}

fn row_of_mut(part: &mut [f32], row: usize) -> &mut [f32; PART] {
    let row = &mut part[row * PART..][..PART];
    row.try_into().expect("a row is as long as a part is wide")
}

/// Sums one part of the batch's rows.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn gather(weights: &Weights, batch: &mut Batch, part: usize) {
    let size = weights.part_size();
    let table = &weights.rows[part * size..][..size];
    let units = part * PART..(part + 1) * PART;
    let mut start = [0, 0];
    let ends = batch.ends.iter().zip(&batch.plans);
    for (sum, (&end, &plan)) in batch.sums.iter_mut().zip(ends) {
        let bias = &weights.bias[usize::from(plan) * HIDDEN..][..HIDDEN];
        let mut lanes = [0.0f32; PART];
        lanes.copy_from_slice(&bias[units.clone()]);
        let own = &batch.rows[start[0]..end[0]];
        let shared = &batch.shared[start[1]..end[1]];
        for &row in own.iter().chain(shared) {
            for (l, w) in lanes.iter_mut().zip(row_of(table, usize::from(row))) {
                *l += *w;
            }
        }
        sum[units.clone()].copy_from_slice(&lanes);
        start = end;
    }
}

/// Adds the slopes in one part of the batch's sums to the rows that made them.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn scatter(gradient: &mut [f32], batch: &Batch, part: usize) {
    let mut start = 0;
    for (slope, &[end, _]) in batch.sums.iter().zip(&batch.ends) {
        let slope = row_of(slope, part);
        for &row in &batch.rows[start..end] {
            let g = row_of_mut(gradient, usize::from(row));
            for (g, s) in g.iter_mut().zip(slope) {
                *g += *s;
            }
        }
        start = end;
    }
}

/// Gives the shared rows the slopes of all the rows they are part of.
fn share_out(gradient: &mut [f32], touched: &[u16], own_rows: usize) {
    let (own, all_shared) = gradient.split_at_mut(own_rows * PART);
    for &row in touched {
        let row = usize::from(row);
        let Some(shared) = Some(row)
            .filter(|&r| r < own_rows)
            .and_then(|r| shared_row(r % ROWS))
        else {
            continue;
        };
        let shared = row_of_mut(all_shared, shared);
        for (s, g) in shared.iter_mut().zip(row_of(own, row)) {
            *s += *g;
        }
    }
}

/// Squared clipped sums.
fn activation(sums: &[f32], active: &mut [f32]) {
    for (a, s) in active.iter_mut().zip(sums) {
        let c = s.clamp(0.0, 1.0);
        *a = c * c;
    }
}

#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn outputs(layer: &Dense, head: usize, active: &[f32], outputs: &mut [f32]) {
    let first = head * layer.outputs;
    for (o, output) in outputs.iter_mut().enumerate() {
        // Sixteen running sums, so that the addition is not one serial chain.
        let mut lanes = [0.0f32; 16];
        let w = &layer.weights[(first + o) * layer.inputs..][..layer.inputs];
        for (a, w) in active.chunks_exact(16).zip(w.chunks_exact(16)) {
            for ((l, a), w) in lanes.iter_mut().zip(a).zip(w) {
                *l += a * w;
            }
        }
        *output = lanes.iter().sum::<f32>() + layer.bias[first + o];
    }
}

/// Adds one position's gradient to a layer's, and gives `back` the slope in what the layer took.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn backward(
    layer: &Dense,
    gradient: &mut Dense,
    head: usize,
    slopes: &[f32],
    active: &[f32],
    back: &mut [f32],
) {
    back.fill(0.0);
    let first = head * layer.outputs;
    for (o, &slope) in slopes.iter().enumerate() {
        if slope == 0.0 {
            continue;
        }
        gradient.bias[first + o] += slope;
        let at = (first + o) * layer.inputs;
        for (b, w) in back.iter_mut().zip(&layer.weights[at..at + layer.inputs]) {
            *b += slope * w;
        }
        let g = &mut gradient.weights[at..at + layer.inputs];
        for (g, a) in g.iter_mut().zip(active) {
            *g += slope * a;
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
    use super::*;
    use crate::game::roll::DISTINCT;

    /// The gradient is that of the loss: compared with finite differences.
    fn check_slope<L: Lesson>(lesson: &L) {
        let mut learner = Learner::new(Weights::random(L::OUTPUTS, 3));
        learner.divide();
        let loss = |learner: &mut Learner| {
            let positions = [lesson.position()].into_iter();
            learner.batch.look(&learner.weights, positions);
            learner.batch.sum(&learner.weights);
            f64::from(learner.judge(0, lesson))
        };
        loss(&mut learner);
        let slopes = learner.batch.sums[0];
        let row = usize::from(learner.batch.rows[5]);
        let times = learner
            .batch
            .rows
            .iter()
            .filter(|&&r| usize::from(r) == row);
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

    /// A row's gradient is the sum over the positions that have it, a shared row's that of its
    /// rows.
    #[test]
    fn rows_get_the_slopes_of_all_their_positions() {
        let mut batch = Batch::default();
        let mut weights = Weights::zero(Sample::OUTPUTS);
        weights.divide();
        let own_rows = weights.plans * ROWS;
        batch.look(&weights, [Position::opening(); 2].into_iter());
        for (unit, sum) in batch.sums.iter_mut().flat_map(|s| s.iter_mut().enumerate()) {
            *sum = unit as f32;
        }
        let mut gradient = vec![0.0; weights.part_size()];
        scatter(&mut gradient, &batch, 1);
        let touched = batch.touched();
        share_out(&mut gradient, &touched, own_rows);
        let times = |wanted: usize| {
            let is = |&&row: &&u16| {
                let row = usize::from(row);
                let shared = shared_row(row % ROWS);
                row == wanted || shared.is_some_and(|s| own_rows + s == wanted)
            };
            batch.rows.iter().filter(is).count() as f32
        };
        assert!(touched.iter().any(|&r| usize::from(r) >= own_rows));
        for &row in &touched {
            let row = usize::from(row);
            assert_eq!(gradient[row * PART + 3], (PART + 3) as f32 * times(row));
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
