//! The keys of a place, and every command by what is typed. Enter runs the selected one.

use ratatui::layout::Rect;
use tui_input::Input;

use super::window::{Window, action_line, input, row, said_of};
use crate::tui::figures::conditions;
use crate::tui::keys::{ActionEntry, ActionId, KeyScope};
use crate::tui::state::App;
use crate::tui::theme::Role;
use crate::tui::update::analysis::inquire;
use crate::tui::view::drawing::paint::Paint;
use crate::tui::view::drawing::prompt::{below, prompt};
use crate::tui::view::drawing::window::{WIDEST, list, title_acts, window, with_description};
use crate::tui::windows::overlay::{Overlay, help_rows};
use crate::tui::windows::palette::{NamedMove, found_by, palette_rows};

/// Keys of the match that are usual besides those with a word in the bottom line.
const USUAL: [ActionId; 8] = [
    ActionId::NextTurn,
    ActionId::Errors,
    ActionId::Down,
    ActionId::Why,
    ActionId::Rolls,
    ActionId::Matrix,
    ActionId::Statistics,
    ActionId::Settings,
];

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
        input: Input::default(),
        all: false,
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

/// Returns whether the window lists all keys of its place, not only the usual ones.
fn has_all(app: &App) -> bool {
    let is_of_window = place(app) != app.screen_scope();
    is_of_window || matches!(app.overlay, Some(Overlay::Help { all: true, .. }))
}

/// The keys that match what is typed.
fn found(app: &App) -> Vec<&'static ActionEntry> {
    matching(app, input(app).map_or("", Input::value))
}

/// The keys that match a text; for an empty one the usual ones that do something now, or all.
fn matching(app: &App, typed: &str) -> Vec<&'static ActionEntry> {
    let mut rows = palette_rows(&app.keymap, place(app), typed);
    if typed.is_empty() && !has_all(app) {
        let is_usual = |row: &&ActionEntry| {
            let is_named = !row.hint.is_empty() || USUAL.contains(&row.id);
            is_named && conditions::check(app, row).is_ok()
        };
        rows.retain(is_usual);
    }
    rows
}

/// The move whose number is typed.
pub(crate) fn named_move(app: &App) -> Option<NamedMove> {
    match &app.overlay {
        Some(Overlay::Help { input, .. }) => NamedMove::parse(input.value()),
        _ => None,
    }
}

impl Window for Help {
    fn draw(&self, paint: &mut Paint<'_>, screen: Rect, app: &App) {
        let Some(input) = input(app) else { return };
        let (rows, row) = (found(app), row(app));
        // It keeps its size while one types.
        let size = (WIDEST, matching(app, "").len() as u16 + 7);
        let is_of_screen = place(app) == app.screen_scope();
        let side = match (is_of_screen, has_all(app)) {
            (false, _) => "{accept} runs one".to_owned(),
            (true, true) => "{complete}: figures  {accept} runs one".to_owned(),
            (true, false) => {
                let all = help_rows(place(app)).len();
                format!("type to find  {{complete}}: all {all}  {{accept}} runs one")
            }
        };
        let side = app.keymap.named_in(KeyScope::Prompt, &side);
        let area = window(paint, screen, size, "keys", &side);
        if is_of_screen {
            title_acts(paint, area, ActionId::Complete);
        }
        prompt(paint, area, ":", input);
        let selected = rows.get(row).map(|action| {
            let other = found_by(action, input.value());
            let other = other.map_or_else(String::new, |word| format!("found by \"{word}\": "));
            format!("{other}{}", said_of(app, action))
        });
        let above = with_description(paint, below(area), &selected.unwrap_or_default());
        if rows.is_empty() {
            let none = "no command has this in its name or description";
            paint.line(above, 0, &[(none, Role::OverlayMuted)]);
        }
        // What the keys are for stands before the first of each group, where there is room for it.
        let is_grouped = above.width >= 90 && input.value().is_empty();
        let group = if is_grouped { GROUP } else { 0 };
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
        found(app).len()
    }

    fn named_action(&self, app: &App) -> Option<&'static ActionEntry> {
        found(app).get(row(app)).copied()
    }

    /// All keys of the screen, then the next page of help.
    fn act(&self, app: &mut App, action: ActionId) -> bool {
        if action != ActionId::Complete {
            return false;
        }
        let had_all = has_all(app);
        match &mut app.overlay {
            Some(Overlay::Help { all, row, .. }) if !had_all => (*all, *row) = (true, 0),
            Some(Overlay::Help { behind: None, .. }) => {
                app.overlay = Some(Overlay::List {
                    of: ActionId::Figures,
                    row: 0,
                });
            }
            _ => {}
        }
        true
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

    /// The window that the list of keys was opened from comes back.
    fn close(&self, app: &mut App) {
        if let Some(Overlay::Help { behind, .. }) = app.overlay.take() {
            app.overlay = behind.map(|window| *window);
            inquire::resume(app);
        }
    }
}
