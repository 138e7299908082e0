//! The windows that are copied as text: as `luckless why`, `matrix`, `review` and `met` print them, and the list of
//! errors.

use crate::analysis::{Cell, CellAnswer};
use crate::notation::xgid_text;
use crate::review::report::decision_text::{
    ComparisonText, CubeText, MatrixText, RollsText, score_text, table_text,
};
use crate::tui::figures::{error_list, rolled_cells};
use crate::tui::keys::KeyScope;
use crate::tui::rollouts::inquiry::{Answer, Inquiry, MATRIX};
use crate::tui::state::App;
use crate::tui::view::{self, score_of_cell};
use crate::tui::windows::equity_table::EquityTablePlace;
use crate::tui::windows::overlay::Overlay;

/// Copies what the window in view has found.
pub(crate) fn copy(app: &mut App) {
    let copied = match &app.overlay {
        Some(Overlay::Why { inquiry, .. } | Overlay::Matrix { inquiry, .. }) => {
            let answer = app.inquiries.about(inquiry);
            answer.and_then(|answer| text(app, answer))
        }
        Some(Overlay::Statistics { found, .. }) => {
            let is_there = !found.text.is_empty();
            is_there.then(|| ("statistics", found.text.clone()))
        }
        Some(Overlay::EquityTable(place)) => Some(("match equities", equities(app, place))),
        Some(Overlay::Errors { .. }) => {
            let rows = error_list::rows(app);
            if rows.is_empty() {
                let none = "no error to copy: {size}, {player} and {class} change the filter";
                return app.say(app.keymap.named_in(KeyScope::Errors, none));
            }
            Some(("errors", view::error_list_text(app, &rows)))
        }
        _ => return,
    };
    match copied {
        Some((what, text)) => super::plays::to_clipboard(app, what, text),
        None => app.say("this is still being worked out"),
    }
}

/// The selected score, from the side of the player at the bottom, and the table as far as it has that score.
fn equities(app: &App, place: &EquityTablePlace) -> String {
    /// Points to which the table goes at least, as at the command line.
    const SHOWN: u16 = 15;
    let [mine, theirs] = place.away;
    let [name, other] = [app.bottom(), app.bottom().other()].map(|player| app.name(player));
    let score = score_text(&place.facts());
    let table = table_text(&place.table, usize::from(mine.max(theirs).max(SHOWN)));
    format!("{name} needs {mine}, {other} needs {theirs}\n{score}\n{table}")
}

/// The text of what is known of a question, and what it is called; `None` while something is missing.
fn text(app: &App, answer: &Answer) -> Option<(&'static str, String)> {
    let state = answer.inquiry.state();
    let position = &xgid_text(state);
    match answer.inquiry {
        Inquiry::Why { .. } => {
            let (compared, luck) = answer.compared.as_ref()?;
            let text = ComparisonText {
                position,
                roll: state.roll?,
                state: *state,
                compared,
                luck: *luck,
            };
            Some(("comparison", text.write()))
        }
        Inquiry::Cube { .. } => {
            let facts = answer.cube.as_ref()?;
            let text = CubeText {
                position,
                state,
                facts,
            };
            Some(("cube decision", text.write()))
        }
        Inquiry::Rolls { .. } => {
            let text = RollsText {
                position,
                state,
                table: answer.rolls.as_ref()?,
                roll: state.roll,
            };
            Some(("rolls", text.write()))
        }
        Inquiry::Matrix { .. } => Some(("other scores", scores(app, answer, position)?)),
        Inquiry::Bias { .. } => None,
    }
}

/// The decision at other scores, with the cells that go by a rollout named below.
fn scores(app: &App, answer: &Answer, position: &str) -> Option<String> {
    let state = answer.inquiry.state();
    let (matrix, rolled) = rolled_cells::shown(app, state, answer.matrix.as_ref()?);
    let answers: Vec<CellAnswer> = matrix.answers.into_iter().collect::<Option<_>>()?;
    let text = MatrixText {
        position,
        state: *state,
        ply: answers.iter().map(|answer| answer.ply).min()?,
        max: MATRIX,
        present: matrix.reference,
        cells: &matrix.cells,
        answers: &answers,
    };
    let mut text = text.write();
    if !rolled.is_empty() {
        let words = |cell: &Cell| score_of_cell(cell, state.rules);
        let cells: Vec<String> = rolled.iter().map(words).collect();
        text.push_str(&format!("by rollout: {}\n", cells.join("; ")));
    }
    Some(text)
}
