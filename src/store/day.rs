//! The day on which a match was played.

use std::fs;
use std::path::Path;
use std::time::UNIX_EPOCH;

use super::clock;
use crate::match_file::{Date, civil};

/// The day a match was played, as `2026-11-20`. Uses the date in the file, which may be only a year or a month;
/// otherwise the file's modification date, followed by `~`.
pub fn played(date: Option<&str>, path: &Path) -> String {
    let date = date.and_then(Date::parse);
    if let Some(date) = date {
        return date.to_string();
    }
    let written = fs::metadata(path).and_then(|meta| meta.modified());
    let days = match written {
        Ok(time) => time
            .duration_since(UNIX_EPOCH)
            .map_or(0, |since| since.as_secs() / 86_400) as i64,
        // Input from stdin has no file.
        Err(_) => clock::seconds() / 86_400,
    };
    format!("{}~", self::date(days))
}

/// Today, as `2026-11-20`, in UTC.
pub fn today() -> String {
    date(clock::seconds() / 86_400)
}

/// Formats a day, counted from 1 January 1970, as `2026-11-20`.
pub fn date(days: i64) -> String {
    let [year, month, day] = civil(days.max(0));
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_read_and_counted() {
        let nowhere = Path::new("/nowhere/none.mat");
        let at = |text| played(Some(text), nowhere);
        assert_eq!(at("2024.03.01"), "2024-03-01");
        assert_eq!(at("Nov 2, 2025"), "2025-11-02");
        // A year or a month is less precise than a day, but preferred to the file's modification date.
        assert_eq!([at("1981"), at("March 2024")], ["1981", "2024-03"]);
        assert!(at("01/03/2024").ends_with('~'));
    }
}
