//! Which decisions are asked, and in which order.

use std::collections::{HashMap, HashSet};

use rand::SeedableRng as _;
use rand::seq::SliceRandom as _;
use rand_chacha::ChaCha8Rng;

use super::card::StudyCard;
use super::decision::StudyDecision;
use super::scheduler::Scheduler;
use crate::review::marks::reaches;

/// Most errors of the library that are asked for the first time in one sitting.
const MOST_NEW: usize = 60;
/// For so many errors one decision that was right is asked.
const ERRORS: usize = 2;

/// Errors of at least `least` points, and what the user has written beside, with decisions among them that were right,
/// each once, in an order that depends on `seed`.
pub fn mixed(all: Vec<StudyDecision>, least: f32, seed: u64) -> Vec<StudyDecision> {
    let (noted, others): (Vec<_>, Vec<_>) = all.into_iter().partition(|one| one.note.is_some());
    let (mut errors, mut right) = parted(others, least, &HashMap::new());
    errors.extend(noted);
    // What was an error once is no right decision, whichever came first.
    let mut known = HashSet::new();
    errors.retain(|one| known.insert(one.key()));
    right.retain(|one| known.insert(one.key()));
    among(errors, right, seed)
}

struct AskedCard<'a> {
    card: &'a StudyCard,
    is_due: bool,
}

impl AskedCard<'_> {
    /// Returns whether the card stays, whatever is known of its decision since.
    /// It stays if it is due, and is a right decision or was an error of at least `least` points.
    fn stays(&self, least: f32) -> bool {
        self.is_due && (!self.card.is_error || reaches(self.card.cost, least))
    }
}

/// Parts decisions into errors and those that were right. A rollout may have refuted the error of a card that
/// is due: that stays.
fn parted(
    all: Vec<StudyDecision>,
    least: f32,
    asked: &HashMap<&str, AskedCard<'_>>,
) -> (Vec<StudyDecision>, Vec<StudyDecision>) {
    let stays = |one: &StudyDecision| {
        let card = asked.get(one.key().as_str());
        card.is_some_and(|card| card.stays(least))
    };
    let all = all.into_iter();
    let (errors, mut rest): (Vec<_>, Vec<_>) = all.partition(|one| one.is_error(least));
    rest.retain(|one| one.is_right() || stays(one));
    (errors, rest)
}

/// Each card that was asked, by its position, and whether it is due on a day.
fn asked(cards: &[StudyCard], today: i64) -> HashMap<&str, AskedCard<'_>> {
    let scheduler = Scheduler::default();
    // A card whose answers were taken back was never asked.
    let asked = cards.iter().filter(|card| !card.answers.is_empty());
    asked
        .map(|card| {
            let is_due = card.standing(&scheduler, today).is_due(today);
            (card.position.as_str(), AskedCard { card, is_due })
        })
        .collect()
}

/// The decisions of a library that are asked: what is due, and the most expensive errors that were never
/// asked, with decisions among them that were right. Of these, too, those that are known do not come back.
/// Where every decision is wanted (`least` is 0), all that were never asked are.
pub fn of_library(
    all: Vec<StudyDecision>,
    cards: &[StudyCard],
    today: i64,
    least: f32,
    seed: u64,
) -> Vec<StudyDecision> {
    let asked = asked(cards, today);
    let due = |key: &str| asked.get(key).map(|card| card.is_due);
    let most_new = if least > 0.0 { MOST_NEW } else { usize::MAX };
    let (mut errors, mut right) = parted(all, least, &asked);
    errors.sort_by(|a, b| b.cost.total_cmp(&a.cost));
    let (mut fresh, mut known) = (0, HashSet::new());
    errors.retain(|one| {
        let key = one.key();
        let is_due = due(&key);
        // The same error in another match takes no place of a new one.
        known.insert(key)
            && is_due.unwrap_or_else(|| {
                fresh += 1;
                fresh <= most_new
            })
    });
    right.retain(|one| known.insert(one.key()));
    let is_due = |one: &StudyDecision| due(&one.key());
    let (due_again, mut right): (Vec<_>, Vec<_>) =
        right.into_iter().partition(|one| is_due(one) == Some(true));
    right.retain(|one| is_due(one).is_none());
    errors.extend(due_again);
    among(errors, right, seed)
}

/// The cards due on a day. Nothing is asked among them: a right decision that is known does not come back.
pub fn due(cards: &[StudyCard], today: i64, seed: u64) -> Vec<StudyDecision> {
    let scheduler = Scheduler::default();
    let due = cards
        .iter()
        .filter(|card| card.standing(&scheduler, today).is_due(today));
    let due = due.filter_map(StudyDecision::of_card).collect();
    among(due, Vec::new(), seed)
}

/// The decisions among `all` that are due on a day, each once.
pub fn due_among(
    all: Vec<StudyDecision>,
    cards: &[StudyCard],
    today: i64,
    least: f32,
    seed: u64,
) -> Vec<StudyDecision> {
    let asked = asked(cards, today);
    let (mut wanted, right) = parted(all, least, &asked);
    wanted.extend(right);
    let mut known = HashSet::new();
    wanted.retain(|one| {
        let key = one.key();
        let card = asked.get(key.as_str());
        card.is_some_and(|card| card.is_due) && known.insert(key)
    });
    among(wanted, Vec::new(), seed)
}

/// How many cards are due on a day.
pub fn count_due(cards: &[StudyCard], today: i64) -> usize {
    let scheduler = Scheduler::default();
    let due = |card: &&StudyCard| card.standing(&scheduler, today).is_due(today);
    cards.iter().filter(due).count()
}

