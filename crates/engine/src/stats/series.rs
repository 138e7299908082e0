//! One run of observations that comes in blocks, with all its errors.
//!
//! Observations inside a block may depend on each other (under rotation a block of 36 trials has
//! each of the 36 first rolls exactly once). Blocks are alike. They are independent unless a design
//! balances pairs of rolls across blocks ([`Design::latin_period`]): there they are drawn without
//! replacement, and that the anytime-valid interval holds is measured, not proved. The fixed-sample error is
//! taken within strata ([`strata`]), or around the sum of the effects of all that is balanced
//! ([`additive`](super::additive)), or from the spread of whole blocks. The anytime-valid interval takes
//! the same error ([`anytime`](super::anytime)). A [`Design`] says which.

use serde::{Deserialize, Serialize};

use super::changes::{Changes, ROUNDING};
use super::evidence::{Evidence, Rare};
use super::interval::{ALPHA, hull, student_975};
use super::summary::FixedSampleError;
use super::{Cell, Design, ErrorMethod, Moments, Summary, bounded, strata};

/// A run of observations in blocks, optionally stratified.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Series {
    pub(super) all: Moments,
    pub(super) strata: Vec<Moments>,
    pub(super) pairs: Vec<Moments>,
    /// Moments by stratum of the third numbers, then of the fourth.
    #[serde(rename = "later_rolls")]
    pub(super) later_numbers: Vec<Moments>,
    pub(super) blocks: Moments,
    pub(super) open: Moments,
    /// How often the means of blocks have changed.
    #[serde(default)]
    changes: Changes,
}

impl Series {
    /// An empty run.
    pub fn new(design: &Design) -> Self {
        Self {
            strata: vec![Moments::default(); design.strata.len()],
            pairs: vec![Moments::default(); design.pairs.len()],
            later_numbers: vec![Moments::default(); design.later_numbers * design.second_strata],
            ..Self::default()
        }
    }

