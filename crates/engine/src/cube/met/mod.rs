//! Match equity tables: the chance to win a match from a score, between equal players.
//!
//! The embedded table is Neil Kazaross' of 2011 (*Kazaross XG2*): rollouts by eXtreme Gammon to 9 points, by
//! GNU Backgammon to 15, projected to 25. Others are read from files ([`read`]) or computed from gammon rates
//! ([`compute`]). Missing entries up to [`MOST_AWAY`] points are computed by the same recursion when a table
//! is created.
//!
//! *Three kinds of games.* Before the Crawford game both players need two points or more. In the Crawford
//! game, the first in which a player needs one point, nobody doubles; afterwards the trailer doubles at once.
//! The chance at "1-away, n-away" therefore has two values: the table `pre` contains the one before and in
//! the Crawford game, the row `post` the trailer's chance after it.
//!
//! For matches without the Crawford rule, see [`EquityTable::without_crawford`].
//!
//! *Longer matches.* In very long matches the score of single games hardly matters: the sum of many games is
//! normal. With `a` and `b` points to go the chance is `Φ(κ·(b - a) / √(a + b))`, with κ chosen to match the
//! table at its edge.

pub mod compute;
pub mod read;

use std::sync::LazyLock;

use super::equity_table::never_certain;
pub use super::equity_table::{EquityTable, MOST_AWAY, TableDifference, TableError};
pub use compute::Rates;

use crate::stats::portable::normal_quantile;

/// Maximum deviation from symmetry of a table: tables are printed with few digits.
const UNEVEN: f32 = 2e-3;

/// Computed tables with and without the Crawford rule.
static BOTH_RULES: LazyLock<[EquityTable; 2]> = LazyLock::new(|| {
    [true, false].map(|crawford| {
        let mut table = EquityTable {
            crawford,
            ..EquityTable::empty("computed", MOST_AWAY)
        };
        table.complete(0, 0, &Rates::default());
        table
    })
});

static STANDARD: LazyLock<EquityTable> = LazyLock::new(|| {
    read::csv("Kazaross XG2", include_str!("kazaross_xg2.csv"))
        .expect("the table in the program is whole, as a test shows")
});

impl EquityTable {
    /// Returns the embedded table: Kazaross XG2.
    pub fn standard() -> &'static Self {
        &STANDARD
    }

    /// Creates a table from `pre[a - 1][b - 1]`, before and in the Crawford game, and `post[n - 1]` for the
    /// trailer after it. Missing entries up to [`MOST_AWAY`] are computed.
    ///
    /// # Errors
    /// [`TableError`] if it is empty, not square, larger than [`MOST_AWAY`], or not a table of chances of
    /// equal players that fall with the points needed.
    pub fn new(name: &str, pre: &[Vec<f32>], post: &[f32]) -> Result<Self, TableError> {
        let n = pre.len();
        if n == 0 || n > MOST_AWAY {
            let message = format!("expected 1 to {MOST_AWAY} rows, found {n}");
            return Err(TableError::Shape(message));
        }
        if post.len() > MOST_AWAY {
            let found = post.len();
            let message =
                format!("expected at most {MOST_AWAY} post-Crawford chances, found {found}");
            return Err(TableError::Shape(message));
        }
        for (a, row) in (1..).zip(pre) {
            if row.len() != n {
                let message = format!("row {a} has {} numbers, expected {n}", row.len());
                return Err(TableError::Shape(message));
            }
        }
        check(pre, post)?;
        let mut table = Self::empty(name, n);
        for (a, row) in (1..).zip(pre) {
            for (b, &chance) in (1..).zip(row) {
                table.set(a, b, chance);
            }
        }
        table.post[..post.len()].copy_from_slice(post);
        table.complete(n, post.len(), &Rates::default());
        Ok(table)
    }

    /// Creates a completely computed table, up to [`MOST_AWAY`] points.
    pub fn computed(rates: &Rates) -> Self {
        let mut table = Self::empty("computed", MOST_AWAY);
        table.complete(0, 0, rates);
        table
    }

    /// Returns the table for matches without the Crawford rule. A player at one point away is post-Crawford
    /// at once. Earlier chances are adjusted by the difference between computed tables without and with the
    /// rule.
    pub fn without_crawford(&self) -> Self {
        if !self.crawford {
            return self.clone();
        }
        let mut table = Self {
            name: format!("{}, no Crawford rule", self.name),
            crawford: false,
            ..self.clone()
        };
        for a in 1..=MOST_AWAY {
            for b in 1..=MOST_AWAY {
                table.set(a, b, self.at_without_crawford(a, b));
            }
        }
        table
    }

    /// Returns a chance of [`Self::without_crawford`].
    fn at_without_crawford(&self, a: usize, b: usize) -> f32 {
        let [with, without] = &*BOTH_RULES;
        let chance = |a: usize, b: usize| {
            let chance = match a {
                _ if a == b => 0.5,
                1 => 1.0 - self.post[b - 1],
                _ => self.at(a, b) + without.at(a, b) - with.at(a, b),
            };
            never_certain(chance)
        };
        if a <= b {
            chance(a, b)
        } else {
            1.0 - chance(b, a)
        }
    }

    /// Returns [`Self::chance`] for a match without the Crawford rule: a chance of
    /// [`Self::without_crawford`], without computing the whole table.
    pub(super) fn chance_without_crawford(&self, mine: i32, theirs: i32, after: bool) -> f32 {
        if !self.crawford {
            return self.chance(mine, theirs, after);
        }
        self.chance_by(mine, theirs, after, |a, b| self.at_without_crawford(a, b))
    }

    /// Computes missing entries: scores of more than `n` points, and the post-Crawford row beyond its first
    /// `row` places.
    fn complete(&mut self, n: usize, row: usize, rates: &Rates) {
        for away in row + 1..=MOST_AWAY {
            self.post[away - 1] = compute::post_crawford(self, away, rates);
        }
        for sum in 2..=2 * MOST_AWAY {
            for a in sum.saturating_sub(MOST_AWAY).max(1)..=sum / 2 {
                let b = sum - a;
                if b > n {
                    let chance = match a {
                        _ if a == b => 0.5,
                        1 if !self.crawford => 1.0 - self.post[b - 1],
                        1 => 1.0 - compute::crawford(self, b, rates),
                        _ => compute::game(self, a, b, rates),
                    };
                    self.set(a, b, chance);
                    self.set(b, a, 1.0 - chance);
                }
            }
        }
        let (a, b) = (MOST_AWAY - MOST_AWAY / 8, MOST_AWAY);
        // A chance of 0 or 1 is a rounding.
        let edge = f64::from(never_certain(self.at(a, b)));
        let z = normal_quantile(1.0 - edge);
        self.far = z * ((a + b) as f64).sqrt() / (b - a) as f64;
    }
}

