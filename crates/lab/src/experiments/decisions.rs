//! Benchmark decisions: positions of many kinds from the program's own play, with the plays to compare.
//!
//! They are stored in a file of the repository, so that experiments use the same decisions whatever the net. [`find`]
//! is how they were found, and finds others for another seed.

use std::fmt;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::eval::features::View;
use crate::eval::{Candidate, CandidateFilter, Evaluator, lookahead};
use crate::game::roll::ORDERED;
use crate::game::{Position, Roll, Side};
use crate::notation::gnubg_id::{parse_position, position_id};
use crate::notation::{parse_play, play_text};

/// The decisions of the repository.
const BUNDLED: &str = include_str!("decisions.tsv");
/// Maximum distance of the two best plays in points, by the static evaluation.
const CLOSE: f32 = 0.08;
/// Maximum number of turns in a game.
const LONGEST_GAME: u32 = 120;

/// Classes of benchmark decisions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BenchmarkClass {
    /// Within the first four rolls.
    Opening,
    /// An attack on checkers without an anchor.
    Blitz,
    /// A five-point prime or better with a checker behind it.
    Prime,
    /// One side has escaped, the other waits on an anchor.
    Holding,
    /// Two anchors, while behind in the race.
    BackGame,
    /// No contact.
    Race,
    /// Bearing off in contact.
    Bearoff,
}

pub const CLASSES: [BenchmarkClass; 7] = [
    BenchmarkClass::Opening,
    BenchmarkClass::Blitz,
    BenchmarkClass::Prime,
    BenchmarkClass::Holding,
    BenchmarkClass::BackGame,
    BenchmarkClass::Race,
    BenchmarkClass::Bearoff,
];

impl fmt::Display for BenchmarkClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Opening => "opening",
            Self::Blitz => "blitz",
            Self::Prime => "prime",
            Self::Holding => "holding",
            Self::BackGame => "back game",
            Self::Race => "race",
            Self::Bearoff => "bearoff",
        })
    }
}

/// A decision: a position, a roll, and the plays to compare.
#[derive(Clone, Debug, PartialEq)]
pub struct BenchmarkDecision {
    pub kind: BenchmarkClass,
    /// Seen by the player on roll.
    pub position: Position,
    pub roll: Roll,
    /// The plays as text.
    pub plays: Vec<String>,
    /// The positions after the plays, with the opponent on roll.
    pub candidates: Vec<Position>,
}

impl BenchmarkDecision {
    /// Returns the decision as a line of a file: kind, position, dice and plays, separated by tabs.
    pub fn line(&self) -> String {
        format!(
            "{}\t{}\t{}\t{}",
            self.kind,
            position_id(&self.position),
            self.roll,
            self.plays.join("\t")
        )
    }

    fn parse(line: &str) -> Option<Self> {
        let mut columns = line.split('\t');
        let kind = columns.next()?;
        let kind = CLASSES.into_iter().find(|k| k.to_string() == kind)?;
        let position = parse_position(columns.next()?).ok()?;
        let roll: Roll = columns.next()?.parse().ok()?;
        let plays: Vec<String> = columns.map(str::to_owned).collect();
        let after = |text: &String| {
            let play = parse_play(text, &position, roll).ok()?;
            Some(play.apply(&position))
        };
        let candidates = plays.iter().map(after).collect::<Option<Vec<_>>>()?;
        Some(Self {
            kind,
            position,
            roll,
            plays,
            candidates,
        })
    }

    fn of(kind: BenchmarkClass, position: Position, roll: Roll, plays: &[Candidate]) -> Self {
        Self {
            kind,
            position,
            roll,
            plays: plays
                .iter()
                .map(|c| play_text(&position, &c.play))
                .collect(),
            candidates: plays.iter().map(|c| c.result).collect(),
        }
    }
}

/// Parses the decisions of a list, one per line; other lines are skipped.
pub fn read(text: &str) -> Vec<BenchmarkDecision> {
    text.lines().filter_map(BenchmarkDecision::parse).collect()
}

/// The decisions of the repository.
pub fn bundled() -> Vec<BenchmarkDecision> {
    read(BUNDLED)
}

/// Selects decisions between two plays.
pub fn pairs(all: Vec<BenchmarkDecision>) -> Vec<BenchmarkDecision> {
    let two = |d: &BenchmarkDecision| d.candidates.len() == 2;
    all.into_iter().filter(two).collect()
}

/// Selects decisions between more than two plays.
pub fn families(all: Vec<BenchmarkDecision>) -> Vec<BenchmarkDecision> {
    let more = |d: &BenchmarkDecision| d.candidates.len() > 2;
    all.into_iter().filter(more).collect()
}

