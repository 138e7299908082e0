//! Selects the replies that may be the best at a score, at the cost of two products.
//!
//! With a dead cube values are linear in the chances, and a live cube does not reverse the order of two
//! replies that are far apart. Only replies near the best one with a dead cube therefore get cubeful values.

use super::context::{Cube, CubeContext};
use super::cube_set::{Cubes, MOST_CUBES};
use crate::eval::Probabilities;

/// Maximum distance to the best reply with a dead cube, in points of the present cube.
const MARGIN: f32 = 0.05;

/// Limits on the values of replies with dead cubes, for the opponent, who is on roll after them.
pub(super) struct Likely {
    weights: [[f32; 5]; MOST_CUBES],
    most: [f32; MOST_CUBES],
    cubes: usize,
}

impl Likely {
    /// Computes the limits for replies with these chances; `cubes` are seen by the player on roll after them.
    pub(super) fn new(context: &CubeContext, cubes: &Cubes, chances: &[Probabilities]) -> Self {
        let mut likely = Self {
            weights: [[0.0; 5]; MOST_CUBES],
            most: [0.0; MOST_CUBES],
            cubes: cubes.len,
        };
        for (c, &cube) in cubes.as_slice().iter().enumerate() {
            let weights = dead_weights(context, cube);
            let values = chances.iter().map(|chances| value(&weights, chances));
            let least = values.fold(f32::INFINITY, f32::min);
            let point = 0.5 * (context.result(cube, 1) - context.result(cube, -1));
            likely.weights[c] = weights;
            likely.most[c] = least + MARGIN * point;
        }
        likely
    }

    /// Returns whether a reply may be the best at one of the cubes.
    #[inline]
    pub(super) fn holds(&self, chances: &Probabilities) -> bool {
        let limits = self.weights.iter().zip(&self.most).take(self.cubes);
        limits
            .into_iter()
            .any(|(weights, most)| value(weights, chances) <= *most)
    }
}

/// Returns the weight of each chance in the value with a dead cube.
fn dead_weights(context: &CubeContext, cube: Cube) -> [f32; 5] {
    let [won, gammon, backgammon] = [1, 2, 3].map(|points| context.result(cube, points));
    let [lost, lost_gammon, lost_backgammon] = [-1, -2, -3].map(|p| context.result(cube, p));
    [
        won - lost,
        gammon - won,
        backgammon - gammon,
        lost_gammon - lost,
        lost_backgammon - lost_gammon,
    ]
}

#[inline]
fn value(weights: &[f32; 5], chances: &Probabilities) -> f32 {
    let parts = chances.to_array();
    weights.iter().zip(parts).map(|(w, p)| w * p).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::EquityTable;

    fn chances(win: f32, win_gammon: f32) -> Probabilities {
        Probabilities {
            win,
            win_gammon,
            ..Probabilities::default()
        }
    }

    /// At double match point wins count, at gammon-go gammons.
    #[test]
    fn the_score_says_which_replies_are_near() {
        let replies = [chances(0.5, 0.0), chances(0.4, 0.0), chances(0.41, 0.1)];
        let mut cubes = Cubes::NONE;
        cubes.place(Cube::CENTRED);
        let table = EquityTable::standard();
        let near = |mine, theirs, crawford| {
            let context = CubeContext::at_score(table, mine, theirs, crawford);
            let likely = Likely::new(&context, &cubes, &replies);
            replies.map(|reply| likely.holds(&reply))
        };
        assert_eq!(near(1, 1, false), [false, true, true]);
        assert_eq!(near(2, 1, true), [false, true, false]);
    }
}
