//! The window of errors: the course of the match, both players' figures, the errors by cost.

use ratatui::layout::Rect;

use super::window::{Window, row};
use crate::cube::{CubeChoice, cube_words};
use crate::game::{Player, Roll};
use crate::grid::Grid;
use crate::review::report::signed;
use crate::review::{Class, Figures, Mark};
use crate::tui::documents::match_decision::MatchDecision;
use crate::tui::figures::candidate_rows::FigureSource;
use crate::tui::figures::error_list::{self, ErrorRow};
use crate::tui::figures::imported;
use crate::tui::keys::{ActionId, KeyScope};
use crate::tui::rollouts::decision_count::DecisionCount;
use crate::tui::rollouts::jobs::DecisionKey;
use crate::tui::screen::targets::Target;
use crate::tui::screen::units::Units;
use crate::tui::state::{App, MatchRolloutGoal, MatchRollouts};
use crate::tui::text;
use crate::tui::theme::Role;
use crate::tui::update::analysis::{filters, match_rollouts, plays};
use crate::tui::update::lines::walk;
use crate::tui::view::board::disc;
use crate::tui::view::drawing::braille::Dots;
use crate::tui::view::drawing::paint::Paint;
use crate::tui::view::drawing::window::{foot, list, side_that_fits, window};
use crate::tui::view::drawing::words;
use crate::tui::windows::overlay::Overlay;

/// Rows of the chart, where there is room for it: a share of all, and no less.
const CHART: u16 = 6;
const SHARE: u16 = 5;
/// Least rows for the chart to be drawn.
const TALL: u16 = 18;
/// Columns of what the edges of the chart stand for.
const AXIS: u16 = 6;
/// A smaller error counts as none, as errors are written with three decimals, in points.
const NO_ERROR: f64 = 0.000_5;
/// Columns from which on there is one of the errors by the file's program, and what that takes.
const WITH_FILE: u16 = 84;
const WITH_FILE_BESIDE: u16 = 68;
const FILE: usize = 8;
/// Columns of the bars of the errors beside the board.
const BARS: usize = 8;
/// Columns of a name: at least, and at most.
const NAME: [usize; 2] = [5, 16];

pub(super) struct Errors;

impl Window for Errors {
    fn draw(&self, paint: &mut Paint<'_>, screen: Rect, app: &App) {
        let row = row(app);
        /// Columns of the window, where the screen has them.
        const WIDE: u16 = 92;
        let rows = error_list::rows(app);
        let tallest = screen.height.saturating_sub(8).max(34);
        let height = (rows.len() as u16).saturating_add(13).clamp(18, tallest);
        let name = match app.variation.is_some() && app.played().is_none() {
            true => "errors of the variation",
            false => "errors",
        };
        let sides = [error_list::filter(app), error_list::short_filter(app)];
        let side = side_that_fits(screen.width.min(WIDE), name, &sides);
        let area = window(paint, screen, (WIDE, height), name, &side);
        let bars = match paint.is_beside {
            true => BARS,
            false => 0,
        };
        let most = rows.iter().map(|row| row.error).fold(0.0, f32::max);
        let (graph, below) = head(paint, area, app, &rows, row, bars);
        let turns = app.document.turns.len();
        paint.target(graph, Target::Course { first: 0, turns });
        list(paint, below, row, rows.len(), &mut |paint, line, i| {
            draw_row(paint, line, app, &rows[i], (bars, most));
        });
        if let Some(words) = rolled(app, &rows) {
            foot(paint, area, &words);
        }
    }

    fn rows(&self, app: &App) -> usize {
        error_list::rows(app).len()
    }

    fn begin(&self, app: &mut App) -> Option<usize> {
        Some(error_list::row_to_begin_with(app))
    }

    fn decision(&self, app: &App) -> Option<MatchDecision> {
        let row = error_list::rows(app).get(row(app)).copied()?;
        Some(row.decision)
    }

    fn act(&self, app: &mut App, action: ActionId) -> bool {
        match action {
            ActionId::Less | ActionId::More => along(app, action == ActionId::More),
            ActionId::RollOut => match_rollouts::errors(app),
            ActionId::Units => plays::change_units(app),
            ActionId::CopyTable => copy(app),
            _ => {
                let is_filter = filters::change(app, action);
                if is_filter && let Some(row) = self.row(app) {
                    *row = 0;
                }
                return is_filter;
            }
        }
        true
    }

