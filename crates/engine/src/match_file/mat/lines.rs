//! The lines of match text outside the rows: comments and tags, the match line, game and score lines.

use crate::game::Player;
use crate::match_file::length::MatchLength;
use crate::match_file::start::Start;
use crate::match_file::text::clean;
use crate::notation::LARGEST_CUBE_POWER;
use crate::notation::xgid::{self, position_of};

/// Returns the text of a comment line (`;` or `#` first), or of a line in a box as some archives put at the
/// top (`| … |`, `+---+`).
pub(super) fn comment(line: &str) -> Option<&str> {
    let line = line.trim();
    match line.chars().next()? {
        ';' | '#' => Some(line[1..].trim()),
        '|' => Some(line.trim_matches(|c: char| c == '|' || c.is_whitespace())),
        '+' if line.starts_with("+--") => Some(""),
        _ => None,
    }
}

/// Parses `[Key "value"]` in a comment.
pub(super) fn tag(comment: &str) -> Option<(String, String)> {
    let inner = comment.strip_prefix('[')?.trim_end().strip_suffix(']')?;
    let (key, value) = inner.split_once('"')?;
    let value = value.trim_end().strip_suffix('"').unwrap_or(value);
    let key = clean(key);
    (!key.is_empty()).then(|| (key, clean(value)))
}

/// Returns the length in a line `N point match` or `Match of N points`. Only brackets may follow, because
/// other text makes it a sentence.
pub(super) fn match_line(line: &str) -> Option<MatchLength> {
    let line = line.trim().to_ascii_lowercase();
    let length = ["match of ", "match to "]
        .iter()
        .find_map(|head| line.strip_prefix(head));
    if let Some(length) = length {
        let mut words = length.split_whitespace();
        let length = MatchLength::parse(words.next()?)?;
        let unit = words.next()?.trim_end_matches(['.', ':', ',']);
        let ends = words.next().is_none_or(|word| word.starts_with('('));
        return (matches!(unit, "point" | "points") && ends).then_some(length);
    }
    let digits = line.chars().take_while(char::is_ascii_digit).count();
    let length = MatchLength::parse(&line[..digits])?;
    let mut words = line[digits..].split_whitespace();
    let point = matches!(words.next()?, "point" | "points");
    let is_match = words.next()?.trim_end_matches(['.', ':', ',']) == "match";
    let ends = words.next().is_none_or(|word| word.starts_with('('));
    (point && is_match && ends).then_some(length)
}

/// Returns the number in a line `Game N`; 0 if it is too large.
pub(super) fn game_line(line: &str) -> Option<u32> {
    let mut words = line.split_whitespace();
    let game = words.next()?;
    let number = words.next()?.trim_end_matches([':', '.']);
    let is_game = game.eq_ignore_ascii_case("game")
        && words.next().is_none()
        && !number.is_empty()
        && number.bytes().all(|b| b.is_ascii_digit());
    is_game.then(|| number.parse().unwrap_or(0))
}

/// A score line: `anna : 0      ben : 3`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ScoreLine {
    pub(super) names: [String; 2],
    pub(super) points: [u16; 2],
    /// Column of the right name, from 0.
    pub(super) right_column: usize,
}

/// Parses a score line: twice a name (which may be empty or contain colons), a colon and a number. A remark
/// in brackets may follow.
pub(super) fn score_line(line: &str) -> Option<ScoreLine> {
    // A position is not a score line.
    if xgid::mark(line).is_some() {
        return None;
    }
    let line = line.trim_end();
    let bare = line
        .strip_suffix(')')
        .and_then(|line| line.rsplit_once('('));
    scores(line).or_else(|| scores(bare?.0))
}

fn scores(line: &str) -> Option<ScoreLine> {
    let chars: Vec<char> = line.trim_end().chars().collect();
    // The right score ends the line.
    let (colon, end, right) = score_at(&chars, chars.iter().rposition(|&c| c == ':')?)?;
    if end != chars.len() {
        return None;
    }
    // The left score is the first number after a colon that is followed by a wide gap, or else the first that
    // is followed by a blank.
    let halves = || {
        (0..colon)
            .filter(|&i| chars[i] == ':')
            .filter_map(|i| score_at(&chars, i))
            .filter(|&(_, end, _)| end < colon || chars[colon - 1] == ' ')
            .filter(|&(_, end, _)| end <= colon)
    };
    let gap = |end: usize, width: usize| {
        end + width <= chars.len() && chars[end..end + width].iter().all(|c| c.is_whitespace())
    };
    let (left_colon, left_end, left) = halves()
        .find(|&(_, end, _)| gap(end, 2))
        .or_else(|| halves().find(|&(_, end, _)| gap(end, 1)))
        // GNU Backgammon writes no blank after a long name.
        .or_else(|| halves().next())?;
    let name = |range: &[char]| clean(&range.iter().collect::<String>());
    let blanks = chars[left_end..colon]
        .iter()
        .take_while(|c| c.is_whitespace())
        .count();
    Some(ScoreLine {
        names: [name(&chars[..left_colon]), name(&chars[left_end..colon])],
        points: [left, right],
        right_column: left_end + blanks,
    })
}

