//! Splits rows of match text into cells.
//!
//! A cell is found by its first word, not by columns or gaps: a long play shifts the right cell until one
//! blank is left between them. A cell begins at a roll (`31:`) or a keyword after a blank, and ends where the
//! next cell begins.

/// Blanks that separate cells and never occur inside a play.
pub(super) const WIDE_GAP: &str = "   ";
/// Maximum number of characters in place of two dice.
const MOST_OF_DICE: usize = 4;
/// Number of characters of a word that are searched for a step.
const MOST_OF_STEP: usize = 12;

/// The content of a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CellKind {
    /// Two dice as written, and the text after them.
    Roll {
        dice: [u8; 2],
        body: String,
    },
    /// A roll with unreadable dice, and the text after it.
    BadRoll {
        text: String,
    },
    Double {
        to: Option<u32>,
    },
    Take,
    Pass,
    Beaver,
    Raccoon,
    Wins {
        points: Option<u32>,
    },
    Losses,
    Resign,
}

impl CellKind {
    /// Returns whether the cell answers a double.
    pub(super) fn is_answer(&self) -> bool {
        matches!(self, Self::Take | Self::Pass | Self::Beaver)
    }

    /// Returns whether both cells have the same roll and the same non-empty play.
    pub(super) fn is_same_play(&self, other: &Self) -> bool {
        let parts = |kind: &Self| match kind {
            Self::Roll { dice, body } => {
                let body: String = body.split_whitespace().collect();
                let dice = [dice[0].min(dice[1]), dice[0].max(dice[1])];
                body.contains('/').then(|| (dice, body.to_lowercase()))
            }
            _ => None,
        };
        let own = parts(self);
        own.is_some() && own == parts(other)
    }
}

/// A cell and its place in the line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TextCell {
    pub(super) kind: CellKind,
    /// Number of characters before it in the line.
    pub(super) column: usize,
    /// Number of characters in the line before the text after its first word.
    pub(super) body_column: usize,
}

impl TextCell {
    /// Returns whether the cell is an illegal play that was let stand; the resulting position may follow it.
    pub(super) fn is_illegal_play(&self) -> bool {
        matches!(&self.kind, CellKind::Roll { body, .. } if says_illegal(body))
    }
}

/// Returns whether the text after a roll marks an illegal play that was let stand.
pub(super) fn says_illegal(body: &str) -> bool {
    body.get(.."illegal".len())
        .is_some_and(|start| start.eq_ignore_ascii_case("illegal"))
}

/// Returns a play without the word after it by which a transcriber marks it as illegal: `13/7 24/22
/// ILLEGAL?`.
pub(super) fn without_mark(body: &str) -> Option<&str> {
    let is_sign = |c: char| c.is_whitespace() || "?!.()[]".contains(c);
    let marked = body.trim_end_matches(is_sign);
    let start = marked.len().checked_sub("illegal".len())?;
    let (play, mark) = marked.split_at_checked(start)?;
    let is_mark = mark.eq_ignore_ascii_case("illegal") && play.ends_with(is_sign);
    let play = play.trim_end_matches(is_sign);
    (is_mark && !play.is_empty()).then_some(play)
}

/// A row, or a part of one that begins with its own row number.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(super) struct TextRow {
    pub(super) number: Option<u32>,
    pub(super) cells: Vec<TextCell>,
    /// Text outside all cells, and its column.
    pub(super) stray: Option<(usize, String)>,
}

enum Head {
    RowNumber(u32),
    Roll([u8; 2]),
    BadRoll,
    Word(Keyword),
}

/// The meaning of the first word of a cell.
#[derive(Clone, Copy)]
enum Keyword {
    Double,
    Take,
    Drop,
    Beaver,
    Raccoon,
    Wins,
    Losses,
    Resign,
}

