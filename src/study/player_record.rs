//! Record of a player's matches: rating and trend, luck, and the luck-adjusted record against each opponent.
//!
//! Luck has mean 0 before each roll, whatever the evaluation. So the squares of all rolls' luck add up to an
//! unbiased estimate of the variance of its sum, and the luck-adjusted results are right on average. The
//! interval of a record takes games as independent and alike, as that of a single match does.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::game::Player;
use crate::review::Report;
use crate::review::figures::Figures;
use crate::review::report::GameReport;
use crate::review::trend::{PrChange, Trend, TrendEstimate, order_is_known};
use crate::stats::Moments;
use crate::stats::interval::{around, of_stopped_sum};

/// Matches on either side of a change of PR.
const CHANGE: usize = 8;
/// How often a change is reported where there is none.
const FALSE_ALARMS: f64 = 0.05;

/// Record of a player's matches. Values are chances to win the match, or for money points.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PlayerRecord {
    /// PR over all matches.
    pub pr: Option<TrendEstimate>,
    /// Change of PR in ten matches, where the matches say anything of it.
    pub pr_change_in_ten_matches: Option<TrendEstimate>,
    /// Where PR changed, where the matches show that it did.
    pub pr_change_point: Option<PrChange>,
    /// Luck of all rolls.
    pub luck: Option<LuckTotal>,
    /// The record against each opponent, the most matches first.
    pub opponents: Vec<OpponentRecord>,
}

/// The luck of all rolls of both players: summed chances to win the match, or for money points with the cube counted.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct LuckTotal {
    /// The player's luck less that of the opponents.
    pub net: f64,
    /// The standard deviation that such a sum has, in the same unit.
    pub spread: f64,
    /// The sum in standard deviations; above 0 where the player was the luckier one.
    pub deviations: f64,
}

/// Matches against one opponent.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OpponentRecord {
    pub opponent: String,
    /// Matches, finished or not.
    pub matches: usize,
    /// Matches that were won.
    pub won: usize,
    /// Matches that were lost.
    pub lost: usize,
    /// The results: matches won, with an unfinished one by its score, or points.
    pub result: f64,
    /// The results less the luck of both players.
    pub luck_adjusted_result: f64,
    /// Its 95 % interval; none from fewer than two games.
    pub luck_adjusted_ci95: Option<[f64; 2]>,
}

/// A player's record while matches are added.
#[derive(Clone, Debug, Default)]
pub(super) struct RecordSum {
    /// The day of each match, and its figures.
    matches: Vec<(String, Figures)>,
    net: f64,
    squares: f64,
    opponents: BTreeMap<String, (OpponentRecord, Moments)>,
}

impl RecordSum {
    /// Adds a match of that day. `opponent` is what all ways to write the name have in common.
    pub(super) fn add(&mut self, report: &Report, date: &str, whose: Player, opponent: &str) {
        let own = &report.players[whose.index()];
        self.matches.push((date.to_owned(), own.figures));
        for one in report.games.iter().flat_map(|game| &game.moves) {
            let luck = one.luck_unnormalised.unwrap_or(0.0);
            self.squares += luck * luck;
            self.net += match one.player == whose {
                true => luck,
                false => -luck,
            };
        }
        let entry = self.opponents.entry(opponent.to_owned());
        let (record, games) = entry.or_insert_with(|| {
            let record = OpponentRecord {
                opponent: report.players[whose.other().index()].name.clone(),
                matches: 0,
                won: 0,
                lost: 0,
                result: 0.0,
                luck_adjusted_result: 0.0,
                luck_adjusted_ci95: None,
            };
            (record, Moments::default())
        });
        let even = if report.is_money() { 0.0 } else { 0.5 };
        record.matches += 1;
        record.won += usize::from(report.complete && own.result > even);
        record.lost += usize::from(report.complete && own.result < even);
        record.result += own.result;
        record.luck_adjusted_result += own.luck_adjusted_result;
        let gains = report.games.iter().filter_map(|game| gain(game, whose));
        gains.for_each(|gain| games.push(gain));
    }

    /// The matches in the order of play; where that is known and they say anything of it, the change of PR in ten of
    /// them, and where PR changed.
    fn trend(&self) -> (Trend, Option<TrendEstimate>, Option<PrChange>) {
        let mut counted: Vec<&(String, Figures)> = self.matches.iter().collect();
        counted.retain(|(_, figures)| figures.pr.is_some());
        // Stable: those of one day stay in the order in which they came.
        counted.sort_by(|a, b| a.0.cmp(&b.0));
        let mut trend = Trend::default();
        counted.iter().for_each(|(_, figures)| trend.push(figures));
        if !order_is_known(self.matches.iter().map(|(day, _)| &**day)) {
            return (trend, None, None);
        }
        let slope = trend.slope().filter(TrendEstimate::says_something);
        let change = trend
            .change(CHANGE)
            .filter(|change| change.p <= FALSE_ALARMS);
        let dated = change.map(|change| PrChange {
            date: counted[change.before.matches].0.clone(),
            ..change
        });
        (trend, slope, dated)
    }

