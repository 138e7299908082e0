//! Convergence: how the estimates settle, with the funnels of both kinds of interval.

use std::borrow::Cow;

use ratatui::layout::Rect;

use super::scatter;
use crate::rollout::{DifferenceResult, HistoryPoint, RolloutResult};
use crate::stats::interval::half_width;
use crate::tui::figures::trials::shown_job;
use crate::tui::rollouts::jobs::Job;
use crate::tui::screen::targets::Target;
use crate::tui::screen::units::Scale;
use crate::tui::state::App;
use crate::tui::text;
use crate::tui::theme::Role;
use crate::tui::view::drawing::braille::Dots;
use crate::tui::view::drawing::chart_labels::{LABELS, label_line};
use crate::tui::view::drawing::paint::Paint;
use crate::tui::view::drawing::pane::title;
use crate::tui::view::drawing::words::{SERIES, series};

/// The lines of one chart.
struct Lines<'a> {
    /// Index of the play (or 0 for a difference), and its history.
    series: Vec<(usize, Cow<'a, [HistoryPoint]>)>,
    funnel: usize,
    /// The plays of which the first one's lead over the second is drawn instead of each play.
    lead: Option<[usize; 2]>,
    /// The plays that are shown to be worse: the chart is not made larger for them.
    closed: Vec<usize>,
    /// The words after the number of trials. After a race the number is a mean over the plays.
    trials: &'static str,
}

pub(crate) fn draw(paint: &mut Paint<'_>, area: Rect, app: &App) {
    if area.height < 3 || area.width < 20 {
        return;
    }
    let job = shown_job(app).filter(|_| !app.options.hidden);
    let lines = job.and_then(|job| lines(app, job));
    if job.is_some_and(Job::is_exact) {
        let inner = title(paint, area, "convergence", "", false);
        let message = "  known exactly, nothing to settle";
        paint.line(inner, 0, &[(message, Role::Muted)]);
        return;
    }
    let Some((job, lines)) = job.zip(lines) else {
        if shown_job(app).is_none() && !app.document.record.games.is_empty() {
            return super::game_chart::draw(paint, area, app);
        }
        let inner = title(paint, area, "convergence", "", false);
        empty(paint, inner);
        return;
    };
    let (head, side) = head(job, &lines, area, paint.is_ascii);
    let inner = title(paint, area, &head, &side, false);
    let inner = beside_scatter(paint, inner, job);
    plot(paint, inner, &lines, &app.scale_of(job));
}

/// Words for the lines of the funnel, in full and in few columns.
fn legends(is_ascii: bool) -> [&'static str; 2] {
    match is_ascii {
        true => [":: 95% fixed sample, . anytime", ":: 95%, . anytime"],
        false => ["── 95% fixed sample, ╌ anytime", "── 95%, ╌ anytime"],
    }
}

/// Name of the chart and, at the right end, what its lines and dots are. The legend gives way before the name does.
fn head(job: &Job, lines: &Lines<'_>, area: Rect, is_ascii: bool) -> (String, String) {
    let (heads, sides) = match lines.lead {
        Some(plays) => pair_heads(job, plays, area, is_ascii),
        None => {
            let of = format!("intervals of {}", job.name(lines.funnel));
            let [full, short] = legends(is_ascii).map(|legend| format!("{of}, {legend}"));
            (vec!["convergence".to_owned()], vec![full, short, of])
        }
    };
    let width = usize::from(area.width);
    let mut pairs = sides
        .iter()
        .flat_map(|side| heads.iter().map(move |head| (head, side)));
    let fits =
        |(head, side): &(&String, &String)| text::width(head) + text::width(side) + 6 <= width;
    let fitting = pairs.find(fits);
    let (head, side) = fitting.map_or((&heads[0], ""), |(head, side)| (head, side.as_str()));
    (text::cut(head, width.saturating_sub(8)), side.to_owned())
}

/// Heads of the chart of two plays, and its legends: its dots are explained where they stand beside the
/// lines.
fn pair_heads(
    job: &Job,
    plays: [usize; 2],
    area: Rect,
    is_ascii: bool,
) -> (Vec<String>, Vec<String>) {
    let [a, b] = plays.map(|play| series(play).0);
    let [first, second] = plays.map(|play| job.name(play));
    let mut heads = vec![
        format!("lead of {a} {first} over {b} {second}"),
        format!("lead of {a} over {b}"),
    ];
    // Without the line of the title.
    let inner = Rect {
        height: area.height.saturating_sub(1),
        ..area
    };
    let [full, short] = legends(is_ascii);
    let sides = match scatter_place(inner, job) {
        Some(ScatterPlace::Beside { .. }) => {
            heads.push(format!("{a} − {b}"));
            vec![
                format!("{full}; {}", scatter::TITLES[0]),
                format!("{short}; {}", scatter::TITLES[0]),
                format!("{short}; {}", scatter::TITLES[1]),
                scatter::TITLES[0].to_owned(),
                scatter::TITLES[1].to_owned(),
            ]
        }
        _ => vec![full.to_owned(), short.to_owned()],
    };
    (heads, sides)
}

