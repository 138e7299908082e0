//! Exact bearoffs with a live cube: for every pair of boards, the money equities of the four states of the
//! cube.
//!
//! The table is too large to embed (13.7 MB for six checkers per side), so it is computed once, in seconds,
//! and stored in a file. Gammons are impossible, because both sides have borne off a checker.
//!
//! *Values* are for the player on roll, without a double in this turn: the winning chance (the state without
//! a cube), then three equities in points per unit of the present cube. These are with the cube owned by the
//! roller, centred, and owned by the opponent. The value of a double follows: with a take, twice the last
//! equity. Values with the best cube action are therefore not stored.
//!
//! *Method.* A play lowers the number of a board (see `numbering.rs`), so the results of a roll are known
//! from the pairs of lower boards. After my play the opponent is on roll, who sees my cube as the other
//! side's:
//!
//! ```text
//! mine(i, j)    = mean over rolls of the best of  -theirs(j, k)
//! centred(i, j) = mean over rolls of the best of  -max(centred(j, k), min(2·theirs(j, k), 1))
//! theirs(i, j)  = mean over rolls of the best of  -max(mine(j, k),    min(2·theirs(j, k), 1))
//! ```
//!
//! Each state chooses its own plays. The winning chance is for plays that maximise it.
//!
//! *The file* is a head of 32 bytes and four `f32` for each pair. The head is `LUCKBEAR` (eight bytes), then
//! little-endian `u32`: version, checkers, CRC-32 of the rest, zeros. Boards are in order of their numbers,
//! with those of the player on roll in the outer loop.

use thiserror::Error;

use super::Pair;
use super::induction::{Game, induct};
use super::moves::Moves;
pub use super::moves::USUAL;
use super::numbering::boards;
use crate::game::Position;

const VERSION: u32 = 1;
const HEAD: usize = 32;
/// The numbers of checkers per side that a file may have.
pub const CHECKERS: std::ops::RangeInclusive<u8> = 1..=7;

/// Why a bearoff file is refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TwoSidedError {
    /// The file begins with other bytes.
    #[error("not a file of bearoffs")]
    Foreign,
    /// Another version of the program wrote the file.
    #[error("bearoffs of version {found}, expected {VERSION}")]
    Version { found: u32 },
    /// The file is too short or too long.
    #[error("{found} bytes, expected {expected}")]
    Length { found: usize, expected: usize },
    /// The checksum does not match.
    #[error("damaged: the checksum does not agree")]
    Damaged,
}

/// The table. See the [module](self).
#[derive(Clone, Debug, PartialEq)]
pub struct TwoSided {
    checkers: u8,
    boards: usize,
    values: Vec<[f32; 4]>,
    /// CRC-32 of the values in the form of the file.
    crc32: u32,
}

impl TwoSided {
    /// The first bytes of a file.
    pub const MAGIC: &[u8; 8] = b"LUCKBEAR";

    /// Returns the maximum memory for computing a table, in bytes: the table, its copy in the loop, and its
    /// file.
    pub fn working_memory(checkers: u8) -> usize {
        3 * (HEAD + 16 * boards(usize::from(checkers)).pow(2))
    }

    /// Computes all pairs of boards of up to `checkers` checkers (clamped to [`CHECKERS`]). Calls `progress`
    /// a hundred times with the completed fraction; returns `None` if it returns false.
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
        // Finished games are never requested, but have values.
        let mut values = vec![[1.0f32; 4]; n * n];
        for i in 1..n {
            values[i * n] = [0.0, -1.0, -1.0, -1.0];
        }
        let mut money = Money { boards: n, values };
        let mut last_percent = 0;
        induct(&mut money, moves, n, &mut |board| {
            // The fraction of all pairs.
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

    /// Returns the maximum number of checkers per side.
    pub fn checkers(&self) -> u8 {
        self.checkers
    }

    /// Returns the CRC-32 of the values, which identifies a table.
    pub fn crc32(&self) -> u32 {
        self.crc32
    }

    /// Returns the number of pairs of boards.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Returns false: every table contains at least finished games.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Returns the winning chance of the player on roll, before the roll and without a double in this turn,
    /// then three equities in points per unit of cube: with the cube owned by the roller, centred, and owned
    /// by the opponent. `None` if a checker is not at home, there are too many checkers, or the game is over.
    #[inline]
    pub fn values(&self, position: &Position) -> Option<[f32; 4]> {
        Pair::of(position, self.checkers).map(|pair| self.at(pair))
    }

    /// Returns the values of [`TwoSided::values`] for two boards of at most [`TwoSided::checkers`] checkers.
    #[inline]
    pub fn at(&self, pair: Pair) -> [f32; 4] {
        self.values[pair.mover() * self.boards + pair.opponent()]
    }

    /// Returns the bytes of the table's file.
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

    /// Reads a table from the bytes of a file.
    ///
    /// # Errors
    /// [`TwoSidedError`] if it is another kind of file, or incomplete.
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

/// Returns the values in the form of the file.
fn body(values: &[[f32; 4]]) -> Vec<u8> {
    let all = values.iter().flatten();
    all.flat_map(|v| v.to_le_bytes()).collect()
}

/// Money play, in the four lanes of [`TwoSided`]: without a cube, and with the cube owned by the roller,
/// centred, and owned by the opponent.
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
