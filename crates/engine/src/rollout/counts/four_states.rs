//! Dahl's four states of the cube from one set of cubeless games: see [`crate::cube::dahl`]. The cubeless
//! state is the rollout's own equity; this is about the other three.

use serde::{Deserialize, Serialize};

use super::rollout_design::RolloutDesign;
use crate::cube::dahl::{Settled, States};
use crate::rollout::trials::outcome::TrialOutcome;
use crate::stats::changes::FEW_EXCEPTIONS;
use crate::stats::{Cell, Evidence, Series};

/// What is counted of one state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct StateTally {
    /// The results with the luck subtracted.
    results: Series,
    /// Games that the cube ended before their end.
    by_cube: u64,
    /// Games that it, or the first roll, ended before the second one.
    by_first_roll: u64,
}

impl StateTally {
    fn push(&mut self, design: &RolloutDesign, cell: Cell, settled: &Settled, first_only: bool) {
        let result = settled.points - settled.luck;
        self.results.push(&design.trial_design, cell, result);
        self.by_cube += u64::from(settled.by_cube);
        self.by_first_roll += u64::from(settled.by_first_roll || first_only);
    }

    /// Whether the game always ends before the second roll, and each block of trials has every first one.
    fn is_enumerated(&self, design: &RolloutDesign) -> bool {
        design.has_first_rolls() && self.by_first_roll == self.results.all().count()
    }

    /// Games that ended in the rarer of the two ways: by the cube, or played out.
    fn exceptions(&self) -> u64 {
        let all = self.results.all().count();
        self.by_cube.min(all.saturating_sub(self.by_cube))
    }

    /// What is known of the state, from games between `bounds`. The luck of rolls does not tell how often the
    /// cube ends a game, so while few games end in one of the two ways the spread says too little.
    fn evidence(&self, design: &RolloutDesign, bounds: [f64; 2]) -> Evidence {
        let of_trials = &design.trial_design;
        let known = self.results.evidence_within(of_trials, bounds);
        let seen = self.exceptions();
        match known.rare {
            None if seen < FEW_EXCEPTIONS => known.with_exceptions(seen, of_trials, bounds),
            _ => known,
        }
    }
}

/// What is counted of the states of a candidate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct StatesTally(States<StateTally>);

impl StatesTally {
    /// A tally without trials; `None` without a settlement limit.
    pub(super) fn new(design: &RolloutDesign) -> Option<Self> {
        let tally = || StateTally {
            results: Series::new(&design.trial_design),
            by_cube: 0,
            by_first_roll: 0,
        };
        design.settles.then(|| {
            Self(States {
                centred: tally(),
                own: tally(),
                other: tally(),
            })
        })
    }

    pub(super) fn push(&mut self, design: &RolloutDesign, cell: Cell, outcome: &TrialOutcome) {
        let Some(settled) = &outcome.states else {
            return;
        };
        let first_only = outcome.first_only;
        self.0
            .centred
            .push(design, cell, &settled.centred, first_only);
        self.0.own.push(design, cell, &settled.own, first_only);
        self.0.other.push(design, cell, &settled.other, first_only);
    }

    /// What is known of each state, from games between `bounds`. Where every first roll was played and
    /// decides, the game (`is_enumerated`) or the state, nothing is left to be seen.
    pub(super) fn evidence(
        &self,
        design: &RolloutDesign,
        bounds: [f64; 2],
        is_enumerated: bool,
    ) -> States<Evidence> {
        self.0
            .as_ref()
            .map(|state| match is_enumerated || state.is_enumerated(design) {
                true => state.results.evidence_of_strata(&design.trial_design),
                false => state.evidence(design, bounds),
            })
    }

    pub(super) fn is_sound(&self, n: u64, design: &RolloutDesign) -> bool {
        let is_sound = |state: &StateTally| {
            state.results.is_sound(n, &design.trial_design)
                && state.by_first_roll <= n
                && state.by_cube <= n
        };
        design.settles && self.0.all().into_iter().all(is_sound)
    }
}
