//! Variations from outside: kept ones are written as SGF, printed in reviews, and read by GNU Backgammon.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use luckless::game::{PlayList, Roll};
use luckless::match_file::{self, Action, Variations};
use luckless::store::{MatchFingerprint, NoteStore};
use serde_json::Value;

use crate::common;
use common::{MATCH, command, name};

/// A match file with variations kept beside it: two lines at one of its turns.
fn kept(folder: &Path) -> std::path::PathBuf {
    let file = folder.join("short.mat");
    std::fs::write(&file, MATCH).unwrap();
    let record = match_file::read(&file).unwrap();
    let state = record.decision_states(&record.games[0])[1];
    let mut tree = Variations::at(state);
    for n in 0..2 {
        let roll: Roll = "64".parse().unwrap();
        let list = PlayList::of(&state.state.position, roll);
        let play = list.plays()[n];
        tree.add(None, Action::Move { roll, play }).unwrap();
    }
    let mut store = NoteStore::open(
        &folder
            .join("data")
            .join(common::STORES)
            .join("notes.sqlite"),
    )
    .unwrap();
    let mark = MatchFingerprint::of(&record);
    store.keep_variations(&mark, (0, 1), &tree).unwrap();
    store.keep(&mark, (0, 2), "too loose").unwrap();
    file
}

fn run(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let mut command = command(arguments);
    let output = command
        .env(common::DATA, folder.join("data"))
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (
        output.status.code().unwrap(),
        text(output.stdout),
        text(output.stderr),
    )
}

#[test]
fn kept_variations_are_written_and_printed() {
    let folder = tempfile::tempdir().unwrap();
    let file = kept(folder.path());
    let out = folder.path().join("out.sgf");
    let arguments = ["convert", name(&file), name(&out), "--variations"];
    assert_eq!(
        run(folder.path(), &arguments),
        (0, String::new(), String::new())
    );
    let again = match_file::read(&out).unwrap();
    assert_eq!(again.warnings, []);
    assert_eq!(again.variations[&(0, 1)].leaves(), 2);
    let plain = match_file::read(&file).unwrap();
    assert_eq!(again.games[0].events.len(), plain.games[0].events.len());
    // JSON holds them as well, and the notes become comments of both.
    let document = folder.path().join("out.json");
    let both = [name(&file), name(&document), "--variations", "--notes"];
    let written = run(folder.path(), &[&["convert"][..], &both].concat());
    assert_eq!(written, (0, String::new(), String::new()));
    let with_notes = match_file::read(&document).unwrap();
    let trees = [&with_notes, &again].map(|record| record.variations[&(0, 1)].to_json());
    assert_eq!(trees[0], trees[1]);
    let comments = with_notes.comments.iter().map(|c| c.text.as_str());
    assert_eq!(comments.collect::<Vec<_>>(), ["too loose"]);
    assert!(again.comments.is_empty());
    // Other formats have none, and say so.
    let other = folder.path().join("out.mat");
    let refused = run(
        folder.path(),
        &["convert", name(&file), name(&other), "--variations"],
    );
    assert!(
        refused.0 == 2 && refused.2.contains("needs SGF or JSON"),
        "{refused:?}"
    );
    let lost = run(folder.path(), &["convert", name(&out), name(&other)]);
    assert!(lost.2.contains("variation × 2"), "{lost:?}");
    for format in ["text", "md", "html"] {
        let review = ["review", name(&file), "--ply", "0", "--format", format];
        let (status, said, _) = run(folder.path(), &review);
        assert_eq!(
            (status, said.matches("what if ").count()),
            (0, 2),
            "{format}: {said}"
        );
    }
    let (_, said, _) = run(
        folder.path(),
        &["review", name(&file), "--ply", "0", "--json"],
    );
    let report: Value = serde_json::from_str(&said).unwrap();
    assert_eq!(report["games"][0]["moves"][1]["variations"], 2);
    let lines = &report["games"][0]["moves"][1]["variation_lines"];
    let lines: Vec<String> = serde_json::from_value(lines.clone()).unwrap();
    assert!(lines.len() == 2 && lines.iter().all(|line| line.starts_with("64 ")));
    assert_eq!(report["games"][0]["moves"][0].get("variations"), None);
}

/// What is kept with the second match of a file is written too.
#[test]
fn notes_of_further_matches_are_written() {
    let folder = tempfile::tempdir().unwrap();
    kept(folder.path());
    // Another length is another match.
    let other = MATCH.replacen("3 point match", "5 point match", 1);
    let file = folder.path().join("two.mat");
    std::fs::write(&file, format!("{other}\n{MATCH}")).unwrap();
    let out = folder.path().join("two.json");
    let arguments = ["convert", name(&file), name(&out), "--notes"];
    assert_eq!(run(folder.path(), &arguments).0, 0);
    let again = match_file::read(&out).unwrap();
    assert!(again.comments.is_empty());
    let comments = again.others[0].comments.iter().map(|c| c.text.as_str());
    assert_eq!(comments.collect::<Vec<_>>(), ["too loose"]);
}

/// Remarks on the actions of variations go from file to file.
#[test]
fn remarks_on_variations_are_converted() {
    let folder = tempfile::tempdir().unwrap();
    let [from, out, other] = ["v.sgf", "v.json", "v.mat"].map(|name| folder.path().join(name));
    let game = "(;FF[4]GM[6]MI[length:3][game:0][ws:0][bs:0]PW[a]PB[b]RU[Crawford]\n\
                (;W[31hefe])\n(;W[31xuxw]C[My own remark]))";
    std::fs::write(&from, game).unwrap();
    let converted = run(folder.path(), &["convert", name(&from), name(&out)]);
    assert_eq!(converted.0, 0, "{converted:?}");
    assert!(!converted.2.contains("remark"), "{converted:?}");
    let text = std::fs::read_to_string(&out).unwrap();
    assert_has!(text, "My own remark");
    let lost = run(folder.path(), &["convert", name(&out), name(&other)]);
    assert!(lost.2.contains("remark × 1"), "{lost:?}");
}

/// GNU Backgammon lists the game without its variations.
#[test]
#[ignore = "needs GNU Backgammon"]
fn gnubg_reads_the_game_of_such_a_file() {
    let program = ["/usr/games/gnubg", "/usr/bin/gnubg"];
    let program = program.iter().find(|path| Path::new(path).exists());
    let program = program.expect("GNU Backgammon is installed");
    let folder = tempfile::tempdir().unwrap();
    let file = kept(folder.path());
    let out = folder.path().join("out.sgf");
    run(
        folder.path(),
        &["convert", name(&file), name(&out), "--variations"],
    );
    let mut child = Command::new(program)
        .args(["-t", "-q", "-r"])
        .env("HOME", folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let orders = format!(
        "load match {}\nfirst game\nlist game\nquit\ny\n",
        out.display()
    );
    child
        .stdin
        .take()
        .unwrap()
        .write_all(orders.as_bytes())
        .unwrap();
    let said = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&said.stdout).into_owned();
    let record = match_file::read(&file).unwrap();
    let states = record.decision_states(&record.games[0]);
    for (event, state) in record.games[0].events.iter().zip(&states).take(4) {
        let Action::Move { roll, play } = event.action else {
            continue;
        };
        let play = luckless::notation::play_text(&state.state.position, &play);
        assert!(said.contains(&roll.to_string()), "{roll} {play}: {said}");
        assert!(said.contains(&play), "{roll} {play}: {said}");
    }
}
