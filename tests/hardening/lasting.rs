//! Rollouts that last: killed, shared out, done together, found again.

use std::io::Write as _;
use std::path::Path;
#[cfg(unix)]
use std::process::Command;
use std::process::{Child, Output, Stdio};
use std::time::Duration;
#[cfg(unix)]
use std::time::Instant;

use luckless::game::Position;
use luckless::notation::gnubg_id::position_id;
use serde_json::Value;

#[cfg(unix)]
use crate::common::MATCH;
use crate::common::{OPENING, command, name, ok, refusal, run, without_times};

/// The document without what may differ between two equal rollouts.
fn document(text: &str) -> Value {
    without_times(serde_json::from_str(text).unwrap())
}

/// Longer than what is waited for takes on any machine.
#[cfg(unix)]
const LONG: Duration = Duration::from_secs(120);

/// What all that was done for a rollout has taken, by all threads together.
fn cpu_seconds(text: &str) -> f64 {
    let document: Value = serde_json::from_str(text).unwrap();
    document["cpu_seconds"].as_f64().unwrap()
}

const BASE: [&str; 7] = ["rollout", OPENING, "--dice", "31", "--top", "2", "--json"];

fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&BASE[..], more].concat()
}

/// A watched folder: what is there is reviewed, what is saved later as well, nothing twice, and a
/// signal ends it in good order.
#[cfg(unix)]
#[test]
fn a_watched_folder_is_reviewed_as_it_fills() {
    use std::io::{BufRead as _, BufReader};
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("one.mat"), MATCH).unwrap();
    let store = tempfile::tempdir().unwrap();
    let store = store.path().join("r.sqlite");
    let base = ["matches", "--ply", "0", "--store", name(&store), "--watch"];
    let arguments = [&base[..], &[name(folder.path())]].concat();
    let mut child = command(&arguments).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut next = || lines.next().unwrap().unwrap();
    assert!(next().starts_with("date"));
    assert!(next().starts_with("2024-03-01  anna"));
    let mut said = BufReader::new(child.stderr.take().unwrap()).lines();
    assert_has!(said.next().unwrap().unwrap(), "watching");
    // The same again under another name and something else: neither gives a line.
    std::fs::write(at("again.mat"), MATCH).unwrap();
    std::fs::write(at("readme.md"), MATCH).unwrap();
    std::thread::sleep(Duration::from_millis(1500));
    std::fs::write(at("two.mat"), MATCH.replace("2024.03.01", "2024.04.02")).unwrap();
    assert!(next().starts_with("2024-04-02  anna"));
    let id = child.id().to_string();
    let kill = Command::new("kill").args(["-INT", &id]).status();
    assert!(kill.unwrap().success());
    assert!(child.wait().unwrap().success());
    assert!(lines.next().is_none());
    let listed = ok(&["matches", "--store", name(&store), "--player", "anna"]);
    assert_has!(listed, "by kind of position", "checker play", "opening");
    let none = at("none");
    let missing = [&base[..], &[name(&none)]].concat();
    assert_eq!(run(&missing).status.code(), Some(2));
    assert_eq!(run(&["matches", "--threads", "1"]).status.code(), Some(2));
}

