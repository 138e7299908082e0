//! What another program that analysed the match says of the decision in view, where the file tells it,
//! beside what Luckless says.

use super::candidate_rows::{self, FigureSource};
use super::error_list::ErrorRow;
use crate::cube::{CubeDecision, cube_words};
use crate::game::{GameState, Position};
use crate::match_file::analysis::beavered;
use crate::match_file::{Analysis, CubeUnit, CubeVerdict};
use crate::review::{Class, MatchTurn, imported_error};
use crate::tui::screen::units::{Scale, Units};
use crate::tui::state::App;
use crate::tui::text;

/// A play, or what can be done with the cube.
#[derive(Clone, Debug, PartialEq)]
pub struct ImportedRow {
    pub name: String,
    /// The position after the play.
    pub result: Option<Position>,
    /// The program's equity, in points on the present cube.
    pub equity: Option<f64>,
    /// That less the equity of the best, or of the right cube action.
    pub difference: f64,
    /// How deep the program looked, in its own words.
    pub level: String,
    /// The program's chances: win, gammon, backgammon, lost gammon, lost backgammon.
    pub chances: Option<[f64; 5]>,
    /// Equity by Luckless, and where it comes from.
    pub ours: Option<(f64, FigureSource)>,
    /// Whether it is what was done.
    pub is_played: bool,
}

/// The program's name in a few characters.
pub fn short_name(program: &str) -> &str {
    // Behind the name there may be a version.
    match program {
        _ if program.starts_with("eXtreme Gammon") => "XG",
        _ if program.starts_with("GNU Backgammon") => "gnubg",
        other => other,
    }
}

/// The analysis of the decision in view, unless answers are hidden.
pub fn analysis(app: &App) -> Option<&Analysis> {
    let is_shown = !app.options.hidden && app.editor.is_none() && app.quiz.is_none();
    let turn = app.turn().filter(|_| is_shown)?;
    let second = app.second.get(&app.decision()?);
    if second.is_some() {
        return second;
    }
    if app.variation.is_some() {
        return None;
    }
    let analysis = of_file(app, turn)?;
    let has_any = match turn.before.state.roll {
        Some(_) => !analysis.plays.is_empty(),
        None => analysis.cube.is_some(),
    };
    has_any.then_some(analysis)
}

/// What the file says of a turn, or of its position that is in view.
fn of_file<'a>(app: &'a App, turn: &MatchTurn) -> Option<&'a Analysis> {
    let record = &app.document.record;
    if record.games.is_empty() {
        return record.positions.first()?.analysis.as_ref();
    }
    record.analyses.of(turn.game, turn.before.event)
}

/// What a decision of the list of errors gave away by the file's program, in points.
pub fn error_of(app: &App, row: &ErrorRow) -> Option<f64> {
    let turn = app.document.turns.get(row.decision.turn)?;
    let analysis = of_file(app, turn)?;
    match row.class {
        Class::Checker => analysis.error,
        Class::Double | Class::Take => imported_error(analysis.cube.as_ref()?, turn, &app.model),
    }
}

/// The units of its equities: those of the player on roll, who after a double is the doubler.
pub fn scale(app: &App) -> Scale {
    app.turn().map_or(Scale::CUBE, |turn| {
        let state = turn.before.state.roller();
        Scale::new(app.options.units, &state, &app.model)
    })
}

/// All that the program says, best plays first.
pub fn rows(app: &App) -> Vec<ImportedRow> {
    let (Some(analysis), Some(turn)) = (analysis(app), app.turn()) else {
        return Vec::new();
    };
    let mut rows = match (turn.before.state.roll, &analysis.cube) {
        (Some(_), _) => plays(app, analysis, &turn.before.state.position),
        (None, Some(cube)) => actions(app, cube, &turn.before.state),
        (None, None) => Vec::new(),
    };
    let best = match turn.before.state.roll {
        Some(_) => rows.iter().find_map(|row| row.equity),
        None => right_action(&rows, &|row| row.equity),
    };
    for row in &mut rows {
        row.difference = row.equity.zip(best).map_or(0.0, |(a, b)| a - b);
    }
    rows
}

