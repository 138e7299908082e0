//! The program in the hands of somebody who means it no good, or has a system that does not.

#[cfg(unix)]
use std::{io::Read as _, process::Command, time::Duration};

use crate::common;
use common::{MATCH, OPENING, command, json, name, ok, refusal, run};

#[test]
fn counts_that_make_no_sense_are_refused_with_the_reason() {
    for arguments in [
        &["bench", "--seconds", "-1"][..],
        &["bench", "--seconds", "1e300"],
        &["eval", OPENING, "--dice", "31", "--top", "0"],
        &["duel", "--games", "1"],
    ] {
        refusal(arguments, 2);
    }
    let error = refusal(&["rollout", OPENING, "--luck-bound", "-1.5"], 2);
    assert_has!(error, "no option takes a negative number");
    let long = refusal(&["eval", &"A".repeat(100_000)], 2);
    assert!(long.chars().count() < 2100, "{}", long.len());
    for step in ["0", "inf", "nan", "-1", "66"] {
        let coupling = format!("--coupling=quantile={step}");
        let plays = ["8/5 6/5", "24/23 24/21"];
        let base = ["compare", OPENING, "--dice", "31", &coupling];
        let error = refusal(&[&base[..], &plays].concat(), 2);
        assert_has!(error, "quantile[=POINTS] (0.001 to 65)");
    }
}

/// What is written leaves devices what they are, and says why it is not written.
#[cfg(unix)]
#[test]
fn outputs_may_be_devices_and_links() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("m.mat"), MATCH).unwrap();
    std::os::unix::fs::symlink("/dev/stdout", at("out")).unwrap();
    let (from, out) = (at("m.mat"), at("out"));
    let error = ok(&["convert", "--force", "--to", "sgf", name(&from), name(&out)]);
    assert_has!(error, "GM[6]");
    let to_pipe = [
        "review",
        name(&from),
        "--ply",
        "0",
        "--no-store",
        "--out",
        name(&out),
    ];
    assert!(ok(&to_pipe).contains("anna"));
    assert!(out.symlink_metadata().unwrap().is_symlink());
    let nowhere = at("none/x.sgf");
    let error = refusal(&["convert", name(&from), name(&nowhere)], 1);
    assert!(
        error.contains("os error 2") && !error.contains("--force"),
        "{error}"
    );
}

#[test]
fn a_player_nobody_is_called_is_told_with_those_there_are() {
    let folder = tempfile::tempdir().unwrap();
    let (file, store) = (folder.path().join("m.mat"), folder.path().join("s"));
    let listing = ["matches", "--store", name(&store), "--player"];
    let asked = |player| [&listing[..], &[player]].concat();
    let error = refusal(&asked("anna"), 2);
    assert_has!(error, "no such file");
    std::fs::write(&file, MATCH).unwrap();
    let review = [
        "review",
        name(folder.path()),
        "--ply",
        "0",
        "--store",
        name(&store),
    ];
    ok(&review);
    for arguments in [
        asked("nobody"),
        [&asked("nobody")[..], &["--json"]].concat(),
    ] {
        let error = refusal(&arguments, 2);
        assert_has!(error, "'nobody', but: anna, ben");
    }
    assert!(ok(&asked("ANN")).contains("2024-03-01  anna"));
    // The player asked for stands first.
    let own = ok(&[&review[..], &["--player", "ben"]].concat());
    assert_has!(own, "2024-03-01  ben");
    let output = run(&[&review[..], &["--player", "nobody"]].concat());
    assert_eq!(output.status.code(), Some(2));
    let named = [
        "review",
        name(&file),
        "--ply",
        "0",
        "--no-store",
        "--player",
        "nobody",
    ];
    assert!(refusal(&named, 2).contains("but: anna, ben"));
}

#[test]
fn adaptive_trials_tell_the_differences_as_well() {
    let plays = ["24/20 13/10", "13/10 13/9", "24/20 24/21"];
    let base = [
        "compare",
        OPENING,
        "--dice",
        "43",
        "--coupling",
        "dice",
        "--no-store",
    ];
    let more = ["--allocation", "adaptive", "--trials", "180", "--json"];
    let answer = json(&[&base[..], &more, &plays].concat());
    let differences = answer["differences"].as_array().unwrap();
    assert_eq!(differences.len(), 3);
    let equity = |i: usize| answer["plays"][i]["equity"].as_f64().unwrap();
    let se = |i: usize| answer["plays"][i]["se"].as_f64().unwrap();
    for (d, [a, b]) in differences.iter().zip([[0, 1], [0, 2], [1, 2]]) {
        let own = d["equity"].as_f64().unwrap();
        assert!((own - (equity(a) - equity(b))).abs() < 1e-12);
        assert!((d["se"].as_f64().unwrap() - se(a).hypot(se(b))).abs() < 1e-12);
        assert!(d["correlation"].is_null());
    }
}

