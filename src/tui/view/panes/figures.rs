//! What the rollouts of a decision found: each play on a common axis, and what a pair tells.

use ratatui::layout::{Rect, Size};

use super::hints;
use super::play_rows::{order, plays};
use crate::cube::cube_words;
use crate::review::report::decision_text::chance_right;
use crate::rollout::{ComparisonVerdict, Status, StopReason};
use crate::tui::figures::pace;
use crate::tui::figures::trials::shown_job;
use crate::tui::rollouts::jobs::{Job, JobState};
use crate::tui::screen::units::Scale;
use crate::tui::state::App;
use crate::tui::text;
use crate::tui::theme::Role;
use crate::tui::view::drawing::paint::Paint;
use crate::tui::view::drawing::pane::title;
use crate::tui::view::drawing::words;

pub(crate) fn draw(paint: &mut Paint<'_>, area: Rect, app: &App) {
    if area.height < 2 {
        return;
    }
    let job = shown_job(app);
    let (mut name, side) = job.map_or_else(
        || ("rollout".to_owned(), String::new()),
        |job| {
            let (name, side) = head(job, area.as_size());
            (name.to_owned(), side)
        },
    );
    let rows = usize::from(area.height.saturating_sub(1));
    let known = job.filter(|job| !job.is_comparison() && job.result().is_some());
    if let Some(job) = known.filter(|job| job.plays.len() > rows) {
        name = format!("{name}, {rows} of {}", job.plays.len());
    }
    let inner = title(paint, area, &name, &side, false);
    let Some(job) = job.filter(|_| !app.options.hidden) else {
        return guidance(paint, inner, app);
    };
    let Some(result) = job.result() else {
        let what = match job.state {
            JobState::Queued => "  — waits for its turn".to_owned(),
            _ if job.wants_pilot() => super::coupled::trying(job, app.now),
            JobState::Running => "  — the first trials are being played".to_owned(),
            _ => "  — no trials yet".to_owned(),
        };
        let lines = text::wrap(&what, usize::from(inner.width), 3);
        for (row, line) in (0u16..).zip(&lines) {
            paint.line(inner, row, &[(line, Role::Muted)]);
        }
        return;
    };
    if job.is_pair() {
        return super::pair::draw(paint, inner, app, job, result);
    }
    if job.is_family() {
        return super::family::draw(paint, inner, app, job, result);
    }
    let inner = summary(paint, inner, job, &app.scale_of(job));
    // Title row of the table only where nothing more important is lost for it.
    let heads = inner.height > job.plays.len() as u16;
    let y = plays(paint, inner, app, job, result, heads);
    let rest = Rect {
        y: inner.y + y,
        height: inner.height.saturating_sub(y),
        ..inner
    };
    let order = order(app, job, result.candidates.len());
    if job.settings.settlement.is_some() {
        return draw_states(paint, rest, job, &order, &app.scale_of(job));
    }
    draw_family(paint, rest, job, &order, &app.scale_of(job));
}

/// Draws the verdict and, while it rolls, how far it is, above the plays as far as there is room; answers what is left.
fn summary(paint: &mut Paint<'_>, area: Rect, job: &Job, scale: &Scale) -> Rect {
    let mut left = area;
    let spare = |left: &Rect| usize::from(left.height).saturating_sub(job.plays.len());
    let mut say = |left: &mut Rect, words: &[(&str, Role)]| {
        paint.line(*left, 0, words);
        left.y += 1;
        left.height -= 1;
    };
    let names: Vec<String> = (0..job.plays.len()).map(|i| job.name(i)).collect();
    let letters: Vec<String> = (0..names.len()).map(|i| words::series(i).0).collect();
    let verdict = |names: &[String]| {
        if job.is_cube_decision() {
            return cube_verdict(job);
        }
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let mut verdict = job.result()?.verdict(&names, &job.settings)?;
        verdict.sentence = scale.with_unit(&verdict.sentence, verdict.by);
        Some(verdict)
    };
    // With names where they fit, else with the letters of the rows, at last without what the table's head says.
    let width = usize::from(area.width);
    let [named, lettered] = [&names, &letters].map(|names| verdict(names));
    let short = lettered.clone().map(|mut verdict| {
        verdict.sentence = words::without_level(&verdict.sentence);
        verdict
    });
    let all = [named, lettered, short];
    let room = spare(&left).min(2);
    let mut given = all.iter().flatten();
    let fitting = given.find(|one| text::wrap(&one.sentence, width, room + 1).len() <= room);
    if let Some(verdict) = fitting.or(all[2].as_ref()).filter(|_| room >= 1) {
        let role = words::standing_role(verdict.standing);
        // The clauses at the end repeat the rows, so they are left out where there is no room.
        let mut sentence = &*verdict.sentence;
        while text::wrap(sentence, width, room + 1).len() > room
            && let Some((kept, _)) = sentence.rsplit_once("; ")
        {
            sentence = kept;
        }
        for line in text::wrap(sentence, width, room) {
            say(&mut left, &[(&line, role)]);
        }
    }
    let progress = pace::progress(job).filter(|_| job.state == JobState::Running);
    if let Some((done, all)) = progress.filter(|_| spare(&left) >= 2) {
        let time = pace::time_left(job).unwrap_or_default();
        let words = format!(
            " {} of {}  {time}",
            text::count(done as f64),
            text::count(all as f64)
        );
        let room = width.saturating_sub(text::width(&words) + 1);
        let full = (room as f64 * done as f64 / all.max(1) as f64) as usize;
        let full = full.min(room);
        let bars = ["█".repeat(full), "░".repeat(room - full)];
        let line = [
            (&*bars[0], Role::Best),
            (&*bars[1], Role::Rule),
            (&*words, Role::Muted),
        ];
        say(&mut left, &line);
    }
    left
}

