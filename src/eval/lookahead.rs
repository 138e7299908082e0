//! n-ply evaluation and the candidate plays of a decision.
//!
//! 0-ply is the static evaluation; n-ply is the mean over the 21 rolls of the (n-1)-ply value of
//! the position after the best play. (Some programs count one more.)

use super::{Evaluator, Probabilities, Rolls};
use crate::game::roll::DISTINCT;
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

impl MoveFilter {
    /// The filter in front of the evaluation at `ply` plies: the deeper look before it has narrowed
    /// the choice, and the next costs twenty times as much.
    #[must_use]
    pub fn at(self, ply: u8) -> Self {
        let narrower = i32::from(ply.max(1)) - 1;
        Self {
            most: (self.most >> narrower.min(8)).max(2),
            within: self.within * 0.4f32.powi(narrower),
        }
    }
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
    evaluator.probabilities_after(position, list.results(), &mut values);
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
    let mut lookahead = Lookahead::default();
    for depth in 1..=ply {
        let filter = filter.at(depth);
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
            let value = lookahead.evaluate(evaluator, &candidate.result, depth, cancelled)?;
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
    Lookahead::default().evaluate(evaluator, position, ply, cancelled)
}

/// Memory for lookahead, one part for each ply.
#[derive(Clone, Debug, Default)]
pub struct Lookahead(Vec<Rolls>);

impl Lookahead {
    /// See [`evaluate`].
    pub fn evaluate(
        &mut self,
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
        let depth = usize::from(ply);
        if self.0.len() < depth {
            self.0.resize_with(depth, Rolls::default);
        }
        self.0[depth - 1].look(evaluator, position);
        if ply > 1 {
            for r in 0..DISTINCT {
                let result = self.0[depth - 1].results[r];
                let value = self.evaluate(evaluator, &result, ply - 1, cancelled)?;
                self.0[depth - 1].values[r] = value.turned();
            }
        }
        Some(self.0[depth - 1].mean())
    }
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
