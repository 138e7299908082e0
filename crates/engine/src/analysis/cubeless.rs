//! Equities of a cube decision with a dead cube: without a double, and after a double and a take.

use serde::Serialize;

use crate::cube::{Cube, CubeContext};
use crate::eval::Probabilities;
use crate::game::GameState;

/// Equities of a cube decision if nobody turns the cube again, in points of the present cube (EMG in a
/// match). Gammons count even under the Jacoby rule, as in eXtreme Gammon.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CubelessEquities {
    /// Without a double.
    pub no_double: f32,
    /// After a double and a take; `None` if the player may not double. For money it is twice `no_double` if
    /// the chances are equal. In a match it follows from the results at twice the cube.
    pub double: Option<f32>,
}

impl CubelessEquities {
    /// Computes the equities for the player on roll of `state` in the game of `context`. `hold` are the
    /// chances without a double, `doubled` those after a double and a take.
    pub fn new(
        context: &CubeContext,
        state: &GameState,
        [hold, doubled]: [&Probabilities; 2],
    ) -> Self {
        let cube = Cube::of(state);
        let double = || context.to_points(cube.level, context.dead(cube.doubled(), doubled));
        Self {
            no_double: context.cubeless_points(cube, hold),
            double: state.may_double().then(double),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::EquityTable;
    use crate::game::{CubeOwner, MatchScore, Position};

    const CHANCES: Probabilities = Probabilities {
        win: 0.6,
        win_gammon: 0.2,
        win_backgammon: 0.01,
        lose_gammon: 0.1,
        lose_backgammon: 0.0,
    };

    fn of(state: &GameState) -> CubelessEquities {
        let context = CubeContext::new(&state.score, state.rules, EquityTable::standard());
        CubelessEquities::new(&context, state, [&CHANCES; 2])
    }

    #[test]
    fn for_money_a_double_is_worth_twice_as_much() {
        let mut state = GameState::money(Position::opening());
        for (jacoby, cube, owner) in [
            (false, 1, CubeOwner::Centred),
            (true, 1, CubeOwner::Centred),
            (false, 4, CubeOwner::Mover),
        ] {
            (state.rules.jacoby, state.cube, state.owner) = (jacoby, cube, owner);
            let CubelessEquities { no_double, double } = of(&state);
            assert!((no_double - 0.31).abs() < 1e-5, "{no_double}");
            assert!((double.unwrap() - 0.62).abs() < 1e-5, "{double:?}");
        }
        state.owner = CubeOwner::Opponent;
        assert_eq!(of(&state).double, None);
    }

    /// At 2-away 2-away the doubled cube decides the match: a double is worth the chance to win it.
    #[test]
    fn at_a_score_the_results_of_the_doubled_cube_count() {
        let mut state = GameState::money(Position::opening());
        state.score = MatchScore {
            length: 5,
            mover: 3,
            opponent: 3,
            crawford: false,
        };
        let table = EquityTable::standard();
        let [won, lost] = [(1, 2), (2, 1)].map(|(mine, theirs)| table.chance(mine, theirs, false));
        let expected = (2.0 * CHANCES.win - (won + lost)) / (won - lost);
        let double = of(&state).double.unwrap();
        assert!((double - expected).abs() < 1e-4, "{double} {expected}");
        state.score.crawford = true;
        assert_eq!(of(&state).double, None);
    }
}