/// A terminal that goes away ends a comparison like Ctrl-C: what there is is printed and kept. Who was
/// told not to mind (`nohup`) goes on.
#[cfg(unix)]
#[test]
fn a_comparison_outlives_its_terminal() {
    use std::os::unix::process::ExitStatusExt as _;
    // These tests may run under nohup themselves: a signal that is handled here, unlike an ignored one,
    // is as usual for the programs started.
    signal_hook::flag::register(signal_hook::consts::SIGHUP, Default::default()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store");
    let plays = ["24/20 13/10", "13/10 13/9"];
    let arguments = [
        &[
            "compare",
            OPENING,
            "--dice",
            "43",
            "--coupling",
            "dice",
            "--json",
        ][..],
        &["--trials", "100000000", "--store", name(&store)],
        &plays,
    ]
    .concat();
    // Once more is kept than there was, it listens to signals.
    let started = |mut command: Command, least: u64| {
        let mut child = command.spawn().unwrap();
        let end = Instant::now() + LONG;
        while kept(&store) < least {
            let status = child.try_wait().unwrap();
            assert!(
                status.is_none() && Instant::now() < end,
                "nothing is kept: {status:?}"
            );
            std::thread::sleep(Duration::from_millis(50));
        }
        child
    };
    let send = |signal: &str, child: &Child| {
        let kill = Command::new("kill")
            .args([signal, &child.id().to_string()])
            .status();
        assert!(kill.unwrap().success());
    };
    let child = started(command(&arguments), 36);
    send("-HUP", &child);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let answer = document(&String::from_utf8(output.stdout).unwrap());
    let trials = answer["difference"]["trials"].as_u64().unwrap();
    assert!(trials >= 36 && trials == kept(&store), "{trials}");
    let said = String::from_utf8(output.stderr).unwrap();
    let (last, before) = said
        .trim_end()
        .rsplit_once('\n')
        .map_or((&*said, ""), |(a, b)| (b, a));
    assert_eq!(
        last.trim_end(),
        format!("luckless: interrupted after {trials} trials")
    );
    // Whoever looks into the file may have held it up for a moment.
    assert!(
        before.lines().all(|line| line.contains("not saved yet")),
        "{said}"
    );
    // The shell's `trap ''` hands the ignored signal down, as nohup does.
    let mut shell = Command::new("sh");
    let program = command(&[]).get_program().to_owned();
    shell
        .args(["-c", "trap '' HUP; exec \"$@\"", "sh"])
        .arg(program)
        .args(&arguments);
    shell.stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = started(shell, trials + 1);
    send("-HUP", &child);
    std::thread::sleep(Duration::from_millis(500));
    assert!(child.try_wait().unwrap().is_none(), "it goes on");
    send("-TERM", &child);
    let status = child.wait().unwrap();
    assert_eq!((status.code(), status.signal()), (Some(1), None));
}

/// Rollouts of a review: as many as asked for, told, kept, the same again.
#[test]
fn reviews_roll_out_what_is_closest() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    // A whole match: there are always some close decisions in it.
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let file = root.join("sample_matches/clara-dev-3pt.mat");
    let store = at("r.sqlite");
    let base = ["review", name(&file), "--ply", "0", "--store", name(&store)];
    let stage = ["--rollouts", "2", "--rollout-trials", "36"];
    let more = |more: &[&str]| ok(&[&base[..], &stage, more].concat());
    let first = more(&["--json"]);
    let report: Value = serde_json::from_str(&first).unwrap();
    assert_eq!(report["rollouts"]["decisions"], 2);
    assert_eq!(report["rollouts"]["seconds"], Value::Null);
    let games = report["games"].as_array().unwrap();
    let moves = || games.iter().flat_map(|g| g["moves"].as_array().unwrap());
    let rolled = moves().filter(|m| m["trials"] == 36).count();
    let cubes = moves().filter(|m| m["cube"]["trials"] == 36).count();
    assert_eq!(rolled + cubes, 2);
    assert_eq!(more(&["--json", "--threads", "1"]), first);
    assert!(
        more(&[]).contains(
            "2 closest decisions rolled out at 1-ply, luck subtracted: plays by 36 trials"
        )
    );
    assert!(more(&["--format", "html"]).contains("rolled out"));
    let plain: Value = serde_json::from_str(&ok(&[&base[..], &["--json"]].concat())).unwrap();
    assert_eq!(plain["rollouts"], Value::Null);
    // Each is kept by itself, a double and its answer as one: one more decision is one more rollout.
    let count = || -> i64 {
        let connection = rusqlite::Connection::open(at("rollouts.sqlite")).unwrap();
        let sql = "SELECT count(*) FROM rollouts";
        connection.query_row(sql, [], |row| row.get(0)).unwrap()
    };
    let before = count();
    assert!((1..=2).contains(&before), "{before}");
    let three = ["--rollouts", "3", "--rollout-trials", "36"];
    ok(&[&base[..], &three].concat());
    assert_eq!(count(), before + 1);
    let alone = [&base[..], &stage[2..]].concat();
    assert_eq!(run(&alone).status.code(), Some(2));
}

