//! What goes wrong around the workstation, as its user sees it: a store that is locked, a disk that is
//! full, an analysis that panics. Nothing waits, nothing is lost, all of it is said.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use luckless::cube::Model;
use luckless::eval::{Engine, Evaluator, Probabilities};
use luckless::game::Position;
use luckless::store::{MatchFingerprint, NoteStore, READ_TIMEOUT, UserFolders};
use rusqlite::Connection;

use crate::common::terminal::{Terminal, wait};

/// A match of a length that is reviewed in seconds.
fn sample() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    root.join("sample_matches/clara-dev-3pt.mat")
}

fn store(home: &Path, name: &str) -> PathBuf {
    home.join("data/luckless").join(name)
}

/// Notes of the sample match in the store.
fn notes(path: &Path) -> Vec<String> {
    let record = luckless::match_file::read(&sample()).unwrap();
    let notes = NoteStore::read(path, &MatchFingerprint::of(&record), READ_TIMEOUT).unwrap();
    notes.into_values().collect()
}

/// Trials of the rollouts in the store.
fn trials(path: &Path) -> i64 {
    let sum = "SELECT coalesce(sum(trials), 0) FROM rollouts";
    let sum = Connection::open(path).and_then(|c| c.query_row(sum, [], |row| row.get(0)));
    sum.unwrap_or(0)
}

/// A second process that writes to the store and does not end.
fn lock(path: &Path) -> Connection {
    let connection = Connection::open(path).unwrap();
    connection.busy_timeout(Duration::from_secs(20)).unwrap();
    connection.execute_batch("BEGIN IMMEDIATE").unwrap();
    connection
}

/// Settings of the rollouts, by lines of the user's file.
fn set_rollouts(home: &Path, lines: &str) {
    let settings = home.join("config/luckless");
    std::fs::create_dir_all(&settings).unwrap();
    let text = format!("[rollout]\n{lines}");
    std::fs::write(settings.join("settings.toml"), text).unwrap();
}

/// What is not held up by a lock takes less on a busy machine too; reading waits that long for one.
const SOON: Duration = Duration::from_secs(5);

/// Fewer threads than there are, so that the keys are not late because of the rollouts.
const ARGUMENTS: [&str; 2] = ["--threads", "1"];

fn open(home: &Path) -> Terminal {
    let sample = sample();
    let arguments = [&[sample.to_str().unwrap()][..], &ARGUMENTS].concat();
    let terminal = Terminal::workstation(home, &arguments);
    // The best play is marked once the plays are analysed; `r` is refused before.
    terminal.expect("★");
    terminal
}

#[test]
#[ignore = "a demonstration in a terminal of its own, half a minute each"]
fn a_locked_store_of_notes_holds_up_nothing_and_loses_nothing() {
    let home = tempfile::tempdir().unwrap();
    let path = store(home.path(), "notes.sqlite");
    let mut terminal = open(home.path());
    terminal.keys("a o n e enter");
    terminal.expect("note kept");
    let writer = lock(&path);
    terminal.keys("l a t w o enter");
    terminal.expect("unsaved 1");
    terminal.keys("W");
    terminal.expect("process keeps it locked");
    terminal.keys("esc");
    // Every key is answered at once: the shortest wait for a lock is of a second.
    let begin = Instant::now();
    for _ in 0..5 {
        terminal.keys("?");
        terminal.expect("Enter runs one");
        terminal.keys("esc");
        terminal.expect_not("Enter runs one");
    }
    let took = begin.elapsed();
    assert!(took < SOON, "{took:?}");
    // The match opens while the lock is held, with the notes there are.
    let mut other = open(home.path());
    // It begins where the first one stands, one turn behind the note that is kept.
    other.keys("h");
    other.expect("one");
    drop(other);
    terminal.keys("l a t h r e e enter");
    terminal.expect("unsaved 2");
    terminal.keys("W");
    terminal.expect("2 notes not saved yet");
    terminal.keys("esc");
    writer.execute_batch("ROLLBACK").unwrap();
    terminal.expect_not("unsaved");
    assert_eq!(notes(&path), ["one", "two", "three"]);
    terminal.keys("q");
    assert_eq!(terminal.wait().0, 0);
}

#[test]
#[ignore = "a demonstration in a terminal of its own, half a minute each"]
fn a_signal_ends_the_program_soon_though_a_store_is_locked() {
    for (signal, status) in [("-TERM", 143), ("-INT", 130)] {
        let home = tempfile::tempdir().unwrap();
        let path = store(home.path(), "notes.sqlite");
        let mut terminal = open(home.path());
        terminal.keys("a o n e enter");
        terminal.expect("note kept");
        let writer = lock(&path);
        terminal.keys("l a t w o enter");
        terminal.expect("unsaved 1");
        terminal.signal(signal);
        let (ended, took) = terminal.wait();
        assert_eq!(ended, status);
        assert!(took < SOON, "{took:?}");
        assert!(!terminal.is_taken());
        let said = terminal.text().replace('\n', "");
        assert_has!(said, "luckless: not saved: 1 note", "“two”");
        drop(writer);
        assert_eq!(notes(&path), ["one"]);
    }
}

