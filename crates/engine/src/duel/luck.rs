//! The luck of the rolls of a duel, in points or match winning chances of the first contestant.
//!
//! The luck of a roll is the value of the position after it minus the mean over the possible rolls. Any
//! values can be used, if they are fixed before the roll.
//!
//! *Bounded luck* ([`bounded_sum`](crate::stats::bounded_sum)). The sum of the luck stays within a bound for
//! all rolls. Its expectation is still zero, and each result minus its luck lies within known bounds.

use crate::cube::{Cube, CubeContext, Model, ScoreLook, ScoreRolls};
use crate::eval::{CandidateFilter, Evaluator, Probabilities, Rolls, lookahead};
use crate::game::roll::{self, DISTINCT};
use crate::game::{Position, Roll};
use crate::stats::bounded_scale;

/// How the 21 rolls of a position are valued.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DuelLuck {
    /// No values: no luck is subtracted.
    None,
    /// By the luck net, from the position before the roll.
    Net,
    /// By the best play of each roll at this many plies.
    Plies(u8),
}

/// A check that never cancels.
const NEVER_CANCELLED: &dyn Fn() -> bool = &|| false;

/// Computes the values of the rolls of one game.
pub(super) struct LuckMeter<'a> {
    evaluator: &'a dyn Evaluator,
    model: &'a Model,
    kind: DuelLuck,
    /// The game as seen by each contestant.
    contexts: [CubeContext; 2],
    /// The game has neither cube nor score.
    cubeless: bool,
    look: ScoreLook<'a>,
    rolls: Rolls,
    scores: ScoreRolls,
}

impl<'a> LuckMeter<'a> {
    pub(super) fn new(
        evaluator: &'a dyn Evaluator,
        model: &'a Model,
        kind: DuelLuck,
        contexts: [CubeContext; 2],
        cubeless: bool,
    ) -> Self {
        Self {
            evaluator,
            model,
            kind,
            contexts,
            cubeless,
            look: ScoreLook::new(evaluator, model, contexts, NEVER_CANCELLED),
            rolls: Rolls::default(),
            scores: ScoreRolls::default(),
        }
    }

    /// Returns the value of each roll of `side` for the first contestant. `cube` is seen by `side`.
    pub(super) fn values(
        &mut self,
        side: usize,
        position: &Position,
        cube: Cube,
    ) -> [f64; DISTINCT] {
        if self.kind == DuelLuck::None {
            return [0.0; DISTINCT];
        }
        let values = self.after_rolls(side, position, cube);
        let context = &self.contexts[side];
        values.map(|value| {
            f64::from(match side {
                0 => value,
                _ => context.flip(value),
            })
        })
    }

    /// Returns the value of each roll of `side` for that side, in MWC or points. `cube` is seen by `side`.
    fn after_rolls(&mut self, side: usize, position: &Position, cube: Cube) -> [f32; DISTINCT] {
        match self.kind {
            DuelLuck::None => [0.0; DISTINCT],
            DuelLuck::Net => self.by_net(side, position, cube),
            DuelLuck::Plies(ply) if self.cubeless => self.cubeless(position, ply),
            DuelLuck::Plies(ply) => {
                let found = self
                    .look
                    .rolls(side, position, cube, ply + 1, &mut self.scores);
                debug_assert!(found.is_some(), "nobody cancels");
                self.scores.values[0]
            }
        }
    }

    fn cubeless(&mut self, position: &Position, ply: u8) -> [f32; DISTINCT] {
        if ply == 0 {
            self.rolls.value_all(self.evaluator, position);
            return self.rolls.values.map(|chances| chances.equity());
        }
        Roll::ALL.map(|roll| {
            let filter = CandidateFilter::default();
            let all =
                lookahead::candidates(self.evaluator, position, roll, ply, filter, NEVER_CANCELLED);
            all.expect("nothing cancels")[0].equity
        })
    }

