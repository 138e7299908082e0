//! The window of the library.

use std::path::PathBuf;
use std::sync::Arc;

use tui_input::Input;

use crate::library::filter::completion;
use crate::library::{Filter, Order, Pattern};
use crate::tui::documents::match_decision::MatchDecision;
use crate::tui::keys::ActionId;
use crate::tui::state::{App, Effect, Loss, Openable};
use crate::tui::text;
use crate::tui::update::document::open_source;
use crate::tui::update::quizzes::quiz_request;
use crate::tui::windows::library::{
    AwaitedMatch, ExpectedMatch, FillNews, FormerList, LibraryList, LibraryQuery, LibraryRequest,
    LibraryRow, LibraryView, RowAbout,
};
use crate::tui::windows::overlay::Overlay;
use crate::tui::windows::quiz::StudyWindow;

/// Opens the window as it was left; from the positions like the one in view it goes back to the list before them.
pub(crate) fn open_as_left(app: &mut App) {
    if !app.library.was_entered
        && (app.library.list == LibraryList::Like || app.library.is_of_plan_or_rating)
        && let Some(former) = app.library.former.take()
    {
        former.restore(&mut app.library);
    }
    show(app);
}

/// Opens the window with the positions like the one in view.
pub(crate) fn open_similar(app: &mut App) {
    let turn = app
        .before
        .or_else(|| app.document.turns.get(app.at).copied());
    let Some(turn) = turn else {
        return app.say("there is no position in view");
    };
    let place = &mut app.library;
    if place.list != LibraryList::Like && !place.is_of_plan_or_rating {
        place.former = Some(FormerList::of(place));
    }
    place.like = Some(Box::new(turn.before.state));
    place.list = LibraryList::Like;
    place.input = Input::default();
    place.row = 0;
    place.view = None;
    show(app);
}

/// Opens the window with what a row of this window is about: it comes back as the library closes, and later that goes
/// back to the list before.
pub(crate) fn open_from(app: &mut App, window: StudyWindow, list: LibraryList, filter: String) {
    let place = &mut app.library;
    if !place.is_of_plan_or_rating {
        place.former = Some(FormerList::of(place));
    }
    (place.list, place.input, place.row) = (list, Input::new(filter), 0);
    place.view = None;
    place.named = None;
    show(app);
    app.library.from = Some(window);
    app.library.is_of_plan_or_rating = true;
}

/// Opens the window with the positions that have a pattern. What has been typed is typed anew with the next one.
pub(crate) fn open_pattern(app: &mut App, pattern: &Pattern) {
    let place = &mut app.library;
    place.former = None;
    place.list = LibraryList::Decisions;
    // Words may follow at once.
    place.input = Input::new(format!("{pattern} "));
    place.row = 0;
    place.view = None;
    show(app);
}

fn show(app: &mut App) {
    app.library.see();
    // What was asked before may have been about something else.
    app.library.number += 1;
    app.overlay = Some(Overlay::Library);
    app.library.from = None;
    app.library.is_of_plan_or_rating = false;
    app.library.was_entered = false;
}

/// Closes the window: back to the plan or the rating if it was opened there.
pub(crate) fn close(app: &mut App) {
    app.overlay = app.library.from.take().map(Overlay::from);
}

/// The library is filled in the background; the window shows what is new.
pub(crate) fn filled(app: &mut App, news: FillNews) {
    let before = &app.library.filling;
    let is_new = (news.added, news.updated) != (before.added, before.updated);
    let is_open = matches!(app.overlay, Some(Overlay::Library));
    let is_done = news.of > 0 && news.done == news.of;
    if news.done == news.of {
        app.library.finish();
    }
    app.library.filling = news;
    if is_done && app.library.filling.is_asked {
        let summary = text::clean(&app.library.filling.summary(), 200);
        app.say(format!("library: {summary}"));
    }
    if is_open {
        app.library.see();
    }
    if is_open && is_new && app.library.wrong.is_none() {
        ask_again(app);
    }
}

/// Asks the librarian for something else: what is typed, or another list or order.
fn ask(app: &mut App) {
    app.library.is_outdated = true;
    app.library.number += 1;
    ask_again(app);
}

/// Asks the librarian for the same once more, or for the first time: each answer counts.
pub(crate) fn ask_again(app: &mut App) {
    let place = &mut app.library;
    match Filter::parse(place.input.value()) {
        Err(error) => place.wrong = Some(error.to_string()),
        Ok(filter) => {
            place.wrong = None;
            let query = LibraryQuery {
                number: place.number,
                list: place.list,
                filter,
                order: place.order,
                by: place.by,
                like: place.like.clone(),
            };
            app.effects
                .push(Effect::Library(LibraryRequest::Show(Box::new(query))));
        }
    }
}

