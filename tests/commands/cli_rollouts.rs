//! Rollouts and comparisons from outside: what they print, keep and refuse.

#[cfg(unix)]
use std::process::{Command, Stdio};

use luckless::game::{GameState, MatchScore, Position};
use luckless::notation::{parse_id, position_id, xgid_text};
use serde_json::Value;

use crate::common;
use common::{CHANCES, OPENING, command, json, keys, number, race, refusal, stdout, without_times};

/// Four checkers on the ace point against one on the six point: 1/6 + 5/6 · 1/4 = 3/8, known to
/// the evaluator, so that one trial has no error.
#[test]
fn rollout_of_a_known_position_is_exact() {
    let p = Position::from_points(&[(1, 4)], &[(6, 1)]).unwrap();
    let answer = json(&[
        "rollout",
        &position_id(&p),
        "--cubeless",
        "--trials",
        "1",
        "--json",
    ]);
    assert_eq!(
        keys(&answer),
        [
            "cpu_seconds",
            "cubeful",
            "dice",
            "note",
            "plays",
            "position",
            "seconds",
            "settings",
            "stopped"
        ]
    );
    let play = &answer["plays"][0];
    for (name, expected) in [
        ("win", 0.375),
        ("equity", -0.25),
        ("se", 0.0),
        ("trials", 1.0),
    ] {
        assert_eq!(number(&play[name]), expected, "{name}");
    }
}

/// With the cube other plays may be the best.
#[test]
fn the_best_plays_are_those_with_the_cube_where_it_counts() {
    let crawford = "ON+IAxCMb4MBAw:8AnmAFAAMAAE";
    let plays = |command: &[&str], more: &[&str]| {
        let at = [crawford, "--dice", "41", "--top", "2", "--json"];
        let answer = json(&[command, &at, more].concat());
        let all = answer["plays"].as_array().unwrap();
        let mut names: Vec<String> = all
            .iter()
            .map(|play| play["play"].as_str().unwrap().to_owned())
            .collect();
        names.sort();
        names
    };
    let few = ["--trials", "36", "--no-store"];
    assert_eq!(plays(&["rollout"], &few), plays(&["eval"], &["--ply", "0"]));
}

/// A preset sets plies, truncation, trials and what decides; other options change their part of it.
#[test]
fn presets_set_what_is_not_named() {
    let opening = position_id(&Position::opening());
    let stop = |answer: &Value, rule: &str| answer["settings"]["stop"][rule].clone();
    let quick = [
        "rollout",
        &opening,
        "--preset",
        "quick",
        "--no-store",
        "--json",
        "--trials",
        "72",
    ];
    let several = json(&[&quick[..], &["--dice", "31", "--top", "2"]].concat());
    assert_eq!(several["settings"]["ply"], 0);
    assert_eq!(several["settings"]["horizon"], 11);
    assert_eq!(stop(&several, "trials"), 72);
    assert_eq!(stop(&several, "separated"), 0.95);
    assert_eq!(stop(&several, "equivalent"), 0.005);
    // The best by 2 plies: by the static evaluation it is 24/21 13/9.
    let best = json(&[&quick[..], &["--dice", "43", "--top", "1"]].concat());
    assert_eq!(best["plays"][0]["play"], "13/10 13/9");
    let alone = json(&[&quick[..], &["--truncate", "3", "--cubeless"]].concat());
    assert_eq!(alone["settings"]["horizon"], 3);
    assert_eq!(stop(&alone, "separated"), Value::Null);
    let standard = [
        "rollout", &opening, "--dice", "31", "--top", "2", "--preset", "standard",
    ];
    let less = [
        "--ply",
        "0",
        "--stop",
        "separated=99",
        "--trials",
        "36",
        "--no-store",
        "--json",
    ];
    let answer = json(&[&standard[..], &less].concat());
    assert_eq!(answer["settings"]["ply"], 0);
    assert_eq!(answer["settings"]["horizon"], Value::Null);
    assert_eq!(stop(&answer, "separated"), 0.99);
    refusal(&["rollout", &opening, "--preset", "best"], 2);
}

