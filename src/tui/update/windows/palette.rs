//! The commands that match what is typed.

use ratatui::layout::Rect;
use tui_input::Input;

use super::window::{Window, action_line, input, row, said_of};
use crate::tui::keys::ActionEntry;
use crate::tui::state::App;
use crate::tui::theme::Role;
use crate::tui::view::drawing::paint::Paint;
use crate::tui::view::drawing::prompt::{below, prompt};
use crate::tui::view::drawing::window::{list, window, with_description};
use crate::tui::windows::overlay::Overlay;
use crate::tui::windows::palette::{NamedMove, found_by, palette_rows};

pub(super) struct Palette;

/// The commands that match it.
fn found(app: &App) -> Vec<&'static ActionEntry> {
    let typed = input(app).map_or("", Input::value);
    palette_rows(&app.keymap, app.screen_scope(), typed)
}

/// The move whose number is typed.
pub(crate) fn named_move(app: &App) -> Option<NamedMove> {
    match &app.overlay {
        Some(Overlay::Palette { input, .. }) => NamedMove::parse(input.value()),
        _ => None,
    }
}

impl Window for Palette {
    fn draw(&self, paint: &mut Paint<'_>, screen: Rect, app: &App) {
        let Some(input) = input(app) else { return };
        let (rows, row) = (found(app), row(app));
        let area = window(paint, screen, (76, 18), "commands", "");
        prompt(paint, area, ":", input);
        let selected = rows.get(row).map(|action| {
            let other = found_by(action, input.value());
            let other = other.map_or_else(String::new, |word| format!("found by \"{word}\": "));
            format!("{other}{}", said_of(app, action))
        });
        let below = with_description(paint, below(area), &selected.unwrap_or_default());
        if rows.is_empty() {
            let none = "no command has this in its name or description";
            paint.line(below, 0, &[(none, Role::OverlayMuted)]);
        }
        list(paint, below, row, rows.len(), &mut |paint, line, i| {
            action_line(paint, line, app, rows[i], 18);
        });
    }

    fn rows(&self, app: &App) -> usize {
        found(app).len()
    }

    fn named_action(&self, app: &App) -> Option<&'static ActionEntry> {
        found(app).get(row(app)).copied()
    }

    /// No command was found: the window stays.
    fn accept(&self, _app: &mut App, _window: &Overlay) -> bool {
        false
    }

    fn typed(&self, app: &mut App) {
        if let Some(row) = self.row(app) {
            *row = 0;
        }
    }

    fn click_accepts(&self, _is_selected: bool) -> bool {
        true
    }
}
