//! The window of the study plan.

use ratatui::layout::Rect;

use crate::study::plan_words::PlanWords;
use crate::study::player_record::OpponentRecord;
use crate::tui::keys::KeyScope;
use crate::tui::screen::targets::Target;
use crate::tui::state::App;
use crate::tui::text::{cut, fit, fit_right, wrap};
use crate::tui::theme::Role;
use crate::tui::view::drawing::paint::Paint;
use crate::tui::view::drawing::window::{
    description, list, rows, side_that_fits, title_with_filter, window,
};
use crate::tui::windows::library::{LibraryRow, RowAbout};
use crate::tui::windows::plan::{PlanPlace, PlanRow, PlanView};

/// Title of the window.
const NAME: &str = "study plan";
/// Columns inside the window.
const WIDTH: u16 = 112;
/// Columns from which on all figures of a family are shown.
const WIDE: u16 = 92;
/// Rows from which on there is room to say what they are.
const TALL: u16 = 8;

pub(crate) fn draw(paint: &mut Paint<'_>, screen: Rect, app: &App) {
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
    body(paint, below, place, view);
}

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

fn body(paint: &mut Paint<'_>, area: Rect, place: &PlanPlace, view: &PlanView) {
    let words = PlanWords::of(&view.summary);
    let wide = area.width >= WIDE;
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
        let heading = family_line(&columns, wide);
        paint.line(area, 0, &[(&heading, Role::OverlayTitle)]);
    }
    area = rows(area, 1, area.height);
    let all = place.rows();
    let references = place.references();
    let lines = (references.len() as u16).clamp(2, 5);
    let above = match area.height >= lines + 4 {
        true => description(paint, area, "", lines),
        false => area,
    };
    list(paint, above, place.row, all.len(), &mut |paint, line, i| {
        let (text, role) = row_text(all[i], view, wide);
        paint.line(line, 0, &[(&text, role)]);
    });
    if above.height < area.height {
        let foot = rows(area, above.height + 1, lines);
        let details = about(place, &words, view, usize::from(foot.width));
        for (row, line) in (0..).zip(&details) {
            paint.line(foot, row, &[(line, Role::Overlay)]);
        }
        for i in 0..references.len().min(details.len()) {
            paint.target(rows(foot, i as u16, 1), Target::Reference(i));
        }
    }
}

/// Text of a row of the list.
fn row_text(row: PlanRow, view: &PlanView, wide: bool) -> (String, Role) {
    let words = PlanWords::of(&view.summary);
    let (plan, record) = (&view.summary.plan, &view.summary.record);
    match row {
        PlanRow::Family(i) => (
            family_line(&words.family(&plan.listed()[i]), wide),
            Role::Overlay,
        ),
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

fn family_line(cells: &[String; 6], wide: bool) -> String {
    let [name, decisions, lost, reference, recoverable, interval] = cells;
    let name = fit(name, 31);
    match wide {
        true => format!(
            "{name} {} {} {} {}  {}",
            fit_right(decisions, 9),
            fit_right(lost, 8),
            fit_right(reference, 9),
            fit_right(recoverable, 11),
            fit_right(interval, 17),
        ),
        false => format!(
            "{name} {} {}  {}",
            fit_right(decisions, 9),
            fit_right(recoverable, 11),
            fit_right(interval, 17),
        ),
    }
}

/// What there is to tell of the selected row, in lines.
fn about(place: &PlanPlace, words: &PlanWords<'_>, view: &PlanView, width: usize) -> Vec<String> {
    let (plan, record) = (&view.summary.plan, &view.summary.record);
    match place.selected() {
        Some(PlanRow::Family(_)) => {
            let all = place.references().iter().enumerate();
            all.map(|(i, row)| reference_line(i, row, width)).collect()
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
        None => Vec::new(),
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
