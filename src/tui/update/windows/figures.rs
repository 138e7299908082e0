//! The figures in view as sentences.

use ratatui::layout::Rect;

use super::window::{Window, row};
use crate::tui::figures::explain;
use crate::tui::keys::{ActionId, KeyScope};
use crate::tui::screen::targets::Target;
use crate::tui::state::App;
use crate::tui::text;
use crate::tui::theme::Role;
use crate::tui::view::drawing::paint::Paint;
use crate::tui::view::drawing::window::{self, title_acts, window};
use crate::tui::windows::overlay::{Overlay, first_row};

/// Columns of a figure before its sentence.
const FIGURE: usize = 22;

pub(super) struct Figures;

impl Window for Figures {
    fn draw(&self, paint: &mut Paint<'_>, screen: Rect, app: &App) {
        let row = row(app);
        let all = explain::figures(app);
        let wide = usize::from(screen.width.min(112)).saturating_sub(6 + FIGURE);
        // Each line with the figure that it is about, which stands before the first.
        let mut lines: Vec<(usize, &str, String)> = Vec::new();
        for (i, one) in all.iter().enumerate() {
            for (k, words) in text::wrap(&one.words, wide, 6).into_iter().enumerate() {
                lines.push((i, if k == 0 { &one.figure } else { "" }, words));
            }
        }
        let size = (112, lines.len() as u16 + 2);
        let side = app.keymap.named_in(KeyScope::List, "{other page}: legend");
        let area = window(paint, screen, size, "the figures in view", &side);
        title_acts(paint, area, ActionId::Complete);
        let at = lines.iter().position(|line| line.0 == row).unwrap_or(0);
        let height = usize::from(area.height);
        let first = first_row(at, height, lines.len());
        for (y, (i, figure, words)) in (0u16..).zip(lines.iter().skip(first).take(height)) {
            let role = if *i == row {
                Role::OverlayKey
            } else {
                Role::OverlayTitle
            };
            let figure = text::fit(figure, FIGURE);
            paint.line(area, y, &[(&*figure, role), (&**words, Role::Overlay)]);
            paint.target(window::rows(area, y, 1), Target::Row(*i));
        }
    }

    fn rows(&self, app: &App) -> usize {
        explain::figures(app).len()
    }

    fn act(&self, app: &mut App, action: ActionId) -> bool {
        if action == ActionId::Complete {
            app.overlay = Some(Overlay::List {
                of: ActionId::Legend,
                row: 0,
            });
        }
        action == ActionId::Complete
    }

    fn click_accepts(&self, _is_selected: bool) -> bool {
        false
    }
}
