//! Asks for score and length of a draft.

use ratatui::layout::Rect;

use super::window::{Window, input};
use crate::tui::state::App;
use crate::tui::theme::Role;
use crate::tui::update::lines::draft;
use crate::tui::view::drawing::paint::Paint;
use crate::tui::view::drawing::prompt::{below, prompt};
use crate::tui::view::drawing::window::window;
use crate::tui::windows::overlay::Overlay;

pub(super) struct Score;

impl Window for Score {
    fn draw(&self, paint: &mut Paint<'_>, screen: Rect, app: &App) {
        let Some(input) = input(app) else { return };
        let area = window(paint, screen, (60, 4), "score and length", "");
        prompt(paint, area, ">", input);
        let how = [
            "2-4/7: bottom player 2, top player 4, to 7 points",
            "5a-3a: what each still needs; 7 begins a match, 0 is money",
        ];
        for (row, line) in (0u16..).zip(how) {
            paint.line(below(area), row, &[(line, Role::OverlayMuted)]);
        }
    }

    fn accept(&self, app: &mut App, window: &Overlay) -> bool {
        draft::score(app, window.typed())
    }

    fn longest(&self) -> usize {
        12
    }
}
