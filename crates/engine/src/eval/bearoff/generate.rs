//! Computes the bearoff tables. Compiled into the build script, and into the library's tests.
//!
//! *Plays without a generator.* With all checkers home a die can be played as long as a checker is
//! left. So a roll is any order of its dice, one step at a time. The best result of `k` steps with
//! die `d` is therefore the best, over the first step, of the best results of `k - 1` steps. These
//! are kept for every board, and a roll costs a dozen look-ups. All sums are made in one fixed
//! order, so the tables are the same bits on every machine.

use super::layout::{CERTAIN, FIRST, ROW, TWO_SIDED_CHECKERS};
use super::numbering::{board, boards};
use super::plays::{results, rolls, steps};

/// One more than the most rolls a bearoff can take: a roll moves three pips or ends the game, and
/// there are at most ninety.
pub(super) const MOST_ROLLS: usize = 32;
/// Checkers of a whole side.
const CHECKERS: usize = 15;
/// Means that differ by less are held equal, so that rounding decides nothing.
const SAME: f64 = 1e-9;

/// All boards of up to fifteen checkers, by their numbers.
pub(super) struct OneSided {
    /// Mean number of rolls to bear off all checkers.
    pub(super) mean: Vec<f64>,
    /// `distribution[i][n]`: chance that it takes exactly `n` rolls.
    pub(super) distribution: Vec<[f64; MOST_ROLLS]>,
}

/// Best plays by one side that minimise a mean, found board by board in order of number.
struct Plays {
    /// What is minimised, for the boards settled so far.
    mean: Vec<f64>,
    /// `after[i][d - 1][k - 1]`: the best board that `k` steps with die `d` lead to from board `i`.
    after: Vec<[[u16; 3]; 6]>,
}

impl Plays {
    fn new() -> Self {
        Self {
            mean: Vec::with_capacity(boards(CHECKERS)),
            after: Vec::with_capacity(boards(CHECKERS)),
        }
    }

    /// The chance of each roll and the best board it leads to from board `i`, which must be the
    /// first that is not settled, and not the empty one.
    fn results(&self, i: usize) -> impl Iterator<Item = (f64, usize)> + '_ {
        let home = board(i);
        rolls().map(move |(a, b, weight)| {
            let after = |first, then: usize, k: usize| {
                steps(&home, first).map(move |s| self.after[s][then - 1][k])
            };
            let best = if a == b {
                self.best(after(a, a, 2))
            } else {
                self.best(after(a, b, 0).chain(after(b, a, 0)))
            };
            (weight / 36.0, best)
        })
    }

    /// Fixes the mean of the next board.
    fn settle(&mut self, mean: f64) {
        let home = board(self.mean.len());
        self.mean.push(mean);
        let mut next = [[0u16; 3]; 6];
        if self.mean.len() > 1 {
            for (d, after) in (1..).zip(&mut next) {
                let once = steps(&home, d).map(|s| s as u16);
                let twice = steps(&home, d).map(|s| self.after[s][d - 1][0]);
                let thrice = steps(&home, d).map(|s| self.after[s][d - 1][1]);
                *after = [self.best(once), self.best(twice), self.best(thrice)].map(|i| i as u16);
            }
        }
        self.after.push(next);
    }

    /// The board with the least mean; among equals (to 1e-9) the lowest-numbered, which is one
    /// with the fewest checkers.
    fn best(&self, boards: impl Iterator<Item = u16>) -> usize {
        let less = |a: usize, b: usize| {
            let (x, y) = (self.mean[a], self.mean[b]);
            x < y - SAME || x <= y + SAME && a < b
        };
        boards
            .map(usize::from)
            .reduce(|best, b| if less(b, best) { b } else { best })
            .expect("a checker that is left can be moved")
    }
}

impl OneSided {
    /// Every board, by plays that minimise the mean number of rolls. Among plays whose means are
    /// equal (to 1e-9) the one that leads to the lowest-numbered board is taken.
    pub(super) fn new() -> Self {
        let mut plays = Plays::new();
        plays.settle(0.0);
        let mut distribution = vec![[0.0; MOST_ROLLS]];
        distribution[0][0] = 1.0;
        for i in 1..boards(CHECKERS) {
            let mut mean = 1.0;
            let mut chances = [0.0; MOST_ROLLS];
            for (weight, best) in plays.results(i) {
                mean += weight * plays.mean[best];
                for (c, p) in chances[1..].iter_mut().zip(&distribution[best]) {
                    *c += weight * p;
                }
            }
            plays.settle(mean);
            distribution.push(chances);
        }
        Self {
            mean: plays.mean,
            distribution,
        }
    }
}

