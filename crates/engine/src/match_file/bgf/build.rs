//! Builds BGBlitz files from matches, for tests and the fuzzer only: BGBlitz itself imports match text.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};

use super::smile::{MAGIC, SHARED_LENGTH};
use crate::game::{Play, Player, Roll, Step};
use crate::match_file::model::{Action, Game, Match};

/// The head of a file with uncompressed data.
pub const OPEN: &[u8] = b"{\"compression\":\"none\"}\n";

/// Returns a match as a BGBlitz document.
pub fn document(record: &Match) -> Value {
    let games: Vec<Value> = record.games.iter().map(game).collect();
    let [green, red] = record.final_score();
    json!({
        "matchlen": record.length, "nameGreen": record.players[0], "nameRed": record.players[1],
        "date": "2026-11-20", "finalGreen": green, "finalRed": red, "useCrawford": true,
        "useJacoby": false, "ratingGreen": 1523.25, "games": games,
    })
}

fn game(game: &Game) -> Value {
    let none = json!([-1, -1, -1, -1]);
    let mut moves = Vec::new();
    for (i, event) in game.events.iter().enumerate() {
        let player = if event.player == Player::Left { -1 } else { 1 };
        match event.action {
            Action::Move { roll, play } => moves.push(checker_play(player, roll, play)),
            Action::Double { .. } => {
                let took = match game.events.get(i + 1).map(|e| e.action) {
                    Some(Action::Take) => json!(true),
                    Some(Action::Pass) => json!(false),
                    _ => Value::Null,
                };
                moves.push(json!({
                    "player": player, "from": none, "to": none,
                    "equity": {"emg": 0.4, "matchEquity": 0.6, "cubeDecision": {
                        "hasDoubled": true, "hasAccepted": took, "eqNoDouble": 0.60,
                        "eqDoubleTake": 0.62, "eqDoublePass": 0.65,
                        "stateOnMove": "DOUBLE", "stateOther": "ACCEPT"}},
                }));
                moves.push(json!({"player": -player, "from": none, "to": none}));
            }
            _ => {}
        }
    }
    // A game ends with a record that has no meaning.
    moves.push(json!({"player": 1, "from": none, "to": none, "equity": {}}));
    let result = game.result;
    json!({
        "scoreGreen": game.score[0], "scoreRed": game.score[1],
        "isCrawford": game.crawford, "wonPoints": result.map_or(0, |r| r.points),
        "wasResignation": false, "moves": moves, "unknown": {"deep": [1, 2]},
    })
}

fn checker_play(player: i32, roll: Roll, play: Play) -> Value {
    if play.is_empty() {
        return json!({
            "type": "amove", "player": player, "dancingEquity": {"equity": -0.5},
            "from": [roll.high(), -1, -1, -1], "to": [roll.low(), -1, -1, -1],
        });
    }
    let list = |of: fn(Step) -> u8| {
        let mut all: Vec<i64> = play.steps().map(|s| of(s).into()).collect();
        all.resize(4, -1);
        all
    };
    let (from, to) = (list(|s| s.from), list(|s| s.to));
    json!({
        "type": "amove", "player": player, "red": roll.low(),
        "green": roll.high(), "from": from, "to": to, "ply": 2,
        "luck": {"luckPlain": 0.01, "luckWeighted": 0.02, "mode": "Match"},
        "moveAnalysis": [{"move": {"from": from, "to": to}, "ply": 2,
            "played": true, "eq": {"emg": 0.125, "matchEquity": 0.5,
            "hasEMG": true, "equity": 0.1, "myWins": 0.5, "oppWins": 0.5,
            "myGammon": 0.2, "oppGammon": 0.1, "myBackGammon": 0.01,
            "oppBackGammon": 0.0}}],
    })
}

/// Returns a file with this data, compressed.
pub fn pack(body: &[u8]) -> Vec<u8> {
    let head = b"{\"version\":\"1\",\"compression\":\"gzip\",\"encoding\":\"smile\"}\n";
    let mut packer = GzEncoder::new(head.to_vec(), Compression::fast());
    let written = packer.write_all(body).and_then(|()| packer.finish());
    written.expect("memory takes what is written")
}

/// Encodes a value as Smile, with shared names and short texts, as other programs do.
pub fn smile(value: &Value) -> Vec<u8> {
    let mut out = MAGIC.to_vec();
    out.push(3);
    write_value(&mut out, value, &mut Vec::new(), &mut Vec::new());
    out
}

fn write_value(out: &mut Vec<u8>, value: &Value, names: &mut Vec<String>, texts: &mut Vec<String>) {
    match value {
        Value::Null => out.push(0x21),
        Value::Bool(b) => out.push(0x22 + u8::from(*b)),
        Value::Number(n) if n.is_i64() => {
            let n = n.as_i64().unwrap_or_default();
            let folded = ((n << 1) ^ (n >> 63)) as u64;
            if folded < 32 {
                return out.push(0xc0 + folded as u8);
            }
            out.push(0x25);
            let mut bytes = vec![0x80 | (folded & 0x3f) as u8];
            let mut rest = folded >> 6;
            while rest > 0 {
                bytes.push((rest & 0x7f) as u8);
                rest >>= 7;
            }
            out.extend(bytes.iter().rev());
        }
        Value::Number(n) => {
            out.push(0x29);
            let bits = n.as_f64().unwrap_or_default().to_bits();
            out.extend((0..10).rev().map(|i| (bits >> (7 * i) & 0x7f) as u8));
        }
        Value::String(text) => write_text(out, text, texts),
        Value::Array(all) => {
            out.push(0xf8);
            all.iter().for_each(|v| write_value(out, v, names, texts));
            out.push(0xf9);
        }
        Value::Object(all) => {
            out.push(0xfa);
            for (name, value) in all {
                match names.iter().position(|n| n == name) {
                    Some(i) if i < 64 => out.push(0x40 + i as u8),
                    Some(i) => out.extend([0x30 | (i >> 8) as u8, i as u8]),
                    None => {
                        out.push(0x80 + name.len() as u8 - 1);
                        out.extend(name.as_bytes());
                        names.push(name.clone());
                    }
                }
                write_value(out, value, names, texts);
            }
            out.push(0xfb);
        }
    }
}

fn write_text(out: &mut Vec<u8>, text: &str, texts: &mut Vec<String>) {
    if let Some(i) = texts.iter().position(|t| t == text) {
        match i {
            0..=30 => out.push(i as u8 + 1),
            _ => out.extend([0xec | (i >> 8) as u8, i as u8]),
        }
        return;
    }
    match (text.is_ascii(), text.len()) {
        (_, 0) => return out.push(0x20),
        (true, n @ 1..=64) => out.push(0x40 + n as u8 - 1),
        (false, n @ 2..=65) => out.push(0x80 + n as u8 - 2),
        _ => {
            out.push(0xe4);
            out.extend(text.as_bytes());
            return out.push(0xfc);
        }
    }
    out.extend(text.as_bytes());
    if text.len() <= SHARED_LENGTH {
        texts.push(text.to_owned());
    }
}
