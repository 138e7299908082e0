//! How much a roll changed what the game is worth, with cube and score.
//!
//! The value of a roll is what its best play is worth by the static evaluation, with the cube at the
//! score. Its luck is that value less the mean over the rolls that could have come (Dahl 1995; Zare,
//! *Hedging Toward Skill*). It has two units. *Unnormalised* it is in MWC in a match, and in points with the
//! cube counted for money. Results are made of these, so they can be summed over a match. In points on the
//! present cube (EMG in a match) it is what other programs show.
//!
//! The first roll of a game says who begins as well: thirty outcomes, fifteen for each player. To
//! begin is lucky, and counts as that. A double that a file has there all the same came as any roll does.
//!
//! Whatever the evaluation is worth, luck has the mean 0 as long as it is fixed before the roll: so a
//! result less its luck is right on average.

use super::MatchTurn;
use crate::analysis::roll_luck::{mean_before_roll, values_after_rolls};
use crate::cube::{Cube, Model};
use crate::eval::Evaluator;

/// The luck of one roll, for the player who rolled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RollLuck {
    /// In a match as a chance to win it; in money play in points, the cube counted.
    pub unnormalised: f32,
    /// In points on the present cube, in a match normalised to them (EMG).
    pub points: f32,
    /// The value before the roll (before it was known who begins, at the first roll), in the unit of `unnormalised`.
    pub before: f32,
}

/// The luck of the roll of `turn`; `None` without one.
pub fn luck(evaluator: &dyn Evaluator, model: &Model, turn: &MatchTurn) -> Option<RollLuck> {
    let state = &turn.before.state;
    let roll = state.roll?;
    if state.position.is_over() {
        return None;
    }
    let context = model.context(state);
    let values = values_after_rolls(evaluator, model, state);
    let before = mean_before_roll(evaluator, model, state, &values, turn.says_who_begins());
    let unnormalised = values[roll.index()] - before;
    Some(RollLuck {
        unnormalised,
        points: context.difference_to_points(Cube::of(state).level, unnormalised),
        before,
    })
}
