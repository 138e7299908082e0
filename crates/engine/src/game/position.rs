//! A board, seen by the player on roll.
//!
//! Each side counts its checkers in *its own* coordinates: point 24 is furthest from home, point 1 is the ace
//! point, [`BAR`] is 25 and [`OFF`] is 0. The opponent's checker on point `p` is therefore on our point `25 -
//! p`. Passing the turn exchanges the two sides. A position is one 64-byte cache line, so copying, comparing
//! and flipping are cheap.

use std::fmt;

use thiserror::Error;
use wide::{CmpGt, i8x16};

/// Index of the checkers borne off.
pub const OFF: usize = 0;
/// Index of the checkers on the bar.
pub const BAR: usize = 25;
/// Number of checkers of each side.
pub const CHECKERS: u8 = 15;
/// Number of points on the board.
pub const POINTS: usize = 24;

/// The checkers of one side, in that side's own coordinates: index 0 borne off, 1 to 24 the points, 25 the
/// bar. The remaining bytes are always zero.
#[derive(Clone, Copy, PartialEq, Eq, Hash, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C, align(32))]
pub struct Side(pub [u8; 32]);

impl Side {
    /// Creates a side with `counts[p]` checkers on point `p` (1 to 24) and `counts[25]` on the bar. Missing
    /// checkers are borne off; `counts[0]` is ignored.
    ///
    /// # Errors
    /// [`PositionError::TooManyCheckers`] for more than fifteen.
    pub fn new(counts: &[u8; 26]) -> Result<Self, PositionError> {
        let total: u32 = counts[1..].iter().map(|&c| u32::from(c)).sum();
        if total > u32::from(CHECKERS) {
            return Err(PositionError::TooManyCheckers { total });
        }
        let mut bytes = [0; 32];
        bytes[1..26].copy_from_slice(&counts[1..]);
        bytes[OFF] = CHECKERS - total as u8;
        Ok(Self(bytes))
    }

    /// Returns the checkers on point `point` (1 to 24), on the bar (25) or borne off (0).
    #[inline]
    pub fn at(&self, point: usize) -> u8 {
        self.0[point]
    }

    /// Returns the checkers borne off.
    #[inline]
    pub fn off(&self) -> u8 {
        self.0[OFF]
    }

    /// Returns the checkers on the bar.
    #[inline]
    pub fn bar(&self) -> u8 {
        self.0[BAR]
    }

    /// Returns the pip count.
    pub fn pips(&self) -> u32 {
        (1..=BAR).map(|p| p as u32 * u32::from(self.0[p])).sum()
    }

    /// Returns the point of the rearmost checker (25 = bar), or 0 when all are off.
    #[inline]
    pub fn rearmost(&self) -> usize {
        31 - (self.mask(1) | 1).leading_zeros() as usize
    }

    /// Counts the checkers in the opponent's home board and on the bar.
    #[inline]
    pub fn back_checkers(&self) -> u8 {
        // Bytes 18 to 25 as one word without the lowest, summed by multiplication.
        let word = u64::from_le_bytes(std::array::from_fn(|i| self.0[18 + i])) & !0xff;
        (word.wrapping_mul(0x0101_0101_0101_0101) >> 56) as u8
    }

    /// Returns a bit for each place 1 to 25 with at least `least` checkers (`least` is 1 to 15).
    #[inline]
    pub fn mask(&self, least: u8) -> u32 {
        let halves: &[i8x16; 2] = bytemuck::cast_ref(self);
        let below = i8x16::splat(least as i8 - 1);
        let [low, high] = halves.map(|h| h.cmp_gt(below).move_mask() as u32);
        (low | high << 16) & !1
    }
}

impl fmt::Debug for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut map = f.debug_map();
        for p in 0..=BAR {
            if self.0[p] > 0 {
                map.entry(&p, &self.0[p]);
            }
        }
        map.finish()
    }
}

/// Returns the places 1 to 24 of `mask`, seen from the other side (`p` becomes `25 - p`).
#[inline]
pub fn flipped(mask: u32) -> u32 {
    mask.reverse_bits() >> 6
}

/// Both sides' checkers, seen by the player on roll.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C, align(64))]
pub struct Position {
    pub mover: Side,
    /// The opponent, in the opponent's own coordinates.
    pub opponent: Side,
}

/// Why a board is not a backgammon position.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PositionError {
    /// More than fifteen checkers on one side.
    #[error("{total} checkers on one side, at most 15 are possible")]
    TooManyCheckers { total: u32 },
    /// Both sides have checkers on the same point.
    #[error("both sides have checkers on point {point} of the player on roll")]
    SharedPoint { point: usize },
    /// A list of checkers contains a place that is neither a point nor the bar.
    #[error("there is no point {place}")]
    NoSuchPlace { place: usize },
    /// Both sides have borne off all checkers.
    #[error("both sides have borne off all their checkers")]
    BothOff,
    /// Each side has a checker on the bar against a closed board.
    #[error("both sides are on the bar against closed boards, which cannot come about")]
    BothClosedOut,
}

