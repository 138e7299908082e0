//! What a rollout counts up, and what it reads from that.
//!
//! Trials are counted strictly in order, by any worker. So a tally is a function of the settings
//! and of how many trials it holds, and of nothing else.

use serde::{Deserialize, Serialize};

use crate::cube::dahl::States;
use crate::stats::changes::ROUNDING;
use crate::stats::interval::{ALPHA, half_width};
use crate::stats::{BettingInterval, Design, Evidence, Series, Summary};

use super::allocation::Schedule;
use super::comparison::Comparisons;
use super::extremes::Extremes;
use super::four_states::StatesTally;
use super::pair_tally::PairTally;
use super::pairwise::{CountedTrial, Pairwise};
use super::result::{
    CandidateResult, CubeSeen, DifferenceResult, ErrorMethod, Estimate, HistoryPoint,
    RolloutResult, Status,
};
use super::rollout_design::{KnownValue, RolloutDesign};
use super::settings::LuckKind;
use super::trial::TrialOutcome;

/// A point is added to the history whenever the trials have grown by this factor.
const GROWTH: f64 = 1.03;

/// All that is counted of a rollout.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Tally {
    /// Trials of each candidate; their mean, rounded down, under adaptive allocation.
    pub(super) trials: u64,
    pub(super) candidates: Vec<CandidateTally>,
    pub(super) pair: Option<PairTally>,
    /// Every two of some candidates.
    #[serde(default)]
    pub(super) family: Pairwise,
    /// Which candidates play next, under adaptive allocation.
    pub(super) schedule: Option<Schedule>,
    history: Vec<Vec<HistoryPoint>>,
    #[serde(skip)]
    means: Vec<f64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct CandidateTally {
    pub(super) equity: Series,
    plain: Series,
    chances: [Series; 5],
    /// On the variance-reduced equity, where it is bounded, and on the plain one.
    bets: Option<BettingInterval>,
    plain_bets: BettingInterval,
    extremes: Extremes,
    /// The largest cube is 2 to this power.
    #[serde(default)]
    largest: u8,
    /// Trials that ended with a pass.
    #[serde(default)]
    passed: u64,
    /// Whether any luck has been subtracted.
    #[serde(default)]
    luck_seen: bool,
    /// Whether any trial went on after its first roll.
    #[serde(default = "unknown_is_true")]
    went_on: bool,
    /// States of the cube, where there is a settlement limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    states: Option<StatesTally>,
}

/// What an earlier version did not count.
fn unknown_is_true() -> bool {
    true
}

impl CandidateTally {
    fn new(design: &RolloutDesign) -> Self {
        let series = || Series::new(&design.trial_design);
        Self {
            equity: series(),
            plain: series(),
            chances: std::array::from_fn(|_| series()),
            bets: design.bound.map(|b| BettingInterval::new(-b, b)),
            plain_bets: BettingInterval::new(-design.most, design.most),
            extremes: Extremes::default(),
            largest: design.least_cube,
            passed: 0,
            luck_seen: false,
            went_on: false,
            states: StatesTally::new(design),
        }
    }

    /// Takes in trial `trial`. The mean of the block, if that completes one.
    fn push(&mut self, design: &RolloutDesign, trial: u64, outcome: &TrialOutcome) -> Option<f64> {
        let (of_trials, cell) = (&design.trial_design, design.cell(outcome.numbers));
        let (reduced, plain) = (outcome.variance_reduced_equity(), outcome.plain_equity());
        self.extremes.push(trial, reduced, plain);
        self.luck_seen |= (plain - reduced).abs() > ROUNDING;
        self.went_on |= !outcome.first_only;
        if let Some(cube) = &outcome.cube {
            self.largest = self.largest.max(cube.level);
            self.passed += u64::from(cube.passed);
        }
        for (series, chance) in self.chances.iter_mut().zip(outcome.variance_reduced()) {
            series.push(of_trials, cell, chance);
        }
        if let Some(states) = &mut self.states {
            states.push(design, cell, outcome);
        }
        let mean = self.plain.push(of_trials, cell, plain);
        bet(&mut self.plain_bets, of_trials, plain, mean);
        let mean = self.equity.push(of_trials, cell, reduced);
        if let Some(bets) = &mut self.bets {
            bet(bets, of_trials, reduced, mean);
        }
        mean
    }

    /// What is known of the equity of this candidate, number `i`. Where luck was subtracted, the spread of
    /// what is left is believed, however small it is: the luck tells what may happen before it does.
    pub(super) fn evidence(&self, i: usize, design: &RolloutDesign) -> Evidence {
        match design.known[i] {
            Some(known) if self.is_begun() => {
                Evidence::exact(self.equity.all().count(), known.equity)
            }
            _ => self.believed(&self.equity, i, design),
        }
    }

