//! What is done along a match or a line of play: walking, varying, playing by hand and against the program.

pub(crate) mod by_hand;
pub(crate) mod draft;
mod former;
pub(crate) mod moved_match;
pub(crate) mod new_match;
pub(crate) mod person;
pub(crate) mod played_match;
pub(crate) mod program;
mod take_back;
pub(crate) mod transcript;
pub(crate) mod variations;
pub(crate) mod walk;

use crate::tui::keys::ActionId;
use crate::tui::state::App;

/// Does what a key of variations means, in a variation or in a game that is played.
pub(crate) fn act(app: &mut App, action: ActionId) {
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
