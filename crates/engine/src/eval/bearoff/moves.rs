//! The results of every roll for home boards, in one block of memory.
//!
//! All results are kept, even those that another result dominates point by point. A board with a checker
//! nearer home is not always better: a 5 bears a checker off from 6 and 5, but none from 6 and 2.

use std::sync::LazyLock;

use super::numbering::boards;
use super::plays::{results, rolls};

/// Number of checkers per side in the usual tables.
pub const USUAL: u8 = 6;
/// Number of different rolls.
const ROLLS: usize = 21;

/// The results of each roll for all boards up to a limit. See the [module](self).
#[derive(Debug)]
pub struct Moves {
    /// The ends of the results of each roll in `after`, 21 for each board; the first entry is 0.
    ends: Vec<u32>,
    after: Vec<u16>,
    weights: [u8; ROLLS],
}

impl Moves {
    /// Returns the moves of the boards with up to six checkers; computed once.
    pub fn usual() -> &'static Self {
        static MOVES: LazyLock<Moves> = LazyLock::new(|| Moves::new(boards(usize::from(USUAL))));
        &MOVES
    }

    /// Computes the moves of the first `boards` boards.
    pub(super) fn new(boards: usize) -> Self {
        let (mut ends, mut after) = (vec![0], Vec::new());
        for i in 0..boards {
            for (_, found) in results(i) {
                after.extend(found.iter().map(|&k| k as u16));
                ends.push(after.len() as u32);
            }
        }
        let mut weights = [0; ROLLS];
        for (slot, (_, _, weight)) in weights.iter_mut().zip(rolls()) {
            *slot = weight as u8;
        }
        Self {
            ends,
            after,
            weights,
        }
    }

    /// Returns the moves of some boards, `members`, that no play leaves. `places`: the index of each board
    /// among them.
    pub(super) fn among(&self, members: &[usize], places: &[u16]) -> Self {
        let (mut ends, mut after) = (vec![0], Vec::new());
        for &board in members {
            for (_, found) in self.of(board) {
                after.extend(found.iter().map(|&k| places[usize::from(k)]));
                ends.push(after.len() as u32);
            }
        }
        Self {
            ends,
            after,
            weights: self.weights,
        }
    }

    /// Returns for each roll its weight out of 36 and its resulting boards from `board`, at least one.
    #[inline]
    pub fn of(&self, board: usize) -> impl Iterator<Item = (u8, &[u16])> {
        let ends = &self.ends[ROLLS * board..=ROLLS * (board + 1)];
        let spans = ends.windows(2).zip(&self.weights);
        spans.map(|(span, &weight)| (weight, &self.after[span[0] as usize..span[1] as usize]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_legal_result_is_kept() {
        let moves = Moves::new(boards(4));
        for i in 0..boards(4) {
            for ((weight, kept), (expected, all)) in moves.of(i).zip(results(i)) {
                assert_eq!(f64::from(weight), expected);
                assert!(kept.iter().map(|&k| usize::from(k)).eq(all));
            }
        }
    }
}
