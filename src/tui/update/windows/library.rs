//! The window of the library.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ratatui::layout::Rect;
use tui_input::Input;

use super::window::Window;
use crate::library::filter::{begun, completion, completions, value_completions};
use crate::library::{Filter, Order, Pattern, is_unfinished, match_score};
use crate::tui::documents::match_decision::MatchDecision;
use crate::tui::figures::conditions;
use crate::tui::keys::{ActionId, KeyScope};
use crate::tui::state::{App, Effect, Loss, Openable};
use crate::tui::text::{self, cut, fit, fit_right};
use crate::tui::theme::Role;
use crate::tui::update::document::open_source;
use crate::tui::update::quizzes::quiz_request;
use crate::tui::view::drawing::paint::Paint;
use crate::tui::view::drawing::prompt::prompt;
use crate::tui::view::drawing::window::{list, rows, title_acts, window, with_description};
use crate::tui::windows::library::{
    AwaitedMatch, ExpectedMatch, FillNews, FormerList, LibraryList, LibraryPlace, LibraryQuery,
    LibraryRequest, LibraryRow, LibraryView, RowAbout,
};
use crate::tui::windows::overlay::Overlay;
use crate::tui::windows::quiz::StudyWindow;
use crate::words::{counted, counted_as};

pub(super) struct Library;

impl Window for Library {
    fn draw(&self, paint: &mut Paint<'_>, screen: Rect, app: &App) {
        let area = frame(paint, screen, app);
        let below = rows(area, 2, area.height);
        let Some(view) = app.library.view.as_deref() else {
            paint.line(below, 0, &[("…", Role::OverlayMuted)]);
            return;
        };
        if view.matches == 0 {
            nothing(paint, below, app);
        } else if view.rows.is_empty() {
            // While the filter cannot be read nobody knows what fits.
            if app.library.wrong.is_none() {
                let message = nothing_fits(app, view);
                let lines = text::wrap(&message, usize::from(below.width), 3);
                for (row, line) in (0..).zip(&lines) {
                    paint.line(below, row, &[(line, Role::OverlayMuted)]);
                }
            }
        } else {
            draw_found(paint, below, &app.library, view);
        }
    }

    fn rows(&self, app: &App) -> usize {
        app.library.rows()
    }

    fn row<'a>(&self, app: &'a mut App) -> Option<&'a mut usize> {
        Some(&mut app.library.row)
    }

    fn line<'a>(&self, app: &'a mut App) -> Option<&'a mut Input> {
        Some(&mut app.library.input)
    }

    fn typed(&self, app: &mut App) {
        typed(app);
    }

    fn act(&self, app: &mut App, action: ActionId) -> bool {
        if is_held_up(app, action) {
            return true;
        }
        match action {
            ActionId::Down
            | ActionId::Up
            | ActionId::PageDown
            | ActionId::PageUp
            | ActionId::First
            | ActionId::Last => {
                app.library.named = None;
                return false;
            }
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

    fn close(&self, app: &mut App) {
        app.overlay = app.library.from.take().map(Overlay::from);
    }
}

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

/// Columns from which on a row has the kind of position, or the event, as well.
const WIDE: u16 = 100;

/// The columns of a list of decisions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct DecisionColumns {
    /// Whether there is room for the player's name, and for the opponent's.
    names: [bool; 2],
    name: usize,
    play: usize,
    /// Whether there is room for the best play.
    has_best: bool,
    has_kind: bool,
}

impl DecisionColumns {
    /// Columns of all but names and plays, with a free one before each.
    const OTHERS: usize = 31;
    /// The fewest and the most of a name, and of a play.
    const NAME: [usize; 2] = [9, 12];
    const PLAY: [usize; 2] = [15, 18];

    /// The columns of decisions for a list of this width. Where there is room for one name, that is the
    /// opponent's in a list of the user's own decisions.
    fn of(width: u16, is_own: bool) -> Self {
        let room = usize::from(width).saturating_sub(Self::OTHERS);
        let has_both = room >= 2 * (Self::NAME[0] + 1) + 2 * Self::PLAY[0];
        let names = if has_both {
            [true; 2]
        } else {
            [!is_own, is_own]
        };
        let count = names.iter().filter(|is_shown| **is_shown).count();
        let for_plays = room.saturating_sub(count * (Self::NAME[0] + 1));
        let has_best = for_plays >= 2 * Self::PLAY[0];
        let plays = if has_best { 2 } else { 1 };
        let play = (for_plays / plays).clamp(Self::PLAY[0], Self::PLAY[1]);
        let name = (room.saturating_sub(plays * play) / count).saturating_sub(1);
        Self {
            names,
            name: name.clamp(Self::NAME[0], Self::NAME[1]),
            play,
            has_best,
            has_kind: width >= WIDE,
        }
    }
}

