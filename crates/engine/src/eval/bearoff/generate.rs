//! Computes the bearoff tables. Compiled into the build script and into the library's tests.
//!
//! *Plays without a generator.* With all checkers at home, a die can be played while a checker is left. A
//! roll is therefore any order of its dice, one step at a time. The best result of `k` steps with die `d` is
//! the best, over the first step, of the best results of `k - 1` steps. These results are stored for every
//! board, so that a roll costs a dozen look-ups. All sums are made in a fixed order, so the tables have the
//! same bits on every machine.

use super::layout::{CERTAIN, FIRST, ROW, TWO_SIDED_CHECKERS};
use super::numbering::{board, boards};
use super::plays::{results, rolls, steps};

/// One more than the maximum number of rolls of a bearoff: a roll moves three pips or ends the game, and
/// there are at most ninety pips.
pub(super) const MOST_ROLLS: usize = 32;
/// Number of checkers of a side.
const CHECKERS: usize = 15;
/// Means that differ by less count as equal, so that rounding decides nothing.
const SAME: f64 = 1e-9;

/// Tables of all boards of up to fifteen checkers, by their numbers.
pub(super) struct OneSided {
    /// Mean number of rolls to bear off all checkers.
    pub(super) mean: Vec<f64>,
    /// `distribution[i][n]`: chance of exactly `n` rolls.
    pub(super) distribution: Vec<[f64; MOST_ROLLS]>,
}

/// Best plays of one side that minimise a mean, computed board by board in order of number.
struct Plays {
    /// The minimised mean of the boards so far.
    mean: Vec<f64>,
    /// `after[i][d - 1][k - 1]`: the best board that `k` steps with die `d` reach from board `i`.
    after: Vec<[[u16; 3]; 6]>,
}

impl Plays {
    fn new() -> Self {
        Self {
            mean: Vec::with_capacity(boards(CHECKERS)),
            after: Vec::with_capacity(boards(CHECKERS)),
        }
    }

    /// Returns the chance of each roll and its best resulting board from board `i`, which must be the first
    /// undecided one and not empty.
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

    /// Sets the mean of the next board.
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

    /// Returns the board with the lowest mean; among equals (to 1e-9) the one with the lowest number, which
    /// has the fewest checkers.
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
    /// Computes every board, for plays that minimise the mean number of rolls. Among plays with equal means
    /// (to 1e-9) the one to the lowest-numbered board is chosen.
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

/// Returns, for each board of fifteen checkers in order of number, the chances that none is borne off after
/// one roll, after two, and so on. Plays bear a checker off if possible. Otherwise they minimise the mean
/// number of rolls until one is off.
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

/// Returns the chance of the player on roll to win, with best play by both, if neither side can lose a
/// gammon. The entry `[i * n + j]` is for board `i` of the player on roll and `j` of the opponent, where `n`
/// is the number of boards of up to `checkers` checkers. Finished games are 1 if only `i` is empty, else 0.
pub(super) fn two_sided(checkers: usize) -> Vec<f64> {
    let n = boards(checkers);
    let results: Vec<Vec<(f64, Vec<usize>)>> = (0..n).map(results).collect();
    let mut win = vec![0.0; n * n];
    win[..n].fill(1.0);
    win[0] = 0.0;
    // In order of the sum of the numbers, which every play lowers.
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

/// Returns the row of a distribution in the file: see [`layout`](super::layout).
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

/// Returns the file of all tables: see [`layout`](super::layout).
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
