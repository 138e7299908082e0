//! A play that was typed.

use crate::game::Position;
use crate::notation::parse_play;
use crate::tui::figures::conditions;
use crate::tui::keys::{ActionId, KeyScope, find};
use crate::tui::state::App;
use crate::tui::update::analysis::plays;
use crate::tui::update::lines::{self, transcript};
use crate::tui::update::quizzes::quiz;

/// Answers the quiz with a typed play, or takes it as a line of a transcript. Elsewhere it is selected among the plays in
/// view, and in a variation or a game that is played it is made. Answers whether it was taken, or else says what is
/// wrong.
pub(super) fn take(app: &mut App, typed: &str) -> bool {
    if app.quiz.is_some() {
        return quiz::typed(app, typed);
    }
    if app.is_transcribing() {
        return transcript::line(app, typed);
    }
    let state = app.turn().map(|turn| turn.before.state);
    let Some((state, roll)) = state.and_then(|state| Some((state, state.roll?))) else {
        return true;
    };
    match parse_play(typed, &state.position, roll) {
        Ok(play) => {
            select(app, play.apply(&state.position));
            true
        }
        Err(error) => {
            app.warn(error.to_string());
            false
        }
    }
}

fn select(app: &mut App, result: Position) {
    plays::show(app, result);
    if app.selection.play != Some(result) {
        return app.say("that play is legal, but is not among those that are listed");
    }
    let vary = find(ActionId::Vary, KeyScope::Match).filter(|_| app.variation.is_some());
    let Some(vary) = vary else { return };
    match conditions::check(app, vary) {
        Ok(()) => lines::act(app, ActionId::Vary),
        Err(why) => app.say(app.keymap.reason(vary, why)),
    }
}
