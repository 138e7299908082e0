//! Rollouts by hand: begun, played on, ended.

use std::sync::Arc;

use super::variations;
use crate::game::{GameState, Play, Player, Position};
use crate::match_file::{Action, Variations};
use crate::notation::play_text;
use crate::rollout::CubeSettings;
use crate::rollout::by_hand::Hands;
use crate::rollout::limits::MOST_TRIALS;
use crate::store::RolloutLabel;
use crate::tui::documents::by_hand::{
    EndedGame, HandMove, HandNews, HandPrompt, HandRequest, HandRollout, HandStart,
};
use crate::tui::documents::variation_kind::VariationKind;
use crate::tui::figures::conditions;
use crate::tui::keys::ActionId;
use crate::tui::state::{App, Effect, Loss};

const NOT_OVER: &str =
    "the game by hand is not over and would be lost: {against the program} again begins another";

/// Begins with the turn in view: with the selected play, or else the best, or before the roll.
pub(crate) fn begin(app: &mut App) {
    if app.variation.is_some() {
        return app.say_keys("{back} leads back to the match: games by hand begin from there");
    }
    let Some(state) = app.turn().map(|turn| turn.before.state) else {
        return;
    };
    let play = match state.roll {
        None => None,
        Some(_) => match variations::chosen(app) {
            Some(play) => Some(play),
            None => return app.say_keys(variations::no_best(app)),
        },
    };
    let start = Arc::new(start(app, play));
    variations::begin(app);
    app.openings.guard();
    let was_hidden = app.options.hidden;
    let Some(open) = &mut app.variation else {
        return;
    };
    let Some(root) = open.tree().map(|tree| *tree.root()) else {
        return variations::leave(app);
    };
    open.kind = VariationKind::ByHand(Box::new(HandRollout {
        start,
        hands: Hands::Own,
        tree: Variations::at(root),
        before: usize::from(play.is_some()),
        trial: None,
        prompt: None,
        known: Arc::default(),
        sum: None,
        ended: Vec::new(),
        has_played: false,
        requests: 0,
        was_hidden,
    }));
    app.options.hidden = true;
    next_game(app);
}

/// The rollout that is played by hand from the decision in view: what is played out, and how.
fn start(app: &App, play: Option<Play>) -> HandStart {
    let state = app.turn().map(|turn| turn.before.state);
    let state = state.unwrap_or_else(|| GameState::money(Position::opening()));
    let mut settings = app.settings.rollout.settings(1);
    settings.stop.trials = MOST_TRIALS;
    settings.cube = app.live_cube().map(|cube| CubeSettings {
        decision: false,
        ..cube
    });
    let named = play.map(|play| play_text(&state.position, &play));
    HandStart {
        player: app.turn().map_or(Player::Left, |turn| turn.before.player),
        state: match play {
            Some(_) => state,
            None => state.roller(),
        },
        label: RolloutLabel::of(&state, vec![named]),
        play,
        settings,
    }
}

/// Begins the next game.
fn next_game(app: &mut App) {
    let Some(open) = &mut app.variation else {
        return;
    };
    let Some(hand) = open.kind.hand_mut() else {
        return;
    };
    let root = *hand.tree.root();
    hand.tree = Variations::at(root);
    (hand.trial, hand.prompt, hand.has_played) = (None, None, false);
    let start = Arc::clone(&hand.start);
    open.known.clear();
    (open.line, open.dice, open.removed) = (Vec::new(), None, Vec::new());
    if let (Some(play), Some(roll)) = (start.play, start.state.roll) {
        match hand.tree.add(None, Action::Move { roll, play }) {
            Ok(node) => open.line.push(node),
            Err(why) => {
                variations::leave(app);
                return app.warn(why.to_string());
            }
        }
    }
    variations::show(app, usize::MAX);
    request(app, HandMove::Wait);
}

/// Asks the thread to go on with the game.
fn request(app: &mut App, now: HandMove) {
    let number = app.generations.next_request();
    let Some(open) = &mut app.variation else {
        return;
    };
    let line = open.line.clone();
    let Some(hand) = open.kind.hand_mut() else {
        return;
    };
    (hand.prompt, hand.requests) = (None, number);
    hand.has_played |= now != HandMove::Wait;
    let nodes = line.iter().skip(hand.before);
    let actions = nodes.filter_map(|id| Some(hand.tree.node(*id)?.action));
    let request = HandRequest {
        start: Arc::clone(&hand.start),
        hands: hand.hands,
        trial: hand.trial,
        actions: actions.collect(),
        now,
        known: Arc::clone(&hand.known),
    };
    app.effects.push(Effect::ByHand {
        number,
        request: Box::new(request),
    });
}