/// A level is plies, and rollouts of what is close where it has some.
#[test]
fn a_review_has_a_level() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let file = root.join("sample_matches/clara-dev-3pt.mat");
    let review = |level: &str, more: &[&str]| -> Value {
        let base = [
            "review",
            name(&file),
            "--level",
            level,
            "--no-store",
            "--json",
        ];
        serde_json::from_str(&ok(&[&base[..], more].concat())).unwrap()
    };
    let quick = review("quick", &[]);
    assert_eq!(
        (&quick["ply"], &quick["rollouts"]),
        (&1.into(), &Value::Null)
    );
    let rolled = review("rolled", &["--rollouts", "1", "--rollout-trials", "36"]);
    let settings = ["decisions", "trials", "horizon"].map(|key| &rolled["rollouts"][key]);
    assert_eq!(
        (&rolled["ply"], settings),
        (&2.into(), [&1.into(), &36.into(), &6.into()])
    );
}

/// Trials in a store, as a rollout of one more trial than there can be would find them: by reading
/// the table.
fn kept(path: &Path) -> u64 {
    if !path.exists() {
        return 0;
    }
    let Ok(connection) = rusqlite::Connection::open(path) else {
        return 0;
    };
    connection.busy_timeout(Duration::from_secs(10)).unwrap();
    let sound: String = connection
        .query_row("PRAGMA integrity_check", [], |row| row.get(0))
        .unwrap();
    assert_eq!(sound, "ok");
    connection
        .query_row("SELECT coalesce(max(trials), 0) FROM rollouts", [], |r| {
            r.get::<_, i64>(0)
        })
        .unwrap_or(0) as u64
}

/// Kills the process (SIGKILL on Unix) once `when` says so. False if it ended by itself.
fn kill_when(mut child: Child, mut when: impl FnMut() -> bool) -> bool {
    while !when() {
        if child.try_wait().unwrap().is_some() {
            // What it was waited for may have come with the end.
            return when();
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    true
}

#[test]
fn killed_and_continued_is_as_never_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store");
    // Slow enough to be killed in the middle.
    let trials = ["--trials", "500", "--luck", "lookahead"];
    let whole = document(&ok(&with(
        &[&trials[..], &["--no-store", "--threads", "2"]].concat(),
    )));
    let (mut last, mut killed) = (0, 0);
    for threads in ["1", "2", "3", "1", "2"] {
        let more = [
            &trials[..],
            &["--store", name(&store), "--threads", threads],
        ]
        .concat();
        let child = command(&with(&more)).spawn().unwrap();
        killed += u32::from(kill_when(child, || kept(&store) > last));
        let now = kept(&store);
        assert!(now >= last, "nothing is lost: {now} {last}");
        last = now;
    }
    assert!(last > 0 && killed > 0, "{last} {killed}");
    let more = [&trials[..], &["--store", name(&store)]].concat();
    let done = ok(&with(&more));
    assert_eq!(document(&done), whole);
    // Found, not done again: it adds nothing to what was spent.
    let found = ok(&with(&more));
    assert_eq!(document(&found), whole);
    let [done, found] = [done, found].map(|text| cpu_seconds(&text));
    assert!((found - done).abs() < 0.01, "{found} {done}");
    // Fewer trials are another document, and do not take away what is there.
    let few = ok(&with(&[
        "--trials",
        "360",
        "--luck",
        "lookahead",
        "--store",
        name(&store),
    ]));
    assert_eq!(document(&few)["plays"][0]["trials"], 360);
    assert_eq!(kept(&store), 500);
}

#[test]
fn two_processes_on_one_store() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store");
    let arguments = with(&[
        "--trials",
        "400",
        "--luck",
        "lookahead",
        "--store",
        name(&store),
    ]);
    let two: Vec<Child> = (0..2)
        .map(|_| command(&arguments).spawn().unwrap())
        .collect();
    let outputs: Vec<Output> = two
        .into_iter()
        .map(|c| c.wait_with_output().unwrap())
        .collect();
    assert!(outputs.iter().all(|o| o.status.success()), "{outputs:?}");
    let texts = outputs.map_texts();
    assert_eq!(document(&texts[0]), document(&texts[1]));
    assert_eq!(kept(&store), 400);
}