    /// Goes to the decision of the error.
    fn accept(&self, app: &mut App, window: &Overlay) -> bool {
        let row = window.row();
        if let Some(row) = error_list::rows(app).get(row) {
            walk::to_decision(app, row.decision);
            app.document.gone_to = Some(row.decision);
        }
        true
    }

    fn click_accepts(&self, _is_selected: bool) -> bool {
        true
    }
}

fn copy(app: &mut App) {
    let rows = error_list::rows(app);
    if rows.is_empty() {
        let none = "no error to copy: {size}, {player} and {class} change the filter";
        return app.say(app.keymap.named_in(KeyScope::Errors, none));
    }
    plays::to_clipboard(app, "errors", as_text(app, &rows));
}

/// Selects the error before or after the selected one in the order of the match.
fn along(app: &mut App, later: bool) {
    let rows = error_list::rows(app);
    let Some(row) = app.overlay.as_mut().and_then(Overlay::row_mut) else {
        return;
    };
    let key = |r: &error_list::ErrorRow| (r.decision.turn, !r.decision.is_silent);
    let Some(here) = rows.get(*row).map(key) else {
        return;
    };
    let others = rows.iter().enumerate().map(|(i, r)| (key(r), i));
    let next = if later {
        others.filter(|o| o.0 > here).min()
    } else {
        others.filter(|o| o.0 < here).max()
    };
    *row = next.map_or(*row, |next| next.1);
}

/// The error that is selected in the list of errors, and its row.
#[derive(Clone, Copy)]
pub(crate) struct SelectedError {
    row: usize,
    decision: MatchDecision,
}

/// The error that is selected in the list of errors, while that is open.
pub(crate) fn selected_error(app: &App) -> Option<SelectedError> {
    let row = app.overlay.as_ref()?.row_of_list(ActionId::Errors)?;
    let decision = error_list::rows(app).get(row)?.decision;
    Some(SelectedError { row, decision })
}

/// Selects the error again that was selected in this row, which it still is unless the user chose another: what is found
/// meanwhile brings the list into another order.
pub(crate) fn keep_error(app: &mut App, selected: Option<SelectedError>) {
    let Some(selected) = selected else { return };
    let now = app.overlay.as_ref();
    if now.and_then(|window| window.row_of_list(ActionId::Errors)) != Some(selected.row) {
        return;
    }
    let rows = error_list::rows(app);
    let at = rows
        .iter()
        .position(|row| row.decision == selected.decision);
    let at = at.unwrap_or(selected.row.min(rows.len().saturating_sub(1)));
    if let Some(row) = app.overlay.as_mut().and_then(Overlay::row_mut) {
        *row = at;
    }
}

/// Draws what stands above the list; answers where the graph is, and what is left for the list.
/// `selected` is the row whose place the graph shows; the bars of the list take so many columns.
fn head(
    paint: &mut Paint<'_>,
    area: Rect,
    app: &App,
    rows: &[ErrorRow],
    selected: usize,
    bars: usize,
) -> (Rect, Rect) {
    let mut y = 0;
    let mut graph = Rect::default();
    if area.height >= TALL {
        let chart = Rect {
            height: CHART.max(area.height / SHARE),
            ..area
        };
        graph = value_chart(paint, chart, app, rows, rows.get(selected));
        y = chart.height;
    }
    for player in [Player::Left, Player::Right] {
        player_line(paint, area, y, app, player);
        y += 1;
    }
    if !app.document.is_analysed() {
        let share = 100 * app.document.is_final.iter().filter(|&&s| s).count()
            / app.document.is_final.len().max(1);
        let words = format!("… review at {share}%: all figures are provisional");
        paint.line(area, y, &[(&words, Role::OverlayTitle)]);
    } else if let Some(class) = app.options.class {
        let words = format!("PR, lost and marks: {} only", class.name());
        paint.line(area, y, &[(&words, Role::OverlayMuted)]);
    }
    if rows.is_empty() {
        let none = "no such error ({size}, {player} and {class} change the filter)";
        let none = app.keymap.named_in(KeyScope::Errors, none);
        paint.line(area, y + 1, &[(&none, Role::OverlayMuted)]);
    } else {
        heads(paint, area, app, y + 1, bars);
    }
    let used = (y + 2).min(area.height);
    let list = Rect {
        y: area.y + used,
        height: area.height - used,
        ..area
    };
    (graph, list)
}

/// Columns before what was done: the error with its mark, the depth, the place and the player.
const PLACE: usize = 20;

