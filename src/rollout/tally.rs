//! What a rollout counts up, and what it reads from that.
//!
//! Trials are taken in strictly in order, by whichever worker happens to come by, so a tally is a
//! function of the settings and of how many trials it holds, of nothing else.

use serde::{Deserialize, Serialize};

use crate::stats::{Bets, Cell, Design, Moments, Series, Summary, best};

use super::allocation::Schedule;
use super::apart;
use super::coupling::Coupling;
use super::duels::Duels;
use super::extremes::Extremes;
use super::frame::{Frame, Known, MOST_POINTS};
use super::pair_tally::PairTally;
use super::result::{
    CubeSeen, DifferenceResult, ErrorMethod, HistoryPoint, RolloutResult, Status, StrandResult,
};
use super::settings::LuckKind;
use super::trial::Outcome;

/// A point is added to the history whenever the trials have grown by this factor.
const GROWTH: f64 = 1.03;

/// All that is counted of a rollout.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Tally {
    /// Trials of each strand; their mean, rounded down, under adaptive allocation.
    pub(super) trials: u64,
    pub(super) strands: Vec<StrandTally>,
    pub(super) pair: Option<PairTally>,
    /// Every two of some strands.
    #[serde(default)]
    pub(super) family: Duels,
    /// Who plays next, under adaptive allocation.
    pub(super) schedule: Option<Schedule>,
    history: Vec<Vec<HistoryPoint>>,
    #[serde(skip)]
    means: Vec<f64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct StrandTally {
    pub(super) equity: Series,
    plain: Series,
    chances: [Series; 5],
    /// On the reduced equity, where it is bounded, and on the plain one.
    bets: Option<Bets>,
    plain_bets: Bets,
    extremes: Extremes,
    /// The largest cube is 2 to this power.
    #[serde(default)]
    largest: u8,
    /// Trials that ended with a pass.
    #[serde(default)]
    passed: u64,
}

impl StrandTally {
    fn new(frame: &Frame) -> Self {
        let series = || Series::new(&frame.design);
        Self {
            equity: series(),
            plain: series(),
            chances: std::array::from_fn(|_| series()),
            bets: frame.bound.map(|b| Bets::new(-b, b)),
            plain_bets: Bets::new(-frame.most, frame.most),
            extremes: Extremes::default(),
            largest: frame.least_cube,
            passed: 0,
        }
    }

    /// Takes in trial `trial`. The mean of the block, if that completes one.
    fn push(&mut self, frame: &Frame, trial: u64, outcome: &Outcome) -> Option<f64> {
        let (design, cell) = (&frame.design, frame.cell(outcome.numbers));
        let (reduced, plain) = (outcome.reduced_equity(), outcome.plain_equity());
        self.extremes.push(trial, reduced, plain);
        if let Some(cube) = &outcome.cube {
            self.largest = self.largest.max(cube.level);
            self.passed += u64::from(cube.passed);
        }
        for (series, chance) in self.chances.iter_mut().zip(outcome.reduced()) {
            series.push(design, cell, chance);
        }
        let mean = self.plain.push(design, cell, plain);
        bet(&mut self.plain_bets, design, plain, mean);
        let mean = self.equity.push(design, cell, reduced);
        if let Some(bets) = &mut self.bets {
            bet(bets, design, reduced, mean);
        }
        mean
    }

    /// Whether nothing has varied at all, neither the results nor the luck.
    fn is_constant(&self) -> bool {
        self.equity.is_constant() && self.plain.is_constant()
    }

    pub(super) fn equity(&self, known: Option<Known>, frame: &Frame) -> Summary {
        self.points(&self.equity, self.is_constant(), known, frame)
    }

    fn plain(&self, known: Option<Known>, frame: &Frame) -> Summary {
        self.points(&self.plain, self.plain.is_constant(), known, frame)
    }

    /// Most points of an ending that has not been seen: three on a cube that is turned once more than
    /// any was, within what the rules allow.
    fn most(&self, frame: &Frame) -> f64 {
        if !frame.cubeful {
            return frame.most;
        }
        let turns = 1 + i32::from(self.largest.saturating_sub(frame.least_cube));
        frame.most.min(MOST_POINTS * 2f64.powi(turns))
    }

    fn points(
        &self,
        series: &Series,
        constant: bool,
        known: Option<Known>,
        frame: &Frame,
    ) -> Summary {
        match known {
            Some(known) if self.is_begun() => Summary::exact(series.all().count(), known.equity),
            _ if constant => {
                let most = self.most(frame);
                series.constant_summary(&frame.design, -most, most)
            }
            _ => series.summary(&frame.design),
        }
    }

    /// The chance number `i`. Plain ones lie between 0 and 1, and so do reduced ones while there is
    /// neither event nor luck.
    fn chance(&self, i: usize, known: Option<Known>, frame: &Frame) -> Summary {
        let series = &self.chances[i];
        let certain = series.is_constant() && [0.0, 1.0].contains(&series.all().mean());
        let plain = frame.luck == LuckKind::None;
        match known {
            Some(known) if self.is_begun() => {
                Summary::exact(series.all().count(), known.chances[i])
            }
            _ if plain || certain => series.chance_summary(&frame.design),
            _ => series.summary(&frame.design),
        }
    }

