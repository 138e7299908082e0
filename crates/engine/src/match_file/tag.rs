//! Tags: further facts in the head of a match, by their names in files.

use super::Match;

/// Names of the tag for the date of a match.
pub const DATE: &[&str] = &["EventDate", "Date"];
pub const EVENT: &[&str] = &["Event"];
pub const ROUND: &[&str] = &["Round"];
/// Names of the tag for the location of a match.
pub const PLACE: &[&str] = &["Place", "Location"];

impl Match {
    /// Returns the value of the first tag with one of these names, ignoring case.
    pub fn tag(&self, names: &[&str]) -> Option<&str> {
        let is_meant = |key: &str| names.iter().any(|name| key.eq_ignore_ascii_case(name));
        let found = self.tags.iter().find(|(key, _)| is_meant(key));
        found.map(|(_, text)| text.as_str())
    }

    /// Removes the tags with one of these names, ignoring case.
    pub(super) fn remove_tags(&mut self, names: &[&str]) {
        let is_meant = |key: &str| names.iter().any(|name| key.eq_ignore_ascii_case(name));
        self.tags.retain(|(key, _)| !is_meant(key));
    }
}
