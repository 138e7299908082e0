//! The table `docs/reference/json-keys.tsv` has every key of every document that `--json` gives, with its
//! types. They come from documents that the program prints here. `UPDATE_MANUAL=1` renews the
//! table and leaves the column of meanings as it is; a new key gets an empty one, which fails.

use crate::common;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use common::{MATCH, OPENING, command, name};
use luckless::match_file;
use luckless::store::{MatchFingerprint, NoteStore};
use serde_json::Value;

/// Money, seven checkers against six: rollouts end after a few rolls.
const BEAROFF: &str = "eAYAAGYHAAAAAA";
/// 2-away 4-away, to roll 52.
const SCORE: &str = "XGID=-b----E-C---eE---c-e----B-:0:0:1:52:3:5:0:7:10";
/// The same before the roll, and with a double to answer.
const TO_DOUBLE: &str = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:3:5:0:7:10";
const DOUBLED: &str = "XGID=-b----E-C---eE---c-e----B-:0:0:1:D:0:0:0:7:10";
/// Two checkers closed out, the others far from home.
const TOO_GOOD: &str = "XGID=bCCCBBB-----eec-----------:0:0:1:00:0:0:0:0:10";
const CRAWFORD: &str = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:4:2:1:5:10";
/// 1-away 1-away: nobody can double.
const DMP: &str = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:4:4:0:5:10";
/// A double would be beavered.
const BEAVERED: &str = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:3:0:10";
const MONEY: &str = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10";

/// The player on roll wins with any roll.
const DECIDED: &str = "XGID=-A---------------------a--:0:0:1:00:0:0:3:0:10";

/// What ben doubles in `m.mat`.
const DOUBLE: &str = "XGID=-a----E-C--aeD---bAdb---AA:0:0:1:00:0:0:0:3:10";

/// A match with what few matches have: a game that is set up, comments, variations, an illegal play, another
/// match, a position.
const RARE: &str = r#"{"luckless":"match","version":1,"length":0,"players":["Ann","Ben"],
"games":[{"game":1,"score":[0,0],"start":"4HPwATDgc/ACMA","cube":2,"owner":"left","comment":"Set up.",
"actions":[{"player":"left","action":"roll","roll":"31","play":"8/5 6/5","comment":"Best.",
"variations":[{"did":"double","comment":"Or so."},{"did":"31","steps":[[8,5],[6,5]]},{"after":1,"did":"31","steps":[[8,5],[6,5]]}]},
{"player":"right","action":"roll","roll":"21","after":"4HPwATDgc/ABMA"}]}],
"positions":[{"id":"4HPwATDgc/ABMA","no_crawford":true},
{"id":"4HPwATDgc/ABMA","comment":"Why?","variations":[{"did":"31","steps":[[8,5],[6,5]]}]}],
"matches":[{"luckless":"match","version":1,"length":1,"players":["Ann","Ben"],
"games":[{"game":1,"score":[0,0],"actions":[{"player":"left","action":"roll","roll":"31","play":"8/5 6/5"}]}]}]}
"#;

/// Objects that stand in several documents and have tables of their own: document, path, part.
const PARTS: [(&str, &str, &str); 22] = [
    ("rollout", "plays[]", "candidate"),
    ("rollout", "settings", "settings"),
    ("rollout", "cube_decision.difference", "difference"),
    ("merge", "plays[]", "candidate"),
    ("merge", "settings", "settings"),
    ("merge", "cube_decision.difference", "difference"),
    ("batch", "cube_decision.difference", "difference"),
    ("batch", "plays[]", "candidate"),
    ("batch", "settings", "settings"),
    ("compare", "a", "candidate"),
    ("compare", "b", "candidate"),
    ("compare", "difference", "difference"),
    ("compare", "settings", "settings"),
    ("family", "plays[]", "candidate"),
    ("family", "settings", "settings"),
    ("review", "players[]", "player"),
    ("review", "games[].players[]", "player"),
    ("matches", "matches[]", "review"),
    ("player", "checker", "decisions"),
    ("player", "double", "decisions"),
    ("player", "take", "decisions"),
    ("eval-position", "cube", "cube"),
];

