//! The plays of a rollout as rows with their intervals on one axis.

use ratatui::layout::Rect;

use crate::rollout::{CandidateResult, ErrorMethod, RolloutResult};
use crate::tui::rollouts::jobs::Job;
use crate::tui::screen::targets::Target;
use crate::tui::screen::units::Scale;
use crate::tui::state::App;
use crate::tui::text;
use crate::tui::theme::Role;
use crate::tui::view::drawing::axis::Axis;
use crate::tui::view::drawing::paint::Paint;
use crate::tui::view::drawing::window;
use crate::tui::view::drawing::words;

/// A row for each play on a common axis, under their heads or without; answers how many rows.
pub(crate) fn plays(
    paint: &mut Paint<'_>,
    inner: Rect,
    app: &App,
    job: &Job,
    result: &RolloutResult,
    heads: bool,
) -> u16 {
    let names: Vec<String> = (0..job.plays.len()).map(|i| job.name(i)).collect();
    let scale = app.scale_of(job);
    // A free column at the edge of the screen.
    let inner = Rect {
        width: inner.width.saturating_sub(1),
        ..inner
    };
    let play = play_width(inner.width, &names);
    let axis_width = inner.width.saturating_sub(FIXED + play);
    if heads {
        let head = format!(
            "  {}{}  ±95 {}trials",
            text::fit("play", usize::from(play)),
            text::fit_right(scale.name(), 7),
            text::fit("", usize::from(axis_width)),
        );
        paint.line(inner, 0, &[(&head, Role::Muted)]);
    }
    let rolled = result.candidates.iter().filter(|s| s.trials > 0);
    let axis = Axis::over(rolled.map(|s| &s.equity));
    let mut y = u16::from(heads);
    let rows = usize::from(inner.height.saturating_sub(y));
    for i in shown(order(app, job, result.candidates.len()), rows, app, job) {
        let candidate = &result.candidates[i];
        let name = text::fit(&names[i], usize::from(play));
        play_row(paint, inner, y, i, &name, candidate, &scale);
        play_target(paint, window::rows(inner, y, 1), job, i);
        let axis = axis.as_ref();
        if let Some(axis) = axis.filter(|_| candidate.trials > 0 && axis_width >= 5) {
            let x = inner.x + 2 + play + 7 + 5 + 1;
            axis.draw(paint, x, inner.y + y, axis_width, &candidate.equity);
        }
        y += 1;
    }
    y
}

/// A click on a play of a rollout selects it.
pub(crate) fn play_target(paint: &mut Paint<'_>, line: Rect, job: &Job, i: usize) {
    let is_play = job.decision.state().roll.is_some();
    if let Some(play) = job.plays.get(i).filter(|_| is_play) {
        paint.target(line, Target::Play(play.result));
    }
}

/// Draws the row of one play: letter, name, equity, interval and, at the right end, its trials.
fn play_row(
    paint: &mut Paint<'_>,
    inner: Rect,
    y: u16,
    i: usize,
    name: &str,
    candidate: &CandidateResult,
    scale: &Scale,
) {
    let exact = candidate.error_method == ErrorMethod::Exact;
    let equity = match candidate.trials {
        0 => "—".to_owned(),
        _ => scale.value(candidate.equity.mean),
    };
    let half = match candidate.trials {
        0 => String::new(),
        _ if exact => String::new(),
        _ if candidate.is_passed() => "pass".to_owned(),
        _ => scale.half(candidate.equity.ci95),
    };
    let (letter, role) = words::series(i);
    let (equity, half) = (text::fit_right(&equity, 7), text::fit_right(&half, 5));
    let words = [
        (&*letter, role),
        (" ", Role::Text),
        (name, Role::Text),
        (&*equity, Role::Strong),
        (&*half, Role::Interval),
    ];
    paint.line(inner, y, &words);
    // Trials are worth nothing where they could not have come out otherwise.
    let trials = match exact {
        true => "exact".to_owned(),
        false => text::count(candidate.trials as f64),
    };
    let trials = text::fit_right(&trials, 6);
    paint.line_right(inner, y, &[(&trials, Role::Muted)]);
}

/// Columns of a row besides the play and the axis: letter, equity, half-width, gap, trials.
const FIXED: u16 = 2 + 7 + 5 + 1 + 6;

/// Room for the longest play: plays must be told apart before an axis has room.
fn play_width(width: u16, names: &[String]) -> u16 {
    let longest = names.iter().map(|n| text::width(n)).max().unwrap_or(0) as u16;
    longest.clamp(11, width.saturating_sub(FIXED).max(11))
}

/// The plays of `order` that there are rows for. The last row is for the selected play, or for the one that
/// was made, where no row is left for it.
fn shown(mut order: Vec<usize>, rows: usize, app: &App, job: &Job) -> Vec<usize> {
    if order.len() <= rows {
        return order;
    }
    let place = |wanted| {
        order
            .iter()
            .position(|&i| Some(job.plays[i].result) == wanted)
    };
    let made = app.turn().and_then(|turn| {
        let position = &turn.before.state.position;
        Some(turn.played()?.apply(position))
    });
    let wanted = place(app.selection.play).or_else(|| place(made));
    if let Some(place) = wanted.filter(|&place| place >= rows) {
        order.swap(place, rows.saturating_sub(1));
    }
    order.truncate(rows);
    order
}

/// The candidates in the order of both tables: that of the candidates.
pub(crate) fn order(app: &App, job: &Job, candidates: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..job.plays.len().min(candidates)).collect();
    if !job.is_pair() {
        let shown = app.ranking.by_depth();
        order.sort_by_key(|&i| shown.iter().position(|r| *r == job.plays[i].result));
    }
    order
}
