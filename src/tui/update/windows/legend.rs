//! What the signs on the screen mean.

use ratatui::layout::Rect;

use super::help;
use super::window::{Window, row};
use crate::store::UserSettings;
use crate::tui::keys::{ActionId, KeyScope};
use crate::tui::screen::legend::SIGNS;
use crate::tui::state::App;
use crate::tui::text;
use crate::tui::theme::Role;
use crate::tui::view::drawing::paint::Paint;
use crate::tui::view::drawing::window::{WIDEST, list, title_acts, window, with_description};

/// Columns of a sign before what it means.
const SIGN: usize = 13;

pub(super) struct Legend;

impl Window for Legend {
    fn draw(&self, paint: &mut Paint<'_>, screen: Rect, app: &App) {
        let row = row(app);
        let size = (WIDEST, SIGNS.len() as u16 + 5);
        let side = app.keymap.named_in(KeyScope::List, "{other page}: keys");
        let area = window(paint, screen, size, "legend", &side);
        title_acts(paint, area, ActionId::Complete);
        let above = with_description(paint, area, &meaning(app, row));
        list(paint, above, row, SIGNS.len(), &mut |paint, line, i| {
            let (sign, about) = (SIGNS[i].0, meaning(app, i));
            let about = text::cut(&about, usize::from(line.width).saturating_sub(SIGN));
            let sign = text::fit(sign, SIGN);
            let words = [(&*sign, Role::OverlayKey), (&*about, Role::Overlay)];
            paint.line(line, 0, &words);
        });
    }

    fn rows(&self, _app: &App) -> usize {
        SIGNS.len()
    }

    fn act(&self, app: &mut App, action: ActionId) -> bool {
        if action == ActionId::Complete {
            app.overlay = Some(help::keys(app));
        }
        action == ActionId::Complete
    }

    fn click_accepts(&self, _is_selected: bool) -> bool {
        false
    }
}

/// What a sign means, with the sizes of errors of the settings.
fn meaning(app: &App, sign: usize) -> String {
    let (sign, about) = SIGNS[sign];
    let (usual, own) = (UserSettings::default().marks, app.settings.marks);
    let (usual, own) = match sign {
        "?!" => (usual.doubtful, own.doubtful),
        "?" => (usual.error, own.error),
        "??" => (usual.blunder, own.blunder),
        _ => return app.keymap.named(about),
    };
    let [usual, own] = [usual, own].map(|from| format!("(from {}", text::small(f64::from(from))));
    about.replacen(&usual, &own, 1)
}
