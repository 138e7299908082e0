//! A line on stderr that says how far a rollout is.

use std::io::{self, IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

use super::candidate::estimate;
use crate::rollout::RolloutResult;

/// Time between two showings.
const EVERY: Duration = Duration::from_millis(100);

/// A line on stderr that overwrites itself, where stderr is a terminal.
pub(in crate::cli) struct ProgressLine {
    terminal: bool,
    shown: Option<Instant>,
}

impl ProgressLine {
    pub(in crate::cli) fn new() -> Self {
        Self {
            terminal: io::stderr().is_terminal(),
            shown: None,
        }
    }

    pub(in crate::cli) fn show(&mut self, result: &RolloutResult) {
        let Some(first) = result.candidates.first() else {
            return;
        };
        let value = result.difference.map_or(first.equity, |d| d.equity);
        self.show_words(|| {
            format!(
                "{} trials  {}  {:.0}/s",
                first.trials,
                estimate(&value),
                result.trials_per_second
            )
        });
    }

    /// Shows what `words` says, if it is time to. It has no text from elsewhere.
    pub(in crate::cli) fn show_words(&mut self, words: impl FnOnce() -> String) {
        let due = self.shown.is_none_or(|at| at.elapsed() >= EVERY);
        if !self.terminal || !due {
            return;
        }
        self.shown = Some(Instant::now());
        let _ = write!(io::stderr().lock(), "\r{}\x1b[K", words());
    }

    pub(in crate::cli) fn clear(&self) {
        if self.shown.is_some() {
            let _ = write!(io::stderr().lock(), "\r\x1b[K");
        }
    }
}
