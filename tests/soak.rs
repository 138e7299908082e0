//! Long use in short time: keys at random, and what the program holds meanwhile.
//!
//! `LUCKLESS_SOAK=1800 cargo test --test soak -- --ignored --nocapture` lasts so many seconds (60 without).
//! `LUCKLESS_PROGRAM=PATH` runs another build of the program.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

mod common;
use common::terminal::Terminal;

/// What a user does, a word a key. Nothing that ends the program, and nothing that writes files.
const DEEDS: [&str; 46] = [
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
];
/// Between two keys.
const GAP: Duration = Duration::from_millis(25);
/// What may be held at the end beyond what was held after a quarter of the time.
const SLACK_KIB: u64 = 24 << 10;

/// What a process holds.
#[derive(Clone, Copy, Debug)]
struct Held {
    memory_kib: u64,
    threads: u64,
    files: usize,
}

impl Held {
    fn by(pid: u32) -> Self {
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
    let mut terminal = Terminal::start(home.path(), &program, &[copy.to_str().unwrap()]);
    terminal.expect("candidates");
    let (begin, mut dice, mut held) = (Instant::now(), 7u64, Vec::new());
    let length = Duration::from_secs(seconds);
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
        let now = Held::by(terminal.pid());
        println!("{:>5.0} s  {now:?}", begin.elapsed().as_secs_f64());
        held.push(now);
    }
    let quarter = held.len() / 4;
    let (early, late) = (&held[quarter..2 * quarter], &held[3 * quarter..]);
    for (what, of, slack) in [
        (
            "KiB of memory",
            (|held| held.memory_kib) as fn(&Held) -> u64,
            SLACK_KIB,
        ),
        ("threads", |held| held.threads, 2),
        ("files", |held| held.files as u64, 4),
    ] {
        let (early, late) = (median(early, of), median(late, of));
        println!("{what}: {early}, later {late}");
        assert!(late <= early + slack, "{what}: {early}, later {late}");
    }
    // It still answers.
    terminal.keys("esc esc esc ?");
    terminal.expect("keys");
}
