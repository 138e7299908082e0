//! The window of a player's rating.

use super::{library, plan};
use crate::library::filter::player_word;
use crate::tui::figures::conditions;
use crate::tui::keys::ActionId;
use crate::tui::state::{App, Effect};
use crate::tui::windows::asked::Asked;
use crate::tui::windows::library::{ExpectedMatch, LibraryList, TypedFilter};
use crate::tui::windows::overlay::Overlay;
use crate::tui::windows::quiz::StudyWindow;
use crate::tui::windows::rating::{RatingList, RatingNews, RatingPlace, RatingRequest};

/// Why the matches whose month is unknown cannot be shown.
const NO_MONTH: &str =
    "no filter finds the matches that do not say in which month they were played";

/// Opens the window: of the player named first in the row of the library, or else of the user.
pub(crate) fn open(app: &mut App) {
    let from = match app.overlay {
        Some(Overlay::Library) => Some(StudyWindow::Library),
        Some(Overlay::Plan) => Some(StudyWindow::Plan),
        _ => None,
    };
    if from == Some(StudyWindow::Library) && library::filter_or_warn(app).is_none() {
        return;
    }
    // A library that the rating has opened is gone with it, and the rating is the one before.
    let opened_by = &mut app.library.from;
    if from == Some(StudyWindow::Library)
        && opened_by
            .take_if(|one| *one == StudyWindow::Rating)
            .is_some()
    {
        app.overlay = Some(Overlay::Rating);
        return;
    }
    let row = app.library.selected();
    let whose = match from {
        Some(StudyWindow::Library) => row.map(|row| row.players[0].clone()),
        _ => None,
    };
    let filter = match from {
        Some(StudyWindow::Library) => app.library.typed_filter(),
        Some(StudyWindow::Plan) => app.plan.filter.clone(),
        _ => None,
    };
    app.rating.from = from;
    app.overlay = Some(Overlay::Rating);
    ask(app, whose, filter);
}

/// Closes it; the window that it was opened from comes back.
pub(crate) fn close(app: &mut App) {
    app.overlay = app.rating.from.take().map(Overlay::from);
}

fn ask(app: &mut App, whose: Option<String>, filter: Option<TypedFilter>) {
    let place = &mut app.rating;
    // The same rating stays as it was until it is read again.
    if (&place.whose, &place.filter) != (&whose, &filter) {
        *place = RatingPlace {
            from: place.from,
            whose: whose.clone(),
            filter: filter.clone(),
            asked: Asked {
                number: place.asked.number,
                ..Asked::default()
            },
            ..RatingPlace::default()
        };
    }
    let number = place.asked.ask();
    app.effects.push(Effect::Rating(RatingRequest {
        number,
        whose,
        filter: filter.map(|typed| typed.filter),
    }));
}

/// Something new of the latest rating.
pub(crate) fn news(app: &mut App, number: u64, news: RatingNews) {
    let offers = conditions::offers_to_library(app);
    let (place, keymap) = (&mut app.rating, &app.keymap);
    place
        .asked
        .take(number, news, |why| plan::failure(keymap, offers, why));
    if place.asked.view.is_some() {
        place.row = place.row.min(place.rows().saturating_sub(1));
    }
}

/// Does what an action means in the window; answers whether it means something there.
pub(crate) fn act(app: &mut App, action: ActionId) -> bool {
    if !matches!(app.overlay, Some(Overlay::Rating)) {
        return false;
    }
    let place = &mut app.rating;
    match action {
        ActionId::Complete => {
            place.row = 0;
            place.list = place.list.next();
        }
        ActionId::Accept => match place.list {
            RatingList::Matches => enter(app),
            RatingList::Parts | RatingList::CubeErrors => show_in_library(app, LibraryList::Errors),
            RatingList::Groups => show_in_library(app, LibraryList::Matches),
        },
        ActionId::OpponentRating => opponent(app),
        ActionId::Rating => ask(app, None, None),
        _ => return false,
    }
    true
}

/// Opens the selected match.
fn enter(app: &mut App) {
    let (Some(view), Some(at)) = (&app.rating.asked.view, app.rating.selected()) else {
        return;
    };
    let file = view.files.get(at).cloned().flatten();
    library::open_match(app, file, None, ExpectedMatch::Any, "");
    // Not to the library: the rating is as it was left.
    app.awaited = None;
}

/// What the selected row is made of, in this list of the library.
fn show_in_library(app: &mut App, list: LibraryList) {
    let place = &app.rating;
    let Some(row) = place.row_filter() else {
        if place.row < place.rows() {
            app.say(NO_MONTH);
        }
        return;
    };
    let whose = place.whose.as_deref();
    let player = whose.map_or_else(|| "me".to_owned(), player_word);
    let mut filter = format!("{row} {player}");
    if let Some(typed) = &place.filter {
        filter += &format!(" {}", typed.text);
    }
    library::open_from(app, StudyWindow::Rating, list, filter);
    // A list of the library that the rating was opened from is no longer in view there.
    app.rating.from.take_if(|one| *one == StudyWindow::Library);
}

/// The rating of the opponent in the selected match.
fn opponent(app: &mut App) {
    let (Some(view), Some(at)) = (&app.rating.asked.view, app.rating.selected()) else {
        return;
    };
    let one = view.history.matches().get(at);
    if let Some(name) = one.map(|one| one.players[1].clone()) {
        ask(app, Some(name), None);
    }
}
