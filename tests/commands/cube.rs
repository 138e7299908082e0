//! Match equities, exact bearoffs and cubeful evaluations from the command line.

use crate::common;

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

/// Runs the program with `data` as the folder where data lie.
fn run(data: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_luckless"))
        .args(arguments)
        .env_remove("LUCKLESS_HOME")
        .env(common::DATA, data)
        .output()
        .unwrap()
}

fn json(data: &Path, arguments: &[&str]) -> Value {
    let output = run(data, arguments);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {stderr}");
    serde_json::from_slice(&output.stdout).unwrap()
}

fn near(value: &Value, expected: f64) {
    let value = value.as_f64().unwrap();
    assert!((value - expected).abs() < 1e-5, "{value} is not {expected}");
}

#[test]
fn a_table_and_a_score() {
    let data = tempfile::tempdir().unwrap();
    let table = json(data.path(), &["met", "--length", "5", "--json"]);
    assert_eq!(table["pre"].as_array().unwrap().len(), 5);
    near(&table["pre"][2][4], 0.64795);
    near(&table["post"][1], 0.48803);
    // Without the rule there is nothing after it.
    let without = ["met", "--length", "5", "--no-crawford"];
    assert!(json(data.path(), &[&without[..], &["--json"]].concat())["post"].is_null());
    let text = |arguments: &[&str]| String::from_utf8(run(data.path(), arguments).stdout).unwrap();
    assert!(text(&["met"]).contains("after the Crawford game"));
    assert!(!text(&without).contains("after the Crawford game"));
    let score = json(data.path(), &["met", "--score", "2-2", "--json"]);
    near(&score["cubes"][0]["take_point"]["live"], 0.32264);
    // A gammon on a cube of one wins the match: (1 - 0.677) / (0.677 - 0.323).
    near(&score["cubes"][0]["gammon_value"][0], 0.32264 / 0.35472);
    let crawford = json(
        data.path(),
        &["met", "--score", "4-1", "--crawford", "--json"],
    );
    near(&crawford["cubes"][0]["won"][0], 0.32264);
    for score in ["4-2", "1-1"] {
        let refused = run(data.path(), &["met", "--score", score, "--crawford"]);
        assert_eq!(refused.status.code(), Some(2), "{score}");
    }
}

/// Needs beyond those that the terminal shows are written too: read again, they would be extrapolated.
#[test]
fn the_whole_table_is_written_to_be_read_again() {
    let data = tempfile::tempdir().unwrap();
    let file = data.path().join("whole.csv");
    std::fs::write(&file, run(data.path(), &["met", "--csv"]).stdout).unwrap();
    let base = ["met", "--score", "20-18", "--json"];
    let given = json(data.path(), &base);
    let table = ["--table", file.to_str().unwrap()];
    let again = json(data.path(), &[&base[..], &table].concat());
    near(&again["mwc"], given["mwc"].as_f64().unwrap());
    let whole = json(data.path(), &["met", "--json"]);
    assert_eq!(whole["pre"].as_array().unwrap().len(), whole["given"]);
    // One without the Crawford rule would be read as one with it.
    let refused = run(data.path(), &["met", "--no-crawford", "--csv"]);
    assert_eq!(refused.status.code(), Some(2));
    let why = String::from_utf8_lossy(&refused.stderr);
    assert_has!(why, "leave out --no-crawford");
}

#[test]
fn a_computed_table_is_read_again_and_changes_what_is_said() {
    let data = tempfile::tempdir().unwrap();
    let file = data.path().join("mine.csv");
    let csv = run(
        data.path(),
        &["met", "--computed", "--gammons", "0.2", "--csv"],
    );
    std::fs::write(&file, &csv.stdout).unwrap();
    let path = file.to_str().unwrap();
    let table = json(
        data.path(),
        &["met", "--table", path, "--against", "kazaross", "--json"],
    );
    assert_eq!(
        (&table["table"], &table["given"]),
        (&"mine".into(), &64.into())
    );
    assert!(table["against"]["largest"].as_f64().unwrap() > 0.01);
    let same = run(
        data.path(),
        &["met", "--against", "kazaross", "--length", "2"],
    );
    let same = String::from_utf8(same.stdout).unwrap();
    assert_has!(same, "against Kazaross XG2: the same at all");
    let xgid = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:2:4:0:7:10";
    let own = json(
        data.path(),
        &["eval", xgid, "--ply", "0", "--met", path, "--json"],
    );
    let standard = json(data.path(), &["eval", xgid, "--ply", "0", "--json"]);
    let mwc = |answer: &Value| answer["cube"]["mwc"]["no_double"].as_f64().unwrap();
    assert!((mwc(&own) - mwc(&standard)).abs() > 1e-3);
    std::fs::write(&file, "pre,1,1,two").unwrap();
    let refused = run(data.path(), &["met", "--table", path]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("line 1"));
}

/// The computed default comes within one percent of Kazaross' table at every score to 15 points.
#[test]
fn the_computed_table_is_near_the_rolled_out_one() {
    let data = tempfile::tempdir().unwrap();
    let arguments = ["met", "--computed", "--against", "kazaross", "--json"];
    let against = &json(data.path(), &arguments)["against"];
    assert!(against["largest"].as_f64().unwrap() < 0.01, "{against}");
    assert!(against["mean"].as_f64().unwrap() < 0.0015, "{against}");
    assert_eq!(against["scores"], 15 * 15 + 14);
}

