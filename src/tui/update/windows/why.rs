//! Why one play is better than another, all about a cube decision, or all rolls.

use ratatui::layout::Rect;

use super::window::Window;
use crate::game::roll::DISTINCT;
use crate::tui::keys::ActionId;
use crate::tui::rollouts::inquiry::Inquiry;
use crate::tui::state::App;
use crate::tui::update::analysis::copied_windows;
use crate::tui::view::drawing::paint::Paint;
use crate::tui::view::windows::{cube_facts, roll_table, why};
use crate::tui::windows::overlay::Overlay;

pub(super) struct Why;

impl Window for Why {
    fn draw(&self, paint: &mut Paint<'_>, screen: Rect, app: &App) {
        let Some(Overlay::Why { inquiry, roll }) = &app.overlay else {
            return;
        };
        let draw = match inquiry {
            Inquiry::Cube { .. } => cube_facts::draw,
            Inquiry::Rolls { .. } => roll_table::draw,
            _ => why::draw,
        };
        draw(paint, screen, app, inquiry, *roll);
    }

    fn rows(&self, _app: &App) -> usize {
        DISTINCT
    }

    fn act(&self, app: &mut App, action: ActionId) -> bool {
        match (action, &app.overlay) {
            (ActionId::CopyTable, Some(Overlay::Why { inquiry, .. })) => {
                let inquiry = *inquiry;
                copied_windows::copy_answer(app, &inquiry);
                true
            }
            _ => false,
        }
    }

    fn click_accepts(&self, _is_selected: bool) -> bool {
        false
    }
}
