//! The workstation in a pseudo-terminal of the test's own, which can go, be stopped or take nothing.

use std::ffi::{CStr, OsStr};
use std::fs::File;
use std::io::{Read as _, Write as _};
use std::os::fd::{AsFd, FromRawFd as _, OwnedFd};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use rustix::termios::{LocalModes, Winsize, tcgetattr, tcsetwinsize};
use tempfile::TempDir;

/// The opening with a roll to play.
pub(crate) const OPENING: &str = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10";
/// What takes longer than this has failed.
pub(crate) const LONG: Duration = Duration::from_secs(30);
/// What takes the terminal.
pub(crate) const TAKEN: &str = "\x1b[?1049h";
/// What gives it back.
pub(crate) const GIVEN_BACK: &str = "\x1b[?1049l";

/// Both ends of a pseudo-terminal. It is nobody's controlling terminal, so that no SIGHUP is sent
/// when it goes.
pub(crate) struct Terminal {
    pub(crate) master: OwnedFd,
    pub(crate) slave: OwnedFd,
}

impl Terminal {
    pub(crate) fn new() -> Self {
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

    pub(crate) fn start(&self, arguments: &[&OsStr], home: &Path, locale: &str) -> Child {
        let mut command = Command::new(env!("CARGO_BIN_EXE_luckless"));
        command
            .args(arguments)
            .stdin(Stdio::from(self.slave.try_clone().unwrap()))
            .stdout(Stdio::from(self.slave.try_clone().unwrap()))
            .stderr(Stdio::from(self.slave.try_clone().unwrap()))
            .env_remove("LUCKLESS_HOME")
            .env("HOME", home)
            .env("XDG_DATA_HOME", home.join("data"))
            .env("XDG_CONFIG_HOME", home.join("config"))
            .env("TERM", "xterm-256color")
            .env_remove("STY")
            .env("LC_ALL", locale);
        command.spawn().unwrap()
    }
}

pub(crate) fn is_raw(terminal: &OwnedFd) -> bool {
    let mode = tcgetattr(terminal).unwrap();
    !mode
        .local_modes
        .intersects(LocalModes::ICANON | LocalModes::ECHO)
}

/// Waits until something is so, at most for a time; whether it came.
pub(crate) fn comes_true(within: Duration, mut is_so: impl FnMut() -> bool) -> bool {
    let end = Instant::now() + within;
    while !is_so() {
        if Instant::now() >= end {
            return false;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    true
}

pub(crate) fn set_nonblocking(file: impl AsFd) {
    rustix::io::ioctl_fionbio(file, true).unwrap();
}

/// The workstation in a terminal.
pub(crate) struct Session {
    pub(crate) child: Child,
    pub(crate) keys: File,
    pub(crate) slave: OwnedFd,
    pub(crate) shown: Arc<Mutex<Vec<u8>>>,
    /// Tells the thread that reads the screen to end.
    pub(crate) over: Arc<AtomicBool>,
    pub(crate) reader: Option<JoinHandle<()>>,
    pub(crate) home: TempDir,
}

impl Session {
    pub(crate) fn start(arguments: &[&OsStr], settings: &str) -> Self {
        Self::start_in(tempfile::tempdir().unwrap(), arguments, settings)
    }

    pub(crate) fn start_in(home: TempDir, arguments: &[&OsStr], settings: &str) -> Self {
        Self::start_with(home, arguments, settings, "C.UTF-8")
    }

    pub(crate) fn start_with(
        home: TempDir,
        arguments: &[&OsStr],
        settings: &str,
        locale: &str,
    ) -> Self {
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
    pub(crate) fn read(&mut self) {
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

    /// Reads no more of what is written: the terminal is there, and takes nothing once it is full.
    pub(crate) fn stall(&mut self) {
        self.over.store(true, Ordering::SeqCst);
        self.reader.take().unwrap().join().unwrap();
    }

    /// Takes the terminal away.
    pub(crate) fn hang_up(&mut self) {
        self.stall();
        self.keys = File::open("/dev/null").unwrap();
    }

    pub(crate) fn opening() -> Self {
        Self::start(&[OsStr::new(OPENING)], "")
    }

    pub(crate) fn shown(&self) -> String {
        String::from_utf8_lossy(&self.shown.lock().unwrap()).into_owned()
    }

    /// Waits until `text` has been written to the terminal.
    #[track_caller]
    pub(crate) fn expect(&self, text: &str) {
        let is_shown = comes_true(LONG, || self.shown().contains(text));
        assert!(is_shown, "no {text:?} in {:?}", self.shown());
    }

    pub(crate) fn send(&self, signal: Signal) {
        let id = Pid::from_child(&self.child);
        kill_process(id, signal).unwrap();
    }

    pub(crate) fn type_keys(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
    }

    /// Types each key by itself until `done`. Keys that a busy machine reads together mean something
    /// else, a paste or a key with Alt: then they are typed again, with more time between them.
    #[track_caller]
    pub(crate) fn type_alone(&mut self, keys: &[&str], done: impl Fn(&mut Self) -> bool) {
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
    pub(crate) fn ended(&mut self, within: Duration) -> ExitStatus {
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
