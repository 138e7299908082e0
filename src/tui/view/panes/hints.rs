//! Lines that name keys: those that the user has, and each of them a button.

use ratatui::layout::Rect;

use crate::tui::keys::{ACTIONS, KeyScope};
use crate::tui::screen::targets::Target;
use crate::tui::state::App;
use crate::tui::theme::Role;
use crate::tui::view::drawing::paint::Paint;

/// Writes a line in which actions of the match screen stand in braces: `{roll out} rolls out`. The key of each
/// takes its place, and a click on it or on the words behind does what it does.
pub(crate) fn line(
    paint: &mut Paint<'_>,
    area: Rect,
    row: u16,
    app: &App,
    text: &str,
    words: Role,
) {
    if row >= area.height {
        return;
    }
    let (y, mut x) = (area.y + row, area.x);
    for (i, part) in text.split('{').enumerate() {
        let (name, said) = match part.split_once('}') {
            Some((name, said)) if i > 0 => (Some(name), said),
            _ => (None, part),
        };
        let start = x;
        if let Some(name) = name {
            let key = app.keymap.named(&format!("{{{name}}}"));
            x += paint.put(x, y, area.right().saturating_sub(x), &key, Role::Key);
        }
        x += paint.put(x, y, area.right().saturating_sub(x), said, words);
        let is_it = |name: &str| {
            let mut all = ACTIONS.iter();
            all.find(|a| a.scope == KeyScope::Match && a.name == name)
        };
        if let Some(action) = name.and_then(is_it) {
            let button = Rect::new(start, y, x.saturating_sub(start), 1);
            paint.target(button, Target::Action(action.id));
        }
    }
}