/// The verdict on a cube decision: the right action, and how sure a double and a take are.
fn cube_verdict(job: &Job) -> Option<ComparisonVerdict> {
    let state = job.decision.state();
    let decision = job.cube_decision(state)?;
    let certainty = job.cube_certainty(decision.allows_beavers())?;
    let [double, take] = certainty.map(chance_right);
    let standing = job.result()?.status.standing();
    let sentence = format!(
        "{}: {}  (a double is right: {double}, a take: {take})",
        standing.words(),
        cube_words(decision.action.name(), state),
    );
    Some(ComparisonVerdict {
        standing,
        sentence,
        by: None,
        work: String::new(),
    })
}

/// Name of the pane of this size, and what stands at the right end of its title.
fn head(job: &Job, size: Size) -> (&'static str, String) {
    let name = match job {
        _ if job.is_pair() => "pair",
        _ if job.is_family() => "family",
        _ => "rollout",
    };
    let room = usize::from(size.width).saturating_sub(name.len() + 6);
    if name == "rollout" {
        return (name, job_text(job, size.width, room));
    }
    let legend = match name {
        "family" if super::family::has_heads(job, size.height) => "★ best, … open, ✗ worse; ",
        "family" => "difference, ±all, P(best), trials; ",
        _ => "",
    };
    (
        name,
        super::coupled::title(job, state_text(job), legend, room),
    )
}

/// Says how a job is rolled out, in as many words as fit: that a rollout is without the cube stays longest,
/// because its figures mean something else then.
fn job_text(job: &Job, width: u16, room: usize) -> String {
    let s = &job.settings;
    let how = match s.luck.is_some() {
        true if width >= 48 => "luck subtracted",
        true => "VR",
        false => "without VR",
    };
    let cube = match job.is_cubeful() {
        true if width >= 60 => "cubeful, ",
        true => "",
        // The cubeless equity of the position is at the score, that of these games is not.
        false if !job.decision.state().score.is_money() => "cubeless, no score, ",
        false => "cubeless, ",
    };
    let least_cube = if job.is_cubeful() { "" } else { "cubeless, " };
    let brief = super::coupled::truncation(job);
    let cut = match s.truncation() {
        Some(truncation) if width >= 60 => format!("{truncation}, "),
        _ => brief.clone(),
    };
    let (ply, state) = (s.ply, state_text(job));
    let short = if s.luck.is_some() { "VR" } else { how };
    let least = match job.is_cubeful() {
        true if brief.is_empty() => state,
        true => "truncated",
        false => "cubeless",
    };
    [
        format!("{cube}{ply}-ply play, {how}, {cut}{state}"),
        format!("{cube}{ply}-ply, {short}, {cut}{state}"),
        format!("{cube}{ply}-ply, {short}, {brief}{state}"),
        format!("{cube}{ply}-ply, {brief}{state}"),
        format!("{cube}{brief}{state}"),
        format!("{least_cube}{brief}{state}"),
    ]
    .into_iter()
    .find(|line| text::width(line) <= room)
    .unwrap_or_else(|| least.to_owned())
}

fn state_text(job: &Job) -> &'static str {
    match (&job.state, job.result().map(|r| r.status)) {
        (JobState::Queued, _) => "queued",
        (JobState::Paused, _) => "paused",
        (JobState::Running, _) => "rolling",
        (JobState::Done, Some(Status::Done(StopReason::Cancelled))) => "stopped",
        (JobState::Done, Some(Status::Running)) => "rolling",
        (JobState::Done, _) => "done",
        (JobState::Failed(_), _) => "failed",
    }
}