/// Columns of what was done: what is best has its place beside it, also on a narrow screen.
fn played_columns(area: Rect, bars: usize) -> usize {
    if usize::from(area.width) >= 70 + 2 * bars {
        29
    } else {
        18
    }
}

/// Draws the names of the columns.
fn heads(paint: &mut Paint<'_>, area: Rect, app: &App, y: u16, bars: usize) {
    let unit = match app.is_in_chances() {
        true => "MWC",
        false => "error",
    };
    let head = format!("{unit:>6}  {:bars$} ply  move   played", "");
    let words = text::fit(&head, PLACE + bars + played_columns(area, bars));
    let words = format!("{words}best");
    paint.line(area, y, &[(&words, Role::OverlayMuted)]);
    if has_file(paint, app, area) {
        paint.line_right(area, y, &[("in file", Role::OverlayMuted)]);
    }
}

/// Whether there is a column of what the file's program says, and room for it.
fn has_file(paint: &Paint<'_>, app: &App, area: Rect) -> bool {
    let least = match paint.is_beside {
        true => WITH_FILE_BESIDE,
        false => WITH_FILE,
    };
    area.width >= least && !app.document.record.analyses.is_empty()
}

/// Draws the line of a player: what decisions and rolls came to, and how much of it is listed.
fn player_line(paint: &mut Paint<'_>, area: Rect, y: u16, app: &App, player: Player) {
    let figures = error_list::figures(app, player);
    // Until the review has ended no sum is whole.
    let more = if app.document.is_analysed() {
        " "
    } else {
        "…"
    };
    let pr = figures
        .pr
        .map_or_else(|| "–".to_owned(), |pr| format!("{pr:.2}"));
    // As wide as the other player's, so that all stands below each other.
    let other = error_list::figures(app, player.other()).marks();
    let marks: String = (Mark::ALL[1..].iter())
        .zip(figures.marks().into_iter().zip(other))
        .map(|(mark, (n, other))| {
            let wide = n.max(other).to_string().len();
            match *mark >= app.options.threshold {
                true => format!(" {}{n:<wide$}", mark.sign()),
                false => format!(" {}{:<wide$}", mark.sign(), "–"),
            }
        })
        .collect();
    let listed = match (error_list::listed(app, player), app.options.whose) {
        (_, Some(whose)) if whose != player => "not shown".to_owned(),
        ((n, sum), _) => format!("{} in {n} listed", error_list::sum_text(app, sum)),
    };
    let first = format!(
        "PR {pr:>5}{more} lost{:>7}{more} {}",
        error_list::sum_text(app, error_list::lost(app, &figures)),
        text::fit(&listed, 19),
    );
    let width = usize::from(area.width).saturating_sub(3);
    let luck = luck(app, &figures);
    let summary = with_luck(first, &marks, luck, width.saturating_sub(NAME[0]));
    let room = width.saturating_sub(text::width(&summary));
    let name = &app.document.record.players[player.index()];
    let (sign, role) = disc(player);
    let columns = room.clamp(NAME[0], NAME[1]);
    let words = [
        (sign, role),
        (" ", Role::Overlay),
        (
            &*text::fit(&text::cut(name, columns), columns),
            Role::Overlay,
        ),
        (" ", Role::Overlay),
        (&*summary, Role::Overlay),
    ];
    paint.line(area, y, &words);
}

/// The luck of a player in the units that are shown, in full and in fewer columns.
fn luck(app: &App, figures: &Figures) -> [String; 2] {
    let whole = figures.luck_unnormalised;
    match app.options.units {
        Units::Whole if app.is_in_chances() => {
            [2, 1].map(|digits| format!("{}%", signed(100.0 * whole, digits)))
        }
        Units::Whole => luck_in_points(whole),
        Units::Cube => luck_in_points(figures.luck),
    }
}

fn luck_in_points(luck: f64) -> [String; 2] {
    [3, 2].map(|digits| signed(luck, digits))
}

/// The marks and the luck behind `first`, as far as they fit whole into `room`: the luck in full, or else in fewer
/// columns.
fn with_luck(first: String, marks: &str, luck: [String; 2], room: usize) -> String {
    let marked = format!("{first}{marks}");
    let [long, short] = luck.map(|luck| format!("luck {luck}"));
    // As wide as the other player's, where there is room for that.
    let lines = [(&long, 12), (&short, 11), (&short, 0)];
    let lines = lines.map(|(luck, wide)| format!("{marked} {luck:>wide$}"));
    let mut all = lines.into_iter().chain([marked]);
    all.find(|line| text::width(line) <= room).unwrap_or(first)
}

