//! What the rollouts of a decision found: each play on a common axis, and what a pair tells.

use ratatui::layout::Rect;

use super::axis::Axis;
use super::paint::Paint;
use super::{title, words};
use crate::rollout::{DifferenceResult, RolloutResult, Status, StopReason};
use crate::tui::jobs::{Job, JobState};
use crate::tui::state::App;
use crate::tui::text;
use crate::tui::theme::Role;
use crate::tui::units::Scale;

pub(super) fn draw(paint: &mut Paint<'_>, area: Rect, app: &App) {
    if area.height < 2 {
        return;
    }
    let job = shown_job(app);
    let side = job.map_or_else(String::new, |job| job_text(job, area.width));
    let inner = title(paint, area, "rollout", &side, false);
    let Some(job) = job.filter(|_| !app.options.hidden) else {
        return guidance(paint, inner, app);
    };
    let Some(result) = job.result() else {
        paint.line(inner, 0, &[("  — waits for its turn", Role::Muted)]);
        return;
    };
    let names: Vec<String> = (0..job.plays.len()).map(|i| job.name(i)).collect();
    let pair = job.is_pair().then_some(result.difference).flatten();
    let need = if pair.is_some() { 3 } else { 0 };
    let scale = Scale::of(app);
    // Title row of the table only where nothing more important is lost for it.
    let heads = inner.height > job.plays.len() as u16 + need;
    let mut y = 0;
    let play = play_width(inner.width, &names);
    let axis_width = inner.width.saturating_sub(FIXED + play);
    if heads {
        let head = format!(
            "  {}{}  ±95 {}trials",
            text::fit("play", usize::from(play)),
            text::fit_right(scale.name(), 7),
            text::fit("", usize::from(axis_width)),
        );
        paint.line(inner, y, &[(&head, Role::Muted)]);
        y += 1;
    }
    let order = order(app, job, result.strands.len());
    let axis = Axis::over(
        result
            .strands
            .iter()
            .filter(|s| s.trials > 0)
            .map(|s| &s.equity),
    );
    for &i in &order {
        if y >= inner.height.saturating_sub(need) {
            break;
        }
        let strand = &result.strands[i];
        let (equity, half) = if strand.trials == 0 {
            ("—".to_owned(), String::new())
        } else {
            (
                scale.value(strand.equity.mean),
                scale.half(strand.equity.ci95),
            )
        };
        let (letter, role) = super::chart::series(i);
        paint.line(
            inner,
            y,
            &[
                (&letter, role),
                (" ", Role::Text),
                (&text::fit(&names[i], usize::from(play)), Role::Text),
                (&text::fit_right(&equity, 7), Role::Strong),
                (&text::fit_right(&half, 5), Role::Interval),
            ],
        );
        let trials = text::fit_right(&text::count(strand.trials as f64), 6);
        paint.line_right(inner, y, &[(&trials, Role::Muted)]);
        if let Some(axis) = axis
            .as_ref()
            .filter(|_| strand.trials > 0 && axis_width >= 5)
        {
            let x = inner.x + 2 + play + 7 + 5 + 1;
            axis.draw(paint, x, inner.y + y, axis_width, &strand.equity);
        }
        y += 1;
    }
    let rest = Rect {
        y: inner.y + y,
        height: inner.height.saturating_sub(y),
        ..inner
    };
    if let (Some(d), [a, b]) = (pair, &names[..]) {
        let planned = job.settings.stop.trials;
        draw_pair(paint, rest, [a, b], &d, (result, planned), &scale);
    } else {
        draw_family(paint, rest, job, &names, &order, &scale);
    }
}

/// Columns of a row besides the play and the axis: letter, equity, half-width, gap, trials.
const FIXED: u16 = 2 + 7 + 5 + 1 + 6;

/// Room for the longest play, as far as the axis keeps enough.
fn play_width(width: u16, names: &[String]) -> u16 {
    let longest = names.iter().map(|n| text::width(n)).max().unwrap_or(0) as u16;
    longest.clamp(11, width.saturating_sub(FIXED + 8).max(11))
}

/// The strands in the order of both tables: that of the candidates.
fn order(app: &App, job: &Job, strands: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..job.plays.len().min(strands)).collect();
    if !job.is_pair() {
        let shown = app.ranking.shown();
        order.sort_by_key(|&i| shown.iter().position(|r| *r == job.plays[i].result));
    }
    order
}

/// The job whose result is shown: the newest about the decision in view.
pub(super) fn shown_job(app: &App) -> Option<&Job> {
    let decision = app.decision()?;
    let mut all = app.jobs.about(decision);
    let newest = all.next()?;
    // A job that has nothing to show yet does not hide an older one that has.
    if newest.result().is_some() {
        return Some(newest);
    }
    app.jobs
        .about(decision)
        .find(|j| j.result().is_some())
        .or(Some(newest))
}

fn job_text(job: &Job, width: u16) -> String {
    let s = &job.settings;
    let how = if job.is_pair() {
        "matched ranks"
    } else if s.luck.is_some() {
        if width >= 48 {
            "luck taken out"
        } else {
            "reduced"
        }
    } else {
        "plain"
    };
    let cube = match job.is_cubeful() {
        true if width >= 60 => "cubeful, ",
        true => "",
        false => "cubeless, ",
    };
    let state = match (&job.state, job.result().map(|r| r.status)) {
        (JobState::Queued, _) => "queued",
        (JobState::Paused, _) => "paused",
        (JobState::Running, _) => "rolling",
        (JobState::Done, Some(Status::Done(StopReason::Cancelled))) => "stopped",
        (JobState::Done, _) => "done",
        (JobState::Failed(_), _) => "failed",
    };
    format!("{cube}{how}, {}-ply, {state}", s.ply)
}