/// Without dice results are those of the player on roll, in every form.
#[test]
fn trials_are_told_from_the_side_of_the_result() {
    let folder = tempfile::tempdir().unwrap();
    let csv = folder.path().join("trials.csv");
    let file = csv.to_str().unwrap();
    // Won in three of eight games, after one roll of either side: 2/1 against the last checker.
    let common = [
        "rollout",
        "IAAAPAAAAAAAAA",
        "--trials",
        "36",
        "--no-store",
        "--json",
    ];
    let answer = json(&[&common[..], &["--trials-out", file]].concat());
    let play = &answer["plays"][0];
    let text = std::fs::read_to_string(&csv).unwrap();
    let row: Vec<f64> = text
        .lines()
        .nth(1)
        .unwrap()
        .split(',')
        // The last column is the play, which a position has none of.
        .take(11)
        .map(|x| x.parse().unwrap())
        .collect();
    assert!((row[2] - number(&play["equity"])).abs() < 1e-6);
    assert!((row[4] - number(&play["win"])).abs() < 1e-6);
    let replay = json(&["rollout", "IAAAPAAAAAAAAA", "--replay", "0", "--json"]);
    let candidate = &replay["candidates"][0];
    assert_eq!(number(&candidate["result"]["plain"]), row[2]);
    // A file of other things is left alone.
    std::fs::write(&csv, "mine").unwrap();
    refusal(&[&common[..], &["--trials-out", file]].concat(), 2);
    assert_eq!(std::fs::read_to_string(&csv).unwrap(), "mine");
}

/// One trial shows no spread, so the text for forums has no interval of it.
#[test]
fn one_trial_has_no_interval_in_text_for_forums() {
    for what in [&["--dice", "31", "--top", "2"][..], &["--cube-decision"]] {
        let common = [
            "rollout",
            OPENING,
            "--trials",
            "1",
            "--xg-text",
            "--no-store",
        ];
        let output = command(&[&common[..], what].concat()).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(
            output.status.success() && text.contains("Rollout"),
            "{text}"
        );
        assert_lacks!(text, "inf", "Confidence");
    }
}

/// The best plays of the race, rolled out.
/// The interval of a rollout whose stop rules look at its results is wider than its standard error suggests.
/// A rollout that ended at its number of trials did not stop by itself.
#[test]
fn a_rollout_that_stops_by_itself_says_what_its_interval_is() {
    let rolled = |stop: &str| {
        let asked = ["rollout", OPENING, "--dice", "31", "--ply", "0", "--trials"];
        stdout(&[&asked[..], &["360", "--stop", stop]].concat())
    };
    let said = "the stop rules look at the results: ±95% holds whenever they stop";
    assert!(rolled("separated=95").contains(said));
    assert!(rolled("se=0.0001").contains(said));
    assert!(!rolled("se=0.0001").contains("stopped by itself"));
    assert!(!rolled("seconds=600").contains(said));
}

fn rolled(top: &str, trials: &str) -> Value {
    let race = race();
    let what = ["rollout", &race, "--cubeless", "--dice", "21", "--top", top];
    json(&[&what[..], &["--trials", trials, "--json"]].concat())
}

#[test]
fn rollout_has_the_names_of_the_contract() {
    let answer = rolled("2", "360");
    let plays = answer["plays"].as_array().unwrap();
    assert_eq!(plays.len(), 2);
    for play in plays {
        for name in CHANCES
            .iter()
            .chain(&["equity", "se", "equivalent_trials", "p_best", "trials"])
        {
            number(&play[*name]);
        }
        assert_eq!(
            keys(&play["plain"]),
            ["ci95", "equity", "nonasymptotic95", "se", "variance"]
        );
        for name in ["ci95", "anytime95"] {
            let interval = play[name].as_array().unwrap();
            assert!(number(&interval[0]) <= number(&play["equity"]));
            assert!(number(&interval[1]) >= number(&play["equity"]));
        }
        assert_eq!(number(&play["trials"]), 360.0);
    }
    assert!(number(&plays[0]["equity"]) >= number(&plays[1]["equity"]));
    let chosen = plays[1]["play"].as_str().unwrap();
    let alone = [
        "rollout",
        &race(),
        "--dice",
        "21",
        "--play",
        chosen,
        "--trials",
        "36",
        "--json",
    ];
    assert_eq!(json(&alone)["plays"][0]["play"], chosen);
}

/// Of a double on offer the answer is told.
#[test]
fn a_double_on_offer_is_answered() {
    let offered = "XGID=-b----E-C---eE---c-e----B-:0:0:1:D:0:0:0:0:10";
    let arguments = [
        "rollout",
        offered,
        "--trials",
        "36",
        "--ply",
        "0",
        "--no-store",
    ];
    let said = stdout(&arguments);
    assert_has!(said, "the double: take", "a take is right: ");
}

/// Where beavers are allowed the chance that a pass is wrong is that of both other answers.
#[test]
fn a_take_or_a_beaver_is_right_where_both_are_allowed() {
    for (dice, words) in [("D", "beaver is right: "), ("00", "beaver is: ")] {
        let id = format!("XGID=-b----E-C---eE---c-e----B-:0:0:1:{dice}:0:0:2:0:10");
        let said = stdout(&[
            "rollout",
            &id,
            "--cube-decision",
            "--trials",
            "36",
            "--ply",
            "0",
            "--no-store",
        ]);
        let words = format!("a take or a {words}");
        assert_has!(said, &words);
    }
}

