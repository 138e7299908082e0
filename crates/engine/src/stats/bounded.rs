//! Intervals for observations that are known to lie between 0 and 1, such as chances.
//!
//! Where an event is rare, the interval from the spread alone is no good: before the event has
//! been seen there is no spread at all. These two know the bounds, and never have width zero.
//!
//! *Fixed sample* ([`wilson`]): Wilson's score interval (*Probable inference, the law of succession,
//! and statistical inference*, JASA 22, 1927). The effective number of observations m(1 - m)/se²
//! stands in place of their number, so that stratification counts. Kott & Carr do so for surveys
//! (*Developing an estimation strategy for a pesticide data program*, J. Official Statistics 13,
//! 1997).
//!
//! *Anytime-valid* ([`mixture`]): for n observations with sum S, the means m for which
//!
//! ```text
//! B(S + ½, n - S + ½) / B(½, ½) / ( m^S (1 - m)^(n - S) ) < 1/α
//! ```
//!
//! The left side is the mixture of likelihood ratios of a win with chance θ against chance m. θ is
//! distributed as Beta(½, ½) (Robbins, *Statistical methods related to the law of the iterated
//! logarithm*, 1970). For wins and losses it is a martingale. For anything else between 0 and 1 it
//! is a supermartingale. Each factor (θ/m)^x ((1 - θ)/(1 - m))^(1 - x) is convex in x and so below
//! the straight line between its ends, whose mean is 1. And it stays one at the ends of blocks that
//! draw one observation from each of k strata of equal weight. The expected product is then the
//! product of k numbers whose mean is 1, which is at most 1. So this interval holds without any
//! approximation, under rotation too.

use super::portable::{ln, ln_gamma};

/// Wilson's interval for a mean of `mean`, 0 to 1, with the information of `n` wins and losses,
/// `quantile` standard errors wide on each side.
pub fn wilson(mean: f64, n: f64, quantile: f64) -> [f64; 2] {
    if !quantile.is_finite() || n <= 0.0 {
        return [0.0, 1.0];
    }
    let q = quantile * quantile / n;
    let centre = (mean + q / 2.0) / (1.0 + q);
    let radius = (q * (mean * (1.0 - mean) + q / 4.0)).max(0.0).sqrt() / (1.0 + q);
    // Rounding must not keep the ends from reaching the bounds, nor the mean from being inside.
    [
        (centre - radius).max(0.0).min(mean),
        (centre + radius).min(1.0).max(mean),
    ]
}

/// The anytime-valid interval for the mean of observations between 0 and 1, of which `n` have the
/// sum `sum`; it misses, ever, with chance at most `alpha`.
pub fn mixture(n: f64, sum: f64, alpha: f64) -> [f64; 2] {
    if n <= 0.0 {
        return [0.0, 1.0];
    }
    let sum = sum.clamp(0.0, n);
    let ln_beta = |a: f64, b: f64| ln_gamma(a) + ln_gamma(b) - ln_gamma(a + b);
    let mixed = ln_beta(sum + 0.5, n - sum + 0.5) - ln_beta(0.5, 0.5);
    let times_ln = |count: f64, chance: f64| {
        if count > 0.0 { count * ln(chance) } else { 0.0 }
    };
    let inside = |m: f64| mixed - times_ln(sum, m) - times_ln(n - sum, 1.0 - m) < -ln(alpha);
    // The ratio grows on either side of the mean: halve the gap between inside and outside.
    let end = |bound: f64| {
        if inside(bound) {
            return bound;
        }
        let (mut near, mut far) = (sum / n, bound);
        for _ in 0..50 {
            let middle = (near + far) / 2.0;
            if inside(middle) {
                near = middle;
            } else {
                far = middle;
            }
        }
        far
    };
    [end(0.0), end(1.0)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::interval::{ALPHA, NORMAL_975};
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::{RngCore, SeedableRng};

    #[test]
    fn wilson_as_printed() {
        // 81 of 263 (Newcombe, Two-sided confidence intervals for the single proportion, 1998).
        let [lo, hi] = wilson(81.0 / 263.0, 263.0, NORMAL_975);
        assert!(
            (lo - 0.2553).abs() < 5e-5 && (hi - 0.3662).abs() < 5e-5,
            "{lo} {hi}"
        );
        let [lo, hi] = wilson(0.0, 20.0, NORMAL_975);
        assert!(lo == 0.0 && (hi - 0.1611).abs() < 5e-5, "{lo} {hi}");
    }

    #[test]
    fn what_was_never_seen_is_not_impossible() {
        let [lo, hi] = mixture(180.0, 0.0, ALPHA);
        assert!(lo == 0.0 && hi > 3.0 / 180.0 && hi < 8.0 / 180.0, "{hi}");
        let [lo, hi] = mixture(180.0, 180.0, ALPHA);
        assert!(hi == 1.0 && lo < 1.0 - 3.0 / 180.0, "{lo}");
        assert_eq!(mixture(0.0, 0.0, ALPHA), [0.0, 1.0]);
    }

    /// Rare and common events, looked at after each block of 36: held at every look.
    #[test]
    fn the_mixture_holds_at_all_looks() {
        for chance in [0.003, 0.05, 0.4] {
            let held = (0..1000)
                .filter(|&run| {
                    let mut rng = ChaCha8Rng::seed_from_u64(run);
                    let mut wins = 0;
                    (1..=100).all(|block| {
                        for _ in 0..36 {
                            let u = f64::from(rng.next_u32()) / f64::from(u32::MAX);
                            wins += u32::from(u < chance);
                        }
                        let n = f64::from(36 * block);
                        let [lo, hi] = mixture(n, f64::from(wins), ALPHA);
                        lo <= chance && chance <= hi
                    })
                })
                .count();
            // At least 95% less two standard errors.
            assert!(held >= 937, "{chance} {held}");
        }
    }
}
