//! Which windows the actions open, and how each begins.

use tui_input::Input;

use crate::tui::figures::error_list;
use crate::tui::figures::imported;
use crate::tui::figures::study_decisions;
use crate::tui::keys::ActionId;
use crate::tui::state::{App, Effect};
use crate::tui::update::analysis::export;
use crate::tui::update::document;
use crate::tui::windows::exported::{Exported, MatchStatistics};
use crate::tui::windows::form::Form;
use crate::tui::windows::overlay::Overlay;
use crate::tui::windows::path_prompt::PathPrompt;

/// Opens the window of an action; answers whether it has one.
pub(crate) fn open(app: &mut App, action: ActionId) -> bool {
    match action {
        ActionId::GoTo => {
            app.say("a number is a move: 6.11 is move 11 of game 6, and 11 that of this game");
        }
        ActionId::Open => {
            type_path(app, String::new());
            return true;
        }
        ActionId::AnkiCards if !has_cards(app) => return true,
        _ => {}
    }
    let Some(window) = window(app, action) else {
        return false;
    };
    app.overlay = Some(window);
    document::guard(app);
    true
}

/// The window of an action as it begins, if it has one.
fn window(app: &mut App, action: ActionId) -> Option<Overlay> {
    let input = Input::default();
    Some(match action {
        ActionId::Palette | ActionId::GoTo => Overlay::Palette { input, row: 0 },
        ActionId::Dice if app.is_transcribing() => Overlay::Play { input },
        ActionId::Dice => Overlay::Dice { input },
        ActionId::TypePlay => Overlay::Play { input },
        ActionId::Score => Overlay::Score { input },
        ActionId::Note => note(app),
        ActionId::Export => write(Exported::Match, export::match_file(app)),
        ActionId::Picture => write(Exported::Picture, export::picture_file(app)),
        ActionId::AddToList => write(Exported::List, export::list_file(app)),
        ActionId::Card => write(Exported::Card, export::card_file(app)),
        ActionId::AnkiCards => write(Exported::Anki, export::anki_file(app)),
        ActionId::MatchReport => write(Exported::Report, export::report_file(app)),
        ActionId::RollMatch => Overlay::TimeLimit {
            input: Input::new(app.settings.review.budget.to_string()),
            is_proposed: true,
        },
        ActionId::Legend => Overlay::Legend { row: 0 },
        ActionId::Themes => Overlay::Themes { row: app.theme },
        ActionId::Figures => Overlay::Figures { row: 0 },
        ActionId::Errors => Overlay::Errors {
            row: error_list::row_to_begin_with(app),
        },
        ActionId::Warnings => Overlay::Warnings { row: 0 },
        ActionId::Imported => Overlay::Imported {
            row: imported::selected(app),
        },
        ActionId::Statistics => statistics(app),
        ActionId::RolloutSettings => Overlay::Form(Form::of_rollouts(app.settings.clone())),
        ActionId::Settings => {
            let themes = app.themes.iter().map(|theme| theme.name.clone());
            Overlay::Form(Form::of_all(app.settings.clone(), themes.collect()))
        }
        ActionId::Help => keys(app),
        _ => return None,
    })
}

/// Whether there are cards to write, or says why there are none.
fn has_cards(app: &mut App) -> bool {
    if !app.home().is_analysed() {
        app.say("the review is not done: cards are written once it is");
        return false;
    }
    let is_any = !study_decisions::card_decisions(app).is_empty();
    if !is_any {
        app.say_keys("no error to write at this threshold ({threshold} changes it)");
    }
    is_any
}

/// The note beside the move in view, to be edited.
fn note(app: &App) -> Overlay {
    let note = app.place().and_then(|place| app.home().notes.get(&place));
    let before = note.cloned().unwrap_or_default();
    Overlay::Note {
        input: Input::new(before.clone()),
        before,
    }
}

/// What the match comes to, which is worked out while the window is open.
fn statistics(app: &mut App) -> Overlay {
    let reviewed = Box::new(export::reviewed_match(app));
    let generation = app.match_in_review().generation;
    app.effects.push(Effect::Statistics {
        generation,
        reviewed,
    });
    Overlay::Statistics {
        found: MatchStatistics::default(),
        row: 0,
    }
}

/// Asks where something is written.
fn write(what: Exported, proposed: String) -> Overlay {
    Overlay::Export {
        what,
        input: Input::new(proposed),
        is_proposed: true,
    }
}

/// The keys of the window in view, or of the screen.
pub(super) fn keys(app: &mut App) -> Overlay {
    let is_help = app.overlay.as_ref().is_some_and(Overlay::is_help);
    let place = match is_help {
        true => app.screen_scope(),
        false => app.scope(),
    };
    let behind = app.overlay.take().filter(|_| !is_help);
    Overlay::Help {
        place,
        row: 0,
        behind: behind.map(Box::new),
    }
}

/// Opens the window in which a path or an ID is typed, with what was typed before.
pub(super) fn type_path(app: &mut App, typed: String) {
    app.overlay = Some(Overlay::Open(PathPrompt::new(typed)));
    find_names(app);
}

/// Has the names found that complete what is typed in the window of paths.
pub(crate) fn find_names(app: &mut App) {
    if let Some(Overlay::Open(prompt)) = app.overlay.as_mut().map(Overlay::below_keys) {
        let typed = prompt.input.value().to_owned();
        app.effects.push(Effect::Complete(typed));
    }
}