/// Where the scatter of a pair has room.
enum ScatterPlace {
    /// Below the lines, in so many rows.
    Below(u16),
    /// Beside them, so large.
    Beside { width: u16, rows: u16 },
}

fn scatter_place(area: Rect, job: &Job) -> Option<ScatterPlace> {
    let result = job.result().filter(|_| job.is_pair())?;
    // What one play is worth may be known exactly: then there is nothing that could vary with the other.
    let varies = |d: &DifferenceResult| d.trials < 2 || d.correlation.is_finite();
    if result.scatter.is_empty() || !result.difference.as_ref().is_some_and(varies) {
        return None;
    }
    if area.height >= 18 && area.width < 80 {
        return Some(ScatterPlace::Below(area.height * 2 / 5));
    }
    let rows = area.height.min(16);
    let width = scatter::width(rows);
    (area.width >= width + 24).then_some(ScatterPlace::Beside { width, rows })
}

/// Room above or beside the scatter of a pair.
fn beside_scatter(paint: &mut Paint<'_>, area: Rect, job: &Job) -> Rect {
    let Some((result, place)) = job.result().zip(scatter_place(area, job)) else {
        return area;
    };
    let (pairs, whole) = (&result.scatter, !job.settings.luck.is_some());
    match place {
        ScatterPlace::Below(rows) => {
            let field = Rect {
                y: area.bottom() - rows,
                height: rows,
                ..area
            };
            scatter::described(paint, field, pairs, whole);
            Rect {
                height: area.height - rows - 1,
                ..area
            }
        }
        ScatterPlace::Beside { width, rows } => {
            let field = Rect::new(area.right() - width, area.y, width, rows);
            scatter::draw(paint, field, pairs, whole);
            Rect {
                width: area.width - width - 1,
                ..area
            }
        }
    }
}

fn empty(paint: &mut Paint<'_>, area: Rect) {
    if area.height >= 3 {
        let y = area.height / 2;
        let line = "┈".repeat(usize::from(area.width.saturating_sub(8)));
        paint.line(area, y, &[("    —  ", Role::Muted), (&line, Role::Rule)]);
    }
}

fn lines<'a>(app: &App, job: &'a Job) -> Option<Lines<'a>> {
    let result = job.result()?;
    let selected = app
        .selection
        .play
        .and_then(|s| job.plays.iter().position(|p| p.result == s));
    let mut counts = result.candidates.windows(2);
    let trials = match counts.all(|two| two[0].trials == two[1].trials) {
        true => "trials",
        false => "trials a play on average",
    };
    if let Some((plays, history)) = lead(job, result, selected) {
        return Some(Lines {
            series: vec![(plays[0], history)],
            funnel: plays[0],
            lead: Some(plays),
            closed: Vec::new(),
            trials,
        });
    }
    let series: Vec<(usize, Cow<'_, [HistoryPoint]>)> = result
        .history
        .iter()
        .take(job.plays.len().min(8))
        .enumerate()
        .filter(|(_, h)| !h.is_empty())
        .map(|(i, h)| (i, Cow::from(h)))
        .collect();
    let leader = || {
        // The play with the largest mean may be out of a race, and lead by the luck of its few trials.
        let ranked = job.result()?.best_first();
        ranked
            .into_iter()
            .find(|i| series.iter().any(|x| x.0 == *i))
    };
    let funnel = selected
        .filter(|s| series.iter().any(|x| x.0 == *s))
        .or_else(leader)?;
    let family = result.family.as_ref();
    let is_closed = |i: &usize| family.is_some_and(|family| family.is_closed(*i));
    Some(Lines {
        series,
        funnel,
        lead: None,
        closed: (0..job.plays.len()).filter(is_closed).collect(),
        trials,
    })
}

