//! The workstation in a terminal of its own, used and seen as its user does: keys go in, the screen is
//! read. `script` of util-linux makes the terminal, so this is for Linux alone.

use std::io::{Read as _, Write as _};
use std::num::NonZero;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// How long to wait for something to be seen.
const PATIENCE: Duration = Duration::from_secs(60);

/// A terminal with a program in it.
pub(crate) struct Terminal {
    script: Child,
    keyboard: Option<ChildStdin>,
    screen: Arc<Mutex<vt100::Parser>>,
    pid: u32,
}

/// What a key is sent as, by its name; other words are sent as they are.
fn key(word: &str) -> &str {
    match word {
        "enter" => "\r",
        "esc" => "\x1b",
        "space" => " ",
        "tab" => "\t",
        "ctrl-c" => "\x03",
        "right" => "\x1b[C",
        "up" => "\x1b[A",
        "down" => "\x1b[B",
        other => other,
    }
}

impl Terminal {
    /// Runs `program` with `arguments` in a terminal of 120 columns and 40 rows, with its files below
    /// `home`.
    pub(crate) fn start(home: &Path, program: &str, arguments: &[&str]) -> Self {
        Self::sized(home, program, arguments, [120, 40])
    }

    /// The same in so many columns and rows.
    pub(crate) fn sized(
        home: &Path,
        program: &str,
        arguments: &[&str],
        [columns, rows]: [u16; 2],
    ) -> Self {
        let pid_file = home.join("pid");
        let _ = std::fs::remove_file(&pid_file);
        let quoted = |text: &str| format!("'{}'", text.replace('\'', "'\\''"));
        let words: Vec<String> = arguments.iter().map(|word| quoted(word)).collect();
        let line = format!(
            "stty cols {columns} rows {rows}; echo $$ > {}; exec {} {}",
            quoted(pid_file.to_str().unwrap()),
            quoted(program),
            words.join(" ")
        );
        let mut script = Command::new("script")
            .args(["-q", "-f", "-e", "-c", &line, "/dev/null"])
            .env("SHELL", "/bin/sh")
            .env("TERM", "xterm-256color")
            .env("LC_ALL", "C.UTF-8")
            .env_remove("LUCKLESS_HOME")
            .env("HOME", home)
            .env("XDG_DATA_HOME", home.join("data"))
            .env("XDG_CONFIG_HOME", home.join("config"))
            .env_remove("NO_COLOR")
            .env_remove("STY")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .unwrap();
        let [rows, columns] = [rows, columns].map(|n| NonZero::new(n).unwrap());
        let screen = Arc::new(Mutex::new(vt100::Parser::new(rows, columns, 0)));
        let mut output = script.stdout.take().unwrap();
        let seen = Arc::clone(&screen);
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(n @ 1..) = output.read(&mut bytes) {
                seen.lock().unwrap().process(&bytes[..n]);
            }
        });
        let pid = wait("the program starts", || {
            std::fs::read_to_string(&pid_file).ok()?.trim().parse().ok()
        });
        Self {
            keyboard: script.stdin.take(),
            script,
            screen,
            pid,
        }
    }

    /// The workstation of this crate.
    pub(crate) fn workstation(home: &Path, arguments: &[&str]) -> Self {
        Self::start(home, env!("CARGO_BIN_EXE_luckless"), arguments)
    }

    /// Presses the keys of these words, one after the other.
    pub(crate) fn keys(&mut self, words: &str) {
        for word in words.split_whitespace() {
            self.typed(key(word));
        }
    }

    /// Types this text.
    pub(crate) fn typed(&mut self, text: &str) {
        let keyboard = self.keyboard.as_mut().unwrap();
        keyboard.write_all(text.as_bytes()).unwrap();
        keyboard.flush().unwrap();
        // An escape must not be taken for the beginning of what follows.
        let pause = if text == "\x1b" { 250 } else { 15 };
        thread::sleep(Duration::from_millis(pause));
    }

    /// Gives the terminal so many columns and rows.
    pub(crate) fn resize(&self, [columns, rows]: [u16; 2]) {
        let device = std::fs::read_link(format!("/proc/{}/fd/0", self.pid)).unwrap();
        let size = [columns, rows].map(|n| n.to_string());
        let [columns, rows] = [columns, rows].map(|n| NonZero::new(n).unwrap());
        // Before the program draws for the new size.
        self.screen
            .lock()
            .unwrap()
            .screen_mut()
            .set_size(rows, columns);
        let mut command = Command::new("stty");
        command.arg("-F").arg(device);
        let set = command.args(["cols", &size[0], "rows", &size[1]]).status();
        assert!(set.unwrap().success());
    }

    /// What is on the screen.
    pub(crate) fn text(&self) -> String {
        self.screen.lock().unwrap().screen().contents()
    }

    /// The screen with its colours.
    pub(crate) fn screen(&self) -> vt100::Screen {
        self.screen.lock().unwrap().screen().clone()
    }

    /// Whether the program has the screen for itself.
    pub(crate) fn is_taken(&self) -> bool {
        self.screen.lock().unwrap().screen().alternate_screen()
    }

    /// Waits until `words` are on the screen; answers how long that took.
    #[track_caller]
    pub(crate) fn expect(&self, words: &str) -> Duration {
        self.wait_for(words, |text| text.contains(words))
    }

    /// Waits until `words` are not on the screen any more.
    #[track_caller]
    pub(crate) fn expect_not(&self, words: &str) -> Duration {
        self.wait_for(words, |text| !text.contains(words))
    }

    #[track_caller]
    fn wait_for(&self, words: &str, is: impl Fn(&str) -> bool) -> Duration {
        let begin = Instant::now();
        while !is(&self.text()) {
            let text = self.text();
            assert!(begin.elapsed() < PATIENCE, "'{words}':\n{text}");
            thread::sleep(Duration::from_millis(2));
        }
        begin.elapsed()
    }

    /// Sends the program a signal, such as `-TERM`.
    pub(crate) fn signal(&self, signal: &str) {
        let sent = Command::new("kill")
            .args([signal, &self.pid.to_string()])
            .status();
        assert!(sent.unwrap().success());
    }

    /// Waits for the end of the program; answers its status as a shell tells it, and how long it took.
    pub(crate) fn wait(&mut self) -> (i32, Duration) {
        let begin = Instant::now();
        let status = wait("the program ends", || self.script.try_wait().unwrap());
        let took = begin.elapsed();
        // What it wrote last is on its way.
        thread::sleep(Duration::from_millis(100));
        (status.code().unwrap_or(-1), took)
    }

    /// Takes the terminal away.
    pub(crate) fn lose(&mut self) {
        self.script.kill().unwrap();
        self.script.wait().unwrap();
    }

    /// Number of its process.
    pub(crate) fn pid(&self) -> u32 {
        self.pid
    }

    /// Whether the program runs.
    pub(crate) fn is_running(&self) -> bool {
        let state = std::fs::read_to_string(format!("/proc/{}/stat", self.pid));
        state.is_ok_and(|stat| !stat.contains(") Z "))
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // Nothing is left running, whatever a test has found.
        let _ = Command::new("kill")
            .args(["-KILL", &self.pid.to_string()])
            .stderr(Stdio::null())
            .status();
        let _ = self.script.kill();
        let _ = self.script.wait();
    }
}

/// Waits until there is an answer.
#[track_caller]
pub(crate) fn wait<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let begin = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(begin.elapsed() < PATIENCE, "{what}");
        thread::sleep(Duration::from_millis(5));
    }
}
