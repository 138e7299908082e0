//! A turn without dice: a cube action, or a position before the roll.

use ratatui::layout::Rect;

use super::candidates::{at_ply, by_review};
use super::moves::mark_role;
use super::paint::Paint;
use super::words;
use crate::cube::CubeDecision;
use crate::eval::Probabilities;
use crate::game::GameState;
use crate::match_file::Action;
use crate::review::{Mark, MatchTurn};
use crate::rollout::Estimate;
use crate::tui::candidate_rows::FigureSource;
use crate::tui::jobs::{Job, rolled_decision};
use crate::tui::state::App;
use crate::tui::text;
use crate::tui::theme::Role;
use crate::tui::units::{Scale, Units};

/// Trials from which on a rollout's figures take the place of the evaluation's.
const TRIALS_TO_REPLACE: u64 = 36;

/// A line of words.
type Line = Vec<(String, Role)>;

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

    /// As many as there is room for.
    fn fitting(mut self, height: usize) -> Vec<Line> {
        while self.0.len() > height {
            let least = self.0.iter().map(|(worth, _)| *worth).min();
            let at = self.0.iter().rposition(|(worth, _)| Some(*worth) == least);
            self.0.remove(at.unwrap_or(0));
        }
        self.0.into_iter().map(|(_, line)| line).collect()
    }
}

pub(super) fn draw(paint: &mut Paint<'_>, area: Rect, app: &App) {
    let Some(turn) = app.turn() else { return };
    let mut lines = PaneLines::default();
    if app.before.is_some() || turn.action.is_some() {
        let done = match app.before {
            Some(_) => silence(app, turn),
            None => action(app, turn),
        };
        for line in done {
            lines.push(Worth::Done, line);
        }
        let columns = usize::from(area.width.saturating_sub(2));
        for said in super::imported_analysis::of_cube(app, columns) {
            let line = vec![(format!("  {said}"), Role::Muted)];
            lines.push(Worth::OtherProgram, line);
        }
    }
    if !app.options.hidden {
        lines.gap();
        figures(&mut lines, app, turn);
    }
    let lines = lines.fitting(usize::from(area.height));
    for (row, line) in (0u16..).zip(&lines) {
        let words: Vec<(&str, Role)> = line.iter().map(|(w, r)| (w.as_str(), *r)).collect();
        paint.line(area, row, &words);
    }
}

/// Whether the figures of a turn without dice are a rollout's.
pub(super) fn is_rolled(app: &App) -> bool {
    let Some(view) = app.decision().filter(|d| d.state().roll.is_none()) else {
        return false;
    };
    let candidate = |job: &Job| {
        let before = view.before_roll();
        before.and_then(|position| job.result_of(&position).map(|s| s.trials))
    };
    app.jobs.comparable(view).any(|job| {
        job.cube_values().is_some()
            || candidate(job).is_some_and(|trials| trials >= TRIALS_TO_REPLACE)
    })
}

/// What was done, and what it cost.
fn action(app: &App, turn: &MatchTurn) -> Vec<Line> {
    let name = app.name(turn.before.player);
    let done = format!("  {} {}", text::cut(name, 16), words::done(turn));
    let mut lines = vec![vec![(done, Role::Strong)]];
    if matches!(turn.action, Some(Action::Resign)) {
        return lines;
    }
    lines.push(lost(app, app.error(app.at)));
    lines
}

/// That the player rolled without a double, and what that cost.
fn silence(app: &App, turn: &MatchTurn) -> Vec<Line> {
    let name = app.name(turn.before.player);
    let done = format!("  {} rolls without a double", text::cut(name, 16));
    vec![
        vec![(done, Role::Strong)],
        lost(app, app.silent_error(app.at)),
    ]
}

