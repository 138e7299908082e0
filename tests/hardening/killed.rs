//! Everything that saves, killed without warning again and again and gone on with: what is there at the
//! end is, bit for bit, what it would have been without.
//!
//! `LUCKLESS_KILLS=200 cargo test --test hardening very_often -- --ignored --nocapture` kills that often.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use luckless::game::Position;
use luckless::notation::gnubg_id::position_id;
use luckless::store::{MatchFingerprint, NoteStore, READ_TIMEOUT};
use rusqlite::Connection;
use serde_json::Value;

use crate::common::terminal::Terminal;
use crate::common::{OPENING, command, name, ok};

/// How many kills of each kind in the short test.
const FEW: usize = 2;
/// How many kills at most until one has left something behind.
const MANY: usize = 50;
/// Kinds of work.
const KINDS: usize = 9;

/// A match of one roll each: few decisions, soon rolled out.
const SHORT: &str = " 1 point match\n\n Game 1\n anna : 0                 ben : 0\n  \
                     1) 31: 24/20                62: 24/18 13/11\n";

/// Moments to kill at, the same in each run.
struct Moments(u64);

impl Moments {
    fn next(&mut self, most: Duration) -> Duration {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let part = (self.0 >> 40) as f64 / (1u64 << 24) as f64;
        most.mul_f64(part * part)
    }
}

/// What was killed, and how often it had ended by itself before.
#[derive(Default, Debug)]
struct Count {
    killed: usize,
    ended: usize,
    /// Of those that ended, how many have been looked at.
    seen: usize,
}

impl Count {
    /// Kills a process at a moment between its start and `most` later.
    fn kill(&mut self, mut child: Child, moments: &mut Moments, most: Duration) {
        let at = Instant::now() + moments.next(most);
        while Instant::now() < at {
            if child.try_wait().unwrap().is_some() {
                self.ended += 1;
                return;
            }
            thread::sleep(Duration::from_millis(2));
        }
        let _ = child.kill();
        child.wait().unwrap();
        self.killed += 1;
    }
}

impl Count {
    /// Work that has ended is begun again by `anew`: else there is nothing left to kill.
    fn again(&mut self, anew: impl FnOnce()) {
        if self.seen < self.ended {
            self.seen = self.ended;
            anew();
        }
    }
}

/// A document without what time it took.
fn steady(text: &str) -> Value {
    let mut document: Value = serde_json::from_str(text).unwrap();
    strip(&mut document);
    document
}

fn strip(value: &mut Value) {
    match value {
        Value::Object(object) => {
            object.retain(|key, _| !key.contains("seconds"));
            object.values_mut().for_each(strip);
        }
        Value::Array(all) => all.iter_mut().for_each(strip),
        _ => {}
    }
}

/// Every store is sound.
fn sound(folder: &Path) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|e| e != "sqlite") {
            continue;
        }
        let connection = Connection::open(&path).unwrap();
        connection.busy_timeout(Duration::from_secs(20)).unwrap();
        let check = "PRAGMA integrity_check";
        let sound: String = connection.query_row(check, [], |row| row.get(0)).unwrap();
        assert_eq!(sound, "ok", "{}", path.display());
    }
}

/// Trials in a store that there may not be yet.
fn kept_trials(store: &Path) -> i64 {
    let Ok(connection) = Connection::open(store) else {
        return 0;
    };
    connection.busy_timeout(Duration::from_secs(20)).unwrap();
    let most = "SELECT coalesce(max(trials), 0) FROM rollouts";
    connection
        .query_row(most, [], |row| row.get(0))
        .unwrap_or(0)
}

/// A command with a store that is killed `kills` times, by two processes at once every other time, and
/// then runs to its end: its document is that of a run which nobody killed. At least one kill leaves a part.
fn command_survives(kills: usize, seed: u64, arguments: &[&str]) -> Count {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("r.sqlite");
    let begin = Instant::now();
    // By as many threads as are killed, so that on many cores too it lasts longer than half a second.
    let alone = ["--json", "--no-store", "--threads", "2"];
    let whole = steady(&ok(&[arguments, &alone].concat()));
    let most = begin.elapsed();
    let with = |threads: &str| {
        let own = ["--json", "--store", name(&store), "--threads", threads];
        command(&[arguments, &own].concat())
    };
    let (mut count, mut moments) = (Count::default(), Moments(seed));
    let mut most_kept = 0;
    while count.killed < kills || (most_kept == 0 && count.killed < MANY) {
        let other = (count.killed % 2 == 1).then(|| with("1").spawn().unwrap());
        count.kill(with("2").spawn().unwrap(), &mut moments, most / 2);
        if let Some(other) = other {
            count.kill(other, &mut moments, most / 4);
        }
        // What a run to its end has kept is no part.
        if count.seen == count.ended {
            most_kept = most_kept.max(kept_trials(&store));
        }
        count.again(|| {
            let done = ok(&[arguments, &["--json", "--store", name(&store)]].concat());
            assert_eq!(steady(&done), whole);
            std::fs::remove_file(&store).unwrap();
        });
    }
    assert!(most_kept > 0, "no kill left a part: {count:?}");
    sound(folder.path());
    let last = ok(&[arguments, &["--json", "--store", name(&store)]].concat());
    assert_eq!(steady(&last), whole);
    let again = ok(&[arguments, &["--json", "--store", name(&store)]].concat());
    assert_eq!(steady(&again), whole, "found, or done again");
    count
}

