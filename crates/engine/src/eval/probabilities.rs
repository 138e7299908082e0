//! The chances of the six outcomes of a game.

use serde::{Deserialize, Serialize};

/// Cubeless chances for the player on roll, each from 0 to 1 and *cumulative*, as defined by Dahl: a
/// backgammon counts as a gammon and as a win. Five numbers suffice, since one side wins.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
#[repr(C)]
pub struct Probabilities {
    /// P(W): wins of any size.
    pub win: f32,
    /// P(G): wins of a gammon or more.
    pub win_gammon: f32,
    /// P(B): wins of a backgammon.
    pub win_backgammon: f32,
    /// P(-G): losses of a gammon or more.
    pub lose_gammon: f32,
    /// P(-B): losses of a backgammon.
    pub lose_backgammon: f32,
}

impl Probabilities {
    /// Returns the cubeless equity in points, -3 to 3: P(W) + P(G) + P(B) - P(-B) - P(-G) - P(-W) (Dahl
    /// 1995).
    #[inline]
    pub fn equity(&self) -> f32 {
        2.0 * self.win - 1.0 + self.win_gammon + self.win_backgammon
            - self.lose_gammon
            - self.lose_backgammon
    }

    /// Returns these chances for the opponent.
    #[inline]
    pub fn flipped(&self) -> Self {
        Self {
            // After rounding, the wins must not be below the gammons if all wins are gammons.
            win: (1.0 - self.win).max(self.lose_gammon),
            win_gammon: self.lose_gammon,
            win_backgammon: self.lose_backgammon,
            lose_gammon: self.win_gammon,
            lose_backgammon: self.win_backgammon,
        }
    }

    /// Returns the chances of a finished game worth `points` (-3 to 3, never 0) to the player on roll; see
    /// [`Position::points`](crate::game::Position::points).
    pub fn finished(points: i8) -> Self {
        let at_least = |n: i8| f32::from(u8::from(points >= n));
        let at_most = |n: i8| f32::from(u8::from(points <= n));
        Self {
            win: at_least(1),
            win_gammon: at_least(2),
            win_backgammon: at_least(3),
            lose_gammon: at_most(-2),
            lose_backgammon: at_most(-3),
        }
    }

    /// Returns the chances as `[win, win_gammon, win_backgammon, lose_gammon, lose_backgammon]`.
    pub fn to_array(&self) -> [f32; 5] {
        [
            self.win,
            self.win_gammon,
            self.win_backgammon,
            self.lose_gammon,
            self.lose_backgammon,
        ]
    }

    /// Creates the chances from an array: the inverse of [`Probabilities::to_array`].
    pub fn from_array(a: [f32; 5]) -> Self {
        Self {
            win: a[0],
            win_gammon: a[1],
            win_backgammon: a[2],
            lose_gammon: a[3],
            lose_backgammon: a[4],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gammon_won_is_a_game_won() {
        let p = Probabilities {
            win: 1.0,
            win_gammon: 0.5,
            lose_gammon: 3e-11,
            ..Probabilities::default()
        };
        assert!(p.flipped().win >= p.flipped().win_gammon);
    }

    #[test]
    fn finished_games_are_worth_their_points() {
        for points in [-3i8, -2, -1, 1, 2, 3] {
            let p = Probabilities::finished(points);
            assert_eq!(p.equity(), f32::from(points));
            assert_eq!(p.flipped(), Probabilities::finished(-points));
        }
    }
}
