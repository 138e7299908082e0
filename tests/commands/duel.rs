//! `luckless duel` from outside: what it keeps and how it goes on, and players that misbehave.

use std::fs;
use std::path::Path;

use crate::common::{command, number};
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

/// The same player twice: every pair is level, and more games would not change that.
#[test]
fn pairs_that_never_vary_are_not_too_few() {
    let rest = "--a 0ply --b 0ply --luck none --length 1 --games 4";
    let output = command(&["duel"]).args(rest.split(' ')).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_has!(text, "Not decided: all pairs gave the same");
    assert_lacks!(text, "too few");
}

/// To play a void pair again would choose among results; what a player was absent from was never begun.
#[test]
fn a_void_pair_counts_as_played_unless_a_player_was_absent() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("one.duel");
    let kept = format!("{QUICK} --games 6 --threads 1 --out {}", file.display());
    duel(&kept);
    let text = fs::read_to_string(&file).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    for (kind, pairs) in [("illegal", 2), ("absent", 3)] {
        let void =
            serde_json::json!({"pair": 1, "fault": {"side": 1, "kind": kind, "message": "x"}});
        fs::write(
            &file,
            format!("{}\n{}\n{void}\n{}\n", lines[0], lines[1], lines[3]),
        )
        .unwrap();
        // Those that are known do not end the duel.
        let (status, document, words) = duel(&format!("{kept} --voids 1"));
        assert_eq!(status, Some(0), "{words}");
        assert_eq!(document["ended"], "all", "{kind}: {document}");
        assert_eq!(document["contests"], 2 * pairs, "{kind}");
        assert_eq!(document["voids"].as_array().unwrap().len(), 3 - pairs);
    }
}

#[test]
fn a_kill_loses_the_games_under_way_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("one.duel");
    let kept = format!("{QUICK} --games 8 --out {}", file.display());
    let mut arguments = vec!["duel"];
    arguments.extend(kept.split_whitespace());
    arguments.extend(["--threads", "1"]);
    let lines = || fs::read_to_string(&file).map_or(0, |text| text.lines().count());
    let killed = || {
        let _ = fs::remove_file(&file);
        let mut command = command(&arguments);
        let mut child = command.stdout(std::process::Stdio::null()).spawn().unwrap();
        while lines() < 2 && child.try_wait().unwrap().is_none() {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        // On Unix a SIGKILL.
        child.kill().unwrap();
        child.wait().unwrap();
        fs::read_to_string(&file).unwrap()
    };
    // A head and four pairs are a duel that has ended: the kill came too late.
    let mut attempts = (0..20).map(|_| killed());
    let before = attempts.find(|text| (2..5).contains(&text.lines().count()));
    let before = before.expect("killed under way");
    let (status, resumed, words) = duel(&kept);
    assert_eq!(status, Some(0), "{words}");
    // Whole lines are still there, and the rest came behind them.
    let whole = before.rfind('\n').map_or("", |end| &before[..=end]);
    assert!(fs::read_to_string(&file).unwrap().starts_with(whole));
    let (_, at_once, _) = duel(&format!("{QUICK} --games 8"));
    assert_eq!(figures(resumed), figures(at_once));
}

#[test]
fn another_duel_and_another_file_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("one.duel");
    let kept = format!("{QUICK} --games 2 --out {}", file.display());
    assert_eq!(duel(&kept).0, Some(0));
    let (status, _, words) = duel(&format!("{kept} --seed 2"));
    assert_eq!(status, Some(2));
    assert_has!(words, "seed is 1, not 2");
    // With the cube luck was measured otherwise before.
    let former = folder.path().join("former.duel");
    let with_cube = format!(
        "--a 0ply --b 0ply --cube --games 2 --out {}",
        former.display()
    );
    assert_eq!(duel(&with_cube).0, Some(0));
    let text = fs::read_to_string(&former).unwrap();
    fs::write(
        &former,
        text.replace("\"luckless_duel\":2", "\"luckless_duel\":1"),
    )
    .unwrap();
    let (status, _, words) = duel(&with_cube);
    assert_eq!(status, Some(2), "{words}");
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
fn rules_of_money_are_refused_in_matches() {
    for rule in ["--jacoby", "--beavers", "--cube-cap 8"] {
        let (status, _, words) = duel(&format!("{QUICK} --games 2 {rule}"));
        assert_eq!(status, Some(2), "{rule}");
        assert_has!(words, "--length");
    }
}

#[test]
fn luck_that_is_not_subtracted_has_no_bound() {
    let (status, _, words) = duel("--a 0ply --b 0ply --games 2 --luck none --luck-bound 3");
    assert_eq!(status, Some(2));
    assert_has!(words, "--luck none");
}

