//! Which errors are wanted: by size, player and class.

use crate::game::Player;
use crate::review::{ClassFilter, Mark};
use crate::tui::figures::error_list;
use crate::tui::keys::ActionId;
use crate::tui::state::App;

/// The next choice of a filter, and what it leaves; answers whether the action is one of a filter.
pub(crate) fn change(app: &mut App, action: ActionId) -> bool {
    let options = &mut app.options;
    match action {
        ActionId::Threshold => {
            options.threshold = match options.threshold {
                Mark::Fine | Mark::Blunder => Mark::Doubtful,
                Mark::Doubtful => Mark::Error,
                Mark::Error => Mark::Blunder,
            };
        }
        ActionId::Whose => {
            options.whose = match options.whose {
                None => Some(Player::Left),
                Some(Player::Left) => Some(Player::Right),
                Some(Player::Right) => None,
            };
            let players = &app.home().record.players;
            let name = app
                .options
                .whose
                .map(|player| players[player.index()].clone());
            app.wanted_player = name;
        }
        ActionId::Class => {
            options.class = match options.class {
                None => Some(ClassFilter::Checker),
                Some(ClassFilter::Checker) => Some(ClassFilter::Cube),
                Some(ClassFilter::Cube) => Some(ClassFilter::Double),
                Some(ClassFilter::Double) => Some(ClassFilter::Take),
                Some(ClassFilter::Take) => None,
            };
        }
        _ => return false,
    }
    let filter = error_list::filter(app);
    app.say(match app.options.hidden {
        // How many there are tells whether the last play was one.
        true => filter,
        false => format!("{filter}: {}", error_list::summary(app)),
    });
    true
}
