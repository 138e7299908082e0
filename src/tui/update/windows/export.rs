//! Asks where something is written.

use ratatui::layout::Rect;
use tui_input::Input;

use super::window::Window;
use crate::store::file::expand_home;
use crate::tui::figures::study_decisions;
use crate::tui::keys::ActionId;
use crate::tui::state::{App, Effect};
use crate::tui::theme::Role;
use crate::tui::update::analysis::export;
use crate::tui::view::drawing::paint::Paint;
use crate::tui::view::drawing::prompt::{below, prompt, select};
use crate::tui::view::drawing::window::window;
use crate::tui::windows::exported::{Exported, PendingExport, Written};
use crate::tui::windows::overlay::Overlay;
use crate::words::counted;

pub(super) struct Export;

/// The window of an action that writes something.
pub(super) fn begun(app: &App, action: ActionId) -> Option<Overlay> {
    let (what, proposed) = match action {
        ActionId::Export => (Exported::Match, export::match_file(app)),
        ActionId::Picture => (Exported::Picture, export::picture_file(app)),
        ActionId::AddToList => (Exported::List, export::list_file(app)),
        ActionId::Card => (Exported::Card, export::card_file(app)),
        ActionId::AnkiCards => (Exported::Anki, export::anki_file(app)),
        ActionId::MatchReport => (Exported::Report, export::report_file(app)),
        _ => return None,
    };
    Some(Overlay::Export {
        what,
        input: Input::new(proposed),
        is_proposed: true,
    })
}

/// Whether there are cards to write, or says why there are none.
pub(super) fn has_cards(app: &mut App) -> bool {
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

impl Window for Export {
    fn draw(&self, paint: &mut Paint<'_>, screen: Rect, app: &App) {
        let Some(Overlay::Export {
            what,
            input,
            is_proposed,
        }) = &app.overlay
        else {
            return;
        };
        let beside = kept_beside(app);
        let varies = app.home().has_variations();
        let is_position = app.home().record.games.is_empty();
        let (title, format, how) = match what {
            Exported::Match => (
                match (is_position, varies) {
                    (false, false) => "write the match",
                    (false, true) => "write the match with its variations",
                    // Without variations there is nothing to write of one.
                    (true, _) => "write the position with its variations",
                },
                match is_position {
                    true => "SGF, JSON",
                    false => "SGF, MAT, TXT, JSON",
                },
                beside.as_str(),
            ),
            Exported::Picture => (
                "write a picture of the position",
                "SVG, PNG",
                "a file that is not there yet; .svg or .png says what it will be",
            ),
            Exported::Card => (
                "write a card of the position",
                "HTML",
                "a file that is not there yet; a page with board and analysis, without links",
            ),
            Exported::List => (
                "add the position to a list",
                "TXT",
                "a list that is there, or a new one: an XGID a line, with your note",
            ),
            Exported::Anki => (
                "write cards for Anki",
                "APKG",
                "a file that is not there yet; Anki reads it with File, Import",
            ),
            Exported::Report => (
                "write the review of the match",
                "HTML",
                "a file that is not there yet; a page that needs nothing else",
            ),
        };
        let area = window(paint, screen, (76, 3), title, format);
        prompt(paint, area, ">", input);
        if *is_proposed {
            select(paint, area, input);
        }
        paint.line(below(area), 0, &[(how, Role::OverlayMuted)]);
    }

    fn accept(&self, app: &mut App, window: &Overlay) -> bool {
        match window {
            Overlay::Export { what, input, .. } => write(app, *what, input),
            _ => true,
        }
    }
}

/// Says what of the match that is written only some formats hold, in a line for narrow screens.
fn kept_beside(app: &App) -> String {
    let home = app.home();
    let kept = match (home.has_variations(), !home.notes.is_empty()) {
        (true, true) => "variations and notes",
        (true, false) => "variations",
        (false, true) => "notes",
        (false, false) => return "a file that is not there yet".to_owned(),
    };
    format!("a new file; .sgf and .json hold {kept}")
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
