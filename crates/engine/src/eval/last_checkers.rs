//! Exact chances of endings with at most three checkers, at least one per side, with or without contact.
//!
//! The net sees such endings too seldom to learn them, and a single roll changes so much that a few plies of
//! lookahead do not help. There are about 16,000 of them. The chances of each follow from those of the
//! others: the mean over the 21 rolls of the best play, seen by the opponent. As a hit checker starts again,
//! no order of the positions leads from known to unknown ones. All are therefore improved in turn until they
//! converge (value iteration, R. Bellman 1957). Gammons are impossible.

use std::sync::OnceLock;

use super::Probabilities;
use crate::game::position::{BAR, CHECKERS};
use crate::game::roll::ORDERED;
use crate::game::{Position, ResultList, Roll, Side};

/// Number of places of a checker: the points and the bar.
const PLACES: usize = BAR;
/// Number of places of two checkers.
const PAIRS: usize = PLACES * (PLACES + 1) / 2;
/// The first numbers of positions with one checker against two, and of two against one.
const ONE_TO_TWO: usize = PLACES * PLACES;
const TWO_TO_ONE: usize = ONE_TO_TWO + PLACES * PAIRS;
/// Number of position numbers; some are unused because both sides would share a point.
const NUMBERS: usize = TWO_TO_ONE + PAIRS * PLACES;
/// Changes of chances below this count as convergence.
const SETTLED: f64 = 1e-11;
/// Maximum number of rounds; 80 are enough.
const MOST_ROUNDS: usize = 1000;
/// In place of a number: the play ends the game.
const WON: u16 = u16::MAX;

/// The winning chance of the player on roll, by the number of the position.
#[derive(Debug)]
pub(super) struct LastCheckers(Vec<f32>);

/// Returns whether at most three checkers are left, at least one per side.
#[inline]
pub(super) fn are_left(position: &Position) -> bool {
    let left = |side: &Side| CHECKERS - side.off();
    // Most positions are excluded by one side; this check runs for every evaluated position.
    let own = left(&position.mover);
    if !(1..=2).contains(&own) {
        return false;
    }
    let other = left(&position.opponent);
    other > 0 && own + other <= 3
}

/// Returns the places of one or two checkers as a number: first those of one checker, then those of two.
fn places(side: &Side) -> usize {
    let mut found =
        (1..=BAR).flat_map(|place| std::iter::repeat_n(place - 1, side.at(place).into()));
    match (found.next(), found.next()) {
        (Some(low), Some(high)) => PLACES + high * (high + 1) / 2 + low,
        (Some(place), None) => place,
        _ => 0,
    }
}

/// Returns the number of a position with at most three checkers.
fn number(position: &Position) -> Option<usize> {
    let [own, other] = [places(&position.mover), places(&position.opponent)];
    let number = || match (own.checked_sub(PLACES), other.checked_sub(PLACES)) {
        (None, None) => own * PLACES + other,
        (None, Some(pair)) => ONE_TO_TWO + own * PAIRS + pair,
        (Some(pair), _) => TWO_TO_ONE + pair * PLACES + other,
    };
    are_left(position).then(number)
}

/// A position and the results of its plays.
struct Ending {
    number: usize,
    /// The numbers of the positions after the plays, roll by roll, seen by the opponent.
    next: Vec<u16>,
    /// The ends of the plays of each roll in `next`.
    ends: [u16; Roll::ALL.len()],
}

impl Ending {
    fn new(position: &Position) -> Option<Self> {
        let mut list = ResultList::new();
        let mut ending = Self {
            number: number(position)?,
            next: Vec::new(),
            ends: [0; Roll::ALL.len()],
        };
        for (end, roll) in ending.ends.iter_mut().zip(Roll::ALL) {
            list.generate(position, roll);
            let after = list.results().iter();
            ending
                .next
                .extend(after.map(|result| number(result).map_or(WON, |n| n as u16)));
            *end = ending.next.len() as u16;
        }
        Some(ending)
    }

    /// Returns the winning chance, from those of all positions.
    fn chance(&self, win: &[f64]) -> f64 {
        let worth = |&next: &u16| match next {
            WON => 1.0,
            next => 1.0 - win[usize::from(next)],
        };
        let mut start = 0;
        let mut sum = 0.0;
        for (roll, &end) in Roll::ALL.iter().zip(&self.ends) {
            let plays = &self.next[start..usize::from(end)];
            sum += f64::from(roll.weight()) * plays.iter().map(worth).fold(0.0, f64::max);
            start = usize::from(end);
        }
        sum / f64::from(ORDERED as u8)
    }
}

