//! Long use in short time: keys at random, and what the program holds and how fast it answers meanwhile. Some 30 keys a
//! second, so twelve minutes are eight hours of a key every one and a half seconds.
//!
//! `LUCKLESS_SOAK=1800 cargo test --test hardening -- --ignored --nocapture` lasts so many seconds (60 without).
//! `LUCKLESS_PROGRAM=PATH` runs another build of the program.

use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::common::terminal::Terminal;

/// What a user does, a word a key. Nothing that ends the program, and nothing that writes files.
const DEEDS: [&str; 52] = [
    "n",
    "n",
    "n",
    "p",
    "]",
    "[",
    "j",
    "j",
    "k",
    "h",
    "l",
    "N",
    "P",
    "G",
    "tab",
    "space",
    "enter",
    "r",
    "c",
    "x",
    "p",
    "F",
    "b",
    "i",
    "u",
    "z z j 1 enter 2 Y esc u s i 8 / 5 enter esc esc",
    "z d 1 3 enter esc",
    ": h i d e enter",
    "t",
    "w",
    "f",
    "m",
    "+",
    "-",
    "E j j enter",
    "W esc",
    "Y j j esc",
    "M l l j esc",
    "e l l j esc",
    "v d 3 1 enter j v h h",
    "R j j esc",
    "? j j esc",
    ": n e x t esc",
    "a x enter",
    "B 5 enter",
    "B",
    "/ tab e r r o r > 0 . 0 5 down down esc",
    "/ tab down enter",
    "* down down enter",
    "e x l 3 h 2 n / down esc u esc",
    "z l 1 3 enter esc",
    "z p j j esc",
];
/// Sizes of the terminal, one after the other.
const SIZES: [[u16; 2]; 5] = [[120, 40], [80, 24], [200, 60], [60, 20], [40, 12]];
/// Between two keys.
const GAP: Duration = Duration::from_millis(25);
/// What may be held at the end beyond what was held after a quarter of the time.
const SLACK_KIB: u64 = 24 << 10;
/// What an answer may take longer at the end than after a quarter of the time, the machine being busy.
const SLACK_MS: u64 = 60;

/// What a process holds.
#[derive(Clone, Copy, Debug)]
struct Held {
    memory_kib: u64,
    threads: u64,
    files: usize,
    /// How long the window of keys took to come.
    answer_ms: u64,
}

impl Held {
    fn by(pid: u32, answer: Duration) -> Self {
        let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
        let field = |name: &str| {
            let line = status.lines().find(|line| line.starts_with(name)).unwrap();
            line.split_whitespace().nth(1).unwrap().parse().unwrap()
        };
        Self {
            memory_kib: field("VmRSS:"),
            threads: field("Threads:"),
            files: std::fs::read_dir(format!("/proc/{pid}/fd"))
                .unwrap()
                .count(),
            answer_ms: answer.as_millis() as u64,
        }
    }
}

/// The median of some of what was held.
fn median(held: &[Held], of: impl Fn(&Held) -> u64) -> u64 {
    let mut all: Vec<u64> = held.iter().map(of).collect();
    all.sort_unstable();
    all[all.len() / 2]
}

#[test]
#[ignore = "a minute and more"]
fn random_use_leaves_memory_threads_and_files_flat() {
    let home = tempfile::tempdir().unwrap();
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_matches/anna-ben-7pt.mat");
    let copy = home.path().join("match.mat");
    std::fs::copy(sample, &copy).unwrap();
    let program = std::env::var("LUCKLESS_PROGRAM");
    let program = program.unwrap_or_else(|_| env!("CARGO_BIN_EXE_luckless").into());
    let seconds = std::env::var("LUCKLESS_SOAK").map_or(60, |text| text.parse().unwrap());
    let samples = concat!(env!("CARGO_MANIFEST_DIR"), "/sample_matches");
    let mut add = std::process::Command::new(&program);
    let add = add.args(["library", "add", samples, "--ply", "0"]);
    let add = add
        .env("HOME", home.path())
        .env("XDG_DATA_HOME", home.path().join("data"));
    assert!(add.status().unwrap().success());
    let mut terminal = Terminal::start(home.path(), &program, &[copy.to_str().unwrap()]);
    terminal.expect("candidates");
    let (begin, mut dice, mut held) = (Instant::now(), 7u64, Vec::new());
    let length = Duration::from_secs(seconds);
    let bytes = std::fs::read(&copy).unwrap();
    let (mut screen, mut same) = (String::new(), 0);
    while begin.elapsed() < length {
        for _ in 0..40 {
            dice = dice
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            for key in DEEDS[(dice >> 33) as usize % DEEDS.len()].split(' ') {
                let last = terminal.text();
                assert!(terminal.is_running(), "it ended before {key}:\n{last}");
                terminal.keys(key);
                sleep(GAP);
            }
        }
        assert!(terminal.is_running(), "it ended:\n{}", terminal.text());
        // Forty deeds leave another screen behind them, unless keys no longer arrive.
        let now = terminal.text();
        same = if now == screen { same + 1 } else { 0 };
        assert!(same < 4, "nothing has changed for a while:\n{now}");
        screen = now;
        terminal.keys("esc esc esc esc esc esc");
        // An escape with a key right behind it would be another key; a busy machine may read late.
        sleep(Duration::from_secs(1));
        let begun = Instant::now();
        terminal.keys("?");
        terminal.expect("─ keys ─");
        let now = Held::by(terminal.pid(), begun.elapsed());
        terminal.keys("esc");
        println!("{:>5.0} s  {now:?}", begin.elapsed().as_secs_f64());
        held.push(now);
        terminal.resize(SIZES[held.len() % SIZES.len()]);
        // The file that is open changes now and then: by a line at its end.
        let more: &[u8] = if held.len() % 4 < 2 { b"" } else { b"\n" };
        std::fs::write(&copy, [&bytes, more].concat()).unwrap();
    }
    let quarter = held.len() / 4;
    let (early, late) = (&held[quarter..2 * quarter], &held[3 * quarter..]);
    for (what, of, slack) in [
        (
            "KiB of memory",
            (|held| held.memory_kib) as fn(&Held) -> u64,
            SLACK_KIB,
        ),
        // A rollout that is under way has threads of its own, and the library's reader another.
        ("threads", |held| held.threads, 6),
        ("files", |held| held.files as u64, 4),
        ("ms to answer", |held| held.answer_ms, SLACK_MS),
    ] {
        let (early, late) = (median(early, of), median(late, of));
        println!("{what}: {early}, later {late}");
        assert!(late <= early + slack, "{what}: {early}, later {late}");
    }
    // It still answers.
    terminal.keys("esc esc esc ?");
    terminal.expect("keys");
}
