//! Files of positions: lists of identifiers, and the text exports of eXtreme Gammon, BGBlitz and GNU
//! Backgammon.
//!
//! The exports exist in about a dozen languages. Only parts with the same form in all languages are read:
//! identifiers, numbers, and their order in a line. Boards drawn in characters are skipped if there is an
//! identifier, which contains the same position.

use super::analysis::{Analysis, CubeVerdict, MOST_PLAYS, PlayVerdict};
use super::bounded::MOST_POSITIONS;
use super::model::{LonePosition, Match};
use super::position_comment::{begins_block, comment_lines};
use super::position_cube::{cube_of_labels, cube_of_three_lines};
use super::position_figures::{chances, equities, number, ranked};
use super::position_ids::id_of_line;
use super::position_names::players;
use super::state::problem;
use super::text::{REMARK_CUT, Text, clean, clean_lines, quote};
use super::warnings::{FilePlace, NoMatch, Warnings};
use crate::game::{GameState, PlayList, Roll};
use crate::notation::{
    IdError, WrittenPlay, drawn_boards, gnubg_id, parse_drawn_board, parse_id, xgid, xgid_text,
};

pub const POSITIONS: &str = "positions";

/// Returns the first identifier in a line, alone or after words.
fn identifier(line: &str) -> Option<&str> {
    if let Some((start, _)) = xgid::mark(line) {
        return Some(&line[start..]);
    }
    let found = line.trim();
    // An identifier alone contains no blank.
    (!found.contains(char::is_whitespace) && found.len() >= 14).then_some(found)
}

/// Returns whether most lines of a text are identifiers.
pub(super) fn is_list(lines: &[&str]) -> bool {
    let content = lines.iter().filter(|line| !is_comment(line)).take(50);
    let (mut good, mut all) = (0, 0);
    for line in content {
        all += 1;
        let is_id = || list_entry(line).is_some_and(|id| parse_id(id).is_ok());
        good += usize::from(snowie_line(line, 0).is_some() || is_id());
    }
    2 * good > all
}

fn is_comment(line: &str) -> bool {
    line.trim().is_empty() || line.trim_start().starts_with(['#', ';'])
}

/// Returns the identifier of a line of a list; a remark may follow it.
fn list_entry(line: &str) -> Option<&str> {
    identifier(line).or_else(|| {
        let first = line.split_whitespace().next()?;
        let first = (first.len() >= 14).then_some(first)?;
        Some(two_ids(line).unwrap_or(first))
    })
}

/// Returns a position ID at the start of a line with the match ID that follows after blanks.
fn two_ids(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let mut words = line.split_whitespace();
    let (position, match_id) = (words.next()?, words.next()?);
    let state = gnubg_id::parse(&format!("{position}:{match_id}")).ok()?;
    let end = line[position.len()..].find(match_id)? + position.len() + match_id.len();
    // A remark may begin with a word of twelve letters, but few of those decode to a possible score and cube.
    let is_match_id = gnubg_id::is_match_id(match_id) && problem(&state).is_none();
    is_match_id.then(|| &line[..end])
}

/// Returns the position of a Snowie line.
fn snowie_line(line: &str, number: u32) -> Option<LonePosition> {
    let has_fields = line.matches(';').count() >= 38;
    has_fields.then(|| super::snowie::read(line, number))?
}

/// Returns the identifier in a line of a list and the remark after it; `None` if there is nothing like an
/// identifier.
pub fn entry(line: &str) -> Option<(&str, Option<Box<str>>)> {
    let found = list_entry(line)?;
    Some((split_after_identifier(found).0, remark(line, found).0))
}

/// Splits a text after its leading identifier.
fn split_after_identifier(text: &str) -> (&str, &str) {
    let of_xgid = xgid::mark(text).filter(|&(start, _)| start == 0);
    let sure = of_xgid.map_or_else(|| two_ids(text).map_or(0, str::len), |(_, body)| body);
    let end = text[sure..].find(|c: char| c.is_whitespace() || c == ';');
    text.split_at(end.map_or(text.len(), |end| sure + end))
}

