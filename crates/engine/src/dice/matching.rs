//! Couples the rolls of several positions: equally lucky rolls, but the same roll where that costs little.
//!
//! Of all fair couplings of two positions, equal ranks minimise the expected squared difference of luck.
//! (This is the rearrangement inequality of Hardy, Littlewood & Pólya, the comonotone coupling of optimal
//! transport.) But two games with the *same* roll may reach the same position again, and then differ no more.
//! The functions here balance these aims.

use crate::game::Roll;
use crate::game::roll::{self, DISTINCT, ORDERED};

use super::rank::{mix, order};

/// Returns the rolls of both positions for one rank of the first. They get the same roll if its places in the
/// two orders differ by at most `within`. The other rolls are matched by rank among themselves.
///
/// For given values and key, the 36 ranks give each position every ordered roll once. For the first position
/// this holds by definition. For the second, the kept rolls are the same in both, so the remaining ones are
/// equal in number and are paired one to one.
pub fn hybrid_rolls(values: [&[f32; DISTINCT]; 2], rank: u8, tie: u64, within: u8) -> [Roll; 2] {
    let orders = values.map(|v| order(v, tie));
    let places = orders.map(|o| places(&o));
    // A place is twice the centre of the one or two cells of a roll.
    let kept = |roll: usize| places[0][roll].abs_diff(places[1][roll]) <= 2 * u16::from(within);
    let rank = usize::from(rank) % ORDERED;
    // The cell of the first order, and the number of unkept cells before it.
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
    // Unreachable: both orders have the same number of unkept cells.
    [Roll::ALL[first]; 2]
}

/// Returns twice the centre of the cells of each roll.
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

/// Returns the roll of a position at quantile `number` (0 the best, 35 the worst cell) of luck. Luck is
/// quantised to steps of `step` points. The rolls on one step share their cells. The key alone chooses among
/// them, so that positions whose steps contain nearly the same rolls mostly agree. Each ordered roll draws a
/// lot from the key, and the lowest wins (A. Z. Broder, *On the resemblance and containment of documents*,
/// 1997). No other coupling without communication agrees much more often (Bavarian and others, *Optimality of
/// correlated sampling strategies*, Theory of Computing 16, 2020). The key also shifts the steps, so that no
/// border is fixed.
///
/// For a uniform number independent of the key, each ordered roll has probability 1/36. A step with m of the
/// 36 ordered rolls has m cells, and each of its rolls is equally likely to draw the lowest lot.
pub fn roll_of_quantile(values: &[f32; DISTINCT], number: u8, tie: u64, step: f32) -> Roll {
    let [mean] = roll::mean(values.map(|value| [f64::from(value)]));
    let shift = (mix(tie ^ SHIFT) >> 11) as f64 / (1u64 << 53) as f64;
    let steps: [i32; DISTINCT] = std::array::from_fn(|i| {
        let luck = f64::from(values[i]) - mean;
        // A value that is NaN is on step 0.
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

/// Separates the lots from the shift of the steps.
const SHIFT: u64 = 0x5ca1_e000_0000_0000;

/// Returns the roll with the lowest lot; a non-double draws two lots.
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

        /// Both positions get each ordered roll once, for any values, and the first position gets its rank.
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
                // Equal values always give the same roll.
                let same = hybrid_rolls([&a, &a], rank, tie, within);
                prop_assert_eq!(same[0], same[1]);
            }
            for roll in Roll::ALL {
                prop_assert_eq!(seen.map(|s| s[roll.index()]), [roll.weight(); 2]);
            }
        }

        /// On a single step the rolls agree; on fine steps they have equal ranks. Better numbers never give
        /// worse rolls.
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

    /// Over many keys each ordered roll is equally frequent, for any step.
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
                // Draws within a step are independent here: five deviations.
                assert!(
                    (found - expected).abs() <= 5.0 * expected.sqrt(),
                    "{step} {roll} {found} {expected}"
                );
            }
        }
    }

    /// Two positions that differ in the values of a few rolls mostly get the same roll; ranks would shift all
    /// rolls between.
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
