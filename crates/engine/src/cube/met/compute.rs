//! Computes a match equity table from gammon rates, by recursion.
//!
//! The chance at a score follows from the chances at the scores after one game. A game begins even, and a
//! fixed share of the wins are gammons. There are three kinds of games:
//!
//! * *Crawford*: no cube. The chance is the mean over winners and sizes.
//! * *Post-Crawford*: the trailer doubles at once, so the game is for two points (gammons four). A leader
//!   against an even number of points may pass once at no cost, and does so when the game has begun badly. The
//!   rates contain the value of this *free drop* at 2-away and 4-away.
//! * *Pre-Crawford*: the value of a centred cube at even chances, by the same interpolation between dead and
//!   live cubes as for positions ([`CubefulValues`](crate::cube::CubefulValues)), with one efficiency for the
//!   whole game.
//!
//! This follows the recursions in N. Zadeh, *Management Science* 23 (1977) 986, and C. Tornberg's program
//! *mec*; the model of the cube is Luckless's own. The default rates minimise the distance to the Kazaross
//! XG2 table up to 15 points.

use crate::cube::equity_table::EquityTable;
use crate::cube::{Cube, CubeContext};
use crate::eval::Probabilities;

/// The parameters of a table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rates {
    /// Share of gammons (and backgammons) among wins.
    pub gammon: f32,
    /// Share of backgammons among wins.
    pub backgammon: f32,
    /// Cube efficiency over a whole game, 0 (dead) to 1 (live).
    pub efficiency: f32,
    /// The trailer's loss by the leader's free drop at 2-away.
    pub free_drop_2: f32,
    /// The trailer's loss by the leader's free drop at 4-away.
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
    /// Returns the shares of single games, gammons and backgammons among wins.
    fn shares(&self) -> [f32; 3] {
        [
            1.0 - self.gammon,
            self.gammon - self.backgammon,
            self.backgammon,
        ]
    }

    /// Returns the chances at the start of a game.
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

/// Returns the winning chance of the trailer who needs `away` points after the Crawford game.
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

/// Returns the winning chance of the trailer who needs `away` points in the Crawford game.
pub(super) fn crawford(table: &EquityTable, away: usize, rates: &Rates) -> f32 {
    after_a_win(table, away, 1, rates)
}

/// Returns half the mean chance after a win with the cube at `cube`, over the sizes of the win. The other
/// half of the games loses the match to a leader who needs one point.
fn after_a_win(table: &EquityTable, away: usize, cube: i32, rates: &Rates) -> f32 {
    let chances = (1..).zip(rates.shares()).map(|(size, share)| {
        let left = away as i32 - size * cube;
        share * table.chance(left, 1, true)
    });
    0.5 * chances.sum::<f32>()
}

/// Returns the winning chance of a player who needs `a` points against `b`, before the Crawford game.
pub(super) fn game(table: &EquityTable, a: usize, b: usize, rates: &Rates) -> f32 {
    let context = CubeContext::at_score(table, a as u16, b as u16, false);
    context
        .cubeful_values(&rates.even(), rates.efficiency, 0)
        .no_double(Cube::CENTRED)
}
