//! `luckless duel` from outside: what it keeps and how it goes on, and players that misbehave.

#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

mod common;

use std::fs;
use std::path::Path;

use common::{command, number};
use serde_json::Value;

fn duel(options: &str) -> (Option<i32>, Value, String) {
    let mut arguments = vec!["duel", "--json"];
    arguments.extend(options.split_whitespace());
    let output = command(&arguments).output().unwrap();
    let document = serde_json::from_slice(&output.stdout).unwrap_or_default();
    let words = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code(), document, words)
}

/// Everything but the time it took.
fn figures(mut document: Value) -> Value {
    let object = document.as_object_mut().unwrap();
    object.remove("seconds");
    object.remove("seconds_per_decision");
    document
}

const QUICK: &str = "--a 0ply --b 0ply --luck net --length 1";

#[test]
fn it_goes_on_where_it_was_and_gives_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("one.duel");
    let kept = format!("{QUICK} --out {}", file.display());
    let (status, whole, _) = duel(&format!("{QUICK} --games 12"));
    assert_eq!(status, Some(0));
    assert_eq!(whole["contests"], 12);
    assert_eq!(whole["unit"], "mwc");
    // A part, a line that was cut short by a kill, and the rest by more threads.
    duel(&format!("{kept} --games 6 --threads 1"));
    let mut text = fs::read_to_string(&file).unwrap();
    assert_eq!(text.lines().count(), 4);
    text.push_str("{\"pair\":3,\"cont");
    fs::write(&file, &text).unwrap();
    let (status, resumed, words) = duel(&format!("{kept} --games 12 --threads 3"));
    assert_eq!(status, Some(0), "{words}");
    assert_eq!(figures(resumed), figures(whole.clone()));
    assert_eq!(fs::read_to_string(&file).unwrap().lines().count(), 7);
    // Nothing is left to play.
    let (_, again, _) = duel(&format!("{kept} --games 12"));
    assert_eq!(figures(again), figures(whole));
}

#[test]
fn another_duel_and_another_file_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("one.duel");
    let kept = format!("{QUICK} --games 2 --out {}", file.display());
    assert_eq!(duel(&kept).0, Some(0));
    let (status, _, words) = duel(&format!("{kept} --seed 2"));
    assert_eq!(status, Some(2));
    assert!(words.contains("seed is 1, not 2"), "{words}");
    let damaged = |path: &Path, text: &[u8]| {
        fs::write(path, text).unwrap();
        let (status, _, words) = duel(&kept);
        assert_ne!(status, Some(0), "{words}");
        assert_eq!(words.lines().count(), 1, "{words}");
        assert_eq!(fs::read(path).unwrap(), text, "nothing is written over");
    };
    let text = fs::read_to_string(&file).unwrap();
    damaged(&file, b"my notes\n");
    damaged(&file, b"my notes");
    damaged(&file, &[b'x'; 100_000]);
    damaged(&file, format!("{text}{{\"pair\":1}}\n").as_bytes());
    damaged(
        &file,
        text.replace("\"result\":", "\"result\":9").as_bytes(),
    );
}

#[test]
fn the_columns_are_there() {
    let (_, document, _) = duel("--a 0ply --b 0ply --seed 3 --luck net --games 8 --cube");
    for column in ["plain", "reduced"] {
        let column = &document[column];
        let mean = number(&column["mean"]);
        for interval in ["central_limit95", "betting95", "order95"] {
            let ends = [0, 1].map(|i| number(&column[interval][i]));
            assert!(ends[0] <= mean && mean <= ends[1], "{interval} {column}");
        }
        assert!(number(&column["sd"]) > 0.0);
    }
    assert_eq!(document["ended"], "all");
    let output = command(&["duel", "--games", "4", "--a", "0ply", "--luck", "net"])
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("95% order statistics"), "{text}");
    assert!(
        text.lines().all(|line| line.chars().count() <= 80),
        "{text}"
    );
}