/// Keys that no command given here can show: variations are made in the workstation, errors of cube
/// actions and places of warnings come from binary files, and some values are missing only at times.
const UNSEEN: [(&str, &str, &str); 11] = [
    ("review", "games[].moves[].variations", "optional integer"),
    (
        "review",
        "games[].moves[].variation_lines",
        "optional list of string",
    ),
    (
        "convert",
        "games[].actions[].analysis.cube.answer_error",
        "optional number",
    ),
    (
        "convert",
        "games[].actions[].analysis.cube.error",
        "optional number",
    ),
    (
        "convert",
        "games[].actions[].analysis.plays[].chances",
        "optional list of number",
    ),
    ("review", "warnings[].offset", "optional integer"),
    ("inspect", "warnings[].offset", "optional integer"),
    ("player", "other.luck", "number or null"),
    ("family", "caveats", "optional list of string"),
    ("why", "rolls[].a.reply", "string or null"),
    ("why", "rolls[].b.reply", "string or null"),
];

/// Objects that are described elsewhere: document and path, and those of the object with the same keys.
const LIKE: [[(&str, &str); 2]; 8] = [
    [
        ("convert", "positions[].variations[]"),
        ("convert", "games[].actions[].variations[]"),
    ],
    [("merge", "cube_decision"), ("rollout", "cube_decision")],
    [("batch", "cube_decision"), ("rollout", "cube_decision")],
    [("family", "bias_check"), ("rollout", "bias_check")],
    [("family", "pilot"), ("compare", "pilot")],
    [("convert", "matches[]"), ("convert", "")],
    [
        ("inspect", "positions[].analysis"),
        ("convert", "games[].actions[].analysis"),
    ],
    [
        ("convert", "positions[].analysis"),
        ("convert", "games[].actions[].analysis"),
    ],
];

/// Objects whose keys are names of something: document and path.
const MAPS: [(&str, &str); 1] = [("bench", "kernels")];

/// What is known of a key.
#[derive(Clone, Debug, Default, PartialEq)]
struct Key {
    types: Vec<String>,
    /// Whether it is left out at times.
    optional: bool,
}

impl Key {
    fn of(words: &str) -> Self {
        let (optional, types) = match words.strip_prefix("optional ") {
            Some(types) => (true, types),
            None => (false, words),
        };
        Self {
            types: types.split(" or ").map(str::to_owned).collect(),
            optional,
        }
    }

    fn words(&self) -> String {
        let before = if self.optional { "optional " } else { "" };
        format!("{before}{}", merged(self.types.clone()).join(" or "))
    }

    fn with(mut self, other: &Self) -> Self {
        self.optional |= other.optional;
        self.types.extend(other.types.iter().cloned());
        self
    }
}

/// Types without doubles: a whole number is a number, and lists are one list of what is in them.
fn merged(types: Vec<String>) -> Vec<String> {
    let mut inner = Vec::new();
    let mut outer = Vec::new();
    for name in types {
        match name.strip_prefix("list of ") {
            Some(list) if list.starts_with("list of ") => inner.push(list.to_owned()),
            Some(all) => inner.extend(all.split('/').map(str::to_owned)),
            None => outer.push(name),
        }
    }
    if !inner.is_empty() {
        outer.retain(|name| name != "list");
        outer.push(format!("list of {}", merged(inner).join("/")));
    }
    if outer.iter().any(|name| name == "number") {
        outer.retain(|name| name != "integer");
    }
    outer.sort_by_key(|name| (name == "null", name.clone()));
    outer.dedup();
    outer
}

/// The keys of documents and parts by table, then by path.
#[derive(Default)]
struct Seen {
    keys: BTreeMap<String, BTreeMap<String, Key>>,
    /// How often an object was seen.
    objects: BTreeMap<(String, String), usize>,
    /// How often each of its keys was there.
    counts: BTreeMap<(String, String), usize>,
}

