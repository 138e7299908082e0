//! Bearoffs, looked up in tables instead of evaluated by a net.
//!
//! With all checkers at home there is no contact, and each side's future is the number of rolls it will take.
//! Two tables contain it (computed by the build script with `generate.rs`, embedded in the program, 2.3 MB,
//! without start-up cost):
//!
//! * *Two-sided*, up to four checkers per side: the exact chance of the player on roll, with both sides
//!   playing to win. Gammons are no longer possible.
//! * *One-sided*, all 54,264 boards of up to fifteen checkers: the distribution of the number of rolls, for
//!   plays that minimise its mean. Let M and N be the rolls needed by the player on roll and the opponent. The
//!   chance to win is P(M <= N), with independent play of both sides. This ignores that a side behind should
//!   play for variance: compared with the two-sided table the error is 0.0003 on average and 0.0096 at most.
//!   These values are therefore estimates.
//!
//! *Gammons.* A side wins a gammon if it is off in M rolls while the opponent still has all fifteen checkers
//! after M - 1 rolls (M if the opponent rolls first). For boards of fifteen checkers there is a second
//! distribution, of the number of rolls until the first checker is off. The saver bears one off as soon as
//! possible, which saves the gammon; until then, plays minimise the mean number of rolls. A saver who knew
//! the remaining number of rolls could do slightly better. But more than one roll is seldom needed (more than
//! two in at most 8% of cases: all on the six point). And a player in danger has nothing else to play for,
//! because fifteen checkers take at least four rolls.
//!
//! *Errors.* Chances of wins and gammons are within 1.6e-5 of the unrounded tables (see `layout.rs`); means
//! and the two-sided table are rounded to `f32`.

pub mod board_set;
pub mod induction;
mod layout;
pub mod moves;
mod numbering;
mod plays;
pub mod recursion;
pub mod two_sided;

#[cfg(test)]
mod generate;
#[cfg(test)]
mod tests;

use self::layout::{CERTAIN, FIRST, ROW, TWO_SIDED_CHECKERS};
use self::numbering::{Home, boards, number};
use super::Probabilities;
use crate::game::{Position, Side};

/// Number of boards of up to fifteen checkers.
const BOARDS: usize = boards(15);
/// Number of the first board of exactly fifteen.
const FULL: usize = boards(14);
/// Number of boards per side in the two-sided table.
const SMALL: usize = boards(TWO_SIDED_CHECKERS);
/// Number of rolls in [`Bearoff::distribution`].
pub const MOST_ROLLS: usize = 32;
/// Mean pips of a roll, with doubles played four times: 8 1/6.
pub const PIPS_OF_A_ROLL: f32 = 49.0 / 6.0;

/// Aligns the embedded bytes so that no row straddles a cache line.
#[repr(C, align(64))]
struct Aligned<T: ?Sized>(T);

static BYTES: &Aligned<[u8]> = &Aligned(*include_bytes!(concat!(env!("OUT_DIR"), "/bearoff.bin")));
static EMBEDDED: Bearoff = Bearoff::new(&BYTES.0);

/// The tables. See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct Bearoff {
    rows: &'static [[u8; 2 * ROW]],
    means: &'static [[u8; 4]],
    two_sided: &'static [[u8; 4]],
    waiting: &'static [[u8; 2 * FIRST]],
}

/// The home board of one side, by its number.
#[derive(Clone, Copy)]
struct Board {
    number: usize,
}

impl Board {
    /// Returns the home board of a side, or `None` if a checker is elsewhere.
    #[inline]
    fn of(side: &Side) -> Option<Self> {
        let home: &Home = side.0[1..7].try_into().expect("six points");
        let (number, checkers) = number(home);
        (checkers + side.off() == crate::game::position::CHECKERS).then_some(Self { number })
    }

    /// Returns whether no checker has been borne off.
    #[inline]
    fn is_full(self) -> bool {
        self.number >= FULL
    }
}

/// The boards of two sides with all checkers at home, by their numbers. Neither game is over, and gammons are
/// impossible because each side has borne off at least one checker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pair {
    boards: [u16; 2],
    checkers: u8,
}

impl Pair {
    /// Returns the boards of `position`; `None` if a side has more than `most` checkers (14 at most), a
    /// checker outside its home board, or no checkers.
    #[inline]
    pub fn of(position: &Position, most: u8) -> Option<Self> {
        let left = |side: &Side| crate::game::position::CHECKERS - side.off();
        let checkers = left(&position.mover).max(left(&position.opponent));
        if checkers > most.min(14) {
            return None;
        }
        let (mover, opponent) = (Board::of(&position.mover)?, Board::of(&position.opponent)?);
        let boards = [mover.number as u16, opponent.number as u16];
        (!boards.contains(&0)).then_some(Self { boards, checkers })
    }