/// Takes in what the librarian has found.
pub(crate) fn found(app: &mut App, number: u64, found: Result<Box<LibraryView>, String>) {
    match found {
        Ok(view) if number == app.library.number => {
            app.people.clone_from(&view.people);
            let place = &mut app.library;
            // What has come into the library moves the row that was selected.
            let selected = place.selected().filter(|_| !place.is_outdated);
            let moved = selected.map(LibraryRow::key);
            let moved = moved.and_then(|key| view.rows.iter().position(|row| row.key() == key));
            let last = view.rows.len().saturating_sub(1);
            place.row = moved.unwrap_or(place.row).min(last);
            place.view = Some(Arc::new(*view));
            place.is_outdated = false;
        }
        Ok(_) => {}
        Err(why) => {
            app.library.is_outdated &= number != app.library.number;
            app.warn(why);
        }
    }
}

/// Does what an action means in the window; answers whether it means something there.
pub(crate) fn act(app: &mut App, action: ActionId) -> bool {
    if !matches!(app.overlay, Some(Overlay::Library)) {
        return false;
    }
    if is_held_up(app, action) {
        return true;
    }
    match action {
        ActionId::Accept => enter(app),
        ActionId::Complete => next_list(app),
        ActionId::Order => next_order(app),
        ActionId::Myself => take_as_myself(app),
        ActionId::RemoveMatch => remove(app),
        ActionId::QuizLibrary => begin_quiz(app),
        _ => return false,
    }
    true
}

/// Whether an action is about a row, and the rows are not those of the filter; says so.
fn is_held_up(app: &mut App, action: ActionId) -> bool {
    let is_about_row = matches!(
        action,
        ActionId::Accept | ActionId::Myself | ActionId::RemoveMatch
    );
    if !is_about_row {
        return false;
    }
    if let Some(why) = app.library.wrong.clone() {
        app.warn(why);
        return true;
    }
    let is_outdated = app.library.is_outdated && app.library.selected().is_some();
    if is_outdated {
        app.say("still looking: the rows are those of before");
    }
    is_outdated
}

/// Goes on to the next list; from the positions like one back to the list before them.
fn next_list(app: &mut App) {
    let place = &mut app.library;
    if place.list == LibraryList::Like
        && let Some(former) = place.former.take()
    {
        former.restore(place);
        return ask(app);
    }
    place.list = match place.list {
        LibraryList::Matches => LibraryList::Errors,
        LibraryList::Errors => LibraryList::Decisions,
        LibraryList::Decisions if place.like.is_some() => LibraryList::Like,
        _ => LibraryList::Matches,
    };
    place.row = 0;
    ask(app);
}

/// Puts the list in its next order.
fn next_order(app: &mut App) {
    let place = &mut app.library;
    if place.list == LibraryList::Matches {
        place.by = place.by.next();
    } else {
        place.order = match place.order {
            Order::Error => Order::Loss,
            Order::Loss => Order::Newest,
            Order::Newest => Order::Error,
        };
    }
    place.row = 0;
    ask(app);
}

/// Takes the player of the row as the user, or no longer.
fn take_as_myself(app: &mut App) {
    let Some(row) = app.library.selected() else {
        return;
    };
    let before = app.library.named.as_ref().filter(|named| named.0 == row.id);
    let name = before.map_or_else(|| row.players[0].clone(), |named| named.1.clone());
    let named = (row.id, name.clone());
    let view = app.library.view.as_deref();
    let said = view.map(|view| said_of_myself(view, &name));
    app.say(said.unwrap_or_default());
    app.library.named = Some(named);
    app.effects.push(Effect::Library(LibraryRequest::Me(name)));
}

/// Removes a match, once the same is asked for twice in a row.
fn remove(app: &mut App) {
    let Some((id, names)) = app
        .library
        .selected()
        .map(|row| (row.id, row.players.clone()))
    else {
        return;
    };
    if app.confirmation.confirms(Loss::Match(id)) {
        app.effects
            .push(Effect::Library(LibraryRequest::Remove(id)));
        return app.say("removed from the library; its files stay");
    }
    let [a, b] = names.each_ref().map(|name| text::cut(name, 20));
    app.say(format!(
        "once more removes {a} against {b} from the library"
    ));
}

/// The filter that is typed; of a wrong one it is said why, so that nothing is asked of the whole library instead.
pub(crate) fn filter_or_warn(app: &mut App) -> Option<Filter> {
    match Filter::parse(app.library.input.value().trim()) {
        Ok(filter) => Some(filter),
        Err(error) => {
            app.warn(error.to_string());
            None
        }
    }
}

