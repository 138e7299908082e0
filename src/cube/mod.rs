//! What the doubling cube adds: cubeful equities, and whether to double, take, pass or beaver.
//!
//! The evaluator below knows chances only. Here they become points per unit of the present cube:
//! [`money`] holds R. Janowski's formulas, [`decision`] compares doing nothing with doubling.
//! Match play needs equity tables that are not here yet: there every function says `None`.

pub mod money;

use serde::{Deserialize, Serialize};

use crate::eval::Probabilities;
use crate::game::{CubeOwner, GameState, Position};

/// What the player on roll should do with the cube, and the other one with a double.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Action {
    /// Roll; a double would be taken (or is not possible).
    #[serde(rename = "no double")]
    NoDouble,
    /// Double; the other one takes.
    #[serde(rename = "double/take")]
    DoubleTake,
    /// Double; the other one passes.
    #[serde(rename = "double/pass")]
    DoublePass,
    /// Play on for the gammon; a double would be taken.
    #[serde(rename = "too good/take")]
    TooGoodTake,
    /// Play on for the gammon; a double would be passed.
    #[serde(rename = "too good/pass")]
    TooGoodPass,
    /// A double would be redoubled at once, by a player who keeps the cube.
    #[serde(rename = "beaver")]
    Beaver,
}

impl Action {
    /// In words, as in the machine output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::NoDouble => "no double",
            Self::DoubleTake => "double/take",
            Self::DoublePass => "double/pass",
            Self::TooGoodTake => "too good/take",
            Self::TooGoodPass => "too good/pass",
            Self::Beaver => "beaver",
        }
    }
}

/// A cube decision: equities of the player on roll in points per unit of the present cube.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Decision {
    /// With the best cube action by both.
    pub cubeful_equity: f32,
    /// Rolling without a double.
    pub no_double: f32,
    /// After a double and a take (without a beaver); `None` when doubling is not possible.
    pub double_take: Option<f32>,
    /// After a double and a pass; `None` when doubling is not possible.
    pub double_pass: Option<f32>,
    /// The best action.
    pub action: Action,
}

/// The cube decision of the player on roll of `state`, before the roll, from the cubeless chances
/// of its position; `None` in match play. A double already offered (`state.doubled`) is not this
/// decision: ask for it from the doubler's side.
///
/// The comparisons are the rules of the game: double if that is worth more when the other player
/// answers best; take if it costs less than the point of passing.
#[must_use]
pub fn decision(state: &GameState, chances: &Probabilities) -> Option<Decision> {
    if !state.score.is_money() {
        return None;
    }
    let life = life_index(&state.position);
    let centred_jacoby = state.rules.jacoby && state.owner == CubeOwner::Centred;
    let no_double = money::equity(chances, state.owner, centred_jacoby, life);
    if !state.may_double() {
        return Some(Decision {
            cubeful_equity: no_double,
            no_double,
            double_take: None,
            double_pass: None,
            action: Action::NoDouble,
        });
    }
    let double_take = 2.0 * money::equity(chances, CubeOwner::Opponent, false, life);
    let (action, cubeful_equity) = compare(no_double, double_take, state.rules.beavers);
    Some(Decision {
        cubeful_equity,
        no_double,
        double_take: Some(double_take),
        double_pass: Some(1.0),
        action,
    })
}

/// The best action and what it is worth, from the equities without a double and after a take. A
/// beaver doubles what is at stake and leaves the cube where it is.
fn compare(no_double: f32, double_take: f32, beavers: bool) -> (Action, f32) {
    const PASS: f32 = 1.0;
    let beavered = beavers && double_take < 0.0;
    let doubled = if beavered {
        2.0 * double_take
    } else {
        double_take.min(PASS)
    };
    let action = if beavered {
        Action::Beaver
    } else if double_take >= PASS {
        if no_double > PASS {
            Action::TooGoodPass
        } else {
            Action::DoublePass
        }
    } else if double_take >= no_double {
        Action::DoubleTake
    } else if no_double > PASS {
        Action::TooGoodTake
    } else {
        Action::NoDouble
    };
    (action, no_double.max(doubled))
}

