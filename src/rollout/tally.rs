//! What a rollout counts up, and what it reads from that.
//!
//! Trials are taken in strictly in order, by whichever worker happens to come by, so a tally is a
//! function of the settings and of how many trials it holds, of nothing else.

use serde::{Deserialize, Serialize};

use crate::eval::Evaluator;
use crate::game::roll::{DISTINCT, ORDERED};
use crate::game::{Position, Roll};
use crate::stats::{CoMoments, Series, Summary, best};

use super::result::{DifferenceResult, ErrorMethod, HistoryPoint, StrandResult};
use super::settings::{Coupling, Reduction, Settings};
use super::trial::{Outcome, equity};

/// Most points of the scatter plot.
const SCATTER: usize = 512;
/// A point is added to the history whenever the trials have grown by this factor.
const GROWTH: f64 = 1.03;
/// Most points that a game is worth, cubeless.
const MOST_POINTS: f64 = 3.0;

/// What does not change while trials come in.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    /// Weights of the strata of the first roll; none without rotation.
    pub(super) weights: Vec<f64>,
    /// Chances of strands whose start is known exactly.
    pub(super) known: Vec<Option<[f64; 5]>>,
    coupling: Coupling,
    reduction: Reduction,
    /// Whether both of two strands start from the same position.
    alike: bool,
}

impl Frame {
    pub(super) fn new(
        evaluator: &dyn Evaluator,
        candidates: &[Position],
        settings: &Settings,
    ) -> Self {
        let weights = match (settings.rotation, settings.coupling) {
            (false, _) => Vec::new(),
            (true, Coupling::Rank) => vec![1.0 / ORDERED as f64; ORDERED],
            (true, _) => Roll::ALL
                .iter()
                .map(|r| f64::from(r.weight()) / ORDERED as f64)
                .collect(),
        };
        let known = |p: &Position| {
            let chances = evaluator.exact(p)?.turned();
            Some(chances.to_array().map(f64::from))
        };
        Self {
            weights,
            known: candidates.iter().map(known).collect(),
            coupling: settings.coupling,
            reduction: settings.reduction,
            alike: candidates.len() == 2 && candidates[0] == candidates[1],
        }
    }

    /// The stratum of a trial whose first number is `number`: its first roll (two ordered rolls of
    /// the same dice are one group), or its first rank.
    pub(super) fn stratum(&self, number: u8) -> u8 {
        match self.weights.len() {
            DISTINCT => Roll::ordered(usize::from(number)).index() as u8,
            ORDERED => number,
            _ => 0,
        }
    }

    /// Strata of the differences: strands with dice of their own have none in common.
    fn pair_strata(&self) -> usize {
        match self.coupling {
            Coupling::None => 0,
            _ => self.weights.len(),
        }
    }
}