/// Begins a quiz of what the filter finds.
fn begin_quiz(app: &mut App) {
    if app.library.list == LibraryList::Like {
        return app.warn("a quiz asks what a filter finds, not positions like one");
    }
    let Some(filter) = filter_or_warn(app) else {
        return;
    };
    let title = match app.library.input.value().trim() {
        "" => "quiz: library".to_owned(),
        typed => format!("quiz: {}", text::cut(typed, 30)),
    };
    app.overlay = None;
    quiz_request::of_filter(app, title, filter, Some(StudyWindow::Library));
}

/// Opens the match, at the decision where the row is one.
fn enter(app: &mut App) {
    if let Some(row) = app.library.selected().cloned() {
        app.library.was_entered = true;
        go_to(app, &row, "{library} goes back to the list");
    }
}

/// Opens the match of a row, at its decision; `way_back` says which key leads back.
pub(crate) fn go_to(app: &mut App, row: &LibraryRow, way_back: &'static str) {
    let decision = match row.about {
        RowAbout::Decision { decision, .. } => Some(decision),
        RowAbout::Match { .. } => None,
    };
    if let (None, Some(file)) = (&row.path, &row.file) {
        let name = text::clean(&file.display().to_string(), 60);
        return app.warn(format!(
            "it stands behind another match in {name}: the first one of a file is opened"
        ));
    }
    open_match(
        app,
        row.path.clone(),
        decision,
        row.expected.clone(),
        way_back,
    );
}

/// Why a match of the library cannot be opened.
const NO_FILE: &str =
    "no file that begins with this match is there; `luckless library add FILE` of a copy names one";

/// Opens the match in a file, at the decision of a turn; that is before the roll where a double was not given.
/// `way_back` is said once it is there. Answers whether it is being opened.
pub(crate) fn open_match(
    app: &mut App,
    path: Option<PathBuf>,
    decision: Option<MatchDecision>,
    expected: ExpectedMatch,
    way_back: &'static str,
) -> bool {
    let Some(path) = path.filter(|path| path.exists()) else {
        app.warn(NO_FILE);
        return false;
    };
    let source = Openable::File(path);
    if !open_source(app, source.clone()) {
        return false;
    }
    app.overlay = None;
    let mut missed = None;
    if let Some(MatchDecision { turn, is_silent }) = decision {
        app.left.set_turn(&source, turn);
        missed = is_silent.then_some(turn);
    }
    app.awaited = Some(AwaitedMatch {
        source,
        missed,
        expected,
        way_back,
    });
    true
}

/// Takes the completion of the filter, at its end; answers whether there is one.
pub(crate) fn complete(app: &mut App) -> bool {
    let input = &app.library.input;
    let is_end = input.cursor() == input.value().chars().count();
    let Some(rest) = completion(input.value()).filter(|_| is_end) else {
        return false;
    };
    app.library.input = Input::new(format!("{}{rest}", input.value()));
    typed(app);
    true
}

/// Something was typed into the filter.
pub(crate) fn typed(app: &mut App) {
    app.library.row = 0;
    app.library.named = None;
    ask(app);
}

/// The words once a name is taken as the user's, or no longer, with what was known before.
fn said_of_myself(view: &LibraryView, name: &str) -> String {
    let player = |name: &str| view.people.player(name);
    let mine = view.me.iter().map(String::as_str);
    let others: Vec<&str> = mine.filter(|mine| player(mine) != player(name)).collect();
    let is_mine = view.people.is_me(name);
    let (name, others) = (text::cut(name, 24), text::cut(&others.join(", "), 60));
    match (is_mine, others.is_empty()) {
        (true, true) => format!("{name} is no longer you"),
        (true, false) => format!("{name} is no longer you, {others} still"),
        (false, true) => format!("{name} is you from now on"),
        (false, false) => {
            format!("{name} is you as well as {others}; the same again takes {name} back")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::People;

    /// Names have commas in them, and several may be one player's.
    #[test]
    fn what_is_said_of_a_name_is_what_is_done() {
        let mut people = People::default();
        people.set_same("Benny", "Ben");
        people.set_me("Ben", true);
        people.set_me("Smith, Anna", true);
        let view = LibraryView {
            me: vec!["Ben".to_owned(), "Smith, Anna".to_owned()],
            people,
            ..LibraryView::default()
        };
        for (name, said) in [
            ("Benny", "Benny is no longer you, Smith, Anna still"),
            ("Smith, Anna", "Smith, Anna is no longer you, Ben still"),
            (
                "Clara",
                "Clara is you as well as Ben, Smith, Anna; the same again takes Clara back",
            ),
        ] {
            assert_eq!(said_of_myself(&view, name), said);
        }
        let nobody = LibraryView::default();
        assert_eq!(said_of_myself(&nobody, "Ben"), "Ben is you from now on");
    }
}
