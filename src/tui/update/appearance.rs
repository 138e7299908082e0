//! How things are shown: columns, units, the board, themes.

use super::plays;
use crate::tui::actions::ActionId;
use crate::tui::state::{App, Selection};
use crate::tui::theme::{Depth, Theme};

/// How things are shown.
pub(super) fn change(app: &mut App, action: ActionId) {
    let options = &mut app.options;
    match action {
        ActionId::Columns => options.chances = !options.chances,
        ActionId::Order => {
            options.by_equity = !options.by_equity;
            app.selection.scroll = 0;
        }
        ActionId::Flip => options.flipped = !options.flipped,
        ActionId::Mirror => options.mirrored = !options.mirrored,
        ActionId::Pips => options.pips = !options.pips,
        ActionId::Hide => {
            options.hidden = !options.hidden;
            app.selection = Selection::default();
        }
        ActionId::Units => plays::change_units(app),
        _ => {
            app.theme = (app.theme + 1) % app.themes.len();
            app.settings.theme = app.theme().name.clone();
            app.say(format!("theme: {}", app.theme().name));
        }
    }
}

/// Uses the theme of the settings, if they name one.
pub(super) fn use_theme(app: &mut App) {
    let wanted = app.settings.theme.clone();
    if !wanted.is_empty() && app.depth != Depth::None {
        app.choose_theme(&wanted);
    }
}

/// Takes the user's themes in; what is wrong with one leaves it as it was.
pub(super) fn themes_read(app: &mut App, themes: Vec<Theme>, errors: &[String]) {
    let name = app.theme().name.clone();
    let own: Vec<String> = themes.iter().map(|t| t.name.clone()).collect();
    let mut all: Vec<_> = Theme::builtin()
        .into_iter()
        .filter(|t| !own.contains(&t.name))
        .chain(themes)
        .map(|t| t.at_depth(app.depth))
        .collect();
    if let Some(error) = errors.first() {
        // A theme that is broken now keeps the look it had.
        for old in &app.themes {
            if !all.iter().any(|t| t.name == old.name) {
                all.push(old.clone());
            }
        }
        if let Some(i) = all.iter().position(|t| t.name == name) {
            let old = app.theme().clone();
            let broken = errors.iter().any(|e| e.contains(&name));
            if broken {
                all[i] = old;
            }
        }
        app.warn(error.clone());
    }
    app.themes = all;
    app.theme = 0;
    let wanted = app.settings.theme.clone();
    let may = !wanted.is_empty() && app.depth != Depth::None;
    if may && app.choose_theme(&wanted) {
        return;
    }
    if may && errors.is_empty() {
        app.warn(format!("there is no theme '{wanted}'"));
    }
    if !app.choose_theme(&name) {
        app.choose_theme("dark");
    }
}