    fn believed(&self, series: &Series, i: usize, design: &RolloutDesign) -> Evidence {
        if self.is_enumerated(design) {
            series.evidence_of_strata(&design.trial_design)
        } else if self.luck_seen {
            series.evidence(&design.trial_design)
        } else {
            series.evidence_within(&design.trial_design, self.bounds(i, design))
        }
    }

    /// What is known of the states of the cube.
    fn states(&self, i: usize, design: &RolloutDesign) -> Option<States<Estimate>> {
        let states = self.states.as_ref()?;
        let bounds = self.bounds(i, design);
        let known = states.evidence(design, bounds, self.is_enumerated(design));
        Some(known.map(|evidence| evidence.summary().into()))
    }

    /// Whether the results are a function of the first roll, of which each block has every one: after a block
    /// there is nothing left to be seen.
    pub(super) fn is_enumerated(&self, design: &RolloutDesign) -> bool {
        !self.went_on && design.has_first_rolls()
    }

    fn plain(&self, i: usize, design: &RolloutDesign) -> Summary {
        match design.known[i] {
            Some(known) if self.is_begun() => {
                Evidence::exact(self.plain.all().count(), known.equity).summary()
            }
            _ if self.is_enumerated(design) => self
                .plain
                .evidence_of_strata(&design.trial_design)
                .summary(),
            _ => self
                .plain
                .evidence_within(&design.trial_design, self.bounds(i, design))
                .summary(),
        }
    }

    /// The least and the largest value of a trial of this candidate, number `i`, that has not been seen.
    /// Its cube is turned once more than any was, within what the rules allow.
    pub(super) fn bounds(&self, i: usize, design: &RolloutDesign) -> [f64; 2] {
        let turns = 1 + u32::from(self.largest.saturating_sub(design.least_cube));
        let cube = if design.cubeful {
            f64::from(1u32 << turns.min(31))
        } else {
            1.0
        };
        let [lost, won] = design.bounds[i];
        [
            (lost * cube).max(-design.most),
            (won * cube).min(design.most),
        ]
    }

    /// The chance number `i`. Plain ones lie between 0 and 1, and so do variance-reduced ones while
    /// there is neither event nor luck.
    fn chance(&self, i: usize, known: Option<KnownValue>, design: &RolloutDesign) -> Summary {
        let series = &self.chances[i];
        let certain = series.is_constant() && [0.0, 1.0].contains(&series.all().mean());
        let plain = design.luck == LuckKind::None;
        let enumerated = || {
            let found = series.evidence_of_strata(&design.trial_design);
            (self.is_enumerated(design) && found.is_exact()).then(|| found.summary())
        };
        match known {
            Some(known) if self.is_begun() => {
                Evidence::exact(series.all().count(), known.chances[i]).summary()
            }
            _ => match enumerated() {
                Some(exact) => exact,
                None if plain || certain => series.chance_summary(&design.trial_design),
                None => series.summary(&design.trial_design),
            },
        }
    }

    fn is_begun(&self) -> bool {
        self.equity.all().count() > 0
    }

    /// What is shown of candidate `i`, of whose equity so much is known.
    fn result(&self, i: usize, design: &RolloutDesign, equity: &Evidence) -> CandidateResult {
        let known = design.known[i];
        let reduced = equity.summary();
        let exact = reduced.method == ErrorMethod::Exact;
        let non_asymptotic = |bets: &BettingInterval| {
            if exact {
                [reduced.mean; 2]
            } else {
                bets.interval()
            }
        };
        CandidateResult {
            trials: reduced.n,
            equity: reduced.into(),
            plain: self.plain(i, design).into(),
            probabilities: std::array::from_fn(|c| self.chance(c, known, design).into()),
            equivalent_trials: equivalent(self.plain.all().variance(), &reduced),
            variances: [self.plain.all().variance(), self.equity.all().variance()],
            error_method: reduced.method,
            nonasymptotic95: self.bets.as_ref().map(non_asymptotic),
            plain_nonasymptotic95: non_asymptotic(&self.plain_bets),
            extremes: self.extremes.all(),
            p_best: 0.0,
            states: self.states(i, design),
            cube: design.cubeful.then(|| CubeSeen {
                largest: 1 << self.largest.min(31),
                passed: self.passed,
            }),
        }
    }

    fn is_sound(&self, n: u64, design: &RolloutDesign) -> bool {
        let of_trials = &design.trial_design;
        let expected = if of_trials.product {
            n
        } else {
            n / of_trials.block
        };
        let bets = |b: &BettingInterval| b.is_sound() && b.count() == expected;
        self.equity.is_sound(n, of_trials)
            && self.plain.is_sound(n, of_trials)
            && self.chances.iter().all(|c| c.is_sound(n, of_trials))
            && self.bets.is_some() == design.bound.is_some()
            && self.bets.iter().all(bets)
            && bets(&self.plain_bets)
            && self.extremes.is_sound()
            && self.states.is_some() == design.settles
            && self.states.iter().all(|s| s.is_sound(n, design))
            && self.passed <= n
            && self.largest < 32
    }
}

