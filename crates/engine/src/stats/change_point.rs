//! Where a ratio over units in an order changes, if it does.
//!
//! Each unit has a weight and a sum, and the ratio is all sums by all weights. Of all cuts that leave enough
//! units on both sides, the one counts at which the ratios of both sides differ most. The measure is the
//! square of their difference by its variance, which is in proportion to the sum of the inverse weights. That
//! maximum is held against the maxima of random orders of the same units (E. J. G. Pitman, *Significance
//! tests which may be applied to samples from any populations*, 1937). Where the order means nothing, all
//! orders are equally likely, whatever the distribution: so the chance of a false alarm is at most the level,
//! over all cuts together.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

/// Random orders that are tried.
const ORDERS: u32 = 1999;
/// Most units that are put in order in all, so that the work is bounded: of very many units fewer orders are
/// tried.
const WORK: usize = 20_000_000;

/// The cut at which the sides differ most.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChangePoint {
    /// Units before it.
    pub before: usize,
    /// Chance of so large a difference where the order means nothing.
    pub p: f64,
}

/// The likeliest cut of units, each a weight and a sum, with at least `least` units on either side. `None` where there are
/// too few, or nothing differs.
pub fn change_point(units: &[(f64, f64)], least: usize) -> Option<ChangePoint> {
    let least = least.max(1);
    if units.len() < 2 * least {
        return None;
    }
    let (observed, before) = largest(units, least)?;
    let orders = (WORK / units.len()).clamp(19, ORDERS as usize);
    // The same answer to the same question.
    let mut random = ChaCha8Rng::seed_from_u64(units.len() as u64);
    let mut shuffled = units.to_vec();
    let mut reached = 1_usize;
    for _ in 0..orders {
        shuffle(&mut shuffled, &mut random);
        // What differs by rounding alone is as large.
        let other = largest(&shuffled, least).map_or(0.0, |(value, _)| value);
        reached += usize::from(other >= observed * (1.0 - 1e-9));
    }
    Some(ChangePoint {
        before,
        p: reached as f64 / (orders + 1) as f64,
    })
}

/// The largest squared difference of the two sides' ratios, divided by its variance, and the number of units
/// before that cut. `None` if no cut leaves enough units, or nothing differs.
fn largest(units: &[(f64, f64)], least: usize) -> Option<(f64, usize)> {
    let add = |(w, s): (f64, f64), (weight, sum): &(f64, f64)| (w + weight, s + sum);
    let (all_weight, all_sum) = units.iter().fold((0.0, 0.0), add);
    let (mut weight, mut sum) = (0.0, 0.0);
    let mut best: Option<(f64, usize)> = None;
    for (i, unit) in units.iter().enumerate() {
        (weight, sum) = add((weight, sum), unit);
        let before = i + 1;
        if before < least || units.len() - before < least {
            continue;
        }
        let (rest_weight, rest_sum) = (all_weight - weight, all_sum - sum);
        let difference = rest_sum / rest_weight - sum / weight;
        let value = difference * difference * weight * rest_weight / all_weight;
        if value > best.map_or(0.0, |(value, _)| value) {
            best = Some((value, before));
        }
    }
    best
}

/// Puts the units in random order, all orders equally likely (Fisher and Yates).
fn shuffle(units: &mut [(f64, f64)], random: &mut ChaCha8Rng) {
    for i in (1..units.len()).rev() {
        let bound = i as u64 + 1;
        let place = (u128::from(random.next_u64()) * u128::from(bound)) >> 64;
        units.swap(i, place as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::portable::ln;

    /// Units of unequal weight whose rating is skewed, as those of matches are.
    fn units(random: &mut ChaCha8Rng, ratings: &[f64]) -> Vec<(f64, f64)> {
        let mut number = || (f64::from(random.next_u32()) + 0.5) / 4_294_967_296.0;
        ratings
            .iter()
            .map(|rating| {
                let weight = 40.0 + 200.0 * number();
                let skewed = -0.5 * (ln(number()) + ln(number()));
                (weight, weight * rating * skewed)
            })
            .collect()
    }

    /// 5 % of 500 are 25; three standard deviations are 15.
    #[test]
    fn it_is_seldom_seen_where_there_is_none() {
        let mut random = ChaCha8Rng::seed_from_u64(7);
        let seen = (0..500).filter(|run| {
            let all = units(&mut random, &vec![6.0; 16 + run % 40]);
            change_point(&all, 8).is_some_and(|found| found.p <= 0.05)
        });
        let seen = seen.count();
        assert!((10..=40).contains(&seen), "{seen}");
    }

    /// The cut is an estimate: with ratings that vary as those of matches do, half of all lie within four matches.
    #[test]
    fn it_is_found_where_there_is_one() {
        let mut random = ChaCha8Rng::seed_from_u64(8);
        let ratings = [vec![10.0; 40], vec![4.0; 40]].concat();
        let found = (0..40).filter_map(|_| change_point(&units(&mut random, &ratings), 8));
        let found: Vec<ChangePoint> = found.filter(|found| found.p <= 0.05).collect();
        let near = found.iter().filter(|one| one.before.abs_diff(40) <= 4);
        assert!(found.len() >= 34 && near.count() >= 20, "{found:?}");
    }

    #[test]
    fn too_few_and_equal_units_have_none() {
        assert_eq!(change_point(&[(1.0, 2.0); 15], 8), None);
        assert_eq!(change_point(&[(1.0, 2.0); 16], 8), None);
        assert_eq!(change_point(&[], 0), None);
        // Without weight there is no ratio.
        assert_eq!(change_point(&[(0.0, 0.0); 20], 8), None);
    }

    #[test]
    fn much_is_tried_less_often() {
        let many: Vec<(f64, f64)> = (0..400_000)
            .map(|i| (1.0, f64::from(i / 200_000)))
            .collect();
        let found = change_point(&many, 8).unwrap();
        assert_eq!(found.before, 200_000);
        assert!(found.p <= 0.05);
    }
}
