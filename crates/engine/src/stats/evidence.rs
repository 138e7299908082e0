//! What a run of observations says about its mean, at any level of confidence.
//!
//! A run is of one of three kinds:
//!
//! * the interval of a value that is *known exactly* is that value;
//! * a run that *has hardly ever varied* ([`Changes`](super::changes::Changes)) has the **zero-variance
//!   allowance**. How often it varies is a chance, for which k exceptions in n observations are
//!   evidence as for any chance. It is at most u by Wilson's interval for a fixed sample, by the Beta
//!   mixture at all times ([`bounded`]). What an exception is worth has bounds. While none was seen the
//!   mean is the value that all have in common, and the true one lies between `mean − u·(mean − low)` and
//!   `mean + u·(high − mean)`. The first exception moves the mean, and this no longer follows: then the
//!   interval is the hull with Student's, whose coverage `rare_events_are_covered` tests;
//! * any other has Student's interval for a fixed sample, and from the same error the one at all times
//!   ([`anytime`](super::anytime)). At all times it has room for what an event may add that has not been seen:
//!   one of chance p is not seen in n independent observations with chance (1 − p)^n, so that ln(1/α)/n bounds p.

use super::anytime::student_radius;
use super::best::{Estimated, ZeroVarianceAllowance};
use super::interval::{ALPHA, around, hull, normal_error, student};
use super::portable::ln;
use super::{Design, ErrorMethod, Moments, Summary, bounded};

/// The shift of an observation, in its unit, by an event that was not seen so far. An assumption:
/// `luckless-lab coverage --only default` tests it.
const UNSEEN: f64 = 0.15;

/// Returns the most that an event not seen in `n` observations adds to their mean, at confidence 1 − `alpha`, if it
/// shifts an observation by no more than [`UNSEEN`]. Several such events may add more.
fn unseen(n: u64, alpha: f64) -> f64 {
    UNSEEN * -ln(alpha) / n.max(1) as f64
}

/// How little a run has varied, and how far its mean may lie for that.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rare {
    /// Exceptions seen: runs of consecutive blocks that have any ([`Changes`](super::changes::Changes)), or
    /// single observations ([`Evidence::with_exceptions`]).
    pub seen: u64,
    /// Observations among which they were counted for a fixed sample.
    pub of: u64,
    /// Units among which they were counted at all times: the observations of complete blocks under a product
    /// design, else the complete blocks.
    pub closed: u64,
    /// The least and the largest value that an observation can have.
    pub within: [f64; 2],
    /// Whether the interval from the spread counts as well.
    pub spreads: bool,
}

impl Rare {
    /// `seen` exceptions among `of` observations with `blocks` complete blocks, each observation `within` bounds.
    pub fn new(seen: u64, (of, blocks): (u64, u64), design: &Design, within: [f64; 2]) -> Self {
        let each = if design.product { design.block } else { 1 };
        Self {
            seen,
            of,
            closed: blocks * each,
            within,
            spreads: seen > 0,
        }
    }

    /// Distances from a mean down to the least value, and up to the largest.
    fn room(&self, mean: f64) -> [f64; 2] {
        let [low, high] = self.within;
        [(mean - low).max(0.0), (high - mean).max(0.0)]
    }
}

/// What a run of observations says about its mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Evidence {
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
    /// The means of complete blocks.
    pub blocks: Moments,
    /// Its exceptions, where the run has hardly ever varied.
    pub rare: Option<Rare>,
}

impl Evidence {
    /// Evidence of a value that is known without error, after `n` observations.
    pub fn exact(n: u64, value: f64) -> Self {
        Self {
            n,
            mean: value,
            se: 0.0,
            dof: f64::INFINITY,
            method: ErrorMethod::Exact,
            blocks: Moments::default(),
            rare: None,
        }
    }

    /// Whether the value is known without error.
    pub fn is_exact(&self) -> bool {
        self.method == ErrorMethod::Exact
    }

