//! Fuzzes every reader with randomly damaged copies of small files.
//!
//! There must be no panic, no hang, no unbounded result and nothing illegal in the result, and every result must be
//! writable in every format and readable again. Cases follow from a seed, so each can be reproduced. A few thousand
//! run with the tests; `luckless-lab fuzz` runs for any time.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use rand::Rng as _;
use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;

use crate::game::{PlayList, Position};
use crate::match_file::bgf::build as bgf;
use crate::match_file::write::Target;
use crate::match_file::xg::build::{Lies, pack, records};
use crate::match_file::{self, Action, Analysis, Match, MatchSummary};
use crate::sanitize;

/// The files, by reader.
const FILES: [(&str, &[u8]); 13] = [
    (
        "mat",
        include_bytes!("../../../../tests/fixtures/mat/gnubg.mat"),
    ),
    (
        "mat",
        include_bytes!("../../../../tests/fixtures/mat/galaxy.txt"),
    ),
    (
        "mat",
        include_bytes!("../../../../tests/fixtures/mat/studio.txt"),
    ),
    (
        "mat",
        include_bytes!("../../../../tests/fixtures/mat/xg.txt"),
    ),
    (
        "mat",
        include_bytes!("../../../../tests/fixtures/mat/gamesgrid.txt"),
    ),
    (
        "sgf",
        include_bytes!("../../../../tests/fixtures/sgf/gnubg.sgf"),
    ),
    (
        "sgf",
        include_bytes!("../../../../tests/fixtures/sgf/set_up.sgf"),
    ),
    (
        "javafibs",
        include_bytes!("../../../../tests/fixtures/javafibs/own.match"),
    ),
    (
        "fibs",
        include_bytes!("../../../../tests/fixtures/fibs/oldmoves.txt"),
    ),
    (
        "positions",
        include_bytes!("../../../../tests/fixtures/positions/gnubg.txt"),
    ),
    (
        "positions",
        include_bytes!("../../../../tests/fixtures/positions/xg.txt"),
    ),
    (
        "positions",
        include_bytes!("../../../../tests/fixtures/positions/bgblitz.txt"),
    ),
    (
        "positions",
        include_bytes!("../../../../tests/fixtures/positions/list.txt"),
    ),
];
/// Fragments with a meaning in one of the formats.
const PIECES: [&[u8]; 34] = [
    b"61: ",
    b" Doubles => 2",
    b" Drops",
    b"\n Game 2\n",
    b"????",
    b"(",
    b")",
    b" 99999999999) ",
    b"\x1b[2J",
    b" : 4294967296 ",
    b"\xff\xfe",
    b"Beavers",
    b"Raccoons",
    b"; Set Pos=-O-----------------------o-/1\n",
    b"\n 3 point match\n",
    b"Illegal play (3;0;0;0;0;a;b;0;0;0;1;0;0;",
    b"[",
    b"]",
    b"\\",
    b";B[double]",
    b";W[66agagagag]",
    b";AE[a:y]AW[a][b]",
    b"DI[00]",
    b"CV[1073741824]",
    b"(;FF[4]GM[6]MI[length:5]",
    b"A[99][ab E ver 3 nan inf -inf 1e999 0 0 2C]",
    b"XGID=",
    b"\n1:You:bar-off 25-0\n",
    b"X: (6 6) 0-25",
    b"null",
    b"{\"player\":\"left\"}",
    b"-1",
    b"4294967295",
    b"1e308",
];
/// Maximum time of a case: a hundred times what the slowest needs.
const SLOWEST: Duration = Duration::from_secs(5);

/// Statistics of a reader.
#[derive(Clone, Debug, Default)]
pub struct FuzzTally {
    pub reader: &'static str,
    /// Cases tried.
    pub cases: u64,
    /// Cases that could be read.
    pub read: u64,
    /// Time of the slowest case.
    pub slowest: Duration,
}

/// A case that failed.
#[derive(Clone, Debug)]
pub struct Failure {
    /// Its number under the seed.
    pub case: u64,
    pub bytes: Vec<u8>,
    pub what: String,
}

/// Maximum number of faults in one run.
const MOST_FAILURES: usize = 20;

