//! Measures the error of the static evaluation against rollouts of fresh positions.
//!
//! Positions come from games of self-play with 10 % random plays, one position per game. Each is rolled out to the
//! end with luck subtracted. The variance of the rollouts is subtracted from the mean square.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use crate::eval::features::View;
use crate::eval::{Evaluator, Probabilities};
use crate::game::roll::ORDERED;
use crate::game::{Position, ResultList, Roll};
use crate::rollout::{LuckKind, RolloutError, Settings, Setup, StopRules, run_blocking};

#[derive(Clone, Copy, Debug)]
pub struct CalibrationSettings {
    pub positions: u64,
    /// Trials per position.
    pub trials: u64,
    /// Seed of games and dice.
    pub seed: u64,
}

/// Classes of position, one for each head of the net.
pub const CLASSES: [&str; 5] = [
    "race",
    "bearing off in contact",
    "nobody back",
    "one or two back",
    "three or more back",
];

/// A position with the values of the net and the rollout.
#[derive(Clone, Copy, Debug)]
pub struct Observation {
    /// The position before the roll of the player on roll.
    pub position: Position,
    /// Index in [`CLASSES`].
    pub kind: usize,
    /// Chances of the net.
    pub said: Probabilities,
    /// Chances of the rollout.
    pub found: [f64; 5],
    /// Equity of the rollout, and its standard error.
    pub equity: [f64; 2],
}

impl Observation {
    /// Error of the net in points; positive if it overrates the player on roll.
    pub fn error(&self) -> f64 {
        f64::from(self.said.equity()) - self.equity[0]
    }
}

/// Errors over several positions, in points.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CalibrationErrors {
    /// Number of positions.
    pub count: u64,
    /// Mean of the net's equity minus the rollout's.
    pub bias: f64,
    /// Root mean square error, with the rollouts' variance subtracted.
    pub rmse: f64,
}

/// Errors of equity over the observations with `wanted`.
pub fn errors(
    observations: &[Observation],
    wanted: impl Fn(&Observation) -> bool,
) -> CalibrationErrors {
    let (mut count, mut sum, mut squares) = (0u64, 0.0, 0.0);
    for o in observations.iter().filter(|o| wanted(o)) {
        let error = o.error();
        count += 1;
        sum += error;
        squares += error * error - o.equity[1] * o.equity[1];
    }
    let n = count.max(1) as f64;
    CalibrationErrors {
        count,
        bias: sum / n,
        rmse: (squares / n).max(0.0).sqrt(),
    }
}

/// Sorts observations by the size of the net's error, worst first.
pub fn worst(mut observations: Vec<Observation>) -> Vec<Observation> {
    let size = |o: &Observation| o.error().abs();
    observations.sort_by(|a, b| size(b).total_cmp(&size(a)));
    observations
}

/// For chance number `part`, by tenths of the net's chance: number of positions, mean of the net, mean of the
/// rollouts.
pub fn reliability(observations: &[Observation], part: usize) -> Vec<(u64, f64, f64)> {
    let mut bins = vec![(0u64, 0.0, 0.0); 10];
    for o in observations {
        let said = f64::from(o.said.to_array()[part]);
        let bin = &mut bins[((said * 10.0) as usize).min(9)];
        bin.0 += 1;
        bin.1 += said;
        bin.2 += o.found[part];
    }
    bins.into_iter()
        .map(|(n, said, found)| {
            let d = n.max(1) as f64;
            (n, said / d, found / d)
        })
        .collect()
}

/// Makes the observations on the current thread pool. The same settings give the same observations.
///
/// # Errors
/// A [`RolloutError`] for an invalid number of trials.
pub fn observe(
    setup: &Setup,
    plan: &CalibrationSettings,
) -> Result<Vec<Observation>, RolloutError> {
    (0..plan.positions)
        .into_par_iter()
        .map(|number| {
            let position = position(&*setup.evaluator, plan.seed, number);
            let settings = Settings {
                seed: plan.seed ^ number,
                // More positions are worth more than less luck in each.
                luck: LuckKind::least(setup),
                stop: StopRules {
                    trials: plan.trials,
                    ..StopRules::default()
                },
                ..Settings::default()
            };
            let result = run_blocking(setup, &[position], &settings, &mut |_| true)?;
            let candidate = result.candidates[0].flipped();
            Ok(Observation {
                position,
                kind: kind(&position),
                said: setup.evaluator.probabilities_of(&position),
                found: candidate.probabilities.each_ref().map(|p| p.mean),
                equity: [candidate.equity.mean, candidate.equity.se],
            })
        })
        .collect()
}

fn kind(position: &Position) -> usize {
    match View::new(position).phase() {
        0 => 0,
        1 | 2 => 1,
        head => {
            let back = (head - 3) / 3;
            let facing = (head - 3) % 3;
            2 + back.max(facing)
        }
    }
}

/// Returns a position from its own game, neither finished nor known exactly.
fn position(evaluator: &dyn Evaluator, seed: u64, number: u64) -> Position {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(number);
    let mut list = ResultList::new();
    let mut equities = Vec::new();
    loop {
        let length = rng.random_range(1..70);
        let mut position = Position::opening();
        for _ in 0..length {
            let roll = Roll::ordered(rng.random_range(0..ORDERED));
            let best =
                crate::eval::rolls::best_play(evaluator, &position, roll, &mut list, &mut equities);
            let random = rng.random_bool(0.1) && !list.results().is_empty();
            position = if random {
                list.results()[rng.random_range(0..list.results().len())]
            } else {
                best
            };
            if View::new(&position).is_bearoff() || position.is_over() {
                break;
            }
        }
        if !View::new(&position).is_bearoff() && !position.is_over() {
            return position;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Engine;
    use std::sync::Arc;

    #[test]
    fn the_net_is_near_its_own_rollouts() {
        let setup = Setup::from(Arc::new(Engine::embedded()) as Arc<dyn Evaluator>);
        let plan = CalibrationSettings {
            positions: 24,
            trials: 36,
            seed: 3,
        };
        let seen = observe(&setup, &plan).unwrap();
        let all = errors(&seen, |_| true);
        assert_eq!(all.count, 24);
        assert!(all.rmse < 0.2, "{all:?}");
        let worst = worst(seen.clone());
        assert!(
            worst[0].error().abs() >= all.rmse && worst[0].error().abs() >= worst[23].error().abs()
        );
        let counted: u64 = reliability(&seen, 0).iter().map(|bin| bin.0).sum();
        assert_eq!(counted, 24);
    }
}
