//! Files of positions: lists of identifiers, and what eXtreme Gammon, BGBlitz and GNU Backgammon
//! export as text for a player's notes.
//!
//! The exports are translated into a dozen languages, so only what has the same shape in all of
//! them is read. That is the identifier, numbers, and where they stand in a line. Boards drawn in
//! characters are passed over; the identifier says the same.

use super::analysis::{Analysis, Chances, CubeUnit, CubeVerdict, MOST_PLAYS, PlayVerdict};
use super::bounded::MOST_POSITIONS;
use super::model::{LonePosition, Match};
use super::position_ids::id_of_line;
use super::position_names::players;
use super::state::is_sound;
use super::text::{REMARK_CUT, Text, clean, clean_lines, quote};
use super::warnings::{FilePlace, NoMatch, Warnings};
use crate::game::{GameState, PlayList, Roll};
use crate::notation::{IdError, WrittenPlay, parse_id, xgid_text};

/// The name of the format of a list of positions.
pub const POSITIONS: &str = "positions";

/// The first identifier in a line that is one on its own or behind words.
fn identifier(line: &str) -> Option<&str> {
    let at = |what: &str| line.find(what).map(|start| &line[start..]);
    if let Some(found) = at("XGID=").or_else(|| at("xgid=")) {
        return Some(found);
    }
    let found = line.trim();
    // An identifier alone has no blank in it.
    (!found.contains(char::is_whitespace) && found.len() >= 14).then_some(found)
}

/// Whether most lines of a text are identifiers.
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

/// The identifier of a line of a list, behind which a remark may stand.
fn list_entry(line: &str) -> Option<&str> {
    identifier(line).or_else(|| {
        let first = line.split_whitespace().next()?;
        (first.len() >= 14).then_some(first)
    })
}

/// The position of a line of Snowie's.
fn snowie_line(line: &str, number: u32) -> Option<LonePosition> {
    let has_fields = line.matches(';').count() >= 38;
    has_fields.then(|| super::snowie::read(line, number))?
}

/// What is remarked in a line behind its identifier, with a sign before or none, and whether it is longer than is kept.
fn remark(line: &str, id: &str) -> (Option<Box<str>>, bool) {
    let from = line.find(id).map_or("", |start| &line[start..]);
    let behind = from.find(|c: char| c.is_whitespace() || c == ';');
    let behind = behind.map_or("", |end| &from[end..]);
    let text = behind.trim_start().trim_start_matches(['#', ';']);
    let (text, is_cut) = clean_lines(text);
    ((!text.is_empty()).then(|| text.into()), is_cut)
}

/// A line of a list: the XGID, with the remark behind it.
#[must_use]
pub fn line(position: &LonePosition) -> String {
    let id = xgid_text(&position.state);
    match &position.comment {
        Some(comment) => format!("{id}  # {}\n", comment.replace('\n', " ")),
        None => id + "\n",
    }
}

/// The column in a line at which an identifier in it goes wrong, from 1.
fn column(line: &str, id: &str, error: &IdError) -> u32 {
    let at = |text: &str| Some(line[..line.find(text)?].chars().count());
    let found = match at(id) {
        Some(before) => before + error.column().unwrap_or(1),
        // A position ID and the match ID that is written apart from it.
        None => id
            .split(':')
            .next()
            .and_then(at)
            .map_or(1, |before| before + 1),
    };
    found as u32
}

/// A match without games, with these positions.
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

