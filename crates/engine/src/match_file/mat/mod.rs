//! Match text: the format of Jellyfish (`.mat`, `.txt`) and its dialects in later programs and servers.
//!
//! There is no standard, so one reader accepts all dialects. `lines` reads heads, tags, game and score lines.
//! `cells` splits a row into actions, and `place` finds the player of each. `replay` and `cube` carry the
//! cells out on a board, and resolve incomplete or ambiguous notation by the rules of the game. `readings`
//! interprets illegal plays by the events after them. `result` determines the winner and the points.
//! [`mod@write`] writes the dialect that both GNU Backgammon and eXtreme Gammon read.

mod cells;
mod cube;
mod learnt_rules;
mod lines;
mod place;
mod readings;
mod remarks;
mod replay;
mod result;
mod tags;
pub mod write;

use super::bounded::{MOST_GAMES, MOST_MATCHES, MOST_TAGS};
use super::model::{Game, Match, Warning, score_after};
use super::start::Start;
use super::text::{REMARK_CUT, Text, clean_lines, quote};
use super::variant::Variant;
use super::warnings::{FilePlace, MOST_WARNINGS};
use crate::game::Position;
use crate::match_file::crawford::{CrawfordGame, is_crawford_score};
use lines::ScoreLine;
use place::{ClosingLine, Source, SourceRow, is_final_score};
use readings::Budget;
use replay::ReplayedGame;
pub(super) use result::{Ending, GameHead, settle};

/// Maximum number of rows read from a game.
const MOST_ROWS: usize = 2000;
/// Maximum number of rows and cells read from a match: fifty times those of a long one.
const MOST_CELLS: usize = 100_000;
/// Number of rows and cells in a file after which no further match is read.
const MOST_CELLS_OF_FILE: usize = 250_000;
const NO_GAME: &str = "the match has no game: expected 'Game 1', a score line and rows";

/// Resources used by the matches of a file.
#[derive(Default)]
struct FileUse {
    /// Rows and cells of the matches before.
    cells: usize,
    budget: Budget,
    /// The line of the game that exhausted the budget.
    spent_at: Option<u32>,
}

/// Returns whether a line is `N point match`, which identifies match text.
pub(super) fn is_match_line(line: &str) -> bool {
    lines::match_line(line).is_some()
}

/// Returns whether a line is `Game N`.
pub(super) fn is_game_line(line: &str) -> bool {
    lines::game_line(line).is_some()
}

/// Reads match text with all its matches.
///
/// # Errors
/// A message about the missing part, if there is no game or no name.
pub(super) fn read(text: &Text) -> Result<Match, &'static str> {
    let mut used = FileUse::default();
    let (mut matches, mut warnings, mut why) = (Vec::new(), Vec::new(), None);
    let warn = |line: u32, message: String| Warning::at(FilePlace::line(line, 1), message);
    let mut next = Some(0);
    // Continue after a match that cannot be read.
    for _ in 0..MOST_MATCHES {
        let Some(from) = next.filter(|_| used.cells < MOST_CELLS_OF_FILE) else {
            break;
        };
        let (one, after) = read_one(text, from, &mut used);
        match one {
            Ok(one) => matches.push(one),
            Err(missing) => {
                why.get_or_insert(missing);
                warnings.push(warn(from as u32 + 1, missing.to_owned()));
            }
        }
        next = after;
    }
    let mut others = matches.into_iter();
    let Some(mut first) = others.next() else {
        return Err(why.unwrap_or(NO_GAME));
    };
    if let Some(from) = next {
        let most = match used.cells < MOST_CELLS_OF_FILE {
            true => format!("{MOST_MATCHES} matches"),
            false => format!("{MOST_CELLS_OF_FILE} rows and cells"),
        };
        let message = format!("there are more than {most}: from here on nothing is read");
        warnings.push(warn(from as u32 + 1, message));
    }
    if let Some(line) = used.spent_at {
        let message = "too many plays are not legal: from here on none is read in another way";
        warnings.push(warn(line, message.to_owned()));
    }
    // Before the warnings of the first match, which may fill the limit.
    first.warnings.splice(0..0, warnings);
    first.others = others.collect();
    Ok(first)
}

/// Reads the match that begins after `from` lines. Also returns the line of the next match.
fn read_one(
    text: &Text,
    from: usize,
    used: &mut FileUse,
) -> (Result<Match, &'static str>, Option<usize>) {
    let mut reader = Reader::default();
    let mut next = None;
    let mut content = from;
    for (i, line) in text.lines.iter().enumerate().skip(from) {
        if !reader.line(line, i as u32 + 1) {
            // The comments above its first line belong to the next match.
            next = reader.another_match.then_some(content);
            break;
        }
        if !line.trim().is_empty() && lines::comment(line).is_none() {
            content = i + 1;
            reader.tags_before = reader.record.tags.len();
        }
    }
    if next.is_some() {
        let tags = reader.tags_before;
        reader.record.tags.truncate(tags);
    }
    used.cells += reader.cells;
    let record = reader.finish(used).map(|mut record| {
        record.encoding = text.encoding;
        record.warnings.sort_by_key(|w| (w.line, w.column));
        record
    });
    (record, next)
}

