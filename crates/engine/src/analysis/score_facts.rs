//! Properties of a score, independent of the position: match winning chances after each result, gammon values
//! and take points of both players.
//!
//! Take points are those of games without gammons, so that they depend only on the score.

use serde::Serialize;

use super::cube_facts::TakePoint;
use crate::cube::context::ScoreChances;
use crate::cube::{Cube, CubeContext, EquityTable};
use crate::eval::Probabilities;
use crate::game::{CubeOwner, Rules};

/// The properties of a score. The names of the fields are those of `luckless met --score --json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ScoreFacts {
    /// Name of the match equity table.
    pub table: String,
    /// Points needed by the player and by the opponent.
    pub away: [u16; 2],
    pub crawford: bool,
    /// Match winning chance of the player.
    pub mwc: f32,
    /// Cube values, smallest first.
    pub cubes: Vec<ScoreCube>,
}

/// The properties of one value of the cube at a score.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ScoreCube {
    pub cube: u32,
    /// Match winning chances after a single game, gammon and backgammon won; points in money play.
    pub won: [f32; 3],
    /// Match winning chances after a single game, gammon and backgammon lost; points in money play.
    pub lost: [f32; 3],
    /// Gammon values of the player and of the opponent: 0.5 in money play.
    pub gammon_value: [f32; 2],
    /// The player's take point in games without gammons, for a double of this cube, if the opponent may
    /// double it.
    pub take_point: Option<TakePoint>,
    /// The opponent's take point in games without gammons, for a double of this cube, if the player may
    /// double it.
    pub their_take_point: Option<TakePoint>,
}

impl ScoreFacts {
    /// Computes the facts for a player who needs `away[0]` points against `away[1]`, both at least one.
    /// Without `crawford`, 1-away means post-Crawford. The cubes are only `cube`, or 1, 2, 4, … up to the
    /// first that nobody can use; in the Crawford game only 1.
    pub fn new(table: &EquityTable, away: [u16; 2], crawford: bool, cube: Option<u32>) -> Self {
        let [mine, theirs] = away;
        let context = CubeContext::at_score(table, mine, theirs, crawford);
        let most = match crawford {
            true => 1,
            false => u32::from(mine.max(theirs)).next_power_of_two(),
        };
        let cubes = match cube {
            Some(cube) => vec![cube],
            None => (0..12).map(|n| 1 << n).filter(|c| *c <= most).collect(),
        };
        let facts = |cube| ScoreCube::new(&context, cube);
        Self {
            table: table.name().to_owned(),
            away,
            crawford,
            mwc: ScoreChances::new(table, away, crawford).before(),
            cubes: cubes.into_iter().map(facts).collect(),
        }
    }

    /// Returns whether one of the cubes may be doubled and taken.
    pub fn is_cube_in_use(&self) -> bool {
        self.cubes.iter().any(ScoreCube::is_in_use)
    }
}

impl ScoreCube {
    /// Returns the facts of a cube in money play; under the Jacoby rule those of a turned cube.
    pub fn of_money() -> Self {
        Self::new(&CubeContext::money(Rules::default()), 1)
    }

    fn new(context: &CubeContext, cube: u32) -> Self {
        let level = cube.ilog2() as u8;
        let at = Cube {
            level,
            owner: CubeOwner::Centred,
        };
        let other = context.flipped();
        Self {
            cube,
            won: [1, 2, 3].map(|points| context.result(at, points)),
            lost: [-1, -2, -3].map(|points| context.result(at, points)),
            gammon_value: [context.gammon_value(level, 2), other.gammon_value(level, 2)],
            take_point: take_point(context, level),
            their_take_point: take_point(&other, level),
        }
    }

    /// Returns whether a player can gain by doubling this cube.
    pub fn is_in_use(&self) -> bool {
        self.take_point.is_some() || self.their_take_point.is_some()
    }
}

