//! The remarks of an eXtreme Gammon file: rich text, one a line, of which the words are kept.

use std::iter::Peekable;
use std::str::Chars;

use encoding_rs::WINDOWS_1252;

/// Most remarks read.
const MOST_REMARKS: usize = 5000;
/// Longest remark read, in bytes of rich text.
const LONGEST_REMARK: usize = 64 * 1024;
/// Groups without words of the writer.
const HEADS: [&str; 6] = [
    "fonttbl",
    "colortbl",
    "stylesheet",
    "info",
    "pict",
    "generator",
];

/// The remarks, in the order by which records name them.
pub(super) fn texts(bytes: &[u8]) -> Vec<String> {
    bytes
        .split(|&b| b == b'\n')
        .take(MOST_REMARKS)
        .map(|line| {
            let line = &line[..line.len().min(LONGEST_REMARK)];
            // 1 and 2 stand for a line end inside a remark.
            let text: Vec<u8> = line
                .iter()
                .filter(|&&b| b != b'\r' && b != 2)
                .map(|&b| if b == 1 { b'\n' } else { b })
                .collect();
            plain(&text)
        })
        .collect()
}

/// The words of a rich text; of any other text, all of it.
fn plain(rich: &[u8]) -> String {
    let text = WINDOWS_1252.decode_without_bom_handling(rich).0;
    if !text.trim_start().starts_with("{\\rtf") {
        return text.trim().to_owned();
    }
    let mut out = String::new();
    let mut depth = 0usize;
    // The depth from which on nothing is kept.
    let mut mute: Option<usize> = None;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let kept = mute.is_none();
        match c {
            '{' => depth += 1,
            '}' => {
                depth = depth.saturating_sub(1);
                mute = mute.filter(|&muted| muted <= depth);
            }
            '\\' => match chars.next() {
                Some('\'') => {
                    let hex: String = chars.by_ref().take(2).collect();
                    if let (Ok(byte), true) = (u8::from_str_radix(&hex, 16), kept) {
                        let byte = [byte];
                        out.push_str(&WINDOWS_1252.decode_without_bom_handling(&byte).0);
                    }
                }
                Some('*') => mute = mute.or(Some(depth)),
                Some(first) if first.is_ascii_alphabetic() => {
                    let (word, number) = control_word(first, &mut chars);
                    if HEADS.contains(&&*word) {
                        mute = mute.or(Some(depth));
                    } else if kept {
                        control(&mut out, &word, &number);
                        if word == "u" {
                            // The letter for readers without Unicode.
                            let _ = chars.next_if(|&c| c != '\\' && c != '{' && c != '}');
                        }
                    }
                }
                Some(sign @ ('\\' | '{' | '}')) if kept => out.push(sign),
                Some('~') if kept => out.push(' '),
                _ => {}
            },
            '\n' | '\r' => {}
            c if kept => out.push(c),
            _ => {}
        }
    }
    out.trim_matches(['\0', ' ', '\n']).to_owned()
}

/// The rest of a control word after its `first` letter, and the number behind it.
fn control_word(first: char, chars: &mut Peekable<Chars<'_>>) -> (String, String) {
    let mut word = String::from(first);
    while let Some(c) = chars.next_if(char::is_ascii_alphabetic) {
        if word.len() < 32 {
            word.push(c);
        }
    }
    let mut number = String::new();
    number.extend(chars.next_if_eq(&'-'));
    while let Some(c) = chars.next_if(char::is_ascii_digit) {
        if number.len() < 8 {
            number.push(c);
        }
    }
    let _ = chars.next_if_eq(&' ');
    (word, number)
}

fn control(out: &mut String, word: &str, number: &str) {
    match word {
        "par" | "line" => out.push('\n'),
        "tab" => out.push(' '),
        "u" => {
            let code = number
                .parse::<i32>()
                .map(|n| if n < 0 { n + 65_536 } else { n });
            let letter = code
                .ok()
                .and_then(|n| char::from_u32(u32::try_from(n).ok()?));
            out.extend(letter);
        }
        _ => {}
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
}
