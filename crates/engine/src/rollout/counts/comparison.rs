//! The candidates compared: the one place whose answers are used by tables, verdicts, stop rules,
//! allocation and the chance to be the best. What has lost a race is not the best for any of them.
//!
//! What is known of a difference depends on how the two candidates were counted
//! ([`stats::comparison`](crate::stats::comparison)):
//!
//! * A pair is counted trial by trial.
//! * Every two of a family are counted trial by trial, or by the blocks that both have.
//! * Others are counted each by itself: under adaptive allocation, where numbers of blocks differ, and where
//!   there are too many candidates to compare every two.

use super::candidate_tally::CandidateTally;
use super::pair_tally::PairTally;
use super::pairwise::Pairwise;
use super::result::{Estimate, FamilyResult, PlayDifference};
use super::rollout_design::RolloutDesign;
use crate::rollout::request::coupling::Coupling;
use crate::rollout::request::limits::MOST_PAIRWISE;
use crate::stats::best::{self, Beside, Estimated};
use crate::stats::changes::ROUND_OFF;
use crate::stats::interval::{ALPHA, hull, negated};
use crate::stats::{Comparison, Evidence, Moments, Share, Summary};

/// What has been counted of a rollout, at one moment.
#[derive(Clone, Copy)]
pub(crate) struct Counted<'a> {
    /// Trials of each candidate; their mean where trials are shared out.
    pub(crate) trials: u64,
    pub(super) candidates: &'a [CandidateTally],
    /// Differences of two candidates.
    pub(super) pair: Option<&'a PairTally>,
    /// Differences of every two of several candidates.
    pub(super) family: &'a Pairwise,
    /// Which candidates get no more trials; empty where all do.
    pub(super) out: &'a [bool],
}

/// What the counts of a rollout say about its candidates.
pub(crate) struct Comparisons<'a> {
    design: &'a RolloutDesign,
    counted: Counted<'a>,
    own: Vec<Evidence>,
}

impl<'a> Comparisons<'a> {
    pub(crate) fn new(counted: Counted<'a>, design: &'a RolloutDesign) -> Self {
        let candidates = counted.candidates.iter().enumerate();
        Self {
            design,
            counted,
            own: candidates.map(|(i, s)| s.evidence(i, design)).collect(),
        }
    }

    /// What is known of each candidate by itself.
    pub(crate) fn own(&self) -> &[Evidence] {
        &self.own
    }

    /// Whether candidates are counted in pairs.
    fn in_pairs(&self) -> bool {
        self.counted.pair.is_some() || !self.counted.family.is_empty()
    }

    /// The least and the largest value of a trial of `i` less one of `j`, if there may be any that was
    /// not seen.
    fn bounds(&self, i: usize, j: usize) -> Option<[f64; 2]> {
        let [a, b] = [i, j].map(|i| &self.counted.candidates[i]);
        if a.is_enumerated(self.design) && b.is_enumerated(self.design) {
            return None;
        }
        let ([p, q], [r, s]) = (a.bounds(i, self.design), b.bounds(j, self.design));
        Some([p - s, q - r])
    }

    /// The comparison of candidate `i` with candidate `j`, a later one: the first less the second.
    pub(super) fn between(&self, i: usize, j: usize) -> Comparison {
        let bounds = self.bounds(i, j);
        let together = match self.counted.pair {
            Some(pair) => Some(pair.evidence(self.design, bounds)),
            None => self.counted.family.evidence(self.design, i, j, bounds),
        };
        let coupled = self.design.coupling != Coupling::None;
        Comparison::new(self.own[i], self.own[j], together, coupled)
    }

    /// The comparison of a pair; `None` if there are not two candidates.
    pub(crate) fn pair(&self) -> Option<Comparison> {
        self.counted.pair.map(|_| self.between(0, 1))
    }

    /// The estimate of each candidate, and of two that of their difference as well.
    pub(super) fn summaries(&self) -> Vec<Summary> {
        let own = self.own.iter().map(Evidence::summary);
        own.chain(self.pair_summary()).collect()
    }

