//! Ranks of rolls by their values: the roll with a rank, and the ranks of a roll.

use crate::game::Roll;
use crate::game::roll::{DISTINCT, ORDERED};

/// Returns the roll at place `rank` (0 is the best, 35 the worst) of the 36 ordered rolls sorted by `values`,
/// the values of the 21 distinct rolls for the player on roll (Koca, *A new variance reduction technique*,
/// 2009).
///
/// Rolls of equal value are ordered at random by the key `tie`. The same key orders equal rolls equally in
/// any position, so that two games in the same position get the same roll. For any values and key, a uniform
/// rank that is independent of both gives every ordered roll probability 1/36.
pub fn roll_of_rank(values: &[f32; DISTINCT], rank: u8, tie: u64) -> Roll {
    let order = order(values, tie);
    let mut left = u32::from(rank) % ORDERED as u32;
    for i in order {
        let roll = Roll::ALL[usize::from(i)];
        if left < roll.weight() {
            return roll;
        }
        left -= roll.weight();
    }
    Roll::ALL[usize::from(order[DISTINCT - 1])]
}

/// Returns the first and last place, 1 to 36, that `roll` shares with rolls of the same value when the 36
/// ordered rolls are sorted by `values`.
pub fn places_of_roll(values: &[f32; DISTINCT], roll: Roll) -> [u8; 2] {
    let own = values[roll.index()];
    let cells = |is: &dyn Fn(f32) -> bool| -> u32 {
        let such = Roll::ALL.iter().zip(values).filter(|(_, v)| is(**v));
        such.map(|(roll, _)| roll.weight()).sum()
    };
    let better = cells(&|v| v.total_cmp(&own).is_gt());
    let alike = cells(&|v| v.total_cmp(&own).is_eq());
    [(better + 1) as u8, (better + alike) as u8]
}

/// Returns the indices of the 21 rolls in [`Roll::ALL`], best first; equal rolls in an order that depends
/// only on the key.
pub(super) fn order(values: &[f32; DISTINCT], tie: u64) -> [u8; DISTINCT] {
    let mut order: [u8; DISTINCT] = std::array::from_fn(|i| i as u8);
    let key = |i: u8| mix(tie ^ (u64::from(i) + 1));
    order.sort_unstable_by(|&a, &b| {
        values[usize::from(b)]
            .total_cmp(&values[usize::from(a)])
            .then_with(|| key(a).cmp(&key(b)))
            .then(a.cmp(&b))
    });
    order
}

/// Returns the key for ties of candidate `candidate`, if candidates break ties separately.
pub fn own_tie(tie: u64, candidate: u8) -> u64 {
    mix(tie ^ (u64::from(candidate) << 32))
}

/// The finaliser of SplitMix64 (Steele, Lea & Flood, *Fast splittable pseudorandom number generators*, 2014):
/// maps a word to one that appears independent of it.
pub(super) fn mix(word: u64) -> u64 {
    let mut z = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// The 36 ranks are the 36 rolls, for any values.
        #[test]
        fn every_order_keeps_the_dice_fair(
            values in prop::array::uniform21(prop::sample::select(vec![-1.0f32, 0.0, 0.25, 1.0])),
            tie in any::<u64>(),
        ) {
            let mut seen = [0; DISTINCT];
            let mut last = f32::INFINITY;
            for rank in 0..36 {
                let roll = roll_of_rank(&values, rank, tie);
                seen[roll.index()] += 1;
                prop_assert!(values[roll.index()] <= last, "best first");
                let [first, end] = places_of_roll(&values, roll);
                prop_assert!((first..=end).contains(&(rank + 1)));
                last = values[roll.index()];
            }
            for roll in Roll::ALL {
                prop_assert_eq!(seen[roll.index()], roll.weight());
            }
        }
    }

    #[test]
    fn ties_are_broken_by_the_key_alone() {
        let flat = [0.5; DISTINCT];
        let rolls = |tie| -> Vec<Roll> { (0..36).map(|r| roll_of_rank(&flat, r, tie)).collect() };
        assert_eq!(rolls(1), rolls(1));
        assert_ne!(rolls(1), rolls(2));
        // Over many keys each distinct roll is equally often in first place.
        let mut seen = [0u32; DISTINCT];
        for tie in 0..36_000u64 {
            seen[roll_of_rank(&flat, 0, mix(tie)).index()] += 1;
        }
        // A group of ties is ordered by distinct roll, so the 21 share the first place equally.
        for n in seen {
            assert!((f64::from(n) - 36_000.0 / 21.0).abs() < 210.0, "{n}");
        }
    }
}
