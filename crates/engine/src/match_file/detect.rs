//! Detects the format of a file by its content. Extensions are unreliable: `.txt` is usually match text,
//! `.xg` may be match text, and `.match` has two unrelated meanings.
//!
//! Formats without a reader are detected too, so that the error can name them.

use super::mat::{is_game_line, is_match_line};
use super::{position_ids, positions};
use crate::notation::{drawn_boards, looks_like_id, parse_id, xgid};

/// A file format of a backgammon program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// Jellyfish match text and its dialects.
    Mat,
    /// eXtreme Gammon's binary match or position.
    ExtremeGammon,
    /// Smart Game Format, as GNU Backgammon writes it.
    Sgf,
    /// BGBlitz binary.
    BgBlitz,
    /// JavaFIBS replay.
    JavaFibs,
    /// bgammon.org replay.
    Bgammon,
    /// BackgammonRoom text.
    BackgammonRoom,
    /// PartyGammon.
    PartyGammon,
    /// A position exported as text by eXtreme Gammon or BGBlitz.
    PositionText,
    /// GNU Backgammon's text export of an analysis.
    GnubgText,
    /// A Snowie position line.
    SnowiePosition,
    /// GamesGrid's own format.
    GamesGrid,
    /// TrueMoneyGames.
    TrueMoneyGames,
    FibsOldmoves,
    /// Jellyfish or GammonEmpire single game.
    SingleGame,
    /// Berliner's BKG.
    Bkg,
    JellyfishPosition,
    /// A single identifier, such as an XGID or a GNUBG ID.
    Identifier,
    /// Identifiers, one per line.
    PositionList,
    /// Luckless's own format.
    Json,
    /// The match format of OpenGammon and HedgeHog, binary or as JSON.
    Ogxm,
    /// GammonView's JSON, a variant of OGXM.
    GammonView,
}

impl Format {
    /// Returns the name of the format in messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Mat => "match text (.mat)",
            Self::ExtremeGammon => "eXtreme Gammon file (.xg)",
            Self::Sgf => "SGF game record (.sgf)",
            Self::BgBlitz => "BGBlitz file (.bgf)",
            Self::JavaFibs => "JavaFIBS replay (.match)",
            Self::Bgammon => "bgammon.org replay (.match)",
            Self::BackgammonRoom => "BackgammonRoom game (.bgf)",
            Self::PartyGammon => "PartyGammon game (.gam)",
            Self::PositionText => "position exported as text",
            Self::GnubgText => "analysis exported as text by GNU Backgammon",
            Self::SnowiePosition => "Snowie position",
            Self::GamesGrid => "GamesGrid match (.sgg)",
            Self::TrueMoneyGames => "TrueMoneyGames match (.tmg)",
            Self::FibsOldmoves => "FIBS oldmoves record",
            Self::SingleGame => "Jellyfish game (.gam)",
            Self::Bkg => "BKG game",
            Self::JellyfishPosition => "Jellyfish position (.pos)",
            Self::Identifier => "position identifier",
            Self::PositionList => "list of positions",
            Self::Json => "match of this program (.json)",
            Self::Ogxm => "OGXM match of OpenGammon or HedgeHog",
            Self::GammonView => "GammonView match (.gva)",
        }
    }

    /// Returns the name with its article: `an SGF game record (.sgf)`.
    pub(super) fn with_article(self) -> String {
        let article = match self {
            Self::Mat => return self.name().to_owned(),
            Self::ExtremeGammon | Self::Sgf | Self::GnubgText | Self::Ogxm => "an",
            _ => "a",
        };
        format!("{article} {}", self.name())
    }
}

/// Detects formats that the bytes alone identify.
pub(super) fn by_bytes(bytes: &[u8]) -> Option<Format> {
    let head = &bytes[..bytes.len().min(512)];
    if bytes.starts_with(b"RGMH") {
        return Some(Format::ExtremeGammon);
    }
    let holds = |mark: &[u8]| head.windows(mark.len()).any(|window| window == mark);
    let first = head
        .iter()
        .find(|b| !b.is_ascii_whitespace() && !b"\xef\xbb\xbf".contains(b));
    if first == Some(&b'{') && holds(super::json::MARK.as_bytes()) {
        return Some(Format::Json);
    }
    if bytes.starts_with(b"{") && (holds(b"\"compression\"") || holds(b"\x1f\x8b")) {
        return Some(Format::BgBlitz);
    }
    if bytes.starts_with(b"OGXM") {
        return Some(Format::Ogxm);
    }
    // Another program may have sorted the keys, so that a mark comes after the games.
    let marks = |mark: &str| {
        let mut windows = bytes.windows(mark.len());
        first == Some(&b'{') && windows.any(|window| window == mark.as_bytes())
    };
    if marks(super::json::MARK) {
        return Some(Format::Json);
    }
    if marks("\"player_white\"") && marks("\"match_length\"") {
        let is_ogxm = marks("\"ogxm\"");
        return Some(if is_ogxm {
            Format::Ogxm
        } else {
            Format::GammonView
        });
    }
    // GNU Backgammon's files have 162 bytes.
    if (150..=400).contains(&bytes.len()) && matches!(bytes[..2], [124..=126, 0]) {
        return Some(Format::JellyfishPosition);
    }
    None
}

