//! What else the head of a match says: its tags, by the names that files have for them.

use super::Match;

/// Names under which a file has the day of a match.
pub const DATE: &[&str] = &["EventDate", "Date"];
pub const EVENT: &[&str] = &["Event"];
pub const ROUND: &[&str] = &["Round"];
/// And where it was played.
pub const PLACE: &[&str] = &["Place", "Location"];

impl Match {
    /// What the first tag with one of these names says, whatever their letters' case.
    pub fn tag(&self, names: &[&str]) -> Option<&str> {
        let is_meant = |key: &str| names.iter().any(|name| key.eq_ignore_ascii_case(name));
        let found = self.tags.iter().find(|(key, _)| is_meant(key));
        found.map(|(_, text)| text.as_str())
    }

    /// Removes the tags with one of these names.
    pub(super) fn remove_tags(&mut self, names: &[&str]) {
        let is_meant = |key: &str| names.iter().any(|name| key.eq_ignore_ascii_case(name));
        self.tags.retain(|(key, _)| !is_meant(key));
    }
}
