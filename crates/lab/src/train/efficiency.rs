//! Trains the efficiency net from cube values one roll ahead.
//!
//! A cube's value before a roll is the mean over the 21 rolls of its value after the best play and the opponent's
//! best cube action ([`Model::rolling`]). Its value from the chances alone is `dead + x·own + y·other`
//! ([`Ends`](crate::cube::cubeful_values::Ends)). The net learns the x and y for which both agree. The chances come
//! from the same lookahead, so that the net does not learn their errors. The values after the roll use the net of the
//! previous round. Values are exact at the end of games and in small bear-offs; they spread backwards from round to
//! round, as in value iteration.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use multiversion::multiversion;

use super::learn::{Adam, move_weights};
use crate::cube::{Cube, CubeContext, Efficiency, Model};
use crate::eval::efficiency_net::{
    CHANCE_ROWS, CLASSES, EFFICIENCY_ROWS, EfficiencyClass, EfficiencyNet, OUTPUTS, SHARE_ONE,
    UNITS, WINDOW_ROWS, shares,
};
use crate::eval::features::all_checkers;
use crate::eval::net::Origin;
use crate::eval::rolls::best_play;
use crate::eval::rows::COUNT_ROWS;
use crate::eval::{Engine, Probabilities};
use crate::game::{CubeOwner, GameState, Position, ResultList, Roll, Rules};

/// The cube owners to learn.
const OWNERS: [CubeOwner; 3] = [CubeOwner::Mover, CubeOwner::Opponent, CubeOwner::Centred];
/// Maximum number of plays in a game.
const LONGEST_GAME: usize = 400;
/// Winning chances for which positions are learned: outside, the cube is worth nothing.
const WINS: std::ops::RangeInclusive<f32> = 0.02..=0.98;
/// Share of the games with random plays, and the share of random plays in them.
const RANDOM_PLAYS: [f64; 2] = [0.3, 0.15];
/// Random bear-offs per game. Games rarely reach bear-offs of seven or more checkers per side in which the cube
/// matters.
const BEAROFFS: u64 = 6;
/// Share of the contact positions that are used.
const CONTACT_SEEN: f64 = 0.5;
/// Rounds in the training window, and the number of passes over them.
const WINDOW: usize = 8;
const PASSES: usize = 2;
const BATCH: usize = 256;
/// Learning rates of the first and the last round.
const RATES: [f32; 2] = [2e-3, 5e-5];
/// Weight of each step in the running average.
const AVERAGED: f32 = 1e-3;
/// Larger weights do not fit the integers of the quantised net.
const MOST_WEIGHT: f32 = 4.0;

const BIAS: usize = EFFICIENCY_ROWS * UNITS;
const SHOWN: usize = BIAS + UNITS;
const HEADS: usize = SHOWN + CHANCE_ROWS * UNITS;
const HEAD_BIAS: usize = HEADS + CLASSES * OUTPUTS * UNITS;
const SIZE: usize = HEAD_BIAS + CLASSES * OUTPUTS;

/// A position with its cube values.
#[derive(Clone, Copy, Debug)]
struct CubeSample {
    position: Position,
    chances: Probabilities,
    /// For each of [`OWNERS`]: the contribution of each end, and the target, in cube points.
    cubes: [[f32; 3]; 3],
}

/// Progress of a training, and the fit of the net to the values of the latest round.
#[derive(Clone, Copy, Debug)]
pub struct EfficiencyProgress {
    /// Finished rounds.
    pub round: u32,
    /// Samples of this round.
    pub samples: usize,
    /// Root mean square errors in cube points before learning from the round: of the net, and of [`REFERENCE`]
    /// everywhere; for contact, races and bear-offs.
    pub errors: [[f64; 2]; CLASSES],
}

/// The constant efficiency used as initial value and reference.
pub const REFERENCE: f32 = 0.73;

