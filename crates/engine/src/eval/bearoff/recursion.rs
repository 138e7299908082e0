//! An independent computation of the exact cubeful bearoffs, by direct recursion.
//!
//! It shares nothing with [`two_sided`](super::two_sided) but the rules of the game. Plays come from the
//! general generator. Positions are evaluated on demand and cached by their checkers. The cube is part of the
//! state: the player on roll doubles if that is worth more.

use std::collections::HashMap;

use crate::game::{CubeOwner, Position, ResultList, Roll};

/// A recursion with a cache.
#[derive(Debug, Default)]
pub struct Recursion {
    known: HashMap<u64, [f64; 4]>,
}

/// The states of the cube for which values are cached; the last is no cube.
const STATES: [Option<CubeOwner>; 4] = [
    Some(CubeOwner::Mover),
    Some(CubeOwner::Centred),
    Some(CubeOwner::Opponent),
    None,
];

impl Recursion {
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the winning chance of the player on roll, without a double in this turn, then three equities
    /// in points per unit of cube: with the cube owned by the roller, centred, and owned by the opponent.
    /// Both sides must be at home and have borne off a checker.
    pub fn values(&mut self, position: &Position) -> [f64; 4] {
        let [mine, centred, theirs, cubeless] = self.rolling(position);
        [0.5 * (cubeless + 1.0), mine, centred, theirs]
    }

    /// Returns the number of cached positions.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// Returns the equities of rolling, in the order of [`STATES`].
    fn rolling(&mut self, position: &Position) -> [f64; 4] {
        let key = key(position);
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let mut mean = [0.0; 4];
        let mut list = ResultList::new();
        for roll in Roll::ALL {
            list.generate(position, roll);
            let mut best = [f64::NEG_INFINITY; 4];
            for result in list.results() {
                let values = self.deciding(result);
                // The roller's cube is the opponent's cube for the next player.
                let after = [values[2], values[1], values[0], values[3]];
                for (best, value) in best.iter_mut().zip(after) {
                    *best = best.max(-value);
                }
            }
            for (mean, best) in mean.iter_mut().zip(best) {
                *mean += f64::from(roll.weight()) / 36.0 * best;
            }
        }
        self.known.insert(key, mean);
        mean
    }

    /// Returns the equities of the player on roll, who may double before rolling.
    fn deciding(&mut self, position: &Position) -> [f64; 4] {
        if let Some(points) = position.points() {
            return [f64::from(points); 4];
        }
        let rolling = self.rolling(position);
        let taken = 2.0 * rolling[2];
        let mut values = rolling;
        for (value, state) in values.iter_mut().zip(STATES) {
            let may = matches!(state, Some(CubeOwner::Mover | CubeOwner::Centred));
            let double = if taken < 1.0 { taken } else { 1.0 };
            if may && double > *value {
                *value = double;
            }
        }
        values
    }
}

/// Returns a key: the checkers on the twelve home points, four bits each.
fn key(position: &Position) -> u64 {
    let sides = [&position.mover, &position.opponent];
    sides.iter().fold(0, |key, side| {
        (1..=6).fold(key, |key, point| key << 4 | u64::from(side.at(point)))
    })
}
