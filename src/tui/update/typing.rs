//! Text typed or pasted into the line or the field of a window.

use ratatui::crossterm::event::KeyCode;
use tui_input::{Input, InputRequest};

use super::windows::MOST_FILES;
use crate::store::notes::LONGEST_NOTE;
use crate::tui::keys::Key;
use crate::tui::overlay::{Overlay, completions};
use crate::tui::state::App;
use crate::tui::text;

/// At most this many characters in a typed line.
const LINE: usize = 1024;
/// At most this many characters where dice or a time are typed.
const SHORT: usize = 6;
/// At most this many where a play is typed.
const PLAY: usize = 60;
/// At most this many where a score is.
const SCORE: usize = 12;

/// What does not fit into a note is not taken.
fn left_out() -> String {
    format!("a note has at most {LONGEST_NOTE} characters: what is more was left out")
}

/// A key that is no action: typed into the line or the field. Answers whether it was taken.
pub(super) fn typed(app: &mut App, key: Key) -> bool {
    if let Some(Overlay::Form(form)) = &mut app.overlay {
        match (key.typed(), key.code()) {
            (Some(c), _) if form.takes_text() => form.type_text(Some(c)),
            (_, KeyCode::Backspace) if form.takes_text() => form.type_text(None),
            (Some(d), _) if d.is_ascii_digit() => form.type_digit(Some(d)),
            (_, KeyCode::Backspace) => form.type_digit(None),
            _ => {}
        }
        return true;
    }
    let Some(request) = request(key) else {
        return app.overlay.is_some();
    };
    match &mut app.overlay {
        Some(Overlay::Palette { input, row }) => {
            type_into(input, request, LINE);
            *row = 0;
        }
        Some(Overlay::TimeLimit { input, is_proposed }) => {
            let is_digit = matches!(request, InputRequest::InsertChar(c) if c.is_ascii_digit());
            replace_proposed(input, is_proposed, is_digit);
            type_into(input, request, SHORT);
        }
        Some(Overlay::Library) => super::library::typed(app, request, LINE),
        Some(Overlay::Export {
            input, is_proposed, ..
        }) => {
            let is_text = matches!(request, InputRequest::InsertChar(_));
            replace_proposed(input, is_proposed, is_text);
            type_into(input, request, LINE);
        }
        Some(Overlay::Dice { input }) => _ = type_into(input, request, SHORT),
        Some(Overlay::Play { input }) => _ = type_into(input, request, PLAY),
        Some(Overlay::Score { input }) => _ = type_into(input, request, SCORE),
        Some(Overlay::Note { input }) => {
            if !type_into(input, request, LONGEST_NOTE) {
                app.warn(left_out());
            }
        }
        Some(Overlay::Open { input, found, row }) => {
            type_into(input, request, LINE);
            *found = completions(input.value(), MOST_FILES);
            *row = None;
        }
        overlay => return overlay.is_some(),
    }
    true
}

/// What a key does to a line of text.
fn request(key: Key) -> Option<InputRequest> {
    match (key.typed(), key.code()) {
        (Some(c), _) => Some(InputRequest::InsertChar(c)),
        (_, KeyCode::Backspace) => Some(InputRequest::DeletePrevChar),
        (_, KeyCode::Delete) => Some(InputRequest::DeleteNextChar),
        (_, KeyCode::Left) => Some(InputRequest::GoToPrevChar),
        (_, KeyCode::Right) => Some(InputRequest::GoToNextChar),
        (_, KeyCode::Home) => Some(InputRequest::GoToStart),
        (_, KeyCode::End) => Some(InputRequest::GoToEnd),
        // As shells have them.
        (_, KeyCode::Char(c)) if key.has_ctrl() => match c {
            'a' => Some(InputRequest::GoToStart),
            'e' => Some(InputRequest::GoToEnd),
            'k' => Some(InputRequest::DeleteTillEnd),
            'u' => Some(InputRequest::DeleteLine),
            'w' => Some(InputRequest::DeletePrevWord),
            _ => None,
        },
        _ => None,
    }
}

/// The first key decides about a text that is only proposed: it is replaced, or edited from now on.
fn replace_proposed(input: &mut Input, is_proposed: &mut bool, replaces: bool) {
    if std::mem::take(is_proposed) && replaces {
        input.reset();
    }
}

/// Does it, unless the line would be longer than `most` characters. Answers whether it was done.
fn type_into(input: &mut Input, request: InputRequest, most: usize) -> bool {
    let grows = matches!(request, InputRequest::InsertChar(_));
    let fits = !grows || input.value().chars().count() < most;
    if fits {
        input.handle(request);
    }
    fits
}

/// Text pasted while a window is open; answers whether it took it.
pub(super) fn pasted(app: &mut App, text: &str) -> bool {
    let (input, most) = match &mut app.overlay {
        Some(Overlay::Palette { input, .. } | Overlay::Open { input, .. }) => (input, LINE),
        Some(Overlay::Export {
            input, is_proposed, ..
        }) => {
            replace_proposed(input, is_proposed, !text.trim().is_empty());
            (input, LINE)
        }
        Some(Overlay::Note { input }) => (input, LONGEST_NOTE),
        Some(_) => return true,
        None => return false,
    };
    let room = most.saturating_sub(input.value().chars().count());
    // All is one line here; words stay apart.
    let spaced = text.trim_end().replace(['\n', '\r', '\t'], " ");
    let all = text::clean(&spaced, usize::MAX);
    for c in all.chars().take(room) {
        input.handle(InputRequest::InsertChar(c));
    }
    let is_cut = all.chars().nth(room).is_some();
    if is_cut && matches!(app.overlay, Some(Overlay::Note { .. })) {
        app.warn(left_out());
    }
    true
}
