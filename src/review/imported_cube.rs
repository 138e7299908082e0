//! The cube decision of another program, as a file tells it, by the rules of the game.

use super::MatchTurn;
use super::cube::cube_decision_of;
use crate::cube::decision::PASS;
use crate::cube::{Cube, Model};
use crate::game::GameState;
use crate::match_file::{Action, CubeFigures, CubeUnit, CubeVerdict};

/// Another program's values of the actions, in points on the cube before the double, for the doubler.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ImportedCube {
    /// Rolling without a double.
    pub(super) no_double: f64,
    /// After a double and a take.
    pub(super) take: f64,
    beavers: bool,
}

/// Returns the loss of a turn's cube action by another program's figures, in points on the cube before the double.
/// `None` if a figure is missing, or without a decision.
pub fn imported_error(verdict: &CubeVerdict, turn: &MatchTurn, model: &Model) -> Option<f64> {
    let (state, _) = cube_decision_of(turn)?;
    ImportedCube::new(verdict, &state, model)?.error(turn.action?)
}

impl ImportedCube {
    /// Reads a verdict on the decision of the doubler in `state`; `None` where a figure is missing.
    pub(super) fn new(verdict: &CubeVerdict, state: &GameState, model: &Model) -> Option<Self> {
        let both = [verdict.no_double?, verdict.double_take?];
        let [context, _] = model.contexts(state);
        let level = Cube::of(state).level;
        let [no_double, take] = both.map(|value| match verdict.unit {
            CubeUnit::Points => value,
            CubeUnit::Mwc => f64::from(context.to_points(level, value as f32)),
        });
        Some(Self {
            no_double,
            take,
            beavers: state.allows_beavers(),
        })
    }

    /// Returns the value of a double after its best answer, for the doubler, in points on the cube before.
    pub(super) fn doubled(&self) -> f64 {
        self.figures().doubled()
    }

    /// Points that an action gives away against the best one, never negative.
    pub(super) fn error(&self, action: Action) -> Option<f64> {
        self.figures().error(action)
    }

    fn figures(&self) -> CubeFigures {
        CubeFigures {
            no_double: self.no_double,
            take: self.take,
            pass: f64::from(PASS),
            beavers: self.beavers,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::{CubeChoice, CubeDecision};
    use crate::game::{MatchScore, Position, Roll};

    /// It is the rule of our own decisions.
    #[test]
    fn errors_are_those_of_our_rule() {
        let roll = Roll::new(3, 1).unwrap();
        let all = [
            (CubeChoice::NoDouble, Action::Hidden { roll }),
            (CubeChoice::Double, Action::Double { to: 2 }),
            (CubeChoice::Take, Action::Take),
            (CubeChoice::Pass, Action::Pass),
            (CubeChoice::Beaver, Action::Beaver { to: 4 }),
        ];
        for beavers in [false, true] {
            for (no_double, take) in [(0.5, 0.7), (1.1, 1.3), (-0.1, -0.4), (-0.4, -0.1)] {
                let imported = ImportedCube {
                    no_double,
                    take,
                    beavers,
                };
                let ours = CubeDecision::in_points(no_double as f32, take as f32, beavers);
                for (choice, action) in all {
                    let expected = f64::from(ours.error(choice).unwrap());
                    let found = imported.error(action).unwrap();
                    assert!(
                        (found - expected).abs() < 1e-6,
                        "{choice:?} {found} {expected}"
                    );
                }
            }
        }
    }

    /// GNU Backgammon writes no figure of a pass in a match: it is worth what the score says.
    #[test]
    fn chances_to_win_the_match_become_points() {
        let model = Model::standard();
        let doubler = GameState {
            score: MatchScore {
                length: 7,
                mover: 1,
                opponent: 3,
                crawford: false,
            },
            ..GameState::money(Position::opening())
        };
        let context = model.context(&doubler);
        let chance = |points: f32| Some(f64::from(context.from_points(0, points)));
        let verdict = CubeVerdict {
            unit: CubeUnit::Mwc,
            no_double: chance(0.8),
            double_take: chance(1.3),
            ..CubeVerdict::default()
        };
        let roll = Roll::new(3, 1).unwrap();
        for (state, action, expected) in [
            (doubler, Action::Hidden { roll }, Some(0.2)),
            (doubler, Action::Double { to: 2 }, Some(0.0)),
            (doubler.offered(), Action::Take, Some(0.3)),
            (doubler.offered(), Action::Pass, Some(0.0)),
            (doubler.offered(), Action::Resign, None),
        ] {
            let mut turn = MatchTurn::alone(state);
            // Not the first roll of a game.
            turn.before.event = 3;
            turn.action = Some(action);
            let found = imported_error(&verdict, &turn, model);
            let rounded = found.map(|error| (error * 1e4).round() / 1e4);
            assert_eq!(rounded, expected, "{action:?}");
        }
    }
}