    /// The interval for a number of observations fixed in advance, of nominal level 1 − `alpha`.
    pub fn fixed(&self, alpha: f64) -> [f64; 2] {
        let quantile = student(self.dof, alpha);
        let radius = if self.se > 0.0 {
            quantile * self.se
        } else {
            self.se
        };
        self.allowed(self.mean, radius, |rare| {
            let (seen, of) = (rare.seen as f64, rare.of as f64);
            bounded::wilson(seen / of, of, quantile)[1]
        })
    }

    /// The anytime-valid interval of nominal level 1 − `alpha`. Student's sequence assumes nearly Gaussian means; the
    /// room for what was not seen and the change from the allowance to Student's each add up to `alpha` in the worst
    /// case. `luckless-lab coverage` measures what remains.
    pub fn anytime(&self, alpha: f64) -> [f64; 2] {
        if self.is_exact() {
            return [self.mean; 2];
        }
        let radius = student_radius(self.se, self.dof, self.blocks.count(), alpha);
        // A run that hardly ever varied has its own allowance already.
        let radius = match self.rare {
            Some(_) => radius,
            None => radius + unseen(self.n, alpha),
        };
        self.allowed(self.mean, radius, |rare| {
            bounded::mixture(rare.closed as f64, rare.seen as f64, alpha)[1]
        })
    }

    /// The interval of this radius around `mean`, with the zero-variance allowance if the run has hardly ever
    /// varied. Without exceptions the allowance takes its place. `most` gives the largest chance of an
    /// exception.
    fn allowed(&self, mean: f64, radius: f64, most: impl FnOnce(&Rare) -> f64) -> [f64; 2] {
        let spread = around(mean, radius);
        let Some(rare) = &self.rare else {
            return spread;
        };
        let chance = most(rare);
        let [down, up] = rare.room(mean);
        let allowance = [mean - chance * down, mean + chance * up];
        match rare.spreads {
            true => hull(allowance, spread),
            false => allowance,
        }
    }

    /// This evidence with a zero-variance allowance for observations `within` these bounds, `seen` of which
    /// came about in another way than the rest. The interval from the spread is held as well, but so few
    /// observations do not show how much they add to it.
    pub fn with_exceptions(self, seen: u64, design: &Design, within: [f64; 2]) -> Self {
        let rare = Rare {
            spreads: true,
            ..Rare::new(seen, (self.n, self.blocks.count()), design, within)
        };
        Self {
            rare: Some(rare),
            method: match self.method {
                ErrorMethod::Unknown => ErrorMethod::Unknown,
                _ => ErrorMethod::Rare,
            },
            ..self
        }
    }

    /// The standard error; where exceptions are few, that of a normal estimate whose 95% interval is as wide as the
    /// fixed-sample one. [`Self::summary`] gives the standard error itself.
    pub fn standard_error(&self) -> f64 {
        if self.rare.is_none() {
            return self.se;
        }
        normal_error(self.fixed(ALPHA))
    }

    /// Standard deviation of the mean of a block, for sharing observations out; 1 while unknown. Where exceptions are
    /// few it comes from [`Self::standard_error`], so that a run that has not varied yet still gets observations.
    pub fn block_spread(&self) -> f64 {
        let n = self.blocks.count();
        if self.is_exact() {
            0.0
        } else if self.rare.is_some() {
            self.standard_error() * (n.max(1) as f64).sqrt()
        } else if n < 2 {
            1.0
        } else {
            self.blocks.variance().sqrt()
        }
    }

    /// Mean, error and allowance as [`best`](super::best) takes them to say which of several means is the
    /// largest.
    pub fn estimated(&self) -> Estimated {
        let never = self.rare.filter(|rare| rare.seen == 0);
        Estimated {
            mean: self.mean,
            se: self.standard_error(),
            dof: if self.rare.is_some() {
                f64::INFINITY
            } else {
                self.dof
            },
            allowance: never.map(|rare| ZeroVarianceAllowance {
                of: rare.of as f64,
                room: rare.room(self.mean),
            }),
        }
    }

