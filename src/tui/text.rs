//! Text that reaches the screen: cleaned, cut to a width, numbers in fixed forms.
//!
//! Anything from a file or the clipboard passes [`clean`].

use std::ops::Range;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::game::{Play, Position};
pub use crate::grid::cut;
use crate::notation;
pub use crate::sanitize::{clean_at_most as clean, is_clean};
use crate::stats::interval::half_width;

/// Columns that `text` takes.
#[must_use]
pub fn width(text: &str) -> usize {
    text.width()
}

/// `text` in at most `most` lines of so many columns, broken between words where it can be; the last
/// ends with `…` where something is missing.
#[must_use]
pub fn wrap(text: &str, columns: usize, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut rest = false;
    'all: for paragraph in text.lines() {
        let mut line = String::new();
        for word in paragraph.split_whitespace() {
            if !line.is_empty() && line.width() + 1 + word.width() > columns {
                if lines.len() + 1 == most {
                    // What does not fit is cut below.
                    line.push(' ');
                    line.push_str(word);
                    lines.push(line);
                    rest = true;
                    break 'all;
                }
                lines.push(std::mem::take(&mut line));
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        if lines.len() == most {
            rest = true;
            break;
        }
        lines.push(line);
    }
    lines.truncate(most);
    let last = lines.len().saturating_sub(1);
    for (i, line) in lines.iter_mut().enumerate() {
        if rest && i == last && line.width() <= columns {
            *line = cut(&format!("{line} …"), columns);
        } else {
            *line = cut(line, columns);
        }
    }
    lines
}

/// The lines of `text` where it is typed: ranges of its characters, none lost, broken after a space
/// where there is one. There is room for the cursor behind the last.
#[must_use]
pub fn folded(text: &str, columns: usize) -> Vec<Range<usize>> {
    let columns = columns.max(2);
    let mut lines = Vec::new();
    // Where the line began, how wide it is, and after which space it may be broken.
    let (mut start, mut used, mut space) = (0, 0, None);
    let mut behind = 0;
    for (i, c) in text.chars().enumerate() {
        let wide = c.width().unwrap_or(0);
        if used + wide > columns - 1 && i > start {
            let end = space.unwrap_or(i);
            lines.push(start..end);
            used -= if space.is_some() { behind } else { used };
            (start, space) = (end, None);
        }
        used += wide;
        if c == ' ' {
            (space, behind) = (Some(i + 1), used);
        }
    }
    lines.push(start..text.chars().count());
    lines
}

/// Which of the lines the cursor before character `at` is in.
#[must_use]
pub fn line_of(lines: &[Range<usize>], at: usize) -> usize {
    let line = lines.iter().position(|line| at < line.end);
    line.unwrap_or(lines.len().saturating_sub(1))
}

/// `text` cut or filled with spaces to exactly `columns`.
#[must_use]
pub fn fit(text: &str, columns: usize) -> String {
    let mut out = cut(text, columns);
    let used = out.width();
    out.extend(std::iter::repeat_n(' ', columns.saturating_sub(used)));
    out
}

/// As [`fit`], filled on the left.
#[must_use]
pub fn fit_right(text: &str, columns: usize) -> String {
    let out = cut(text, columns);
    let used = out.width();
    format!("{}{out}", " ".repeat(columns.saturating_sub(used)))
}

/// An equity: `+0.123`.
#[must_use]
pub fn equity(value: f64) -> String {
    if !value.is_finite() {
        return "—".into();
    }
    // A value that rounds to zero has no sign worth showing.
    let value = if value.abs() < 0.0005 { 0.0 } else { value };
    format!("{value:+.3}")
}

/// A small positive figure without its leading zero: `.012`, or `1.234` when it is not small.
#[must_use]
pub fn small(value: f64) -> String {
    if !value.is_finite() {
        return "—".into();
    }
    let text = format!("{:.3}", value.abs());
    match text.strip_prefix('0') {
        Some(rest) => rest.to_owned(),
        None => text,
    }
}

/// Half the width of an interval in four columns: `.012`, `1.25`.
#[must_use]
pub fn half(interval: [f64; 2]) -> String {
    let half = half_width(interval);
    if half >= 9.995 {
        return if half.is_finite() {
            ">10".into()
        } else {
            "—".into()
        };
    }
    if half >= 0.9995 {
        return format!("{half:.2}");
    }
    small(half)
}

/// A chance in per cent, one decimal: `52.1`.
#[must_use]
pub fn percent(chance: f64) -> String {
    let hundredths = 100.0 * chance;
    // Subtracted luck can leave less than nothing.
    let rounded = if hundredths < 0.05 { 0.0 } else { hundredths };
    format!("{rounded:.1}")
}

/// A count in four or five columns: `1296`, `20.7k`, `1.3M`.
#[must_use]
pub fn count(n: f64) -> String {
    if !n.is_finite() || n < 0.0 {
        "—".into()
    } else if n < 9_999.5 {
        format!("{n:.0}")
    } else if n < 999_950.0 {
        format!("{:.1}k", n / 1e3)
    } else if n < 999_950_000.0 {
        format!("{:.1}M", n / 1e6)
    } else {
        format!("{:.1}G", n / 1e9)
    }
}

/// A duration in seconds: `40 s`, `3 min`, `2 h`.
#[must_use]
pub fn seconds(s: f64) -> String {
    if !s.is_finite() {
        "—".into()
    } else if s < 99.5 {
        format!("{s:.0} s")
    } else if s < 5_970.0 {
        format!("{:.0} min", s / 60.0)
    } else {
        format!("{:.0} h", s / 3_600.0)
    }
}

/// A play in standard notation, made from `position`; `cannot move` for a dance.
#[must_use]
pub fn play(play: &Play, position: &Position) -> String {
    if play.is_empty() {
        return "cannot move".into();
    }
    notation::play_text(position, play)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Step;
    use proptest::prelude::*;

    #[test]
    fn text_is_broken_between_words() {
        assert_eq!(wrap("one two three", 7, 4), ["one two", "three"]);
        assert_eq!(wrap("one two three four", 7, 2), ["one two", "three …"]);
        assert_eq!(wrap("a\nb", 7, 4), ["a", "b"]);
        assert_eq!(wrap("a\nb\nc", 7, 2), ["a", "b …"]);
        assert_eq!(wrap("unbreakable", 5, 3), ["unbr…"]);
        assert!(wrap("", 5, 3).is_empty());
    }

    #[test]
    fn plays_are_named_and_so_is_a_dance() {
        let position = Position::opening();
        let run = Play::new(&[Step { from: 24, to: 18 }, Step { from: 18, to: 14 }]);
        assert_eq!(play(&run, &position), "24/14");
        assert_eq!(play(&Play::NONE, &position), "cannot move");
    }

    #[test]
    fn numbers() {
        assert_eq!(equity(-0.0004), "+0.000");
        assert_eq!(equity(-0.0006), "-0.001");
        assert_eq!(equity(f64::NAN), "—");
        assert_eq!(small(0.0123), ".012");
        assert_eq!(small(1.2), "1.200");
        assert_eq!([count(9_999.0), count(20_736.0)], ["9999", "20.7k"]);
        assert_eq!(half([0.0, 0.024]), ".012");
        assert_eq!(half([-1.25, 1.25]), "1.25");
        assert_eq!(half([0.0, f64::INFINITY]), "—");
        assert_eq!(count(1_300_000.0), "1.3M");
        assert_eq!([seconds(40.2), seconds(180.0)], ["40 s", "3 min"]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]
        #[test]
        fn cleaned_text_is_harmless_and_fits(text in any::<String>(), n in 0usize..30) {
            let out = clean(&text, 40);
            prop_assert!(is_clean(&out));
            prop_assert!(width(&cut(&out, n)) <= n);
            prop_assert_eq!(width(&fit(&out, n)), n);
        }
    }

    #[test]
    fn what_is_typed_is_folded_without_loss() {
        assert_eq!(folded("", 10).len(), 1);
        assert_eq!(folded("one two three", 9), [0..8, 8..13]);
        assert_eq!(folded("abcdefghijkl", 5), [0..4, 4..8, 8..12]);
        assert_eq!(folded("ab cdefghijkl mn", 6), [0..3, 3..8, 8..13, 13..16]);
        let text = "a note of some length, wide 漢字 among it, and averyveryverylongword";
        for columns in 2..40 {
            let lines = folded(text, columns);
            assert_eq!(lines[0].start, 0);
            assert!(
                lines
                    .windows(2)
                    .all(|w| w[0].end == w[1].start && w[0].start < w[0].end)
            );
            assert_eq!(lines[lines.len() - 1].end, text.chars().count());
            for line in &lines {
                let part: String = text.chars().skip(line.start).take(line.len()).collect();
                let room = (columns - 1).max(2);
                assert!(width(part.trim_end()) <= room, "{columns}: '{part}'");
            }
        }
        let lines = folded("one two three", 9);
        assert_eq!([0, 7, 8, 13].map(|at| line_of(&lines, at)), [0, 0, 1, 1]);
    }
}