/// Value of the right cube action, where `value` gives a figure of all three rows.
pub fn right_action(
    rows: &[ImportedRow],
    value: &dyn Fn(&ImportedRow) -> Option<f64>,
) -> Option<f64> {
    let [no_double, take, pass] = rows else {
        return None;
    };
    let doubled = value(take)?.min(value(pass)?);
    Some(value(no_double)?.max(doubled))
}

fn plays(app: &App, analysis: &Analysis, position: &Position) -> Vec<ImportedRow> {
    let ours = candidate_rows::ranked(app);
    let verdicts = analysis.plays.iter().enumerate();
    let made = ours.iter().find(|row| row.is_played);
    let made = made.map(|row| row.candidate.result);
    let row = |(i, verdict): (usize, &crate::match_file::PlayVerdict)| {
        let result = verdict.play.apply(position);
        let mine = ours.iter().find(|row| row.candidate.result == result);
        ImportedRow {
            name: text::play(&verdict.play, position),
            result: Some(result),
            equity: Some(verdict.equity),
            difference: 0.0,
            level: verdict.level.clone(),
            chances: verdict.chances.map(|c| {
                [
                    c.win,
                    c.win_gammon,
                    c.win_backgammon,
                    c.lose_gammon,
                    c.lose_backgammon,
                ]
            }),
            ours: mine.map(|row| (row.equity, row.level)),
            is_played: analysis.played == Some(i) || made == Some(result),
        }
    };
    verdicts.map(row).collect()
}

/// The three figures of a cube decision, the doubler's.
fn actions(app: &App, cube: &CubeVerdict, state: &GameState) -> Vec<ImportedRow> {
    let whole = Scale::new(Units::Whole, &state.roller(), &app.model);
    let points = |value: f64| match cube.unit {
        CubeUnit::Points => value,
        CubeUnit::Mwc => whole.of_chance(value),
    };
    let ours = our_cube(app, state);
    let mine = |of: fn(&CubeDecision) -> Option<f32>| {
        let (decision, level) = ours.as_ref()?;
        Some((f64::from(of(decision)?), *level))
    };
    // Where the answer is a beaver, the double is worth what that leaves.
    let beavered = cube
        .double_take
        .and_then(|take| beavered(take, state.allows_beavers()));
    let figures = [
        (
            "no double",
            cube.no_double,
            mine(|ours| Some(ours.no_double)),
        ),
        (
            match beavered {
                Some(_) => "double/beaver",
                None => "double/take",
            },
            beavered.or(cube.double_take),
            mine(|ours| ours.beavered().or(ours.double_take)),
        ),
        (
            "double/pass",
            cube.double_pass,
            mine(|ours| ours.double_pass),
        ),
    ];
    let row =
        |(name, theirs, ours): (&str, Option<f64>, Option<(f64, FigureSource)>)| ImportedRow {
            name: cube_words(name, state).to_owned(),
            result: None,
            equity: theirs.map(points),
            difference: 0.0,
            level: cube.level.clone(),
            chances: None,
            ours,
            is_played: false,
        };
    figures.map(row).into_iter().collect()
}

/// Our cube decision in view, by its rollout if there is one, else by lookahead.
pub fn our_cube(app: &App, state: &GameState) -> Option<(CubeDecision, FigureSource)> {
    if let Some((job, _)) = app.jobs.cube_rollout(app.decision()?) {
        return Some((job.cube_decision(state)?, FigureSource::Rollout));
    }
    let cube = app.review()?.cube?;
    Some((cube.decision, FigureSource::Ply(cube.ply)))
}

/// The row of the selected play, else the first.
pub fn selected(app: &App) -> usize {
    let play = app.selection.play;
    let is_selected = |row: &ImportedRow| play.is_some() && row.result == play;
    rows(app).iter().position(is_selected).unwrap_or(0)
}
