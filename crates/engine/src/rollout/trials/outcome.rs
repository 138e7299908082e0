//! The outcome of one trial.

use super::cubeful::CubeEnd;
use crate::cube::dahl::{Settled, States};
use crate::dice::COUNTED;

/// Outcome of one trial, seen by the player who made the candidate play.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub(crate) struct TrialOutcome {
    /// Chances at the end, nearly always certain: the plain result.
    pub(crate) value: [f64; 5],
    /// Luck over the whole trial, in each of the chances.
    pub(crate) luck: [f64; 5],
    /// The first numbers of the dice where they were prescribed.
    pub(crate) numbers: [u8; COUNTED],
    /// End of the cube, in a cubeful trial.
    pub(crate) cube: Option<CubeEnd>,
    /// Settled values in the states of a cube, if the settings have a settlement limit.
    pub(crate) states: Option<States<Settled>>,
    /// The two candidates of a pair have coalesced.
    pub(crate) coalesced: bool,
    /// The first roll decided the trial, so that its result is a function of that roll.
    pub(crate) first_only: bool,
}

impl TrialOutcome {
    /// The chances with the luck subtracted. These are no chances: each lies where luck leaves it,
    /// and only their means are between 0 and 1.
    pub(crate) fn variance_reduced(&self) -> [f64; 5] {
        std::array::from_fn(|i| self.value[i] - self.luck[i])
    }

    /// Equity of the result with its luck, in points: cubeful in a cubeful trial.
    pub(crate) fn plain_equity(&self) -> f64 {
        self.cube.map_or_else(|| equity(&self.value), |c| c.result)
    }

    /// Equity with the luck subtracted, in points: cubeful in a cubeful trial.
    pub(crate) fn variance_reduced_equity(&self) -> f64 {
        self.cube
            .map_or_else(|| equity(&self.variance_reduced()), |c| c.result - c.luck)
    }
}

/// Cubeless equity of five chances, in points.
pub(crate) fn equity(p: &[f64; 5]) -> f64 {
    2.0 * p[0] - 1.0 + p[1] + p[2] - p[3] - p[4]
}
