//! Impossible scores and cubes.

use std::fmt;

use super::state::{CubeOwner, GameState, is_crawford_score};

/// The highest number on a cube, where automatic doubles end.
const HIGHEST_AUTOMATIC: u32 = 64;

/// Why a score and a cube are impossible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StateProblem {
    /// A player has already won the match.
    Won {
        /// The winner is the player on roll.
        is_mover: bool,
        points: u16,
        /// Length of the match.
        length: u16,
    },
    /// The Crawford game at a wrong score.
    NoCrawford,
    /// A turned or offered cube in a match to one point.
    OnePoint,
    /// A turned or offered cube in the Crawford game.
    CrawfordCube,
    /// A turned cube without an owner.
    Unowned(u32),
    /// A centred cube that is too high for automatic doubles.
    TooHigh(u32),
    /// A cube at 1 with an owner.
    OwnedOne,
    /// A double by the player who does not own the cube.
    NotTheirs,
}

impl StateProblem {
    /// Describes the problem, with these names for the player on roll and the opponent.
    pub fn text(&self, mover: &str, opponent: &str) -> String {
        match *self {
            Self::Won {
                is_mover,
                points,
                length,
            } => {
                let who = if is_mover { mover } else { opponent };
                format!("{who} has {points} points: a match to {length} is over")
            }
            Self::NoCrawford => {
                "Crawford game, but not just one player is one point away".to_owned()
            }
            Self::OnePoint => "the cube is not used in a match to 1 point".to_owned(),
            Self::CrawfordCube => "the cube is not used in the Crawford game".to_owned(),
            Self::Unowned(cube) => {
                format!("a cube of {cube} in the middle: in a match a player owns it")
            }
            Self::TooHigh(cube) => {
                format!(
                    "a cube of {cube} in the middle: automatic doubles end at {HIGHEST_AUTOMATIC}"
                )
            }
            Self::OwnedOne => {
                "a cube of 1 with an owner: it is in the middle until somebody doubles".to_owned()
            }
            Self::NotTheirs => format!("{opponent} may not double: {mover} owns the cube"),
        }
    }
}

impl fmt::Display for StateProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text("the player on roll", "the opponent"))
    }
}

impl std::error::Error for StateProblem {}

impl GameState {
    /// Refuses impossible scores and cubes. A double that gains nothing is possible. Money play may have a
    /// higher centred cube by automatic doubles.
    ///
    /// # Errors
    /// The problem.
    pub fn check(&self) -> Result<(), StateProblem> {
        let is_centred = self.owner == CubeOwner::Centred;
        if self.score.is_money() {
            if self.cube > HIGHEST_AUTOMATIC && is_centred {
                return Err(StateProblem::TooHigh(self.cube));
            }
        } else {
            self.check_score()?;
            if self.cube > 1 && is_centred {
                return Err(StateProblem::Unowned(self.cube));
            }
        }
        if self.cube <= 1 && self.owner != CubeOwner::Centred {
            return Err(StateProblem::OwnedOne);
        }
        if self.doubled && self.owner == CubeOwner::Mover {
            return Err(StateProblem::NotTheirs);
        }
        Ok(())
    }

    fn check_score(&self) -> Result<(), StateProblem> {
        let score = self.score;
        let (length, points) = (score.length, [score.mover, score.opponent]);
        if let Some(player) = points.iter().position(|&points| points >= length) {
            return Err(StateProblem::Won {
                is_mover: player == 0,
                points: points[player],
                length,
            });
        }
        let is_turned = self.cube > 1 || self.owner != CubeOwner::Centred;
        if length == 1 && (is_turned || self.doubled) {
            return Err(StateProblem::OnePoint);
        }
        if !score.crawford {
            return Ok(());
        }
        if !is_crawford_score(length, points) {
            return Err(StateProblem::NoCrawford);
        }
        if is_turned || self.doubled {
            return Err(StateProblem::CrawfordCube);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{MatchScore, Position};

    #[test]
    fn unreachable_states_are_named() {
        let money = GameState::money(Position::opening());
        let at = |length, mover, opponent, crawford| GameState {
            score: MatchScore {
                length,
                mover,
                opponent,
                crawford,
            },
            ..money
        };
        let cube = |state, cube, owner| GameState {
            cube,
            owner,
            ..state
        };
        let offered = |state| GameState {
            doubled: true,
            ..state
        };
        use CubeOwner::{Centred, Mover, Opponent};
        use StateProblem::{
            CrawfordCube, NoCrawford, NotTheirs, OnePoint, OwnedOne, TooHigh, Unowned,
        };
        let (seven, one) = (at(7, 2, 4, false), at(1, 0, 0, false));
        for (state, problem) in [
            (cube(seven, 4, Centred), Unowned(4)),
            (cube(money, 1 << 20, Centred), TooHigh(1 << 20)),
            (cube(one, 2, Mover), OnePoint),
            (cube(one, 2, Centred), OnePoint),
            (offered(one), OnePoint),
            (cube(seven, 1, Mover), OwnedOne),
            (cube(money, 1, Opponent), OwnedOne),
            (offered(cube(seven, 2, Mover)), NotTheirs),
            (offered(at(7, 6, 4, true)), CrawfordCube),
            (cube(at(7, 6, 4, true), 2, Mover), CrawfordCube),
            (at(7, 2, 4, true), NoCrawford),
            (at(7, 6, 6, true), NoCrawford),
        ] {
            assert_eq!(state.check(), Err(problem), "{state:?}");
        }
        let won = at(7, 2, 9, false).check().unwrap_err();
        assert_eq!(
            won.to_string(),
            "the opponent has 9 points: a match to 7 is over"
        );
        for state in [
            money,
            cube(money, 4, Centred),
            cube(money, 64, Centred),
            cube(money, 128, Opponent),
            one,
            cube(money, 2, Mover),
            offered(cube(seven, 2, Opponent)),
            at(7, 6, 4, true),
            // A double that gains nothing is wasteful but possible.
            cube(at(7, 6, 6, false), 2, Mover),
        ] {
            assert_eq!(state.check(), Ok(()), "{state:?}");
        }
    }
}