/// Runs cases of `seed` until `continues`, which receives the number of cases so far, returns false. Of cases with the
/// same failure the first is kept.
pub fn run(seed: u64, mut continues: impl FnMut(u64) -> bool) -> (Vec<FuzzTally>, Vec<Failure>) {
    let sources = sources();
    let mut tallies: Vec<FuzzTally> = Vec::new();
    let mut failures: Vec<Failure> = Vec::new();
    let mut case = 0;
    while continues(case) {
        let (reader, bytes) = make(&sources, seed, case);
        let begun = Instant::now();
        let outcome = catch_unwind(AssertUnwindSafe(|| try_one(&bytes)));
        let took = begun.elapsed();
        let fault = match &outcome {
            Ok(Ok(_)) if took < SLOWEST => None,
            Ok(Ok(_)) => Some(format!("took more than {SLOWEST:?}")),
            Ok(Err(what)) => Some(what.clone()),
            Err(panic) => Some(panic_message(&**panic)),
        };
        let read = matches!(outcome, Ok(Ok(true)));
        if let Some(what) = fault
            && failures.iter().all(|known| known.what != what)
        {
            failures.push(Failure { case, bytes, what });
            if failures.len() == MOST_FAILURES {
                break;
            }
        }
        if !tallies.iter().any(|tally| tally.reader == reader) {
            tallies.push(FuzzTally {
                reader,
                ..FuzzTally::default()
            });
        }
        if let Some(tally) = tallies.iter_mut().find(|tally| tally.reader == reader) {
            tally.cases += 1;
            tally.read += u64::from(read);
            tally.slowest = tally.slowest.max(took);
        }
        case += 1;
    }
    (tallies, failures)
}

fn panic_message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().cloned();
    let text = text.or_else(|| panic.downcast_ref::<&str>().map(|&text| text.to_owned()));
    format!("panicked: {}", text.unwrap_or_default())
}

/// The data to damage.
pub(super) enum Source {
    /// A complete file.
    File(&'static str, Vec<u8>),
    /// Records of an eXtreme Gammon match, packed after the damage.
    Records(Vec<u8>),
    /// Data of a BGBlitz match, packed after the damage or left unpacked.
    Blitz(Vec<u8>),
}

impl Source {
    #[cfg(test)]
    pub(super) fn reader(&self) -> &'static str {
        match self {
            Self::File(reader, _) => reader,
            Self::Records(_) => "xg records",
            Self::Blitz(_) => "bgf",
        }
    }
}

pub(super) fn sources() -> Vec<Source> {
    let mut sources = Vec::new();
    for (reader, bytes) in FILES {
        sources.push(Source::File(reader, bytes.to_vec()));
        let Ok(record) = match_file::read_bytes(bytes, "source") else {
            continue;
        };
        if !record.games.is_empty() && matches!(reader, "mat" | "sgf") {
            let packed = pack(&records(&record), Lies::default());
            sources.push(Source::File("xg archive", packed));
            sources.push(Source::Records(records(&record)));
            let json = Target::Json.write(&record).into_bytes();
            sources.push(Source::File("json", json));
            let document = bgf::document(&record);
            let smile = bgf::smile(&document);
            sources.push(Source::File("bgf archive", bgf::pack(&smile)));
            sources.push(Source::Blitz(smile));
            sources.push(Source::Blitz(document.to_string().into_bytes()));
        }
    }
    sources
}

/// Generates case `case`.
pub(super) fn make(sources: &[Source], seed: u64, case: u64) -> (&'static str, Vec<u8>) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(case);
    match &sources[case as usize % sources.len()] {
        Source::File(reader, bytes) => {
            let other = match &sources[rng.random_range(0..sources.len())] {
                Source::File(_, other) | Source::Records(other) | Source::Blitz(other) => other,
            };
            // Invalid JSON is refused as a whole, so mostly its values are changed.
            if *reader == "json" && rng.random_range(0..5) > 0 {
                return (reader, damage_values(bytes, &mut rng));
            }
            (reader, damage(bytes, other, &mut rng))
        }
        Source::Blitz(bytes) => {
            let is_text = bytes.starts_with(b"{");
            let damaged = match rng.random_range(0..5) {
                0 => damage(bytes, &[], &mut rng),
                _ if is_text => damage_values(bytes, &mut rng),
                _ => damage_tokens(bytes, &mut rng),
            };
            match rng.random() {
                true => ("bgf", bgf::pack(&damaged)),
                false => ("bgf", [bgf::OPEN, &damaged].concat()),
            }
        }
        Source::Records(bytes) => {
            let damaged = damage_records(bytes, &mut rng);
            let mut lie = || match rng.random_range(0..8) {
                0 => rng.random_range(-5000..5000),
                1 => rng.random(),
                _ => 0,
            };
            let lies = Lies {
                size: lie(),
                packed: lie(),
                start: lie(),
                count: lie(),
                shared: shared_by(lie()),
            };
            ("xg records", pack(&damaged, lies))
        }
    }
}

