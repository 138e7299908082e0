//! Self-play games, and the labels they give.
//!
//! *Temporal differences* (Tesauro 1992; Sutton 1988): the label of a position is the
//! lambda-return of the game that followed it. Cheap and noisy.
//!
//! *The same with luck subtracted*: the luck of each roll, as predicted by the luck net, is subtracted from the
//! outcome. Hardly more expensive, and several times less noisy.
//!
//! *Lookahead with luck subtracted*: the label is the mean over the 21 rolls of the best play's value, plus a
//! correction: the result of the rest of the game *after subtracting the luck of its rolls*, damped by lambda at each
//! step. With `L` the lookahead value and `v` the value after the best play of the actual roll, `label = L + lambda
//! (next label - v)`. Twenty times as expensive, and some thirty times less noisy.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::sample::{LuckSample, Outcomes, RollChances, Sample, equity, flipped};
use crate::eval::rolls::best_play;
use crate::eval::{Engine, Evaluator, Probabilities, Rolls};
use crate::game::roll::{self, DISTINCT, ORDERED};
use crate::game::{Position, ResultList, Roll};

/// Maximum number of plays in a game.
const LONGEST_GAME: usize = 600;

/// Parameters of a round of games.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Games {
    /// Number of the first game; each number has its own random stream.
    pub first: u64,
    pub count: u64,
    pub seed: u64,
    /// Weight of results further ahead.
    pub lambda: f32,
    pub labels: Labels,
    /// Share of the games that start where the net was wrong; see [`hard_start`].
    pub hard: f64,
    /// Share of the games that sometimes take a play slightly worse than the best; see [`Strays::near`].
    pub near: f64,
    /// Share of the plays for which a rival is labelled; see [`Rival`].
    pub rivals: f64,
}

/// Number of samples from which a hard start takes the worst.
const HARD_OF: usize = 8;

/// How to estimate the value of a position from its game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Labels {
    /// The value after the actual roll.
    Played,
    /// The value after the actual roll, minus its predicted luck.
    Reduced,
    /// The mean over all rolls; the values of the rolls are kept for the luck net.
    Lookahead,
}

/// The samples of a round of games.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RoundSamples {
    pub samples: Vec<Sample>,
    /// With [`Labels::Lookahead`], the same positions with the values of their rolls.
    pub luck: Vec<LuckSample>,
}

impl RoundSamples {
    /// CRC-32 of all samples.
    pub fn checksum(&self) -> u32 {
        let mut crc = crc32fast::Hasher::new();
        crc.update(bytemuck::cast_slice(&self.samples));
        crc.update(bytemuck::cast_slice(&self.luck));
        crc.finalize()
    }

    fn join(mut self, other: Self) -> Self {
        self.samples.extend(other.samples);
        self.luck.extend(other.luck);
        self
    }
}

/// Plays the games on all threads. Samples are in the order of the games. `past` are samples of earlier games.
pub fn play(engine: &Engine, games: &Games, past: &[Sample]) -> RoundSamples {
    let rounds: Vec<RoundSamples> = (games.first..games.first + games.count)
        .into_par_iter()
        .map_init(Table::default, |table, number| {
            table.game(engine, games, past, number)
        })
        .collect();
    rounds
        .into_iter()
        .fold(RoundSamples::default(), RoundSamples::join)
}

/// One visited position.
struct Visit {
    position: Position,
    /// Its own estimate: by lookahead, or from the actual roll.
    value: Outcomes,
    /// Value for the player on roll after the best play of the roll.
    reached: Outcomes,
    /// Whether the game left the best play here.
    stray: bool,
    /// A rival of the play that led here.
    rival: Option<Rival>,
}

/// The position after a play that the net rates slightly below the best and that was not taken, with its mean over
/// all rolls. Its label adopts the result of the rest of the game. The difference between both labels is therefore
/// that of two lookaheads, without the game's noise.
#[derive(Clone, Copy)]
struct Rival {
    position: Position,
    value: Outcomes,
}

/// How often a game leaves the best play, so that unusual positions occur, too.
struct Strays {
    /// Probability of a random play at any time.
    always: f64,
    /// In this many plays at the start, half are random.
    opening: usize,
    /// Probability of a play that the net rates slightly below the best. Players choose between such plays, and a
    /// game of best plays never shows what the net underrates.
    near: f64,
}

/// Maximum loss of a near play, in points of equity.
const NEAR_BY: f32 = 0.1;

/// Probability of a near play in a game of near plays.
const NEAR_CHANCE: f64 = 0.3;

