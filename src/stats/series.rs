//! One run of observations that comes in blocks, with all its errors.
//!
//! Observations inside a block may depend on each other (under rotation a block of 36 trials has
//! each of the 36 first rolls exactly once); blocks are independent and alike. So the fixed-n
//! error is taken within strata ([`strata`]), and the anytime-valid interval runs
//! over block means ([`anytime`](super::anytime)).

use serde::{Deserialize, Serialize};

use super::anytime::{UNIT_INFORMATION, student_radius};
use super::interval::{ALPHA, around, student_975};
use super::{Moments, bounded, strata};

/// How a fixed-n standard error was come by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrorMethod {
    /// Not at all: fewer than two observations.
    #[default]
    Unknown,
    /// From the spread of all observations, as if independent. Under stratification that is on
    /// the safe side: larger than the true error on average.
    Naive,
    /// From the spread within strata, with Satterthwaite's degrees of freedom.
    Stratified,
    /// From the errors of two independent estimates of which this is the difference, with
    /// Satterthwaite's degrees of freedom (Welch).
    Combined,
    /// There is no error: the value is known exactly.
    Exact,
}

/// What a [`Series`] says at one moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// Observations.
    pub n: u64,
    /// Estimate of the mean; 0 of no observations.
    pub mean: f64,
    /// Its standard error; infinite while unknown.
    pub se: f64,
    /// Degrees of freedom behind the standard error.
    pub dof: f64,
    /// How the standard error was come by.
    pub method: ErrorMethod,
    /// 95% interval for a number of observations fixed in advance.
    pub ci95: [f64; 2],
    /// 95% interval that holds at all times at once: as of the last complete block.
    pub anytime95: [f64; 2],
}

impl Summary {
    /// Of a value that is known without error.
    #[must_use]
    pub fn exact(n: u64, value: f64) -> Self {
        Self {
            n,
            mean: value,
            se: 0.0,
            dof: f64::INFINITY,
            method: ErrorMethod::Exact,
            ci95: [value; 2],
            anytime95: [value; 2],
        }
    }

    fn with_error(self, mean: f64, se: f64, dof: f64, method: ErrorMethod) -> Self {
        let radius = if se > 0.0 { student_975(dof) * se } else { se };
        Self {
            mean,
            se,
            dof,
            method,
            ci95: around(mean, radius),
            ..self
        }
    }

    /// The difference of two independent estimates: errors add in squares, degrees of freedom
    /// after Welch and Satterthwaite. The anytime interval is that of `pairs`, the series of
    /// differences of observations that were taken together at random.
    #[must_use]
    pub fn independent_difference(a: &Self, b: &Self, pairs: &Self) -> Self {
        let (va, vb) = (a.se * a.se, b.se * b.se);
        let se = (va + vb).sqrt();
        let spread = va * va / a.dof + vb * vb / b.dof;
        let dof = if spread > 0.0 {
            (va + vb) * (va + vb) / spread
        } else {
            a.dof + b.dof
        };
        let method = match (a.method, b.method) {
            (ErrorMethod::Unknown, _) | (_, ErrorMethod::Unknown) => ErrorMethod::Unknown,
            (ErrorMethod::Exact, ErrorMethod::Exact) => ErrorMethod::Exact,
            _ => ErrorMethod::Combined,
        };
        pairs.with_error(a.mean - b.mean, se, dof, method)
    }
}

/// A run of observations in blocks of [`Series::BLOCK`], optionally stratified.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Series {
    all: Moments,
    strata: Vec<Moments>,
    blocks: Moments,
    open: Moments,
}

impl Series {
    /// Observations in a block.
    pub const BLOCK: u64 = 36;

    /// An empty run with this many strata; 0 for a run that is not stratified.
    #[must_use]
    pub fn new(strata: usize) -> Self {
        Self {
            strata: vec![Moments::default(); strata],
            ..Self::default()
        }
    }

    /// Takes in one observation of a stratum (any number if there are none).
    ///
    /// # Panics
    /// If there are strata and `stratum` is not one of them.
    #[inline]
    pub fn push(&mut self, stratum: usize, x: f64) {
        self.all.push(x);
        if !self.strata.is_empty() {
            self.strata[stratum].push(x);
        }
        self.open.push(x);
        if self.open.count() == Self::BLOCK {
            self.blocks.push(self.open.mean());
            self.open = Moments::default();
        }
    }

    /// All observations, strata aside.
    #[must_use]
    pub fn all(&self) -> &Moments {
        &self.all
    }

    /// The means of the complete blocks.
    #[must_use]
    pub fn blocks(&self) -> &Moments {
        &self.blocks
    }

    /// The estimate with its errors. `weights` are those of the strata.
    #[must_use]
    pub fn summary(&self, weights: &[f64]) -> Summary {
        let b = &self.blocks;
        let radius = student_radius(b.count(), b.squares(), UNIT_INFORMATION, ALPHA);
        let blank = Summary {
            n: self.all.count(),
            mean: self.all.mean(),
            se: f64::INFINITY,
            dof: 0.0,
            method: ErrorMethod::Unknown,
            ci95: around(0.0, f64::INFINITY),
            anytime95: around(b.mean(), radius),
        };
        let (mean, se, dof, method) = self.error(weights);
        blank.with_error(mean, se, dof, method)
    }

