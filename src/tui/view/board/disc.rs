//! The sign of a player's checkers.

use crate::game::Player;
use crate::tui::theme::Role;

/// The sign, and how it is coloured.
pub(crate) fn disc(player: Player) -> (&'static str, Role) {
    match player {
        Player::Left => ("●", Role::Left),
        Player::Right => ("○", Role::Right),
    }
}