/// Reads one game without the head of a match: a line of two names, then rows.
///
/// # Errors
/// A message about the missing part.
pub(super) fn read_game(text: &Text) -> Result<Match, &'static str> {
    let mut reader = Reader {
        has_match_line: true,
        ..Reader::default()
    };
    let filled = text.lines.iter().position(|line| !line.trim().is_empty());
    let first = filled.unwrap_or(0);
    let head = text.lines.get(first).map_or("", |line| line);
    let mut names = head.split_whitespace().map(super::text::clean);
    let names = [names.next(), names.next()].map(Option::unwrap_or_default);
    reader.begin(1, first as u32 + 1);
    let score = ScoreLine {
        names,
        points: [0; 2],
        right_column: 34,
    };
    reader.set_score(score, first as u32 + 1);
    for (i, line) in text.lines.iter().enumerate().skip(first + 1) {
        if !reader.line(line, i as u32 + 1) {
            break;
        }
    }
    let mut record = reader.finish(&mut FileUse::default())?;
    record.encoding = text.encoding;
    Ok(record)
}

#[derive(Default)]
struct Reader {
    record: Match,
    has_match_line: bool,
    /// Reading ended at the start of another match.
    another_match: bool,
    /// Number of tags before the last line that is not a comment.
    tags_before: usize,
    /// Number of cells so far.
    cells: usize,
    sources: Vec<Source>,
    /// A position set up for the next game.
    start: Option<Start>,
    /// The variant, whose starting position applies to games without a set-up.
    variant: Variant,
    warnings: Vec<Warning>,
    /// The last line, if it may be the final score.
    closing: Option<ClosingLine>,
}

impl Reader {
    fn warn(&mut self, line: u32, column: usize, message: String) {
        let place = FilePlace::line(line, column as u32);
        self.warnings.push(Warning::at(place, message));
        if self.warnings.len() > 2 * MOST_WARNINGS {
            self.warnings.truncate(MOST_WARNINGS);
        }
    }

    /// Reads a line. Returns false at the end of the match.
    fn line(&mut self, line: &str, number: u32) -> bool {
        if line.trim().is_empty() {
            return true;
        }
        if self.awaits_score() && !line.trim_start().starts_with(';') {
            // Before other checks, because names can be anything: "#1", "Double", "Drop".
            if let Some(score) = lines::score_line(line) {
                self.set_score(score, number);
                return true;
            }
        }
        if let Some(comment) = lines::comment(line) {
            self.comment(comment, number);
            return true;
        }
        if let Some(length) = lines::match_line(line) {
            if self.has_match_line {
                let message = "another match begins here; it is listed behind this one";
                self.warn(number, 1, message.to_owned());
                self.another_match = true;
                return false;
            }
            if let Some(complaint) = length.complaint {
                self.warn(number, 1, complaint);
            }
            self.has_match_line = true;
            self.record.length = length.points;
            return true;
        }
        if !self.has_match_line {
            let message = format!("'{}' stands before the match and is not read", quote(line));
            self.warn(number, 1, message);
            return true;
        }
        if let Some(game) = lines::game_line(line) {
            return self.begin(game, number);
        }
        self.body(line, number)
    }

    fn comment(&mut self, comment: &str, line: u32) {
        if let Some(text) = comment.strip_prefix("Set Pos=") {
            match lines::set_position(text) {
                Some(start) => self.start = Some(start),
                None => self.warn(line, 1, "the position set here is not one".to_owned()),
            }
            return;
        }
        let tag = lines::tag(comment);
        if comment.is_empty() || self.record.tags.len() >= MOST_TAGS {
            return;
        }
        let tag = tag.unwrap_or_else(|| {
            let (text, is_cut) = clean_lines(comment);
            if is_cut {
                self.warn(line, 1, REMARK_CUT.to_owned());
            }
            ("Remark".to_owned(), text)
        });
        self.record.tags.push(tag);
    }

    fn begin(&mut self, number: u32, line: u32) -> bool {
        self.reject_closing_line();
        if self.sources.len() == MOST_GAMES {
            let message = format!("more than {MOST_GAMES} games; the rest is not read");
            self.warn(line, 1, message);
            return false;
        }
        self.sources.push(Source {
            number,
            line,
            start: self.start.take(),
            ..Source::default()
        });
        true
    }

    /// Returns whether a game has begun without its score line.
    fn awaits_score(&self) -> bool {
        let last = self.sources.last();
        last.is_some_and(|game| game.score.is_none() && game.rows.is_empty())
    }