/// Draws the window with the line of the filter and the hint below it; returns its inside.
fn frame(paint: &mut Paint<'_>, screen: Rect, app: &App) -> Rect {
    let place = &app.library;
    let size = (128, screen.height.saturating_sub(4));
    let name = match place.list {
        LibraryList::Matches => format!("library: matches, {}", place.by.name()),
        LibraryList::Errors => format!("library: all errors, {}", order(place.order)),
        LibraryList::Decisions => format!("library: all decisions, {}", order(place.order)),
        LibraryList::Like => "library: positions like this one".to_owned(),
    };
    // What comes first stands there in any case, the rest as far as there is room for it.
    let room = usize::from(screen.width).saturating_sub(name.chars().count() + 14);
    let mut side = side_words(place);
    while side.len() > 1 && text::width(&side.concat()) > room {
        side.pop();
    }
    let side = side.concat();
    let area = window(paint, screen, size, &name, &side);
    title_acts(paint, area, ActionId::Complete);
    prompt(paint, area, "/", &place.input);
    let hint = rows(area, 1, 1);
    let words = text::cut(&hint_of(place), usize::from(hint.width));
    paint.line(hint, 0, &[(&words, Role::OverlayMuted)]);
    area
}

/// Draws what fits, with heads of its columns, and the selected row in words.
fn draw_found(paint: &mut Paint<'_>, area: Rect, place: &LibraryPlace, view: &LibraryView) {
    let filter = place.filter();
    let columns = DecisionColumns::of(area.width, filter.asks_for_me());
    let heading = heading(place, area.width, columns);
    paint.line(area, 0, &[(&heading, Role::OverlayTitle)]);
    let words = place.selected().map(description).unwrap_or_default();
    let listed = with_description(paint, rows(area, 1, area.height), &words);
    list(
        paint,
        listed,
        place.row,
        view.rows.len(),
        &mut |paint, line, i| {
            let text = row(&view.rows[i], place.order, line.width, columns);
            paint.line(line, 0, &[(&text, Role::Overlay)]);
        },
    );
}

/// Says that nothing fits, or why nothing can.
fn nothing_fits(app: &App, view: &LibraryView) -> String {
    let filter = app.library.filter();
    if filter.asks_for_me() && view.me.is_empty() {
        let how = "{this is me} on a match of yours, or `luckless library me NAME`";
        let how = app.keymap.named_in(KeyScope::Library, how);
        return format!("you have not said who you are: {how}");
    }
    filter.nothing_fits()
}

/// Says how an empty library is filled.
fn nothing(paint: &mut Paint<'_>, area: Rect, app: &App) {
    let lines = [
        "No match in the library yet.",
        "Esc, then {open}, and type the name of a folder with / at its end:",
        "its matches are analysed in the background, and appear here.",
        "In a shell: luckless library add FOLDER",
    ];
    let mut lines = lines.map(|line| app.keymap.named(line)).to_vec();
    if conditions::offers_to_library(app) {
        let line = "Esc, then {add to library}, adds the match in view.";
        lines.insert(1, app.keymap.named(line));
    }
    let path = app.home().record.path.as_deref();
    let folder = path.and_then(|path| std::path::absolute(path).ok()?.parent().map(Path::to_owned));
    lines.extend(folder.map(|folder| {
        let folder = text::clean(&folder.to_string_lossy(), 200);
        format!("The match in view is in {folder}/")
    }));
    let lines = (lines.iter()).flat_map(|line| text::wrap(line, usize::from(area.width), 3));
    for (row, line) in (0..).zip(lines) {
        paint.line(area, row, &[(&line, Role::Overlay)]);
    }
}

/// Words for what comes first among errors.
fn order(order: Order) -> &'static str {
    match order {
        Order::Error => "by cost",
        Order::Loss => "by MWC lost",
        Order::Newest => "newest first",
    }
}

