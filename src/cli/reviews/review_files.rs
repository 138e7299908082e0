//! How far a review of many files is.

use std::io::{self, IsTerminal as _, Write as _};
use std::path::Path;
use std::time::{Duration, Instant};

use crate::sanitize;

/// A line on stderr that says how many files are done, where stderr is a terminal.
pub(in crate::cli) struct Files {
    terminal: bool,
    shown: Option<Instant>,
    of: usize,
}

impl Files {
    pub(in crate::cli) fn new(of: usize) -> Self {
        Self {
            terminal: of > 1 && io::stderr().is_terminal(),
            shown: None,
            of,
        }
    }

    pub(in crate::cli) fn show(&mut self, done: usize, path: &Path) {
        let every = Duration::from_millis(100);
        if !self.terminal || self.shown.is_some_and(|at| at.elapsed() < every) {
            return;
        }
        self.shown = Some(Instant::now());
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let name = sanitize::clean_at_most(&name, 50);
        let _ = write!(io::stderr().lock(), "\r{done}/{} {name}\x1b[K", self.of);
    }

    pub(in crate::cli) fn clear(&self) {
        if self.shown.is_some() {
            let _ = write!(io::stderr().lock(), "\r\x1b[K");
        }
    }
}