/// A player who doubles with a cube of their own redoubles.
#[test]
fn a_redouble_is_called_so() {
    let own = "XGID=-b----E-C---eE---c-e----B-:1:1:1:00:0:0:0:0:10";
    let arguments = [
        "rollout",
        own,
        "--cube-decision",
        "--trials",
        "36",
        "--ply",
        "0",
        "--no-store",
    ];
    let said = stdout(&arguments);
    assert_has!(said, "redouble/pass  +1.0000");
    assert_has!(said, "redouble/take − no redouble  ");
    let answer = json(&[&arguments[..], &["--json"]].concat());
    assert_eq!(answer["plays"][0]["play"], "no double");
}

#[test]
fn a_cube_decision_is_rolled_out() {
    let mut state = parse_id(&race()).unwrap();
    state.score = MatchScore {
        length: 7,
        mover: 3,
        opponent: 2,
        crawford: false,
    };
    let id = xgid_text(&state);
    for (position, is_match) in [(race(), false), (id, true)] {
        let arguments = [
            "rollout",
            &position,
            "--cube-decision",
            "--trials",
            "360",
            "--no-store",
            "--json",
        ];
        let answer = json(&arguments);
        let cube = &answer["cube_decision"];
        let [hold, take] = ["no_double", "double_take"].map(|name| number(&cube[name]));
        let difference = number(&cube["difference"]["equity"]);
        assert!((take - hold - difference).abs() < 1e-9);
        let best = number(&cube["cubeful_equity"]);
        assert!((best - hold.max(take.min(1.0))).abs() < 1e-6);
        assert!(cube["action"].is_string());
        let plays = answer["plays"].as_array().unwrap();
        for (play, name) in plays.iter().zip(["no double", "double/take"]) {
            assert_eq!(play["play"], name);
            assert!(number(&play["cube"]["largest"]) >= 1.0);
            assert_eq!(play["mwc"].is_object(), is_match, "{play}");
        }
        assert_eq!(answer["settings"]["cube"]["decision"], true);
        assert_eq!(without_times(answer), without_times(json(&arguments)));
    }
    let dice = [
        "rollout",
        &race(),
        "--dice",
        "21",
        "--cubeful",
        "--json",
        "--no-store",
    ];
    assert!(json(&dice)["cube_decision"].is_null());
    refusal(&["rollout", &race(), "--cubeful", "--cube-cap", "3"], 2);
    refusal(&["rollout", &race(), "--cube-decision", "--dice", "21"], 2);
}

/// Before the roll, where trials are played with the cube and the player may double, the cube is the
/// question.
#[test]
fn without_dice_the_cube_decision_is_rolled_out() {
    let mut state = parse_id(&race()).unwrap();
    state.score = MatchScore {
        length: 7,
        mover: 3,
        opponent: 2,
        crawford: false,
    };
    let usual = ["--trials", "72", "--no-store", "--json"];
    let answer = |id: &str, more: &[&str]| json(&[&["rollout", id], more, &usual].concat());
    let doubled = xgid_text(&GameState {
        doubled: true,
        ..state
    });
    for (id, cubeful) in [
        (xgid_text(&state), ""),
        (race(), "--cubeful"),
        (doubled, ""),
    ] {
        let more: &[&str] = if cubeful.is_empty() { &[] } else { &[cubeful] };
        let own = answer(&id, more);
        assert_eq!(own["plays"].as_array().unwrap().len(), 2, "{id}");
        assert!(own["cube_decision"]["action"].is_string());
        let note = own["note"].as_str().unwrap();
        assert!(
            note.starts_with("cube decision of the player on roll"),
            "{note}"
        );
        let named = answer(&id, &["--cube-decision"]);
        assert_eq!(without_times(own), without_times(named));
    }
    let position = answer(&xgid_text(&state), &["--cubeless"]);
    assert!(position["plays"][0]["play"].is_null() && position["cube_decision"].is_null());
    // Nobody doubles in the Crawford game, at the cap, or before the first roll of a game.
    state.score.mover = 6;
    state.score.crawford = true;
    assert!(answer(&xgid_text(&state), &[])["cube_decision"].is_null());
    assert!(answer(&race(), &["--cubeful", "--cube-cap", "1"])["cube_decision"].is_null());
    let initial = answer(OPENING, &["--cubeful", "--initial", "--truncate", "3"]);
    assert!(initial["cube_decision"].is_null());
}

