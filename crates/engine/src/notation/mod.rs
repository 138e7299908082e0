//! Players' notation: plays (`13/11*/9`), XGIDs, GNUBG position and match IDs, OGIDs, and FIBS boards.
//!
//! This module converts between text and values; it reads no files. Reading is lenient, and errors contain
//! the column of the fault and the reason.
//!
//! [`parse_id`] parses a position in any form; the whole program uses it. [`parse_possible_id`] also refuses
//! impossible scores and cubes.

mod block;
mod fibs_board;
mod field;
pub mod gnubg_id;
mod id_error;
pub mod ogid;
pub mod play;
mod shown;
mod spoken;
pub mod written;
mod xg_board;
pub mod xgid;

pub use gnubg_id::{match_id, position_id};
pub use id_error::IdError;
pub use play::{NO_PLAY, PlayError, play_text};
pub use shown::shown;
pub use spoken::spoken;
pub use written::{WrittenPlay, parse_play};
pub use xgid::Xgid;
pub use xgid::{LARGEST_CUBE_POWER, LONGEST_MATCH};

use crate::game::GameState;
use crate::sanitize;

/// Parses a position in any supported form: an XGID (with or without `XGID=`), a GNUBG position ID alone or
/// with a match ID after a colon, an OGID, or a `board:` line of FIBS. It may be inside text in any language.
/// Without an identifier, a board drawn by XG is read. The state is seen by the player to decide. A position
/// ID alone means money play before the roll. Invisible characters, which web pages and chats add, are
/// removed and not counted in the columns of errors.
///
/// ```
/// use luckless_engine::game::Position;
/// use luckless_engine::notation::parse_id;
/// let state = parse_id("4HPwATDgc/ABMA").unwrap();
/// assert_eq!(state.position, Position::opening());
/// assert!(parse_id("XGID=-b----E-C---eE---c-e----B-:0:0:1:07:0:0:0:0:10").is_err());
/// ```
///
/// # Errors
/// An [`IdError`] with the column and the reason.
pub fn parse_id(text: &str) -> Result<GameState, IdError> {
    let text = &*sanitize::clean_lines(text);
    if xgid::looks_like(text) {
        return Xgid::parse(text).map(|id| id.state);
    }
    if ogid::looks_like(text) {
        return ogid::parse(text);
    }
    if fibs_board::looks_like(text) {
        return fibs_board::parse(text);
    }
    match block::find(text) {
        // For a position ID alone, its own parser reports the error.
        Some(found) if text.trim().contains(char::is_whitespace) => found,
        None if xg_board::looks_like(text) => xg_board::parse(text),
        _ => gnubg_id::parse(text),
    }
}

/// Parses a position given by the user, as [`parse_id`] does, but refuses impossible scores and cubes.
///
/// # Errors
/// An [`IdError`] with the reason.
pub fn parse_possible_id(text: &str) -> Result<GameState, IdError> {
    let state = parse_id(text)?;
    state.check()?;
    Ok(state)
}

/// Returns whether `text` looks like a position rather than, say, the path of a file.
pub fn looks_like_id(text: &str) -> bool {
    let text = sanitize::clean_lines(text);
    let text = text.trim();
    let base64 = |c: char| c.is_ascii_alphanumeric() || c == '+' || c == '/';
    let gnubg = || {
        let (board, rest) = text.split_at_checked(14)?;
        let rest = rest.strip_prefix(':').unwrap_or(rest);
        Some(
            board.chars().chain(rest.chars()).all(base64)
                && (rest.is_empty() || text.contains(':')),
        )
    };
    xgid::has_prefix(text)
        || ogid::looks_like(text)
        || fibs_board::looks_like(text)
        || (text.matches(':').count() >= 8 && !text.contains(' '))
        || gnubg() == Some(true)
        || (text.contains(char::is_whitespace) && block::find(text).is_some())
        || xg_board::looks_like(text)
}

/// Returns the lines, from 0, of the rulers above boards drawn by eXtreme Gammon.
pub fn drawn_boards<'a>(lines: &'a [impl AsRef<str>]) -> impl Iterator<Item = usize> + 'a {
    xg_board::drawings(lines)
}

/// Parses the first board drawn by eXtreme Gammon, ignoring other text.
///
/// # Errors
/// An [`IdError`].
pub fn parse_drawn_board(text: &str) -> Result<GameState, IdError> {
    xg_board::parse(text)
}

/// Parses the board that GNU Backgammon sends to an external player, which orders the points differently from
/// FIBS. The state is seen by the player to decide.
///
/// # Errors
/// An [`IdError`] with the column and the reason.
pub fn parse_gnubg_board(text: &str) -> Result<GameState, IdError> {
    fibs_board::parse_gnubg(text)
}

/// Returns the board line of a state that GNU Backgammon reads as an external request. It does not contain
/// rules.
pub fn gnubg_board_text(state: &GameState) -> String {
    fibs_board::gnubg_text(state)
}

/// Returns the XGID of a state, drawn with the player on roll at the bottom.
pub fn xgid_text(state: &GameState) -> String {
    Xgid::new(*state).to_string()
}

#[cfg(test)]
mod tests;
