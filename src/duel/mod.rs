//! Engine against engine: money games without a cube, every sequence of dice played twice.
//!
//! Each pair of games gets the same dice with the seats exchanged, and from each result the luck
//! of both players is subtracted, as one evaluator predicts it; since luck so measured averages
//! zero whatever that evaluator thinks, neither player is favoured (Dahl 1996; Riordan applies it
//! to matches between engines).

use rayon::prelude::*;

use crate::dice::{Dice, Purpose, StreamKey};
use crate::eval::{CandidateFilter, Evaluator, Probabilities, lookahead};
use crate::game::roll::{self, DISTINCT};
use crate::game::{Position, Roll};
use crate::stats::Moments;

/// No game goes on longer; what is left of it is valued as it stands.
const LONGEST_GAME: u32 = 2_000;

/// One of the two.
#[derive(Clone, Copy)]
pub struct DuelPlayer<'a> {
    /// What it thinks of positions.
    pub evaluator: &'a dyn Evaluator,
    /// At how many plies it chooses.
    pub ply: u8,
}

/// What the first player won, in points a game; each observation is the mean of a pair of games.
#[derive(Clone, Copy, Debug, Default)]
pub struct DuelTally {
    /// As played.
    pub plain: Moments,
    /// With the luck subtracted.
    pub variance_reduced: Moments,
}

/// Plays pairs of games on all threads of the pool at hand; `luck` predicts the luck. The same
/// seed gives the same result on any number of threads.
#[must_use]
pub fn play(
    players: [DuelPlayer<'_>; 2],
    luck: &dyn Evaluator,
    pairs: std::ops::Range<u64>,
    seed: u64,
) -> DuelTally {
    let results: Vec<[f64; 2]> = pairs
        .into_par_iter()
        .map(|pair| {
            let first = game(players, luck, seed, pair);
            let second = game([players[1], players[0]], luck, seed, pair);
            [0, 1].map(|i| (first[i] - second[i]) / 2.0)
        })
        .collect();
    let mut tally = DuelTally::default();
    for [plain, variance_reduced] in results {
        tally.plain.push(plain);
        tally.variance_reduced.push(variance_reduced);
    }
    tally
}

/// Points of the player who starts: as played, and with the luck subtracted.
fn game(players: [DuelPlayer<'_>; 2], luck: &dyn Evaluator, seed: u64, pair: u64) -> [f64; 2] {
    let mut dice = Dice::new(StreamKey { seed, candidate: 0 }, Purpose::Rolls, pair);
    let mut position = Position::opening();
    let mut lucky = 0.0;
    let mut rolls = [Probabilities::default(); DISTINCT];
    // The opening roll is no double.
    let mut roll = dice.roll();
    while roll.is_double() {
        roll = dice.roll();
    }
    for turn in 0..LONGEST_GAME {
        let sign = if turn % 2 == 0 { 1.0 } else { -1.0 };
        if let Some(chances) = luck.exact(&position) {
            let points = sign * f64::from(chances.equity());
            return [points, points - lucky];
        }
        if turn > 0 {
            roll = dice.roll();
            if luck.roll_values(&position, &mut rolls) {
                lucky += sign * luck_of(&rolls, roll);
            }
        }
        let player = players[(turn % 2) as usize];
        position = choose(player, &position, roll);
    }
    let points = f64::from(luck.probabilities_of(&position).equity());
    // After an even number of turns the player who started is on roll.
    const { assert!(LONGEST_GAME.is_multiple_of(2)) };
    [points, points - lucky]
}

fn choose(player: DuelPlayer<'_>, position: &Position, roll: Roll) -> Position {
    let never = || false;
    let filter = CandidateFilter::default();
    lookahead::candidates(player.evaluator, position, roll, player.ply, filter, &never)
        .and_then(|list| list.first().map(|c| c.result))
        .expect("there is always a play, if only the one that moves nothing, and nobody cancels")
}

fn luck_of(rolls: &[Probabilities; DISTINCT], roll: Roll) -> f64 {
    let [mean] = roll::mean(rolls.iter().map(|value| [f64::from(value.equity())]));
    f64::from(rolls[roll.index()].equity()) - mean
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Engine;

    #[test]
    fn a_player_is_as_strong_as_itself() {
        let engine = Engine::embedded();
        let player = DuelPlayer {
            evaluator: &engine,
            ply: 0,
        };
        let tally = play([player; 2], &engine, 0..20, 1);
        assert_eq!(tally.plain.count(), 20);
        assert_eq!((tally.plain.mean(), tally.plain.variance()), (0.0, 0.0));
        assert!(tally.variance_reduced.mean().abs() < 1e-9);
    }

    /// A player who always makes the worst play loses.
    #[test]
    fn the_better_player_wins() {
        struct Contrary(Engine);
        impl Evaluator for Contrary {
            fn name(&self) -> &str {
                "contrary"
            }
            fn probabilities(&self, positions: &[Position], out: &mut [Probabilities]) {
                self.0.probabilities(positions, out);
                out.iter_mut().for_each(|p| *p = p.flipped());
            }
            fn equities_after(&self, before: &Position, results: &[Position], out: &mut [f32]) {
                self.0.equities_after(before, results, out);
                out.iter_mut().for_each(|e| *e = -*e);
            }
            fn exact(&self, position: &Position) -> Option<Probabilities> {
                self.0.exact(position)
            }
        }
        let (engine, contrary) = (Engine::embedded(), Contrary(Engine::embedded()));
        let players = [
            DuelPlayer {
                evaluator: &engine,
                ply: 0,
            },
            DuelPlayer {
                evaluator: &contrary,
                ply: 0,
            },
        ];
        let tally = play(players, &engine, 0..10, 2);
        assert!(tally.plain.mean() > 1.5, "{}", tally.plain.mean());
    }
}