#[test]
fn bearoffs_are_computed_kept_used_and_refused_when_damaged() {
    let data = tempfile::tempdir().unwrap();
    let made = json(data.path(), &["bearoff", "--checkers", "3", "--json"]);
    assert_eq!(made["positions"], 84 * 84);
    let again = json(data.path(), &["bearoff", "--checkers", "3", "--json"]);
    assert_eq!(again["crc32"], made["crc32"]);
    assert_eq!(again["seconds"], Value::Null);
    // The larger table serves.
    let smaller = json(data.path(), &["bearoff", "--checkers", "2", "--json"]);
    assert_eq!(smaller["checkers"], 3);
    let other = data.path().join("other");
    std::fs::write(&other, "not a table").unwrap();
    let over = ["bearoff", "--force", "--file", other.to_str().unwrap()];
    assert_eq!(run(data.path(), &over).status.code(), Some(1));
    assert_eq!(std::fs::read(&other).unwrap(), b"not a table");
    let checked = json(data.path(), &["bearoff", "--check", "100", "--json"]);
    assert_eq!(checked["positions"], 100);
    assert!(checked["largest_difference"].as_f64().unwrap() < 1e-6);

    // 5-2 against 5-2: the values are known (see the unit tests of the table).
    let position = "XGID=--A--A--------------a--a--:0:0:1:00:0:0:0:0:10";
    let exact = json(data.path(), &["eval", position, "--ply", "0", "--json"]);
    assert_eq!(exact["cube"]["exact"], true);
    near(&exact["cube"]["no_double"], 0.475_309);
    near(&exact["cube"]["double_take"], 0.950_617);
    assert_eq!(exact["cube"]["action"], "double/take");

    // Larger ones are the same with a kept table and without.
    let large = "XGID=-ABB---------------bba----:0:0:1:00:0:0:0:0:10";
    let without = json(data.path(), &["eval", large, "--ply", "0", "--json"]);
    assert_eq!(without["cube"]["exact"], true);
    let made = json(data.path(), &["bearoff", "--checkers", "5", "--json"]);
    assert_eq!(
        json(data.path(), &["eval", large, "--ply", "0", "--json"]),
        without
    );
    let file = Path::new(made["file"].as_str().unwrap());
    let mut bytes = std::fs::read(file).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    std::fs::write(file, &bytes).unwrap();
    let output = run(data.path(), &["eval", position, "--ply", "0", "--json"]);
    assert!(output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("checksum"));
    // The program computes what it needs in its place.
    let anew: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(anew["cube"], exact["cube"]);
    let refused = run(data.path(), &["bearoff", "--check", "10"]);
    assert_eq!(refused.status.code(), Some(1));
}

#[test]
fn at_a_score_plays_are_ranked_by_what_they_win() {
    let data = tempfile::tempdir().unwrap();
    // Double match point: a gammon is worth nothing.
    let xgid = "XGID=-b----E-C---eE---c-e----B-:0:0:1:52:4:4:0:5:10";
    for ply in ["0", "1"] {
        let answer = json(data.path(), &["eval", xgid, "--ply", ply, "--json"]);
        let plays = answer["plays"].as_array().unwrap();
        let best: Vec<&Value> = plays
            .iter()
            .filter(|p| p["ply"] == plays[0]["ply"])
            .collect();
        let mwc = |p: &Value| p["mwc"].as_f64().unwrap();
        assert!(best.is_sorted_by(|a, b| mwc(a) >= mwc(b)));
        assert!((mwc(best[0]) - best[0]["win"].as_f64().unwrap()).abs() < 1e-5);
    }
    let cube = &json(
        data.path(),
        &[
            "eval",
            "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:3:1:0:5:10",
            "--json",
        ],
    )["cube"];
    near(&cube["double_pass"], 1.0);
    assert!(cube["errors"]["double"].as_f64().unwrap() > 0.0);
    assert_eq!(cube["action"], "no double");
    let passed = cube["mwc"]["double_pass"].as_f64().unwrap();
    assert!((passed - 0.81436).abs() < 1e-5, "1-away 4-away");
}

/// Small bearoffs are exact without a kept table. Five and two pips against a last checker: 19 rolls of 36
/// bear both off, else the other does; so a double is right, and a take.
#[test]
fn small_bearoffs_are_exact_at_once() {
    let data = tempfile::tempdir().unwrap();
    let id = "XGID=--A--A------------------a-:0:0:1:00:0:0:0:0:10";
    let answer = json(data.path(), &["eval", id, "--json"]);
    let cube = &answer["cube"];
    assert_eq!(cube["exact"], true);
    near(&cube["no_double"], 2.0 / 36.0);
    near(&cube["double_take"], 4.0 / 36.0);
}

/// At 2-away 3-away with 23 of 36 rolls to win at once. Undoubled: a win leads to 1-away 3-away, a loss
/// to 2-away 2-away. Doubled: a win is the match, a loss a redouble that is passed, to 2-away 1-away.
#[test]
fn a_last_roll_at_a_score_is_exact_at_every_ply() {
    let data = tempfile::tempdir().unwrap();
    let id = "XGID=--A-A-------------------a-:0:0:1:00:11:10:0:13:10";
    let met = |arguments: &[&str]| {
        let asked = [&["met", "--json", "--score"], arguments].concat();
        json(data.path(), &asked)["mwc"].as_f64().unwrap()
    };
    let ahead = met(&["1-3", "--crawford"]);
    let behind = met(&["2-1", "--crawford"]);
    let even = met(&["2-2"]);
    let win = 23.0 / 36.0;
    for ply in ["0", "1", "2"] {
        let cube = &json(data.path(), &["eval", id, "--ply", ply, "--json"])["cube"];
        near(&cube["mwc"]["no_double"], win * ahead + (1.0 - win) * even);
        near(&cube["mwc"]["double_take"], win + (1.0 - win) * behind);
        near(&cube["mwc"]["double_pass"], ahead);
        assert_eq!(cube["action"], "double/pass");
        assert_eq!(cube["exact"], true);
    }
}