/// The same by keys: `q` asks, ctrl-c does not; both say what is lost. A lock that goes in time loses
/// nothing.
#[test]
#[ignore = "a demonstration in a terminal of its own, half a minute each"]
fn leaving_what_is_not_saved_is_asked_about_and_tried() {
    let home = tempfile::tempdir().unwrap();
    let path = store(home.path(), "notes.sqlite");
    let mut terminal = open(home.path());
    terminal.keys("a o n e enter");
    terminal.expect("note kept");
    let writer = lock(&path);
    terminal.keys("l a t w o enter");
    terminal.expect("unsaved 1");
    terminal.keys("q");
    terminal.expect("q again quits");
    terminal.keys("ctrl-c");
    let (status, took) = terminal.wait();
    assert_eq!(status, 1);
    assert!(took < SOON, "{took:?}");
    assert_has!(terminal.text(), "not saved: 1 note");
    drop(writer);
    let mut terminal = open(home.path());
    let writer = lock(&path);
    terminal.keys("l a t h r e e enter");
    terminal.expect("unsaved 1");
    terminal.keys("ctrl-c");
    std::thread::sleep(Duration::from_millis(300));
    drop(writer);
    assert_eq!(terminal.wait().0, 0);
    assert_eq!(notes(&path), ["one", "three"]);
}

#[test]
#[ignore = "a demonstration in a terminal of its own, half a minute each"]
fn rollouts_begin_and_catch_up_though_their_store_is_locked() {
    let home = tempfile::tempdir().unwrap();
    let path = store(home.path(), "rollouts.sqlite");
    // Rollouts that are not decided on the way.
    set_rollouts(home.path(), "trials = 1000000\nuntil_decided = false\n");
    let mut terminal = open(home.path());
    terminal.keys("r");
    wait("the rollout is kept", || (trials(&path) > 0).then_some(()));
    let writer = lock(&path);
    let kept = trials(&path);
    terminal.expect("unsaved 1");
    // Another rollout, of another move, begins at once.
    terminal.keys("x");
    terminal.expect("stopped, the result stays");
    let begin = Instant::now();
    terminal.keys("l r");
    terminal.expect("rolling");
    assert!(begin.elapsed() < Duration::from_secs(5));
    terminal.expect("unsaved 2");
    // Longer than a single attempt would wait.
    std::thread::sleep(Duration::from_secs(3));
    assert_eq!(trials(&path), kept);
    writer.execute_batch("ROLLBACK").unwrap();
    drop(writer);
    terminal.expect_not("unsaved");
    let count = || -> i64 {
        let connection = Connection::open(&path).unwrap();
        let count = "SELECT count(*) FROM rollouts";
        connection.query_row(count, [], |row| row.get(0)).unwrap()
    };
    assert_eq!(count(), 2);
    let caught = trials(&path);
    assert!(caught > kept);
    wait("saving goes on", || (trials(&path) > caught).then_some(()));
    terminal.keys("ctrl-c");
    assert_eq!(terminal.wait().0, 0);
}

/// A disk of 200 kB, in a name space of its own where that is allowed.
#[test]
#[ignore = "a demonstration in a terminal of its own, half a minute each"]
fn a_full_disk_is_named_and_what_waits_is_saved_when_there_is_room() {
    let home = tempfile::tempdir().unwrap();
    let small = home.path().join("data");
    std::fs::create_dir(&small).unwrap();
    let mount = format!("mount -t tmpfs -o size=200k none {}", small.display());
    let mut try_it = Command::new("unshare");
    try_it.args(["-rm", "sh", "-c", &mount]);
    if !try_it.status().is_ok_and(|status| status.success()) {
        // Where nobody reads that, it must not be skipped.
        assert!(std::env::var_os("CI").is_none(), "no small disk");
        eprintln!("no small disk can be made here: skipped");
        return;
    }
    let sample = sample();
    // The disk is full but for the space of nothing; `free` in the folder above makes room.
    let free = home.path().join("free");
    let before = format!(
        "{mount} && mkdir {0}/luckless && head -c 200k /dev/zero > {0}/fill 2>/dev/null; \
         (i=0; while ! test -e {1} -o $i -gt 1200; do sleep 0.1; i=$((i+1)); done; rm {0}/fill; \
         i=0; while ! test -e {2} -o $i -gt 1200; do sleep 0.1; i=$((i+1)); done; \
         cp -r {0}/luckless {3}) & ",
        small.display(),
        free.display(),
        home.path().join("done").display(),
        home.path().join("copy").display(),
    );
    let inner = format!(
        "{before} exec {} {} --threads 1",
        env!("CARGO_BIN_EXE_luckless"),
        sample.display()
    );
    let arguments = ["-rm", "sh", "-c", &inner];
    let mut terminal = Terminal::start(home.path(), "unshare", &arguments);
    terminal.expect("candidates");
    terminal.keys("a o n e enter");
    terminal.expect("unsaved 1");
    terminal.keys("W");
    terminal.expect("disk");
    terminal.keys("esc");
    terminal.keys("l a t w o enter");
    terminal.expect("unsaved 2");
    std::fs::write(&free, "").unwrap();
    terminal.expect_not("unsaved");
    terminal.keys("l a t h r e e enter");
    terminal.expect("note kept");
    std::fs::write(home.path().join("done"), "").unwrap();
    let copy = home.path().join("copy/notes.sqlite");
    wait("the store is copied", || copy.exists().then_some(()));
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(notes(&copy), ["one", "two", "three"]);
    terminal.keys("ctrl-c");
    terminal.wait();
}

