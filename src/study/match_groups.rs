//! The matches of a player put together: by month, event, opponent and length.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::Serialize;

use super::rated_match::RatedMatch;
use crate::library::filter::{event_word, opponent_word};
use crate::library::names::fold;
use crate::review::Class;
use crate::review::trend::{Trend, TrendEstimate};

/// Property that the matches of a group share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum GroupBy {
    /// The month in which they were played.
    Month,
    /// The event, however its name is written; matches of no known event are no group.
    Event,
    /// The opponent, under whatever names.
    Opponent,
    /// The points that they were played to.
    Length,
}

impl GroupBy {
    pub const ALL: [Self; 4] = [Self::Month, Self::Event, Self::Opponent, Self::Length];

    /// Returns the key of the match's group.
    fn key(self, one: &RatedMatch) -> String {
        match self {
            Self::Month => month(&one.date).unwrap_or_default().to_owned(),
            Self::Event => fold(&one.event),
            Self::Opponent => one.opponent.clone(),
            Self::Length => one.length.to_string(),
        }
    }

    /// The name of the group of a match.
    fn name(self, one: &RatedMatch) -> String {
        match self {
            Self::Month => month(&one.date).unwrap_or("month unknown").to_owned(),
            Self::Event => one.event.clone(),
            Self::Opponent => one.players[1].clone(),
            Self::Length => match one.length {
                0 => "money".to_owned(),
                1 => "1 point".to_owned(),
                length => format!("{length} points"),
            },
        }
    }

    /// The filter that finds the group of a match in the library.
    fn filter(self, one: &RatedMatch) -> Option<String> {
        match self {
            Self::Month => month(&one.date).map(|month| format!("date:{month}")),
            Self::Event => Some(event_word(&one.event)),
            Self::Opponent => Some(opponent_word(&one.players[1])),
            Self::Length => Some(format!("length:{}", one.length)),
        }
    }
}

/// The month of a day as it is listed, where it is known.
fn month(day: &str) -> Option<&str> {
    day.get(.."2026-11".len())
}

/// Matches of a player that have something in common.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MatchGroup {
    pub by: GroupBy,
    /// The month, the name of the event or the opponent as the latest of them has it, or the length.
    pub name: String,
    /// The filter that finds them in the library, where there is one.
    #[serde(skip)]
    pub filter: Option<String>,
    pub matches: usize,
    /// Decisions with something to decide.
    pub decisions: u32,
    /// Points given away.
    pub error: f64,
    pub blunders: u32,
    /// The rating over these matches, with the matches as units.
    pub pr: Option<TrendEstimate>,
}

impl MatchGroup {
    /// Heads of [`Self::cells`] behind the first, which says what the names are.
    pub const HEADS: [&str; 5] = ["matches", "decisions", "error", "PR", "95% interval"];

    /// The group as a row of a table.
    pub fn cells(&self) -> [String; 6] {
        let [pr, interval] = TrendEstimate::cells(self.pr);
        [
            self.name.clone(),
            self.matches.to_string(),
            self.decisions.to_string(),
            format!("{:.3}", self.error),
            pr,
            interval,
        ]
    }

    /// The group of these matches, the latest last; `None` of none.
    fn of(by: GroupBy, matches: &[&RatedMatch]) -> Option<Self> {
        let latest = matches.last()?;
        let mut trend = Trend::default();
        let (mut decisions, mut blunders, mut error) = (0, 0, 0.0);
        for one in matches {
            trend.push(&one.figures);
            for kind in Class::ALL.map(|class| one.figures.of(class)) {
                decisions += kind.decisions;
                blunders += kind.blunders;
                error += kind.error;
            }
        }
        Some(Self {
            by,
            name: by.name(latest),
            filter: by.filter(latest),
            matches: matches.len(),
            decisions,
            error,
            blunders,
            pr: trend.pr(),
        })
    }
}

/// The groups of matches that are given in the order of play: months and events with the latest first, opponents with
/// the most matches first, short matches first and money last.
pub fn match_groups(matches: &[RatedMatch], by: GroupBy) -> Vec<MatchGroup> {
    let mut groups: BTreeMap<String, Vec<&RatedMatch>> = BTreeMap::new();
    for one in matches {
        groups.entry(by.key(one)).or_default().push(one);
    }
    let mut groups: Vec<(String, Vec<&RatedMatch>)> = groups.into_iter().collect();
    let latest = |matches: &[&RatedMatch]| matches.last().map(|one| one.date.clone());
    match by {
        GroupBy::Month => groups.reverse(),
        GroupBy::Event => {
            groups.retain(|(event, _)| !event.is_empty());
            groups.sort_by_cached_key(|(_, matches)| Reverse(latest(matches)));
        }
        GroupBy::Opponent => groups.sort_by_key(|(_, matches)| Reverse(matches.len())),
        // Money has no length.
        GroupBy::Length => groups.sort_by_key(|(_, matches)| matches[0].length.wrapping_sub(1)),
    }
    let groups = groups.iter();
    groups
        .filter_map(|(_, matches)| MatchGroup::of(by, matches))
        .collect()
}
