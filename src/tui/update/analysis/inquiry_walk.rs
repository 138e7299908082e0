//! Moving through the windows that say why, and what is right at other scores.

use crate::game::GameState;
use crate::game::roll::DISTINCT;
use crate::tui::keys::ActionId;
use crate::tui::rollouts::inquiry::MatrixPlace;

/// Moves the selected roll of a comparison.
pub(crate) fn rolls(roll: &mut usize, action: ActionId) {
    let last = DISTINCT - 1;
    *roll = match action {
        ActionId::Down | ActionId::More => (*roll + 1).min(last),
        ActionId::Up | ActionId::Less => roll.saturating_sub(1),
        ActionId::First => 0,
        _ => last,
    };
}

/// Moves the selected cell of a matrix.
pub(crate) fn cells(place: &mut MatrixPlace, state: &GameState, action: ActionId) {
    match action {
        ActionId::Down => place.step(state, 1, 0),
        ActionId::Up => place.step(state, -1, 0),
        ActionId::More => place.step(state, 0, 1),
        ActionId::Less => place.step(state, 0, -1),
        _ => {}
    }
}