fn check(pre: &[Vec<f32>], post: &[f32]) -> Result<(), TableError> {
    let wrong = |a: usize, b: usize, message| TableError::Value {
        away: a + 1,
        other: b + 1,
        message,
    };
    // With sixty points to go the rounded chance is zero.
    let is_chance = |p: f32| (0.0..=1.0).contains(&p);
    for (a, row) in pre.iter().enumerate() {
        for (b, &p) in row.iter().enumerate() {
            if p.is_nan() {
                return Err(wrong(a, b, "is not given"));
            }
            if !is_chance(p) {
                return Err(wrong(a, b, "not a chance"));
            }
            if (p + pre[b][a] - 1.0).abs() > UNEVEN {
                return Err(wrong(a, b, "the two sides do not add up to one"));
            }
            if a > 0 && p > pre[a - 1][b] + UNEVEN {
                return Err(wrong(a, b, "needing more points is worth more"));
            }
        }
    }
    for (n, &p) in post.iter().enumerate() {
        if !is_chance(p) || n > 0 && p > post[n - 1] + UNEVEN {
            return Err(wrong(n, 0, "not a chance after the Crawford game"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(actual: f32, expected: f32, within: f32) {
        assert!((actual - expected).abs() <= within, "{actual} {expected}");
    }

    /// Frequently used values, as printed.
    #[test]
    fn the_standard_table_is_kazaross() {
        let table = EquityTable::standard();
        assert_eq!((table.name(), table.given()), ("Kazaross XG2", 25));
        for (a, b, chance) in [
            (1, 2, 0.67736),
            (1, 3, 0.75076),
            (1, 4, 0.81436),
            (2, 3, 0.59947),
            (2, 4, 0.66870),
            (3, 4, 0.57150),
            (3, 5, 0.64795),
            (5, 7, 0.62638),
        ] {
            assert_eq!(table.chance(a, b, false), chance);
            near(table.chance(b, a, false), 1.0 - chance, 1e-6);
        }
        for (n, chance) in [(2, 0.48803), (3, 0.32264), (4, 0.31002), (5, 0.19012)] {
            assert_eq!(table.chance(n, 1, true), chance);
            assert_eq!(table.chance(1, n, true), 1.0 - chance);
        }
        assert_eq!(table.chance(0, 5, false), 1.0);
        assert_eq!(table.chance(5, -1, true), 0.0);
    }

    /// Crawford, trailer 2-away: the trailer must win two points; with 29% gammons the chance is 1/4 +
    /// 0.29/4.
    #[test]
    fn short_matches_follow_from_the_gammon_share() {
        let rates = Rates {
            gammon: 0.29,
            backgammon: 0.0,
            ..Rates::default()
        };
        let table = EquityTable::computed(&rates);
        near(table.chance(2, 1, false), 0.25 + 0.29 / 4.0, 1e-6);
        near(table.chance(3, 1, true), 0.25 + 0.29 / 4.0, 1e-6);
    }

    /// Every table is symmetric, and chances fall with the points needed, also in computed entries.
    #[test]
    fn tables_are_fair_and_fall() {
        for table in [
            EquityTable::standard().clone(),
            EquityTable::computed(&Rates::default()),
        ] {
            for a in 1..=MOST_AWAY as i32 {
                for b in 1..=MOST_AWAY as i32 {
                    let p = table.chance(a, b, false);
                    near(p + table.chance(b, a, false), 1.0, 1e-5);
                    assert!(p > 0.0 && p < 1.0, "{a} {b} {p}");
                    let next = (a + 1).min(MOST_AWAY as i32);
                    assert!(table.chance(next, b, false) < p + 1e-4, "{a} {b}");
                }
            }
        }
    }

    /// The computed entries continue the given table without a jump: the change from 25 to 26 points lies
    /// between its neighbours.
    #[test]
    fn the_extension_joins() {
        let table = EquityTable::standard();
        for b in [10, 15, 20, 25] {
            let step = |a| table.chance(a, b, false) - table.chance(a + 1, b, false);
            let (before, joint, after) = (step(24), step(25), step(26));
            assert!(
                joint > 0.3 * before.min(after),
                "{b}: {before} {joint} {after}"
            );
            assert!(
                joint < 2.0 * before.max(after),
                "{b}: {before} {joint} {after}"
            );
        }
        // The approximation for longer matches continues the table without a jump.
        for (a, b) in [(64, 64), (64, 60), (64, 50), (60, 40)] {
            near(table.far_chance(a, b), table.chance(a, b, false), 0.01);
        }
        assert!(table.chance(100, 90, false) < 0.5);
    }

    /// Without the rule, chances at one point away are post-Crawford chances; earlier chances change slightly
    /// and stay symmetric.
    #[test]
    fn without_the_crawford_rule() {
        let table = EquityTable::standard();
        let free = table.without_crawford();
        assert_eq!(free.chance(1, 3, false), table.chance(1, 3, true));
        assert_eq!(free.chance(4, 1, true), table.chance(4, 1, true));
        for a in 2..=25 {
            near(free.chance(a, a, false), 0.5, 0.0);
            for b in a + 1..=25 {
                let (with, without) = (table.chance(a, b, false), free.chance(a, b, false));
                near(without, with, 0.03);
                assert!(without > free.chance(a + 1, b, false) - 2e-3, "{a} {b}");
                near(without + free.chance(b, a, false), 1.0, 1e-6);
            }
        }
        // A player who needs two points is harmed less when the opponent reaches one; far from the end it
        // hardly matters.
        assert!(free.chance(2, 3, false) > table.chance(2, 3, false) + 0.005);
        near(
            free.chance(20, 25, false),
            table.chance(20, 25, false),
            0.01,
        );
        // A single chance equals that of the table.
        for (a, b) in (0..=70).flat_map(|a| (0..=70).map(move |b| (a, b))) {
            for after in [false, true] {
                let alone = table.chance_without_crawford(a, b, after);
                assert_eq!(alone, free.chance(a, b, after), "{a} {b}");
            }
        }
        assert_eq!(free.without_crawford(), free);
        assert!(free.name().ends_with("no Crawford rule"));
    }

    /// In this table the nearer player always wins; beyond it the chances are still valid.
    #[test]
    fn a_table_of_certain_wins_goes_on() {
        let won = |a: usize| {
            move |b: usize| {
                if a == b {
                    0.5
                } else {
                    f32::from(u8::from(a < b))
                }
            }
        };
        let row = |a| (1..=MOST_AWAY).map(won(a)).collect();
        let rows: Vec<Vec<f32>> = (1..=MOST_AWAY).map(row).collect();
        let table = EquityTable::new("steps", &rows, &[]).unwrap();
        assert_eq!(table.chance(70, 70, false), 0.5);
        assert!(table.chance(70, 75, false) > 0.99);
        assert!(table.chance(75, 70, false) < 0.01);
    }

    #[test]
    fn nonsense_is_refused() {
        let new = |pre: &[Vec<f32>], post: &[f32]| EquityTable::new("x", pre, post).unwrap_err();
        assert!(matches!(new(&[], &[]), TableError::Shape(_)));
        assert!(matches!(new(&[vec![0.5, 0.6]], &[]), TableError::Shape(_)));
        let uneven = [vec![0.5, 0.7], vec![0.4, 0.5]];
        assert!(matches!(new(&uneven, &[]), TableError::Value { .. }));
        let rising = [vec![0.5, 0.4], vec![0.6, 0.5]];
        assert!(matches!(new(&rising, &[]), TableError::Value { .. }));
        let none = [vec![0.5, f32::NAN], vec![0.3, 0.5]];
        assert!(matches!(new(&none, &[]), TableError::Value { .. }));
        let many = vec![vec![0.5; MOST_AWAY + 1]; MOST_AWAY + 1];
        assert!(matches!(new(&many, &[]), TableError::Shape(_)));
        let long = new(&[vec![0.5]], &[0.1; MOST_AWAY + 1]).to_string();
        assert!(long.contains("post-Crawford chances, found 65"), "{long}");
    }
}
