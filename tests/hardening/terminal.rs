//! The workstation in a terminal that goes wrong: gone, full, stopped, killed in the middle.

use std::ffi::OsStr;
use std::fs::File;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use luckless::store::{MatchFingerprint, NoteStore, READ_TIMEOUT, RolloutStore};
use rustix::process::Signal;
use rustix::termios::{Action, LocalModes, OptionalActions, tcflow, tcgetattr, tcsetattr};

use crate::common::MATCH;
use crate::common::pseudo_terminal::{
    GIVEN_BACK, LONG, OPENING, Session, TAKEN, Terminal, comes_true, is_raw, set_nonblocking,
};

/// A terminal that is gone, and no signal says so: the program ends, and what was rolled out is kept.
#[test]
fn a_terminal_that_is_gone_ends_the_program_and_loses_nothing() {
    let settings = "[rollout]\ntrials = 10000000\nuntil_decided = false\n";
    let mut session = Session::start(&[OsStr::new(OPENING)], settings);
    session.expect("8/5");
    session.type_keys("r");
    let store = session.home.path().join("data/luckless/rollouts.sqlite");
    let trials = || kept_trials(&store);
    let is_kept = || trials().is_some_and(|trials| trials > 0);
    // Rollouts of less than a second are not kept.
    assert!(comes_true(4 * LONG, is_kept), "nothing is kept");
    let before = trials();
    session.hang_up();
    let status = session.ended(LONG);
    assert_eq!(status.code(), Some(1));
    assert!(trials() >= before);
}

/// A terminal that takes nothing holds up neither a rollout nor what is saved of it, and SIGTERM ends the program.
#[test]
fn a_terminal_that_stalls_holds_nothing_up() {
    let settings = "[rollout]\ntrials = 10000000\nuntil_decided = false\n";
    let mut session = Session::start(&[OsStr::new(OPENING)], settings);
    session.expect("8/5");
    session.type_keys("r");
    let store = session.home.path().join("data/luckless/rollouts.sqlite");
    let trials = || kept_trials(&store).unwrap_or(0);
    assert!(comes_true(4 * LONG, || trials() > 0), "nothing is kept");
    fill(&mut session);
    for _ in 0..2 {
        let before = trials();
        // What is kept grows with the trials, which other work may hold up.
        assert!(
            comes_true(4 * LONG, || trials() > before),
            "nothing more is kept"
        );
    }
    let before = trials();
    session.send(Signal::TERM);
    let status = session.ended(LONG);
    assert_eq!(status.signal(), Some(Signal::TERM.as_raw()));
    assert!(!is_raw(&session.slave));
    assert!(trials() >= before);
}

/// Nor does it hold up a signal that kills.
#[test]
fn a_terminal_that_stalls_does_not_hold_up_what_kills() {
    leave_no_core();
    // A signal that is handled here is back at its default in the program.
    signal_hook::flag::register(Signal::QUIT.as_raw(), Arc::default()).unwrap();
    let mut session = Session::opening();
    session.expect("8/5");
    fill(&mut session);
    session.send(Signal::QUIT);
    let status = session.ended(LONG);
    assert_eq!(status.signal(), Some(Signal::QUIT.as_raw()));
    assert!(!is_raw(&session.slave));
}

/// Nobody wants to look at what is left of a program that is killed.
fn leave_no_core() {
    let none = rustix::process::Rlimit {
        current: Some(0),
        maximum: Some(0),
    };
    rustix::process::setrlimit(rustix::process::Resource::Core, none).unwrap();
}

