//! The day a match was played.

use std::fs;
use std::path::Path;
use std::time::UNIX_EPOCH;

use super::clock;
use crate::match_file::Date;

/// The day a match was played, as `2026-11-20`: what the file says, which may be a month or a year alone, or else when it
/// was last written, with a `~` behind it.
#[must_use]
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
        // What came over stdin has no file.
        Err(_) => clock::seconds() / 86_400,
    };
    format!("{}~", self::date(days))
}

/// Today, as `2026-11-20`, in UTC.
#[must_use]
pub fn today() -> String {
    date(clock::seconds() / 86_400)
}

/// A day counted from 1 January 1970, as `2026-11-20`.
#[must_use]
pub fn date(days: i64) -> String {
    let (year, month, day) = civil(u64::try_from(days).unwrap_or(0));
    format!("{year:04}-{month:02}-{day:02}")
}

/// The date of a day counted from 1 January 1970, in the Gregorian calendar.
fn civil(days: u64) -> (u64, u64, u64) {
    // Years that begin in March, so that the leap day is their last; 400 of them have 146 097 days.
    let days = days + 719_468;
    let (era, rest) = (days / 146_097, days % 146_097);
    let year = (rest - rest / 1460 + rest / 36_524 - rest / 146_096) / 365;
    let of_year = rest - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (era * 400 + year + u64::from(month <= 2), month, day)
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
        // A year or a month is less than a day, and more than that of the file.
        assert_eq!([at("1981"), at("March 2024")], ["1981", "2024-03"]);
        assert!(at("01/03/2024").ends_with('~'));
        assert_eq!(civil(0), (1970, 1, 1));
        assert_eq!(civil(11_016), (2000, 2, 29));
        assert_eq!(civil(19_783), (2024, 3, 1));
    }
}
