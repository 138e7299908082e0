//! Keys of the window of the match equity table.

use crate::tui::keys::ActionId;
use crate::tui::state::App;
use crate::tui::windows::equity_table::EquityTablePlace;
use crate::tui::windows::overlay::Overlay;

/// Points that a page goes down or up.
const PAGE: i16 = 10;

/// Opens it at the score of the match.
pub(crate) fn open(app: &mut App) {
    let rules = app.turn().map(|turn| turn.before.state.rules);
    let no_crawford = rules.is_some_and(|rules| rules.no_crawford);
    let place = EquityTablePlace::new(&app.model.table, app.table_score(), no_crawford);
    app.overlay = Some(Overlay::EquityTable(place));
}

/// Does what an action means in the window; answers whether it means something there.
pub(crate) fn act(app: &mut App, action: ActionId) -> bool {
    let present = app.table_score();
    let Some(Overlay::EquityTable(place)) = &mut app.overlay else {
        return false;
    };
    match action {
        ActionId::Down => place.step([1, 0]),
        ActionId::Up => place.step([-1, 0]),
        ActionId::More => place.step([0, 1]),
        ActionId::Less => place.step([0, -1]),
        ActionId::PageDown => place.step([PAGE, 0]),
        ActionId::PageUp => place.step([-PAGE, 0]),
        ActionId::Crawford => place.switch_crawford(),
        ActionId::First => {
            if let Some(score) = present {
                place.go_to(score);
            }
        }
        _ => return false,
    }
    true
}

/// Takes in a click on a score.
pub(crate) fn click(app: &mut App, away: [u16; 2]) {
    if let Some(Overlay::EquityTable(place)) = &mut app.overlay {
        place.away = away;
    }
}
