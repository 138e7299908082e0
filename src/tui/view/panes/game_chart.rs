//! How a game went, where there is no rollout to look at: luck and play, summed turn by turn.
//!
//! Both lines are for the player at the bottom of the board. The luck line rises when that player
//! rolls well or the other badly, the play line when the other errs.

use ratatui::layout::Rect;

use crate::tui::screen::targets::Target;
use crate::tui::state::App;
use crate::tui::text;
use crate::tui::theme::Role;
use crate::tui::view::board::disc;
use crate::tui::view::drawing::braille::Dots;
use crate::tui::view::drawing::paint::Paint;
use crate::tui::view::drawing::pane::title;

/// Sums after each turn of the game in view, from zero on: (luck, play).
fn sums(app: &App) -> (Vec<(f64, f64)>, usize) {
    let mut sums = vec![(0.0, 0.0)];
    let mut here = 0;
    let Some(game) = app.turn().map(|t| t.game) else {
        return (sums, here);
    };
    let (mut luck, mut play) = (0.0, 0.0);
    for (i, turn) in app.document.turns.iter().enumerate() {
        if turn.game != game {
            continue;
        }
        if i == app.at {
            here = sums.len() - 1;
        }
        let sign = if turn.before.player == app.bottom() {
            1.0
        } else {
            -1.0
        };
        // A roll that was tried and not played counts only while one looks at it.
        let is_tried = app
            .variation
            .as_ref()
            .is_some_and(|open| i >= open.line.len());
        if is_tried && i != app.at {
            continue;
        }
        if let Some(review) = &app.document.reviews[i] {
            luck += sign * f64::from(review.luck.unwrap_or(0.0));
            let errors = [app.silent_error(i), app.error(i)];
            let lost = errors.into_iter().flatten().map(|(e, _)| f64::from(e));
            play -= sign * lost.sum::<f64>();
        }
        sums.push((luck, play));
    }
    (sums, here)
}

/// The first turn of the game in view.
fn first_turn(app: &App) -> Option<usize> {
    let game = app.turn()?.game;
    app.document.turns.iter().position(|turn| turn.game == game)
}

/// Most columns of a name in the title.
const LONGEST_NAME: usize = 24;

/// `● one less ○ other`, of both names so many columns.
fn players(app: &App, columns: usize) -> String {
    let both = [app.bottom(), app.bottom().other()];
    let names = both.map(|player| {
        let name = &app.document.record.players[player.index()];
        text::cut(name, LONGEST_NAME)
    });
    let widths = names.each_ref().map(|name| text::width(name));
    let named = [0, 1].map(|i| {
        // What a short name leaves is the other's.
        let room = (columns / 2).max(columns.saturating_sub(widths[1 - i]));
        format!("{} {}", disc(both[i]).0, text::cut(&names[i], room.max(1)))
    });
    named.join(" − ")
}

pub(in crate::tui::view) fn draw(paint: &mut Paint<'_>, area: Rect, app: &App) {
    let head = format!("this game: {}", players(app, 2 * LONGEST_NAME));
    let room = usize::from(area.width).saturating_sub(6 + text::width("points"));
    let head = match text::width(&head) <= room {
        true => head,
        // Both names are there, as much of them as fits.
        false => {
            let signs = text::width("game: ●  − ○ ");
            format!("game: {}", players(app, room.saturating_sub(signs)))
        }
    };
    let inner = title(paint, area, &head, "points", false);
    if app.options.hidden || inner.height < 2 {
        return;
    }
    let (sums, here) = sums(app);
    let most = sums
        .iter()
        .flat_map(|s| [s.0.abs(), s.1.abs()])
        .fold(0.25, f64::max)
        * 1.08;
    const LABEL: u16 = 7;
    let legend = 13.min(inner.width / 3);
    let field = Rect {
        x: inner.x + LABEL,
        width: inner.width.saturating_sub(LABEL + legend),
        ..inner
    };
    if field.width < 8 {
        return;
    }
    let (dots_x, dots_y) = (
        f64::from(field.width) * 2.0 - 1.0,
        f64::from(field.height) * 4.0 - 1.0,
    );
    let turns = (sums.len() - 1).max(1) as f64;
    let x = |i: usize| i as f64 / turns * dots_x;
    let y = |v: f64| (0.5 - v / most / 2.0) * dots_y;
    let mut dots = Dots::new(field.width, field.height);
    dots.sign = '-';
    dots.line((0.0, y(0.0)), (dots_x, y(0.0)), Role::Zero, 2);
    dots.sign = '|';
    dots.line((x(here), 0.0), (x(here), dots_y), Role::Zero, 2);
    let line = |f: fn(&(f64, f64)) -> f64| {
        let sums = &sums;
        (0..sums.len()).map(move |i| (x(i), y(f(&sums[i]))))
    };
    // A cell has one colour: where both lines meet, that of the luck, which moves more.
    dots.sign = 's';
    dots.path(line(|s| s.1), Role::SeriesC, 1);
    dots.sign = '*';
    dots.path(line(|s| s.0), Role::SeriesB, 1);
    dots.paint(paint, field);
    if let Some(first) = first_turn(app) {
        let turns = sums.len() - 1;
        paint.target(field, Target::Course { first, turns });
    }
    for (row, value) in [
        (0, most),
        (field.height / 2, 0.0),
        (field.height - 1, -most),
    ] {
        let label = match value == 0.0 {
            true => "0".to_owned(),
            false => format!("{value:+.1}"),
        };
        let label = text::fit_right(&label, 6);
        paint.put(inner.x, field.y + row, 6, &label, Role::Muted);
    }
    if let Some(&sums) = sums.last() {
        line_ends(paint, field, legend, sums, &y);
    }
}

/// The names of both lines and their last values, beside the rows in which `y` has them end.
fn line_ends(
    paint: &mut Paint<'_>,
    field: Rect,
    legend: u16,
    (luck, play): (f64, f64),
    y: &dyn Fn(f64) -> f64,
) {
    let row = |v: f64| (y(v) / 4.0).clamp(0.0, f64::from(field.height - 1)) as u16;
    let (a, mut b) = (row(luck), row(play));
    if a == b {
        b = if b + 1 < field.height { b + 1 } else { b - 1 };
    }
    for (row, name, value, role) in [
        (a, "luck", luck, Role::SeriesB),
        (b, "skill", play, Role::SeriesC),
    ] {
        let label = format!("{name} {value:+.2}");
        paint.put(field.right() + 1, field.y + row, legend - 1, &label, role);
    }
}
