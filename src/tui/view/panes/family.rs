//! The comparison of three or more plays: each against the best, and which are surely not the best.
//! The intervals hold for all differences at once and are anytime-valid.

use ratatui::layout::Rect;

use super::coupled;
use super::play_rows::{order, play_target};
use crate::review::report::decision_text::chance_right;
use crate::rollout::{
    CandidateResult, ComparisonVerdict, Coupling, Estimate, FamilyResult, RolloutResult, Standing,
};
use crate::tui::figures::trials::shown_job;
use crate::tui::rollouts::jobs::Job;
use crate::tui::screen::layout::Areas;
use crate::tui::screen::units::Scale;
use crate::tui::state::App;
use crate::tui::text;
use crate::tui::theme::Role;
use crate::tui::view::drawing::axis::Axis;
use crate::tui::view::drawing::paint::Paint;
use crate::tui::view::drawing::words;

/// Columns besides the play, trials and axis: letter, sign and gap, difference, interval, chance.
const FIXED: u16 = 3 + 7 + 6 + CHANCE;
const CHANCE: u16 = 8;
const TRIALS: u16 = 7;
/// Room from which two columns of rows fit side by side.
const TWO: u16 = 78;

/// The area of a family that takes the place of the chart as well, as its rows do not fit their pane; `None`
/// where they do.
pub(crate) fn both_panes(areas: &Areas, app: &App) -> Option<Rect> {
    let job = shown_job(app).filter(|j| j.is_family() && !app.options.hidden)?;
    let (chart, figures) = (areas.chart, areas.figures);
    let tight = usize::from(figures.height) < job.plays.len() + 3;
    let beside = !chart.is_empty() && chart.y == figures.y && chart.x < figures.x;
    (tight && beside && job.result().is_some()).then(|| Rect {
        x: chart.x,
        width: figures.right() - chart.x,
        ..figures
    })
}

/// One play.
struct Row {
    play: usize,
    letter: (String, Role),
    sign: &'static str,
    role: Role,
    name: String,
    /// Difference to the best play, half of its interval, chance to be the best, trials.
    figures: [String; 4],
    /// The difference for the axis.
    estimate: Option<Estimate>,
}

/// All plays, those still in question first, and the verdict.
struct Table<'a> {
    rows: Vec<Row>,
    names: Vec<String>,
    family: FamilyResult,
    candidates: &'a [CandidateResult],
    coupling: Coupling,
    /// The points that do not matter.
    close: f64,
    scale: Scale,
    /// Head of the differences.
    unit: &'static str,
}

fn table<'a>(app: &App, job: &Job, result: &'a RolloutResult) -> Table<'a> {
    let scale = app.scale_of(job);
    let names: Vec<String> = (0..job.plays.len()).map(|i| job.name(i)).collect();
    // Chances carry their sign themselves.
    let unit = match scale.name() {
        "points" => "points",
        _ => "diff",
    };
    let family = result.family.clone().unwrap_or_default();
    let mut order = order(app, job, result.candidates.len());
    order.sort_by_key(|&i| family.is_closed(i));
    let best = result.best();
    let close = job.settings.closeness();
    let standing = |i| result.standing(best?, i, close);
    let rows = order.iter().map(|&i| Row {
        name: names[i].clone(),
        ..row(&family, &result.candidates, i, best, standing(i), &scale)
    });
    Table {
        rows: rows.collect(),
        names,
        family,
        candidates: &result.candidates,
        coupling: job.settings.coupling,
        close,
        scale,
        unit,
    }
}

/// Play `i` against the best, without its name.
fn row(
    family: &FamilyResult,
    candidates: &[CandidateResult],
    i: usize,
    best: Option<usize>,
    standing: Option<Standing>,
    scale: &Scale,
) -> Row {
    let trials = candidates[i].trials;
    // A play that is shown to be worse is compared with the play that shows it, which need not be
    // the best.
    let shown_by = family.leader(i).filter(|&leader| Some(leader) != best);
    let against = shown_by.or(best);
    let d = against.and_then(|other| family.difference(i, other));
    let (sign, role) = match best {
        Some(best) if best == i => ("★", Role::Best),
        _ if family.is_closed(i) => ("✗", Role::Muted),
        _ => match standing {
            Some(standing) => (words::standing_sign(standing), Role::Text),
            None => (" ", Role::Text),
        },
    };
    let dash = || "—".to_owned();
    let [difference, half] = match d.filter(|d| d.trials > 0) {
        _ if best == Some(i) => ["best".to_owned(), String::new()],
        Some(d) => [
            scale.difference(d.equity.mean),
            scale.half_size(d.decisive_half()),
        ],
        None => [dash(), String::new()],
    };
    let chance = match (trials, shown_by) {
        (0, _) => dash(),
        (_, Some(leader)) => format!("< {}", words::series(leader).0),
        _ => chance_right(candidates[i].p_best),
    };
    Row {
        play: i,
        letter: words::series(i),
        sign,
        role,
        name: String::new(),
        figures: [difference, half, chance, text::count(trials as f64)],
        estimate: d.map(|d| Estimate {
            ci95: d.simultaneous_ci95,
            anytime95: d.simultaneous_anytime95,
            ..d.equity
        }),
    }
}

