//! A turn without dice: a cube action, or a position before the roll.

use ratatui::layout::Rect;

use super::verdict::{at_ply, by_review};
use crate::cube::{Cube, CubeChoice, cube_words};
use crate::eval::Probabilities;
use crate::game::GameState;
use crate::match_file::Action;
use crate::review::{Mark, MatchTurn, ResignationFault};
use crate::tui::figures::candidate_rows::FigureSource;
use crate::tui::figures::conditions::awaits_first_roll;
use crate::tui::figures::cube_figures::{CubeFigures, chances, is_rolled, shown_ply};
use crate::tui::screen::units::{Scale, Units};
use crate::tui::state::App;
use crate::tui::text;
use crate::tui::theme::Role;
use crate::tui::view::drawing::paint::{Line, Paint};
use crate::tui::view::drawing::words::{self, mark_role};
use crate::tui::view::panes::imported as imported_analysis;
use crate::tui::view::windows::cube_facts::whose_figures;
use crate::words::{counted, verb};

/// What a line is worth: the least gives way first where there is little room, the lowest of equals.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Worth {
    Gap,
    OtherProgram,
    Chances,
    Equity,
    Done,
    Decision,
}

/// The lines of the pane, from top to bottom.
#[derive(Default)]
struct PaneLines(Vec<(Worth, Line)>);

impl PaneLines {
    fn push(&mut self, worth: Worth, line: Line) {
        self.0.push((worth, line));
    }

    fn gap(&mut self) {
        self.push(Worth::Gap, Line::new());
    }

    /// As many of the lines as there is room for, in order.
    fn fitting(mut self, height: usize) -> Vec<Line> {
        while self.0.len() > height {
            let least = self.0.iter().map(|(worth, _)| *worth).min();
            let at = self.0.iter().rposition(|(worth, _)| Some(*worth) == least);
            self.0.remove(at.unwrap_or(0));
        }
        self.0.into_iter().map(|(_, line)| line).collect()
    }
}

pub(crate) fn draw(paint: &mut Paint<'_>, area: Rect, app: &App) {
    let Some(turn) = app.turn() else { return };
    let mut lines = PaneLines::default();
    if app.before.is_some() || turn.action.is_some() {
        let width = usize::from(area.width);
        let done = match app.before {
            Some(_) => silence(app, turn, width),
            None => action(app, turn, width),
        };
        for line in done {
            lines.push(Worth::Done, line);
        }
    }
    let columns = usize::from(area.width.saturating_sub(2));
    for said in imported_analysis::of_cube(app, columns) {
        let line = vec![(format!("  {said}"), Role::Muted)];
        lines.push(Worth::OtherProgram, line);
    }
    // The player who resigns need not be on roll, as the figures have it.
    let is_on_roll =
        (turn.resigned).is_none_or(|game| game.roller == turn.before.player && game.roll.is_none());
    if app.options.hidden {
        let words = app.keymap.named("  hidden, {answers} shows them");
        lines.gap();
        lines.push(Worth::Chances, vec![(words, Role::Muted)]);
    } else if awaits_first_roll(app) {
        // Nobody may double before it.
        let words = "  the first roll says who begins".to_owned();
        lines.push(Worth::Decision, vec![(words, Role::Muted)]);
    } else if is_on_roll {
        lines.gap();
        figures(&mut lines, app, turn, area.width);
    }
    let lines = lines.fitting(usize::from(area.height));
    paint.lines(area, &lines);
}

/// The action of the player in a line of so many columns. What it was matters more than the end of a name.
fn done(app: &App, turn: &MatchTurn, words: &str, width: usize) -> Line {
    /// Columns of a name where there is room for more.
    const NAME: usize = 16;
    let name = app.name(turn.before.player);
    let room = width.saturating_sub(text::width(words) + 3);
    let name = text::cut(name, room.min(NAME));
    vec![(text::cut(&format!("  {name} {words}"), width), Role::Strong)]
}

/// The action of a turn and what it cost.
fn action(app: &App, turn: &MatchTurn, width: usize) -> Vec<Line> {
    let words = words::done_by(turn, app.name(turn.before.player));
    let mut lines = vec![done(app, turn, &words, width)];
    if matches!(turn.action, Some(Action::Resign)) {
        lines.extend(given_up(app, turn));
        return lines;
    }
    lines.extend(lost(app, app.error(app.at)));
    lines
}

