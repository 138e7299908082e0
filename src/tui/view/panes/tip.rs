//! The tip of a first start: above the right end of the bottom line if nothing stands there, else on it, and
//! the keys make way.

use ratatui::layout::Rect;

use super::bar;
use crate::tui::figures::explain;
use crate::tui::keys::ActionId;
use crate::tui::screen::layout::Areas;
use crate::tui::screen::targets::Target;
use crate::tui::state::App;
use crate::tui::text;
use crate::tui::theme::Role;
use crate::tui::view::drawing::paint::Paint;

/// A tip, and where it stands.
pub(crate) struct PlacedTip {
    pub(crate) area: Rect,
    action: ActionId,
    words: Vec<(String, Role)>,
}

/// The tip that is due, if there is room for it.
pub(crate) fn place(paint: &Paint<'_>, areas: &Areas, app: &App) -> Option<PlacedTip> {
    let screen = areas.screen;
    let (action, key, words) = explain::tip(app)?;
    // What may follow a key is a menu, which has rows of its own.
    if screen.width < 60 || screen.height < 20 || !app.pending.is_empty() {
        return None;
    }
    // So may a long message.
    if bar::is_said_above(areas.bar, app) {
        return None;
    }
    let mut words: Vec<(String, Role)> = vec![
        (" tip: ".into(), Role::OverlayMuted),
        (key, Role::OverlayKey),
        (format!(" {words} "), Role::Overlay),
        (" Esc: no tips ".into(), Role::OverlayMuted),
    ];
    let columns = |words: &[(String, Role)]| -> u16 {
        let all = words
            .iter()
            .map(|(word, _)| text::width(word))
            .sum::<usize>();
        (all as u16).min(screen.width)
    };
    let at = |y: u16, width: u16| Rect::new(screen.right() - width, y, width, 1);
    let bar = areas.bar;
    let above = at(bar.y.saturating_sub(1), columns(&words));
    // Figures are not covered, nor what is said, nor the keys that are needed at once; the others may be,
    // which ? shows.
    let is_calm = app.status.is_none() && areas.hidden.is_empty();
    let area = if paint.is_blank(above) {
        above
    } else if is_calm {
        let room = bar.width.saturating_sub(bar::least_width(app));
        // How to be rid of tips is the part to leave out.
        if columns(&words) > room {
            words.pop();
        }
        let width = columns(&words);
        (width <= room).then(|| at(bar.y, width))?
    } else {
        return None;
    };
    Some(PlacedTip {
        area,
        action,
        words,
    })
}

impl PlacedTip {
    pub(crate) fn draw(&self, paint: &mut Paint<'_>) {
        paint.fill(self.area, Role::Overlay);
        let words: Vec<(&str, Role)> = self.words.iter().map(|(w, r)| (&**w, *r)).collect();
        paint.line(self.area, 0, &words);
        paint.target(self.area, Target::Action(self.action));
    }
}
