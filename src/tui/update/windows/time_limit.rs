//! Asks how long the match is rolled out.

use ratatui::layout::Rect;

use super::window::{SHORT, Window};
use crate::tui::state::App;
use crate::tui::text;
use crate::tui::theme::Role;
use crate::tui::update::analysis::match_rollouts;
use crate::tui::view::drawing::paint::Paint;
use crate::tui::view::drawing::prompt::{below, prompt, select};
use crate::tui::view::drawing::window::window;
use crate::tui::windows::overlay::Overlay;

pub(super) struct TimeLimit;

impl Window for TimeLimit {
    fn draw(&self, paint: &mut Paint<'_>, screen: Rect, app: &App) {
        let Some(Overlay::TimeLimit { input, is_proposed }) = &app.overlay else {
            return;
        };
        let how = [
            "how long: seconds, or 5m, or 1h. Enter starts.",
            "",
            "The closest decisions are rolled out first, until the time is up, \
             in the background. Each result is shown as it comes, and kept.",
            "{pause} pauses, {stop} or {roll out the match} stops. \
             A rollout you start ({roll out}, {compare}) goes first.",
        ];
        let columns = usize::from(screen.width.min(70)).saturating_sub(4);
        let wrapped = |line: &str| match line {
            "" => vec![String::new()],
            _ => text::wrap(&app.keymap.named(line), columns, 4),
        };
        let lines: Vec<String> = how.into_iter().flat_map(wrapped).collect();
        let size = (66, lines.len() as u16 + 2);
        let area = window(paint, screen, size, "roll out the match", "");
        prompt(paint, area, ">", input);
        if *is_proposed {
            select(paint, area, input);
        }
        for (row, line) in (0u16..).zip(&lines) {
            paint.line(below(area), row, &[(line, Role::OverlayMuted)]);
        }
    }

    fn accept(&self, app: &mut App, window: &Overlay) -> bool {
        match_rollouts::accept(app, window.typed())
    }

    fn longest(&self) -> usize {
        SHORT
    }
}
