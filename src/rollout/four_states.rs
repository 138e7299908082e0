//! Dahl's four states of the cube from one set of cubeless games: see [`crate::cube::dahl`]. The cubeless
//! state is the rollout's own equity; this is about the other three.

use serde::{Deserialize, Serialize};

use super::luck::{Range, equity_of_luck};
use super::rollout_design::RolloutDesign;
use super::trial::{TrialGame, TrialOutcome, TrialPlayers};
use crate::cube::dahl::States;
use crate::stats::{Cell, Evidence, Series};

impl TrialPlayers<'_> {
    /// Settles the states in which the player on roll doubles here and the other passes, by the
    /// evaluator of the player who made the candidate play.
    pub(super) fn follow_states(&mut self, game: &mut TrialGame) {
        let Some(mut states) = game.states else {
            return;
        };
        let first_of_game = self.rules.range(game.turns) == Range::NoDoubles;
        if states.is_settled() || game.position.is_over() || first_of_game {
            return;
        }
        let chances = self.chances(game, true);
        let luck = equity_of_luck(&game.luck.chances);
        states.before_roll(game.own_turn, &chances, luck);
        game.states = Some(states);
    }
}

/// What is counted of the states of a candidate: the results with the luck subtracted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct StatesTally(States<Series>);

impl StatesTally {
    /// `None` without a settlement limit.
    pub(super) fn new(design: &RolloutDesign) -> Option<Self> {
        let series = || Series::new(&design.trial_design);
        design.settles.then(|| {
            Self(States {
                centred: series(),
                own: series(),
                other: series(),
            })
        })
    }

    pub(super) fn push(&mut self, design: &RolloutDesign, cell: Cell, outcome: &TrialOutcome) {
        let Some(states) = outcome.states else {
            return;
        };
        let States {
            centred,
            own,
            other,
        } = states.map(|state| state.points - state.luck);
        let of_trials = &design.trial_design;
        self.0.centred.push(of_trials, cell, centred);
        self.0.own.push(of_trials, cell, own);
        self.0.other.push(of_trials, cell, other);
    }

    /// What is known of each state, by `evidence`.
    pub(super) fn evidence(&self, evidence: impl Fn(&Series) -> Evidence) -> States<Evidence> {
        self.0.as_ref().map(evidence)
    }

    pub(super) fn is_sound(&self, n: u64, design: &RolloutDesign) -> bool {
        let all = self.0.all();
        design.settles && all.into_iter().all(|s| s.is_sound(n, &design.trial_design))
    }
}
