//! Keys of the windows over the screen.

use ratatui::crossterm::event::KeyCode;
use tui_input::{Input, InputRequest};

use crate::game::Roll;
use crate::tui::actions::{Action, Do};
use crate::tui::keys::Key;
use crate::tui::overlay::{Form, Overlay, completions, help_rows, palette_rows, row_count};
use crate::tui::state::{App, Effect, Source};

/// At most this many characters in a typed line.
const LINE: usize = 1024;

/// Opens the window of an action.
pub(super) fn open(app: &mut App, act: Do) {
    app.overlay = Some(match act {
        Do::Palette => Overlay::Palette {
            input: Input::default(),
            row: 0,
        },
        Do::Open => Overlay::Open {
            input: Input::default(),
            found: completions("", 200),
            row: None,
        },
        Do::Dice => Overlay::Dice {
            input: Input::default(),
        },
        Do::Errors => Overlay::Errors { row: 0 },
        Do::Warnings => Overlay::Warnings { row: 0 },
        Do::RolloutSettings => Overlay::Form(Form::new(app.settings.rollout)),
        _ => Overlay::Help { row: 0 },
    });
}

/// Does what an action means in the window; answers whether it means something there.
pub(super) fn act(app: &mut App, act: Do) -> bool {
    let count = row_count(app);
    match act {
        Do::Close | Do::Back => app.overlay = None,
        Do::Accept => accept(app),
        Do::Complete => complete(app),
        Do::Down | Do::Up | Do::First | Do::Last => go(app, act, count),
        Do::Less | Do::More => {
            if let Some(Overlay::Form(form)) = &mut app.overlay {
                form.step(act == Do::More);
            }
        }
        _ => return false,
    }
    true
}

fn go(app: &mut App, act: Do, count: usize) {
    let last = count.saturating_sub(1);
    let next = |row: usize| match act {
        Do::Down => (row + 1).min(last),
        Do::Up => row.saturating_sub(1),
        Do::First => 0,
        _ => last,
    };
    match &mut app.overlay {
        Some(
            Overlay::Help { row }
            | Overlay::Errors { row }
            | Overlay::Warnings { row }
            | Overlay::Palette { row, .. },
        ) => {
            *row = next(*row);
        }
        Some(Overlay::Open { row, .. }) if count > 0 => {
            *row = Some(row.map_or(0, next));
        }
        Some(Overlay::Form(form)) => form.go(act == Do::Down),
        _ => {}
    }
}

fn accept(app: &mut App) {
    match app.overlay.take() {
        Some(Overlay::Help { row }) => run(app, help_rows().get(row).copied()),
        Some(Overlay::Palette { input, row }) => {
            run(app, palette_rows(input.value()).get(row).copied());
        }
        Some(Overlay::Open { input, found, row }) => {
            let chosen = row.and_then(|r| found.get(r)).map(String::as_str);
            let text = chosen.unwrap_or_else(|| input.value()).trim().to_owned();
            if text.ends_with('/') {
                // A folder is entered, not opened.
                app.overlay = Some(Overlay::Open {
                    found: completions(&text, 200),
                    input: Input::new(text),
                    row: None,
                });
            } else if !text.is_empty() {
                super::open_source(app, Source::of(&expand_home(&text)));
            }
        }
        Some(Overlay::Dice { input }) => set_dice(app, input.value().trim()),
        Some(Overlay::Errors { row }) => {
            if let Some(row) = crate::tui::ledger::rows(app).get(row) {
                super::walk::go(app, row.turn);
            }
        }
        Some(Overlay::Warnings { row }) => {
            if let Some(line) = app.warnings().get(row).map(|w| w.line) {
                super::walk::line(app, line);
            }
        }
        Some(Overlay::Form(form)) => {
            app.settings.rollout = form.values;
            // Whole rounds of first rolls.
            app.settings.rollout.trials = form.values.trials.next_multiple_of(36);
            app.say("rollouts from now on use these settings");
        }
        _ => {}
    }
}

