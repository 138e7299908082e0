//! The list of themes, beside the board: the selected one is on the screen.

use ratatui::layout::Rect;

use super::window::{Window, row};
use crate::tui::state::App;
use crate::tui::text;
use crate::tui::theme::{Role, Theme};
use crate::tui::update::appearance;
use crate::tui::view::drawing::paint::Paint;
use crate::tui::view::drawing::window::{list, window_at};
use crate::tui::windows::overlay::Overlay;

/// Columns of the window, and of a name in it.
const WIDTH: u16 = 32;
const NAME: usize = 19;

pub(super) struct Themes;

impl Window for Themes {
    fn draw(&self, paint: &mut Paint<'_>, screen: Rect, app: &App) {
        let row = row(app);
        let width = WIDTH.min(screen.width);
        let height = (app.themes.len() as u16 + 2).min(screen.height.saturating_sub(2).max(1));
        let area = Rect {
            x: screen.right() - width,
            y: screen.y + 1.min(screen.height - height.min(screen.height)),
            width,
            height: height.min(screen.height),
        };
        let inside = window_at(paint, area, "themes", "Enter: use it");
        list(
            paint,
            inside,
            row,
            app.themes.len(),
            &mut |paint, line, i| {
                let theme = &app.themes[i];
                let name = text::fit(&theme.name, NAME);
                let x = paint.line(line, 0, &[(&name, Role::Overlay)]);
                sample(paint, line, x, theme);
            },
        );
    }

    fn rows(&self, app: &App) -> usize {
        app.themes.len()
    }

    fn begin(&self, app: &mut App) -> Option<usize> {
        Some(app.theme)
    }

    fn accept(&self, app: &mut App, window: &Overlay) -> bool {
        appearance::take_theme(app, window.row());
        true
    }
}

/// A little of a theme: both checkers, both points, text and a key.
fn sample(paint: &mut Paint<'_>, line: Rect, mut x: u16, theme: &Theme) {
    for (words, role) in [
        ("●", Role::CheckerLeft),
        ("○", Role::CheckerRight),
        ("  ", Role::PointA),
        ("  ", Role::PointB),
        (" a", Role::Text),
        ("b ", Role::Key),
    ] {
        let style = theme.style(Role::Text).patch(theme.style(role));
        let most = line.right().saturating_sub(x);
        x += paint.put_styled(x, line.y, most, words, style);
    }
}
