//! What a rollout knows at one moment: published while it runs, printed when it ends.

use serde::{Deserialize, Serialize};

pub use super::extremes::ExtremeTrial;
use crate::cube::dahl::States;
use crate::eval::Probabilities;
use crate::rollout::trials::cubeful::MwcLine;
pub use crate::stats::ErrorMethod;
use crate::stats::Summary;
use crate::stats::best::{self, Estimated};
use crate::stats::changes::ROUNDING;
use crate::stats::interval::normal_error;
use crate::stats::interval::{half_width, negated};

/// An estimate with its errors, in points (or as a chance). Errors are infinite while nothing can
/// be said of them yet (fewer than two trials; fewer than five blocks of 36 for the anytime
/// interval). JSON has no infinity and shows null.
#[derive(Clone, Copy, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Estimate {
    pub mean: f64,
    /// Its standard error.
    pub se: f64,
    /// 95% interval for a number of trials that was fixed in advance. Once a rollout has ended whose rules looked at
    /// results, it is the one that holds at all times: the number of trials was theirs.
    pub ci95: [f64; 2],
    /// 95% interval that holds at all times at once, so that one may stop when one likes.
    pub anytime95: [f64; 2],
}

impl From<Summary> for Estimate {
    fn from(s: Summary) -> Self {
        Self {
            mean: s.mean,
            se: s.se,
            ci95: s.ci95,
            anytime95: s.anytime95,
        }
    }
}

impl Estimate {
    /// The estimate of what is not known: no mean, and every value is possible.
    pub(super) const NONE: Self = Self {
        mean: f64::NAN,
        se: f64::INFINITY,
        ci95: [f64::NEG_INFINITY, f64::INFINITY],
        anytime95: [f64::NEG_INFINITY, f64::INFINITY],
    };

    /// This estimate with the interval that holds at all times in the place of the other one, if it has an end yet.
    fn as_watched(&mut self) {
        if half_width(self.anytime95).is_finite() {
            self.ci95 = self.anytime95;
        }
    }

    /// The estimate of what is known without trials.
    pub fn exact(value: f64) -> Self {
        Self {
            mean: value,
            se: 0.0,
            ci95: [value; 2],
            anytime95: [value; 2],
        }
    }

    /// Chance that what is estimated lies above `value`, as far as the trials tell: a normal
    /// distribution as wide as the fixed-sample interval.
    fn chance_above(&self, value: f64) -> f64 {
        best::above_zero(Estimated {
            mean: self.mean - value,
            se: normal_error(self.ci95),
            dof: f64::INFINITY,
            allowance: None,
        })
    }

    /// Chance that what is estimated is `value` or more, as far as the trials tell: where all of them say the same, a tie
    /// counts as well. A double that costs nothing is worth as much as none in each.
    pub fn chance_at_least(&self, value: f64) -> f64 {
        match self.se <= ROUNDING && (self.mean - value).abs() <= ROUNDING {
            true => 1.0,
            false => self.chance_above(value),
        }
    }

    /// The estimate of `whole` less this quantity: the same trials seen from the other side.
    pub fn mirrored(&self, whole: f64) -> Self {
        Self {
            mean: whole - self.mean,
            se: self.se,
            ci95: [whole - self.ci95[1], whole - self.ci95[0]],
            anytime95: [whole - self.anytime95[1], whole - self.anytime95[0]],
        }
    }
}