/// The lead of one play over another: of two those, of several the best over the selected one, or else over the next
/// that may still be the best.
fn lead<'a>(
    job: &Job,
    result: &'a RolloutResult,
    selected: Option<usize>,
) -> Option<([usize; 2], Cow<'a, [HistoryPoint]>)> {
    if job.is_cube_decision() {
        return None;
    }
    let Some(family) = &result.family else {
        let history = result.history.get(2).filter(|h| !h.is_empty());
        return history
            .filter(|_| job.plays.len() == 2)
            .map(|history| ([0, 1], Cow::from(history)));
    };
    let (best, ranked) = (result.best()?, result.best_first());
    let rivals = ranked
        .into_iter()
        .filter(|&i| i != best && !family.is_closed(i));
    let rival = selected
        .filter(|&i| i != best)
        .into_iter()
        .chain(rivals)
        .next()?;
    let d = family.difference(best, rival).filter(|d| d.trials > 0)?;
    let [first, second] = [result.history.get(best)?, result.history.get(rival)?];
    let both =
        |p: &HistoryPoint, q: &HistoryPoint| [p.ci95.hypot(q.ci95), p.anytime95.hypot(q.anytime95)];
    let now = both(first.last()?, second.last()?);
    let wide = [d.simultaneous_ci95, d.simultaneous_anytime95].map(half_width);
    // An interval that says nothing yet has no width to scale.
    let scaled = |then: f64, kind: usize| match now[kind].is_finite() && then.is_finite() {
        true => wide[kind] * then / now[kind],
        false => f64::INFINITY,
    };
    // The history has no intervals of a difference. Each is that of now, scaled as the two plays' own were.
    let point = |(p, q): (&HistoryPoint, &HistoryPoint)| {
        let [ci95, anytime95] = both(p, q);
        HistoryPoint {
            trials: p.trials,
            mean: p.mean - q.mean,
            ci95: scaled(ci95, 0),
            anytime95: scaled(anytime95, 1),
        }
    };
    let history: Vec<HistoryPoint> = first.iter().zip(second).map(point).collect();
    Some(([best, rival], Cow::from(history)))
}

/// The values the chart spans: what the newest figures leave open, with the paths there.
fn range(lines: &Lines<'_>) -> Option<(f64, f64)> {
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    let mut add = |v: f64| {
        if v.is_finite() {
            low = low.min(v);
            high = high.max(v);
        }
    };
    for (i, history) in &lines.series {
        if *i != lines.funnel && lines.closed.contains(i) {
            continue;
        }
        let Some(last) = history.last() else { continue };
        add(last.mean);
        // The later half of the way; the first trials are noise.
        for p in history.iter().filter(|p| 2 * p.trials >= last.trials) {
            add(p.mean);
        }
        if *i == lines.funnel {
            let wide = if last.anytime95.is_finite() {
                last.anytime95
            } else {
                3.0 * last.ci95
            };
            add(last.mean - 1.5 * wide);
            add(last.mean + 1.5 * wide);
        }
    }
    if lines.lead.is_some() {
        add(0.0);
    }
    if low > high {
        return None;
    }
    let edge = (high - low).max(0.004) * 0.06;
    Some((low - edge, high + edge))
}

fn plot(paint: &mut Paint<'_>, area: Rect, lines: &Lines<'_>, scale: &Scale) {
    let Some((low, high)) = range(lines) else {
        return empty(paint, area);
    };
    let trials = lines
        .series
        .iter()
        .filter_map(|s| s.1.last())
        .map(|p| p.trials)
        .max()
        .unwrap_or(1)
        .max(1);
    let foot = u16::from(area.height >= 4);
    let field = Rect {
        x: area.x + LABELS,
        width: area
            .width
            .saturating_sub(LABELS + if lines.lead.is_some() { 0 } else { LETTERS }),
        height: area.height - foot,
        ..area
    };
    if field.width < 4 || field.height == 0 {
        return;
    }
    let (dots_x, dots_y) = (
        f64::from(field.width) * 2.0 - 1.0,
        f64::from(field.height) * 4.0 - 1.0,
    );
    let at_x = |n: u64| n as f64 / trials as f64 * dots_x;
    let at_y = |v: f64| ((high - v) / (high - low) * dots_y).clamp(-8.0, dots_y + 8.0);
    // Without colours the lines are distinguished by letters on them, and the funnel by its gaps.
    let plain = paint.style(Role::SeriesA).fg.is_none();
    let mut dots = Dots::new(field.width, field.height);
    let level = (lines.lead.is_some() && low < 0.0 && high > 0.0)
        .then(|| ((at_y(0.0) / 4.0) as u16).min(field.height - 1));
    if let Some(row) = level {
        let line = "━".repeat(field.width.into());
        paint.put(field.x, field.y + row, field.width, &line, Role::Muted);
    }
    trace(&mut dots, lines, (&at_x, &at_y), plain);
    dots.paint(paint, field);
    paint.target(field, Target::Trials(trials));
    let write = |value| {
        if lines.lead.is_some() {
            scale.difference(value)
        } else {
            scale.value(value)
        }
    };
    let mut end = format!("{} {}", text::count(trials as f64), lines.trials);
    // Beside the 0.
    if text::width(&end) + 2 > usize::from(field.width) {
        end = end.replace(" trials a play", " a play");
    }
    labels(paint, area, field, (low, high), (trials, &end, &write));
    if let Some(row) = level {
        label_line(paint, area, field.y + row, "level");
    }
    if lines.lead.is_none() {
        letters(paint, field, lines, &|v| at_y(v) / 4.0);
        if plain || lines.series.len() > SERIES.len() {
            on_lines(paint, field, lines, (&at_x, &at_y));
        }
    }
}