/// The type of a value as it is written in a table.
fn type_of(value: &Value) -> String {
    match value {
        Value::Null => "null".into(),
        Value::Bool(_) => "boolean".into(),
        Value::Number(n) if n.is_f64() => "number".into(),
        Value::Number(_) => "integer".into(),
        Value::String(_) => "string".into(),
        Value::Object(_) => "object".into(),
        Value::Array(all) => {
            if all.is_empty() {
                return "list".into();
            }
            let lists = all
                .iter()
                .map(|value| format!("list of {}", type_of(value)));
            merged(lists.collect()).concat()
        }
    }
}

impl Seen {
    /// The documents of `table`.
    fn document(&mut self, table: &str, value: &Value) {
        self.object(table, "", value);
    }

    fn object(&mut self, table: &str, at: &str, value: &Value) {
        let Some(object) = value.as_object() else {
            return;
        };
        *self
            .objects
            .entry((table.to_owned(), at.to_owned()))
            .or_default() += 1;
        for (name, value) in object {
            let map = MAPS.contains(&(table, at));
            let name = if map { "NAME" } else { name };
            let path = match at {
                "" => name.to_owned(),
                at => format!("{at}.{name}"),
            };
            *self
                .counts
                .entry((table.to_owned(), path.clone()))
                .or_default() += 1;
            self.value(table, &path, value);
        }
    }

    fn value(&mut self, table: &str, path: &str, value: &Value) {
        let inner = |value: &Value| value.as_array().and_then(|a| a.first()).cloned();
        let is_list = value
            .as_array()
            .is_some_and(|a| a.iter().any(Value::is_object));
        let nested = inner(value)
            .is_some_and(|v| v.as_array().is_some_and(|a| a.iter().any(Value::is_object)));
        let below = match (is_list, nested) {
            (true, _) => format!("{path}[]"),
            _ => path.to_owned(),
        };
        let part = PARTS.iter().find(|(t, p, _)| *t == table && *p == below);
        let mut kind = type_of(value);
        if let Some((_, _, part)) = part {
            kind = kind.replace("object", part);
        }
        let keys = self.keys.entry(table.to_owned()).or_default();
        let key = keys.entry(path.to_owned()).or_default();
        key.types.push(kind);
        let into = part.map_or((table, &*below), |(_, _, part)| (*part, ""));
        match value {
            Value::Array(all) => all.iter().for_each(|v| self.object(into.0, into.1, v)),
            other => self.object(into.0, into.1, other),
        }
    }

    /// The keys with what is optional.
    fn tables(mut self) -> BTreeMap<String, BTreeMap<String, Key>> {
        for (table, keys) in &mut self.keys {
            for (path, key) in keys {
                let parent = path.rsplit_once('.').map_or("", |(parent, _)| parent);
                let count = |counts: &BTreeMap<(String, String), usize>, path: &str| {
                    let place = (table.clone(), path.to_owned());
                    counts.get(&place).copied().unwrap_or(0)
                };
                key.optional = count(&self.counts, path) < count(&self.objects, parent);
            }
        }
        self.keys
    }
}

/// The program on these arguments, in a folder that has the files.
fn run(folder: &Path, arguments: &[&str], input: &str) -> String {
    let mut command = match std::env::var("LUCKLESS_PROGRAM") {
        Ok(program) => Command::new(program),
        Err(_) => Command::new(command(&[]).get_program()),
    };
    let mut child = command
        .args(arguments)
        .current_dir(folder)
        .env(common::DATA, folder.join("data"))
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(input.as_bytes())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    // A duel without a game is a failure, and has its document.
    let fails = arguments
        .iter()
        .any(|word| word.contains("no-such-program"));
    assert_eq!(output.status.success(), !fails, "{arguments:?}: {stderr}");
    String::from_utf8(output.stdout).unwrap()
}