    fn set_score(&mut self, score: ScoreLine, line: u32) {
        if let Some(game) = self.sources.last_mut() {
            (game.score, game.score_line) = (Some(score), line);
        }
    }

    /// Reads a row, or a score line without a game line before it.
    fn body(&mut self, line: &str, number: u32) -> bool {
        let rows = cells::rows(line);
        let is_row = rows
            .iter()
            .any(|row| !row.cells.is_empty() || row.number.is_some());
        let score = lines::score_line(line).filter(|_| !is_row);
        if let Some(score) = score.filter(|score| self.may_be_of_this(score)) {
            return self.begin_by_score(score, number);
        }
        let unknown = rows.iter().find_map(|row| row.stray.clone());
        if let Some((column, text)) = unknown {
            let is_remark = self.is_remark(&rows, line);
            let message = format!(
                "'{}' is not understood: expected a roll such as 31: 8/5 6/5, a cube action or a result",
                quote(&text)
            );
            let is_alone = is_remark || !is_row;
            if is_alone && self.keep_closing_line(line, number, &message) {
                return true;
            }
            self.warn(number, column + 1, message);
            if is_remark {
                return true;
            }
        }
        if is_row {
            self.rows(rows, number);
        }
        true
    }

    fn rows(&mut self, rows: Vec<cells::TextRow>, line: u32) {
        self.reject_closing_line();
        let Some(game) = self.sources.last_mut() else {
            self.warn(
                line,
                1,
                "expected a line 'Game 1' before the rows".to_owned(),
            );
            return;
        };
        // Some writers set the position after the game line.
        if let Some(start) = self.start.take_if(|_| game.rows.is_empty()) {
            game.start = Some(start);
        }
        let missing = rows.first().and_then(|row| place::missing_row(game, row));
        let had = game.rows.len();
        let had_cells = self.cells;
        for row in rows {
            self.cells += row.cells.len() + 1;
            if game.rows.len() < MOST_ROWS && self.cells <= MOST_CELLS {
                game.rows.push(SourceRow { line, row });
            }
        }
        let too_many = had_cells <= MOST_CELLS && self.cells > MOST_CELLS;
        if had < MOST_ROWS && game.rows.len() == MOST_ROWS {
            let message = format!("more than {MOST_ROWS} rows in a game; the rest is not read");
            self.warn(line, 1, message);
        }
        if too_many {
            let message = format!("more than {MOST_CELLS} rows and cells; the rest is not read");
            self.warn(line, 1, message);
        }
        if let Some(message) = missing {
            self.warn(line, 1, message);
        }
    }