/// Reads no more, and has many times as much drawn as the terminal holds.
fn fill(session: &mut Session) {
    session.stall();
    for _ in 0..60 {
        session.type_keys("?");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// How many trials are kept of the first rollout in this file.
fn kept_trials(store: &Path) -> Option<u64> {
    let store = RolloutStore::open_to_read(store, READ_TIMEOUT).ok()??;
    let kept = store.all(&mut |why| panic!("{why}")).ok()?;
    Some(kept.first()?.progress.trials())
}

/// The same while a note is typed, with the complaints of the program going to the terminal that is gone.
#[test]
fn a_note_that_is_typed_outlives_the_terminal() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("m.mat");
    std::fs::write(&path, MATCH).unwrap();
    let mut session = Session::start_in(home, &[path.as_os_str()], "");
    session.expect("anna");
    session.type_keys("l");
    session.expect("24/18");
    session.type_keys("a");
    session.expect("beside");
    // Pasted it comes at once.
    session.type_keys("\x1b[200~remember this\x1b[201~");
    session.expect("remember");
    session.hang_up();
    let status = session.ended(LONG);
    assert_eq!(status.code(), Some(1));
    let store = session.home.path().join("data/luckless/notes.sqlite");
    let record = luckless::match_file::read(&path).unwrap();
    let notes = NoteStore::read(&store, &MatchFingerprint::of(&record), READ_TIMEOUT).unwrap();
    let notes: Vec<String> = notes.into_values().collect();
    assert_eq!(notes, ["remember this"]);
}

/// After each change of the size all of the screen is drawn: the window may have been smaller for a moment.
#[test]
fn each_change_of_the_size_draws_all_of_the_screen() {
    let session = Session::opening();
    session.expect("8/5");
    std::thread::sleep(Duration::from_secs(1));
    session.shown.lock().unwrap().clear();
    // As when it has its old size again before the program looks.
    session.send(Signal::WINCH);
    session.expect("luckless");
    session.expect("8/5");
}

#[test]
fn fatal_signals_give_the_terminal_back() {
    leave_no_core();
    // What a shell starts in the background ignores SIGQUIT, and so does what that starts. A signal that
    // is handled here is back at its default in the program.
    let handled = Arc::new(AtomicBool::new(false));
    signal_hook::flag::register(Signal::QUIT.as_raw(), handled).unwrap();
    for signal in [
        Signal::QUIT,
        Signal::ABORT,
        Signal::SEGV,
        Signal::BUS,
        Signal::USR1,
        Signal::TERM,
        Signal::HUP,
    ] {
        let mut session = Session::opening();
        session.expect("8/5");
        assert!(is_raw(&session.slave));
        println!("{signal:?}");
        session.send(signal);
        let status = session.ended(LONG);
        assert_eq!(status.signal(), Some(signal.as_raw()), "{signal:?}");
        assert!(!is_raw(&session.slave), "{signal:?}");
        session.expect(GIVEN_BACK);
    }
}

/// A locale without UTF-8 gets a screen of ASCII alone, unless the settings name other characters.
#[test]
fn the_locale_decides_the_characters() {
    for (locale, settings, is_ascii) in [
        ("C", "", true),
        ("C", "glyphs = \"quadrants\"\n", false),
        ("C.UTF-8", "", false),
    ] {
        let home = tempfile::tempdir().unwrap();
        let mut session = Session::start_with(home, &[OsStr::new(OPENING)], settings, locale);
        session.expect("8/5");
        session.type_keys("q");
        assert!(session.ended(LONG).success());
        assert_eq!(session.shown().is_ascii(), is_ascii, "{locale} {settings}");
    }
}

#[test]
fn a_paste_without_an_end_leaves_the_keyboard_alive() {
    let mut session = Session::opening();
    session.expect("8/5");
    session.type_keys("\x1b[200~never ended");
    std::thread::sleep(Duration::from_secs(2));
    session.type_keys("q");
    assert!(session.ended(LONG).success());
    assert!(!is_raw(&session.slave));
}

/// A program that is stopped from outside leaves the terminal to its shell as it is; when it goes on
/// it takes it again, and draws all of it.
#[test]
fn after_a_stop_the_terminal_is_taken_again() {
    let mut session = Session::opening();
    session.expect("8/5");
    session.send(Signal::STOP);
    let state = format!("/proc/{}/stat", session.child.id());
    let is_stopped = || std::fs::read_to_string(&state).unwrap().contains(") T ");
    assert!(comes_true(LONG, is_stopped), "it does not stop");
    // As a shell sets it.
    let mut mode = tcgetattr(&session.slave).unwrap();
    mode.local_modes |= LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG;
    tcsetattr(&session.slave, OptionalActions::Now, &mode).unwrap();
    session.shown.lock().unwrap().clear();
    session.send(Signal::CONT);
    session.expect(TAKEN);
    session.expect("8/5");
    assert!(is_raw(&session.slave));
    session.type_keys("q");
    assert!(session.ended(LONG).success());
    assert!(!is_raw(&session.slave));
}

/// A terminal that takes nothing more: the program cannot begin, and leaves it as it was.
#[test]
fn raw_mode_does_not_outlive_a_screen_that_cannot_be_taken() {
    let terminal = Terminal::new();
    // Output is stopped, as by Ctrl-S, and the writer gets an error instead of waiting.
    set_nonblocking(&terminal.slave);
    tcflow(&terminal.slave, Action::OOff).unwrap();
    let home = tempfile::tempdir().unwrap();
    let mut child = terminal.start(&[OsStr::new(OPENING)], home.path(), "C.UTF-8");
    assert_eq!(child.wait().unwrap().code(), Some(1));
    assert!(!is_raw(&terminal.slave));
}

/// Killed in the middle, the workstation opens the same match at the same move the next time.
#[test]
fn a_plain_start_goes_on_where_the_last_one_was() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("played.mat");
    std::fs::write(&file, MATCH).unwrap();
    let mut session = Session::start_in(home, &[file.as_os_str()], "");
    session.expect("played.mat");
    session.type_keys("ll");
    let kept = session.home.path().join("data/luckless/session.json");
    let is_kept = || std::fs::read_to_string(&kept).is_ok_and(|text| text.contains("\"turn\":2"));
    assert!(comes_true(LONG, is_kept), "the place is not kept");
    session.send(Signal::KILL);
    session.child.wait().unwrap();
    let home = std::mem::replace(&mut session.home, tempfile::tempdir().unwrap());
    drop(session);
    let mut again = Session::start_in(home, &[], "");
    again.expect("where you left it");
    again.expect("played.mat");
    // Once it is gone, that is said.
    let home = std::mem::replace(&mut again.home, tempfile::tempdir().unwrap());
    drop(again);
    std::fs::remove_file(&file).unwrap();
    let without = Session::start_in(home, &[], "");
    without.expect("is not there any more");
}

