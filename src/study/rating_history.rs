//! The rating of a player, match by match.

use super::match_groups::{GroupBy, MatchGroup, match_groups};
use super::rated_match::RatedMatch;
use crate::review::trend::{Trend, TrendEstimate, order_is_known};
use crate::review::trend_parts::{
    ClassTrend, ClassTrends, CubeErrorTrend, CubeErrorTrends, TypeTrend, TypeTrends,
};

/// The matches of a player, in the order in which they were played.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RatingHistory {
    matches: Vec<RatedMatch>,
}

impl RatingHistory {
    /// Adds a match that was played after those before.
    pub fn push(&mut self, one: RatedMatch) {
        self.matches.push(one);
    }

    /// All matches.
    pub fn matches(&self) -> &[RatedMatch] {
        &self.matches
    }

    fn trend(&self) -> Trend {
        let mut trend = Trend::default();
        self.matches.iter().for_each(|one| trend.push(&one.figures));
        trend
    }

    /// PR over all matches.
    pub fn pr(&self) -> Option<TrendEstimate> {
        self.trend().pr()
    }

    /// PR over the latest ten matches, where their order is known; `None` if there are no more than these.
    pub fn latest(&self) -> Option<TrendEstimate> {
        self.trend().latest().filter(|_| self.is_ordered())
    }

    /// Change of PR in ten matches, where their order is known.
    pub fn slope(&self) -> Option<TrendEstimate> {
        self.trend().slope().filter(|_| self.is_ordered())
    }

    /// Returns whether the order of the matches is known.
    pub fn is_ordered(&self) -> bool {
        order_is_known(self.matches.iter().map(|one| &*one.date))
    }

    /// After each match the PR over the latest [`LATEST`](crate::review::trend::LATEST) that have one, as many as
    /// there are; nothing where the order of the matches is not known.
    pub fn running(&self) -> Vec<Option<f64>> {
        let (mut trend, is_ordered) = (Trend::default(), self.is_ordered());
        let after = |one: &RatedMatch| {
            trend.push(&one.figures);
            trend.running().filter(|_| is_ordered)
        };
        self.matches.iter().map(after).collect()
    }

    /// Sums up the player's decisions by class.
    pub fn classes(&self) -> Vec<ClassTrend> {
        let mut all = ClassTrends::default();
        let matches = self.matches.iter();
        matches.for_each(|one| all.push(&one.figures, one.length));
        all.rows()
    }

    /// Sums up the player's decisions by kind of position, the one that cost most first.
    pub fn types(&self) -> Vec<TypeTrend> {
        let mut all = TypeTrends::default();
        self.matches.iter().for_each(|one| all.push(&one.types));
        all.rows()
    }

    /// Sums up the player's errors in cube decisions by kind.
    pub fn cube_errors(&self) -> Vec<CubeErrorTrend> {
        let mut all = CubeErrorTrends::default();
        let matches = self.matches.iter();
        matches.for_each(|one| all.push(&one.cube_errors, &one.figures, one.length));
        all.rows()
    }

    /// The matches by month, event, opponent or length.
    pub fn groups(&self, by: GroupBy) -> Vec<MatchGroup> {
        match_groups(&self.matches, by)
    }

