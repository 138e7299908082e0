//! The window of the study plan.

use ratatui::crossterm::event::KeyCode;
use ratatui::layout::Rect;

use super::library;
use super::window::Window;
use crate::library::Filter;
use crate::library::filter::opponent_word;
use crate::study::plan::{FamilyFinding, RATINGS};
use crate::study::plan_words::PlanWords;
use crate::study::player_record::OpponentRecord;
use crate::tui::figures::conditions;
use crate::tui::keys::{ActionId, Key, KeyMap, KeyScope};
use crate::tui::screen::targets::Target;
use crate::tui::state::{App, Effect};
use crate::tui::text::{bar, cut, fit, fit_right, wrap};
use crate::tui::theme::Role;
use crate::tui::update::quizzes::quiz_request;
use crate::tui::view::drawing::paint::Paint;
use crate::tui::view::drawing::window::{
    description, list, rows, side_that_fits, title_with_filter, window,
};
use crate::tui::windows::asked::HistoryFailure;
use crate::tui::windows::library::{LibraryList, LibraryRow, RowAbout};
use crate::tui::windows::overlay::Overlay;
use crate::tui::windows::plan::{PlanNews, PlanPlace, PlanRequest, PlanRow, PlanView};
use crate::tui::windows::quiz::StudyWindow;
use crate::words::counted_as;

pub(super) struct Plan;

impl Window for Plan {
    fn draw(&self, paint: &mut Paint<'_>, screen: Rect, app: &App) {
        let place = &app.plan;
        let title = title_with_filter(NAME, place.filter.as_ref());
        let side = side(place, &title, (WIDTH + 4).min(screen.width));
        let size = (WIDTH, screen.height.saturating_sub(4));
        let area = window(paint, screen, size, &title, &side);
        let Some(view) = place.asked.view.as_deref() else {
            let words = place
                .asked
                .failure
                .as_deref()
                .unwrap_or("your matches are being read …");
            for (row, line) in (0..).zip(wrap(words, usize::from(area.width), 3)) {
                paint.line(area, row, &[(&line, Role::OverlayMuted)]);
            }
            return;
        };
        let used = head(paint, area, app, view);
        let below = rows(area, used, area.height);
        body(paint, below, app, view);
    }

    fn rows(&self, app: &App) -> usize {
        app.plan.rows().len()
    }

