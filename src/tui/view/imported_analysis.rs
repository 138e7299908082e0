//! What another program that analysed the match says of the turn in view, where the file tells it.

use crate::match_file::{Action, Analysis, CubeUnit, CubeVerdict};
use crate::tui::state::App;
use crate::tui::text;
use crate::tui::units::Units;

/// The program's name in a few characters.
fn short(program: &str) -> &str {
    match program {
        "eXtreme Gammon" => "XG",
        "GNU Backgammon" => "gnubg",
        other => other,
    }
}

/// Its analysis of the turn in view, unless answers are hidden.
fn analysis(app: &App) -> Option<&Analysis> {
    let turn = app
        .turn()
        .filter(|_| !app.options.hidden && app.editor.is_none())?;
    let analyses = &app.document.record.analyses;
    analyses.of(turn.game, turn.before.event)
}

/// What it says of the plays: of the selected one, or of the best and the one that was made.
pub(super) fn of_play(app: &App) -> Option<String> {
    let (analysis, turn) = (analysis(app)?, app.turn()?);
    let position = &turn.before.state.position;
    let name = short(&analysis.program);
    // Its figures are equities whatever the others are shown in.
    let named = match app.options.units {
        Units::Cube => "",
        Units::Whole => "equity ",
    };
    let equity = |value: f64| format!("{named}{}", text::equity(value));
    if let Some(selected) = app.selection.play {
        let found = analysis
            .plays
            .iter()
            .find(|verdict| verdict.play.apply(position) == selected)?;
        return Some(format!("{name}: this {}", equity(found.equity)));
    }
    let best = analysis.plays.first()?;
    let mut line = format!(
        "{name}: {} {}",
        text::play(&best.play, position),
        equity(best.equity)
    );
    if let Some(error) = analysis.error.filter(|&error| error >= 0.0005) {
        line += &format!(", error {}", text::small(error));
    }
    Some(line)
}

/// What it says of the cube.
pub(super) fn of_cube(app: &App) -> Option<String> {
    let analysis = analysis(app)?;
    let cube: &CubeVerdict = analysis.cube.as_ref()?;
    let figure = |value: f64| match cube.unit {
        CubeUnit::Points => text::equity(value),
        CubeUnit::Mwc => format!("{:.1}%", 100.0 * value),
    };
    let mut words: Vec<String> = [("no", cube.no_double), ("take", cube.double_take)]
        .into_iter()
        .filter_map(|(what, value)| Some(format!("{what} {}", figure(value?))))
        .collect();
    let error = match app.turn()?.action {
        Some(Action::Take | Action::Pass | Action::Beaver { .. }) => cube.answer_error,
        _ => cube.error,
    };
    if let Some(error) = error.filter(|&error| error >= 0.0005) {
        words.push(format!("error {}", text::small(error)));
    }
    (!words.is_empty()).then(|| format!("{}: {}", short(&analysis.program), words.join(", ")))
}
