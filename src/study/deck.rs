//! Which decisions are asked, and in which order.

use std::collections::HashSet;

use rand::SeedableRng as _;
use rand::seq::SliceRandom as _;
use rand_chacha::ChaCha8Rng;

use super::card::StudyCard;
use super::decision::StudyDecision;
use super::scheduler::Scheduler;

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