    /// Takes in one observation. Returns the mean of its block if that completes it.
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
        if !self.later_numbers.is_empty() {
            let columns = self.later_numbers.chunks_exact_mut(design.second_strata);
            for (column, stratum) in columns.zip(cell.later_numbers) {
                column[usize::from(stratum)].push(x);
            }
        }
        self.open.push(x);
        if self.open.count() < design.block {
            return None;
        }
        let mean = self.open.mean();
        self.blocks.push(mean);
        self.changes.push(mean);
        self.open = Moments::default();
        Some(mean)
    }

    /// All observations, strata aside.
    pub fn all(&self) -> &Moments {
        &self.all
    }

    /// The means of the complete blocks.
    pub fn blocks(&self) -> &Moments {
        &self.blocks
    }

    /// What the run says about the mean of its observations.
    pub fn evidence(&self, design: &Design) -> Evidence {
        let FixedSampleError {
            mean,
            se,
            dof,
            method,
        } = self.error(design);
        Evidence {
            n: self.all.count(),
            mean,
            se,
            dof,
            method,
            blocks: self.blocks,
            rare: None,
        }
    }

    /// What the run says about the mean where an observation is a function of its stratum: the mean is exact
    /// once every stratum has been seen.
    pub fn evidence_of_strata(&self, design: &Design) -> Evidence {
        match strata::mean(&self.strata, &design.strata) {
            Some(mean) => Evidence::exact(self.all.count(), mean),
            None => self.evidence(design),
        }
    }

    /// What the run says about the mean of observations `within` these bounds. Where they hardly ever vary,
    /// the intervals allow for what has not been seen yet, whose chance is as uncertain as that of any rare
    /// event.
    pub fn evidence_within(&self, design: &Design, within: [f64; 2]) -> Evidence {
        let e = self.evidence(design);
        let Some(seen) = self.exceptions(e.se) else {
            return e;
        };
        let rare = Rare::new(seen, (e.n, self.blocks.count()), design, within);
        Evidence {
            rare: Some(rare),
            method: match e.method {
                ErrorMethod::Unknown => ErrorMethod::Unknown,
                _ if self.is_constant() => ErrorMethod::Constant,
                _ => ErrorMethod::Rare,
            },
            ..e
        }
    }

    /// Exceptions, if the observations of a stratum are nearly always the same; `se` is the error of
    /// the mean within strata. Where no complete block has one, it is in the open block.
    fn exceptions(&self, se: f64) -> Option<u64> {
        let n = self.all.count() as f64;
        if n == 0.0 {
            return None;
        }
        if self.is_constant() || se * n.sqrt() <= ROUNDING {
            Some(0)
        } else {
            self.changes.few().map(|seen| seen.max(1))
        }
    }

    /// The estimate of the mean with its errors and intervals.
    pub fn summary(&self, design: &Design) -> Summary {
        self.evidence(design).summary()
    }

    /// The estimate of the mean with its errors, for observations that all lie between 0 and 1: the intervals
    /// know the bounds and never have width zero (see [`bounded`]).
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

    /// The anytime-valid interval of observations between 0 and 1: the non-asymptotic one where the design
    /// allows it, else `student`, which takes block means for Gaussian. While block means have never varied,
    /// the non-asymptotic one counts whole blocks.
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

    /// Whether all observations so far, and there are some, have been the same, but for rounding.
    pub fn is_constant(&self) -> bool {
        let n = self.all.count();
        n > 0 && self.all.squares() <= ROUNDING * ROUNDING * n as f64
    }

    /// Whether this can be a run of `n` real observations of this design: for what comes from a
    /// file.
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
            && self.later_numbers.len() == design.later_numbers * design.second_strata
            && self
                .later_numbers
                .chunks(design.second_strata.max(1))
                .all(|column| counted(column, design.second_strata))
            && self.blocks.count() == n / design.block
            && self.open.count() == n % design.block
            && self.changes.is_sound(self.blocks.count())
            && [&self.all, &self.blocks, &self.open]
                .into_iter()
                .chain(&self.strata)
                .chain(&self.pairs)
                .chain(&self.later_numbers)
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
    fn what_the_stratum_decides_is_known_once_all_were_seen() {
        let design = Design {
            strata: vec![0.25, 0.75],
            ..plain()
        };
        let mut s = Series::new(&design);
        s.push(&design, cell(1), 2.0);
        let open = s.evidence_of_strata(&design);
        assert_eq!(open.method, ErrorMethod::Unknown);
        s.push(&design, cell(0), -2.0);
        let known = s.evidence_of_strata(&design).summary();
        assert_eq!((known.n, known.mean, known.se), (2, 1.0, 0.0));
        assert_eq!([known.ci95, known.anytime95], [[1.0; 2]; 2]);
        assert_eq!(known.method, ErrorMethod::Exact);
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
    fn a_series_counts_its_blocks() {
        let design = plain();
        let mut s = Series::new(&design);
        for i in 0..(36 * 12 + 5) {
            s.push(&design, cell(0), f64::from(i % 7));
        }
        assert_eq!((s.blocks().count(), s.all().count()), (12, 437));
        assert!(s.is_sound(437, &design) && !s.is_sound(436, &design));
        let other = Design {
            strata: vec![1.0 / 21.0; 21],
            ..plain()
        };
        assert!(!s.is_sound(437, &other));
    }

    /// The interval that holds at all times is finite from the second block on, and wider than the fixed-sample one.
    #[test]
    fn both_intervals_come_from_the_same_error() {
        let design = plain();
        let mut s = Series::new(&design);
        for i in 0..36 * 40 {
            s.push(&design, cell(0), f64::from(i % 7));
            if s.all().count() == 36 {
                assert_eq!(s.evidence(&design).anytime(0.01)[1], f64::INFINITY);
            }
            if s.all().count().is_multiple_of(36) && s.blocks().count() > 1 {
                let Summary {
                    mean,
                    se,
                    ci95,
                    anytime95,
                    ..
                } = s.summary(&design);
                let [fixed, anytime] = [ci95, anytime95].map(|[_, high]| (high - mean) / se);
                assert!(
                    fixed < 2.0 && anytime > 2.7 && anytime < 5.0,
                    "{fixed} {anytime}"
                );
            }
        }
    }

    /// Observations that balance within blocks: their own spread says too much.
    #[test]
    fn tied_blocks_tell_the_error_by_their_means() {
        let design = Design {
            block: 4,
            correlated: true,
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
}
