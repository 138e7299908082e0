//! The statistics of a duel so far: means, spreads, and four confidence intervals.
//!
//! A pair of contests on the same dice is one observation; pairs are independent. Records may arrive in any
//! order but are counted in the order of their pairs. A duel therefore gives the same bits on any number of
//! threads, even after an interruption.

use std::borrow::Borrow;
use std::collections::BTreeMap;

use super::player::FaultKind;
use super::record::PairRecord;
use crate::stats::anytime::student_radius;
use crate::stats::betting::BettingInterval;
use crate::stats::changes::ROUND_OFF;
use crate::stats::interval::{ALPHA, around, excludes_zero, student_975};
use crate::stats::order_design::{OrderDesign, OrderRanks};
use crate::stats::{Moments, order};

/// Number of pairs whose mean is one observation of the anytime interval: such means are nearly Gaussian.
pub const BLOCK: u64 = 18;

/// Minimum number of pairs for estimating a distribution.
const FEWEST_GUESSED: usize = 20;

/// Maximum number of pairs for the order-statistics interval: more would take too long.
const MOST_GUESSED: usize = 1_000_000;

/// Statistics of results as played, or with the luck subtracted.
#[derive(Clone, Debug)]
pub struct Column {
    /// Single games or matches.
    pub single: Moments,
    pub pairs: Moments,
    /// Whole blocks of pairs.
    blocks: Moments,
    open: Moments,
    betting: BettingInterval,
    most: f64,
    all: Vec<f64>,
}

/// Returns whether the means differ by more than rounding.
fn varies(means: &Moments) -> bool {
    means.squares() > means.count() as f64 * ROUND_OFF * ROUND_OFF
}

impl Column {
    /// Creates a column for results between `-most` and `most`.
    pub fn new(most: f64) -> Self {
        Self {
            single: Moments::default(),
            pairs: Moments::default(),
            blocks: Moments::default(),
            open: Moments::default(),
            betting: BettingInterval::new(-most, most),
            most,
            all: Vec::new(),
        }
    }

    fn push(&mut self, both: [f64; 2]) {
        both.iter().for_each(|x| self.single.push(*x));
        self.push_mean(both[0].midpoint(both[1]));
    }

    /// Adds the mean of a pair.
    pub fn push_mean(&mut self, mean: f64) {
        self.pairs.push(mean);
        self.open.push(mean);
        if self.open.count() == BLOCK {
            self.blocks.push(self.open.mean());
            self.open = Moments::default();
        }
        self.betting.push(mean);
        self.betting.close();
        self.all.push(mean);
    }

    /// Returns the fixed-sample 95% interval by the central limit theorem. Infinite if all pairs have the
    /// same mean: pairs that cancel by chance give no information about others.
    pub fn central_limit(&self) -> [f64; 2] {
        let radius = match varies(&self.pairs) {
            true => {
                let dof = self.pairs.count().saturating_sub(1) as f64;
                self.pairs.standard_error() * student_975(dof)
            }
            false => f64::INFINITY,
        };
        around(self.pairs.mean(), radius)
    }

    /// Returns the anytime-valid 95% interval from the means of blocks of [`BLOCK`] pairs, assumed Gaussian.
    /// Infinite if all means are equal: a single different pair would move it.
    pub fn anytime(&self) -> [f64; 2] {
        let n = self.blocks.count();
        let radius = match varies(&self.blocks) {
            true => student_radius(self.blocks.standard_error(), n as f64 - 1.0, n, ALPHA),
            false => f64::INFINITY,
        };
        around(self.blocks.mean(), radius)
    }

    /// Returns the anytime-valid 95% interval by betting, for any distribution between the bounds.
    pub fn betting(&self) -> [f64; 2] {
        self.betting.interval()
    }

    /// Returns Riordan's fixed-sample 95% interval from order statistics, for any distribution between the
    /// bounds. The first tenth of the pairs is used only to estimate the distribution. With few pairs, or
    /// over a million, the interval is not computed.
    pub fn order_statistics(&self) -> [f64; 2] {
        self.order_statistics_by(OrderRanks::new)
    }