impl Strays {
    fn draw(rng: &mut ChaCha8Rng, near: f64) -> Self {
        let always = if rng.random_bool(0.33) {
            rng.random_range(0.03..0.3)
        } else {
            0.0
        };
        let opening = if rng.random_bool(0.25) {
            rng.random_range(4..40)
        } else {
            0
        };
        let near = match near > 0.0 && rng.random_bool(near) {
            true => NEAR_CHANCE,
            false => 0.0,
        };
        Self {
            always,
            opening,
            near,
        }
    }

    /// Chooses the kind of play number `ply`.
    fn here(&self, rng: &mut ChaCha8Rng, ply: usize) -> Choice {
        let random = if ply < self.opening { 0.5 } else { self.always };
        if rng.random_bool(random) {
            Choice::Any
        } else if self.near > 0.0 && rng.random_bool(self.near) {
            Choice::Near
        } else {
            Choice::Best
        }
    }
}

/// The kind of play with which a game continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Choice {
    Best,
    /// A play slightly worse than the best, or the best.
    Near,
    Any,
}

#[derive(Default)]
struct Table {
    plays: ResultList,
    equities: Vec<f32>,
    visits: Vec<Visit>,
    luck: Vec<LuckSample>,
    rolls: Rolls,
}

impl Table {
    fn game(
        &mut self,
        engine: &Engine,
        games: &Games,
        past: &[Sample],
        number: u64,
    ) -> RoundSamples {
        let mut rng = ChaCha8Rng::seed_from_u64(games.seed);
        rng.set_stream(number);
        let strays = Strays::draw(&mut rng, games.near);
        self.visits.clear();
        let mut position = match past {
            [] => Position::opening(),
            _ if !rng.random_bool(games.hard) => Position::opening(),
            past => hard_start(engine, past, &mut rng),
        };
        let mut end = None;
        let mut rival = None;
        for ply in 0..LONGEST_GAME {
            end = engine.table_value(&position).map(|p| exclusive(&p));
            if end.is_some() {
                break;
            }
            let choice = strays.here(&mut rng, ply);
            let roll = Roll::ordered(rng.random_range(0..ORDERED));
            let (value, reached, best) = match games.labels {
                Labels::Lookahead => self.look_ahead(engine, &position, roll),
                labels => self.look_back(engine, &position, roll, labels),
            };
            let next = match choice {
                Choice::Best => best,
                Choice::Near => self.near_play(engine, &position, roll, &mut rng),
                Choice::Any => {
                    self.plays.generate(&position, roll);
                    let all = self.plays.results();
                    all[rng.random_range(0..all.len())]
                }
            };
            self.visits.push(Visit {
                position,
                value,
                reached,
                stray: next != best,
                rival: rival.take(),
            });
            if choice != Choice::Any && games.rivals > 0.0 && rng.random_bool(games.rivals) {
                rival = self.rival(engine, &position, roll, &next, &mut rng);
            }
            position = next;
        }
        self.label(games, end)
    }

    /// Returns a random play that is at most [`NEAR_BY`] worse than the best.
    fn near_play(
        &mut self,
        engine: &Engine,
        position: &Position,
        roll: Roll,
        rng: &mut ChaCha8Rng,
    ) -> Position {
        self.one_near(engine, position, roll, None, rng)
            .expect("the best play is near")
    }

    /// Returns a random play that is at most [`NEAR_BY`] worse than the best, other than `without` if possible.
    fn one_near(
        &mut self,
        engine: &Engine,
        position: &Position,
        roll: Roll,
        without: Option<&Position>,
        rng: &mut ChaCha8Rng,
    ) -> Option<Position> {
        self.plays.generate(position, roll);
        let results = self.plays.results();
        self.equities.clear();
        self.equities.resize(results.len(), 0.0);
        engine.equities_after(position, results, &mut self.equities);
        let most = self.equities.iter().copied().fold(f32::MIN, f32::max);
        let near = |&i: &usize| {
            self.equities[i] >= most - NEAR_BY && without.is_none_or(|w| *w != results[i])
        };
        let count = (0..results.len()).filter(near).count();
        if count == 0 {
            return None;
        }
        let chosen = rng.random_range(0..count);
        let place = (0..results.len()).filter(near).nth(chosen);
        place.map(|place| results[place])
    }

