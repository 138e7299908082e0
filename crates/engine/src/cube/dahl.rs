//! F. Dahl's two methods for the cube in rollouts (*Rollout Techniques*, Hoosier Backgammon Club Newsletter,
//! September 1995).
//!
//! *Four states from one set of games.* Games are played to their end without a cube. During a game, states
//! of the cube are *settled*: when the player on roll may double in that state and has a cubeless equity of
//! at least the settlement limit, that player wins one point there. (A cube used before the position is a
//! clear pass loses less of the market than one used later. But it is also passed too often. The limit is a
//! compromise.) States that are not settled end with the game's result. One game therefore gives results for
//! no cube, a centred one, one owned by the first player and one owned by the second, all on a cube of 1.
//!
//! *Luck* is subtracted from a state up to its settlement. Each roll's luck has mean 0 independently of
//! earlier events, and whether to stop is known before the roll, so this is unbiased for the game with this
//! rule. The rule itself approximates the game with a cube. It loses some equity if the market is lost before
//! the limit, and gains some if the opponent would take. Rollouts offer it as `--settlement`.
//!
//! *A formula.* Owning a cube is worth about `0.35·(P(W) + P(G)/2)` in middle game positions: in proportion
//! to the chance to use it.

use serde::{Deserialize, Serialize};

use crate::eval::Probabilities;

/// Minimum chance of a gammon that counts as possible: evaluators may give slightly positive chances of
/// impossible gammons.
const POSSIBLE: f32 = 0.001;

/// The rule that settles a game.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settlement {
    /// Cubeless equity of the player on roll from which the cube settles the game, in points.
    pub limit: f32,
    /// Equity above which a player who may win a gammon plays on instead; `None` for never.
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
    /// Creates Dahl's settlement with another limit, in points.
    pub fn at(limit: f32) -> Self {
        Self {
            limit,
            ..Self::default()
        }
    }

    /// Returns whether the limit is valid: above 0 and at most 1 point.
    pub fn is_sound(&self) -> bool {
        0.0 < self.limit && self.limit <= 1.0
    }
}

/// One value for each state of the cube except the game without a cube, seen by one player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct States<T> {
    /// The cube is centred.
    pub centred: T,
    /// The player owns the cube.
    pub own: T,
    /// The opponent owns the cube.
    pub other: T,
}

impl<T> States<T> {
    /// Returns the states with `of` applied to each.
    pub fn map<U>(self, mut of: impl FnMut(T) -> U) -> States<U> {
        States {
            centred: of(self.centred),
            own: of(self.own),
            other: of(self.other),
        }
    }

    pub fn as_ref(&self) -> States<&T> {
        States {
            centred: &self.centred,
            own: &self.own,
            other: &self.other,
        }
    }

    /// Returns all three states: centred, own, the opponent's.
    pub fn all(&self) -> [&T; 3] {
        [&self.centred, &self.own, &self.other]
    }

    /// Returns the states as seen by the opponent.
    pub fn flipped(self) -> Self {
        Self {
            centred: self.centred,
            own: self.other,
            other: self.own,
        }
    }
}

/// The value of a game in a state of the cube for the first player, and that player's luck until settlement,
/// in points.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Settled {
    /// Points of the settlement or of the finished game.
    pub points: f64,
    pub luck: f64,
    /// A double and a pass ended the game.
    pub by_cube: bool,
    /// The game ended so before the second roll: only the first roll matters.
    pub by_first_roll: bool,
}

/// Follows the states through one game.
#[derive(Clone, Copy, Debug)]
pub struct Tracker {
    settlement: Settlement,
    states: States<Option<Settled>>,
}

impl Tracker {
    /// Creates a tracker at the beginning of a game.
    pub fn new(settlement: Settlement) -> Self {
        Self {
            settlement,
            states: States::default(),
        }
    }

    /// Settles states before a roll. `first`: whether the player on roll is the first player, whose luck so
    /// far is `luck`. `chances`: the cubeless chances of the player on roll.
    pub fn before_roll(&mut self, first: bool, chances: &Probabilities, luck: f64) {
        self.see(first, chances.equity(), chances.win_gammon > POSSIBLE, luck);
    }

    /// Settles states like [`Tracker::before_roll`]. `equity`: the cubeless equity of the player on roll, in
    /// points. `gammon`: whether that player may still win a gammon.
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

    /// Marks all settled states as settled by the first roll, in a game with at most one roll so far.
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

    /// Returns whether all states are settled.
    pub fn is_settled(&self) -> bool {
        self.states.all().into_iter().all(Option::is_some)
    }

    /// Returns the results of a finished game worth `points` to the first player (-3 to 3), whose luck is
    /// `luck`.
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

/// Returns the value of owning the cube for the player of `chances`, in points per unit of cube: 0.35·(P(W) +
/// P(G)/2).
pub fn cube_value(chances: &Probabilities) -> f32 {
    0.35 * (chances.win + 0.5 * chances.win_gammon)
}

/// Returns the equity of the player of `chances` who owns the cube, per unit of cube.
pub fn holding(chances: &Probabilities) -> f32 {
    chances.equity() + cube_value(chances)
}

/// Returns the equity of the player of `chances` whose opponent owns the cube, per unit of cube.
pub fn facing(chances: &Probabilities) -> f32 {
    -holding(&chances.flipped())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the results of a game of `points` in the four states, the cubeless one first.
    fn four(game: &Tracker, points: f64) -> [f64; 4] {
        let States {
            centred,
            own,
            other,
        } = game.finish(points, 0.0).map(|state| state.points);
        [points, centred, own, other]
    }

    /// Dahl's example, from Black's side: +0.1; 0.55 with Black on roll; -0.60 with White on roll; Black wins
    /// a gammon. The result is 2 without a cube, 1 with a centred one, 1 if Black owns it, -1 if White does.
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
    fn an_unsettled_game_counts_to_its_end() {
        let mut game = Tracker::new(Settlement::default());
        game.see(false, 0.49, true, 0.1);
        // Too good to settle only while a gammon is possible.
        game.see(true, 0.95, true, 0.2);
        assert_eq!(four(&game, -1.0), [-1.0; 4]);
        game.see(true, 0.95, false, 0.3);
        assert_eq!(four(&game, -1.0), [-1.0, 1.0, 1.0, -1.0]);
        // The first settlement stands, with the luck until then.
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

    /// Dahl's figures: -0.6, 30% wins, gammons in 10% of all games.
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