/// Commands by the table of their documents; words are separated by spaces, plays have none here.
fn documents() -> Vec<(&'static str, Vec<String>)> {
    let few = "--trials 36 --no-store --json";
    let race = format!("{BEAROFF} --dice 21");
    let all = |lines: &[String]| lines.to_vec();
    let one = |line: String| vec![line];
    vec![
        (
            "eval-plays",
            all(&[
                format!("eval {OPENING} --dice 31 --ply 0 --cubeless --json"),
                format!("eval {OPENING} --dice 31 --ply 0 --json"),
                format!("eval {SCORE} --ply 0 --json"),
                format!("eval {race} --level rolled --json"),
            ]),
        ),
        (
            "eval-rolls",
            all(&[
                format!("eval {SCORE} --rolls --ply 0 --json"),
                format!("eval {BEAROFF} --rolls --ply 0 --json"),
            ]),
        ),
        (
            "eval-position",
            all(&[
                format!("eval {TO_DOUBLE} --ply 0 --json"),
                format!("eval {TO_DOUBLE} --level rolled --json"),
                format!("eval {MONEY} --ply 0 --json"),
                format!("eval {BEAVERED} --ply 0 --json"),
                format!("eval {DOUBLED} --ply 0 --json"),
                format!("eval {DMP} --ply 0 --json"),
                format!("eval {BEAROFF} --json"),
            ]),
        ),
        (
            "why",
            all(&[
                format!("why {race} PLAY0 PLAY1 --ply 0 --cubeless --json"),
                format!("why {SCORE} PLAY2 PLAY3 --ply 0 --json"),
                format!("why {OPENING} --dice 31 PLAY4 PLAY5 --ply 0 --json"),
            ]),
        ),
        (
            "why-cube",
            all(&[
                format!("why {TO_DOUBLE} --ply 0 --json"),
                format!("why {MONEY} --ply 0 --json"),
                format!("why {BEAVERED} --ply 0 --json"),
                format!("why {BEAROFF} --ply 0 --json"),
                format!("why {TOO_GOOD} --ply 0 --json"),
                format!("why {CRAWFORD} --ply 0 --json"),
                format!("why {DOUBLED} --ply 0 --json"),
            ]),
        ),
        (
            "matrix",
            all(&[
                format!("matrix {SCORE} --max 2 --ply 0 --json"),
                format!("matrix {TO_DOUBLE} --max 2 --ply 0 --json"),
                format!("matrix {DOUBLED} --max 2 --ply 0 --json"),
            ]),
        ),
        (
            "rollout",
            all(&[
                format!("rollout {race} {few}"),
                format!("rollout {race} --cubeless --bias-check=2 {few}"),
                format!("rollout {race} --cubeless --bias-check=36 {few}"),
                format!("rollout {BEAROFF} --luck-bound 1 --cubeless {few}"),
                format!("rollout {BEAROFF} --settlement 0.5 --cubeless {few}"),
                format!("rollout {BEAROFF} --cube-decision {few}"),
                format!("rollout {BEAROFF} --cube-decision --trials 1 --no-store --json"),
                format!(
                    "rollout {BEAROFF} --settlement 0.5 --cubeless --trials 1 --no-store --json"
                ),
                format!("rollout {SCORE} --luck net --truncate 3 --top 2 {few}"),
                format!(
                    "rollout {race} --early 2:0 --opponent-ply 0 --no-store --json \
                     --stop se=1,width=9,separated=50,equivalent=1,seconds=60"
                ),
                format!("rollout {race} --opponent-ply 0 {few}"),
                format!("rollout {DECIDED} --trials 2 --luck none --no-store --json"),
                format!("rollout {race} --trials 72 --shard 2/2 --store s2 --json"),
                format!(
                    "rollout {OPENING} --dice 31 --trials 1 --truncate 3 --luck net --no-store --json"
                ),
            ]),
        ),
        (
            "compare",
            all(&[
                format!("compare {race} --difference-only PLAY0 PLAY1 {few}"),
                format!("compare {race} PLAY0 PLAY1 --bias-check=2 {few}"),
                format!(
                    "compare {OPENING} --dice 31 PLAY4 PLAY5 --luck net --truncate 3 --bias-check=36 {few}"
                ),
                format!("compare {race} PLAY0 PLAY1 --luck none {few}"),
                format!(
                    "compare {SCORE} --coupling quantile=0.5 --luck net --truncate 3 --difference-only \
                     PLAY2 PLAY3 {few}"
                ),
                format!(
                    "compare {SCORE} --coupling rank --luck net --truncate 3 PLAY2 PLAY3 {few}"
                ),
            ]),
        ),
        (
            "family",
            all(&[
                format!(
                    "compare {OPENING} --dice 31 --coupling dice --luck net --truncate 3 PLAY4 PLAY5 PLAY6 {few}"
                ),
                format!(
                    "compare {OPENING} --dice 31 --coupling dice --luck net --truncate 3 --allocation adaptive \
                     PLAY4 PLAY5 PLAY6 --trials 360 --no-store --json"
                ),
                format!(
                    "compare {OPENING} --dice 31 --cubeful --bias-check=2 --luck net --truncate 3 \
                     PLAY4 PLAY5 PLAY6 {few}"
                ),
            ]),
        ),
        (
            "replay",
            all(&[
                format!("rollout {race} --replay 0 --json"),
                format!("rollout {BEAROFF} --replay 0 --json"),
                format!("compare {race} --coupling rank PLAY0 PLAY1 --replay 0 --json"),
                format!("compare {SCORE} --coupling dice PLAY2 PLAY3 --cubeful --replay 1 --json"),
            ]),
        ),
        (
            "merge",
            all(&[
                format!("rollout {race} --trials 720 --shard 1/2 --store s1 --json"),
                "merge s1 --json".into(),
                format!(
                    "rollout {TO_DOUBLE} --cube-decision --luck net --truncate 3 --trials 72 --shard 1/1 \
                     --store s3 --json"
                ),
                "merge s3 --json".into(),
            ]),
        ),
        (
            "kept",
            all(&[
                "kept --store s1 --json".into(),
                "kept --store s3 --json".into(),
            ]),
        ),
        (
            "batch",
            all(&[
                "rollout --batch jobs --trials 36".into(),
                "rollout --batch jobs --trials 36 --truncate 3 --luck net".into(),
            ]),
        ),
        (
            "review",
            all(&[
                "review m.mat --ply 0 --json".into(),
                "review m.mat --ply 0 --rollouts 1 --rollout-trials 36 --json".into(),
                "review m.mat --ply 0 --rollout-errors --rollouts 1 --rollout-trials 36 --json"
                    .into(),
                "review money.mat --ply 0 --json".into(),
                "review one.mat --ply 0 --json".into(),
                "review two.mat --ply 0 --json".into(),
                "review gnubg.sgf --ply 0 --json".into(),
                "review short.mat --ply 0 --budget 0.1 --json".into(),
                "review resigned.mat --ply 0 --json".into(),
                "review lost.json --ply 0 --json".into(),
                "review all.json --ply 0 --json".into(),
                "review nine.mat --ply 0 --rollouts 12 --rollout-trials 36 --json".into(),
            ]),
        ),
        (
            "verify",
            one("verify gnubg.sgf --ply 0 --trials 36 --no-store --json".into()),
        ),
        (
            "matches",
            all(&[
                "matches --json".into(),
                "matches --player anna --json".into(),
                "matches --player ben --by opponent --json".into(),
            ]),
        ),
        (
            "quiz",
            all(&["quiz --json".into(), "quiz --due --json".into()]),
        ),
        (
            "plan",
            one("plan m.mat --player anna --ply 0 --json".into()),
        ),
        (
            "questions",
            one("quiz m.mat --from 0.001 --seed 1 --json".into()),
        ),
        (
            "export",
            all(&[
                "export m.mat --from 0.001 --ply 0 --json".into(),
                "export remarked.txt --ply 0 --json".into(),
            ]),
        ),
        (
            "library-add",
            all(&[
                "library add m.mat short.mat position --ply 0 --json".into(),
                "library add . --ply 0 --json".into(),
                "library add one.mat --ply 0 --no-crawford --json".into(),
            ]),
        ),
        ("library-list", one("library list --json".into())),
        (
            "library-record",
            all(&["library record series.mat one.mat two.mat --json".into()]),
        ),
        (
            "library-me",
            all(&[
                "library me anna --json".into(),
                "library same anna anna_k --json".into(),
            ]),
        ),
        (
            "find",
            all(&[
                "library errors --json".into(),
                format!("find --like {OPENING} --dice 31 --json"),
            ]),
        ),
        (
            "inspect",
            all(&[
                "inspect m.mat --json".into(),
                "inspect gnubg.sgf --json".into(),
                "inspect position --json".into(),
                "inspect short.mat --json".into(),
                "inspect positions.txt --json".into(),
                "inspect remarked.txt --json".into(),
            ]),
        ),
        (
            "convert",
            all(&[
                "convert m.mat - --to json".into(),
                "convert gnubg.sgf - --to json".into(),
                "convert short.mat - --to json".into(),
                "convert resigned.mat - --to json".into(),
                "convert all.json - --to json".into(),
                "convert positions.txt - --to json".into(),
            ]),
        ),
        ("book", one("book 31 64 --json".into())),
        (
            "met",
            all(&["met --json".into(), "met --json --against kazaross".into()]),
        ),
        ("signature", one("bench --signature --json".into())),
        (
            "met-score",
            all(&[
                "met --score 4-2 --json".into(),
                "met --score 3-3 --json".into(),
            ]),
        ),
        (
            "bearoff",
            all(&[
                "bearoff --checkers 2 --file table --json".into(),
                "bearoff --checkers 2 --file table --json".into(),
            ]),
        ),
        (
            "bearoff-check",
            one("bearoff --file table --check 5 --json".into()),
        ),
        ("bench", one("bench --seconds 0.01 --json".into())),
        (
            "duel",
            all(&[
                "duel --games 2 --luck net --json".into(),
                "duel --games 2 --luck net --length 1 --json".into(),
                "duel --b batch:no-such-program --voids 1 --json".into(),
            ]),
        ),
    ]
}

