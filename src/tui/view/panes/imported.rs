//! What another program that analysed the match says of the decision in view: in a line, and all of it in
//! a window.

use crate::review::imported_error;
use crate::tui::figures::imported::{self, ImportedRow, analysis, scale, short_name};
use crate::tui::state::App;
use crate::tui::text;

/// Errors below this, in points, are none.
const LEAST_ERROR: f64 = 0.0005;

/// What the other program says of the plays, in so many columns: of the selected play, or of the best and the
/// one that was made.
pub(crate) fn of_play(app: &App, columns: usize) -> Option<String> {
    let (analysis, rows) = (analysis(app)?, imported::rows(app));
    let (name, scale) = (short_name(&analysis.program), scale(app));
    let value = |row: &ImportedRow| row.equity.map(|equity| scale.value(equity));
    if app.selection.play.is_some() {
        let found = rows.iter().find(|row| row.result == app.selection.play)?;
        return Some(format!("{name}: this {}", value(found)?));
    }
    let best = rows.first()?;
    let (play, equity) = (&best.name, value(best)?);
    let error = analysis.error.filter(|&error| error >= LEAST_ERROR);
    let words = error.map_or_else(String::new, |error| {
        format!(", error {}", scale.label(error))
    });
    let texts = [
        format!("{name}: {play} {equity}{words}"),
        format!("{name}: {play}{words}"),
        format!("{name}: {equity}{words}"),
        format!("{name}: {equity}"),
    ];
    texts.into_iter().find(|said| text::width(said) <= columns)
}

/// What the other program says of the cube, in lines of so many columns.
pub(crate) fn of_cube(app: &App, columns: usize) -> Vec<String> {
    let Some(analysis) = analysis(app) else {
        return Vec::new();
    };
    let Some(cube) = &analysis.cube else {
        return Vec::new();
    };
    let scale = scale(app);
    let rows = imported::rows(app);
    let figures = ["no", "take"].into_iter().zip(&rows);
    let mut words: Vec<String> = figures
        .filter_map(|(what, row)| Some(format!("{what} {}", scale.value(row.equity?))))
        .collect();
    // Of a turn in view before its roll too, what was done is known.
    let turn = app.document.turns.get(app.at);
    let error = turn.and_then(|turn| imported_error(cube, turn, &app.model));
    if let Some(error) = error.filter(|&error| error >= LEAST_ERROR) {
        words.push(format!("error {}", scale.label(error)));
    }
    if words.is_empty() {
        return words;
    }
    let said = format!("{}: {}", short_name(&analysis.program), words.join(", "));
    text::wrap(&said, columns, 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::{Cube, Model};
    use crate::match_file::{Analysis, CubeUnit, CubeVerdict};
    use crate::review::{MatchTurn, turns};
    use crate::tui::screen::units::Units;
    use crate::tui::state::Document;
    use crate::tui::testing::{TestApp, record};
    use crate::tui::theme::Depth;

    /// The test match before a roll of a player who might have doubled. By figures in chances to win the
    /// match that cost 0.3 points.
    fn missed_double() -> TestApp {
        let mut record = record();
        let before = |turn: &MatchTurn| turn.before.state.before_roll();
        let turns = turns(&record);
        let is_wanted = |turn: &MatchTurn| {
            turn.before.event > 2 && turn.played().is_some() && before(turn).may_double()
        };
        let at = turns.iter().position(is_wanted);
        let at = at.expect("somebody rolls without a double");
        let (place, state) = (turns[at].before.event, before(&turns[at]));
        let context = Model::standard().context(&state);
        let level = Cube::of(&state).level;
        let chance = |points| Some(f64::from(context.from_points(level, points)));
        let mut analysis = Analysis::of("BGBlitz", Vec::new());
        analysis.cube = Some(CubeVerdict {
            unit: CubeUnit::Mwc,
            no_double: chance(0.1),
            double_take: chance(0.4),
            ..CubeVerdict::default()
        });
        record.analyses.insert(turns[at].game, place, analysis);
        let document = Document::of_match(record, "analysed.bgf".into(), 1);
        let mut bench = TestApp::with(Depth::True, document);
        while bench.app.at < at {
            bench.keys("l");
        }
        bench.keys("b");
        bench
    }

    #[test]
    fn an_error_in_chances_is_told_in_the_units_in_view() {
        let mut bench = missed_double();
        for units in [Units::Cube, Units::Whole] {
            bench.app.options.units = units;
            let error = format!("error {}", scale(&bench.app).label(0.3));
            let told = of_cube(&bench.app, 100).join(" ");
            assert!(told.ends_with(&error), "{told}, not {error}");
        }
    }
}