impl Table<'_> {
    fn verdict(&self, names: &[&str]) -> ComparisonVerdict {
        let (family, close) = (&self.family, self.close);
        let mut verdict = family.verdict(names, self.candidates, self.coupling, close);
        verdict.sentence = self.scale.with_unit(&verdict.sentence, verdict.by);
        verdict
    }

    /// The verdict in at most so many lines, with letters where names are too long.
    fn sentence(&self, width: usize, most: usize) -> Vec<(String, Role)> {
        if self
            .candidates
            .iter()
            .all(|candidate| candidate.trials == 0)
        {
            return vec![("no trials yet".to_owned(), Role::Muted)];
        }
        let names: Vec<&str> = self.names.iter().map(String::as_str).collect();
        let ComparisonVerdict {
            standing, sentence, ..
        } = self.verdict(&names);
        let mut lines = text::wrap(&sentence, width, most + 1);
        if lines.len() > most {
            let letters: Vec<String> = (0..names.len()).map(|i| words::series(i).0).collect();
            let letters: Vec<&str> = letters.iter().map(String::as_str).collect();
            lines = text::wrap(&self.verdict(&letters).sentence, width, most);
        }
        let role = words::standing_role(standing);
        lines.into_iter().map(|l| (l, role)).collect()
    }
}

pub(crate) fn draw(
    paint: &mut Paint<'_>,
    area: Rect,
    app: &App,
    job: &Job,
    result: &RolloutResult,
) {
    let table = table(app, job, result);
    let width = usize::from(area.width);
    let lines = if job.wants_pilot() {
        let lines = text::wrap(&coupled::trying(job, app.now), width, 2);
        lines.into_iter().map(|l| (l, Role::Muted)).collect()
    } else {
        table.sentence(width, 4)
    };
    let height = usize::from(area.height);
    let lines = with_room_for_heads(&table, width, height, lines);
    let needed = table.rows.len() + lines.len();
    if needed <= height {
        return one_column(paint, area, job, &table, &lines);
    }
    in_columns(paint, area, job, &table);
}

/// Columns of lines side by side, filled one after the other.
struct Columns {
    first: Rect,
    count: u16,
    gap: u16,
}

impl Columns {
    /// Those of an area: two where they fit.
    fn of(area: Rect) -> Self {
        let count = if area.width >= TWO { 2 } else { 1 };
        let gap = 2 * (count - 1);
        let first = Rect {
            width: (area.width - gap) / count,
            ..area
        };
        Self { first, count, gap }
    }

    /// What is left of them below a line of heads.
    fn below_heads(&self) -> Self {
        let first = Rect {
            y: self.first.y + 1,
            height: self.first.height.saturating_sub(1),
            ..self.first
        };
        Self { first, ..*self }
    }

    fn height(&self) -> usize {
        usize::from(self.first.height)
    }

    /// Lines in all of them together.
    fn lines(&self) -> usize {
        usize::from(self.count) * self.height()
    }

    fn line(&self, i: usize) -> Rect {
        let height = self.height().max(1);
        let column = (i / height) as u16;
        Rect {
            x: self.first.x + column * (self.first.width + self.gap),
            y: self.first.y + (i % height) as u16,
            height: 1,
            ..self.first
        }
    }
}

/// Draws the rows in columns, with a short verdict below; what there is no room for is counted.
fn in_columns(paint: &mut Paint<'_>, area: Rect, job: &Job, table: &Table<'_>) {
    let whole = Columns::of(area);
    let verdict = table.sentence(usize::from(whole.first.width), 2);
    let room = |columns: &Columns| columns.lines().saturating_sub(verdict.len());
    // Heads only where no play is lost for them.
    let below = whole.below_heads();
    let has_heads = below.height() > 0 && room(&below) >= table.rows.len();
    let columns = if has_heads { below } else { whole };
    let room = room(&columns);
    let hidden = match table.rows.len() > room {
        true => table.rows.len() - room.saturating_sub(1),
        false => 0,
    };
    let shown = table.rows.len() - hidden;
    let tops = (0..shown).step_by(columns.height().max(1));
    for top in tops.filter(|_| has_heads) {
        let line = columns.line(top);
        let above = Rect {
            y: line.y - 1,
            ..line
        };
        heading(paint, above, table);
    }
    for (i, row) in table.rows[..shown].iter().enumerate() {
        draw_row(paint, columns.line(i), row, table, None);
        play_target(paint, columns.line(i), job, row.play);
    }
    let end = columns.lines() - verdict.len().min(columns.height());
    if hidden > 0 && end > 0 {
        let more = format!("  … {hidden} more");
        paint.line(columns.line(end - 1), 0, &[(&more, Role::Muted)]);
    }
    for (i, (line, role)) in (end..).zip(&verdict) {
        paint.line(columns.line(i), 0, &[(line, *role)]);
    }
}

