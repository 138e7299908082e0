//! What Enter does in a window.

use std::path::Path;

use tui_input::Input;

use super::opening::type_path;
use super::typed_play;
use crate::game::{GameState, Roll};
use crate::notation;
use crate::store::UserSettings;
use crate::store::file::expand_home;
use crate::store::settings::RolloutPreferences;
use crate::tui::documents::match_decision::MatchDecision;
use crate::tui::documents::new_match::{CORRECT, GO_ON};
use crate::tui::documents::transcript::can_transcribe;
use crate::tui::figures::error_list;
use crate::tui::figures::imported;
use crate::tui::figures::troubles::{self, Goal};
use crate::tui::state::{App, Effect, Openable};
use crate::tui::text;
use crate::tui::update::analysis::{export, match_rollouts};
use crate::tui::update::lines::{draft, new_match, transcript, variations, walk};
use crate::tui::update::ranking;
use crate::tui::update::{appearance, document, folder, notes};
use crate::tui::windows::exported::{Exported, PendingExport, Written};
use crate::tui::windows::form::Form;
use crate::tui::windows::overlay::Overlay;
use crate::tui::windows::path_prompt::PathPrompt;
use crate::words::counted;

/// Does what the row in view says, or what was typed.
pub(super) fn accept(app: &mut App) {
    let Some(mut window) = app.overlay.take() else {
        return;
    };
    let is_done = match &window {
        Overlay::Dice { input } => set_dice(app, input.value().trim()),
        Overlay::Play { input } => typed_play::take(app, input.value()),
        Overlay::Score { input } => draft::score(app, input.value()),
        Overlay::Export { what, input, .. } => write(app, *what, input),
        Overlay::TimeLimit { input, .. } => match_rollouts::accept(app, input.value()),
        Overlay::NewMatch {
            is_transcribed,
            input,
            ..
        } => {
            go_on_with_match(app, *is_transcribed, input.value())
                || new_match::accept(app, *is_transcribed, input.value())
        }
        Overlay::Form(form) => use_settings(app, form),
        // No command was found.
        Overlay::Palette { .. } => false,
        chosen => {
            choose(app, chosen);
            true
        }
    };
    if !is_done {
        // What was typed can be put right.
        window.keep_proposed();
        app.overlay = Some(window);
    }
}

/// Does what the row in view says, or takes a text that cannot be wrong; a path or an ID that is wrong opens its window
/// again.
fn choose(app: &mut App, window: &Overlay) {
    match window {
        Overlay::Open(prompt) => open_typed(app, prompt),
        Overlay::Note { input, before } => notes::keep(app, input.value().trim(), before.clone()),
        Overlay::Errors { row } => go_to_error(app, *row),
        Overlay::Warnings { row } => go_to_warning(app, *row),
        Overlay::Opinions { row } => go_to_opinion(app, *row),
        Overlay::Imported { row } => show_imported(app, *row),
        Overlay::Themes { row } => appearance::take_theme(app, *row),
        _ => {}
    }
}

