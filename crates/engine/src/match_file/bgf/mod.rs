//! BGBlitz matches (`.bgf`), with their analysis.
//!
//! A line of JSON describes the packing: gzip or not, Smile (binary JSON) or JSON. The data are an object
//! with the games and their moves. The fields are described by kevung/bgfparser and by the converter of
//! GammonView (github.com/kevung/bgfparser, `gvformat/bgf.py`). BGBlitz publishes no description, and no real
//! file was available. An unexpected value therefore causes a warning, and the rest is read.
//!
//! *Findings of those sources.* −1 is green, 1 red. `from` and `to` are the mover's own points, 25 the bar, 0
//! or less off. A checker that plays both dice may have only its first and last point. A record without a
//! play (`from` begins with −1) is a double if its cube decision contains `hasDoubled`; the next record is
//! the answer. Without `hasDoubled` it is no double. A dance (`dancingEquity`) has the dice in place of the
//! play. Cube figures are match winning chances in a match and points in money play; −999 means no figure.

pub mod build;
mod kept;
mod smile;

use std::io::Read as _;

use flate2::read::{GzDecoder, ZlibDecoder};
use kept::{Value, ValueBudget};

use super::analysis::{Analysis, Chances, CubeUnit, CubeVerdict, MOST_PLAYS, PlayVerdict};
use super::bounded::memory_for;
use super::builder::{GameBuilder, MatchBuilder, name};
use super::cube::is_value;
use super::length::MatchLength;
use super::model::Match;
use super::start::Start;
use super::text::clean;
use super::variant::WITHOUT_CUBE;
use super::warnings::FilePlace;
use crate::game::{Player, Position, Roll, Rules, Side};
use crate::notation::WrittenPlay;

/// The name of the program in analyses.
const PROGRAM: &str = "BGBlitz";
/// Maximum size of unpacked data, in bytes.
const LARGEST: usize = 32 << 20;
/// Maximum size of plain JSON, in bytes: its values take more memory than those of Smile.
const LARGEST_JSON: usize = 8 << 20;
/// Figures below this are missing.
const NOTHING: f64 = -90.0;
/// Names of the fields to keep.
const WANTED: [&str; 56] = [
    "matchlen",
    "nameGreen",
    "nameRed",
    "date",
    "event",
    "location",
    "round",
    "useCube",
    "useCrawford",
    "useJacoby",
    "useBeaver",
    "finalGreen",
    "finalRed",
    "games",
    "scoreGreen",
    "scoreRed",
    "isCrawford",
    "wonPoints",
    "wasResignation",
    "initial",
    "points",
    "cube",
    "cubeOwner",
    "moves",
    "player",
    "red",
    "green",
    "from",
    "to",
    "ply",
    "equity",
    "emg",
    "hasEMG",
    "matchEquity",
    "myWins",
    "oppWins",
    "myGammon",
    "oppGammon",
    "myBackGammon",
    "oppBackGammon",
    "cubeDecision",
    "eqNoDouble",
    "eqDoubleTake",
    "eqDoublePass",
    "eqCubeFul",
    "hasDoubled",
    "hasAccepted",
    "dancingEquity",
    "moveAnalysis",
    "move",
    "eq",
    "luck",
    "luckPlain",
    "luckWeighted",
    "mode",
    "comment",
];

/// Reads a match.
///
/// # Errors
/// Why there is nothing to show, in one line.
pub(super) fn read(file: &[u8]) -> Result<Match, String> {
    let start = file.iter().position(|&b| b == b'\n');
    // A head without a line end ends where the data begin.
    let packed = |at: &usize| {
        let rest = &file[*at..];
        rest.starts_with(b"\x1f\x8b") || rest.starts_with(smile::MAGIC)
    };
    let data = match start {
        Some(end) if end < 4096 => end + 1,
        _ => (0..file.len().min(4096))
            .find(packed)
            .ok_or("it has no data behind its head")?,
    };
    // A small file can unpack to a large one: a third of the memory is for the data, the rest for their
    // values and the match.
    let memory = memory_for(file.len());
    let unpacked = unpack(&file[data..], LARGEST.min(memory / 3))?;
    let budget = ValueBudget::new((memory - unpacked.len()) / 3 * 2, &WANTED);
    let document = if unpacked.starts_with(smile::MAGIC) {
        smile::read(&unpacked, &budget)?
    } else if unpacked.len() > LARGEST_JSON.min(memory / 6) {
        return Err(TOO_LARGE.to_owned());
    } else {
        kept::json(&unpacked, &budget)?
    };
    drop(unpacked);
    matched(&document)
}