trait Texts {
    fn map_texts(self) -> Vec<String>;
}

impl Texts for Vec<Output> {
    fn map_texts(self) -> Vec<String> {
        let text = |o: Output| String::from_utf8(o.stdout).unwrap();
        self.into_iter().map(text).collect()
    }
}

/// Seven shards, one of them killed and run again, on any number of threads, merged in an order
/// without sense; some missing.
#[test]
fn shards_merge_to_the_whole() {
    let folder = tempfile::tempdir().unwrap();
    let trials = [
        "--trials",
        "1500",
        "--dice-source",
        "cross",
        "--luck",
        "lookahead",
    ];
    let whole = document(&ok(&with(&[&trials[..], &["--no-store"]].concat())));
    let stores: Vec<_> = (1..=7)
        .map(|i| folder.path().join(format!("shard{i}")))
        .collect();
    for (i, store) in stores.iter().enumerate() {
        let shard = format!("{}/7", i + 1);
        let threads = (1 + i % 3).to_string();
        let own = [
            "--shard",
            &shard,
            "--store",
            name(store),
            "--threads",
            &threads,
        ];
        let arguments = [&trials[..], &own].concat();
        if i == 3 {
            let child = command(&with(&arguments)).spawn().unwrap();
            assert!(kill_when(child, || kept(store) > 0), "ended by itself");
        }
        ok(&with(&arguments));
    }
    let order = [5, 0, 3, 6, 2, 1, 4].map(|i: usize| name(&stores[i]));
    let merged = ok(&[&["merge", "--json"], &order[..]].concat());
    assert_eq!(document(&merged), whole);
    let some = run(&[&["merge", "--json"], &order[2..]].concat());
    assert!(some.status.success());
    let said = String::from_utf8(some.stderr).unwrap();
    assert_has!(said, "are missing; no shard 1/7, 6/7");
    let some: Value = serde_json::from_slice(&some.stdout).unwrap();
    let counted = some["plays"][0]["trials"].as_u64().unwrap();
    assert_eq!(counted + some["missing_trials"].as_u64().unwrap(), 1500);
    let other = ok(&with(&[
        "--trials",
        "72",
        "--shard",
        "1/7",
        "--store",
        name(&stores[0]),
        "--seed",
        "5",
    ]));
    assert!(!other.is_empty());
    let refused = run(&["merge", order[0], order[1], "--json"]);
    assert_eq!(refused.status.code(), Some(2));
}

/// A store's name is a path, also one that begins as an address does.
#[cfg(unix)]
#[test]
fn a_store_is_a_path_and_no_address() {
    let folder = tempfile::tempdir().unwrap();
    let quick = ["--luck", "net", "--truncate", "3", "--trials", "36"];
    let own = ["--store", "file:kept?mode=memory"];
    let mut command = command(&with(&[&quick[..], &own].concat()));
    let done = command.current_dir(folder.path()).output().unwrap();
    assert!(done.status.success());
    assert!(folder.path().join("file:kept?mode=memory").exists());
}

