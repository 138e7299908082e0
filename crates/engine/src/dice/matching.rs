//! One number for several positions: rolls that are as lucky in one as in the other, and the same
//! where that costs little.
//!
//! Of all ways to give two positions fair rolls together, equal ranks make the expected squared
//! difference of the two rolls' luck least. (That is the rearrangement inequality of Hardy,
//! Littlewood & Pólya, the comonotone coupling of optimal transport.) But two games that get the
//! *same* roll may meet again, and then nothing is left to differ in. What stands here trades the
//! one for the other.

use crate::game::Roll;
use crate::game::roll::{self, DISTINCT, ORDERED};

use super::rank::{mix, order};

/// The rolls of both positions for one rank of the first. They are the same roll where its places
/// in the two orders are at most `within` apart. The others are matched by rank among themselves.
///
/// For given values and key the thirty-six ranks give each position every ordered roll once. For
/// the first position that is the definition. For the second, the rolls that are kept are the same
/// in both. So those left over are as many, and they are paired one to one.
pub fn hybrid_rolls(values: [&[f32; DISTINCT]; 2], rank: u8, tie: u64, within: u8) -> [Roll; 2] {
    let orders = values.map(|v| order(v, tie));
    let places = orders.map(|o| places(&o));
    // Twice the place of the middle of a roll's one or two cells.
    let kept = |roll: usize| places[0][roll].abs_diff(places[1][roll]) <= 2 * u16::from(within);
    let rank = usize::from(rank) % ORDERED;
    // The cell of the first order, and how many cells before it are left over.
    let (mut cell, mut left) = (0, 0);
    let mut first = usize::from(orders[0][DISTINCT - 1]);
    for &roll in &orders[0] {
        let roll = usize::from(roll);
        let weight = Roll::ALL[roll].weight() as usize;
        if rank < cell + weight {
            first = roll;
            left += rank - cell;
            break;
        }
        cell += weight;
        if !kept(roll) {
            left += weight;
        }
    }
    if kept(first) {
        return [Roll::ALL[first]; 2];
    }
    for &roll in &orders[1] {
        let roll = usize::from(roll);
        if kept(roll) {
            continue;
        }
        let weight = Roll::ALL[roll].weight() as usize;
        if left < weight {
            return [Roll::ALL[first], Roll::ALL[roll]];
        }
        left -= weight;
    }
    // Not to be reached: as many cells are left over in either order.
    [Roll::ALL[first]; 2]
}

/// Twice the middle of the cells of each roll.
fn places(order: &[u8; DISTINCT]) -> [u16; DISTINCT] {
    let mut places = [0; DISTINCT];
    let mut cell = 0;
    for &roll in order {
        let weight = Roll::ALL[usize::from(roll)].weight() as u16;
        places[usize::from(roll)] = 2 * cell + weight;
        cell += weight;
    }
    places
}

/// The roll of a position at quantile `number` (0 the best, 35 the worst cell) of the luck of its
/// rolls. Luck is read off a scale with steps of `step` points. The rolls on one step share their
/// cells. Which of them comes depends on the key alone, in such a way that positions whose steps
/// hold nearly the same rolls mostly agree. Each ordered roll draws a lot from the key, and the
/// lowest wins (A. Z. Broder, *On the resemblance and containment of documents*, 1997). No way of
/// agreeing without communication does much better (Bavarian and others, *Optimality of correlated
/// sampling strategies*, Theory of Computing 16, 2020). Where the steps lie is a matter of the key
/// too: no border is always the same.
///
/// For a number that is uniform and independent of the key each ordered roll has the chance 1/36. A
/// step with m of the thirty-six ordered rolls has m cells, and each of its rolls is as likely to
/// draw the lowest lot.
pub fn roll_of_quantile(values: &[f32; DISTINCT], number: u8, tie: u64, step: f32) -> Roll {
    let [mean] = roll::mean(values.map(|value| [f64::from(value)]));
    let shift = (mix(tie ^ SHIFT) >> 11) as f64 / (1u64 << 53) as f64;
    let steps: [i32; DISTINCT] = std::array::from_fn(|i| {
        let luck = f64::from(values[i]) - mean;
        // What is no number is on the step of 0.
        (luck / f64::from(step) + shift).floor() as i32
    });
    let order = order(&steps.map(|s| s as f32), 0);
    let mut left = u32::from(number) % ORDERED as u32;
    let mut group = 0;
    while group < DISTINCT {
        let own = steps[usize::from(order[group])];
        let mut end = group;
        let mut cells = 0;
        while end < DISTINCT && steps[usize::from(order[end])] == own {
            cells += Roll::ALL[usize::from(order[end])].weight();
            end += 1;
        }
        if left < cells {
            return lowest_lot(&order[group..end], tie);
        }
        left -= cells;
        group = end;
    }
    Roll::ALL[usize::from(order[DISTINCT - 1])]
}