/// `12 of 40 matches`, how the others are found, and who the user is.
fn side_words(place: &LibraryPlace) -> Vec<String> {
    let Some(view) = place.view.as_ref().filter(|_| place.wrong.is_none()) else {
        return Vec::new();
    };
    let LibraryView {
        rows,
        total,
        error,
        matches,
        failed,
        me,
        ..
    } = &**view;
    // The rows are not all that there are.
    let is_cut = rows.len() < *total;
    let first = match is_cut {
        true => format!("first {} of ", rows.len()),
        false => String::new(),
    };
    let decisions = counted(*total, "decision");
    let total_error = format!(", error total {error:.2}");
    let mut words = match view.list {
        LibraryList::Matches if !is_cut => vec![format!("{total} of {matches} matches")],
        LibraryList::Matches if total == matches => vec![format!("{first}{total} matches")],
        LibraryList::Matches => vec![
            format!("{first}{total} found"),
            format!(", of {matches} matches"),
        ],
        LibraryList::Errors => {
            let errors = counted(*total, "error");
            vec![format!("{first}{errors}"), total_error]
        }
        LibraryList::Decisions => vec![format!("{first}{decisions}"), total_error],
        LibraryList::Like => vec![
            format!("{first}{decisions}"),
            " of this class, one a game".to_owned(),
        ],
    };
    if view.list == LibraryList::Matches && *failed > 0 {
        words.push(format!(", {failed} unreadable"));
    }
    if let Some(ratings) = &view.ratings {
        let own = &ratings.own;
        let filter = place.filter();
        let whose = if filter.names_player() { "" } else { "your " };
        words.push(format!(" · {whose}PR {:.2}", own.value));
        words.push(own.in_brackets(&|pr| format!("{pr:.2}")));
        if own.matches != *total {
            let matches = counted_as(own.matches, ["match", "matches"]);
            words.push(format!(" in {matches}"));
        }
    }
    if is_cut {
        words.push(" · filter for others".to_owned());
    }
    if !me.is_empty() {
        words.push(format!(" · you: {}", cut(&me.join(", "), 16)));
    }
    words
}

/// Words about the filter: what is wrong with it, what its last word may become, or what can be typed.
fn hint_of(place: &LibraryPlace) -> String {
    // A word that waits for its value is not wrong yet.
    if let Some(key) = begun(place.input.value()) {
        return format!("for example {}", key.written);
    }
    let values = value_completions(place.input.value());
    if !values.is_empty() {
        return format!("→ {}", values.join(" "));
    }
    if let Some(wrong) = &place.wrong {
        return wrong.clone();
    }
    let keys = completions(place.input.value());
    if let Some(first) = keys.first() {
        let starts: Vec<&str> = keys.iter().map(|key| key.start()).collect();
        let starts = starts.join(" ");
        return match first.written == starts {
            true => format!("→ {starts}"),
            false => format!("→ {starts}   {}", first.written),
        };
    }
    match place.input.value().is_empty() {
        true => {
            "a name of either player  player:lasse  me  blunder  kind:race  date>=2026".to_owned()
        }
        false => String::new(),
    }
}

fn heading(place: &LibraryPlace, width: u16, columns: DecisionColumns) -> String {
    match place.list {
        LibraryList::Matches => matches_line(
            [
                "date", "player", "opponent", "length", "score", "PR", "opp.", "event",
            ],
            width,
        ),
        _ => {
            let (first, second) = match place.list {
                // How many pips of moves lie between the positions, and the error.
                LibraryList::Like => ("apart", "error"),
                _ if place.order == Order::Loss => ("lost", ""),
                _ => ("error", ""),
            };
            decision_line(
                [
                    first, second, "player", "opponent", "game", "away", "roll", "played", "best",
                    "kind",
                ],
                columns,
            )
        }
    }
}

fn row(one: &LibraryRow, order: Order, width: u16, columns: DecisionColumns) -> String {
    let [player, opponent] = &one.players;
    match &one.about {
        RowAbout::Match {
            length,
            score,
            pr,
            event,
            ..
        } => {
            let score = match_score(*length, *score);
            let length = match length {
                0 => "money".to_owned(),
                n => n.to_string(),
            };
            let pr = pr.map(|pr| pr.map_or_else(|| "–".to_owned(), |pr| format!("{pr:.2}")));
            let cells = [
                &*one.date, player, opponent, &length, &score, &pr[0], &pr[1], event,
            ];
            matches_line(cells, width)
        }
        RowAbout::Decision {
            place,
            score,
            roll,
            played,
            best,
            error,
            lost,
            mark,
            kind,
            distance,
            ..
        } => {
            // What the list is sorted by is what it shows.
            let error = match order {
                Order::Loss if distance.is_none() => lost.clone(),
                _ => format!("{error:.3}"),
            };
            let (first, second) = match distance {
                Some(pips) => (pips.to_string(), error),
                None => (error, mark.sign().to_owned()),
            };
            let cells = [
                &*first,
                &second,
                player,
                opponent,
                place,
                score,
                roll,
                played,
                best,
                kind.name(),
            ];
            decision_line(cells, columns)
        }
    }
}