/// Dahl's settled games: a cube of one's own is worth more than a centred one, and that more than the
/// other's.
#[test]
fn a_settlement_limit_tells_the_states_of_the_cube() {
    let usual = ["--trials", "36", "--no-store"];
    let asked = |id: &str, more: &[&str]| {
        let arguments = [&["rollout", id, "--settlement", "0.5"], more, &usual].concat();
        arguments
            .iter()
            .map(|a| (*a).to_owned())
            .collect::<Vec<_>>()
    };
    let run = |id: &str, more: &[&str]| {
        let arguments = asked(id, more);
        json(&arguments.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let answer = run(&race(), &["--json", "--threads", "1"]);
    assert_eq!(answer["cubeful"], false);
    assert_eq!(answer["settings"]["settlement"]["limit"], 0.5);
    let states = &answer["plays"][0]["states"];
    let [centred, own, other] =
        ["centred", "own", "other"].map(|state| number(&states[state]["equity"]));
    assert!(own >= centred && centred >= other, "{states}");
    assert_eq!(states["own"]["ci95"].as_array().unwrap().len(), 2);
    let again = run(&race(), &["--json", "--threads", "3"]);
    assert_eq!(without_times(again), without_times(answer));
    let arguments = asked(&race(), &[]);
    let text = stdout(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
    assert_has!(text, "settlement limit 0.5", "no cube", "centred", "theirs");
    let mut state = parse_id(&race()).unwrap();
    state.score.length = 7;
    let score = xgid_text(&state);
    for (id, more, why) in [
        (race(), "--cubeful", "cannot be used"),
        (race(), "--interactive", "games that the program plays"),
        (score, "--json", "--cubeless"),
    ] {
        let arguments = asked(&id, &[more]);
        let error = refusal(&arguments.iter().map(String::as_str).collect::<Vec<_>>(), 2);
        assert_has!(error, why);
    }
    let plays = ["compare", OPENING, "--dice", "31", "8/5 6/5", "24/20"];
    let error = refusal(&[&plays[..], &["--settlement", "0.5"]].concat(), 2);
    assert_has!(error, "goes with rollouts");
}

#[test]
fn equal_rollouts_are_equal_bits() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("checkpoint");
    let file = file.to_str().unwrap();
    let id = race();
    let base = [
        "rollout", &id, "--dice", "21", "--seed", "7", "--json", "--trials",
    ];
    let with = |more: &[&str]| without_times(json(&[&base, more].concat()));
    let one = with(&["3600", "--threads", "1", "--no-store"]);
    assert_eq!(one, with(&["3600", "--threads", "2", "--no-store"]));
    // Interrupted, and gone on with by another number of threads.
    let part = with(&["720", "--checkpoint", file]);
    assert_eq!(number(&part["plays"][0]["trials"]), 720.0);
    assert_eq!(one, with(&["3600", "--checkpoint", file, "--threads", "2"]));
    // Nothing is left to do now.
    assert_eq!(one, with(&["3600", "--checkpoint", file]));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    assert_ne!(one["plays"], with(&["3600", "--seed", "8"])["plays"]);
}

/// What comes of a run after one Ctrl-C.
#[cfg(unix)]
fn interrupted(child: std::process::Child) -> std::process::Output {
    let kill = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(kill.unwrap().success());
    child.wait_with_output().unwrap()
}

/// What comes of a command after one Ctrl-C, once a file of its own is there: it watches for signals before it makes it.
#[cfg(unix)]
fn interrupted_once_there(arguments: &[&str], file: &std::path::Path) -> std::process::Output {
    let mut child = command(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    while !file.exists() {
        assert!(child.try_wait().unwrap().is_none(), "ended by itself");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    interrupted(child)
}

/// A rollout that was interrupted is printed at once, without the bias check that would follow.
#[cfg(unix)]
#[test]
fn an_interrupted_rollout_has_no_bias_check() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("checkpoint");
    let base = ["rollout", OPENING, "--dice", "31", "--ply", "0"];
    let more = ["--cubeless", "--bias-check=1000000", "--trials", "1000000"];
    let to = ["--checkpoint", file.to_str().unwrap(), "--json"];
    let mut child = command(&[&base[..], &more, &to].concat()).spawn().unwrap();
    while !file.exists() {
        assert!(child.try_wait().unwrap().is_none(), "ended by itself");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let output = interrupted(child);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(printed["plays"].as_array().unwrap().len(), 3);
    assert!(printed["bias_check"].is_null());
}

/// A duel that is interrupted before its first pair is no wrong usage.
#[cfg(unix)]
#[test]
fn an_interrupted_duel_fails() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("duel");
    let base = ["duel", "--a", "3ply", "--b", "3ply", "--length", "15"];
    let more = ["--games", "10", "--threads", "1", "--out"];
    let arguments = [&base[..], &more, &[file.to_str().unwrap()]].concat();
    let output = interrupted_once_there(&arguments, &file);
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert_has!(told, "interrupted");
}

/// A review that is interrupted says so, and what it has of several matches is one document.
#[cfg(unix)]
#[test]
fn an_interrupted_review_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("reviews.db");
    let matches = concat!(env!("CARGO_MANIFEST_DIR"), "/sample_matches");
    let files = ["anna-ben-7pt.mat", "ben-dev-9pt.mat"].map(|name| format!("{matches}/{name}"));
    let base = ["review", "--ply", "3", "--threads", "1", "--json"];
    let more = ["--store", store.to_str().unwrap(), &files[0], &files[1]];
    let output = interrupted_once_there(&[&base[..], &more].concat(), &store);
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert_has!(told, "interrupted after 0 of 2 files");
    let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(printed, serde_json::json!([]));
}

/// In a file of jobs a cube decision goes with what it goes with on the command line.
#[test]
fn jobs_of_cube_decisions_have_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let jobs = folder.path().join("jobs");
    let name = jobs.to_str().unwrap();
    let ask = |more: &str, options: &[&str]| {
        let job = format!("{{\"position\":\"{OPENING}\",\"cube_decision\":true{more}}}\n");
        std::fs::write(&jobs, job).unwrap();
        let base = ["rollout", "--batch", name, "--trials", "36"];
        let short = ["--truncate", "1"];
        json(&[&base[..], &short, options].concat())
    };
    let whole = ask("", &[]);
    assert_eq!(whole["plays"].as_array().unwrap().len(), 2, "{whole}");
    for (more, options) in [
        (",\"plays\":[\"8/5 6/5\"]", &[][..]),
        (",\"top\":2", &[]),
        (",\"initial\":true", &[]),
        ("", &["--cubeless"]),
    ] {
        let refused = ask(more, options);
        let why = refused["error"].as_str().unwrap_or_default();
        assert!(
            why.contains("cube decision"),
            "{more} {options:?}: {refused}"
        );
    }
}

/// Ctrl-C prints what there is and keeps the progress; the next run goes on from it.
#[cfg(unix)]
#[test]
fn an_interrupted_rollout_keeps_what_it_has() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("checkpoint");
    let name = file.to_str().unwrap();
    let base = [
        "rollout",
        OPENING,
        "--cubeless",
        "--checkpoint",
        name,
        "--json",
        "--trials",
    ];
    let output = interrupted_once_there(&[&base[..], &["1000000"]].concat(), &file);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        String::from_utf8(output.stderr)
            .unwrap()
            .contains("interrupted after")
    );
    let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(printed["plays"].as_array().unwrap().len(), 1);
    assert!(std::fs::metadata(&file).unwrap().len() > 100);
}