/// Draws what variance reduction was worth to each play, where there is room.
fn draw_family(paint: &mut Paint<'_>, area: Rect, job: &Job, order: &[usize], scale: &Scale) {
    let Some(result) = job.result() else { return };
    if area.height < job.plays.len() as u16 + 2 || area.width < 42 || job.is_exact() {
        return;
    }
    let games = match area.width >= 62 {
        true => "equals ordinary games",
        false => "=games",
    };
    // Letter, equity and interval stand beside the name, and the column at the edge is free.
    let fixed = 2 + 7 + 5 + 2 + text::width(games) + 1;
    let name = usize::from(area.width).saturating_sub(fixed).min(13);
    let without_vr = text::fit_right("without VR", 2 + name + 7);
    let head = format!("{without_vr}  ±95  {games}");
    paint.line(area, 1, &[(&head, Role::Muted)]);
    for (row, &i) in (2u16..).zip(order) {
        let Some(s) = result.candidates.get(i) else {
            continue;
        };
        if s.trials == 0 {
            continue;
        }
        let line = format!(
            "{}{:>7} {:>4}  {}",
            text::fit(&job.name(i), name),
            scale.value(s.plain.mean),
            scale.half(s.plain.ci95),
            text::fit_right(&text::count(s.equivalent_trials), text::width(games)),
        );
        let (letter, role) = words::series(i);
        paint.line(
            area,
            row,
            &[(&letter, role), (" ", Role::Muted), (&line, Role::Muted)],
        );
    }
}

/// Draws the value of each play by the state of a cube that settles games, where there is room.
fn draw_states(paint: &mut Paint<'_>, area: Rect, job: &Job, order: &[usize], scale: &Scale) {
    let Some((result, settlement)) = job.result().zip(job.settings.settlement) else {
        return;
    };
    if area.height < job.plays.len() as u16 + 2 || area.width < 42 {
        return;
    }
    let wide = area.width >= 56;
    let mut head = text::fit(&format!("  cube, at {:.2}", settlement.limit), 16);
    for state in ["centred", "own", "theirs"] {
        head += &text::fit_right(state, 8);
        head += if wide { "  ±95" } else { "" };
    }
    paint.line(area, 1, &[(&head, Role::Muted)]);
    for (row, &i) in (2u16..).zip(order) {
        let candidate = result.candidates.get(i).filter(|s| s.trials > 0);
        let Some(states) = candidate.and_then(|s| s.states) else {
            continue;
        };
        let mut line = text::fit(&job.name(i), 14);
        for state in states.all() {
            line += &text::fit_right(&scale.value(state.mean), 8);
            if wide {
                line += &text::fit_right(&scale.half(state.ci95), 5);
            }
        }
        let (letter, role) = words::series(i);
        paint.line(
            area,
            row,
            &[(&letter, role), (" ", Role::Muted), (&line, Role::Text)],
        );
    }
}

/// Says what to do where nothing has been rolled out yet.
fn guidance(paint: &mut Paint<'_>, area: Rect, app: &App) {
    let area = Rect {
        x: area.x + 1,
        width: area.width.saturating_sub(1),
        ..area
    };
    let mut say = |row, text: &str| hints::line(paint, area, row, app, text, Role::Muted);
    if app.options.hidden {
        return say(0, "answers hidden, {answers} shows them");
    }
    if app.decision().is_some_and(|d| d.state().roll.is_none()) {
        let over = |turn: &crate::review::MatchTurn| turn.before.state.position.is_over();
        if app.turn().is_some_and(over) {
            return;
        }
        match app.rollout_cube().is_some_and(|cube| cube.decision) {
            true => say(0, "{roll out} rolls the cube decision out"),
            false => say(0, "{roll out} rolls the position out"),
        }
        if app.variation.is_some() {
            say(1, "{random dice} rolls the dice, {dice} sets them");
        } else if app.document.record.games.is_empty() {
            say(1, "{dice} sets dice, {edit position} edits it");
        }
        return;
    }
    if app.document.is_sample {
        return first_steps(paint, area, app);
    }
    let is_only = app.review().is_some_and(|r| r.candidates.len() < 2);
    let time = pace::of_decision(app, &app.settings.rollout);
    let time = time.map(|time| format!(" At most {}.", text::seconds(time.as_secs_f64())));
    let what = match is_only {
        true => "{roll out} rolls out the only play.",
        false => "{roll out} rolls out the best plays.",
    };
    let more = time.filter(|more| {
        let wide = text::width(&app.keymap.named(what)) + text::width(more);
        wide <= usize::from(area.width)
    });
    let mut lines = vec![format!("{what}{}", more.unwrap_or_default())];
    if !is_only {
        lines.push("{compare} compares two, or the marked ones.".to_owned());
        lines.push("{mark} marks a play.".to_owned());
    }
    // A position alone has no other decisions.
    if app.variation.is_some() {
        lines.push("{what if} makes the selected play.".to_owned());
    } else if !app.document.record.games.is_empty() {
        lines.push("{roll out the match} rolls out the closest decisions.".to_owned());
    }
    for (row, line) in (0u16..).zip(&lines) {
        say(row, line);
    }
}

/// Says what a first look at the sample match needs.
fn first_steps(paint: &mut Paint<'_>, area: Rect, app: &App) {
    let own = [
        ("A sample match. Your own: ", Role::Text),
        ("luckless my.mat", Role::Strong),
    ];
    paint.line(area, 0, &own);
    for (row, line) in [
        (
            1,
            "{next error} goes to the next error, {down} tries plays,",
        ),
        (
            2,
            "{roll out} rolls out, {compare} compares two, {help} all keys",
        ),
    ] {
        hints::line(paint, area, row, app, line, Role::Text);
    }
}
