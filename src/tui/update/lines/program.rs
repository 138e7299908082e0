//! The program in a variation: it plays a turn, or a side.

use super::variations;
use crate::match_file::variations::may_double;
use crate::match_file::{Action, DecisionState};
use crate::review::TurnReview;
use crate::review::rated_player::options;
use crate::store::UserSettings;
use crate::tui::documents::played_match::Resignation;
use crate::tui::documents::variation::action_words;
use crate::tui::figures::conditions;
use crate::tui::keys::ActionId;
use crate::tui::state::App;

/// A chance that the program counts as none.
const NO_CHANCE: f32 = 0.0005;

/// Does what a key of variations means. Where it leads to a turn of the program, that plays.
pub(crate) fn act(app: &mut App, action: ActionId) {
    match action {
        ActionId::Program => play_once(app),
        ActionId::Opponent => opponent(app),
        _ => decide(app, action),
    }
}

/// The user decides, or walks the tree.
fn decide(app: &mut App, action: ActionId) {
    let player = app.turn().map(|turn| turn.before.player);
    let goes_on = variations::act(app, action);
    let is_decision = matches!(
        action,
        ActionId::Vary | ActionId::Double | ActionId::Take | ActionId::Pass | ActionId::Beaver
    );
    if let Some(open) = app.variation.as_mut().filter(|_| is_decision) {
        open.decided = player;
    }
    if goes_on {
        answer(app);
    }
}

/// The program plays the turn in view.
fn play_once(app: &mut App) {
    variations::begin(app);
    if app.document.turns.is_empty() {
        // The decision of the match comes into view as the first of the line, with its dice.
        let open = app.variation.as_ref();
        let turn = open.and_then(|open| open.home.document.turns.get(open.home.at));
        let before = open.is_some_and(|open| open.home.before.is_some());
        let roll = turn.and_then(|turn| turn.before.state.roll);
        variations::set_dice(app, roll.filter(|_| !before));
    }
    start(app);
}

/// The program plays the turn in view, once it is analysed.
pub(crate) fn start(app: &mut App) {
    let at = app.at;
    if let Some(open) = &mut app.variation {
        open.program = Some(at);
    }
    play(app);
}

/// The program plays a side from now on, or no longer.
fn opponent(app: &mut App) {
    let Some(player) = app.turn().map(|turn| turn.before.player) else {
        return;
    };
    let ply = app.settings.ply;
    let Some(open) = &mut app.variation else {
        return;
    };
    // Who has just made a play goes on with that side.
    let own = open.decided.unwrap_or(player);
    open.opponent = match open.opponent {
        None => Some(own.other()),
        Some(_) => None,
    };
    match open.opponent {
        Some(player) => {
            let name = app.document.record.players[player.index()].clone();
            let keys = app
                .keymap
                .named("{random dice} rolls your dice, {against the program} ends that");
            app.say(format!("the program plays for {name} at {ply}-ply; {keys}"));
            answer(app);
        }
        None => app.say("the program plays no more"),
    }
}

/// Lets the program play if it is its turn.
fn answer(app: &mut App) {
    let player = app.turn().map(|turn| turn.before.player);
    let open = app.variation.as_ref();
    if open.is_some_and(|open| open.opponent.is_some() && open.opponent == player) {
        start(app);
    }
}

/// A turn of the line in view was analysed, or has come into view again: the program may be waiting for it. It waits
/// on while the editor or the quiz has the board.
pub(crate) fn go_on(app: &mut App) {
    if app.editor.is_none() && app.quiz.is_none() {
        play(app);
    }
}

/// Lets the program do its part where it is to play, once it knows enough.
fn play(app: &mut App) {
    let at = app.at;
    let Some(open) = app.variation.as_mut().filter(|open| open.program.is_some()) else {
        return;
    };
    if open.program != Some(at) {
        // The reader went elsewhere.
        open.program = None;
        return;
    }
    let (Some(before), Some(turn)) = (app.varied_decision(), app.turn().copied()) else {
        return;
    };
    let must_roll = turn.before.state.roll.is_none() && !before.state.doubled;
    if must_roll && !may_double(&before) {
        return roll_and_play(app);
    }
    let deep = |ply: &u8| app.document.looks.contains_key(&(at, *ply));
    let Some(ply) = (app.settings.ply..=UserSettings::MOST_PLIES).find(deep) else {
        return;
    };
    let look = app.document.looks[&(at, ply)].clone();
    if gives_up(app, &before, &look) {
        return resign(app, &before);
    }
    let Some(action) = choice(app, &before, &look) else {
        return match turn.before.state.roll {
            Some(_) => {}
            None => roll_and_play(app),
        };
    };
    let mut words = action_words(&app.document.record, &turn.before, &action);
    if conditions::offers_left_match(app) {
        let left = app.keymap.named(conditions::GOES_ON_WITH_LEFT);
        words.extend(["; ", &*left]);
    }
    app.status = None;
    variations::make(app, action);
    // That the game is over matters more.
    if app.status.is_none() {
        app.say(words);
    }
}

/// The action of the program by this analysis; `None` for no double, and where there is nothing to do.
fn choice(app: &App, before: &DecisionState, look: &TurnReview) -> Option<Action> {
    let all = options(look, &app.turn()?.before.state);
    let chosen = match app.played() {
        Some(played) => played.choose(before, &all),
        None => all.first().copied(),
    };
    chosen?.action
}

/// Whether a play of the program against the person is in a game that it has lost for certain, without a gammon.
fn gives_up(app: &App, before: &DecisionState, look: &TurnReview) -> bool {
    let is_own = app
        .played()
        .is_some_and(|played| !played.decides(before.player));
    let best = look.candidates.first().filter(|_| is_own);
    best.is_some_and(|best| {
        best.probabilities.win < NO_CHANCE && best.probabilities.lose_gammon < NO_CHANCE
    })
}

/// The program gives up the game against the person, for the points on the cube.
fn resign(app: &mut App, before: &DecisionState) {
    let Some(open) = &mut app.variation else {
        return;
    };
    (open.program, app.status) = (None, None);
    let roll = open.dice;
    if let Some(played) = open.kind.played_mut() {
        played.resigned = Some(Resignation {
            player: before.player,
            points: before.state.cube,
            roll,
        });
    }
}

fn roll_and_play(app: &mut App) {
    variations::roll_dice(app);
    start(app);
}
