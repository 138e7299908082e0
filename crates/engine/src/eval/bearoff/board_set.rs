//! Sets of home boards for tables. A table of all boards with six checkers takes long to compute, but most
//! bearoffs at that stage have no checkers on the far points and need only a small part of it.

use std::sync::LazyLock;

use super::moves::{Moves, USUAL};
use super::numbering::{POINTS, board};
use super::{Pair, boards_within};

/// Maximum number of checkers in the set that is tried first.
pub const FEW: u8 = 4;
/// The index of a board outside the set.
const OUTSIDE: u16 = u16::MAX;

/// The boards with a limited number of checkers and none beyond some point. No play leaves the set, and every
/// play lowers the index of a board, as it lowers its number.
#[derive(Debug)]
pub struct BoardSet {
    /// For each board of up to six checkers, its index in this set.
    places: Vec<u16>,
    moves: Moves,
    boards: usize,
}

impl BoardSet {
    fn new(checkers: u8, points: usize) -> Self {
        let mut places = vec![OUTSIDE; boards_within(USUAL)];
        let mut members = Vec::new();
        let few_enough = boards_within(checkers);
        for (number, place) in places.iter_mut().enumerate().take(few_enough) {
            if board(number)[points..].iter().all(|&there| there == 0) {
                *place = members.len() as u16;
                members.push(number);
            }
        }
        Self {
            moves: Moves::usual().among(&members, &places),
            places,
            boards: members.len(),
        }
    }

    /// Returns the sets for tables, small ones first.
    pub fn all() -> &'static [Self] {
        static SETS: LazyLock<[BoardSet; 4]> = LazyLock::new(|| {
            [(FEW, POINTS), (USUAL, 4), (USUAL, 5), (USUAL, POINTS)]
                .map(|(checkers, points)| BoardSet::new(checkers, points))
        });
        &*SETS
    }

    /// Returns the first set that contains both boards of a pair; `None` beyond six checkers.
    pub fn of(pair: Pair) -> Option<&'static Self> {
        let both = [pair.mover(), pair.opponent()];
        let has = |set: &&Self| {
            let place = |&number| set.places.get(number).copied().unwrap_or(OUTSIDE);
            both.iter().all(|number| place(number) != OUTSIDE)
        };
        Self::all().iter().find(has)
    }

    /// Returns the number of boards, including the empty one.
    pub fn boards(&self) -> usize {
        self.boards
    }

    /// Returns whether the set contains all boards of six checkers, and thus every other set.
    pub fn is_whole(&self) -> bool {
        self.boards == self.places.len()
    }

    /// Returns whether a table of the set takes only milliseconds: it has no more boards than that of [`FEW`]
    /// checkers.
    pub fn is_quick(&self) -> bool {
        self.boards <= boards_within(FEW)
    }

    /// Returns the moves, by indices.
    pub fn moves(&self) -> &Moves {
        &self.moves
    }

    /// Returns the indices of the boards of a pair in the set: of the player on roll, and of the opponent.
    #[inline]
    pub fn places(&self, pair: Pair) -> [usize; 2] {
        [pair.mover(), pair.opponent()].map(|number| usize::from(self.places[number]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_play_leads_out_of_a_set() {
        assert_eq!(
            [210, 210, 462, 924],
            [0, 1, 2, 3].map(|i: usize| BoardSet::all()[i].boards())
        );
        for set in BoardSet::all() {
            let members: Vec<usize> = (0..set.places.len())
                .filter(|&number| set.places[number] != OUTSIDE)
                .collect();
            for (place, &number) in members.iter().enumerate() {
                assert_eq!(usize::from(set.places[number]), place);
                for ((weight, after), (same, all)) in
                    set.moves.of(place).zip(Moves::usual().of(number))
                {
                    assert_eq!(weight, same);
                    let numbers = after.iter().map(|&place| members[usize::from(place)]);
                    assert!(numbers.eq(all.iter().map(|&number| usize::from(number))));
                    assert!(after.iter().all(|&lower| usize::from(lower) < place.max(1)));
                }
            }
        }
    }
}
