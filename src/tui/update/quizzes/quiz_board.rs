//! A play put together on the board of the quiz: checkers are clicked, or reached with the arrow keys. All legal
//! plays take part, so that the choices give no hint.

use crate::eval::{Candidate, Probabilities};
use crate::game::position::{BAR, OFF};
use crate::game::{GameState, Play, PlayList};
use crate::tui::documents::picks::{self, fits};
use crate::tui::keys::KeyScope;
use crate::tui::state::App;
use crate::tui::text;

/// All legal plays of a question with dice; none without dice.
fn plays(state: &GameState) -> Vec<Candidate> {
    let Some(roll) = state.roll else {
        return Vec::new();
    };
    let list = PlayList::of(&state.position, roll);
    let all = list.plays().iter().zip(list.results());
    all.map(|(play, result)| Candidate {
        play: *play,
        result: *result,
        probabilities: Probabilities::default(),
        equity: 0.0,
        ply: 0,
    })
    .collect()
}

/// The question, while it may be answered by a play.
fn open(app: &App) -> Option<GameState> {
    let quiz = app.quiz.as_ref().filter(|quiz| !quiz.is_over)?;
    let open = &quiz.open;
    let may = open.given.is_none() && open.typed.is_none();
    may.then_some(open.decision.state)
        .filter(|state| state.roll.is_some())
}

/// Whether anything is chosen on the board, or about to be.
pub(crate) fn is_used(app: &App) -> bool {
    let cursor = app.quiz.as_ref().and_then(|quiz| quiz.open.cursor);
    cursor.is_some() || !app.selection.picks.is_empty()
}

/// Lets all plays be chosen again.
pub(crate) fn clear(app: &mut App) {
    if !app.selection.picks.is_empty() {
        app.selection.clear();
    }
    if let Some(quiz) = &mut app.quiz {
        quiz.open.cursor = None;
    }
}

/// The play that was put together, once no other fits.
pub(crate) fn chosen(app: &App) -> Option<Play> {
    let state = open(app)?;
    let picked = &app.selection.picks;
    if picked.is_empty() {
        return None;
    }
    let all = plays(&state);
    let mut left = all.iter().filter(|one| fits(picked, &state.position, one));
    match (left.next(), left.next()) {
        (Some(only), None) => Some(only.play),
        _ => None,
    }
}

/// Moves the cursor to the next point that a play can be narrowed by.
pub(crate) fn step(app: &mut App, is_onward: bool) {
    let Some(state) = open(app) else { return };
    let all = plays(&state);
    let picked = &app.selection.picks;
    let points: Vec<usize> = (OFF..=BAR)
        .rev()
        .filter(|&point| picks::next(picked, point, &state.position, &all).is_some())
        .collect();
    let Some(quiz) = &mut app.quiz else { return };
    let cursor = &mut quiz.open.cursor;
    let next = match (*cursor, is_onward) {
        (None, true) => points.first(),
        (None, false) => points.last(),
        (Some(at), true) => points.iter().find(|&&p| p < at).or(points.first()),
        (Some(at), false) => points.iter().rev().find(|&&p| p > at).or(points.last()),
    };
    *cursor = next.copied();
    if app.selection.picks.is_empty() {
        // A choice that the board shows is another answer.
        app.selection.play = None;
    }
}

/// Takes the point under the cursor; answers whether there is one.
pub(crate) fn take(app: &mut App) -> bool {
    let cursor = app.quiz.as_ref().and_then(|quiz| quiz.open.cursor);
    if let Some(point) = cursor {
        pick(app, point);
    }
    cursor.is_some()
}

/// A click on a point; one elsewhere on the board lets all plays be chosen again.
pub(crate) fn click(app: &mut App, point: Option<usize>) {
    match point {
        Some(point) => pick(app, point),
        None => clear(app),
    }
}

/// Leaves only plays in which a checker leaves a point, or comes to it.
fn pick(app: &mut App, point: usize) {
    let Some(state) = open(app) else { return };
    if app.selection.picks.is_empty() {
        app.selection.play = None;
    }
    let all = plays(&state);
    let before = &state.position;
    let Some(pick) = picks::next(&app.selection.picks, point, before, &all) else {
        return app.say("no play that is left moves a checker from there or to there");
    };
    app.selection.picks.push(pick);
    if let Some(quiz) = &mut app.quiz {
        quiz.open.cursor = None;
    }
    let picked = &app.selection.picks;
    let left: Vec<&Candidate> = all.iter().filter(|one| fits(picked, before, one)).collect();
    match left[..] {
        [only] => {
            let words = text::play(&only.play, before);
            app.selection.play = Some(only.result);
            let keys = "{answer or go on} answers, {take back} takes back";
            let keys = app.keymap.named_in(KeyScope::Quiz, keys);
            app.say(format!("{words}: {keys}"));
        }
        _ => {
            let words = picks::words(picked);
            let key = app.keymap.named_in(KeyScope::Quiz, "{take back}");
            app.say(format!("{words}: {} plays left ({key}: back)", left.len()));
        }
    }
}

/// Takes the last point back.
pub(crate) fn back(app: &mut App) {
    if app.selection.picks.pop().is_some() {
        app.selection.play = None;
    }
}
