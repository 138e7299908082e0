//! A table of all rolls: the best play of each, its equity, and the luck of the roll.

use rayon::prelude::*;

use crate::cube::Model;
use crate::eval::{CandidateFilter, Evaluator};
use crate::game::roll::mean_by_weight;
use crate::game::{GameState, Play, Roll};

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RollValue {
    pub roll: Roll,
    pub play: Play,
    /// Cubeful equity of the play, in points of the present cube (EMG in a match).
    pub points: f32,
    /// Match winning chance, in a match.
    pub mwc: Option<f32>,
}

/// The rolls of a position, best first.
#[derive(Clone, Debug, PartialEq)]
pub struct RollTable {
    /// Plies of lookahead for the plays.
    pub ply: u8,
    /// The 21 different rolls, or the 15 without doubles.
    pub rolls: Vec<RollValue>,
    /// Mean of the rolls, in the same points.
    pub mean: f32,
}

impl RollTable {
    /// Computes the rolls of the player on roll, who does not double first. The first roll of a game is never
    /// a double. `None` if `cancelled` returned true, or if the game is over.
    pub fn new(
        evaluator: &dyn Evaluator,
        model: &Model,
        state: &GameState,
        is_first_roll: bool,
        ply: u8,
        cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Option<Self> {
        let state = state.roller().before_roll();
        if state.position.is_over() {
            return None;
        }
        let value = |roll: Roll| {
            let filter = CandidateFilter::default();
            let all = model.candidates(evaluator, &state, roll, ply, filter, &cancelled)?;
            let best = all.first()?;
            Some(RollValue {
                roll,
                play: best.candidate.play,
                points: best.cubeful,
                mwc: best.mwc,
            })
        };
        let could_come = |roll: &Roll| !(is_first_roll && roll.is_double());
        let rolls = Roll::ALL.into_par_iter().filter(could_come).map(value);
        let mut rolls: Vec<RollValue> = rolls.collect::<Option<_>>()?;
        let weighted = |one: &RollValue| (one.points, one.roll.weight() as f32);
        let mean = mean_by_weight(rolls.iter().map(weighted));
        rolls.sort_by(|a, b| b.points.total_cmp(&a.points));
        Some(Self { ply, rolls, mean })
    }

    /// Returns the luck of a roll in points: its equity minus the mean.
    pub fn luck(&self, one: &RollValue) -> f32 {
        one.points - self.mean
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Engine;
    use crate::game::Position;

    fn table(state: &GameState, is_first_roll: bool, ply: u8) -> RollTable {
        let engine = Engine::embedded();
        let model = Model::standard();
        RollTable::new(&engine, model, state, is_first_roll, ply, &|| false).unwrap()
    }

    #[test]
    fn the_best_roll_comes_first_and_the_mean_luck_is_zero() {
        let state = GameState::money(Position::opening());
        for (is_first, rolls) in [(false, 21), (true, 15)] {
            let table = table(&state, is_first, 0);
            assert_eq!(table.rolls.len(), rolls);
            assert!(table.rolls.is_sorted_by(|a, b| a.points >= b.points));
            let luck = |one: &RollValue| one.roll.weight() as f32 * table.luck(one);
            let sum: f32 = table.rolls.iter().map(luck).sum();
            assert!(sum.abs() < 1e-4, "{sum}");
        }
        let first = table(&state, true, 0);
        assert_eq!(first.rolls[0].roll, Roll::new(3, 1).unwrap());
    }

    /// In an exactly known bearoff the mean of the rolls equals the value.
    #[test]
    fn the_mean_of_all_rolls_is_what_the_position_is_worth() {
        let state =
            crate::notation::parse_id("XGID=-BBA-----------------ab---:1:1:1:00:0:0:0:0:10")
                .unwrap();
        let table = table(&state, false, 1);
        let engine = Engine::embedded();
        let decision = Model::standard()
            .decide(&engine, &state, 1, &|| false)
            .unwrap();
        assert!(
            (table.mean - decision.no_double).abs() < 0.01,
            "{} {}",
            table.mean,
            decision.no_double
        );
    }

    #[test]
    fn the_computation_can_be_cancelled() {
        let (engine, state) = (Engine::embedded(), GameState::money(Position::opening()));
        let table = RollTable::new(&engine, Model::standard(), &state, false, 1, &|| true);
        assert_eq!(table, None);
    }
}
