//! Stores with damaged pages: a list that comes back shorter than it was has said so, and what can be read stays
//! usable.
//!
//! The damage follows from its number. `CASES=150 cargo test --test hardening` tries more of it.

use crate::common;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
use std::sync::{Arc, Mutex};

use common::OPENING;
use luckless::match_file;
use luckless::store::{MatchFingerprint, MendedListener, NoteStore, READ_TIMEOUT};
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use serde_json::Value;

/// Bytes of a page.
const PAGE: usize = 4096;
const MATCH: &str = include_str!("../../sample_matches/ben-dev-9pt.mat");

/// Runs the program with its folder at `home`.
fn run(home: &Path, arguments: &[&str], input: &str) -> Output {
    let mut child = common::command(arguments)
        .env("LUCKLESS_HOME", home)
        .current_dir(home)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // It may end without reading.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

/// A home with rows in every store but that of notes.
fn home() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path();
    let done = |arguments: &[&str], input: &str| {
        let output = run(home, arguments, input);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?}: {said}");
    };
    // Each game of the match is a session of its own.
    for (n, game) in MATCH.split(" Game ").skip(1).enumerate() {
        let (_, game) = game.split_once('\n').unwrap();
        let (names, turns) = game.split_once('\n').unwrap();
        let names = names
            .split(" : ")
            .map(|part| part.trim_start_matches(char::is_numeric));
        let names = names.collect::<Vec<_>>().join(" : 0");
        let text = format!(" 0 point match\n\n Game 1\n{names}\n{turns}");
        std::fs::write(home.join(format!("m{n}.mat")), text).unwrap();
    }
    done(&["library", "add", "--ply", "0", "."], "");
    done(&["library", "me", "Ben"], "");
    for seed in 1..=4 {
        let (seed, store) = (seed.to_string(), "data/rollouts.sqlite");
        let what = [
            "rollout",
            OPENING,
            "--dice",
            "31",
            "--trials",
            "36",
            "--ply",
            "0",
            "--truncate",
            "2",
            "--no-vr",
        ];
        done(
            &[&what[..], &["--seed", &seed, "--store", store]].concat(),
            "",
        );
    }
    let quiz = ["quiz", ".", "--ply", "0", "--seed", "1", "--from", "0.001"];
    done(&quiz, &"1\n\n".repeat(60));
    folder
}

/// Damages some bytes of a file.
fn damage(bytes: &mut [u8], case: u64) -> String {
    let mut rng = ChaCha8Rng::seed_from_u64(case);
    let pages = bytes.len() / PAGE;
    let [one, other] = [0; 2].map(|_| rng.random_range(0..pages) * PAGE);
    match case % 6 {
        0 => {
            bytes[one..one + PAGE].fill(0);
            format!("page {} is zero", one / PAGE)
        }
        1 => {
            let page = bytes[one..one + PAGE].to_vec();
            bytes.copy_within(other..other + PAGE, one);
            bytes[other..other + PAGE].copy_from_slice(&page);
            format!("pages {} and {} are swapped", one / PAGE, other / PAGE)
        }
        2 => {
            rng.fill(&mut bytes[one..one + PAGE]);
            format!("page {} is noise", one / PAGE)
        }
        3 => {
            // What a page says of itself is at its beginning.
            let (at, bit) = (one + rng.random_range(0..40), rng.random_range(0..8));
            bytes[at] ^= 1 << bit;
            format!("byte {at} has another bit {bit}")
        }
        4 => {
            let (at, bit) = (rng.random_range(0..bytes.len()), rng.random_range(0..8));
            bytes[at] ^= 1 << bit;
            format!("byte {at} has another bit {bit}")
        }
        _ => {
            bytes.copy_within(other..other + PAGE, one);
            format!("page {} is a copy of {}", one / PAGE, other / PAGE)
        }
    }
}

fn cases() -> u64 {
    let given = std::env::var("CASES").ok();
    given.map_or(12, |text| text.parse().unwrap())
}

/// What a command lists, a line each.
fn listed(output: &Output) -> Vec<String> {
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    let lists = document.as_object().unwrap().values();
    let lists = lists.filter_map(Value::as_array).flatten();
    lists.map(Value::to_string).collect()
}

/// Whether all of these are there.
fn has_all(found: &[String], all: &[String]) -> bool {
    all.iter().all(|one| found.contains(one))
}

#[test]
fn a_list_that_is_shorter_says_so() {
    let home = home();
    let lists: [(&str, &[&str]); 4] = [
        ("library", &["library", "list", "--json"]),
        ("rollouts", &["kept", "--json"]),
        ("reviews", &["matches", "--json"]),
        ("study", &["quiz", "--json"]),
    ];
    for (store, list) in lists {
        let path = home.path().join(format!("data/{store}.sqlite"));
        let (whole, all) = (
            std::fs::read(&path).unwrap(),
            listed(&run(home.path(), list, "")),
        );
        assert!(all.len() > 3, "{store}: {all:?}");
        for case in 0..cases() {
            let mut bytes = whole.clone();
            let what = damage(&mut bytes, case);
            std::fs::write(&path, &bytes).unwrap();
            let mut has_said = false;
            for time in ["first", "second"] {
                let output = run(home.path(), list, "");
                let said = String::from_utf8_lossy(&output.stderr);
                let of = format!("{store}, case {case}, {what}, the {time} time: {said}");
                assert_eq!(output.status.code(), Some(0), "{of}");
                has_said |= !said.is_empty();
                assert!(has_said || has_all(&listed(&output), &all), "{of}");
            }
            remove_set_aside(&path);
        }
        std::fs::write(&path, &whole).unwrap();
    }
}

/// Removes the damaged files that lie beside a store.
fn remove_set_aside(path: &Path) {
    let beside = std::fs::read_dir(path.parent().unwrap()).unwrap();
    let beside: Vec<PathBuf> = beside.map(|one| one.unwrap().path()).collect();
    let is_aside = |path: &&PathBuf| path.to_string_lossy().contains(".damaged");
    beside
        .iter()
        .filter(is_aside)
        .for_each(|path| std::fs::remove_file(path).unwrap());
}

/// Rows of notes have no checksum: bits in their text are not looked at here.
#[test]
fn lost_notes_are_said_to_be_lost() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notes.sqlite");
    let record = match_file::read_bytes(MATCH.as_bytes(), "m.mat").unwrap();
    let mark = MatchFingerprint::of(&record);
    let mut store = NoteStore::open(&path).unwrap();
    for event in 0..200 {
        let text = format!("note {event} ").repeat(8);
        store.keep(&mark, (0, event), &text).unwrap();
    }
    drop(store);
    let heard = Arc::new(Mutex::new(Vec::new()));
    let to = Arc::clone(&heard);
    let _listener = MendedListener::start(move |news| to.lock().unwrap().push(news.to_owned()));
    let read = || NoteStore::read_all(&path, &mark, READ_TIMEOUT).unwrap();
    let (whole, all) = (std::fs::read(&path).unwrap(), read());
    for case in (0..cases()).filter(|case| case % 6 != 4) {
        let mut bytes = whole.clone();
        let what = damage(&mut bytes, case);
        std::fs::write(&path, &bytes).unwrap();
        let found = read();
        let said = std::mem::take(&mut *heard.lock().unwrap());
        let is_short = found.notes.len() < all.notes.len();
        assert!(!is_short || !said.is_empty(), "case {case}, {what}");
        assert_eq!(read(), found, "case {case}, {what}");
        remove_set_aside(&path);
    }
}
