//! Asks for a path or an ID, with the files that complete it.

use ratatui::layout::Rect;

use super::window::{Window, next};
use crate::notation;
use crate::store::file::expand_home;
use crate::tui::keys::ActionId;
use crate::tui::state::{App, Effect, Openable};
use crate::tui::text;
use crate::tui::theme::Role;
use crate::tui::update::lines::draft;
use crate::tui::update::{document, folder};
use crate::tui::view::drawing::paint::Paint;
use crate::tui::view::drawing::prompt::{below, prompt};
use crate::tui::view::drawing::window::{list, window};
use crate::tui::windows::overlay::Overlay;
use crate::tui::windows::path_prompt::PathPrompt;

pub(super) struct Open;

fn prompt_of(app: &mut App) -> Option<&mut PathPrompt> {
    match app.overlay.as_mut()?.below_keys() {
        Overlay::Open(prompt) => Some(prompt),
        _ => None,
    }
}

impl Window for Open {
    fn draw(&self, paint: &mut Paint<'_>, screen: Rect, app: &App) {
        let Some(Overlay::Open(typed)) = &app.overlay else {
            return;
        };
        let name = "open a file, a folder (into the library) or a position";
        let area = window(paint, screen, (76, 16), name, "");
        prompt(paint, area, ">", &typed.input);
        let found = typed.found();
        // The folder stands in the line; long ones would leave the names no room.
        let folder = typed.input.value().rfind(std::path::is_separator);
        let folder = folder.map_or(0, |i| i + 1);
        let at = typed.row.unwrap_or(usize::MAX);
        list(
            paint,
            below(area),
            at,
            found.len(),
            &mut |paint, line, i| {
                let name = found[i].get(folder..).unwrap_or(&found[i]);
                paint.put(line.x, line.y, line.width, name, Role::Overlay);
            },
        );
    }

    /// No name is selected until one is chosen.
    fn act(&self, app: &mut App, action: ActionId) -> bool {
        let Some(prompt) = prompt_of(app) else {
            return false;
        };
        let count = prompt.found().len();
        if action == ActionId::Complete {
            if prompt.complete() {
                find_names(app);
            }
            return true;
        }
        let next = next(prompt.row.unwrap_or(0), action, count);
        if let Some(next) = next.filter(|_| count > 0) {
            prompt.row = Some(prompt.row.map_or(0, |_| next));
        }
        next.is_some()
    }

    fn accept(&self, app: &mut App, window: &Overlay) -> bool {
        if let Overlay::Open(prompt) = window {
            open_typed(app, prompt);
        }
        true
    }

    fn click(&self, app: &mut App, row: usize) -> bool {
        if let Some(prompt) = prompt_of(app) {
            prompt.row = Some(row);
        }
        true
    }

    fn typed(&self, app: &mut App) {
        if let Some(prompt) = prompt_of(app) {
            prompt.changed();
            find_names(app);
        }
    }
}

/// Opens what was typed, or chosen from the list of files; the only name of the list where nothing is called as typed.
fn open_typed(app: &mut App, prompt: &PathPrompt) {
    let typed = Openable::of(&expand_home(prompt.input.value().trim()));
    let only = || match prompt.found() {
        [only] if why_not(&typed).is_some() => Some(only.as_str()),
        _ => None,
    };
    let chosen = prompt.chosen().or_else(only);
    let text = chosen.unwrap_or_else(|| prompt.input.value());
    let text = text.trim().to_owned();
    match text.ends_with('/') {
        // A folder of the list is entered.
        true if chosen.is_some() => type_path(app, text),
        true => folder::fill(app, expand_home(&text).into()),
        false if text.is_empty() || draft::written(app, &text) => {}
        false => {
            let source = Openable::of(&expand_home(&text));
            let is_opening = match why_not(&source) {
                None => document::open_source(app, source),
                Some(why) => {
                    app.warn(format!("{why}: {}", text::clean(&text, 60)));
                    false
                }
            };
            // What was typed can be put right.
            if !is_opening {
                type_path(app, text);
            }
        }
    }
}

/// Why what was typed cannot be opened, if that is plain already.
fn why_not(source: &Openable) -> Option<String> {
    match source {
        Openable::File(path) if !path.exists() => {
            Some("no such file, and no position ID".to_owned())
        }
        Openable::Id(id) => notation::parse_id(id).err().map(|why| why.to_string()),
        _ => None,
    }
}

/// Opens the window in which a path or an ID is typed, with what was typed before.
pub(super) fn type_path(app: &mut App, typed: String) {
    app.overlay = Some(Overlay::Open(PathPrompt::new(typed)));
    find_names(app);
}

/// Has the names found that complete what is typed in the window of paths.
fn find_names(app: &mut App) {
    if let Some(Overlay::Open(prompt)) = app.overlay.as_mut().map(Overlay::below_keys) {
        let typed = prompt.input.value().to_owned();
        app.effects.push(Effect::Complete(typed));
    }
}

/// Takes in the names that complete what is typed in the window of paths.
pub(crate) fn completed(app: &mut App, typed: &str, found: Vec<String>) {
    if let Some(Overlay::Open(prompt)) = app.overlay.as_mut().map(Overlay::below_keys)
        && prompt.take_in(typed, found)
    {
        find_names(app);
    }
}