    /// The estimate of the difference of two candidates. Of two plays the interval for all times is the one that decides.
    pub(super) fn pair_summary(&self) -> Option<Summary> {
        let summary = self.pair()?.summary();
        Some(match self.design.decision {
            true => summary,
            false => Summary {
                anytime95: self.interval(0, 1, ALPHA),
                ..summary
            },
        })
    }

    /// Whether candidate `i` has lost a race and gets no more trials.
    pub(crate) fn is_out(&self, i: usize) -> bool {
        self.counted.out.get(i) == Some(&true)
    }

    /// The candidate with the largest mean, the first of equals. One that has lost a race is not the best, whatever its
    /// few trials say; those still racing have equal trials.
    pub(crate) fn best(&self) -> usize {
        let open = (0..self.own.len()).filter(|&i| !self.is_out(i));
        best::first_largest(open.map(|i| (i, self.own[i].mean))).unwrap_or(0)
    }

    /// By how much candidate `i` is ahead of candidate `j`, in points.
    fn lead(&self, i: usize, j: usize) -> f64 {
        match i < j {
            true => self.between(i, j).mean(),
            false => -self.between(j, i).mean(),
        }
    }

    /// The anytime-valid interval of candidate `i` less candidate `j`, which misses with chance `alpha`. That any other
    /// candidate is said to be ahead of the best one has chance `alpha` as well: only such a statement makes a verdict
    /// wrong, so that each candidate's claim to be ahead gets its share of `alpha`.
    fn interval(&self, i: usize, j: usize, alpha: f64) -> [f64; 2] {
        if i > j {
            return negated(self.interval(j, i, alpha));
        }
        let both = self.between(i, j);
        if !self.in_pairs() {
            return both.anytime(Share::apart(alpha, self.own.len()));
        }
        let shares = &self.design.shares;
        let ends = both.anytime_ends([alpha * shares[i], alpha * shares[j]]);
        match self.counted.pair {
            Some(_) => hull(ends, both.fixed(alpha)),
            None => ends,
        }
    }

    /// By how much the best candidate leads each other one that is not out of the race. The intervals
    /// are anytime-valid and hold for all of them together, but with chance `alpha`.
    pub(crate) fn leads(&self, alpha: f64) -> Vec<(usize, [f64; 2])> {
        let best = self.best();
        (0..self.own.len())
            .filter(|&i| i != best && !self.is_out(i))
            .map(|i| (i, self.interval(best, i, alpha)))
            .collect()
    }

    /// For each other candidate that is not out of the race: whether the best one is shown to lead it, and whether it is
    /// too close to matter. Close is a play by less than `most` behind as far as is known, on which the best one is
    /// shown to lose `most` at most.
    pub(in crate::rollout) fn closeness(&self, most: f64) -> Vec<[bool; 2]> {
        let best = self.best();
        let of = |(i, [low, _]): (usize, [f64; 2])| {
            [low > 0.0, low >= -most && self.lead(best, i) <= most]
        };
        self.leads(ALPHA).into_iter().map(of).collect()
    }

    /// The two questions of a cube decision as anytime-valid intervals, which hold together but with
    /// chance `alpha`. The first is what the doubler gains by a double that is answered well. The second
    /// is what a pass costs its opponent more than a take. `None` of a rollout of something else.
    ///
    /// An opponent who answers well leaves the least of take, pass and beaver. So a double is right where
    /// all are worth more than none. Three differences, each with its third of `alpha`, answer all. A beaver
    /// doubles what the take is worth, so its gain is that of the take, and the take once more.
    pub(crate) fn cube_margins(&self, alpha: f64) -> Option<[[f64; 2]; 2]> {
        let pair = self.pair().filter(|_| self.design.decision)?;
        let alpha = alpha / 3.0;
        // Values are those of the player who is not on roll, who gives a point by a pass.
        let pass = Evidence::exact(self.counted.trials, -1.0);
        let beside_pass = |own| Comparison::new(own, pass, None, false).shown(alpha);
        let least = |a: [f64; 2], b: [f64; 2]| [a[0].min(b[0]), a[1].min(b[1])];
        let (taken, passed) = (pair.shown(alpha), beside_pass(self.own[0]));
        let answer = beside_pass(self.own[1]);
        let mut gain = least(taken, passed);
        if self.design.beavers {
            let take = [1.0 - answer[1], 1.0 - answer[0]];
            gain = least(gain, [taken[0] + take[0], taken[1] + take[1]]);
        }
        Some([gain, answer])
    }

