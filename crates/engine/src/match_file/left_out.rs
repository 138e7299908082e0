//! Finds what a format cannot store of a match: reads the written text again and compares it with the match.

use std::collections::{BTreeMap, HashSet};

use super::ReadError;
use super::analysis::Analysis;
use super::date::Date;
use super::json::AnalysisForm;
use super::model::{Action, DecisionState, Game, Match};
use super::start::Start;
use super::text::quote;
use super::variations::Variations;
use super::write::Target;
use crate::game::{GameState, Player, Position, Roll};
use crate::words::counted;

/// Tags that a format stores elsewhere.
const IN_THE_HEAD: [&str; 4] = ["Variation", "Crawford", "Jacoby", "Beaver"];
/// Tags of the players' names, which a format stores elsewhere too.
const NAMES: [&str; 2] = ["Player 1", "Player 2"];
/// Maximum number of lines about the games of one match.
const MOST_GAMES_TOLD: usize = 20;

impl Target {
    /// Returns one line for each part of `record` missing in `written`, the output of [`Target::write`].
    pub fn left_out(self, record: &Match, written: &str) -> Vec<String> {
        self.losses(record, written)
            .unwrap_or_else(|error| vec![format!("what is written cannot be read again: {error}")])
    }

    /// Returns the parts of `record` missing in `written`, as [`Target::left_out`] does.
    ///
    /// # Errors
    /// If `written` cannot be read again.
    pub fn losses(self, record: &Match, written: &str) -> Result<Vec<String>, ReadError> {
        let again = super::read_bytes(written.as_bytes(), "written")?;
        let mut losses = Vec::new();
        let matches = [record.others.len(), again.others.len()].map(|n| n + 1);
        if matches[0] != matches[1] {
            let [had, has] = matches;
            losses.push(match has > had {
                true => format!("read again it is {has} matches, not {had}"),
                false => format!("{has} of {had} matches are written"),
            });
            return Ok(losses);
        }
        let pairs =
            std::iter::once((record, &again)).chain(record.others.iter().zip(&again.others));
        for (index, (record, again)) in pairs.enumerate() {
            let mut own = Comparison {
                format: self.name(),
                record,
                again,
                losses: Vec::new(),
            };
            own.compare();
            let with_match_number = |line| match index {
                0 => line,
                _ => format!("match {}: {line}", index + 1),
            };
            losses.extend(own.losses.into_iter().map(with_match_number));
        }
        Ok(losses)
    }

    /// Returns the name of the format in messages.
    fn name(self) -> &'static str {
        match self {
            Self::Mat | Self::Text => "match text",
            Self::Sgf => "SGF",
            Self::Json => "JSON",
        }
    }
}

/// A match, and the match read from its written form.
struct Comparison<'a> {
    format: &'static str,
    record: &'a Match,
    again: &'a Match,
    losses: Vec<String>,
}

