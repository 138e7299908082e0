//! What the tests of the program from outside have in common.

#![allow(dead_code, reason = "each of them needs some of it")]

#[macro_use]
mod assertions;
#[cfg(target_os = "linux")]
pub(crate) mod pseudo_terminal;
#[cfg(target_os = "linux")]
pub(crate) mod svg;
#[cfg(target_os = "linux")]
pub(crate) mod terminal;

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::Once;

use luckless::game::Position;
use luckless::notation::position_id;
use serde_json::Value;

pub(crate) const OPENING: &str = "4HPwATDgc/ABMA";
/// A match of one short game between anna and ben, played on 1 March 2024.
pub(crate) const MATCH: &str = include_str!("../fixtures/mat/three_points.mat");

pub(crate) fn number(value: &Value) -> f64 {
    value
        .as_f64()
        .unwrap_or_else(|| panic!("{value} is no number"))
}

pub(crate) fn keys(value: &Value) -> Vec<&str> {
    let mut keys: Vec<&str> = value
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    keys.sort_unstable();
    keys
}

/// A race in which something is left to roll: six checkers a side, four of them moved up.
pub(crate) fn race() -> String {
    let p = Position::from_points(&[(6, 3), (5, 2), (3, 2)], &[(6, 2), (4, 4)]).unwrap();
    position_id(&p)
}

pub(crate) const CHANCES: [&str; 5] = [
    "win",
    "win_gammon",
    "win_backgammon",
    "lose_gammon",
    "lose_backgammon",
];

pub(crate) fn command(arguments: &[&str]) -> Command {
    program(env!("CARGO_BIN_EXE_luckless"), arguments)
}

/// What moves the folder of what is kept, and the folder's name below that.
pub(crate) const DATA: &str = if cfg!(target_os = "linux") {
    "XDG_DATA_HOME"
} else {
    "LUCKLESS_HOME"
};
pub(crate) const STORES: &str = if cfg!(target_os = "linux") {
    "luckless"
} else {
    "data"
};

fn program(path: &str, arguments: &[&str]) -> Command {
    static FRESH: Once = Once::new();
    let mut command = Command::new(path);
    // What is kept by default is kept away from the user's own, and from that of an earlier process of this number.
    let all = format!(
        "{}/data-{}",
        env!("CARGO_TARGET_TMPDIR"),
        std::process::id()
    );
    FRESH.call_once(|| _ = std::fs::remove_dir_all(&all));
    // A test's thread has its name, which begins with its module: each module has a folder.
    let thread = std::thread::current();
    let module = thread.name().and_then(|name| name.split_once("::"));
    let data = format!("{all}/{}", module.map_or("none", |(module, _)| module));
    command
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .env_remove("LUCKLESS_HOME")
        .env(DATA, data);
    command
}

pub(crate) fn run(arguments: &[&str]) -> Output {
    command(arguments).output().unwrap()
}

/// Stdout of a run that must succeed, whatever it says besides.
pub(crate) fn ok(arguments: &[&str]) -> String {
    let output = run(arguments);
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{arguments:?}: {stderr}");
    String::from_utf8(output.stdout).unwrap()
}

/// Stdout of a run that must succeed and say nothing else.
pub(crate) fn stdout(arguments: &[&str]) -> String {
    let output = run(arguments);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{arguments:?}: {stderr}");
    assert_eq!(stderr, "", "{arguments:?}");
    String::from_utf8(output.stdout).unwrap()
}

pub(crate) fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&stdout(arguments)).unwrap()
}

/// The document of a rollout without what may differ between two equal ones.
pub(crate) fn without_times(mut document: Value) -> Value {
    let object = document.as_object_mut().unwrap();
    for key in ["seconds", "cpu_seconds"] {
        assert!(object.remove(key).is_some(), "{key}");
    }
    document
}

/// A run that must fail with this status and one line on stderr, which is given.
pub(crate) fn refusal(arguments: &[&str], status: i32) -> String {
    refused(arguments, run(arguments), status)
}

/// What a program said that refused its arguments: one line.
pub(crate) fn refused(arguments: &[&str], output: Output, status: i32) -> String {
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        output.status.code(),
        Some(status),
        "{arguments:?}: {stderr}"
    );
    assert_eq!(stderr.lines().count(), 1, "{arguments:?}: {stderr}");
    let speaker = stderr.split(": ").next();
    assert!(
        matches!(speaker, Some("luckless" | "luckless-lab")),
        "{stderr}"
    );
    assert_lacks!(stderr, "panicked");
    stderr
}

pub(crate) fn name(path: &Path) -> &str {
    path.to_str().unwrap()
}