/// Learns cubes of money play by these `rules`, from `rounds` rounds of `games` games each. Calls `report` after each
/// round.
pub fn learn(
    engine: &Engine,
    rules: Rules,
    rounds: u32,
    games: u64,
    seed: u64,
    report: &mut dyn FnMut(EfficiencyProgress),
) -> EfficiencyNet {
    let mut learner = EfficiencyLearner::new(seed);
    let mut window: Vec<Vec<CubeSample>> = Vec::new();
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut positions = 0;
    for round in 0..rounds {
        let model = Model {
            efficiency: Efficiency::Learnt(learner.net(Origin::default()).into()),
            ..Model::default()
        };
        let first = u64::from(round) * games;
        let mut samples: Vec<CubeSample> = (first..first + games)
            .into_par_iter()
            .flat_map_iter(|number| play(engine, &model, rules, seed, number))
            .collect();
        let drawn = BEAROFFS * first..BEAROFFS * (first + games);
        samples.par_extend(
            drawn
                .into_par_iter()
                .filter_map(|number| sample(engine, &model, rules, &bearoff(seed, number))),
        );
        positions += samples.len() as u64;
        report(EfficiencyProgress {
            round: round + 1,
            samples: samples.len(),
            errors: errors(&model, rules, &samples),
        });
        window.push(samples);
        if window.len() > WINDOW {
            window.remove(0);
        }
        let along = round as f32 / (rounds.max(2) - 1) as f32;
        let rate = RATES[0] * (RATES[1] / RATES[0]).powf(along);
        let mut order: Vec<&CubeSample> = window.iter().flatten().collect();
        // A pass uses about as many samples as three rounds have, drawn evenly from the window.
        for _ in 0..PASSES {
            let n = order.len();
            for i in (1..n).rev() {
                order.swap(i, rng.random_range(0..=i));
            }
            let taken = n.min(3 * games as usize * 30);
            for batch in order[..taken].chunks(BATCH) {
                learner.step(batch, rate);
            }
        }
    }
    learner.net(Origin {
        recipe: match rules.jacoby {
            true => format!("efficiency, Jacoby, {rounds} x {games}"),
            false => format!("efficiency {rounds} x {games}"),
        },
        seed,
        positions,
    })
}

/// Returns the samples of one game.
fn play(engine: &Engine, model: &Model, rules: Rules, seed: u64, number: u64) -> Vec<CubeSample> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(number + 1);
    let strays = if rng.random_bool(RANDOM_PLAYS[0]) {
        RANDOM_PLAYS[1]
    } else {
        0.0
    };
    let (mut list, mut equities) = (ResultList::new(), Vec::new());
    let mut position = Position::opening();
    let mut samples = Vec::new();
    for _ in 0..LONGEST_GAME {
        if position.is_over() {
            break;
        }
        // Contact lasts long, and its positions hardly change from roll to roll.
        if EfficiencyClass::of(&position) != EfficiencyClass::Contact
            || rng.random_bool(CONTACT_SEEN)
        {
            samples.extend(sample(engine, model, rules, &position));
        }
        let roll = Roll::ordered(rng.random_range(0..36));
        position = if rng.random_bool(strays) {
            list.generate(&position, roll);
            let results = list.results();
            results[rng.random_range(0..results.len())]
        } else {
            best_play(engine, &position, roll, &mut list, &mut equities)
        };
    }
    samples
}

/// A random bear-off with seven to fourteen checkers; the opponent has up to two fewer or more.
fn bearoff(seed: u64, number: u64) -> Position {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    // Distinct from the streams of the games.
    rng.set_stream(u64::MAX - number);
    let checkers = rng.random_range(7..=14);
    let others = rng.random_range(checkers - 2..=checkers + 2).min(15);
    let [own, other] = [checkers, others].map(|checkers| home(&mut rng, checkers));
    Position::from_points(&own, &other).expect("so many checkers at home")
}

/// Places checkers on the home points, about half of them at or below a random point.
fn home(rng: &mut ChaCha8Rng, checkers: u8) -> Vec<(usize, u8)> {
    let highest = rng.random_range(1..=6);
    let mut points = [0; 7];
    for _ in 0..checkers {
        let most = if rng.random_bool(0.5) { 6 } else { highest };
        points[rng.random_range(1..=most)] += 1;
    }
    let held = |point: &usize| points[*point] > 0;
    let points = (1..=6).filter(held).map(|point| (point, points[point]));
    points.collect()
}

/// Returns the cube values of a position; `None` if they are known exactly or there is nothing to learn.
fn sample(engine: &Engine, model: &Model, rules: Rules, position: &Position) -> Option<CubeSample> {
    let context = CubeContext::money(rules);
    if model.exact(&context, position).is_some() {
        return None;
    }
    let cubes = OWNERS.map(|owner| Cube { level: 0, owner });
    let state = GameState {
        rules,
        ..GameState::money(*position)
    };
    let (chances, values) = model.rolling(engine, &state, &cubes, 1)?;
    if !WINS.contains(&chances.win) {
        return None;
    }
    let lines = context.cubeful_values(&chances, REFERENCE, 0);
    let mut targets = [[0.0; 3]; 3];
    for ((target, cube), value) in targets.iter_mut().zip(cubes).zip(values) {
        let ends = lines.ends(cube);
        *target = [ends.own, ends.other, value - ends.dead];
    }
    Some(CubeSample {
        position: *position,
        chances,
        cubes: targets,
    })
}