    /// Which candidates are shown not to be the best, with error `alpha` in all: some other one leads them.
    /// Those that are out of the race count as leaders no more. They stay so, unless the race goes by a larger
    /// error: then what has left it may yet not be shown to be behind.
    pub(super) fn beaten(&self, alpha: f64) -> Vec<bool> {
        let n = self.own.len();
        // 1 less a confidence of 0.95 is a bit more than 0.05.
        let stays_out = self.design.race_alpha <= alpha + f64::EPSILON;
        let mut beaten: Vec<bool> = (0..n).map(|i| stays_out && self.is_out(i)).collect();
        for i in 0..n {
            for j in i + 1..n {
                let [low, high] = self.interval(i, j, alpha);
                beaten[i] |= high < 0.0 && !self.is_out(j);
                beaten[j] |= low > 0.0 && !self.is_out(i);
            }
        }
        beaten
    }

    /// How three or more candidates compare; `None` of fewer, or too many.
    pub(super) fn family(&self) -> Option<FamilyResult> {
        let n = self.own.len();
        if !(3..=MOST_PAIRWISE).contains(&n) {
            return None;
        }
        let pairs = (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j)));
        Some(FamilyResult {
            differences: pairs.map(|(i, j)| self.difference(i, j)).collect(),
            beaten: self.beaten(ALPHA),
            out: self.counted.out.to_vec(),
        })
    }

    fn difference(&self, first: usize, second: usize) -> PlayDifference {
        let n = self.own.len();
        let both = self.between(first, second);
        let Summary {
            n: trials,
            mean,
            se,
            ci95,
            anytime95,
            ..
        } = both.summary();
        PlayDifference {
            first,
            second,
            trials,
            equity: Estimate {
                mean: if trials > 0 { mean } else { f64::NAN },
                se,
                ci95,
                anytime95,
            },
            simultaneous_ci95: both.fixed(ALPHA / (n * (n - 1) / 2) as f64),
            simultaneous_anytime95: self.interval(first, second, ALPHA),
            correlation: self.counted.family.correlation(self.design, first, second),
        }
    }

    /// Returns the ratio of two widths: of the anytime-valid interval of the best candidate's lead, and of the fixed-sample
    /// one. It is taken for the rival whose anytime-valid interval has the lowest end.
    fn widening(&self) -> f64 {
        let leads = self.leads(ALPHA).into_iter();
        let nearest = leads.min_by(|a, b| a.1[0].total_cmp(&b.1[0]));
        nearest.map_or(1.0, |(i, [low, _])| {
            let best = self.best();
            let fixed = self.between(best.min(i), best.max(i)).fixed(ALPHA);
            let [fixed_low, _] = if best < i { fixed } else { negated(fixed) };
            let lead = self.lead(best, i);
            ((lead - low) / (lead - fixed_low)).max(1.0)
        })
    }

    /// Returns the chance of each candidate to be the best. The standard errors are multiplied by [`Self::widening`], so
    /// that the chances agree with the verdict.
    pub(crate) fn chances(&self) -> Vec<f64> {
        if let Some(pair) = self.pair() {
            // The candidates of a cube decision are chosen by the other player.
            let first = match self.design.decision {
                true => 1.0 - pair.chance_first(1.0),
                false => pair.chance_first(self.widening()),
            };
            return vec![first, 1.0 - first];
        }
        let widening = self.widening();
        // A play that is out of the race is decided.
        let factor = |i| if self.is_out(i) { 1.0 } else { widening };
        let factors: Vec<f64> = (0..self.own.len()).map(factor).collect();
        let beside = self.beside();
        let covariance = self.covariance(beside.as_ref(), &factors);
        let chances = match covariance.filter(|_| widening.is_finite()) {
            Some(covariance) => {
                let open = self.own.iter().filter(|e| !e.is_exact());
                let fewest = open.map(|e| e.blocks.count()).min().unwrap_or(0);
                let dof = fewest.saturating_sub(1) as f64;
                let estimates = self.estimated(beside.as_ref(), &factors);
                best::chances_together(&estimates, &covariance, dof, beside.as_ref())
            }
            None => best::chances(&self.estimated(None, &factors)),
        };
        self.shared_by_tied(chances)
    }

    /// Which candidates are known better beside the best than by themselves: those that vary as it does, once
    /// numbers of trials differ. In a race the means of those that are out hold the luck of their few trials,
    /// which they share with the best. `None` where all have equal trials: then the means differ as the pairs do.
    fn beside(&self) -> Option<Beside> {
        let reference = self.best();
        let varies = |i: usize| {
            let own = &self.own[i];
            own.n > 0 && !own.is_exact() && own.rare.is_none()
        };
        let differs = |i: usize| i != reference && varies(reference) && varies(i);
        let differs: Vec<bool> = (0..self.own.len()).map(differs).collect();
        let all = self.own.iter().zip(&differs);
        let mut unequal = all.filter(|(e, differs)| **differs && e.n != self.own[reference].n);
        unequal
            .next()
            .is_some()
            .then_some(Beside { reference, differs })
    }

    /// The estimate of each candidate, or of its difference to the best, with its standard error multiplied by its
    /// factor.
    fn estimated(&self, beside: Option<&Beside>, factors: &[f64]) -> Vec<Estimated> {
        let estimated = |(i, own): (usize, &Evidence)| {
            let own = own.estimated().widened(factors[i]);
            match beside {
                Some(beside) if beside.differs[i] => Estimated {
                    mean: self.lead(i, beside.reference),
                    ..own
                },
                _ => own,
            }
        };
        self.own.iter().enumerate().map(estimated).collect()
    }

    /// Chances to be the best, shared equally by candidates that differ by rounding alone: neither the last
    /// bits nor the order in which they were named says which is better.
    fn shared_by_tied(&self, mut chances: Vec<f64>) -> Vec<f64> {
        let n = self.own.len();
        let alike = |i: usize, j: usize| {
            let both = self.between(i, j);
            // What has never differed in equally many trials is as even, though it may differ yet.
            let never = self.own[i].n == self.own[j].n && both.error().0 <= ROUND_OFF;
            both.is_tied() || (never && both.mean().abs() <= ROUND_OFF)
        };
        let mut done = vec![false; n];
        for i in 0..n {
            let level: Vec<usize> = (i..n)
                .filter(|&j| !done[j] && (j == i || alike(i, j)))
                .collect();
            if done[i] || level.len() < 2 {
                continue;
            }
            let sum: f64 = level.iter().map(|&j| chances[j]).sum();
            for &j in &level {
                chances[j] = sum / level.len() as f64;
                done[j] = true;
            }
        }
        chances
    }

    /// Covariances of what is known of the candidates, row by row, from those of block means, for errors multiplied by
    /// these factors; `None` while too few blocks are in, and where nothing couples the candidates.
    fn covariance(&self, beside: Option<&Beside>, factors: &[f64]) -> Option<Vec<f64>> {
        let open = self.own.iter().filter(|e| !e.is_exact()).count();
        if self.design.coupling == Coupling::None || open < 2 {
            return None;
        }
        let blocks: Vec<Moments> = self.own.iter().map(|e| e.blocks).collect();
        let mut all = self
            .counted
            .family
            .covariance(self.design, &blocks, beside)?;
        for (i, e) in self.own.iter().enumerate() {
            if e.rare.is_some() || e.is_exact() {
                all[i * self.own.len() + i] = e.standard_error() * e.standard_error();
            }
        }
        let n = factors.len();
        for (place, one) in all.iter_mut().enumerate() {
            *one *= factors[place / n] * factors[place % n];
        }
        Some(all)
    }

    /// Mean of the blocks of each candidate, and their spread: trials are shared out by these.
    pub(super) fn spreads(&self) -> Vec<(f64, f64)> {
        let spread = |e: &Evidence| {
            let mean = if e.is_exact() {
                e.mean
            } else {
                e.blocks.mean()
            };
            (mean, e.block_spread())
        };
        self.own.iter().map(spread).collect()
    }
}
