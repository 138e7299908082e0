//! The window of the study plan.

use ratatui::crossterm::event::KeyCode;

use super::library;
use crate::library::Filter;
use crate::library::filter::opponent_word;
use crate::study::plan::RATINGS;
use crate::tui::figures::conditions;
use crate::tui::keys::{ActionId, Key, KeyMap, KeyScope};
use crate::tui::state::{App, Effect};
use crate::tui::update::quizzes::quiz_request;
use crate::tui::windows::asked::HistoryFailure;
use crate::tui::windows::library::LibraryList;
use crate::tui::windows::overlay::Overlay;
use crate::tui::windows::plan::{PlanNews, PlanPlace, PlanRequest, PlanRow};
use crate::tui::windows::quiz::StudyWindow;

/// By how much one key changes the rating of the reference player.
const STEP: f64 = 0.5;

/// Opens the window, from the library for the matches that its filter finds. The matches are read as it comes into
/// view.
pub(crate) fn open(app: &mut App) {
    let is_from_library = matches!(app.overlay, Some(Overlay::Library));
    if is_from_library && library::filter_or_warn(app).is_none() {
        return;
    }
    // A library that the plan has opened, or a rating that it has, is gone with it, and the plan is the one before.
    let is_by_plan = |one: &mut StudyWindow| match one {
        StudyWindow::Rating => app
            .rating
            .from
            .take_if(|one| *one == StudyWindow::Plan)
            .is_some(),
        one => *one == StudyWindow::Plan,
    };
    let is_of_plan = is_from_library && app.library.from.take_if(is_by_plan).is_some();
    if !is_of_plan {
        app.plan.from = is_from_library.then_some(StudyWindow::Library);
        app.plan.filter = is_from_library
            .then(|| app.library.typed_filter())
            .flatten();
    }
    app.overlay = Some(Overlay::Plan);
}

/// Has the matches read, also those that were read before: the library may have changed.
pub(crate) fn read_again(app: &mut App) {
    ask(app, true);
}

/// Closes it; the library that it was opened from comes back.
pub(crate) fn close(app: &mut App) {
    app.overlay = app.plan.from.take().map(Overlay::from);
}

fn ask(app: &mut App, is_fresh: bool) {
    let place = &mut app.plan;
    let request = PlanRequest {
        number: place.asked.ask(),
        reference: place.reference,
        wants_money: place.wants_money,
        filter: place.filter.as_ref().map(|typed| typed.filter.clone()),
        is_fresh,
    };
    app.effects.push(Effect::Plan(request));
}

/// Something new of the latest plan.
pub(crate) fn news(app: &mut App, number: u64, news: PlanNews) {
    let offers = conditions::offers_to_library(app);
    let (place, keymap) = (&mut app.plan, &app.keymap);
    place
        .asked
        .take(number, news, |why| failure(keymap, offers, why));
    if place.asked.view.is_some() {
        place.row = place.row.min(place.rows().len().saturating_sub(1));
    }
}

/// Why there is no plan or no rating, in words. `offers`: whether the match in view can come into the library.
pub(crate) fn failure(keymap: &KeyMap, offers: bool, why: HistoryFailure) -> String {
    match why {
        HistoryFailure::Empty => {
            let close = keymap.named_in(KeyScope::Plan, "{close}");
            let then = keymap.named(match offers {
                true => {
                    ", then {add to library} adds the match in view, and {library} says how to bring others in"
                }
                false => ", and {library} says how to bring them in",
            });
            format!("no match in the library yet: {close} closes this window{then}")
        }
        HistoryFailure::Unknown => {
            let close = keymap.named_in(KeyScope::Plan, "{close}");
            let library = keymap.named("{library}");
            let myself = keymap.named_in(KeyScope::Library, "{this is me}");
            format!(
                "the library does not know who you are: {close} closes this window, {library} lists the matches, and \
                 {myself} there takes the player of a row for you"
            )
        }
        HistoryFailure::Several => "several players have this in their names".to_owned(),
        HistoryFailure::NothingFits => "no reviewed match fits the filter".to_owned(),
        HistoryFailure::NoDecision => {
            format!("no decision of yours is in the library yet{}", who(keymap))
        }
        HistoryFailure::NoReview(Some(name)) => {
            format!("no reviewed match of {name} is in the library")
        }
        HistoryFailure::NoReview(None) => {
            format!(
                "no reviewed match of yours is in the library yet{}",
                who(keymap)
            )
        }
        HistoryFailure::Unread(why) => why,
    }
}