/// Root mean square errors of the net and of the constant, by class.
fn errors(model: &Model, rules: Rules, samples: &[CubeSample]) -> [[f64; 2]; CLASSES] {
    let square = |x: f32| f64::from(x) * f64::from(x);
    let (mut sums, mut n) = ([[0.0; 2]; CLASSES], [0.0f64; CLASSES]);
    for sample in samples {
        let class = EfficiencyClass::of(&sample.position) as usize;
        n[class] += OWNERS.len() as f64;
        let efficiency = &model.efficiency;
        let efficiencies = efficiency.of(&sample.position, &sample.chances, rules.jacoby);
        for ([own, other, added], owner) in sample.cubes.iter().zip(OWNERS) {
            let [x, y] = efficiencies.of(owner);
            sums[class][0] += square(added - x * own - y * other);
            sums[class][1] += square(added - REFERENCE * (own + other));
        }
    }
    std::array::from_fn(|c| sums[c].map(|sum: f64| (sum / n[c].max(1.0)).sqrt()))
}

/// An efficiency net in floating point, with its optimiser's state.
struct EfficiencyLearner {
    weights: Vec<f32>,
    moments: [Vec<f32>; 2],
    gradient: Vec<f32>,
    /// Running average of the weights: used for labels and exported. Labels from a fluctuating net would drift away
    /// from the truth.
    average: Vec<f32>,
    steps: u64,
}

impl EfficiencyLearner {
    /// A net that returns [`REFERENCE`] everywhere.
    fn new(seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut weights = vec![0.0; SIZE];
        for w in &mut weights[..BIAS] {
            *w = rng.random_range(-0.12..0.12);
        }
        for w in &mut weights[BIAS..SHOWN] {
            *w = rng.random_range(0.1..0.5);
        }
        // The window inputs start with random weights, without effect.
        for w in &mut weights[SHOWN + WINDOW_ROWS * UNITS..HEADS] {
            *w = rng.random_range(-0.5..0.5);
        }
        weights[HEAD_BIAS..].fill(REFERENCE);
        Self {
            average: weights.clone(),
            weights,
            moments: [vec![0.0; SIZE], vec![0.0; SIZE]],
            gradient: vec![0.0; SIZE],
            steps: 0,
        }
    }

    fn step(&mut self, batch: &[&CubeSample], rate: f32) {
        for sample in batch {
            self.add_gradient(sample);
        }
        self.steps += 1;
        let adam = Adam::new(batch.len().max(1) as f32, rate, self.steps, MOST_WEIGHT);
        let [m, v] = &mut self.moments;
        move_weights(&adam, &mut self.weights, &mut self.gradient, m, v);
        for (average, w) in self.average.iter_mut().zip(&self.weights) {
            *average += AVERAGED * (w - *average);
        }
    }

    /// Adds the gradient of half the sample's squared errors. Returns their sum.
    fn add_gradient(&mut self, sample: &CubeSample) -> f32 {
        let mut rows = [0; 30];
        let mut n = 0;
        all_checkers(&sample.position, |role, row| {
            rows[n] = (role * COUNT_ROWS + row) * UNITS;
            n += 1;
        });
        add_gradient(&self.weights, &mut self.gradient, &rows[..n], sample)
    }

    fn net(&self, origin: Origin) -> EfficiencyNet {
        let w = &self.average;
        EfficiencyNet::quantised(
            &w[..BIAS],
            &w[BIAS..SHOWN],
            &w[SHOWN..HEADS],
            &w[HEADS..HEAD_BIAS],
            &w[HEAD_BIAS..],
            origin,
        )
    }
}

