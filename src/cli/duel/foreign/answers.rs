//! Code shared by all protocols: parsing of plays, and error messages.

use crate::duel::{Fault, FaultKind};
use crate::game::{GameState, Position, Roll};
use crate::notation::parse_play;

/// A failure with the peer's text shortened and sanitised.
pub(super) fn fault(kind: FaultKind, what: &str, said: &str) -> Fault {
    let said = crate::sanitize::clean(said.trim());
    let said: String = said.chars().take(60).collect();
    Fault::new(kind, format!("{what}: '{said}'"))
}

/// Parses a play and returns the position after it.
pub(super) fn played(state: &GameState, roll: Roll, text: &str) -> Result<Position, Fault> {
    match parse_play(text, &state.position, roll) {
        Ok(play) => Ok(play.apply(&state.position)),
        Err(_) => Err(fault(FaultKind::Illegal, "an illegal play", text)),
    }
}
