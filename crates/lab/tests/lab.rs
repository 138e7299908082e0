//! The program for developers, `luckless-lab`, seen from outside.

#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

use std::process::{Command, Output, Stdio};

fn lab(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_luckless-lab"));
    command.args(arguments).stdin(Stdio::null());
    command
}

/// What the program said when it refused its arguments: one line.
fn refused(arguments: &[&str], output: Output, status: i32) -> String {
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(status), "{arguments:?}: {said}");
    assert_eq!(said.lines().count(), 1, "{arguments:?}: {said}");
    assert!(said.starts_with("luckless-lab: "), "{said}");
    assert!(!said.contains("panicked"), "{said}");
    said
}

fn refusal(arguments: &[&str], status: i32) -> String {
    refused(arguments, lab(arguments).output().unwrap(), status)
}

#[test]
fn counts_out_of_range_are_refused_with_the_reason() {
    for arguments in [
        &["coverage", "--runs", "0"][..],
        &["calibration", "--positions", "0"],
        &["calibration", "--trials", "99999999999"],
        &["koca", "--trials", "0"],
        &["koca", "--positions=-1"],
        &["koca", "--rollouts", "x"],
        &["pair-coverage", "--trials", "0"],
        &["meeting", "--trials", "0"],
        &["turns", "--trials", "0"],
        &["families", "--runs", "0"],
        &["decisions", "--each", "18446744073709551615"],
        &["cube", "--trials", "0"],
        &["match-rollouts", "--trials", "0"],
        &["presets", "--most", "35"],
        &["levels", "x.xg", "--settle", "1"],
    ] {
        let message = refusal(arguments, 2);
        let reason = message.contains("number from") || message.contains("is not in");
        assert!(reason, "{message}");
    }
}

#[test]
fn wrong_options_are_refused() {
    for arguments in [
        &["techniques", "--seconds", "nan"][..],
        &["techniques", "--position", "x"],
        &["match-rollouts", "--filter", "5"],
        &["presets", "--only", "x"],
        &["coverage", "--only", "x"],
        &["levels", "x.xg", "--only", "x"],
        &["levels", "x.xg", "--also", "2:4:0.08:6"],
        &["techniques", "--seconds", "0"],
        &["fuzz", "--seconds", "18446744073709551615"],
    ] {
        refusal(arguments, 2);
    }
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let message = refusal(&["train", "--recipe", "onward", "--out", out], 2);
    assert!(message.contains("--from"), "{message}");
    let book = folder.path().join("book.tsv");
    let book = book.to_str().unwrap();
    let message = refusal(&["openings", "--out", book, "--replies"], 2);
    assert!(message.contains("no first moves"), "{message}");
}

#[test]
fn missing_and_empty_files_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let empty = folder.path().join("empty");
    std::fs::write(&empty, "").unwrap();
    let missing = folder.path().join("missing");
    for path in [empty, missing, folder.path().to_owned()] {
        let path = path.to_str().unwrap();
        refusal(&["koca", "--decisions", path], 1);
        refusal(&["filters", "--judged", path], 1);
        refusal(&["levels", "--judged", path], 1);
        refusal(&["levels", path], 1);
    }
}

/// A file that cannot be written is reported before the games are played; a new folder is made.
#[test]
fn cube_efficiencies_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("file"), "").unwrap();
    let train = |out: &std::path::Path| {
        let few = ["train-efficiency", "--rounds", "1", "--games", "1", "--out"];
        lab(&[&few[..], &[out.to_str().unwrap()]].concat())
    };
    let output = train(&at("file/below")).output().unwrap();
    // Nothing is said of a round.
    refused(&["train-efficiency"], output, 1);
    let out = at("new/efficiency.net");
    let output = train(&out).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let made = std::fs::read(&out).unwrap();
    std::fs::write(&out, "old").unwrap();
    assert!(train(&out).output().unwrap().status.success());
    assert!(std::fs::read(&out).unwrap() == made, "the same once more");
}

/// Levels on one judged decision: the play that all of them find loses nothing.
#[test]
fn levels_are_held_against_judged_decisions() {
    let folder = tempfile::tempdir().unwrap();
    let judged = folder.path().join("judged.jsonl");
    let line = r#"{"position":"4HPwATDgc/ABMA","dice":"31","plays":[
        {"result":"4HPwATDgc/ABMA","equity":-0.3},{"result":"sGfwATDgc/ABMA","equity":0.16}]}"#;
    std::fs::write(&judged, line.replace('\n', "")).unwrap();
    let judged = judged.to_str().unwrap();
    let arguments = ["levels", "--judged", judged, "--only", "instant,quick"];
    let output = lab(&[&arguments[..], &["--settle", "36"]].concat())
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}");
    let rows: Vec<Vec<&str>> = text
        .lines()
        .map(|l| l.split_whitespace().collect())
        .collect();
    assert_eq!(
        rows[2][..5],
        ["instant", "plays", "1", "0", "0.00"],
        "{text}"
    );
    assert_eq!(
        rows[3][..6],
        ["quick", "plays", "1", "0", "0.00", "0.00"],
        "{text}"
    );
    assert_eq!(rows[7][..3], ["quick", "instant", "0"], "{text}");
    // A judge whose best play is a poor one: every level wins what is disputed.
    let wrong = folder.path().join("wrong.jsonl");
    let line = r#"{"position":"4HPwATDgc/ABMA","dice":"31","plays":[
        {"result":"4HPwASHgc/ABMA","equity":0.3},{"result":"sGfwATDgc/ABMA","equity":0.16}]}"#;
    std::fs::write(&wrong, line.replace('\n', "")).unwrap();
    let arguments = ["levels", "--judged", wrong.to_str().unwrap()];
    let settled = ["--only", "instant", "--settle", "36", "--against-judge"];
    let output = lab(&[&arguments[..], &settled].concat()).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let row = text.lines().last().unwrap_or_default();
    let cells: Vec<&str> = row.split_whitespace().collect();
    assert_eq!(
        cells[..6],
        ["instant", "the", "judge", "1", "1", "0"],
        "{text}"
    );
}

/// A list of decisions is taken by the experiments that ask for one.
#[test]
fn decisions_are_read_again() {
    let output = lab(&["decisions", "--each", "1"]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.lines().all(|line| line.contains('\t')), "{text}");
    let folder = tempfile::tempdir().unwrap();
    let list = folder.path().join("decisions.tsv");
    std::fs::write(&list, &text).unwrap();
    let (list, out) = (list.to_str().unwrap(), folder.path().to_str().unwrap());
    let few = ["--trials", "36", "--decisions", list, "--out", out];
    let output = lab(&[&["turns"][..], &few].concat()).output().unwrap();
    assert!(output.status.success(), "{output:?}");
}

/// A small library, all of whose searches find something or say 0.
#[test]
fn a_library_is_made_up_and_searched() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let output = lab(&["library", "--decisions", "300", "--out", out]);
    let output = { output }.output().unwrap();
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    for word in ["decisions", "error>0.1", "6:2", "--like"] {
        assert!(text.contains(word), "{word}: {text}");
    }
    let again = folder.path().join("files");
    let files = again.to_str().unwrap();
    let output = { lab(&["library", "--matches", "1", "--out", files]) }
        .output()
        .unwrap();
    assert!(output.status.success() && again.join("00000.mat").exists());
}