#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl+avx2+fma", "x86_64+avx2+fma"))]
fn add_gradient(weights: &[f32], gradient: &mut [f32], rows: &[usize], sample: &CubeSample) -> f32 {
    let mut sum = [0.0f32; UNITS];
    sum.copy_from_slice(&weights[BIAS..SHOWN]);
    for &row in rows {
        for (s, w) in sum.iter_mut().zip(&weights[row..row + UNITS]) {
            *s += *w;
        }
    }
    let shown = shares(&sample.chances)
        .map(|(row, share)| (SHOWN + row * UNITS, share as f32 / SHARE_ONE as f32));
    for (row, share) in shown {
        for (s, w) in sum.iter_mut().zip(&weights[row..row + UNITS]) {
            *s += share * w;
        }
    }
    let active = sum.map(|s| s.clamp(0.0, 1.0) * s.clamp(0.0, 1.0));
    let head = EfficiencyClass::of(&sample.position) as usize * OUTPUTS;
    let x: [f32; OUTPUTS] = std::array::from_fn(|o| {
        let row = &weights[HEADS + (head + o) * UNITS..][..UNITS];
        let products = active.iter().zip(row).map(|(a, w)| a * w);
        weights[HEAD_BIAS + head + o] + products.sum::<f32>()
    });
    let [mine, theirs, [own, other, added]] = sample.cubes;
    let misses = [
        x[0] * mine[0] - mine[2],
        x[1] * theirs[1] - theirs[2],
        x[2] * own + x[3] * other - added,
    ];
    let slopes = [
        misses[0] * mine[0],
        misses[1] * theirs[1],
        misses[2] * own,
        misses[2] * other,
    ];
    let mut back = [0.0f32; UNITS];
    for (o, slope) in slopes.into_iter().enumerate() {
        gradient[HEAD_BIAS + head + o] += slope;
        let at = HEADS + (head + o) * UNITS;
        for i in 0..UNITS {
            gradient[at + i] += slope * active[i];
            back[i] += slope * weights[at + i];
        }
    }
    for i in 0..UNITS {
        let inside = sum[i] > 0.0 && sum[i] < 1.0;
        back[i] = if inside { 2.0 * back[i] * sum[i] } else { 0.0 };
        gradient[BIAS + i] += back[i];
    }
    for (row, share) in shown {
        for (g, b) in gradient[row..row + UNITS].iter_mut().zip(&back) {
            *g += share * b;
        }
    }
    for &row in rows {
        for (g, b) in gradient[row..row + UNITS].iter_mut().zip(&back) {
            *g += *b;
        }
    }
    misses.map(|miss| miss * miss).iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rayon::ThreadPoolBuilder;

    #[test]
    fn the_gradient_is_half_the_slope_of_the_squared_errors() {
        let race = Position::from_points(&[(6, 3), (5, 2)], &[(6, 4), (4, 3)]).unwrap();
        for position in [Position::opening(), race] {
            let sample = CubeSample {
                position,
                chances: Probabilities {
                    win: 0.55,
                    win_gammon: 0.15,
                    win_backgammon: 0.01,
                    lose_gammon: 0.12,
                    lose_backgammon: 0.005,
                },
                cubes: [[0.8, 0.0, 0.5], [0.0, 0.7, 0.4], [0.45, 0.35, 0.6]],
            };
            let mut learner = EfficiencyLearner::new(4);
            // Random hidden weights, because initially the hidden units have no effect.
            let mut rng = ChaCha8Rng::seed_from_u64(5);
            for w in &mut learner.weights[HEADS..HEAD_BIAS] {
                *w = rng.random_range(-0.3..0.3);
            }
            learner.add_gradient(&sample);
            let gradient = learner.gradient.clone();
            let moved: Vec<usize> = (0..SIZE).filter(|&i| gradient[i] != 0.0).collect();
            assert!(
                [BIAS, SHOWN, HEADS, HEAD_BIAS].iter().all(|&end| {
                    moved.iter().any(|&i| i < end) && moved.iter().any(|&i| i >= end)
                })
            );
            for i in moved.into_iter().step_by(7) {
                let mut at = |delta: f32| {
                    let old = learner.weights[i];
                    learner.weights[i] = old + delta;
                    let errors = learner.add_gradient(&sample);
                    learner.weights[i] = old;
                    errors
                };
                let slope = (at(2e-4) - at(-2e-4)) / 8e-4;
                let found = gradient[i];
                assert!((slope - found).abs() < 2e-2, "{i}: {slope} {found}");
            }
        }
    }

    #[test]
    fn any_number_of_threads_gives_the_same_net() {
        let engine = Engine::embedded();
        let nets = [1, 3].map(|threads| {
            let pool = ThreadPoolBuilder::new().num_threads(threads).build();
            let learn = || learn(&engine, Rules::default(), 2, 3, 7, &mut |_| {});
            pool.unwrap().install(learn).to_bytes()
        });
        assert!(nets[0] == nets[1]);
    }
}
