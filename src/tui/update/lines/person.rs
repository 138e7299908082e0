//! What the person decides in a match that is played: the tutor has a word first.

use super::variations;
use crate::cube::CubeChoice;
use crate::match_file::Action;
use crate::review::marks::reaches;
use crate::store::UserSettings;
use crate::tui::documents::played_match::{LastChoice, PlayedMatch, Weighed};
use crate::tui::message::Message;
use crate::tui::state::{App, Effect, Loss, PersonChoice};
use crate::tui::text;

/// Whether the end of the game that is played has the board.
pub(super) fn is_at_end(app: &App) -> bool {
    let is_board_free = app.editor.is_none() && app.quiz.is_none();
    app.played().is_some() && is_board_free && app.at + 1 >= app.document.turns.len()
}

/// The person decides. The tutor has a word first.
pub(super) fn decide(app: &mut App, choice: PersonChoice) {
    let cost = cost(app, choice);
    if app.played().is_some_and(PlayedMatch::has_tutor) {
        let Some(cost) = cost else {
            return weigh(app, choice);
        };
        let is_error = reaches(cost, app.tutored_from());
        if is_error && !app.confirmation.confirms(Loss::Equity(choice)) {
            let name = name(app, choice);
            let cost = app.scale().cost(f64::from(cost));
            return app.say(format!(
                "tutor: {name} costs {cost}; the same key again does it all the same"
            ));
        }
    }
    let name = name(app, choice);
    if let Some(played) = app.played_mut() {
        played.last = Some(LastChoice { name, cost });
    }
    match choice {
        PersonChoice::Make(action) => _ = make(app, action),
        PersonChoice::Roll => {
            // Who has seen the roll may not take it back by leaving the match.
            if let Some(open) = &mut app.variation
                && let Some(played) = open.kind.played_mut()
            {
                played.set_rolled(open.line.len());
                // What was taken back before the roll was seen does not come back after it.
                played.rolled_before.clear();
                open.removed.clear();
            }
            app.save_match();
            variations::roll_dice(app);
        }
    }
}

/// Cost of a decision in points, as far as it is analysed: a play is looked at as deeply as the best.
fn cost(app: &App, choice: PersonChoice) -> Option<f32> {
    let deep = |ply: u8| app.document.looks.get(&(app.at, ply));
    let look = (app.settings.ply..=UserSettings::MOST_PLIES).find_map(deep);
    let cube = match choice {
        PersonChoice::Make(action @ Action::Move { play, .. }) => {
            let weighed = app.played()?.weighed.filter(|one| one.at == app.at);
            let weighed = weighed.filter(|one| one.action == action);
            if let Some(cost) = weighed.and_then(|one| one.cost) {
                return Some(cost);
            }
            let look = look?;
            let result = play.apply(&app.turn()?.before.state.position);
            let best = look.candidates.first()?;
            let own = look.candidates.iter().find(|one| one.result == result)?;
            return (own.ply == best.ply).then(|| (best.equity - own.equity).max(0.0));
        }
        PersonChoice::Roll => CubeChoice::NoDouble,
        PersonChoice::Make(Action::Double { .. }) => CubeChoice::Double,
        PersonChoice::Make(Action::Take) => CubeChoice::Take,
        PersonChoice::Make(Action::Beaver { .. }) => CubeChoice::Beaver,
        PersonChoice::Make(_) => CubeChoice::Pass,
    };
    // Where the cube is worth nothing there is nothing to decide, though the rules let a player double.
    let decision = look?.cube.map(|cube| cube.decision);
    let error = decision.and_then(|decision| decision.error(cube));
    Some(error.unwrap_or(0.0))
}

/// The tutor looks at a play as deeply as at the best, and has its word then.
fn weigh(app: &mut App, choice: PersonChoice) {
    app.say("the tutor is looking …");
    let (PersonChoice::Make(action @ Action::Move { play, .. }), Some(turn)) =
        (choice, app.turn().copied())
    else {
        return app.say("the tutor is still looking: the same again in a moment");
    };
    let generation = app.generations.next_tutored();
    let (at, ply) = (app.at, app.settings.ply);
    let Some(played) = app.played_mut() else {
        return;
    };
    played.weighed = Some(Weighed {
        generation,
        at,
        action,
        cost: None,
    });
    app.effects.push(Effect::Draft {
        generation,
        state: Box::new(turn.before.state),
        play: Some(play),
        ply,
    });
}

/// The tutor has looked at a play, which is then decided unless the person is elsewhere.
pub(crate) fn weighed(app: &mut App, message: &Message) {
    let wanted = app.settings.ply;
    let (at, is_there) = (app.at, is_at_end(app) && app.overlay.is_none());
    let Some(weighed) = app.played_mut().and_then(|played| played.weighed.as_mut()) else {
        return;
    };
    match message {
        Message::Reviewed {
            generation,
            ply,
            review,
            ..
        } if *generation == weighed.generation && *ply >= wanted => {
            // A wider look comes after the first one: the tutor has had its word then.
            let is_told = weighed.cost.is_some();
            weighed.cost = review.error;
            if is_told {
                return;
            }
            let action = weighed.action;
            if weighed.at == at && is_there {
                app.is_awaited = true;
                app.status = None;
                decide(app, PersonChoice::Make(action));
            }
        }
        Message::ReviewFailed {
            generation, why, ..
        } if *generation == weighed.generation => {
            let why = text::clean(why, 200);
            app.warn(format!("the tutor cannot say: {why}"));
        }
        _ => {}
    }
}

/// A decision of the person in words.
fn name(app: &App, choice: PersonChoice) -> String {
    let position = app.turn().map(|turn| turn.before.state.position);
    let action = match choice {
        PersonChoice::Roll => return "no double".to_owned(),
        PersonChoice::Make(action) => action,
    };
    match (action, position) {
        (Action::Move { play, .. }, Some(position)) => text::play(&play, &position),
        (Action::Double { .. }, _) => "double".to_owned(),
        (Action::Take, _) => "take".to_owned(),
        (Action::Beaver { .. }, _) => "beaver".to_owned(),
        (_, _) => "pass".to_owned(),
    }
}

/// Makes an action of the person; whether it was possible.
pub(super) fn make(app: &mut App, action: Action) -> bool {
    let count = |app: &App| app.variation.as_ref().map_or(0, |open| open.line.len());
    let before = count(app);
    variations::make(app, action);
    count(app) > before
}
