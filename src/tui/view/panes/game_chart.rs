//! Draws the luck and the skill of a game, summed turn by turn, where there is no rollout to show.
//!
//! Both lines are for the player at the bottom of the board. The luck line rises when that player
//! rolls well or the other badly. The skill line rises with the other's errors and falls with this player's, in plays
//! and on the cube.

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
    /// Sums after each turn, from zero on: (luck, skill).
    sums: Vec<(f64, f64)>,
    /// Index of the sum before the turn in view; an error of that turn is at the next one.
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

pub(crate) fn draw(paint: &mut Paint<'_>, area: Rect, app: &App) {
    let [head, side] = heading(app, area.width.into());
    let inner = title(paint, area, &head, &side, false);
    if app.options.hidden || inner.height < 2 {
        return;
    }
    let course = Course::of(app);
    let legend = 13.min(inner.width / 3);
    let field = Rect {
        x: inner.x + LABELS,
        width: inner.width.saturating_sub(LABELS + legend),
        ..inner
    };
    if field.width < 8 {
        return;
    }
    let plot = Plot::new(field, &course);
    lines(paint, &plot, &course);
    for &(at, player) in &course.errors {
        let (sign, role) = disc(player);
        let row = plot.row(course.sums[at].1);
        paint.put(plot.column(at), field.y + row, 1, sign, role);
    }
    if let Some(first) = first_turn(app) {
        let turns = plot.turns;
        paint.target(field, Target::Course { first, turns });
    }
    labels(paint, inner, &plot);
    if let Some(&last) = course.sums.last() {
        line_ends(paint, &plot, legend, last);
    }
}

/// The heads of the pane on the left and on the right, as much of them as `columns` have room for.
fn heading(app: &App, columns: usize) -> [String; 2] {
    let room = columns.saturating_sub(6 + text::width("points"));
    let mut head = format!("this game: {}", players(app, 2 * LONGEST_NAME));
    if text::width(&head) > room {
        // Both names are there, as much of them as fits.
        let signs = text::width("game: ●  − ○ ");
        head = format!("game: {}", players(app, room.saturating_sub(signs)));
    }
    let fits = |side: &&str| text::width(&head) + text::width(side) + 6 <= columns;
    let up = format!("up is good for {}", disc(app.bottom()).0);
    let long = format!("points, {up}; a disc is an error");
    let mut sides = [&*long, &up, "points"].into_iter();
    let side = sides.find(fits).unwrap_or_default();
    [head, side.to_owned()]
}

/// Where the sums of a game lie in the field of a chart.
struct Plot {
    field: Rect,
    /// Turns from the left edge to the right.
    turns: usize,
    /// The sums at the lower and at the upper edge.
    range: (f64, f64),
    /// The last column and the last row of dots.
    dots: (f64, f64),
}

impl Plot {
    fn new(field: Rect, course: &Course) -> Self {
        Self {
            field,
            turns: course.sums.len() - 1,
            range: course.range(),
            dots: (
                f64::from(field.width) * 2.0 - 1.0,
                f64::from(field.height) * 4.0 - 1.0,
            ),
        }
    }

    /// Column of dots after turn `i`.
    fn x(&self, i: usize) -> f64 {
        i as f64 / self.turns.max(1) as f64 * self.dots.0
    }

    /// Row of dots of a sum.
    fn y(&self, sum: f64) -> f64 {
        let (low, high) = self.range;
        (high - sum) / (high - low) * self.dots.1
    }

    /// Column of the screen after turn `i`.
    fn column(&self, i: usize) -> u16 {
        self.field.x + (self.x(i) / 2.0) as u16
    }

    /// Row of the field in which a sum lies.
    fn row(&self, sum: f64) -> u16 {
        let last = f64::from(self.field.height - 1);
        (self.y(sum) / 4.0).clamp(0.0, last) as u16
    }
}

/// Draws zero, the turn in view, and both lines.
fn lines(paint: &mut Paint<'_>, plot: &Plot, course: &Course) {
    let mut dots = Dots::new(plot.field.width, plot.field.height);
    let (right, lowest) = plot.dots;
    let (zero, here) = (plot.y(0.0), plot.x(course.here));
    dots.sign = '-';
    dots.line((0.0, zero), (right, zero), Role::Zero, 2);
    dots.sign = '|';
    dots.line((here, 0.0), (here, lowest), Role::Zero, 2);
    let line = |sum: fn(&(f64, f64)) -> f64| {
        let sums = course.sums.iter().enumerate();
        sums.map(move |(i, both)| (plot.x(i), plot.y(sum(both))))
    };
    // A cell has one colour: where both lines meet, that of the luck, which moves more.
    dots.sign = 's';
    dots.path(line(|both| both.1), Role::SeriesC, 1);
    dots.sign = '*';
    dots.path(line(|both| both.0), Role::SeriesB, 1);
    dots.paint(paint, plot.field);
}

/// Writes beside the field what its edges and zero stand for.
fn labels(paint: &mut Paint<'_>, inner: Rect, plot: &Plot) {
    let ((low, high), zero) = (plot.range, plot.row(0.0));
    let edges = [(0, high), (plot.field.height - 1, low)];
    let edges = edges.into_iter().filter(|&(row, _)| row != zero);
    let edges = edges.map(|(row, sum)| (row, format!("{sum:+.1}")));
    for (row, label) in edges.chain([(zero, "0".to_owned())]) {
        label_line(paint, inner, plot.field.y + row, &label);
    }
}

/// The names of both lines and their last values, beside the rows in which they end.
fn line_ends(paint: &mut Paint<'_>, plot: &Plot, legend: u16, (luck, play): (f64, f64)) {
    let field = plot.field;
    let (a, mut b) = (plot.row(luck), plot.row(play));
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