/// The funnel and the lines, as far as they have come.
fn trace(dots: &mut Dots, lines: &Lines<'_>, (at_x, at_y): Places<'_>, plain: bool) {
    for (i, history) in &lines.series {
        if *i == lines.funnel {
            funnel(dots, history, if plain { 2 } else { 1 }, (at_x, at_y));
        }
    }
    for (i, history) in lines.series.iter().rev() {
        let (letter, role) = series(*i);
        let letter = letter.chars().next().filter(|_| lines.lead.is_none());
        dots.sign = letter.unwrap_or('*');
        let points = history.iter().map(|p| (at_x(p.trials), at_y(p.mean)));
        dots.path(points, role, 1);
    }
}

/// Columns behind the lines for letters.
const LETTERS: u16 = 3;

/// The letters of the plays at the ends of their lines: moved apart where they would meet, and side by side where there
/// are more of them than rows.
fn letters(paint: &mut Paint<'_>, field: Rect, lines: &Lines<'_>, row: &dyn Fn(f64) -> f64) {
    let mut ends: Vec<(f64, usize)> = lines
        .series
        .iter()
        .filter_map(|(i, h)| Some((row(h.last()?.mean), *i)))
        .filter(|e| e.0.is_finite())
        .collect();
    ends.sort_by(|a, b| a.0.total_cmp(&b.0));
    let last = i32::from(field.height) - 1;
    if ends.len() > usize::from(field.height) {
        return letters_by_row(paint, field, &ends);
    }
    let mut free = 0;
    for (n, (at, i)) in (0i32..).zip(&ends) {
        let below = ends.len() as i32 - 1 - n;
        let at = (*at as i32).max(free).min(last - below);
        free = at + 1;
        let (letter, role) = series(*i);
        paint.put(field.right() + 1, field.y + at as u16, 1, &letter, role);
    }
}

/// The letters of each row side by side, the best first; `…` says that there are more.
fn letters_by_row(paint: &mut Paint<'_>, field: Rect, ends: &[(f64, usize)]) {
    let last = i32::from(field.height) - 1;
    let row_of = |at: f64| (at as i32).clamp(0, last);
    for row in 0..=last {
        let here: Vec<usize> = (ends.iter().filter(|end| row_of(end.0) == row))
            .map(|end| end.1)
            .collect();
        // One alone keeps its distance from the line.
        let first = field.right() + u16::from(here.len() < usize::from(LETTERS));
        let y = field.y + row as u16;
        for (x, i) in (first..field.right() + LETTERS).zip(&here) {
            let (letter, role) = series(*i);
            paint.put(x, y, 1, &letter, role);
        }
        if here.len() > usize::from(LETTERS) {
            let more = field.right() + LETTERS - 1;
            paint.put(more, y, 1, "…", Role::Muted);
        }
    }
}

/// What gives the dot of a number of trials, and that of a value.
type Places<'a> = (&'a dyn Fn(u64) -> f64, &'a dyn Fn(f64) -> f64);

/// A letter on each line, each at another place of the later half.
fn on_lines(paint: &mut Paint<'_>, field: Rect, lines: &Lines<'_>, (at_x, at_y): Places<'_>) {
    let n = lines.series.len().max(1) as f64;
    for (k, (i, history)) in lines.series.iter().enumerate() {
        let Some(last) = history.last() else { continue };
        let wanted = last.trials as f64 * (0.4 + 0.5 * k as f64 / n);
        let away = |p: &&HistoryPoint| (p.trials as f64 - wanted).abs();
        let Some(point) = history.iter().min_by(|a, b| away(a).total_cmp(&away(b))) else {
            continue;
        };
        let (x, y) = (at_x(point.trials) / 2.0, at_y(point.mean) / 4.0);
        if (0.0..f64::from(field.width)).contains(&x) && (0.0..f64::from(field.height)).contains(&y)
        {
            let (letter, role) = series(*i);
            paint.put(field.x + x as u16, field.y + y as u16, 1, &letter, role);
        }
    }
}