/// A place that cannot be written to any more takes nothing from a rollout that goes on from what is kept there.
#[cfg(unix)]
#[test]
fn what_is_gone_on_with_is_printed_where_nothing_can_be_kept() {
    use std::os::unix::fs::PermissionsExt as _;
    let home = tempfile::tempdir().unwrap();
    let rolled = |trials: &str| {
        // On one core it takes longer than what is not worth keeping.
        let how = ["--ply", "0", "--cubeless", "--threads", "1"];
        let own = [&how[..], &["--trials", trials]].concat();
        let mut command = command(&with(&own));
        command.env("LUCKLESS_HOME", home.path()).output().unwrap()
    };
    assert!(rolled("1440").status.success());
    let data = home.path().join("data");
    let store = data.join("rollouts.sqlite");
    assert!(store.exists(), "it took long enough to be kept");
    let allow = |mode| {
        std::fs::set_permissions(&data, std::fs::Permissions::from_mode(mode)).unwrap();
        std::fs::set_permissions(&store, std::fs::Permissions::from_mode(mode & 0o666)).unwrap();
    };
    allow(0o555);
    let is_free = std::fs::write(data.join("x"), "x").is_ok();
    let done = rolled("1800");
    allow(0o755);
    let said = String::from_utf8(done.stderr).unwrap();
    assert!(done.status.success(), "{said}");
    let found: Value = serde_json::from_slice(&done.stdout).unwrap();
    assert_eq!(found["plays"][0]["trials"], 1800);
    // The owner of a container may write everywhere.
    assert!(
        is_free || said.contains("the rollout is not kept"),
        "{said}"
    );
}

/// So do those of a comparison, whose document says what is missing too.
#[test]
fn a_shard_of_a_comparison_is_known_to_be_one() {
    let folder = tempfile::tempdir().unwrap();
    let stores = ["a", "b"].map(|name| folder.path().join(name));
    let plays = ["8/5 6/5", "24/23 13/10"];
    let base = ["compare", OPENING, "--dice", "31", plays[0], plays[1]];
    let quick = [
        "--luck",
        "net",
        "--truncate",
        "3",
        "--coupling",
        "dice",
        "--json",
    ];
    for (shard, store) in ["1/2", "2/2"].into_iter().zip(&stores) {
        let own = ["--trials", "72", "--shard", shard, "--store", name(store)];
        ok(&[&base[..], &quick, &own].concat());
    }
    let merged = |stores: &[&str]| -> Value {
        let printed = run(&[&["merge", "--json"], stores].concat());
        assert!(printed.status.success());
        serde_json::from_slice(&printed.stdout).unwrap()
    };
    let [a, b] = stores.each_ref().map(|store| name(store));
    let some = merged(&[a]);
    assert_eq!(some["missing_trials"], 36);
    assert_eq!(some["difference"]["trials"], 36);
    assert_eq!(merged(&[a, b]).get("missing_trials"), None);
}

/// Shards of another evaluation, here of other rules, are not merged, nor is a store without shards.
#[test]
fn shards_that_do_not_fit_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let [a, b, whole] = ["a", "b", "whole"].map(|name| folder.path().join(name));
    let [a, b, whole] = [&a, &b, &whole].map(|path| name(path));
    // At a score where the Crawford game is still to come.
    let id = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:3:0:7:10";
    let roll = |own: &[&str]| {
        let quick = ["--truncate", "3", "--ply", "0", "--trials", "72"];
        ok(&[&["rollout", id], &quick[..], own].concat())
    };
    roll(&["--shard", "1/2", "--store", a]);
    roll(&["--shard", "2/2", "--store", b]);
    ok(&["merge", a, b]);
    let told = refusal(&["merge", a, b, "--no-crawford"], 1);
    assert_has!(told, "the shards cannot be merged here");
    roll(&["--store", whole]);
    let told = refusal(&["merge", whole], 1);
    assert_has!(told, "no shards in it");
}

