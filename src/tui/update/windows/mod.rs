//! The windows over the screen. Each is one file with what it draws, what its keys and a click do, and what Enter takes.

mod bias;
pub(crate) mod equity_table;
pub(crate) mod errors;
mod figures;
mod form;
pub(crate) mod help;
mod imported;
pub(crate) mod kept_list;
mod legend;
pub(crate) mod library;
pub(crate) mod matrix;
mod note;
pub(crate) mod open;
mod opinions;
pub(crate) mod plan;
mod prompts;
pub(crate) mod rating;
pub(crate) mod statistics;
mod themes;
mod warnings;
mod why;
mod window;

use ratatui::layout::Rect;
use tui_input::Input;

use crate::tui::documents::match_decision::MatchDecision;
use crate::tui::keys::{ActionEntry, ActionId};
use crate::tui::state::App;
use crate::tui::update::document;
use crate::tui::update::lines::walk;
use crate::tui::view::drawing::paint::Paint;
use crate::tui::windows::form::Form;
use crate::tui::windows::overlay::Overlay;
use window::{Window, next};

/// The windows that are a list of which only the selected row is kept, by the actions that open them.
const LISTS: &[(ActionId, &dyn Window)] = &[
    (ActionId::Errors, &errors::Errors),
    (ActionId::Figures, &figures::Figures),
    (ActionId::Imported, &imported::Imported),
    (ActionId::Legend, &legend::Legend),
    (ActionId::Themes, &themes::Themes),
    (ActionId::Verify, &opinions::Opinions),
    (ActionId::Warnings, &warnings::Warnings),
];

/// The list that an action opens.
fn list_by(action: ActionId) -> Option<&'static dyn Window> {
    let list = LISTS.iter().find(|(id, _)| *id == action)?;
    Some(list.1)
}

/// What draws a window and does its actions.
fn window_of(overlay: &Overlay) -> &'static dyn Window {
    match overlay {
        Overlay::Help { .. } => &help::Help,
        Overlay::List { of, .. } => list_by(*of).unwrap_or(&warnings::Warnings),
        Overlay::Library => &library::Library,
        Overlay::Plan => &plan::Plan,
        Overlay::Rating => &rating::Rating,
        Overlay::KeptList { .. } => &kept_list::KeptRollouts,
        Overlay::EquityTable(_) => &equity_table::EquityTable,
        Overlay::Statistics { .. } => &statistics::Statistics,
        Overlay::Open(_) => &open::Open,
        Overlay::Note { .. } => &note::Note,
        Overlay::Prompt { .. } => &prompts::Line,
        Overlay::Form(_) => &form::Settings,
        Overlay::Why { .. } => &why::Why,
        Overlay::Matrix { .. } => &matrix::Matrix,
        Overlay::Bias { .. } => &bias::Bias,
    }
}

/// The window in view.
fn in_view(app: &App) -> Option<&'static dyn Window> {
    app.overlay.as_ref().map(window_of)
}

/// Opens the window of an action; returns whether it has one.
pub(crate) fn open(app: &mut App, action: ActionId) -> bool {
    match action {
        ActionId::GoTo => {
            app.say("a number is a move: 6.11 is move 11 of game 6, and 11 that of this game");
        }
        ActionId::Open => {
            open::type_path(app, String::new());
            return true;
        }
        ActionId::AnkiCards if !prompts::has_cards(app) => return true,
        _ => {}
    }
    let window = match list_by(action) {
        Some(list) => {
            let row = list.begin(app);
            row.map(|row| Overlay::List { of: action, row })
        }
        None => match begun(app, action) {
            None => return false,
            window => window,
        },
    };
    if window.is_some() {
        app.overlay = window;
        document::guard(app);
        app.left_for_window = None;
        follow(app);
    }
    true
}

/// Has the board beside the window in view show the decision of the selected row.
fn follow(app: &mut App) {
    let window = in_view(app).filter(|_| app.has_window_beside());
    if let Some(decision) = window.and_then(|window| window.decision(app)) {
        let here = MatchDecision {
            turn: app.at,
            is_silent: app.before.is_some(),
        };
        app.left_for_window.get_or_insert(here);
        walk::to_decision(app, decision);
    }
}

/// The window of an action as it begins, if it has one.
fn begun(app: &mut App, action: ActionId) -> Option<Overlay> {
    Some(match action {
        ActionId::Note => note::note(app),
        ActionId::Statistics => statistics::begun(app),
        ActionId::RolloutSettings => Overlay::Form(Form::of_rollouts(app.settings.clone())),
        ActionId::Settings => {
            let themes = app.themes.iter().map(|theme| theme.name.clone());
            Overlay::Form(Form::of_all(app.settings.clone(), themes.collect()))
        }
        ActionId::Help | ActionId::GoTo => help::keys(app),
        _ => return prompts::begun(app, action),
    })
}

/// Draws the window in view.
pub(crate) fn draw(paint: &mut Paint<'_>, screen: Rect, app: &App) {
    if let Some(window) = in_view(app) {
        window.draw(paint, screen, app);
    }
}

/// Does what an action means in the window in view; returns whether it means something there.
pub(crate) fn act(app: &mut App, action: ActionId) -> bool {
    let Some(window) = in_view(app) else {
        return false;
    };
    if window.act(app, action) {
        follow(app);
        return true;
    }
    match action {
        ActionId::Help if app.overlay.as_ref().is_some_and(Overlay::is_help) => close(app),
        ActionId::Close | ActionId::Back => close(app),
        ActionId::Accept => accept(app),
        _ => {
            let count = window.rows(app);
            let Some(row) = window.row(app) else {
                return false;
            };
            match next(*row, action, count) {
                Some(next) => *row = next,
                None => return false,
            }
            follow(app);
        }
    }
    true
}

/// Closes the window and does what Enter means there; where that cannot be done, what was typed can be put right.
fn accept(app: &mut App) {
    let Some(mut overlay) = app.overlay.take() else {
        return;
    };
    if window_of(&overlay).accept(app, &overlay) {
        app.left_for_window = None;
    } else {
        overlay.keep_proposed();
        app.overlay = Some(overlay);
    }
}

/// Closes the window in view. The board shows again what it showed before it followed the rows of the window.
pub(crate) fn close(app: &mut App) {
    if let Some(window) = in_view(app) {
        window.close(app);
    }
    if let Some(decision) = app.left_for_window.take() {
        walk::to_decision(app, decision);
    }
}

/// A click on a row of the window in view; returns whether it means Enter.
pub(crate) fn click_row(app: &mut App, row: usize) -> bool {
    let means_enter = in_view(app).is_some_and(|window| window.click(app, row));
    follow(app);
    means_enter
}

/// The line of the window in view that text is typed into, and how many characters it may have.
pub(crate) fn line(app: &mut App) -> Option<(&mut Input, usize)> {
    let window = in_view(app)?;
    let most = window.longest(app);
    Some((window.line(app)?, most))
}

/// Another text has been typed into the window in view.
pub(crate) fn typed(app: &mut App) {
    if let Some(window) = in_view(app) {
        window.typed(app);
    }
}

/// The action that the selected row of the window in view names.
pub(crate) fn named_action(app: &App) -> Option<&'static ActionEntry> {
    in_view(app)?.named_action(app)
}
