//! What is kept is right, or it is not used: games of several sittings, damaged stores, results that
//! something else has been made with.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use luckless::game::Position;
use luckless::notation::position_id;
use serde_json::Value;

use crate::common;
use common::{MATCH, command, name, ok, race, without_times};

/// What was rolled out is listed, by position too, and taken out by its number.
#[test]
fn kept_rollouts_are_listed_and_removed() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("r.sqlite");
    let roll = |id: &str, seed: &str| {
        let few = [
            "--trials",
            "36",
            "--truncate",
            "2",
            "--ply",
            "0",
            "--cubeless",
        ];
        let whole = [
            &["rollout", id, "--dice", "31", "--top", "2", "--seed", seed][..],
            &few,
            &["--store", name(&store)],
        ];
        ok(&whole.concat());
    };
    roll("4HPwATDgc/ABMA", "1");
    roll("4HPwATDgc/ABMA", "2");
    let kept = |more: &[&str]| {
        let text = ok(&[&["kept", "--json", "--store", name(&store)], more].concat());
        serde_json::from_str::<Value>(&text).unwrap()
    };
    let all = kept(&[]);
    assert_eq!(
        (&all["total"], all["rollouts"].as_array().unwrap().len()),
        (&2.into(), 2)
    );
    let first = &all["rollouts"][0];
    assert_eq!(
        (&first["dice"], &first["trials"]),
        (&"31".into(), &36.into())
    );
    assert_eq!(first["candidates"][0]["play"], "8/5 6/5");
    assert_eq!(first["plays"], 2);
    // What alone tells the two apart, or one from another that is played to the end.
    assert_eq!((&first["horizon"], &first["seed"]), (&2.into(), &2.into()));
    assert_eq!(first["luck"], "lookahead=0");
    let listed = ok(&["kept", "--store", name(&store)]);
    assert_has!(listed, "0, cut at 2");
    assert!(first["candidates"][0]["equity"]["se"].as_f64().unwrap() > 0.0);
    // The same checkers at another score; and others.
    let at_score = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:2:3:0:7:10";
    assert_eq!(kept(&[at_score])["total"], 2);
    let other = Position::from_points(&[(1, 1)], &[(1, 1)]).unwrap();
    assert_eq!(kept(&[&position_id(&other)])["total"], 0);
    // Where a double waits it is the doubler's position, by whichever of the two one asks.
    let cube = |roll: &str| format!("XGID=-b----E-C---eE---c-e----B-:0:0:1:{roll}:0:0:0:0:10");
    let doubled = [
        "rollout",
        &cube("D"),
        "--trials",
        "36",
        "--truncate",
        "2",
        "--ply",
        "0",
    ];
    ok(&[&doubled[..], &["--store", name(&store)]].concat());
    for roll in ["00", "D"] {
        assert_eq!(kept(&[&cube(roll)])["total"], 3, "{roll}");
    }
    let last = kept(&[&cube("D")])["rollouts"][0]["id"].to_string();
    ok(&["kept", "--remove", &last, "--store", name(&store)]);
    let shown = ok(&["kept", "--store", name(&store), "--most", "1"]);
    assert_has!(shown, "the last one of 2", "8/5 6/5");
    let id = first["id"].to_string();
    let gone = ok(&["kept", "--remove", &id, "--store", name(&store)]);
    assert_eq!(gone, "1 rollout removed\n");
    assert_eq!(kept(&[])["total"], 1);
    let again = command(&["kept", "--remove", &id, "--store", name(&store)])
        .output()
        .unwrap();
    assert_eq!(again.status.code(), Some(2));
    let listed = command(&["kept", "--remove", &id, "--json", "--store", name(&store)])
        .output()
        .unwrap();
    assert_eq!(listed.status.code(), Some(2));
    // With other equities nothing is known of its figures, but how many plays there are.
    let three = ["rollout", at_score, "--dice", "31", "--top", "3"];
    let few = ["--trials", "36", "--truncate", "2", "--ply", "0", "--store"];
    ok(&[&three[..], &few, &[name(&store)]].concat());
    let unknown = kept(&[at_score, "--no-crawford"]);
    let last = &unknown["rollouts"][0];
    assert!(last["candidates"].is_null(), "{last}");
    assert_eq!(last["plays"], 3);
}