fn draw_pair(
    paint: &mut Paint<'_>,
    area: Rect,
    names: [&str; 2],
    d: &DifferenceResult,
    (result, planned): (&RolloutResult, u64),
    scale: &Scale,
) {
    let half = |ci| scale.half(ci);
    let mean = scale.difference(d.equity.mean);
    let fixed = half(d.equity.ci95);
    let any = half(d.equity.anytime95);
    paint.line(
        area,
        0,
        &[
            ("difference ", Role::Muted),
            (&mean, Role::Strong),
            (" ±", Role::Muted),
            (&fixed, Role::Interval),
            ("  at any time ±", Role::Muted),
            (&any, Role::Text),
        ],
    );
    let correlation = format!("{:.2}", d.correlation);
    let worth = text::count(d.equivalent_trials);
    paint.line(
        area,
        1,
        &[
            ("correlation ", Role::Muted),
            (&correlation, Role::Text),
            ("  worth ", Role::Muted),
            (&worth, Role::Text),
            (" plain trials", Role::Muted),
        ],
    );
    draw_decision(paint, area, names, d, result, planned);
    for ((row, i), s) in (4u16..).zip(0..).zip(result.strands.iter().take(2)) {
        let (letter, role) = super::chart::series(i);
        let line = format!(
            " {} plain {} ±{}",
            text::fit(names[i], 16),
            scale.value(s.plain.mean),
            half(s.plain.ci95)
        );
        paint.line(area, row, &[(&letter, role), (&line, Role::Muted)]);
    }
}

/// The verdict in one line: with the letters of the plays where their names are too long for it.
fn draw_decision(
    paint: &mut Paint<'_>,
    area: Rect,
    [first, second]: [&str; 2],
    d: &DifferenceResult,
    result: &RolloutResult,
    planned: u64,
) {
    let (mut verdict, decided) = words::verdict(first, second, d, result, planned);
    if text::width(&verdict) > usize::from(area.width) {
        let [a, b] = [0, 1].map(|i| super::chart::series(i).0);
        verdict = words::verdict(&a, &b, d, result, planned).0;
    }
    let role = if decided { Role::Best } else { Role::Text };
    paint.line(area, 2, &[(&verdict, role)]);
}

/// What luck reduction was worth to each play, where there is room.
fn draw_family(
    paint: &mut Paint<'_>,
    area: Rect,
    job: &Job,
    names: &[String],
    order: &[usize],
    scale: &Scale,
) {
    let Some(result) = job.result() else { return };
    if area.height < names.len() as u16 + 2 || area.width < 42 {
        return;
    }
    // Which side of a cube decision is best says nothing: there is the pass as well.
    let best = !job.is_cube_decision() && names.len() > 1;
    let is_best = if best { " is best" } else { "" };
    let head = format!("{}  plain  ±95  worth{is_best}", text::fit("", 16));
    paint.line(area, 1, &[(&head, Role::Muted)]);
    for (row, &i) in (2u16..).zip(order) {
        let (Some(name), Some(s)) = (names.get(i), result.strands.get(i)) else {
            continue;
        };
        if s.trials == 0 {
            continue;
        }
        let chance = match best {
            true => format!(" {:>6}%", text::percent(s.p_best)),
            false => String::new(),
        };
        let line = format!(
            "{}{:>7} {:>4} {:>6}{}",
            text::fit(name, 14),
            scale.value(s.plain.mean),
            scale.half(s.plain.ci95),
            text::count(s.equivalent_trials),
            chance
        );
        let (letter, role) = super::chart::series(i);
        paint.line(
            area,
            row,
            &[(&letter, role), (" ", Role::Muted), (&line, Role::Muted)],
        );
    }
}

/// What to do where nothing has been rolled out yet.
fn guidance(paint: &mut Paint<'_>, area: Rect, app: &App) {
    if app.options.hidden {
        paint.line(area, 0, &[("answers hidden, z shows them", Role::Muted)]);
        return;
    }
    if app.decision().is_some_and(|d| d.roll.is_none()) {
        let roll = [("r", Role::Key), (" rolls the position out", Role::Muted)];
        paint.line(area, 0, &roll);
        if app.document.record.games.is_empty() {
            paint.line(area, 1, &[("d", Role::Key), (" sets dice", Role::Muted)]);
        }
        return;
    }
    let lines: &[&[(&str, Role)]] = if app.document.is_sample {
        &[
            &[
                ("A sample match. Your own: ", Role::Text),
                ("luckless my.mat", Role::Strong),
            ],
            &[
                ("n", Role::Key),
                (" goes to the next error, ", Role::Text),
                ("↑↓", Role::Key),
                (" tries plays,", Role::Text),
            ],
            &[
                ("r", Role::Key),
                (" rolls out, ", Role::Text),
                ("c", Role::Key),
                (" compares two, ", Role::Text),
                ("?", Role::Key),
                (" all keys", Role::Text),
            ],
        ]
    } else {
        &[
            &[
                ("r", Role::Key),
                (" rolls out the best plays,", Role::Muted),
            ],
            &[
                ("c", Role::Key),
                (" compares two with matched ranks,", Role::Muted),
            ],
            &[
                ("Space", Role::Key),
                (" marks plays to choose them.", Role::Muted),
            ],
        ]
    };
    for (row, line) in (0u16..).zip(lines) {
        paint.line(area, row, line);
    }
}
