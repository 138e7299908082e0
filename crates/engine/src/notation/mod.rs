//! How players write things down: plays (`13/11*/9`), XGIDs, GNUBG position and match IDs, OGIDs,
//! boards of FIBS.
//!
//! Everything here is text in, value out, and the other way round; no files. Whatever a user or a
//! file writes is taken leniently, and what cannot be taken is answered by the character at which
//! it goes wrong and by the reason.
//!
//! [`parse_id`] is the one parser of positions: every place of the program that takes one takes all
//! forms. [`parse_possible_id`] also refuses a score and a cube that no game leads to.

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

/// Reads a position in any of the forms in use. These are an XGID (with or without `XGID=`), a GNUBG position
/// ID alone or with a match ID behind a colon, an OGID, or a `board:` line of FIBS. It may stand in the
/// middle of a text in any language; without it the board that XG draws in its texts is read. The state is
/// that of the player whose decision it is. A position ID alone is money play, before the roll. Characters that
/// nobody sees, as web pages and chats put them around words, are left out, and not counted in the columns of errors.
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
/// An [`IdError`] that names the character and the reason.
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
        // Of a position ID alone the parser itself names what is wrong.
        Some(found) if text.trim().contains(char::is_whitespace) => found,
        None if xg_board::looks_like(text) => xg_board::parse(text),
        _ => gnubg_id::parse(text),
    }
}

/// Reads a position as [`parse_id`] does, from what a user writes: a score and a cube that no game leads to
/// are refused.
///
/// # Errors
/// An [`IdError`] that says what is wrong.
pub fn parse_possible_id(text: &str) -> Result<GameState, IdError> {
    let state = parse_id(text)?;
    state.check()?;
    Ok(state)
}

/// Whether `text` is meant to be a position and not, say, the path of a file.
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

/// The lines, from 0, of the rulers above the boards that eXtreme Gammon drew.
pub fn drawn_boards<'a>(lines: &'a [impl AsRef<str>]) -> impl Iterator<Item = usize> + 'a {
    xg_board::drawings(lines)
}

/// Reads the first board that eXtreme Gammon drew, whatever else is in the text.
///
/// # Errors
/// An [`IdError`].
pub fn parse_drawn_board(text: &str) -> Result<GameState, IdError> {
    xg_board::parse(text)
}

/// Reads the board that GNU Backgammon sends to an external player, which orders the points another way than
/// FIBS does. The state is that of the player who is asked.
///
/// # Errors
/// An [`IdError`] that names the character and the reason.
pub fn parse_gnubg_board(text: &str) -> Result<GameState, IdError> {
    fibs_board::parse_gnubg(text)
}

/// The board of a state as GNU Backgammon reads it from a program that asks it. Rules are no part of it.
pub fn gnubg_board_text(state: &GameState) -> String {
    fibs_board::gnubg_text(state)
}

/// The XGID of a state, drawn with the player on roll at the bottom.
pub fn xgid_text(state: &GameState) -> String {
    Xgid::new(*state).to_string()
}

#[cfg(test)]
mod tests;
