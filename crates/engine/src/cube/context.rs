//! The context of a game: the value of every result at every cube, at one score.
//!
//! A [`CubeContext`] is created once per game, from the score, the rules and a match equity table, which is
//! not read afterwards. Values are match winning chances (MWC, 0 to 1) in a match and points in money play,
//! including the cube, for the player who was on roll at creation. [`CubeContext::flipped`] returns the values
//! for the opponent.
//!
//! *Points.* Let W and L be the values after winning and after losing the present cube. A value `v` is then
//! (2v - (W + L)) / (W - L) points: 1 for winning the cube and -1 for losing it, as in money play ("EMG",
//! equity normalised to money).

mod score_chances;

use super::equity_table::EquityTable;
use super::terms::Terms;
use crate::eval::Probabilities;
use crate::game::{CubeOwner, GameState, MatchScore, Rules};
pub use score_chances::ScoreChances;

/// Returns 2 to the power of a cube's level, by setting the exponent bits; levels are far below the limit.
#[inline]
fn power_of_two(level: u8) -> f32 {
    f32::from_bits((127 + u32::from(level)) << 23)
}

/// Number of cube values in a match: 1, 2, 4, … 2048.
pub(super) const LEVELS: usize = 12;

/// The cube: its value and owner, seen by the player on roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cube {
    /// The value is 2 to this power.
    pub level: u8,
    /// The player who may double next.
    pub owner: CubeOwner,
}

impl Cube {
    /// The cube at the beginning of a game.
    pub const CENTRED: Self = Self {
        level: 0,
        owner: CubeOwner::Centred,
    };

    /// Returns the cube of `state`; a value between two powers of two is rounded down.
    pub fn of(state: &GameState) -> Self {
        Self {
            level: state.cube.max(1).ilog2() as u8,
            owner: state.owner,
        }
    }

    /// Returns the number on the cube: 1, 2, 4, …
    pub fn value(self) -> f32 {
        power_of_two(self.level)
    }

    /// Returns the cube as seen by the opponent.
    pub fn flipped(self) -> Self {
        Self {
            owner: self.owner.flipped(),
            ..self
        }
    }

    /// Returns the cube after a double by the player on roll and a take.
    pub fn doubled(self) -> Self {
        Self {
            level: self.level.saturating_add(1),
            owner: CubeOwner::Opponent,
        }
    }
}

/// The unit of results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scoring {
    Money {
        rules: Rules,
    },
    /// Match winning chances.
    Match {
        /// Points needed by the player on roll and by the opponent.
        away: [u16; 2],
        /// The Crawford game, without doubling.
        crawford: bool,
    },
}

/// Values of the results at one cube: won and lost, by size (single game, gammon, backgammon).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct ResultValues {
    pub(super) win: [f32; 3],
    pub(super) lose: [f32; 3],
}

/// The value of every result at every cube. See the [module](self).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CubeContext {
    pub(super) play: Scoring,
    /// The first level at which nobody may double, in a match.
    top: u8,
    levels: [ResultValues; LEVELS],
    /// Parameters of exact bearoffs, in a match that is not too long.
    terms: Option<Terms>,
}

impl CubeContext {
    /// Creates the context for this score and these rules, seen by the player on roll.
    pub fn new(score: &MatchScore, rules: Rules, table: &EquityTable) -> Self {
        match ScoreChances::of(score, rules, table) {
            None => Self::money(rules),
            Some(chances) => Self::by_chances(&chances),
        }
    }

    /// Creates the context of money play.
    pub fn money(rules: Rules) -> Self {
        let mut levels = [ResultValues::default(); LEVELS];
        // One level represents all: see [`Self::result_values`].
        levels[0] = ResultValues {
            win: [1.0, 2.0, 3.0],
            lose: [-1.0, -2.0, -3.0],
        };
        Self {
            play: Scoring::Money {
                rules: rules.in_force(0, true),
            },
            top: LEVELS as u8 - 1,
            levels,
            terms: None,
        }
    }

    /// Creates the context of a match in which the player on roll needs `mine` points and the opponent
    /// `theirs`. `crawford`: whether this is the Crawford game; otherwise 1-away means post-Crawford. Fewer
    /// than one point count as one.
    pub fn at_score(table: &EquityTable, mine: u16, theirs: u16, crawford: bool) -> Self {
        Self::by_chances(&ScoreChances::new(table, [mine, theirs], crawford))
    }