/// Equity with the luck subtracted, and the luck.
fn equity_and_luck(outcome: &TrialOutcome) -> [f64; 2] {
    let reduced = outcome.variance_reduced_equity();
    [reduced, outcome.plain_equity() - reduced]
}

/// Bets on one observation, or where they depend on each other on the mean of the block that it
/// completes.
#[inline]
pub(super) fn bet(bets: &mut BettingInterval, design: &Design, x: f64, mean: Option<f64>) {
    if design.product {
        bets.push(x);
    } else if let Some(mean) = mean {
        bets.push(mean);
    }
    if mean.is_some() {
        bets.close();
    }
}

/// Plain trials with results of this variance that would have the error of `estimate`.
pub(super) fn equivalent(plain_variance: f64, estimate: &Summary) -> f64 {
    if estimate.method == ErrorMethod::Exact {
        return f64::INFINITY;
    }
    if !plain_variance.is_finite() || !estimate.se.is_finite() {
        return 0.0;
    }
    let allowance = estimate.method == ErrorMethod::Rare;
    match (plain_variance > 0.0 && !allowance, estimate.se > 0.0) {
        (_, true) => plain_variance / (estimate.se * estimate.se),
        (true, false) => f64::INFINITY,
        // Nothing has varied at all: the trials are worth what they are.
        (false, false) => estimate.n as f64,
    }
}

impl Tally {
    pub(super) fn new(design: &RolloutDesign) -> Self {
        let candidates = design.known.len();
        let pair = (candidates == 2).then(|| PairTally::new(design));
        Self {
            trials: 0,
            candidates: vec![CandidateTally::new(design); candidates],
            family: Pairwise::new(design),
            schedule: design.adaptive.then(|| Schedule::new(candidates)),
            history: vec![Vec::new(); candidates + usize::from(pair.is_some())],
            pair,
            means: Vec::new(),
        }
    }

    /// Takes in trial `trial` of every candidate, the next one in order.
    pub(super) fn push(&mut self, design: &RolloutDesign, trial: u64, outcomes: &[TrialOutcome]) {
        for (candidate, outcome) in self.candidates.iter_mut().zip(outcomes) {
            self.means.extend(candidate.push(design, trial, outcome));
        }
        if let (Some(pair), [a, b]) = (&mut self.pair, outcomes) {
            pair.push(design, self.trials, a, b);
        }
        if !self.family.is_empty() {
            let results: Vec<_> = outcomes.iter().map(equity_and_luck).collect();
            let cell = design.cell(outcomes[0].numbers);
            self.family.offer_trial(design, cell, &results);
        }
        if self.means.len() == self.candidates.len() && !self.family.is_empty() {
            for (candidate, mean) in self.means.iter().enumerate() {
                self.family.offer(design, candidate, *mean);
            }
        }
        self.means.clear();
        self.trials += 1;
    }

    /// Takes in the blocks of the next round under adaptive allocation, and decides one more.
    pub(super) fn push_round(&mut self, design: &RolloutDesign, blocks: &[Vec<TrialOutcome>]) {
        let Some(schedule) = &self.schedule else {
            return;
        };
        let round = schedule.round(0).unwrap_or_default();
        let counted = |outcome: &TrialOutcome| CountedTrial {
            cell: design.cell(outcome.numbers),
            equity_and_luck: equity_and_luck(outcome),
        };
        for (turn, outcomes) in round.iter().zip(blocks) {
            let i = usize::from(turn.candidate);
            if !self.family.is_empty() {
                let trials: Vec<CountedTrial> = outcomes.iter().map(counted).collect();
                self.family.offer_block(design, i, &trials);
            }
            let first = turn.block * design.trial_design.block;
            for (place, outcome) in outcomes.iter().enumerate() {
                let trial = first + place as u64;
                if let Some(mean) = self.candidates[i].push(design, trial, outcome) {
                    self.family.offer(design, i, mean);
                }
            }
        }
        self.decide_round(design);
        self.count_trials();
    }

    /// Decides which candidates play one more round.
    fn decide_round(&mut self, design: &RolloutDesign) {
        let compared = Comparisons::new(self, design);
        if design.race {
            let beaten = compared.beaten(design.race_alpha);
            if let Some(schedule) = &mut self.schedule {
                schedule.advance_race(beaten);
            }
        } else {
            let spreads = compared.spreads();
            if let Some(schedule) = &mut self.schedule {
                schedule.advance(&spreads);
            }
        }
    }

