//! How long the lists in windows are.

use super::{error_list, explain, imported, rollout_list, troubles};
use crate::game::roll::DISTINCT;
use crate::tui::screen::legend;
use crate::tui::state::App;
use crate::tui::windows::overlay::{Overlay, help_rows};
use crate::tui::windows::palette::palette_rows;

/// How many rows a window's list has.
pub fn row_count(app: &App) -> usize {
    match &app.overlay {
        Some(Overlay::Help { place, .. }) => help_rows(*place).len(),
        Some(Overlay::Themes { .. }) => app.themes.len(),
        Some(Overlay::Legend { .. }) => legend::SIGNS.len(),
        Some(Overlay::Figures { .. }) => explain::figures(app).len(),
        Some(Overlay::Library) => app.library.rows(),
        Some(Overlay::Plan) => app.plan.rows().len(),
        Some(Overlay::Rating) => app.rating.rows(),
        Some(Overlay::KeptList { .. }) => rollout_list::rows(app).len(),
        Some(Overlay::Errors { .. }) => error_list::rows(app).len(),
        // Lines are turned, not selected: the last page is the end.
        Some(Overlay::Statistics { found, .. }) => {
            let page = usize::from(app.areas.screen.height.saturating_sub(3));
            found.lines.len().saturating_sub(page) + 1
        }
        Some(Overlay::Warnings { .. }) => troubles::count(app),
        Some(Overlay::Opinions { .. }) => app.opinions.as_ref().map_or(0, Vec::len),
        Some(Overlay::Imported { .. }) => imported::rows(app).len(),
        Some(Overlay::Palette { input, .. }) => {
            palette_rows(&app.keymap, app.screen_scope(), input.value()).len()
        }
        Some(Overlay::Open(prompt)) => prompt.found().len(),
        Some(Overlay::Form(form)) => form.fields.len(),
        Some(Overlay::Why { .. }) => DISTINCT,
        Some(
            Overlay::Dice { .. }
            | Overlay::Play { .. }
            | Overlay::Score { .. }
            | Overlay::TimeLimit { .. }
            | Overlay::NewMatch { .. }
            | Overlay::Export { .. }
            | Overlay::Note { .. }
            | Overlay::Bias { .. }
            | Overlay::EquityTable(_)
            | Overlay::Matrix { .. },
        )
        | None => 0,
    }
}