#[test]
fn checkpoints_of_something_else_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("checkpoint");
    let name = file.to_str().unwrap();
    let id = race();
    let roll_out = |more: &[&str]| -> Vec<String> {
        let base = [
            "rollout",
            &id,
            "--dice",
            "21",
            "--checkpoint",
            name,
            "--json",
        ];
        base.iter().chain(more).map(ToString::to_string).collect()
    };
    let arguments = |more: &[&str]| roll_out(more);
    fn as_strs(all: &[String]) -> Vec<&str> {
        all.iter().map(String::as_str).collect()
    }
    json(&as_strs(&arguments(&["--trials", "72"])));
    for (more, reason) in [
        (&["--trials", "144", "--seed", "2"][..], "seed 1, not 2"),
        (&["--trials", "144", "--no-vr"], "settings differ"),
        (&["--trials", "144", "--top", "2"], "other positions"),
        (&["--trials", "36"], "72 trials already"),
    ] {
        let said = refusal(&as_strs(&arguments(more)), 1);
        assert_has!(said, reason);
    }
    let mut bytes = std::fs::read(&file).unwrap();
    let last = bytes.len() - 3;
    bytes[last] ^= 1;
    for (bytes, reason) in [
        (&bytes[..], "checksum"),
        (&bytes[..40], "checksum"),
        (b"", "not a checkpoint"),
        (b"\xff\xfe\0", "checkpoint"),
    ] {
        std::fs::write(&file, bytes).unwrap();
        let said = refusal(&as_strs(&arguments(&["--trials", "144"])), 1);
        assert_has!(said, reason);
    }
}

