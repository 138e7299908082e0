//! Learning the pruning net of races: from races made at random.
//!
//! What a play of a race is worth beside its rivals hangs on gaps and stacks that games between good players seldom
//! have, so no games are played. Races of all shapes are drawn, all plays of a roll are valued by the main net, and the
//! pruning net learns how far these are apart. What they are worth together does not change their order.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::pruning::{PruningLearner, Rivals};
use crate::eval::net::Origin;
use crate::eval::pruning_net::{PruningNet, PruningNets};
use crate::eval::{Engine, Evaluator, Pruner};
use crate::game::position::{BAR, CHECKERS};
use crate::game::{Position, ResultList, Roll, Side};

/// Rolls of a step.
const BATCH: usize = 64;
/// Learning rates of the first step and of the last.
const RATES: [f32; 2] = [3e-3, 3e-5];
/// Plays that are further behind the best, in points, count as if they were so far behind: their order is no matter.
const FAR: f32 = 0.15;
/// Rolls whose plays are less far apart, in points, are drawn anew: there is nothing to choose.
const LEAST: f32 = 0.01;

/// How far a training is.
#[derive(Clone, Copy, Debug)]
pub struct RacePruningProgress {
    /// Steps done.
    pub step: u64,
    /// What the best of the plays that are kept gives away, in points a roll, on average and at most, in rolls that were
    /// not learnt from; more than 0.15 points counts as that.
    pub lost: [f32; 2],
}

/// Learns for so many steps; `tell` hears of the loss a hundred times.
pub fn learn(
    engine: &Engine,
    steps: u64,
    seed: u64,
    tell: &mut dyn FnMut(RacePruningProgress),
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
            tell(RacePruningProgress {
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

/// Draws a race whose pruner would shorten the plays of a roll.
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

/// A race of any shape: each side's points are as likely as chance makes them, so that there are gaps and stacks.
fn race(rng: &mut impl Rng) -> Position {
    // The sides do not meet: together their rearmost checkers are no further back than the points there are.
    let far = rng.random_range(1..=BAR - 2);
    let [mover, opponent] = [far, BAR - 1 - far].map(|far| side(far, rng));
    Position { mover, opponent }
}

/// Checkers on the points up to `far`.
fn side(far: usize, rng: &mut impl Rng) -> Side {
    let left = match rng.random() {
        true => rng.random_range(1..=CHECKERS),
        false => CHECKERS,
    };
    // The higher the power, the more some points are likelier than others.
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

/// What the kept plays give away, on average and at most.
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
        let lost = least(&mut kept.places().into_iter()) - least(&mut (0..rivals.results.len()));
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

    /// In bear-ins of all shapes the net of the program gives nearly nothing away.
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

    /// A short training loses far less than none.
    #[test]
    fn it_learns_which_plays_to_keep() {
        let engine = Engine::embedded();
        let mut heard = Vec::new();
        let _ = learn(&engine, 60, 1, &mut |progress| heard.push(progress.lost[0]));
        assert!(heard[heard.len() - 1] < 0.5 * heard[0], "{heard:?}");
    }
}
