//! Which decisions are asked, and in which order.

use std::collections::{HashMap, HashSet};

use rand::SeedableRng as _;
use rand::seq::SliceRandom as _;
use rand_chacha::ChaCha8Rng;

use super::card::StudyCard;
use super::decision::StudyDecision;
use super::scheduler::Scheduler;

/// Most errors of the library that are asked for the first time in one sitting.
const MOST_NEW: usize = 60;
/// For so many errors one decision that was right is asked.
const ERRORS: usize = 2;

/// Errors of at least `least` points with decisions among them that were right, each once, in an order
/// that depends on `seed`.
#[must_use]
pub fn mixed(all: Vec<StudyDecision>, least: f32, seed: u64) -> Vec<StudyDecision> {
    let mut known = HashSet::new();
    let (errors, rest): (Vec<_>, Vec<_>) = all
        .into_iter()
        .filter(|one| known.insert(one.key()))
        .partition(|one| one.is_error(least));
    let right = rest.into_iter().filter(StudyDecision::is_right).collect();
    among(errors, right, seed)
}

/// Of all decisions of a library: the errors that are due, and the most expensive ones that were never
/// asked, with decisions among them that were right.
#[must_use]
pub fn of_library(
    all: Vec<StudyDecision>,
    (cards, today): (&[StudyCard], i64),
    least: f32,
    seed: u64,
) -> Vec<StudyDecision> {
    let scheduler = Scheduler::default();
    let due: HashMap<&str, bool> = cards
        .iter()
        .map(|card| {
            let is_due = card.standing(&scheduler).is_due(today);
            (card.position.as_str(), is_due)
        })
        .collect();
    let (mut errors, right): (Vec<_>, Vec<_>) =
        all.into_iter().partition(|one| one.is_error(least));
    errors.sort_by(|a, b| b.cost.total_cmp(&a.cost));
    let mut fresh = 0;
    errors.retain(|one| match due.get(one.key().as_str()) {
        Some(is_due) => *is_due,
        None => {
            fresh += 1;
            fresh <= MOST_NEW
        }
    });
    mixed(errors.into_iter().chain(right).collect(), least, seed)
}

/// The cards due on a day, with decisions among them that are known.
#[must_use]
pub fn due(cards: &[StudyCard], today: i64, seed: u64) -> Vec<StudyDecision> {
    let scheduler = Scheduler::default();
    let (due, rest): (Vec<_>, Vec<_>) = cards
        .iter()
        .partition(|card| card.standing(&scheduler).is_due(today));
    let of = |card: &&StudyCard| StudyDecision::of_card(card);
    let known = rest.iter().filter(|card| !card.is_error).filter_map(of);
    among(due.iter().filter_map(of).collect(), known.collect(), seed)
}

/// How many cards are due on a day.
#[must_use]
pub fn count_due(cards: &[StudyCard], today: i64) -> usize {
    let scheduler = Scheduler::default();
    let due = |card: &&StudyCard| card.standing(&scheduler).is_due(today);
    cards.iter().filter(due).count()
}

/// What is asked because it is to be learnt, and some of the others among it.
fn among(
    mut wanted: Vec<StudyDecision>,
    mut others: Vec<StudyDecision>,
    seed: u64,
) -> Vec<StudyDecision> {
    let mut stream = ChaCha8Rng::seed_from_u64(seed);
    others.shuffle(&mut stream);
    others.truncate(wanted.len().div_ceil(ERRORS));
    wanted.append(&mut others);
    wanted.shuffle(&mut stream);
    wanted
}
