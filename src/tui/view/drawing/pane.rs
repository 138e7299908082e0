//! What all panes have: a title, which says where the keyboard is.

use ratatui::layout::Rect;

use super::paint::Paint;
use crate::tui::state::{App, Focus};
use crate::tui::text;
use crate::tui::theme::Role;

/// A pane's title over a thin line; answers the rest of the pane. `side` stands at the right end.
pub(crate) fn title(
    paint: &mut Paint<'_>,
    area: Rect,
    name: &str,
    side: &str,
    focused: bool,
) -> Rect {
    if area.is_empty() {
        return area;
    }
    let role = if focused {
        Role::TitleFocused
    } else {
        Role::Title
    };
    for x in area.left()..area.right() {
        paint.put(x, area.y, 1, "─", Role::Rule);
    }
    let left = area.width.saturating_sub(4);
    let mark = if focused { "▸" } else { "─" };
    paint.put(
        area.x,
        area.y,
        1,
        mark,
        if focused { role } else { Role::Rule },
    );
    let used = paint.put(area.x + 1, area.y, left, &format!(" {name} "), role);
    let side_width = text::width(side) as u16;
    if !side.is_empty() && side_width + 3 + used < area.width {
        paint.put(
            area.right() - side_width - 3,
            area.y,
            side_width + 2,
            &format!(" {side} "),
            Role::Muted,
        );
    }
    Rect {
        y: area.y + 1,
        height: area.height - 1,
        ..area
    }
}

/// Whether the keyboard is in a pane.
pub(crate) fn is_focused(app: &App, focus: Focus) -> bool {
    app.focus == focus && app.overlay.is_none() && app.editor.is_none()
}
