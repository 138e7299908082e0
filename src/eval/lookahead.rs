//! n-ply evaluation and the candidate plays of a decision.
//!
//! 0-ply is the static evaluation; n-ply is the mean over the 21 rolls of the (n-1)-ply value of
//! the position after the best play. (Some programs count one more.)

use super::{Evaluator, Probabilities};
use crate::game::{Play, PlayList, Position, Roll};

/// A play with its value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// What is moved.
    pub play: Play,
    /// The position after it, seen by the opponent, who is on roll.
    pub result: Position,
    /// Chances of the player who makes the play.
    pub probabilities: Probabilities,
    /// Cubeless equity of the player who makes the play, in points.
    pub equity: f32,
    /// Plies of lookahead behind these figures.
    pub ply: u8,
}

/// Which plays deserve a deeper look.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MoveFilter {
    /// At most this many.
    pub most: usize,
    /// Only those within this many points of the best.
    pub within: f32,
}

impl Default for MoveFilter {
    fn default() -> Self {
        Self {
            most: 8,
            within: 0.16,
        }
    }
}

/// All plays of `roll`, best first: those within `filter` at `ply` plies, the others behind them
/// at the depth at which they fell out. `None` if `cancelled` answered true on the way.
pub fn candidates(
    evaluator: &dyn Evaluator,
    position: &Position,
    roll: Roll,
    ply: u8,
    filter: MoveFilter,
    cancelled: &dyn Fn() -> bool,
) -> Option<Vec<Candidate>> {
    let mut list = PlayList::new();
    list.generate(position, roll);
    let mut values = vec![Probabilities::default(); list.len()];
    evaluator.probabilities(list.results(), &mut values);
    let mut all: Vec<Candidate> = list
        .plays()
        .iter()
        .zip(list.results())
        .zip(&values)
        .map(|((&play, &result), value)| {
            let probabilities = value.turned();
            Candidate {
                play,
                result,
                probabilities,
                equity: probabilities.equity(),
                ply: 0,
            }
        })
        .collect();
    sort(&mut all);
    let mut kept = all.len();
    for depth in 1..=ply {
        let limit = all[0].equity - filter.within;
        kept = all[..kept]
            .iter()
            .take(filter.most)
            .take_while(|c| c.equity >= limit)
            .count();
        if kept == 1 && depth < ply {
            continue;
        }
        for candidate in &mut all[..kept] {
            let value = evaluate(evaluator, &candidate.result, depth, cancelled)?;
            candidate.probabilities = value.turned();
            candidate.equity = candidate.probabilities.equity();
            candidate.ply = depth;
        }
        sort(&mut all[..kept]);
    }
    Some(all)
}

/// Best first; equal equities keep the order of generation, so that results do not depend on the
/// sorting algorithm.
fn sort(candidates: &mut [Candidate]) {
    candidates.sort_by(|a, b| b.equity.total_cmp(&a.equity));
}

/// The chances of the player on roll at `ply` plies, or `None` if `cancelled` answered true.
pub fn evaluate(
    evaluator: &dyn Evaluator,
    position: &Position,
    ply: u8,
    cancelled: &dyn Fn() -> bool,
) -> Option<Probabilities> {
    if ply == 0 || position.is_over() {
        return Some(evaluator.probabilities_of(position));
    }
    if cancelled() {
        return None;
    }
    let mut list = PlayList::new();
    let mut equities = Vec::new();
    let mut best = [*position; 21];
    for (slot, roll) in best.iter_mut().zip(Roll::ALL) {
        list.generate(position, roll);
        *slot = best_result(evaluator, position, &list, &mut equities);
    }
    let mut values = [Probabilities::default(); 21];
    if ply == 1 {
        evaluator.probabilities(&best, &mut values);
    } else {
        for (value, result) in values.iter_mut().zip(&best) {
            *value = evaluate(evaluator, result, ply - 1, cancelled)?;
        }
    }
    let mut sum = [0.0f32; 5];
    for (roll, value) in Roll::ALL.iter().zip(&values) {
        for (s, v) in sum.iter_mut().zip(value.turned().to_array()) {
            *s += roll.weight() as f32 * v;
        }
    }
    Some(Probabilities::from_array(sum.map(|s| s / 36.0)))
}

/// The result of the play that the static evaluation likes best; the first of equals.
fn best_result(
    evaluator: &dyn Evaluator,
    before: &Position,
    list: &PlayList,
    equities: &mut Vec<f32>,
) -> Position {
    if list.len() == 1 {
        return list.results()[0];
    }
    equities.clear();
    equities.resize(list.len(), 0.0);
    evaluator.equities_after(before, list.results(), equities);
    list.results()[best_index(equities)]
}

/// Place of the largest value; the first of equals, 0 of an empty list.
#[inline]
#[must_use]
pub fn best_index(values: &[f32]) -> usize {
    let mut best = 0;
    for (i, v) in values.iter().enumerate() {
        if *v > values[best] {
            best = i;
        }
    }
    best
}
