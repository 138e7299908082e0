//! Decodes bytes to lines: encodings, line ends, limits, and removal of control characters.
//!
//! The files come from thirty years of programs and servers, so the encoding is guessed. A byte order mark
//! means UTF-16. Text is UTF-8 if all of it is valid, or most of its non-ASCII characters are. Otherwise
//! non-Latin letters identify a code page, and Latin letters are read as Windows-1252. Lines may end in any
//! way. Tabs are expanded, because columns matter in these formats. Control characters and marks of writing
//! direction are removed here, so that no string read from a file can move a cursor.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};

use super::model::Warning;
pub use super::remark::{LONGEST_REMARK, REMARK_CUT, clean_lines};
use super::warnings::FilePlace;
use crate::sanitize::{self, is_unsafe};

/// Maximum length of a line, in characters; longer lines are cut.
pub const LONGEST_LINE: usize = 64 * 1024;
/// Maximum number of lines of a text: a long match has a few hundred.
pub const MOST_LINES: usize = 200_000;
/// Maximum size of a text, in bytes, before decoding and again after tabs are expanded: about a hundred times
/// the longest known match.
pub const LONGEST_TEXT: usize = 4 * 1024 * 1024;
/// Maximum length of a name or tag, in characters.
pub const LONGEST_NAME: usize = 200;
const TAB: usize = 8;

/// A text as sanitised lines.
#[derive(Debug, Default)]
pub struct Text {
    /// The lines, without line ends; `lines[0]` is line 1.
    pub lines: Vec<String>,
    pub encoding: &'static str,
    /// The first line with letters in a guessed encoding, from 1.
    guessed_line: Option<u32>,
    /// The first line with a removed control character, from 1.
    pub unsafe_line: Option<u32>,
    /// The first line with bytes invalid in the encoding, from 1.
    pub damaged_line: Option<u32>,
    /// The first line that was cut, from 1.
    pub cut_line: Option<u32>,
    /// The first line that was dropped because of a limit, from 1.
    pub left_out: Option<u32>,
    /// Number of bytes kept.
    size: usize,
}

impl Text {
    /// Decodes and splits `bytes`.
    pub fn new(bytes: &[u8]) -> Self {
        let longer = bytes.len() > LONGEST_TEXT;
        let (decoded, encoding) = decode(&bytes[..bytes.len().min(LONGEST_TEXT)]);
        let mut text = Self {
            encoding,
            guessed_line: guessed_line(bytes, encoding),
            ..Self::default()
        };
        let mut rest = &*decoded;
        while !rest.is_empty() {
            if text.lines.len() == MOST_LINES || text.size >= LONGEST_TEXT {
                break;
            }
            let end = rest.find(['\n', '\r']).unwrap_or(rest.len());
            text.push(&rest[..end]);
            let stop = if rest[end..].starts_with("\r\n") {
                2
            } else {
                1
            };
            rest = rest.get(end + stop..).unwrap_or("");
        }
        if longer || !rest.is_empty() {
            text.left_out = Some(text.lines.len() as u32 + 1);
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
                // Old systems ended a text with Ctrl-Z.
                if c != '\u{1a}' {
                    self.unsafe_line.get_or_insert(number);
                }
            } else {
                if c == char::REPLACEMENT_CHARACTER {
                    self.damaged_line.get_or_insert(number);
                }
                line.push(c);
                length += 1;
            }
        }
        line.shrink_to_fit();
        self.size += line.len();
        self.lines.push(line);
    }

    /// Returns warnings about the changes that sanitising and the limits made.
    pub fn complaints(&self) -> Vec<Warning> {
        let warnings = [
            (self.unsafe_line, "control characters were left out"),
            (
                self.damaged_line,
                "bytes that are no characters stand as \u{fffd}",
            ),
            (self.cut_line, "the line is too long and was cut"),
            (
                self.left_out,
                "the file is too long for a match; from here on it is not read",
            ),
        ];
        let warnings = warnings
            .into_iter()
            .filter_map(|(line, message)| Some(Warning::at(FilePlace::line(line?, 1), message)));
        let guess = self
            .guessed_line
            .map(|line| guess_warning(line, self.encoding));
        warnings.chain(guess).collect()
    }
}

/// Returns a short text [`sanitize::clean`]ed, trimmed and cut to [`LONGEST_NAME`].
pub fn clean(text: &str) -> String {
    let safe = sanitize::clean(text);
    safe.trim().chars().take(LONGEST_NAME).collect()
}