fn files(folder: &Path) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let copy = |from: &str, to: &str| {
        fs::copy(root.join(from), folder.join(to)).unwrap();
    };
    fs::write(folder.join("m.mat"), MATCH).unwrap();
    copy("tests/fixtures/sgf/gnubg.sgf", "gnubg.sgf");
    copy("tests/fixtures/positions/xg.txt", "positions.txt");
    copy("sample_matches/ben-dev-9pt.mat", "nine.mat");
    fs::write(folder.join("all.json"), RARE).unwrap();
    let money = fs::read_to_string(root.join("sample_matches/anna-clara-money.mat")).unwrap();
    let second = money.find("\n Game 2").unwrap();
    fs::write(folder.join("money.mat"), &money[..second]).unwrap();
    // Two games, the second without an end, and a line that nobody understands.
    let whole = fs::read_to_string(root.join("sample_matches/clara-dev-3pt.mat")).unwrap();
    let second = whole.find("\n Game 2").unwrap();
    let lines = whole[second..].lines().take(12).collect::<Vec<_>>();
    let short = format!("{}{}\n ??\n", &whole[..second], lines.join("\n"));
    fs::write(folder.join("short.mat"), short).unwrap();
    // Given up before its end, and damaged before that.
    let given_up =
        " 3 point match\n\n Game 1\n ann : 0    ben : 0\n  1) 31: 8/5 6/5    52: 13/11 13/8\n";
    let damaged =
        "      Wins 1 point\n\n Game 2\n ann : 1    ben : 0\n  1) 31: 8/5 8/1    Wins 1 point\n";
    fs::write(folder.join("resigned.mat"), format!("{given_up}{damaged}")).unwrap();
    // Left cannot win any more, and gives up what is lost.
    let lost = r#"{"luckless":"match","version":1,"length":0,"players":["Ann","Ben"],"games":[{"game":1,"score":[0,0],
