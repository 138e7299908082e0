//! The windows that are copied as text: as `luckless why`, `matrix`, `review` and `met` print them, and the list of
//! errors.

use crate::analysis::{Cell, CellAnswer};
use crate::notation::xgid_text;
use crate::review::report::decision_text::{ComparisonText, CubeText, MatrixText, RollsText};
use crate::tui::figures::rolled_cells;
use crate::tui::rollouts::inquiry::{Answer, Inquiry, MATRIX};
use crate::tui::state::App;
use crate::tui::view::score_of_cell;

/// Copies what a window has found, by name, or says that there is nothing yet.
pub(crate) fn copy(app: &mut App, found: Option<(&'static str, String)>) {
    match found {
        Some((what, text)) => super::plays::to_clipboard(app, what, text),
        None => app.say("this is still being worked out"),
    }
}

/// Copies what is known of a question.
pub(crate) fn copy_answer(app: &mut App, inquiry: &Inquiry) {
    let answer = app.inquiries.about(inquiry);
    let found = answer.and_then(|answer| text(app, answer));
    copy(app, found);
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