/// How live the cube is in a position, from 0 (dead) to 1 (always turned at the perfect moment):
/// Janowski's cube-life index.
///
/// The values are those GNU Backgammon uses: 0.68 with contact, 0.60 when both sides bear off, in
/// between 0.55 + 0.00125 for each pip of the player on roll, held between 0.60 and 0.70.
#[must_use]
pub fn life_index(position: &Position) -> f32 {
    if !position.is_race() {
        0.68
    } else if position.mover.rearmost() <= 6 && position.opponent.rearmost() <= 6 {
        0.60
    } else {
        (0.55 + 0.00125 * position.mover.pips() as f32).clamp(0.60, 0.70)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{MatchScore, Rules};

    fn race(win: f32) -> Probabilities {
        Probabilities {
            win,
            ..Probabilities::default()
        }
    }

    fn bearoff() -> GameState {
        GameState::money(Position::from_points(&[(6, 7)], &[(6, 7)]).unwrap())
    }

    #[test]
    fn actions_follow_from_the_equities() {
        for (no_double, double_take, beavers, action, worth) in [
            (0.3, 0.2, false, Action::NoDouble, 0.3),
            (0.5, 0.7, false, Action::DoubleTake, 0.7),
            (0.8, 1.2, false, Action::DoublePass, 1.0),
            (1.1, 1.3, false, Action::TooGoodPass, 1.1),
            (1.1, 0.9, false, Action::TooGoodTake, 1.1),
            (-0.1, -0.4, false, Action::NoDouble, -0.1),
            (-0.1, -0.4, true, Action::Beaver, -0.1),
        ] {
            let (best, equity) = compare(no_double, double_take, beavers);
            assert_eq!((best, equity), (action, worth));
        }
    }

    /// In a race without gammons and x = 0.6 the take point is 0.5 / 2.3 = 21.7% (Janowski), so
    /// the doubler cashes from 78.3%.
    #[test]
    fn races_cash_at_the_take_point() {
        let action = |win| decision(&bearoff(), &race(win)).unwrap().action;
        assert_eq!(action(0.60), Action::NoDouble);
        assert_eq!(action(0.75), Action::DoubleTake);
        assert_eq!(action(0.780), Action::DoubleTake);
        assert_eq!(action(0.785), Action::DoublePass);
        assert_eq!(action(1.0), Action::DoublePass);
    }

    /// Who wins two points often enough plays on; under the Jacoby rule nobody does.
    #[test]
    fn jacoby_ends_playing_on() {
        let gammonish = Probabilities {
            win: 0.9,
            win_gammon: 0.6,
            ..Probabilities::default()
        };
        let mut state = bearoff();
        assert_eq!(
            decision(&state, &gammonish).unwrap().action,
            Action::TooGoodPass
        );
        state.rules = Rules {
            jacoby: true,
            beavers: true,
        };
        assert_eq!(
            decision(&state, &gammonish).unwrap().action,
            Action::DoublePass
        );
        // A cube already turned has ended the rule.
        state.owner = CubeOwner::Mover;
        state.cube = 2;
        assert_eq!(
            decision(&state, &gammonish).unwrap().action,
            Action::TooGoodPass
        );
        assert_eq!(decision(&state, &race(0.4)).unwrap().action, Action::Beaver);
    }

    #[test]
    fn without_the_cube_there_is_nothing_to_decide() {
        let mut state = bearoff();
        state.owner = CubeOwner::Opponent;
        state.cube = 2;
        let decision = decision(&state, &race(0.9)).unwrap();
        assert_eq!(
            (decision.double_take, decision.action),
            (None, Action::NoDouble)
        );
        assert_eq!(decision.cubeful_equity, decision.no_double);
    }

    #[test]
    fn matches_are_not_money() {
        let mut state = bearoff();
        state.score = MatchScore {
            length: 7,
            ..MatchScore::MONEY
        };
        assert_eq!(decision(&state, &race(0.5)), None);
    }

    #[test]
    fn words_are_those_of_the_machine_output() {
        for action in [
            Action::NoDouble,
            Action::DoubleTake,
            Action::DoublePass,
            Action::TooGoodTake,
            Action::TooGoodPass,
            Action::Beaver,
        ] {
            let json = serde_json::to_string(&action).unwrap();
            assert_eq!(json, format!("\"{}\"", action.name()));
        }
    }
}
