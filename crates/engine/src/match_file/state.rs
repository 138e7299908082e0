//! Checks on states that are read from files.

use crate::game::GameState;
use crate::notation::{parse_id, xgid_text};

/// Returns whether an XGID can represent a state: the score in a binary file may exceed the length of the
/// match.
pub(super) fn is_sound(state: &GameState) -> bool {
    parse_id(&xgid_text(state)).is_ok()
}

/// Returns why a state of an identifier is impossible or cannot be written again; `None` if there is no
/// problem.
pub(super) fn problem(state: &GameState) -> Option<String> {
    match state.check() {
        Err(why) => Some(why.to_string()),
        Ok(()) => (!is_sound(state)).then(|| "its score cannot be".to_owned()),
    }
}
