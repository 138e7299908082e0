//! The cube decision of another program, as a file tells it, by the rules of the game.

use crate::cube::{Cube, CubeChoice, Model};
use crate::game::GameState;
use crate::match_file::{CubeUnit, CubeVerdict};

/// What a pass is worth to the doubler, in points on the cube before.
const PASS: f64 = 1.0;

/// What another program makes of the actions, in points on the cube before the double, for the doubler.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ImportedCube {
    /// Rolling without a double.
    pub(super) no_double: f64,
    /// After a double and a take.
    pub(super) take: f64,
    beavers: bool,
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

    /// What a double is worth that is answered well.
    pub(super) fn doubled(&self) -> f64 {
        if self.beavers && self.take < 0.0 {
            2.0 * self.take
        } else {
            self.take.min(PASS)
        }
    }

    /// What a choice costs against the best one, never negative.
    pub(super) fn error(&self, choice: CubeChoice) -> f64 {
        let doubled = self.doubled();
        let best = self.no_double.max(doubled);
        let lost = match choice {
            CubeChoice::NoDouble => best - self.no_double,
            CubeChoice::Double => best - doubled,
            CubeChoice::Take => self.take - doubled,
            CubeChoice::Pass => PASS - doubled,
            CubeChoice::Beaver => 2.0 * self.take - doubled,
        };
        lost.max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::CubeDecision;

    /// It is the rule of our own decisions.
    #[test]
    fn errors_are_those_of_our_rule() {
        use CubeChoice::{Beaver, Double, NoDouble, Pass, Take};
        for beavers in [false, true] {
            for (no_double, take) in [(0.5, 0.7), (1.1, 1.3), (-0.1, -0.4), (-0.4, -0.1)] {
                let imported = ImportedCube {
                    no_double,
                    take,
                    beavers,
                };
                let ours = CubeDecision::in_points(no_double as f32, take as f32, beavers);
                for choice in [NoDouble, Double, Take, Pass, Beaver] {
                    let expected = f64::from(ours.error(choice).unwrap());
                    let found = imported.error(choice);
                    assert!(
                        (found - expected).abs() < 1e-6,
                        "{choice:?} {found} {expected}"
                    );
                }
            }
        }
    }
}
