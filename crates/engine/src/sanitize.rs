//! Outside text made safe to show: the one place that decides which characters reach a terminal.
//!
//! Outside text is everything that the program did not write itself: match files, stores, shards,
//! nets, themes, file names, arguments, pasted text. Whatever shows such text passes it through
//! [`clean`] or [`clean_lines`]; JSON keeps every character, and [`to_json`] escapes the unsafe ones.

use std::borrow::Cow;
use std::io;

use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::{CompactFormatter, Formatter};

/// Returns whether a character could do more to a terminal than show itself.
///
/// These are all control characters (C0, DEL and C1), the separators of lines and paragraphs, and
/// the annotation and object marks U+FFF9–U+FFFC. Also the code points that Unicode calls
/// `Default_Ignorable_Code_Point` (DerivedCoreProperties.txt: marks that turn, join, hide or tag
/// text, and fillers without a shape).
pub fn is_unsafe(c: char) -> bool {
    if (' '..='~').contains(&c) {
        return false;
    }
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
            | '\u{ffa0}' | '\u{fff0}'..='\u{fffc}' | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// A safe character for `c`: a blank for an end of line or a tab, nothing for anything else unsafe.
fn replaced(c: char) -> Option<char> {
    match c {
        '\t'..='\r' | '\u{85}' | '\u{2028}' | '\u{2029}' => Some(' '),
        c if is_unsafe(c) => None,
        c => Some(c),
    }
}

/// Returns whether `text` is one line without unsafe characters.
pub fn is_clean(text: &str) -> bool {
    !text.chars().any(is_unsafe)
}

/// `text` in one line, without unsafe characters.
pub fn clean(text: &str) -> Cow<'_, str> {
    if is_clean(text) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().filter_map(replaced).collect())
}

/// Outside text as [`clean`] makes it, and no more than `most` characters.
pub fn clean_at_most(text: &str, most: usize) -> String {
    text.chars().filter_map(replaced).take(most).collect()
}

/// Outside text as [`clean`] makes it, but the ends of lines (`\n`) stay.
pub fn clean_lines(text: &str) -> Cow<'_, str> {
    let is_kept = |c: char| c == '\n' || !is_unsafe(c);
    if text.chars().all(is_kept) {
        return Cow::Borrowed(text);
    }
    let safe = |c| if c == '\n' { Some(c) } else { replaced(c) };
    Cow::Owned(text.chars().filter_map(safe).collect())
}

/// Text for the inside of an element or of an attribute, of HTML and of SVG.
///
/// ```
/// assert_eq!(luckless_engine::sanitize::escape_markup("a < b\u{1b}"), "a &lt; b");
/// ```
pub fn escape_markup(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c if is_unsafe(c) && c != '\n' => {}
            c => out.push(c),
        }
    }
    out
}

/// A document as JSON in one line. Unsafe characters are written as `\u` escapes: the values are
/// the same, and the text can be shown. A zero has no sign.
///
/// # Errors
/// The error of `document` if it cannot be written as JSON.
pub fn to_json(document: &(impl Serialize + ?Sized)) -> serde_json::Result<String> {
    let mut bytes = Vec::with_capacity(256);
    document.serialize(&mut Serializer::with_formatter(&mut bytes, Escaped))?;
    // JSON is UTF-8, and the fragments are cut between characters.
    String::from_utf8(bytes).map_err(|e| serde_json::Error::io(io::Error::other(e)))
}

/// Compact JSON with unsafe characters escaped, and without `-0.0`: what is turned to the other side may be that.
struct Escaped;

impl Formatter for Escaped {
    fn write_f32<W>(&mut self, writer: &mut W, value: f32) -> io::Result<()>
    where
        W: ?Sized + io::Write,
    {
        // The sum is the value but for -0.0.
        CompactFormatter.write_f32(writer, value + 0.0)
    }

    fn write_f64<W>(&mut self, writer: &mut W, value: f64) -> io::Result<()>
    where
        W: ?Sized + io::Write,
    {
        CompactFormatter.write_f64(writer, value + 0.0)
    }

    fn write_string_fragment<W>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()>
    where
        W: ?Sized + io::Write,
    {
        let mut from = 0;
        for (at, c) in fragment.char_indices().filter(|(_, c)| is_unsafe(*c)) {
            writer.write_all(&fragment.as_bytes()[from..at])?;
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(writer, "\\u{unit:04x}")?;
            }
            from = at + c.len_utf8();
        }
        writer.write_all(&fragment.as_bytes()[from..])
    }
}

/// A text without the byte order mark that it may begin with: some programs on Windows write one before what they pipe.
///
/// ```
/// assert_eq!(luckless_engine::sanitize::without_mark("\u{feff}ubgi"), "ubgi");
/// ```
pub fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// One of every kind: C0, DEL, C1, direction, zero width, annotation, tag, variation, filler.
    const UNSAFE: &str = "\u{1b}\u{7f}\u{9b}\u{61c}\u{202e}\u{200d}\u{2066}\u{feff}\u{fff9}\u{fffc}\
                          \u{e0041}\u{e0100}\u{fe0f}\u{3164}\u{ad}";

    #[test]
    fn nothing_unsafe_is_left() {
        for c in UNSAFE.chars() {
            assert!(is_unsafe(c), "{c:?}");
            assert_eq!(clean(&format!("a{c}b")), "ab");
        }
        for c in "aé漢🎲\u{301}\u{fffd} ~".chars() {
            assert!(!is_unsafe(c), "{c:?}");
        }
        assert_eq!(clean("a\tb\r\nc\u{2028}d\u{85}e"), "a b  c d e");
        assert_eq!(clean_lines("a\tb\nc\u{1b}]0;x\u{7}"), "a b\nc]0;x");
        assert_eq!(clean_at_most("a\u{1b}bcd", 2), "ab");
    }

    #[test]
    fn json_keeps_what_it_escapes() {
        let text = format!("name {UNSAFE}\n\"");
        let json = to_json(&serde_json::json!({ "a": [text] })).unwrap();
        assert!(is_clean(&json), "{json:?}");
        assert!(json.contains("\\u001b\\u007f\\u009b"), "{json}");
        assert!(json.contains("\\udb40\\udc41"), "{json}");
        let again: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(again["a"][0], text);
    }

    /// Figures turned to the other side are 0.0 where they are nothing, alone and in a document made before.
    #[test]
    fn a_zero_has_no_sign() {
        let all = [0.0, 5e-324, 1.0].map(|x: f64| -x);
        assert_eq!(to_json(&all).unwrap(), "[0.0,-5e-324,-1.0]");
        assert_eq!(to_json(&[-0.0f32, -0.5]).unwrap(), "[0.0,-0.5]");
        assert_eq!(to_json(&serde_json::json!([-0.0])).unwrap(), "[0.0]");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]
        #[test]
        fn whatever_comes_is_clean(text in any::<String>()) {
            prop_assert!(is_clean(&clean(&text)));
            prop_assert!(clean_lines(&text).lines().all(is_clean));
            prop_assert!(is_clean(&to_json(&text).unwrap()));
            let again: String = serde_json::from_str(&to_json(&text).unwrap()).unwrap();
            prop_assert_eq!(again, text);
        }
    }
}
