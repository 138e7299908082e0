//! Asks for the dice of a variation or of a position alone.

use ratatui::layout::Rect;

use super::window::{SHORT, Window, input};
use crate::game::{GameState, Roll};
use crate::notation;
use crate::tui::state::{App, Openable};
use crate::tui::theme::Role;
use crate::tui::update::document;
use crate::tui::update::lines::{draft, variations};
use crate::tui::view::drawing::paint::Paint;
use crate::tui::view::drawing::prompt::{below, prompt};
use crate::tui::view::drawing::window::window;
use crate::tui::windows::overlay::Overlay;

pub(super) struct Dice;

impl Window for Dice {
    fn draw(&self, paint: &mut Paint<'_>, screen: Rect, app: &App) {
        let Some(input) = input(app) else { return };
        let area = window(paint, screen, (50, 3), "dice", "");
        prompt(paint, area, ">", input);
        let how = "such as 31; an empty line takes the dice off";
        paint.line(below(area), 0, &[(how, Role::OverlayMuted)]);
    }

    fn accept(&self, app: &mut App, window: &Overlay) -> bool {
        set_dice(app, window.typed().trim())
    }

    fn longest(&self) -> usize {
        SHORT
    }
}

/// Sets the dice of a variation; a position alone is opened again with them. Answers whether dice were typed.
fn set_dice(app: &mut App, typed: &str) -> bool {
    let Some(mut state) = app.turn().map(|t| t.before.state) else {
        return true;
    };
    let digits: Vec<u8> = typed
        .chars()
        .filter(|c| !c.is_whitespace())
        .map(|c| c.to_digit(10).map_or(0, |d| d as u8))
        .collect();
    state.roll = match digits[..] {
        [] => None,
        [a, b] if Roll::new(a, b).is_some() => Roll::new(a, b),
        _ => {
            app.warn("a roll is two digits from 1 to 6, such as 31");
            return false;
        }
    };
    if app.editor.is_some() {
        draft::dice(app, state.roll);
    } else if app.variation.is_some() || !app.document.record.games.is_empty() {
        variations::set_dice(app, state.roll);
    } else {
        let mut names = app.document.players().cloned();
        if state.doubled && state.roll.is_some() {
            // Who might have doubled rolls.
            state = GameState {
                roll: state.roll,
                ..state.roller()
            };
            names.iter_mut().for_each(|names| names.swap(0, 1));
        }
        let id = notation::xgid_text(&state);
        document::open_changed(app, Openable::position(id, names));
    }
    true
}