/// Number of files that share a match's data, from an arbitrary number.
fn shared_by(lie: i32) -> usize {
    (lie.unsigned_abs() % 70) as usize
}

/// Changes some bytes and lines of a file, or inserts a piece of another.
fn damage(bytes: &[u8], other: &[u8], rng: &mut ChaCha8Rng) -> Vec<u8> {
    let mut out = bytes.to_vec();
    for _ in 0..rng.random_range(1..6) {
        if out.is_empty() {
            break;
        }
        let at = rng.random_range(0..out.len());
        let start = out[..at]
            .iter()
            .rposition(|&b| b == b'\n')
            .map_or(0, |i| i + 1);
        let end = out[at..].iter().position(|&b| b == b'\n');
        let end = end.map_or(out.len(), |i| at + i + 1);
        match rng.random_range(0..11) {
            0 => out[at] = rng.random(),
            1 => out[at] ^= 1 << rng.random_range(0..8),
            2 => out.truncate(at),
            3 => drop(out.drain(start..end)),
            4 => {
                let line = out[start..end].to_vec();
                for _ in 0..rng.random_range(1..20) {
                    out.splice(start..start, line.iter().copied());
                }
            }
            5 => {
                let piece = PIECES[rng.random_range(0..PIECES.len())];
                out.splice(at..at, piece.iter().copied());
            }
            6 => out[at] = b"0123456789/*()- :[];\\"[rng.random_range(0..21)],
            7 => {
                let with = rng.random_range(0..out.len());
                out.swap(at, with);
            }
            8 => drop(out.drain(at..end)),
            9 => {
                let from = rng.random_range(0..other.len().max(1)).min(other.len());
                let to = (from + rng.random_range(0..2000)).min(other.len());
                out.splice(at..at, other[from..to].iter().copied());
            }
            _ => {
                let count = rng.random_range(1..300);
                let byte = b" (:1)\t;[{"[rng.random_range(0..9)];
                out.splice(at..at, std::iter::repeat_n(byte, count));
            }
        }
    }
    out
}

/// Replaces digits and letters with others of their kind, and drops actions.
fn damage_values(bytes: &[u8], rng: &mut ChaCha8Rng) -> Vec<u8> {
    let mut out = bytes.to_vec();
    for _ in 0..rng.random_range(1..30) {
        let at = rng.random_range(0..out.len());
        let near = out[at..].iter().position(|b| b.is_ascii_digit());
        if let Some(digit) = near {
            out[at + digit] = b'0' + rng.random_range(0..10u8);
        }
    }
    let text = String::from_utf8_lossy(&out).into_owned();
    let actions: Vec<&str> = text.split("{\"player\"").collect();
    if rng.random_range(0..3) > 0 || actions.len() < 4 {
        return out;
    }
    // The last one includes the text after the actions.
    let drop = rng.random_range(1..actions.len() - 1);
    let mut kept = actions;
    kept.remove(drop);
    kept.join("{\"player\"").into_bytes()
}

/// Replaces a few bytes of binary JSON after its header with others of their kind: small numbers, tokens, lengths and
/// references.
fn damage_tokens(bytes: &[u8], rng: &mut ChaCha8Rng) -> Vec<u8> {
    const HEAD: usize = 4;
    let mut out = bytes.to_vec();
    for _ in 0..rng.random_range(1..12) {
        if out.len() <= HEAD {
            break;
        }
        let at = rng.random_range(HEAD..out.len());
        let small = out[at..].iter().position(|b| (0xc0..0xe0).contains(b));
        match (rng.random_range(0..8), small) {
            (0, _) => out[at] = rng.random(),
            (1, _) => out.truncate(at),
            (2, _) => {
                let tokens = [
                    0x20, 0x21, 0x23, 0x25, 0x29, 0xe4, 0xec, 0xf8, 0xf9, 0xfa, 0xfb, 0xfd,
                ];
                out[at] = tokens[rng.random_range(0..tokens.len())];
            }
            (3, _) => {
                let to = (at + rng.random_range(1..400)).min(out.len());
                let piece = out[at..to].to_vec();
                out.splice(at..at, piece);
            }
            (_, Some(near)) => out[at + near] = 0xc0 + rng.random_range(0..32u8),
            (_, None) => {}
        }
    }
    out
}

