//! How players write things down: plays (`13/11*/9`), XGIDs, GNUBG position and match IDs.
//!
//! Everything here is text in, value out, and the other way round; no files. Whatever a user or a
//! file writes is taken leniently, and what cannot be taken is answered by the character at which
//! it goes wrong and by the reason.
//!
//! [`parse_id`] is the one parser of positions: every place of the program that takes one takes all
//! forms.

pub mod gnubg_id;
mod id_error;
pub mod play;
mod shown;
pub mod written;
pub mod xgid;

pub use gnubg_id::{match_id, position_id};
pub use id_error::IdError;
pub use play::{NO_PLAY, PlayError, play_text};
pub(crate) use shown::shown;
pub use written::{WrittenPlay, parse_play};
pub use xgid::Xgid;

use crate::game::GameState;

/// Reads a position in any of the forms in use: an XGID (with or without `XGID=`, also embedded in
/// a line), a GNUBG position ID, or GNUBG position and match ID joined by a colon. The state is
/// that of the player whose decision it is. A position ID alone is money play, before the roll.
///
/// ```
/// use luckless::game::Position;
/// use luckless::notation::parse_id;
/// let state = parse_id("4HPwATDgc/ABMA").unwrap();
/// assert_eq!(state.position, Position::opening());
/// assert!(parse_id("XGID=-b----E-C---eE---c-e----B-:0:0:1:07:0:0:0:0:10").is_err());
/// ```
///
/// # Errors
/// An [`IdError`] that names the character and the reason.
pub fn parse_id(text: &str) -> Result<GameState, IdError> {
    if xgid::looks_like(text) {
        Xgid::parse(text).map(|id| id.state)
    } else {
        gnubg_id::parse(text)
    }
}

/// The XGID of a state, drawn with the player on roll at the bottom.
#[must_use]
pub fn xgid_text(state: &GameState) -> String {
    Xgid::new(*state).to_string()
}

#[cfg(test)]
mod tests;
