//! An estimate of a mean, with its error and intervals.

use serde::{Deserialize, Serialize};

/// Which estimator gave a fixed-sample standard error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrorMethod {
    /// No estimator: fewer than two observations.
    #[default]
    Unknown,
    /// From the spread of all observations, as if independent. Under stratification that is on
    /// the safe side: larger than the true error on average.
    Naive,
    /// From the spread within strata, with Welch's and Aspin's degrees of freedom.
    Stratified,
    /// From the spread within pairs of strata, with Welch's and Aspin's degrees of freedom.
    StratifiedPairs,
    /// From what is left when the effects of the strata and of second strata are subtracted,
    /// because both are balanced.
    Additive,
    /// From the spread of the means of blocks.
    Blocks,
    /// From the errors of two independent estimates of which this is the difference, with
    /// Satterthwaite's degrees of freedom (Welch).
    Combined,
    /// All observations were the same, though they need not have been. There is no spread to
    /// estimate an error from, and the interval is what an event that was never seen may be worth.
    Constant,
    /// None or few observations differed from the others of their stratum: their spread says too little,
    /// and the interval is what as few exceptions may be worth.
    Rare,
    /// There is no error: the value is known exactly.
    Exact,
    /// There is no estimate: the observations were not made for it.
    NotEstimated,
}

/// What observations say about a mean at one moment.
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
    /// Which estimator gave the standard error.
    pub method: ErrorMethod,
    /// 95% interval for a number of observations fixed in advance.
    pub ci95: [f64; 2],
    /// The anytime-valid 95% interval, as of the last complete block. It is widened to hold the
    /// fixed-sample one, which goes by another spread and may by chance reach further.
    pub anytime95: [f64; 2],
}

/// The mean of a run, and how far it may be off for a number of observations fixed in advance.
#[derive(Clone, Copy, Debug)]
pub(super) struct FixedSampleError {
    pub(super) mean: f64,
    /// Standard error of the mean.
    pub(super) se: f64,
    /// Degrees of freedom behind the standard error.
    pub(super) dof: f64,
    /// Which estimator gave the standard error.
    pub(super) method: ErrorMethod,
}

impl Summary {
    /// Plain trials with results of this variance whose mean would have the error of this estimate.
    pub fn equivalent_trials(&self, plain_variance: f64) -> f64 {
        if self.method == ErrorMethod::Exact {
            return f64::INFINITY;
        }
        if !plain_variance.is_finite() || !self.se.is_finite() {
            return 0.0;
        }
        let allowance = self.method == ErrorMethod::Rare;
        match (plain_variance > 0.0 && !allowance, self.se > 0.0) {
            (_, true) => plain_variance / (self.se * self.se),
            (true, false) => f64::INFINITY,
            // Nothing has varied at all: the trials are worth what they are.
            (false, false) => self.n as f64,
        }
    }
}