/// Returns the take point of the player whose context this is, for a double from `level` in games without
/// gammons.
fn take_point(context: &CubeContext, level: u8) -> Option<TakePoint> {
    let even = Probabilities {
        win: 0.5,
        ..Probabilities::default()
    };
    TakePoint::of(&context.cubeful_values(&even, 1.0, level), level)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(away: [u16; 2], crawford: bool) -> ScoreFacts {
        ScoreFacts::new(EquityTable::standard(), away, crawford, None)
    }

    fn near(actual: f32, expected: f32) {
        assert!((actual - expected).abs() < 1e-5, "{actual} {expected}");
    }

    /// At 2-away 2-away the first cube is the last, and a gammon is worth no more than a game. After a pass
    /// the score is 1-away 2-away Crawford, 32.264%; a take plays for the match.
    #[test]
    fn two_away_each() {
        let at = facts([2, 2], false);
        let [first, last] = &at.cubes[..] else {
            panic!("{:?}", at.cubes)
        };
        let take = first.take_point.unwrap();
        near(take.dead, 0.32264);
        near(take.live, take.dead);
        assert_eq!(first.take_point, first.their_take_point);
        assert!(!last.is_in_use() && at.is_cube_in_use());
        assert!(!facts([1, 1], false).is_cube_in_use());
    }

    /// At 4-away 2-away on a cube of 1: after a pass the leader has 4-away 1-away Crawford, after a win
    /// 3-away 2-away. A take on a dead cube of 2 leads to the loss of the match or to 2-away 2-away. The
    /// trailer redoubles for the match at once, so the live take point is that of a cube of 4.
    #[test]
    fn figures_are_those_of_the_table() {
        let table = EquityTable::standard();
        let chance = |mine, theirs| table.chance(mine, theirs, false);
        let at = facts([4, 2], false);
        assert_eq!(at.mwc, chance(4, 2));
        let one = &at.cubes[0];
        assert_eq!(one.won, [chance(3, 2), chance(2, 2), chance(1, 2)]);
        assert_eq!(one.lost, [chance(4, 1), 0.0, 0.0]);
        let take = one.take_point.unwrap();
        near(take.dead, chance(4, 1) / chance(2, 2));
        near(take.live, chance(4, 1));
        let spread = chance(3, 2) - chance(4, 1);
        near(one.gammon_value[0], (chance(2, 2) - chance(3, 2)) / spread);
        near(one.gammon_value[1], chance(4, 1) / spread);
        // The opponent's figures are those of the reversed score.
        let turned = facts([2, 4], false);
        let same = |a: Option<TakePoint>, b: Option<TakePoint>| {
            let (a, b) = (a.unwrap(), b.unwrap());
            near(a.dead, b.dead);
            near(a.live, b.live);
        };
        same(turned.cubes[0].take_point, one.their_take_point);
        same(turned.cubes[0].their_take_point, one.take_point);
    }

    /// In the Crawford game nobody doubles. Afterwards the trailer does, and gammons have another value.
    #[test]
    fn the_crawford_game_and_after_it() {
        let table = EquityTable::standard();
        let [crawford, after] = [true, false].map(|crawford| facts([4, 1], crawford));
        assert_eq!(crawford.mwc, table.chance(4, 1, false));
        assert_eq!(after.mwc, table.chance(4, 1, true));
        assert!(!crawford.is_cube_in_use());
        assert!(after.cubes[0].their_take_point.is_some());
        assert!(after.cubes[0].take_point.is_none(), "the leader doubled");
    }

    /// Janowski's take points without gammons, and a gammon value of 0.5.
    #[test]
    fn money_play() {
        let money = ScoreCube::of_money();
        for take in [money.take_point, money.their_take_point] {
            let take = take.unwrap();
            near(take.dead, 0.25);
            near(take.live, 0.2);
        }
        assert_eq!(money.gammon_value, [0.5; 2]);
    }
}