/// Whatever the system says is said once.
#[test]
fn reasons_are_told_once() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("missing");
    let m = name(&missing);
    let file = folder.path().join("file");
    std::fs::write(&file, MATCH).unwrap();
    let below = file.join("below");
    let b = name(&below);
    for arguments in [
        &["review", m, m][..],
        &["inspect", m, m],
        &["convert", m, "-", "--to", "json"],
        &["matches", "--watch", m],
        &["matches", "--store", b, "--watch", name(folder.path())],
        &["eval", OPENING, "--nets", m],
        &["eval", OPENING, "--met", m],
        &["rollout", OPENING, "--dice-file", m],
        &["rollout", OPENING, "--trials", "1", "--store", b],
        &["rollout", OPENING, "--trials", "1", "--checkpoint", b],
        &["rollout", OPENING, "--trials", "1", "--trials-out", b],
        &["rollout", "--batch", m],
        &["merge", m],
        &["met", "--table", m],
        &["bearoff", "--file", b],
    ] {
        let output = run(arguments);
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success(), "{arguments:?}");
        for line in said.lines() {
            assert!(
                line.matches("os error").count() <= 1,
                "{arguments:?}: {line}"
            );
            assert!(line.starts_with("luckless: "), "{arguments:?}: {line}");
        }
    }
}

/// A reader who has had enough is no failure, whatever is printed.
#[cfg(unix)]
#[test]
fn a_closed_pipe_ends_everything_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("m.mat");
    std::fs::write(&file, MATCH).unwrap();
    let f = name(&file);
    for arguments in [
        &["--help"][..],
        &["eval", OPENING, "--dice", "31"],
        &["rollout", OPENING, "--trials", "1", "--json", "--no-store"],
        &["review", f, "--ply", "0", "--no-store", "--format", "html"],
        &["inspect", f, f, f],
        &["convert", f, "-", "--to", "sgf"],
        &["met", "--csv"],
        &["completions", "bash"],
        &["man", "rollout"],
    ] {
        let mut child = command(arguments).spawn().unwrap();
        drop(child.stdout.take());
        let mut said = String::new();
        let mut stderr = child.stderr.take().unwrap();
        stderr.read_to_string(&mut said).unwrap();
        assert!(child.wait().unwrap().success(), "{arguments:?}: {said}");
        assert_eq!(said, "", "{arguments:?}");
    }
}

/// A full disk behind stdout is a failure, reported in one line.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told() {
    for arguments in [
        &["eval", OPENING][..],
        &["--help"],
        &["met", "--csv"],
        &["completions", "bash"],
        &["man"],
    ] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full");
        let output = command(arguments).stdout(full.unwrap()).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {said}");
        assert_eq!(said.lines().count(), 1, "{arguments:?}: {said}");
        assert!(said.contains("space"), "{arguments:?}: {said}");
    }
}

/// With a home, or a data folder, that cannot be one, everything works but keeping.
#[test]
fn a_home_that_cannot_be_one_is_no_hindrance() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("m.mat");
    std::fs::write(&file, MATCH).unwrap();
    for arguments in [
        &["review", name(&file), "--ply", "0"][..],
        &["rollout", OPENING, "--trials", "36", "--json"],
        &["eval", OPENING, "--dice", "31"],
        &["matches"],
    ] {
        // A file where the folder should be: not even root can make one below it. Without `HOME` the system
        // would name the user's own home, and what is kept would come there.
        let mut homeless = command(arguments);
        homeless.env_clear().env("HOME", &file);
        let mut without_data = command(arguments);
        without_data.env(common::DATA, &file);
        let all = [cfg!(unix).then_some(homeless), Some(without_data)];
        for mut command in all.into_iter().flatten() {
            let output = command.output().unwrap();
            assert!(output.status.success(), "{arguments:?}: {output:?}");
            let said = String::from_utf8(output.stderr).unwrap();
            assert!(said.lines().count() <= 1, "{arguments:?}: {said}");
        }
    }
}