/// Returns the remark after the identifier of a line, with or without a comment sign, and whether it was
/// shortened.
fn remark(line: &str, id: &str) -> (Option<Box<str>>, bool) {
    let from = line.find(id).map_or("", |start| &line[start..]);
    let text = split_after_identifier(from)
        .1
        .trim_start()
        .trim_start_matches(['#', ';']);
    let (text, is_cut) = clean_lines(text);
    ((!text.is_empty()).then(|| text.into()), is_cut)
}

/// Returns a line of a list: the XGID and the remark.
pub fn line(position: &LonePosition) -> String {
    let id = xgid_text(&position.state);
    match &position.comment {
        Some(comment) => format!("{id}  # {}\n", comment.replace('\n', " ")),
        None => id + "\n",
    }
}

/// Returns the column of an identifier's fault in its line, from 1.
fn column(line: &str, id: &str, error: &IdError) -> u32 {
    let at = |text: &str| Some(line[..line.find(text)?].chars().count());
    let found = match at(id) {
        Some(before) => before + error.column().unwrap_or(1),
        // A position ID and a match ID separated by blanks.
        None => id
            .split(':')
            .next()
            .and_then(at)
            .map_or(1, |before| before + 1),
    };
    found as u32
}

/// Returns a match without games that contains these positions.
fn record(format: &'static str, positions: Vec<LonePosition>, warnings: Warnings) -> Match {
    let first = positions.first().map(|position| position.state);
    Match {
        format,
        length: first.map_or(0, |state| state.score.length),
        crawford: first.is_some_and(|state| state.has_crawford_rule()),
        players: Match::UNNAMED.map(str::to_owned),
        rules: first.map(|state| state.rules).unwrap_or_default(),
        positions,
        warnings: warnings.finish(),
        ..Match::default()
    }
}

/// Reads a list with one identifier per line.
///
/// # Errors
/// A message about the missing part.
pub(super) fn read_list(text: &Text) -> Result<Match, NoMatch> {
    let mut warnings = Warnings::default();
    let mut positions = Vec::new();
    for (line, number) in text.lines.iter().zip(1u32..) {
        if is_comment(line) {
            continue;
        }
        if positions.len() == MOST_POSITIONS {
            warnings.add_too_many_positions(FilePlace::line(number, 1));
            break;
        }
        if let Some(position) = snowie_line(line, number) {
            positions.push(position);
            continue;
        }
        let id = list_entry(line);
        match id.map(parse_id) {
            Some(Ok(state)) => {
                if let Some(why) = problem(&state) {
                    let message = format!("'{}': {why}", quote(line));
                    warnings.add(FilePlace::line(number, 1), message);
                    continue;
                }
                let (comment, is_cut) = remark(line, id.unwrap_or_default());
                if is_cut {
                    warnings.add(FilePlace::line(number, 1), REMARK_CUT);
                }
                positions.push(LonePosition {
                    comment,
                    ..LonePosition::new(state, number)
                });
            }
            Some(Err(error)) => {
                let column = column(line, id.unwrap_or_default(), &error);
                let message = format!("'{}': {error}", quote(line));
                warnings.add(FilePlace::line(number, column), message);
            }
            None => {
                let message = format!("'{}': expected a position ID", quote(line));
                warnings.add(FilePlace::line(number, 1), message);
            }
        }
    }
    if positions.is_empty() {
        let missing = "no line is a position that can be read";
        return Err(NoMatch::because(missing, warnings.finish().first()));
    }
    Ok(record(POSITIONS, positions, warnings))
}

/// Error for an export without a readable position.
const NO_POSITION: &str = "there is no position in it that can be read";

/// A block of an export: the line of its identifier and the state of the identifier.
struct Block {
    line: usize,
    state: GameState,
    /// The identifier is a position ID without dice and score.
    is_bare: bool,
    is_xgid: bool,
}