/// What a folder holds besides: a broken file that is the newest, and names that are not UTF-8.
#[test]
fn one_bad_file_does_not_block_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &[u8]| folder.path().join(OsStr::from_bytes(name));
    let age = |path: &Path, seconds| {
        let then = std::time::SystemTime::now() - Duration::from_secs(seconds);
        File::options()
            .append(true)
            .open(path)
            .unwrap()
            .set_modified(then)
            .unwrap();
    };
    for (name, text, seconds) in [
        (&b"broken.mat"[..], "no match at all\n", 0),
        (b"odd\xff.mat", MATCH, 60),
        (b"plain.mat", &MATCH.replace("anna", "carla"), 120),
    ] {
        std::fs::write(at(name), text).unwrap();
        age(&at(name), seconds);
    }
    let session = Session::start(&[folder.path().as_os_str()], "");
    session.expect("anna");
    session.expect("broken.mat");
    drop(session);
    // By its name as well.
    let session = Session::start(&[at(b"odd\xff.mat").as_os_str()], "");
    session.expect("anna");
    drop(session);
    // With nothing else there the folder is watched all the same.
    for name in [&b"odd\xff.mat"[..], b"plain.mat"] {
        std::fs::remove_file(at(name)).unwrap();
    }
    let mut session = Session::start(&[folder.path().as_os_str()], "");
    session.expect("broken.mat");
    session.type_keys("q");
    assert!(session.ended(LONG).success());
}

