//! Which states of a game a file can hold.

use crate::game::GameState;
use crate::notation::{parse_id, xgid_text};

/// Whether a state can come about and be written down again: binary files can hold
/// scores beyond the length of the match.
pub(super) fn is_sound(state: &GameState) -> bool {
    parse_id(&xgid_text(state)).is_ok()
}