impl LastCheckers {
    /// Returns the chances, computed at the first call in a few tenths of a second.
    pub(super) fn get() -> &'static Self {
        static ALL: OnceLock<LastCheckers> = OnceLock::new();
        ALL.get_or_init(Self::solve)
    }

    /// Returns the chances of a position with at most three checkers.
    pub(super) fn probabilities(&self, position: &Position) -> Option<Probabilities> {
        let win = self.0[number(position)?];
        Some(Probabilities {
            win,
            ..Probabilities::default()
        })
    }

    fn solve() -> Self {
        // On this thread only: a pool thread could take over work that waits for these chances.
        let endings: Vec<Ending> = positions().iter().filter_map(Ending::new).collect();
        let mut win = vec![0.5f64; NUMBERS];
        for _ in 0..MOST_ROUNDS {
            let mut change = 0.0f64;
            for ending in &endings {
                let better = ending.chance(&win);
                change = change.max((better - win[ending.number]).abs());
                win[ending.number] = better;
            }
            if change < SETTLED {
                break;
            }
        }
        Self(win.into_iter().map(|win| win as f32).collect())
    }
}

/// Returns all positions with at most three checkers.
fn positions() -> Vec<Position> {
    let single: Vec<Vec<(usize, u8)>> = (1..=PLACES).map(|place| vec![(place, 1)]).collect();
    let pairs = (1..=PLACES).flat_map(|high| (1..=high).map(move |low| vec![(low, 1), (high, 1)]));
    let pairs: Vec<Vec<(usize, u8)>> = pairs.collect();
    let mut all = Vec::new();
    for (own, other) in [(&single, &single), (&single, &pairs), (&pairs, &single)] {
        for own in own {
            let standing = other.iter().map(|other| Position::from_points(own, other));
            all.extend(standing.filter_map(Result::ok));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standing(own: &[usize], other: &[usize]) -> Position {
        let side = |places: &[usize]| places.iter().map(|&place| (place, 1)).collect::<Vec<_>>();
        Position::from_points(&side(own), &side(other)).unwrap()
    }

    fn win(own: usize, other: usize) -> f32 {
        chance(&standing(&[own], &[other]))
    }

    fn chance(position: &Position) -> f32 {
        LastCheckers::get().probabilities(position).unwrap().win
    }

    #[test]
    fn simple_endings_have_their_exact_chances() {
        // Borne off at once by any roll.
        assert_eq!(win(1, 1), 1.0);
        assert_eq!(chance(&standing(&[1, 1], &[1])), 1.0);
        // From the six point, 1-1 and rolls of fewer than six pips miss; then the opponent bears off.
        let misses = (Roll::ALL.iter())
            .filter(|roll| roll.high() + roll.low() < 6 && !roll.is_double())
            .map(|roll| roll.weight())
            .sum::<u32>()
            + 1;
        let expected = f64::from(36 - misses) / 36.0;
        assert!(
            (f64::from(win(6, 1)) - expected).abs() < 1e-6,
            "{}",
            win(6, 1)
        );
    }

    #[test]
    fn numbers_are_of_one_position_each() {
        let all = positions();
        let mut numbers: Vec<usize> = all.iter().filter_map(number).collect();
        assert_eq!(numbers.len(), all.len());
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers.len(), all.len());
        assert!(numbers.iter().all(|&n| n < NUMBERS));
    }

    /// Too many checkers, or none on one side.
    #[test]
    fn other_positions_are_not_in_the_table() {
        for (own, other) in [
            (&[1, 2][..], &[3, 4][..]),
            (&[], &[3]),
            (&[5, 5, 6], &[7]),
            (&[1, 2], &[]),
        ] {
            assert_eq!(number(&standing(own, other)), None, "{own:?} {other:?}");
        }
    }

    /// Recomputing a chance from all rolls does not change it.
    #[test]
    fn a_look_at_all_rolls_changes_nothing() {
        let mut list = ResultList::new();
        let all = positions();
        for position in all.iter().step_by(97) {
            let mut sum = 0.0;
            for roll in Roll::ALL {
                list.generate(position, roll);
                let worth = |result: &Position| match result.points() {
                    Some(_) => 1.0,
                    None => 1.0 - f64::from(chance(result)),
                };
                let best = list.results().iter().map(worth).fold(0.0, f64::max);
                sum += f64::from(roll.weight()) * best;
            }
            let found = f64::from(chance(position));
            assert!((sum / 36.0 - found).abs() < 1e-6, "{position:?}");
        }
    }

    /// Without contact the chances equal those of the bearoff tables.
    #[test]
    fn bearoffs_equal_the_bearoff_tables() {
        for (own, other) in [(&[6, 6][..], &[5][..]), (&[3], &[2, 4]), (&[1, 5], &[6])] {
            let position = standing(own, other);
            let exact = crate::eval::bearoff::Bearoff::embedded().exact(&position);
            let exact = exact.unwrap().win;
            assert!(
                (chance(&position) - exact).abs() < 1e-4,
                "{own:?} {other:?}"
            );
        }
    }

    /// Figures from independent computations.
    #[test]
    fn contact_positions_equal_independent_figures() {
        assert!((win(18, 25) - 0.8019).abs() < 1e-4, "{}", win(18, 25));
        assert!((win(24, 21) - 0.559).abs() < 5e-4, "{}", win(24, 21));
        let on_the_bar = chance(&standing(&[5, 9], &[25]));
        assert!((on_the_bar - 0.7210).abs() < 1e-4, "{on_the_bar}");
    }
}