/// The `wanted` decisions, with some of the `others` among them, in an order that depends on `seed`.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::{Grade, StudyAnswer};

    fn numbers(all: &[StudyDecision]) -> Vec<u16> {
        let mut numbers: Vec<u16> = all.iter().map(|one| one.state.score.mover).collect();
        numbers.sort_unstable();
        numbers
    }

    fn answer(grade: Grade) -> StudyAnswer {
        StudyAnswer {
            id: 0,
            grade,
            given: String::new(),
            cost: 0.0,
        }
    }

    #[test]
    fn the_same_error_takes_one_place_among_the_new_ones() {
        let most = MOST_NEW as u16;
        let copies = (0..MOST_NEW).map(|_| StudyDecision::sample(0, 0.5));
        let others = (1..=most).map(|number| StudyDecision::sample(number, 0.1));
        let all: Vec<_> = copies.chain(others).collect();
        let first = of_library(all.clone(), &[], 0, 0.02, 1);
        assert_eq!(numbers(&first), (0..most).collect::<Vec<_>>());
        // One that is not due leaves all places to others; one whose answer was taken back is new.
        let mut cards = [StudyDecision::sample(0, 0.5).card(0.02)];
        let unasked = of_library(all.clone(), &cards, 0, 0.02, 1);
        assert_eq!(numbers(&unasked), (0..most).collect::<Vec<_>>());
        cards[0].answers.push(answer(Grade::Good));
        let others = of_library(all, &cards, 0, 0.02, 1);
        assert_eq!(numbers(&others), (1..=most).collect::<Vec<_>>());
    }

    /// 0 and 1 are errors, 2 and 3 were right; 0 and 2 were not known when they were asked.
    #[test]
    fn what_is_due_is_asked_alone_and_what_is_known_does_not_come_back() {
        let all: Vec<StudyDecision> = [0.5, 0.5, 0.0, 0.0]
            .into_iter()
            .zip(0..)
            .map(|(cost, number)| StudyDecision::sample(number, cost))
            .collect();
        let answered = |(one, number): (&StudyDecision, usize)| StudyCard {
            answers: vec![answer([Grade::Again, Grade::Good][number % 2])],
            ..one.card(0.02)
        };
        let cards: Vec<StudyCard> = all.iter().zip(0..).map(answered).collect();
        assert_eq!(count_due(&cards, 0), 2);
        assert_eq!(numbers(&due(&cards, 0, 1)), [0, 2]);
        let twice = [all.clone(), all.clone()].concat();
        assert_eq!(numbers(&due_among(twice, &cards, 0, 0.02, 1)), [0, 2]);
        // A right decision that was never asked is still one to be asked among them.
        let with_another = [all, vec![StudyDecision::sample(4, 0.0)]].concat();
        let of_all = of_library(with_another, &cards, 0, 0.02, 1);
        assert_eq!(numbers(&of_all), [0, 2, 4]);
    }

    /// A rollout says that nothing was given away and that nothing was to decide.
    #[test]
    fn what_is_due_is_asked_after_its_error_was_refuted() {
        let cards = [StudyCard {
            answers: vec![answer(Grade::Again)],
            ..StudyDecision::sample(1, 0.05).card(0.02)
        }];
        let refuted = |number| StudyDecision {
            is_close: false,
            ..StudyDecision::sample(number, 0.0)
        };
        let all = || vec![refuted(1), refuted(2)];
        assert_eq!(numbers(&due_among(all(), &cards, 0, 0.02, 1)), [1]);
        assert_eq!(numbers(&of_library(all(), &cards, 0, 0.02, 1)), [1]);
        // Not where larger errors are asked for than it was taken for.
        assert!(due_among(all(), &cards, 0, 0.08, 1).is_empty());
    }

    #[test]
    fn every_decision_is_asked_from_no_points_on() {
        let right = |number| StudyDecision {
            is_close: false,
            ..StudyDecision::sample(number, 0.0)
        };
        let all: Vec<_> = (0..63).map(right).collect();
        let numbers_of_all: Vec<u16> = (0..63).collect();
        assert!(mixed(all.clone(), 0.001, 1).is_empty());
        assert_eq!(numbers(&mixed(all.clone(), 0.0, 1)), numbers_of_all);
        let asked = of_library(all.clone(), &[], 0, 0.0, 1);
        assert_eq!(numbers(&asked), numbers_of_all);
        // One that is known waits until it is due, as an error does.
        let mut known = all[0].card(0.0);
        known.answers.push(answer(Grade::Good));
        let later = known.standing(&Scheduler::default(), 0).due.unwrap();
        let asked = |today| of_library(all.clone(), &[known.clone()], today, 0.0, 1);
        assert_eq!(numbers(&asked(0)), numbers_of_all[1..]);
        assert_eq!(numbers(&asked(later)), numbers_of_all);
    }

    /// A right decision with the user's note is asked again.
    #[test]
    fn what_was_written_beside_is_asked() {
        let right = |number| StudyDecision::sample(number, 0.0);
        let all = vec![
            right(1),
            right(2).with_note(Some("doubt")),
            right(3),
            right(4),
        ];
        let asked = numbers(&mixed(all, 0.02, 1));
        assert!(asked.contains(&2) && asked.len() == 2, "{asked:?}");
    }

    #[test]
    fn what_was_an_error_once_is_asked_as_an_error() {
        let all = || vec![StudyDecision::sample(1, 0.0), StudyDecision::sample(1, 0.1)];
        for asked in [mixed(all(), 0.02, 1), of_library(all(), &[], 0, 0.02, 1)] {
            let costs: Vec<f32> = asked.iter().map(|one| one.cost).collect();
            assert_eq!(costs, [0.1]);
        }
    }
}