/// A redouble is called so, whoever has kept it.
#[test]
fn a_kept_redouble_is_no_double() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("r.sqlite");
    let owned = "XGID=-b----E-C---eE---c-e----B-:1:1:1:00:0:0:0:0:10";
    let few = ["--trials", "36", "--truncate", "2", "--ply", "0", "--store"];
    ok(&[&["rollout", owned][..], &few, &[name(&store)]].concat());
    let kept = ok(&["kept", "--json", "--store", name(&store)]);
    let kept: Value = serde_json::from_str(&kept).unwrap();
    let candidates = kept["rollouts"][0]["candidates"].as_array().unwrap();
    let mut names: Vec<&str> = candidates.iter().flat_map(|c| c["play"].as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["no redouble", "redouble/pass", "redouble/take"]);
}

/// A person at a rollout by hand.
struct Sitting {
    child: Child,
    keyboard: Option<ChildStdin>,
    said: Arc<Mutex<String>>,
}

impl Sitting {
    fn begin(store: &Path) -> Self {
        // The player on roll bears off the last checker: a game is one question.
        let last = Position::from_points(&[(1, 1)], &[(1, 1)]).unwrap();
        let arguments = [
            "rollout",
            &position_id(&last),
            "--interactive=both",
            "--play-bearoffs",
            "--store",
            name(store),
        ];
        let mut child = command(&arguments).stdin(Stdio::piped()).spawn().unwrap();
        let keyboard = child.stdin.take();
        let mut out = child.stdout.take().unwrap();
        let said = Arc::new(Mutex::new(String::new()));
        let to = Arc::clone(&said);
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(n @ 1..) = out.read(&mut bytes) {
                let text = String::from_utf8_lossy(&bytes[..n]).into_owned();
                to.lock().unwrap().push_str(&text);
            }
        });
        let sitting = Self {
            child,
            keyboard,
            said,
        };
        sitting.waits(0);
        sitting
    }

    /// Waits until it asks for a play after so many games of its own.
    fn waits(&self, games: usize) {
        let begin = Instant::now();
        loop {
            let said = self.said.lock().unwrap().clone();
            if said.matches("ended at").count() == games && said.ends_with("q leaves): ") {
                return;
            }
            assert!(begin.elapsed() < Duration::from_secs(60), "{said}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    fn types(&mut self, line: &str) {
        let keyboard = self.keyboard.as_mut().unwrap();
        keyboard.write_all(line.as_bytes()).unwrap();
    }

    /// Leaves; what it was told at the end.
    fn leaves(mut self) -> String {
        self.types("q\n");
        self.keyboard = None;
        assert!(self.child.wait().unwrap().success());
        let begin = Instant::now();
        loop {
            let said = self.said.lock().unwrap().clone();
            if let Some(last) = said
                .trim_end()
                .lines()
                .last()
                .filter(|l| l.contains(" games: "))
            {
                // The prompt that nobody answered stands before it.
                let (_, figures) = last.rsplit_once("): ").unwrap_or(("", last));
                return figures.to_owned();
            }
            assert!(begin.elapsed() < Duration::from_secs(60), "{said}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

/// Two people play the same position at once: no game takes the place of another.
#[test]
fn games_of_two_sittings_at_once_are_all_kept() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store");
    let (mut one, mut two) = (Sitting::begin(&store), Sitting::begin(&store));
    for game in 1..=3 {
        one.types("!\n");
        one.waits(game);
    }
    for game in 1..=2 {
        two.types("!\n");
        two.waits(game);
    }
    // The one who leaves counts what the other has played meanwhile.
    let last = one.leaves();
    assert!(last.starts_with("5 games: "), "{last}");
    let last = two.leaves();
    assert!(last.starts_with("5 games: "), "{last}");
    let later = Sitting::begin(&store);
    let dice = later.said.lock().unwrap().clone();
    assert!(dice.contains("game 5"), "what was left comes again: {dice}");
    assert!(later.leaves().starts_with("5 games: "));
}

/// A small generator, so that the same bits are flipped everywhere.
struct Lcg(u64);

impl Lcg {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }

    /// A file with three bits flipped. The version of the tables stays: another one is refused.
    fn flip(&mut self, whole: &[u8]) -> Vec<u8> {
        let mut bytes = whole.to_vec();
        for _ in 0..3 {
            let at = self.below(bytes.len());
            if !(60..64).contains(&at) {
                bytes[at] ^= 1 << self.below(8);
            }
        }
        bytes
    }
}

const RUNS: usize = 20;

/// `review` analyses anew what is damaged, `matches` lists what is whole, and both end well.
#[test]
fn damaged_reviews_are_made_anew() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let (file, store) = (at("one.mat"), at("r.sqlite"));
    std::fs::write(&file, MATCH).unwrap();
    let other = at("two.mat");
    std::fs::write(&other, MATCH.replace("2024.03.01", "2024.04.02")).unwrap();
    let kept = |file: &Path, store: &Path| {
        let (file, store) = (name(file).to_owned(), name(store).to_owned());
        ok(&["review", &file, "--ply", "0", "--json", "--store", &store])
    };
    let first = kept(&file, &store);
    kept(&other, &store);
    let whole = std::fs::read(&store).unwrap();
    let mut dice = Lcg(3);
    let mut lines = 0;
    for run in 0..RUNS {
        let store = at(&format!("{run}.sqlite"));
        std::fs::write(&store, dice.flip(&whole)).unwrap();
        lines += ok(&["matches", "--store", name(&store)]).lines().count();
        assert_eq!(kept(&file, &store), first, "{run}");
        kept(&other, &store);
        // Afterwards all is as it was.
        let listed = ok(&["matches", "--store", name(&store)]);
        assert_eq!(listed.lines().count(), 3, "{run}: {listed}");
    }
    assert!(
        lines > RUNS,
        "one bad row does not hide the others: {lines}"
    );
}

/// In the place of each store lies something else: all of it is said and set aside, and the work is done.
#[test]
fn what_is_no_store_is_set_aside_and_all_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("one.mat");
    std::fs::write(&file, MATCH).unwrap();
    let data = folder.path().join(common::STORES);
    std::fs::create_dir(&data).unwrap();
    let stores = ["reviews", "rollouts", "notes", "library"];
    for store in stores {
        let garbage = "something else ".repeat(600);
        std::fs::write(data.join(format!("{store}.sqlite")), garbage).unwrap();
    }
    let race = race();
    let said = |arguments: &[&str]| {
        let mut command = command(arguments);
        let output = command.env(common::DATA, folder.path()).output();
        let output = output.unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{said}");
        said
    };
    let kept = name(&data.join("rollouts.sqlite")).to_owned();
    let rolled = [
        "rollout",
        &race,
        "--play-bearoffs",
        "--trials",
        "36",
        "--store",
        &kept,
    ];
    let all = [
        said(&["review", name(&file), "--ply", "0", "--json"]),
        said(&rolled),
        said(&["library", "add", name(&file)]),
    ]
    .concat();
    for store in stores {
        let aside = format!("{store}.sqlite.damaged");
        assert!(all.contains(&aside), "{store}: {all}");
        assert!(data.join(&aside).is_file(), "{store}");
    }
    let again = said(&["matches"]);
    assert_lacks!(again, "damaged");
}

#[test]
fn damaged_rollouts_never_give_other_figures() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("s.sqlite");
    let race = race();
    let base = [
        "rollout",
        &race,
        "--play-bearoffs",
        "--trials",
        "72",
        "--json",
    ];
    let kept = |store: &Path| {
        let text = ok(&[&base[..], &["--store", name(store)]].concat());
        without_times(serde_json::from_str(&text).unwrap())
    };
    let first = kept(&store);
    let whole = std::fs::read(&store).unwrap();
    let mut dice = Lcg(5);
    for run in 0..RUNS {
        let store = folder.path().join(format!("{run}.sqlite"));
        std::fs::write(&store, dice.flip(&whole)).unwrap();
        assert_eq!(kept(&store), first, "{run}");
        assert_eq!(kept(&store), first, "{run}");
    }
}