    /// Returns the number of the board of the player on roll.
    #[inline]
    pub fn mover(self) -> usize {
        usize::from(self.boards[0])
    }

    /// Returns the number of the opponent's board.
    #[inline]
    pub fn opponent(self) -> usize {
        usize::from(self.boards[1])
    }

    /// Returns the checkers of the side with more checkers.
    #[inline]
    pub fn checkers(self) -> u8 {
        self.checkers
    }
}

/// Returns the number of boards with at most `checkers` checkers, including the empty board with number 0.
/// These boards have the lowest numbers, and every play lowers the number.
pub const fn boards_within(checkers: u8) -> usize {
    boards(checkers as usize)
}

/// The distribution of the number of rolls of one side: cumulative chances in 65,535ths.
struct Row {
    /// Number of rolls that are never enough.
    before: usize,
    /// `within[k]`: chance to be off within `before + k` rolls; `within[0]` is 0.
    within: [u16; ROW],
}

impl Row {
    /// Returns the chance to be off within `n` rolls, in 65,535ths.
    #[inline]
    fn within(&self, n: usize) -> u16 {
        self.within[n.saturating_sub(self.before).min(ROW - 1)]
    }

    /// Returns the chance of this side, on roll, to be off first: P(M <= N).
    #[inline]
    fn wins_against(&self, other: &Self) -> f32 {
        // The opponent's tail, P(N > n), padded with certainty before, and with zeros after, so that both
        // rows can be aligned at any distance. The loops have fixed lengths, because this is the hot loop of
        // every race.
        let mut tail = [0u16; 3 * ROW];
        tail[..ROW].fill(CERTAIN);
        for (t, within) in tail[ROW..].iter_mut().zip(&other.within) {
            *t = CERTAIN - within;
        }
        // Before this side's roll number `before + k` the opponent has had one roll less.
        let shift = (ROW + self.before)
            .saturating_sub(other.before)
            .min(2 * ROW);
        let not_yet: &[u16; ROW - 1] = tail[shift..shift + ROW - 1].try_into().expect("in range");
        let mut sum = 0u32;
        for k in 1..ROW {
            let exactly = self.within[k] - self.within[k - 1];
            // At most 65,535 squared in total.
            sum += u32::from(exactly) * u32::from(not_yet[k - 1]);
        }
        chance_of_both(sum)
    }

    /// Returns the chance of this side to be off before the opponent's fifteen checkers lose one.
    /// `waiting[n]`: the chance that the opponent has borne off none after `n` rolls. `ahead`: how many rolls
    /// fewer the opponent has had when this side is off.
    #[inline]
    fn before_first_checker(&self, waiting: &[u16; FIRST + 1], ahead: usize) -> f32 {
        let mut sum = 0u32;
        for (n, &none_off) in waiting.iter().enumerate() {
            let rolls = n + ahead;
            if rolls > self.before {
                let exactly = self.within(rolls) - self.within(rolls - 1);
                sum += u32::from(exactly) * u32::from(none_off);
            }
        }
        chance_of_both(sum)
    }
}

