//! Sets of home boards that tables are made of. A table of all boards of six checkers takes long to make, and most
//! bearoffs at that stage have no checker left on the far points: those need a small part of it.

use std::sync::LazyLock;

use super::moves::{Moves, USUAL};
use super::numbering::{POINTS, board};
use super::{Pair, boards_within};

/// Most checkers of the set that is asked first.
pub const FEW: u8 = 4;
/// The place of a board that is not in a set.
const OUTSIDE: u16 = u16::MAX;

/// The boards of up to so many checkers with none beyond some point. No play leads out of them, and every play lowers
/// the place of a board, as it lowers its number.
#[derive(Debug)]
pub struct BoardSet {
    /// For each board of up to six checkers its place among these.
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

    /// The sets that tables are made of, small ones first.
    pub fn all() -> &'static [Self] {
        static SETS: LazyLock<[BoardSet; 4]> = LazyLock::new(|| {
            [(FEW, POINTS), (USUAL, 4), (USUAL, 5), (USUAL, POINTS)]
                .map(|(checkers, points)| BoardSet::new(checkers, points))
        });
        &*SETS
    }

    /// The first set that has both boards of a pair; `None` beyond six checkers.
    pub fn of(pair: Pair) -> Option<&'static Self> {
        let both = [pair.mover(), pair.opponent()];
        let has = |set: &&Self| {
            let place = |&number| set.places.get(number).copied().unwrap_or(OUTSIDE);
            both.iter().all(|number| place(number) != OUTSIDE)
        };
        Self::all().iter().find(has)
    }

    /// How many boards there are, the empty one among them.
    pub fn boards(&self) -> usize {
        self.boards
    }

    /// Whether these are all boards of six checkers, so that every set is a part of it.
    pub fn is_whole(&self) -> bool {
        self.boards == self.places.len()
    }

    /// Whether a table of these takes milliseconds: it has no more boards than that of few checkers.
    pub fn is_quick(&self) -> bool {
        self.boards <= boards_within(FEW)
    }

    /// The moves, by places.
    pub fn moves(&self) -> &Moves {
        &self.moves
    }

    /// The places of the boards of a pair that is in the set: of the player on roll, and of the other.
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