#[test]
fn compare_gives_the_difference() {
    let answer = rolled("2", "36");
    let play = |i: usize| answer["plays"][i]["play"].as_str().unwrap().to_owned();
    let (a, b) = (play(0), play(1));
    for (coupling, meant) in [
        ("rank", "rank"),
        ("dice", "dice"),
        ("none", "none"),
        ("quantile", "quantile=0.1"),
        ("hybrid=3", "hybrid=3"),
        ("near", "near=4"),
        ("auto", ""),
    ] {
        let mut arguments = vec![
            "compare",
            "21",
            &a,
            &b,
            "--coupling",
            coupling,
            "--trials",
            "360",
            "--ply",
            "0",
            "--cubeless",
            "--json",
        ];
        let race = race();
        arguments.splice(1..1, [&*race, "--dice"]);
        if coupling == "auto" {
            // With the usual luck experience chooses.
            let answer = json(&arguments);
            assert_eq!(
                (&answer["coupling"], &answer["pilot"]),
                (&"dice".into(), &Value::Null)
            );
            arguments.extend(["--luck", "none"]);
        }
        let answer = json(&arguments);
        if coupling == "auto" {
            // What the pilot found best, and what it tried.
            let tried = &answer["pilot"]["tried"];
            assert_eq!(answer["coupling"], tried[0]["coupling"]);
            assert_eq!(answer["settings"]["luck"], tried[0]["luck"]);
            assert!(tried.as_array().unwrap().len() > 3);
        } else {
            assert_eq!(answer["coupling"], meant);
        }
        let difference = &answer["difference"];
        for name in [
            "equity",
            "se",
            "correlation",
            "equivalent_trials",
            "independent_trials",
            "coalesced",
        ] {
            number(&difference[name]);
        }
        assert!(!answer["verdict"]["sentence"].as_str().unwrap().is_empty());
        let gap = number(&answer["a"]["equity"]) - number(&answer["b"]["equity"]);
        assert!((gap - number(&difference["equity"])).abs() < 1e-9);
        assert_eq!(
            (&answer["a"]["play"], &answer["b"]["play"]),
            (&(&*a).into(), &(&*b).into())
        );
    }
    let text = stdout(&[
        "compare",
        &race(),
        "--dice",
        "21",
        &a,
        &b,
        "--trials",
        "72",
        "--ply",
        "0",
        "--cubeless",
    ]);
    assert_has!(text, "difference", "correlation", "by experience");
    assert_has!(text, "became identical in");
    let exact = stdout(&[
        "compare",
        &race(),
        "--dice",
        "21",
        &a,
        &b,
        "--trials",
        "72",
        "--ply",
        "0",
        "--cubeless",
        "--coupling",
        "rank",
        "--ties",
        "own",
        "--rank-by",
        "lookahead",
        "--luck",
        "net",
    ]);
    assert_has!(exact, "matched ranks");
}

#[test]
fn compare_takes_a_family() {
    let answer = rolled("3", "36");
    let plays: Vec<&str> = (0..3)
        .map(|i| answer["plays"][i]["play"].as_str().unwrap())
        .collect();
    let race = race();
    let mut arguments = vec!["compare", &race, "--dice", "21"];
    arguments.extend(&plays);
    arguments.extend(["--trials", "360", "--coupling", "rank"]);
    let text = stdout(&arguments);
    assert_has!(text, "anytime, best");
    arguments.push("--json");
    let answer = json(&arguments);
    assert_eq!(answer["plays"].as_array().unwrap().len(), 3);
    assert_eq!(answer["settings"]["allocation"], "race");
    let differences = answer["differences"].as_array().unwrap();
    assert_eq!(differences.len(), 3);
    for d in differences {
        number(&d["equity"]);
        assert_eq!(d["simultaneous_anytime95"].as_array().unwrap().len(), 2);
    }
    arguments.extend(["--coupling", "hybrid"]);
    refusal(&arguments, 2);
    arguments.truncate(arguments.len() - 2);
    arguments.extend(["--allocation", "equal", "--dice-source", "decks"]);
    let equal = json(&arguments);
    assert_eq!(equal["settings"]["allocation"], "equal");
    assert_eq!(equal["plays"][2]["trials"], 360);
    // Where all plays get trials, none is out of a race.
    for play in equal["plays"].as_array().unwrap() {
        assert_eq!(play["out"], false);
    }
}

/// A race that dropped plays by one confidence is not gone on with by another.
#[test]
fn a_race_is_not_gone_on_with_by_another_confidence() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("store");
    let store = ["--store", file.to_str().unwrap()];
    let race = |more: &[&str]| {
        let what = [
            "compare", OPENING, "--dice", "31", "8/5 6/5", "24/20", "13/9",
        ];
        let how = ["--coupling", "dice", "--truncate", "5", "--json"];
        without_times(json(
            &[&what, &how[..], &["--trials", "720"], more].concat(),
        ))
    };
    let loose = ["--stop", "separated=50"];
    race(&[&store, &loose[..]].concat());
    assert_eq!(race(&store), race(&["--no-store"]));
}

/// The verdict goes by 95%: what ended by less says by what.
#[test]
fn a_low_confidence_that_ended_a_race_is_named() {
    let ended = |confidence: &str| {
        let what = [
            "compare",
            OPENING,
            "--dice",
            "43",
            "24/20 13/10",
            "13/9 6/3",
            "13/6",
        ];
        let how = [
            "--ply",
            "0",
            "--truncate",
            "3",
            "--cubeless",
            "--trials",
            "2592",
            "--no-store",
        ];
        stdout(&[&what[..], &how, &["--stop", confidence]].concat())
    };
    let low = ended("separated=50");
    assert_has!(low, "the best play is separated at 50%");
    let usual = ended("separated=95");
    assert_has!(usual, "the best play is separated\n");
}