    fn is_begun(&self) -> bool {
        self.equity.all().count() > 0
    }

    fn result(&self, known: Option<Known>, frame: &Frame) -> StrandResult {
        let reduced = self.equity(known, frame);
        let exact = reduced.method == ErrorMethod::Exact;
        let rigorous = |bets: &Bets| {
            if exact {
                [reduced.mean; 2]
            } else {
                bets.interval()
            }
        };
        StrandResult {
            trials: reduced.n,
            equity: reduced.into(),
            plain: self.plain(known, frame).into(),
            probabilities: std::array::from_fn(|i| self.chance(i, known, frame).into()),
            equivalent_trials: equivalent(self.plain.all().variance(), &reduced),
            variances: [self.plain.all().variance(), self.equity.all().variance()],
            errors: reduced.method,
            rigorous95: self.bets.as_ref().map(rigorous),
            plain_rigorous95: rigorous(&self.plain_bets),
            extremes: self.extremes.all(),
            p_best: 0.0,
            cube: frame.cubeful.then(|| CubeSeen {
                largest: 1 << self.largest.min(31),
                passed: self.passed,
            }),
        }
    }

    fn is_sound(&self, n: u64, frame: &Frame) -> bool {
        let design = &frame.design;
        let expected = if design.product { n } else { n / design.block };
        let bets = |b: &Bets| b.is_sound() && b.count() == expected;
        self.equity.is_sound(n, design)
            && self.plain.is_sound(n, design)
            && self.chances.iter().all(|c| c.is_sound(n, design))
            && self.bets.is_some() == frame.bound.is_some()
            && self.bets.iter().all(bets)
            && bets(&self.plain_bets)
            && self.extremes.is_sound()
            && self.passed <= n
            && self.largest < 32
    }
}

/// Bets on one observation, or where they depend on each other on the mean of the block that it
/// completes.
#[inline]
pub(super) fn bet(bets: &mut Bets, design: &Design, x: f64, mean: Option<f64>) {
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
    match (plain_variance > 0.0, estimate.se > 0.0) {
        (_, true) => plain_variance / (estimate.se * estimate.se),
        (true, false) => f64::INFINITY,
        // Nothing has varied at all: the trials are worth what they are.
        (false, false) => estimate.n as f64,
    }
}

impl Tally {
    pub(super) fn new(frame: &Frame) -> Self {
        let strands = frame.known.len();
        let pair = (strands == 2).then(|| PairTally::new(frame));
        Self {
            trials: 0,
            strands: vec![StrandTally::new(frame); strands],
            family: Duels::new(frame),
            schedule: frame.adaptive.then(|| Schedule::new(strands)),
            history: vec![Vec::new(); strands + usize::from(pair.is_some())],
            pair,
            means: Vec::new(),
        }
    }

    /// Takes in trial `trial` of every strand, the next one in order.
    pub(super) fn push(&mut self, frame: &Frame, trial: u64, outcomes: &[Outcome]) {
        for (strand, outcome) in self.strands.iter_mut().zip(outcomes) {
            self.means.extend(strand.push(frame, trial, outcome));
        }
        if let (Some(pair), [a, b]) = (&mut self.pair, outcomes) {
            pair.push(frame, self.trials, a, b);
        }
        if !self.family.is_empty() {
            let results: Vec<_> = outcomes.iter().map(|o| Some(o.reduced_equity())).collect();
            let cell = frame.cell(outcomes[0].numbers);
            self.family.offer_trial(frame, cell, &results);
        }
        if self.means.len() == self.strands.len() && !self.family.is_empty() {
            for (strand, mean) in self.means.iter().enumerate() {
                self.family.offer(frame, strand, *mean);
            }
        }
        self.means.clear();
        self.trials += 1;
    }

    /// Takes in the blocks of the next round under adaptive allocation, and decides one more.
    pub(super) fn push_round(&mut self, frame: &Frame, blocks: &[Vec<Outcome>]) {
        let Some(schedule) = &mut self.schedule else {
            return;
        };
        let round = schedule.round(0).unwrap_or_default();
        if !self.family.is_empty() && round.windows(2).all(|two| two[0].block == two[1].block) {
            let mut results = vec![None; self.strands.len()];
            for place in 0..frame.design.block as usize {
                let mut cell = Cell::default();
                for (turn, outcomes) in round.iter().zip(blocks) {
                    results[usize::from(turn.strand)] = Some(outcomes[place].reduced_equity());
                    cell = frame.cell(outcomes[place].numbers);
                }
                self.family.offer_trial(frame, cell, &results);
            }
        }
        for (turn, outcomes) in round.iter().zip(blocks) {
            let strand = &mut self.strands[usize::from(turn.strand)];
            let first = turn.block * frame.design.block;
            for (place, outcome) in outcomes.iter().enumerate() {
                if let Some(mean) = strand.push(frame, first + place as u64, outcome) {
                    self.family.offer(frame, usize::from(turn.strand), mean);
                }
            }
        }
        if frame.race {
            let beaten = self.family.beaten(frame, frame.race_alpha, schedule.out());
            schedule.advance_race(beaten);
            self.count_trials();
            return;
        }
        let spread = |s: &StrandTally| {
            let blocks = s.equity.blocks();
            let variance = if blocks.count() < 2 {
                1.0
            } else {
                blocks.variance()
            };
            (blocks.mean(), variance.sqrt())
        };
        let estimates: Vec<(f64, f64)> = self.strands.iter().map(spread).collect();
        schedule.advance(&estimates);
        self.count_trials();
    }

