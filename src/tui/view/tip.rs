//! The tip of a first start: above the right end of the bottom line if nothing stands there, else on it.

use ratatui::layout::Rect;

use super::paint::Paint;
use crate::tui::explain;
use crate::tui::layout::Areas;
use crate::tui::state::App;
use crate::tui::targets::Target;
use crate::tui::text;
use crate::tui::theme::Role;

pub(super) fn draw(paint: &mut Paint<'_>, areas: &Areas, app: &App) {
    let screen = areas.screen;
    let Some((id, key, words)) = explain::tip(app) else {
        return;
    };
    if screen.width < 60 || screen.height < 20 {
        return;
    }
    let line = [
        (" tip: ", Role::OverlayMuted),
        (&*key, Role::OverlayKey),
        (" ", Role::Overlay),
        (words, Role::Overlay),
        ("  Esc: no tips ", Role::OverlayMuted),
    ];
    let width: usize = line.iter().map(|(word, _)| text::width(word)).sum();
    let width = (width as u16).min(screen.width);
    let above = Rect::new(
        screen.right() - width,
        areas.bar.y.saturating_sub(1),
        width,
        1,
    );
    // Figures are not covered, nor what is said; the keys may be, which ? shows.
    let area = match (paint.is_blank(above), &app.status) {
        (true, _) => above,
        (false, None) if app.pending.is_empty() => Rect {
            y: areas.bar.y,
            ..above
        },
        _ => return,
    };
    paint.fill(area, Role::Overlay);
    paint.line(area, 0, &line);
    paint.target(area, Target::Action(id));
}
