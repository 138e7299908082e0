//! The tutor, which points out errors before they are made. The match file stores whether it is on.

use super::played_match::{PlayedMatch, tag};
use crate::match_file::Match;

/// File tag of the tutor.
pub(super) const TUTOR: &str = "Tutor";
/// Value of the tag if the tutor is on.
pub(super) const ON: &str = "On";

/// Returns whether a stored match has the tutor on.
pub fn has_tutor(record: &Match) -> bool {
    tag(record, TUTOR) == Some(ON)
}

impl PlayedMatch {
    /// Returns whether the tutor is on.
    pub fn has_tutor(&self) -> bool {
        has_tutor(&self.record)
    }

    pub fn set_tutor(&mut self, is_on: bool) {
        self.set_tag(TUTOR, is_on.then(|| ON.to_owned()));
    }
}
