//! The remarks of an eXtreme Gammon file: rich text, one per line, converted to plain text.

use encoding_rs::{Encoding, WINDOWS_1252};

use super::code_page;

/// Maximum number of remarks read.
const MOST_REMARKS: usize = 5000;
/// Maximum length of a remark, in bytes of rich text.
const LONGEST_RICH_TEXT: usize = 64 * 1024;
/// Maximum number of fonts in a remark whose character sets are kept.
const MOST_FONTS: usize = 100;
/// Name of the font table.
const FONTS: &str = "fonttbl";
/// Groups that contain no text.
const HEADS: [&str; 6] = [FONTS, "colortbl", "stylesheet", "info", "pict", "generator"];

/// Returns the remarks, in the order of their numbers in records.
pub(super) fn texts(bytes: &[u8]) -> Vec<String> {
    bytes
        .split(|&b| b == b'\n')
        .take(MOST_REMARKS)
        .map(|line| {
            let line = &line[..line.len().min(LONGEST_RICH_TEXT)];
            // Bytes 1 and 2 replace the line end inside a remark.
            let text: Vec<u8> = line
                .iter()
                .filter(|&&b| b != b'\r' && b != 2)
                .map(|&b| if b == 1 { b'\n' } else { b })
                .collect();
            plain(&text)
        })
        .collect()
}

/// Returns the plain text of rich text; other text is returned unchanged.
fn plain(rich: &[u8]) -> String {
    let start = rich.iter().position(|b| !b.is_ascii_whitespace());
    if !rich[start.unwrap_or(0)..].starts_with(b"{\\rtf") {
        let text = WINDOWS_1252.decode_without_bom_handling(rich).0;
        return text.trim().to_owned();
    }
    let mut reader = RichText::new(rich);
    while let Some(byte) = reader.next() {
        reader.take(byte);
    }
    reader.flush();
    reader.out.trim_matches(['\0', ' ', '\n']).to_owned()
}

/// A reader of rich text.
struct RichText<'a> {
    rest: &'a [u8],
    out: String,
    /// Undecoded letters: a letter may take two bytes.
    run: Vec<u8>,
    /// The open groups, each with the font before it.
    groups: Vec<Option<u32>>,
    /// The group depth from which text is dropped, and whether that group is the font table.
    mute: Option<(usize, bool)>,
    code_page: &'static Encoding,
    fonts: Vec<(u32, &'static Encoding)>,
    font: Option<u32>,
    /// Number of replacement letters after each `\u`, and how many of them are still to skip.
    spares: u32,
    to_skip: u32,
}

impl<'a> RichText<'a> {
    fn new(rich: &'a [u8]) -> Self {
        Self {
            rest: rich,
            out: String::new(),
            run: Vec::new(),
            groups: Vec::new(),
            mute: None,
            code_page: WINDOWS_1252,
            fonts: Vec::new(),
            font: None,
            spares: 1,
            to_skip: 0,
        }
    }

