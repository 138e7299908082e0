//! Self-play games, and the labels they give.
//!
//! *Temporal differences* (Tesauro 1992; Sutton 1988): the label of a position is the
//! lambda-return of the game that followed it. Cheap and noisy.
//!
//! *The same with the luck subtracted*: the luck of each roll, as the luck net predicts it, is
//! subtracted from what the roll led to. Hardly more expensive, and several times less noisy.
//!
//! *Lookahead with the luck subtracted*: the label is the mean over the 21 rolls of the best play's
//! value, plus a correction. The correction is what the rest of the game brought *after subtracting
//! the luck of its rolls*. It is damped by lambda at each step. With `L` the lookahead value and
//! `v` the value after the best play of the roll that came, `label = L + lambda (next label - v)`.
//! Twenty times as expensive, and some thirty times less noisy.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::sample::{LuckSample, Outcomes, RollChances, Sample, equity, flipped};
use crate::eval::rolls::best_play;
use crate::eval::{Engine, Evaluator, Probabilities, Rolls};
use crate::game::roll::{self, DISTINCT, ORDERED};
use crate::game::{Position, ResultList, Roll};

/// No game of self-play goes on longer.
const LONGEST_GAME: usize = 600;

/// How the games of a round are played and labelled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Games {
    /// Number of the first game; each has random numbers of its own.
    pub first: u64,
    pub count: u64,
    /// Key of the random numbers.
    pub seed: u64,
    /// Weight of what lies further ahead.
    pub lambda: f32,
    /// How positions are labelled.
    pub labels: Labels,
    /// Share of the games that begin where the net was wrong, see [`hard_start`].
    pub hard: f64,
    /// Share of the games that now and then take a play hardly worse than the best, see
    /// [`Strays::near`].
    pub near: f64,
    /// Share of the plays beside which a rival is labelled, see [`Rival`].
    pub rivals: f64,
}

/// A game that begins where the net was wrong begins at the worst of so many samples.
const HARD_OF: usize = 8;

/// How the value of a position is estimated from its game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Labels {
    /// By what the roll led to.
    Played,
    /// What the roll led to, less the luck that the luck net predicted for the roll.
    Reduced,
    /// By the mean of what all rolls lead to; what they are worth is kept for the luck net.
    Lookahead,
}

/// The samples of a round of games.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RoundSamples {
    /// Positions with their labels.
    pub samples: Vec<Sample>,
    /// With [`Labels::Lookahead`] the same positions with what their rolls are worth.
    pub luck: Vec<LuckSample>,
}

impl RoundSamples {
    /// CRC-32 of all of it.
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

/// Plays the games on all threads; the samples come in the order of the games. `past` are samples of
/// earlier ones.
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
    /// Its own estimate: by lookahead, or by what the roll led to.
    value: Outcomes,
    /// The value, for the player on roll, of what the best play of the roll led to.
    reached: Outcomes,
    /// Whether the game strayed from the best play here.
    stray: bool,
    /// What another play than the one that led here leads to.
    rival: Option<Rival>,
}

/// Where a play leads that the net holds for hardly worse than the best, and that was not taken, and the
/// mean of what all rolls lead to from there. Its label takes over what the rest of the game said of the play
/// that was taken. So the difference between the two is that of two lookaheads, without the game's noise.
#[derive(Clone, Copy)]
struct Rival {
    position: Position,
    value: Outcomes,
}

/// How often a game leaves the path of best play, so that strange positions are seen as well.
struct Strays {
    /// Chance of a random play at any time.
    always: f64,
    /// For this many plays at the start, half of the plays are random.
    opening: usize,
    /// Chance of any of the plays that the net holds for hardly worse than the best. What a player
    /// chooses between are such plays, and a game of best plays never shows what the net
    /// underrates.
    near: f64,
}

/// How much worse than the best a near play may be, in points of equity.
const NEAR_BY: f32 = 0.1;

/// How often a game of near plays takes one.
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

    /// How the game goes on at its play number `ply`.
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

/// Which play a game goes on with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Choice {
    Best,
    /// One of the plays that are hardly worse than the best, or the best.
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

    /// One of the plays that are at most [`NEAR_BY`] worse than the best.
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

    /// One of the plays that are at most [`NEAR_BY`] worse than the best, but not `without`, if there is
    /// another.
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

    /// A rival of the play of `roll` that leads to `taken`.
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

    /// Value by what the best play of `roll` leads to, that, and the play's result.
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

    /// Mean over the rolls, value after the best play of `roll`, and that play's result.
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

    /// Mean of what the rolls are worth.
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

    /// Labels from the end of the game back to its start.
    fn label(&mut self, games: &Games, end: Option<Outcomes>) -> RoundSamples {
        let lambda = games.lambda;
        let mut samples = Vec::with_capacity(self.visits.len());
        // What is known of the position after the visit at hand, for its player on roll.
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
                    let beside = Sample::new(&rival.position, &std::array::from_fn(said));
                    samples.extend([sample.with_rival(), beside]);
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

/// Of a few random samples the one whose label the net misses most. What looking ahead says of such a
/// position and of those that follow it teaches more than another ordinary game does.
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
        // Eight draws of ten hold the one with chance 0.57.
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
        // Each of them, about as often as the next, and no other.
        assert_eq!(seen.len(), near.count());
        assert!(seen.len() > 1 && seen.len() < table.plays.results().len());
        assert!(seen.keys().all(|&i| table.equities[i] >= most - NEAR_BY));
        let often = 300 / seen.len();
        assert!(seen.values().all(|n| (often / 2..often * 2).contains(n)));
    }

    /// Rivals' labels differ as looking ahead at all rolls says, whatever the game brought.
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
        // Of most plays there is another that is near.
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
