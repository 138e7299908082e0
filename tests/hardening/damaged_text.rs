//! Readers of what is typed, pasted or written by hand, fed with damaged text: nothing panics, and what is said of
//! it is fit for a terminal. (Match files have a fuzzer of their own: `luckless-lab fuzz`.)
//!
//! The cases follow from their number. `CASES=1000000 cargo test --test hardening` tries more of them.

use std::path::Path;

use crate::fuzz_corpus::readers;
use luckless::sanitize::is_clean;
use luckless::store::session::Session;
use luckless::tui::keys::KeyMap;
use rand::seq::IndexedRandom as _;
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

/// Sound texts of every kind.
fn sound() -> Vec<String> {
    let table = |name: &str| {
        let path = format!("{}/themes/{name}.toml", env!("CARGO_MANIFEST_DIR"));
        std::fs::read_to_string(path).unwrap()
    };
    let texts = [
        "XGID=-b----E-C---eE---c-e----B-:1:-1:1:31:2:3:0:7:10",
        "4HPwATDgc/ABMA:cAlqAAAAAAAE",
        "OGID=11jjjjjhhhccccc:ooddddd88866666:N0N:65:W:IW:0:0:7:1",
        "board:You:Ann:5:0:0:0:2:0:0:0:0:-5:0:-3:0:0:0:5:-5:0:0:0:3:0:5:0:0:0:0:-2:0:1:3:1:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:2:0:0:0",
        "Position ID: 4HPwATDgc/ABMA Match ID: cAlqAAAAAAAE",
        "bar/22 13/11*/9(2) 6/off",
        "8/5 6/5",
        "error>0.05 player:anna kind:race -cube score:2a3a date>2026-01 take \"a b\"",
        "theme = \"dark\"\nmouse = false\n[rollout]\ntrials = 1296\nply = 1\n",
        "[everywhere]\nquit = [\"q\", \"ctrl-c\"]\n",
        "{\"places\":[{\"source\":{\"id\":\"4HPwATDgc/ABMA\"},\"turn\":3}],\"display\":{}}",
        "0.5,0.6\n0.4,0.5\n",
        "<?xml version=\"1.0\"?><met><info><length>2</length></info><pre-crawford-table type=\"explicit\"><row><me>0.5</me></row></pre-crawford-table></met>",
    ];
    let mut all: Vec<String> = texts.map(String::from).to_vec();
    all.push(table("dark"));
    all.push(KeyMap::default().written());
    all
}

/// Pieces that mean something to one reader or another, and some that nobody expects.
const PIECES: [&str; 26] = [
    ":",
    "=",
    "-",
    "/",
    "*",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "\"",
    "\n",
    "\t",
    " ",
    "0",
    "9999999999999",
    "-1",
    "é",
    "\u{1b}[31m",
    "\u{202e}",
    "\u{0}",
    "bar",
    "off",
    "[[a]]\n",
    "𝔛",
];

fn damaged(texts: &[String], rng: &mut ChaCha8Rng) -> String {
    let mut text: Vec<char> = texts.choose(rng).unwrap().chars().collect();
    for _ in 0..rng.random_range(1..8) {
        let at = rng.random_range(0..=text.len());
        let to = (at + rng.random_range(0..9)).min(text.len());
        match rng.random_range(0..6) {
            0 => drop(text.drain(at..to)),
            1 => text.truncate(at.max(1)),
            2 => {
                let piece: Vec<char> = text[at..to].to_vec();
                text.splice(at..at, piece);
            }
            3 => {
                let other: Vec<char> = texts.choose(rng).unwrap().chars().collect();
                let from = rng.random_range(0..other.len());
                let end = (from + rng.random_range(1..40)).min(other.len());
                text.splice(at..to, other[from..end].iter().copied());
            }
            4 => {
                if let Some(c) = text.get_mut(at) {
                    *c = char::from(rng.random_range(0..128u8));
                }
            }
            _ => {
                text.splice(at..at, PIECES.choose(rng).unwrap().chars());
            }
        }
    }
    text.into_iter().collect()
}

/// Reads a text by every reader, and as a session.
fn read(text: &str, folder: &Path) {
    readers::text(text.as_bytes());
    let path = folder.join("session.json");
    std::fs::write(&path, text).unwrap();
    if let Err(complaint) = Session::load(&path) {
        assert!(is_clean(&complaint.to_string()), "{complaint:?}");
    }
}

#[test]
fn damaged_text_is_refused_in_clean_words() {
    let cases = std::env::var("CASES")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(1500);
    let (texts, folder) = (sound(), tempfile::tempdir().unwrap());
    for case in 0..cases {
        let text = damaged(&texts, &mut ChaCha8Rng::seed_from_u64(case));
        let is_sound = std::panic::catch_unwind(|| read(&text, folder.path())).is_ok();
        assert!(is_sound, "case {case}: {text:?}");
    }
}