/// Finds `each` decisions between two close plays of each kind, and `families` between five, in self-play with 10 %
/// random plays. Each game gives at most one of a kind.
pub fn find(
    evaluator: &dyn Evaluator,
    each: usize,
    families: usize,
    seed: u64,
) -> Vec<BenchmarkDecision> {
    let mut found: Vec<BenchmarkDecision> = Vec::new();
    let count = |found: &[BenchmarkDecision], kind, five: bool| {
        let wanted =
            |d: &&BenchmarkDecision| (five || d.kind == kind) && (d.plays.len() == 5) == five;
        found.iter().filter(wanted).count()
    };
    for game in 0..100_000 {
        let full = CLASSES.iter().all(|k| count(&found, *k, false) >= each);
        if full && count(&found, BenchmarkClass::Opening, true) >= families {
            break;
        }
        let before = found.len();
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(game);
        let mut position = Position::opening();
        for turn in 0..LONGEST_GAME {
            let roll = Roll::ordered(rng.random_range(0..ORDERED));
            let filter = CandidateFilter::default();
            let plays = lookahead::candidates(evaluator, &position, roll, 0, filter, &|| false);
            let plays = plays.unwrap_or_default();
            let (random, pick) = (rng.random_bool(0.1), rng.random_range(0..64usize));
            // Only some of them, because neighbouring turns would be similar.
            let asked = rng.random_bool(0.3);
            if let Some(kind) = kind(&position, turn).filter(|_| asked) {
                let mut take = |five: bool, plays: &[Candidate]| {
                    let new = found[before..].iter();
                    let again = new
                        .filter(|d| (d.plays.len() == 5) == five && (five || d.kind == kind))
                        .count();
                    let most = if five { families } else { each };
                    if again == 0 && count(&found, kind, five) < most {
                        found.push(BenchmarkDecision::of(kind, position, roll, plays));
                    }
                };
                if plays.len() >= 2 && plays[0].equity - plays[1].equity <= CLOSE {
                    take(false, &plays[..2]);
                }
                if plays.len() >= 5 && is_family(&plays) {
                    take(true, &plays[..5]);
                }
            }
            position = match plays.get(if random { pick % plays.len().max(1) } else { 0 }) {
                Some(play) => play.result,
                None => position.flipped(),
            };
            if position.is_over() || View::new(&position).is_bearoff() {
                break;
            }
        }
    }
    found.sort_by_key(|d| (d.plays.len(), d.kind));
    found
}

/// Returns whether five plays are close and the best leads by a measurable amount.
fn is_family(plays: &[Candidate]) -> bool {
    let lead = |i: usize| plays[0].equity - plays[i].equity;
    (0.02..0.06).contains(&lead(1)) && lead(4) <= 0.12
}

/// Classifies a position, if its kind is clear.
pub fn kind(position: &Position, turn: u32) -> Option<BenchmarkClass> {
    let sides = [
        (&position.mover, &position.opponent),
        (&position.opponent, &position.mover),
    ];
    let either = |is: &dyn Fn(&Side, &Side) -> bool| sides.iter().any(|(a, b)| is(a, b));
    if position.is_race() {
        Some(BenchmarkClass::Race)
    } else if either(&|a, _| a.rearmost() <= 6) {
        Some(BenchmarkClass::Bearoff)
    } else if turn < 4 {
        Some(BenchmarkClass::Opening)
    } else if either(&plays_back_game) {
        Some(BenchmarkClass::BackGame)
    } else if either(&primes) {
        Some(BenchmarkClass::Prime)
    } else if either(&attacks) {
        Some(BenchmarkClass::Blitz)
    } else if either(&holds) {
        Some(BenchmarkClass::Holding)
    } else {
        None
    }
}

/// Counts the points from `from` to `to` that the side holds with at least two checkers.
fn points(side: &Side, from: usize, to: usize) -> usize {
    (from..=to).filter(|&p| side.at(p) >= 2).count()
}

fn plays_back_game(side: &Side, other: &Side) -> bool {
    points(side, 20, 24) >= 2 && side.pips() >= other.pips() + 25
}

fn primes(side: &Side, other: &Side) -> bool {
    (2..=7).any(|low| {
        let behind = (26 - low..=25).any(|p| other.at(p) > 0);
        behind && points(side, low, low + 5) >= 5
    })
}

fn attacks(side: &Side, other: &Side) -> bool {
    let caught = (19..=25).any(|p| other.at(p) == 1) && points(other, 19, 24) == 0;
    let near: u8 = (1..=11).map(|p| side.at(p)).sum();
    caught && points(side, 1, 6) >= 3 && near >= 10
}

fn holds(side: &Side, other: &Side) -> bool {
    let away = (16..=25).all(|p| other.at(p) == 0);
    away && points(side, 18, 21) >= 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Engine;

    #[test]
    fn the_decisions_of_the_repository_can_be_played() {
        let pairs = pairs(bundled());
        assert!(pairs.len() >= 40, "{}", pairs.len());
        for kind in CLASSES {
            let own = pairs.iter().filter(|d| d.kind == kind).count();
            assert!(own >= 5, "{kind} {own}");
        }
        for d in pairs.iter().chain(&families(bundled())) {
            assert_eq!(BenchmarkDecision::parse(&d.line()).as_ref(), Some(d));
            for (i, a) in d.candidates.iter().enumerate() {
                assert!(!d.candidates[..i].contains(a), "{}", d.line());
            }
        }
        assert!(families(bundled()).iter().all(|d| d.candidates.len() == 5));
    }

    #[test]
    fn finding_repeats_itself() {
        let engine = Engine::embedded();
        let found = find(&engine, 1, 0, 7);
        assert_eq!(found.len(), CLASSES.len());
        assert_eq!(found, find(&engine, 1, 0, 7));
        for (d, kind) in found.iter().zip(CLASSES) {
            assert_eq!(d.kind, kind);
            assert_eq!(d.plays.len(), 2);
        }
    }
}
