//! A turn without dice: a cube action, or a position before the roll.

use ratatui::layout::Rect;

use super::paint::Paint;
use super::words;
use crate::cube;
use crate::eval::Probabilities;
use crate::game::GameState;
use crate::match_file::Action;
use crate::review::Turn;
use crate::rollout::Estimate;
use crate::tui::jobs::Job;
use crate::tui::state::App;
use crate::tui::text;
use crate::tui::theme::Role;

/// Trials from which on a rollout's chances take the place of the evaluation's.
const ENOUGH: u64 = 36;

pub(super) fn draw(paint: &mut Paint<'_>, area: Rect, app: &App) {
    let Some(turn) = app.turn() else { return };
    let mut row = 1;
    if turn.action.is_some() {
        row = draw_action(paint, area, row, app, turn);
    }
    if app.options.hidden {
        return;
    }
    if let (Some(said), Some(_)) = (super::said::of_cube(app), turn.action) {
        let said = text::cut(&said, usize::from(area.width.saturating_sub(2)));
        paint.line(area, row - 2, &[("  ", Role::Muted), (&*said, Role::Muted)]);
    }
    let Some((chances, source)) = chances(app) else {
        paint.line(area, row, &[("  cubeless equity  —", Role::Muted)]);
        return;
    };
    let equity = text::equity(f64::from(chances.equity()));
    paint.line(
        area,
        row,
        &[
            ("  cubeless equity  ", Role::Muted),
            (&equity, Role::Strong),
            (&source, Role::Muted),
        ],
    );
    let p = chances.to_array().map(|c| text::percent(f64::from(c)));
    let lose = text::percent(1.0 - f64::from(chances.win));
    for (i, name, figures) in [
        (2, "wins", [&p[0], &p[1], &p[2]]),
        (3, "loses", [&lose, &p[3], &p[4]]),
    ] {
        let [all, gammon, backgammon] = figures;
        let line = format!("{name:<5}{all:>5}  gammon {gammon:>4}  bg {backgammon:>4}");
        paint.line(area, row + i, &[(&line, Role::Text)]);
    }
    draw_cube(paint, app, area, row + 5, &turn.moment.state, &chances);
}

fn draw_action(paint: &mut Paint<'_>, area: Rect, row: u16, app: &App, turn: &Turn) -> u16 {
    let name = &app.document.record.players[turn.moment.player.index()];
    let what = format!("  {} {}", text::cut(name, 16), words::done(turn));
    paint.line(area, row, &[(&what, Role::Strong)]);
    if matches!(turn.action, Some(Action::Resign)) {
        return row + 2;
    }
    let error = match app.error(app.at).filter(|_| !app.options.hidden) {
        Some((error, _)) => format!("{error:.3}"),
        None => "—".to_owned(),
    };
    paint.line(
        area,
        row + 2,
        &[("  error  ", Role::Muted), (&error, Role::Text)],
    );
    row + 5
}

/// Chances of the player whose turn it is, and what says so.
fn chances(app: &App) -> Option<(Probabilities, String)> {
    let decision = app.decision()?;
    let strand = app.jobs.strand(decision, &decision.before_roll()?);
    if let Some(s) = strand.filter(|s| s.trials >= ENOUGH) {
        let [
            win,
            win_gammon,
            win_backgammon,
            lose_gammon,
            lose_backgammon,
        ] = s.probabilities.map(|e| e.mean as f32);
        let chances = Probabilities {
            win,
            win_gammon,
            win_backgammon,
            lose_gammon,
            lose_backgammon,
        };
        return Some((chances, "  by rollout".into()));
    }
    let review = app.review()?;
    Some((review.chances?, format!("  {}-ply", review.ply)))
}

/// What the rollout of the cube decision has found.
fn rolled(app: &App) -> Option<[Estimate; 2]> {
    let decision = app.decision()?;
    app.jobs.about(decision).find_map(Job::cube_values)
}

/// The cube action: by its rollout, else from the chances shown.
fn draw_cube(
    paint: &mut Paint<'_>,
    app: &App,
    area: Rect,
    row: u16,
    state: &GameState,
    chances: &Probabilities,
) {
    let doubler = if state.doubled {
        chances.turned()
    } else {
        *chances
    };
    let rolled = rolled(app);
    let decision = match rolled {
        Some([hold, take]) => Some(cube::Decision::in_points(
            hold.mean as f32,
            take.mean as f32,
            state.rules.beavers && state.score.is_money(),
        )),
        None => cube::decision(&state.roller(), &doubler),
    };
    let Some(decision) = decision else { return };
    let (Some(take), Some(pass)) = (decision.double_take, decision.double_pass) else {
        return;
    };
    let action = match state.doubled {
        true if take > pass => "pass",
        true => "take",
        false => decision.action.name(),
    };
    paint.line(
        area,
        row,
        &[("  cube action  ", Role::Muted), (action, Role::Best)],
    );
    let whose = if state.doubled { " (doubler's)" } else { "" };
    let half =
        |i: usize| rolled.map_or_else(String::new, |r| format!(" ±{}", text::half(r[i].ci95)));
    for (i, name, value, half) in [
        (1, "no double", decision.no_double, half(0)),
        (2, "double, take", take, half(1)),
        (3, "double, pass", pass, String::new()),
    ] {
        let value = text::equity(f64::from(value));
        let line = format!("  {name:<13}{value}{half}{whose}");
        paint.line(area, row + i, &[(&line, Role::Text)]);
    }
}
