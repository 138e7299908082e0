//! The window of a player's rating.

use ratatui::layout::Rect;

use super::window::Window;
use super::{library, plan};
use crate::library::filter::player_word;
use crate::library::match_score;
use crate::review::Class;
use crate::review::report::{change_text, signed, value_text};
use crate::review::trend::{LATEST, TrendEstimate};
use crate::review::trend_parts::{CubeErrorTrend, PartTrend};
use crate::study::{MatchGroup, RatedMatch};
use crate::tui::figures::conditions;
use crate::tui::keys::ActionId;
use crate::tui::state::{App, Effect};
use crate::tui::text::{cut, fit, fit_right, width, wrap};
use crate::tui::theme::Role;
use crate::tui::view::drawing::braille::Dots;
use crate::tui::view::drawing::paint::Paint;
use crate::tui::view::drawing::window::{list, rows, title_with_filter, window};
use crate::tui::windows::asked::Asked;
use crate::tui::windows::library::{ExpectedMatch, LibraryList, TypedFilter};
use crate::tui::windows::overlay::Overlay;
use crate::tui::windows::quiz::StudyWindow;
use crate::tui::windows::rating::{RatingList, RatingNews, RatingPlace, RatingRequest, RatingView};

pub(super) struct Rating;

impl Window for Rating {
    fn draw(&self, paint: &mut Paint<'_>, screen: Rect, app: &App) {
        let place = &app.rating;
        let side = match place.asked.progress {
            Some((done, all)) => format!("{done} of {all} matches read"),
            None => "by lookahead, without rollouts".to_owned(),
        };
        let (title, filter) = match &place.whose {
            // It may be of several names.
            None => ("your rating".to_owned(), place.filter.as_ref()),
            Some(name) => {
                let filter = place.filter.as_ref();
                let is_more =
                    |typed: &&TypedFilter| typed.text.to_lowercase() != name.to_lowercase();
                (
                    format!("rating of {}", cut(name, 30)),
                    filter.filter(is_more),
                )
            }
        };
        let title = title_with_filter(&title, filter);
        let size = (112, screen.height.saturating_sub(4));
        let area = window(paint, screen, size, &title, &side);
        let Some(view) = place.asked.view.as_deref() else {
            let words = place.asked.failure.as_deref();
            let words = words.unwrap_or("the matches are being read …");
            for (row, line) in (0..).zip(wrap(words, usize::from(area.width), 3)) {
                paint.line(area, row, &[(&line, Role::OverlayMuted)]);
            }
            return;
        };
        let used = head(paint, area, view);
        let mut below = rows(area, used, area.height);
        // Chart, its caption, and below it a list of which something is seen.
        let chart_rows = (below.height * 2 / 5).min(14);
        if chart_rows >= 4 && below.width >= 30 {
            chart(paint, rows(below, 0, chart_rows), place, view);
            below = rows(below, chart_rows + 1, below.height);
        }
        match place.list {
            RatingList::Matches => matches(paint, below, place, view),
            RatingList::Parts => parts(paint, below, place, view),
            RatingList::CubeErrors => cube_errors(paint, below, place, view),
            RatingList::Groups => groups(paint, below, place, view),
        }
    }

    fn rows(&self, app: &App) -> usize {
        app.rating.rows()
    }

    fn row<'a>(&self, app: &'a mut App) -> Option<&'a mut usize> {
        Some(&mut app.rating.row)
    }

    fn act(&self, app: &mut App, action: ActionId) -> bool {
        let place = &mut app.rating;
        match action {
            ActionId::Complete => {
                place.row = 0;
                place.list = place.list.next();
            }
            ActionId::Accept => match place.list {
                RatingList::Matches => enter(app),
                RatingList::Parts | RatingList::CubeErrors => {
                    show_in_library(app, LibraryList::Errors)
                }
                RatingList::Groups => show_in_library(app, LibraryList::Matches),
            },
            ActionId::OpponentRating => opponent(app),
            ActionId::Rating => ask(app, None, None),
            _ => return false,
        }
        true
    }

    fn close(&self, app: &mut App) {
        app.overlay = app.rating.from.take().map(Overlay::from);
    }
}

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