/// Has the file of this name written; answers whether there is a name.
fn write(app: &mut App, what: Exported, name: &Input) -> bool {
    let typed = name.value().trim();
    if typed.is_empty() {
        app.warn("a name for the file is missing");
        return false;
    }
    let written = export::written(app, what);
    app.say(match &written {
        Written::Anki(cards) => format!("writing {} …", counted(cards.decisions.len(), "card")),
        _ => "writing …".to_owned(),
    });
    let number = app.generations.next_request();
    let path = expand_home(typed).into();
    app.effects.push(Effect::Export(number, written, path));
    // If it fails, what was typed can be put right.
    let state = app.turn().map(|turn| turn.before.state);
    app.unwritten.push(PendingExport {
        number,
        what,
        input: name.clone(),
        state,
        is_of_earlier: false,
    });
    true
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

/// Opens what was typed, or chosen from the list of files.
fn open_typed(app: &mut App, prompt: &PathPrompt) {
    let chosen = prompt.chosen();
    let text = chosen.unwrap_or_else(|| prompt.input.value());
    let text = text.trim().to_owned();
    match text.ends_with('/') {
        // A folder of the list is entered.
        true if chosen.is_some() => type_path(app, text),
        true => folder::fill(app, expand_home(&text).into()),
        false if text.is_empty() || draft::written(app, &text) => {}
        false => {
            let source = Openable::of(&expand_home(&text));
            let is_opening = match why_not(&source) {
                None => document::open_source(app, source),
                Some(why) => {
                    app.warn(format!("{why}: {}", text::clean(&text, 60)));
                    false
                }
            };
            // What was typed can be put right.
            if !is_opening {
                type_path(app, text);
            }
        }
    }
}

/// Why what was typed cannot be opened, if that is plain already.
fn why_not(source: &Openable) -> Option<String> {
    match source {
        Openable::File(path) if !path.exists() => {
            Some("no such file, and no position ID".to_owned())
        }
        Openable::Id(id) => notation::parse_id(id).err().map(|why| why.to_string()),
        _ => None,
    }
}

/// Goes to the decision of an error.
fn go_to_error(app: &mut App, row: usize) {
    if let Some(row) = error_list::rows(app).get(row) {
        walk::to_decision(app, row.decision);
        app.document.gone_to = Some(row.decision);
    }
}

/// Shows the play that the file lists in a row on the board.
fn show_imported(app: &mut App, row: usize) {
    let rows = imported::rows(app);
    let result = rows.get(row).and_then(|row| row.result);
    app.selection.play = result.or(app.selection.play);
}

/// Goes where a warning is about.
fn go_to_warning(app: &mut App, row: usize) {
    match troubles::rows(app).get(row).map(|row| row.goal) {
        Some(Goal::InView(turn)) => walk::go(app, turn),
        Some(Goal::Line(line)) if variations::may_leave(app) => walk::line(app, line),
        Some(Goal::Turn(turn)) if variations::may_leave(app) => walk::go(app, turn),
        _ => {}
    }
}

/// Goes to the decision that an opinion is about.
fn go_to_opinion(app: &mut App, row: usize) {
    app.home_mut().opinion = row;
    let opinion = app.opinions.as_ref().and_then(|all| all.get(row));
    let Some(claim) = opinion.map(|one| &one.claim) else {
        return;
    };
    let is_cube = claim.actions.is_some();
    if let Some(turn) = app.turn_at(claim.place) {
        let has_roll = app.document.turns[turn].before.state.roll.is_some();
        let is_silent = is_cube && has_roll;
        walk::to_decision(app, MatchDecision { turn, is_silent });
    }
}

/// Uses the settings of a form; those of the window of all settings are written to their file as well. Answers whether
/// they can be used.
fn use_settings(app: &mut App, form: &Form) -> bool {
    if let Some(why) = form.values.trouble() {
        app.warn(why);
        return false;
    }
    let mut settings = form.values.clone();
    let trials = &mut settings.rollout.trials;
    if *trials != app.settings.rollout.trials {
        *trials = RolloutPreferences::whole_rounds(*trials);
    }
    let before = std::mem::replace(&mut app.settings, settings);
    if form.is_of_all() {
        follow_settings(app, &before);
        app.effects.push(Effect::SaveSettings);
    } else {
        app.say_keys(
            "rollouts use these settings until you quit; {palette} finds *save settings*, which keeps them",
        );
    }
    true
}

/// Shows everything by the settings in force, which were others `before`.
fn follow_settings(app: &mut App, before: &UserSettings) {
    if app.settings.theme != before.theme {
        appearance::use_theme(app);
    }
    if app.settings.review.ply != before.review.ply {
        // It is analysed anew.
        app.openings.fall_behind();
    }
    // The figures in view are those of so many plies as are wanted now.
    ranking::rerank(app);
    walk::analyse_turn_in_view(app);
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
