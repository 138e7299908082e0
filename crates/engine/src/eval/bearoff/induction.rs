//! Computes the values of all pairs of boards by backward induction: one loop for every bearoff table.
//!
//! A play lowers the number of a board (see `numbering.rs`), so the results of a roll are known if the pairs
//! of lower boards are. Pairs are stored by the board of the player who has just played, then by the board of
//! the player on roll. The values of one board against all lower ones therefore come from whole rows, read in
//! sequence. Tables do not fit into a core's caches, and reading scattered cells takes ten times as long.
//! take ten times as long.

use std::ops::{AddAssign, Div, Mul};

use multiversion::multiversion;

use super::moves::Moves;

/// Number types of values.
pub trait Real:
    Copy + PartialOrd + AddAssign + Mul<Output = Self> + Div<Output = Self> + Default + From<u8>
{
}

impl Real for f32 {}
impl Real for f64 {}

/// Values of all pairs of boards with one side on roll, for the opponent, in several lanes; see
/// [`Pairs::row`].
#[derive(Clone, Debug)]
pub struct Pairs<T, const LANES: usize> {
    boards: usize,
    values: Vec<[T; LANES]>,
}

impl<T, const LANES: usize> Pairs<T, LANES> {
    /// Returns the values for a player who has just played and has board `played`, where the opponent is on
    /// roll with board `on_roll`.
    #[inline]
    pub fn row(&self, on_roll: usize, played: usize) -> &[T; LANES] {
        &self.values[played * self.boards + on_roll]
    }
}

/// The game of a table: its players, the value of a finished game, and the cube decisions.
pub trait Game<T, const LANES: usize> {
    /// Returns the number of players with different values: 1 or 2.
    fn players(&self) -> usize;
    /// Returns the values for the opponent of `player`, in each lane, with no checker left.
    fn won(&self, player: usize) -> [T; LANES];
    /// Returns the values of the position for the opponent of `player`, in the opponent's lanes. `rolling`:
    /// the values of rolling for `player`, who is on roll and makes the cube decision first.
    fn seen(&self, player: usize, rolling: &[T; LANES]) -> [T; LANES];
    /// Receives the values of rolling for `player` with board `i` against board `j`.
    fn rolling(&mut self, _player: usize, _i: usize, _j: usize, _value: &[T; LANES]) {}
}

/// Computes the pairs of the first `boards` boards for each player on roll. Calls `progress` with the last
/// board whose pairs are all known; returns `None` if it returns false.
pub fn induct<T: Real, const LANES: usize>(
    game: &mut impl Game<T, LANES>,
    moves: &Moves,
    boards: usize,
    progress: &mut dyn FnMut(usize) -> bool,
) -> Option<Vec<Pairs<T, LANES>>> {
    let players = game.players();
    let pairs = |player| {
        let mut values = vec![[T::default(); LANES]; boards * boards];
        values[..boards].fill(game.won(player));
        Pairs { boards, values }
    };
    let mut all: Vec<_> = (0..players).map(pairs).collect();
    let (mut sums, mut best) = (Vec::new(), Vec::new());
    for m in 1..boards {
        for player in 0..players {
            let other = &all[(1 - player) % players];
            against_lower(moves, m, other, &mut sums, &mut best);
            for (j, value) in sums.iter().enumerate().skip(1) {
                game.rolling(player, m, j, value);
                all[player].values[j * boards + m] = game.seen(player, value);
            }
        }
        for player in 0..players {
            // The opponent is on roll with board `m` after the play.
            let other = &all[(1 - player) % players];
            let column = (0..m).map(|k| other.row(m, k));
            match LANES {
                0..=4 => of_lower::<T, LANES, 4>(moves, &widened(column), &mut sums),
                5..=8 => of_lower::<T, LANES, 8>(moves, &widened(column), &mut sums),
                _ => of_lower::<T, LANES, 16>(moves, &widened(column), &mut sums),
            }
            for (i, value) in (1..=m).zip(&sums) {
                game.rolling(player, i, m, value);
                all[player].values[m * boards + i] = game.seen(player, value);
            }
        }
        if !progress(m) {
            return None;
        }
    }
    Some(all)
}

/// Computes the values of rolling at board `m` against each lower board into `sums`. Most of the time is
/// spent here. No operations are fused, so every processor gives the same bits.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl+avx2", "x86_64+avx2"))]
fn against_lower<T: Real, const LANES: usize>(
    moves: &Moves,
    m: usize,
    other: &Pairs<T, LANES>,
    sums: &mut Vec<[T; LANES]>,
    best: &mut Vec<[T; LANES]>,
) {
    let row = |k: u16| {
        let start = usize::from(k) * other.boards;
        &other.values[start..start + m]
    };
    sums.clear();
    sums.resize(m, [T::default(); LANES]);
    for (weight, after) in moves.of(m) {
        best.clear();
        best.extend_from_slice(row(after[0]));
        for &k in &after[1..] {
            for (b, v) in best
                .as_flattened_mut()
                .iter_mut()
                .zip(row(k).as_flattened())
            {
                *b = larger(*b, *v);
            }
        }
        let weight = T::from(weight);
        for (s, b) in sums.as_flattened_mut().iter_mut().zip(best.as_flattened()) {
            *s += weight * *b;
        }
    }
    for s in sums.as_flattened_mut() {
        *s = *s / T::from(36);
    }
}

/// Pads values with lanes to fill whole registers.
fn widened<'a, T: Real + 'a, const LANES: usize, const WIDE: usize>(
    column: impl Iterator<Item = &'a [T; LANES]>,
) -> Vec<[T; WIDE]> {
    let wide =
        |value: &[T; LANES]| std::array::from_fn(|q| value.get(q).copied().unwrap_or_default());
    column.map(wide).collect()
}

/// Computes the values of rolling at each board up to that of the column into `sums`, from the roller's
/// values with each board after the play.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl+avx2", "x86_64+avx2"))]
fn of_lower<T: Real, const LANES: usize, const WIDE: usize>(
    moves: &Moves,
    column: &[[T; WIDE]],
    sums: &mut Vec<[T; LANES]>,
) {
    sums.clear();
    for i in 1..=column.len() {
        let mut sum = [T::default(); WIDE];
        for (weight, after) in moves.of(i) {
            let mut best = column[usize::from(after[0])];
            for &k in &after[1..] {
                for (b, v) in best.iter_mut().zip(&column[usize::from(k)]) {
                    *b = larger(*b, *v);
                }
            }
            let weight = T::from(weight);
            for (s, b) in sum.iter_mut().zip(best) {
                *s += weight * b;
            }
        }
        sums.push(std::array::from_fn(|q| sum[q] / T::from(36)));
    }
}

/// Returns the larger of two numbers in one instruction, unlike `max`, which handles NaN.
#[inline]
fn larger<T: PartialOrd>(a: T, b: T) -> T {
    if b > a { b } else { a }
}