/// Columns from which on a match has its ratings by class.
const WIDE: u16 = 96;
/// What stands in the list of cube errors where there is no row.
const NO_CUBE: &str = "no cube decision in these matches";
/// Columns of the labels beside the chart.
const LABEL: u16 = 5;

/// Rating, that of the latest ten and the trend; answers the rows they take.
fn head(paint: &mut Paint<'_>, area: Rect, view: &RatingView) -> u16 {
    let history = &view.history;
    let plain = |value: f64| format!("{value:.2}");
    let told = |name: &str, estimate: Option<TrendEstimate>, number: &dyn Fn(f64) -> String| {
        let estimate = estimate?;
        let interval = estimate.in_brackets(number);
        Some(format!("{name} {}{interval}", number(estimate.value)))
    };
    let count = match history.matches().len() {
        1 => "1 match".to_owned(),
        n => format!("{n} matches"),
    };
    let pr = told("PR", history.pr(), &plain).unwrap_or_else(|| "no PR".to_owned());
    let first = format!("{count}, {pr}");
    let latest = told("the latest ten", history.latest(), &plain);
    let change = history.slope().filter(TrendEstimate::says_something);
    let change = told("change in ten matches", change, &|v| signed(v, 2));
    let order = (!history.is_ordered()).then(|| "their order is not known".to_owned());
    let second: Vec<String> = latest.into_iter().chain(change).chain(order).collect();
    let mut row = 0;
    for (words, role) in [
        (first, Role::OverlayTitle),
        (second.join("; "), Role::Overlay),
    ] {
        for line in wrap(&words, usize::from(area.width), 2) {
            paint.line(area, row, &[(&line, role)]);
            row += 1;
        }
    }
    row + 1
}

/// The rating of each match in the order of play, that of the latest ten as a line, and the days of the first and
/// the last.
fn chart(paint: &mut Paint<'_>, area: Rect, place: &RatingPlace, view: &RatingView) {
    let all = view.history.matches();
    let field = Rect {
        x: area.x + LABEL,
        width: area.width - LABEL,
        height: area.height - 1,
        ..area
    };
    let running = view.history.running();
    let top = top(all);
    let right = f64::from(field.width * 2 - 1);
    let bottom = f64::from(field.height * 4 - 1);
    let steps = all.len().saturating_sub(1).max(1) as f64;
    let x = |i: usize| match all.len() {
        1 => right / 2.0,
        _ => i as f64 / steps * right,
    };
    let y = |pr: f64| ((1.0 - pr / top) * bottom).clamp(0.0, bottom);
    let mut dots = Dots::new(field.width, field.height);
    dots.sign = '.';
    dots.line((0.0, bottom), (right, bottom), Role::OverlayMuted, 4);
    if let Some(at) = place.selected() {
        dots.sign = '|';
        dots.line((x(at), 0.0), (x(at), bottom), Role::OverlayMuted, 2);
    }
    let points = running.iter().enumerate();
    let points = points.filter_map(|(i, pr)| Some((x(i), y((*pr)?))));
    // As the caption has it.
    dots.sign = '-';
    dots.path(points, Role::OverlayKey, 1);
    dots.paint(paint, field);
    let mut mark = |i: usize, role| {
        let Some(pr) = all[i].figures.pr else { return };
        let sign = if pr > top { "↑" } else { "●" };
        let column = field.x + (x(i) / 2.0) as u16;
        // On the scale of the labels.
        let from_top = (1.0 - pr / top).clamp(0.0, 1.0);
        let row = field.y + (from_top * f64::from(field.height - 1)).round() as u16;
        paint.put(column, row, 1, sign, role);
    };
    (0..all.len()).for_each(|i| mark(i, Role::Overlay));
    // Not hidden by one beside it.
    if let Some(at) = place.selected() {
        mark(at, Role::OverlayKey);
    }
    for (row, value) in [
        (0, top),
        (field.height / 2, top / 2.0),
        (field.height - 1, 0.0),
    ] {
        let label = fit_right(&format!("{value:.0}"), usize::from(LABEL) - 1);
        paint.put(area.x, field.y + row, LABEL, &label, Role::OverlayMuted);
    }
    let words = match view.history.is_ordered() && all.len() > 1 {
        true => format!("● PR of a match   ─ of the latest {LATEST}"),
        false => "● PR of a match".to_owned(),
    };
    caption(paint, rows(area, area.height - 1, 1), all, &words);
}

