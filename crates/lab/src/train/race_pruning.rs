//! Trains the pruning net of races on random races.
//!
//! The value of a race play relative to its rivals depends on gaps and stacks that are rare in games between good
//! players, so no games are played. Random races of all shapes are drawn, the main net values all plays of a roll,
//! and the pruning net learns their differences. Their common level does not affect the order.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::pruning::{PruningLearner, Rivals};
use crate::eval::net::Origin;
use crate::eval::pruning_net::{PruningNet, PruningNets};
use crate::eval::{Engine, Evaluator, Pruner};
use crate::game::position::{BAR, CHECKERS};
use crate::game::{Position, ResultList, Roll, Side};

/// Rolls per step.
const BATCH: usize = 64;
/// Learning rates of the first and the last step.
const RATES: [f32; 2] = [3e-3, 3e-5];
/// Maximum loss in points: worse plays count as this, because their order does not matter.
const FAR: f32 = 0.15;
/// Minimum spread of a roll's plays in points; rolls with less are redrawn, because there is nothing to choose.
const LEAST: f32 = 0.01;

/// Progress of the training.
#[derive(Clone, Copy, Debug)]
pub struct RacePruningProgress {
    pub step: u64,
    /// Loss in points per roll of the best play that is kept, mean and maximum, over rolls that were not used for
    /// learning. Each loss is capped at 0.15 points.
    pub lost: [f32; 2],
}

/// Learns for `steps` steps; calls `report` a hundred times.
pub fn learn(
    engine: &Engine,
    steps: u64,
    seed: u64,
    report: &mut dyn FnMut(RacePruningProgress),
) -> PruningNet {
    let mut learner = PruningLearner::new(seed);
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut held_back = ChaCha8Rng::seed_from_u64(!seed);
    let unseen: Vec<Race> = (0..4_000).map(|_| draw(engine, &mut held_back)).collect();
    for step in 0..steps {
        let batch = (0..BATCH).map(|_| draw(engine, &mut rng).rivals);
        let batch: Vec<Rivals> = batch.collect();
        let along = step as f32 / steps.max(2) as f32;
        learner.step_of_rivals(&batch, RATES[0] * (RATES[1] / RATES[0]).powf(along));
        if (step + 1) % steps.div_ceil(100) == 0 || step + 1 == steps {
            report(RacePruningProgress {
                step: step + 1,
                lost: lost(&learner.net(Origin::default()), &unseen),
            });
        }
    }
    learner.net(Origin {
        recipe: format!("race pruning {steps}"),
        seed,
        positions: steps * BATCH as u64,
    })
}

/// A race and the plays of a roll in it.
struct Race {
    before: Position,
    rivals: Rivals,
}

/// Draws a race and a roll whose plays the pruner would reduce.
fn draw(engine: &Engine, rng: &mut impl Rng) -> Race {
    let mut list = ResultList::new();
    loop {
        let before = race(rng);
        if !PruningNets::prunes_race(&before) {
            continue;
        }
        list.generate(&before, Roll::ordered(rng.random_range(0..36)));
        if !Pruner::shortens(list.results().len()) {
            continue;
        }
        let results = list.results().to_vec();
        let mut equities = vec![0.0; results.len()];
        engine.equities_after(&before, &results, &mut equities);
        let [worst, best] = [f32::min, f32::max].map(|end| equities.iter().copied().reduce(end));
        let (worst, best) = (worst.unwrap_or(0.0), best.unwrap_or(0.0));
        if best - worst < LEAST {
            continue;
        }
        let theirs = |mine: &f32| -mine.max(best - FAR);
        return Race {
            before,
            rivals: Rivals {
                equities: equities.iter().map(theirs).collect(),
                results,
            },
        };
    }
}

/// A race of any shape: the probabilities of the points are random, so that gaps and stacks occur.
fn race(rng: &mut impl Rng) -> Position {
    // Without contact, the rearmost checkers of both sides together are at most as far back as there are points.
    let far = rng.random_range(1..=BAR - 2);
    let [mover, opponent] = [far, BAR - 1 - far].map(|far| side(far, rng));
    Position { mover, opponent }
}

/// Places checkers on the points up to `far`.
fn side(far: usize, rng: &mut impl Rng) -> Side {
    let left = match rng.random() {
        true => rng.random_range(1..=CHECKERS),
        false => CHECKERS,
    };
    // The higher the power, the more the probabilities of the points differ.
    let power = rng.random_range(0..4);
    let weights: Vec<f32> = (0..far).map(|_| rng.random::<f32>().powi(power)).collect();
    let sum: f32 = weights.iter().sum();
    let mut points = [0u8; BAR + 1];
    for _ in 0..left {
        let mut at = rng.random_range(0.0..1.0) * sum;
        let place = weights.iter().position(|weight| {
            at -= weight;
            at < 0.0
        });
        points[place.unwrap_or(0) + 1] += 1;
    }
    Side::new(&points).expect("no more checkers than there are")
}

/// Mean and maximum loss of the kept plays.
fn lost(net: &PruningNet, races: &[Race]) -> [f32; 2] {
    let (mut sum, mut most) = (0.0, 0.0f32);
    for Race { before, rivals } in races {
        let least = |places: &mut dyn Iterator<Item = usize>| {
            places
                .map(|i| rivals.equities[i])
                .fold(f32::INFINITY, f32::min)
        };
        let Some(kept) = net.pruner(before).shortlist(&rivals.results) else {
            continue;
        };
        let lost = least(&mut kept.places()) - least(&mut (0..rivals.results.len()));
        sum += lost;
        most = most.max(lost);
    }
    [sum / races.len() as f32, most]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn races_of_all_shapes_are_sound() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let races: Vec<Position> = (0..300).map(|_| race(&mut rng)).collect();
        assert!(races.iter().all(|race| race.is_race() && !race.is_over()));
        let pruned = |race: &&Position| PruningNets::prunes_race(race);
        assert!((50..300).contains(&races.iter().filter(pruned).count()));
    }

    /// In bear-ins of all shapes the embedded net loses almost nothing.
    #[test]
    fn the_net_of_the_program_keeps_the_best_plays_of_races() {
        let engine = Engine::embedded();
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let races: Vec<Race> = (0..1_000).map(|_| draw(&engine, &mut rng)).collect();
        let nets = PruningNets::embedded();
        let lost = |net: &PruningNet| lost(net, &races)[0];
        let (own, other) = (lost(&nets.race.unwrap()), lost(&nets.contact));
        assert!(own < 0.001 && own < 0.4 * other, "{own} {other}");
    }

    /// Even a short training loses much less than none.
    #[test]
    fn it_learns_which_plays_to_keep() {
        let engine = Engine::embedded();
        let mut heard = Vec::new();
        let _ = learn(&engine, 60, 1, &mut |progress| heard.push(progress.lost[0]));
        assert!(heard[heard.len() - 1] < 0.5 * heard[0], "{heard:?}");
    }
}