/// A review made with other bearoffs is another review.
#[test]
fn all_that_is_kept_can_lie_in_one_folder() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().join("stick");
    let file = folder.path().join("one.mat");
    std::fs::write(&file, MATCH).unwrap();
    let mut command = command(&["review", name(&file), "--ply", "0"]);
    let output = command.env("LUCKLESS_HOME", &home).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(home.join("data/reviews.sqlite").is_file());
}

#[test]
fn other_bearoffs_serve_no_old_verdicts() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("one.mat");
    std::fs::write(&file, MATCH).unwrap();
    let there = |arguments: &[&str]| {
        let mut command = command(arguments);
        let output = command.env(common::DATA, folder.path()).output().unwrap();
        assert!(output.status.success(), "{output:?}");
    };
    let store = folder.path().join(common::STORES).join("reviews.sqlite");
    for (checkers, reviews) in [("1", 1), ("2", 2)] {
        there(&["bearoff", "--checkers", checkers, "--force"]);
        for _ in 0..2 {
            there(&["review", name(&file), "--ply", "0"]);
        }
        let sql = rusqlite::Connection::open(&store).unwrap();
        let count = "SELECT count(*) FROM reviews";
        let count: i64 = sql.query_row(count, [], |row| row.get(0)).unwrap();
        assert_eq!(count, reviews);
    }
}