/// A match as a line, with as much as there is room for: few columns have no length, as the score tells it
/// once a match is over.
fn matches_line(cells: [&str; 8], width: u16) -> String {
    let [date, player, opponent, length, score, pr, other, event] = cells;
    let names = match width {
        WIDE.. => 22,
        71.. => 15,
        _ => 10,
    };
    let [date, player, opponent] =
        [(date, 11), (player, names), (opponent, names)].map(|(words, n)| fit(words, n));
    let [length, score, pr, other] = [length, score, pr, other].map(|figure| fit_right(figure, 6));
    match width {
        WIDE.. => format!("{date} {player} {opponent} {length} {score} {pr} {other}  {event}"),
        71.. => format!("{date} {player} {opponent} {length} {score} {pr} {other}"),
        _ => format!("{date} {player} {opponent} {score} {pr} {other}"),
    }
}

/// A decision as a line, with both names, and the kind of position, where there is room for them.
fn decision_line(cells: [&str; 10], columns: DecisionColumns) -> String {
    let [
        first,
        second,
        player,
        opponent,
        place,
        score,
        roll,
        played,
        best,
        kind,
    ] = cells;
    let DecisionColumns { name, play, .. } = columns;
    let names = [player, opponent].into_iter().zip(columns.names);
    let names = names.filter(|(_, is_shown)| *is_shown);
    let names: Vec<String> = names.map(|(words, _)| fit(words, name)).collect();
    let names = names.join(" ");
    let mut line = format!(
        "{} {} {names} {} {} {} {}",
        fit_right(first, 5),
        fit(second, 5),
        fit_right(place, 6),
        fit_right(score, 5),
        fit(roll, 4),
        fit(played, play),
    );
    if columns.has_best {
        line += &format!(" {}", fit(best, play));
    }
    if columns.has_kind {
        line += &format!(" {kind}");
    }
    line
}

/// All that there is to say about the selected row.
fn description(one: &LibraryRow) -> String {
    let [player, opponent] = &one.players;
    let file = one
        .file
        .as_ref()
        .map_or_else(String::new, |path| path.display().to_string());
    match &one.about {
        RowAbout::Match {
            event,
            ply,
            length,
            score,
            ..
        } => {
            let end = match is_unfinished(*length, *score) {
                true => "unfinished · ",
                false => "",
            };
            let event = if event.is_empty() {
                String::new()
            } else {
                format!("{event} · ")
            };
            // What the sign behind a day means is explained where there is room for it.
            let day = match one.date.ends_with('~') {
                true => "saved that day · ",
                false => "",
            };
            format!(
                "match {}: {player} – {opponent} · {end}{event}{day}{ply}-ply · {file}",
                one.id
            )
        }
        RowAbout::Decision {
            place,
            played,
            best,
            kind,
            ply,
            ..
        } => format!(
            "match {}: {player} – {opponent}, {} · game.move {place} · {} · played {played}, best {best} · {ply}-ply · {file}",
            one.id,
            one.date,
            kind.name()
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::People;

    const LONG: &str = "bar/22 24/23 13/10*(2)";

    /// Whole columns stand in the row of a match, whatever its width.
    #[test]
    fn a_row_of_a_match_has_whole_columns() {
        let cells = [
            "2026-11-27~",
            LONG,
            LONG,
            "15",
            "15–13",
            "10.25",
            "12.50",
            "",
        ];
        for width in [56, 70, 71, 99, 100] {
            let line = matches_line(cells, width);
            assert!(text::width(line.trim_end()) <= usize::from(width), "{line}");
            assert!(
                line.contains("15–13") && line.trim_end().ends_with("12.50"),
                "{line}"
            );
        }
    }

    /// Free columns are for the opponent first, then for plays and names.
    #[test]
    fn a_list_of_decisions_has_the_names_that_there_is_room_for() {
        let shape = |width, is_own| {
            let columns = DecisionColumns::of(width, is_own);
            (columns.names, columns.name, columns.play, columns.has_kind)
        };
        assert_eq!(shape(56, false), ([true, false], 9, 15, false), "the least");
        for (width, has_best) in [(56, false), (70, false), (71, true), (104, true)] {
            let columns = DecisionColumns::of(width, false);
            assert_eq!(columns.has_best, has_best);
            let cells = [
                "0.123", "??", "Anna", "Ben", "2.13", "7-5", "66", LONG, LONG, "race",
            ];
            let line = decision_line(cells, columns);
            assert!(text::width(line.trim_end()) <= usize::from(width), "{line}");
        }
        assert_eq!(shape(76, false), ([true, false], 10, 17, false));
        assert_eq!(shape(76, true), ([false, true], 10, 17, false));
        assert_eq!(shape(81, true), ([true, true], 9, 15, false));
        assert_eq!(shape(96, true), ([true, true], 12, 18, false));
        assert_eq!(shape(104, true), ([true, true], 12, 18, true));
    }

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