    /// Creates the context of a match whose results have these chances.
    fn by_chances(chances: &ScoreChances<'_>) -> Self {
        let [mine, theirs] = chances.away;
        let most = mine.max(theirs);
        let top = (0..LEVELS as u8 - 1)
            .find(|&level| 1 << level >= most)
            .unwrap_or(LEVELS as u8 - 1);
        let mut levels = [ResultValues::default(); LEVELS];
        for (level, results) in levels.iter_mut().enumerate() {
            let cube = 1i32 << level;
            let sizes = [cube, 2 * cube, 3 * cube];
            results.win = sizes.map(|points| chances.after([points, 0]));
            results.lose = sizes.map(|points| chances.after([0, points]));
        }
        let (away, crawford) = (chances.away, chances.is_crawford);
        let chance = |mine, theirs| chances.after_to(mine, theirs);
        Self {
            play: Scoring::Match { away, crawford },
            top,
            levels,
            terms: Terms::new(away, crawford, top, chance),
        }
    }

    /// Returns the context as seen by the opponent.
    pub fn flipped(&self) -> Self {
        let flip = |values: [f32; 3]| values.map(|v| self.flip(v));
        let play = match self.play {
            Scoring::Match {
                away: [mine, theirs],
                crawford,
            } => Scoring::Match {
                away: [theirs, mine],
                crawford,
            },
            money @ Scoring::Money { .. } => money,
        };
        Self {
            play,
            top: self.top,
            levels: self.levels.map(|results| ResultValues {
                win: flip(results.lose),
                lose: flip(results.win),
            }),
            terms: self.terms.map(Terms::flipped),
        }
    }

    /// Returns the parameters of exact bearoffs; `None` in money play and in too long matches.
    pub(super) fn terms(&self) -> Option<&Terms> {
        self.terms.as_ref()
    }

    /// Returns whether this is money play.
    pub fn is_money(&self) -> bool {
        matches!(self.play, Scoring::Money { .. })
    }

    /// Returns whether beavers are allowed.
    pub fn beavers(&self) -> bool {
        matches!(self.play, Scoring::Money { rules } if rules.beavers)
    }

    /// Converts a value of one player to the opponent's.
    #[inline]
    pub fn flip(&self, value: f32) -> f32 {
        if self.is_money() { -value } else { 1.0 - value }
    }

    /// Returns whether the Jacoby rule applies: gammons count only after a double.
    #[inline]
    pub fn has_jacoby(&self) -> bool {
        matches!(self.play, Scoring::Money { rules } if rules.jacoby)
    }

    /// Returns whether gammons count with this owner of the cube: see [`Rules::counts_gammons`].
    #[inline]
    pub fn counts_gammons(&self, owner: CubeOwner) -> bool {
        match self.play {
            Scoring::Money { rules } => rules.counts_gammons(owner),
            Scoring::Match { .. } => true,
        }
    }

    /// Returns the value of a finished game worth `points` (-3 to 3, not 0) to the player on roll, at `cube`.
    /// If gammons do not count, every win is a single game.
    pub fn result(&self, cube: Cube, points: i8) -> f32 {
        let size = match self.counts_gammons(cube.owner) {
            true => usize::from(points.unsigned_abs().clamp(1, 3)) - 1,
            false => 0,
        };
        let (results, unit) = self.result_values(cube.level);
        let values = if points > 0 {
            results.win
        } else {
            results.lose
        };
        unit * values[size]
    }

    /// Returns the value (MWC or points) for the player on roll of a double at `cube` and a pass.
    #[inline]
    pub fn cash(&self, cube: Cube) -> f32 {
        let (results, unit) = self.result_values(cube.level);
        unit * results.win[0]
    }

    /// Returns whether the player on roll may double: the cube is centred or owned by this player, does not
    /// already win the match, and this is not the Crawford game.
    pub fn may_double(&self, cube: Cube) -> bool {
        cube.owner != CubeOwner::Opponent && self.is_live(0, cube.level)
    }

    /// Returns whether the rules allow a double, even a useless one: the cube is centred or owned by this
    /// player, and this is not the Crawford game.
    pub(super) fn may_offer(&self, cube: Cube) -> bool {
        let is_crawford = matches!(self.play, Scoring::Match { crawford: true, .. });
        cube.owner != CubeOwner::Opponent && !is_crawford
    }

    /// Returns whether a doubled cube has another value than before: not if the present cube already decides
    /// the match.
    pub(super) fn counts_doubled(&self, cube: Cube) -> bool {
        self.is_money() || cube.level < self.top
    }

    /// Returns whether the owner of the cube (`side` 0: the player on roll, 1: the opponent) can use it at
    /// `level`.
    #[inline]
    pub(super) fn is_live(&self, side: usize, level: u8) -> bool {
        match self.play {
            Scoring::Money { .. } => true,
            Scoring::Match { away, crawford } => {
                !crawford && level < self.top && 1 << level < away[side]
            }
        }
    }