fn rollouts(kills: usize) -> Count {
    let base = ["rollout", OPENING, "--dice", "31", "--top", "2"];
    let more = ["--trials", "1000", "--luck", "lookahead"];
    command_survives(kills, 1, &[&base[..], &more].concat())
}

fn comparisons(kills: usize) -> Count {
    let base = [
        "compare",
        OPENING,
        "--dice",
        "43",
        "24/20 13/10",
        "13/9 13/10",
    ];
    let more = ["--coupling", "dice", "--trials", "1000"];
    command_survives(kills, 2, &[&base[..], &more].concat())
}

fn families(kills: usize) -> Count {
    let base = ["compare", OPENING, "--dice", "43"];
    let plays = ["24/20 13/10", "13/9 13/10", "24/21 13/9"];
    let more = ["--coupling", "dice", "--trials", "700"];
    command_survives(kills, 3, &[&base[..], &plays, &more].concat())
}

/// Reviews by the command line, which are kept whole or not at all.
fn reviews(kills: usize) -> Count {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("reviews.sqlite");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let file = root.join("sample_matches/clara-dev-3pt.mat");
    let base = ["review", name(&file), "--ply", "0", "--json"];
    let stage = ["--rollouts", "2", "--rollout-trials", "36"];
    let arguments = [&base[..], &stage].concat();
    let begin = Instant::now();
    let whole = steady(&ok(&[&arguments[..], &["--no-store"]].concat()));
    let most = begin.elapsed();
    let kept = [&arguments[..], &["--store", name(&store)]].concat();
    let (mut count, mut moments) = (Count::default(), Moments(4));
    while count.killed < kills {
        count.kill(command(&kept).spawn().unwrap(), &mut moments, most);
        count.again(|| {
            assert_eq!(steady(&ok(&kept)), whole);
            std::fs::remove_file(&store).unwrap();
            let _ = std::fs::remove_file(folder.path().join("rollouts.sqlite"));
        });
    }
    sound(folder.path());
    assert_eq!(steady(&ok(&kept)), whole);
    assert_eq!(steady(&ok(&kept)), whole);
    count
}

/// A table is there whole or not at all.
fn bearoffs(kills: usize) -> Count {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let (whole, table) = (at("whole"), at("table"));
    let base = ["bearoff", "--checkers", "4", "--file"];
    let begin = Instant::now();
    ok(&[&base[..], &[name(&whole)]].concat());
    let most = begin.elapsed();
    let whole = std::fs::read(&whole).unwrap();
    let arguments = [&base[..], &[name(&table)]].concat();
    let (mut count, mut moments) = (Count::default(), Moments(5));
    while count.killed < kills {
        count.kill(command(&arguments).spawn().unwrap(), &mut moments, most);
        if let Ok(bytes) = std::fs::read(&table) {
            assert!(bytes == whole, "half a table");
            std::fs::remove_file(&table).unwrap();
        }
    }
    ok(&arguments);
    assert!(std::fs::read(&table).unwrap() == whole);
    let names: BTreeSet<String> = std::fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(names, ["table", "whole"].map(String::from).into());
    count
}