"start":"AQAAgAEAAAAAAA","actions":[{"player":"right","action":"double"},{"player":"left","action":"take"},
{"player":"left","action":"resign"}],"result":{"winner":"right","points":2}}]}"#;
    fs::write(folder.join("lost.json"), lost).unwrap();
    fs::write(folder.join("position"), format!("{SCORE}\n")).unwrap();
    let remarked = format!("{SCORE} # prime or run\n{SCORE}\n");
    fs::write(folder.join("remarked.txt"), remarked).unwrap();
    // Two matches that were played to their end, and games enough for every interval.
    let (head, game) = MATCH.split_at(MATCH.find(" Game 1").unwrap());
    for (name, length, games) in [("series", 0, 37), ("one", 1, 1), ("two", 2, 2)] {
        let mut text = head.replacen("3 point", &format!("{length} point"), 1);
        for won in 0..games {
            let game = game.replacen("Game 1", &format!("Game {}", won + 1), 1);
            text += &game.replacen("ben : 0", &format!("ben : {won}"), 1);
            text += "\n";
        }
        fs::write(folder.join(name).with_extension("mat"), text).unwrap();
    }
    let jobs = format!(
        "{{\"position\":\"{BEAROFF}\",\"dice\":\"21\",\"id\":\"first\"}}\n{{\"position\":\"x\"}}\n\
         {{\"position\":\"x\",\"id\":5}}\n{{\"position\":\"{TO_DOUBLE}\",\"cube_decision\":true}}\n"
    );
    fs::write(folder.join("jobs"), jobs).unwrap();
}