/// Fails at one position of the sample match.
struct Faulty(Engine, Position);

impl Evaluator for Faulty {
    fn name(&self) -> &str {
        "faulty"
    }

    fn probabilities(&self, positions: &[Position], out: &mut [Probabilities]) {
        self.0.probabilities(positions, out);
    }

    fn probabilities_after(
        &self,
        before: &Position,
        results: &[Position],
        out: &mut [Probabilities],
    ) {
        assert_ne!(*before, self.1, "this position is too hard");
        self.0.probabilities_after(before, results, out);
    }

    fn equities_after(&self, before: &Position, results: &[Position], out: &mut [f32]) {
        self.0.equities_after(before, results, out);
    }

    fn exact(&self, position: &Position) -> Option<Probabilities> {
        self.0.exact(position)
    }
}

/// The workstation with an evaluator that fails, run by the test below in a terminal.
#[test]
#[ignore = "is run by another test"]
fn faulty_workstation() {
    let Ok(home) = std::env::var("HOME") else {
        return;
    };
    // Run by itself it has none.
    if !std::io::IsTerminal::is_terminal(&std::io::stdout()) {
        return;
    }
    let record = luckless::match_file::read(&sample()).unwrap();
    let moments = record.decision_states(&record.games[0]);
    let hard = moments[4].state.position;
    let done = luckless::tui::run(luckless::tui::StartOptions {
        sources: vec![luckless::tui::state::Openable::File(sample())],
        first: vec![0],
        may_be_empty: false,
        watch: Vec::new(),
        threads: 1,
        evaluator: Arc::new(Faulty(Engine::embedded(), hard)),
        model: Arc::new(Model::default()),
        no_crawford: false,
        places: Some(UserFolders::below(Path::new(&home))),
        theme: None,
        plays_on: None,
    });
    done.unwrap();
}

#[test]
#[ignore = "a demonstration in a terminal of its own, half a minute each"]
fn a_panic_of_the_analysis_costs_one_decision() {
    let home = tempfile::tempdir().unwrap();
    let own = std::env::current_exe().unwrap();
    let arguments = ["--exact", "faulty_workstation", "--ignored", "--nocapture"];
    let mut terminal = Terminal::start(home.path(), own.to_str().unwrap(), &arguments);
    terminal.expect("candidates");
    // Its own, and perhaps one whose lookahead meets the same position.
    terminal.expect("failed ");
    terminal.expect_not("review ");
    terminal.keys("W");
    terminal.expect("could not be analysed");
    terminal.expect("too hard");
    terminal.keys("enter");
    terminal.expect_not("warnings ─");
    // The rollouts of the match begin, as nothing waits any more.
    terminal.keys("B enter");
    terminal.expect("rolling out the match");
    terminal.expect("rolling out the match 1/");
    terminal.keys("ctrl-c");
    assert_eq!(terminal.wait().0, 0);
}

#[test]
#[ignore = "a demonstration in a terminal of its own, half a minute each"]
fn a_lost_terminal_ends_the_program_and_what_it_had_is_kept() {
    let home = tempfile::tempdir().unwrap();
    let path = store(home.path(), "rollouts.sqlite");
    let mut terminal = open(home.path());
    terminal.keys("a o n e enter");
    terminal.expect("note kept");
    terminal.keys("r");
    wait("the rollout is kept", || (trials(&path) > 0).then_some(()));
    terminal.keys("l a t w o enter");
    terminal.lose();
    wait("the program ends", || {
        (!terminal.is_running()).then_some(())
    });
    assert!(trials(&path) > 0);
    let kept = notes(&store(home.path(), "notes.sqlite"));
    assert_eq!(kept.first().map(String::as_str), Some("one"));
}