/// The days of the first match and of the last, and between them what is drawn, in `words`.
fn caption(paint: &mut Paint<'_>, line: Rect, all: &[RatedMatch], words: &str) {
    let (Some(first), Some(last)) = (all.first(), all.last()) else {
        return;
    };
    let spare = usize::from(line.width - LABEL)
        .saturating_sub(width(words) + width(&first.date) + width(&last.date));
    let left = spare / 2;
    let gap = |n: usize| " ".repeat(n);
    let text = match spare >= 4 {
        true => format!(
            "{}{}{words}{}{}",
            first.date,
            gap(left),
            gap(spare - left),
            last.date
        ),
        false => words.to_owned(),
    };
    let line = Rect {
        x: line.x + LABEL,
        width: line.width - LABEL,
        ..line
    };
    paint.line(line, 0, &[(&text, Role::OverlayMuted)]);
}

/// The rating at the top of the chart: the highest, unless a few are far above the others. Those stand at the edge.
fn top(all: &[RatedMatch]) -> f64 {
    /// How many times the middle value a value must be to lie far off.
    const FAR: f64 = 3.0;
    let mut ratings: Vec<f64> = all.iter().filter_map(|one| one.figures.pr).collect();
    ratings.sort_by(f64::total_cmp);
    let highest = ratings.last().copied().unwrap_or(0.0);
    let middle = ratings.get(ratings.len() / 2).copied().unwrap_or(0.0);
    // An even number, so that the middle of the scale is a whole one.
    let even = |value: f64| 2.0 * (value / 2.0).ceil();
    even(highest.min(FAR * middle)).max(2.0)
}

/// The matches, the newest first.
fn matches(paint: &mut Paint<'_>, area: Rect, place: &RatingPlace, view: &RatingView) {
    let room = usize::from(area.width);
    let heading = [
        "date", "opponent", "length", "score", "PR", "checker", "cube", "opp.", "net luck",
        "adjusted",
    ];
    let heading = match_line(heading.map(str::to_owned), room);
    paint.line(area, 0, &[(&heading, Role::OverlayTitle)]);
    let all = view.history.matches();
    let below = rows(area, 1, area.height);
    list(paint, below, place.row, all.len(), &mut |paint, line, i| {
        let text = match_line(match_cells(&all[all.len() - 1 - i]), room);
        paint.line(line, 0, &[(&text, Role::Overlay)]);
    });
}

fn match_cells(one: &RatedMatch) -> [String; 10] {
    let pr = |pr: Option<f64>| pr.map_or_else(|| "–".to_owned(), |pr| format!("{pr:.2}"));
    let is_money = one.length == 0;
    [
        one.date.clone(),
        one.players[1].clone(),
        if is_money {
            "money".to_owned()
        } else {
            one.length.to_string()
        },
        match_score(one.length, one.score),
        pr(one.figures.pr),
        pr(one.pr_of(Class::Checker)),
        pr(one.cube_pr()),
        pr(one.opponent_pr),
        change_text(is_money, one.net_luck),
        value_text(is_money, one.luck_adjusted_result),
    ]
}

fn match_line(cells: [String; 10], room: usize) -> String {
    let wide = room >= usize::from(WIDE);
    let [
        date,
        opponent,
        length,
        score,
        pr,
        checker,
        cube,
        other,
        luck,
        adjusted,
    ] = cells;
    let names = if wide { 22 } else { 16 };
    let mut columns = vec![
        fit(&date, 11),
        fit(&cut(&opponent, names), names),
        fit_right(&length, 6),
        fit_right(&score, 7),
        fit_right(&pr, 6),
    ];
    if wide {
        columns.extend([fit_right(&checker, 7), fit_right(&cube, 6)]);
    }
    columns.extend([
        fit_right(&other, 6),
        fit_right(&luck, 8),
        fit_right(&adjusted, 8),
    ]);
    whole(&columns, room)
}

/// The columns that fit whole into so many: half a figure would be another one.
fn whole(columns: &[String], room: usize) -> String {
    let mut line = String::new();
    for column in columns {
        let gap = usize::from(!line.is_empty());
        if width(&line) + gap + width(column) > room {
            break;
        }
        line.push_str(if gap == 1 { " " } else { "" });
        line.push_str(column);
    }
    line
}

