//! What the dice gave.
//!
//! The luck of a roll is what the position is worth after it less what it was worth before it,
//! the mean over the 36 rolls. It averages exactly zero *whatever* the values are, as long as they
//! are fixed before the dice fall; so subtracting it never shifts a result, and the better the
//! values, the less is left to chance (Dahl, JellyFish 2.0, 1996; Montgomery, *Variance
//! reduction*, GammOnLine 2000). [`RollValues`] is that freedom as an interface: any function of
//! position and roll will do.

use crate::eval::{Evaluator, Probabilities};
use crate::game::roll::{DISTINCT, ORDERED};
use crate::game::{PlayList, Position, Roll};

/// Values of the 21 rolls of a position, from which luck is measured. Need not be right: only a
/// function of nothing but the position and the roll.
pub trait RollValues: Send + Sync {
    /// For each of [`Roll::ALL`], chances of the player on roll in `position` after it.
    fn values(&self, position: &Position, out: &mut [Probabilities; DISTINCT]);
}

/// The 21 rolls of one position: the best play of each, and its value.
pub(super) struct Table {
    /// After the best play, seen by the opponent.
    pub(super) results: [Position; DISTINCT],
    /// Chances of the player who rolls.
    pub(super) values: [Probabilities; DISTINCT],
    /// Their equities.
    pub(super) equities: [f32; DISTINCT],
}

impl Table {
    pub(super) fn new() -> Self {
        Self {
            results: [Position::opening(); DISTINCT],
            values: [Probabilities::default(); DISTINCT],
            equities: [0.0; DISTINCT],
        }
    }

    /// Looks at all rolls of `position` with the static evaluation.
    pub(super) fn fill(
        &mut self,
        evaluator: &dyn Evaluator,
        position: &Position,
        scratch: &mut Plays,
    ) {
        for (result, roll) in self.results.iter_mut().zip(Roll::ALL) {
            *result = scratch.best(evaluator, position, roll);
        }
        evaluator.probabilities(&self.results, &mut self.values);
        for (value, equity) in self.values.iter_mut().zip(&mut self.equities) {
            *value = value.turned();
            *equity = value.equity();
        }
    }
}

/// Memory for the plays of one roll.
#[derive(Default)]
pub(super) struct Plays {
    list: PlayList,
    equities: Vec<f32>,
}

impl Plays {
    /// The position after the play of `roll` that the static evaluation likes best; the first of
    /// equals.
    #[inline]
    pub(super) fn best(
        &mut self,
        evaluator: &dyn Evaluator,
        position: &Position,
        roll: Roll,
    ) -> Position {
        self.list.generate(position, roll);
        let results = self.list.results();
        if results.len() == 1 {
            return results[0];
        }
        self.equities.clear();
        self.equities.resize(results.len(), 0.0);
        evaluator.equities_after(position, results, &mut self.equities);
        results[crate::eval::lookahead::best_index(&self.equities)]
    }
}

/// Luck of `roll`, in each of the five chances of the player who rolled it.
pub(super) fn of_roll(values: &[Probabilities; DISTINCT], roll: Roll) -> [f64; 5] {
    let mut mean = [0.0f64; 5];
    for (value, roll) in values.iter().zip(Roll::ALL) {
        let weight = f64::from(roll.weight());
        for (m, v) in mean.iter_mut().zip(value.to_array()) {
            *m += weight * f64::from(v);
        }
    }
    let got = values[roll.index()].to_array();
    std::array::from_fn(|i| f64::from(got[i]) - mean[i] / ORDERED as f64)
}

/// The luck of one player in the other's chances.
pub(super) fn turned(luck: [f64; 5]) -> [f64; 5] {
    [-luck[0], luck[3], luck[4], luck[1], luck[2]]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn luck_averages_zero_whatever_the_values(
            values in prop::array::uniform21(prop::array::uniform5(-2.0..2.0f32)),
        ) {
            let values = values.map(Probabilities::from_array);
            let mut sum = [0.0; 5];
            for n in 0..ORDERED {
                for (s, l) in sum.iter_mut().zip(of_roll(&values, Roll::ordered(n))) {
                    *s += l;
                }
            }
            prop_assert!(sum.iter().all(|s| s.abs() < 1e-12), "{:?}", sum);
        }
    }
}
