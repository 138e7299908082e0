//! Asks what a new match is played or transcribed by.

use std::path::Path;

use ratatui::layout::Rect;

use super::window::Window;
use crate::tui::documents::new_match::{CORRECT, GO_ON};
use crate::tui::documents::transcript::can_transcribe;
use crate::tui::state::App;
use crate::tui::text;
use crate::tui::theme::Role;
use crate::tui::update::document;
use crate::tui::update::lines::{new_match, transcript};
use crate::tui::view::drawing::paint::Paint;
use crate::tui::view::drawing::prompt::{below, prompt, select};
use crate::tui::view::drawing::window::window;
use crate::tui::windows::overlay::Overlay;

pub(super) struct NewMatch;

impl Window for NewMatch {
    fn draw(&self, paint: &mut Paint<'_>, screen: Rect, app: &App) {
        let Some(Overlay::NewMatch {
            is_transcribed,
            input,
            is_proposed,
        }) = &app.overlay
        else {
            return;
        };
        let corrects = can_transcribe(&app.document.record).is_ok();
        let left = app.match_to_go_on().and_then(Path::file_name);
        let left = left.map(|name| text::clean(&name.to_string_lossy(), 24));
        let left = left.map(|name| format!("go on: with {name}; or such as 7, 7 12 tutor, money"));
        let (title, how) = match is_transcribed {
            false if left.is_some() => (
                "a match against the program",
                left.as_deref().unwrap_or_default(),
            ),
            false => (
                "a match against the program",
                "such as 7, 7 12 tutor (its PR is 12, the tutor on), money jacoby",
            ),
            true if corrects && app.document.record.is_won() => (
                "a match to transcribe",
                "correct: this one from here; or such as 7, money, 11 Anna, Ben",
            ),
            true if corrects => (
                "a match to transcribe",
                "correct: from here; go on: at the end; or such as 7, 11 Anna, Ben",
            ),
            true => (
                "a match to transcribe",
                "such as 7, money or 11 Anna, Ben: the first roll's left die is Anna's",
            ),
        };
        let area = window(paint, screen, (70, 3), title, "Enter begins it");
        prompt(paint, area, ">", input);
        if *is_proposed {
            select(paint, area, input);
        }
        paint.line(below(area), 0, &[(how, Role::OverlayMuted)]);
    }

    fn accept(&self, app: &mut App, window: &Overlay) -> bool {
        let Overlay::NewMatch { is_transcribed, .. } = *window else {
            return true;
        };
        go_on_with_match(app, is_transcribed, window.typed())
            || new_match::accept(app, is_transcribed, window.typed())
    }

    /// Two names have room.
    fn longest(&self) -> usize {
        100
    }
}

/// Goes on with the match that the window of a new one names as well, if that is what was typed.
fn go_on_with_match(app: &mut App, is_transcribed: bool, typed: &str) -> bool {
    match &*typed.trim().to_lowercase() {
        CORRECT if is_transcribed && can_transcribe(&app.document.record).is_ok() => {
            transcript::correct(app);
            true
        }
        GO_ON if is_transcribed => {
            let record = &app.document.record;
            let goes_on = can_transcribe(record).is_ok() && !record.is_won();
            if goes_on {
                transcript::begin(app);
            }
            goes_on
        }
        GO_ON if !is_transcribed => {
            let Some(path) = app.match_to_go_on().map(Path::to_owned) else {
                return false;
            };
            document::open_to_play_on(app, path);
            true
        }
        _ => false,
    }
}