/// Says how far the rollouts of the errors are, or what those that have ended found.
fn rolled(app: &App, rows: &[ErrorRow]) -> Option<String> {
    let under_way = app.match_rollouts.as_ref();
    let is_of_errors = |all: &&MatchRollouts| matches!(all.goal, MatchRolloutGoal::Errors(_));
    let Some(rollouts) = under_way.filter(is_of_errors) else {
        return error_list::rolled_words(app, rows);
    };
    let DecisionCount { done, of } = rollouts.count;
    Some(match (rollouts.has_begun, rollouts.is_paused) {
        (false, _) => "rollouts begin after the review".to_owned(),
        (_, true) => format!("paused: {done} of {of} rolled out"),
        _ => match rollouts.seconds_left() {
            Some(left) => format!("rolled out {done} of {of}, {} left", text::seconds(left)),
            None => "rolling out the most expensive …".to_owned(),
        },
    })
}

/// A line of the list: what it cost, by what, where, what was done, and what was better. Of the columns of the bar the
/// most expensive error has all.
fn draw_row(
    paint: &mut Paint<'_>,
    line: Rect,
    app: &App,
    row: &ErrorRow,
    (bars, most): (usize, f32),
) {
    let turn = &app.document.turns[row.decision.turn];
    let (sign, colour) = disc(turn.before.player);
    // As the top line and the list of moves count: a file may begin with another number.
    let place = format!("{}.{}", turn.game + 1, turn.number);
    let place = format!(" {place:>6} ");
    let mark = Mark::of(row.error, &app.thresholds());
    let what = match rolled_dice(app, row) {
        Some(roll) => format!(" {roll} {}", played(app, row)),
        None => format!(" {}", played(app, row)),
    };
    let scale = app.scale_at(row.decision.turn);
    let error = format!("{:>6} ", scale.label(f64::from(row.error)));
    let sign_of_mark = format!("{:<3}", mark.sign());
    let bar = text::bar(f64::from(row.error / most), bars.saturating_sub(1));
    let columns = played_columns(line, bars);
    let used = PLACE + bars + columns;
    let has_file = has_file(paint, app, line);
    let room = usize::from(line.width).saturating_sub(used + if has_file { FILE } else { 0 });
    let best = text::cut(&best(app, row).unwrap_or_default(), room);
    paint.line(
        line,
        0,
        &[
            (&error, Role::Overlay),
            (&sign_of_mark, words::mark_role(mark)),
            (&text::fit(&bar, bars), words::mark_role(mark)),
            (&row.level.text(), Role::OverlayMuted),
            (&place, Role::OverlayMuted),
            (sign, colour),
            (
                &text::fit(&text::cut(&what, columns - 1), columns),
                Role::Overlay,
            ),
            (&best, Role::OverlayMuted),
        ],
    );
    if has_file {
        let words = match imported::error_of(app, row) {
            Some(error) if error < NO_ERROR => "·".to_owned(),
            Some(error) => scale.label(error),
            None => "–".to_owned(),
        };
        paint.line_right(line, 0, &[(&words, Role::OverlayMuted)]);
    }
}

/// The list as text: who played, what is listed, and a row for each error.
fn as_text(app: &App, rows: &[ErrorRow]) -> String {
    let unit = match app.is_in_chances() {
        true => "MWC",
        false => "error",
    };
    let words = ["player", "played", "best"];
    let heads = [
        "move", "player", "dice", "played", "best", unit, "", "by", "in file",
    ];
    let mut grid = Grid::new(&heads).with_words(&words);
    for row in rows {
        let turn = &app.document.turns[row.decision.turn];
        let scale = app.scale_at(row.decision.turn);
        let dice = rolled_dice(app, row).map(|roll| roll.to_string());
        let by = match row.level {
            FigureSource::Ply(n) => format!("{n}-ply"),
            FigureSource::Rollout => "rollout".to_owned(),
        };
        grid.row(vec![
            format!("{}.{}", turn.game + 1, turn.number),
            app.document.record.players[turn.before.player.index()].clone(),
            dice.unwrap_or_else(|| "–".to_owned()),
            played(app, row),
            best(app, row).unwrap_or_default(),
            scale.label(f64::from(row.error)),
            Mark::of(row.error, &app.thresholds()).sign().to_owned(),
            by,
            imported::error_of(app, row).map_or_else(String::new, |error| scale.label(error)),
        ]);
    }
    let more = match app.document.is_analysed() {
        true => "",
        false => "; the review is not complete",
    };
    let title = &app.document.title;
    let list = grid.without_empty_last();
    format!("{title}\n{}{more}\n\n{list}", error_list::filter(app))
}

