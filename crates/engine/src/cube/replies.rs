//! The replies to all rolls of a position, evaluated without lookahead, and a table of them for lookaheads at
//! several scores.
//!
//! Cubeless chances do not depend on cube and score. A decision that is analysed at many scores therefore needs
//! the net only once for each position. [`ReplyTable`] stores the replies and their chances. It drops replies
//! that are unlikely to be the best at any score, because each score evaluates all stored replies. For each
//! roll it keeps those that are best under one of [`WEIGHTS`], which span the possible values of gammons. This
//! is the only approximation; `docs/methods/cube.md` gives its error.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use crate::eval::rolls::{RollPlays, least_index};
use crate::eval::{Evaluator, Probabilities, Pruner};
use crate::game::roll::DISTINCT;
use crate::game::{Position, ResultList};
use crate::locks::lock;

/// Weights of the chances in the order of [`Probabilities::to_array`]: for money, for double match point, and
/// for scores where one side's gammons count double and the opponent's nothing.
const WEIGHTS: [[f32; 5]; 4] = [
    [2.0, 1.0, 1.0, -1.0, -1.0],
    [2.0, 0.0, 0.0, 0.0, 0.0],
    [2.0, 2.0, 0.0, 0.0, 0.0],
    [2.0, 0.0, 0.0, -2.0, 0.0],
];

/// Returns the replies that are best under one of the weights, in the same order.
fn contenders(all: &RollPlays) -> RollPlays {
    let mut kept = RollPlays::default();
    for r in 0..DISTINCT {
        let (results, chances) = all.of_roll(r);
        let mut best = WEIGHTS.map(|weights| least(chances, weights));
        best.sort_unstable();
        for (n, &i) in best.iter().enumerate() {
            if n == 0 || best[n - 1] != i {
                kept.results.push(results[i]);
                kept.chances.push(chances[i]);
            }
        }
        kept.ends[r] = kept.results.len();
    }
    kept
}

/// Returns the index of the chances with the lowest value; the first of equals.
fn least(chances: &[Probabilities], weights: [f32; 5]) -> usize {
    least_index(chances, |chances| {
        let parts = chances.to_array();
        parts.iter().zip(weights).map(|(p, w)| p * w).sum()
    })
}

/// Reusable memory for generating the replies of positions.
#[derive(Debug, Default)]
pub(super) struct Plays {
    list: ResultList,
    replies: RollPlays,
}

impl Plays {
    /// Generates and evaluates all replies of `position`, in the order of [`Roll::ALL`].
    pub(super) fn value_all(
        &mut self,
        evaluator: &dyn Evaluator,
        position: &Position,
    ) -> &RollPlays {
        self.value(evaluator, position, None)
    }

    /// Generates and evaluates the replies of `position`, without those dropped by the evaluator's pruner, if
    /// it has one.
    pub(super) fn value_likely(
        &mut self,
        evaluator: &dyn Evaluator,
        position: &Position,
    ) -> &RollPlays {
        self.value(evaluator, position, evaluator.pruner(position).as_ref())
    }

    fn value(
        &mut self,
        evaluator: &dyn Evaluator,
        position: &Position,
        pruner: Option<&Pruner<'_>>,
    ) -> &RollPlays {
        self.replies
            .value_all(evaluator, position, pruner, &mut self.list);
        &self.replies
    }
}

/// Number of parts of a table, each with its own lock.
const PARTS: usize = 16;
/// Maximum number of positions in a part. Further positions are computed whenever needed.
const MOST: usize = 4096;

/// The replies of many positions, shared by threads and by lookaheads at several scores.
///
/// The content does not depend on the order of requests, so results are the same for any number of threads.
#[derive(Debug, Default)]
pub(super) struct ReplyTable {
    parts: [Mutex<HashMap<Position, Arc<RollPlays>>>; PARTS],
}

impl ReplyTable {
    /// Returns the replies of `position` that are best at one score or more.
    pub(super) fn get(&self, evaluator: &dyn Evaluator, position: &Position) -> Arc<RollPlays> {
        let sum = (1..=24).map(|i| i * usize::from(position.mover.at(i)));
        let part = &self.parts[sum.sum::<usize>() % PARTS];
        // After a panic elsewhere the entries are still complete.
        let lock = || lock(part);
        if let Some(known) = lock().get(position) {
            return known.clone();
        }
        let found = Arc::new(contenders(Plays::default().value_all(evaluator, position)));
        let mut part = lock();
        if part.len() < MOST {
            part.insert(*position, found.clone());
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Engine;

    #[test]
    fn contenders_are_few_and_hold_the_best_of_money() {
        let engine = Engine::embedded();
        let mut plays = Plays::default();
        let all = plays.value_all(&engine, &Position::opening()).clone();
        let kept = contenders(&all);
        assert!(
            kept.results.len() < 2 * DISTINCT + DISTINCT,
            "{}",
            kept.results.len()
        );
        for r in 0..DISTINCT {
            let (results, chances) = all.of_roll(r);
            let best = results[least(chances, WEIGHTS[0])];
            assert!(kept.of_roll(r).0.contains(&best));
        }
    }

    #[test]
    fn a_table_remembers() {
        let engine = Engine::embedded();
        let table = ReplyTable::default();
        let first = table.get(&engine, &Position::opening());
        let again = table.get(&engine, &Position::opening());
        assert!(Arc::ptr_eq(&first, &again));
    }
}
