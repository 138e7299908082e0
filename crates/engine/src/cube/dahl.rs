//! F. Dahl's two ways with the cube in rollouts (*Rollout Techniques*, Hoosier Backgammon Club
//! Newsletter, September 1995).
//!
//! *Four states from one set of games.* Games are played to their end without a cube. Along the way
//! states of the cube are *settled*. That is when the player on roll may double in that state and has
//! a cubeless equity of the settlement limit or more. That player has won one point there. (A cube
//! that is used before the position is a clear pass loses less of the market than one that waits for
//! it. But it is also passed too often. The limit stands between.) When the game is over, what is not
//! settled ends as the game did. So one game gives results for no cube, a centred one, one held by
//! the first player and one held by the second; all on a cube of one.
//!
//! *Luck* is subtracted from a state as far as it fell before the state was settled. Each roll's luck
//! has the mean 0 whatever happened before, and whether to stop is known before the roll, so this is
//! unbiased for the game with this rule. The rule itself is an estimate of the cube's game. It gives
//! up some equity where the market is lost before the limit, and gains some where the other would
//! take. Rollouts have it behind `--settlement`.
//!
//! *A formula.* Holding a cube is worth about `0.35·(P(W) + P(G)/2)` in middle game positions: in
//! proportion to the chance to use it.

use serde::{Deserialize, Serialize};

use crate::eval::Probabilities;

/// A chance from which a gammon counts as possible: where it is not, an evaluator may say a little more
/// than nothing.
const POSSIBLE: f32 = 0.001;

/// When a game is settled.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settlement {
    /// Cubeless equity of the player on roll from which the cube settles the game, in points.
    pub limit: f32,
    /// Equity above which a player who may win a gammon plays on instead, if at all.
    pub play_on: Option<f32>,
}

impl Default for Settlement {
    /// Dahl's limits in points: 0.5, and playing on for a gammon above 0.9.
    fn default() -> Self {
        Self {
            limit: 0.5,
            play_on: Some(0.9),
        }
    }
}

impl Settlement {
    /// Dahl's settlement with another limit, in points.
    pub fn at(limit: f32) -> Self {
        Self {
            limit,
            ..Self::default()
        }
    }

    /// Whether the limit is one: more than nothing, and no more than a point.
    pub fn is_sound(&self) -> bool {
        0.0 < self.limit && self.limit <= 1.0
    }
}

/// One value for each state of the cube but the game without a cube, seen by one player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct States<T> {
    /// The cube is centred.
    pub centred: T,
    /// That player holds it.
    pub own: T,
    /// The other player holds it.
    pub other: T,
}

impl<T> States<T> {
    /// The states with `of` applied to each.
    pub fn map<U>(self, mut of: impl FnMut(T) -> U) -> States<U> {
        States {
            centred: of(self.centred),
            own: of(self.own),
            other: of(self.other),
        }
    }

    /// References to the states.
    pub fn as_ref(&self) -> States<&T> {
        States {
            centred: &self.centred,
            own: &self.own,
            other: &self.other,
        }
    }

    /// All three states: centred, own, the other's.
    pub fn all(&self) -> [&T; 3] {
        [&self.centred, &self.own, &self.other]
    }

    /// The states seen by the other player.
    pub fn flipped(self) -> Self {
        Self {
            centred: self.centred,
            own: self.other,
            other: self.own,
        }
    }
}

/// What a game is worth in a state of the cube to the player it began with, and that player's luck until
/// it was settled, in points.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Settled {
    /// Points of the settlement or of the finished game.
    pub points: f64,
    pub luck: f64,
    /// Whether the cube ended it before its end.
    pub by_cube: bool,
    /// Whether the cube ended it before the second roll, so that the first one alone decides.
    pub by_first_roll: bool,
}

/// Follows the states through one game.
#[derive(Clone, Copy, Debug)]
pub struct Tracker {
    settlement: Settlement,
    states: States<Option<Settled>>,
}

impl Tracker {
    /// A tracker at the beginning of a game.
    pub fn new(settlement: Settlement) -> Self {
        Self {
            settlement,
            states: States::default(),
        }
    }

    /// Settles states before a player rolls; `first` says whether it is the one the game began with, who has
    /// had so much `luck`. `chances` are the cubeless ones of the player on roll.
    pub fn before_roll(&mut self, first: bool, chances: &Probabilities, luck: f64) {
        self.see(first, chances.equity(), chances.win_gammon > POSSIBLE, luck);
    }