    /// Returns a rival of the play of `roll` that leads to `taken`.
    fn rival(
        &mut self,
        engine: &Engine,
        position: &Position,
        roll: Roll,
        taken: &Position,
        rng: &mut ChaCha8Rng,
    ) -> Option<Rival> {
        let position = self.one_near(engine, position, roll, Some(taken), rng)?;
        if engine.table_value(&position).is_some() {
            return None;
        }
        let value = self.mean_ahead(engine, &position);
        Some(Rival { position, value })
    }

    /// Returns the position's own estimate from `roll` (minus its luck with [`Labels::Reduced`]), the value after its
    /// best play, and that play's position.
    fn look_back(
        &mut self,
        engine: &Engine,
        position: &Position,
        roll: Roll,
        labels: Labels,
    ) -> (Outcomes, Outcomes, Position) {
        let best = best_play(engine, position, roll, &mut self.plays, &mut self.equities);
        let reached = flipped(&exclusive(&engine.probabilities_of(&best)));
        let mut value = reached;
        let mut rolls = [Probabilities::default(); DISTINCT];
        if labels == Labels::Reduced && engine.roll_values(position, &mut rolls) {
            let luck = luck_of(&rolls, roll);
            value.iter_mut().zip(luck).for_each(|(v, l)| *v -= l);
        }
        (value, reached, best)
    }

    /// Returns the mean over the rolls, the value after the best play of `roll`, and that play's position.
    fn look_ahead(
        &mut self,
        engine: &Engine,
        position: &Position,
        roll: Roll,
    ) -> (Outcomes, Outcomes, Position) {
        let mean = self.mean_ahead(engine, position);
        let i = roll.index();
        (
            mean,
            exclusive(&self.rolls.values[i]),
            self.rolls.results[i],
        )
    }

    /// Mean value over the rolls.
    fn mean_ahead(&mut self, engine: &Engine, position: &Position) -> Outcomes {
        self.rolls.value_all(engine, position);
        let values = &self.rolls.values;
        let chances: RollChances = std::array::from_fn(|r| {
            let value = values[r];
            [value.win, value.win_gammon, value.lose_gammon]
        });
        self.luck.push(LuckSample::new(position, &chances));
        roll::mean(values.iter().map(exclusive))
    }

    /// Labels the visits from the end of the game back to its start.
    fn label(&mut self, games: &Games, end: Option<Outcomes>) -> RoundSamples {
        let lambda = games.lambda;
        let mut samples = Vec::with_capacity(self.visits.len());
        // The label of the following visit, for its player on roll.
        let mut next = end;
        for visit in self.visits.iter().rev() {
            let ahead = match next {
                Some(next) if !visit.stray => flipped(&next),
                _ => visit.reached,
            };
            let label: Outcomes =
                std::array::from_fn(|o| visit.value[o] + lambda * (ahead[o] - visit.reached[o]));
            let sample = Sample::new(&visit.position, &label);
            match visit.rival {
                None => samples.push(sample),
                Some(rival) => {
                    let said = |o: usize| rival.value[o] + label[o] - visit.value[o];
                    let rival_sample = Sample::new(&rival.position, &std::array::from_fn(said));
                    samples.extend([sample.with_rival(), rival_sample]);
                }
            }
            next = Some(label);
        }
        RoundSamples {
            samples,
            luck: std::mem::take(&mut self.luck),
        }
    }
}

/// Returns the worst of a few random samples: the one whose label the net misses most. Lookahead from such a position
/// and its successors teaches more than an ordinary game.
fn hard_start(engine: &Engine, past: &[Sample], rng: &mut ChaCha8Rng) -> Position {
    let mut worst = (f32::MIN, Position::opening());
    for _ in 0..HARD_OF {
        let sample = &past[rng.random_range(0..past.len())];
        let position = sample.board();
        let net = exclusive(&engine.probabilities_of(&position));
        let missed = (equity(&sample.label()) - equity(&net)).abs();
        if missed > worst.0 {
            worst = (missed, position);
        }
    }
    worst.1
}

/// The luck of `roll` in each of the six outcomes. Backgammons are not distinguished.
fn luck_of(rolls: &[Probabilities; DISTINCT], roll: Roll) -> Outcomes {
    let mean = roll::mean(rolls.iter().map(exclusive));
    let value = exclusive(&rolls[roll.index()]);
    std::array::from_fn(|o| value[o] - mean[o])
}

/// Chances of the six exclusive outcomes.
fn exclusive(p: &Probabilities) -> Outcomes {
    [
        p.win - p.win_gammon,
        p.win_gammon - p.win_backgammon,
        p.win_backgammon,
        1.0 - p.win - p.lose_gammon,
        p.lose_gammon - p.lose_backgammon,
        p.lose_backgammon,
    ]
}