    /// The matches by month, then by event, opponent and length.
    pub fn all_groups(&self) -> Vec<MatchGroup> {
        let all = GroupBy::ALL.into_iter();
        all.flat_map(|by| self.groups(by)).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::game::Player;
    use crate::match_file;
    use crate::review::Class;
    use crate::review::figures::{ClassFigures, Figures, Rate};
    use crate::review::report::{GameReport, testing};

    fn one(decisions: u32, pr: f64) -> RatedMatch {
        let counted = Rate {
            decisions,
            error: pr * f64::from(decisions) / 500.0,
        };
        RatedMatch {
            date: "2026-03-05".into(),
            players: ["Anna".into(), "Ben".into()],
            opponent: "ben".into(),
            event: String::new(),
            length: 7,
            score: [7, 3],
            figures: Figures {
                pr: counted.pr(7),
                pr_counted: counted,
                ..Figures::default()
            },
            opponent_pr: None,
            net_luck: 0.0,
            luck_adjusted_result: 0.5,
            types: Vec::new(),
            cube_errors: Vec::new(),
        }
    }

    #[test]
    fn the_running_rating_forgets_what_is_longer_ago() {
        let mut history = RatingHistory::default();
        assert!(history.running().is_empty() && history.pr().is_none());
        history.push(one(100, 20.0));
        history.push(one(300, 4.0));
        for _ in 0..10 {
            history.push(one(100, 6.0));
        }
        let running: Vec<f64> = history.running().into_iter().flatten().collect();
        assert_eq!(running.len(), 12);
        assert!((running[0] - 20.0).abs() < 1e-9 && (running[1] - 8.0).abs() < 1e-9);
        assert!((running[11] - 6.0).abs() < 1e-9, "{running:?}");
        // A match without a decision that counts is none of the ten, here and there.
        let mut without = one(0, 0.0);
        without.figures.pr = None;
        history.push(without);
        assert_eq!(
            history.running()[12],
            history.latest().map(|latest| latest.value)
        );
        let latest = history.latest().map(|latest| latest.value);
        assert!(latest.is_some_and(|pr| (pr - 6.0).abs() < 1e-9));
    }

    /// The luck of a game that broke off is not subtracted from the result.
    #[test]
    fn net_luck_leads_to_the_luck_adjusted_result() {
        let sample = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/sample_matches/clara-dev-3pt.mat"
        );
        let mut record = match_file::read(Path::new(sample)).unwrap();
        let last = record.games.last_mut().unwrap();
        last.result = None;
        last.events.truncate(9);
        let report = testing::reviewed(&record, 0);
        let luck = |games: &[GameReport]| -> f64 {
            let net = |game: &GameReport| {
                let [left, right] = &game.players;
                right.luck_unnormalised - left.luck_unnormalised
            };
            games.iter().map(net).sum()
        };
        let (_, ended) = report.games.split_last().unwrap();
        assert!(!ended.is_empty() && ended.iter().all(|game| game.after.is_some()));
        let right = RatedMatch::of(&report, "", Player::Right);
        assert!((right.net_luck - luck(ended)).abs() < 1e-6);
        assert!((right.net_luck - luck(&report.games)).abs() > 1e-3);
    }

    #[test]
    fn the_cube_has_one_rating_of_doubles_and_takes() {
        let kind = |decisions, error| ClassFigures {
            decisions,
            error,
            ..ClassFigures::default()
        };
        let mut with_cube = one(60, 5.0);
        assert_eq!(with_cube.cube_pr(), None);
        with_cube.figures.double = kind(6, 0.1);
        with_cube.figures.take = kind(4, 0.3);
        assert!(
            with_cube
                .cube_pr()
                .is_some_and(|pr| (pr - 20.0).abs() < 1e-9)
        );
        let plays = with_cube.pr_of(Class::Checker);
        assert!(plays.is_some_and(|pr| (pr - 2.0).abs() < 1e-9), "{plays:?}");
    }

    /// Each month, event, opponent and length has its matches, also where a name is written in two ways.
    #[test]
    fn matches_are_put_together() {
        let mut history = RatingHistory::default();
        history.push(RatedMatch {
            date: "2026".into(),
            length: 0,
            event: "Club evening".into(),
            ..one(50, 3.0)
        });
        history.push(RatedMatch {
            event: "Open, final".into(),
            ..one(100, 4.0)
        });
        history.push(RatedMatch {
            date: "2026-04-01~".into(),
            event: "club  evening".into(),
            players: ["Anna".into(), "BEN".into()],
            ..one(300, 8.0)
        });
        let all = history.all_groups().into_iter();
        let all: Vec<_> = all.map(|row| (row.name, row.matches, row.filter)).collect();
        let row = |name: &str, matches, filter: &str| {
            let filter = Some(filter.to_owned()).filter(|filter| !filter.is_empty());
            (name.to_owned(), matches, filter)
        };
        let wanted = [
            row("2026-04", 1, "date:2026-04"),
            row("2026-03", 1, "date:2026-03"),
            row("month unknown", 1, ""),
            row("club  evening", 2, "event=\"club  evening\""),
            row("Open, final", 1, "event=\"Open, final\""),
            row("BEN", 3, "opponent=\"BEN\""),
            row("7 points", 2, "length:7"),
            row("money", 1, "length:0"),
        ];
        assert_eq!(all, wanted);
        let lengths = history.groups(GroupBy::Length);
        let pr = lengths[0].pr.map(|pr| pr.value);
        assert!(pr.is_some_and(|pr| (pr - 7.0).abs() < 1e-9), "{pr:?}");
    }
}
