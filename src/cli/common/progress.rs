//! Progress line on stderr.

use std::io::{self, IsTerminal as _, Write as _};
use std::path::Path;
use std::time::{Duration, Instant};

use crate::sanitize;

/// Interval between updates.
const EVERY: Duration = Duration::from_millis(100);

/// A line on stderr that overwrites itself, if stderr is a terminal.
pub(crate) struct ProgressLine {
    terminal: bool,
    shown: Option<Instant>,
}

impl ProgressLine {
    pub(crate) fn new() -> Self {
        Self {
            // Not every terminal can overwrite a line.
            terminal: io::stderr().is_terminal()
                && std::env::var_os("TERM").is_none_or(|term| term != "dumb"),
            shown: None,
        }
    }

    /// Shows `words` if an update is due. Foreign text must be sanitised.
    pub(crate) fn show_words(&mut self, words: impl FnOnce() -> String) {
        let due = self.shown.is_none_or(|at| at.elapsed() >= EVERY);
        if !self.terminal || !due {
            return;
        }
        self.shown = Some(Instant::now());
        let _ = write!(io::stderr().lock(), "\r{}\x1b[K", words());
    }

    pub(crate) fn clear(&self) {
        if self.shown.is_some() {
            let _ = write!(io::stderr().lock(), "\r\x1b[K");
        }
    }
}

/// Progress over several files, with the name of the next one.
pub(crate) struct FileProgress {
    line: ProgressLine,
    of: usize,
}

impl FileProgress {
    pub(crate) fn new(of: usize) -> Self {
        Self {
            line: ProgressLine::new(),
            of,
        }
    }

    /// Shows the progress; nothing for a single file.
    pub(crate) fn show(&mut self, done: usize, path: &Path) {
        if self.of < 2 {
            return;
        }
        self.line.show_words(|| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let name = sanitize::clean_at_most(&name, 50);
            format!("{done}/{} {name}", self.of)
        });
    }

    pub(crate) fn clear(&self) {
        self.line.clear();
    }
}
