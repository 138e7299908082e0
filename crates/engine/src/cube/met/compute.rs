//! A match equity table from gammon rates, by recursion.
//!
//! The chance at a score follows from the chances at the scores that one game leads to. A game
//! begins even; a fixed share of the wins are gammons. Three kinds of games:
//!
//! * *Crawford*: no cube. The chance is the mean over who wins and how much.
//! * *After it*: the trailer doubles at once, so the game is for two points (gammons four). The
//!   leader who needs one and faces an even need loses nothing by passing once, and does it when
//!   the game has begun badly. The rates say what that *free drop* is worth at 2-away and 4-away.
//! * *Before it*: the value of a centred cube at even chances, by the same interpolation between
//!   dead and live cubes that values positions ([`CubefulValues`](crate::cube::CubefulValues)), with one
//!   efficiency for the whole game.
//!
//! This is the plan of the recursions in N. Zadeh, *Management Science* 23 (1977) 986, and of
//! C. Tornberg's program *mec*; the model of the cube is ours. The default rates are those that come
//! nearest to the Kazaross XG2 table to 15 points.

use crate::cube::equity_table::EquityTable;
use crate::cube::{Cube, CubeContext};
use crate::eval::Probabilities;

/// What a table is computed from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rates {
    /// Share of gammons (and backgammons) among wins.
    pub gammon: f32,
    /// Share of backgammons among wins.
    pub backgammon: f32,
    /// Cube efficiency over a whole game, 0 (dead) to 1 (live).
    pub efficiency: f32,
    /// What the leader's free drop takes from the trailer who needs two points.
    pub free_drop_2: f32,
    /// What the leader's free drop takes from the trailer who needs four points.
    pub free_drop_4: f32,
}

impl Default for Rates {
    fn default() -> Self {
        Self {
            gammon: 0.285,
            backgammon: 0.012,
            efficiency: 0.72,
            free_drop_2: 0.012,
            free_drop_4: 0.004,
        }
    }
}

impl Rates {
    /// Shares of single games, gammons and backgammons among wins.
    fn shares(&self) -> [f32; 3] {
        [
            1.0 - self.gammon,
            self.gammon - self.backgammon,
            self.backgammon,
        ]
    }

    /// The chances at the start of a game.
    fn even(&self) -> Probabilities {
        Probabilities {
            win: 0.5,
            win_gammon: 0.5 * self.gammon,
            win_backgammon: 0.5 * self.backgammon,
            lose_gammon: 0.5 * self.gammon,
            lose_backgammon: 0.5 * self.backgammon,
        }
    }
}

/// Chance of the trailer who needs `away` after the Crawford game.
pub(super) fn post_crawford(table: &EquityTable, away: usize, rates: &Rates) -> f32 {
    if away == 1 {
        return 0.5;
    }
    let drop = match away {
        2 => rates.free_drop_2,
        4 => rates.free_drop_4,
        _ => 0.0,
    };
    after_a_win(table, away, 2, rates) - drop
}

/// Chance of the trailer who needs `away`, in the Crawford game.
pub(super) fn crawford(table: &EquityTable, away: usize, rates: &Rates) -> f32 {
    after_a_win(table, away, 1, rates)
}

/// Half the mean, over the size of a win with the cube at `cube`, of the chance after it. The other
/// half of the games loses the match to a leader who needs one point.
fn after_a_win(table: &EquityTable, away: usize, cube: i32, rates: &Rates) -> f32 {
    let chances = (1..).zip(rates.shares()).map(|(size, share)| {
        let left = away as i32 - size * cube;
        share * table.chance(left, 1, true)
    });
    0.5 * chances.sum::<f32>()
}

/// Chance of the player who needs `a` against one who needs `b`, before the Crawford game.
pub(super) fn game(table: &EquityTable, a: usize, b: usize, rates: &Rates) -> f32 {
    let context = CubeContext::at_score(table, a as u16, b as u16, false);
    context
        .cubeful_values(&rates.even(), rates.efficiency, 0)
        .no_double(Cube::CENTRED)
}
