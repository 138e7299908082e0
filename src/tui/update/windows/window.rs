//! The trait of windows over the screen, and functions that several windows share.

use ratatui::layout::Rect;
use tui_input::Input;

use crate::tui::documents::match_decision::MatchDecision;
use crate::tui::figures::conditions;
use crate::tui::keys::{ActionEntry, ActionId, pretty};
use crate::tui::state::App;
use crate::tui::text;
use crate::tui::theme::Role;
use crate::tui::view::drawing::paint::Paint;
use crate::tui::windows::overlay::Overlay;

/// Rows that a page goes down or up.
const PAGE: usize = 10;

/// A window over the screen.
pub(crate) trait Window: Sync {
    fn draw(&self, paint: &mut Paint<'_>, screen: Rect, app: &App);

    /// Returns the number of rows of the window's list.
    fn rows(&self, _app: &App) -> usize {
        0
    }

    /// Opens the window's list. Returns the selected row, or `None` if the list stays closed.
    fn begin(&self, _app: &mut App) -> Option<usize> {
        Some(0)
    }

    /// Returns the selected row.
    fn row<'a>(&self, app: &'a mut App) -> Option<&'a mut usize> {
        app.overlay.as_mut()?.row_mut()
    }

    /// Returns the decision of the selected row, which the board beside the window shows.
    fn decision(&self, _app: &App) -> Option<MatchDecision> {
        None
    }

    /// Handles an action that only this window has. Returns whether it was handled.
    fn act(&self, _app: &mut App, _action: ActionId) -> bool {
        false
    }

    /// Handles Enter after the window was closed. Returns whether the window stays closed.
    fn accept(&self, _app: &mut App, _window: &Overlay) -> bool {
        true
    }

    /// Returns whether a click on a row also means Enter. By default only a click on the selected row does.
    fn click_accepts(&self, is_selected: bool) -> bool {
        is_selected
    }

    /// Selects the row that was clicked; returns whether the click means Enter.
    fn click(&self, app: &mut App, row: usize) -> bool {
        self.row(app)
            .is_some_and(|selected| self.click_accepts(std::mem::replace(selected, row) == row))
    }

    /// Returns the action named in the selected row.
    fn named_action(&self, _app: &App) -> Option<&'static ActionEntry> {
        None
    }

    /// Returns the text field of the window.
    fn line<'a>(&self, app: &'a mut App) -> Option<&'a mut Input> {
        app.overlay.as_mut()?.input_mut()
    }

    /// Returns the maximum number of characters in the text field.
    fn longest(&self, _app: &App) -> usize {
        1024
    }

    /// Updates the window after its text has changed.
    fn typed(&self, _app: &mut App) {}

    fn close(&self, app: &mut App) {
        app.overlay = None;
    }
}

/// Returns the selected row of the window in view.
pub(super) fn row(app: &App) -> usize {
    app.overlay.as_ref().map_or(0, Overlay::row)
}

/// Returns the text typed in the window in view.
pub(super) fn input(app: &App) -> Option<&Input> {
    app.overlay.as_ref()?.input()
}

/// The row that an action of a list of so many rows leads to; `None` for other actions.
pub(super) fn next(row: usize, action: ActionId, count: usize) -> Option<usize> {
    let last = count.saturating_sub(1);
    Some(match action {
        ActionId::Down => (row + 1).min(last),
        // A larger terminal shows more rows, so that the last page begins before.
        ActionId::Up => row.min(last).saturating_sub(1),
        ActionId::PageDown => (row + PAGE).min(last),
        ActionId::PageUp => row.min(last).saturating_sub(PAGE),
        ActionId::First => 0,
        ActionId::Last => last,
        _ => return None,
    })
}

/// Says what an action does, or why it cannot be done.
pub(super) fn said_of(app: &App, action: &ActionEntry) -> String {
    match conditions::check(app, action) {
        Ok(()) => action.about.to_owned(),
        Err(why) => format!(
            "{} (not now: {})",
            action.about,
            app.keymap.reason(action, why)
        ),
    }
}

/// Draws an action of a list: its keys, its name and what it does, or why it cannot be done.
pub(super) fn action_line(
    paint: &mut Paint<'_>,
    line: Rect,
    app: &App,
    action: &ActionEntry,
    key_width: usize,
) {
    let keys = match action.id {
        ActionId::Count => "0–9".to_owned(),
        _ => {
            let keys: Vec<String> = app.keymap.of(action).into_iter().map(pretty).collect();
            keys.join(" ")
        }
    };
    let keys = text::fit(&keys, key_width);
    // As wide as the longest name.
    let name = text::fit(action.name, 21);
    let (about, role) = match conditions::check(app, action) {
        Ok(()) => (action.about.to_owned(), Role::Overlay),
        Err(why) => {
            let why = app.keymap.reason(action, why);
            (format!("not now: {why}"), Role::OverlayMuted)
        }
    };
    let room = usize::from(line.width).saturating_sub(key_width + 23);
    let about = text::cut(&about, room);
    let words = [
        (&*keys, Role::OverlayKey),
        (" ", Role::Overlay),
        (&*name, role),
        (" ", Role::Overlay),
        (&*about, Role::OverlayMuted),
    ];
    paint.line(line, 0, &words);
}