/// News of the game in view have come.
pub(crate) fn came(app: &mut App, number: u64, news: Result<Box<HandNews>, String>) {
    let Some(open) = &mut app.variation else {
        return;
    };
    let Some(hand) = open.kind.hand_mut().filter(|hand| hand.requests == number) else {
        return;
    };
    let news = match news {
        Ok(news) => *news,
        Err(why) => return app.warn(format!("the game cannot go on: {why}")),
    };
    hand.trial = Some(news.trial);
    (hand.known, hand.sum) = (news.known, news.sum);
    hand.prompt = Some(news.prompt);
    for action in news.actions {
        match hand.tree.add(open.line.last().copied(), action) {
            Ok(node) => open.line.push(node),
            Err(why) => return app.warn(format!("the game cannot go on: {why}")),
        }
    }
    open.dice = match news.prompt {
        HandPrompt::Play(roll) => Some(roll),
        _ => None,
    };
    if let HandPrompt::Over { plain, luck } = news.prompt {
        hand.ended.push(EndedGame {
            trial: news.trial,
            plain,
            luck,
        });
    }
    variations::show(app, usize::MAX);
    tell(app, news.prompt, news.trouble);
}

/// Tells in the bottom line what is asked, with its keys.
fn tell(app: &mut App, prompt: HandPrompt, trouble: Option<String>) {
    if let Some(why) = trouble {
        return app.warn(format!("games are not kept yet: {why}"));
    }
    match prompt {
        // The pane says it.
        HandPrompt::Double | HandPrompt::Answer | HandPrompt::Play(_) => {}
        HandPrompt::Over { .. } => {
            app.say_keys("the game is over: {random dice} begins the next one, {back} ends");
        }
    }
}

/// Does what a key of variations means in a game by hand.
pub(crate) fn act(app: &mut App, action: ActionId) {
    let Some(open) = &app.variation else { return };
    let Some(hand) = open.kind.hand() else { return };
    let (prompt, is_end) = (hand.prompt, app.at >= open.line.len());
    let is_over = matches!(prompt, Some(HandPrompt::Over { .. }));
    match (action, prompt) {
        (ActionId::Opponent, _) => other_hands(app),
        (ActionId::RollDice | ActionId::Vary, Some(HandPrompt::Over { .. })) => next_game(app),
        (ActionId::RollDice, None) => request(app, HandMove::Wait),
        (_, None) => app.say("the program is at work"),
        _ if !is_end && !is_over => {
            app.say_keys("a game by hand goes on at its end: {next turn} leads there");
        }
        (ActionId::Vary, Some(HandPrompt::Play(roll))) => match variations::selected(app) {
            Some(play) => add(app, Action::Move { roll, play }),
            None => app.say_keys("choose a play with {down}, or click on checkers"),
        },
        (ActionId::Double, Some(HandPrompt::Double)) => add(app, Action::Double { to: 0 }),
        (ActionId::RollDice, Some(HandPrompt::Double)) => request(app, HandMove::Roll),
        (ActionId::Take, Some(HandPrompt::Answer)) => add(app, Action::Take),
        (ActionId::Pass, Some(HandPrompt::Answer)) => add(app, Action::Pass),
        (ActionId::Beaver, Some(HandPrompt::Answer)) => add(app, Action::Beaver { to: 0 }),
        (ActionId::Program, Some(HandPrompt::Play(_))) => request(app, HandMove::ProgramPlay),
        (ActionId::Program, _) if !is_over => request(app, HandMove::Program),
        (_, Some(prompt)) => remind(app, prompt),
    }
}

/// Tells what can be done instead of what cannot.
fn remind(app: &mut App, prompt: HandPrompt) {
    match prompt {
        HandPrompt::Double => app.say_keys("{double} doubles, {random dice} rolls"),
        HandPrompt::Answer => app.say_keys(conditions::answers(app)),
        HandPrompt::Play(roll) => app.say_keys(&format!(
            "{roll} is rolled already: {{down}} chooses a play, {{what if}} makes it"
        )),
        HandPrompt::Over { .. } => tell(app, prompt, None),
    }
}

/// The person does something.
fn add(app: &mut App, action: Action) {
    let Some(open) = &mut app.variation else {
        return;
    };
    let Some(hand) = open.kind.hand_mut() else {
        return;
    };
    match hand.tree.add(open.line.last().copied(), action) {
        Ok(node) => open.line.push(node),
        Err(why) => return app.warn(why.to_string()),
    }
    hand.has_played = true;
    open.dice = None;
    variations::show(app, usize::MAX);
    request(app, HandMove::Wait);
}

/// The person plays both sides, or one again; with the next game. One under way is lost by that, so it has to be asked
/// for twice.
fn other_hands(app: &mut App) {
    let loss = Loss::Leave(ActionId::Opponent);
    if app.is_playing_by_hand() && !app.confirmation.confirms(loss) {
        return app.say_keys(NOT_OVER);
    }
    let Some(hand) = app.variation.as_mut().and_then(|open| open.kind.hand_mut()) else {
        return;
    };
    hand.hands = match hand.hands {
        Hands::Both => Hands::Own,
        _ => Hands::Both,
    };
    let words = match hand.hands {
        Hands::Both => "you play both sides: a sample of its own, with a game of its own",
        _ => "the program plays the other side: a sample of its own",
    };
    // Games of other hands are a sample of their own.
    (hand.known, hand.sum) = (Arc::default(), None);
    hand.ended.clear();
    next_game(app);
    app.say(words);
}

/// Gives up the game in view, before another document or the match comes into view.
pub(crate) fn end(app: &mut App) {
    if app.hand().is_some() {
        variations::leave(app);
    }
}
