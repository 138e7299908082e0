//! The end in which each side has one checker left, with contact or without: its chances are known exactly.
//!
//! A net sees such ends too seldom to learn them, and a roll decides so much in them that few plies of lookahead
//! do not help. There are some 600 of them. The chances of each follow from those of the others: the mean over
//! the 21 rolls of the best play, seen from the other side. As a checker that is hit begins anew, no order of the
//! positions leads from the known to the unknown. So all are improved in turn until nothing changes any more
//! (value iteration, R. Bellman 1957). Nobody can win a gammon any more.

use std::sync::OnceLock;

use super::Probabilities;
use crate::game::position::{BAR, CHECKERS};
use crate::game::roll::ORDERED;
use crate::game::{PlayList, Position, Roll, Side};

/// Places of a checker: the points and the bar.
const PLACES: usize = BAR;
/// Chances that change by less are as they will be.
const SETTLED: f64 = 1e-13;
/// Rounds after which they have settled by far; 80 do.
const MOST_ROUNDS: usize = 1000;

/// The chance to win of the player on roll, by the places of both checkers.
#[derive(Debug)]
pub(super) struct LastCheckers(Vec<f32>);

/// Whether each side has one checker left.
#[inline]
pub(super) fn are_left(position: &Position) -> bool {
    let is_last = |side: &Side| side.off() + 1 == CHECKERS;
    is_last(&position.mover) && is_last(&position.opponent)
}

/// The places of the checkers, the player on roll's first, if each side has one left.
fn places(position: &Position) -> Option<[usize; 2]> {
    let place = |side: &Side| (1..=BAR).find(|&place| side.at(place) == 1);
    let both = || Some([place(&position.mover)?, place(&position.opponent)?]);
    are_left(position).then(both)?
}

fn index([own, other]: [usize; 2]) -> usize {
    (own - 1) * PLACES + other - 1
}

/// Where a play leads: to a position for the other player, or to the end.
type Next = Option<usize>;

impl LastCheckers {
    /// The chances, computed when they are first asked for: some milliseconds.
    pub(super) fn get() -> &'static Self {
        static ALL: OnceLock<LastCheckers> = OnceLock::new();
        ALL.get_or_init(Self::solve)
    }

    /// The chances of a position in which each side has one checker left; `None` of others.
    pub(super) fn probabilities(&self, position: &Position) -> Option<Probabilities> {
        let win = self.0[index(places(position)?)];
        Some(Probabilities {
            win,
            ..Probabilities::default()
        })
    }

    fn solve() -> Self {
        let all: Vec<(usize, Vec<Vec<Next>>)> = (1..=PLACES)
            .flat_map(|own| (1..=PLACES).map(move |other| [own, other]))
            .filter_map(|at| Some((index(at), plays(&standing(at)?))))
            .collect();
        let mut win = vec![0.5f64; PLACES * PLACES];
        for _ in 0..MOST_ROUNDS {
            let mut change = 0.0f64;
            for (place, rolls) in &all {
                let best = |plays: &Vec<Next>| {
                    let worth = |next: &Next| next.map_or(1.0, |next| 1.0 - win[next]);
                    plays.iter().map(worth).fold(0.0, f64::max)
                };
                let sum: f64 = (Roll::ALL.iter().zip(rolls))
                    .map(|(roll, plays)| f64::from(roll.weight()) * best(plays))
                    .sum();
                let better = sum / f64::from(ORDERED as u8);
                change = change.max((better - win[*place]).abs());
                win[*place] = better;
            }
            if change < SETTLED {
                break;
            }
        }
        Self(win.into_iter().map(|win| win as f32).collect())
    }
}

/// The position with one checker on each of these places, if there is such a one.
fn standing([own, other]: [usize; 2]) -> Option<Position> {
    Position::from_points(&[(own, 1)], &[(other, 1)]).ok()
}

/// Where the plays of each roll lead from `position`.
fn plays(position: &Position) -> Vec<Vec<Next>> {
    let mut list = PlayList::new();
    let next = |result: &Position| places(result).map(index);
    Roll::ALL
        .iter()
        .map(|&roll| {
            list.generate(position, roll);
            list.results().iter().map(next).collect()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn win(own: usize, other: usize) -> f32 {
        let position = standing([own, other]).unwrap();
        LastCheckers::get().probabilities(&position).unwrap().win
    }

    #[test]
    fn simple_ends_are_what_they_are() {
        // Borne off at once by any roll.
        assert_eq!(win(1, 1), 1.0);
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

    /// The chances are those that one more look at all rolls gives.
    #[test]
    fn a_look_at_all_rolls_changes_nothing() {
        let chances = LastCheckers::get();
        let mut list = PlayList::new();
        for (own, other) in [(25, 25), (18, 17), (24, 24), (7, 25), (12, 3), (20, 2)] {
            let position = standing([own, other]).unwrap();
            let mut sum = 0.0;
            for roll in Roll::ALL {
                list.generate(&position, roll);
                let worth = |result: &Position| match result.points() {
                    Some(_) => 1.0,
                    None => 1.0 - f64::from(chances.probabilities(result).unwrap().win),
                };
                let best = list.results().iter().map(worth).fold(0.0, f64::max);
                sum += f64::from(roll.weight()) * best;
            }
            assert!((sum / 36.0 - f64::from(win(own, other))).abs() < 1e-6);
        }
    }

    /// Figures of a computation that shares no code with this one.
    #[test]
    fn contact_is_worth_what_others_find() {
        assert!((win(18, 25) - 0.8019).abs() < 1e-4, "{}", win(18, 25));
        assert!((win(24, 21) - 0.559).abs() < 5e-4, "{}", win(24, 21));
    }
}
