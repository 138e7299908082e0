//! The grammar of Smart Game Format: trees of nodes of properties (<https://www.red-bean.com/sgf/sgf4.html>).
//! The scanner returns one piece at a time, without recursion and without copying the text.

use super::super::warnings::FilePlace;
use crate::game::Player;

/// Maximum number of values kept for a property.
const MOST_VALUES: usize = 600;
/// Maximum number of properties kept for a node.
const MOST_PROPERTIES: usize = 100;

/// A property: name and values, still escaped.
#[derive(Debug)]
pub(super) struct Property<'a> {
    /// The capital letters of the name.
    pub(super) name: String,
    pub(super) values: Vec<&'a str>,
    pub(super) place: FilePlace,
}

impl Property<'_> {
    /// Returns the acting player, if the property is an action.
    pub(super) fn player(&self) -> Option<Player> {
        match &*self.name {
            "W" => Some(Player::Left),
            "B" => Some(Player::Right),
            _ => None,
        }
    }

    /// Returns whether the property clears or adds checkers.
    pub(super) fn sets_checkers(&self) -> bool {
        matches!(&*self.name, "AE" | "AW" | "AB")
    }
}

#[derive(Debug)]
pub(super) enum Piece<'a> {
    Open,
    Node(Vec<Property<'a>>),
    Close,
    /// The text ends inside a property.
    Cut(FilePlace),
    /// Text outside of any node.
    Stray(FilePlace, char),
}

pub(super) struct Scanner<'a> {
    text: &'a str,
    at: usize,
    line: u32,
    column: u32,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self {
            text,
            at: 0,
            line: 1,
            column: 1,
        }
    }

    pub(super) fn place(&self) -> FilePlace {
        FilePlace::line(self.line, self.column)
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Advances by one byte, counting lines (which may end in any way) and characters.
    fn step(&mut self) {
        let next = self.text.as_bytes().get(self.at + 1);
        match self.peek() {
            Some(b'\r') if next == Some(&b'\n') => {}
            Some(b'\n' | b'\r') => (self.line, self.column) = (self.line + 1, 1),
            // A continuation byte of a character.
            Some(0x80..=0xBF) => {}
            _ => self.column += 1,
        }
        self.at += 1;
    }

    fn skip_blanks(&mut self) {
        while self.peek().is_some_and(|b| b.is_ascii_whitespace()) {
            self.step();
        }
    }

    /// Returns the next piece; `None` at the end of the text.
    pub(super) fn next(&mut self) -> Option<Piece<'a>> {
        self.skip_blanks();
        let place = self.place();
        Some(match self.peek()? {
            b'(' => {
                self.step();
                Piece::Open
            }
            b')' => {
                self.step();
                Piece::Close
            }
            b';' => {
                self.step();
                self.node()
            }
            _ => {
                let stray = self.text[self.at..].chars().next().unwrap_or('?');
                self.skip_stray();
                Piece::Stray(place, stray)
            }
        })
    }

    /// Skips to the next character that begins a piece.
    fn skip_stray(&mut self) {
        while let Some(b) = self.peek() {
            match b {
                b'(' | b')' | b';' => break,
                b'[' => {
                    if self.value().is_none() {
                        break;
                    }
                }
                _ => self.step(),
            }
        }
    }

    fn node(&mut self) -> Piece<'a> {
        let mut properties: Vec<Property<'a>> = Vec::new();
        loop {
            self.skip_blanks();
            let place = self.place();
            match self.peek() {
                Some(b) if b.is_ascii_alphabetic() => {
                    let name = self.name();
                    if properties.len() < MOST_PROPERTIES {
                        properties.push(Property {
                            name,
                            values: Vec::new(),
                            place,
                        });
                    }
                }
                Some(b'[') => {
                    let Some(value) = self.value() else {
                        return Piece::Cut(place);
                    };
                    if let Some(property) = properties.last_mut()
                        && property.values.len() < MOST_VALUES
                    {
                        property.values.push(value);
                    }
                }
                _ => return Piece::Node(properties),
            }
        }
    }

    /// Returns the capital letters of a name: old files add lower-case letters.
    fn name(&mut self) -> String {
        let mut name = String::new();
        while let Some(b) = self.peek().filter(u8::is_ascii_alphabetic) {
            if b.is_ascii_uppercase() && name.len() < 8 {
                name.push(char::from(b));
            }
            self.step();
        }
        name
    }

    /// Returns a value in brackets; `None` if the text ends before the closing bracket.
    fn value(&mut self) -> Option<&'a str> {
        self.step();
        let start = self.at;
        loop {
            match self.peek() {
                None => return None,
                Some(b']') => break,
                Some(b'\\') => {
                    self.step();
                    self.peek()?;
                    self.step();
                }
                Some(_) => self.step(),
            }
        }
        let value = &self.text[start..self.at];
        self.step();
        Some(value)
    }
}

/// Removes the escapes of a value; a line end after a backslash is dropped. With `simple`, other line ends
/// become blanks.
pub(super) fn unescape(value: &str, simple: bool) -> String {
    let mut out = String::with_capacity(value.len());
    let mut chars = value.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some('\r') => drop(chars.next_if_eq(&'\n')),
                Some('\n') | None => {}
                Some(c) => out.push(c),
            },
            '\n' | '\r' | '\t' if simple => out.push(' '),
            _ => out.push(c),
        }
    }
    out
}

pub(super) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '\\' | ']') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// Returns the first value of a property, without escapes.
pub(super) fn value(property: &Property<'_>) -> Option<String> {
    property.values.first().map(|v| unescape(head_of(v), true))
}

/// Returns the head of a value, up to a limit that exceeds every use.
pub(super) fn head_of(value: &str) -> &str {
    const LONGEST: usize = 32 * 1024;
    let mut end = value.len().min(LONGEST);
    while !value.is_char_boundary(end) {
        end -= 1;
    }
    &value[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_nodes_and_properties() {
        let mut scanner = Scanner::new("x(;FF[4]GaMe[6]\n ;A[a\\]b][c] d;B[)");
        assert!(matches!(scanner.next(), Some(Piece::Stray(_, 'x'))));
        assert!(matches!(scanner.next(), Some(Piece::Open)));
        let Some(Piece::Node(root)) = scanner.next() else {
            panic!("a node");
        };
        assert_eq!((&*root[1].name, root[1].values[0]), ("GM", "6"));
        let Some(Piece::Node(node)) = scanner.next() else {
            panic!("a node");
        };
        assert_eq!(node[0].values, ["a\\]b", "c"]);
        assert_eq!((node[0].place.line, node[0].place.column), (2, 3));
        assert!(matches!(scanner.next(), Some(Piece::Cut(_))));
        assert!(scanner.next().is_none());
        // Columns count characters, and lines may end in any way.
        for text in ["(;PW[J\u{fc}rg]%", "(\r;GM[6]\r\n    FF[4] %"] {
            let mut scanner = Scanner::new(text);
            let stray = std::iter::from_fn(|| scanner.next()).find_map(|piece| match piece {
                Piece::Stray(place, '%') => Some((place.line, place.column)),
                _ => None,
            });
            let wanted = if text.contains('\r') {
                (3, 11)
            } else {
                (1, 11)
            };
            assert_eq!(stray, Some(wanted), "{text:?}");
        }
    }

    #[test]
    fn escapes() {
        assert_eq!(unescape("a\\]b\\\\c\\\nd\ne", true), "a]b\\cd e");
        assert_eq!(unescape("\\", false), "");
        assert_eq!(unescape(&escape("x]\\y"), true), "x]\\y");
    }
}