/// For each board of fifteen checkers, in order of number, the chances that none is borne off yet
/// after one roll, after two, and so on. Plays bear a checker off if the roll can. Otherwise they
/// minimise the mean number of rolls until one is off.
pub(super) fn first_checker() -> Vec<[f64; FIRST]> {
    let full = boards(CHECKERS - 1);
    let mut plays = Plays::new();
    (0..full).for_each(|_| plays.settle(0.0));
    let mut waiting: Vec<[f64; FIRST]> = Vec::new();
    for i in full..boards(CHECKERS) {
        let mut mean = 1.0;
        let mut chances = [0.0; FIRST];
        for (weight, best) in plays.results(i).filter(|&(_, best)| best >= full) {
            mean += weight * plays.mean[best];
            chances[0] += weight;
            for (c, w) in chances[1..].iter_mut().zip(&waiting[best - full]) {
                *c += weight * w;
            }
        }
        plays.settle(mean);
        waiting.push(chances);
    }
    waiting
}

/// Chance of the player on roll to win, with best play by both, where neither side can lose a
/// gammon. The entry `[i * n + j]` is for board `i` of the player on roll and `j` of the other,
/// with `n` the number of boards of up to `checkers` checkers. Finished games are 1 where only `i`
/// is empty, else 0.
pub(super) fn two_sided(checkers: usize) -> Vec<f64> {
    let n = boards(checkers);
    let results: Vec<Vec<(f64, Vec<usize>)>> = (0..n).map(results).collect();
    let mut win = vec![0.0; n * n];
    win[..n].fill(1.0);
    win[0] = 0.0;
    // By the sum of the numbers: what a play leads to has a lower one.
    for sum in 2..=2 * (n - 1) {
        for i in sum.saturating_sub(n - 1).max(1)..=(sum - 1).min(n - 1) {
            let j = sum - i;
            let mut chance = 0.0;
            for (weight, after) in &results[i] {
                let values = after
                    .iter()
                    .map(|&k| if k == 0 { 1.0 } else { 1.0 - win[j * n + k] });
                chance += weight * values.fold(0.0, f64::max);
            }
            win[i * n + j] = chance / 36.0;
        }
    }
    win
}

/// The row of the file for a distribution: see [`layout`](super::layout).
///
/// # Panics
/// If the distribution is wider than a row; the widest has thirteen places.
pub(super) fn row(distribution: &[f64; MOST_ROLLS]) -> [u16; ROW] {
    let mut sum = 0.0;
    let cumulative = distribution.map(|p| {
        sum += p;
        rounded(sum)
    });
    let first = cumulative
        .iter()
        .position(|&f| f > 0)
        .expect("the chances sum to one");
    let mut row = [CERTAIN; ROW];
    row[0] = first as u16;
    for (slot, &f) in row[1..].iter_mut().zip(&cumulative[first..]) {
        *slot = f;
    }
    assert_eq!(
        row[ROW - 1],
        CERTAIN,
        "a distribution is wider than its row"
    );
    row
}

/// The file of all tables: see [`layout`](super::layout).
pub(super) fn pack() -> Vec<u8> {
    let one_sided = OneSided::new();
    let mut bytes = Vec::new();
    for distribution in &one_sided.distribution {
        bytes.extend(row(distribution).iter().flat_map(|f| f.to_le_bytes()));
    }
    bytes.extend(
        one_sided
            .mean
            .iter()
            .flat_map(|&m| (m as f32).to_le_bytes()),
    );
    bytes.extend(
        two_sided(TWO_SIDED_CHECKERS)
            .iter()
            .flat_map(|&w| (w as f32).to_le_bytes()),
    );
    let waiting = first_checker();
    bytes.extend(
        waiting
            .iter()
            .flatten()
            .flat_map(|&w| rounded(w).to_le_bytes()),
    );
    bytes
}

fn rounded(chance: f64) -> u16 {
    (chance * f64::from(CERTAIN)).round() as u16
}
