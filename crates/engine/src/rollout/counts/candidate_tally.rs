//! What is counted of one candidate, and what is read from it.

use serde::{Deserialize, Serialize};

use super::extremes::Extremes;
use super::four_states::StatesTally;
use super::result::{CandidateResult, CubeSeen, ErrorMethod, Estimate};
use super::rollout_design::{KnownValue, RolloutDesign};
use crate::cube::dahl::States;
use crate::rollout::request::luck_kind::LuckKind;
use crate::rollout::trials::outcome::TrialOutcome;
use crate::stats::changes::ROUNDING;
use crate::stats::{BettingInterval, Evidence, Series, Summary};

/// The trials of one candidate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct CandidateTally {
    pub(super) equity: Series,
    plain: Series,
    chances: [Series; 5],
    /// Non-asymptotic intervals: of the variance-reduced equity, where it is bounded, and of the plain one.
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

/// The default of what an earlier version did not count.
fn unknown_is_true() -> bool {
    true
}

impl CandidateTally {
    pub(super) fn new(design: &RolloutDesign) -> Self {
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

    /// Takes in trial `trial`. Returns the mean of its block if that completes it.
    pub(super) fn push(
        &mut self,
        design: &RolloutDesign,
        trial: u64,
        outcome: &TrialOutcome,
    ) -> Option<f64> {
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
        self.plain_bets.push_in(of_trials, plain, mean);
        let mean = self.equity.push(of_trials, cell, reduced);
        if let Some(bets) = &mut self.bets {
            bets.push_in(of_trials, reduced, mean);
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

    /// What is known of the equity in the states of the cube; `None` without a settlement limit.
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

    /// The estimate of chance number `i`. Plain chances lie between 0 and 1, and so do variance-reduced ones
    /// while there is neither event nor luck.
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

    /// The result of candidate `i`, of whose equity so much is known.
    pub(super) fn result(
        &self,
        i: usize,
        design: &RolloutDesign,
        equity: &Evidence,
    ) -> CandidateResult {
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
            equivalent_trials: reduced.equivalent_trials(self.plain.all().variance()),
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

    pub(super) fn is_sound(&self, n: u64, design: &RolloutDesign) -> bool {
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