/// Candidates that do not share their trials end with whole blocks; that is what was asked for.
#[test]
fn a_finished_race_answers_from_its_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("checkpoint");
    let args = [
        "compare",
        OPENING,
        "--dice",
        "31",
        "8/5 6/5",
        "24/20",
        "13/9",
        "--coupling",
        "dice",
        "--truncate",
        "3",
        "--trials",
        "50",
        "--json",
        "--checkpoint",
        file.to_str().unwrap(),
    ];
    assert_eq!(json(&args)["differences"], json(&args)["differences"]);
}

/// What has never varied is not separated: the interval that is shown allows for what was not seen.
#[test]
fn plays_that_have_not_varied_are_not_separated() {
    let id = "XGID=-BCCBBBA----------------a-:0:0:1:61:0:0:0:0:10";
    let what = [
        "compare",
        id,
        "7/off",
        "7/1 2/1",
        "--play-bearoffs",
        "--no-vr",
    ];
    for coupling in ["none", "dice"] {
        let how = [
            "--coupling",
            coupling,
            "--trials",
            "360",
            "--no-store",
            "--json",
        ];
        let stop = ["--stop", "separated=95"];
        let answer = json(&[&what, &how[..], &stop].concat());
        let [low, high] = [0, 1].map(|i| number(&answer["difference"]["anytime95"][i]));
        let stopped = answer["stopped"] == "separated";
        assert_eq!(stopped, low > 0.0 || high < 0.0, "{answer}");
    }
}

/// A merge of shards has no bias check, so none is made.
#[test]
fn a_shard_has_no_bias_check() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("shard");
    let store = store.to_str().unwrap();
    let asked = ["rollout", OPENING, "--dice", "31", "--bias-check=2"];
    let shard = ["--trials", "36", "--shard", "1/2", "--store", store];
    let error = refusal(&[&asked[..], &shard].concat(), 2);
    assert_has!(error, "--shard");
}

/// More shares than blocks: one that has nothing to play says why, and is not missing where they are merged.
#[test]
fn a_shard_without_trials_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let said = |arguments: &[&str]| {
        let output = common::run(arguments);
        assert!(output.status.success(), "{arguments:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    let of = |shard, trials, store: &str| {
        let asked = [
            "rollout", OPENING, "--dice", "31", "--top", "1", "--ply", "0",
        ];
        let how = ["--cubeless", "--truncate", "3", "--trials", trials];
        said(&[&asked[..], &how, &["--shard", shard, "--store", store]].concat())
    };
    let store = at("shards");
    assert!(!of("2/40", "72", &store).contains("is empty"));
    let words = of("40/40", "72", &store);
    assert_has!(
        words,
        "shard 40/40 is empty: 72 trials are 2 blocks of 36, fewer than shards"
    );
    let words = of("2/2", "36", &at("one"));
    assert_has!(words, "36 trials are 1 block of 36");
    let words = said(&["merge", &store]);
    assert_has!(words, "36 of 72 trials are missing; no shard 1/40\n");
}

/// Without a number of trials there is one for each game of the file.
#[test]
fn a_file_of_dice_says_how_many_trials_there_are() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("dice.txt");
    std::fs::write(&file, "31 66\n11 22\n").unwrap();
    let dice = [
        "--dice",
        "31",
        "--dice-file",
        file.to_str().unwrap(),
        "--no-store",
    ];
    let how = [
        "--cubeless",
        "--truncate",
        "3",
        "--ply",
        "0",
        "--luck",
        "net",
    ];
    let rollout = [&["rollout", OPENING, "--top", "1"][..], &dice, &how].concat();
    let text = stdout(&rollout);
    assert_has!(text, "2 trials,");
    stdout(&[&rollout[..], &["--replay", "0"]].concat());
    // Further trials would have other dice.
    let text = stdout(&[&rollout[..], &["--bias-check=200"]].concat());
    assert_has!(text, "2 trials of each analysed");
    let plays = ["compare", OPENING, "8/5 6/5", "24/23 13/10"];
    let text = stdout(&[&plays[..], &dice, &how].concat());
    assert_has!(text, "2 trials,");
    let error = refusal(&[&rollout[..], &["--trials", "3"]].concat(), 2);
    assert_has!(error, "2 games");
}