    /// Returns whether a double is free for `side`: the cube is usable, and a loss at `level` already loses
    /// the match.
    #[inline]
    pub(super) fn is_free(&self, side: usize, level: u8) -> bool {
        match self.play {
            Scoring::Money { .. } => false,
            Scoring::Match { away, .. } => {
                self.is_live(side, level) && 1 << level >= away[1 - side]
            }
        }
    }

    /// Returns the first level at which nobody can use the cube. In money play there is none, and one level
    /// represents all.
    #[inline]
    pub fn top(&self) -> u8 {
        self.top
    }

    /// Returns the values at `level`, and their factor.
    #[inline]
    pub(super) fn result_values(&self, level: u8) -> (&ResultValues, f32) {
        match self.play {
            Scoring::Money { .. } => (&self.levels[0], power_of_two(level)),
            Scoring::Match { .. } => (&self.levels[usize::from(level.min(self.top))], 1.0),
        }
    }

    /// Converts a value to points of the cube at this level: EMG in a match.
    pub fn to_points(&self, level: u8, value: f32) -> f32 {
        let (results, unit) = self.result_values(level);
        let (won, lost) = (results.win[0], results.lose[0]);
        let spread = won - lost;
        if spread > f32::EPSILON {
            (2.0 * value / unit - (won + lost)) / spread
        } else {
            0.0
        }
    }

    /// Converts `points` of the cube at this level to a value (MWC or points): the inverse of
    /// [`CubeContext::to_points`].
    pub fn from_points(&self, level: u8, points: f32) -> f32 {
        let (results, unit) = self.result_values(level);
        let (won, lost) = (results.win[0], results.lose[0]);
        unit * 0.5 * (points * (won - lost) + won + lost)
    }

    /// Returns the value of one point of a cube at this level, in the unit of [`CubeContext::from_points`].
    pub fn point_value(&self, level: u8) -> f32 {
        self.from_points(level, 1.0) - self.from_points(level, 0.0)
    }

    /// Converts a difference of two values to points of a cube at this level; 0 if the result does not
    /// matter.
    pub fn difference_to_points(&self, level: u8, difference: f32) -> f32 {
        let point = self.point_value(level);
        if point > f32::EPSILON {
            difference / point
        } else {
            0.0
        }
    }

    /// Returns the cubeless equity of these chances, in points of the present cube (EMG in a match): the
    /// value with a dead cube. Gammons count even under the Jacoby rule, as in eXtreme Gammon.
    pub fn cubeless_points(&self, cube: Cube, chances: &Probabilities) -> f32 {
        // Gammons count with a turned cube.
        let turned = Cube {
            owner: CubeOwner::Opponent,
            ..cube
        };
        self.to_points(turned.level, self.dead(turned, chances))
    }

    /// Returns the value with a dead cube. It is linear in the chances, so it is as exact as they are.
    pub fn dead(&self, cube: Cube, chances: &Probabilities) -> f32 {
        let c = chances;
        let win = [
            c.win - c.win_gammon,
            c.win_gammon - c.win_backgammon,
            c.win_backgammon,
        ];
        let lose = [
            1.0 - c.win - c.lose_gammon,
            c.lose_gammon - c.lose_backgammon,
            c.lose_backgammon,
        ];
        (1..=3i8)
            .zip(win.into_iter().zip(lose))
            .map(|(points, (won, lost))| {
                won * self.result(cube, points) + lost * self.result(cube, -points)
            })
            .sum()
    }