/// Notes on the turns of `m.mat`.
fn write_notes(folder: &Path) {
    let record = match_file::read(&folder.join("m.mat")).unwrap();
    let path = folder.join("data").join(common::STORES);
    let mut notes = NoteStore::open(&path.join("notes.sqlite")).unwrap();
    let of = MatchFingerprint::of(&record);
    for decision in record.decision_states(&record.games[0]) {
        notes.keep(&of, (0, decision.event), "why?").unwrap();
    }
}

/// Plays that the commands name, as the program writes them.
fn plays(folder: &Path) -> Vec<String> {
    let mut all = Vec::new();
    for (id, count) in [(BEAROFF, 2), (SCORE, 2), (OPENING, 3)] {
        let dice: &[&str] = match id {
            BEAROFF => &["--dice", "21"],
            OPENING => &["--dice", "31"],
            _ => &[],
        };
        let arguments = [&["eval", id, "--ply", "0", "--json"], dice].concat();
        let answer: Value = serde_json::from_str(&run(folder, &arguments, "")).unwrap();
        let names = answer["plays"].as_array().unwrap().iter().take(count);
        all.extend(names.map(|p| p["play"].as_str().unwrap().to_owned()));
    }
    all
}

fn seen() -> BTreeMap<String, BTreeMap<String, Key>> {
    let folder = tempfile::tempdir().unwrap();
    files(folder.path());
    let plays = plays(folder.path());
    // An answer, so that the quiz has cards.
    let quiz = "quiz m.mat --from 0.001 --ply 0 --seed 1".split(' ');
    run(folder.path(), &quiz.collect::<Vec<_>>(), "1\n\n1\n\nq\n");
    // And a rollout, so that an export goes by one.
    let rollout = format!(
        "rollout {DOUBLE} --cube-decision --trials 360 --truncate 3 --ply 0 --store data/{}/rollouts.sqlite",
        common::STORES
    );
    run(folder.path(), &rollout.split(' ').collect::<Vec<_>>(), "");
    write_notes(folder.path());
    let mut seen = Seen::default();
    for (table, commands) in documents() {
        for line in commands {
            let words = line.split(' ').filter(|w| !w.is_empty()).map(|word| {
                let play = word
                    .strip_prefix("PLAY")
                    .and_then(|n| n.parse::<usize>().ok());
                play.map_or(word, |n| &plays[n])
            });
            let words: Vec<&str> = words.collect();
            let printed = run(folder.path(), &words, "");
            if table == "merge" && line.contains("--shard") {
                continue;
            }
            for document in serde_json::Deserializer::from_str(&printed).into_iter::<Value>() {
                // Several matches are an array of what one is.
                match document.unwrap() {
                    Value::Array(all) => all.iter().for_each(|one| seen.document(table, one)),
                    one => seen.document(table, &one),
                }
            }
        }
    }
    let lines = format!("{OPENING} 31\nx\n");
    let answers = run(folder.path(), &["eval", "--batch", "--ply", "0"], &lines);
    for (table, line) in ["eval-plays", "eval-error"].iter().zip(answers.lines()) {
        seen.document(table, &serde_json::from_str(line).unwrap());
    }
    let mut tables = seen.tables();
    for (table, path, kind) in UNSEEN {
        let keys = tables.entry(table.to_owned()).or_default();
        keys.insert(path.to_owned(), Key::of(kind));
    }
    for [(table, path), (other, at)] in LIKE {
        let whole = match at {
            "" => String::new(),
            at => format!("{at}."),
        };
        let found = take_below(tables.get_mut(table).unwrap(), &format!("{path}."));
        assert!(!found.is_empty(), "{table}: {path}");
        for key in found {
            let known = tables[other].contains_key(&format!("{whole}{key}"));
            assert!(known, "{table}: {path}.{key} is not in {other}: {at}");
        }
    }
    tables
}

