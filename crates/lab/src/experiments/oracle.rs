//! Known values for experiments: an evaluator with known errors, and the value of its play.
//!
//! The bear-off tables are exact, so that luck computed with them leaves no variance, and a rollout stops at their
//! positions. [`Blurred`] adds an error that depends on the position, like a net's, plays by it, and has no exact
//! values. [`value`] computes the value of its play over all games in double precision.

use std::collections::HashMap;

use crate::eval::rolls::best_play;
use crate::eval::{Evaluator, Probabilities};
use crate::game::roll::{DISTINCT, ORDERED};
use crate::game::{Position, ResultList, Roll};

/// An evaluator with an added error in the winning chance.
pub struct Blurred<E> {
    inner: E,
    /// Full range of the error.
    noise: f32,
}

impl<E: Evaluator> Blurred<E> {
    /// Adds errors of up to half of `noise` to `inner`.
    pub fn new(inner: E, noise: f32) -> Self {
        Self { inner, noise }
    }

    fn blur(&self, position: &Position, chances: &mut Probabilities) {
        if let Some(points) = position.points() {
            *chances = Probabilities::finished(points);
            return;
        }
        // FNV-1a over the checkers, mixed as in splitmix64.
        let mut hash = 0xcbf2_9ce4_8422_2325u64;
        for point in 0..26 {
            let pair =
                u64::from(position.mover.at(point)) << 8 | u64::from(position.opponent.at(point));
            hash = (hash ^ pair).wrapping_mul(0x0000_0100_0000_01b3);
        }
        hash = (hash ^ hash >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        hash = (hash ^ hash >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        let unit = ((hash ^ hash >> 31) >> 40) as f32 / (1u64 << 24) as f32 - 0.5;
        chances.win = (chances.win + self.noise * unit).clamp(0.0, 1.0);
    }
}

impl<E: Evaluator> Evaluator for Blurred<E> {
    fn name(&self) -> &str {
        "blurred"
    }

    fn probabilities(&self, positions: &[Position], out: &mut [Probabilities]) {
        self.inner.probabilities(positions, out);
        for (position, chances) in positions.iter().zip(out) {
            self.blur(position, chances);
        }
    }

    fn equities_after(&self, _before: &Position, results: &[Position], out: &mut [f32]) {
        for (position, equity) in results.iter().zip(out) {
            *equity = -self.probabilities_of(position).equity();
        }
    }

    fn exact(&self, position: &Position) -> Option<Probabilities> {
        position.points().map(Probabilities::finished)
    }

    fn roll_values(&self, position: &Position, out: &mut [Probabilities; DISTINCT]) -> bool {
        self.inner.roll_values(position, out)
    }
}

/// Returns the equity of `position`, a short bear-off, for the player on roll, if both sides play at 0 plies by
/// `evaluator`.
pub fn value(evaluator: &dyn Evaluator, position: &Position) -> f64 {
    values(evaluator, std::slice::from_ref(position))[0]
}

/// Returns the values of several positions as [`value`] does, sharing intermediate results.
pub fn values(evaluator: &dyn Evaluator, positions: &[Position]) -> Vec<f64> {
    let mut walk = Walk {
        evaluator,
        known: HashMap::new(),
        list: ResultList::new(),
        equities: Vec::new(),
    };
    positions.iter().map(|p| walk.value(p)).collect()
}

struct Walk<'a> {
    evaluator: &'a dyn Evaluator,
    known: HashMap<Position, f64>,
    list: ResultList,
    equities: Vec<f32>,
}

impl Walk<'_> {
    fn value(&mut self, position: &Position) -> f64 {
        if let Some(points) = position.points() {
            return f64::from(points);
        }
        if let Some(known) = self.known.get(position) {
            return *known;
        }
        let mut sum = 0.0;
        for roll in Roll::ALL {
            let (list, equities) = (&mut self.list, &mut self.equities);
            let result = best_play(self.evaluator, position, roll, list, equities);
            sum -= f64::from(roll.weight()) * self.value(&result);
        }
        let value = sum / ORDERED as f64;
        self.known.insert(*position, value);
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Engine;

    /// Without noise, the table's value; with noise, less for the erring player.
    #[test]
    fn values_are_those_of_the_play() {
        let start = Position::from_points(&[(6, 1), (4, 1), (3, 1)], &[(5, 1), (4, 1)]).unwrap();
        let engine = Engine::embedded();
        let table = f64::from(engine.exact(&start).unwrap().equity());
        let sharp = value(&Blurred::new(Engine::embedded(), 0.0), &start);
        assert!((sharp - table).abs() < 1e-4, "{sharp} {table}");
        let blurred = Blurred::new(Engine::embedded(), 0.3);
        assert!(blurred.exact(&start).is_none());
        let off = blurred.probabilities_of(&start).win - engine.probabilities_of(&start).win;
        assert!(off != 0.0 && off.abs() <= 0.15, "{off}");
        assert!((value(&blurred, &start) - table).abs() < 0.1);
    }
}
