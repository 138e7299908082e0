//! Values by which plays are chosen: cubeless equity, or in money play with the cube the cubeful value.

use super::cubeful::CubeRules;
use super::trial_rolls::TrialRolls;
use crate::cube::Cube;
use crate::eval::Probabilities;
use crate::game::Position;

/// Value of a play to the player who makes it, in points on the present cube.
/// Chances and rolls are those of the opponent, who is on roll after it.
pub(super) trait Worth {
    /// The value without looking ahead.
    fn at_once(&self, result: &Position, chances: &Probabilities) -> f32;

    /// The value from the rolls after the play, of which `chances` are the mean.
    fn by_rolls(&self, result: &Position, table: &mut TrialRolls, chances: &Probabilities) -> f32;
}

/// Cubeless equity.
pub(super) struct Cubeless;

impl Worth for Cubeless {
    fn at_once(&self, _: &Position, chances: &Probabilities) -> f32 {
        chances.flipped().equity()
    }

    fn by_rolls(&self, _: &Position, _: &mut TrialRolls, chances: &Probabilities) -> f32 {
        chances.flipped().equity()
    }
}

/// The value with the cube, in money play.
pub(super) struct Cubeful<'a> {
    pub(super) rules: &'a CubeRules<'a>,
    /// The player who made the candidate play makes this one.
    pub(super) own: bool,
    /// The cube seen by that player.
    pub(super) cube: Cube,
}

impl Cubeful<'_> {
    /// In points on the cube, from what the position is worth to the opponent.
    fn mine(&self, theirs: f32) -> f32 {
        -theirs / self.cube.value()
    }
}

impl Worth for Cubeful<'_> {
    fn at_once(&self, result: &Position, chances: &Probabilities) -> f32 {
        let theirs = self.cube.flipped();
        self.mine(self.rules.deciding(!self.own, theirs, result, chances))
    }

    fn by_rolls(&self, result: &Position, table: &mut TrialRolls, chances: &Probabilities) -> f32 {
        let theirs = self.cube.flipped();
        if self.rules.is_exact(!self.own, theirs, result) {
            return self.at_once(result, chances);
        }
        let values = self.rules.value_table(!self.own, theirs, table);
        self.mine(values.best())
    }
}
