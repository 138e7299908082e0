//! The results of each pair of players over many matches, with and without luck, by length of match.
//!
//! This is Riordan's table of a series between two programs, for anyone's matches. Matches are observations,
//! money games too; they are taken as independent.

use std::collections::BTreeMap;

use crate::duel::{Column, ContestRecord};

/// Results in a match, as a chance to win it less one half, cannot be larger.
const MOST_MWC: f64 = 0.5;
/// Sums of luck that differ by no more were not kept within a bound.
const ROUNDING: f64 = 1e-6;

/// All pairs.
#[derive(Clone, Debug, Default)]
pub struct PairTable {
    /// By what all ways to write the two names have in common, in order.
    pairs: BTreeMap<[String; 2], PairResults>,
}

/// Results of two players against each other.
#[derive(Clone, Debug)]
pub struct PairResults {
    /// Their names, as they were written first.
    pub names: [String; 2],
    /// Money games, under 0, and matches by length.
    pub lengths: BTreeMap<u16, Results>,
    /// Matches of all lengths, if there are any.
    pub matches: Option<Results>,
}

/// Matches of one length, or money games, as the first of two players sees them.
#[derive(Clone, Debug)]
pub struct Results {
    /// Matches or games that were won.
    pub won: u32,
    /// Matches or games that were lost.
    pub lost: u32,
    pub games: u64,
    /// Plays of both.
    pub plays: u64,
    /// Matches or games whose luck came to its bound, so that the rest of it was not subtracted.
    pub bounded: u64,
    /// Results as played.
    pub plain: Column,
    /// Results with the luck subtracted.
    pub reduced: Column,
}

impl Results {
    fn new(most: f64, bound: f64) -> Self {
        Self {
            won: 0,
            lost: 0,
            games: 0,
            plays: 0,
            bounded: 0,
            plain: Column::new(most),
            reduced: Column::new(most + bound),
        }
    }

    fn push(&mut self, contest: &ContestRecord) {
        self.won += u32::from(contest.result > 0.0);
        self.lost += u32::from(contest.result < 0.0);
        self.games += u64::from(contest.games);
        self.plays += u64::from(contest.plays);
        self.bounded += u64::from((contest.luck - contest.bounded).abs() > ROUNDING);
        self.plain.push_mean(contest.result);
        self.reduced.push_mean(contest.result - contest.bounded);
    }

    /// Number of matches, or of money games.
    pub fn contests(&self) -> u64 {
        self.plain.pairs.count()
    }
}

impl PairTable {
    /// Adds results of a match of `length`, or of money games (0), seen by the left player. `keys` are what all
    /// ways to write each name have in common. `bound` is that of the luck, in points for money games; all matches have
    /// the same.
    pub fn add(
        &mut self,
        names: &[String; 2],
        keys: [String; 2],
        length: u16,
        contests: &[ContestRecord],
        bound: f64,
    ) {
        if contests.is_empty() || keys[0] == keys[1] {
            return;
        }
        let swap = keys[0] > keys[1];
        let [first, second] = if swap { [1, 0] } else { [0, 1] };
        let key = [keys[first].clone(), keys[second].clone()];
        let pair = self.pairs.entry(key).or_insert_with(|| PairResults {
            names: [names[first].clone(), names[second].clone()],
            lengths: BTreeMap::new(),
            matches: None,
        });
        // No result of a money game is beyond a bound: the intervals that rest on one are not asked for.
        let most = if length == 0 {
            f64::from(u16::MAX)
        } else {
            MOST_MWC
        };
        let row = pair.lengths.entry(length);
        let row = row.or_insert_with(|| Results::new(most, bound));
        for one in contests {
            let sign = if swap { -1.0 } else { 1.0 };
            let seen = ContestRecord {
                result: sign * one.result,
                luck: sign * one.luck,
                bounded: sign * one.bounded,
                ..*one
            };
            row.push(&seen);
            if length > 0 {
                // The bound of a money game is one of points, and must not come in here.
                let all = pair
                    .matches
                    .get_or_insert_with(|| Results::new(most, bound));
                all.push(&seen);
            }
        }
    }

    /// The pairs, those with the most plays first.
    pub fn pairs(&self) -> Vec<&PairResults> {
        let mut all: Vec<&PairResults> = self.pairs.values().collect();
        let plays = |one: &PairResults| one.lengths.values().map(|row| row.plays).sum::<u64>();
        // Stable: by name where the numbers are the same.
        all.sort_by_key(|one| std::cmp::Reverse(plays(one)));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contest(result: f64, luck: f64) -> ContestRecord {
        ContestRecord {
            result,
            luck,
            bounded: luck,
            games: 2,
            plays: 60,
            ..ContestRecord::default()
        }
    }

    fn add(table: &mut PairTable, names: [&str; 2], length: u16, result: f64) {
        let names = names.map(str::to_owned);
        let keys = names.each_ref().map(|name| name.to_lowercase());
        table.add(&names, keys, length, &[contest(result, 0.75 * result)], 0.7);
    }

    #[test]
    fn a_pair_is_one_no_matter_who_sits_left() {
        let mut table = PairTable::default();
        add(&mut table, ["Anna", "Ben"], 1, 0.5);
        add(&mut table, ["BEN", "anna"], 1, 0.5);
        add(&mut table, ["Anna", "Ben"], 5, 0.5);
        add(&mut table, ["Anna", "Ben"], 0, 4.0);
        add(&mut table, ["Cleo", "Ben"], 5, -0.5);
        add(&mut table, ["Ben", "ben"], 5, -0.5);
        let pairs = table.pairs();
        assert_eq!(pairs.len(), 2);
        assert_eq!(pairs[0].names, ["Anna", "Ben"]);
        let rows: Vec<(u16, u32, u32)> = pairs[0]
            .lengths
            .iter()
            .map(|(length, row)| (*length, row.won, row.lost))
            .collect();
        assert_eq!(rows, [(0, 1, 0), (1, 1, 1), (5, 1, 0)]);
        let matches = pairs[0].matches.as_ref().unwrap();
        assert_eq!(matches.contests(), 3);
        assert!((matches.plain.pairs.mean() - 0.5 / 3.0).abs() < 1e-12);
        assert!((matches.reduced.pairs.mean() - 0.125 / 3.0).abs() < 1e-12);
        assert_eq!(
            (pairs[1].lengths[&5].won, pairs[1].lengths[&5].lost),
            (1, 0)
        );
    }

    /// The intervals of matches do not depend on a session of money games between them, nor on when it came.
    #[test]
    fn money_games_leave_the_row_of_all_matches_alone() {
        let of = |lengths: &[u16]| {
            let mut table = PairTable::default();
            let names = ["Anna", "Ben"].map(str::to_owned);
            let keys = ["anna", "ben"].map(str::to_owned);
            for &length in lengths {
                let (contest, bound) = match length {
                    0 => (contest(4.0, 3.0), 24.0),
                    _ => (contest(0.5, 0.375), 0.7),
                };
                table.add(&names, keys.clone(), length, &[contest], bound);
            }
            let matches = table.pairs()[0].matches.clone();
            matches.map(|all| [all.plain, all.reduced].map(|column| column.betting()))
        };
        let matches = of(&[1, 5]).unwrap();
        assert_eq!(of(&[0, 1, 5]), Some(matches));
        assert_eq!(of(&[1, 0, 5]), Some(matches));
        assert!(matches[1][1] <= 1.2, "{matches:?}");
        assert_eq!(of(&[0]), None);
    }
}
