//! One run of observations that comes in blocks, with all its errors.
//!
//! Observations inside a block may depend on each other (under rotation a block of 36 trials has
//! each of the 36 first rolls exactly once); blocks are independent and alike. So the fixed-n
//! error is taken within strata ([`strata`](super::strata)), or around the sum of the effects of all that is
//! balanced ([`additive`](super::additive)), or from the spread of whole blocks, and the anytime-valid interval
//! runs over block means ([`anytime`](super::anytime)). A [`Design`] says which.

use serde::{Deserialize, Serialize};

use super::anytime::{UNIT_INFORMATION, student_radius};
use super::best::Estimated;
use super::interval::{ALPHA, NORMAL_975, around, hull, student_975};
use super::{Cell, Design, Moments, bounded};

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
    /// The same within pairs of strata.
    StratifiedPairs,
    /// From what is left when the effects of the strata and of second strata are subtracted,
    /// because both are balanced.
    Additive,
    /// From the spread of the means of blocks.
    Blocks,
    /// From the errors of two independent estimates of which this is the difference, with
    /// Satterthwaite's degrees of freedom (Welch).
    Combined,
    /// All observations were the same, though they need not have been: there is no spread to tell an
    /// error from, and the interval is what an event that was never seen may be worth.
    Constant,
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
    /// 95% interval that holds at all times at once: as of the last complete block, and never without
    /// the one for a fixed number, which goes by another spread and may by chance reach further.
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

    /// What a comparison needs. Where nothing has varied, the error is that of an interval as wide as
    /// this one.
    #[must_use]
    pub fn estimated(&self) -> Estimated {
        let Self { mean, se, dof, .. } = *self;
        if self.method == ErrorMethod::Constant {
            let [low, high] = self.ci95;
            return Estimated {
                mean,
                se: (high - low) / (2.0 * NORMAL_975),
                dof: f64::INFINITY,
            };
        }
        Estimated { mean, se, dof }
    }

    fn with_error(self, mean: f64, se: f64, dof: f64, method: ErrorMethod) -> Self {
        let radius = if se > 0.0 { student_975(dof) * se } else { se };
        let ci95 = around(mean, radius);
        Self {
            mean,
            se,
            dof,
            method,
            ci95,
            anytime95: hull(self.anytime95, ci95),
            ..self
        }
    }

    /// The difference of two independent estimates: errors add in squares, degrees of freedom
    /// after Welch and Satterthwaite. The anytime interval is that of `pairs`, the series of
    /// differences of observations that were taken together at random, and as much wider as one of
    /// them that has not varied yet has room.
    #[must_use]
    pub fn independent_difference(a: &Self, b: &Self, pairs: &Self) -> Self {
        // Of one that has not varied the error is that of what it may not have shown yet.
        let [va, vb] = [a, b].map(|s| s.estimated().se.powi(2));
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
        let [down, up] = Self::unseen_difference(a, b);
        let anytime95 = [pairs.anytime95[0] - down, pairs.anytime95[1] + up];
        let pairs = Self {
            anytime95,
            ..*pairs
        };
        pairs.with_error(a.mean - b.mean, se, dof, method)
    }

    /// How far, down and up, the difference of two means may lie for what they have not shown yet, at all
    /// times: nothing, unless one of them has never varied though it might have.
    #[must_use]
    pub fn unseen_difference(a: &Self, b: &Self) -> [f64; 2] {
        let ([a_down, a_up], [b_down, b_up]) = (a.unseen(), b.unseen());
        [a_down + b_up, a_up + b_down]
    }

    /// How far, down and up, the mean may lie for what has not been shown yet, where nothing has varied:
    /// differences show nothing of that.
    fn unseen(&self) -> [f64; 2] {
        match self.method {
            ErrorMethod::Constant => [self.mean - self.anytime95[0], self.anytime95[1] - self.mean],
            _ => [0.0; 2],
        }
    }
}

/// A run of observations in blocks, optionally stratified.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Series {
    pub(super) all: Moments,
    pub(super) strata: Vec<Moments>,
    pub(super) pairs: Vec<Moments>,
    /// Those of the third numbers, then those of the fourth.
    pub(super) later: Vec<Moments>,
    pub(super) blocks: Moments,
    pub(super) open: Moments,
}

impl Series {
    /// An empty run.
    #[must_use]
    pub fn new(design: &Design) -> Self {
        Self {
            strata: vec![Moments::default(); design.strata.len()],
            pairs: vec![Moments::default(); design.pairs.len()],
            later: vec![Moments::default(); design.later * design.seconds],
            ..Self::default()
        }
    }