impl Block {
    /// Returns whether the next identifier repeats this position: BGBlitz writes an XGID and a GNUBG ID. Its
    /// match IDs are inexact, so score and cube are compared only between identifiers of the same kind.
    fn is_repeated_by(&self, next: &Self) -> bool {
        let (own, other) = (self.state, next.state);
        let same_board = own.position == other.position || own.position.flipped() == other.position;
        let same_turn = (own.roll, own.score.length) == (other.roll, other.score.length);
        let fits = match (self.is_bare || next.is_bare, self.is_xgid == next.is_xgid) {
            (true, _) => same_board,
            (false, true) => own == other,
            (false, false) => same_board && same_turn,
        };
        self.line + 3 >= next.line && fits
    }

    /// Returns the position of the block with these lines. `of_text` is the program that wrote the text.
    fn position(
        &self,
        lines: &[String],
        of_text: Program,
        warnings: &mut Warnings,
    ) -> LonePosition {
        let program = Program::named(lines).unwrap_or(match of_text {
            // In a text with blocks of several programs, each block has its own program.
            Program::GnuBackgammon | Program::Luckless if xgid::mark(&lines[0]).is_some() => {
                Program::ExtremeGammon
            }
            of_text => of_text,
        });
        let comment = comment_lines(lines);
        let figured = comment
            .as_ref()
            .map_or(lines.len(), |comment| comment.start);
        let comment = comment.map(|comment| {
            let place = FilePlace::line((self.line + comment.start) as u32 + 1, 1);
            let (text, is_cut) = clean_lines(&lines[comment].join("\n"));
            if is_cut {
                warnings.add(place, REMARK_CUT);
            }
            text.into()
        });
        LonePosition {
            players: players(lines, &self.state),
            analysis: figures(&lines[..figured], &self.state, program),
            comment,
            ..LonePosition::new(self.state, self.line as u32 + 1)
        }
    }
}

/// Reads the positions of an export with their figures.
///
/// # Errors
/// A message about the missing part.
pub(super) fn read_export(text: &Text) -> Result<Match, NoMatch> {
    let mut warnings = Warnings::default();
    let blocks = blocks(text, &mut warnings);
    let has_identifier = || (0..text.lines.len()).any(|i| id_of_line(&text.lines, i).is_some());
    if blocks.is_empty() && !has_identifier() {
        return read_drawing(text, warnings);
    }
    if blocks.is_empty() {
        return Err(NoMatch::because(NO_POSITION, warnings.finish().first()));
    }
    warn_of_chances(text, &mut warnings);
    let of_text = Program::named(&text.lines).unwrap_or(Program::ExtremeGammon);
    let ends: Vec<usize> = blocks.iter().skip(1).map(|block| block.line).collect();
    let ends = ends.into_iter().chain([text.lines.len()]);
    // Of two identifiers for one position, the second may have fields that the first lacks.
    let possible = blocks.iter().zip(ends).filter(|(block, _)| {
        let why = problem(&block.state);
        if let Some(why) = &why {
            let message = format!("'{}': {why}", quote(&text.lines[block.line]));
            warnings.add(FilePlace::line(block.line as u32 + 1, 1), message);
        }
        why.is_none()
    });
    let possible: Vec<(&Block, usize)> = possible.collect();
    let positions = possible.into_iter().map(|(block, end)| {
        let lines = &text.lines[block.line..end];
        block.position(lines, of_text, &mut warnings)
    });
    let positions: Vec<LonePosition> = positions.collect();
    if positions.is_empty() {
        return Err(NoMatch::because(NO_POSITION, warnings.finish().first()));
    }
    Ok(record(of_text.format(), positions, warnings))
}

/// Returns the blocks of an export, one for each position.
fn blocks(text: &Text, warnings: &mut Warnings) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut comment = 0..0;
    for (i, line) in text.lines.iter().enumerate() {
        if comment.contains(&i) {
            continue;
        }
        let Some(id) = id_of_line(&text.lines, i) else {
            continue;
        };
        if begins_block(line) {
            let lines = comment_lines(&text.lines[i..]).unwrap_or(0..0);
            comment = i + lines.start..i + lines.end;
        }
        let state = match parse_id(&id) {
            Ok(state) => state,
            Err(error) => {
                let message = format!("'{}': {error}", quote(line));
                let place = FilePlace::line(i as u32 + 1, column(line, &id, &error));
                warnings.add(place, message);
                continue;
            }
        };
        let mut next = Block {
            line: i,
            state,
            is_bare: !id.contains(':'),
            is_xgid: xgid::mark(&id).is_some(),
        };
        let count = blocks.len();
        match blocks.last_mut() {
            Some(last) if last.is_repeated_by(&next) && next.is_bare => {}
            Some(last) if last.is_repeated_by(&next) => {
                next.line = last.line;
                *last = next;
            }
            _ if count == MOST_POSITIONS => {
                warnings.add_too_many_positions(FilePlace::line(i as u32 + 1, 1));
                break;
            }
            _ => blocks.push(next),
        }
    }
    blocks
}

