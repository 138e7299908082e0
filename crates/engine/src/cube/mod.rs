//! The doubling cube and the score: cubeful equities, match winning chances, and cube decisions.
//!
//! The evaluator gives only cubeless chances. Read [`met`] (the value of a score), then [`context`] (the
//! values of results at a score), then [`cubeful_values`] (the value of every cube from the chances of a
//! position) and [`decision`](mod@decision) (the resulting actions). [`lookahead`] does the same some rolls
//! deeper and ranks plays; [`market`] measures the distance to a double; [`dahl`] follows four cubes through
//! one rollout; [`bearoff`] contains exact values of small bearoffs. [`Model`] contains their shared data.
//!
//! *In a rollout's loop*: call [`Model::contexts`] once per game, [`CubeContext::cubeful_values`] for a
//! position's chances, and [`CubefulValues::values`] for a cube; none of these allocates, and only the first
//! reads the match equity table.

pub mod bearoff;
pub mod context;
mod cube_set;
pub mod cubeful_values;
pub mod dahl;
pub mod decision;
pub mod efficiency;
mod equity_table;
pub mod fingerprint;
mod likely;
pub mod lookahead;
pub mod many_scores;
pub mod market;
pub mod met;
pub mod model;
pub mod money;
pub mod ranking;
mod replies;
mod reply_map;
pub mod score_look;
mod terms;
pub mod ties;

pub use bearoff::Exact;
pub use context::{Cube, CubeContext};
pub use cubeful_values::{CubeActionValues, CubefulValues};
pub use decision::{CubeAction, CubeChoice, CubeDecision, MatchChances, cube_words};
pub use fingerprint::ModelFingerprint;

pub use efficiency::{CubeEfficiencies, Efficiency};
pub use equity_table::EquityTable;
pub use many_scores::ManyScores;
pub use market::{Market, Window};
pub use model::Model;
pub use ranking::CubefulCandidate;
pub use reply_map::ReplyMap;
pub use score_look::{ScoreLook, ScoreRolls};

use crate::eval::Probabilities;
use crate::game::GameState;

/// Returns the cube decision by the standard model, from the chances alone: see [`Model::decision`]. `None`
/// when the game is over.
pub fn decision(state: &GameState, chances: &Probabilities) -> Option<CubeDecision> {
    let over = state.position.is_over();
    (!over).then(|| Model::standard().decision(state, chances))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{CubeOwner, MatchScore, Position, Rules};

    fn race(win: f32) -> Probabilities {
        Probabilities {
            win,
            ..Probabilities::default()
        }
    }

    fn decision(state: &GameState, chances: &Probabilities) -> CubeDecision {
        super::decision(state, chances).unwrap()
    }

    fn bearoff() -> GameState {
        GameState::money(Position::from_points(&[(6, 7)], &[(6, 7)]).unwrap())
    }

    /// In a race without gammons and with x = 0.73 the take point is 0.5 / 2.365 = 21.1% (Janowski), so the
    /// doubler cashes from 78.9%.
    #[test]
    fn races_cash_at_the_take_point() {
        let model = Model {
            efficiency: Efficiency::Constant(0.73),
            ..Model::default()
        };
        let action = |win| model.decision(&bearoff(), &race(win)).action;
        assert_eq!(action(0.60), CubeAction::NoDouble);
        assert_eq!(action(0.75), CubeAction::DoubleTake);
        assert_eq!(action(0.786), CubeAction::DoubleTake);
        assert_eq!(action(0.791), CubeAction::DoublePass);
        assert_eq!(action(1.0), CubeAction::DoublePass);
    }

    /// A player who wins two points often enough plays on; under the Jacoby rule nobody does.
    #[test]
    fn jacoby_ends_playing_on() {
        let gammonish = Probabilities {
            win: 0.9,
            win_gammon: 0.6,
            ..Probabilities::default()
        };
        let mut state = bearoff();
        let action = |state: &GameState| decision(state, &gammonish).action;
        assert_eq!(action(&state), CubeAction::TooGoodPass);
        state.rules = Rules {
            jacoby: true,
            beavers: true,
            ..Rules::default()
        };
        assert_eq!(action(&state), CubeAction::DoublePass);
        // The rule does not apply to a turned cube.
        state.owner = CubeOwner::Mover;
        state.cube = 2;
        assert_eq!(action(&state), CubeAction::TooGoodPass);
        assert_eq!(
            decision(&state, &race(0.4)).action,
            CubeAction::NoDoubleBeaver
        );
    }

    #[test]
    fn without_the_cube_there_is_nothing_to_decide() {
        let mut state = bearoff();
        state.owner = CubeOwner::Opponent;
        state.cube = 2;
        let one = decision(&state, &race(0.9));
        assert_eq!((one.double_take, one.action), (None, CubeAction::NoDouble));
        assert_eq!(one.cubeful_equity, one.no_double);
        assert_eq!(one.error(CubeChoice::Double), None);
    }

    #[test]
    fn finished_games_have_no_decision() {
        let over = Position::from_points(&[], &[(6, 7)]).unwrap();
        assert_eq!(super::decision(&GameState::money(over), &race(1.0)), None);
    }

    /// At 2-away 2-away it is wrong to wait: after the market is lost, gammons come too late.
    #[test]
    fn a_match_is_not_money() {
        let mut state = bearoff();
        let at = |mover, opponent, crawford| MatchScore {
            length: 7,
            mover,
            opponent,
            crawford,
        };
        state.score = at(5, 5, false);
        let one = decision(&state, &race(0.66));
        assert_eq!(one.action, CubeAction::DoubleTake);
        let mwc = one.mwc.unwrap();
        assert!((mwc.double_take.unwrap() - 0.66).abs() < 1e-6);
        assert!((mwc.double_pass.unwrap() - 0.67736).abs() < 1e-6);
        assert_eq!(decision(&state, &race(0.69)).action, CubeAction::DoublePass);
        // A cube on 2 is dead for an owner who needs two points.
        state.owner = CubeOwner::Mover;
        state.cube = 2;
        assert_eq!(decision(&state, &race(0.9)).double_take, None);
        // Nobody doubles in the Crawford game.
        state = bearoff();
        state.score = at(6, 3, true);
        assert_eq!(decision(&state, &race(0.9)).double_take, None);
        // Afterwards the trailer doubles at any chance.
        state.score = at(3, 6, false);
        assert_eq!(decision(&state, &race(0.1)).action, CubeAction::DoubleTake);
        assert_eq!(decision(&state, &race(0.95)).action, CubeAction::DoublePass);
    }
}
