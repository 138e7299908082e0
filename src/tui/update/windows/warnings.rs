//! What the reader of the file warned of, and what failed.

use ratatui::layout::Rect;

use super::window::{Window, row};
use crate::tui::figures::troubles::{self, Goal};
use crate::tui::state::App;
use crate::tui::text;
use crate::tui::theme::Role;
use crate::tui::update::lines::{variations, walk};
use crate::tui::view::drawing::paint::Paint;
use crate::tui::view::drawing::window::{description, list, window};
use crate::tui::windows::overlay::Overlay;

pub(super) struct Warnings;

impl Window for Warnings {
    fn draw(&self, paint: &mut Paint<'_>, screen: Rect, app: &App) {
        let row = row(app);
        let rows = troubles::rows(app);
        // Columns of the place before a message.
        let places = rows.iter().map(|row| text::width(&row.place) + 1);
        let place_width = places.max().map_or(0, |width| width.max(10));
        let columns = usize::from(screen.width.min(104)).saturating_sub(4);
        let is_long = |row: &&troubles::TroubleRow| text::width(&row.text) + place_width > columns;
        // As many lines for the selected one as the longest needs, so that nothing jumps.
        let long = rows.iter().filter(is_long);
        let lines = long.map(|row| text::wrap(&row.text, columns, 4).len());
        let lines = lines.max().map_or(0, |n| n as u16);
        let foot = if lines > 0 { lines + 1 } else { 0 };
        let height = (rows.len() as u16).saturating_add(2).clamp(5, 30) + foot;
        let title = &app.document.title;
        let mut area = window(paint, screen, (100, height), "warnings", title);
        if foot > 0 && area.height > foot {
            let message = rows.get(row).map_or("", |row| row.text.as_str());
            area = description(paint, area, message, lines);
        }
        list(paint, area, row, rows.len(), &mut |paint, line, i| {
            let place = text::fit(&rows[i].place, place_width);
            let room = usize::from(line.width).saturating_sub(place_width);
            let message = text::cut(&rows[i].text, room);
            let words = [(&*place, Role::OverlayMuted), (&*message, Role::Overlay)];
            paint.line(line, 0, &words);
        });
    }

    fn rows(&self, app: &App) -> usize {
        troubles::count(app)
    }

    /// Goes where the warning is about.
    fn accept(&self, app: &mut App, window: &Overlay) -> bool {
        let row = window.row();
        match troubles::rows(app).get(row).map(|row| row.goal) {
            Some(Goal::InView(turn)) => walk::go(app, turn),
            Some(Goal::Line(line)) if variations::may_leave(app) => walk::line(app, line),
            Some(Goal::Turn(turn)) if variations::may_leave(app) => walk::go(app, turn),
            _ => {}
        }
        true
    }
}