/// Takes out the keys that begin with `before`, and gives what follows it.
fn take_below(keys: &mut BTreeMap<String, Key>, before: &str) -> Vec<String> {
    let all = keys.keys().filter_map(|key| key.strip_prefix(before));
    let below: Vec<String> = all.map(str::to_owned).collect();
    for key in &below {
        keys.remove(&format!("{before}{key}"));
    }
    below
}

const HEAD: &str = "document\tkey\ttype\tmeaning\n";

/// Lines of the table: document, key, types and meaning.
fn lines(table: &str) -> impl Iterator<Item = [&str; 4]> {
    table.lines().skip(1).map(|line| {
        let cells: Vec<&str> = line.split('\t').collect();
        cells
            .try_into()
            .unwrap_or_else(|_| panic!("four columns: {line}"))
    })
}

/// The lines of `document` in the order of the table, new keys behind their neighbours.
fn table(document: &str, keys: &BTreeMap<String, Key>, old: &str) -> String {
    let own = || lines(old).filter(|[of, ..]| *of == document);
    let mut order: Vec<&str> = own().map(|[_, key, ..]| key).collect();
    order.retain(|key| keys.contains_key(*key));
    for key in keys.keys() {
        if order.contains(&key.as_str()) {
            continue;
        }
        let parent = key.rsplit_once('.').map_or("", |(parent, _)| parent);
        let own = parent.trim_end_matches("[]");
        let near =
            |other: &&str| !parent.is_empty() && (other.starts_with(parent) || *other == own);
        let place = order.iter().rposition(near).map_or(order.len(), |i| i + 1);
        order.insert(place, key);
    }
    let mut text = String::new();
    for name in order {
        let (key, meaning) = match own().find(|[_, key, ..]| *key == name) {
            Some([.., types, meaning]) => (Key::of(types).with(&keys[name]), meaning),
            None => (keys[name].clone(), ""),
        };
        let _ = writeln!(text, "{document}\t{name}\t{}\t{meaning}", key.words());
    }
    text
}

#[test]
fn every_document_has_the_keys_of_its_table() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("docs/reference/json-keys.tsv");
    let before = fs::read_to_string(&path).unwrap();
    let seen = seen();
    let mut documents: Vec<&str> = lines(&before).map(|[document, ..]| document).collect();
    documents.dedup();
    documents.extend(seen.keys().map(String::as_str));
    let mut now = HEAD.to_owned();
    let mut done = Vec::new();
    for document in documents {
        if let Some(keys) = seen.get(document).filter(|_| !done.contains(&document)) {
            done.push(document);
            now += &table(document, keys, &before);
        }
    }
    if std::env::var_os("UPDATE_MANUAL").is_some() {
        fs::write(&path, &now).unwrap();
    } else {
        let differ = before.lines().zip(now.lines()).find(|(a, b)| a != b);
        assert!(
            before == now,
            "{differ:?}: run this test with UPDATE_MANUAL=1"
        );
    }
    let empty: Vec<&str> = now.lines().filter(|line| line.ends_with('\t')).collect();
    assert!(
        empty.is_empty(),
        "keys without a meaning:\n{}",
        empty.join("\n")
    );
    let _ = name(&path);
}
