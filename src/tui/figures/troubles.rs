//! All that went wrong and can still be read: what is not saved, decisions that could not be analysed,
//! what workers have said, the warnings of the file, and files that the library cannot read.

use crate::match_file::{Match, Warning};
use crate::tui::documents::document::{Document, warned_turn};
use crate::tui::documents::played_match::seed_of;
use crate::tui::state::App;

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

/// The part of the match that a row is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// Nothing in the match.
    Nothing,
    /// A turn of the variation in view.
    InView(usize),
    /// A turn of the match.
    Turn(usize),
    /// A line of the file.
    Line(u32),
}

/// Something that went wrong at a place.
fn row(place: String, text: String, goal: Goal) -> TroubleRow {
    TroubleRow { place, text, goal }
}

/// The decisions of a document that could not be analysed.
fn failed(document: &Document, goal: fn(usize) -> Goal) -> impl Iterator<Item = TroubleRow> {
    document.failed.iter().map(move |(&turn, why)| {
        let place = document.turns.get(turn);
        let place = place.map_or((0, 0), |turn| (turn.game + 1, turn.number));
        let text = format!("could not be analysed: {why}");
        row(format!("{}:{}", place.0, place.1), text, goal(turn))
    })
}

/// The variation in view, if one is.
fn line(app: &App) -> Option<&Document> {
    app.variation.as_ref().map(|_| &app.document)
}

/// All rows: what matters most comes first.
pub fn rows(app: &App) -> Vec<TroubleRow> {
    let unsaved = app.unsaved.iter().map(|(store, unsaved)| {
        let counted = store.counted(unsaved.count);
        let text = format!(
            "{counted} not saved yet, tried again until saved: {}",
            unsaved.why
        );
        row("unsaved".into(), text, Goal::Nothing)
    });
    let in_line = line(app).into_iter();
    let in_line = in_line.flat_map(|line| failed(line, Goal::InView));
    let in_match = failed(app.home(), Goal::Turn);
    let said = app.log.iter().rev().map(|text| {
        let text = text.clone();
        row("session".into(), text, Goal::Nothing)
    });
    let file = of_file(&app.home().record).map(|w| {
        let place = match (w.offset, w.line) {
            (Some(byte), _) => format!("byte {byte}"),
            (None, 0) => String::new(),
            (None, line) => format!("{line:>5}:{:<3}", w.column),
        };
        let turn = w.turn.and_then(|at| warned_turn(&app.home().turns, at));
        let goal = match (turn, w.line) {
            (Some(turn), _) => Goal::Turn(turn),
            (None, 0) => Goal::Nothing,
            (None, line) => Goal::Line(line),
        };
        row(place, w.message.clone(), goal)
    });
    let failed = in_line.chain(in_match);
    let unreadable = app.library.filling.unreadable.iter().map(|name| {
        let text = format!("{name} cannot be read: luckless inspect says why");
        row("library".into(), text, Goal::Nothing)
    });
    let of_match = unsaved.chain(failed).chain(said).chain(file);
    of_match.chain(unreadable).collect()
}

/// The warnings about a match's file. One of a match against the program that is not over is as it should be.
pub fn of_file(record: &Match) -> impl Iterator<Item = &Warning> {
    let is_ours = seed_of(record).is_some();
    let warnings = record.warnings.iter();
    warnings.filter(move |warning| !(is_ours && warning.is_of_open_end()))
}

/// Number of all rows.
pub fn count(app: &App) -> usize {
    let home = app.home();
    let failed = home.failed.len() + line(app).map_or(0, |line| line.failed.len());
    let unreadable = app.library.filling.unreadable.len();
    app.unsaved.len() + failed + app.log.len() + of_file(&home.record).count() + unreadable
}