impl Keyword {
    /// Returns the content of a cell with this keyword and the text after it.
    fn cell(self, rest: &str) -> CellKind {
        let number = || {
            let digits: String = rest
                .chars()
                .skip_while(|c| !c.is_ascii_digit())
                .take_while(char::is_ascii_digit)
                .take(9)
                .collect();
            digits.parse().ok()
        };
        match self {
            Self::Double => CellKind::Double { to: number() },
            Self::Take => CellKind::Take,
            Self::Drop => CellKind::Pass,
            Self::Beaver => CellKind::Beaver,
            Self::Raccoon => CellKind::Raccoon,
            Self::Wins => CellKind::Wins { points: number() },
            Self::Losses => CellKind::Losses,
            Self::Resign => CellKind::Resign,
        }
    }
}

/// Keywords of more than one word, by their first words.
const PHRASES: [(&str, &str, Keyword); 5] = [
    ("timed", " out", Keyword::Resign),
    ("times", " out", Keyword::Resign),
    ("time", " out", Keyword::Resign),
    ("lost", " on time", Keyword::Resign),
    ("out", " of time", Keyword::Resign),
];

const WORDS: [(&str, Keyword); 31] = [
    ("doubles", Keyword::Double),
    ("double", Keyword::Double),
    ("redoubles", Keyword::Double),
    ("redouble", Keyword::Double),
    ("takes", Keyword::Take),
    ("take", Keyword::Take),
    ("accepts", Keyword::Take),
    ("accept", Keyword::Take),
    ("drops", Keyword::Drop),
    ("drop", Keyword::Drop),
    ("passes", Keyword::Drop),
    ("pass", Keyword::Drop),
    ("rejects", Keyword::Drop),
    ("reject", Keyword::Drop),
    ("beavers", Keyword::Beaver),
    ("beaver", Keyword::Beaver),
    ("raccoons", Keyword::Raccoon),
    ("raccoon", Keyword::Raccoon),
    ("wins", Keyword::Wins),
    ("win", Keyword::Wins),
    ("losses", Keyword::Losses),
    ("loses", Keyword::Losses),
    ("resigns", Keyword::Resign),
    ("resigned", Keyword::Resign),
    ("resign", Keyword::Resign),
    ("concedes", Keyword::Resign),
    ("concede", Keyword::Resign),
    ("forfeits", Keyword::Resign),
    ("forfeited", Keyword::Resign),
    ("forfeit", Keyword::Resign),
    ("timeout", Keyword::Resign),
];

/// Splits a line into rows (nearly always one) and their cells.
pub(super) fn rows(line: &str) -> Vec<TextRow> {
    let chars: Vec<char> = line.chars().collect();
    let heads = heads(&chars);
    let mut rows = vec![TextRow::default()];
    let body =
        |from: usize, to: usize| chars[from..to].iter().collect::<String>().trim().to_owned();
    let before = body(0, heads.first().map_or(chars.len(), |head| head.0));
    note_stray(&mut rows[0], 0, before);
    for (i, (start, end, head)) in heads.iter().enumerate() {
        let next = heads.get(i + 1).map_or(chars.len(), |head| head.0);
        let text = body(*end, next);
        let kind = match head {
            Head::RowNumber(number) => {
                if i > 0 {
                    rows.push(TextRow::default());
                }
                let row = rows.len() - 1;
                rows[row].number = Some(*number);
                note_stray(&mut rows[row], *end, text);
                continue;
            }
            Head::Roll(dice) => CellKind::Roll {
                dice: *dice,
                body: text,
            },
            Head::BadRoll => CellKind::BadRoll {
                text: body(*start, next),
            },
            Head::Word(word) => word.cell(&text),
        };
        let row = rows.len() - 1;
        let blanks = chars[*end..next].iter().take_while(|c| c.is_whitespace());
        rows[row].cells.push(TextCell {
            kind,
            column: *start,
            body_column: *end + blanks.count(),
        });
    }
    rows
}