/// Detects a text format by the first 2,000 lines.
pub(super) fn by_lines(lines: &[String]) -> Option<Format> {
    let lines = &lines[..lines.len().min(2000)];
    let filled: Vec<&str> = lines
        .iter()
        .map(|line| line.trim())
        .filter(|line| !line.is_empty())
        .collect();
    let first = *filled.first()?;
    let second = filled.get(1).copied().unwrap_or("");
    if let Some(format) = by_first_lines(first, second) {
        return Some(format);
    }
    let holds = |mark: &str| lines.iter().any(|line| line.contains(mark));
    // Above positions, a match line gives the score.
    let has_xgid = lines.iter().any(|line| xgid::mark(line).is_some());
    let is_heading = has_xgid && !lines.iter().any(|line| is_game_line(line));
    if !is_heading && lines.iter().any(|line| is_match_line(line)) {
        return Some(Format::Mat);
    }
    // After the check for a match line: match text may have such a heading.
    if let [_, "vs.", _] = first.split_whitespace().collect::<Vec<_>>()[..] {
        return Some(Format::GamesGrid);
    }
    if filled.len() == 1 && first.len() <= 120 && parse_id(first).is_ok() {
        Some(Format::Identifier)
    } else if positions::is_list(&filled) {
        Some(Format::PositionList)
    } else if has_xgid {
        Some(Format::PositionText)
    } else if holds("GNU Backgammon")
        && (holds("Position ID") || lines.iter().any(|line| position_ids::has_position_id(line)))
    {
        Some(Format::GnubgText)
    } else if filled.len() == 1 && first.matches(';').count() >= 38 {
        Some(Format::SnowiePosition)
    } else if filled.iter().any(|line| is_fibs(line)) {
        Some(Format::FibsOldmoves)
    } else if second.starts_with("1)") && first.split_whitespace().count() == 2 {
        Some(Format::SingleGame)
    } else if filled.len() == 1 && looks_like_id(first) {
        // It cannot be read; reading reports the reason.
        Some(Format::Identifier)
    } else if drawn_boards(lines).next().is_some() {
        Some(Format::PositionText)
    } else {
        None
    }
}

fn by_first_lines(first: &str, second: &str) -> Option<Format> {
    let starts = |line: &str, start: &str| {
        line.get(..start.len())
            .is_some_and(|head| head.eq_ignore_ascii_case(start))
    };
    if let Some(tree) = first.strip_prefix('(') {
        let node = tree.trim_start();
        if node.starts_with(';') || (node.is_empty() && second.starts_with(';')) {
            return Some(Format::Sgf);
        }
    }
    let known = [
        ("JavaFIBS internal match", Format::JavaFibs),
        ("bgammon-replay ", Format::Bgammon),
        ("BGF version", Format::BackgammonRoom),
        ("boardid=", Format::PartyGammon),
        ("MatchID:", Format::TrueMoneyGames),
    ];
    for (start, format) in known {
        if starts(first, start) {
            return Some(format);
        }
    }
    let words: Vec<&str> = first.split_whitespace().collect();
    match words[..] {
        ["Black" | "White", a, b, ..] if a.len() == 1 && b.len() == 1 => Some(Format::Bkg),
        _ => None,
    }
}

/// Returns whether a line looks like `Score is 1-2 in a 7 point match`.
fn is_fibs(line: &str) -> bool {
    line.starts_with("Score is ")
        && (line.contains(" point match") || line.contains("unlimited"))
        && !line.contains("X:")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_told_apart_by_content() {
        let by_text = |text: &str| {
            let lines: Vec<String> = text.lines().map(str::to_owned).collect();
            by_lines(&lines)
        };
        for (text, format) in [
            ("; [Site \"x\"]\n\n 7 point match\n", Format::Mat),
            ("0 Point Match", Format::Mat),
            ("(;FF[4]GM[6]CA[UTF-8])", Format::Sgf),
            (
                "JavaFIBS internal match representation v1.1\n",
                Format::JavaFibs,
            ),
            ("bgammon-replay 00000123", Format::Bgammon),
            ("BGF version 1.2", Format::BackgammonRoom),
            ("Bob vs. Anna\n", Format::GamesGrid),
            ("Bob vs. Anna\n\n 9 point match\n", Format::Mat),
            (
                "Score is 1-2 in a 7 point match.\nx is X - y is O",
                Format::FibsOldmoves,
            ),
            (
                "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10",
                Format::Identifier,
            ),
            (
                "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10\n\nX:a O:b\n",
                Format::PositionText,
            ),
            ("4HPwATDgc/ABMA\n", Format::Identifier),
        ] {
            assert_eq!(by_text(text), Some(format), "{text}");
        }
        assert_eq!(by_text("Dear diary"), None);
        assert_eq!(by_text(""), None);
        assert_eq!(by_bytes(b"RGMH\x01"), Some(Format::ExtremeGammon));
        let sorted = format!("{{\"games\":[{}],\"luckless\":\"match\"}}", " ".repeat(999));
        assert_eq!(by_bytes(sorted.as_bytes()), Some(Format::Json));
        let foreign = br#"{"match_length": 5, "player_white": "Ann", "games": []}"#;
        assert_eq!(by_bytes(foreign), Some(Format::GammonView));
        let foreign = br#"{"games":[],"match_length":5,"ogxm":{"major":2},"player_white":"Ann"}"#;
        assert_eq!(by_bytes(foreign), Some(Format::Ogxm));
        assert_eq!(by_bytes(b"OGXM\x02\0\0\0\x02"), Some(Format::Ogxm));
    }
}