    /// Returns the gain of a gammon (`size` 2) or backgammon (3) over the next smaller win, for the player on
    /// roll. The unit is the distance from a single loss to a single win; in money play the gain is 1/2.
    pub fn gammon_value(&self, level: u8, size: usize) -> f32 {
        let (results, _) = self.result_values(level);
        let i = size.clamp(2, 3) - 1;
        let spread = results.win[0] - results.lose[0];
        if spread > f32::EPSILON {
            (results.win[i] - results.win[i - 1]) / spread
        } else {
            0.0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(mine: u16, theirs: u16) -> CubeContext {
        CubeContext::at_score(EquityTable::standard(), mine, theirs, false)
    }

    #[test]
    fn results_lead_to_the_scores_of_the_table() {
        let table = EquityTable::standard();
        let c = at(5, 3);
        let cube = |level, owner| Cube { level, owner };
        let mine = cube(1, CubeOwner::Mover);
        assert_eq!(c.result(mine, 1), table.chance(3, 3, false));
        assert_eq!(c.result(mine, 2), table.chance(1, 3, false));
        assert_eq!(c.result(mine, -1), table.chance(5, 1, false));
        assert_eq!((c.result(mine, 3), c.result(mine, -2)), (1.0, 0.0));
        // After the Crawford game another row applies.
        let post = at(4, 1);
        assert_eq!(post.result(Cube::CENTRED, 1), table.chance(3, 1, true));
        let crawford = CubeContext::at_score(table, 4, 1, true);
        assert_eq!(crawford.result(Cube::CENTRED, 2), table.chance(2, 1, true));
        assert!(!crawford.may_double(Cube::CENTRED));
    }

    #[test]
    fn levels_are_powers_of_two() {
        for level in 0..32 {
            assert_eq!(f64::from(power_of_two(level)), f64::from(1u32 << level));
        }
    }

    #[test]
    fn a_cubeless_equity_counts_gammons_as_the_score_does() {
        let chances = Probabilities::from_array([0.5, 0.3, 0.0, 0.1, 0.0]);
        let at_dmp = at(1, 1).cubeless_points(Cube::CENTRED, &chances);
        assert!(at_dmp.abs() < 1e-6, "{at_dmp}");
        // For a player who needs two points a gammon wins the match, and a lost gammon costs no more than a
        // loss.
        let gammon_go = at(2, 1).cubeless_points(Cube::CENTRED, &chances);
        assert!(gammon_go > 0.5, "{gammon_go}");
        let money = CubeContext::new(
            &GameState::money(crate::game::Position::opening()).score,
            Rules::default(),
            EquityTable::standard(),
        );
        let money = money.cubeless_points(Cube::CENTRED, &chances);
        assert!((money - chances.equity()).abs() < 1e-6, "{money}");
    }

    #[test]
    fn the_cube_is_live_until_a_win_ends_the_match() {
        let c = at(3, 2);
        let live = |side| [0, 1, 2].map(|level| c.is_live(side, level));
        assert_eq!(live(0), [true, true, false]);
        assert_eq!(live(1), [true, false, false]);
        // At 2 the player who needs 3 redoubles for free: a loss ends the match anyway.
        assert!(c.is_free(0, 1) && !c.is_free(0, 0) && !c.is_free(1, 0));
        assert!(at(2, 1).is_free(0, 0));
        assert!(!at(1, 2).is_live(0, 0));
    }

    #[test]
    fn points_and_values_convert() {
        let c = at(5, 3);
        for level in 0..3 {
            let cube = Cube {
                level,
                owner: CubeOwner::Centred,
            };
            assert!((c.to_points(level, c.result(cube, 1)) - 1.0).abs() < 1e-5);
            assert!((c.to_points(level, c.result(cube, -1)) + 1.0).abs() < 1e-5);
            assert!((c.from_points(level, c.to_points(level, 0.4)) - 0.4).abs() < 1e-5);
        }
        let money = CubeContext::money(Rules::default());
        assert_eq!(money.to_points(3, 4.0), 0.5);
        assert_eq!(money.from_points(3, 0.5), 4.0);
        assert_eq!(money.gammon_value(2, 2), 0.5);
        // At double match point gammons have no value.
        assert_eq!(at(1, 1).gammon_value(0, 2), 0.0);
        // At 2-away 2-away with the cube on 2 likewise.
        assert_eq!(at(2, 2).gammon_value(1, 2), 0.0);
    }

    #[test]
    fn flipping_twice_changes_nothing() {
        let c = at(7, 4);
        let back = c.flipped().flipped();
        for level in 0..5 {
            let cube = Cube {
                level,
                owner: CubeOwner::Mover,
            };
            for points in [-3, -2, -1, 1, 2, 3] {
                assert!((c.result(cube, points) - back.result(cube, points)).abs() < 1e-6);
                let other = c.flipped().result(cube.flipped(), -points);
                assert!((c.result(cube, points) + other - 1.0).abs() < 1e-6);
            }
        }
    }

    #[test]
    fn impossible_scores_are_harmless() {
        for (mine, theirs) in [(0, 0), (0, 7), (u16::MAX, 1), (u16::MAX, u16::MAX), (70, 3)] {
            let c = at(mine, theirs);
            for level in [0, 5, 30, 200] {
                let cube = Cube {
                    level,
                    owner: CubeOwner::Centred,
                };
                let value = c.result(cube, 3);
                assert!((0.0..=1.0).contains(&value));
                assert!(c.to_points(level, 0.5).is_finite());
            }
        }
    }
}
