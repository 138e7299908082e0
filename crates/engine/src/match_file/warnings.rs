//! Collects what is wrong with a file, at most so much of it.

use super::bounded::MOST_POSITIONS;
use super::model::Warning;
use super::place::EventPlace;

/// Most warnings kept of a file.
pub(super) const MOST_WARNINGS: usize = 500;

/// What a warning says of an illegal play.
pub(crate) const LET_STAND: &str = "an illegal play that was let stand";

/// Where something stands in a file.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FilePlace {
    pub(super) line: u32,
    pub(super) column: u32,
    pub(super) offset: Option<u64>,
}

impl FilePlace {
    /// A column of a line, both from 1.
    pub(super) fn line(line: u32, column: u32) -> Self {
        Self {
            line,
            column,
            offset: None,
        }
    }

    /// The place of a byte of a binary file.
    pub(super) fn byte(offset: u64) -> Self {
        Self {
            line: 0,
            column: 0,
            offset: Some(offset),
        }
    }
}

/// Why a file has no match to show.
#[derive(Debug)]
pub(super) struct NoMatch {
    /// The line at fault, from 1; none where all of the file is.
    pub(super) line: Option<u32>,
    pub(super) missing: String,
}

impl NoMatch {
    /// What is missing, and the first thing that was wrong on the way there.
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

/// What is said of a game that begins with equal dice.
pub(super) const FIRST_DOUBLE: &str =
    "begins with equal dice, which the rules roll again; read as it stands";
/// What is said of a result that no game on its cube gives.
pub(super) const SCORE_HAS_IT: &str = "the next score has it, so it counts";
/// The warning about a last game without an end.
pub(super) const BREAKS_OFF: &str = "the game breaks off here: expected its result";

impl Warning {
    /// Whether it says no more than that a game is not over.
    pub fn is_of_open_end(&self) -> bool {
        self.message.ends_with(BREAKS_OFF)
    }

    /// Whether nothing of the file gets lost when it is written anew: what is told stands there again.
    pub fn loses_nothing(&self) -> bool {
        let is_kept = [FIRST_DOUBLE, SCORE_HAS_IT]
            .iter()
            .any(|end| self.message.ends_with(end));
        is_kept || self.is_of_open_end()
    }

    /// A warning about a place of the file, and about no event.
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

/// The warnings of a file being read.
#[derive(Default)]
pub(super) struct Warnings {
    list: Vec<Warning>,
}

impl Warnings {
    pub(super) fn add(&mut self, place: FilePlace, message: impl Into<String>) {
        self.add_about(place, None, message);
    }

    /// The warning that a file has more positions than are read.
    pub(super) fn add_too_many_positions(&mut self, place: FilePlace) {
        let message = format!("more than {MOST_POSITIONS} positions; the rest is not read");
        self.add(place, message);
    }

    /// A warning about an event of a game.
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

    /// All warnings, in order of place.
    pub(super) fn finish(mut self) -> Vec<Warning> {
        self.list.sort_by_key(|w| (w.line, w.column, w.offset));
        self.list
    }
}