    /// The estimate with its error and both 95% intervals.
    pub fn summary(&self) -> Summary {
        let ci95 = self.fixed(ALPHA);
        Summary {
            n: self.n,
            mean: self.mean,
            se: self.se,
            dof: self.dof,
            method: self.method,
            ci95,
            anytime95: hull(self.anytime(ALPHA), ci95),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::{Cell, Design, Series};
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::{RngCore, SeedableRng};

    /// One trial in 300 gives 0.15 points more, the others hardly vary: in many runs none is seen for long, and the
    /// spread of the rest held the mean in less than half of them.
    #[test]
    fn there_is_room_for_what_has_not_been_seen() {
        const CHANCE: f64 = 1.0 / 300.0;
        let mut held = 0;
        for run in 0..300 {
            let mut rng = ChaCha8Rng::seed_from_u64(run);
            let mut unit = || f64::from(rng.next_u32()) / 4_294_967_296.0;
            let (mut blocks, mut ok) = (Moments::default(), true);
            for block in 1..=72 {
                let trial = |unit: &mut dyn FnMut() -> f64| {
                    let rare = if unit() < CHANCE { 0.15 } else { 0.0 };
                    rare - 0.15 * CHANCE + 0.003 * (unit() - 0.5)
                };
                let sum: f64 = (0..36).map(|_| trial(&mut unit)).sum();
                blocks.push(sum / 36.0);
                let evidence = Evidence {
                    n: 36 * block,
                    mean: blocks.mean(),
                    se: blocks.standard_error(),
                    dof: block as f64 - 1.0,
                    method: ErrorMethod::Blocks,
                    blocks,
                    rare: None,
                };
                let [low, high] = evidence.anytime(ALPHA);
                ok &= low <= 0.0 && 0.0 <= high;
            }
            held += u32::from(ok);
        }
        assert!(held >= 282, "{held}");
    }

    fn design() -> Design {
        Design {
            block: 36,
            product: true,
            ..Design::default()
        }
    }

    /// Of `runs` runs that end after about 30 exceptions, the shares in which the mean was inside at
    /// every look. The first is with the count of exceptions, the second by the spread alone from the
    /// first exception on.
    fn held(chance: f64, alpha: f64, runs: u64) -> [f64; 2] {
        let blocks = (30.0 / chance / 36.0) as u64;
        let mut held = [0u64; 2];
        for run in 0..runs {
            let mut rng = ChaCha8Rng::seed_from_u64(run);
            let mut series = Series::new(&design());
            let mut ok = [true; 2];
            // Looks within blocks count as well.
            for observation in 1..=36 * blocks {
                let x = f64::from(rng.next_u32()) < chance * 4_294_967_296.0;
                series.push(&design(), Cell::default(), if x { 2.0 } else { 0.0 });
                if ![0, 1, 35].contains(&(observation % 36)) {
                    continue;
                }
                let counted = series.evidence_within(&design(), [0.0, 2.0]);
                let mut spread = counted;
                spread.rare = spread.rare.filter(|rare| rare.seen == 0);
                for (ok, e) in ok.iter_mut().zip([counted, spread]) {
                    let [low, high] = e.anytime(alpha);
                    *ok &= low <= 2.0 * chance && 2.0 * chance <= high;
                }
            }
            for (held, ok) in held.iter_mut().zip(ok) {
                *held += u64::from(ok);
            }
        }
        held.map(|h| h as f64 / runs as f64)
    }

    #[test]
    fn rare_events_are_covered() {
        for (alpha, chance) in [(0.05, 0.01), (0.05, 0.003), (0.01, 0.003)] {
            let [counted, spread] = held(chance, alpha, 600);
            let case = format!("{alpha} {chance}: {counted} {spread}");
            // Two standard errors.
            let error = 2.0 * (alpha * (1.0 - alpha) / 600.0f64).sqrt();
            assert!(counted >= 1.0 - alpha - error, "{case}");
            assert!(spread < 1.0 - alpha - error, "{case}");
        }
    }

    /// Of 600 runs of each length, the share in which the mean was inside the interval for a fixed sample: after whole
    /// blocks, and where the only exceptions may be in the block that is open.
    #[test]
    fn rare_events_are_covered_by_a_fixed_sample() {
        let covers = |n: u64, chance: f64| {
            let held = (0..600).filter(|&run| {
                let mut rng = ChaCha8Rng::seed_from_u64(run);
                let mut series = Series::new(&design());
                for _ in 0..n {
                    let x = f64::from(rng.next_u32()) < chance * 4_294_967_296.0;
                    series.push(&design(), Cell::default(), if x { 2.0 } else { 0.0 });
                }
                let e = series.evidence_within(&design(), [0.0, 2.0]);
                let [low, high] = e.summary().ci95;
                low <= 2.0 * chance && 2.0 * chance <= high
            });
            held.count() as f64 / 600.0
        };
        for n in [215, 216, 217, 500] {
            for chance in [0.002, 0.005] {
                let share = covers(n, chance);
                // Two standard errors.
                assert!(share >= 0.95 - 0.018, "{n} {chance}: {share}");
            }
        }
    }

    /// An exception in the open block of a run that was always the same before leaves the interval two-sided.
    #[test]
    fn an_exception_in_the_open_block_counts() {
        let mut series = Series::new(&design());
        for i in 0..215 {
            series.push(
                &design(),
                Cell::default(),
                if i == 200 { -1.0 } else { 1.0 },
            );
        }
        let e = series.evidence_within(&design(), [-1.0, 1.0]);
        assert_eq!(e.rare.map(|rare| rare.seen), Some(1));
        let [low, high] = e.fixed(ALPHA);
        assert!(high > 1.0 && low < 0.98, "{low} {high}");
        assert!(e.anytime(ALPHA)[1] > high);
    }

    /// What never varied is not certain, at any level; what is known is.
    #[test]
    fn what_never_varied_has_room() {
        let mut series = Series::new(&design());
        (0..360).for_each(|_| {
            series.push(&design(), Cell::default(), -1.0);
        });
        let e = series.evidence_within(&design(), [-1.0, 1.0]);
        assert_eq!((e.method, e.se), (ErrorMethod::Constant, 0.0));
        let [low, high] = e.fixed(ALPHA);
        assert_eq!(low, -1.0);
        assert!(high > -0.99 && high < -0.97, "{high}");
        assert!(e.anytime(ALPHA)[1] > high && e.anytime(0.01)[1] > e.anytime(ALPHA)[1]);
        assert!(e.fixed(0.01)[1] > high && e.standard_error() > 0.0);
        let known = Evidence::exact(360, -1.0);
        assert_eq!([known.fixed(0.01), known.anytime(0.01)], [[-1.0; 2]; 2]);
        // Without bounds nothing can be allowed for.
        assert_eq!(series.evidence(&design()).fixed(ALPHA), [-1.0; 2]);
    }

    /// One exception among many: the spread alone would say too much.
    #[test]
    fn few_exceptions_are_counted() {
        let mut series = Series::new(&design());
        for i in 0..720 {
            series.push(
                &design(),
                Cell::default(),
                if i == 500 { 1.0 } else { -1.0 },
            );
        }
        let e = series.evidence_within(&design(), [-1.0, 1.0]);
        assert_eq!(e.rare.map(|rare| rare.seen), Some(1));
        assert_eq!(e.method, ErrorMethod::Rare);
        let spread = Evidence { rare: None, ..e };
        // The allowance stands in for the room for what has not been seen.
        let [low, high] = spread.anytime(ALPHA);
        let room = unseen(720, ALPHA);
        for (with, without) in [
            (e.fixed(ALPHA), spread.fixed(ALPHA)),
            (e.anytime(ALPHA), [low + room, high - room]),
        ] {
            assert!(
                with[1] > without[1] && with[0] <= without[0] + 1e-12,
                "{with:?} {without:?}"
            );
        }
    }
}