    /// Returns the interval of [`Column::order_statistics`]. `ranks` supplies precomputed ranks for a number
    /// of pairs.
    pub fn order_statistics_by<R: Borrow<OrderRanks>>(
        &self,
        ranks: impl FnOnce(usize) -> R,
    ) -> [f64; 2] {
        let sorted = |pairs: &[f64]| {
            let mut sorted = pairs.to_vec();
            sorted.sort_by(f64::total_cmp);
            sorted
        };
        if self.all.len() < 3 * FEWEST_GUESSED || self.all.len() > MOST_GUESSED {
            return order::interval(&sorted(&self.all), -self.most, self.most);
        }
        let guessed = (self.all.len() / 10).max(FEWEST_GUESSED);
        let (guess, rest) = self.all.split_at(guessed);
        let ranks = ranks(rest.len());
        let design = OrderDesign::new(ranks.borrow(), &sorted(guess), -self.most, self.most);
        design.interval(&sorted(rest))
    }

    /// Returns the maximum value of a pair, for either side.
    pub fn most(&self) -> f64 {
        self.most
    }
}

/// The statistics of a duel so far.
#[derive(Clone, Debug)]
pub struct DuelTally {
    /// Results as played.
    pub plain: Column,
    /// Results with the luck subtracted.
    pub reduced: Column,
    pub games: u64,
    /// Plays of both contestants.
    pub plays: u64,
    /// Decisions of each contestant.
    pub decisions: [u64; 2],
    /// Thinking time of each contestant, in seconds.
    pub seconds: [f64; 2],
    /// Void pairs, by side and kind.
    pub faults: BTreeMap<(usize, FaultKind), u64>,
    /// The side and the message of the last failure.
    pub last_fault: Option<(usize, String)>,
    /// Records that wait for earlier pairs.
    waiting: BTreeMap<u64, PairRecord>,
    next: u64,
}

impl DuelTally {
    /// Creates a tally without records. Results lie between `-most` and `most`, the luck between `-bound` and
    /// `bound`.
    pub fn new(most: f64, bound: f64) -> Self {
        Self {
            plain: Column::new(most),
            reduced: Column::new(most + bound),
            games: 0,
            plays: 0,
            decisions: [0; 2],
            seconds: [0.0; 2],
            faults: BTreeMap::new(),
            last_fault: None,
            waiting: BTreeMap::new(),
            next: 0,
        }
    }

    /// Adds a record; earlier ones may still be missing. `enough` is called after each counted pair; once it
    /// returns true, no more pairs are counted. Returns whether it did.
    pub fn take(&mut self, record: PairRecord, enough: &dyn Fn(&Self) -> bool) -> bool {
        self.waiting.insert(record.pair, record);
        while let Some(record) = self.waiting.remove(&self.next) {
            self.next += 1;
            self.count(&record);
            if enough(self) {
                return true;
            }
        }
        false
    }

    fn count(&mut self, record: &PairRecord) {
        if let Some(fault) = &record.fault {
            *self.faults.entry((fault.side, fault.kind)).or_default() += 1;
            self.last_fault = Some((fault.side, fault.message.clone()));
        }
        let Some(both) = &record.contests else { return };
        self.plain.push(both.map(|c| c.result));
        self.reduced.push(both.map(|c| c.result - c.bounded));
        for contest in both {
            self.games += u64::from(contest.games);
            self.plays += u64::from(contest.plays);
            for side in [0, 1] {
                self.decisions[side] += u64::from(contest.decisions[side]);
                self.seconds[side] += contest.seconds[side];
            }
        }
    }

    /// Returns the number of void pairs.
    pub fn voids(&self) -> u64 {
        self.faults.values().sum()
    }

    /// Returns the number of counted pairs.
    pub fn pairs(&self) -> u64 {
        self.reduced.pairs.count()
    }

    /// Returns whether the anytime interval determines the stronger side. It is evaluated at the ends of
    /// blocks.
    pub fn is_decided(&self) -> bool {
        self.pairs().is_multiple_of(BLOCK) && excludes_zero(self.reduced.anytime())
    }
}
