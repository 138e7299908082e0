//! Dates in the notations of match files.

use std::fmt;

/// The first three letters of the names of months.
const MONTHS: [&str; 12] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
];

/// Converts a number of days since 1 January 1970 to year, month and day in the Gregorian calendar.
pub fn civil(days: i64) -> [u64; 3] {
    // Years begin in March, so that the leap day is the last day; 400 years have 146,097 days.
    let days = u64::try_from(days.saturating_add(719_468)).unwrap_or(0);
    let (era, rest) = (days / 146_097, days % 146_097);
    let year = (rest - rest / 1460 + rest / 36_524 - rest / 146_096) / 365;
    let of_year = rest - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    [era * 400 + year + u64::from(month <= 2), month, day]
}

/// A date, or a year with or without a month.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Date {
    year: u16,
    /// The month, from 1, and the day of the month.
    month: Option<(u8, Option<u8>)>,
}

impl Date {
    /// Parses `2024.03.01`, `2024-3-1 18:30`, `20240301`, `2024/03`, `1981`, `13.3.2024`, `Nov 2, 2025` or `2
    /// November 2025`. `None` if day and month are ambiguous, as in `1/3/2024`, or the year has two digits.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        match leading_digits(text) {
            4 => Self::of_numbers(text),
            8 if text.len() == 8 => {
                Self::of_numbers(&format!("{}-{}-{}", &text[..4], &text[4..6], &text[6..]))
            }
            _ => Self::with_name(text).or_else(|| Self::with_year_last(text)),
        }
    }

    /// Parses day and month in either order, then the year. The order must be clear from the numbers, or both
    /// must be equal.
    fn with_year_last(text: &str) -> Option<Self> {
        let date = text.split(' ').next()?;
        let mut parts = date.split(['.', '-', '/']);
        let numbers = [parts.next()?.parse().ok()?, parts.next()?.parse().ok()?];
        let (year, [one, other]) = (parts.next()?, numbers);
        let date_of = |month: u8, day: u8| Self::new(year, Some((month, Some(day))));
        match (date_of(one, other), date_of(other, one), parts.next()) {
            (_, _, Some(_)) => None,
            (Some(date), None, _) | (None, Some(date), _) => Some(date),
            (Some(date), Some(same), _) => Some(date).filter(|_| date == same),
            (None, None, _) => None,
        }
    }

    /// Parses year, month and day, perhaps followed by a time.
    fn of_numbers(text: &str) -> Option<Self> {
        let day = text.split([' ', 'T']).next()?;
        let mut parts = day.split(['.', '-', '/']);
        let year = parts.next()?;
        let parts: Option<Vec<u8>> = parts.map(|part| part.parse::<u8>().ok()).collect();
        match parts?[..] {
            [] => Self::new(year, None),
            [month] => Self::new(year, Some((month, None))),
            [month, day] => Self::new(year, Some((month, Some(day)))),
            _ => None,
        }
    }

    /// Parses the name of a month, perhaps with a day, and then a year.
    fn with_name(text: &str) -> Option<Self> {
        let words = text.split([' ', ',', '.', '-', '/']);
        let words: Vec<&str> = words.filter(|word| !word.is_empty()).take(3).collect();
        let (month, day, year) = match words[..] {
            [a, b, year] if month(a).is_some() => (month(a)?, Some(b), year),
            [a, b, year] => (month(b)?, Some(a), year),
            [a, year] => (month(a)?, None, year),
            _ => return None,
        };
        let day = match day {
            Some(day) => Some(day.parse().ok()?),
            None => None,
        };
        Self::new(year, Some((month, day)))
    }

    fn new(year: &str, month: Option<(u8, Option<u8>)>) -> Option<Self> {
        let sound = year.len() == 4 && year.bytes().all(|b| b.is_ascii_digit());
        let year = year.parse().ok().filter(|_| sound)?;
        let is_month = |&(month, day): &(u8, Option<u8>)| {
            let days = days_of(year, month);
            days.is_some_and(|days| day.is_none_or(|day| (1..=days).contains(&day)))
        };
        let sound = (1900..=2999).contains(&year) && month.as_ref().is_none_or(is_month);
        sound.then_some(Self { year, month })
    }

    /// Returns whether the day is known.
    pub fn is_whole(&self) -> bool {
        matches!(self.month, Some((_, Some(_))))
    }
}

/// Returns the number of days of a month, from 1 to 12, in the Gregorian calendar.
fn days_of(year: u16, month: u8) -> Option<u8> {
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        2 if is_leap => Some(29),
        2 => Some(28),
        4 | 6 | 9 | 11 => Some(30),
        1..=12 => Some(31),
        _ => None,
    }
}

/// Counts the leading digits.
fn leading_digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

/// Returns the number of the month with this name.
fn month(name: &str) -> Option<u8> {
    let name = name.to_ascii_lowercase();
    let place = MONTHS.iter().position(|month| name.starts_with(month))?;
    Some(place as u8 + 1)
}

impl fmt::Display for Date {
    /// Writes `2024-03-01`, `2024-03` or `2024`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}", self.year)?;
        if let Some((month, day)) = self.month {
            write!(f, "-{month:02}")?;
            if let Some(day) = day {
                write!(f, "-{day:02}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_counted_from_1970() {
        assert_eq!([-1, 0].map(civil), [[1969, 12, 31], [1970, 1, 1]]);
        assert_eq!(civil(11_016), [2000, 2, 29]);
        assert_eq!(civil(19_783), [2024, 3, 1]);
    }

    #[test]
    fn dates_of_many_kinds() {
        for (text, wanted) in [
            ("2024.03.01", "2024-03-01"),
            ("2024-3-1 18:30", "2024-03-01"),
            ("2024/3/01", "2024-03-01"),
            ("2024-03-01T18:30", "2024-03-01"),
            (" 2024-03 ", "2024-03"),
            ("1981", "1981"),
            ("Nov 2, 2025", "2025-11-02"),
            ("2 November 2025", "2025-11-02"),
            ("02-Nov-2025", "2025-11-02"),
            ("May 1999", "1999-05"),
            ("2024.02.29", "2024-02-29"),
            ("2000.02.29", "2000-02-29"),
            ("20240301", "2024-03-01"),
            ("13.3.2024", "2024-03-13"),
            ("03/13/2024 20:15", "2024-03-13"),
            ("3/3/2024", "2024-03-03"),
            ("1/Mar/2024", "2024-03-01"),
        ] {
            let found = Date::parse(text).map(|date| date.to_string());
            assert_eq!(found.as_deref(), Some(wanted), "{text}");
        }
        for text in [
            "",
            "March 1",
            "12/25/23",
            "01/03/2024",
            "13/13/2024",
            "1.2.3.2024",
            "20241301",
            "202403011",
            "2024.13.01",
            "2024-00-01",
            "2024-1-32",
            "2024.02.30",
            "2023.02.29",
            "2100.02.29",
            "April 31, 2025",
            "0012-1-1",
            "99999999999999.1.1",
            "2024-1-1-1",
            "Smarch 2, 2025",
        ] {
            assert_eq!(Date::parse(text), None, "{text}");
        }
        assert!(Date::parse("2024-1-1").is_some_and(|date| date.is_whole()));
        assert!(Date::parse("2024-1").is_some_and(|date| !date.is_whole()));
    }
}
