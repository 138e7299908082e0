//! One roll ahead: for each of the 21 rolls the best play by the static evaluation.
//!
//! This is the inner loop of lookahead, of labels for training and of luck by lookahead. So it has memory
//! of its own and hands the evaluator the plays of all rolls at once. Plays that are
//! most likely not the best, by the evaluator's pruner, are left out.

use super::pruning_net::{KEPT, add_likely};
use super::{Evaluator, Probabilities, Pruner};
use crate::game::roll::{self, DISTINCT};
use crate::game::{Position, ResultList, Roll};

/// The plays of all 21 rolls of one position, valued without lookahead.
#[derive(Clone, Debug, Default)]
pub struct RollPlays {
    /// What the plays lead to, those of each roll side by side, in the order of [`Roll::ALL`].
    pub results: Vec<Position>,
    /// The opponent's chances after each.
    pub chances: Vec<Probabilities>,
    /// Where the plays of each roll end.
    pub ends: [usize; DISTINCT],
}

impl RollPlays {
    /// Finds and values the plays of `position`, without those that `pruner` leaves out. `list` is scratch memory.
    #[inline]
    pub fn value_all(
        &mut self,
        evaluator: &dyn Evaluator,
        position: &Position,
        pruner: Option<&Pruner<'_>>,
        list: &mut ResultList,
    ) {
        self.results.clear();
        for (end, roll) in self.ends.iter_mut().zip(Roll::ALL) {
            list.generate(position, roll);
            add_likely(pruner, list.results(), &mut self.results);
            *end = self.results.len();
        }
        self.chances.clear();
        self.chances
            .resize(self.results.len(), Probabilities::default());
        evaluator.probabilities_after(position, &self.results, &mut self.chances);
    }

    /// The results of the plays of a roll by its place in [`Roll::ALL`], and the opponent's chances after each.
    #[inline]
    pub fn of_roll(&self, roll: usize) -> (&[Position], &[Probabilities]) {
        let start = roll.checked_sub(1).map_or(0, |before| self.ends[before]);
        let range = start..self.ends[roll];
        (&self.results[range.clone()], &self.chances[range])
    }
}

/// The 21 rolls of one position, in the order of [`Roll::ALL`].
#[derive(Clone, Debug)]
pub struct Rolls {
    /// After the best play, seen by the opponent.
    pub results: [Position; DISTINCT],
    /// Chances of the player who rolls, after it.
    pub values: [Probabilities; DISTINCT],
    list: ResultList,
    plays: RollPlays,
}

impl Default for Rolls {
    fn default() -> Self {
        Self {
            results: [Position::opening(); DISTINCT],
            values: [Probabilities::default(); DISTINCT],
            list: ResultList::new(),
            plays: RollPlays::default(),
        }
    }
}

impl Rolls {
    /// Looks at all rolls of `position`. Of equal plays the first generated counts as best.
    pub fn value_all(&mut self, evaluator: &dyn Evaluator, position: &Position) {
        let pruner = evaluator.pruner(position);
        self.plays
            .value_all(evaluator, position, pruner.as_ref(), &mut self.list);
        for r in 0..DISTINCT {
            let (results, chances) = self.plays.of_roll(r);
            // The chances are the opponent's.
            let best = least_index(chances, Probabilities::equity);
            self.results[r] = results[best];
            self.values[r] = chances[best].flipped();
        }
    }

    /// The plays of `roll` that were valued, and the opponent's chances after each.
    pub fn plays_of(&self, roll: Roll) -> (&[Position], &[Probabilities]) {
        self.plays.of_roll(roll.index())
    }

    /// Chances of the player who rolls before the roll: the mean over the 36 rolls.
    pub fn mean(&self) -> Probabilities {
        mean(&self.values)
    }
}

/// The mean of chances over the 36 rolls.
pub fn mean(values: &[Probabilities; DISTINCT]) -> Probabilities {
    let values = values.iter().map(Probabilities::to_array);
    Probabilities::from_array(roll::mean(values))
}

/// Place of the chances of which `value` is least; the first of equals, 0 of an empty list.
#[inline]
pub fn least_index(chances: &[Probabilities], value: impl Fn(&Probabilities) -> f32) -> usize {
    let mut best = (0, f32::INFINITY);
    for (i, chances) in chances.iter().enumerate() {
        let value = value(chances);
        if value < best.1 {
            best = (i, value);
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
pub fn best_index(values: &[f32]) -> usize {
    let mut best = 0;
    for (i, v) in values.iter().enumerate() {
        if *v > values[best] {
            best = i;
        }
    }
    best
}