/// Lines for a game that was given up: for how much, what it was worth, and who gave how much away.
fn given_up(app: &App, turn: &MatchTurn) -> Vec<Line> {
    let review = app.document.reviews.get(app.at).and_then(Option::as_ref);
    let review = review.filter(|_| !app.options.hidden);
    let Some((given_up, ply)) = review.and_then(|r| Some((r.resignation?, r.ply))) else {
        return Vec::new();
    };
    let scale = app.scale();
    let row = |name: &str, value: f32, source: String| {
        vec![
            (format!("  {name:<9} "), Role::Muted),
            (scale.value(f64::from(value)), Role::Text),
            (source, Role::Muted),
        ]
    };
    let points = format!("  {}", counted(given_up.points, "point"));
    let mut lines = vec![
        row("conceded", given_up.conceded, points),
        row("worth", given_up.value, at_ply(ply)),
    ];
    lines.extend(given_up.fault().map(|fault| {
        let (name, player) = match fault {
            ResignationFault::Resigning => ("error", turn.before.player),
            ResignationFault::Accepting => ("accepting", turn.before.player.other()),
        };
        // As wide as the names above.
        let name = format!("{name:<9}");
        let whose = format!(" of {}", app.name(player));
        error_line(app, &name, given_up.cost().abs(), whose)
    }));
    lines
}

/// Says that the player rolled without a double, and what that cost.
fn silence(app: &App, turn: &MatchTurn, width: usize) -> Vec<Line> {
    let words = silent_words(turn, app.name(turn.before.player));
    let mut lines = vec![done(app, turn, &words, width)];
    lines.extend(lost(app, app.silent_error(app.at)));
    lines
}

/// The action in view and what it cost, for the title of a pane that has no rows for it: the longest text
/// first.
pub(crate) fn for_title(app: &App) -> Vec<String> {
    let Some(turn) = app.turn() else {
        return Vec::new();
    };
    let (done, error) = match app.before {
        Some(_) => (silent_words(turn, ""), app.silent_error(app.at)),
        None if turn.action.is_some() => (words::done(turn), app.error(app.at)),
        None => return Vec::new(),
    };
    let Some((error, _)) = error else {
        return vec![done];
    };
    let sign = Mark::of(error, &app.thresholds()).sign();
    let size = app.scale().label(f64::from(error));
    let cost = match error > 0.0 {
        true => format!("error {size} {sign}"),
        false => "no error".to_owned(),
    };
    vec![format!("{done}, {cost}"), cost]
}

/// Says that there was no double, in words that go with the player's name.
fn silent_words(turn: &MatchTurn, name: &str) -> String {
    let double = cube_words("double", &turn.before.state);
    format!("{} without a {double}", verb(name, ["rolls", "roll"]))
}

/// Lines for an error and its source. A rollout with too few trials to count as well has a line of its own.
fn lost(app: &App, error: Option<(f32, FigureSource)>) -> Vec<Line> {
    let Some((error, level)) = error.filter(|_| !app.options.hidden) else {
        return vec![vec![
            ("  error   ".to_owned(), Role::Muted),
            ("—".to_owned(), Role::Text),
        ]];
    };
    let source = match level {
        FigureSource::Rollout => " by rollout".to_owned(),
        FigureSource::Ply(n) if is_rolled(app) || shown_ply(app) != Some(n) => by_review(n),
        FigureSource::Ply(n) => at_ply(n),
    };
    let mut lines = vec![error_line(app, "error", error, source)];
    let rolled = rolled_error(app).filter(|_| level != FigureSource::Rollout);
    lines.extend(rolled.map(|rolled| error_line(app, "rollout", rolled, " so far".to_owned())));
    lines
}

fn error_line(app: &App, name: &str, error: f32, source: String) -> Line {
    let mark = Mark::of(error, &app.thresholds());
    let size = app.scale().label(f64::from(error));
    vec![
        (format!("  {name:<7} "), Role::Muted),
        (size, Role::Text),
        (format!(" {}", mark.sign()), mark_role(mark)),
        (source, Role::Muted),
    ]
}

/// Error of the choice that was made, in points, by the rollout whose figures are in view, however few its
/// trials.
fn rolled_error(app: &App) -> Option<f32> {
    let review = app.document.reviews.get(app.at)?.as_ref()?;
    let choice = review.cube?.choice?;
    let state = app.turn()?.before.state;
    let cube = CubeFigures::of(app, &state, None)?;
    cube.intervals.as_ref()?;
    cube.decision?.error(choice)
}

