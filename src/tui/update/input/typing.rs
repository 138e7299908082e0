//! Text typed or pasted into the line or the field of a window.

use ratatui::crossterm::event::KeyCode;
use tui_input::{Input, InputRequest};

use crate::store::notes::LONGEST_NOTE;
use crate::tui::keys::{Key, KeyScope};
use crate::tui::state::App;
use crate::tui::text;
use crate::tui::update::windows;
use crate::tui::windows::overlay::{Overlay, Prompt};

/// A key that is no action: typed into the line or the field. Answers whether it was taken.
pub(crate) fn typed(app: &mut App, key: Key) -> bool {
    if let Some(Overlay::Form(form)) = &mut app.overlay {
        match (key.typed(), key.code()) {
            (Some(c), _) if form.takes_text() => form.type_text(Some(c)),
            (_, KeyCode::Backspace) if form.takes_text() => form.type_text(None),
            (Some(d), _) if d.is_ascii_digit() => {
                if let Some(why) = form.type_digit(Some(d)) {
                    app.warn(app.keymap.named_in(KeyScope::Form, &why));
                }
            }
            (_, KeyCode::Backspace) => {
                form.type_digit(None);
            }
            _ => {}
        }
        return true;
    }
    let Some(request) = request(key) else {
        return app.overlay.is_some();
    };
    if app.overlay.is_none() {
        return false;
    }
    let is_in_library = matches!(app.overlay, Some(Overlay::Library));
    if is_in_library && request == InputRequest::GoToNextChar && windows::library::complete(app) {
        return true;
    }
    let begun_with = match request {
        InputRequest::InsertChar(c) => Some(c),
        _ => None,
    };
    settle_proposed(app, begun_with);
    let fits = windows::line(app).is_none_or(|(input, most)| type_into(input, request, most));
    windows::typed(app);
    tell_cut(app, !fits);
    true
}

/// Whether a window is open that text is typed into, or digits.
pub(crate) fn takes_text(app: &mut App) -> bool {
    matches!(app.overlay, Some(Overlay::Form(_))) || windows::line(app).is_some()
}

/// Says so where a note has no room for all.
fn tell_cut(app: &mut App, is_cut: bool) {
    if is_cut && matches!(app.overlay, Some(Overlay::Note { .. })) {
        app.warn(format!(
            "a note has at most {LONGEST_NOTE} characters: what is more was left out"
        ));
    }
}

/// The first key, or what is pasted, decides about a text that is only proposed: it is replaced by what begins
/// with `typed`, or edited from now on.
fn settle_proposed(app: &mut App, typed: Option<char>) {
    let Some(window) = &mut app.overlay else {
        return;
    };
    let replaces = match window {
        Overlay::Prompt {
            what: Prompt::TimeLimit,
            ..
        } => typed.is_some_and(|c| c.is_ascii_digit()),
        _ => typed.is_some(),
    };
    if window.keep_proposed()
        && replaces
        && let Some(input) = window.input_mut()
    {
        input.reset();
    }
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
pub(crate) fn pasted(app: &mut App, text: &str) -> bool {
    if app.overlay.is_none() {
        return false;
    }
    // All is one line here; words stay apart.
    let spaced = text.trim_end().replace(['\n', '\r', '\t'], " ");
    let all = text::clean(&spaced, usize::MAX);
    if let Some(Overlay::Form(form)) = &mut app.overlay {
        let is_text = form.takes_text();
        all.chars()
            .filter(|_| is_text)
            .for_each(|c| form.type_text(Some(c)));
        return true;
    }
    settle_proposed(app, all.trim_start().chars().next());
    let Some((input, most)) = windows::line(app) else {
        return true;
    };
    let fitting = all
        .chars()
        .take_while(|&c| type_into(input, InputRequest::InsertChar(c), most));
    let is_cut = fitting.count() < all.chars().count();
    windows::typed(app);
    tell_cut(app, is_cut);
    true
}