/// Keeps the first text outside all cells, except known words without meaning.
fn note_stray(row: &mut TextRow, column: usize, text: String) {
    let known = ["cannot move", "????", "???", "-"];
    let lower = text.to_lowercase();
    if !text.is_empty() && !known.contains(&&*lower) && row.stray.is_none() {
        row.stray = Some((column, text));
    }
}

/// Returns whether the text after a roll is a resignation or a loss on time.
pub(super) fn says_given_up(body: &str) -> bool {
    let chars: Vec<char> = body.chars().collect();
    matches!(head_at(&chars, 0), Some((_, Head::Word(Keyword::Resign))))
}

/// Returns the start of each row number and cell, the end of its first word, and its kind.
fn heads(chars: &[char]) -> Vec<(usize, usize, Head)> {
    let mut heads: Vec<(usize, usize, Head)> = Vec::new();
    let last_close = chars.iter().rposition(|&c| c == ')').unwrap_or(0);
    let mut i = 0;
    while i < chars.len() {
        if chars[i] == '(' && i < last_close {
            // Text in brackets, such as the position after an illegal play, is not a cell.
            i += chars[i..].iter().position(|&c| c == ')').unwrap_or(0) + 1;
            continue;
        }
        let boundary = i == 0 || chars[i - 1].is_whitespace() || chars[i - 1] == ')';
        if !boundary {
            i += 1;
            continue;
        }
        let found = head_at(chars, i).or_else(|| bad_roll(chars, &heads, i));
        match found {
            // "62: Concedes" is one cell: the roll was not played.
            Some((_, Head::Word(Keyword::Resign))) if follows_roll(chars, &heads, i) => i += 1,
            Some((end, head)) => {
                heads.push((i, end, head));
                i = end.max(i + 1);
            }
            None => i += 1,
        }
    }
    heads
}

fn follows_roll(chars: &[char], heads: &[(usize, usize, Head)], at: usize) -> bool {
    match heads.last() {
        Some((_, end, Head::Roll(_))) => {
            at - end <= 2 && chars[*end..at].iter().all(|c| c.is_whitespace())
        }
        _ => false,
    }
}

/// Returns a roll with unreadable dice in a numbered row: a letter for a digit, a digit too many or too few,
/// no colon, or a play without dice. The text before the play, if any, is short.
fn bad_roll(chars: &[char], heads: &[(usize, usize, Head)], at: usize) -> Option<(usize, Head)> {
    let is_numbered = matches!(heads.first(), Some((_, _, Head::RowNumber(_))));
    let (_, before, last) = heads.last()?;
    if !is_numbered || chars[at].is_whitespace() {
        return None;
    }
    let gap = chars[..at].iter().rev().take_while(|c| c.is_whitespace());
    let gap = gap.count();
    let is_first = matches!(last, Head::RowNumber(_)) && before + gap == at;
    if is_step(chars, at) {
        let is_bare = is_first || gap >= WIDE_GAP.len() && before + gap < at;
        return is_bare.then_some((at, Head::BadRoll));
    }
    let word = chars[at..].iter().take_while(|c| !c.is_whitespace());
    let word: Vec<char> = word.copied().take(MOST_OF_DICE + 2).collect();
    let is_of_dice = |c: &char| c.is_alphanumeric() || matches!(c, '?' | '-');
    let has_digit = |part: &[char]| part.iter().any(char::is_ascii_digit);
    let follows = |from: usize| {
        let blanks = chars[from..].iter().take_while(|c| c.is_whitespace());
        from + blanks.count()
    };
    // `6S:`, `6:`, `651:`, and with a blank `6 5:` and `65 :`.
    let colon = (at..chars.len().min(at + MOST_OF_DICE + 2)).find(|&i| chars[i] == ':');
    if let Some(colon) = colon.filter(|&colon| colon > at) {
        let dice = &chars[at..colon];
        let (blanks, signs): (Vec<char>, Vec<char>) = dice.iter().partition(|c| **c == ' ');
        let is_short = blanks.is_empty() && signs.len() <= MOST_OF_DICE
            || blanks.len() == 1 && signs.len() == 2;
        let next = follows(colon + 1);
        let is_all = next > colon + 1 || next == chars.len();
        if is_short && signs.iter().all(is_of_dice) {
            let is_play = is_step(chars, next);
            let is_roll = is_play || is_all && has_digit(&signs);
            return is_roll.then_some((colon + 1, Head::BadRoll));
        }
    }
    // `65 24/13`, `65; 24/13`.
    let is_short = word.len() <= MOST_OF_DICE && has_digit(&word);
    let is_plain = !word
        .iter()
        .any(|c| matches!(c, '/' | '-' | '(' | ')' | '*'));
    let next = follows(at + word.len());
    (is_short && is_plain && is_step(chars, next)).then_some((at + word.len(), Head::BadRoll))
}