/// Returns a part of a file for use in a message: sanitised and at most 60 characters.
pub fn quote(text: &str) -> String {
    let clean = clean(text);
    if clean.chars().count() <= 60 {
        return clean;
    }
    let head: String = clean.chars().take(59).collect();
    format!("{head}…")
}

/// Returns the encoding with a label: a name of the Encoding Standard, or a Windows code page such as
/// `cp1251`.
pub(super) fn encoding_called(label: &str) -> Option<&'static encoding_rs::Encoding> {
    let label = label.trim().to_ascii_lowercase();
    let known = |name: &str| encoding_rs::Encoding::for_label(name.as_bytes());
    // The standard contains `cp866`, but has other names for East Asian code pages.
    known(&label).or_else(|| match label.strip_prefix("cp")? {
        "932" => known("shift_jis"),
        "936" => known("gbk"),
        "950" => known("big5"),
        number => known(&format!("windows-{number}")),
    })
}

/// Decodes a whole text, whose encoding may have a label such as `UTF-8` or `cp1251`.
pub fn decode_as<'a>(
    bytes: &'a [u8],
    label: Option<&str>,
) -> (std::borrow::Cow<'a, str>, &'static str) {
    let wide = bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff");
    match label.and_then(encoding_called) {
        // A label UTF-8 is not trusted, since the text may be invalid.
        Some(encoding) if !wide && encoding != encoding_rs::UTF_8 => (
            encoding.decode_without_bom_handling(bytes).0,
            encoding.name(),
        ),
        _ => decode(bytes),
    }
}

/// Returns the warning about an encoding that was guessed because it has no label.
pub(super) fn guess_warning(line: u32, encoding: &str) -> Warning {
    let message = format!("the text is not UTF-8: by its letters it is read as {encoding}");
    Warning::at(FilePlace::line(line, 1), message)
}

/// Returns the first line with a non-ASCII character, from 1, if `encoding` is a guess.
pub(super) fn guessed_line(bytes: &[u8], encoding: &str) -> Option<u32> {
    if matches!(encoding, "UTF-8" | "UTF-16" | "Windows-1252") {
        return None;
    }
    let first = bytes.iter().position(|byte| !byte.is_ascii())?;
    let before = bytes[..first].iter().filter(|&&byte| byte == b'\n');
    Some(before.count() as u32 + 1)
}

/// Guesses the code page of non-Latin letters. Guesses of Latin code pages are ignored: a few names do not
/// distinguish them from Windows-1252, the most common encoding.
fn code_page_of(bytes: &[u8]) -> Option<&'static encoding_rs::Encoding> {
    use encoding_rs as page;
    let not_latin = [
        page::SHIFT_JIS,
        page::EUC_JP,
        page::GBK,
        page::GB18030,
        page::BIG5,
        page::EUC_KR,
        page::WINDOWS_1251,
        page::KOI8_R,
        page::KOI8_U,
        page::IBM866,
        page::ISO_8859_5,
        page::WINDOWS_1253,
        page::ISO_8859_7,
        page::WINDOWS_1255,
        page::ISO_8859_8,
        page::WINDOWS_1256,
        page::ISO_8859_6,
        page::WINDOWS_874,
    ];
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    let guess = detector.guess(None, Utf8Detection::Deny);
    not_latin.contains(&guess).then_some(guess)
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
        // The last character is incomplete, or a few characters are damaged.
        Err(error) if error.error_len().is_none() || is_damaged_utf8(rest) => {
            (String::from_utf8_lossy(rest), "UTF-8")
        }
        Err(_) => match code_page_of(rest) {
            Some(page) => (page.decode_without_bom_handling(rest).0, page.name()),
            None => (
                WINDOWS_1252.decode_without_bom_handling(rest).0,
                "Windows-1252",
            ),
        },
    }
}

/// Returns whether a text contains more non-ASCII UTF-8 characters than invalid sequences. Letters of a code
/// page rarely form valid UTF-8.
fn is_damaged_utf8(bytes: &[u8]) -> bool {
    let (mut whole, mut damaged) = (0, 0);
    for chunk in bytes.utf8_chunks() {
        whole += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        damaged += usize::from(!chunk.invalid().is_empty());
    }
    whole > damaged
}