/// Draws where equity is lost.
fn parts(paint: &mut Paint<'_>, area: Rect, place: &RatingPlace, view: &RatingView) {
    let (classes, types) = (view.history.classes(), view.history.types());
    let classes = classes.iter().map(|row| (row.class.name(), &row.part));
    let types = types.iter().map(|row| (row.kind.name(), &row.part));
    let all: Vec<(&str, &PartTrend)> = classes.chain(types).collect();
    let heading = [
        "where equity is lost",
        "decisions",
        "blunders",
        "error",
        "share",
        "PR",
        "95% interval",
    ];
    let room = usize::from(area.width);
    let heading = part_line(heading.map(str::to_owned), room);
    paint.line(area, 0, &[(&heading, Role::OverlayTitle)]);
    let below = rows(area, 1, area.height);
    list(paint, below, place.row, all.len(), &mut |paint, line, i| {
        let (name, part) = all[i];
        let text = part_line(part_cells(name, part), room);
        paint.line(line, 0, &[(&text, Role::Overlay)]);
    });
}

fn part_cells(name: &str, part: &PartTrend) -> [String; 7] {
    let [pr, interval] = TrendEstimate::cells(part.pr);
    [
        name.to_owned(),
        part.decisions.to_string(),
        part.blunders.to_string(),
        format!("{:.3}", part.error),
        format!("{:.0}%", 100.0 * part.share),
        pr,
        interval,
    ]
}

fn part_line(cells: [String; 7], room: usize) -> String {
    let [name, decisions, blunders, error, share, pr, interval] = cells;
    let columns = [
        fit(&name, 20),
        fit_right(&decisions, 9),
        fit_right(&blunders, 8),
        fit_right(&error, 8),
        fit_right(&share, 5),
        fit_right(&pr, 6),
        fit_right(&interval, 13),
    ];
    whole(&columns, room)
}

/// Draws the errors in cube decisions by kind.
fn cube_errors(paint: &mut Paint<'_>, area: Rect, place: &RatingPlace, view: &RatingView) {
    let all = view.history.cube_errors();
    let room = usize::from(area.width);
    let heading = cube_error_line(CubeErrorTrend::HEADS.map(str::to_owned), room);
    paint.line(area, 0, &[(&heading, Role::OverlayTitle)]);
    let below = rows(area, 1, area.height);
    if all.is_empty() {
        paint.line(below, 0, &[(NO_CUBE, Role::OverlayMuted)]);
    }
    list(paint, below, place.row, all.len(), &mut |paint, line, i| {
        let text = cube_error_line(all[i].cells(), room);
        paint.line(line, 0, &[(&text, Role::Overlay)]);
    });
}

fn cube_error_line(cells: [String; 9], room: usize) -> String {
    let [name, figures @ ..] = cells;
    let widths = [8, 5, 5, 8, 8, 5, 6, 13];
    let mut columns = vec![fit(&name, 16)];
    let figures = figures.iter().zip(widths);
    columns.extend(figures.map(|(cell, width)| fit_right(cell, width)));
    whole(&columns, room)
}

/// Draws the matches by month, event, opponent and length.
fn groups(paint: &mut Paint<'_>, area: Rect, place: &RatingPlace, view: &RatingView) {
    let all = view.history.all_groups();
    let [matches, decisions, error, pr, interval] = MatchGroup::HEADS;
    let heading = [
        "month, event, opponent…",
        matches,
        decisions,
        error,
        pr,
        interval,
    ];
    let room = usize::from(area.width);
    let heading = group_line(heading.map(str::to_owned), room);
    paint.line(area, 0, &[(&heading, Role::OverlayTitle)]);
    let below = rows(area, 1, area.height);
    list(paint, below, place.row, all.len(), &mut |paint, line, i| {
        let text = group_line(all[i].cells(), room);
        paint.line(line, 0, &[(&text, Role::Overlay)]);
    });
}

fn group_line(cells: [String; 6], room: usize) -> String {
    let [name, matches, decisions, error, pr, interval] = cells;
    let columns = [
        fit(&cut(&name, 23), 23),
        fit_right(&matches, 7),
        fit_right(&decisions, 9),
        fit_right(&error, 8),
        fit_right(&pr, 6),
        fit_right(&interval, 13),
    ];
    whole(&columns, room)
}
