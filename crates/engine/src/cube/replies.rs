//! The replies to all rolls of a position, valued without lookahead, and a table of them for
//! lookaheads at several scores.
//!
//! Cubeless chances do not depend on cube and score. So a decision that is analysed at many scores
//! needs the net once for each position. [`ReplyTable`] keeps the replies and their chances. It leaves
//! out the replies that are unlikely to be the best at any score, because each score has to value all
//! that stay. Of each roll those stay that are best under one of [`WEIGHTS`], which span what gammons
//! may be worth. That is the only approximation. `docs/methods/cube.md` says how large it is.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use crate::eval::rolls::{RollPlays, least_index};
use crate::eval::{Evaluator, Probabilities, Pruner};
use crate::game::roll::DISTINCT;
use crate::game::{Position, ResultList};
use crate::locks::lock;

/// What the chances in the order of [`Probabilities::to_array`] are worth: as for money, at double match
/// point, where the one side's gammons count double and the other's nothing, and the reverse.
const WEIGHTS: [[f32; 5]; 4] = [
    [2.0, 1.0, 1.0, -1.0, -1.0],
    [2.0, 0.0, 0.0, 0.0, 0.0],
    [2.0, 2.0, 0.0, 0.0, 0.0],
    [2.0, 0.0, 0.0, -2.0, 0.0],
];

/// The replies that are best under one of the weights, in the same order.
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

/// The place of the chances that are worth least; the first of equals.
fn least(chances: &[Probabilities], weights: [f32; 5]) -> usize {
    least_index(chances, |chances| {
        let parts = chances.to_array();
        parts.iter().zip(weights).map(|(p, w)| p * w).sum()
    })
}

/// Memory in which the replies of one position after the other are found.
#[derive(Debug, Default)]
pub(super) struct Plays {
    list: ResultList,
    replies: RollPlays,
}

impl Plays {
    /// Finds and values all replies of `position`, in the order of [`Roll::ALL`].
    pub(super) fn value_all(
        &mut self,
        evaluator: &dyn Evaluator,
        position: &Position,
    ) -> &RollPlays {
        self.value(evaluator, position, None)
    }

    /// Finds and values the replies of `position` without those that the evaluator's pruner leaves out, if it
    /// has one.
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

/// Parts of a table, each with a lock of its own.
const PARTS: usize = 16;
/// Most positions in a part. What comes later is computed each time it is needed.
const MOST: usize = 4096;

/// The replies of many positions, shared by threads and by lookaheads at several scores.
///
/// What is found does not depend on who asked first, so results are the same for any number of threads.
#[derive(Debug, Default)]
pub(super) struct ReplyTable {
    parts: [Mutex<HashMap<Position, Arc<RollPlays>>>; PARTS],
}

impl ReplyTable {
    /// The replies of `position` that may be the best at some score.
    pub(super) fn get(&self, evaluator: &dyn Evaluator, position: &Position) -> Arc<RollPlays> {
        let sum = (1..=24).map(|i| i * usize::from(position.mover.at(i)));
        let part = &self.parts[sum.sum::<usize>() % PARTS];
        // A panic elsewhere leaves whole entries.
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
