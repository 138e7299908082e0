//! Pairs of options: what is accepted has an effect. Every pair of options of a command is run, and its output (status,
//! stdout and files) compared with that of each option alone. Commands that analyse for long are left out: their
//! options are compared by `no_option_goes_without_the_one_it_needs` alone.

use crate::common;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Stdio;

use common::OPENING;

/// A command on a small input.
struct Case {
    command: &'static [&'static str],
    /// Values of its options. One without a value here is not tried: its effect cannot be seen on this input.
    values: &'static [(&'static str, &'static str)],
    /// Options without an effect on this input, and why.
    idle: &'static [(&'static str, &'static str)],
    /// Pairs whose second option changes nothing on this input beside the first, and why.
    idle_beside: &'static [(&'static str, &'static str, &'static str)],
}

const CASES: [Case; 8] = [
    Case {
        command: &["met"],
        values: &[
            ("--table", "club.csv"),
            ("--gammons", "0.3"),
            ("--efficiency", "0.5"),
            ("--length", "5"),
            ("--score", "4-1"),
            ("--cube", "2"),
            ("--against", "kazaross"),
        ],
        idle: &[],
        idle_beside: &[],
    },
    Case {
        command: &["find"],
        values: &[
            ("--like", OPENING),
            ("--dice", "31"),
            ("--pattern", "6:2"),
            ("--sort", "newest"),
            ("--limit", "1"),
        ],
        idle: &[],
        idle_beside: &[(
            "--like",
            "--pattern",
            "the positions that are most alike have these checkers",
        )],
    },
    Case {
        command: &["convert", "m.mat", "-"],
        values: &[
            ("--to", "sgf"),
            ("--match", "2"),
            ("--player1", "Zed"),
            ("--player2", "Yan"),
            ("--date", "2020-01-02"),
            ("--event", "E"),
            ("--round", "R"),
            ("--place", "P"),
        ],
        idle: &[],
        idle_beside: &[
            ("--to", "--variations", "no variation of the match is kept"),
            ("--to", "--notes", "no note about the match is kept"),
        ],
    },
    Case {
        command: &["board", OPENING],
        values: &[
            ("--dice", "31"),
            ("--play", "8/5 6/5"),
            ("--theme", "mono"),
            ("--out", "there.png"),
            ("--width", "300"),
        ],
        idle: &[],
        idle_beside: &[],
    },
    Case {
        command: &["book", "31"],
        values: &[("--for", "jacoby")],
        idle: &[],
        idle_beside: &[],
    },
    Case {
        command: &["matches"],
        values: &[("--player", "anna"), ("--by", "month")],
        idle: &[],
        idle_beside: &[],
    },
    Case {
        command: &["library", "list"],
        values: &[("--player", "ben")],
        idle: &[],
        idle_beside: &[],
    },
    Case {
        command: &["library", "errors"],
        values: &[("--sort", "newest"), ("--limit", "2")],
        idle: &[],
        idle_beside: &[],
    },
];

/// Status, stdout, and what lies in the folder then.
type Seen = (Option<i32>, Vec<u8>, BTreeMap<String, Vec<u8>>);

/// Runs the program in a fresh folder. There `there.png` exists already: with `--force` it is replaced.
fn run(home: &Path, arguments: &[&str]) -> Seen {
    let folder = tempfile::tempdir().unwrap();
    for name in ["m.mat", "club.csv"] {
        std::fs::copy(home.join(name), folder.path().join(name)).unwrap();
    }
    std::fs::write(folder.path().join("there.png"), "x").unwrap();
    let output = common::command(arguments)
        .env("LUCKLESS_HOME", home)
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let files = std::fs::read_dir(folder.path()).unwrap();
    let file = |path: std::path::PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        (name, std::fs::read(path).unwrap())
    };
    let files = files.map(|entry| file(entry.unwrap().path())).collect();
    (output.status.code(), output.stdout, files)
}

/// The options of a command, as its help lists them, each with the value to give.
fn options(home: &Path, case: &Case) -> Vec<Vec<String>> {
    let words = case.command.iter().copied();
    let name: Vec<&str> = words.filter(|word| is_command(word)).collect();
    let (_, help, _) = run(home, &[&name[..], &["-h"]].concat());
    let help = String::from_utf8(help).unwrap();
    let mut all = Vec::new();
    for line in help.lines().map(str::trim_start) {
        let (option, rest) = line.split_once(' ').unwrap_or((line, ""));
        let (option, _) = option.split_once('[').unwrap_or((option, ""));
        if !option.starts_with("--") || option == "--help" {
            continue;
        }
        let value = case.values.iter().find(|(name, _)| *name == option);
        match (rest.starts_with('<'), value) {
            (true, Some((_, value))) => all.push(vec![option.to_owned(), (*value).to_owned()]),
            (true, None) => {}
            (false, _) => all.push(vec![option.to_owned()]),
        }
    }
    all
}

fn is_command(word: &str) -> bool {
    [
        "met", "find", "convert", "board", "book", "matches", "library", "list", "errors",
    ]
    .contains(&word)
}

#[test]
fn an_option_that_is_accepted_has_an_effect() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path();
    let two =
        common::MATCH.to_owned() + "\n\n" + include_str!("../../sample_matches/clara-dev-3pt.mat");
    std::fs::write(home.join("m.mat"), two).unwrap();
    let table = common::stdout(&["met", "--computed", "--gammons", "0.4", "--csv"]);
    std::fs::write(home.join("club.csv"), table).unwrap();
    let session = include_str!("../../sample_matches/anna-clara-money.mat");
    std::fs::write(home.join("session.mat"), session).unwrap();
    let files = ["m.mat", "session.mat"].map(|name| home.join(name).display().to_string());
    run(
        home,
        &["library", "add", "--ply", "0", &files[0], &files[1]],
    );
    let mut found = Vec::new();
    for case in &CASES {
        let run = |options: &[&Vec<String>]| {
            let options = options.iter().flat_map(|option| option.iter());
            let options = options.map(String::as_str);
            let words: Vec<&str> = case.command.iter().copied().chain(options).collect();
            run(home, &words)
        };
        let all = options(home, case);
        let plain = run(&[]);
        let alone: Vec<Seen> = all.iter().map(|option| run(&[option])).collect();
        let is_idle = |i: usize| alone[i] == plain;
        for (i, one) in all.iter().enumerate() {
            let known = case.idle.iter().any(|(name, _)| *name == one[0]);
            if is_idle(i) && !known {
                found.push(format!("{:?} {one:?}", case.command));
            }
            for (j, other) in all.iter().enumerate().skip(i + 1) {
                let both = run(&[one, other]);
                for (first, second) in [(i, j), (j, i)] {
                    let pair = (&*all[first][0], &*all[second][0]);
                    let known = case.idle_beside.iter().any(|(a, b, _)| (*a, *b) == pair);
                    let is_lost = both.0 == Some(0) && both == alone[first] && !is_idle(second);
                    if is_lost && !known {
                        found.push(format!(
                            "{:?} {:?}: {:?} is lost",
                            case.command, pair.0, pair.1
                        ));
                    }
                }
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}