/// The equities, the chances and the cube action.
fn figures(lines: &mut PaneLines, app: &App, turn: &MatchTurn, width: u16) {
    let state = &turn.before.state;
    let scale = app.scale();
    let known = chances(app);
    let cube = CubeFigures::of(app, state, known.as_ref().map(|(chances, _)| chances));
    if known.is_none() && cube.is_none() {
        let word = match app.failure() {
            Some(_) => app
                .keymap
                .named("  could not be analysed, {warnings} says why"),
            None => "  — being analysed".to_owned(),
        };
        return lines.push(Worth::Decision, vec![(word, Role::Muted)]);
    }
    let columns = usize::from(width).saturating_sub(2);
    if let Some(whose) = whose_figures(app, state, columns) {
        lines.push(Worth::Decision, vec![(format!("  {whose}"), Role::Muted)]);
    }
    let equity = |name: &str, value: String, source: &str| {
        vec![
            (format!("  {name:<9} "), Role::Muted),
            (value, Role::Strong),
            (source.to_owned(), Role::Muted),
        ]
    };
    if let Some(cube) = &cube {
        let points = f64::from(cube.equity);
        let from = format!("  {}", cube.source);
        let whole = Scale::new(Units::Whole, &state.roller(), &app.model);
        let mwc = whole.value(points);
        match (scale.is_of_cube(), state.score.is_money()) {
            (false, false) => lines.push(Worth::Equity, equity("MWC", mwc, &from)),
            (true, false) => {
                lines.push(Worth::Equity, equity("equity", scale.value(points), &from));
                lines.push(Worth::Equity, equity("MWC", mwc, ""));
            }
            (_, true) => lines.push(
                Worth::Equity,
                equity(scale.name(), scale.value(points), &from),
            ),
        }
    }
    if let Some((chances, source)) = &known {
        let roller = state.roller();
        let context = app.model.context(&roller);
        let cubeless = f64::from(context.cubeless_points(Cube::of(&roller), chances));
        lines.push(
            Worth::Chances,
            equity("cubeless", scale.value(cubeless), source),
        );
        lines.gap();
        for line in shares(chances) {
            lines.push(Worth::Chances, line);
        }
    }
    if let Some(cube) = cube {
        cube_action(lines, state, &cube, scale);
    }
}

/// Wins and losses with the gammons and backgammons among them.
fn shares(chances: &Probabilities) -> [Line; 2] {
    // A certainty has no room for its tenths.
    let percent = |chance: f64| match text::percent(chance) {
        all if all == "100.0" => "100".to_owned(),
        part => part,
    };
    let p = chances.to_array().map(|c| percent(f64::from(c)));
    let lose = percent(1.0 - f64::from(chances.win));
    let line = |name: &str, [all, gammon, backgammon]: [&String; 3]| {
        let line = format!("  {name:<5}{all:>5} gammon{gammon:>5} bg{backgammon:>4}");
        vec![(line, Role::Text)]
    };
    [
        line("wins", [&p[0], &p[1], &p[2]]),
        line("loses", [&lose, &p[3], &p[4]]),
    ]
}

/// Letters of an action that leaves no room for a long name before it.
const LONG_ACTION: usize = 14;

/// The cube action, or the answer to a double on offer, and what each action is worth to the doubler.
fn cube_action(lines: &mut PaneLines, state: &GameState, known: &CubeFigures, scale: Scale) {
    let Some(decision) = &known.decision else {
        return;
    };
    if decision.double_take.is_none() {
        return;
    }
    lines.gap();
    let (name, action) = match state.doubled {
        true => ("answer", decision.answer().map_or("", CubeChoice::name)),
        false => ("cube action", cube_words(decision.action.name(), state)),
    };
    // The longest actions are whole in the narrowest pane.
    let name = if action.len() > LONG_ACTION {
        "cube"
    } else {
        name
    };
    let named = vec![
        (format!("  {name}  "), Role::Muted),
        (action.into(), Role::Best),
    ];
    lines.push(Worth::Decision, named);
    let rows = known.actions(state);
    let wide = rows.iter().map(|row| row.name.len()).max().unwrap_or(0) + 1;
    for row in rows {
        let interval = row
            .interval
            .map_or_else(String::new, |words| format!(" {words}"));
        let (name, value) = (row.name, scale.value(f64::from(row.value)));
        let line = format!("  {name:<wide$}{value}{interval}");
        lines.push(Worth::Decision, vec![(line, Role::Text)]);
    }
}