/// Rolls from a file are the same for all plays: no pilot looks for others, and dice are not independent.
#[test]
fn plays_share_the_rolls_of_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("dice.txt");
    std::fs::write(&file, "31 66 42\n".repeat(36)).unwrap();
    let file = file.to_str().unwrap();
    let plays = ["compare", OPENING, "--dice", "31", "8/5 6/5", "24/23 13/10"];
    let how = ["--luck", "net", "--truncate", "3", "--trials", "36"];
    let dice = ["--dice-file", file, "--no-store"];
    let asked = [&plays[..], &how, &dice].concat();
    let text = stdout(&asked);
    assert_has!(text, "dice: the same dice (rolls from a file)");
    let error = refusal(&[&asked[..], &["--coupling", "none"]].concat(), 2);
    assert_has!(error, "--coupling dice");
}

/// What differs from the usual settings is told, and a table that was named.
#[test]
fn the_head_of_a_rollout_has_what_is_unusual() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("club.csv");
    std::fs::write(&table, stdout(&["met", "--computed", "--csv"])).unwrap();
    let table = table.to_str().unwrap();
    let at_score = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:4:2:0:7:10";
    let few = [
        "--trials",
        "1",
        "--truncate",
        "3",
        "--luck",
        "net",
        "--no-store",
    ];
    let unusual = [
        "--early",
        "2:0",
        "--filter",
        "3:0.05",
        "--luck-bound",
        "4",
        "--play-bearoffs",
        "--met",
        table,
    ];
    let words = [
        ", the first 2 rolls at 0-ply",
        ", filter 3:0.05",
        " within 4 points,",
        ", bearoffs played out",
        ", match equities ",
    ];
    for what in [
        &["rollout", at_score, "--top", "1"][..],
        &[
            "compare",
            at_score,
            "8/5 6/5",
            "24/23 13/10",
            "--coupling",
            "none",
        ],
    ] {
        let usual = stdout(&[what, &few].concat());
        let told = stdout(&[what, &few, &unusual].concat());
        for word in words {
            assert!(
                !usual.contains(word) && told.contains(word),
                "{word}: {told}"
            );
        }
    }
    for what in [
        &["eval", at_score][..],
        &["eval", at_score, "--ply", "0"],
        &["why", at_score, "8/5 6/5", "24/23 13/10", "--ply", "0"],
        &["matrix", at_score, "--ply", "0", "--max", "2"],
    ] {
        let head = |more: &[&str]| {
            let told = stdout(&[what, more].concat());
            told.lines().next().unwrap().to_owned()
        };
        assert!(
            head(&["--met", table]).contains(", match equities "),
            "{what:?}"
        );
        assert!(!head(&[]).contains("match equities"), "{what:?}");
    }
    // For money no table counts.
    let money = [
        "eval", OPENING, "--dice", "31", "--ply", "0", "--met", table,
    ];
    assert!(!stdout(&money).contains("match equities"));
}

/// Seventy of seventy-two results alike say little of the error, however small it looks.
#[test]
fn an_error_of_few_degrees_of_freedom_stops_nothing() {
    let answer = json(&[
        "rollout",
        "XGID=-ABBCCC----------ccbbba---:0:0:1:21:0:0:0:0:10",
        "--play",
        "2/off 1/off",
        "--ply",
        "0",
        "--luck",
        "none",
        "--stop",
        "se=0.01",
        "--trials",
        "20000",
        "--no-store",
        "--json",
    ]);
    assert_eq!(answer["stopped"], "standard_error");
    let interval = &answer["plays"][0]["ci95"];
    let [low, high] = [0, 1].map(|i| interval[i].as_f64().unwrap());
    assert!((high - low) / 2.0 <= 0.0197, "{answer}");
}

/// Before the roll the player whose equity is asked for plays as `--ply` says, and the settings that are printed say so.
#[test]
fn the_sides_of_the_settings_are_those_of_the_player_on_roll() {
    let run = |dice: &[&str]| {
        let mut arguments = vec!["rollout", OPENING, "--cubeless", "--ply", "0"];
        arguments.extend(["--opponent-ply", "1", "--trials", "36", "--truncate", "2"]);
        arguments.extend(["--no-store", "--json"]);
        arguments.extend(dice);
        json(&arguments)
    };
    for dice in [&[][..], &["--dice", "31", "--top", "1"]] {
        let answer = run(dice);
        let settings = &answer["settings"];
        assert_eq!(
            (&settings["ply"], &settings["opponent"]["ply"]),
            (&0.into(), &1.into()),
            "{dice:?}"
        );
    }
}

/// A pass by the evaluator is no exact value, and the rollout says so.
#[test]
fn a_pass_before_any_roll_is_not_known_exactly() {
    let id = "XGID=------E-C---aE---cbcbbb-B-:0:0:1:21:0:0:1:0:10";
    let told = stdout(&[
        "rollout",
        id,
        "--play",
        "13/12* 13/11",
        "--trials",
        "36",
        "--no-store",
        "--bias-check=36",
    ]);
    assert_has!(told, "as sure as that");
    // The check looks at that pass.
    assert_lacks!(told, "0 of 0 decisions");
}
