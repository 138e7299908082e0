//! The evaluator of the product: finished games, bearoffs, nets.

use super::{Evaluator, Probabilities};
use crate::game::Position;

/// The embedded evaluator.
#[derive(Debug, Default)]
pub struct Engine {
    _private: (),
}

impl Engine {
    /// The evaluator with the net that is part of the program.
    #[must_use]
    pub fn embedded() -> Self {
        Self::default()
    }

    fn value(position: &Position) -> Probabilities {
        if let Some(points) = position.points() {
            return Probabilities::finished(points);
        }
        // Stand-in until the first net is trained: the race, logistically.
        let lead = position.opponent.pips() as f32 - position.mover.pips() as f32 + 4.0;
        let win = 1.0 / (1.0 + (-lead / 14.0).exp());
        Probabilities {
            win,
            win_gammon: 0.25 * win * win,
            win_backgammon: 0.01 * win * win,
            lose_gammon: 0.25 * (1.0 - win) * (1.0 - win),
            lose_backgammon: 0.01 * (1.0 - win) * (1.0 - win),
        }
    }
}

impl Evaluator for Engine {
    fn name(&self) -> &str {
        "stand-in"
    }

    fn probabilities(&self, positions: &[Position], out: &mut [Probabilities]) {
        for (o, p) in out.iter_mut().zip(positions) {
            *o = Self::value(p);
        }
    }

    fn equities_after(&self, _before: &Position, results: &[Position], out: &mut [f32]) {
        for (o, p) in out.iter_mut().zip(results) {
            *o = -Self::value(p).equity();
        }
    }

    fn exact(&self, position: &Position) -> Option<Probabilities> {
        position.points().map(Probabilities::finished)
    }
}