/// The match in view stays when its file goes, and follows it when it comes back.
#[test]
#[ignore = "a demonstration in a terminal of its own, half a minute each"]
fn a_file_that_goes_and_comes_back_takes_nothing_away() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("open.mat");
    std::fs::copy(sample(), &file).unwrap();
    let arguments = [&[file.to_str().unwrap()][..], &ARGUMENTS].concat();
    let mut terminal = Terminal::workstation(home.path(), &arguments);
    terminal.expect("★");
    terminal.keys("a o n e enter");
    terminal.expect("note kept");
    std::fs::rename(&file, home.path().join("away")).unwrap();
    terminal.expect("is no longer there; what is open stays");
    terminal.keys("l a t w o enter");
    terminal.expect("note kept");
    // As it was it would be no news.
    let text = std::fs::read_to_string(home.path().join("away")).unwrap();
    std::fs::write(&file, format!("{text}\n")).unwrap();
    terminal.expect("was read again");
    terminal.keys("ctrl-c");
    assert_eq!(terminal.wait().0, 0);
    assert_eq!(notes(&store(home.path(), "notes.sqlite")), ["one", "two"]);
}

/// Rows that are not as they were written: they are said, set aside, and made anew.
#[test]
#[ignore = "a demonstration in a terminal of its own, half a minute each"]
fn damaged_rows_are_set_aside_and_made_anew() {
    let home = tempfile::tempdir().unwrap();
    let [reviews, rollouts] =
        ["reviews", "rollouts"].map(|name| store(home.path(), &format!("{name}.sqlite")));
    let count = |path: &Path, table: &str, rows: &str| -> i64 {
        let count = format!("SELECT count(*) FROM {table} WHERE key {rows} LIKE 'damaged %'");
        let count = Connection::open(path).and_then(|c| c.query_row(&count, [], |row| row.get(0)));
        count.unwrap_or(0)
    };
    let made = |terminal: &mut Terminal| {
        terminal.expect_not("review ");
        terminal.keys("r");
        for (path, table) in [(&reviews, "reviews"), (&rollouts, "rollouts")] {
            let kept = || (count(path, table, "NOT") > 0).then_some(());
            wait("what was made is kept", kept);
        }
    };
    // Few trials: the review waits for a rollout that goes on.
    set_rollouts(home.path(), "trials = 144\n");
    let mut terminal = open(home.path());
    made(&mut terminal);
    terminal.keys("ctrl-c");
    terminal.wait();
    let change = |path: &Path, sql: &str| Connection::open(path).unwrap().execute_batch(sql);
    change(
        &reviews,
        "UPDATE reviews SET turns = zeroblob(9), report = zeroblob(9)",
    )
    .unwrap();
    let sql = "UPDATE rollouts SET progress = replace(progress, '3', '4')";
    change(&rollouts, sql).unwrap();
    let mut terminal = open(home.path());
    terminal.keys("W");
    // The row of it, which ends there where it is not the selected one.
    terminal.expect("review kept there is damaged");
    terminal.keys("esc");
    made(&mut terminal);
    terminal.keys("W");
    terminal.expect("begun anew");
    terminal.keys("esc");
    for (path, table) in [(&reviews, "reviews"), (&rollouts, "rollouts")] {
        let aside = || (count(path, table, "") == 1).then_some(());
        wait("the damaged row is set aside", aside);
        wait("another is there", || {
            (count(path, table, "NOT") == 1).then_some(())
        });
    }
    terminal.keys("ctrl-c");
    assert_eq!(terminal.wait().0, 0);
}

/// A variation is kept as soon as a play is made: `kill -9` loses none, a review names it, and it is
/// written as SGF.
#[test]
#[ignore = "a demonstration in a terminal of its own, half a minute each"]
fn a_variation_outlives_the_program() {
    let home = tempfile::tempdir().unwrap();
    let path = store(home.path(), "notes.sqlite");
    let mut terminal = open(home.path());
    terminal.keys("j j v");
    terminal.expect("what if");
    wait("the play is kept", || {
        let connection = Connection::open(&path).ok()?;
        let all = "SELECT count(*) FROM variations";
        let count: i64 = connection.query_row(all, [], |row| row.get(0)).ok()?;
        (count == 1).then_some(())
    });
    terminal.signal("-KILL");
    terminal.wait();
    let mut terminal = open(home.path());
    terminal.expect("╠");
    terminal.keys("v");
    terminal.expect("what if");
    terminal.keys("ctrl-c");
    terminal.wait();
}