/// Changes fields of records, and drops, repeats and truncates records.
fn damage_records(bytes: &[u8], rng: &mut ChaCha8Rng) -> Vec<u8> {
    const RECORD: usize = 2560;
    let mut out = bytes.to_vec();
    for _ in 0..rng.random_range(1..12) {
        if out.len() < RECORD {
            break;
        }
        let at = rng.random_range(0..out.len() / RECORD) * RECORD;
        // Fields are at the start of each block; the rest of a record is mostly empty.
        let starts = [0, 0, 0, 120, 1024, 1280, 2300];
        let start = starts[rng.random_range(0..starts.len())];
        let field = at + start + rng.random_range(0..130);
        match rng.random_range(0..8) {
            0 => out[field] = rng.random(),
            1 => out[field] ^= 1 << rng.random_range(0..8),
            2 => {
                let value: i32 = [-1, 0, 1, i32::MAX, i32::MIN, 7][rng.random_range(0..6)];
                let field = (field & !3).min(out.len() - 4);
                out[field..field + 4].copy_from_slice(&value.to_le_bytes());
            }
            3 => drop(out.drain(at..at + RECORD)),
            4 => {
                let record = out[at..at + RECORD].to_vec();
                out.splice(at..at, record);
            }
            5 => out[at + 8] = rng.random_range(0..9),
            6 => out.truncate(out.len() - rng.random_range(0..RECORD)),
            _ => {
                let value = [f64::NAN, f64::INFINITY, -1e300, 0.5][rng.random_range(0..4)];
                let field = (field & !7).min(out.len() - 8);
                out[field..field + 8].copy_from_slice(&value.to_le_bytes());
            }
        }
    }
    out
}

/// Reads a file, checks the result against limits and rules, and writes it in every format. Returns whether the file
/// could be read.
fn try_one(bytes: &[u8]) -> Result<bool, String> {
    let record = match match_file::read_bytes(bytes, "case") {
        Ok(record) => record,
        Err(error) => {
            let line = error.to_string();
            let sound = sanitize::is_clean(&line);
            return if sound {
                Ok(false)
            } else {
                Err(format!("the error is {line:?}"))
            };
        }
    };
    check(&record)?;
    for target in [Target::Mat, Target::Text, Target::Sgf, Target::Json] {
        let written = target.write(&record);
        let again = match_file::read_bytes(written.as_bytes(), "again")
            .map_err(|error| format!("written as {target:?}: {error}"))?;
        check(&again).map_err(|what| format!("written as {target:?}: {what}"))?;
        // Omissions must be reported in displayable lines.
        let left_out = target.left_out(&record, &written);
        if let Some(line) = left_out.iter().find(|line| is_bad(line)) {
            return Err(format!("a line is not fit to be shown: {line:?}"));
        }
    }
    Ok(true)
}

fn check(record: &Match) -> Result<(), String> {
    let too_many = record.games.len() > 1000 || record.warnings.len() > 510;
    if too_many || (record.games.is_empty() && record.positions.is_empty()) {
        return Err("the limits do not hold".to_owned());
    }
    let mut texts = texts(record).map(String::as_str).chain(remarks(record));
    if let Some(text) = texts.find(|text| text.len() > 20_000 || is_bad(text)) {
        return Err(format!("a text is not fit to be shown: {text:?}"));
    }
    for (index, game) in record.games.iter().enumerate() {
        legal(record, index, game)?;
    }
    if MatchSummary::new(record).games.len() != record.games.len() {
        return Err("the summary lacks games".to_owned());
    }
    record.others.iter().try_for_each(check)
}

fn is_bad(text: &str) -> bool {
    !text.split('\n').all(sanitize::is_clean)
}