    fn count_trials(&mut self) {
        let all: u64 = self.candidates.iter().map(|s| s.equity.all().count()).sum();
        self.trials = all / self.candidates.len() as u64;
    }

    /// Puts down where the estimates stand, if the trials have grown enough since the last time.
    pub(super) fn note_history(&mut self, design: &RolloutDesign) {
        let last = self.history[0].last().map_or(0, |p| p.trials);
        if (self.trials as f64) < last as f64 * GROWTH || self.trials == last {
            return;
        }
        let points = self.points(&Comparisons::new(self, design));
        for (list, point) in self.history.iter_mut().zip(points) {
            list.push(point);
        }
    }

    /// Where the estimates stand now: one point for each list of the history.
    fn points(&self, compared: &Comparisons<'_>) -> Vec<HistoryPoint> {
        let summaries = compared.summaries().into_iter();
        summaries
            .map(|s| HistoryPoint {
                trials: self.trials,
                mean: s.mean,
                ci95: half_width(s.ci95),
                anytime95: half_width(s.anytime95),
            })
            .collect()
    }

    /// What is known of each candidate, and of the difference of two.
    #[cfg(test)]
    pub(super) fn results(
        &self,
        design: &RolloutDesign,
    ) -> (Vec<CandidateResult>, Option<DifferenceResult>) {
        self.results_of(&Comparisons::new(self, design), design)
    }

    fn results_of(
        &self,
        compared: &Comparisons<'_>,
        design: &RolloutDesign,
    ) -> (Vec<CandidateResult>, Option<DifferenceResult>) {
        let each = self.candidates.iter().zip(compared.own()).enumerate();
        let mut candidates: Vec<CandidateResult> = each
            .map(|(i, (candidate, equity))| candidate.result(i, design, equity))
            .collect();
        for (candidate, chance) in candidates.iter_mut().zip(compared.chances()) {
            candidate.p_best = chance;
            if design.difference_only {
                *candidate = candidate.of_difference();
            }
        }
        let difference = self.pair.as_ref().zip(compared.pair());
        let difference = difference.map(|(pair, both)| pair.result(&both.summary(), design));
        (candidates, difference)
    }

    /// Everything that is known now.
    pub(super) fn snapshot(
        &self,
        design: &RolloutDesign,
        status: Status,
        [seconds, cpu_seconds]: [f64; 2],
        trials_per_second: f64,
    ) -> RolloutResult {
        // Made once: under some designs it is most of what a snapshot costs.
        let compared = Comparisons::new(self, design);
        let (candidates, difference) = self.results_of(&compared, design);
        RolloutResult {
            candidates,
            difference,
            history: self.history(&compared, design),
            scatter: match &self.pair {
                Some(pair) if !design.difference_only => pair.scatter(),
                _ => Vec::new(),
            },
            family: compared.family(),
            status,
            trials_per_second,
            seconds,
            cpu_seconds,
            match_chances: design.match_chances,
            double_gain95: compared.cube_margins(ALPHA).map(|[gain, _]| gain),
        }
    }

    /// The history, with where it stands now at its end.
    fn history(
        &self,
        compared: &Comparisons<'_>,
        design: &RolloutDesign,
    ) -> Vec<Vec<HistoryPoint>> {
        let mut history = self.history.clone();
        if design.difference_only {
            history[..self.candidates.len()]
                .iter_mut()
                .for_each(Vec::clear);
        }
        if self.trials > 0 {
            let skipped = if design.difference_only {
                self.candidates.len()
            } else {
                0
            };
            for (list, point) in history.iter_mut().zip(self.points(compared)).skip(skipped) {
                if list.last().is_none_or(|last| last.trials < point.trials) {
                    list.push(point);
                }
            }
        }
        history
    }

    /// The candidates that get no more trials.
    pub(super) fn out(&self) -> &[bool] {
        self.schedule.as_ref().map_or(&[], Schedule::out)
    }

    /// Whether this can be the tally of a rollout of this design: for what comes from a file.
    pub(super) fn is_sound(&self, design: &RolloutDesign) -> bool {
        let n = self.trials;
        let pairs = usize::from(self.pair.is_some());
        let candidates = self.candidates.len();
        let counted = |s: &CandidateTally| {
            let own = s.equity.all().count();
            own == n || (design.adaptive && own.is_multiple_of(design.trial_design.block))
        };
        candidates == design.known.len()
            && pairs == usize::from(candidates == 2)
            && self.history.len() == candidates + pairs
            && self.family.is_sound(design)
            && self.schedule.is_some() == design.adaptive
            && self.schedule.iter().all(|s| s.is_sound(candidates))
            && self.candidates.iter().all(counted)
            && self
                .candidates
                .iter()
                .all(|s| s.is_sound(s.equity.all().count(), design))
            && self.pair.iter().all(|p| p.is_sound(n, design))
    }
}
