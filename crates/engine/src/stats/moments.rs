//! Running means, variances and covariances.
//!
//! One observation at a time after Welford (*Note on a method for calculating corrected sums of
//! squares and products*, Technometrics 4, 1962). Two runs are merged after Chan, Golub & LeVeque
//! (1979) and Pébay (*Formulas for robust, one-pass parallel computation of covariances and
//! arbitrary-order statistical moments*, Sandia report SAND2008-6212). Both keep sums of squared
//! *deviations*, so that a small variance around a large mean loses no digits.

use serde::{Deserialize, Serialize};

use super::changes::ROUNDING;

/// Count, mean and sum of squared deviations of a run of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Moments {
    n: u64,
    mean: f64,
    m2: f64,
}

impl Moments {
    /// Takes in one observation.
    #[inline]
    pub fn push(&mut self, x: f64) {
        self.n += 1;
        let before = x - self.mean;
        self.mean += before / self.n as f64;
        self.m2 += before * (x - self.mean);
    }

    /// Takes in all observations of another run.
    pub fn merge(&mut self, other: &Self) {
        if other.n == 0 {
            return;
        }
        if self.n == 0 {
            *self = *other;
            return;
        }
        let (a, b) = (self.n as f64, other.n as f64);
        let delta = other.mean - self.mean;
        self.n += other.n;
        self.mean += delta * (b / (a + b));
        self.m2 += other.m2 + delta * delta * (a * b / (a + b));
    }

    /// Number of observations.
    #[inline]
    pub fn count(&self) -> u64 {
        self.n
    }

    /// Mean of the observations; 0 of none.
    #[inline]
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// Sum of the squared deviations from the mean.
    #[inline]
    pub fn squares(&self) -> f64 {
        self.m2
    }

    /// Unbiased estimate of the variance (divisor n - 1); infinite for fewer than two
    /// observations, which say nothing about it.
    pub fn variance(&self) -> f64 {
        if self.n < 2 {
            f64::INFINITY
        } else {
            self.m2 / (self.n - 1) as f64
        }
    }

    /// Standard error of the mean of independent observations; infinite for fewer than two.
    pub fn standard_error(&self) -> f64 {
        if self.n < 2 {
            f64::INFINITY
        } else {
            (self.variance() / self.n as f64).sqrt()
        }
    }

    /// Whether these can be the moments of real observations: for what comes from a file.
    pub fn is_sound(&self) -> bool {
        self.mean.is_finite() && self.m2.is_finite() && self.m2 >= 0.0
    }
}

/// The moments of observations, taken in one at a time.
impl FromIterator<f64> for Moments {
    fn from_iter<I: IntoIterator<Item = f64>>(xs: I) -> Self {
        let mut all = Self::default();
        xs.into_iter().for_each(|x| all.push(x));
        all
    }
}

/// The moments of several runs put together.
impl<'a> FromIterator<&'a Moments> for Moments {
    fn from_iter<I: IntoIterator<Item = &'a Moments>>(runs: I) -> Self {
        let mut all = Self::default();
        runs.into_iter().for_each(|run| all.merge(run));
        all
    }
}

/// Joint moments of a run of pairs of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct CoMoments {
    n: u64,
    mean: [f64; 2],
    m2: [f64; 2],
    cross: f64,
}

impl CoMoments {
    /// Takes in one pair.
    #[inline]
    pub fn push(&mut self, x: f64, y: f64) {
        self.n += 1;
        let n = self.n as f64;
        let (dx, dy) = (x - self.mean[0], y - self.mean[1]);
        self.mean[0] += dx / n;
        self.mean[1] += dy / n;
        self.m2[0] += dx * (x - self.mean[0]);
        self.m2[1] += dy * (y - self.mean[1]);
        self.cross += dx * (y - self.mean[1]);
    }

    /// Takes in all pairs of another run.
    pub fn merge(&mut self, other: &Self) {
        if other.n == 0 {
            return;
        }
        if self.n == 0 {
            *self = *other;
            return;
        }
        let (a, b) = (self.n as f64, other.n as f64);
        let weight = a * b / (a + b);
        let delta = [other.mean[0] - self.mean[0], other.mean[1] - self.mean[1]];
        self.n += other.n;
        for (i, d) in delta.into_iter().enumerate() {
            self.mean[i] += d * (b / (a + b));
            self.m2[i] += other.m2[i] + d * d * weight;
        }
        self.cross += other.cross + delta[0] * delta[1] * weight;
    }

    /// Number of pairs.
    pub fn count(&self) -> u64 {
        self.n
    }

    /// Unbiased estimates of the two variances; infinite for fewer than two pairs.
    pub fn variances(&self) -> [f64; 2] {
        self.m2.map(|m| {
            if self.n < 2 {
                f64::INFINITY
            } else {
                m / (self.n - 1) as f64
            }
        })
    }

