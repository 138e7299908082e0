//! What is done along a match or a line of play: walking, varying, playing by hand and against the program.

pub(in crate::tui::update) mod by_hand;
pub(in crate::tui::update) mod draft;
mod former;
pub(in crate::tui::update) mod moved_match;
pub(in crate::tui::update) mod new_match;
pub(in crate::tui::update) mod person;
pub(in crate::tui::update) mod played_match;
pub(in crate::tui::update) mod program;
mod take_back;
pub(in crate::tui::update) mod transcript;
pub(in crate::tui::update) mod variations;
pub(in crate::tui::update) mod walk;

use crate::tui::keys::ActionId;
use crate::tui::state::App;

/// Does what a key of variations means, in a variation or in a game that is played.
pub(in crate::tui::update) fn act(app: &mut App, action: ActionId) {
    if app.hand().is_some() {
        by_hand::act(app, action);
    } else if app.played().is_some() {
        match action {
            ActionId::RemoveBranch | ActionId::RestoreBranch => take_back::act(app, action),
            _ if app.is_transcribing() => transcript::act(app, action),
            _ => played_match::act(app, action),
        }
    } else {
        program::act(app, action);
    }
}
