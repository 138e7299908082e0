//! F. Dahl's two ways with the cube in rollouts (*Rollout Techniques*, Hoosier Backgammon Club
//! Newsletter, September 1995).
//!
//! *Four states from one set of games.* Games are played to their end without a cube. Along the way
//! a state of the cube is *settled* as soon as the player on roll, who in that state may double, has
//! a cubeless equity of the settlement limit or more: that player has won one point there. (A cube
//! that is used before the position is a clear pass loses less of the market than one that waits for
//! it, and is passed too often; the limit stands between.) When the game is over, what is not settled
//! ends as the game did. So one game gives results for no cube, a centred one, one held by the first
//! player and one held by the second; all on a cube of one.
//!
//! *A formula.* Holding a cube is worth about `0.35·(P(W) + P(G)/2)` in middle game positions: in
//! proportion to the chance to use it.

use crate::eval::Probabilities;

/// When a game is settled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settlement {
    /// Cubeless equity of the player on roll from which the cube settles the game, in points.
    pub limit: f32,
    /// Equity above which a player who may win a gammon plays on instead, if at all.
    pub play_on: Option<f32>,
}

impl Default for Settlement {
    /// Dahl's: 0.5, and playing on for a gammon above 0.9.
    fn default() -> Self {
        Self {
            limit: 0.5,
            play_on: Some(0.9),
        }
    }
}

/// Results of one game in the four states of the cube, for the player the game began with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FourStates {
    /// No cube.
    pub cubeless: i8,
    /// A centred cube.
    pub centred: i8,
    /// The first player holds it.
    pub mine: i8,
    /// The second player holds it.
    pub theirs: i8,
}

/// Follows the four states through one game.
#[derive(Clone, Copy, Debug)]
pub struct Tracker {
    settlement: Settlement,
    centred: Option<i8>,
    mine: Option<i8>,
    theirs: Option<i8>,
}

impl Tracker {
    /// At the beginning of a game.
    #[must_use]
    pub fn new(settlement: Settlement) -> Self {
        Self {
            settlement,
            centred: None,
            mine: None,
            theirs: None,
        }
    }

    /// A player is about to roll; `first` says whether it is the one the game began with.
    /// `chances` are that player's cubeless ones.
    pub fn before_roll(&mut self, first: bool, chances: &Probabilities) {
        self.see(first, chances.equity(), chances.win_gammon > 0.0);
    }

    /// As [`Tracker::before_roll`], from the cubeless equity of the player on roll, in points, and
    /// whether that player may still win a gammon.
    pub fn see(&mut self, first: bool, equity: f32, gammon: bool) {
        let plays_on = gammon && self.settlement.play_on.is_some_and(|from| equity > from);
        if equity < self.settlement.limit || plays_on {
            return;
        }
        let (result, held) = if first {
            (1, &mut self.mine)
        } else {
            (-1, &mut self.theirs)
        };
        held.get_or_insert(result);
        self.centred.get_or_insert(result);
    }

    /// Whether all states but the cubeless one are settled.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.centred.is_some() && self.mine.is_some() && self.theirs.is_some()
    }

    /// The game is over, worth `points` to the player it began with (-3 to 3).
    #[must_use]
    pub fn finish(&self, points: i8) -> FourStates {
        FourStates {
            cubeless: points,
            centred: self.centred.unwrap_or(points),
            mine: self.mine.unwrap_or(points),
            theirs: self.theirs.unwrap_or(points),
        }
    }
}

/// What holding the cube is worth to the player of `chances`, in points per unit of cube:
/// 0.35·(P(W) + P(G)/2).
#[must_use]
pub fn cube_value(chances: &Probabilities) -> f32 {
    0.35 * (chances.win + 0.5 * chances.win_gammon)
}

/// Equity of the player of `chances` who holds the cube, per unit of cube.
#[must_use]
pub fn holding(chances: &Probabilities) -> f32 {
    chances.equity() + cube_value(chances)
}

/// Equity of the player of `chances` when the other holds the cube, per unit of cube.
#[must_use]
pub fn facing(chances: &Probabilities) -> f32 {
    -holding(&chances.turned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// His example, from Black's side: +0.1; 0.55 with Black on roll; -0.60 with White on roll;
    /// Black wins a gammon. Worth 2 without a cube, 1 with a centred one, 1 if Black holds it, -1 if
    /// White does.
    #[test]
    fn the_example_of_1995() {
        let mut game = Tracker::new(Settlement::default());
        game.see(true, 0.1, true);
        assert!(!game.is_settled());
        game.see(true, 0.55, true);
        game.see(false, 0.60, true);
        assert!(game.is_settled());
        let expected = FourStates {
            cubeless: 2,
            centred: 1,
            mine: 1,
            theirs: -1,
        };
        assert_eq!(game.finish(2), expected);
    }

    #[test]
    fn what_is_not_settled_ends_with_the_game() {
        let mut game = Tracker::new(Settlement::default());
        game.see(false, 0.49, true);
        // Too good to settle while a gammon is possible, not when it is not.
        game.see(true, 0.95, true);
        assert_eq!(game.finish(-1).mine, -1);
        game.see(true, 0.95, false);
        let end = game.finish(-1);
        assert_eq!((end.mine, end.centred, end.theirs), (1, 1, -1));
        // The first settlement stands.
        game.see(false, 0.7, false);
        assert_eq!(game.finish(3).centred, 1);
        assert_eq!(game.finish(3).theirs, -1);
    }

    /// His figures: -0.6, 30% wins, 10% of them gammons... counted as a tenth of all games.
    #[test]
    fn the_value_of_a_cube() {
        let chances = Probabilities {
            win: 0.3,
            win_gammon: 0.1,
            lose_gammon: 0.3,
            ..Probabilities::default()
        };
        assert!((cube_value(&chances) - 0.1225).abs() < 1e-6);
        assert!((holding(&chances) + 0.6 - 0.1225).abs() < 1e-6);
        assert!((facing(&chances.turned()) - 0.6 + 0.1225).abs() < 1e-6);
    }
}
