//! What a rollout counts up, and what it reads from that.
//!
//! Trials are counted strictly in order, by any worker. So a tally is a function of the settings
//! and of how many trials it holds, and of nothing else.

use serde::{Deserialize, Serialize};

use super::allocation::Schedule;
use super::candidate_tally::CandidateTally;
use super::comparison::{Comparisons, Counted};
use super::pair_tally::PairTally;
use super::pairwise::{CountedTrial, Pairwise};
use super::result::{
    CandidateResult, DifferenceResult, FamilyResult, HistoryPoint, RolloutResult, Status,
};
use super::rollout_design::RolloutDesign;
use crate::rollout::trials::outcome::TrialOutcome;
use crate::stats::interval::{ALPHA, half_width};

/// A point is added to the history whenever the trials have grown by this factor.
const GROWTH: f64 = 1.03;

/// All that is counted of a rollout.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Tally {
    /// Trials of each candidate; their mean, rounded down, where trials are shared out.
    pub(crate) trials: u64,
    pub(super) candidates: Vec<CandidateTally>,
    pub(super) pair: Option<PairTally>,
    /// Every two of some candidates.
    #[serde(default)]
    pub(super) family: Pairwise,
    /// Which candidates play in the rounds to come, where trials are shared out.
    pub(crate) schedule: Option<Schedule>,
    history: Vec<Vec<HistoryPoint>>,
    #[serde(skip)]
    means: Vec<f64>,
}

/// Equity with the luck subtracted, and the luck.
fn equity_and_luck(outcome: &TrialOutcome) -> [f64; 2] {
    let reduced = outcome.variance_reduced_equity();
    [reduced, outcome.plain_equity() - reduced]
}

impl Tally {
    pub(crate) fn new(design: &RolloutDesign) -> Self {
        let candidates = design.known.len();
        let pair = (candidates == 2).then(|| PairTally::new(design));
        Self {
            trials: 0,
            candidates: vec![CandidateTally::new(design); candidates],
            family: Pairwise::new(design),
            schedule: design
                .shares_out
                .then(|| Schedule::new(candidates, design.lag())),
            history: vec![Vec::new(); candidates + usize::from(pair.is_some())],
            pair,
            means: Vec::new(),
        }
    }

    /// What the counts say about the candidates now.
    pub(crate) fn compare<'a>(&'a self, design: &'a RolloutDesign) -> Comparisons<'a> {
        let counted = Counted {
            trials: self.trials,
            candidates: &self.candidates,
            pair: self.pair.as_ref(),
            family: &self.family,
            out: self.out(),
        };
        Comparisons::new(counted, design)
    }

    /// Takes in trial `trial` of every candidate, the next one in order.
    pub(crate) fn push(&mut self, design: &RolloutDesign, trial: u64, outcomes: &[TrialOutcome]) {
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

    /// Takes in the blocks of the next round where trials are shared out, and decides one more.
    pub(crate) fn push_round(&mut self, design: &RolloutDesign, blocks: &[Vec<TrialOutcome>]) {
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
        let compared = self.compare(design);
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
    pub(crate) fn note_history(&mut self, design: &RolloutDesign) {
        let last = self.history[0].last().map_or(0, |p| p.trials);
        if (self.trials as f64) < last as f64 * GROWTH || self.trials == last {
            return;
        }
        let points = self.points(&self.compare(design));
        for (list, point) in self.history.iter_mut().zip(points) {
            list.push(point);
        }
    }

    /// The estimates of now: one point for each list of the history.
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

    /// The results of the candidates now, and the difference of two.
    #[cfg(test)]
    pub(crate) fn results(
        &self,
        design: &RolloutDesign,
    ) -> (Vec<CandidateResult>, Option<DifferenceResult>) {
        self.results_of(&self.compare(design), design)
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
        let difference = self.pair.as_ref().zip(compared.pair_summary());
        let difference = difference.map(|(pair, summary)| pair.result(&summary, design));
        (candidates, difference)
    }

    /// Everything that is known now.
    pub(crate) fn snapshot(
        &self,
        design: &RolloutDesign,
        status: Status,
        [seconds, cpu_seconds]: [f64; 2],
        trials_per_second: f64,
    ) -> RolloutResult {
        // Made once: under some designs it is most of what a snapshot costs.
        let compared = self.compare(design);
        let (mut candidates, mut difference) = self.results_of(&compared, design);
        let mut family = compared.family();
        if design.looks {
            candidates.iter_mut().for_each(CandidateResult::as_watched);
            difference.iter_mut().for_each(DifferenceResult::as_watched);
            family.iter_mut().for_each(FamilyResult::as_watched);
        }
        RolloutResult {
            candidates,
            difference,
            history: self.history(&compared, design),
            scatter: match &self.pair {
                Some(pair) if !design.difference_only => pair.scatter(),
                _ => Vec::new(),
            },
            family,
            status,
            trials_per_second,
            seconds,
            cpu_seconds,
            mwc: design.mwc,
            double_gain95: compared.cube_margins(ALPHA).map(|[gain, _]| gain),
        }
    }

    /// The history, with the estimates of now at its end.
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

    /// For each candidate whether it gets no more trials; empty where all get some.
    pub(crate) fn out(&self) -> &[bool] {
        self.schedule.as_ref().map_or(&[], Schedule::out)
    }

    /// Whether this can be the tally of a rollout of this design: for what comes from a file.
    pub(crate) fn is_sound(&self, design: &RolloutDesign) -> bool {
        let n = self.trials;
        let pairs = usize::from(self.pair.is_some());
        let candidates = self.candidates.len();
        let counted = |s: &CandidateTally| {
            let own = s.equity.all().count();
            own == n || (design.shares_out && own.is_multiple_of(design.trial_design.block))
        };
        candidates == design.known.len()
            && pairs == usize::from(candidates == 2)
            && self.history.len() == candidates + pairs
            && self.family.is_sound(design)
            && self.schedule.is_some() == design.shares_out
            && self
                .schedule
                .iter()
                .all(|s| s.is_sound(candidates, design.lag()))
            && self.candidates.iter().all(counted)
            && self
                .candidates
                .iter()
                .all(|s| s.is_sound(s.equity.all().count(), design))
            && self.pair.iter().all(|p| p.is_sound(n, design))
    }
}