/// Whether a pane of so many rows has a row for the heads of the columns besides the title, the plays and a verdict.
pub(super) fn has_heads(job: &Job, rows: u16) -> bool {
    usize::from(rows) >= job.plays.len() + 3
}

/// The verdict, shorter where only that leaves a row for the heads of the columns.
fn with_room_for_heads(
    table: &Table<'_>,
    width: usize,
    height: usize,
    lines: Vec<(String, Role)>,
) -> Vec<(String, Role)> {
    let room = height.saturating_sub(table.rows.len() + 1);
    if room == 0 || lines.len() <= room {
        return lines;
    }
    let short = table.sentence(width, room);
    let is_cut = short.last().is_some_and(|(line, _)| line.ends_with('…'));
    if is_cut { lines } else { short }
}

/// Draws the parts one under the other: all that there is room for besides the rows.
fn one_column(
    paint: &mut Paint<'_>,
    area: Rect,
    job: &Job,
    table: &Table<'_>,
    lines: &[(String, Role)],
) {
    let mut left = usize::from(area.height) - table.rows.len() - lines.len();
    let mut take = |n: usize| {
        let fits = left >= n;
        left -= if fits { n } else { 0 };
        fits
    };
    let mut y = 0;
    if take(1) {
        heading(paint, area, table);
        y += 1;
    }
    let axis = Axis::over(table.rows.iter().filter_map(|r| r.estimate.as_ref()));
    for row in &table.rows {
        let line = Rect::new(area.x, area.y + y, area.width, 1);
        draw_row(paint, line, row, table, axis.as_ref());
        play_target(paint, line, job, row.play);
        y += 1;
    }
    y += u16::from(take(1));
    for (line, role) in lines {
        paint.line(area, y, &[(line, *role)]);
        y += 1;
    }
    if job.wants_pilot() {
        return;
    }
    let names: Vec<&str> = table.names.iter().map(String::as_str).collect();
    let work = table.verdict(&names).work;
    for text in [work, coupled::sentence(job)] {
        let more = text::wrap(&text, usize::from(area.width), 4);
        if take(more.len()) {
            for line in &more {
                paint.line(area, y, &[(line, Role::Muted)]);
                y += 1;
            }
        }
    }
}

/// Columns of the play, and whether there are trials and how wide an axis is.
fn columns(width: u16, table: &Table<'_>) -> (u16, bool, u16) {
    let longest = table.names.iter().map(|n| text::width(n)).max();
    let longest = longest.unwrap_or(0).clamp(8, 24) as u16;
    let left = width.saturating_sub(FIXED);
    let trials = left >= longest + TRIALS;
    let left = left - if trials { TRIALS } else { 0 };
    let axis = left.saturating_sub(longest + 1);
    if axis >= 9 {
        (longest, trials, axis)
    } else {
        (left, trials, 0)
    }
}

fn heading(paint: &mut Paint<'_>, area: Rect, table: &Table<'_>) {
    let (play, trials, axis) = columns(area.width, table);
    let mut head = format!(
        "   {}{}  ±all P(best)",
        text::fit("play", usize::from(play)),
        text::fit_right(table.unit, 7)
    );
    if axis > 0 {
        head += &text::fit("  ├─●─┤", usize::from(axis) + 1);
    }
    paint.line(area, 0, &[(&head, Role::Muted)]);
    if trials {
        paint.line_right(area, 0, &[("trials", Role::Muted)]);
    }
}

fn draw_row(paint: &mut Paint<'_>, line: Rect, row: &Row, table: &Table<'_>, axis: Option<&Axis>) {
    let (play, trials, wide) = columns(line.width, table);
    let [difference, half, chance, count] = &row.figures;
    let (letter, letter_role) = &row.letter;
    let strong = match row.role {
        Role::Muted => Role::Muted,
        _ => Role::Strong,
    };
    let x = paint.line(
        line,
        0,
        &[
            (letter, *letter_role),
            (row.sign, row.role),
            (" ", row.role),
            (&text::fit(&row.name, usize::from(play)), row.role),
            (&text::fit_right(difference, 7), strong),
            (&text::fit_right(half, 6), Role::Interval),
            (&text::fit_right(chance, usize::from(CHANCE)), row.role),
        ],
    );
    if let (Some(axis), Some(estimate), true) = (axis, &row.estimate, wide > 0) {
        axis.draw(paint, x + 1, line.y, wide, estimate);
    }
    if trials {
        let count = text::fit_right(count, usize::from(TRIALS));
        paint.line_right(line, 0, &[(&count, Role::Muted)]);
    }
}
