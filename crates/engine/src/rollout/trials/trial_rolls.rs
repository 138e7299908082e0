//! The rolls of a position as trials keep them: luck is measured from them, and the cube is decided by them.

use crate::cube::{Cube, ScoreRolls};
use crate::eval::{Probabilities, Rolls, rolls};
use crate::game::roll::DISTINCT;
use crate::game::{CubeOwner, Position};

/// The 21 rolls of one position: the play that is best for each, and its value, at the plies the table was made with.
#[derive(Clone, Debug)]
pub(super) struct TrialRolls {
    /// After the best play, seen by the opponent.
    pub(super) results: [Position; DISTINCT],
    /// Chances of the player who rolls.
    pub(super) values: [Probabilities; DISTINCT],
    /// The cube whose values are here: in a table made at a score the one at which plays are best. See
    /// [`ScoreRolls`] for the values.
    at: Option<Cube>,
    cube_values: [[f32; DISTINCT]; 2],
}

impl TrialRolls {
    pub(super) fn new() -> Self {
        Self {
            results: [Position::opening(); DISTINCT],
            values: [Probabilities::default(); DISTINCT],
            at: None,
            cube_values: [[0.0; DISTINCT]; 2],
        }
    }

    pub(super) fn copy(&mut self, rolls: &Rolls) {
        self.results = rolls.results;
        self.values = rolls.values;
        self.at = None;
    }

    /// Takes over rolls with the plays that are best at `cube`, seen by the player who rolls.
    pub(crate) fn copy_score(&mut self, rolls: &ScoreRolls, cube: Cube) {
        self.results = rolls.results;
        self.values = rolls.chances;
        self.cube_values = rolls.values;
        self.at = Some(cube);
    }

    /// Keeps the values for the player who rolls at `cube`, and after a double and a take.
    pub(super) fn keep_values(&mut self, cube: Cube, values: [[f64; DISTINCT]; 2]) {
        self.cube_values = values.map(|row| row.map(|value| value as f32));
        self.at = Some(cube);
    }

    /// Chances of the player who rolls, before the roll.
    pub(super) fn mean(&self) -> Probabilities {
        rolls::mean(&self.values)
    }

    /// The values (MWC or points) for the player who rolls at `cube`, in a table that was made with it
    /// or before it was turned.
    pub(crate) fn values_at(&self, cube: Cube) -> Option<&[f32; DISTINCT]> {
        let at = self.at?;
        match cube {
            same if same == at => Some(&self.cube_values[0]),
            turned if turned == at.doubled() && at.owner != CubeOwner::Opponent => {
                Some(&self.cube_values[1])
            }
            _ => None,
        }
    }
}
