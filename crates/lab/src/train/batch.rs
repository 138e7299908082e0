//! Forward and backward pass of a batch through the sparse first layer.

use std::ops::Range;

use multiversion::multiversion;
use rayon::prelude::*;

use super::weights::{Heads, PART, PARTS, Weights};
use crate::eval::features::View;
use crate::eval::kinds::{KINDS, Sharing};
use crate::eval::rows::{MOST_ROWS, RowKind, RowList, row_kind, shared_row};
use crate::eval::simd::HIDDEN;
use crate::game::Position;

/// The inputs, heads and hidden units that a net uses: all, except in experiments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InputMask {
    /// Whether to use the inputs for checkers ahead, for direct shots at blots, and for home boards.
    pub patterns: [bool; 3],
    /// Whether each kind of position has its own head.
    pub heads: bool,
    /// Number of hidden units in use.
    pub units: usize,
}

impl Default for InputMask {
    fn default() -> Self {
        Self {
            patterns: [true; 3],
            heads: true,
            units: HIDDEN,
        }
    }
}

impl InputMask {
    fn sees(&self, row: usize) -> bool {
        match row_kind(row) {
            RowKind::Count => true,
            RowKind::Block => self.patterns[0],
            RowKind::Shot => self.patterns[1],
            RowKind::Board => self.patterns[2],
        }
    }
}

/// Positions in the first layer, sorted by head.
#[derive(Default)]
pub(super) struct Batch {
    pub(super) input_mask: InputMask,
    /// The net's view of each position, in order of arrival.
    seen: Vec<Seen>,
    /// Index of the position at each place.
    pub(super) order: Vec<Place>,
    /// Rows of all positions, place by place.
    pub(super) rows: Vec<u32>,
    /// The shared rows that belong to them.
    shared: Vec<u32>,
    /// Whether the batch uses a row.
    is_touched: Vec<bool>,
    /// Sum of the rows and the bias at each place; later the gradient with respect to it.
    pub(super) sums: Vec<[f32; HIDDEN]>,
}

/// The net's view of a position.
#[derive(Clone, Copy)]
struct Seen {
    rows: RowList,
    kind: u8,
    head: u8,
}

/// A position of the batch.
#[derive(Clone)]
pub(super) struct Place {
    /// Its index in order of arrival.
    pub(super) example: u32,
    pub(super) head: u8,
    /// Index of its bias in the first layer.
    bias: u8,
    /// Its rows, and the shared rows that belong to them.
    rows: Range<usize>,
    shared: Range<usize>,
}

impl Batch {
    pub(super) fn look(
        &mut self,
        weights: &Weights,
        positions: impl IndexedParallelIterator<Item = Position>,
    ) {
        let see = |position| Seen::of(&position, weights.heads);
        positions.map(see).collect_into_vec(&mut self.seen);
        let own_rows = weights.sharing.len();
        self.is_touched.clear();
        self.is_touched.resize(weights.all_rows(), false);
        self.rows.clear();
        self.shared.clear();
        self.order.clear();
        let mut order: Vec<u32> = (0..self.seen.len() as u32).collect();
        order.sort_by_key(|&example| self.seen[example as usize].head);
        for example in order {
            let seen = &self.seen[example as usize];
            let places = weights.sharing.places(usize::from(seen.kind));
            let rows = seen.rows.as_slice().iter().map(|&r| usize::from(r));
            let rows = rows.filter(|&row| self.input_mask.sees(row));
            let before = [self.rows.len(), self.shared.len()];
            let own = rows.clone().map(|row| u32::from(places[row]));
            self.rows.extend(own);
            let shared = rows.filter_map(shared_row);
            self.shared.extend(shared.map(|r| (own_rows + r) as u32));
            self.order.push(Place {
                example,
                head: if self.input_mask.heads { seen.head } else { 0 },
                bias: match weights.heads {
                    Heads::Kinds => seen.head,
                    Heads::Phases => 0,
                },
                rows: before[0]..self.rows.len(),
                shared: before[1]..self.shared.len(),
            });
        }
        for &row in self.rows.iter().chain(&self.shared) {
            self.is_touched[row as usize] = true;
        }
        self.sums.resize(self.order.len(), [0.0; HIDDEN]);
    }

    pub(super) fn sum(&mut self, weights: &Weights) {
        let (rows, shared) = (&self.rows, &self.shared);
        let groups = self.sums.par_chunks_mut(GROUP);
        let groups = groups.zip(self.order.par_chunks(GROUP));
        groups.for_each(|(sums, places)| {
            for part in 0..PARTS {
                gather(weights, [rows, shared], places, sums, part);
            }
        });
        if self.input_mask.units < HIDDEN {
            // A unit without a sum is inactive and has no gradient.
            let unused = self
                .sums
                .iter_mut()
                .map(|s| &mut s[self.input_mask.units..]);
            unused.for_each(|s| s.fill(0.0));
        }
    }