/// The rollout of one candidate play.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct CandidateResult {
    /// Trials done.
    pub trials: u64,
    /// Equity of the play in points, for the player who makes it, luck subtracted.
    pub equity: Estimate,
    /// Equity of the play in points, for the player who makes it, without subtracting any luck.
    pub plain: Estimate,
    /// Variance-reduced chances `[win, win_gammon, win_backgammon, lose_gammon, lose_backgammon]`.
    pub probabilities: [Estimate; 5],
    /// Plain trials (of independent dice) that would give the same standard error: the variance
    /// of the plain results over the squared standard error. Infinite where there is no error,
    /// 0 where it is unknown.
    pub equivalent_trials: f64,
    /// Variance of one trial's equity: plain, and with the luck subtracted.
    pub variances: [f64; 2],
    /// Which estimator gave the standard errors.
    pub error_method: ErrorMethod,
    /// 95% interval of the equity that holds at all times and rests on no approximation, where
    /// variance-reduced results are bounded. Where the dice balance pairs of rolls it is not proved: see
    /// [`betting`](crate::stats::betting).
    pub nonasymptotic95: Option<[f64; 2]>,
    /// 95% interval of the plain equity that holds at all times and rests on no approximation.
    pub plain_nonasymptotic95: [f64; 2],
    /// The trials with the lowest and the highest variance-reduced results.
    pub extremes: Vec<ExtremeTrial>,
    /// What the cube did, in a cubeful rollout.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cube: Option<CubeSeen>,
    /// Equities on a cube of 1 that is centred, the player's or the other's, in a rollout with a settlement
    /// limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub states: Option<States<Estimate>>,
    /// Chance that this play is the best of those rolled out, as far as the trials tell, with errors as large as the
    /// anytime-valid intervals say.
    pub p_best: f64,
}

/// What the cube did in the trials of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct CubeSeen {
    /// The largest cube that was seen.
    pub largest: u32,
    /// Trials that ended with a pass.
    pub passed: u64,
}

/// The difference between two candidates, first less second.
#[derive(Clone, Copy, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct DifferenceResult {
    /// Trial pairs done.
    pub trials: u64,
    /// Equity of the first play less that of the second.
    pub equity: Estimate,
    /// Correlation between the two candidates' (variance-reduced) results.
    pub correlation: f64,
    /// Correlation between the two candidates' plain results.
    pub plain_correlation: f64,
    /// Independent plain trials of each of the two plays that would give the same standard error:
    /// the sum of the variances of the plain results over the squared standard error.
    pub equivalent_trials: f64,
    /// Trials of each of the two plays, with the same luck subtracted but dice of their own, that would give
    /// the same standard error: what the coupling (and the stratification of the dice) has gained by itself.
    #[serde(default)]
    pub independent_trials: f64,
    /// Trials in which the two candidates coalesced, so that the rest was shared.
    #[serde(default)]
    pub coalesced: u64,
    /// Variance of the difference of one pair of trials.
    pub variance: f64,
    /// 95% interval that holds at all times and rests on no approximation, where
    /// variance-reduced results are bounded.
    pub nonasymptotic95: Option<[f64; 2]>,
    /// Which estimator gave the standard error.
    pub error_method: ErrorMethod,
}

impl DifferenceResult {
    /// The interval that holds whenever one looks, for a rollout whose rules look at results.
    pub(super) fn as_watched(&mut self) {
        self.equity.as_watched();
    }
}

/// The difference between two of several candidates: from the trials that both have, or in a race from the
/// blocks that both have; under adaptive allocation from each candidate's own results.
#[derive(Clone, Copy, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct PlayDifference {
    /// Place of the first among the candidates.
    pub first: usize,
    /// Place of the second.
    pub second: usize,
    /// Trials that both have, in a race in complete blocks; under adaptive allocation those of the one that
    /// has fewer.
    pub trials: u64,
    /// Equity of the first less that of the second. The fixed-sample error is that of the differences of
    /// single trials where both have played them in step, else that of block means; the anytime-valid
    /// interval runs over block means. The intervals are for this difference alone.
    pub equity: Estimate,
    /// Fixed-sample interval that holds for all differences of the family together with 95%.
    pub simultaneous_ci95: [f64; 2],
    /// Interval that holds at all times, with 95% for all differences of the best candidate, whichever
    /// that is, with the others together. It decides which candidates are beaten.
    pub simultaneous_anytime95: [f64; 2],
    /// Correlation of the two candidates' results, trial by trial while they are played in step, else of
    /// their block means; not a number where they share too little (adaptive allocation) or one never varied.
    pub correlation: f64,
}