/// Says where one sees who is taken for the user.
fn who(keymap: &KeyMap) -> String {
    let library = keymap.named("{library}");
    let myself = keymap.named_in(KeyScope::Library, "{this is me}");
    format!(": {library} says which name is yours, and {myself} on a row there changes it")
}

/// Does what an action means in the window; answers whether it means something there.
pub(crate) fn act(app: &mut App, action: ActionId) -> bool {
    if !matches!(app.overlay, Some(Overlay::Plan)) {
        return false;
    }
    let place = &mut app.plan;
    match action {
        ActionId::More | ActionId::Less => {
            let step = if action == ActionId::More {
                STEP
            } else {
                -STEP
            };
            place.reference = (place.reference + step).clamp(RATINGS[0], RATINGS[1]);
            ask(app, false);
        }
        ActionId::MoneyPlan => other_plan(app),
        ActionId::Accept => enter(app),
        ActionId::Complete => show_in_library(app),
        _ => return false,
    }
    true
}

/// The plan of money sessions, or again of matches.
fn other_plan(app: &mut App) {
    let Some(view) = app.plan.asked.view.clone() else {
        return;
    };
    if view.summary.not_counted == 0 {
        let there_is = match view.summary.is_money {
            true => "no match to a length of yours is in the library",
            false => "no money session of yours is in the library",
        };
        return app.say(there_is);
    }
    app.plan.wants_money = !view.summary.is_money;
    app.plan.row = 0;
    ask(app, false);
}

/// The filter that finds the decisions of the selected row, and what they are called.
fn filter(place: &PlanPlace) -> Option<(String, String)> {
    let summary = &place.asked.view.as_ref()?.summary;
    let mut which = summary.length_filter().to_owned();
    if let Some(typed) = &place.filter {
        which += &format!(" {}", typed.text);
    }
    Some(match place.selected()? {
        PlanRow::Family(i) => {
            let family = summary.plan.listed().get(i)?.family;
            (family.name(), format!("{} me{which}", family.filter()))
        }
        PlanRow::Habit(i) => {
            let habit = summary.plan.habits.get(i)?.habit;
            (
                habit.decisions().to_owned(),
                format!("{} me{which}", habit.filter()),
            )
        }
        PlanRow::Opponent(i) => {
            let name = &summary.record.opponents.get(i)?.opponent;
            (
                format!("against {name}"),
                format!("{} me{which}", opponent_word(name)),
            )
        }
    })
}

/// Begins a quiz of the selected row.
fn enter(app: &mut App) {
    let Some((name, filter)) = filter(&app.plan) else {
        return;
    };
    app.overlay = None;
    let filter = Filter::parse(&filter).unwrap_or_default();
    let window = Some(StudyWindow::Plan);
    quiz_request::of_filter(app, format!("quiz: {name}"), filter, window);
}

/// The decisions of the selected row, or the matches against an opponent, in the library.
fn show_in_library(app: &mut App) {
    let Some((_, filter)) = filter(&app.plan) else {
        return;
    };
    let list = match app.plan.selected() {
        Some(PlanRow::Opponent(_)) => LibraryList::Matches,
        _ => LibraryList::Errors,
    };
    library::open_from(app, StudyWindow::Plan, list, filter);
    app.plan.from = None;
}

/// A digit: the position with this number.
pub(crate) fn digit(app: &mut App, key: Key) {
    let KeyCode::Char(digit) = key.code() else {
        return;
    };
    let number = digit.to_digit(10).unwrap_or(0) as usize;
    match number.checked_sub(1) {
        Some(place) => go_to_reference(app, place),
        None => app.say("no position has this number"),
    }
}

/// Goes to a position that stands for the selected family.
pub(crate) fn go_to_reference(app: &mut App, place: usize) {
    match app.plan.references().get(place).cloned() {
        Some(row) => library::go_to(app, &row, "{study plan} goes back to the plan"),
        None => app.say("no position has this number"),
    }
}
