//! An entry in a list of matches.

use serde::{Deserialize, Serialize};

use crate::game::Player;
use crate::match_file::Match;
use crate::match_file::tag::EVENT;
use crate::review::Report;
use crate::sanitize;

/// A match in a list. The left player is the first of each pair.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct MatchHead {
    /// The players, as the file writes them.
    pub players: [String; 2],
    /// The day it was played, as `2026-11-20`. A `~` after it marks the modification date of the file.
    pub date: String,
    pub event: Option<String>,
    pub site: Option<String>,
    /// Match length in points, 0 for money.
    pub length: u16,
    /// Final score.
    pub score: [u32; 2],
    /// The match was finished.
    pub complete: bool,
    pub games: u32,
    /// Number of turns, including cube actions. Of two records of a match the longer is kept.
    pub turns: u32,
    /// Performance ratings.
    pub pr: [Option<f64>; 2],
    /// Number of decisions that count for the PR.
    pub pr_decisions: [u32; 2],
    /// Errors in points, normalised to the cube.
    pub error: [f64; 2],
    /// Errors as match-winning chance; in money play in points, multiplied by the cube.
    pub error_unnormalised: [f64; 2],
    /// Luck in points, normalised to the cube.
    pub luck: [f64; 2],
    /// Luck as match-winning chance; in money play in points, multiplied by the cube.
    pub luck_unnormalised: [f64; 2],
    /// Results minus luck, as match-winning chance; in money play in points, multiplied by the cube.
    pub luck_adjusted_result: [f64; 2],
    /// Name of the evaluator that reviewed it.
    pub engine: String,
    /// Maximum search depth.
    pub ply: u8,
    /// Number of decisions that were also rolled out.
    pub rolled: u32,
    /// The match equity table if it is not the standard one; a table without the Crawford rule is another table.
    /// `None` for money sessions.
    pub table: Option<String>,
    /// A money session was reviewed with the Jacoby rule.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub jacoby: bool,
    /// A money session was reviewed with beavers.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub beavers: bool,
}

impl MatchHead {
    /// The head of a match played on `date` and reviewed with the standard table.
    pub fn new(record: &Match, report: &Report, date: &str) -> Self {
        let figures = |side: usize| &report.players[side].figures;
        let both = [0, 1];
        Self {
            players: both.map(|side| clean(&report.players[side].name)),
            date: date.to_owned(),
            event: report.event.as_deref().map(clean),
            site: site(record),
            length: report.length,
            score: report.score,
            complete: report.complete,
            games: report.games.len() as u32,
            turns: report.games.iter().map(|g| g.moves.len() as u32).sum(),
            pr: both.map(|side| figures(side).pr),
            pr_decisions: both.map(|side| figures(side).pr_counted.decisions),
            error: both.map(|side| figures(side).error_total),
            error_unnormalised: both.map(|side| figures(side).error_unnormalised),
            luck: both.map(|side| figures(side).luck),
            luck_unnormalised: both.map(|side| figures(side).luck_unnormalised),
            luck_adjusted_result: both.map(|side| report.players[side].luck_adjusted_result),
            engine: report.engine.clone(),
            ply: report.ply,
            rolled: report.rollouts.map_or(0, |r| r.decisions as u32),
            table: None,
            jacoby: report.is_money() && report.rules.jacoby,
            beavers: report.is_money() && report.rules.beavers,
        }
    }

    /// Returns the same figures with the players, the event and the place of `record`, and this `date`.
    pub fn described_by(self, record: &Match, date: &str) -> Self {
        Self {
            players: record.players.each_ref().map(|name| clean(name)),
            date: date.to_owned(),
            event: record.tag(EVENT).map(clean),
            site: site(record),
            ..self
        }
    }

    /// Returns the same figures with the description (players, date, event, place) of another head of the match.
    /// Returns `None` if nothing changes or the seats are exchanged.
    pub fn corrected_by(&self, other: &Self) -> Option<Self> {
        let [left, right] = &self.players;
        let is_turned = left != right && other.players == [right.clone(), left.clone()];
        let corrected = Self {
            players: other.players.clone(),
            // A newer modification date says nothing about the day of play.
            date: match other.date.ends_with('~') {
                true => self.date.clone(),
                false => other.date.clone(),
            },
            event: other.event.clone().or_else(|| self.event.clone()),
            site: other.site.clone().or_else(|| self.site.clone()),
            ..self.clone()
        };
        (!is_turned && corrected != *self).then_some(corrected)
    }