#[test]
fn the_columns_are_there() {
    let (_, document, _) = duel("--a 0ply --b 0ply --seed 3 --luck net --games 8 --cube");
    for column in ["plain", "reduced"] {
        let column = &document[column];
        let mean = number(&column["mean"]);
        // All pairs of equal players cancel: they have no spread, and nothing for the central limit.
        let limit = column["central_limit95"].as_array().unwrap();
        assert!(limit.iter().all(Value::is_null), "{column}");
        for interval in ["betting95", "order95"] {
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
    assert_has!(text, "95% order statistics");
    assert!(
        text.lines().all(|line| line.chars().count() <= 80),
        "{text}"
    );
}

/// What a program of the shell does in place of an engine, and in what way that fails. `$1` and what
/// follows are not used.
#[cfg(unix)]
const HOSTILE: [(&str, &str); 9] = [
    ("sleep 60", "late"),
    ("cat > /dev/null", "late"),
    ("exit 3", "closed"),
    ("head -n 1; exit 0", "closed"),
    ("yes", "garbled"),
    ("head -c 2000000 /dev/zero; sleep 60", "garbled"),
    (
        r"printf '\033[2J\377\n'; echo ubgiok; while read l; do echo error x; done",
        "late",
    ),
    (
        "echo ubgiok; echo readyok; while read l; do echo bestmove 24/1; done",
        "illegal",
    ),
    (
        "echo ubgiok; echo readyok; while read l; do echo bestmove pass; done",
        "illegal",
    ),
];

/// Seconds for an answer: where the machine is busy, only who is to be late may be.
fn answer_time(kind: &str) -> &'static str {
    match kind {
        "late" => "0.5",
        _ => "20",
    }
}

#[cfg(unix)]
#[test]
fn hostile_engines_are_counted_and_survived() {
    for (script, kind) in HOSTILE {
        let player = format!("ubgi:sh -c \"{script}\"");
        let options = ["--a", "0ply", "--b", &player, "--luck", "net"];
        let time = answer_time(kind);
        let limits = ["--games", "12", "--voids", "2", "--answer-time", time];
        let mut arguments = vec!["duel", "--json"];
        arguments.extend(options.iter().chain(&limits));
        let output = command(&arguments).output().unwrap();
        let words = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{script}: {words}");
        let document: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(document["contests"], 0, "{script}");
        assert_eq!(document["ended"], "voids", "{script}");
        let voids = &document["voids"];
        assert_eq!(
            (&voids[0]["side"], &voids[0]["kind"], &voids[0]["pairs"]),
            (&"b".into(), &kind.into(), &2.into()),
            "{script}: {voids}"
        );
        assert!(!words.contains('\x1b'), "{words:?}");
        assert_eq!(words.lines().count(), 1, "{words}");
    }
}

/// Who is no engine at all, and nobody at the address.
#[test]
fn absent_players_are_counted() {
    // Nobody listens at the first port.
    for player in ["ubgi:no-such-program", "gnubg:127.0.0.1:1"] {
        let (status, document, words) = duel(&format!("--b {player} --voids 1"));
        assert_eq!(status, Some(1), "{words}");
        assert_eq!(document["voids"][0]["kind"], "absent");
        assert!(
            words.starts_with("luckless: too many void pairs: cannot be"),
            "{words}"
        );
    }
}

/// A server in the place of GNU Backgammon: sends nothing, garbage, a megabyte, closes, answers late.
#[test]
fn hostile_servers_are_counted_and_survived() {
    use std::io::{Read as _, Write as _};
    let answers: [(&[u8], u64, &str); 6] = [
        (b"", 0, "closed"),
        (b"", 60, "late"),
        (b"\x1b[2J\xff\n", 0, "illegal"),
        (b"Error: no\n", 0, "garbled"),
        (b"24/1 24/1\n", 0, "illegal"),
        (&[b'x'; 2_000_000], 0, "garbled"),
    ];
    for (answer, wait, kind) in answers {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        std::thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                let _ = stream.read(&mut [0; 512]);
                std::thread::sleep(std::time::Duration::from_secs(wait));
                let _ = stream.write_all(answer);
            }
        });
        let time = answer_time(kind);
        let options = format!(
            "--a 0ply --b gnubg:{address} --luck net --games 8 --voids 1 --answer-time {time}"
        );
        let (status, document, words) = duel(&options);
        assert_eq!(status, Some(1), "{words}");
        assert_eq!(document["voids"][0]["kind"], kind, "{words}");
    }
}

/// Our own engine as another program plays as it does here: what the protocols carry is complete.
#[test]
fn our_engine_over_a_protocol_is_our_engine() {
    let program = env!("CARGO_BIN_EXE_luckless");
    for (player, game) in [
        (format!("ubgi:'{program}' ubgi"), "--length 2"),
        (format!("batch:'{program}' eval --batch"), "--length 2"),
        (format!("ubgi:'{program}' ubgi"), ""),
        (
            format!("batch:'{program}' eval --batch --cubeful"),
            "--cube",
        ),
    ] {
        let mut arguments = vec!["duel", "--json", "--a", "0ply", "--b", &player];
        arguments.extend(["--luck", "net", "--games", "2", "--seed", "4"]);
        arguments.extend(game.split_whitespace());
        let output = command(&arguments).output().unwrap();
        let document: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(number(&document["plain"]["mean"]), 0.0, "{player}");
        assert!(
            number(&document["reduced"]["mean"]).abs() < 1e-6,
            "{player}"
        );
        assert_eq!(document["contests"], 2, "{player}: {document}");
    }
}