/// Three or more candidates compared with each other.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct FamilyResult {
    /// Every two candidates, in the order (0, 1), (0, 2), …, (1, 2), …
    pub differences: Vec<PlayDifference>,
    /// For each candidate whether it is shown not to be the best, with 95% for all of them at all times.
    pub beaten: Vec<bool>,
    /// For each candidate whether it has lost a race, by the confidence of that, and gets no more trials; empty where
    /// all get some.
    pub out: Vec<bool>,
}

impl FamilyResult {
    /// The intervals that hold whenever one looks, for a rollout whose rules look at results.
    pub(super) fn as_watched(&mut self) {
        for difference in &mut self.differences {
            difference.equity.as_watched();
            if half_width(difference.simultaneous_anytime95).is_finite() {
                difference.simultaneous_ci95 = difference.simultaneous_anytime95;
            }
        }
    }

    /// Whether `candidate` has lost a race, be it by less than 95%.
    pub fn is_out(&self, candidate: usize) -> bool {
        self.out.get(candidate) == Some(&true)
    }

    /// Whether `candidate` is shown not to be the best, or is out of the race.
    pub fn is_closed(&self, candidate: usize) -> bool {
        self.beaten.get(candidate) == Some(&true) || self.is_out(candidate)
    }

    /// The candidate that `candidate` is shown to be worse than, if it is: the one of the clearest lead.
    pub fn leader(&self, candidate: usize) -> Option<usize> {
        if self.beaten.get(candidate) != Some(&true) {
            return None;
        }
        let others = (0..self.beaten.len()).filter(|&other| other != candidate);
        let lead = |other| {
            Some((
                other,
                self.difference(other, candidate)?.simultaneous_anytime95[0],
            ))
        };
        let most = others.filter_map(lead).max_by(|a, b| a.1.total_cmp(&b.1));
        most.map(|(other, _)| other)
    }

    /// The difference of candidate `first` less candidate `second`; `None` if it is not among those compared.
    pub fn difference(&self, first: usize, second: usize) -> Option<PlayDifference> {
        self.differences.iter().find_map(|d| {
            if (d.first, d.second) == (first, second) {
                return Some(*d);
            }
            ((d.first, d.second) == (second, first)).then(|| PlayDifference {
                first,
                second,
                equity: d.equity.mirrored(0.0),
                simultaneous_ci95: negated(d.simultaneous_ci95),
                simultaneous_anytime95: negated(d.simultaneous_anytime95),
                ..*d
            })
        })
    }
}

impl CandidateResult {
    /// Whether every trial ended with a pass, and with the same result: the interval then says nothing of how sure the
    /// pass is.
    pub fn is_passed(&self) -> bool {
        let cube = self.cube.as_ref();
        self.error_method == ErrorMethod::Constant
            && cube.is_some_and(|cube| cube.passed == self.trials)
    }

    /// The estimated chances of the player who makes the play.
    pub fn chances(&self) -> Probabilities {
        Probabilities::from_array(self.probabilities.each_ref().map(|p| p.mean as f32))
    }

    /// The intervals that hold whenever one looks, for a rollout whose rules look at results.
    pub(super) fn as_watched(&mut self) {
        let [equity, plain] = [&mut self.equity, &mut self.plain];
        let all = self.probabilities.iter_mut().chain([equity, plain]);
        all.for_each(Estimate::as_watched);
        if let Some(states) = &mut self.states {
            *states = states.map(|mut state| {
                state.as_watched();
                state
            });
        }
    }

    /// This candidate where the trials tell only the difference to the other one: without estimates, but for
    /// the number of trials. Trials that end where two candidates coalesce leave each candidate's own result
    /// to the evaluator's estimate, whose errors no interval shows.
    pub(super) fn of_difference(&self) -> Self {
        Self {
            trials: self.trials,
            equity: Estimate::NONE,
            plain: Estimate::NONE,
            probabilities: [Estimate::NONE; 5],
            equivalent_trials: 0.0,
            variances: [f64::NAN; 2],
            error_method: ErrorMethod::NotEstimated,
            nonasymptotic95: None,
            plain_nonasymptotic95: [f64::NEG_INFINITY, f64::INFINITY],
            extremes: Vec::new(),
            cube: self.cube,
            states: None,
            p_best: self.p_best,
        }
    }

