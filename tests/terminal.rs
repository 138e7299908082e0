//! The workstation in a terminal that goes wrong: gone, full, stopped, killed in the middle.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

use std::ffi::{CStr, OsStr};
use std::fs::File;
use std::io::{Read as _, Write as _};
use std::os::fd::{AsFd, FromRawFd as _, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use luckless::store::{MatchFingerprint, NoteStore, READ_TIMEOUT, RolloutStore};
use rustix::process::{Pid, Signal, kill_process};
use rustix::termios::{
    Action, LocalModes, OptionalActions, Winsize, tcflow, tcgetattr, tcsetattr, tcsetwinsize,
};
use tempfile::TempDir;

mod common;
use common::MATCH;

/// The opening with a roll to play.
const OPENING: &str = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10";

/// What takes longer than this has failed.
const LONG: Duration = Duration::from_secs(30);
const TAKEN: &str = "\x1b[?1049h";
const GIVEN_BACK: &str = "\x1b[?1049l";

/// Both ends of a pseudo-terminal. It is nobody's controlling terminal, so that no SIGHUP is sent
/// when it goes.
struct Terminal {
    master: OwnedFd,
    slave: OwnedFd,
}

impl Terminal {
    fn new() -> Self {
        // No child may inherit them: a terminal is gone when the last of its other ends is.
        let flags = libc::O_RDWR | libc::O_NOCTTY | libc::O_CLOEXEC;
        let mut name = [0; 64];
        // SAFETY: the descriptor is new and has no other owner; the name is written to a buffer of
        // the length that is given.
        let (master, name) = unsafe {
            let master = libc::posix_openpt(flags);
            assert!(master >= 0 && libc::grantpt(master) == 0 && libc::unlockpt(master) == 0);
            assert_eq!(libc::ptsname_r(master, name.as_mut_ptr(), name.len()), 0);
            let name = CStr::from_ptr(name.as_ptr()).to_str().unwrap();
            (OwnedFd::from_raw_fd(master), name)
        };
        let mut slave = File::options();
        let slave = slave.read(true).write(true).custom_flags(libc::O_NOCTTY);
        let slave = OwnedFd::from(slave.open(name).unwrap());
        let size = Winsize {
            ws_row: 40,
            ws_col: 120,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        tcsetwinsize(&master, size).unwrap();
        Self { master, slave }
    }

    fn start(&self, arguments: &[&OsStr], home: &Path, locale: &str) -> Child {
        let mut command = Command::new(env!("CARGO_BIN_EXE_luckless"));
        command
            .args(arguments)
            .stdin(Stdio::from(self.slave.try_clone().unwrap()))
            .stdout(Stdio::from(self.slave.try_clone().unwrap()))
            .stderr(Stdio::from(self.slave.try_clone().unwrap()))
            .env("HOME", home)
            .env("XDG_DATA_HOME", home.join("data"))
            .env("XDG_CONFIG_HOME", home.join("config"))
            .env("TERM", "xterm-256color")
            .env("LC_ALL", locale);
        command.spawn().unwrap()
    }
}

fn is_raw(terminal: &OwnedFd) -> bool {
    let mode = tcgetattr(terminal).unwrap();
    !mode
        .local_modes
        .intersects(LocalModes::ICANON | LocalModes::ECHO)
}

/// Waits until something is so, at most for a time; whether it came.
fn comes_true(within: Duration, mut is_so: impl FnMut() -> bool) -> bool {
    let end = Instant::now() + within;
    while !is_so() {
        if Instant::now() >= end {
            return false;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    true
}

fn set_nonblocking(file: impl AsFd) {
    rustix::io::ioctl_fionbio(file, true).unwrap();
}

/// The workstation in a terminal.
struct Session {
    child: Child,
    keys: File,
    slave: OwnedFd,
    shown: Arc<Mutex<Vec<u8>>>,
    /// Tells the thread that reads the screen to end.
    over: Arc<AtomicBool>,
    reader: Option<JoinHandle<()>>,
    home: TempDir,
}

impl Session {
    fn start(arguments: &[&OsStr], settings: &str) -> Self {
        Self::start_in(tempfile::tempdir().unwrap(), arguments, settings)
    }

    fn start_in(home: TempDir, arguments: &[&OsStr], settings: &str) -> Self {
        Self::start_with(home, arguments, settings, "C.UTF-8")
    }

    fn start_with(home: TempDir, arguments: &[&OsStr], settings: &str, locale: &str) -> Self {
        let config = home.path().join("config/luckless");
        std::fs::create_dir_all(&config).unwrap();
        std::fs::write(config.join("settings.toml"), settings).unwrap();
        let terminal = Terminal::new();
        let child = terminal.start(arguments, home.path(), locale);
        let shown = Arc::new(Mutex::new(Vec::new()));
        let over = Arc::new(AtomicBool::new(false));
        let mut session = Self {
            child,
            keys: File::from(terminal.master),
            slave: terminal.slave,
            shown,
            over,
            reader: None,
            home,
        };
        session.read();
        session.expect(TAKEN);
        session
    }

    /// Reads the screen on a thread, without blocking: it must end for the terminal to go.
    fn read(&mut self) {
        set_nonblocking(&self.keys);
        let mut screen = self.keys.try_clone().unwrap();
        let (shown, over) = (Arc::clone(&self.shown), Arc::clone(&self.over));
        self.reader = Some(std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while !over.load(Ordering::SeqCst) {
                match screen.read(&mut bytes) {
                    Ok(n) => shown.lock().unwrap().extend_from_slice(&bytes[..n]),
                    Err(_) => std::thread::sleep(Duration::from_millis(5)),
                }
            }
        }));
    }

    /// Takes the terminal away.
    fn hang_up(&mut self) {
        self.over.store(true, Ordering::SeqCst);
        self.reader.take().unwrap().join().unwrap();
        self.keys = File::open("/dev/null").unwrap();
    }

    fn opening() -> Self {
        Self::start(&[OsStr::new(OPENING)], "")
    }

    fn shown(&self) -> String {
        String::from_utf8_lossy(&self.shown.lock().unwrap()).into_owned()
    }

    /// Waits until `text` has been written to the terminal.
    #[track_caller]
    fn expect(&self, text: &str) {
        let is_shown = comes_true(LONG, || self.shown().contains(text));
        assert!(is_shown, "no {text:?} in {:?}", self.shown());
    }

    fn send(&self, signal: Signal) {
        let id = Pid::from_child(&self.child);
        kill_process(id, signal).unwrap();
    }

    fn type_keys(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
    }

    /// Types each key by itself until `done`. Keys that a busy machine reads together mean something
    /// else, a paste or a key with Alt: then they are typed again, with more time between them.
    #[track_caller]
    fn type_alone(&mut self, keys: &[&str], done: impl Fn(&mut Self) -> bool) {
        let end = Instant::now() + LONG;
        let mut pause = Duration::from_millis(200);
        while Instant::now() < end {
            for key in keys {
                if comes_true(pause, || done(self)) {
                    return;
                }
                self.type_keys(key);
            }
            pause *= 2;
        }
        let is_done = comes_true(pause, || done(self));
        assert!(is_done, "{keys:?} were in vain: {:?}", self.shown());
    }

    #[track_caller]
    fn ended(&mut self, within: Duration) -> ExitStatus {
        let mut status = None;
        comes_true(within, || {
            status = self.child.try_wait().unwrap();
            status.is_some()
        });
        status.expect("it does not end")
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.over.store(true, Ordering::SeqCst);
        // It may have ended long ago.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A terminal that is gone, and no signal says so: the program ends, and what was rolled out is kept.
#[test]
fn a_terminal_that_is_gone_ends_the_program_and_loses_nothing() {
    let settings = "[rollout]\ntrials = 10000000\nuntil_decided = false\n";
    let mut session = Session::start(&[OsStr::new(OPENING)], settings);
    session.expect("8/5");
    session.type_keys("r");
    // Rollouts of less than a second are not kept.
    std::thread::sleep(Duration::from_secs(4));
    session.hang_up();
    let status = session.ended(Duration::from_secs(10));
    assert_eq!(status.code(), Some(1));
    let store = session.home.path().join("data/luckless/rollouts.sqlite");
    let kept = RolloutStore::open(&store).unwrap();
    let kept = kept.all(&mut |why| panic!("{why}")).unwrap();
    assert!(kept[0].progress.trials() > 0);
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
    let status = session.ended(Duration::from_secs(10));
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
    // Nobody wants to look at what is left of it.
    let none = rustix::process::Rlimit {
        current: Some(0),
        maximum: Some(0),
    };
    rustix::process::setrlimit(rustix::process::Resource::Core, none).unwrap();
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
        assert!(told.contains("needs a terminal"), "{told}");
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