    fn finish(mut self, used: &mut FileUse) -> Result<Match, &'static str> {
        self.warn_of_scores_alone();
        self.sources
            .retain(|game| game.has_score() || !game.rows.is_empty());
        if self.sources.is_empty() {
            return Err(NO_GAME);
        }
        let Some(mut players) = self.names() else {
            return Err("the match has no names: expected a line 'name : 0   name : 0'");
        };
        self.move_ratings_to_tags(&mut players);
        self.record.players = players;
        self.record.format = "mat";
        self.apply_tags();
        self.replay_games(used);
        self.learn_beavers();
        self.check_closing_line();
        if self.record.games.is_empty() {
            return Err("the match has no game: the first score is the end of the match already");
        }
        self.warnings.truncate(MOST_WARNINGS);
        self.record.warnings = self.warnings;
        Ok(self.record)
    }

    /// Returns the names of the first score line; an empty name is taken from the tags.
    fn names(&self) -> Option<[String; 2]> {
        let mut names = self.known_score()?.names.clone();
        for ((name, n), unnamed) in names.iter_mut().zip(1..).zip(Match::UNNAMED) {
            if name.is_empty() {
                let tag = self.tag(&format!("Player {n}")).filter(|t| !t.is_empty());
                tag.unwrap_or(unnamed).clone_into(name);
            }
        }
        Some(names)
    }

    /// Moves ratings from the names to tags, so that a player has the same name in every match.
    fn move_ratings_to_tags(&mut self, names: &mut [String; 2]) {
        for (name, n) in names.iter_mut().zip(1..) {
            let (bare, Some(rating)) = split_rating(name) else {
                continue;
            };
            let key = format!("Player {n} Elo");
            if self.tag(&key).is_none() {
                self.record.tags.push((key, rating.to_owned()));
            }
            *name = bare.to_owned();
        }
    }

    fn replay_games(&mut self, used: &mut FileUse) {
        let mut sources = std::mem::take(&mut self.sources);
        self.exchange_columns(&mut sources);
        let mut score = [0u16; 2];
        let mut crawford_played = false;
        let mut of_jacoby = Vec::new();
        for (i, source) in sources.iter().enumerate() {
            if is_final_score(&sources, i, score, self.record.length) {
                break;
            }
            self.check_head(source, i, score);
            score = source.score.as_ref().map_or(score, |line| line.points);
            let length = self.record.length;
            if length > 0 && score.iter().any(|&points| points >= length) {
                let message =
                    "the match is over at this score; the games from here on are left out";
                self.warn(source.line, 1, message.to_owned());
                break;
            }
            let crawford = !crawford_played && is_crawford_score(&self.record, score);
            crawford_played |= crawford;
            // If games are missing in between, the next score includes them too.
            let next = sources.get(i + 1);
            let next = next.filter(|next| next.number <= source.number.saturating_add(1));
            let next = next.and_then(|next| next.score.as_ref());
            let start = source.start;
            let start = start.unwrap_or_else(|| Start::with_board(self.variant.start()));
            let head = GameHead {
                number: source.number,
                names: &self.record.players,
                length,
                score,
                next_score: next.map(|line| line.points),
                crawford,
                rules: self.record.rules_in_force(),
                start,
                left_out: 1,
                right_column: source.score.as_ref().map_or(34, |line| line.right_column),
                line: source.line,
            };
            let outcome = readings::replay_by_scores(head, source, &mut used.budget);
            if used.budget.is_spent() {
                used.spent_at.get_or_insert(source.line);
            }
            score = score_after(score, outcome.result);
            let by_jacoby = outcome
                .by_jacoby
                .map(|by_jacoby| (source.score_line, by_jacoby));
            of_jacoby.extend(by_jacoby);
            self.keep(source, start, crawford, outcome);
        }
        self.learn_jacoby(&of_jacoby);
        self.check_money_scores(&sources);
    }

    /// Adds a game to the record. A double in the Crawford game switches the Crawford rule off.
    fn keep(&mut self, source: &Source, start: Start, crawford: bool, outcome: ReplayedGame) {
        let found = CrawfordGame::of(&self.record, source.number, &outcome.events);
        let found = crawford.then_some(found);
        let score_before = source.score.as_ref().map(|line| line.points);
        let score = score_before.unwrap_or_else(|| match self.record.games.last() {
            Some(game) => score_after(game.score, game.result),
            None => [0, 0],
        });
        self.record.crawford &= found != Some(CrawfordGame::NoRule);
        let room = (2 * MOST_WARNINGS).saturating_sub(self.warnings.len());
        let index = self.record.games.len();
        let warnings = outcome.warnings.into_iter();
        let warnings =
            warnings.filter(|warning| found.is_none_or(|found| found.stands(&warning.message)));
        let warnings = warnings.map(|warning| Warning {
            turn: warning.turn.map(|(_, event)| (index, event)),
            ..warning
        });
        self.warnings.extend(warnings.take(room));
        self.record.games.push(Game {
            number: source.number,
            score,
            crawford: found == Some(CrawfordGame::Played),
            start: start.board,
            cube: outcome.cube,
            owner: start.owner,
            events: outcome.events,
            result: outcome.result,
            points_written: outcome.points_written,
            is_cut: outcome.is_cut,
        });
    }

    /// Warns if the head of a game does not follow from the games before.
    fn check_head(&mut self, source: &Source, index: usize, expected: [u16; 2]) {
        if source
            .start
            .is_some_and(|start| start.board != Position::opening())
        {
            let message = format!("game {} starts from a set position", source.number);
            self.warn(source.line, 1, message);
        }
        let Some(line) = &source.score else {
            let message = format!(
                "game {} has no score line: the score is counted",
                source.number
            );
            self.warn(source.line, 1, message);
            return;
        };
        let at = source.score_line;
        if index > 0 && self.record.length > 0 && line.points != expected {
            let message = format!(
                "game {}: the score is {}-{}, but {}-{} follows from the games before",
                source.number, line.points[0], line.points[1], expected[0], expected[1]
            );
            self.warn(at, 1, message);
        }
        let first = self.record.players.clone();
        for (name, first) in line.names.iter().zip(&first) {
            if !name.is_empty() && split_rating(name).0 != first {
                let message = format!(
                    "game {}: the name '{}' differs from '{}'",
                    source.number,
                    quote(name),
                    quote(first)
                );
                self.warn(at, 1, message);
            }
        }
    }
}

/// Splits a name such as `kai,1659`: some servers append the rating.
fn split_rating(name: &str) -> (&str, Option<&str>) {
    match name
        .rsplit_once(',')
        .map(|(bare, rating)| (bare.trim(), rating.trim()))
    {
        Some((bare, rating))
            if !bare.is_empty()
                && (3..=4).contains(&rating.len())
                && rating.bytes().all(|b| b.is_ascii_digit()) =>
        {
            (bare, Some(rating))
        }
        _ => (name, None),
    }
}