/// Killed in the middle, a match against the program has lost nothing and goes on.
#[test]
fn a_match_against_the_program_survives_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("own.mat");
    let play = OsStr::new("play");
    let begun = [
        play,
        file.as_os_str(),
        OsStr::new("--seed"),
        OsStr::new("5"),
    ];
    let mut session = Session::start(&begun, "");
    session.expect("chooses a play");
    let second = |text: &str| {
        text.lines()
            .any(|line| line.contains("1) ") && line.contains(": "))
    };
    // Before the plays are found none can be chosen.
    session.type_alone(&["j", "v"], |_| {
        std::fs::read_to_string(&file).is_ok_and(|text| second(&text))
    });
    session.expect("Luckless plays");
    session.send(Signal::KILL);
    session.child.wait().unwrap();
    drop(session);
    let kept = std::fs::read_to_string(&file).unwrap();
    let mut again = Session::start(&[play, file.as_os_str()], "");
    again.expect("against the program");
    again.type_keys("q");
    assert!(again.ended(LONG).success());
    let now = luckless::match_file::read(&file).unwrap();
    let was = luckless::match_file::read_bytes(kept.as_bytes(), "own.mat").unwrap();
    assert!(now.games[0].events.len() >= was.games[0].events.len());
    let before = was.games[0].events.iter();
    assert!(
        before
            .zip(&now.games[0].events)
            .all(|(a, b)| a.action == b.action)
    );
}

/// Without a terminal nothing is begun.
#[test]
fn no_match_is_begun_where_nobody_can_play() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("own.mat");
    for name in ["play", "transcribe"] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_luckless"));
        let command = command.args([OsStr::new(name), file.as_os_str()]);
        let output = command.stdin(Stdio::null()).output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_has!(told, "needs a terminal");
        assert!(!file.exists());
    }
}

/// A match is written down line by line, also by who comes back to it; one of the program's is none of these.
#[test]
fn a_match_is_transcribed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("final.mat");
    let transcribe = OsStr::new("transcribe");
    let names = ["--length", "5", "--player1", "Anna", "--player2", "Ben"].map(OsStr::new);
    let begun = [&[transcribe, file.as_os_str()][..], &names].concat();
    let mut session = Session::start(&begun, "");
    session.expect("the die of Anna first");
    let events = || match luckless::match_file::read(&file) {
        Ok(record) => record.games.first().map_or(0, |game| game.events.len()),
        Err(_) => 0,
    };
    for (before, line) in ["13: 8/5 6/5", "62: 24/18 13/11"].iter().enumerate() {
        session.type_keys(line);
        let is_written = |_: &mut Session| events() > before;
        session.type_alone(&["\r"], is_written);
    }
    session.send(Signal::KILL);
    session.child.wait().unwrap();
    drop(session);
    let record = luckless::match_file::read(&file).unwrap();
    assert_eq!((record.length, &record.players[1][..]), (5, "Ben"));
    assert_eq!(
        record.games[0].events[0].player,
        luckless::game::Player::Right
    );
    let mut again = Session::start(&[transcribe, file.as_os_str()], "");
    again.expect("31: 8/5 6/5, or");
    again.type_alone(&["\x1b", "q"], |session| {
        session.child.try_wait().unwrap().is_some()
    });
    assert!(again.ended(LONG).success());
    // Another length is for another match.
    let terminal = Terminal::new();
    let other = [&[transcribe, file.as_os_str()][..], &names].concat();
    let mut refused = terminal.start(&other, folder.path(), "C.UTF-8");
    assert_eq!(refused.wait().unwrap().code(), Some(2));
}

/// A file that is there goes on, but not as another match, nor as one that was begun elsewhere.
#[test]
fn only_its_own_matches_are_played_on() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("other.mat");
    std::fs::write(&file, MATCH).unwrap();
    let terminal = Terminal::new();
    let play = OsStr::new("play");
    let mut refused = terminal.start(&[play, file.as_os_str()], folder.path(), "C.UTF-8");
    assert_eq!(refused.wait().unwrap().code(), Some(2));
    assert_eq!(std::fs::read_to_string(&file).unwrap(), MATCH);
}
