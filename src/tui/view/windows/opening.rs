//! What the opening book has to say of the plays in view.

use crate::analysis::OpeningBook;
use crate::game::{GameState, Play, Position};
use crate::stats::interval::NORMAL_975;
use crate::tui::screen::units::{Scale, Units};
use crate::tui::state::App;
use crate::tui::text;

/// What the opening book says of the selected play, or of the best one in the book, in so many columns.
pub(crate) fn of_play(app: &App, columns: usize) -> Option<String> {
    if app.options.hidden {
        return None;
    }
    let state = app.turn()?.before.state;
    let book = OpeningBook::bundled();
    let best = book.plays(&state).first()?;
    let scale = app.scale();
    let half = |se: f64| scale.half([-NORMAL_975 * se, NORMAL_975 * se]);
    let texts = match app.selection.play {
        Some(selected) => {
            let Some(found) = book.play(&state, &selected) else {
                return Some("book: not among the best".to_owned())
                    .filter(|said| text::width(said) <= columns);
            };
            let (value, half) = (scale.value(found.equity), half(found.se));
            vec![
                format!("book: this {value} ±{half}"),
                format!("book: this {value}"),
            ]
        }
        None => {
            let play = name(&state, &best.result)?;
            let (value, half) = (scale.value(best.equity), half(best.se));
            vec![
                format!("book: {play} {value} ±{half}"),
                format!("book: {play} {value}"),
                format!("book: {play}"),
            ]
        }
    };
    texts.into_iter().find(|said| text::width(said) <= columns)
}

/// What the opening book says of two plays that are compared, in a sentence.
pub(crate) fn of_pair(app: &App, state: &GameState, results: [Position; 2]) -> Option<String> {
    let book = OpeningBook::bundled();
    let found = results.map(|result| book.play(state, &result));
    let scale = Scale::new(Units::Cube, state, &app.model);
    let said = |letter: char, index: usize| {
        let Some(play) = found[index] else {
            return format!("{letter} is not in it");
        };
        let half = scale.half([-NORMAL_975 * play.se, NORMAL_975 * play.se]);
        format!("{letter} {} ±{half}", scale.value(play.equity))
    };
    let trials = found.iter().flatten().map(|play| play.trials).min()?;
    let trials = text::count(trials as f64);
    Some(format!(
        "The opening book: {}, {}; {trials} trials each or more",
        said('A', 0),
        said('B', 1)
    ))
}

/// The play of the state's roll that leads to `result`.
fn name(state: &GameState, result: &Position) -> Option<String> {
    let play = Play::to(&state.position, state.roll?, result)?;
    Some(text::play(&play, &state.position))
}
