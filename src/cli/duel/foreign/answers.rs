//! What all protocols have in common: plays that are written, and failures in words.

use crate::duel::{Fault, FaultKind};
use crate::game::{GameState, Position, Roll};
use crate::notation::parse_play;

/// A failure with a line in which the peer's words are shortened and made safe.
pub(super) fn fault(kind: FaultKind, what: &str, said: &str) -> Fault {
    let said = crate::sanitize::clean(said.trim());
    let said: String = said.chars().take(60).collect();
    Fault::new(kind, format!("{what}: '{said}'"))
}

/// The position after a play as it is written.
pub(super) fn played(state: &GameState, roll: Roll, text: &str) -> Result<Position, Fault> {
    match parse_play(text, &state.position, roll) {
        Ok(play) => Ok(play.apply(&state.position)),
        Err(_) => Err(fault(FaultKind::Illegal, "an illegal play", text)),
    }
}