    /// Unbiased estimate of the covariance; 0 for fewer than two pairs.
    pub fn covariance(&self) -> f64 {
        if self.n < 2 {
            0.0
        } else {
            self.cross / (self.n - 1) as f64
        }
    }

    /// Pearson's correlation, -1 to 1; not a number where one side does not vary but for rounding, so that
    /// there is none.
    pub fn correlation(&self) -> f64 {
        let least = ROUNDING * ROUNDING * self.n.saturating_sub(1) as f64;
        if self.m2.iter().all(|m| *m > least) {
            (self.cross / (self.m2[0] * self.m2[1]).sqrt()).clamp(-1.0, 1.0)
        } else {
            f64::NAN
        }
    }

    /// Unbiased estimate of the variance of the first less the second; infinite for fewer than
    /// two pairs.
    pub fn difference_variance(&self) -> f64 {
        if self.n < 2 {
            f64::INFINITY
        } else {
            ((self.m2[0] + self.m2[1] - 2.0 * self.cross) / (self.n - 1) as f64).max(0.0)
        }
    }

    /// Whether these can be the moments of real observations: for what comes from a file.
    pub fn is_sound(&self) -> bool {
        let sums = [
            self.mean[0],
            self.mean[1],
            self.m2[0],
            self.m2[1],
            self.cross,
        ];
        sums.iter().all(|s| s.is_finite()) && self.m2.iter().all(|&m| m >= 0.0)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use proptest::prelude::*;

    pub(crate) fn of(xs: &[f64]) -> Moments {
        xs.iter().copied().collect()
    }

    #[test]
    fn a_small_variance_around_a_large_mean_keeps_its_digits() {
        let m = of(&[1e9 + 4.0, 1e9 + 7.0, 1e9 + 13.0, 1e9 + 16.0]);
        assert_eq!(m.mean(), 1e9 + 10.0);
        assert_eq!(m.variance(), 30.0);
        assert_eq!(m.standard_error(), (30.0f64 / 4.0).sqrt());
    }

    #[test]
    fn one_observation_says_nothing_about_the_variance() {
        assert_eq!(of(&[3.0]).variance(), f64::INFINITY);
        assert_eq!(of(&[3.0]).standard_error(), f64::INFINITY);
    }

    #[test]
    fn a_perfect_and_a_broken_relation() {
        let mut same = CoMoments::default();
        let mut opposite = CoMoments::default();
        let mut flat = CoMoments::default();
        for x in [1.0, 2.0, 5.0] {
            same.push(x, 2.0 * x + 1.0);
            opposite.push(x, -x);
            flat.push(x, 4.0);
        }
        assert!((same.correlation() - 1.0).abs() < 1e-12);
        assert!((opposite.correlation() + 1.0).abs() < 1e-12);
        assert!(flat.correlation().is_nan());
        flat.push(1.0, 4.0 + 1e-6);
        assert!(flat.correlation().is_nan(), "rounding is no spread");
        let [vx, vy] = opposite.variances();
        assert!((opposite.difference_variance() - 4.0 * vx).abs() < 1e-12 && vx == vy);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn merged_runs_are_the_whole_run(
            xs in prop::collection::vec((-100.0..100.0f64, -3.0..3.0f64), 0..60),
            cut in 0usize..60,
        ) {
            let cut = cut.min(xs.len());
            let firsts: Vec<f64> = xs.iter().map(|p| p.0).collect();
            let whole = of(&firsts);
            let mut parts = of(&firsts[..cut]);
            parts.merge(&of(&firsts[cut..]));
            prop_assert_eq!(parts.count(), whole.count());
            prop_assert!((parts.mean() - whole.mean()).abs() < 1e-9);
            prop_assert!((parts.squares() - whole.squares()).abs() < 1e-6);

            let joint = |range: &[(f64, f64)]| {
                let mut c = CoMoments::default();
                range.iter().for_each(|&(x, y)| c.push(x, y));
                c
            };
            let (all, mut merged) = (joint(&xs), joint(&xs[..cut]));
            merged.merge(&joint(&xs[cut..]));
            let [parts, whole] = [merged, all].map(|c| c.correlation());
            let both_unknown = parts.is_nan() && whole.is_nan();
            prop_assert!(both_unknown || (parts - whole).abs() < 1e-9);
            if xs.len() >= 2 {
                let differences: Vec<f64> = xs.iter().map(|p| p.0 - p.1).collect();
                let direct = of(&differences).variance();
                prop_assert!((all.difference_variance() - direct).abs() < 1e-6);
            }
        }

        #[test]
        fn nothing_is_lost_in_json(xs in prop::collection::vec(-1e3..1e3f64, 0..20)) {
            let m = of(&xs);
            let text = serde_json::to_string(&m).unwrap();
            prop_assert_eq!(serde_json::from_str::<Moments>(&text).unwrap(), m);
        }
    }
}