const TOO_LARGE: &str = "its data are larger than any match";

/// Unpacks data of at most `most` bytes. The size is counted first, so that the list is allocated once.
fn unpack(data: &[u8], most: usize) -> Result<Vec<u8>, String> {
    let open = || -> Box<dyn std::io::Read + '_> {
        match data {
            [0x1f, 0x8b, ..] => Box::new(GzDecoder::new(data)),
            [0x78, 0x01 | 0x9c | 0xda, ..] => Box::new(ZlibDecoder::new(data)),
            _ => Box::new(data),
        }
    };
    let broken = |error| format!("its data cannot be unpacked: {error}");
    let size = std::io::copy(&mut open().take(most as u64 + 1), &mut std::io::sink());
    let size = size.map_err(broken)? as usize;
    if size > most {
        return Err(TOO_LARGE.to_owned());
    }
    let mut out = Vec::with_capacity(size);
    open().read_to_end(&mut out).map_err(broken)?;
    Ok(out)
}

fn whole(value: &Value) -> Option<i64> {
    value
        .as_i64()
        .or_else(|| value.as_f64().map(|number| number as i64))
}

/// Returns a figure, unless it is missing.
fn figure(value: &Value) -> Option<f64> {
    value.as_f64().filter(|f| *f > NOTHING && f.abs() < 1e6)
}

fn count(value: &Value) -> u16 {
    whole(value)
        .and_then(|n| u16::try_from(n).ok())
        .unwrap_or(0)
}

fn player(value: &Value) -> Option<Player> {
    match whole(value)? {
        -1 => Some(Player::Left),
        1 => Some(Player::Right),
        _ => None,
    }
}

fn matched(document: &Value) -> Result<Match, String> {
    let games = document["games"].as_array().ok_or("it has no games")?;
    let (head, complaint) = head(document);
    let length = head.length;
    let mut match_builder = MatchBuilder::new(head);
    if let Some(complaint) = complaint {
        match_builder.warnings.add(FilePlace::default(), complaint);
    }
    if document["useCube"].as_bool() == Some(false) {
        match_builder
            .warnings
            .add(FilePlace::default(), WITHOUT_CUBE);
    }
    let score = |game: &Value| [count(&game["scoreGreen"]), count(&game["scoreRed"])];
    let last = [&document["finalGreen"], &document["finalRed"]];
    let last = last.map(|points| whole(points).map(|_| count(points)));
    for (index, game) in games.iter().enumerate() {
        let next = match games.get(index + 1) {
            Some(next) => Some(score(next)),
            None => last[0].zip(last[1]).map(|(a, b)| [a, b]),
        };
        let reader = GameReader {
            game,
            length,
            place: FilePlace::default(),
        };
        if !reader.read(&mut match_builder, index, score(game), next) {
            break;
        }
    }
    let record = match_builder.finish();
    if record.games.is_empty() {
        return Err("it has no game in it".to_owned());
    }
    Ok(record)
}

/// Returns the head of a match and a warning about its length.
fn head(document: &Value) -> (Match, Option<String>) {
    let written = whole(&document["matchlen"]).unwrap_or(0);
    let MatchLength {
        points: length,
        complaint,
    } = MatchLength::new(written);
    let says = |key: &str, usual: bool| document[key].as_bool().unwrap_or(usual);
    let text = |key: &str| document[key].as_str().unwrap_or_default();
    let mut tags = vec![("Site".to_owned(), PROGRAM.to_owned())];
    for (key, field) in [
        ("Event", "event"),
        ("Place", "location"),
        ("Round", "round"),
        ("EventDate", "date"),
    ] {
        let value = clean(text(field));
        if !value.is_empty() {
            tags.push((key.to_owned(), value));
        }
    }
    let record = Match {
        format: "bgf",
        encoding: "binary",
        length,
        players: [
            name(text("nameGreen"), Player::Left),
            name(text("nameRed"), Player::Right),
        ],
        crawford: length > 0 && says("useCrawford", true),
        rules: Rules {
            jacoby: length == 0 && says("useJacoby", false),
            beavers: length == 0 && says("useBeaver", false),
            ..Rules::default()
        },
        tags,
        ..Match::default()
    };
    (record, complaint)
}

struct GameReader<'a> {
    game: &'a Value,
    length: u16,
    place: FilePlace,
}

