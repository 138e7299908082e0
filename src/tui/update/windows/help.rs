//! The keys of a place. Enter runs the selected one.

use ratatui::layout::Rect;

use super::window::{Window, action_line, row, said_of};
use crate::tui::keys::{ActionEntry, ActionId, KeyScope};
use crate::tui::state::App;
use crate::tui::theme::Role;
use crate::tui::update::analysis::inquire;
use crate::tui::view::drawing::paint::Paint;
use crate::tui::view::drawing::window::{WIDEST, list, title_acts, window, with_description};
use crate::tui::windows::overlay::{Overlay, help_rows};

/// Columns of the groups of keys.
const GROUP: u16 = 10;

pub(super) struct Help;

/// The keys of the window in view, or of the screen.
pub(super) fn keys(app: &mut App) -> Overlay {
    let is_help = app.overlay.as_ref().is_some_and(Overlay::is_help);
    let place = match is_help {
        true => app.screen_scope(),
        false => app.scope(),
    };
    let behind = app.overlay.take().filter(|_| !is_help);
    Overlay::Help {
        place,
        row: 0,
        behind: behind.map(Box::new),
    }
}

/// The place whose keys are listed.
fn place(app: &App) -> KeyScope {
    match app.overlay {
        Some(Overlay::Help { place, .. }) => place,
        _ => app.screen_scope(),
    }
}

impl Window for Help {
    fn draw(&self, paint: &mut Paint<'_>, screen: Rect, app: &App) {
        let (place, row) = (place(app), row(app));
        let rows = help_rows(place);
        let size = (WIDEST, rows.len() as u16 + 5);
        let is_of_screen = place == app.screen_scope();
        let side = match is_of_screen {
            true => "{other page}: figures  {choose} runs one",
            false => "{choose} runs one",
        };
        let side = app.keymap.named_in(KeyScope::List, side);
        let area = window(paint, screen, size, "keys", &side);
        if is_of_screen {
            title_acts(paint, area, ActionId::Complete);
        }
        let above = with_description(paint, area, &said_of(app, rows[row]));
        // What the keys are for stands before the first of each group, where there is room for it.
        let group = if above.width >= 90 { GROUP } else { 0 };
        list(paint, above, row, rows.len(), &mut |paint, line, i| {
            if group > 0 && (i == 0 || rows[i].group != rows[i - 1].group) {
                paint.put(line.x, line.y, group, rows[i].group, Role::OverlayTitle);
            }
            let keys = Rect {
                x: line.x + group,
                width: line.width - group,
                ..line
            };
            action_line(paint, keys, app, rows[i], 14);
        });
    }

    fn rows(&self, app: &App) -> usize {
        help_rows(place(app)).len()
    }

    fn named_action(&self, app: &App) -> Option<&'static ActionEntry> {
        help_rows(place(app)).get(row(app)).copied()
    }

    /// The next page of help, unless a window comes back.
    fn act(&self, app: &mut App, action: ActionId) -> bool {
        if action != ActionId::Complete {
            return false;
        }
        if let Some(Overlay::Help { behind: None, .. }) = app.overlay {
            app.overlay = Some(Overlay::List {
                of: ActionId::Figures,
                row: 0,
            });
        }
        true
    }

    /// The window that the list of keys was opened from comes back.
    fn close(&self, app: &mut App) {
        if let Some(Overlay::Help { behind, .. }) = app.overlay.take() {
            app.overlay = behind.map(|window| *window);
            inquire::resume(app);
        }
    }
}