    fn count_trials(&mut self) {
        let all: u64 = self.strands.iter().map(|s| s.equity.all().count()).sum();
        self.trials = all / self.strands.len() as u64;
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
    pub(super) fn summaries(&self, frame: &Frame) -> Vec<Summary> {
        let each = self.strands.iter().zip(&frame.known);
        let mut all: Vec<Summary> = each
            .map(|(strand, &known)| strand.equity(known, frame))
            .collect();
        if let Some(pair) = &self.pair {
            let most = self.strands.iter().map(|s| s.most(frame)).sum();
            let difference = pair.summary(&all, most, frame);
            all.push(difference);
        }
        all
    }

    /// What is known of each strand, and of the difference of two.
    pub(super) fn results(&self, frame: &Frame) -> (Vec<StrandResult>, Option<DifferenceResult>) {
        let each = self.strands.iter().zip(&frame.known);
        let mut strands: Vec<StrandResult> = each
            .map(|(strand, &known)| strand.result(known, frame))
            .collect();
        let all = self.summaries(frame);
        let difference = self
            .pair
            .as_ref()
            .map(|pair| pair.result(&all[all.len() - 1]));
        let chances = match &difference {
            Some(_) => {
                let first = best::above_zero(all[all.len() - 1].estimated());
                // The strands of a cube decision are chosen by the other player.
                let first = if frame.decision { 1.0 - first } else { first };
                vec![first, 1.0 - first]
            }
            None => {
                let estimates: Vec<_> = all.iter().map(Summary::estimated).collect();
                let blocks: Vec<Moments> =
                    self.strands.iter().map(|s| *s.equity.blocks()).collect();
                let known = frame.known.iter().any(Option::is_some);
                let covariance = self.family.covariance(frame, &blocks);
                match covariance.filter(|_| frame.coupling != Coupling::None && !known) {
                    Some(covariance) => {
                        let means: Vec<f64> = estimates.iter().map(|e| e.mean).collect();
                        let fewest = blocks.iter().map(Moments::count).min().unwrap_or(0);
                        let dof = fewest.saturating_sub(1) as f64;
                        best::chances_together(&means, &covariance, dof)
                    }
                    None => best::chances(&estimates),
                }
            }
        };
        for (strand, chance) in strands.iter_mut().zip(chances) {
            strand.p_best = chance;
        }
        (strands, difference)
    }

    /// Everything that is known now.
    pub(super) fn snapshot(
        &self,
        frame: &Frame,
        status: Status,
        [seconds, cpu_seconds]: [f64; 2],
        trials_per_second: f64,
    ) -> RolloutResult {
        let (strands, difference) = self.results(frame);
        let family = if frame.adaptive && !frame.race {
            let blocks: Vec<Moments> = self.strands.iter().map(|s| *s.equity.blocks()).collect();
            apart::family(frame, &blocks, &strands)
        } else {
            self.family.result(frame, self.out())
        };
        RolloutResult {
            strands,
            difference,
            history: self.history(frame),
            scatter: self.pair.as_ref().map_or_else(Vec::new, PairTally::scatter),
            family,
            status,
            trials_per_second,
            seconds,
            cpu_seconds,
            match_chances: frame.match_chances,
        }
    }

    /// The history, with where it stands now at its end.
    fn history(&self, frame: &Frame) -> Vec<Vec<HistoryPoint>> {
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

    /// The strands that get no more trials.
    pub(super) fn out(&self) -> &[bool] {
        self.schedule.as_ref().map_or(&[], Schedule::out)
    }

    /// Whether this can be the tally of a rollout in this frame: for what comes from a file.
    pub(super) fn is_sound(&self, frame: &Frame) -> bool {
        let n = self.trials;
        let pairs = usize::from(self.pair.is_some());
        let strands = self.strands.len();
        let counted = |s: &StrandTally| {
            let own = s.equity.all().count();
            own == n || (frame.adaptive && own.is_multiple_of(frame.design.block))
        };
        strands == frame.known.len()
            && pairs == usize::from(strands == 2)
            && self.history.len() == strands + pairs
            && self.family.is_sound(frame)
            && self.schedule.is_some() == frame.adaptive
            && self.schedule.iter().all(|s| s.is_sound(strands))
            && self.strands.iter().all(counted)
            && self
                .strands
                .iter()
                .all(|s| s.is_sound(s.equity.all().count(), frame))
            && self.pair.iter().all(|p| p.is_sound(n, frame))
    }
}