    /// Adds the gradients of the sums to those of their biases.
    pub(super) fn add_slopes(&self, bias: &mut [f32]) {
        for (place, sum) in self.order.iter().zip(&self.sums) {
            let bias = &mut bias[usize::from(place.bias) * HIDDEN..][..HIDDEN];
            bias.iter_mut().zip(sum).for_each(|(b, s)| *b += *s);
        }
    }

    /// Returns the rows that the batch uses, including shared rows.
    pub(super) fn touched(&self) -> Vec<u32> {
        let rows = (0..).zip(&self.is_touched);
        rows.filter_map(|(row, &is)| is.then_some(row)).collect()
    }
}

impl Seen {
    fn of(position: &Position, heads: Heads) -> Self {
        let view = View::new(position);
        let mut rows = RowList::new();
        view.rows(&mut rows);
        debug_assert!(rows.as_slice().len() <= MOST_ROWS);
        Self {
            rows,
            kind: view.kind() as u8,
            head: heads.of(&view) as u8,
        }
    }
}

const _: () = assert!(KINDS <= 1 << u8::BITS);

/// Number of positions that one thread sums at a time.
const GROUP: usize = 256;

fn row_of(part: &[f32], row: usize) -> &[f32; PART] {
    let row = &part[row * PART..][..PART];
    row.try_into().expect("a row is as long as a part is wide")
}

fn row_of_mut(part: &mut [f32], row: usize) -> &mut [f32; PART] {
    let row = &mut part[row * PART..][..PART];
    row.try_into().expect("a row is as long as a part is wide")
}

/// Sums one part of the rows of some positions.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn gather(
    weights: &Weights,
    [rows, shared]: [&[u32]; 2],
    places: &[Place],
    sums: &mut [[f32; HIDDEN]],
    part: usize,
) {
    let size = weights.part_size();
    let table = &weights.rows[part * size..][..size];
    let units = part * PART..(part + 1) * PART;
    for (sum, place) in sums.iter_mut().zip(places) {
        let bias = &weights.bias[usize::from(place.bias) * HIDDEN..][..HIDDEN];
        let mut lanes = [0.0f32; PART];
        lanes.copy_from_slice(&bias[units.clone()]);
        let own = &rows[place.rows.clone()];
        let shared = &shared[place.shared.clone()];
        for &row in own.iter().chain(shared) {
            for (l, w) in lanes.iter_mut().zip(row_of(table, row as usize)) {
                *l += *w;
            }
        }
        sum[units.clone()].copy_from_slice(&lanes);
    }
}

/// Adds the gradients of one part of the batch's sums to their rows.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
pub(super) fn scatter(gradient: &mut [f32], batch: &Batch, part: usize) {
    for (slope, place) in batch.sums.iter().zip(&batch.order) {
        let slope = row_of(slope, part);
        for &row in &batch.rows[place.rows.clone()] {
            let g = row_of_mut(gradient, row as usize);
            for (g, s) in g.iter_mut().zip(slope) {
                *g += *s;
            }
        }
    }
}

/// Adds the gradients of all rows to the shared rows they contain.
pub(super) fn share_out(gradient: &mut [f32], touched: &[u32], sharing: &Sharing) {
    let (own, all_shared) = gradient.split_at_mut(sharing.len() * PART);
    for &place in touched {
        let place = place as usize;
        let row = sharing.rows().get(place).map(|&row| usize::from(row));
        let Some(shared) = row.and_then(shared_row) else {
            continue;
        };
        let shared = row_of_mut(all_shared, shared);
        for (s, g) in shared.iter_mut().zip(row_of(own, place)) {
            *s += *g;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::learn::TrainingExample as _;
    use std::sync::Arc;

    use super::super::sample::Sample;
    use super::super::weights::rows_seen;
    use super::*;
    use crate::eval::rows::ROWS;

    /// A row's gradient is the sum over the positions that use it; a shared row's is the sum over its rows.
    #[test]
    fn rows_get_the_slopes_of_all_their_positions() {
        let mut batch = Batch::default();
        let mut weights = Weights::zero(Heads::Kinds, Sample::OUTPUTS);
        let seen = rows_seen([Position::opening()].into_iter());
        weights.divide(&Arc::new(Sharing::by_use(&seen, ROWS + 40)));
        let sharing = Arc::clone(&weights.sharing);
        batch.look(&weights, [Position::opening(); 2].into_par_iter());
        for (unit, sum) in batch.sums.iter_mut().flat_map(|s| s.iter_mut().enumerate()) {
            *sum = unit as f32;
        }
        let mut gradient = vec![0.0; weights.part_size()];
        scatter(&mut gradient, &batch, 1);
        let touched = batch.touched();
        share_out(&mut gradient, &touched, &sharing);
        let times = |wanted: usize| {
            let is = |&&place: &&u32| {
                let place = place as usize;
                let shared = shared_row(usize::from(sharing.rows()[place]));
                place == wanted || shared.is_some_and(|s| sharing.len() + s == wanted)
            };
            batch.rows.iter().filter(is).count() as f32
        };
        assert!(touched.iter().any(|&r| r as usize >= sharing.len()));
        for &row in &touched {
            let row = row as usize;
            assert_eq!(gradient[row * PART + 3], (PART + 3) as f32 * times(row));
        }
    }
}
