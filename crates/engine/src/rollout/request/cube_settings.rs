//! The cube and the score that trials are played with.

use serde::{Deserialize, Serialize};

use super::limits::MOST_CAP;
use crate::cube::Cube;
use crate::game::{CubeOwner, GameState, MatchScore, Position, Rules};

/// The largest cube of a rollout, if nothing else is asked for and it begins far below.
pub const CAP: u32 = 1024;
/// The exact bearoffs of money play know no cap. They are used where so many doubles are left below
/// it.
pub(crate) const FAR_BELOW: u8 = 6;

/// The cube, the score and the rules of cubeful trials, seen by the player who is on roll when they
/// begin. That is the opponent of the player who makes the candidate play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CubeSettings {
    /// Value of the cube before any decision.
    pub cube: u32,
    /// Player who may turn the cube when trials begin.
    pub owner: CubeOwner,
    /// Points that the player on roll and the other need; `None` in money play.
    pub away: Option<[u16; 2]>,
    pub crawford: bool,
    /// Gammons count only after the cube has been turned.
    pub jacoby: bool,
    /// A double may be redoubled at once.
    pub beavers: bool,
    /// The match is played without the Crawford rule.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub no_crawford: bool,
    /// The first decision is rolled out.
    /// The first candidate begins without a double, the second after a double and a take.
    pub decision: bool,
    /// The largest cube.
    pub cap: u32,
}

impl CubeSettings {
    /// Returns whether a double may be beavered: the cube is turned twice, up to the cap.
    pub fn allows_beavers(&self) -> bool {
        self.beavers && self.away.is_none() && self.cube <= self.cap / 4
    }

    /// `state` by the rules of these trials: without beavers where they allow none.
    pub fn restricted(&self, state: &GameState) -> GameState {
        let mut restricted = *state;
        restricted.rules.beavers &= self.allows_beavers();
        restricted
    }

    /// The cube of trials that begin before the roll of the player on roll in `state`.
    pub fn before_roll(state: &GameState) -> Self {
        Self::seen(state, state.owner, state.score)
    }

    /// The cube of trials that begin after a play of the player on roll in `state`.
    pub fn after_play(state: &GameState) -> Self {
        Self::seen(state, state.owner.flipped(), state.score.flipped())
    }

    /// The cube of the decision whether the player on roll in `state` doubles.
    pub fn of_decision(state: &GameState) -> Self {
        Self {
            decision: true,
            ..Self::before_roll(state)
        }
    }

    /// The cube and the rules of `state`; owner and score as the player sees them who rolls first.
    fn seen(state: &GameState, owner: CubeOwner, score: MatchScore) -> Self {
        Self {
            cube: 1 << state.cube.max(1).ilog2(),
            owner,
            away: score.away().map(|(mine, theirs)| [mine, theirs]),
            crawford: score.crawford,
            jacoby: state.rules.jacoby,
            beavers: state.rules.beavers,
            no_crawford: state.rules.no_crawford,
            decision: false,
            cap: CAP
                .max(MOST_CAP.min(1 << (state.cube.max(1).ilog2() + u32::from(FAR_BELOW)).min(31))),
        }
    }

    /// The cube when the trials begin.
    pub(crate) fn cube(&self) -> Cube {
        Cube {
            level: self.cube.max(1).ilog2() as u8,
            owner: self.owner,
        }
    }

    /// The state of the player on roll at `position`.
    pub(crate) fn state(&self, position: Position) -> GameState {
        let score = self.away.map_or(MatchScore::MONEY, |[mine, theirs]| {
            let length = mine.max(theirs);
            MatchScore {
                length,
                mover: length - mine,
                opponent: length - theirs,
                crawford: self.crawford,
            }
        });
        GameState {
            cube: self.cube,
            owner: self.cube().owner,
            score,
            rules: Rules {
                jacoby: self.jacoby,
                beavers: self.beavers,
                no_crawford: self.no_crawford,
            },
            ..GameState::money(position)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A beaver beyond the cap is no answer, since trials cannot play it.
    #[test]
    fn nobody_beavers_beyond_the_cap() {
        let mut state = GameState::money(Position::opening());
        state.rules.beavers = true;
        let capped = |cube, cap| CubeSettings {
            cube,
            cap,
            ..CubeSettings::of_decision(&state)
        };
        for (cube, cap, allows) in [(1, 2, false), (1, 4, true), (2, 4, false), (2, 8, true)] {
            assert_eq!(capped(cube, cap).allows_beavers(), allows, "{cube} {cap}");
            let restricted = capped(cube, cap).restricted(&state);
            assert_eq!(restricted.allows_beavers(), allows, "{cube} {cap}");
        }
    }
}