impl Position {
    /// A board without checkers, which no game reaches.
    #[cfg_attr(
        not(target_arch = "x86_64"),
        allow(dead_code, reason = "vectors of bytes alone ask for it")
    )]
    pub const EMPTY: Self = Self {
        mover: Side([0; 32]),
        opponent: Side([0; 32]),
    };

    /// Creates a position from two sides, if it is possible.
    ///
    /// # Errors
    /// A [`PositionError`] if the sides share a point, have both finished, or are both closed out.
    pub fn new(mover: Side, opponent: Side) -> Result<Self, PositionError> {
        let shared = mover.mask(1) & flipped(opponent.mask(1)) & 0x01ff_fffe;
        if shared != 0 {
            return Err(PositionError::SharedPoint {
                point: shared.trailing_zeros() as usize,
            });
        }
        if mover.off() == CHECKERS && opponent.off() == CHECKERS {
            return Err(PositionError::BothOff);
        }
        const HOME: u32 = 0b111_1110;
        let closed = |side: &Side| side.mask(2) & HOME == HOME;
        if mover.bar() > 0 && opponent.bar() > 0 && closed(&mover) && closed(&opponent) {
            return Err(PositionError::BothClosedOut);
        }
        Ok(Self { mover, opponent })
    }

    /// Returns the opening position.
    pub fn opening() -> Self {
        Self::of_both(&[(24, 2), (13, 5), (8, 3), (6, 5)])
    }

    /// Returns the opening position of Nackgammon: one checker less on the midpoint and on the six point, and
    /// two on the 23 point.
    pub fn nackgammon() -> Self {
        Self::of_both(&[(24, 2), (23, 2), (13, 4), (8, 3), (6, 4)])
    }

    /// Returns a position with the same checkers for both sides, without checks.
    fn of_both(points: &[(usize, u8)]) -> Self {
        let mut bytes = [0; 32];
        for &(point, checkers) in points {
            bytes[point] = checkers;
        }
        Self {
            mover: Side(bytes),
            opponent: Side(bytes),
        }
    }

    /// Creates a position from lists of `(point, checkers)`, each in its own side's coordinates (25 = bar).
    /// Missing checkers are borne off.
    ///
    /// # Errors
    /// As [`Position::new`]; also for a place outside 1 to 25 or too many checkers.
    ///
    /// ```
    /// use luckless_engine::game::Position;
    /// let p = Position::from_points(&[(1, 4)], &[(6, 1)]).unwrap();
    /// assert_eq!(p.mover.off(), 11);
    /// assert_eq!(p.opponent.pips(), 6);
    /// ```
    pub fn from_points(
        mover: &[(usize, u8)],
        opponent: &[(usize, u8)],
    ) -> Result<Self, PositionError> {
        let side = |list: &[(usize, u8)]| {
            let mut counts = [0u8; 26];
            for &(point, n) in list {
                if !(1..=BAR).contains(&point) {
                    return Err(PositionError::NoSuchPlace { place: point });
                }
                counts[point] = counts[point].saturating_add(n);
            }
            Side::new(&counts)
        };
        Self::new(side(mover)?, side(opponent)?)
    }

    /// Returns the board as seen by the opponent, who is then on roll.
    #[inline]
    pub fn flipped(&self) -> Self {
        Self {
            mover: self.opponent,
            opponent: self.mover,
        }
    }

    /// Returns whether the sides have passed each other: no checker can be hit or blocked.
    #[inline]
    pub fn is_race(&self) -> bool {
        self.mover.rearmost() + self.opponent.rearmost() <= POINTS
    }

    /// Returns whether both sides have all checkers at home or off.
    #[inline]
    pub fn is_bearoff(&self) -> bool {
        self.mover.rearmost() <= 6 && self.opponent.rearmost() <= 6
    }

    /// Returns whether one side has borne off all checkers.
    #[inline]
    pub fn is_over(&self) -> bool {
        self.mover.off() == CHECKERS || self.opponent.off() == CHECKERS
    }

    /// Returns the points of a finished game on a cube of 1: 1, 2 or 3, positive if the player on roll has
    /// won. In a gammon the loser has borne off none. In a backgammon the loser also has a checker on the bar
    /// or in the winner's home board.
    pub fn points(&self) -> Option<i8> {
        let size = |loser: &Side| {
            if loser.off() > 0 {
                1
            } else if loser.rearmost() >= 19 {
                3
            } else {
                2
            }
        };
        if self.opponent.off() == CHECKERS {
            Some(-size(&self.mover))
        } else if self.mover.off() == CHECKERS {
            Some(size(&self.opponent))
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_agree_with_counts() {
        let p = Position::opening();
        for least in 1..=15u8 {
            let slow = (1..=25)
                .filter(|&i| p.mover.at(i) >= least)
                .fold(0u32, |m, i| m | 1 << i);
            assert_eq!(p.mover.mask(least), slow, "least {least}");
        }
    }

    #[test]
    fn points_of_finished_games() {
        let won =
            |loser: &[(usize, u8)]| Position::from_points(loser, &[]).unwrap().points().unwrap();
        assert_eq!(won(&[(3, 14)]), -1);
        assert_eq!(won(&[(3, 15)]), -2);
        assert_eq!(won(&[(18, 1), (3, 14)]), -2);
        assert_eq!(won(&[(19, 1), (3, 14)]), -3);
        assert_eq!(won(&[(25, 1), (3, 14)]), -3);
        assert_eq!(Position::opening().points(), None);
    }

    #[test]
    fn impossible_boards_are_refused() {
        assert!(matches!(
            Position::from_points(&[(1, 16)], &[]),
            Err(PositionError::TooManyCheckers { total: 16 })
        ));
        assert!(matches!(
            Position::from_points(&[(1, 2)], &[(24, 2)]),
            Err(PositionError::SharedPoint { point: 1 })
        ));
        assert!(matches!(
            Position::from_points(&[], &[]),
            Err(PositionError::BothOff)
        ));
    }

    #[test]
    fn race_begins_when_the_rearmost_checkers_have_passed() {
        let meet = Position::from_points(&[(13, 1)], &[(13, 1)]).unwrap();
        assert!(!meet.is_race());
        let past = Position::from_points(&[(12, 1)], &[(12, 1)]).unwrap();
        assert!(past.is_race());
    }
}
