//! From bytes to lines: encodings, line ends, limits, and nothing a terminal could obey.
//!
//! Files come from thirty years of programs and servers, so the encoding is guessed (UTF-16 by its
//! mark, UTF-8 if all of it is valid, else Windows-1252), lines end in any way, and tabs are
//! expanded, since columns matter in the formats read here. Control characters and marks that turn
//! the direction of writing are dropped at this border: no string behind it can move a cursor.

/// Longest line kept, in characters; what is beyond is cut.
pub(crate) const LONGEST_LINE: usize = 64 * 1024;
/// Longest name or remark kept, in characters.
pub(crate) const LONGEST_NAME: usize = 200;
/// Distance of tab stops.
const TAB: usize = 8;

/// A text as lines that are safe to show.
#[derive(Debug, Default)]
pub(crate) struct Text {
    /// The lines, without their ends; `lines[0]` is line 1.
    pub(crate) lines: Vec<String>,
    /// Name of the encoding.
    pub(crate) encoding: &'static str,
    /// The first line with a control character that was dropped, from 1.
    pub(crate) unsafe_line: Option<u32>,
    /// The first line that was cut, from 1.
    pub(crate) cut_line: Option<u32>,
}

impl Text {
    /// Decodes and splits `bytes`.
    pub(crate) fn new(bytes: &[u8]) -> Self {
        let (decoded, encoding) = decode(bytes);
        let mut text = Self {
            encoding,
            ..Self::default()
        };
        let mut rest = &*decoded;
        while !rest.is_empty() {
            let end = rest.find(['\n', '\r']).unwrap_or(rest.len());
            text.push(&rest[..end]);
            let stop = if rest[end..].starts_with("\r\n") {
                2
            } else {
                1
            };
            rest = rest.get(end + stop..).unwrap_or("");
        }
        text
    }

    fn push(&mut self, raw: &str) {
        let number = self.lines.len() as u32 + 1;
        let mut line = String::with_capacity(raw.len());
        let mut length = 0;
        for c in raw.chars() {
            if length >= LONGEST_LINE {
                self.cut_line.get_or_insert(number);
                break;
            }
            if c == '\t' {
                let blanks = TAB - length % TAB;
                line.extend(std::iter::repeat_n(' ', blanks));
                length += blanks;
            } else if is_unsafe(c) {
                // A last Ctrl-Z is how old systems ended a text.
                if c != '\u{1a}' {
                    self.unsafe_line.get_or_insert(number);
                }
            } else {
                line.push(c);
                length += 1;
            }
        }
        self.lines.push(line);
    }
}

/// Whether a character could do more to a terminal than show itself: controls, and the marks that
/// turn or hide text.
pub(crate) fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffc}'
            | '\u{e0000}'..='\u{e007f}')
}

/// A short text that is safe to show: control characters dropped, trimmed, cut.
pub(crate) fn clean(text: &str) -> String {
    let safe: String = text.chars().filter(|&c| !is_unsafe(c)).collect();
    safe.trim().chars().take(LONGEST_NAME).collect()
}

/// A piece of the file for a message: clean and at most 60 characters.
pub(crate) fn quote(text: &str) -> String {
    let clean = clean(text);
    if clean.chars().count() <= 60 {
        return clean;
    }
    let head: String = clean.chars().take(59).collect();
    format!("{head}…")
}

fn decode(bytes: &[u8]) -> (std::borrow::Cow<'_, str>, &'static str) {
    use encoding_rs::{UTF_16BE, UTF_16LE, WINDOWS_1252};
    if let Some(rest) = bytes.strip_prefix(b"\xff\xfe") {
        return (UTF_16LE.decode_without_bom_handling(rest).0, "UTF-16");
    }
    if let Some(rest) = bytes.strip_prefix(b"\xfe\xff") {
        return (UTF_16BE.decode_without_bom_handling(rest).0, "UTF-16");
    }
    let rest = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    match std::str::from_utf8(rest) {
        Ok(text) => (text.into(), "UTF-8"),
        // Cut in the middle of the last character.
        Err(error) if error.error_len().is_none() => (String::from_utf8_lossy(rest), "UTF-8"),
        Err(_) => (
            WINDOWS_1252.decode_without_bom_handling(rest).0,
            "Windows-1252",
        ),
    }
}

/// Whether `bytes` are no text: more than one in fifty of the first 64 KiB is a control character
/// that texts do not have.
pub(crate) fn is_binary(bytes: &[u8]) -> bool {
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return bytes.len() % 2 == 1 && bytes.len() < 4;
    }
    let head = &bytes[..bytes.len().min(64 * 1024)];
    let odd = head
        .iter()
        .filter(|&&b| b < 0x20 && !matches!(b, b'\t' | b'\n' | b'\r' | 0x0c | 0x1a | 0x1b | 0x07))
        .count();
    odd * 50 > head.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings_are_recognised() {
        let lines = |bytes: &[u8]| {
            let text = Text::new(bytes);
            (text.lines.join("|"), text.encoding)
        };
        assert_eq!(lines("é\nb".as_bytes()), ("é|b".into(), "UTF-8"));
        assert_eq!(lines(b"\xef\xbb\xbfa\r\nb"), ("a|b".into(), "UTF-8"));
        assert_eq!(lines(b"J\xfcrg\rb\r"), ("Jürg|b".into(), "Windows-1252"));
        assert_eq!(lines(b"\xff\xfea\0\n\0b\0"), ("a|b".into(), "UTF-16"));
        assert_eq!(lines(b"\xfe\xff\0a\0\n\0b"), ("a|b".into(), "UTF-16"));
        assert_eq!(lines(b"a\xc3"), ("a\u{fffd}".into(), "UTF-8"));
    }

    #[test]
    fn nothing_that_a_terminal_obeys_gets_through() {
        let text = Text::new("ok\nevil\u{1b}[2J\u{7}\u{202e}name\u{9b}\n".as_bytes());
        assert_eq!(text.lines, ["ok", "evil[2Jname"]);
        assert_eq!(text.unsafe_line, Some(2));
        assert_eq!(clean(" \u{1b}]0;x\u{7} "), "]0;x");
    }

    #[test]
    fn tabs_and_long_lines() {
        assert_eq!(Text::new(b"a\tb").lines, ["a       b"]);
        let text = Text::new(&vec![b'x'; LONGEST_LINE + 5]);
        assert_eq!(text.lines[0].len(), LONGEST_LINE);
        assert_eq!(text.cut_line, Some(1));
    }

    #[test]
    fn binary_files_are_told_from_text() {
        assert!(is_binary(b"\x7fELF\0\0\0\x01"));
        assert!(!is_binary("Größe\r\n\x1a".as_bytes()));
    }
}
