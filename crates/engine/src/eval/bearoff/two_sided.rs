//! Exact bearoffs with a live cube: for every pair of boards the money equities of the four states
//! of the cube.
//!
//! Too large to be part of the program (13.7 MB for six checkers a side), so it is computed once, in
//! seconds, and kept in a file. Nobody can lose a gammon any more: both have borne off a checker.
//!
//! *What is held* is for the player on roll, who does not double in this turn. It is the chance to
//! win (the state without a cube), then three equities in points per unit of the present cube. They
//! are with the cube on the roller's side, in the middle, and on the other side. What a double is
//! worth follows: with a take, twice the last; so the values with the best cube action need no
//! place.
//!
//! *How.* A play lowers the number of a board (see `numbering.rs`), so with the pairs of lower boards
//! everything a roll leads to is known. After my play the other is on roll, and the cube that was mine
//! is to them the other side's:
//!
//! ```text
//! mine(i, j)    = mean over rolls of the best of  -theirs(j, k)
//! centred(i, j) = mean over rolls of the best of  -max(centred(j, k), min(2·theirs(j, k), 1))
//! theirs(i, j)  = mean over rolls of the best of  -max(mine(j, k),    min(2·theirs(j, k), 1))
//! ```
//!
//! Each state chooses its own plays. The chance to win is by plays that win most.
//!
//! *The file* is a head of 32 bytes and four `f32` for each pair. The head is `LUCKBEAR` (eight
//! bytes), then little-endian `u32`: version, checkers, CRC-32 of the rest, zeros. Boards come in
//! order of their numbers, those of the player on roll outside.

use thiserror::Error;

use super::Pair;
use super::induction::{Game, induct};
use super::moves::Moves;
pub use super::moves::USUAL;
use super::numbering::boards;
use crate::game::Position;

const VERSION: u32 = 1;
const HEAD: usize = 32;
/// Fewest and most checkers a side that a file may hold.
pub const CHECKERS: std::ops::RangeInclusive<u8> = 1..=7;

/// Why a file of bearoffs is refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TwoSidedError {
    /// The file does not begin like one.
    #[error("not a file of bearoffs")]
    Foreign,
    /// Another version of the program wrote it.
    #[error("bearoffs of version {found}, expected {VERSION}")]
    Version {
        /// What the file says.
        found: u32,
    },
    /// The file is too short or too long.
    #[error("{found} bytes, expected {expected}")]
    Length {
        /// Bytes there are.
        found: usize,
        /// Bytes there should be.
        expected: usize,
    },
    /// The checksum in the file is another.
    #[error("damaged: the checksum does not agree")]
    Damaged,
}

/// The table. See the [module](self).
#[derive(Clone, Debug, PartialEq)]
pub struct TwoSided {
    checkers: u8,
    boards: usize,
    values: Vec<[f32; 4]>,
    /// CRC-32 of the values as the file has them.
    crc32: u32,
}

impl TwoSided {
    /// How a file of bearoffs begins.
    pub const MAGIC: &[u8; 8] = b"LUCKBEAR";

    /// Bytes of memory that the work on a table of so many checkers takes at most: the table, the same
    /// as the loop sees it, and its file.
    pub fn working_memory(checkers: u8) -> usize {
        3 * (HEAD + 16 * boards(usize::from(checkers)).pow(2))
    }

    /// Computes all pairs of boards of up to `checkers` checkers (kept within [`CHECKERS`]).
    /// `progress` gets the share that is done, a hundred times in all, and stops the work by
    /// answering false: then there is no table.
    pub fn compute(checkers: u8, progress: &mut dyn FnMut(f32) -> bool) -> Option<Self> {
        let checkers = checkers.clamp(*CHECKERS.start(), *CHECKERS.end());
        let n = boards(usize::from(checkers));
        let own;
        let moves = if checkers <= USUAL {
            Moves::usual()
        } else {
            own = Moves::new(n);
            &own
        };
        // Finished games are never asked for; they have values all the same.
        let mut values = vec![[1.0f32; 4]; n * n];
        for i in 1..n {
            values[i * n] = [0.0, -1.0, -1.0, -1.0];
        }
        let mut money = Money { boards: n, values };
        let mut last_percent = 0;
        induct(&mut money, moves, n, &mut |board| {
            // All pairs of the boards so far.
            let share = (board as f32 / (n - 1) as f32).powi(2);
            if (100.0 * share) as u32 == last_percent {
                return true;
            }
            last_percent = (100.0 * share) as u32;
            progress(share)
        })?;
        Some(Self {
            checkers,
            boards: n,
            crc32: crc32fast::hash(&body(&money.values)),
            values: money.values,
        })
    }

