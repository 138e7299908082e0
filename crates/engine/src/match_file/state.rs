//! Which states of a game a file can hold.

use crate::game::GameState;
use crate::notation::{parse_id, xgid_text};

/// Whether a state can be written down again: binary files can hold scores beyond the length of the match.
pub(super) fn is_sound(state: &GameState) -> bool {
    parse_id(&xgid_text(state)).is_ok()
}

/// Why no game leads to the state of an identifier, or why it cannot be written down again; `None` if it can be.
pub(super) fn problem(state: &GameState) -> Option<String> {
    match state.check() {
        Err(why) => Some(why.to_string()),
        Ok(()) => (!is_sound(state)).then(|| "its score cannot be".to_owned()),
    }
}