impl GameReader<'_> {
    fn read(
        &self,
        match_builder: &mut MatchBuilder,
        index: usize,
        score: [u16; 2],
        next: Option<[u16; 2]>,
    ) -> bool {
        let game = self.game;
        let crawford = game["isCrawford"].as_bool();
        let number = index as u32 + 1;
        let mut builder = match_builder.begin(self.place, number, Some(score), crawford);
        if let Some(start) = start(&game["initial"]) {
            builder = match_builder.set(self.place, builder, start);
        }
        let moves = game["moves"].as_array().unwrap_or_default();
        let mut at = 0;
        while let Some(one) = moves.get(at) {
            at += 1;
            let Some(player) = player(&one["player"]) else {
                continue;
            };
            let dances = one["dancingEquity"].is_object();
            let decision = &one["equity"]["cubeDecision"];
            if places(&one["from"]).is_empty() && !dances {
                let doubled = decision["hasDoubled"].as_bool();
                if doubled == Some(true) {
                    at += usize::from(self.double(&mut builder, player, one, moves.get(at)));
                }
                continue;
            }
            self.roll(&mut builder, player, one, dances);
        }
        self.result(&mut builder, score, next);
        match_builder.end(self.place, builder, next)
    }

    /// Adds a double and its answer. Returns whether the answer was the next record.
    fn double(
        &self,
        builder: &mut GameBuilder,
        player: Player,
        one: &Value,
        next: Option<&Value>,
    ) -> bool {
        let before = builder.game.events.len();
        builder.double(self.place, player);
        if builder.game.events.len() == before {
            return false;
        }
        let analysis = self.cube(one);
        if let Some(mut analysis) = analysis.clone() {
            builder.note_errors(&mut analysis);
            builder.analysed(analysis);
        }
        let accepted = one["equity"]["cubeDecision"]["hasAccepted"].as_bool();
        let answers = next.is_some_and(|next| places(&next["from"]).is_empty());
        let accepted =
            accepted.or_else(|| next?["equity"]["cubeDecision"]["hasAccepted"].as_bool());
        match accepted {
            Some(true) => builder.take(self.place, player.other()),
            Some(false) => builder.pass(self.place, player.other()),
            None => return false,
        }
        if let Some(mut analysis) = analysis {
            builder.note_errors(&mut analysis);
            builder.analysed(analysis);
        }
        answers
    }

    fn roll(&self, builder: &mut GameBuilder, player: Player, one: &Value, dances: bool) {
        let first = |key: &str| whole(&one[key][0]);
        let dice = if dances && first("from").is_some_and(|n| n > 0) {
            [first("from"), first("to")]
        } else {
            [whole(&one["red"]), whole(&one["green"])]
        };
        let die = |n: Option<i64>| n.and_then(|n| u8::try_from(n).ok()).unwrap_or(0);
        let [a, b] = dice.map(die);
        let Some(roll) = Roll::new(a, b) else {
            return builder.bad_dice(self.place, player, &format!("{a} {b}"));
        };
        let written = if dances {
            WrittenPlay::of_steps(&[])
        } else {
            WrittenPlay::of_steps(&steps(one))
        };
        let before = builder.game.events.len();
        builder.roll(self.place, player, roll, &written, None);
        if builder.game.events.len() == before || builder.is_cut() {
            return;
        }
        let mut analysis = Analysis {
            program: PROGRAM.to_owned(),
            luck: luck(&one["luck"]),
            ..Analysis::default()
        };
        let candidates = one["moveAnalysis"].as_array();
        for candidate in candidates.unwrap_or_default().iter().take(MOST_PLAYS) {
            let written = WrittenPlay::of_steps(&steps(&candidate["move"]));
            let eq = &candidate["eq"];
            if let (Some(play), Some(equity)) = (builder.legal(&written), equity(eq)) {
                analysis.plays.push(PlayVerdict {
                    play,
                    level: level(&candidate["ply"]),
                    equity,
                    chances: chances(eq),
                });
            }
        }
        analysis.plays.sort_by(|a, b| b.equity.total_cmp(&a.equity));
        analysis.cube = self.cube(one).and_then(|cube| cube.cube);
        let says = analysis.luck.is_some() || !analysis.plays.is_empty();
        if says || analysis.cube.is_some() {
            builder.note_errors(&mut analysis);
            builder.analysed(analysis);
        }
    }

    /// Returns the analysis of the cube before a roll, or of a double.
    fn cube(&self, one: &Value) -> Option<Analysis> {
        let equity = &one["equity"];
        let decision = &equity["cubeDecision"];
        let [no_double, double_take, double_pass] =
            ["eqNoDouble", "eqDoubleTake", "eqDoublePass"].map(|key| figure(&decision[key]));
        no_double?;
        Some(Analysis {
            program: PROGRAM.to_owned(),
            cube: Some(CubeVerdict {
                level: level(&one["ply"]),
                unit: if self.length > 0 {
                    CubeUnit::Mwc
                } else {
                    CubeUnit::Points
                },
                no_double,
                double_take,
                double_pass,
                chances: chances(equity),
                ..CubeVerdict::default()
            }),
            ..Analysis::default()
        })
    }

    /// Adds the result: the winner from the scores, and the points.
    fn result(&self, builder: &mut GameBuilder, score: [u16; 2], next: Option<[u16; 2]>) {
        let points = whole(&self.game["wonPoints"]).and_then(|n| u32::try_from(n).ok());
        let Some(next) = next.filter(|_| points.is_some_and(|p| p > 0)) else {
            return;
        };
        let winner = match [next[0] > score[0], next[1] > score[1]] {
            [true, false] => Player::Left,
            [false, true] => Player::Right,
            _ => return,
        };
        if self.game["wasResignation"].as_bool() == Some(true) {
            builder.resign(self.place, winner.other(), points);
        } else {
            builder.wins(self.place, winner, points);
        }
    }
}

