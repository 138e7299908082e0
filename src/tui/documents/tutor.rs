//! Whether errors are pointed out before they are made: the file of the match says so, as it says the rest of what it is
//! played by.

use super::played_match::{PlayedMatch, tag};
use crate::match_file::Match;

/// The tag of the file that says whether the tutor is on.
pub(super) const TUTOR: &str = "Tutor";
/// What that tag says where it is on.
pub(super) const ON: &str = "On";

/// Whether a match that was left is played with the tutor.
pub fn has_tutor(record: &Match) -> bool {
    tag(record, TUTOR) == Some(ON)
}

impl PlayedMatch {
    /// Whether errors are pointed out before they are made.
    pub fn has_tutor(&self) -> bool {
        has_tutor(&self.record)
    }

    /// Turns the tutor on or off.
    pub fn set_tutor(&mut self, is_on: bool) {
        self.set_tag(TUTOR, is_on.then(|| ON.to_owned()));
    }
}
