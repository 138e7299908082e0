//! One roll ahead: for each of the 21 rolls the best play by the static evaluation.
//!
//! This is the inner loop of lookahead, of labels for training and of luck by lookahead. So it has memory
//! of its own and hands the evaluator the plays of all rolls at once. Plays that are
//! most likely not the best, by the evaluator's pruner, are left out.

use super::pruning_net::KEPT;
use super::{Evaluator, Probabilities, Pruner};
use crate::game::roll::{self, DISTINCT};
use crate::game::{Position, ResultList, Roll};

/// The 21 rolls of one position, in the order of [`Roll::ALL`].
#[derive(Clone, Debug)]
pub struct Rolls {
    /// After the best play, seen by the opponent.
    pub results: [Position; DISTINCT],
    /// Chances of the player who rolls, after it.
    pub values: [Probabilities; DISTINCT],
    list: ResultList,
    plays: Vec<Position>,
    ends: [usize; DISTINCT],
    chances: Vec<Probabilities>,
}

impl Default for Rolls {
    fn default() -> Self {
        Self {
            results: [Position::opening(); DISTINCT],
            values: [Probabilities::default(); DISTINCT],
            list: ResultList::new(),
            plays: Vec::new(),
            ends: [0; DISTINCT],
            chances: Vec::new(),
        }
    }
}

impl Rolls {
    /// Looks at all rolls of `position`. Of equal plays the first generated counts as best.
    pub fn value_all(&mut self, evaluator: &dyn Evaluator, position: &Position) {
        self.plays.clear();
        let pruner = evaluator.pruner(position);
        for (end, roll) in self.ends.iter_mut().zip(Roll::ALL) {
            self.list.generate(position, roll);
            let results = self.list.results();
            match pruner.as_ref().and_then(|p| p.shortlist(results)) {
                Some(short) => self.plays.extend(short.places().map(|i| results[i])),
                None => self.plays.extend_from_slice(results),
            }
            *end = self.plays.len();
        }
        self.chances.clear();
        self.chances
            .resize(self.plays.len(), Probabilities::default());
        evaluator.probabilities_after(position, &self.plays, &mut self.chances);
        let mut start = 0;
        for (r, &end) in self.ends.iter().enumerate() {
            let best = start + best_of(&self.chances[start..end]);
            self.results[r] = self.plays[best];
            self.values[r] = self.chances[best].flipped();
            start = end;
        }
    }

    /// The plays of `roll` that were valued, and the opponent's chances after each.
    #[must_use]
    pub fn plays_of(&self, roll: Roll) -> (&[Position], &[Probabilities]) {
        let r = roll.index();
        let start = r.checked_sub(1).map_or(0, |before| self.ends[before]);
        let range = start..self.ends[r];
        (&self.plays[range.clone()], &self.chances[range])
    }

    /// Chances of the player who rolls before the roll: the mean over the 36 rolls.
    #[must_use]
    pub fn mean(&self) -> Probabilities {
        let values = self.values.iter().map(Probabilities::to_array);
        Probabilities::from_array(roll::mean(values))
    }
}

/// Place of the chances that are worst for the opponent, whose they are; the first of equals.
fn best_of(chances: &[Probabilities]) -> usize {
    let mut best = (0, f32::MAX);
    for (i, c) in chances.iter().enumerate() {
        let equity = c.equity();
        if equity < best.1 {
            best = (i, equity);
        }
    }
    best.0
}

/// The result of the play of `roll` that the static evaluation likes best; the first of equals.
/// `equities` is scratch memory.
#[inline]
pub fn best_play(
    evaluator: &dyn Evaluator,
    position: &Position,
    roll: Roll,
    list: &mut ResultList,
    equities: &mut Vec<f32>,
) -> Position {
    list.generate(position, roll);
    let results = list.results();
    if results.len() == 1 {
        return results[0];
    }
    if Pruner::shortens(results.len())
        && let Some(pruner) = evaluator.pruner(position)
        && let Some(short) = pruner.shortlist(results)
    {
        let results = short.places().map(|i| results[i]);
        let mut equities = [0.0; KEPT];
        evaluator.equities_after(position, &results, &mut equities);
        return results[best_index(&equities)];
    }
    equities.clear();
    equities.resize(results.len(), 0.0);
    evaluator.equities_after(position, results, equities);
    results[best_index(equities)]
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
