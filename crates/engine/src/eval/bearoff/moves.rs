//! What every roll may make of a home board, in one piece of memory.
//!
//! All results are kept. It is tempting to leave out those that another one covers rank by rank. But a
//! board with a checker nearer home is not always better: a 5 takes a checker off 6 and 5, and none
//! off 6 and 2.

use std::sync::LazyLock;

use super::numbering::boards;
use super::plays::{results, rolls};

/// Checkers a side of the usual tables.
pub const USUAL: u8 = 6;
/// Different rolls.
const ROLLS: usize = 21;

/// The results of each roll for all boards up to some number. See the [module](self).
#[derive(Debug)]
pub struct Moves {
    /// Where the results of each roll end in `after`, 21 for each board; the first entry is 0.
    ends: Vec<u32>,
    after: Vec<u16>,
    weights: [u8; ROLLS],
}

impl Moves {
    /// The moves of the boards with up to six checkers; computed once.
    pub fn usual() -> &'static Self {
        static MOVES: LazyLock<Moves> = LazyLock::new(|| Moves::new(boards(usize::from(USUAL))));
        &MOVES
    }

    /// The moves of the first `boards` boards.
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

    /// The moves of some of these boards, `members`, that no play leads out of, by the place of each board among them.
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

    /// For each roll its weight among thirty-six, and the boards that it leads to from `board`: at least one.
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
    fn all_results_are_there() {
        let moves = Moves::new(boards(4));
        for i in 0..boards(4) {
            for ((weight, kept), (expected, all)) in moves.of(i).zip(results(i)) {
                assert_eq!(f64::from(weight), expected);
                assert!(kept.iter().map(|&k| usize::from(k)).eq(all));
            }
        }
    }
}
