//! The plays of a rollout as rows with their intervals on one axis.

use ratatui::layout::Rect;

use crate::review::report::decision_text::chance_right;
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
    let columns = Columns::of(inner.width, job, &names);
    if heads {
        let head = format!(
            "  {}{}  ±95{}",
            text::fit("play", usize::from(columns.play)),
            text::fit_right(scale.name(), 7),
            if columns.best { " P(best)" } else { "" },
        );
        paint.line(inner, 0, &[(&head, Role::Muted)]);
        if columns.trials {
            paint.line_right(inner, 0, &[("trials", Role::Muted)]);
        }
    }
    // A play that is far behind is told, not drawn: the axis is for those that may be the best.
    let is_closed = |i: usize| result.family.as_ref().is_some_and(|f| f.is_closed(i));
    let rolled = result.candidates.iter().enumerate();
    let rolled = rolled.filter(|(i, one)| one.trials > 0 && !is_closed(*i));
    let axis = Axis::over(rolled.map(|(_, one)| &one.equity));
    let mut y = u16::from(heads);
    let rows = usize::from(inner.height.saturating_sub(y));
    for i in shown(order(app, job, result.candidates.len()), rows, app, job) {
        let candidate = &result.candidates[i];
        let name = text::fit(&names[i], usize::from(columns.play));
        let is_worse = is_closed(i);
        play_row(
            paint,
            inner,
            y,
            (i, &name, is_worse),
            (candidate, result.equity_beside_best(i)),
            (&columns, &scale),
        );
        play_target(paint, window::rows(inner, y, 1), job, i);
        let axis = axis.as_ref();
        if let Some(axis) = axis.filter(|_| candidate.trials > 0 && columns.axis >= 5) {
            let x = inner.x + columns.fixed() + columns.play;
            axis.draw(paint, x, inner.y + y, columns.axis, &candidate.equity);
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
    (i, name, is_worse): (usize, &str, bool),
    (candidate, equity): (&CandidateResult, Option<f64>),
    (columns, scale): (&Columns, &Scale),
) {
    let exact = candidate.error_method == ErrorMethod::Exact;
    let equity = equity.map_or_else(|| "—".to_owned(), |equity| scale.value(equity));
    let half = match candidate.trials {
        0 => String::new(),
        _ if exact => String::new(),
        _ => scale.half_of(candidate),
    };
    let (letter, role) = words::series(i);
    let (equity, half) = (text::fit_right(&equity, 7), text::fit_right(&half, 5));
    let best = match candidate.trials {
        _ if !columns.best => String::new(),
        0 => text::fit_right("—", BEST.into()),
        _ if is_worse => text::fit_right("worse", BEST.into()),
        _ => text::fit_right(&chance_right(candidate.p_best), BEST.into()),
    };
    let words = [
        (&*letter, role),
        (" ", Role::Text),
        (name, Role::Text),
        (&*equity, Role::Strong),
        (&*half, Role::Interval),
        (&*best, Role::Text),
    ];
    paint.line(inner, y, &words);
    if !columns.trials {
        return;
    }
    // Trials are worth nothing where they could not have come out otherwise.
    let trials = match exact {
        true => "exact".to_owned(),
        false => text::count(candidate.trials as f64),
    };
    let trials = text::fit_right(&trials, 6);
    paint.line_right(inner, y, &[(&trials, Role::Muted)]);
}

/// Columns of the chance to be the best.
const BEST: u16 = 8;
/// Columns of the trials.
const TRIALS: u16 = 6;

/// What a row has room for.
struct Columns {
    play: u16,
    /// Whether there is the chance to be the best.
    best: bool,
    trials: bool,
    axis: u16,
}

impl Columns {
    /// Those of rows of so many columns. Plays must be told apart, then comes what says which is the best.
    fn of(width: u16, job: &Job, names: &[String]) -> Self {
        let longest = names.iter().map(|n| text::width(n)).max().unwrap_or(0) as u16;
        // Which side of a cube decision is best says nothing: there is the pass as well.
        let best = !job.is_cube_decision() && names.len() > 1 && !job.is_exact();
        let least = 2 + 7 + 5 + if best { BEST } else { 0 };
        let play = longest.clamp(11, width.saturating_sub(least).max(11));
        let left = width.saturating_sub(least + 1 + play);
        let trials = !best || left >= TRIALS + 9;
        let axis = left.saturating_sub(if trials { TRIALS } else { 0 });
        Self {
            play,
            best,
            trials,
            axis,
        }
    }

    /// Columns before the axis besides the play.
    fn fixed(&self) -> u16 {
        2 + 7 + 5 + 1 + if self.best { BEST } else { 0 }
    }
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