    /// As [`Series::summary`], for observations that all lie between 0 and 1: the intervals know
    /// the bounds and never have width zero (see [`bounded`]).
    #[must_use]
    pub fn chance_summary(&self, weights: &[f64]) -> Summary {
        let s = self.summary(weights);
        let mean = s.mean.clamp(0.0, 1.0);
        let spread = mean * (1.0 - mean);
        let effective = if s.se > 0.0 && spread > 0.0 {
            spread / (s.se * s.se)
        } else {
            s.n as f64
        };
        let blocks = (self.blocks.count() * Self::BLOCK) as f64;
        Summary {
            ci95: bounded::wilson(mean, effective, student_975(s.dof)),
            anytime95: bounded::mixture(blocks, blocks * self.blocks.mean(), ALPHA),
            ..s
        }
    }

    /// As [`Series::summary`], for observations between `low` and `high` of which all have been
    /// the same and might have been different: the intervals allow for what has not been seen yet,
    /// whose chance is as uncertain as that of any event that has never happened.
    #[must_use]
    pub fn constant_summary(&self, weights: &[f64], low: f64, high: f64) -> Summary {
        let s = self.summary(weights);
        let widened = |unseen: f64| {
            [
                s.mean - unseen * (s.mean - low),
                s.mean + unseen * (high - s.mean),
            ]
        };
        let blocks = (self.blocks.count() * Self::BLOCK) as f64;
        let [_, once] = bounded::wilson(0.0, s.n as f64, student_975(s.dof));
        let [_, ever] = bounded::mixture(blocks, 0.0, ALPHA);
        Summary {
            ci95: widened(once),
            anytime95: widened(ever),
            ..s
        }
    }

    /// Whether all observations so far, and there are some, have been the same.
    #[must_use]
    pub fn is_constant(&self) -> bool {
        self.all.count() > 0 && self.all.squares() == 0.0
    }

    /// Mean and fixed-n standard error alone: cheap enough for a stop rule.
    #[must_use]
    pub fn standard_error(&self, weights: &[f64]) -> f64 {
        self.error(weights).1
    }

    fn error(&self, weights: &[f64]) -> (f64, f64, f64, ErrorMethod) {
        if let Some(e) = strata::estimate(&self.strata, weights) {
            return (e.mean, e.se, e.dof, ErrorMethod::Stratified);
        }
        let method = if self.all.count() < 2 {
            ErrorMethod::Unknown
        } else {
            ErrorMethod::Naive
        };
        let dof = self.all.count().saturating_sub(1) as f64;
        (self.all.mean(), self.all.standard_error(), dof, method)
    }

    /// Whether this can be a run of `n` real observations in `strata` strata: for what comes from
    /// a file.
    #[must_use]
    pub fn is_sound(&self, n: u64, strata: usize) -> bool {
        let counted: u64 = self
            .strata
            .iter()
            .fold(0, |sum, s| sum.saturating_add(s.count()));
        self.all.count() == n
            && self.strata.len() == strata
            && (strata == 0 || counted == n)
            && self.blocks.count() == n / Self::BLOCK
            && self.open.count() == n % Self::BLOCK
            && [&self.all, &self.blocks, &self.open]
                .into_iter()
                .chain(&self.strata)
                .all(Moments::is_sound)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_which_error_it_gives() {
        let mut s = Series::new(2);
        let weights = [0.5, 0.5];
        assert_eq!(s.summary(&weights).method, ErrorMethod::Unknown);
        s.push(0, 1.0);
        assert_eq!(s.summary(&weights).se, f64::INFINITY);
        assert_eq!(s.summary(&weights).ci95[0], f64::NEG_INFINITY);
        s.push(1, 2.0);
        s.push(0, 1.5);
        assert_eq!(s.summary(&weights).method, ErrorMethod::Naive);
        s.push(1, 2.5);
        let summary = s.summary(&weights);
        assert_eq!(summary.method, ErrorMethod::Stratified);
        assert!(summary.se < s.all().standard_error());
        assert_eq!(summary.mean, 1.75);
    }

    #[test]
    fn the_anytime_interval_runs_over_blocks() {
        let mut s = Series::new(0);
        for i in 0..(36 * 12 + 5) {
            s.push(0, f64::from(i % 7));
        }
        assert_eq!((s.blocks().count(), s.all().count()), (12, 437));
        let b = s.blocks();
        let radius = student_radius(12, b.squares(), UNIT_INFORMATION, ALPHA);
        assert!(radius > 0.0 && radius < 1.0);
        assert_eq!(s.summary(&[]).anytime95, around(b.mean(), radius));
        assert!(s.is_sound(437, 0) && !s.is_sound(436, 0) && !s.is_sound(437, 21));
    }

    #[test]
    fn a_difference_of_independent_estimates() {
        let run = |scale: f64| {
            let mut s = Series::new(0);
            (0..10).for_each(|i| s.push(0, scale * f64::from(i % 2)));
            s.summary(&[])
        };
        let (a, b) = (run(3.0), run(4.0));
        let d = Summary::independent_difference(&a, &b, &b);
        assert!((d.se - a.se.hypot(b.se)).abs() < 1e-15);
        assert!(d.dof > 9.0 && d.dof < 18.0);
        assert_eq!(d.mean, a.mean - b.mean);
        assert_eq!(d.method, ErrorMethod::Combined);
    }
}
