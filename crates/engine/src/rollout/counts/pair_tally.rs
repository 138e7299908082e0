//! What is counted of a pair: the differences, and the correlation of the two candidates.

use serde::{Deserialize, Serialize};

use super::result::DifferenceResult;
use super::rollout_design::RolloutDesign;
use crate::rollout::request::coupling::Coupling;
use crate::rollout::trials::outcome::TrialOutcome;
use crate::stats::changes::ROUNDING;
use crate::stats::{BettingInterval, CoMoments, Evidence, Series, Summary};

/// Most points of the scatter plot.
const SCATTER: usize = 512;

/// The differences of two candidates, trial by trial.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct PairTally {
    pub(super) difference: Series,
    bets: Option<BettingInterval>,
    #[serde(rename = "reduced")]
    variance_reduced: CoMoments,
    plain: CoMoments,
    /// Trials in which the two candidates coalesced.
    #[serde(default, rename = "met")]
    coalesced: u64,
    scatter: Vec<[f32; 2]>,
    /// One trial in this many is kept for the scatter plot.
    every: u64,
    /// Whether the luck of the two has ever differed.
    #[serde(default)]
    luck_differed: bool,
}

impl PairTally {
    pub(super) fn new(design: &RolloutDesign) -> Self {
        Self {
            difference: Series::new(&design.pair_design),
            bets: design
                .bound
                .map(|b| BettingInterval::new(-2.0 * b, 2.0 * b)),
            variance_reduced: CoMoments::default(),
            plain: CoMoments::default(),
            coalesced: 0,
            scatter: Vec::new(),
            every: 1,
            luck_differed: false,
        }
    }

    pub(super) fn push(
        &mut self,
        design: &RolloutDesign,
        trial: u64,
        a: &TrialOutcome,
        b: &TrialOutcome,
    ) {
        let [x, y] = [a, b].map(TrialOutcome::variance_reduced_equity);
        let mean = self
            .difference
            .push(&design.pair_design, design.cell(a.numbers), x - y);
        if let Some(bets) = &mut self.bets {
            bets.push_in(&design.pair_design, x - y, mean);
        }
        self.variance_reduced.push(x, y);
        self.plain.push(a.plain_equity(), b.plain_equity());
        let [luck, other] = [a, b].map(|o| o.plain_equity() - o.variance_reduced_equity());
        self.luck_differed |= (luck - other).abs() > ROUNDING;
        self.coalesced += u64::from(a.coalesced && b.coalesced);
        if trial.is_multiple_of(self.every) {
            if self.scatter.len() == SCATTER {
                let mut place = 0;
                self.scatter.retain(|_| {
                    place += 1;
                    place % 2 == 1
                });
                self.every *= 2;
            }
            if trial.is_multiple_of(self.every) {
                self.scatter.push([x as f32, y as f32]);
            }
        }
    }

    /// The sample for the scatter plot.
    pub(super) fn scatter(&self) -> Vec<[f32; 2]> {
        self.scatter.clone()
    }

    /// What is known of the difference from the pairs; `bounds` has the least and the largest of a trial,
    /// if there may be any that was not seen.
    pub(super) fn evidence(&self, design: &RolloutDesign, bounds: Option<[f64; 2]>) -> Evidence {
        let n = self.difference.all().count();
        // Games that are the same from the beginning stay so.
        if design.coupling != Coupling::None && design.same_start && n > 0 {
            return Evidence::exact(n, 0.0);
        }
        match bounds.filter(|_| !self.luck_differed) {
            Some(bounds) => self.difference.evidence_within(&design.pair_design, bounds),
            None => self.difference.evidence(&design.pair_design),
        }
    }

    /// The result of the pair, whose difference is estimated as `difference`. Where trials end as soon as the
    /// candidates coalesce, the results of the candidates do not tell how they depend on each other, nor what
    /// plain trials would be worth.
    pub(super) fn result(&self, difference: &Summary, design: &RolloutDesign) -> DifferenceResult {
        let sum = |moments: &CoMoments| moments.variances().iter().sum::<f64>();
        let whole = !design.difference_only;
        let correlation = |moments: &CoMoments| match whole {
            true => moments.correlation(),
            false => f64::NAN,
        };
        let worth = |moments: &CoMoments| match whole {
            true => difference.equivalent_trials(sum(moments)),
            false => 0.0,
        };
        DifferenceResult {
            trials: difference.n,
            equity: (*difference).into(),
            correlation: correlation(&self.variance_reduced),
            plain_correlation: correlation(&self.plain),
            equivalent_trials: worth(&self.plain),
            independent_trials: worth(&self.variance_reduced),
            variance: self.difference.all().variance(),
            coalesced: self.coalesced,
            nonasymptotic95: self.bets.as_ref().map(BettingInterval::interval),
            error_method: difference.method,
        }
    }

    /// Whether this can be the tally of `n` pairs of this design.
    pub(super) fn is_sound(&self, n: u64, design: &RolloutDesign) -> bool {
        self.difference.is_sound(n, &design.pair_design)
            && self.variance_reduced.count() == n
            && self.plain.count() == n
            && self.variance_reduced.is_sound()
            && self.plain.is_sound()
            && self.coalesced <= n
            && self.bets.is_some() == design.bound.is_some()
            && self.bets.iter().all(BettingInterval::is_sound)
            && self.every.is_power_of_two()
            && self.scatter.len() <= SCATTER
    }
}