#[cfg(test)]
mod tests {
    use super::super::learn::TrainingExample as _;
    use super::*;

    #[test]
    fn games_are_the_same_however_they_are_divided() {
        let engine = Engine::embedded();
        let games = Games {
            first: 0,
            count: 6,
            seed: 5,
            lambda: 0.7,
            labels: Labels::Lookahead,
            hard: 0.5,
            near: 0.5,
            rivals: 0.5,
        };
        let past = play(&engine, &Games { first: 6, ..games }, &[]).samples;
        let whole = play(&engine, &games, &past);
        let part = |first, count| {
            play(
                &engine,
                &Games {
                    first,
                    count,
                    ..games
                },
                &past,
            )
        };
        let halves = [part(0, 2), part(2, 4)];
        let [first, second] = halves;
        assert_eq!(whole, first.join(second));
        assert!(whole.samples.len() > 60 && whole.samples.len() == whole.luck.len());
    }

    #[test]
    fn hard_games_begin_where_the_net_was_wrong() {
        let engine = Engine::embedded();
        let label = |position: &Position| exclusive(&engine.probabilities_of(position));
        let opening = Position::opening();
        let mut plays = ResultList::new();
        plays.generate(&opening, Roll::ALL[3]);
        let wrong = plays.results()[0];
        let mut past = vec![Sample::new(&opening, &label(&opening)); 9];
        past.push(Sample::new(&wrong, &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0]));
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let starts = (0..200).map(|_| hard_start(&engine, &past, &mut rng));
        // Eight of ten draws contain it with probability 0.57.
        let found = starts.filter(|s| *s == wrong).count();
        assert!((90..140).contains(&found), "{found}");
    }

    #[test]
    fn near_plays_are_hardly_worse_than_the_best() {
        let engine = Engine::embedded();
        let mut table = Table::default();
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        let opening = Position::opening();
        let roll = Roll::ALL[4];
        let mut seen = std::collections::BTreeMap::new();
        for _ in 0..300 {
            let near = table.near_play(&engine, &opening, roll, &mut rng);
            let place = table.plays.results().iter().position(|p| *p == near);
            *seen.entry(place.unwrap()).or_insert(0) += 1;
        }
        let most = table.equities.iter().copied().fold(f32::MIN, f32::max);
        let near = table.equities.iter().filter(|&&e| e >= most - NEAR_BY);
        // All near plays occur about equally often, and no other.
        assert_eq!(seen.len(), near.count());
        assert!(seen.len() > 1 && seen.len() < table.plays.results().len());
        assert!(seen.keys().all(|&i| table.equities[i] >= most - NEAR_BY));
        let often = 300 / seen.len();
        assert!(seen.values().all(|n| (often / 2..often * 2).contains(n)));
    }

    /// Rivals' labels differ by their lookahead values, whatever the game's result.
    #[test]
    fn rivals_differ_by_what_lies_one_roll_ahead() {
        let engine = Engine::embedded();
        let games = Games {
            first: 0,
            count: 2,
            seed: 6,
            lambda: 0.7,
            labels: Labels::Lookahead,
            hard: 0.0,
            near: 0.5,
            rivals: 1.0,
        };
        let samples = play(&engine, &games, &[]).samples;
        let mut table = Table::default();
        let mut pairs = 0;
        for pair in samples.windows(2).filter(|pair| pair[0].has_rival()) {
            let [a, b] = [&pair[0], &pair[1]];
            let ahead =
                |table: &mut Table, s: &Sample| equity(&table.mean_ahead(&engine, &s.board()));
            let expected = ahead(&mut table, a) - ahead(&mut table, b);
            let difference = equity(&a.label()) - equity(&b.label());
            assert!(
                (difference - expected).abs() < 4e-3,
                "{difference} {expected}"
            );
            assert!(!b.has_rival());
            pairs += 1;
        }
        // Most plays have a near rival.
        assert!(pairs > samples.len() / 5, "{pairs} of {}", samples.len());
    }

    #[test]
    fn labels_are_chances() {
        let engine = Engine::embedded();
        for labels in [Labels::Played, Labels::Reduced, Labels::Lookahead] {
            let games = Games {
                first: 3,
                count: 4,
                seed: 9,
                lambda: 0.7,
                labels,
                hard: 0.0,
                near: 0.5,
                rivals: 0.5,
            };
            for sample in play(&engine, &games, &[]).samples {
                let sum: f32 = sample.label().iter().sum();
                assert!((sum - 1.0).abs() < 2e-3, "{sum}");
            }
        }
    }
}