/// Returns the points of a list up to the first −1.
fn places(list: &Value) -> Vec<i64> {
    let all = list.as_array().unwrap_or_default().iter().take(4);
    all.map(|n| whole(n).unwrap_or(-1))
        .take_while(|&n| n != -1)
        .collect()
}

/// Returns the steps of a play, up to the first without a valid origin.
fn steps(play: &Value) -> Vec<(u8, u8)> {
    let to = play["to"].as_array();
    let to = |i: usize| to.and_then(|all| whole(all.get(i)?)).unwrap_or(0);
    let from = places(&play["from"]).into_iter().enumerate();
    from.filter_map(|(i, from)| {
        let from = u8::try_from(from).ok().filter(|f| (1..=25).contains(f))?;
        Some((from, u8::try_from(to(i).max(0)).unwrap_or(0).min(24)))
    })
    .collect()
}

/// Returns the start of a game, if it is unusual.
fn start(initial: &Value) -> Option<Start> {
    let points = initial["points"].as_array()?;
    let at = |i: usize| points.get(i).and_then(whole).unwrap_or(0);
    let (mut green, mut red) = ([0u8; 26], [0u8; 26]);
    for i in 0..24 {
        // Points are red's; red's checkers are negative.
        let n = at(i);
        let checkers = u8::try_from(n.unsigned_abs()).ok()?;
        if n < 0 {
            red[i + 1] = checkers;
        } else {
            green[24 - i] = checkers;
        }
    }
    green[25] = u8::try_from(at(24).unsigned_abs()).ok()?;
    red[25] = u8::try_from(at(25).unsigned_abs()).ok()?;
    let board = Position::new(Side::new(&green).ok()?, Side::new(&red).ok()?).ok()?;
    let cube = whole(&initial["cube"])
        .and_then(|n| u32::try_from(n).ok())
        .filter(|&value| is_value(value))
        .unwrap_or(1);
    let owner = player(&initial["cubeOwner"]);
    let start = Start { board, cube, owner };
    (start != Start::default()).then_some(start)
}

/// Returns the equity of a play, in points normalised to the cube.
fn equity(eq: &Value) -> Option<f64> {
    let emg = figure(&eq["emg"]).filter(|_| eq["hasEMG"].as_bool() != Some(false));
    emg.or_else(|| figure(&eq["cubeDecision"]["eqCubeFul"]))
        .or_else(|| figure(&eq["equity"]))
}

fn chances(eq: &Value) -> Option<Chances> {
    let [w, g, b, lg, lb] = [
        "myWins",
        "myGammon",
        "myBackGammon",
        "oppGammon",
        "oppBackGammon",
    ]
    .map(|key| figure(&eq[key]));
    Chances::new([w?, g?, b?, lg?, lb?])
}

fn level(ply: &Value) -> String {
    match whole(ply) {
        Some(ply @ 1..=20) => format!("{ply}-ply"),
        _ => String::new(),
    }
}

/// Returns the luck in points of the cube: plain in money play, weighted by the value of a point in a match.
fn luck(luck: &Value) -> Option<f64> {
    let key = match luck["mode"].as_str() {
        Some("Money") => "luckPlain",
        _ => "luckWeighted",
    };
    figure(&luck[key])
}

#[cfg(test)]
mod tests;