/// Returns the colon's place, the end of the number after it, and the number.
fn score_at(chars: &[char], colon: usize) -> Option<(usize, usize, u16)> {
    let blanks = chars[colon + 1..]
        .iter()
        .take_while(|c| c.is_whitespace())
        .count();
    let start = colon + 1 + blanks;
    let digits: String = chars[start..]
        .iter()
        .take_while(|c| c.is_ascii_digit())
        .take(6)
        .collect();
    let value = digits.parse().ok()?;
    Some((colon, start + digits.len(), value))
}

/// Parses the start in a remark `Set Pos=BOARD/n`, from the text after the sign: an XGID's 26 characters,
/// with the left player at the bottom. A complete XGID also contains the cube.
pub(super) fn set_position(text: &str) -> Option<Start> {
    let (id, is_whole) = match text.strip_prefix("XGID=") {
        Some(id) => (id, true),
        None => (text, false),
    };
    let board = position_of(id.split(['/', ':', ' ']).next().unwrap_or(""));
    let board = board.filter(|board| !board.is_over());
    let mut fields = id.split(':').skip(1).map(|f| f.trim().parse::<i32>().ok());
    let power = fields
        .next()
        .flatten()
        .filter(|p| (0..=LARGEST_CUBE_POWER as i32).contains(p));
    let owner = match fields.next().flatten() {
        Some(1) => Some(Player::Left),
        Some(-1) => Some(Player::Right),
        _ => None,
    };
    let power = power.filter(|_| is_whole).unwrap_or(0);
    Some(Start {
        board: board?,
        cube: 1 << power,
        owner: owner.filter(|_| is_whole),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn match_and_game_lines() {
        let points = |line: &str| match_line(line).map(|length| length.points);
        assert_eq!(points(" 7 point match"), Some(7));
        assert_eq!(points("0 Point Match  "), Some(0));
        assert_eq!(points("99999 point match"), Some(0));
        assert_eq!(points("7point match"), Some(7));
        assert_eq!(points("7 point match (Crawford)."), Some(7));
        assert_eq!(points(" Match of 7 points"), Some(7));
        assert_eq!(points("match to 1 point (Crawford)"), Some(1));
        assert_eq!(points("Match of 7 points was long"), None);
        assert_eq!(points("Match of the day"), None);
        assert_eq!(points("7 point match, what is your play?"), None);
        assert_eq!(points("7 point matches are long"), None);
        assert_eq!(points("point match"), None);
        assert_eq!(points("Score is 1-2 in a 7 point match."), None);
        assert_eq!(points("99999999999999 point match"), Some(0));
        assert_eq!(game_line(" Game 12 "), Some(12));
        assert_eq!(game_line("Game over"), None);
        assert_eq!(game_line(" Game 1 : 0   Game 2 : 0"), None);
    }

    #[test]
    fn score_lines() {
        let line = |text: &str| {
            let s = score_line(text).expect(text);
            let [l, r] = s.names;
            (l, s.points[0], r, s.points[1], s.right_column)
        };
        let expect = |l: &str, a, r: &str, b, c| (l.to_owned(), a, r.to_owned(), b, c);
        assert_eq!(
            line(" anna : 0          ben : 12"),
            expect("anna", 0, "ben", 12, 19)
        );
        assert_eq!(line("anna: 3   ben: 4  "), expect("anna", 3, "ben", 4, 10));
        assert_eq!(line(" kai,1659 : 0  : 0"), expect("kai,1659", 0, "", 0, 15));
        assert_eq!(
            line(" a: 3 b : 1      c : 2"),
            expect("a: 3 b", 1, "c", 2, 17)
        );
        assert_eq!(
            line("Kévin UNGER Nicolas HARMAND : 0FRIEBE JACOBI : 11"),
            expect("Kévin UNGER Nicolas HARMAND", 0, "FRIEBE JACOBI", 11, 31)
        );
        assert_eq!(line(" : 1 x : 2"), expect("", 1, "x", 2, 5));
        assert_eq!(line("a : 1   b : 2 (Crawford)"), expect("a", 1, "b", 2, 8));
        for bad in [
            "",
            "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:3:6:0:11:10",
            ":",
            " 1) 31: 8/5 6/5",
            "anna : 0",
            "anna : 0  ben",
            "a : 99999999 b : 1",
        ] {
            assert_eq!(score_line(bad), None, "{bad}");
        }
    }

    #[test]
    fn comments_and_tags() {
        assert_eq!(comment(" ; hello "), Some("hello"));
        assert_eq!(comment("| Remarks: x |"), Some("Remarks: x"));
        assert_eq!(comment(" 1) 31: 8/5"), None);
        let pair = |k: &str, v: &str| Some((k.to_owned(), v.to_owned()));
        assert_eq!(
            tag("[Event \"a \"big\" one \"] "),
            pair("Event", "a \"big\" one")
        );
        assert_eq!(tag("[Player 2 \"\"]"), pair("Player 2", ""));
        assert_eq!(tag("plain"), None);
    }

    #[test]
    fn set_positions() {
        let opening = set_position("-b----E-C---eE---c-e----B-/1");
        assert_eq!(opening, Some(Start::default()));
        let doubled = set_position("XGID=-b----E-C---eE---c-e----B-:1:-1:1:00:0:0:0:0:10");
        let right = Some(Player::Right);
        assert_eq!(doubled.map(|s| (s.cube, s.owner)), Some((2, right)));
        assert_eq!(set_position("-b--/1"), None);
    }
}