    /// Returns the values of rolls by the luck net: the chances of the position plus the net's difference of
    /// each roll from the mean.
    fn by_net(&self, side: usize, position: &Position, cube: Cube) -> [f32; DISTINCT] {
        let mut guess = [Probabilities::default(); DISTINCT];
        // Without a luck net all values stay equal, and the luck is zero.
        self.evaluator.roll_values(position, &mut guess);
        if self.cubeless {
            // The net's predictions have a common offset, which must not count when the roll decides who
            // begins.
            let [mean] = roll::mean(guess.iter().map(|chances| [chances.equity()]));
            let before = self.evaluator.probabilities_of(position).equity();
            return guess.map(|chances| before + chances.equity() - mean);
        }
        let (own, other) = (&self.contexts[side], &self.contexts[1 - side]);
        let base = self.evaluator.probabilities_of(position).to_array();
        let mean = roll::mean(guess.iter().map(Probabilities::to_array));
        guess.map(|chances| {
            let gained = chances.to_array();
            let after = std::array::from_fn(|i| (base[i] + gained[i] - mean[i]).clamp(0.0, 1.0));
            let theirs = Probabilities::from_array(after).flipped();
            let position = position.flipped();
            let values = self
                .model
                .cubeful_values(other, &position, &theirs, cube.level);
            own.flip(values.best(cube.flipped()))
        })
    }
}

/// The sum of the luck of a game or match, plain and bounded.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LuckSum {
    pub plain: f64,
    /// The luck scaled to stay within the bound.
    pub bounded: f64,
}

impl LuckSum {
    /// Adds the luck of the roll with value `fallen`. `all`: the values of the possible rolls with their
    /// weights.
    pub fn add(&mut self, fallen: f64, all: &[(f64, f64)], bound: f64) {
        let mean = roll::mean_by_weight(all.iter().copied());
        let luck = |value: f64| value - mean;
        let lucks = all.iter().map(|(value, _)| luck(*value));
        let scale = bounded_scale(lucks, self.bounded, bound);
        self.plain += luck(fallen);
        self.bounded = (self.bounded + scale * luck(fallen)).clamp(-bound, bound);
    }
}

/// Returns the values with the weights of the rolls among 36.
pub fn weighted(values: &[f64; DISTINCT]) -> [(f64, f64); DISTINCT] {
    std::array::from_fn(|r| (values[r], f64::from(Roll::ALL[r].weight())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Engine;
    use crate::game::{CubeOwner, GameState};

    /// Beginning is lucky too, so the values must be right in absolute terms, not only in their differences.
    #[test]
    fn the_luck_net_values_the_opening_as_lookahead_does() {
        let (engine, model) = (Engine::embedded(), Model::default());
        let position = Position::opening();
        let contexts = model.contexts(&GameState::money(position));
        let turned = Cube {
            level: 2,
            owner: CubeOwner::Mover,
        };
        for (cubeless, cube) in [
            (true, Cube::CENTRED),
            (false, Cube::CENTRED),
            (false, turned),
        ] {
            let values = [DuelLuck::Net, DuelLuck::Plies(0)].map(|kind| {
                let mut meter = LuckMeter::new(&engine, &model, kind, contexts, cubeless);
                [0, 1].map(|side| meter.values(side, &position, cube))
            });
            let tolerance = f64::from(0.2 * cube.value());
            for (net, ply) in values[0].iter().flatten().zip(values[1].iter().flatten()) {
                assert!((net - ply).abs() < tolerance, "{net} {ply}");
            }
            // On a cube of four the spread of the rolls is four times that on a cube of one.
            let spread = |values: &[f64; DISTINCT]| {
                let most = values.iter().copied().fold(f64::MIN, f64::max);
                most - values.iter().copied().fold(f64::MAX, f64::min)
            };
            let [net, ply] = [0, 1].map(|kind| spread(&values[kind][0]));
            assert!((0.7..1.4).contains(&(net / ply)), "{net} {ply}");
        }
    }

    #[test]
    fn luck_averages_zero_and_stays_in_bounds() {
        let all: Vec<(f64, f64)> = (0..30).map(|i| (f64::from(i * i % 17), 1.0)).collect();
        let mean = |bound: f64, before: LuckSum| {
            let sums = all.iter().map(|(value, _)| {
                let mut sum = before;
                sum.add(*value, &all, bound);
                assert!(sum.bounded.abs() <= bound);
                [sum.plain - before.plain, sum.bounded - before.bounded]
            });
            let sums: Vec<[f64; 2]> = sums.collect();
            [0, 1].map(|i| sums.iter().map(|s| s[i]).sum::<f64>() / 30.0)
        };
        for (bound, bounded) in [(3.0, 2.5), (3.0, -3.0), (100.0, 40.0)] {
            let before = LuckSum {
                plain: bounded,
                bounded,
            };
            let means = mean(bound, before);
            assert!(means.iter().all(|m| m.abs() < 1e-12), "{means:?}");
        }
    }
}