/// Opens the position in view again with other dice, or with none.
fn set_dice(app: &mut App, typed: &str) {
    let Some(mut state) = app.turn().map(|t| t.moment.state) else {
        return;
    };
    let digits: Vec<u8> = typed
        .chars()
        .filter(|c| !c.is_whitespace())
        .map(|c| c.to_digit(10).map_or(0, |d| d as u8))
        .collect();
    state.roll = match digits[..] {
        [] => None,
        [a, b] if Roll::new(a, b).is_some() => Roll::new(a, b),
        _ => return app.warn("a roll is two digits from 1 to 6, such as 31"),
    };
    state.doubled &= state.roll.is_none();
    let id = crate::notation::xgid_text(&state);
    app.effects.push(Effect::Open(Source::Id(id)));
}

/// `~/` as shells write it.
fn expand_home(text: &str) -> String {
    match (text.strip_prefix("~/"), std::env::var("HOME")) {
        (Some(rest), Ok(home)) => format!("{home}/{rest}"),
        _ => text.to_owned(),
    }
}

fn run(app: &mut App, action: Option<&'static Action>) {
    if let Some(action) = action {
        super::attempt(app, action);
    }
}

fn complete(app: &mut App) {
    if let Some(Overlay::Open { input, found, row }) = &mut app.overlay {
        let all = completions(input.value(), 200);
        let chosen = row.and_then(|r| found.get(r).cloned());
        let text = chosen.or_else(|| common_start(&all));
        if let Some(text) = text.filter(|t| t.len() >= input.value().len()) {
            *found = completions(&text, 200);
            *input = Input::new(text);
            *row = None;
        }
    }
}

fn common_start(all: &[String]) -> Option<String> {
    let first = all.first()?;
    let mut n = first.len();
    for other in &all[1..] {
        let same = first
            .bytes()
            .zip(other.bytes())
            .take_while(|(a, b)| a == b)
            .count();
        n = n.min(same);
    }
    while !first.is_char_boundary(n) {
        n -= 1;
    }
    Some(first[..n].to_owned())
}

/// A key that is no action: typed into the line or the field. Answers whether it was taken.
pub(super) fn typed(app: &mut App, key: Key) -> bool {
    let request = match (key.typed(), key.code()) {
        (Some(c), _) => Some(InputRequest::InsertChar(c)),
        (_, KeyCode::Backspace) => Some(InputRequest::DeletePrevChar),
        (_, KeyCode::Delete) => Some(InputRequest::DeleteNextChar),
        (_, KeyCode::Left) => Some(InputRequest::GoToPrevChar),
        (_, KeyCode::Right) => Some(InputRequest::GoToNextChar),
        (_, KeyCode::Home) => Some(InputRequest::GoToStart),
        (_, KeyCode::End) => Some(InputRequest::GoToEnd),
        _ => None,
    };
    match (&mut app.overlay, request) {
        (Some(Overlay::Palette { input, row }), Some(request)) => {
            if input.value().chars().count() < LINE
                || !matches!(request, InputRequest::InsertChar(_))
            {
                input.handle(request);
            }
            *row = 0;
            true
        }
        (Some(Overlay::Dice { input }), Some(request)) => {
            if input.value().len() < 4 || !matches!(request, InputRequest::InsertChar(_)) {
                input.handle(request);
            }
            true
        }
        (Some(Overlay::Open { input, found, row }), Some(request)) => {
            if input.value().chars().count() < LINE
                || !matches!(request, InputRequest::InsertChar(_))
            {
                input.handle(request);
            }
            *found = completions(input.value(), 200);
            *row = None;
            true
        }
        (Some(Overlay::Form(form)), _) => {
            match (key.typed(), key.code()) {
                (Some(d), _) if d.is_ascii_digit() => form.type_digit(Some(d)),
                (_, KeyCode::Backspace) => form.type_digit(None),
                _ => {}
            }
            true
        }
        (overlay, _) => overlay.is_some(),
    }
}

/// Text pasted while a window is open; answers whether it took it.
pub(super) fn pasted(app: &mut App, text: &str) -> bool {
    match &mut app.overlay {
        Some(Overlay::Palette { input, .. }) | Some(Overlay::Open { input, .. }) => {
            for c in text.chars().filter(|c| !c.is_control()).take(LINE) {
                input.handle(InputRequest::InsertChar(c));
            }
            true
        }
        Some(_) => true,
        None => false,
    }
}