/// What was lost, and what says so.
fn lost(app: &App, error: Option<(f32, FigureSource)>) -> Line {
    let mut line = vec![("  error  ".to_owned(), Role::Muted)];
    match error.filter(|_| !app.options.hidden) {
        Some((error, level)) => {
            let mark = Mark::of(error, &app.thresholds());
            let source = match level {
                FigureSource::Rollout => " by rollout".to_owned(),
                FigureSource::Ply(n) if is_rolled(app) || shown_ply(app) != Some(n) => by_review(n),
                FigureSource::Ply(n) => at_ply(n),
            };
            let size = Scale::of(app).size(f64::from(error));
            line.push((size, Role::Text));
            line.push((format!(" {}", mark.sign()), mark_role(mark)));
            line.push((source, Role::Muted));
        }
        None => line.push(("—".to_owned(), Role::Text)),
    }
    line
}

/// How deep the figures in sight were looked at.
fn shown_ply(app: &App) -> Option<u8> {
    let review = app.review()?;
    Some(match (app.before, review.cube) {
        (Some(_), Some(cube)) => cube.ply,
        _ => review.ply,
    })
}

/// The equities, the chances and the cube action.
fn figures(lines: &mut PaneLines, app: &App, turn: &MatchTurn) {
    let state = &turn.before.state;
    let scale = Scale::of(app);
    let known = chances(app);
    let cube = cube_knowledge(app, state, known.as_ref().map(|(chances, _)| chances));
    if known.is_none() && cube.is_none() {
        let word = match app.failure() {
            Some(_) => app
                .keymap
                .named("  could not be analysed, {warnings} says why"),
            None => "  — being analysed".to_owned(),
        };
        return lines.push(Worth::Decision, vec![(word, Role::Muted)]);
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
        let whole = Scale::new(Units::Whole, state, &app.model);
        let mwc = whole.value(points);
        match (scale.is_of_cube(), state.score.is_money()) {
            (false, false) => lines.push(Worth::Equity, equity("match", mwc, &from)),
            (true, false) => {
                lines.push(Worth::Equity, equity("equity", scale.value(points), &from));
                lines.push(Worth::Equity, equity("match", mwc, " to win it"));
            }
            (_, true) => lines.push(
                Worth::Equity,
                equity(scale.name(), scale.value(points), &from),
            ),
        }
    }
    if let Some((chances, source)) = &known {
        // What a match is worth without a cube is no chance to win it.
        let points = f64::from(chances.equity());
        let cubeless = match state.score.is_money() {
            true => scale.value(points),
            false => text::equity(points),
        };
        lines.push(Worth::Chances, equity("cubeless", cubeless, source));
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
    let p = chances.to_array().map(|c| text::percent(f64::from(c)));
    let lose = text::percent(1.0 - f64::from(chances.win));
    let line = |name: &str, [all, gammon, backgammon]: [&String; 3]| {
        let line = format!("  {name:<5}{all:>5} gammon{gammon:>5} bg{backgammon:>5}");
        vec![(line, Role::Text)]
    };
    [
        line("wins", [&p[0], &p[1], &p[2]]),
        line("loses", [&lose, &p[3], &p[4]]),
    ]
}

/// Chances of the player whose turn it is, and what says so.
fn chances(app: &App) -> Option<(Probabilities, String)> {
    let decision = app.decision()?;
    let candidate = app.jobs.result_of(decision, &decision.before_roll()?);
    if let Some(s) = candidate.filter(|s| s.trials >= TRIALS_TO_REPLACE) {
        let means = s.probabilities.map(|e| e.mean as f32);
        return Some((Probabilities::from_array(means), "  rollout".into()));
    }
    let ply = shown_ply(app)?;
    Some((app.review()?.chances?, format!("  {ply}-ply")))
}

/// What is known about the cube.
struct CubeKnowledge {
    /// What the turn is worth to whose turn it is, played well by both, in points on the present
    /// cube.
    equity: f32,
    source: String,
    /// The doubler's decision.
    decision: Option<CubeDecision>,
    /// What the rollout of the decision has found.
    rolled: Option<[Estimate; 2]>,
}

/// The cube's value: by its rollout, else by lookahead, else from the chances shown.
fn cube_knowledge(
    app: &App,
    state: &GameState,
    chances: Option<&Probabilities>,
) -> Option<CubeKnowledge> {
    let view = app.decision()?;
    let rolled = app.jobs.cube_values(view);
    if let Some(values) = rolled {
        let decision = rolled_decision(state, values);
        return Some(CubeKnowledge {
            equity: offer_equity(state, &decision),
            source: "rollout".into(),
            decision: Some(decision),
            rolled,
        });
    }
    let alone = |job: &Job| {
        job.is_cubeful()
            .then(|| job.result_of(&view.before_roll()?))?
            .cloned()
    };
    let candidate = app.jobs.comparable(view).find_map(alone);
    if let Some(candidate) = candidate.filter(|s| s.trials >= TRIALS_TO_REPLACE) {
        let half = Scale::of(app).half(candidate.equity.ci95);
        return Some(CubeKnowledge {
            equity: candidate.equity.mean as f32,
            source: format!("±{half} rollout"),
            decision: None,
            rolled: None,
        });
    }
    let looked = app.review().and_then(|r| r.cube);
    let doubler = |chances: &Probabilities| match state.doubled {
        true => chances.flipped(),
        false => *chances,
    };
    let decision = match looked {
        Some(looked) => looked.decision,
        None if state.position.is_over() => return None,
        // The next tick of the clock shows it: a screen does not wait for a table.
        None if !app.model.at_hand(&state.roller()) => return None,
        None => app.model.decision(&state.roller(), &doubler(chances?)),
    };
    let ply = looked.map_or_else(|| app.review().map_or(0, |r| r.ply), |looked| looked.ply);
    Some(CubeKnowledge {
        equity: offer_equity(state, &decision),
        source: format!("{ply}-ply"),
        decision: Some(decision),
        rolled: None,
    })
}

/// What a decision is worth to the player whose turn it is. One who answers a double has it on the
/// cube already.
fn offer_equity(state: &GameState, decision: &CubeDecision) -> f32 {
    match decision.doubled() {
        Some(doubled) if state.doubled => -doubled,
        _ if state.doubled => -decision.cubeful_equity,
        _ => decision.cubeful_equity,
    }
}

fn cube_action(lines: &mut PaneLines, state: &GameState, analysed: &CubeKnowledge, scale: Scale) {
    let Some(decision) = &analysed.decision else {
        return;
    };
    let (Some(take), Some(pass)) = (decision.double_take, decision.double_pass) else {
        return;
    };
    let action = match state.doubled {
        true if decision.is_beavered() => "beaver",
        true if take > pass => "pass",
        true => "take",
        false => decision.action.name(),
    };
    lines.gap();
    let (scale, whose) = if state.doubled {
        (scale.flipped(), "  doubler's")
    } else {
        (scale, "")
    };
    let named = vec![
        ("  cube action  ".into(), Role::Muted),
        (action.into(), Role::Best),
        (whose.into(), Role::Muted),
    ];
    lines.push(Worth::Decision, named);
    let half = |i: usize| {
        let rolled = analysed.rolled.as_ref();
        rolled.map_or_else(String::new, |r| format!(" ±{}", scale.half(r[i].ci95)))
    };
    // What a beaver leaves is what the double is worth.
    let (answer, taken, taken_half, wide) = match decision.doubled() {
        Some(doubled) if decision.is_beavered() => ("double, beaver", doubled, String::new(), 15),
        _ => ("double, take", take, half(1), 13),
    };
    for (name, value, half) in [
        ("no double", decision.no_double, half(0)),
        (answer, taken, taken_half),
        ("double, pass", pass, String::new()),
    ] {
        let value = scale.value(f64::from(value));
        let line = format!("  {name:<wide$}{value}{half}");
        lines.push(Worth::Decision, vec![(line, Role::Text)]);
    }
}