/// A second process that writes to the store and does not end.
fn lock(store: &Path) -> rusqlite::Connection {
    let writer = rusqlite::Connection::open(store).unwrap();
    writer.busy_timeout(Duration::from_secs(20)).unwrap();
    writer.execute_batch("BEGIN IMMEDIATE").unwrap();
    writer
}

/// A rollout does not wait for a locked store: it says so, goes on, and is saved when that is possible.
#[test]
fn a_locked_store_holds_no_rollout_up() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("s.sqlite");
    let race = race();
    let arguments = |seed| {
        let base = ["rollout", &race, "--play-bearoffs", "--trials", "72"];
        [&base[..], &["--seed", seed, "--store", name(&store)]].concat()
    };
    ok(&arguments("1"));
    let begin = |seed| {
        let mut command = command(&arguments(seed));
        let streams = command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = streams.spawn().unwrap();
        let mut errors = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        errors.read_line(&mut line).unwrap();
        assert_has!(line, "not saved yet", "keeps it locked");
        (child, errors)
    };
    let writer = lock(&store);
    let (child, _errors) = begin("2");
    drop(writer);
    assert!(child.wait_with_output().unwrap().status.success());
    let again = ok(&arguments("2"));
    assert_has!(again, "72 of them kept from before");
    // One that nobody unlocks costs the save, not the figures, and not much time.
    let writer = lock(&store);
    let (child, mut errors) = begin("3");
    let since = Instant::now();
    let output = child.wait_with_output().unwrap();
    assert!(since.elapsed() < Duration::from_secs(15));
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stdout).contains("72 trials"));
    let mut last = String::new();
    errors.read_to_string(&mut last).unwrap();
    assert_has!(last, "keeps it locked");
    drop(writer);
}

/// Nor does a person who plays by hand; no game is lost.
#[test]
fn games_played_while_the_store_is_locked_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("s.sqlite");
    let mut sitting = Sitting::begin(&store);
    sitting.types("!\n");
    sitting.waits(1);
    let writer = lock(&store);
    for game in 2..=3 {
        sitting.types("!\n");
        sitting.waits(game);
    }
    drop(writer);
    assert!(sitting.leaves().starts_with("3 games: "));
    let later = Sitting::begin(&store);
    assert!(later.leaves().starts_with("3 games: "));
}
