//! Collects the warnings about a file, up to a limit.

use super::bounded::MOST_POSITIONS;
use super::model::Warning;
use super::place::EventPlace;

/// Maximum number of warnings kept for a file.
pub(super) const MOST_WARNINGS: usize = 500;

/// Part of the warning about an illegal play.
pub(crate) const LET_STAND: &str = "an illegal play that was let stand";

/// A place in a file.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FilePlace {
    pub(super) line: u32,
    pub(super) column: u32,
    pub(super) offset: Option<u64>,
}

impl FilePlace {
    /// Creates the place of a column in a line, both from 1.
    pub(super) fn line(line: u32, column: u32) -> Self {
        Self {
            line,
            column,
            offset: None,
        }
    }

    /// Creates the place of a byte in a binary file.
    pub(super) fn byte(offset: u64) -> Self {
        Self {
            line: 0,
            column: 0,
            offset: Some(offset),
        }
    }
}

/// Why a file contains no match.
#[derive(Debug)]
pub(super) struct NoMatch {
    /// The line at fault, from 1; `None` if the fault has no single line.
    pub(super) line: Option<u32>,
    pub(super) missing: String,
}

impl NoMatch {
    /// Creates the error from the missing part and the first warning before it.
    pub(super) fn because(missing: &str, first: Option<&Warning>) -> Self {
        let missing = match first {
            Some(warning) => format!("{missing}: {}", warning.message),
            None => missing.to_owned(),
        };
        Self {
            line: first.map(|warning| warning.line),
            missing,
        }
    }
}

impl From<&'static str> for NoMatch {
    fn from(missing: &'static str) -> Self {
        Self::because(missing, None)
    }
}

/// End of the warning about a game that begins with equal dice.
pub(super) const FIRST_DOUBLE: &str =
    "begins with equal dice, which the rules roll again; read as it stands";
/// End of the warning about an impossible result that the next score confirms.
pub(super) const SCORE_HAS_IT: &str = "the next score has it, so it counts";
/// Warning about a last game without an end.
pub(super) const BREAKS_OFF: &str = "the game breaks off here: expected its result";

impl Warning {
    /// Returns whether the warning is only about an unfinished game.
    pub fn is_of_open_end(&self) -> bool {
        self.message.ends_with(BREAKS_OFF)
    }

    /// Returns whether writing the match anew loses nothing that the warning is about.
    pub fn loses_nothing(&self) -> bool {
        let is_kept = [FIRST_DOUBLE, SCORE_HAS_IT]
            .iter()
            .any(|end| self.message.ends_with(end));
        is_kept || self.is_of_open_end()
    }

    /// Creates a warning about a place in the file that concerns no event.
    pub(super) fn at(place: FilePlace, message: impl Into<String>) -> Self {
        let FilePlace {
            line,
            column,
            offset,
        } = place;
        Self {
            line,
            column,
            offset,
            turn: None,
            message: message.into(),
        }
    }
}

/// The warnings about a file, collected while reading.
#[derive(Default)]
pub(super) struct Warnings {
    list: Vec<Warning>,
}

impl Warnings {
    pub(super) fn add(&mut self, place: FilePlace, message: impl Into<String>) {
        self.add_about(place, None, message);
    }

    /// Adds the warning about too many positions.
    pub(super) fn add_too_many_positions(&mut self, place: FilePlace) {
        let message = format!("more than {MOST_POSITIONS} positions; the rest is not read");
        self.add(place, message);
    }

    /// Adds a warning about an event of a game.
    pub(super) fn add_about(
        &mut self,
        place: FilePlace,
        turn: Option<EventPlace>,
        message: impl Into<String>,
    ) {
        if self.list.len() < MOST_WARNINGS {
            self.list.push(Warning {
                turn,
                ..Warning::at(place, message)
            });
        }
    }

    /// Returns all warnings, in order of place.
    pub(super) fn finish(mut self) -> Vec<Warning> {
        self.list.sort_by_key(|w| (w.line, w.column, w.offset));
        self.list
    }
}