/// Returns whether a step such as `8/5` or `bar/20*` begins at `at`.
fn is_step(chars: &[char], at: usize) -> bool {
    let word = chars[at..].iter().take_while(|c| !c.is_whitespace());
    let word: String = word.take(MOST_OF_STEP).collect();
    let is_place = |place: &str| {
        let place = place.trim_matches('*').to_ascii_lowercase();
        let is_number = (1..=2).contains(&place.len()) && place.bytes().all(|c| c.is_ascii_digit());
        is_number || matches!(&*place, "bar" | "off")
    };
    let mut places = word.split(['/', '(']);
    word.contains('/') && places.next().is_some_and(is_place) && places.next().is_some_and(is_place)
}

fn head_at(chars: &[char], at: usize) -> Option<(usize, Head)> {
    let rest = &chars[at..];
    let digits = rest.iter().take_while(|c| c.is_ascii_digit()).count();
    let digit = |i: usize| rest[i] as u8 - b'0';
    if digits > 0 {
        return match rest.get(digits) {
            Some(':') if digits == 2 => Some((at + 3, Head::Roll([digit(0), digit(1)]))),
            Some(')') if digits <= 5 => {
                let number = (0..digits).fold(0, |n, i| n * 10 + u32::from(digit(i)));
                Some((at + digits + 1, Head::RowNumber(number)))
            }
            _ => None,
        };
    }
    let letters = rest.iter().take_while(|c| c.is_ascii_alphabetic()).count();
    if !(3..=9).contains(&letters) {
        return None;
    }
    let word: String = rest[..letters]
        .iter()
        .map(char::to_ascii_lowercase)
        .collect();
    if let Some((_, keyword)) = WORDS.iter().find(|(written, _)| *written == word) {
        return Some((at + letters, Head::Word(*keyword)));
    }
    let continues_with = |phrase: &str| {
        let text = rest[letters..].iter().take(phrase.len());
        text.map(char::to_ascii_lowercase).eq(phrase.chars())
    };
    let mut phrases = PHRASES.iter().filter(|(first, _, _)| *first == word);
    let (_, others, keyword) = phrases.find(|(_, others, _)| continues_with(others))?;
    Some((at + letters + others.len(), Head::Word(*keyword)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(line: &str) -> Vec<(usize, CellKind)> {
        let rows = rows(line);
        let cells = rows.into_iter().flat_map(|row| row.cells);
        cells.map(|cell| (cell.column, cell.kind)).collect()
    }

    fn roll(a: u8, b: u8, body: &str) -> CellKind {
        CellKind::Roll {
            dice: [a, b],
            body: body.to_owned(),
        }
    }

    #[test]
    fn cells_are_found_by_their_first_word() {
        assert_eq!(
            cells("  1) 52: 24/22 13/8              61: 13/7 8/7"),
            [(5, roll(5, 2, "24/22 13/8")), (33, roll(6, 1, "13/7 8/7"))]
        );
        assert_eq!(
            cells(" 26) 11: 18/17 17/16 16/15 15/14 12: 25/24 20/18"),
            [
                (5, roll(1, 1, "18/17 17/16 16/15 15/14")),
                (33, roll(1, 2, "25/24 20/18"))
            ]
        );
        assert_eq!(
            cells("  6) 44: 13/9(2)24/20(2) 31: 8/5"),
            [(5, roll(4, 4, "13/9(2)24/20(2)")), (25, roll(3, 1, "8/5"))]
        );
        assert_eq!(
            cells("  7)  Doubles ==> 4               Takes"),
            [(6, CellKind::Double { to: Some(4) }), (34, CellKind::Take)]
        );
        assert_eq!(
            cells("      Wins 12 points and the match"),
            [(6, CellKind::Wins { points: Some(12) })]
        );
        assert_eq!(cells(" 27)       "), []);
        assert_eq!(
            cells(" 3) 61: Cannot Move"),
            [(4, roll(6, 1, "Cannot Move"))]
        );
    }

    #[test]
    fn a_roll_may_say_that_it_was_not_played() {
        assert_eq!(cells(" 3) 62: Concedes"), [(4, roll(6, 2, "Concedes"))]);
        assert_eq!(
            cells(" 3) 62: 8/2              Concedes"),
            [(4, roll(6, 2, "8/2")), (25, CellKind::Resign)]
        );
        assert_eq!(
            cells(" 3) 62: Illegal play (0;Wins 31: x;)  42: 8/4"),
            [
                (4, roll(6, 2, "Illegal play (0;Wins 31: x;)")),
                (38, roll(4, 2, "8/4"))
            ]
        );
    }

    #[test]
    fn a_roll_that_cannot_be_read_is_a_cell() {
        let bad = |text: &str| CellKind::BadRoll {
            text: text.to_owned(),
        };
        let second = (33, roll(6, 1, "13/7 8/7"));
        for dice in [
            "6S:", "6:", "651:", "lS:", "65", "65;", "6 5:", "65 :", "6-5:", "",
        ] {
            let text = format!("{dice} 24/13").trim_start().to_owned();
            let left = format!("  2) {text:28}61: 13/7 8/7");
            assert_eq!(cells(&left), [(5, bad(&text)), second.clone()], "{left}");
            let right = format!("  2) 61: 13/7 8/7                {text}");
            assert_eq!(
                cells(&right),
                [(5, roll(6, 1, "13/7 8/7")), (33, bad(&text))],
                "{right}"
            );
        }
        assert_eq!(cells("  2) 6S:"), [(5, bad("6S:"))]);
        // A play, a remark and a time are not rolls.
        for none in [
            "  2) 61: 13/7 8/7 6/5",
            "  2) well: he plays",
            "  2) 1:05 left",
        ] {
            let found = cells(none);
            let is_bad = |cell: &(usize, CellKind)| matches!(cell.1, CellKind::BadRoll { .. });
            assert!(!found.iter().any(is_bad), "{found:?}");
        }
    }

    #[test]
    fn a_row_number_inside_a_row_starts_another() {
        let rows = rows(" 24) 43: 8/4      24)  Losses 2 point      Wins 2 point");
        assert_eq!(rows.len(), 2);
        assert_eq!(rows[1].number, Some(24));
        assert_eq!(rows[1].cells.len(), 2);
        assert_eq!(rows[1].cells[0].kind, CellKind::Losses);
    }

    #[test]
    fn text_outside_cells_is_kept_for_the_warning() {
        assert_eq!(
            rows("hello world")[0].stray,
            Some((0, "hello world".to_owned()))
        );
        assert_eq!(rows(" 3) Cannot Move")[0].stray, None);
        assert_eq!(
            rows(" 3) what  31: 8/5")[0].stray,
            Some((3, "what".to_owned()))
        );
    }
}