/// Reads one identifier a line.
///
/// # Errors
/// What is missing.
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
            Some(Ok(state)) if !is_sound(&state) => {
                let message = format!("'{}': its score cannot be", quote(line));
                warnings.add(FilePlace::line(number, 1), message);
            }
            Some(Ok(state)) => {
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

/// A block of an export: the line of its identifier and the state it gives.
struct Block {
    line: usize,
    state: GameState,
    /// Whether the identifier is of a position without its dice and score.
    is_bare: bool,
    is_xgid: bool,
}

impl Block {
    /// Whether the next identifier is of the same position: BGBlitz writes both kinds of it. Its match IDs are not
    /// exact, so score and cube are compared only between identifiers of one kind.
    fn goes_on(&self, next: &Self) -> bool {
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
}

/// Reads the positions of an export, with the figures that stand behind each.
///
/// # Errors
/// What is missing.
pub(super) fn read_export(text: &Text) -> Result<Match, NoMatch> {
    let mut warnings = Warnings::default();
    let mut blocks: Vec<Block> = Vec::new();
    for (i, line) in text.lines.iter().enumerate() {
        let Some(id) = id_of_line(&text.lines, i) else {
            continue;
        };
        match parse_id(&id) {
            Ok(state) if !is_sound(&state) => {
                let message = format!("'{}': its score cannot be", quote(line));
                warnings.add(FilePlace::line(i as u32 + 1, 1), message);
            }
            Ok(state) => {
                let mut next = Block {
                    line: i,
                    state,
                    is_bare: !id.contains(':'),
                    is_xgid: id.starts_with("XGID="),
                };
                let count = blocks.len();
                match blocks.last_mut() {
                    Some(last) if last.goes_on(&next) && next.is_bare => {}
                    Some(last) if last.goes_on(&next) => {
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
            Err(error) => {
                let message = format!("'{}': {error}", quote(line));
                let place = FilePlace::line(i as u32 + 1, column(line, &id, &error));
                warnings.add(place, message);
            }
        }
    }
    if blocks.is_empty() {
        let missing = "there is no position in it that can be read";
        return Err(NoMatch::because(missing, warnings.finish().first()));
    }
    let ends: Vec<usize> = blocks.iter().skip(1).map(|block| block.line).collect();
    let ends = ends.into_iter().chain([text.lines.len()]);
    let of_text = Program::named(&text.lines).unwrap_or(Program::ExtremeGammon);
    let positions = blocks.iter().zip(ends).map(|(block, end)| {
        let lines = &text.lines[block.line..end];
        let program = Program::named(lines).unwrap_or(match of_text {
            // Of a text with blocks of several programs each block is of its own.
            Program::GnuBackgammon | Program::Luckless if lines[0].contains("XGID=") => {
                Program::ExtremeGammon
            }
            of_text => of_text,
        });
        LonePosition {
            players: players(lines, &block.state),
            analysis: figures(lines, &block.state, program),
            ..LonePosition::new(block.state, block.line as u32 + 1)
        }
    });
    Ok(record(of_text.format(), positions.collect(), warnings))
}

/// A program that exports positions as text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Program {
    /// Luckless, whose texts are like those of eXtreme Gammon.
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

    /// Name of the format of its export.
    fn format(self) -> &'static str {
        match self {
            Self::Luckless | Self::ExtremeGammon => "xg text",
            Self::GnuBackgammon => "gnubg text",
            Self::BgBlitz => "bgblitz text",
        }
    }

    /// The program that a text shows itself to be of, unless it is of eXtreme Gammon.
    fn named(lines: &[String]) -> Option<Self> {
        let holds = |what: &str| lines.iter().any(|line| line.contains(what));
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

/// A number with a dot or a comma.
fn number(word: &str) -> Option<f64> {
    let word = word.trim_matches(['(', ')', '%', '*', '：', ':']);
    let decimal = word.contains(['.', ',']) && word.ends_with(|c: char| c.is_ascii_digit());
    let value: f64 = word.replace(',', ".").replace('−', "-").parse().ok()?;
    (decimal && value.is_finite() && value.abs() < 1000.0).then_some(value)
}

/// The equities in a line: signed decimals, without those in brackets (which are differences).
fn equities(line: &str) -> Vec<f64> {
    let mut plain = String::new();
    let mut depth = 0usize;
    for c in line.chars() {
        match c {
            '(' | '（' => depth += 1,
            ')' | '）' => depth = depth.saturating_sub(1),
            _ if depth == 0 => plain.push(c),
            _ => {}
        }
    }
    let words = plain.split([' ', ':', '：', '=']);
    words
        .filter(|word| !word.contains('%'))
        .filter_map(number)
        .collect()
}

/// What a block says of its position.
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

/// Candidates: a number with a dot, then, in any order, a play, an equity and a level.
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
        // BGBlitz has the chance to win the match in front; the equity stands last.
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

/// `Rolled 42 (+0.161):`, in any language.
fn luck(line: &str, roll: Roll) -> Option<f64> {
    let inside = line.trim().strip_suffix("):")?;
    let (words, figure) = inside.rsplit_once('(')?;
    let dice = words.split_whitespace().last()?.parse::<Roll>();
    (dice == Ok(roll)).then(|| number(figure)).flatten()
}

/// What stands behind `12. ` at the start of a line, with or without a star before it.
fn ranked(line: &str) -> Option<&str> {
    let rest = line.trim_start().trim_start_matches('*').trim_start();
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let behind = rest.get(digits..)?.strip_prefix('.')?;
    let gap = behind.starts_with(char::is_whitespace);
    (gap && (1..=3).contains(&digits)).then_some(behind)
}

/// The play in a line and the words before it: the run of words with a stroke and numbers.
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

/// The chances behind a candidate: six numbers in a line with a dash in their middle, or two lines
/// of percentages, the mover's and the opponent's.
fn chances(lines: &[String]) -> Option<Chances> {
    let first = lines.first()?;
    if first.contains('%') {
        let mine = percentages(first);
        let theirs = percentages(lines.get(1)?);
        let (mine, theirs) = (mine.get(..3)?, theirs.get(..3)?);
        return Chances::new([mine[0], mine[1], mine[2], theirs[1], theirs[2]]);
    }
    let numbers: Vec<f64> = first.split_whitespace().filter_map(number).collect();
    match numbers[..] {
        [win, gammon, backgammon, _, lose_gammon, lose_backgammon] => {
            Chances::new([win, gammon, backgammon, lose_gammon, lose_backgammon])
        }
        _ => None,
    }
}

/// The percentages of a line, as chances.
fn percentages(line: &str) -> Vec<f64> {
    line.split('%')
        .filter_map(|part| {
            let tail = part.rsplit([' ', ':', '：', '(']).next()?;
            Some(number(tail)? / 100.0)
        })
        .collect()
}

/// The verdict about the cube.
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

/// A level of our own text, which counts plies as eXtreme Gammon does: one more than we do.
fn own_plies(level: &str) -> String {
    let plies = level.strip_suffix("-ply").and_then(|n| n.parse().ok());
    match plies.and_then(|n: u32| n.checked_sub(1)) {
        Some(ply) => format!("{ply}-ply"),
        None => level.to_owned(),
    }
}

/// eXtreme Gammon: three lines with one equity each, always no double, take, pass. Where a take would be
/// beavered, the second is that of the beaver, which is worth twice as much.
fn cube_of_three_lines(lines: &[String]) -> Option<CubeVerdict> {
    let mut verdict = CubeVerdict {
        unit: CubeUnit::Points,
        ..CubeVerdict::default()
    };
    let single = |line: &String| match equities(line)[..] {
        [equity] if !line.contains('%') && line.contains(['+', '-', '−']) => Some(equity),
        _ => None,
    };
    let mut run = Vec::new();
    for (i, line) in lines.iter().enumerate() {
        if line.contains('%') && verdict.chances.is_none() {
            verdict.chances = chances(&lines[i..]);
            if let Some(above) = i.checked_sub(1).and_then(|above| lines.get(above)) {
                let words: Vec<&str> = above.split_whitespace().collect();
                let from = words.iter().position(|word| {
                    word.starts_with(|c: char| c.is_ascii_digit()) || *word == "XG"
                });
                verdict.level = clean(&words[from.unwrap_or(0).min(words.len())..].join(" "));
            }
            continue;
        }
        match single(line) {
            Some(beaver) if run.len() == 1 && line.contains("Beaver") => run.push(beaver / 2.0),
            Some(equity) => run.push(equity),
            None => run.clear(),
        }
        if let [no_double, take, pass] = run[..] {
            verdict.no_double = Some(no_double);
            verdict.double_take = Some(take);
            verdict.double_pass = Some(pass);
            return Some(verdict);
        }
    }
    None
}

/// BGBlitz and GNU Backgammon: three lines in the order of their worth. Not doubling has neither stroke nor
/// comma in its name. BGBlitz gives a cubeful figure and a normalised one, each with a difference in
/// brackets; GNU Backgammon numbers the lines, and turns the figures round for the one who was doubled.
fn cube_of_labels(lines: &[String], doubled: bool) -> Option<CubeVerdict> {
    let mut verdict = CubeVerdict::default();
    let mut doubles = Vec::new();
    for (i, line) in lines.iter().enumerate() {
        if verdict.chances.is_none() {
            verdict.chances = chances(&lines[i..]).or_else(|| two_shares(&lines[i..]));
        }
        let figures = equities(line);
        let equity = match figures[..] {
            [_, normalised] if has_difference(line) => normalised,
            [equity] if ranked(line).is_some() => equity,
            _ => continue,
        };
        let label = line.split([':', '：', '+']).next().unwrap_or("");
        let label = label.split(" -").next().unwrap_or("");
        if label.contains(['/', ',']) {
            doubles.push(equity);
        } else {
            verdict.no_double = verdict.no_double.or(Some(equity));
        }
    }
    let no_double = verdict.no_double?;
    let &[first, second, ..] = &doubles[..] else {
        return None;
    };
    let [take, pass] = take_and_pass([first, second], doubled)?;
    let sign = pass.signum();
    verdict.no_double = Some(sign * no_double);
    (verdict.double_take, verdict.double_pass) = (Some(sign * take), Some(sign * pass));
    if sign < 0.0 {
        verdict.chances = verdict.chances.map(|chances| chances.flipped());
    }
    Some(verdict)
}

/// Which of the two figures of a double is that of the pass: it is worth just 1 to the doubler, and −1 to
/// the one who was doubled. A take can be worth as much. `doubled`: whether a double waits for its answer, so
/// that both figures are of the one who answers.
fn take_and_pass([first, second]: [f64; 2], doubled: bool) -> Option<[f64; 2]> {
    let usual = if doubled { -1.0 } else { 1.0 };
    [usual, -usual].into_iter().find_map(|worth| {
        let is_pass = |equity: f64| (equity - worth).abs() < 5e-4;
        match (is_pass(first), is_pass(second)) {
            (true, _) => Some([second, first]),
            (false, true) => Some([first, second]),
            (false, false) => None,
        }
    })
}

/// Whether a number stands in brackets.
fn has_difference(line: &str) -> bool {
    let inside = line.split(['(', '（']).skip(1);
    let mut inside = inside.filter_map(|part| part.split([')', '）']).next());
    inside.any(|text| number(text.trim()).is_some())
}

/// Three percentages each of the player drawn at the top and of the one at the bottom, without
/// their signs: `Green 45.9 11.7 0.2`. Those of the one who is to move come second when the other's
/// come first, since an exported position is drawn with the player to move at the bottom.
fn two_shares(lines: &[String]) -> Option<Chances> {
    let shares = |line: &String| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let tail = words.get(words.len().checked_sub(3)?..)?;
        let found: Vec<f64> = tail.iter().filter_map(|word| number(word)).collect();
        (found.len() == 3 && words.len() > 3).then(|| found.iter().map(|n| n / 100.0).collect())
    };
    let top: Vec<f64> = shares(lines.first()?)?;
    let bottom: Vec<f64> = shares(lines.get(1)?)?;
    let sound = (top[0] + bottom[0] - 1.0).abs() < 0.003;
    let chances = Chances::new([bottom[0], bottom[1], bottom[2], top[1], top[2]]);
    chances.filter(|_| sound)
}