/// Games that were played to their end are there, each as it was.
fn games_by_hand(kills: usize) -> Count {
    let folder = tempfile::tempdir().unwrap();
    let race = Position::from_points(&[(6, 1), (5, 2)], &[(6, 2), (4, 1)]).unwrap();
    let id = position_id(&race);
    let sit = |store: &Path| {
        let base = ["rollout", &id, "--interactive=both", "--play-bearoffs"];
        let mut command = command(&[&base[..], &["--store", name(store)]].concat());
        command.stdin(Stdio::piped()).spawn().unwrap()
    };
    let (mut count, mut moments) = (Count::default(), Moments(6));
    let store = folder.path().join("r.sqlite");
    let mut ended = 0;
    while count.killed < kills || (ended == 0 && count.killed < MANY) {
        let mut child = sit(&store);
        let mut keys = child.stdin.take().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        // The program plays all of it, slowly enough to be killed within a game.
        let until = Instant::now() + moments.next(Duration::from_secs(2));
        let typing = thread::spawn(move || {
            while Instant::now() < until && keys.write_all(b"!\n").is_ok() {
                thread::sleep(Duration::from_millis(5));
            }
            keys
        });
        let keys = typing.join().unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
        drop(keys);
        count.killed += 1;
        // A game whose end was shown and followed by its figures was kept before those.
        let mut all = Vec::new();
        while let Some(Ok(line)) = lines.next() {
            all.push(line);
        }
        ended += all.iter().filter(|line| line.contains(" games: ")).count();
    }
    assert!(ended > 0, "no game ended before a kill: {count:?}");
    sound(folder.path());
    let mut child = sit(&store);
    child.stdin.take().unwrap().write_all(b"q\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    let games = text.lines().rev().find_map(|line| {
        let (number, _) = line.split_once(" games: ")?;
        // A question stands before it where nobody has answered.
        number.split_whitespace().last()?.parse::<usize>().ok()
    });
    // One may have been kept just before its figures could be shown.
    let games = games.unwrap_or(0);
    assert!(
        games >= ended && games <= ended + count.killed,
        "{games} {ended}"
    );
    count
}

fn data(home: &Path) -> PathBuf {
    home.join("data/luckless")
}

/// Progress of the rollouts in a store, by what they are.
fn kept_rollouts(path: &Path) -> BTreeMap<String, Value> {
    let connection = Connection::open(path).unwrap();
    let mut all = connection
        .prepare("SELECT shown, progress FROM rollouts")
        .unwrap();
    let rows = all.query_map([], |row| {
        Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?))
    });
    let rows = rows.unwrap().map(|row| row.unwrap());
    rows.map(|(shown, progress)| (shown, steady(&progress)))
        .collect()
}

/// `B` in the workstation, killed and begun again: at the end every decision is rolled out as if at
/// once.
fn whole_matches(kills: usize) -> Count {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("short.mat");
    std::fs::write(&file, SHORT).unwrap();
    let arguments = [name(&file), "--threads", "2"];
    let begin = |home: &Path| {
        let mut terminal = Terminal::workstation(home, &arguments);
        terminal.expect("candidates");
        terminal.expect_not("review ");
        // What was under way goes on by itself, if it had been saved that it was.
        thread::sleep(Duration::from_millis(500));
        let goes_on = [
            "rolling out",
            "rolled out: all",
            "after the review",
            "match go on",
        ];
        if !goes_on.iter().any(|words| terminal.text().contains(words)) {
            terminal.keys("B enter");
        }
        terminal
    };
    let home = |name: &str| {
        let home = folder.path().join(name);
        std::fs::create_dir(&home).unwrap();
        home
    };
    let (whole, other) = (home("whole"), home("other"));
    let mut terminal = begin(&whole);
    let took = terminal.expect("rolled out: all");
    terminal.keys("ctrl-c");
    terminal.wait();
    let (mut count, mut moments) = (Count::default(), Moments(7));
    while count.killed < kills {
        let mut terminal = begin(&other);
        thread::sleep(moments.next(took * 2));
        terminal.signal("-KILL");
        terminal.wait();
        count.killed += 1;
    }
    sound(&data(&other));
    let mut terminal = begin(&other);
    terminal.expect("rolled out: all");
    terminal.keys("ctrl-c");
    terminal.wait();
    let [whole, other] =
        [whole, other].map(|home| kept_rollouts(&data(&home).join("rollouts.sqlite")));
    assert!(!whole.is_empty());
    assert_eq!(other, whole);
    count
}