    /// Takes in one observation. The mean of the block, if that completes one.
    ///
    /// # Panics
    /// If there are strata and the cell is not among them.
    #[inline]
    pub fn push(&mut self, design: &Design, cell: Cell, x: f64) -> Option<f64> {
        self.all.push(x);
        if !self.strata.is_empty() {
            self.strata[usize::from(cell.stratum)].push(x);
        }
        if !self.pairs.is_empty() {
            self.pairs[usize::from(cell.pair)].push(x);
        }
        if !self.later.is_empty() {
            let columns = self.later.chunks_exact_mut(design.seconds);
            for (column, stratum) in columns.zip(cell.later) {
                column[usize::from(stratum)].push(x);
            }
        }
        self.open.push(x);
        if self.open.count() < design.block {
            return None;
        }
        let mean = self.open.mean();
        self.blocks.push(mean);
        self.open = Moments::default();
        Some(mean)
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

    /// The estimate with its errors.
    #[must_use]
    pub fn summary(&self, design: &Design) -> Summary {
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
        let (mean, se, dof, method) = self.error(design);
        blank.with_error(mean, se, dof, method)
    }

    /// As [`Series::summary`], for observations that all lie between 0 and 1: the intervals know
    /// the bounds and never have width zero (see [`bounded`]).
    #[must_use]
    pub fn chance_summary(&self, design: &Design) -> Summary {
        let s = self.summary(design);
        let mean = s.mean.clamp(0.0, 1.0);
        let spread = mean * (1.0 - mean);
        let effective = if s.se > 0.0 && spread > 0.0 {
            spread / (s.se * s.se)
        } else {
            s.n as f64
        };
        let ci95 = bounded::wilson(mean, effective, student_975(s.dof));
        Summary {
            ci95,
            anytime95: hull(self.ever(design, s.anytime95), ci95),
            ..s
        }
    }

    /// As [`Series::summary`], for observations between `low` and `high` of which all have been
    /// the same and might have been different: the intervals allow for what has not been seen yet,
    /// whose chance is as uncertain as that of any event that has never happened.
    #[must_use]
    pub fn constant_summary(&self, design: &Design, low: f64, high: f64) -> Summary {
        let s = self.summary(design);
        let widened = |unseen: f64| {
            [
                s.mean - unseen * (s.mean - low),
                s.mean + unseen * (high - s.mean),
            ]
        };
        let blocks = self.blocks.count() * if design.product { design.block } else { 1 };
        let [_, once] = bounded::wilson(0.0, s.n as f64, student_975(s.dof));
        let [_, ever] = bounded::mixture(blocks as f64, 0.0, ALPHA);
        Summary {
            method: match s.method {
                ErrorMethod::Unknown => ErrorMethod::Unknown,
                _ => ErrorMethod::Constant,
            },
            ci95: widened(once),
            anytime95: widened(ever),
            ..s
        }
    }

    /// The anytime interval of observations between 0 and 1, of which `student` is the one that
    /// takes block means for Gaussian. Where the exact one does not apply it stands in, unless
    /// nothing has varied: then whole blocks are what is counted.
    fn ever(&self, design: &Design, student: [f64; 2]) -> [f64; 2] {
        let (n, mean) = (self.blocks.count() as f64, self.blocks.mean());
        if design.product {
            let trials = n * design.block as f64;
            bounded::mixture(trials, trials * mean, ALPHA)
        } else if self.blocks.squares() > 0.0 {
            student.map(|end| end.clamp(0.0, 1.0))
        } else {
            bounded::mixture(n, n * mean, ALPHA)
        }
    }

    /// Whether all observations so far, and there are some, have been the same.
    #[must_use]
    pub fn is_constant(&self) -> bool {
        self.all.count() > 0 && self.all.squares() == 0.0
    }

    /// Mean and fixed-n standard error alone: cheap enough for a stop rule.
    #[must_use]
    pub fn standard_error(&self, design: &Design) -> f64 {
        self.error(design).1
    }

    /// Whether this can be a run of `n` real observations of this design: for what comes from a
    /// file.
    #[must_use]
    pub fn is_sound(&self, n: u64, design: &Design) -> bool {
        let counted = |strata: &[Moments], expected: usize| {
            let sum: u64 = strata
                .iter()
                .fold(0, |sum, s| sum.saturating_add(s.count()));
            strata.len() == expected && (expected == 0 || sum == n)
        };
        self.all.count() == n
            && counted(&self.strata, design.strata.len())
            && counted(&self.pairs, design.pairs.len())
            && self.later.len() == design.later * design.seconds
            && self
                .later
                .chunks(design.seconds.max(1))
                .all(|column| counted(column, design.seconds))
            && self.blocks.count() == n / design.block
            && self.open.count() == n % design.block
            && [&self.all, &self.blocks, &self.open]
                .into_iter()
                .chain(&self.strata)
                .chain(&self.pairs)
                .chain(&self.later)
                .all(Moments::is_sound)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain() -> Design {
        Design {
            block: 36,
            ..Design::default()
        }
    }

    fn cell(stratum: u16) -> Cell {
        Cell {
            stratum,
            ..Cell::default()
        }
    }

    #[test]
    fn says_which_error_it_gives() {
        let design = Design {
            strata: vec![0.5, 0.5],
            ..plain()
        };
        let mut s = Series::new(&design);
        assert_eq!(s.summary(&design).method, ErrorMethod::Unknown);
        s.push(&design, cell(0), 1.0);
        assert_eq!(s.summary(&design).se, f64::INFINITY);
        assert_eq!(s.summary(&design).ci95[0], f64::NEG_INFINITY);
        s.push(&design, cell(1), 2.0);
        s.push(&design, cell(0), 1.5);
        assert_eq!(s.summary(&design).method, ErrorMethod::Naive);
        s.push(&design, cell(1), 2.5);
        let summary = s.summary(&design);
        assert_eq!(summary.method, ErrorMethod::Stratified);
        assert!(summary.se < s.all().standard_error());
        assert_eq!(summary.mean, 1.75);
    }

    #[test]
    fn the_anytime_interval_runs_over_blocks() {
        let design = plain();
        let mut s = Series::new(&design);
        for i in 0..(36 * 12 + 5) {
            s.push(&design, cell(0), f64::from(i % 7));
        }
        assert_eq!((s.blocks().count(), s.all().count()), (12, 437));
        let b = s.blocks();
        let radius = student_radius(12, b.squares(), UNIT_INFORMATION, ALPHA);
        assert!(radius > 0.0 && radius < 1.0);
        let summary = s.summary(&design);
        // It is much narrower than the fixed one here: blocks hardly differ.
        let [low, high] = around(b.mean(), radius);
        assert!(summary.ci95[0] < low && high < summary.ci95[1]);
        assert_eq!(summary.anytime95, summary.ci95);
        assert!(s.is_sound(437, &design) && !s.is_sound(436, &design));
        let other = Design {
            strata: vec![1.0 / 21.0; 21],
            ..plain()
        };
        assert!(!s.is_sound(437, &other));
    }

    /// Observations that balance within blocks: their own spread says too much.
    #[test]
    fn tied_blocks_tell_the_error_by_their_means() {
        let design = Design {
            block: 4,
            tied: true,
            ..Design::default()
        };
        let mut s = Series::new(&design);
        for block in 0..10 {
            for x in [-9.0, 9.0, -5.0, 5.0] {
                s.push(&design, cell(0), x + f64::from(block % 2));
            }
        }
        let summary = s.summary(&design);
        assert_eq!(summary.method, ErrorMethod::Blocks);
        // Means 0 and 1 by turns: variance 10/36, over ten of them.
        assert!((summary.se - (1.0f64 / 36.0).sqrt()).abs() < 1e-12);
        assert_eq!(summary.dof, 9.0);
        let naive = s.all().standard_error();
        s.push(&design, cell(0), 20.0);
        let open = s.summary(&design).se;
        assert!(open > summary.se && open < naive);
    }

    #[test]
    fn a_difference_of_independent_estimates() {
        let run = |scale: f64| {
            let mut s = Series::new(&plain());
            for i in 0..10 {
                s.push(&plain(), cell(0), scale * f64::from(i % 2));
            }
            s.summary(&plain())
        };
        let (a, b) = (run(3.0), run(4.0));
        let d = Summary::independent_difference(&a, &b, &b);
        assert!((d.se - a.se.hypot(b.se)).abs() < 1e-15);
        assert!(d.dof > 9.0 && d.dof < 18.0);
        assert_eq!(d.mean, a.mean - b.mean);
        assert_eq!(d.method, ErrorMethod::Combined);
    }

    /// One that has never varied is not certain for that: the difference is as open as it is itself.
    #[test]
    fn what_was_never_seen_widens_a_difference() {
        let run = |scale: f64| {
            let mut s = Series::new(&plain());
            for i in 0..100 {
                s.push(&plain(), cell(0), scale * f64::from(i % 2));
            }
            s
        };
        let varied = run(1.0).summary(&plain());
        let constant = run(0.0).constant_summary(&plain(), -3.0, 3.0);
        let less = run(-1.0).summary(&plain());
        for (a, b, pairs) in [(varied, constant, varied), (constant, varied, less)] {
            let d = Summary::independent_difference(&a, &b, &pairs);
            let width = |[low, high]: [f64; 2]| high - low;
            assert!(width(d.ci95) > width(varied.ci95).max(width(constant.ci95)));
            let both = width(varied.anytime95) + width(constant.anytime95);
            assert!(width(d.anytime95) >= both - 1e-12);
        }
    }
}