/// Lines above a drawn board that belong to it: the names and the score.
const HEADING: usize = 2;

/// Reads an export without identifiers: the first drawn board with the figures after it.
fn read_drawing(text: &Text, mut warnings: Warnings) -> Result<Match, NoMatch> {
    let mut drawings = drawn_boards(&text.lines);
    let Some(line) = drawings.next() else {
        return Err(NoMatch::because(NO_POSITION, None));
    };
    let mut end = text.lines.len();
    if let Some(next) = drawings.next() {
        end = next - HEADING.min(next - line);
        let place = FilePlace::line(next as u32 + 1, 1);
        let message = "of several boards without identifiers only the first one is read";
        warnings.add(place, message);
    }
    let lines = &text.lines[..end];
    let read = parse_drawn_board(&lines.join("\n")).map_err(|error| error.to_string());
    let sound = read.and_then(|state| match problem(&state) {
        Some(why) => Err(why.to_string()),
        None => Ok(state),
    });
    let state = sound.map_err(|why| NoMatch {
        line: Some(line as u32 + 1),
        missing: format!("the board that is drawn here cannot be read: {why}"),
    })?;
    let program = Program::named(lines).unwrap_or(Program::ExtremeGammon);
    let block = Block {
        line,
        state,
        is_bare: false,
        is_xgid: true,
    };
    let position = block.position(lines, program, &mut warnings);
    Ok(record(program.format(), vec![position], warnings))
}

/// Warns if GNU Backgammon's figures are match winning chances.
fn warn_of_chances(text: &Text, warnings: &mut Warnings) {
    let in_chances = |line: &String| ranked(line).is_some() && line.contains(" MWC: ");
    if let Some(i) = text.lines.iter().position(in_chances) {
        let message = "figures in match-winning chances are not read: expected equities, by GNU Backgammon's \
                       'set output mwc off'";
        warnings.add(FilePlace::line(i as u32 + 1, 1), message.to_owned());
    }
}

/// A program that exports positions as text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Program {
    /// Luckless, whose exports resemble those of eXtreme Gammon.
    Luckless,
    ExtremeGammon,
    GnuBackgammon,
    BgBlitz,
}

impl Program {
    fn name(self) -> &'static str {
        match self {
            Self::Luckless => "Luckless",
            Self::ExtremeGammon => "eXtreme Gammon",
            Self::GnuBackgammon => "GNU Backgammon",
            Self::BgBlitz => "BGBlitz",
        }
    }

    /// Returns the name of the format of its exports.
    fn format(self) -> &'static str {
        match self {
            Self::Luckless | Self::ExtremeGammon => "xg text",
            Self::GnuBackgammon => "gnubg text",
            Self::BgBlitz => "bgblitz text",
        }
    }

    /// Returns the program that a text identifies; `None` for exports of eXtreme Gammon and unknown ones.
    fn named(lines: &[String]) -> Option<Self> {
        let holds = |words: &str| lines.iter().any(|line| line.contains(words));
        if lines
            .iter()
            .any(|line| line.starts_with("Luckless Version:"))
        {
            Some(Self::Luckless)
        } else if holds(Self::GnuBackgammon.name()) {
            Some(Self::GnuBackgammon)
        } else if holds("Position-ID") {
            Some(Self::BgBlitz)
        } else {
            None
        }
    }
}

/// Returns the analysis in a block.
fn figures(lines: &[String], state: &GameState, program: Program) -> Option<Analysis> {
    let analysis = match state.roll {
        Some(_) => plays(lines, state, program),
        None => cube(lines, state, program),
    }?;
    Some(Analysis {
        program: program.name().to_owned(),
        ..analysis
    })
}

