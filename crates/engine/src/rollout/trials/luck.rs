//! The luck of rolls: a control variate whose mean is zero.
//!
//! The luck of a roll is what the position is worth after it less what it was worth before it,
//! the mean over the 36 rolls. It averages exactly zero *whatever* the values are, as long as they
//! are fixed before the dice fall. So subtracting it never shifts a result, and the better the
//! values, the less variance is left (Dahl, JellyFish 2.0, 1996; Montgomery, *Variance reduction*,
//! GammOnLine 2000).

use crate::dice::NO_DOUBLES;
use crate::eval::Probabilities;
use crate::game::Roll;
use crate::game::roll::{DISTINCT, ORDERED, weighted_mean};
use crate::stats::bounded_scale;

/// Which rolls can fall.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Range {
    /// All rolls.
    All,
    /// Rolls that are no doubles: the first one of an initial position.
    NoDoubles,
}

/// Number of ordered rolls, among those that can fall, that each of the 21 rolls stands for: with doubles,
/// and without.
const WEIGHTS: [[f64; DISTINCT]; 2] = {
    let mut weights = [[0.0; DISTINCT]; 2];
    let mut i = 0;
    while i < DISTINCT {
        if Roll::ALL[i].is_double() {
            weights[0][i] = 1.0;
        } else {
            weights[0][i] = 2.0;
            weights[1][i] = 2.0;
        }
        i += 1;
    }
    weights
};

impl Range {
    /// The weights of the rolls, and their sum.
    #[inline]
    fn weights(self) -> (&'static [f64; DISTINCT], f64) {
        match self {
            Self::All => (&WEIGHTS[0], ORDERED as f64),
            Self::NoDoubles => (&WEIGHTS[1], NO_DOUBLES as f64),
        }
    }
}

/// The mean of the values over the rolls that can fall.
pub(super) fn mean(values: &[Probabilities; DISTINCT], range: Range) -> [f64; 5] {
    let (weights, total) = range.weights();
    let values = values.iter().map(|value| value.to_array().map(f64::from));
    weighted_mean(weights, total, values)
}

/// Luck of `roll`, in each of the five chances of the player who rolled it.
pub(super) fn of_roll(values: &[Probabilities; DISTINCT], roll: Roll, range: Range) -> [f64; 5] {
    less(&values[roll.index()], &mean(values, range))
}

fn less(value: &Probabilities, mean: &[f64; 5]) -> [f64; 5] {
    let value = value.to_array();
    std::array::from_fn(|i| f64::from(value[i]) - mean[i])
}

/// Luck in points, from that in the five chances.
pub(crate) fn equity_of_luck(l: &[f64; 5]) -> f64 {
    2.0 * l[0] + l[1] + l[2] - l[3] - l[4]
}

/// Luck of each roll, from the value of each: less the mean over the rolls that can fall.
pub(super) fn of_values(values: &[f64; DISTINCT], range: Range) -> [f64; DISTINCT] {
    let (weights, total) = range.weights();
    let [mean] = weighted_mean(weights, total, values.map(|v| [v]));
    values.map(|v| v - mean)
}

/// Luck in the five chances of one player, as luck in those of the other.
pub(crate) fn flipped(luck: [f64; 5]) -> [f64; 5] {
    [-luck[0], luck[3], luck[4], luck[1], luck[2]]
}

/// The factor for the luck of the roll, the same for all rolls. With it the sum so far, `sum`,
/// stays between `-bound` and `bound` ([`bounded_scale`]). `values` are those after the 21 rolls;
/// `own` tells whether the sum is that of the player who rolls.
pub(super) fn scale(
    values: &[Probabilities; DISTINCT],
    range: Range,
    own: bool,
    sum: f64,
    bound: f64,
) -> f64 {
    let mean = mean(values, range);
    let luck = |value| equity_of_luck(&less(value, &mean));
    let lucks = std::array::from_fn(|r| {
        let luck = luck(&values[r]);
        if own { luck } else { -luck }
    });
    scale_points(&lucks, range, sum, bound)
}

/// The factor of [`scale`], from the luck of each roll in points of the player whose sum it is.
pub(super) fn scale_points(lucks: &[f64; DISTINCT], range: Range, sum: f64, bound: f64) -> f64 {
    let all = lucks.iter().zip(range.weights().0);
    let possible = all.filter(|(_, weight)| **weight > 0.0);
    bounded_scale(possible.map(|(luck, _)| *luck), sum, bound)
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
                for (s, l) in sum.iter_mut().zip(of_roll(&values, Roll::ordered(n), Range::All)) {
                    *s += l;
                }
            }
            prop_assert!(sum.iter().all(|s| s.abs() < 1e-12), "{:?}", sum);
        }

        /// Whatever the roll, the sum stays in bounds; where there is room nothing is scaled.
        #[test]
        fn scaled_luck_stays_in_bounds(
            values in prop::array::uniform21(prop::array::uniform5(-1.0..1.0f32)),
            sum in -1.0..1.0f64,
            own in any::<bool>(),
        ) {
            let values = values.map(Probabilities::from_array);
            let factor = scale(&values, Range::All, own, sum, 1.0);
            prop_assert!((0.0..=1.0).contains(&factor));
            for roll in Roll::ALL {
                let luck = factor * equity_of_luck(&of_roll(&values, roll, Range::All));
                let after = sum + if own { luck } else { -luck };
                prop_assert!(after.abs() <= 1.0 + 1e-12, "{}", after);
            }
            prop_assert_eq!(scale(&values, Range::All, own, sum, 100.0), 1.0);
        }
    }
}