/// Returns all texts of a match that may be displayed.
fn texts(record: &Match) -> impl Iterator<Item = &String> {
    let tags = record.tags.iter().flat_map(|(key, value)| [key, value]);
    let warnings = record.warnings.iter().map(|warning| &warning.message);
    let comments = record.comments.iter().map(|comment| &comment.text);
    let of_games = record.analyses.iter().map(|(_, _, analysis)| analysis);
    let alone = record.positions.iter().filter_map(|p| p.analysis.as_ref());
    let names = record.players.iter();
    names
        .chain(tags)
        .chain(warnings)
        .chain(comments)
        .chain(of_games.chain(alone).flat_map(words))
}

/// Returns the remarks on standalone positions and on actions of variations.
fn remarks(record: &Match) -> impl Iterator<Item = &str> {
    let alone = record.positions.iter();
    let of_positions = alone.clone().filter_map(|p| p.variations.as_deref());
    let trees = record.variations.values().chain(of_positions);
    let in_trees = trees.flat_map(|tree| {
        let rows = tree.rows().into_iter();
        rows.filter_map(move |row| tree.node(row.node)?.comment.as_deref())
    });
    alone.filter_map(|p| p.comment.as_deref()).chain(in_trees)
}

/// Returns the texts of an imported analysis.
fn words(analysis: &Analysis) -> impl Iterator<Item = &String> {
    let plays = analysis.plays.iter().map(|verdict| &verdict.level);
    let cube = analysis.cube.iter().map(|verdict| &verdict.level);
    plays.chain(cube).chain([&analysis.program])
}

/// Checks that every play of a game is legal, except those marked as illegal, which must be.
fn legal(record: &Match, index: usize, game: &match_file::Game) -> Result<(), String> {
    let mut list = PlayList::new();
    for decision in record.decision_states(game) {
        let position = decision.state.position;
        let (roll, after, is_legal) = match game.events[decision.event].action {
            Action::Move { roll, play } => (roll, play.apply(&position), true),
            Action::Illegal { roll, after } => (roll, after, false),
            _ => continue,
        };
        list.generate(&position, roll);
        let sound = Position::new(after.mover, after.opponent).is_ok();
        if list.results().contains(&after) != is_legal || !sound {
            return Err(format!(
                "game {index}: {roll} to {after:?}: legal {is_legal}?"
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::match_file::CubeVerdict;

    #[test]
    fn damaged_files_are_read_as_far_as_they_go() {
        let (tallies, failures) = run(7, |case| case < 8000);
        let failures: Vec<_> = failures.iter().map(|f| (f.case, &f.what)).collect();
        assert_eq!(failures, []);
        let cases: u64 = tallies.iter().map(|tally| tally.cases).sum();
        assert_eq!(cases, 8000);
        for tally in &tallies {
            let share = tally.read as f64 / tally.cases as f64;
            let least = match tally.reader {
                // A single wrong byte in packed data or JSON is often fatal.
                "xg archive" | "json" => 0.2,
                "bgf archive" => 0.005,
                "bgf" => 0.3,
                _ => 0.5,
            };
            assert!(share > least, "{}: {share}", tally.reader);
        }
        assert_eq!(tallies.len(), 10);
    }

    /// The texts of an analysis are checked wherever it occurs.
    #[test]
    fn foreign_words_are_checked() {
        let list = include_bytes!("../../../../tests/fixtures/positions/gnubg.txt");
        let mut record = match_file::read_bytes(list, "list").unwrap();
        let mut analysis = Analysis::default();
        analysis.cube = Some(CubeVerdict::default());
        let mut try_with = |analysis: &Analysis| {
            record.positions[0].analysis = Some(analysis.clone());
            check(&record)
        };
        assert_eq!(try_with(&analysis), Ok(()));
        analysis.program = "\x1b[2J".to_owned();
        assert!(try_with(&analysis).is_err());
        analysis.program.clear();
        analysis.cube.as_mut().unwrap().level = "\x1b[2J".to_owned();
        assert!(try_with(&analysis).is_err());
    }

    #[test]
    fn a_case_follows_from_its_number() {
        let sources = sources();
        assert_eq!(make(&sources, 3, 11).1, make(&sources, 3, 11).1);
        assert_ne!(make(&sources, 3, 11).1, make(&sources, 4, 11).1);
    }
}
