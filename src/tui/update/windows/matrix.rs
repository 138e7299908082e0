//! The decision at other scores.

use ratatui::layout::Rect;

use super::window::Window;
use crate::tui::keys::ActionId;
use crate::tui::rollouts::inquiry::MatrixPlace;
use crate::tui::state::App;
use crate::tui::update::analysis::{copied_windows, inquire};
use crate::tui::view::drawing::paint::Paint;
use crate::tui::view::windows::matrix;
use crate::tui::windows::overlay::Overlay;

pub(super) struct Matrix;

impl Window for Matrix {
    fn draw(&self, paint: &mut Paint<'_>, screen: Rect, app: &App) {
        if let Some(Overlay::Matrix { inquiry, place }) = &app.overlay {
            matrix::draw(paint, screen, app, inquiry, *place);
        }
    }

    fn act(&self, app: &mut App, action: ActionId) -> bool {
        let Some(Overlay::Matrix { inquiry, place }) = &mut app.overlay else {
            return false;
        };
        let inquiry = *inquiry;
        let state = inquiry.state();
        match action {
            ActionId::Down => place.step(state, 1, 0),
            ActionId::Up => place.step(state, -1, 0),
            ActionId::More => place.step(state, 0, 1),
            ActionId::Less => place.step(state, 0, -1),
            ActionId::Complete => place.next_cube(state),
            ActionId::BothPlays => inquire::switch_choice(app),
            ActionId::RollOut => inquire::roll_cell(app),
            ActionId::CopyTable => copied_windows::copy_answer(app, &inquiry),
            _ => return false,
        }
        true
    }
}

/// Selects the cell that was clicked.
pub(crate) fn click(app: &mut App, to: MatrixPlace) {
    if let Some(Overlay::Matrix { place, .. }) = &mut app.overlay {
        *place = to;
    }
}