/// Sets the lots apart from the shift of the scale.
const SHIFT: u64 = 0x5ca1_e000_0000_0000;

/// The roll that draws the lowest lot; one that is two ordered rolls draws two.
fn lowest_lot(rolls: &[u8], tie: u64) -> Roll {
    let mut best = (u64::MAX, usize::from(rolls[0]));
    for &roll in rolls {
        for copy in 0..Roll::ALL[usize::from(roll)].weight() {
            let lot = mix(tie ^ (1 + u64::from(roll) * 2 + u64::from(copy)));
            best = best.min((lot, usize::from(roll)));
        }
    }
    Roll::ALL[best.1]
}

#[cfg(test)]
mod tests {
    use super::super::roll_of_rank;
    use super::*;
    use proptest::prelude::*;

    fn some_values() -> impl Strategy<Value = [f32; DISTINCT]> {
        let value = prop::sample::select(vec![-1.0f32, -0.5, 0.0, 0.04, 0.25, 1.0, 1.1]);
        prop::array::uniform21(value)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// Both positions get each ordered roll once, whatever the values, and the first gets its
        /// rank.
        #[test]
        fn the_hybrid_is_fair_to_both(
            a in some_values(),
            b in some_values(),
            tie in any::<u64>(),
            within in 0u8..37,
        ) {
            let mut seen = [[0; DISTINCT]; 2];
            for rank in 0..36 {
                let rolls = hybrid_rolls([&a, &b], rank, tie, within);
                prop_assert_eq!(rolls[0], roll_of_rank(&a, rank, tie));
                for (seen, roll) in seen.iter_mut().zip(rolls) {
                    seen[roll.index()] += 1;
                }
                if within == 36 {
                    prop_assert_eq!(rolls[0], rolls[1]);
                }
                // Alike to itself in any case.
                let same = hybrid_rolls([&a, &a], rank, tie, within);
                prop_assert_eq!(same[0], same[1]);
            }
            for roll in Roll::ALL {
                prop_assert_eq!(seen.map(|s| s[roll.index()]), [roll.weight(); 2]);
            }
        }

        /// On one step all the same, on steps of their own ranks; better numbers never give less.
        #[test]
        fn quantiles_lie_between_the_same_dice_and_ranks(
            a in some_values(),
            tie in any::<u64>(),
        ) {
            let mut last = f32::INFINITY;
            for number in 0..36 {
                let fine = roll_of_quantile(&a, number, tie, 0.001);
                let value = a[fine.index()];
                prop_assert_eq!(value, a[roll_of_rank(&a, number, tie).index()]);
                prop_assert!(value <= last);
                last = value;
            }
        }
    }

    /// Over many keys each ordered roll comes equally often, on any scale.
    #[test]
    fn quantiles_are_fair() {
        let mut values: [f32; DISTINCT] = std::array::from_fn(|i| 0.013 * (i * i % 17) as f32);
        values[3] = values[4];
        for step in [0.001, 0.02, 0.1, 10.0] {
            let mut seen = [0u32; DISTINCT];
            let rounds = 4000u64;
            for key in 0..rounds {
                for number in 0..36 {
                    let tie = mix(key * 36 + u64::from(number));
                    seen[roll_of_quantile(&values, number, tie, step).index()] += 1;
                }
            }
            for roll in Roll::ALL {
                let expected = f64::from(roll.weight()) * rounds as f64;
                let found = f64::from(seen[roll.index()]);
                // Draws within a step are independent of each other here: five deviations.
                assert!(
                    (found - expected).abs() <= 5.0 * expected.sqrt(),
                    "{step} {roll} {found} {expected}"
                );
            }
        }
    }

    /// Two positions that differ in what a few rolls are worth mostly get the same roll; ranks
    /// shift everything between.
    #[test]
    fn quantiles_agree_more_often_than_ranks() {
        let a: [f32; DISTINCT] = std::array::from_fn(|i| 0.01 * (i * 8 % 21) as f32);
        let mut b = a;
        for i in [2, 9, 15] {
            b[i] += 0.11;
        }
        let mut agreed = [0; 3];
        for key in 0..2000u64 {
            let tie = mix(key);
            let number = (key % 36) as u8;
            let ranks = [&a, &b].map(|v| roll_of_rank(v, number, tie));
            let quantiles = [&a, &b].map(|v| roll_of_quantile(v, number, tie, 0.1));
            let hybrid = hybrid_rolls([&a, &b], number, tie, 6);
            for (n, [x, y]) in agreed.iter_mut().zip([ranks, quantiles, hybrid]) {
                *n += u32::from(x == y);
            }
        }
        assert!(agreed[0] < 1250, "{agreed:?}");
        assert!(agreed[1] > agreed[0] + 50, "{agreed:?}");
        assert!(agreed[2] > 1500, "{agreed:?}");
    }
}