    /// Returns the same figures, with day, event and place completed from another file of the match; `None` if that
    /// adds nothing.
    pub fn completed_by(&self, other: &Self) -> Option<Self> {
        let is_part = other.date.starts_with(&self.date);
        let takes_date = !other.date.ends_with('~') && (self.date.ends_with('~') || is_part);
        let completed = Self {
            date: if takes_date { &other.date } else { &self.date }.clone(),
            event: self.event.clone().or_else(|| other.event.clone()),
            site: self.site.clone().or_else(|| other.site.clone()),
            ..self.clone()
        };
        (completed != *self).then_some(completed)
    }

    /// Returns these figures of a rewritten file, with day and place completed from `old`, the head of its former
    /// content.
    pub fn correcting(self, old: &Self) -> Self {
        // Not the names: the seats may be exchanged.
        let old = Self {
            players: self.players.clone(),
            ..old.clone()
        };
        let corrected = old.corrected_by(&self);
        self.dated_as(corrected.unwrap_or(old))
    }

    /// Returns these figures with the description of `old`, the head of another file of the match.
    pub fn adding_to(mut self, old: &Self) -> Self {
        let [left, right] = &old.players;
        let [one, other] = &self.players;
        let completed = old.completed_by(&self);
        // The seats may be exchanged in the other record; a name in common shows it.
        if left == one || right == other {
            self.players = old.players.clone();
        } else if left == other || right == one {
            self.players = [right.clone(), left.clone()];
        }
        self.dated_as(completed.unwrap_or_else(|| old.clone()))
    }

    /// Returns the same figures with day, event and place of another head.
    fn dated_as(self, other: Self) -> Self {
        Self {
            date: other.date,
            event: other.event,
            site: other.site,
            ..self
        }
    }

    /// Returns whether a review of this record would use the same money rules.
    pub fn has_rules_of(&self, record: &Match) -> bool {
        let rules = record.rules;
        !self.is_money() || (self.jacoby, self.beavers) == (rules.jacoby, rules.beavers)
    }

    /// Returns whether a review with this match equity table would have the same figures. Money sessions use no
    /// table.
    pub fn is_of_table(&self, table: Option<&str>) -> bool {
        self.is_money() || self.table.as_deref() == table
    }

    /// Returns whether the match is a money session.
    pub fn is_money(&self) -> bool {
        self.length == 0
    }

    /// Returns the winner of the match, if finished.
    pub fn winner(&self) -> Option<Player> {
        let [left, right] = self.score;
        let length = u32::from(self.length);
        match (self.is_money(), left >= length, right >= length) {
            (true, ..) if left != right => Some(if left > right {
                Player::Left
            } else {
                Player::Right
            }),
            (false, true, false) => Some(Player::Left),
            (false, false, true) => Some(Player::Right),
            _ => None,
        }
    }
}

/// Formats the score of a match to `length` points (0: money session), with `…` if unfinished.
pub fn match_score(length: u16, [own, other]: [u32; 2]) -> String {
    let unfinished = if is_unfinished(length, [own, other]) {
        "…"
    } else {
        ""
    };
    format!("{own}–{other}{unfinished}")
}

/// Returns whether a match has no winner yet.
pub fn is_unfinished(length: u16, score: [u32; 2]) -> bool {
    length > 0 && score.iter().all(|&points| points < u32::from(length))
}

/// Returns the place of a match. If a file has a separate place, its site is the program or the server.
fn site(record: &Match) -> Option<String> {
    let tag = |name: &str| {
        let mut tags = record.tags.iter();
        let found = tags.find(|(key, text)| key.eq_ignore_ascii_case(name) && !text.is_empty());
        found.map(|(_, text)| clean(text))
    };
    ["Place", "Location", "Site"].into_iter().find_map(tag)
}

fn clean(text: &str) -> String {
    sanitize::clean(text).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_preferred_to_the_name_of_a_program() {
        let found = |tags: &[(&str, &str)]| {
            let tags = tags.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned()));
            site(&Match {
                tags: tags.collect(),
                ..Match::default()
            })
        };
        let program = ("Site", "eXtreme Gammon");
        let both = found(&[program, ("Place", "Paris")]);
        assert_eq!(both.as_deref(), Some("Paris"));
        let empty = found(&[program, ("Place", ""), ("location", "Bath")]);
        assert_eq!(empty.as_deref(), Some("Bath"));
        assert_eq!(found(&[program]).as_deref(), Some("eXtreme Gammon"));
        assert_eq!(found(&[]), None);
    }

    #[test]
    fn a_match_that_nobody_has_won_is_marked() {
        assert_eq!(match_score(7, [7, 3]), "7–3");
        assert_eq!(match_score(7, [2, 9]), "2–9");
        assert_eq!(match_score(7, [6, 3]), "6–3…");
        assert_eq!(
            match_score(0, [6, 3]),
            "6–3",
            "a session is over at any score"
        );
    }
}