/// Returns whether `bytes` are binary: more than one in fifty of the first 64 KiB is a control character that
/// texts do not contain.
pub fn is_binary(bytes: &[u8]) -> bool {
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

    /// A single wrong byte does not change the encoding of all other letters.
    #[test]
    fn a_damaged_character_changes_no_other() {
        let mut bytes = "Märta\nGXnther ŁÓ".as_bytes().to_vec();
        let place = bytes.iter().position(|&b| b == b'X').unwrap();
        bytes[place] = 0xfc;
        let text = Text::new(&bytes);
        assert_eq!(text.encoding, "UTF-8");
        assert_eq!(text.lines, ["Märta", "G\u{fffd}nther ŁÓ"]);
        assert_eq!(text.damaged_line, Some(2));
        assert!(text.complaints()[0].message.contains('\u{fffd}'));
        // Letters of a code page, two of which together form a valid UTF-8 character.
        let text = Text::new(b"J\xfcrg \xc3\xa9 H\xe4");
        assert_eq!((text.encoding, text.damaged_line), ("Windows-1252", None));
    }

    /// Non-Latin letters identify their code page. Latin letters are read as Windows-1252, even if a guess
    /// would choose another page.
    #[test]
    fn other_code_pages_are_guessed_with_a_warning() {
        let read = |label: &str, names: [&str; 2]| {
            let page = encoding_called(label).unwrap();
            let [left, right] = names;
            let text = format!(" 7 point match\n\n Game 1\n {left} : 0      {right} : 0\n");
            let text = Text::new(&page.encode(&text).0);
            let warnings: Vec<Warning> = text.complaints();
            let warning = warnings
                .first()
                .map(|w| (w.line, w.message.contains(text.encoding)));
            (text.lines[3].trim().to_owned(), text.encoding, warning)
        };
        for (label, names, encoding) in [
            ("cp1251", ["Алексей", "Ольга"], "windows-1251"),
            ("cp1251", ["Димитър", "Bob"], "windows-1251"),
            ("cp932", ["望月太郎", "たろう"], "Shift_JIS"),
            ("cp932", ["タロウ", "Ann"], "Shift_JIS"),
            ("cp1253", ["Γιώργος", "Νίκος"], "windows-1253"),
        ] {
            let line = format!("{} : 0      {} : 0", names[0], names[1]);
            assert_eq!(read(label, names), (line, encoding, Some((4, true))));
        }
        for names in [
            ["Hélène", "Zaïd"],
            ["Benoît", "Anaïs"],
            ["Jørgen Næss", "Bob"],
        ] {
            let (line, encoding, warning) = read("cp1252", names);
            assert!(line.starts_with(names[0]), "{line}");
            assert_eq!((encoding, warning), ("Windows-1252", None));
        }
    }

    #[test]
    fn code_pages_are_known_by_their_numbers() {
        let name = |label| encoding_called(label).map(encoding_rs::Encoding::name);
        for (label, expected) in [
            ("CP932", "Shift_JIS"),
            ("cp936", "GBK"),
            ("cp949", "EUC-KR"),
            ("CP950", "Big5"),
            ("cp866", "IBM866"),
            ("cp1251", "windows-1251"),
            ("ISO-8859-2", "ISO-8859-2"),
        ] {
            assert_eq!(name(label), Some(expected));
        }
        assert_eq!(name("cp437"), None);
        // The second byte of this character is a bracket in ASCII.
        let (text, encoding) = decode_as(b"\x83\x5d", Some("CP932"));
        assert_eq!((&*text, encoding), ("ゾ", "Shift_JIS"));
    }

    #[test]
    fn control_characters_are_removed() {
        let text = Text::new("ok\nevil\u{1b}[2J\u{7}\u{202e}name\u{9b}\n".as_bytes());
        assert_eq!(text.lines, ["ok", "evil[2Jname"]);
        assert_eq!(text.unsafe_line, Some(2));
        assert_eq!(clean(" \u{1b}]0;x\u{7} "), "]0;x");
    }

    #[test]
    fn remarks_keep_their_lines_and_are_cut_where_they_are_too_long() {
        let (text, cut) = clean_lines(" one\r\n\n two\u{1b}[2J \n");
        assert_eq!((text.as_str(), cut), ("one\n\n two[2J", false));
        let (text, cut) = clean_lines(&"ä".repeat(LONGEST_REMARK));
        assert_eq!((text.chars().count(), cut), (LONGEST_REMARK, false));
        let (text, cut) = clean_lines(&"ä".repeat(LONGEST_REMARK + 1));
        assert_eq!((text.chars().count(), cut), (LONGEST_REMARK, true));
        assert!(REMARK_CUT.contains(&LONGEST_REMARK.to_string()));
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
