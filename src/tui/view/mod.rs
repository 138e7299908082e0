//! Drawing: from the state to the cells of the screen, and nothing back but where things lie.

mod axis;
mod bar;
mod board;
mod braille;
mod candidates;
mod chart;
mod coupled;
mod cube_facts;
mod cube_pane;
mod editor;
mod error_list;
mod family;
mod figures;
mod game_chart;
mod header;
mod imported_analysis;
mod matrix;
mod moves;
mod overlays;
mod paint;
mod pair;
mod prompts;
mod scatter;
mod why;
mod window;
pub mod words;

use ratatui::Frame;
use ratatui::layout::Rect;

use super::layout::Areas;
use super::state::{App, Focus};
use super::theme::Role;
use paint::Paint;
pub(in crate::tui) use prompts::note_columns;

/// Draws everything; answers where it lies, for the mouse.
pub fn draw(frame: &mut Frame<'_>, app: &App) -> Areas {
    let mut areas = Areas::arrange(frame.area());
    let theme = app.theme();
    let screen = frame.area();
    let mut paint = Paint::new(frame.buffer_mut(), theme);
    paint.fill(screen, Role::Text);
    header::draw(&mut paint, areas.header, app);
    moves::draw_strip(&mut paint, areas.strip, app);
    moves::draw(&mut paint, areas.moves, app);
    board::draw(&mut paint, &areas, app);
    candidates::draw(&mut paint, areas.candidates, app);
    if let Some(open) = &app.editor {
        let (area, side) = (editor::area(&areas), editor::side(open));
        let inner = title(&mut paint, area, "position editor", &side, true);
        editor::draw(&mut paint, inner, open);
    } else if let Some(both) = family::both_panes(&areas, app) {
        figures::draw(&mut paint, both, app);
    } else {
        figures::draw(&mut paint, areas.figures, app);
        chart::draw(&mut paint, areas.chart, app);
    }
    bar::draw(&mut paint, &areas, app);
    overlays::draw(&mut paint, screen, app, &mut areas);
    areas
}

/// A pane's title over a thin line; answers the rest of the pane. `side` stands at the right end.
fn title(paint: &mut Paint<'_>, area: Rect, name: &str, side: &str, focused: bool) -> Rect {
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
    let side_width = super::text::width(side) as u16;
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

fn is_focused(app: &App, focus: Focus) -> bool {
    app.focus == focus && app.overlay.is_none() && app.editor.is_none()
}