/// A table that finds no memory is reported in a line; a smaller one is made.
#[cfg(target_os = "linux")]
#[test]
fn a_table_without_memory_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("table.bin");
    let limited = |checkers: &str| {
        let limit = "ulimit -v 140000 && exec \"$0\" bearoff --checkers \"$1\" --file \"$2\"";
        let program = env!("CARGO_BIN_EXE_luckless");
        let mut shell = std::process::Command::new("sh");
        let shell = shell.args(["-c", limit, program, checkers, name(&file)]);
        shell.output().unwrap()
    };
    let output = limited("7");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert_has!(said, "needs 135 MB of memory");
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(!file.exists());
    let output = limited("4");
    assert!(output.status.success(), "{output:?}");
    assert!(file.exists());
}

/// Names that are no Unicode are read, and shown as well as can be.
#[cfg(target_os = "linux")]
#[test]
fn names_need_not_be_text() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(OsStr::from_bytes(b"m\xff\x1b[31m.mat"));
    std::fs::write(&file, MATCH).unwrap();
    let runs: [(&[&str], &[&str]); 4] = [
        (&["inspect"], &[]),
        (&["inspect", "--json"], &[]),
        (&["review"], &["--ply", "0", "--no-store", "--json"]),
        (&["convert"], &["-", "--to", "mat"]),
    ];
    for (before, after) in runs {
        let output = command(before).arg(&file).args(after).output().unwrap();
        assert!(output.status.success(), "{before:?}: {output:?}");
        let text = String::from_utf8(output.stdout).expect("text comes out");
        assert_lacks!(text, '\x1b');
    }
    let mut gone = command(&["inspect"]);
    let output = gone
        .arg(OsStr::from_bytes(b"/none\xfe\x1b"))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(!output.stderr.contains(&0x1b), "{output:?}");
}

/// Folders, devices and empty files where files are expected.
#[cfg(unix)]
#[test]
fn what_is_no_file_is_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let empty = folder.path().join("empty");
    std::fs::write(&empty, "").unwrap();
    let pipe = folder.path().join("pipe");
    let made = Command::new("mkfifo").arg(&pipe).status();
    let mut odd = vec![name(folder.path()), name(&empty), "/dev/zero"];
    if made.is_ok_and(|status| status.success()) {
        odd.push(name(&pipe));
    }
    for path in odd {
        for arguments in [
            &["inspect", path][..],
            &["convert", path, "-", "--to", "json"],
            &["eval", OPENING, "--nets", path],
            &["eval", OPENING, "--met", path],
            &["met", "--table", path],
            &["merge", path],
            &["rollout", OPENING, "--dice-file", path],
            &["rollout", OPENING, "--trials", "1", "--checkpoint", path],
            &["rollout", "--batch", path],
        ] {
            let mut child = command(arguments).spawn().unwrap();
            let end = std::time::Instant::now() + Duration::from_secs(20);
            let status = loop {
                if let Some(status) = child.try_wait().unwrap() {
                    break status;
                }
                assert!(std::time::Instant::now() < end, "{arguments:?} hangs");
                std::thread::sleep(Duration::from_millis(5));
            };
            let nothing_to_do = path == name(&empty) && arguments.contains(&"--batch");
            assert_eq!(status.success(), nothing_to_do, "{arguments:?}");
            assert!(status.code().is_some_and(|code| code <= 2), "{arguments:?}");
        }
    }
}

/// An export that lacks trials is a failure, whatever comes later; the results are reported all the same.
#[cfg(target_os = "linux")]
#[test]
fn an_export_on_a_full_disk_fails_the_rollout() {
    let arguments = [
        &[
            "rollout",
            OPENING,
            "--dice",
            "31",
            "--top",
            "1",
            "--json",
            "--no-store",
        ][..],
        &["--trials", "36", "--trials-out", "/dev/full"],
    ]
    .concat();
    let output = run(&arguments);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.starts_with("luckless: /dev/full: "), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
}

/// One of each kind of character that a terminal obeys or that hides or turns text.
const OBEYED: &str = "\u{1b}]0;x\u{7}\u{7f}\u{9b}2J\u{202e}\u{200d}\u{fff9}\u{e0041}\u{fe0f}";

#[track_caller]
fn is_harmless(arguments: &[&str]) -> String {
    let output = run(arguments);
    let shown = [output.stdout, output.stderr].map(|b| String::from_utf8(b).unwrap());
    for text in &shown {
        assert!(
            text.split('\n').all(luckless::sanitize::is_clean),
            "{arguments:?}: {text:?}"
        );
    }
    shown.concat()
}