    /// This candidate seen by the opponent. A rollout of a position *before the roll* needs this: its
    /// candidate is the position itself, and its player is the one on roll.
    pub fn flipped(&self) -> Self {
        let [win, gammon, backgammon, lose_gammon, lose_backgammon] = self.probabilities;
        Self {
            equity: self.equity.mirrored(0.0),
            plain: self.plain.mirrored(0.0),
            probabilities: [
                win.mirrored(1.0),
                lose_gammon,
                lose_backgammon,
                gammon,
                backgammon,
            ],
            nonasymptotic95: self.nonasymptotic95.map(negated),
            plain_nonasymptotic95: negated(self.plain_nonasymptotic95),
            extremes: self.extremes.iter().rev().map(flipped).collect(),
            states: self.states.map(|s| s.flipped().map(|e| e.mirrored(0.0))),
            ..self.clone()
        }
    }
}

fn flipped(trial: &ExtremeTrial) -> ExtremeTrial {
    ExtremeTrial {
        trial: trial.trial,
        variance_reduced: -trial.variance_reduced,
        plain: -trial.plain,
    }
}

/// The estimate after some number of trials, for the convergence chart.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct HistoryPoint {
    /// Trials of each candidate.
    pub trials: u64,
    /// Mean so far: of the difference for a pair, else of this candidate.
    pub mean: f64,
    /// Half-width of the fixed-sample 95% interval.
    #[serde(deserialize_with = "null_is_infinite")]
    pub ci95: f64,
    /// Half-width of the anytime 95% interval (infinite while it says nothing yet).
    #[serde(deserialize_with = "null_is_infinite")]
    pub anytime95: f64,
}

/// JSON has no infinity: it is written as null, and read back by this.
fn null_is_infinite<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    Ok(Option::<f64>::deserialize(deserializer)?.unwrap_or(f64::INFINITY))
}

/// Where a rollout stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Trials are being played.
    Running,
    /// Stopped for a while.
    Paused,
    /// Ended.
    Done(StopReason),
}

impl Status {
    /// Returns whether a stop rule ended the rollout, not a clock or the user.
    pub fn is_by_rule(self) -> bool {
        use StopReason::{Cancelled, Failed, Time};
        matches!(self, Self::Done(reason) if !matches!(reason, Time | Cancelled | Failed))
    }
}

/// Why a rollout ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// All trials asked for are done.
    Trials,
    /// The standard error is small enough.
    StandardError,
    /// The anytime interval is narrow enough.
    Width,
    /// The best play is shown to be better than every other.
    Separated,
    /// The plays that are not shown worse are shown to be too close to matter.
    Equivalent,
    /// The time is up.
    Time,
    /// Somebody cancelled it; what was done counts.
    Cancelled,
    /// A worker failed; what was done before counts. See `RolloutHandle::failure`.
    Failed,
}

/// A whole rollout at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct RolloutResult {
    /// The results of the candidates, in the order in which these were given.
    pub candidates: Vec<CandidateResult>,
    /// For exactly two candidates: their difference.
    pub difference: Option<DifferenceResult>,
    /// Estimates over time, at most some hundreds of points: one list a candidate, and for two
    /// candidates a third one for the difference.
    pub history: Vec<Vec<HistoryPoint>>,
    /// A thinned sample of (first, second) variance-reduced results of pairs, for a scatter plot.
    pub scatter: Vec<[f32; 2]>,
    /// For three or more candidates, up to sixteen: how they compare.
    pub family: Option<FamilyResult>,
    /// Where the rollout stands.
    pub status: Status,
    /// Trials (of all candidates) per second of running.
    pub trials_per_second: f64,
    /// Seconds of running, pauses not counted.
    pub seconds: f64,
    /// CPU seconds of all workers (where the system does not tell: seconds they were at work).
    pub cpu_seconds: f64,
    /// In a cubeful rollout at a score: the match-winning chance of the player who makes the candidate
    /// play.
    pub mwc: Option<MwcLine>,
    /// Of a cube decision: what a double gains whatever the opponent answers, as an anytime-valid 95% interval that
    /// holds for all answers together.
    pub double_gain95: Option<[f64; 2]>,
}