/// The dice of the play; none of a cube action.
fn rolled_dice(app: &App, row: &ErrorRow) -> Option<Roll> {
    let turn = &app.document.turns[row.decision.turn];
    let roll = turn.before.state.roll;
    roll.filter(|_| row.class == Class::Checker)
}

/// What was done, without the dice: a cube action as the best one beside it is called, and as the library calls both.
fn played(app: &App, row: &ErrorRow) -> String {
    let turn = &app.document.turns[row.decision.turn];
    let choice = match row.class {
        Class::Checker => None,
        _ if row.decision.is_silent => Some(CubeChoice::NoDouble),
        _ => app.document.reviews[row.decision.turn]
            .as_ref()
            .and_then(|review| review.cube?.choice),
    };
    match choice {
        Some(choice) => cube_words(choice.name(), &turn.before.state).to_owned(),
        None => words::done(turn),
    }
}

/// The best play or action, in words, by the figures that the row goes by.
fn best(app: &App, row: &ErrorRow) -> Option<String> {
    let turn = &app.document.turns[row.decision.turn];
    let decision = DecisionKey::of(&turn.before.state);
    let review = app.document.reviews[row.decision.turn].as_ref()?;
    let by_rollout = row.level == FigureSource::Rollout;
    if row.class == Class::Checker {
        let told = match review.played.filter(|_| by_rollout) {
            Some(played) => {
                let played = &review.candidates[played].result;
                app.jobs.told_plays(decision, played)
            }
            None => Vec::new(),
        };
        let known = |result| review.candidates.iter().find(|c| c.result == result);
        let best = told.iter().find_map(|play| known(play.result));
        let best = best.or(review.candidates.first())?;
        let play = text::play(&best.play, &turn.before.state.position);
        return Some(play);
    }
    let state = &turn.before.state;
    let rolled = app.jobs.cube_rollout(decision.before());
    let analysed = match rolled.filter(|_| by_rollout) {
        Some((job, _)) => job.cube_decision(state)?,
        None => review.cube?.decision,
    };
    Some(match row.class {
        Class::Take => analysed.answer()?.name().to_owned(),
        _ => cube_words(analysed.action.name(), state).to_owned(),
    })
}

/// The values of the left player over the match, and the errors on it, a line through the selected one;
/// answers where that is.
fn value_chart(
    paint: &mut Paint<'_>,
    area: Rect,
    app: &App,
    rows: &[ErrorRow],
    selected: Option<&ErrorRow>,
) -> Rect {
    let chart = ValueChart::new(area, app);
    let plot = chart.plot;
    if chart.values.len() < 2 || plot.width < 8 || plot.height < 2 {
        return Rect::default();
    }
    chart.draw_axis(paint, area);
    chart.draw_lines(paint, selected);
    chart.draw_errors(paint, app, rows);
    let caption = chart_caption(area, app);
    paint.line(area, area.height - 1, &[(&caption, Role::OverlayMuted)]);
    plot
}

/// The values over the match, and where they stand.
struct ValueChart {
    plot: Rect,
    /// Turns of the match, and those with which its games after the first begin.
    turns: usize,
    borders: Vec<usize>,
    /// The value after each turn that has one.
    values: Vec<(usize, f64)>,
    /// The values at the lower and the upper edge.
    low: f64,
    high: f64,
}

impl ValueChart {
    /// The chart in an area, whose last row is left for its caption.
    fn new(area: Rect, app: &App) -> Self {
        let values = error_list::values_by_turn(app);
        let most = values.iter().fold(1.0, |most: f64, v| most.max(v.1.abs()));
        let is_money = app.document.record.length == 0;
        let (low, high) = if is_money { (-most, most) } else { (0.0, 1.0) };
        let turns = &app.document.turns;
        let borders = turns.windows(2).enumerate();
        let borders = borders.filter(|(_, pair)| pair[0].game != pair[1].game);
        Self {
            plot: Rect {
                x: area.x + AXIS.min(area.width),
                width: area.width.saturating_sub(AXIS),
                height: area.height.saturating_sub(1),
                ..area
            },
            turns: turns.len(),
            borders: borders.map(|(i, _)| i + 1).collect(),
            values,
            low,
            high,
        }
    }