impl Comparison<'_> {
    fn compare(&mut self) {
        // A list of positions has no common names.
        if !self.record.games.is_empty() {
            self.names_and_rules();
            self.games();
        }
        self.tags();
        self.remarks();
        self.analyses();
        self.variations();
        self.positions();
        self.names_alone();
    }

    fn names_and_rules(&mut self) {
        let names = self.record.players.iter().zip(&self.again.players);
        for (had, has) in names.filter(|(had, has)| had != has) {
            let line = format!("the name '{}' is written as '{}'", quote(had), quote(has));
            self.losses.push(line);
        }
        let (had, has) = (self.record.rules, self.again.rules);
        let is_money = self.record.length == 0;
        if is_money && had.beavers != has.beavers {
            let (rule, read) = match has.beavers {
                true => ("no beavers", "allowed"),
                false => ("beavers", "not allowed"),
            };
            self.losses.push(format!(
                "{} cannot say that there are {rule} in money play: read again they are {read}",
                self.format
            ));
        }
        if self.record.length != self.again.length {
            let line = format!("{} does not hold the length of the match", self.format);
            self.losses.push(line);
        }
        if !is_money && self.record.crawford != self.again.crawford {
            let line = format!("{} cannot say whether the Crawford rule is on", self.format);
            self.losses.push(line);
        }
        if is_money && had.jacoby != has.jacoby {
            let line = format!("{} cannot say whether the Jacoby rule is on", self.format);
            self.losses.push(line);
        }
    }

    fn tags(&mut self) {
        let date = |text: &str| Date::parse(text);
        let is_line = |key: &str, line: &str| {
            let own = |(k, v): &(String, String)| k == key && v.lines().any(|l| l == line);
            self.again.tags.iter().any(own)
        };
        let is_held = |(key, value): &&(String, String)| {
            let same = |(k, v): &(String, String)| {
                // The format drops a time of day after a date.
                let is_date = key == "EventDate" && !value.contains(':');
                let is_date = is_date && date(v).is_some() && date(v) == date(value);
                k.eq_ignore_ascii_case(key) && (v == value || is_date)
            };
            let in_the_head = IN_THE_HEAD
                .iter()
                .any(|head| key.eq_ignore_ascii_case(head));
            let names = NAMES.iter().zip(&self.record.players);
            let a_name =
                |(tag, name): (&&str, &String)| key.eq_ignore_ascii_case(tag) && value == name;
            in_the_head
                || value.is_empty()
                || names.clone().any(a_name)
                || self.again.tags.iter().any(same)
                // Lines of a remark may have been split or joined.
                || (key == "Remark" && value.lines().all(|l| l.is_empty() || is_line(key, l)))
        };
        let lost = self.record.tags.iter().filter(|tag| !is_held(tag));
        let lost: Vec<&(String, String)> = lost.collect();
        let mut keys = Vec::new();
        for (key, had) in lost {
            match self.written_as(key, had) {
                Some(has) => {
                    let [key, had] = [key, had].map(|text| quote(text));
                    let line = format!("the {key} '{had}' is written as '{has}'");
                    self.losses.push(line);
                }
                None => keys.push(quote(key)),
            }
        }
        let mut seen = HashSet::new();
        keys.retain(|key| seen.insert(key.clone()));
        if !keys.is_empty() {
            let keys = keys.join(", ");
            let line = format!("{} does not hold these tags: {keys}", self.format);
            self.losses.push(line);
        }
    }

    /// Returns the changed value of a tag, quoted, if exactly one tag with that name exists before and after.
    fn written_as(&self, key: &str, had: &str) -> Option<String> {
        let named = |record: &Match| {
            let tags = record.tags.iter();
            let named = tags.filter(|(k, _)| k.eq_ignore_ascii_case(key));
            named.map(|(_, value)| quote(value)).collect::<Vec<_>>()
        };
        match &named(self.again)[..] {
            [has] if named(self.record).len() == 1 => (*has != quote(had)).then(|| has.clone()),
            _ => None,
        }
    }

    fn games(&mut self) {
        let [had, has] = [&self.record.games, &self.again.games].map(Vec::len);
        if had != has {
            self.losses.push(format!("{has} of {had} games are held"));
            return;
        }
        let games = self.record.games.iter().zip(&self.again.games);
        let differing = games.filter_map(|(had, has)| {
            let difference = self.difference(had, has)?;
            Some(format!(
                "game {}: {} does not hold {difference}",
                had.number, self.format
            ))
        });
        let lines: Vec<String> = differing.take(MOST_GAMES_TOLD).collect();
        self.losses.extend(lines);
    }

    /// Returns the first difference between a game and its written form.
    fn difference(&self, one: &Game, other: &Game) -> Option<String> {
        if Start::of(one) != Start::of(other) {
            return Some("where it starts".to_owned());
        }
        let score = |game: &Game| (game.number, game.score);
        if score(one) != score(other) {
            return Some("its number or score".to_owned());
        }
        let before = actions(self.record, one);
        let after = actions(self.again, other);
        let alike = before
            .iter()
            .zip(&after)
            .take_while(|(a, b)| a == b)
            .count();
        if alike < before.len().max(after.len()) {
            let all = before.len();
            return Some(match all.checked_sub(alike) {
                Some(1) => format!("the last of its {}", counted(all, "action")),
                Some(rest @ 2..) => format!("the last {rest} of its {all} actions"),
                _ => format!("that it breaks off after {}", counted(all, "action")),
            });
        }
        if one.result != other.result {
            return Some("its result".to_owned());
        }
        if one.is_cut && !other.is_cut {
            return Some("that actions before its end are missing".to_owned());
        }
        let written = points_written(one);
        if written.is_some() && written != points_written(other) {
            return Some("the points that were written".to_owned());
        }
        (one.crawford != other.crawford).then(|| "whether it is the Crawford game".to_owned())
    }

    fn remarks(&mut self) {
        let is_held = |text: &str, place: (usize, Option<usize>)| {
            let all = self.again.comments.iter();
            all.filter(|c| (c.game, c.event) == place)
                .any(|c| c.text.contains(text))
        };
        let all = self.record.comments.iter();
        let lost = all.filter(|c| !is_held(&c.text, (c.game, c.event))).count();
        let in_trees = |record: &Match| trees(record).map(Variations::remarks).sum::<usize>();
        let lost_in_trees = in_trees(self.record).saturating_sub(in_trees(self.again));
        self.count(lost + lost_in_trees + self.remarks_alone(), "remark");
    }

    /// Counts lost names of the players of standalone positions.
    fn names_alone(&mut self) {
        let named = |record: &Match| {
            let named = record.positions.iter().filter(|p| p.players.is_some());
            named.count()
        };
        let lost = named(self.record).saturating_sub(named(self.again));
        self.count(lost, "names of the players of a position");
    }

    /// Counts remarks on standalone positions that are lost or changed.
    fn remarks_alone(&self) -> usize {
        let mut again = self.again.positions.iter();
        let all = self.record.positions.iter();
        let all = all.map(|had| (had.comment.as_ref(), again.next()));
        all.filter(|(had, has)| had.is_some() && *had != has.and_then(|has| has.comment.as_ref()))
            .count()
    }

    fn analyses(&mut self) {
        let is_lost = |had: &Analysis, has: Option<&Analysis>| {
            has.is_none_or(|has| !AnalysisForm::is_alike(had, has))
        };
        let all = self.record.analyses.iter();
        let lost =
            all.filter(|&(game, event, had)| is_lost(had, self.again.analyses.of(game, event)));
        self.count(lost.count(), "analysed decision");
        let mut again = self.again.positions.iter();
        let alone = self.record.positions.iter();
        let lost = alone.filter(|one| {
            let has = again.next().and_then(|one| one.analysis.as_ref());
            one.analysis.as_ref().is_some_and(|had| is_lost(had, has))
        });
        self.count(lost.count(), "analysis of a position");
    }

    fn variations(&mut self) {
        let all = |record: &Match| trees(record).map(Variations::leaves).sum::<usize>();
        let lost = all(self.record).saturating_sub(all(self.again));
        self.count(lost, "variation");
    }

    fn positions(&mut self) {
        let lost = self
            .record
            .positions
            .len()
            .saturating_sub(self.again.positions.len());
        self.count(lost, "position that stands alone");
        let states = self.record.positions.iter().zip(&self.again.positions);
        let changed = states.filter_map(|(had, has)| changed(&had.state, &has.state));
        let mut kinds = BTreeMap::new();
        for part in changed.filter(|_| lost == 0) {
            *kinds.entry(part).or_insert(0) += 1;
        }
        for (part, number) in kinds {
            let line = format!(
                "{} does not hold: {part} of a position × {number}",
                self.format
            );
            self.losses.push(line);
        }
    }

    fn count(&mut self, number: usize, part: &str) {
        if number > 0 {
            let line = format!("{} does not hold: {part} × {number}", self.format);
            self.losses.push(line);
        }
    }
}