#[test]
fn batches_are_gone_on_with() {
    let folder = tempfile::tempdir().unwrap();
    let (jobs, out) = (folder.path().join("jobs"), folder.path().join("out"));
    let line = |seed: u32| {
        format!(r#"{{"position":"{OPENING}","dice":"31","top":2,"seed":{seed},"id":"n{seed}"}}"#)
    };
    let text: String = (1..=4).map(|s| line(s) + "\n").collect();
    let more =
        "\n{\"position\":\"nonsense\"}\n{\"id\":7,\"position\":\"x\",\"trials\":-3}\nno job\n";
    std::fs::write(&jobs, text + more).unwrap();
    let arguments = [
        "rollout",
        "--batch",
        name(&jobs),
        "--out",
        name(&out),
        "--trials",
        "72",
    ];
    ok(&arguments);
    let read = || -> Vec<Value> {
        let text = std::fs::read_to_string(&out).unwrap();
        let mut all: Vec<Value> = text
            .lines()
            .map(|l| serde_json::from_str(l).unwrap())
            .collect();
        all.sort_by_key(|v| v["job"].as_u64());
        all
    };
    let all = read();
    assert_eq!(all.len(), 7);
    // Of what is no job it is told which one all the same, and why.
    assert_eq!(
        (&all[5]["id"], &all[5]["position"]),
        (&7.into(), &"x".into())
    );
    let why = all[5]["error"].as_str().unwrap();
    assert_eq!(
        why,
        "column 34: invalid value: integer `-3`, expected a whole number"
    );
    assert!(all[6]["error"].as_str().unwrap().contains("not JSON"));
    assert_eq!((&all[0]["id"], &all[3]["job"]), (&"n1".into(), &4.into()));
    assert_eq!(all[4]["job"], 6);
    assert_eq!(all[0]["settings"]["filter"]["within"].to_string(), "0.06");
    assert_eq!(all[4]["position"], "nonsense");
    assert!(!all[4]["error"].as_str().unwrap().is_empty());
    // Batches are for programs: 0-ply, for money without the cube.
    let alone = [
        "--ply",
        "0",
        "--cubeless",
        "--trials",
        "72",
        "--seed",
        "2",
        "--no-store",
    ];
    let alone = document(&ok(&with(&alone)));
    assert_eq!(all[1]["plays"], alone["plays"]);
    // Killed in the middle of a line: that job is done again, the others are not.
    let text = std::fs::read_to_string(&out).unwrap();
    let good: Vec<&str> = text.lines().filter(|l| !l.contains("\"error\":")).collect();
    std::fs::write(
        &out,
        format!("{}\n{}\n{}", good[0], good[1], &good[2][..40]),
    )
    .unwrap();
    ok(&arguments);
    let again = read();
    assert_eq!(again.len(), 7);
    for (a, b) in all.iter().zip(&again) {
        assert_eq!((&a["job"], &a["plays"]), (&b["job"], &b["plays"]));
    }
    // Other jobs under the same numbers are refused, and other ways to roll them out.
    let text = std::fs::read_to_string(&out).unwrap();
    let refused = |arguments: &[&str]| {
        let output = run(arguments);
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{stderr}");
        assert_has!(stderr, "job 1 would be answered differently");
        assert_eq!(std::fs::read_to_string(&out).unwrap(), text);
    };
    refused(&[&arguments[..], &["--ply", "1"]].concat());
    for other in [
        line(1).replace("\"31\"", "\"64\""),
        line(1).replace("\"n1\"", "\"m1\""),
        line(1).replace("\"seed\":1", "\"seed\":7"),
        line(1).replace("\"top\":2", "\"top\":1"),
    ] {
        std::fs::write(&jobs, other + "\n").unwrap();
        refused(&arguments);
    }
    std::fs::write(&jobs, "{\"position\":\"4PPgAQPgc+QBIg\"}\n").unwrap();
    assert_eq!(run(&arguments).status.code(), Some(1));
}

#[test]
fn every_trial_can_be_exported_and_replayed() {
    let folder = tempfile::tempdir().unwrap();
    let csv = folder.path().join("trials.csv");
    let answer = document(&ok(&with(&["--trials", "72", "--trials-out", name(&csv)])));
    let text = std::fs::read_to_string(&csv).unwrap();
    let rows: Vec<Vec<f64>> = text
        .lines()
        .skip(1)
        .map(|l| l.split(',').take(11).map(|c| c.parse().unwrap()).collect())
        .collect();
    assert_eq!(rows.len(), 144);
    assert!(rows.iter().all(|r| r.len() == 11));
    let extreme = &answer["plays"][0]["extreme_trials"][0];
    let trial = extreme["trial"].as_u64().unwrap();
    let own: Vec<&Vec<f64>> = rows.iter().filter(|r| r[0] == trial as f64).collect();
    assert!(
        own.iter()
            .any(|r| r[3] == extreme["variance_reduced"].as_f64().unwrap())
    );
    let replay = ok(&with(&["--replay", &trial.to_string()]));
    let replay: Value = serde_json::from_str(&replay).unwrap();
    let reduced: Vec<f64> = (0..2)
        .map(|i| {
            replay["candidates"][i]["result"]["variance_reduced"]
                .as_f64()
                .unwrap()
        })
        .collect();
    assert_eq!(reduced, [own[0][3], own[1][3]]);
    let text = ok(&[
        "rollout", OPENING, "--dice", "31", "--top", "1", "--replay", "3",
    ]);
    assert!(text.starts_with("trial 3 of 8/5 6/5: ended at"), "{text}");
}

/// Two sittings of a rollout by hand.
#[test]
fn rollouts_by_hand_are_gone_on_with() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store");
    let race = Position::from_points(&[(6, 1), (5, 2)], &[(6, 2), (4, 1)]).unwrap();
    let id = position_id(&race);
    let sitting = |input: &str| -> String {
        let mut child = command(&[
            "rollout",
            &id,
            "--interactive=both",
            "--play-bearoffs",
            "--store",
            name(&store),
        ])
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
        child
            .stdin
            .take()
            .unwrap()
            .write_all(input.as_bytes())
            .unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    // The program plays when told to; nonsense is asked again.
    let first = sitting(&("?\nfoo\n".to_owned() + &"!\n".repeat(40)));
    let games = first.matches("ended at").count();
    assert!(games >= 2, "{first}");
    let second = sitting("q\n");
    assert_has!(second, &format!("{games} games:"));
}

/// By hand with the cube: doubles, answers, and who is asked.
#[test]
fn the_cube_is_turned_by_hand() {
    let race = Position::from_points(&[(6, 3), (5, 2)], &[(6, 4), (4, 3)]).unwrap();
    let id = position_id(&race);
    let sitting = |side: &str, input: &str| -> String {
        let side = format!("--interactive={side}");
        let arguments = ["rollout", &id, &side, "--cubeful", "--no-store"];
        let mut child = command(&arguments).stdin(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(input.as_bytes()).unwrap();
        drop(stdin);
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    // The player on roll doubles, the other asks what it is worth and passes.
    let both = sitting("both", "maybe\ny\n?\np\nq\n");
    assert_has!(both, "cube 1 (centred)", "'maybe' is no answer");
    assert_has!(both, "you: doubles to 2", "double/take", "you: passes");
    assert_has!(both, "game 1: ended at +1", "1 game: ");
    // The program answers for the other side, and its doubles are answered by hand.
    let own = sitting("own", "y\n!\nq\n");
    assert!(
        own.contains("program: takes") || own.contains("program: passes"),
        "{own}"
    );
    let other = sitting("other", "t\n!\nq\n");
    assert_has!(other, "program: doubles to 2", "you: takes", "cube 2 (x's)");
}
