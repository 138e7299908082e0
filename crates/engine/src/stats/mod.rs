//! Statistics of long runs of numbers. No type of the game is used here, though some docs speak of trials and dice.
//!
//! * [`moments`]: running means, variances and covariances that can be merged.
//! * [`strata`]: the error of a mean whose observations were drawn a fixed share from each of
//!   several groups.
//! * [`additive`]: what is left of a variance when the effects of what is balanced are subtracted.
//! * [`interval`]: fixed-sample 95% intervals.
//! * [`anytime`]: anytime-valid 95% intervals (confidence sequences).
//! * [`bounded`]: fixed-sample and anytime-valid intervals for observations between 0 and 1.
//! * [`bounded_sum`]: a sum of random terms that is kept within a bound.
//! * [`betting`]: intervals without any approximation, for observations within known bounds.
//! * [`chernoff`](mod@chernoff): a bound on the tail of a sum, without any approximation.
//! * [`order`]: an interval from the order statistics, for observations within known bounds.
//! * [`order_design`]: an interval from the order statistics, designed for a guess of the distribution.
//! * [`design`]: how the observations of a run depend on each other.
//! * [`series`]: mean, error and intervals of one run of observations that comes in blocks.
//! * [`change_point`](mod@change_point): where a ratio over units in an order changes.
//! * [`changes`]: how often a run has varied, where that is hardly ever.
//! * [`summary`]: an estimate of a mean, with its error and intervals.
//! * [`evidence`]: what a run says about its mean, at any level.
//! * [`comparison`]: what two runs say about their difference.
//! * [`best`]: which of several estimated quantities is the largest.
//! * [`portable`]: logarithms, quantiles and the like, alike on every platform.
//!
//! Everything is a fixed sequence of `f64` operations on the observations in the order in which
//! they are given: equal observations in equal order give equal bits. All that is kept while
//! observations come is serialisable without loss.

pub mod additive;
pub mod anytime;
pub mod best;
pub mod betting;
pub mod bounded;
pub mod bounded_sum;
pub mod change_point;
pub mod changes;
pub mod chernoff;
pub mod comparison;
pub mod design;
pub mod evidence;
mod fixed;
pub mod interval;
pub mod moments;
pub mod order;
pub mod order_design;
pub mod portable;
pub mod series;
pub mod strata;
pub mod summary;

pub use betting::BettingInterval;
pub use bounded_sum::bounded_scale;
pub use comparison::{Comparison, Share};
pub use design::{Cell, Design};
pub use evidence::Evidence;
pub use moments::{CoMoments, Moments};
pub use series::Series;
pub use summary::{ErrorMethod, Summary};