#[test]
fn answers_to_a_batch_are_harmless_and_keep_what_they_were_given() {
    let folder = tempfile::tempdir().unwrap();
    let jobs = folder.path().join("jobs");
    let job = |position: &str| {
        serde_json::json!({
            "position": position, "dice": "31", "top": 1, "trials": 36, "id": OBEYED,
        })
    };
    let both = format!("{}\n{}\n", job(OPENING), job(OBEYED));
    std::fs::write(&jobs, both).unwrap();
    let answers = is_harmless(&["rollout", "--batch", name(&jobs), "--threads", "1"]);
    let ids: Vec<serde_json::Value> = answers
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["id"].clone())
        .collect();
    assert_eq!(ids, [OBEYED; 2]);
}

#[test]
fn foreign_shards_do_not_steer_the_terminal() {
    use luckless::store::RolloutStore;
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let (good, bad) = (at("good"), at("bad"));
    let base = ["rollout", OPENING, "--dice", "31", "--top", "2"];
    let shard = ["--trials", "72", "--shard", "1/1", "--store", name(&good)];
    ok(&[&base[..], &shard].concat());
    let from = RolloutStore::open(&good).unwrap();
    let mut to = RolloutStore::open(&bad).unwrap();
    let mut damaged = |why: String| panic!("{why}");
    for kept in from.all(&mut damaged).unwrap() {
        let (mut shown, progress) = (kept.shown, kept.progress);
        shown.position = format!("{OPENING}{OBEYED}");
        shown.dice = Some(OBEYED.to_owned());
        shown.plays[0] = Some(format!("8/5\n6/5{OBEYED}"));
        let mut records = from.trials(kept.id, None, &mut damaged).unwrap();
        while let Some(last) = records.last().map(|r| r.trial) {
            let more = from.trials(kept.id, Some(last), &mut damaged).unwrap();
            if more.is_empty() {
                break;
            }
            records.extend(more);
        }
        to.save(&shown, &progress, &records).unwrap();
    }
    drop(to);
    let error = is_harmless(&["merge", name(&bad)]);
    assert_has!(error, "8/5 6/5]0;x");
    let error = is_harmless(&["merge", name(&bad), "--json"]);
    assert_has!(error, "\\u001b]0;x\\u0007");
}

#[test]
fn names_in_a_store_of_reviews_do_not_steer_the_terminal() {
    use luckless::cube::Model;
    use luckless::store::{ReviewKey, ReviewMethod, ReviewStore};
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let (file, good, bad) = (at("m.mat"), at("good"), at("bad"));
    std::fs::write(&file, MATCH).unwrap();
    ok(&[
        "review",
        name(&file),
        "--ply",
        "0",
        "--store",
        name(&good),
        "--json",
    ]);
    let from = ReviewStore::open(&good).unwrap();
    let mut to = ReviewStore::open(&bad).unwrap();
    let record = luckless::match_file::read_bytes(MATCH.as_bytes(), "m.mat").unwrap();
    let by = ReviewMethod::new("x", Model::standard(), false);
    from.each(&mut |why| panic!("{why}"), |_, mut report| {
        report.players[0].name = format!("anna\n2030-01-01{OBEYED}");
        report.event = Some(OBEYED.to_owned());
        report.date = Some(OBEYED.to_owned());
        let key = ReviewKey::new(MATCH.as_bytes(), 0, &record, &by, 0);
        to.save(&key, &format!("2024{OBEYED}"), &report, None)
    })
    .unwrap();
    drop(to);
    for more in [&[][..], &["--json"], &["--player", "anna"]] {
        let table = is_harmless(&[&["matches", "--store", name(&bad)], more].concat());
        assert_has!(table, "anna");
        let forged = table.lines().any(|line| line.starts_with("2030"));
        assert!(!forged, "{table}");
    }
}

/// Names of files, in messages and in tables.
#[cfg(unix)]
#[test]
fn names_of_files_do_not_steer_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(format!("m{OBEYED}.mat"));
    std::fs::write(&file, MATCH).unwrap();
    let store = folder.path().join("s");
    for command in [&["inspect"][..], &["review", "--ply", "0"], &["matches"]] {
        let source = match command[0] {
            "matches" => vec!["--watch", name(&file)],
            "inspect" => vec![name(&file)],
            _ => vec![name(&file), "--store", name(&store)],
        };
        is_harmless(&[command, &source].concat());
    }
    is_harmless(&["met", "--met", name(&file)]);
}
