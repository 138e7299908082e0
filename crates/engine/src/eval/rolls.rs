//! Finds the best play of each of the 21 rolls by the static evaluation.
//!
//! This is the inner loop of lookahead, of training labels and of luck by lookahead. It therefore reuses
//! memory and passes the plays of all rolls to the evaluator at once. Plays that are unlikely to be the best,
//! by the evaluator's pruner, are left out.

use super::pruning_net::{KEPT, add_likely};
use super::{Evaluator, Probabilities, Pruner};
use crate::game::roll::{self, DISTINCT};
use crate::game::{Position, ResultList, Roll};

/// The plays of all 21 rolls of one position, evaluated without lookahead.
#[derive(Clone, Debug, Default)]
pub struct RollPlays {
    /// The results of the plays, grouped by roll in the order of [`Roll::ALL`].
    pub results: Vec<Position>,
    /// The opponent's chances after each play.
    pub chances: Vec<Probabilities>,
    /// The end of the plays of each roll.
    pub ends: [usize; DISTINCT],
}

impl RollPlays {
    /// Generates and evaluates the plays of `position`, without those that `pruner` drops. `list` is scratch
    /// memory.
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

    /// Returns the results of the plays of a roll (an index in [`Roll::ALL`]), and the opponent's chances
    /// after each.
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
    /// The positions after the best plays, seen by the opponent.
    pub results: [Position; DISTINCT],
    /// Chances of the player who rolls, after the best plays.
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
    /// Evaluates all rolls of `position`. Among equal plays the first generated counts as best.
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

    /// Returns the evaluated plays of `roll`, and the opponent's chances after each.
    pub fn plays_of(&self, roll: Roll) -> (&[Position], &[Probabilities]) {
        self.plays.of_roll(roll.index())
    }

    /// Returns the chances of the player who rolls before the roll: the mean over the 36 rolls.
    pub fn mean(&self) -> Probabilities {
        mean(&self.values)
    }
}

/// Returns the mean of chances over the 36 rolls.
pub fn mean(values: &[Probabilities; DISTINCT]) -> Probabilities {
    let values = values.iter().map(Probabilities::to_array);
    Probabilities::from_array(roll::mean(values))
}

/// Returns the index of the chances with the lowest `value`; the first of equals, 0 for an empty list.
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

/// Returns the result of the best play of `roll` by the static evaluation; the first of equals. `equities` is
/// scratch memory.
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
        let mut likely = [Position::opening(); KEPT];
        let mut equities = [0.0; KEPT];
        let mut kept = 0;
        for place in short.places() {
            likely[kept] = results[place];
            kept += 1;
        }
        evaluator.equities_after(position, &likely[..kept], &mut equities[..kept]);
        return likely[best_index(&equities[..kept])];
    }
    equities.clear();
    equities.resize(results.len(), 0.0);
    evaluator.equities_after(position, results, equities);
    results[best_index(equities)]
}

/// Returns the index of the largest value; the first of equals, 0 for an empty list.
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
