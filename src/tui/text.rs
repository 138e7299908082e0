//! Text for the screen: sanitised, cut to a width, and with fixed number formats.
//!
//! All text from files or the clipboard passes through [`clean`].

use std::ops::Range;

use ratatui::buffer::CellWidth as _;
use ratatui::style::Style;
use ratatui::text::Span;
use unicode_width::UnicodeWidthChar as _;

use crate::game::{Play, Position};
use crate::notation;
pub use crate::sanitize::{clean_at_most as clean, is_clean};
use crate::stats::interval::half_width;

/// Number of columns of `text`, summed over its characters as placed in cells. Scripts with joined letters, such as
/// Arabic, would be narrower as a whole.
pub fn width(text: &str) -> usize {
    if text.is_ascii() {
        return text.len();
    }
    let span = Span::raw(text);
    let parts = span.styled_graphemes(Style::default());
    parts.map(|part| columns_of(part.symbol)).sum()
}

/// Number of columns of a character with its marks.
fn columns_of(symbol: &str) -> usize {
    usize::from(symbol.cell_width())
}

/// Cuts `text` to `columns`, marking an omission with `…`.
pub fn cut(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    if columns == 0 {
        return String::new();
    }
    let (mut out, _) = divided(text, columns - 1);
    out.push('…');
    out
}

/// Cuts text like [`cut`], but keeps its end after an ellipsis.
pub fn cut_start(text: &str, columns: usize) -> String {
    let over = width(text).saturating_sub(columns);
    if over == 0 || columns == 0 {
        return cut(text, columns);
    }
    // A character of two columns may be split.
    let mut rest = divided(text, over + 1).1;
    if width(&rest) + 1 > columns {
        rest = divided(text, over + 2).1;
    }
    format!("…{rest}")
}

/// Splits `text` into the part that fits into `columns` and the rest.
fn divided(text: &str, columns: usize) -> (String, String) {
    let (mut head, mut tail, mut used) = (String::new(), String::new(), 0);
    let span = Span::raw(text);
    for part in span.styled_graphemes(Style::default()) {
        used += columns_of(part.symbol);
        let side = if used <= columns {
            &mut head
        } else {
            &mut tail
        };
        side.push_str(part.symbol);
    }
    (head, tail)
}

/// Splits a paragraph into words. ± stays with the figure behind it, and with the one before it where both fit into
/// a line.
fn words_of(paragraph: &str, columns: usize) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for word in paragraph.split_whitespace() {
        match words.last_mut().filter(|last| last.ends_with('±')) {
            Some(last) => {
                last.push(' ');
                last.push_str(word);
            }
            None => words.push(word.to_owned()),
        }
    }
    for i in (1..words.len()).rev() {
        let is_figure = words[i].starts_with("± ");
        if is_figure && width(&words[i - 1]) + 1 + width(&words[i]) <= columns {
            let figure = words.remove(i);
            words[i - 1] += &format!(" {figure}");
        }
    }
    words
}

/// Wraps `text` into at most `most` lines of `columns`, between words, or within words wider than a line. The last
/// line ends with `…` if text is omitted.
pub fn wrap(text: &str, columns: usize, most: usize) -> Vec<String> {
    // Each line with the separator before it.
    let mut lines: Vec<(&str, String)> = Vec::new();
    'all: for paragraph in text.lines() {
        let (mut gap, mut line) = ("\n", String::new());
        for word in words_of(paragraph, columns) {
            let word = &*word;
            if !line.is_empty() && width(&line) + 1 + width(word) > columns {
                lines.push((gap, std::mem::take(&mut line)));
                gap = " ";
            }
            if lines.len() > most {
                break 'all;
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
            while width(&line) > columns {
                let (head, tail) = divided(&line, columns);
                if head.is_empty() {
                    break;
                }
                lines.push((gap, head));
                if lines.len() > most {
                    break 'all;
                }
                (gap, line) = ("", tail);
            }
        }
        lines.push((gap, line));
        if lines.len() > most {
            break;
        }
    }
    let missing = lines.get(most).cloned();
    let shown = lines.iter().take(most);
    let mut shown: Vec<String> = shown.map(|(_, line)| cut(line, columns)).collect();
    if let (Some((gap, next)), Some(last)) = (missing, shown.last_mut()) {
        let more = match gap {
            "\n" => " …".to_owned(),
            _ => format!("{gap}{next}"),
        };
        *last = cut(&format!("{last}{more}"), columns);
    }
    shown
}