/// Iterates over all variations of a match and its standalone positions.
fn trees(record: &Match) -> impl Iterator<Item = &Variations> {
    let alone = record.positions.iter();
    let alone = alone.filter_map(|position| position.variations.as_deref());
    record.variations.values().chain(alone)
}

/// Names the first difference between two states.
fn changed(had: &GameState, has: &GameState) -> Option<&'static str> {
    let cube = |state: &GameState| (state.cube, state.owner, state.doubled);
    if had.position != has.position {
        Some("the board")
    } else if had.roll != has.roll {
        Some("the roll")
    } else if cube(had) != cube(has) {
        Some("the cube")
    } else if had.score != has.score {
        Some("the score")
    } else {
        let gains_beavers = has.rules.beavers && !had.rules.beavers;
        let rules = if gains_beavers {
            "the rule without beavers"
        } else {
            "the rules"
        };
        (had.rules != has.rules).then_some(rules)
    }
}

/// Returns the points in the result line of a game, if they differ from its result.
fn points_written(game: &Game) -> Option<u32> {
    let points = game.result.map(|result| result.points);
    game.points_written
        .filter(|&written| points != Some(written))
}

/// An action and its result, because a play can be written in many ways.
#[derive(PartialEq, Eq)]
enum ActionOutcome {
    Rolled(Roll, Option<Position>),
    Other(Action),
}

fn actions(record: &Match, game: &Game) -> Vec<(Player, ActionOutcome)> {
    let decisions = record.decision_states(game);
    let done = |(event, decision): (&super::model::Event, &DecisionState)| {
        let action = match event.action {
            Action::Move { roll, play } => {
                ActionOutcome::Rolled(roll, Some(play.apply(&decision.state.position)))
            }
            Action::Illegal { roll, after } => ActionOutcome::Rolled(roll, Some(after)),
            Action::Hidden { roll } => ActionOutcome::Rolled(roll, None),
            other => ActionOutcome::Other(other),
        };
        (event.player, action)
    };
    game.events.iter().zip(&decisions).map(done).collect()
}