    fn next(&mut self) -> Option<u8> {
        let (&first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(first)
    }

    fn next_if(&mut self, is_wanted: impl Fn(u8) -> bool) -> Option<u8> {
        let first = *self.rest.first()?;
        is_wanted(first).then(|| self.next())?
    }

    fn take(&mut self, byte: u8) {
        match byte {
            b'{' => {
                self.flush();
                self.groups.push(self.font);
                self.to_skip = 0;
            }
            b'}' => {
                self.flush();
                self.font = self.groups.pop().flatten();
                let depth = self.groups.len();
                self.mute = self.mute.filter(|&(muted, _)| muted <= depth);
                self.to_skip = 0;
            }
            b'\\' => self.command(),
            b'\n' | b'\r' => {}
            letter => self.letter(letter),
        }
    }

    /// Reads a letter of the code page.
    fn letter(&mut self, byte: u8) {
        if self.mute.is_some() {
            return;
        }
        match self.to_skip.checked_sub(1) {
            Some(left) => self.to_skip = left,
            None => self.run.push(byte),
        }
    }

    /// Decodes the pending letters.
    fn flush(&mut self) {
        if self.run.is_empty() {
            return;
        }
        let mut fonts = self.fonts.iter();
        let own = fonts.find(|(font, _)| Some(*font) == self.font);
        let encoding = own.map_or(self.code_page, |(_, encoding)| encoding);
        let text = encoding.decode_without_bom_handling(&self.run).0;
        self.out.push_str(&text);
        self.run.clear();
    }

    /// Reads the text after a backslash.
    fn command(&mut self) {
        match self.next() {
            Some(b'\'') => {
                let hex = self
                    .rest
                    .get(..2)
                    .and_then(|hex| std::str::from_utf8(hex).ok());
                let byte = hex.and_then(|hex| u8::from_str_radix(hex, 16).ok());
                self.rest = self.rest.get(2..).unwrap_or_default();
                if let Some(byte) = byte {
                    self.letter(byte);
                }
            }
            Some(b'*') => self.mute(false),
            Some(first) if first.is_ascii_alphabetic() => {
                let (word, number) = self.control_word(first);
                self.control(&word, number);
            }
            Some(sign @ (b'\\' | b'{' | b'}')) => self.letter(sign),
            Some(b'~') => self.letter(b' '),
            _ => {}
        }
    }

    fn mute(&mut self, is_fonts: bool) {
        self.mute = self.mute.or(Some((self.groups.len(), is_fonts)));
    }

    /// Reads a control word after its `first` letter, and its number.
    fn control_word(&mut self, first: u8) -> (String, Option<i32>) {
        let mut word = String::from(char::from(first));
        while let Some(letter) = self.next_if(|b| b.is_ascii_alphabetic()) {
            if word.len() < 32 {
                word.push(char::from(letter));
            }
        }
        let mut number = String::new();
        number.extend(self.next_if(|b| b == b'-').map(char::from));
        while let Some(digit) = self.next_if(|b| b.is_ascii_digit()) {
            if number.len() < 8 {
                number.push(char::from(digit));
            }
        }
        let _ = self.next_if(|b| b == b' ');
        (word, number.parse().ok())
    }

    fn control(&mut self, word: &str, number: Option<i32>) {
        let count = number.and_then(|n| u32::try_from(n).ok());
        match (word, count, self.mute) {
            ("ansicpg", Some(number), None) => {
                self.code_page = code_page::of_number(number).unwrap_or(self.code_page);
            }
            ("f" | "deff", font, None | Some((_, true))) => {
                self.flush();
                self.font = font;
            }
            ("fcharset", Some(number), Some((_, true))) => {
                let encoding = code_page::of_character_set(number);
                if let (Some(font), Some(encoding)) = (self.font, encoding)
                    && self.fonts.len() < MOST_FONTS
                {
                    self.fonts.push((font, encoding));
                }
            }
            ("uc", Some(number), None) => self.spares = number,
            ("u", _, None) => self.unicode(number),
            ("par" | "line", _, None) => self.push('\n'),
            ("tab", _, None) => self.push(' '),
            _ if HEADS.contains(&word) => self.mute(word == FONTS),
            _ => {}
        }
    }

    fn push(&mut self, letter: char) {
        self.flush();
        self.out.push(letter);
    }

    /// Adds a letter by its code, which is negative from 32,768 on.
    fn unicode(&mut self, number: Option<i32>) {
        let number = number.map(|n| if n < 0 { n + 65_536 } else { n });
        let letter = number.and_then(|n| char::from_u32(u32::try_from(n).ok()?));
        self.flush();
        self.out.extend(letter);
        self.to_skip = self.spares;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_rich_text() {
        let rich = br"{\rtf1\ansi{\fonttbl{\f0 Arial;}}{\*\generator x;}\f0\fs20 Good caf\'e9 \u8211- \b play\b0\par two\}}";
        assert_eq!(texts(rich), ["Good café – play\ntwo}"]);
        assert_eq!(texts(b"a\r\nb\x01\x02c\n"), ["a", "b\nc", ""]);
        assert_eq!(plain(br"{\rtf1 {\'"), "");
    }

    #[test]
    fn letters_of_other_code_pages() {
        // The code page of the text.
        let rich = br"{\rtf1\ansi\ansicpg1251\deff0{\fonttbl{\f0 Tahoma;}}\uc1\f0 \'ef\'f0\'e8\'e2\'e5\'f2 \u8594?\'96\par}";
        assert_eq!(plain(rich), "привет →–");
        // The character set of each font; the font before a group applies again after it.
        let rich = br"{\rtf1\ansi\ansicpg1252{\fonttbl{\f0\fcharset0 Arial;}{\f1\fcharset204 Arial;}{\f2\fcharset128 Gothic;}}\f0 caf\'e9 {\f1\'e4\'e0} {\f2\'93\'fa\'96\'7b} \'e9}";
        assert_eq!(plain(rich), "café да 日本 é");
        // Replacement letters for readers without Unicode are skipped.
        let rich = br"{\rtf1\ansi\ansicpg1251\uc2\u26085\'93\'fa\uc0\u26412\uc1 \u1087\'efx}";
        assert_eq!(plain(rich), "日本пx");
        assert_eq!(plain(b"{\\rtf1\\ansicpg1251 \xef}"), "п");
    }
}
