//! All that went wrong and can still be read: what is not saved, decisions that could not be analysed,
//! what workers have said, and the warnings of the file.

use super::document::warned_turn;
use super::state::App;

/// So many of the workers' warnings are remembered.
pub(super) const MOST_WARNINGS: usize = 50;

/// Something that went wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TroubleRow {
    /// Where, in a few characters.
    pub place: String,
    /// The message.
    pub text: String,
    /// What Enter leads to.
    pub goal: Goal,
}

/// What it is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// Nothing in the match.
    Nothing,
    /// A turn.
    Turn(usize),
    /// A line of the file.
    Line(u32),
}

/// All of it: what matters most comes first.
#[must_use]
pub fn rows(app: &App) -> Vec<TroubleRow> {
    let row = |place: String, text: String, goal| TroubleRow { place, text, goal };
    let unsaved = app.unsaved.iter().map(|(store, unsaved)| {
        let counted = store.counted(unsaved.count);
        let text = format!(
            "{counted} not saved yet, tried again until saved: {}",
            unsaved.why
        );
        row("unsaved".into(), text, Goal::Nothing)
    });
    let failed = app.document.failed.iter().map(|(&turn, why)| {
        let number = app.document.turns.get(turn).map_or(0, |t| t.number);
        let game = app.document.turns.get(turn).map_or(0, |t| t.game + 1);
        let text = format!("could not be analysed: {why}");
        row(format!("{game}:{number}"), text, Goal::Turn(turn))
    });
    let said = app.log.iter().rev().map(|text| {
        let text = text.clone();
        row("session".into(), text, Goal::Nothing)
    });
    let file = app.document.record.warnings.iter().map(|w| {
        let place = match w.offset {
            Some(byte) => format!("byte {byte}"),
            None => format!("{:>5}:{:<3}", w.line, w.column),
        };
        let turn = w.turn.and_then(|at| warned_turn(&app.document.turns, at));
        let goal = match (turn, w.offset) {
            (Some(turn), _) => Goal::Turn(turn),
            (None, Some(_)) => Goal::Nothing,
            (None, None) => Goal::Line(w.line),
        };
        row(place, w.message.clone(), goal)
    });
    unsaved.chain(failed).chain(said).chain(file).collect()
}

/// How many there are.
#[must_use]
pub fn count(app: &App) -> usize {
    let document = &app.document;
    app.unsaved.len() + document.failed.len() + app.log.len() + document.record.warnings.len()
}