/// What the workstation has called kept is there; so is what two of them write at once.
fn notes(kills: usize) -> Count {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("short.mat");
    std::fs::write(&file, SHORT).unwrap();
    let record = luckless::match_file::read(&file).unwrap();
    let mark = MatchFingerprint::of(&record);
    let path = data(folder.path()).join("notes.sqlite");
    let home = |n: usize| {
        let home = folder.path().join(format!("home{n}"));
        std::fs::create_dir_all(&home).unwrap();
        // Both have the same data.
        let _ = std::fs::create_dir_all(folder.path().join("data"));
        let _ = std::os::unix::fs::symlink(folder.path().join("data"), home.join("data"));
        home
    };
    let (mut count, mut moments) = (Count::default(), Moments(8));
    let mut said: [String; 2] = Default::default();
    while count.killed < kills {
        let mut two = [0, 1].map(|n| Terminal::workstation(&home(n), &[name(&file)]));
        for (n, terminal) in two.iter_mut().enumerate() {
            terminal.expect("candidates");
            if n == 1 {
                terminal.keys("l");
            }
        }
        let mut typed: [String; 2] = Default::default();
        for (n, terminal) in two.iter_mut().enumerate() {
            typed[n] = format!("note-{}-{n}", count.killed);
            terminal.keys("a");
            terminal.expect("a note beside this move");
            // What was there before goes.
            terminal.typed(&"\x7f".repeat(40));
            terminal.typed(&typed[n]);
            terminal.typed("\r");
        }
        thread::sleep(moments.next(Duration::from_millis(100)));
        for (n, terminal) in two.iter_mut().enumerate() {
            let is_kept = terminal.text().contains("note kept");
            terminal.signal("-KILL");
            terminal.wait();
            let kept = NoteStore::read(&path, &mark, READ_TIMEOUT).unwrap();
            let here: Vec<&String> = kept
                .values()
                .filter(|t| t.ends_with(&format!("-{n}")))
                .collect();
            // The new one, or the one before it: never half of one, and no other.
            let text = here.first().map_or("", |text| text.as_str());
            let may = text == typed[n] || (!is_kept && text == said[n]);
            assert!(may, "{text:?}: {typed:?} {said:?} {is_kept}");
            said[n] = text.to_owned();
            count.killed += 1;
        }
    }
    sound(&data(folder.path()));
    count
}

/// Each part of the workbench, killed: what was done is back, what is only looked at is worked out again.
fn workbench(kills: usize) -> Count {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("short.mat");
    std::fs::write(&file, SHORT).unwrap();
    let home = folder.path().join("home");
    std::fs::create_dir(&home).unwrap();
    let begin = || {
        let terminal = Terminal::workstation(&home, &[name(&file)]);
        terminal.expect("candidates");
        terminal.expect_not("review ");
        terminal
    };
    let mut count = Count::default();
    while count.killed < kills {
        let mut terminal = begin();
        // A variation, and the place in the match.
        let is_first = count.killed == 0;
        if is_first {
            terminal.keys("l");
        }
        terminal.expect("move 2");
        // The plays may still be being analysed.
        let end = Instant::now() + Duration::from_secs(60);
        while !terminal.text().contains("what if  game") {
            assert!(Instant::now() < end, "{}", terminal.text());
            terminal.keys("v");
            thread::sleep(Duration::from_secs(1));
        }
        if is_first {
            terminal.keys("d 6 5 enter");
        }
        thread::sleep(Duration::from_millis(600));
        // What is only looked at: why, other scores, the editor, a game by hand.
        let looks = [
            ("esc esc Y", "why"),
            ("esc esc M", "other scores"),
            ("esc esc e", "position editor"),
            ("esc esc g h", "by hand"),
        ];
        let (keys, words) = looks[count.killed % looks.len()];
        terminal.keys(keys);
        terminal.expect(words);
        terminal.signal("-KILL");
        terminal.wait();
        count.killed += 1;
    }
    sound(&data(&home));
    let mut terminal = begin();
    terminal.expect("╠");
    terminal.keys("ctrl-c");
    terminal.wait();
    count
}

/// A kind of saved work, and what kills it so many times.
type Kind = (&'static str, fn(usize) -> Count);

fn all(kills: usize) {
    let kinds: [Kind; KINDS] = [
        ("rollouts", rollouts),
        ("comparisons", comparisons),
        ("families", families),
        ("reviews", reviews),
        ("bearoff tables", bearoffs),
        ("games by hand", games_by_hand),
        ("matches rolled out in the workstation", whole_matches),
        ("notes", notes),
        ("the workbench", workbench),
    ];
    let mut sum = 0;
    // `LUCKLESS_KIND=workbench` kills that alone.
    let only = std::env::var("LUCKLESS_KIND").unwrap_or_default();
    for (what, kind) in kinds.into_iter().filter(|kind| kind.0.contains(&only)) {
        let begin = Instant::now();
        let count = kind(kills.div_ceil(KINDS));
        let seconds = begin.elapsed().as_secs_f64();
        println!("{what}: {count:?} in {seconds:.0} s");
        sum += count.killed;
    }
    println!("{sum} processes killed, nothing lost");
}

#[test]
#[ignore = "takes minutes where the processor is shared"]
fn what_is_killed_goes_on_as_if_it_had_not_been() {
    all(FEW * KINDS);
}

#[test]
#[ignore = "takes minutes: the same with many kills"]
fn what_is_killed_very_often_goes_on_as_if_it_had_not_been() {
    let kills = std::env::var("LUCKLESS_KILLS").ok();
    all(kills.and_then(|kills| kills.parse().ok()).unwrap_or(200));
}