    /// Most checkers a side of the table.
    pub fn checkers(&self) -> u8 {
        self.checkers
    }

    /// CRC-32 of the values, by which tables are distinguished.
    pub fn crc32(&self) -> u32 {
        self.crc32
    }

    /// Number of pairs of boards.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Always false: every table holds finished games at least.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The chance to win of the player on roll, before the roll and without a double in this turn, then three
    /// equities in points per unit of cube. The equities are with the cube on the roller's side, centred, and
    /// on the other side. `None` where a checker is not at home, there are too many, or the game is over.
    #[inline]
    pub fn values(&self, position: &Position) -> Option<[f32; 4]> {
        Pair::of(position, self.checkers).map(|pair| self.at(pair))
    }

    /// The values of [`TwoSided::values`] for two boards of at most [`TwoSided::checkers`] checkers.
    #[inline]
    pub fn at(&self, pair: Pair) -> [f32; 4] {
        self.values[pair.mover() * self.boards + pair.opponent()]
    }

    /// The bytes of the table's file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let body = body(&self.values);
        let mut bytes = Vec::with_capacity(HEAD + body.len());
        bytes.extend(Self::MAGIC);
        for number in [VERSION, u32::from(self.checkers), self.crc32] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.resize(HEAD, 0);
        bytes.extend(body);
        bytes
    }

    /// The table in a file's bytes.
    ///
    /// # Errors
    /// [`TwoSidedError`] if it is another kind of file, or not whole.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, TwoSidedError> {
        let Some((head, body)) = bytes.split_at_checked(HEAD) else {
            return Err(TwoSidedError::Foreign);
        };
        if !head.starts_with(Self::MAGIC) {
            return Err(TwoSidedError::Foreign);
        }
        let number = |i: usize| {
            let at = Self::MAGIC.len() + 4 * i;
            u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]])
        };
        if number(0) != VERSION {
            return Err(TwoSidedError::Version { found: number(0) });
        }
        let checkers = u8::try_from(number(1))
            .ok()
            .filter(|c| CHECKERS.contains(c));
        let checkers = checkers.ok_or(TwoSidedError::Damaged)?;
        let n = boards(usize::from(checkers));
        let expected = HEAD + 16 * n * n;
        if bytes.len() != expected {
            let found = bytes.len();
            return Err(TwoSidedError::Length { found, expected });
        }
        if crc32fast::hash(body) != number(2) {
            return Err(TwoSidedError::Damaged);
        }
        let (cells, _) = body.as_chunks::<16>();
        let values = cells
            .iter()
            .map(|cell| {
                let (numbers, _) = cell.as_chunks::<4>();
                std::array::from_fn(|k| f32::from_le_bytes(numbers[k]))
            })
            .collect();
        Ok(Self {
            checkers,
            boards: n,
            values,
            crc32: number(2),
        })
    }
}

/// The values as the file has them.
fn body(values: &[[f32; 4]]) -> Vec<u8> {
    let all = values.iter().flatten();
    all.flat_map(|v| v.to_le_bytes()).collect()
}

/// Money play, in the four lanes of [`TwoSided`]: without a cube, and with one on the roller's side, centred
/// and on the other side.
struct Money {
    boards: usize,
    values: Vec<[f32; 4]>,
}

impl Game<f64, 4> for Money {
    fn players(&self) -> usize {
        1
    }

    fn won(&self, _player: usize) -> [f64; 4] {
        [1.0; 4]
    }

    #[inline]
    fn seen(&self, _player: usize, &[win, mine, centred, theirs]: &[f64; 4]) -> [f64; 4] {
        let doubled = (2.0 * theirs).min(1.0);
        [
            1.0 - win,
            -theirs,
            -centred.max(doubled),
            -mine.max(doubled),
        ]
    }

    #[inline]
    fn rolling(&mut self, _player: usize, i: usize, j: usize, value: &[f64; 4]) {
        self.values[i * self.boards + j] = value.map(|x| x as f32);
    }
}

#[cfg(test)]
mod tests;
