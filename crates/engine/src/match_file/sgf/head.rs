//! Reads the first node of a tree: the head of a game and of its match.

use super::board::player_of;
use super::syntax::{Property, head_of, unescape, value};
use crate::game::{Player, Rules};
use crate::match_file::builder::{MatchBuilder, name};
use crate::match_file::length::MatchLength;
use crate::match_file::model::Match;
use crate::match_file::text::{clean, clean_lines};
use crate::match_file::variant::Variant;

/// Properties of the head that become tags, with the names of the tags.
pub(super) const TAGS: [(&str, &str); 9] = [
    ("DT", "EventDate"),
    ("EV", "Event"),
    ("RO", "Round"),
    ("PC", "Place"),
    ("AN", "Annotator"),
    ("WR", "Player 1 Elo"),
    ("BR", "Player 2 Elo"),
    ("US", "Transcriber"),
    ("GC", "Remark"),
];

/// In Luckless's files, text between its own name and the name of the analysing program.
pub(super) const ANALYSED_BY: &str = " (analysed by ";

#[derive(Default)]
pub(super) struct TreeHead {
    pub(super) program: String,
    pub(super) length: Option<MatchLength>,
    pub(super) game: Option<u32>,
    pub(super) score: [u16; 2],
    pub(super) players: [Option<String>; 2],
    pub(super) rules: Vec<String>,
    pub(super) result: Option<(Player, Option<u32>)>,
    pub(super) tags: Vec<(String, String)>,
    /// A remark was shortened.
    pub(super) is_cut: bool,
}

impl TreeHead {
    pub(super) fn new(node: &[Property<'_>]) -> Self {
        let mut head = Self::default();
        for property in node {
            let text = value(property).unwrap_or_default();
            match &*property.name {
                "AP" => head.program = program(&text),
                "MI" => head.match_info(property),
                "PW" => head.players[0] = Some(name(&text, Player::Left)),
                "PB" => head.players[1] = Some(name(&text, Player::Right)),
                "RU" => head.rules = text.split(':').map(str::to_owned).collect(),
                "RE" => head.result = result(&text),
                _ => {}
            }
            if let Some((_, tag)) = TAGS.iter().find(|(name, _)| *name == property.name) {
                let text = match property.name == "GC" {
                    true => head.remark(property),
                    false => clean(&text),
                };
                if !text.is_empty() {
                    head.tags.push(((*tag).to_owned(), text));
                }
            }
        }
        head
    }

    /// Returns the remark on the game, with its line breaks.
    fn remark(&mut self, property: &Property<'_>) -> String {
        let first = property.values.first().map_or("", |value| head_of(value));
        let (text, is_cut) = clean_lines(&unescape(first, false));
        self.is_cut |= is_cut;
        text
    }

    fn match_info(&mut self, property: &Property<'_>) {
        for value in &property.values {
            let text = unescape(value, true);
            let Some((key, number)) = text.split_once(':') else {
                continue;
            };
            let (key, digits) = (key.trim(), number.trim());
            if key == "length" {
                self.length = Some(MatchLength::read(digits));
            }
            let Ok(number) = digits.parse::<u16>() else {
                continue;
            };
            match key {
                "game" => self.game = Some(u32::from(number)),
                "ws" => self.score[0] = number,
                "bs" => self.score[1] = number,
                _ => {}
            }
        }
    }

    /// Returns the program that analysed the match.
    pub(super) fn analyst(&self) -> &str {
        let other = self.program.split_once(ANALYSED_BY);
        other.map_or(&self.program, |(_, name)| {
            name.strip_suffix(')').unwrap_or(name)
        })
    }

    pub(super) fn has_rule(&self, rule: &str) -> bool {
        self.rules
            .iter()
            .any(|r| r.trim().eq_ignore_ascii_case(rule))
    }

    /// Returns the variant named by the rules, unless it is backgammon.
    pub(super) fn variant(&self) -> Option<(&str, Variant)> {
        let names = self.rules.iter().map(|rule| rule.trim());
        let names = names.filter(|rule| rule.to_ascii_lowercase().contains("gammon"));
        names
            .map(|name| (name, Variant::of(name)))
            .find(|(_, variant)| *variant != Variant::Backgammon)
    }

    /// Returns whether this is the Crawford game, if the rules determine it. For programs that do not list
    /// all rules, the score determines when it is not.
    pub(super) fn is_crawford_game(&self) -> Option<bool> {
        let is_named = self.has_rule("CrawfordGame");
        let is_known = is_named || !self.rules.is_empty() && self.lists_all_rules();
        is_known.then_some(is_named)
    }

    /// Returns whether the program writes a list of all rules in force.
    fn lists_all_rules(&self) -> bool {
        let lists_all = ["GNU Backgammon", "Luckless"];
        lists_all.iter().any(|name| self.program.starts_with(name))
    }

    /// Returns whether the rules are missing because the program does not list all of them.
    fn says_no_rules(&self) -> bool {
        self.rules.is_empty() && !self.lists_all_rules()
    }

    /// Returns whether this game belongs to another match than the present one.
    pub(super) fn begins_match(&self, match_builder: &MatchBuilder) -> bool {
        let record = &match_builder.record;
        let Some(last) = record.games.last() else {
            return false;
        };
        let number = self.game.map_or(u32::MAX, |game| game.saturating_add(1));
        self.is_of_other(record) || number <= last.number
    }

    /// Returns whether a match has another length or other players than this head.
    pub(super) fn is_of_other(&self, record: &Match) -> bool {
        let other_name = self
            .players
            .iter()
            .zip(&record.players)
            .any(|(mine, theirs)| mine.as_ref().is_some_and(|mine| mine != theirs));
        self.points() != record.length || other_name
    }

    /// Returns the length of the match; 0 for money.
    fn points(&self) -> u16 {
        self.length.as_ref().map_or(0, |length| length.points)
    }

    /// Creates a match from this head.
    pub(super) fn record(&self) -> Match {
        let length = self.points();
        let names = [Player::Left, Player::Right].map(|player| {
            let found = self.players[player.index()].clone();
            found.unwrap_or_else(|| name("", player))
        });
        Match {
            format: "sgf",
            length,
            players: names,
            crawford: length > 0 && (self.has_rule("Crawford") || self.says_no_rules()),
            rules: Rules {
                jacoby: length == 0 && self.has_rule("Jacoby"),
                beavers: length == 0,
                ..Rules::default()
            },
            ..Match::default()
        }
    }
}

/// Returns a program's name such as `GNU Backgammon:1.08.003` with a blank before the version.
fn program(text: &str) -> String {
    clean(&text.replace(':', " "))
}

/// Parses winner and points, such as `W+2R`.
fn result(text: &str) -> Option<(Player, Option<u32>)> {
    let (winner, points) = text.trim().split_once('+')?;
    let digits: String = points
        .chars()
        .take_while(char::is_ascii_digit)
        .take(6)
        .collect();
    Some((player_of(winner)?, digits.parse().ok()))
}
