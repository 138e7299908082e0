//! Turns of a transcript that were taken back, and are not there again.

use crate::tui::figures::conditions;
use crate::tui::keys::ActionId;
use crate::tui::state::{App, Loss};

/// Asks before turns that were taken back are lost by `action`; answers whether the question waits. `again` says what the
/// same key does then.
pub(super) fn is_lost_by(app: &mut App, action: ActionId, again: &str) -> bool {
    let Some(question) = conditions::lost_by_leaving(app, again) else {
        return false;
    };
    let asks = !app.confirmation.confirms(Loss::Leave(action));
    if asks {
        app.say_keys(&question);
    }
    asks
}