/// `step`: every which dot of the inner lines is drawn.
fn funnel(dots: &mut Dots, history: &[HistoryPoint], step: usize, (at_x, at_y): Places<'_>) {
    for sign in [-1.0, 1.0] {
        let wide = history
            .iter()
            .filter(|p| p.anytime95.is_finite())
            .map(|p| (at_x(p.trials), at_y(p.mean + sign * p.anytime95)));
        dots.sign = '.';
        dots.path(wide, Role::FunnelWide, step + 2);
        let fixed = history
            .iter()
            .filter(|p| p.ci95.is_finite())
            .map(|p| (at_x(p.trials), at_y(p.mean + sign * p.ci95)));
        dots.sign = ':';
        dots.path(fixed, Role::Funnel, step);
    }
}

fn labels(
    paint: &mut Paint<'_>,
    area: Rect,
    field: Rect,
    (low, high): (f64, f64),
    (trials, end, write): (u64, &str, &dyn Fn(f64) -> String),
) {
    let rows = field.height;
    let mut rows_with = vec![0, rows - 1];
    if rows >= 5 {
        rows_with.insert(1, rows / 2);
    }
    for row in rows_with {
        let t = (f64::from(row) + 0.5) / f64::from(rows);
        let value = high - t * (high - low);
        label_line(paint, area, field.y + row, &write(value));
    }
    if field.bottom() < area.bottom() {
        let foot = Rect::new(field.x, field.bottom(), field.width, 1);
        paint.line(foot, 0, &[("0", Role::Muted)]);
        if usize::from(field.width) >= 40.max(2 * text::width(end) + 8) {
            let half = text::count(trials as f64 / 2.0);
            let x = field.x + field.width / 2 - text::width(&half) as u16 / 2;
            paint.put(x, foot.y, 8, &half, Role::Muted);
        }
        paint.line_right(foot, 0, &[(end, Role::Muted)]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::theme::Theme;
    use ratatui::buffer::Buffer;

    /// In ASCII each line is made of its letter, and both funnels of other signs, as the title says.
    #[test]
    fn lines_differ_in_ascii() {
        let history = |mean| {
            let point = |trials| HistoryPoint {
                trials,
                mean,
                ci95: 0.1,
                anytime95: 0.2,
            };
            [point(10), point(1000)]
        };
        let [a, b] = [0.0, 0.05].map(history);
        let lines = Lines {
            series: vec![(0, Cow::from(&a[..])), (1, Cow::from(&b[..]))],
            funnel: 0,
            lead: None,
            closed: Vec::new(),
            trials: "trials",
        };
        let area = Rect::new(0, 0, 60, 20);
        let mut buffer = Buffer::empty(area);
        let themes = Theme::builtin();
        let mut paint = Paint::new(&mut buffer, &themes[0]);
        paint.is_ascii = true;
        plot(&mut paint, area, &lines, &Scale::CUBE);
        let field = (0..18).flat_map(|y| (8..50).map(move |x| (x, y)));
        let drawn: String = field.map(|cell| buffer[cell].symbol()).collect();
        for sign in ['a', 'b', ':', '.'] {
            let count = drawn.chars().filter(|c| *c == sign).count();
            assert!(count > 9, "{sign}: {drawn}");
        }
        assert!(legends(true).iter().all(|legend| legend.is_ascii()));
    }

    #[test]
    fn the_range_holds_the_end_and_zero_for_a_difference() {
        let point = |trials, mean, half| HistoryPoint {
            trials,
            mean,
            ci95: half,
            anytime95: 2.0 * half,
        };
        let history = [
            point(10, 2.0, 1.0),
            point(500, 0.11, 0.05),
            point(1000, 0.1, 0.02),
        ];
        let lines = Lines {
            series: vec![(0, Cow::from(&history[..]))],
            funnel: 0,
            lead: Some([0, 1]),
            closed: Vec::new(),
            trials: "trials",
        };
        let (low, high) = range(&lines).unwrap();
        assert!(low < 0.0 && high > 0.16 && high < 1.0);
    }
}
