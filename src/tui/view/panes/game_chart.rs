//! How a game went, where there is no rollout to look at: luck and play, summed turn by turn.
//!
//! Both lines are for the player at the bottom of the board. The luck line rises when that player
//! rolls well or the other badly, the play line when the other errs.

use ratatui::layout::Rect;

use crate::game::Player;
use crate::review::Mark;
use crate::tui::screen::targets::Target;
use crate::tui::state::App;
use crate::tui::text;
use crate::tui::theme::Role;
use crate::tui::view::board::disc;
use crate::tui::view::drawing::braille::Dots;
use crate::tui::view::drawing::chart_labels::{LABELS, label_line};
use crate::tui::view::drawing::paint::Paint;
use crate::tui::view::drawing::pane::title;

/// The game in view, turn by turn.
struct Course {
    /// Sums after each turn, from zero on: (luck, play).
    sums: Vec<(f64, f64)>,
    /// Which of them is of the turn in view.
    here: usize,
    /// The sums after which there is an error, and whose it is.
    errors: Vec<(usize, Player)>,
}

impl Course {
    fn of(app: &App) -> Self {
        let mut course = Self {
            sums: vec![(0.0, 0.0)],
            here: 0,
            errors: Vec::new(),
        };
        let Some(game) = app.turn().map(|t| t.game) else {
            return course;
        };
        let (mut luck, mut play) = (0.0, 0.0);
        for (i, turn) in app.document.turns.iter().enumerate() {
            if turn.game != game {
                continue;
            }
            if i == app.at {
                course.here = course.sums.len() - 1;
            }
            let player = turn.before.player;
            let sign = if player == app.bottom() { 1.0 } else { -1.0 };
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
                let errors = errors.into_iter().flatten().map(|(error, _)| error);
                play -= sign * errors.clone().map(f64::from).sum::<f64>();
                let mut marks = errors.map(|error| Mark::of(error, &app.thresholds()));
                if marks.any(|mark| mark > Mark::Fine) {
                    course.errors.push((course.sums.len(), player));
                }
            }
            course.sums.push((luck, play));
        }
        course
    }

    /// The values that the chart spans: both sums, with zero among them.
    fn range(&self) -> (f64, f64) {
        /// What the chart spans at least, in points: little is to be seen as little.
        const LEAST: f64 = 0.5;
        let all = self.sums.iter().flat_map(|sum| [sum.0, sum.1]);
        let (low, high) = all.fold((0.0_f64, 0.0_f64), |(low, high), value| {
            (low.min(value), high.max(value))
        });
        let missing = (LEAST - (high - low)).max(0.0) / 2.0;
        let edge = missing + 0.04 * (high - low);
        (low - edge, high + edge)
    }
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
    let sides = ["points, a disc is an error".to_owned(), "points".to_owned()];
    let fits = |side: &&String| text::width(&head) + text::width(side) + 6 <= area.width.into();
    let side = sides.iter().find(fits).map_or("", String::as_str);
    let inner = title(paint, area, &head, side, false);
    if app.options.hidden || inner.height < 2 {
        return;
    }
    let course = Course::of(app);
    let (low, high) = course.range();
    let legend = 13.min(inner.width / 3);
    let field = Rect {
        x: inner.x + LABELS,
        width: inner.width.saturating_sub(LABELS + legend),
        ..inner
    };
    if field.width < 8 {
        return;
    }
    let (dots_x, dots_y) = (
        f64::from(field.width) * 2.0 - 1.0,
        f64::from(field.height) * 4.0 - 1.0,
    );
    let turns = course.sums.len() - 1;
    let x = |i: usize| i as f64 / turns.max(1) as f64 * dots_x;
    let y = |v: f64| (high - v) / (high - low) * dots_y;
    let row = |v: f64| (y(v) / 4.0).clamp(0.0, f64::from(field.height - 1)) as u16;
    let mut dots = Dots::new(field.width, field.height);
    dots.sign = '-';
    dots.line((0.0, y(0.0)), (dots_x, y(0.0)), Role::Zero, 2);
    dots.sign = '|';
    let here = x(course.here);
    dots.line((here, 0.0), (here, dots_y), Role::Zero, 2);
    let line = |f: fn(&(f64, f64)) -> f64| {
        let sums = course.sums.iter().enumerate();
        sums.map(move |(i, sum)| (x(i), y(f(sum))))
    };
    // A cell has one colour: where both lines meet, that of the luck, which moves more.
    dots.sign = 's';
    dots.path(line(|s| s.1), Role::SeriesC, 1);
    dots.sign = '*';
    dots.path(line(|s| s.0), Role::SeriesB, 1);
    dots.paint(paint, field);
    for &(at, player) in &course.errors {
        let (sign, role) = disc(player);
        let column = field.x + (x(at) / 2.0) as u16;
        paint.put(column, field.y + row(course.sums[at].1), 1, sign, role);
    }
    if let Some(first) = first_turn(app) {
        paint.target(field, Target::Course { first, turns });
    }
    let mut labels = vec![(0, high), (field.height - 1, low)];
    labels.retain(|&(at, _)| at != row(0.0));
    labels.push((row(0.0), 0.0));
    for (at, value) in labels {
        let label = match value == 0.0 {
            true => "0".to_owned(),
            false => format!("{value:+.1}"),
        };
        label_line(paint, inner, field.y + at, &label);
    }
    if let Some(&(luck, play)) = course.sums.last() {
        line_ends(paint, field, legend, luck, play, &row);
    }
}

/// The names of both lines and their last values, beside the rows in which they end.
fn line_ends(
    paint: &mut Paint<'_>,
    field: Rect,
    legend: u16,
    luck: f64,
    play: f64,
    row: &dyn Fn(f64) -> u16,
) {
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