/// The place of the best candidate: see [`RolloutResult::best`].
pub(super) fn best_of(
    candidates: &[CandidateResult],
    family: Option<&FamilyResult>,
) -> Option<usize> {
    let is_closed = |i: usize| family.is_some_and(|family| family.is_closed(i));
    let is_open = |i: &usize| candidates[*i].trials > 0 && !is_closed(*i);
    let open = (0..candidates.len()).filter(is_open);
    best::first_largest(open.map(|i| (i, candidates[i].equity.mean)))
}

impl RolloutResult {
    /// The candidate with the largest mean of those that have trials, are in the race and are not shown to be
    /// worse, the first of equals.
    pub fn best(&self) -> Option<usize> {
        best_of(&self.candidates, self.family.as_ref())
    }

    /// The places of the candidates, the best first. Then, by equity beside the best one, come those that may still
    /// be it, those that have lost a race, and those without trials.
    pub fn best_first(&self) -> Vec<usize> {
        let best = self.best();
        let is_out = |i: usize| self.family.as_ref().is_some_and(|family| family.is_out(i));
        let key = |i: usize| {
            let equity = self.equity_beside_best(i);
            let rank = (Some(i) != best, is_out(i));
            (equity.is_none(), rank, equity.unwrap_or_default())
        };
        let mut order: Vec<usize> = (0..self.candidates.len()).collect();
        order.sort_by(|&i, &j| {
            let (a, b) = (key(i), key(j));
            (a.0, a.1).cmp(&(b.0, b.1)).then(b.2.total_cmp(&a.2))
        });
        order
    }

    /// What candidate `place` is worth, in points, once it has trials: beside the best one where their numbers differ.
    ///
    /// A race gives no more games to a candidate that is shown to be worse, while the best goes on. Their means then
    /// rest on different games. The comparison knows them better by the games that both have.
    pub fn equity_beside_best(&self, place: usize) -> Option<f64> {
        let own = self.candidates.get(place).filter(|one| one.trials > 0)?;
        Some(self.beside_best(place).unwrap_or(own.equity.mean))
    }

    /// The equity of the best candidate of a family less what it leads this one by; `None` where that is not known
    /// better than by their means.
    fn beside_best(&self, place: usize) -> Option<f64> {
        let (family, best) = (self.family.as_ref()?, self.best()?);
        let (own, leader) = (&self.candidates[place], &self.candidates[best]);
        if own.trials == leader.trials {
            return None;
        }
        let lead = family.difference(best, place).filter(|d| d.trials > 0)?;
        let mean = leader.equity.mean;
        // What few games say of a candidate that is out does not put it first again.
        let most = match family.is_closed(place) {
            true => mean.next_down(),
            false => mean,
        };
        Some((mean - lead.equity.mean).min(most))
    }

    /// The equity of candidate `first` less that of candidate `second`, where the two are compared with each other.
    pub fn compared(&self, first: usize, second: usize) -> Option<Estimate> {
        let family = self.family.as_ref();
        let of_family = family.and_then(|family| family.difference(first, second));
        let pair = self.difference.filter(|pair| pair.trials > 0);
        let of_pair = pair.map(|pair| match first < second {
            true => pair.equity,
            false => pair.equity.mirrored(0.0),
        });
        of_family.map(|difference| difference.equity).or(of_pair)
    }

    /// A rollout of which nothing has been counted.
    pub fn empty(status: Status) -> Self {
        Self {
            candidates: Vec::new(),
            difference: None,
            history: Vec::new(),
            scatter: Vec::new(),
            family: None,
            status,
            trials_per_second: 0.0,
            seconds: 0.0,
            cpu_seconds: 0.0,
            mwc: None,
            double_gain95: None,
        }
    }
}