impl Bearoff {
    /// Returns the embedded tables.
    #[inline]
    pub fn embedded() -> &'static Self {
        &EMBEDDED
    }

    const fn new(bytes: &'static [u8]) -> Self {
        let (rows, rest) = bytes.split_at(BOARDS * 2 * ROW);
        let (means, rest) = rest.split_at(BOARDS * 4);
        let (two_sided, waiting) = rest.split_at(SMALL * SMALL * 4);
        assert!(waiting.len() == (BOARDS - FULL) * 2 * FIRST);
        Self {
            rows: rows.as_chunks().0,
            means: means.as_chunks().0,
            two_sided: two_sided.as_chunks().0,
            waiting: waiting.as_chunks().0,
        }
    }

    /// Returns whether both sides have all checkers at home or off, so that [`Bearoff::probabilities`]
    /// returns a value.
    #[inline]
    pub fn contains(&self, position: &Position) -> bool {
        position.is_bearoff()
    }

    /// Returns the cubeless chances of the player on roll, before the roll, or `None` if a checker of either
    /// side is outside its home board. Finished games are certain.
    #[inline]
    pub fn probabilities(&self, position: &Position) -> Option<Probabilities> {
        let (mover, opponent) = (Board::of(&position.mover)?, Board::of(&position.opponent)?);
        if let Some(exact) = self.exact_of(position, mover, opponent) {
            return Some(exact);
        }
        let (mine, theirs) = (self.row(mover), self.row(opponent));
        let mut result = Probabilities {
            win: mine.wins_against(&theirs),
            ..Probabilities::default()
        };
        if opponent.is_full() {
            let gammon = mine.before_first_checker(&self.waiting(opponent), 1);
            result.win_gammon = gammon.min(result.win);
        }
        if mover.is_full() {
            let gammon = theirs.before_first_checker(&self.waiting(mover), 0);
            result.lose_gammon = gammon.min(1.0 - result.win);
        }
        Some(result)
    }

    /// Returns the chances if they are exact (to `f32`) for best play by both sides: with at most four
    /// checkers per side, and for finished games.
    #[inline]
    pub fn exact(&self, position: &Position) -> Option<Probabilities> {
        let (mover, opponent) = (Board::of(&position.mover)?, Board::of(&position.opponent)?);
        self.exact_of(position, mover, opponent)
    }

    #[inline]
    fn exact_of(
        &self,
        position: &Position,
        mover: Board,
        opponent: Board,
    ) -> Option<Probabilities> {
        if mover.number == 0 || opponent.number == 0 {
            return position.points().map(Probabilities::finished);
        }
        let small = mover.number < SMALL && opponent.number < SMALL;
        small.then(|| Probabilities {
            win: f32::from_le_bytes(self.two_sided[mover.number * SMALL + opponent.number]),
            ..Probabilities::default()
        })
    }

    /// Returns the mean number of rolls that `side` needs to bear off, for plays that minimise it, or `None`
    /// if a checker is not at home.
    pub fn mean_rolls(&self, side: &Side) -> Option<f32> {
        Some(f32::from_le_bytes(self.means[Board::of(side)?.number]))
    }

    /// Returns the effective pip count of `side` (EPC, W. Trice, *Backgammon Boot Camp*, 2004): the mean
    /// number of rolls times the mean pips of a roll. `None` if a checker is not at home.
    pub fn effective_pips(&self, side: &Side) -> Option<f32> {
        Some(PIPS_OF_A_ROLL * self.mean_rolls(side)?)
    }

    /// Returns the chance that `side` needs exactly `n` rolls, for each `n`, or `None` if a checker is not at
    /// home. Errors are below 1.6e-5.
    pub fn distribution(&self, side: &Side) -> Option<[f32; MOST_ROLLS]> {
        let board = Board::of(side)?;
        if board.number == 0 {
            return Some(std::array::from_fn(|n| f32::from(u8::from(n == 0))));
        }
        let row = self.row(board);
        Some(std::array::from_fn(|n| match n {
            0 => 0.0,
            _ => chance(row.within(n) - row.within(n - 1)),
        }))
    }

    /// Returns the chance that `side` still has fifteen checkers after `rolls` more rolls while trying to
    /// bear one off; `None` if a checker is not at home.
    #[cfg(test)]
    fn still_fifteen(&self, side: &Side, rolls: usize) -> Option<f32> {
        let board = Board::of(side)?;
        Some(match rolls {
            _ if !board.is_full() => 0.0,
            0..=FIRST => chance(self.waiting(board)[rolls]),
            _ => 0.0,
        })
    }

    /// Returns the chances that none of fifteen checkers is off after 0, 1, … rolls, in 65,535ths.
    #[inline]
    fn waiting(&self, board: Board) -> [u16; FIRST + 1] {
        let bytes = &self.waiting[board.number - FULL];
        std::array::from_fn(|n| match n {
            0 => CERTAIN,
            _ => u16::from_le_bytes([bytes[2 * n - 2], bytes[2 * n - 1]]),
        })
    }

    #[inline]
    fn row(&self, board: Board) -> Row {
        let bytes = &self.rows[board.number];
        let mut within: [u16; ROW] =
            std::array::from_fn(|k| u16::from_le_bytes([bytes[2 * k], bytes[2 * k + 1]]));
        let before = usize::from(within[0]).saturating_sub(1);
        within[0] = 0;
        Row { before, within }
    }
}

/// Converts a sum of products of two chances in 65,535ths to a chance.
#[inline]
fn chance_of_both(sum: u32) -> f32 {
    const UNIT: f64 = 1.0 / (CERTAIN as f64 * CERTAIN as f64);
    (f64::from(sum) * UNIT) as f32
}

#[inline]
fn chance(steps: u16) -> f32 {
    f32::from(steps) / f32::from(CERTAIN)
}