    fn row<'a>(&self, app: &'a mut App) -> Option<&'a mut usize> {
        Some(&mut app.plan.row)
    }

    fn act(&self, app: &mut App, action: ActionId) -> bool {
        let place = &mut app.plan;
        match action {
            ActionId::More | ActionId::Less => {
                let step = if action == ActionId::More {
                    STEP
                } else {
                    -STEP
                };
                place.reference = (place.reference + step).clamp(RATINGS[0], RATINGS[1]);
                place.is_chosen = true;
                ask(app, false);
            }
            ActionId::MoneyPlan => other_plan(app),
            ActionId::Accept | ActionId::Complete
                if matches!(place.selected(), Some(PlanRow::Rest(_))) =>
            {
                place.lists_all = true;
            }
            ActionId::Accept => enter(app),
            ActionId::Complete => show_in_library(app),
            _ => return false,
        }
        true
    }

    fn close(&self, app: &mut App) {
        app.overlay = app.plan.from.take().map(Overlay::from);
    }
}

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
    let Some(view) = &place.asked.view else {
        return;
    };
    let own = view.summary.plan.pr;
    place.row = place.row.min(place.rows().len().saturating_sub(1));
    // Against a weaker player nothing would be left to work on.
    if !place.is_chosen && own <= place.reference {
        let below = (STEP * ((own / STEP).ceil() - 1.0)).max(RATINGS[0]);
        if below < place.reference {
            place.reference = below;
            ask(app, false);
        }
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
        PlanRow::Rest(_) => return None,
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

/// Title of the window.
const NAME: &str = "study plan";
/// Columns inside the window.
const WIDTH: u16 = 112;
/// Columns from which on all figures of a family are shown.
const WIDE: u16 = 92;
/// Columns of the longest bar.
const BAR: usize = 18;
/// Rows from which on there is room to say what they are.
const TALL: u16 = 8;

/// Words beside the name in the title, in a window so many columns wide.
fn side(place: &PlanPlace, title: &str, width: u16) -> String {
    if let Some((done, all)) = place.asked.progress {
        return format!("{done} of {all} matches read");
    }
    let player = format!("reference player: PR {:.1}", place.reference);
    let sides = [
        format!("by lookahead, without rollouts; {player}"),
        format!("by lookahead; {player}"),
        player,
    ];
    side_that_fits(width, title, &sides)
}

/// Rating, trend, change and luck; answers the rows they take.
fn head(paint: &mut Paint<'_>, area: Rect, app: &App, view: &PlanView) -> u16 {
    let words = PlanWords::of(&view.summary);
    let how = app.keymap.named_in(KeyScope::Plan, "{money or matches}");
    let not_counted = words
        .not_counted()
        .map(|line| format!("{line}: {how} shows the other plan"));
    let mut row = 0;
    let lines = [
        (Some(words.head()), Role::OverlayTitle),
        (not_counted, Role::OverlayMuted),
        (words.trend(), Role::Overlay),
        (words.change(), Role::Overlay),
        (words.luck(), Role::Overlay),
    ];
    for (words, role) in lines {
        let Some(words) = words else { continue };
        for line in wrap(&words, usize::from(area.width), 2) {
            paint.line(area, row, &[(&line, role)]);
            row += 1;
        }
    }
    row + 1
}

fn body(paint: &mut Paint<'_>, area: Rect, app: &App, view: &PlanView) {
    let place = &app.plan;
    let words = PlanWords::of(&view.summary);
    let wide = area.width >= WIDE;
    let all = place.rows();
    let listed = view.summary.plan.listed();
    let shown = all.iter().filter_map(|row| match row {
        PlanRow::Family(i) => Some(&listed[*i]),
        _ => None,
    });
    // A column without any interval is left to the bars.
    let is_known = shown
        .clone()
        .any(|one| words.family_interval(one).is_some());
    let most = shown.map(|one| one.recoverable).fold(0.0, f64::max);
    let mut area = area;
    if view.summary.plan.families.is_empty() {
        let lines = wrap(&words.no_family(), usize::from(area.width), 2);
        for (row, line) in (0..).zip(&lines) {
            paint.line(area, row, &[(line, Role::OverlayMuted)]);
        }
        area = rows(area, lines.len() as u16, area.height);
    }
    if !view.summary.plan.listed().is_empty() {
        if area.height >= TALL {
            paint.line(area, 0, &[(words.families(), Role::OverlayMuted)]);
            area = rows(area, 1, area.height);
        }
        let columns = PlanWords::FAMILY_COLUMNS.map(str::to_owned);
        let heading = family_line(&columns, wide, is_known, None);
        paint.line(area, 0, &[(&heading, Role::OverlayTitle)]);
    }
    area = rows(area, 1, area.height);
    let references = place.references();
    let lines = (references.len() as u16 + 1).clamp(2, 6);
    let above = match area.height >= lines + 4 {
        true => description(paint, area, "", lines),
        false => area,
    };
    list(paint, above, place.row, all.len(), &mut |paint, line, i| {
        let (text, role) = row_text(all[i], view, wide, (is_known, most));
        paint.line(line, 0, &[(&text, role)]);
    });
    if above.height < area.height {
        let foot = rows(area, above.height + 1, lines);
        let details = about(app, &words, view, usize::from(foot.width));
        for (row, line) in (0..).zip(&details) {
            paint.line(foot, row, &[(line, Role::Overlay)]);
        }
        for i in 0..references.len() {
            paint.target(rows(foot, i as u16 + 1, 1), Target::Reference(i));
        }
    }
}

/// Text of a row of the list.
fn row_text(
    row: PlanRow,
    view: &PlanView,
    wide: bool,
    (is_known, most): (bool, f64),
) -> (String, Role) {
    let words = PlanWords::of(&view.summary);
    let (plan, record) = (&view.summary.plan, &view.summary.record);
    let listed = plan.listed();
    let costly = |one: &&FamilyFinding| one.recoverable > 0.0;
    match row {
        PlanRow::Family(i) => {
            let share = listed[i].recoverable / most;
            let cells = words.family(&listed[i]);
            (
                family_line(&cells, wide, is_known, Some(share)),
                Role::Overlay,
            )
        }
        PlanRow::Rest(count) => {
            let more = counted_as(count, ["more kind or score", "more kinds and scores"]);
            let better = match listed.len() - listed.iter().filter(costly).count() {
                0 => String::new(),
                better => format!(", {better} as good as the reference"),
            };
            (
                format!("{more}{better}: Enter lists them"),
                Role::OverlayMuted,
            )
        }
        PlanRow::Habit(i) => (PlanWords::habit_in_short(&plan.habits[i]), Role::Overlay),
        PlanRow::Opponent(i) => {
            let [name, matches, score, _, adjusted, interval] =
                words.opponent(&record.opponents[i]);
            let unfinished = unfinished(view, &record.opponents[i], "  ");
            let text = format!(
                "against {} {} {} {} {}{unfinished}",
                fit(&cut(&name, 18), 18),
                fit_right(&format!("{matches} played"), 10),
                fit_right(&score, 7),
                fit_right(&format!("adjusted {adjusted}"), 14),
                fit_right(&interval, 13),
            );
            (text, Role::OverlayMuted)
        }
    }
}

/// A row of families, with a bar of what is recoverable if `share` gives its part of the longest bar.
fn family_line(cells: &[String; 6], wide: bool, is_known: bool, share: Option<f64>) -> String {
    let [name, decisions, lost, reference, recoverable, interval] = cells;
    let mut line = format!("{} {}", fit(name, 31), fit_right(decisions, 9));
    if wide {
        line += &format!(" {} {}", fit_right(lost, 8), fit_right(reference, 9));
    }
    line += &format!(" {}", fit_right(recoverable, 11));
    if is_known {
        line += &format!("  {}", fit_right(interval, 17));
    }
    match share.filter(|_| wide || !is_known) {
        Some(share) => format!("{line}  {}", bar(share, BAR)),
        None => line,
    }
}

/// What there is to tell of the selected row, in lines.
fn about(app: &App, words: &PlanWords<'_>, view: &PlanView, width: usize) -> Vec<String> {
    let place = &app.plan;
    let (plan, record) = (&view.summary.plan, &view.summary.record);
    match place.selected() {
        Some(PlanRow::Family(_)) => {
            let all = place.references().iter().enumerate();
            let all = all.map(|(i, row)| reference_line(i, row, width));
            let to_do = "to do: {quiz} begins a quiz of this kind; its costliest errors:";
            let to_do = app.keymap.named_in(KeyScope::Plan, to_do);
            std::iter::once(to_do).chain(all).collect()
        }
        Some(PlanRow::Habit(i)) => wrap(&PlanWords::habit(&plan.habits[i]), width, 2),
        Some(PlanRow::Opponent(i)) => {
            let [name, matches, score, result, adjusted, interval] =
                words.opponent(&record.opponents[i]);
            let unfinished = unfinished(view, &record.opponents[i], ", ");
            let sentence = format!(
                "{}: {name}, {matches} played{unfinished}, {score}, result {result}, \
                 luck-adjusted {adjusted} (95% interval {interval})",
                words.opponents()
            );
            wrap(&sentence, width, 2)
        }
        Some(PlanRow::Rest(_)) | None => Vec::new(),
    }
}

/// Says how many matches against an opponent nobody has won yet, if any, behind a gap.
fn unfinished(view: &PlanView, one: &OpponentRecord, gap: &str) -> String {
    match one.matches.saturating_sub(one.won + one.lost) {
        // A session is over at any score.
        count @ 1.. if !view.summary.is_money => format!("{gap}{count} unfinished"),
        _ => String::new(),
    }
}

/// A position that stands for a family.
fn reference_line(i: usize, row: &LibraryRow, width: usize) -> String {
    let RowAbout::Decision {
        place,
        roll,
        played,
        best,
        error,
        mark,
        ..
    } = &row.about
    else {
        return String::new();
    };
    let text = format!(
        "{}  {error:.3} {:2} {} {played}, best {best} · against {}, {place}, {}",
        i + 1,
        mark.sign(),
        fit(roll, 4),
        row.players[1],
        row.date
    );
    cut(&text, width)
}
