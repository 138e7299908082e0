//! From a rank to a roll.

use crate::game::Roll;
use crate::game::roll::{DISTINCT, ORDERED};

/// The roll that stands at place `rank` (0 is the best, 35 the worst) when the thirty-six ordered
/// rolls are sorted by `values`, what each of the 21 distinct rolls is worth to the player on
/// roll (Koca, *A new variance reduction technique*, 2009).
///
/// Rolls of equal value are ordered at random by the key `tie`. The same key orders equal rolls
/// equally in any position, so that two games that stand in the same position get the same roll.
/// Whatever the values and the key are, a rank that is uniform and independent of both gives
/// every ordered roll the chance 1/36.
#[must_use]
pub fn roll_of_rank(values: &[f32; DISTINCT], rank: u8, tie: u64) -> Roll {
    let mut order: [usize; DISTINCT] = std::array::from_fn(|i| i);
    let key = |i: usize| mix(tie ^ (i as u64 + 1));
    order.sort_unstable_by(|&a, &b| {
        values[b]
            .total_cmp(&values[a])
            .then_with(|| key(a).cmp(&key(b)))
            .then(a.cmp(&b))
    });
    let mut left = u32::from(rank) % ORDERED as u32;
    for i in order {
        let weight = Roll::ALL[i].weight();
        if left < weight {
            return Roll::ALL[i];
        }
        left -= weight;
    }
    Roll::ALL[order[DISTINCT - 1]]
}

/// The finaliser of SplitMix64 (Steele, Lea & Flood, *Fast splittable pseudorandom number
/// generators*, 2014): one word into one that looks independent of it.
fn mix(word: u64) -> u64 {
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

        /// The heart of the matter: the 36 ranks are the 36 rolls, however the rolls are valued.
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
        // Over many keys each ordered roll comes equally often to the first place.
        let mut seen = [0u32; DISTINCT];
        for tie in 0..36_000u64 {
            seen[roll_of_rank(&flat, 0, mix(tie)).index()] += 1;
        }
        // The 21 distinct rolls share the first place: a group of ties is ordered by roll.
        for n in seen {
            assert!((f64::from(n) - 36_000.0 / 21.0).abs() < 210.0, "{n}");
        }
    }
}
