//! The end in which three checkers at most are left, at least one of each side, with contact or without: its
//! chances are known exactly.
//!
//! A net sees such ends too seldom to learn them, and a roll decides so much in them that few plies of lookahead
//! do not help. There are some 16,000 of them. The chances of each follow from those of the others: the mean over
//! the 21 rolls of the best play, seen from the other side. As a checker that is hit begins anew, no order of the
//! positions leads from the known to the unknown. So all are improved in turn until nothing changes any more
//! (value iteration, R. Bellman 1957). Nobody can win a gammon any more.

use std::sync::OnceLock;

use super::Probabilities;
use crate::game::position::{BAR, CHECKERS};
use crate::game::roll::ORDERED;
use crate::game::{Position, ResultList, Roll, Side};

/// Places of a checker: the points and the bar.
const PLACES: usize = BAR;
/// Places of two checkers.
const PAIRS: usize = PLACES * (PLACES + 1) / 2;
/// Where the positions of one checker against two begin, and those of two against one.
const ONE_TO_TWO: usize = PLACES * PLACES;
const TWO_TO_ONE: usize = ONE_TO_TWO + PLACES * PAIRS;
/// Numbers of positions; some stand for none, where both sides would be on one point.
const NUMBERS: usize = TWO_TO_ONE + PAIRS * PLACES;
/// Chances that change by less are as they will be.
const SETTLED: f64 = 1e-11;
/// Rounds after which they have settled by far; 80 do.
const MOST_ROUNDS: usize = 1000;
/// Instead of a number: the play has ended the game.
const WON: u16 = u16::MAX;

/// The chance to win of the player on roll, by the number of the position.
#[derive(Debug)]
pub(super) struct LastCheckers(Vec<f32>);

/// Whether three checkers at most are left, at least one of each side.
#[inline]
pub(super) fn are_left(position: &Position) -> bool {
    let left = |side: &Side| CHECKERS - side.off();
    // Most positions are told apart by one side: this is asked of every position that is valued.
    let own = left(&position.mover);
    if !(1..=2).contains(&own) {
        return false;
    }
    let other = left(&position.opponent);
    other > 0 && own + other <= 3
}

/// The places of one or two checkers as a number: those of one, then those of two.
fn places(side: &Side) -> usize {
    let mut found =
        (1..=BAR).flat_map(|place| std::iter::repeat_n(place - 1, side.at(place).into()));
    match (found.next(), found.next()) {
        (Some(low), Some(high)) => PLACES + high * (high + 1) / 2 + low,
        (Some(place), None) => place,
        _ => 0,
    }
}

/// The number of a position in which three checkers at most are left.
fn number(position: &Position) -> Option<usize> {
    let [own, other] = [places(&position.mover), places(&position.opponent)];
    let number = || match (own.checked_sub(PLACES), other.checked_sub(PLACES)) {
        (None, None) => own * PLACES + other,
        (None, Some(pair)) => ONE_TO_TWO + own * PAIRS + pair,
        (Some(pair), _) => TWO_TO_ONE + pair * PLACES + other,
    };
    are_left(position).then(number)
}

/// A position and where its plays lead.
struct Ending {
    number: usize,
    /// The numbers of the positions after the plays, roll by roll, seen by the other player.
    next: Vec<u16>,
    /// Where the plays of each roll end in that list.
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

    /// The chance to win, from those of all positions.
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
    /// The chances, computed when they are first asked for: some tenths of a second.
    pub(super) fn get() -> &'static Self {
        static ALL: OnceLock<LastCheckers> = OnceLock::new();
        ALL.get_or_init(Self::solve)
    }

    /// The chances of a position in which three checkers at most are left.
    pub(super) fn probabilities(&self, position: &Position) -> Option<Probabilities> {
        let win = self.0[number(position)?];
        Some(Probabilities {
            win,
            ..Probabilities::default()
        })
    }

    fn solve() -> Self {
        // On this thread alone: one of a pool could take over work that waits for these chances itself.
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

/// All positions in which three checkers at most are left.
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
    fn simple_ends_are_what_they_are() {
        // Borne off at once by any roll.
        assert_eq!(win(1, 1), 1.0);
        assert_eq!(chance(&standing(&[1, 1], &[1])), 1.0);
        // From the six point 1-1 and six pips too few miss; then the other bears off.
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

    /// Each position has a number of its own.
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

    /// Too many checkers, or none of a side.
    #[test]
    fn other_positions_have_none() {
        for (own, other) in [
            (&[1, 2][..], &[3, 4][..]),
            (&[], &[3]),
            (&[5, 5, 6], &[7]),
            (&[1, 2], &[]),
        ] {
            assert_eq!(number(&standing(own, other)), None, "{own:?} {other:?}");
        }
    }

    /// The chances are those that one more look at all rolls gives.
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

    /// Without contact they are those of the bearoff tables.
    #[test]
    fn bearoffs_are_as_their_tables_have_them() {
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

    /// Figures of computations that share no code with this one.
    #[test]
    fn contact_is_worth_what_others_find() {
        assert!((win(18, 25) - 0.8019).abs() < 1e-4, "{}", win(18, 25));
        assert!((win(24, 21) - 0.559).abs() < 5e-4, "{}", win(24, 21));
        let on_the_bar = chance(&standing(&[5, 9], &[25]));
        assert!((on_the_bar - 0.7210).abs() < 1e-4, "{on_the_bar}");
    }
}
