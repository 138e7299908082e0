//! The value of a play after each roll of the opponent, with cube and score.

use rayon::prelude::*;

use super::context::Cube;
use super::cube_set::{Cubes, ValueRow};
use super::cubeful_values::CubeActionValues;
use super::decision::{CubeChoice, CubeDecision};
use super::lookahead::RollSums;
use super::model::Model;
use super::replies::Plays;
use crate::eval::{Evaluator, Probabilities};
use crate::game::roll::DISTINCT;
use crate::game::{GameState, Position, Roll};

/// A play and the rolls that may follow it. All figures are for the player who made the play.
#[derive(Clone, Debug, PartialEq)]
pub struct ReplyMap {
    /// Cubeless chances: the mean over the rolls.
    pub chances: Probabilities,
    /// Cubeful equity in points of the present cube (EMG in a match).
    pub cubeful: f32,
    /// Match winning chance, in a match.
    pub mwc: Option<f32>,
    /// The opponent's cube action before the roll, and the answer: [`CubeChoice::NoDouble`], or a take, pass
    /// or beaver.
    pub answer: CubeChoice,
    /// For each of [`Roll::ALL`], the position after the best reply, and its equity in the unit of `cubeful`.
    /// After a pass no roll follows: all equities are that of the pass.
    pub rolls: [(Position, f32); DISTINCT],
}

/// One roll: the best results for the requested cubes, the chances along the first, and the values.
type Cell = ([Position; 2], Probabilities, ValueRow);

impl Model {
    /// Evaluates the play from `state` to `result`, roll by roll: the opponent's cube action, then each roll
    /// with the best reply without lookahead, and its value at `ply` plies. The mean is therefore the value
    /// of the play at one ply more. `None` if `cancelled` returned true, or if the game is over.
    pub fn reply_map(
        &self,
        evaluator: &dyn Evaluator,
        state: &GameState,
        result: &Position,
        ply: u8,
        cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Option<ReplyMap> {
        if result.is_over() {
            return None;
        }
        let look = self.lookahead(evaluator, state, cancelled);
        let context = &look.contexts[1];
        let cube = Cube::of(state).flipped();
        let mut cubes = Cubes::NONE;
        let held = look.ask(&mut cubes, 1, cube);
        let may = context.may_double(cube);
        let doubled = may.then(|| look.ask(&mut cubes, 1, cube.doubled()));
        let cells = self.cells(evaluator, state, result, &cubes, ply, cancelled)?;
        let mut sums = RollSums::default();
        for (roll, (_, seen, row)) in Roll::ALL.into_iter().zip(&cells) {
            sums.add(roll, seen, row, context);
        }
        let exact = look.exact(context, result, &cubes);
        let (chances, mean) = exact.unwrap_or((sums.chances(), sums.values));
        let chances = chances.flipped();
        let value = |(place, unit): (usize, f32)| unit * mean[place];
        let values = CubeActionValues::new(context, cube, value(held), doubled.map(value));
        let decision = CubeDecision::new(context, cube, &values);
        let answer = match decision.action.doubles() {
            true => decision.answer().unwrap_or(CubeChoice::NoDouble),
            false => CubeChoice::NoDouble,
        };
        let value = context.flip(values.best());
        let mine = &look.contexts[0];
        let points = |value| mine.to_points(cube.level, value);
        let rolls = cells.map(|(results, _, row)| match (answer, doubled) {
            (CubeChoice::Pass, _) => (results[0], points(value)),
            (CubeChoice::Take, Some((place, unit))) => (results[1], points(unit * row[place])),
            (CubeChoice::Beaver, Some((place, unit))) => {
                (results[1], points(2.0 * unit * row[place]))
            }
            _ => (results[0], points(held.1 * row[held.0])),
        });
        Some(ReplyMap {
            chances,
            cubeful: points(value),
            mwc: (!mine.is_money()).then(|| value.clamp(0.0, 1.0)),
            answer,
            rolls,
        })
    }

    /// Evaluates the rolls after a play independently, so that they can run in parallel. `cubes` are seen by
    /// the opponent, values by the player who made the play.
    fn cells(
        &self,
        evaluator: &dyn Evaluator,
        state: &GameState,
        result: &Position,
        cubes: &Cubes,
        ply: u8,
        cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Option<[Cell; DISTINCT]> {
        let mut plays = Plays::default();
        let replies = plays.value_all(evaluator, result);
        let cubes = cubes.flipped();
        let cell = |roll: usize| -> Option<Cell> {
            let look = self.lookahead(evaluator, state, cancelled);
            let (results, chances) = replies.of_roll(roll);
            let (best, mut row) = look.best_plays(0, results, chances, &cubes);
            let seen = match ply {
                0 => look.chances_after(0, &results[best[0]], &cubes, &chances[best[0]]),
                _ => look.deeper(0, results, &best, &cubes, ply, &mut row)?,
            };
            Some(([results[best[0]], results[best[1]]], seen, row))
        };
        let cells: Option<Vec<Cell>> = (0..DISTINCT).into_par_iter().map(cell).collect();
        cells?.try_into().ok()
    }
}