/// Reads candidates: a rank with a dot, then a play, an equity and a level in any order.
fn plays(lines: &[String], state: &GameState, program: Program) -> Option<Analysis> {
    let roll = state.roll?;
    let list = PlayList::of(&state.position, roll);
    let mut analysis = Analysis::default();
    for (i, line) in lines.iter().enumerate() {
        analysis.luck = analysis.luck.or_else(|| luck(line, roll));
        let Some(rest) = ranked(line) else {
            continue;
        };
        let Some((level, written)) = play_in(rest) else {
            continue;
        };
        let Ok(resolved) = written.resolve(&state.position, roll, &list) else {
            continue;
        };
        // BGBlitz writes the winning chance first; the equity is last.
        let Some(equity) = equities(rest).last().copied() else {
            continue;
        };
        // GNU Backgammon marks the play that was made.
        let is_made = line.trim_start().starts_with('*');
        if is_made {
            analysis.plays.truncate(MOST_PLAYS - 1);
        }
        if analysis.plays.len() < MOST_PLAYS {
            if is_made {
                analysis.played = Some(analysis.plays.len());
            }
            let level = match program {
                Program::BgBlitz => String::new(),
                Program::Luckless => own_plies(&level),
                Program::ExtremeGammon | Program::GnuBackgammon => level,
            };
            analysis.plays.push(PlayVerdict {
                play: resolved.play,
                level,
                equity,
                chances: chances(lines.get(i + 1..)?),
            });
        }
    }
    if let Some(played) = analysis.played {
        let best = analysis.plays[0].equity;
        analysis.error = Some((best - analysis.plays[played].equity).max(0.0));
    }
    (!analysis.plays.is_empty()).then_some(analysis)
}

/// Reads the luck in `Rolled 42 (+0.161):`, in any language.
fn luck(line: &str, roll: Roll) -> Option<f64> {
    let inside = line.trim().strip_suffix("):")?;
    let (words, figure) = inside.rsplit_once('(')?;
    let dice = words.split_whitespace().last()?.parse::<Roll>();
    (dice == Ok(roll)).then(|| number(figure)).flatten()
}

/// Returns the play in a line (a run of words with a slash and numbers), after the level (the words before
/// the play).
fn play_in(line: &str) -> Option<(String, WrittenPlay)> {
    let is_entry = |word: &&str| {
        let word = word.trim_end_matches(',');
        word.contains('/')
            && word.len() > 2
            && WrittenPlay::parse(word).is_ok_and(|written| !written.is_empty())
    };
    let words: Vec<&str> = line.split_whitespace().take(60).collect();
    let start = words.iter().position(is_entry)?;
    let entries = words[start..].iter().take_while(|word| is_entry(word));
    let text: Vec<&str> = entries.copied().collect();
    let level = clean(&words[..start].join(" "));
    Some((level, WrittenPlay::parse(&text.join(" ")).ok()?))
}

/// Reads the analysis of a cube decision.
fn cube(lines: &[String], state: &GameState, program: Program) -> Option<Analysis> {
    let verdict = match program {
        Program::ExtremeGammon => cube_of_three_lines(lines)?,
        Program::Luckless => {
            let verdict = cube_of_three_lines(lines)?;
            CubeVerdict {
                level: own_plies(&verdict.level),
                ..verdict
            }
        }
        Program::GnuBackgammon | Program::BgBlitz => cube_of_labels(lines, state.doubled)?,
    };
    Some(Analysis {
        cube: Some(verdict),
        ..Analysis::default()
    })
}

/// Converts a level in Luckless's exports to Luckless's own count of plies, which is one lower: the exports
/// count as eXtreme Gammon does.
fn own_plies(level: &str) -> String {
    let plies = level.strip_suffix("-ply").and_then(|n| n.parse().ok());
    match plies.and_then(|n: u32| n.checked_sub(1)) {
        Some(ply) => format!("{ply}-ply"),
        None => level.to_owned(),
    }
}