    /// Writes what the upper edge, the middle and the lower edge stand for.
    fn draw_axis(&self, paint: &mut Paint<'_>, area: Rect) {
        let last = self.plot.height - 1;
        let middle = 0.5 * (self.low + self.high);
        for (row, value) in [(0, self.high), (last / 2, middle), (last, self.low)] {
            let label = match self.low < 0.0 {
                true => signed(value, 1),
                false => format!("{:.0}%", 100.0 * value),
            };
            let label = text::fit_right(&label, usize::from(AXIS) - 1);
            paint.line(area, row, &[(&label, Role::OverlayMuted)]);
        }
    }

    /// Dots from the left edge: two in a column.
    fn x(&self, turn: usize) -> f64 {
        turn as f64 / self.turns.max(2) as f64 * self.right()
    }

    /// Dots from the upper edge: four in a row.
    fn y(&self, value: f64) -> f64 {
        let share = ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0);
        (1.0 - share) * self.bottom()
    }

    fn right(&self) -> f64 {
        f64::from(self.plot.width * 2 - 1)
    }

    fn bottom(&self) -> f64 {
        f64::from(self.plot.height * 4 - 1)
    }

    /// Draws the values, the line in their middle, and one through the selected error.
    fn draw_lines(&self, paint: &mut Paint<'_>, selected: Option<&ErrorRow>) {
        let mut dots = Dots::new(self.plot.width, self.plot.height);
        dots.sign = ':';
        for border in &self.borders {
            let x = self.x(*border);
            dots.line((x, 0.0), (x, self.bottom()), Role::OverlayMuted, 3);
        }
        let middle = self.y(0.5 * (self.low + self.high));
        dots.sign = '-';
        dots.line((0.0, middle), (self.right(), middle), Role::OverlayMuted, 4);
        if let Some(row) = selected {
            let here = self.x(row.decision.turn);
            dots.sign = '|';
            dots.line((here, 0.0), (here, self.bottom()), Role::OverlayKey, 2);
        }
        let points = self.values.iter();
        let points = points.map(|&(turn, value)| (self.x(turn), self.y(value)));
        dots.sign = '*';
        dots.path(points, Role::Overlay, 1);
        dots.paint(paint, self.plot);
    }

    /// Draws a disc of its player for each error, the first ones of the list on top.
    fn draw_errors(&self, paint: &mut Paint<'_>, app: &App, rows: &[ErrorRow]) {
        for row in rows.iter().rev() {
            let turn = row.decision.turn;
            let place = self.values.partition_point(|(before, _)| *before < turn);
            let Some((_, value)) = self.values.get(place) else {
                continue;
            };
            let (sign, role) = disc(app.document.turns[turn].before.player);
            let column = self.plot.x + (self.x(turn) / 2.0) as u16;
            let line = self.plot.y + (self.y(*value) / 4.0) as u16;
            paint.put(column, line, 1, sign, role);
        }
    }
}

/// Whose values they are, and of what kind. A long name gives way, as the words are of more use.
fn chart_caption(area: Rect, app: &App) -> String {
    let what = match app.document.record.length {
        0 => "points",
        _ => "chance to win the match",
    };
    let words = "; a disc is an error of that player";
    let rest = text::width(": ") + text::width(what) + text::width(words);
    let room = usize::from(area.width).saturating_sub(rest).max(8);
    let name = text::cut(&app.document.record.players[0], room);
    format!("{name}: {what}{words}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The luck is rounded where there is little room, and goes where there is less; it is never cut.
    #[test]
    fn the_luck_is_whole_or_not_there() {
        let line = |room| with_luck("PR 10.64".into(), " ?!6", luck_in_points(-1.567), room);
        assert_eq!(line(25), "PR 10.64 ?!6  luck -1.567");
        assert_eq!(line(24), "PR 10.64 ?!6  luck -1.57");
        assert_eq!(line(23), "PR 10.64 ?!6 luck -1.57");
        assert_eq!(line(22), "PR 10.64 ?!6");
        assert_eq!(line(11), "PR 10.64");
        assert_eq!(
            with_luck(String::new(), "", luck_in_points(-0.001), 11),
            " luck +0.00"
        );
    }
}