/// Lines of text being typed: ranges of all its characters, broken after a space if possible. There is room for the
/// cursor after the last character.
pub fn folded(text: &str, columns: usize) -> Vec<Range<usize>> {
    let columns = columns.max(2);
    let mut lines = Vec::new();
    // Start and width of the line, and the last space after which to break.
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

/// Index of the line with the cursor before character `at`.
pub fn line_of(lines: &[Range<usize>], at: usize) -> usize {
    let line = lines.iter().position(|line| at < line.end);
    line.unwrap_or(lines.len().saturating_sub(1))
}

/// Cuts or pads `text` to exactly `columns`.
pub fn fit(text: &str, columns: usize) -> String {
    let mut out = cut(text, columns);
    let used = width(&out);
    out.extend(std::iter::repeat_n(' ', columns.saturating_sub(used)));
    out
}

/// Cuts or pads `text` like [`fit`], with padding on the left.
pub fn fit_right(text: &str, columns: usize) -> String {
    let out = cut(text, columns);
    let used = width(&out);
    format!("{}{out}", " ".repeat(columns.saturating_sub(used)))
}

/// Formats an equity: `+0.123`.
pub fn equity(value: f64) -> String {
    if !value.is_finite() {
        return "—".into();
    }
    // A value that rounds to zero has no sign.
    let value = if value.abs() < 0.0005 { 0.0 } else { value };
    format!("{value:+.3}")
}

/// Formats a small positive figure without leading zero: `.012`, or `1.234` if it is larger.
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

/// Formats the half-width of an interval in four columns: `.012`, `1.25`, `17.3`, `204`.
pub fn half(interval: [f64; 2]) -> String {
    half_size(half_width(interval))
}

/// Formats a distance from a mean to an end of its interval in the same columns.
pub fn half_size(half: f64) -> String {
    let decimals = match half {
        ..0.9995 => return small(half),
        ..9.995 => 2,
        ..99.95 => 1,
        _ => 0,
    };
    match half.is_finite() {
        true => format!("{half:.decimals$}"),
        false => "—".into(),
    }
}

/// Formats a chance in per cent with one decimal: `52.1`.
pub fn percent(chance: f64) -> String {
    let hundredths = 100.0 * chance;
    // Subtracting luck can make it slightly negative.
    let rounded = if hundredths < 0.05 { 0.0 } else { hundredths };
    format!("{rounded:.1}")
}

/// Formats a correlation; one that rounds to zero has no sign.
pub fn correlation(value: f64) -> String {
    // One of the two variables is constant.
    if !value.is_finite() {
        return "–".into();
    }
    format!("{:.2}", (100.0 * value).round() / 100.0 + 0.0)
}

/// Formats a count in four or five columns: `1296`, `20.7k`, `207k`, `1.3M`.
pub fn count(n: f64) -> String {
    if !n.is_finite() || n < 0.0 {
        return "—".into();
    }
    if n < 9_999.5 {
        return format!("{n:.0}");
    }
    let (of, unit) = match n {
        ..999_500.0 => (n / 1e3, "k"),
        ..999_500_000.0 => (n / 1e6, "M"),
        _ => (n / 1e9, "G"),
    };
    let decimals = usize::from(of < 99.95);
    format!("{of:.decimals$}{unit}")
}

/// A bar of at most so many columns, in halves of a column; a share above nothing has at least one.
pub fn bar(share: f64, columns: usize) -> String {
    if !share.is_finite() || share <= 0.0 {
        return String::new();
    }
    let halves = ((share.min(1.0) * 2.0 * columns as f64).round() as usize).max(1);
    format!("{}{}", "━".repeat(halves / 2), "╸".repeat(halves % 2))
}

/// Formats a duration in seconds: `40 s`, `3 min`, `2 h`.
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

/// Formats a play from `position`; `cannot move` for a dance.
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
    use ratatui::buffer::Buffer;
    use ratatui::layout::Rect;

    #[test]
    fn the_end_of_a_text_stays() {
        assert_eq!(cut_start("bar/24 13/12(2)", 8), "…3/12(2)");
        assert_eq!(cut_start("8/5", 3), "8/5");
        assert_eq!(cut_start("漢字かな", 5), "…かな");
        assert_eq!(cut_start("漢字かな", 4), "…な");
        assert_eq!(cut_start("8/5", 0), "");
    }

    #[test]
    fn text_is_broken_between_words() {
        assert_eq!(wrap("one two three", 7, 4), ["one two", "three"]);
        assert_eq!(wrap("one two three four", 7, 2), ["one two", "three …"]);
        assert_eq!(wrap("a\nb", 7, 4), ["a", "b"]);
        assert_eq!(wrap("a\nb\nc", 7, 2), ["a", "b …"]);
        assert_eq!(wrap("a\nbcdefgh\nc", 7, 2), ["a", "bcdefg…"]);
        assert_eq!(wrap("one two three four", 7, 0), [""; 0]);
        assert!(wrap("", 5, 3).is_empty());
        // A figure stays with its sign.
        assert_eq!(wrap("by 0.024 ± 0.057", 12, 4), ["by 0.024", "± 0.057"]);
    }

    /// Text without spaces is broken within words.
    #[test]
    fn a_word_wider_than_a_line_is_broken() {
        assert_eq!(wrap("unbreakable", 5, 3), ["unbre", "akabl", "e"]);
        assert_eq!(wrap("unbreakable", 5, 2), ["unbre", "akab…"]);
        assert_eq!(wrap("unbreakable", 5, 1), ["unbr…"]);
        assert_eq!(
            wrap("see unbreakable x", 5, 9),
            ["see", "unbre", "akabl", "e x"]
        );
        assert_eq!(wrap("漢字漢字漢", 5, 9), ["漢字", "漢字", "漢"]);
        assert_eq!(wrap("漢字", 1, 9), ["…"]);
        assert!(wrap("word", 0, 9).iter().all(String::is_empty));
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
        assert_eq!(half([-9.994, 9.994]), "9.99");
        assert_eq!(half([-17.32, 17.32]), "17.3");
        assert_eq!(half([-204.4, 204.4]), "204");
        assert_eq!(half([0.0, f64::INFINITY]), "—");
        assert_eq!([count(99_949.0), count(99_951.0)], ["99.9k", "100k"]);
        assert_eq!([count(999_499.0), count(999_501.0)], ["999k", "1.0M"]);
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

        /// The measured width equals the drawn width.
        #[test]
        fn what_fits_ends_at_its_column(text in any::<String>(), n in 0u16..30) {
            prop_assert_eq!(drawn(&fit(&clean(&text, 40), n.into())), n);
        }
    }

    /// The column after `line` when drawn at the left edge.
    fn drawn(line: &str) -> u16 {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 200, 1));
        buffer.set_stringn(0, 0, line, 200, Style::default()).0
    }

    /// Joined letters are drawn separately; a letter with its accent, a flag, or a hand with its colour is one
    /// character.
    #[test]
    fn every_script_ends_at_its_column() {
        for name in [
            "خلاد علاء الدين",
            "Be\u{301}ne\u{301}dicte",
            "🇩🇪🇫🇷",
            "👍🏽x",
            "ｶﾞｷﾞ",
            "क्षत्रिय",
            "漢字",
        ] {
            for n in 0..20 {
                assert_eq!(drawn(&fit(name, n.into())), n, "{name}");
                assert_eq!(drawn(&fit_right(name, n.into())), n, "{name}");
            }
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