/// All that is counted of a rollout.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Tally {
    /// Trials of each strand.
    pub(super) trials: u64,
    strands: Vec<StrandTally>,
    pair: Option<PairTally>,
    history: Vec<Vec<HistoryPoint>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct StrandTally {
    equity: Series,
    plain: Series,
    chances: [Series; 5],
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct PairTally {
    difference: Series,
    reduced: CoMoments,
    plain: CoMoments,
    scatter: Vec<[f32; 2]>,
    /// One trial in this many is kept for the scatter plot.
    every: u64,
}

impl StrandTally {
    fn new(strata: usize) -> Self {
        Self {
            equity: Series::new(strata),
            plain: Series::new(strata),
            chances: std::array::from_fn(|_| Series::new(strata)),
        }
    }

    fn push(&mut self, outcome: &Outcome) {
        let stratum = usize::from(outcome.stratum);
        let reduced = outcome.reduced();
        self.equity.push(stratum, equity(&reduced));
        self.plain.push(stratum, equity(&outcome.value));
        for (series, chance) in self.chances.iter_mut().zip(reduced) {
            series.push(stratum, chance);
        }
    }

    /// Whether nothing has varied at all, neither the results nor the luck.
    fn is_constant(&self) -> bool {
        self.equity.is_constant() && self.plain.is_constant()
    }

    fn equity(&self, known: Option<[f64; 5]>, frame: &Frame) -> Summary {
        self.points(&self.equity, self.is_constant(), known, frame)
    }

    fn plain(&self, known: Option<[f64; 5]>, frame: &Frame) -> Summary {
        self.points(&self.plain, self.plain.is_constant(), known, frame)
    }

    fn points(
        &self,
        series: &Series,
        constant: bool,
        known: Option<[f64; 5]>,
        frame: &Frame,
    ) -> Summary {
        match known {
            Some(known) if self.is_begun() => Summary::exact(series.all().count(), equity(&known)),
            _ if constant => series.constant_summary(&frame.weights, -MOST_POINTS, MOST_POINTS),
            _ => series.summary(&frame.weights),
        }
    }

    /// The chance number `i`. Plain ones lie between 0 and 1, and so do reduced ones while there is
    /// neither event nor luck.
    fn chance(&self, i: usize, known: Option<[f64; 5]>, frame: &Frame) -> Summary {
        let series = &self.chances[i];
        let certain = series.is_constant() && [0.0, 1.0].contains(&series.all().mean());
        match known {
            Some(known) if self.is_begun() => Summary::exact(series.all().count(), known[i]),
            _ if frame.reduction == Reduction::None || certain => {
                series.chance_summary(&frame.weights)
            }
            _ => series.summary(&frame.weights),
        }
    }

    fn is_begun(&self) -> bool {
        self.equity.all().count() > 0
    }

    fn result(&self, known: Option<[f64; 5]>, frame: &Frame) -> StrandResult {
        let reduced = self.equity(known, frame);
        StrandResult {
            trials: reduced.n,
            equity: reduced.into(),
            plain: self.plain(known, frame).into(),
            probabilities: std::array::from_fn(|i| self.chance(i, known, frame).into()),
            equivalent_trials: equivalent(self.plain.all().variance(), &reduced),
            errors: reduced.method,
            p_best: 0.0,
        }
    }
}

/// Plain trials with results of this variance that would have the error of `estimate`.
fn equivalent(plain_variance: f64, estimate: &Summary) -> f64 {
    if estimate.method == ErrorMethod::Exact {
        return f64::INFINITY;
    }
    if !plain_variance.is_finite() || !estimate.se.is_finite() {
        return 0.0;
    }
    match (plain_variance > 0.0, estimate.se > 0.0) {
        (_, true) => plain_variance / (estimate.se * estimate.se),
        (true, false) => f64::INFINITY,
        // Nothing has varied at all: the trials are worth what they are.
        (false, false) => estimate.n as f64,
    }
}

impl PairTally {
    fn new(strata: usize) -> Self {
        Self {
            difference: Series::new(strata),
            reduced: CoMoments::default(),
            plain: CoMoments::default(),
            scatter: Vec::new(),
            every: 1,
        }
    }

    fn push(&mut self, trial: u64, a: &Outcome, b: &Outcome) {
        let [x, y] = [a, b].map(|o| equity(&o.reduced()));
        self.difference.push(usize::from(a.stratum), x - y);
        self.reduced.push(x, y);
        self.plain.push(equity(&a.value), equity(&b.value));
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
}

impl Tally {
    pub(super) fn new(frame: &Frame) -> Self {
        let strands = frame.known.len();
        let pair = (strands == 2).then(|| PairTally::new(frame.pair_strata()));
        Self {
            trials: 0,
            strands: vec![StrandTally::new(frame.weights.len()); strands],
            history: vec![Vec::new(); strands + usize::from(pair.is_some())],
            pair,
        }
    }

    /// Takes in the next trial of every strand.
    pub(super) fn push(&mut self, outcomes: &[Outcome]) {
        for (strand, outcome) in self.strands.iter_mut().zip(outcomes) {
            strand.push(outcome);
        }
        if let (Some(pair), [a, b]) = (&mut self.pair, outcomes) {
            pair.push(self.trials, a, b);
        }
        self.trials += 1;
    }

    /// Puts down where the estimates stand, if the trials have grown enough since the last time.
    pub(super) fn note_history(&mut self, frame: &Frame) {
        let last = self.history[0].last().map_or(0, |p| p.trials);
        if (self.trials as f64) < last as f64 * GROWTH || self.trials == last {
            return;
        }
        let points = self.points(frame);
        for (list, point) in self.history.iter_mut().zip(points) {
            list.push(point);
        }
    }

    /// Where the estimates stand now: one point for each list of the history.
    fn points(&self, frame: &Frame) -> Vec<HistoryPoint> {
        let half = |i: [f64; 2]| (i[1] - i[0]) / 2.0;
        self.summaries(frame)
            .into_iter()
            .map(|s| HistoryPoint {
                trials: self.trials,
                mean: s.mean,
                ci95: half(s.ci95),
                anytime95: half(s.anytime95),
            })
            .collect()
    }

    /// The equity of each strand and, of two, their difference.
    fn summaries(&self, frame: &Frame) -> Vec<Summary> {
        let each = self.strands.iter().zip(&frame.known);
        let mut all: Vec<Summary> = each
            .map(|(strand, &known)| strand.equity(known, frame))
            .collect();
        if let Some(pair) = &self.pair {
            let constant = self.strands.iter().all(StrandTally::is_constant);
            all.push(pair_summary(pair, &all, constant, frame));
        }
        all
    }

    /// The standard error that a stop rule is about: of the difference for a pair, else the
    /// largest of the strands'.
    pub(super) fn stop_error(&self, frame: &Frame) -> f64 {
        let all = self.summaries(frame);
        match &self.pair {
            Some(_) => all[all.len() - 1].se,
            None => all.iter().map(|s| s.se).fold(0.0, f64::max),
        }
    }

    /// What is known of each strand, and of the difference of two.
    pub(super) fn results(&self, frame: &Frame) -> (Vec<StrandResult>, Option<DifferenceResult>) {
        let each = self.strands.iter().zip(&frame.known);
        let mut strands: Vec<StrandResult> = each
            .map(|(strand, &known)| strand.result(known, frame))
            .collect();
        let difference = self.pair.as_ref().map(|pair| {
            let all = self.summaries(frame);
            pair_result(pair, &all[all.len() - 1])
        });
        let chances = match &difference {
            Some(d) => {
                let first = best::above_zero(d.equity.mean, d.equity.se);
                vec![first, 1.0 - first]
            }
            None => {
                let estimates: Vec<_> = strands
                    .iter()
                    .map(|s| (s.equity.mean, s.equity.se))
                    .collect();
                best::chances(&estimates)
            }
        };
        for (strand, chance) in strands.iter_mut().zip(chances) {
            strand.p_best = chance;
        }
        (strands, difference)
    }

    /// The history, with where it stands now at its end.
    pub(super) fn history(&self, frame: &Frame) -> Vec<Vec<HistoryPoint>> {
        let mut history = self.history.clone();
        if self.trials > 0 {
            for (list, point) in history.iter_mut().zip(self.points(frame)) {
                if list.last().is_none_or(|last| last.trials < point.trials) {
                    list.push(point);
                }
            }
        }
        history
    }

    /// The sample for the scatter plot.
    pub(super) fn scatter(&self) -> Vec<[f32; 2]> {
        self.pair
            .as_ref()
            .map_or_else(Vec::new, |p| p.scatter.clone())
    }

    /// Whether this can be the tally of a rollout in this frame: for what comes from a file.
    pub(super) fn is_sound(&self, frame: &Frame) -> bool {
        let (n, strata) = (self.trials, frame.weights.len());
        let strand = |s: &StrandTally| {
            s.equity.is_sound(n, strata)
                && s.plain.is_sound(n, strata)
                && s.chances.iter().all(|c| c.is_sound(n, strata))
        };
        let pair = |p: &PairTally| {
            p.difference.is_sound(n, frame.pair_strata())
                && p.reduced.count() == n
                && p.plain.count() == n
                && p.reduced.is_sound()
                && p.plain.is_sound()
                && p.every.is_power_of_two()
                && p.scatter.len() <= SCATTER
        };
        let pairs = usize::from(self.pair.is_some());
        self.strands.len() == frame.known.len()
            && pairs == usize::from(self.strands.len() == 2)
            && self.history.len() == self.strands.len() + pairs
            && self.strands.iter().all(strand)
            && self.pair.iter().all(pair)
    }
}

fn pair_summary(pair: &PairTally, strands: &[Summary], constant: bool, frame: &Frame) -> Summary {
    let (a, b) = (&strands[0], &strands[1]);
    if a.method == ErrorMethod::Exact && b.method == ErrorMethod::Exact {
        return Summary::exact(a.n, a.mean - b.mean);
    }
    match frame.coupling {
        Coupling::None => Summary::independent_difference(a, b, &pair.difference.summary(&[])),
        // Games that are alike from the beginning stay together.
        _ if frame.alike && a.n > 0 => Summary::exact(a.n, 0.0),
        _ if pair.difference.is_constant() && constant => {
            let most = 2.0 * MOST_POINTS;
            pair.difference
                .constant_summary(&frame.weights, -most, most)
        }
        _ => pair.difference.summary(&frame.weights),
    }
}

fn pair_result(pair: &PairTally, difference: &Summary) -> DifferenceResult {
    let plain: f64 = pair.plain.variances().iter().sum();
    DifferenceResult {
        trials: difference.n,
        equity: (*difference).into(),
        correlation: pair.reduced.correlation(),
        plain_correlation: pair.plain.correlation(),
        equivalent_trials: equivalent(plain, difference),
        errors: difference.method,
    }
}