    /// Adds nothing but the figures of a match.
    #[cfg(test)]
    pub(super) fn add_figures(&mut self, date: String, figures: Figures) {
        self.matches.push((date, figures));
    }

    /// The record of the matches that were added.
    pub(super) fn finish(&self) -> PlayerRecord {
        let (trend, pr_change_in_ten_matches, pr_change_point) = self.trend();
        let spread = self.squares.sqrt();
        let luck = (spread > 0.0).then(|| LuckTotal {
            net: self.net,
            spread,
            deviations: self.net / spread,
        });
        let mut opponents: Vec<OpponentRecord> = self
            .opponents
            .values()
            .map(|(record, games)| OpponentRecord {
                luck_adjusted_ci95: interval(record.luck_adjusted_result, games),
                ..record.clone()
            })
            .collect();
        // Stable: by name where the numbers are the same.
        opponents.sort_by_key(|one| std::cmp::Reverse(one.matches));
        PlayerRecord {
            pr: trend.pr(),
            pr_change_in_ten_matches,
            pr_change_point,
            luck,
            opponents,
        }
    }
}

/// Returns a player's gain in a game that was played to its end, less the luck of both.
fn gain(game: &GameReport, whose: Player) -> Option<f64> {
    let of_left = game.luck_adjusted_gain()?;
    Some(match whose {
        Player::Left => of_left,
        Player::Right => -of_left,
    })
}

/// The 95 % interval around a sum over games; `None` of fewer than two.
fn interval(sum: f64, games: &Moments) -> Option<[f64; 2]> {
    of_stopped_sum(games).map(|(_, radius)| around(sum, radius))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::review::figures::Rate;

    /// Matches of 100 decisions: so many at each of these ratings, one a day.
    fn record(ratings: &[f64]) -> RecordSum {
        let figures = |pr: f64| Figures {
            pr: Some(pr),
            pr_counted: Rate {
                decisions: 100,
                error: pr / 5.0,
            },
            ..Figures::default()
        };
        let day = |(i, pr): (usize, &f64)| (format!("2026-03-{:02}", i + 1), figures(*pr));
        RecordSum {
            matches: ratings.iter().enumerate().map(day).collect(),
            ..RecordSum::default()
        }
    }

    #[test]
    fn a_gain_is_that_of_the_player_wherever_he_sits() {
        let lucky = Figures {
            luck_unnormalised: 0.25,
            ..Figures::default()
        };
        let game = GameReport {
            is_cut: false,
            number: 1,
            score: [0, 0],
            crawford: false,
            winner: None,
            points: None,
            before: 0.5,
            after: Some(1.0),
            players: [lucky, Figures::default()],
            moves: Vec::new(),
        };
        assert_eq!(gain(&game, Player::Left), Some(0.25));
        assert_eq!(gain(&game, Player::Right), Some(-0.25));
        let open = GameReport {
            is_cut: false,
            after: None,
            ..game
        };
        assert_eq!(gain(&open, Player::Left), None);
    }

    #[test]
    fn a_change_is_told_with_its_day_whatever_the_order_of_files() {
        let ratings = vec![8.0, 9.0, 7.0, 8.5, 7.5, 9.5, 8.0, 8.2, 7.8, 8.8];
        let after: Vec<f64> = ratings.iter().map(|pr| pr - 4.0).collect();
        let mut sum = record(&[ratings, after].concat());
        sum.matches.reverse();
        let change = sum.finish().pr_change_point.expect("a change");
        assert_eq!(change.date, "2026-03-11");
        assert_eq!((change.before.matches, change.after.matches), (10, 10));
        assert!((change.before.value - change.after.value - 4.0).abs() < 1e-9);
        assert!(change.p <= 0.01 && change.before.ci95.is_some());
    }

    #[test]
    fn no_change_is_told_where_the_matches_do_not_carry_it() {
        let up_and_down: Vec<f64> = (0..28).map(|i| f64::from(4 + 3 * (i % 2))).collect();
        assert_eq!(record(&up_and_down).finish().pr_change_point, None);
        // Too few on one side.
        let few = [vec![9.0; 7], vec![3.0; 7]].concat();
        assert_eq!(record(&few).finish().pr_change_point, None);
        assert_eq!(record(&[]).finish(), PlayerRecord::default());
    }
}