    /// Settles states as [`Tracker::before_roll`] does, from the cubeless equity of the player on roll, in
    /// points, and whether that player may still win a gammon.
    pub fn see(&mut self, first: bool, equity: f32, gammon: bool, luck: f64) {
        let plays_on = gammon && self.settlement.play_on.is_some_and(|from| equity > from);
        if equity < self.settlement.limit || plays_on {
            return;
        }
        let (points, held) = if first {
            (1.0, &mut self.states.own)
        } else {
            (-1.0, &mut self.states.other)
        };
        let settled = Settled {
            points,
            luck,
            by_cube: true,
            by_first_roll: false,
        };
        held.get_or_insert(settled);
        self.states.centred.get_or_insert(settled);
    }

    /// Marks what is settled as settled by the first roll: for a game in which at most one has fallen.
    pub fn mark_by_first_roll(&mut self) {
        let States {
            centred,
            own,
            other,
        } = &mut self.states;
        for settled in [centred, own, other].into_iter().flatten() {
            settled.by_first_roll = true;
        }
    }

    /// Whether all states are settled.
    pub fn is_settled(&self) -> bool {
        self.states.all().into_iter().all(Option::is_some)
    }

    /// The results of a game that is over, worth `points` to the player it began with (-3 to 3), who has had
    /// so much `luck`.
    pub fn finish(&self, points: f64, luck: f64) -> States<Settled> {
        let played_out = Settled {
            points,
            luck,
            by_cube: false,
            by_first_roll: false,
        };
        self.states.map(|state| state.unwrap_or(played_out))
    }
}

/// What holding the cube is worth to the player of `chances`, in points per unit of cube:
/// 0.35·(P(W) + P(G)/2).
pub fn cube_value(chances: &Probabilities) -> f32 {
    0.35 * (chances.win + 0.5 * chances.win_gammon)
}

/// Equity of the player of `chances` who holds the cube, per unit of cube.
pub fn holding(chances: &Probabilities) -> f32 {
    chances.equity() + cube_value(chances)
}

/// Equity of the player of `chances` when the other holds the cube, per unit of cube.
pub fn facing(chances: &Probabilities) -> f32 {
    -holding(&chances.flipped())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a game of `points` comes to in the four states, the cubeless one first.
    fn four(game: &Tracker, points: f64) -> [f64; 4] {
        let States {
            centred,
            own,
            other,
        } = game.finish(points, 0.0).map(|state| state.points);
        [points, centred, own, other]
    }

    /// His example, from Black's side: +0.1; 0.55 with Black on roll; -0.60 with White on roll;
    /// Black wins a gammon. Worth 2 without a cube, 1 with a centred one, 1 if Black holds it, -1 if
    /// White does.
    #[test]
    fn the_example_of_1995() {
        let mut game = Tracker::new(Settlement::default());
        game.see(true, 0.1, true, 0.0);
        assert!(!game.is_settled());
        game.see(true, 0.55, true, 0.0);
        game.see(false, 0.60, true, 0.0);
        assert!(game.is_settled());
        assert_eq!(four(&game, 2.0), [2.0, 1.0, 1.0, -1.0]);
    }

    #[test]
    fn what_is_not_settled_ends_with_the_game() {
        let mut game = Tracker::new(Settlement::default());
        game.see(false, 0.49, true, 0.1);
        // Too good to settle while a gammon is possible, not when it is not.
        game.see(true, 0.95, true, 0.2);
        assert_eq!(four(&game, -1.0), [-1.0; 4]);
        game.see(true, 0.95, false, 0.3);
        assert_eq!(four(&game, -1.0), [-1.0, 1.0, 1.0, -1.0]);
        // The first settlement stands, and the luck until then.
        game.see(false, 0.7, false, 0.4);
        assert_eq!(four(&game, 3.0), [3.0, 1.0, 1.0, -1.0]);
        let luck = game.finish(3.0, 0.9).map(|state| state.luck);
        assert_eq!([luck.centred, luck.own, luck.other], [0.3, 0.3, 0.4]);
    }

    #[test]
    fn limits_are_points() {
        assert!(Settlement::at(0.55).is_sound() && Settlement::at(1.0).is_sound());
        for bad in [0.0, -0.5, 1.01, f32::NAN, f32::INFINITY] {
            assert!(!Settlement::at(bad).is_sound(), "{bad}");
        }
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
        assert!((facing(&chances.flipped()) - 0.6 + 0.1225).abs() < 1e-6);
    }
}
