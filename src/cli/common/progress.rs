//! Progress line on stderr.

use std::io::{self, IsTerminal as _, Write as _};
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use crate::cube::Model;
use crate::eval::Evaluator;
use crate::locks::lock;
use crate::match_file::Match;
use crate::review::{AnalysedTurn, analyse_match_observed};
use crate::sanitize;

/// Interval between updates.
const EVERY: Duration = Duration::from_millis(100);

/// A line on stderr that overwrites itself, if stderr is a terminal.
pub(crate) struct ProgressLine {
    terminal: bool,
    /// Trials done when the first bar was drawn, and the time.
    start: Option<(u64, Instant)>,
    shown: Option<Instant>,
}

impl ProgressLine {
    pub(crate) fn new() -> Self {
        Self {
            // Not every terminal can overwrite a line.
            terminal: io::stderr().is_terminal()
                && std::env::var_os("TERM").is_none_or(|term| term != "dumb"),
            start: None,
            shown: None,
        }
    }

    /// Shows a bar with the total, the time left and `words`, if an update is due.
    pub(crate) fn show_bar(&mut self, done: u64, of: u64, words: impl FnOnce() -> String) {
        let (from, begun) = *self.start.get_or_insert_with(|| (done, Instant::now()));
        let elapsed = begun.elapsed();
        self.show_words(|| format!("{}  {}", bar(from, done, of, elapsed), words()));
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

/// Formats a bar with the total, and the time left if more than `from` is done since the start.
fn bar(from: u64, done: u64, of: u64, elapsed: Duration) -> String {
    const COLUMNS: u64 = 20;
    let done = done.min(of);
    let full = (COLUMNS * done / of.max(1)) as usize;
    let bar = "█".repeat(full) + &"░".repeat(COLUMNS as usize - full);
    let left = match done.saturating_sub(from) {
        0 => String::new(),
        new => {
            let left = elapsed.as_secs_f64() * (of - done) as f64 / new as f64;
            format!("  {left:.0} s left")
        }
    };
    format!("{bar} {done} of {of}{left}")
}

/// Analyses a match, and shows progress.
pub(crate) fn analyse_match(
    evaluator: &dyn Evaluator,
    model: &Model,
    record: &Match,
    ply: u8,
    cancelled: &(dyn Fn() -> bool + Sync),
) -> Option<Vec<AnalysedTurn>> {
    let line = Mutex::new(ProgressLine::new());
    let observe = |done: usize, of: usize| {
        lock(&line).show_bar(done as u64, of as u64, || "analysed".to_owned());
    };
    let analysed = analyse_match_observed(evaluator, model, record, ply, cancelled, &observe);
    lock(&line).clear();
    analysed
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
        self.line.show_bar(done as u64, self.of as u64, || {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            sanitize::clean_at_most(&name, 50)
        });
    }

    pub(crate) fn clear(&self) {
        self.line.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_has_the_total_and_the_time_left() {
        let ten = Duration::from_secs(10);
        assert_eq!(bar(0, 0, 40, ten), format!("{} 0 of 40", "░".repeat(20)));
        let half = format!("{}{} 20 of 40  10 s left", "█".repeat(10), "░".repeat(10));
        assert_eq!(bar(0, 20, 40, ten), half);
        // What was done before the start took none of the time.
        assert_eq!(bar(10, 20, 40, ten), half.replace("10 s", "20 s"));
        assert!(bar(0, 41, 40, ten).ends_with(" 40 of 40  0 s left"));
    }
}
