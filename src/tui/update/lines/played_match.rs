//! A match against the program: begun, played on, left.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{program, variations};
use crate::cube::CubeChoice;
use crate::game::{PlayList, Player};
use crate::match_file::variations::may_double;
use crate::match_file::write::Target;
use crate::match_file::{Action, DecisionState, Game, GameResult, Match, Variations};
use crate::review::marks::reaches;
use crate::review::{MatchTurn, TurnReview};
use crate::store::UserSettings;
use crate::tui::documents::document::Home;
use crate::tui::documents::played_match::{
    self, LastChoice, LeftMatch, MatchPrompt, NewMatch, PROGRAM, PlayedFile, PlayedMatch,
    Resignation, Weighed,
};
use crate::tui::documents::variation_kind::VariationKind;
use crate::tui::figures::conditions;
use crate::tui::keys::ActionId;
use crate::tui::message::Message;
use crate::tui::rollouts::generation::TUTORED;
use crate::tui::state::{App, Effect, Loss, OpenVariation, Openable, PersonChoice};
use crate::tui::text;
use crate::words::counted;

/// Goes on with the match in view, if it is one against the program that is not over; else begins a new one.
pub(in crate::tui::update) fn play(app: &mut App) {
    let record = &app.document.record;
    let like = played_match::seed_of(record).map(|_| Arc::clone(record));
    if like.as_ref().is_some_and(|record| !record.is_won()) {
        let has_tutor = had_tutor(app);
        return begin(app, has_tutor);
    }
    let seed = app.dice_cup.seed();
    let new = match &like {
        Some(record) => NewMatch::like(record, seed),
        None => NewMatch::usual(seed),
    };
    if !app.confirmation.confirms(Loss::NewMatch) {
        let to = counted(new.length, "point");
        return app.say_keys(&format!(
            "{{play}} again begins a match to {to} against the program"
        ));
    }
    let path = like.and_then(|record| record.path.clone());
    let folder = path.and_then(|path| path.parent().map(Path::to_owned));
    app.effects.push(Effect::BeginMatch(Box::new(new), folder));
}

/// Begins to play the new match, if it is in view now.
pub(in crate::tui::update) fn begin_new(app: &mut App) {
    let in_view = app.sources.get(app.shown);
    let is_new = |path: &PathBuf| in_view == Some(&Openable::File(path.clone()));
    if app.new_match.as_ref().is_some_and(is_new) {
        app.new_match = None;
        let has_tutor = had_tutor(app);
        begin(app, has_tutor);
    }
}

/// Whether the tutor was on in the match that was played last.
fn had_tutor(app: &App) -> bool {
    app.left_match.as_ref().is_some_and(|left| left.has_tutor)
}

/// Goes on with the match of the file in view.
pub(in crate::tui) fn begin(app: &mut App, has_tutor: bool) {
    variations::leave(app);
    let (left, record) = newest(app);
    if let Err(why) = played_match::can_go_on(&record) {
        return app.warn(why);
    }
    let (Some(seed), Some(path)) = (played_match::seed_of(&record), record.path.clone()) else {
        return;
    };
    let rating = played_match::rating_of(&record);
    let file = left.unwrap_or_else(|| {
        app.lines += 1;
        PlayedFile {
            number: app.lines,
            path,
            read: Target::Mat.write(&record).into(),
        }
    });
    let person = played_match::person_of(&record);
    app.openings.guard();
    app.status = None;
    let was_hidden = std::mem::replace(&mut app.options.hidden, true);
    let home = Home {
        document: std::mem::take(&mut app.document),
        at: app.at,
        before: app.before.take(),
    };
    let mut played = PlayedMatch {
        tree: Variations::at(record.first_decision(&Game::default(), person)),
        record,
        person,
        seed,
        rating,
        has_tutor,
        resigned: None,
        has_ended: false,
        weighed: None,
        file,
        last: None,
        was_taken_back: false,
        rolled_before: Vec::new(),
        was_hidden,
    };
    let next = played.record.next_game();
    played.record.games.extend(next);
    let place = (played.game(), 0);
    let start = first_decision(&played);
    let turn = turn_at(&played, start);
    let mut open = OpenVariation::new(home, place, &turn);
    open.kind = VariationKind::Match(Box::new(played));
    app.variation = Some(Box::new(open));
    app.at = 0;
    begin_game(app);
}

/// The match in view; as it was left, and its file, where not all of that has been read again.
fn newest(app: &mut App) -> (Option<PlayedFile>, Match) {
    let record = &app.document.record;
    let is_newer = |left: &LeftMatch| {
        record.path.as_ref() == Some(&left.file.path)
            && (left.was_taken_back
                || played_match::actions(&left.record) >= played_match::actions(record))
    };
    match app.left_match.take().filter(is_newer) {
        Some(left) => (Some(left.file), *left.record),
        None => (None, (**record).clone()),
    }
}

/// The first decision of the game in view: of the player who won its first roll.
fn first_decision(played: &PlayedMatch) -> DecisionState {
    let known = played.record.games.last().cloned().unwrap_or_default();
    let begun = known.events.first().map(|event| event.player);
    let starter = || played_match::starter(played.seed, played.game());
    played
        .record
        .first_decision(&known, begun.unwrap_or_else(starter))
}

fn turn_at(played: &PlayedMatch, before: DecisionState) -> MatchTurn {
    MatchTurn {
        game: played.game(),
        number: 1,
        before,
        action: None,
        resigned: None,
    }
}

/// Brings the last game of the match into view, with what was done in it.
fn begin_game(app: &mut App) {
    let Some(open) = &mut app.variation else {
        return;
    };
    let VariationKind::Match(played) = &mut open.kind else {
        return;
    };
    let start = first_decision(played);
    let game = played.record.games.last().cloned().unwrap_or_default();
    let mut line = Vec::new();
    played.tree = Variations::at(start);
    for event in &game.events {
        match played.tree.add(line.last().copied(), event.action) {
            Ok(node) => line.push(node),
            Err(why) => {
                leave(app);
                return app.warn(format!(
                    "game {} cannot be gone on with: {why}; luckless inspect names its line",
                    game.number
                ));
            }
        }
    }
    let turn = turn_at(played, start);
    open.begin_game(line, &turn);
    variations::show(app, usize::MAX);
    go_on(app);
}

/// Lets the program play where it is to, and does what leaves the person no choice. Away from the end of the game, and
/// while something else has the board, the game waits.
pub(in crate::tui::update) fn go_on(app: &mut App) {
    while is_at_end(app) {
        let Some((before, person)) = to_decide(app) else {
            end_game(app);
            return ask(app);
        };
        if before.player != person {
            return program::start(app);
        }
        let goes_on = match without_choice(app, &before) {
            Some(PersonChoice::Roll) => {
                variations::roll_dice(app);
                let open = app.variation.as_ref();
                open.is_some_and(|open| open.dice.is_some())
            }
            Some(PersonChoice::Make(only)) => make(app, only),
            None => false,
        };
        if !goes_on {
            return ask(app);
        }
    }
}

/// Says in the bottom line what is asked, on a screen without the pane and where the line says nothing else.
fn ask(app: &mut App) {
    if app.status.is_none()
        && app.areas.chart.is_empty()
        && let Some(prompt) = app.match_prompt()
    {
        remind(app, prompt);
    }
}

/// Whether the end of the game that is played has the board.
fn is_at_end(app: &App) -> bool {
    let is_board_free = app.editor.is_none() && app.quiz.is_none();
    app.played().is_some() && is_board_free && app.at + 1 >= app.document.turns.len()
}

/// The only thing that the person can do: to roll, or the one play of the roll. `None` where there is a choice.
fn without_choice(app: &App, before: &DecisionState) -> Option<PersonChoice> {
    let open = app.variation.as_ref()?;
    let has_rolled = open
        .kind
        .played()
        .is_some_and(|played| played.has_rolled(open.line.len()));
    match open.dice {
        None if before.state.doubled || (may_double(before) && !has_rolled) => None,
        None => Some(PersonChoice::Roll),
        Some(roll) => {
            let list = PlayList::of(&before.state.position, roll);
            match list.plays() {
                [only] => Some(PersonChoice::Make(Action::Move { roll, play: *only })),
                _ => None,
            }
        }
    }
}

/// The decision at the end of the game in view, and the side of the person; `None` where nothing is to be
/// decided.
fn to_decide(app: &App) -> Option<(DecisionState, Player)> {
    let open = app.variation.as_ref()?;
    let played = open.kind.played()?;
    let before = played.tree.after(open.line.last().copied())?;
    if played.resigned.is_some() {
        return None;
    }
    Some((before, played.person))
}

/// The game in view is over: tells what it came to.
fn end_game(app: &mut App) {
    match app.played_mut() {
        Some(played) if !played.has_ended => played.has_ended = true,
        _ => return,
    }
    app.save_match();
    let Some(played) = app.played() else { return };
    let result = played.record.games.last().and_then(|game| game.result);
    let Some(GameResult { winner, points }) = result else {
        return;
    };
    let [left, right] = played.record.final_score();
    let score = match played.person {
        Player::Left => format!("{left}–{right}"),
        Player::Right => format!("{right}–{left}"),
    };
    let points = counted(points, "point");
    let gave_up = played
        .resigned
        .is_some_and(|game| game.player == winner.other());
    let how = match winner == played.person {
        true if gave_up => format!("{PROGRAM} resigns, you win {points}"),
        true => format!("you win {points}"),
        false => format!("you lose {points}"),
    };
    let is_won = played.record.is_won();
    let next = match is_won {
        true => "{random dice} shows the match",
        false => "{random dice} begins the next game",
    };
    app.say_keys(&format!("{how}, {score}: {next}"));
}

/// The person gives the game up, for as few points as the program takes.
pub(in crate::tui::update) fn resign(app: &mut App) {
    let deep = |ply: u8| app.document.looks.get(&(app.at, ply));
    let look = (0..=UserSettings::MOST_PLIES).rev().find_map(deep);
    let of_play = |look: &TurnReview| look.candidates.first().map(|best| best.equity);
    let of_cube = |look: &TurnReview| look.cube.map(|cube| cube.decision.cubeful_equity);
    let equity = look.and_then(|look| of_play(look).or_else(|| of_cube(look)));
    let (Some(equity), Some(turn)) = (equity, app.turn()) else {
        return app.say("the position is still being analysed: the same again in a moment");
    };
    let points = played_match::points_to_resign(equity, &turn.before.state, &app.model);
    if !app.confirmation.confirms(Loss::Game(points)) {
        let points = counted(points, "point");
        return app.say_keys(&format!(
            "the program takes {points} for this game: {{resign}} again gives it up"
        ));
    }
    let roll = app.variation.as_ref().and_then(|open| open.dice);
    if let Some(played) = app.played_mut() {
        let player = played.person;
        played.resigned = Some(Resignation {
            player,
            points,
            roll,
        });
    }
}

/// Does what a key of variations means in a match against the program.
pub(in crate::tui::update) fn act(app: &mut App, action: ActionId) {
    let Some(prompt) = app.match_prompt() else {
        return;
    };
    let is_end = conditions::is_at_end(app);
    let is_over = prompt.is_between_games();
    match (action, prompt) {
        (ActionId::Opponent, _) => toggle_tutor(app),
        (ActionId::RollDice | ActionId::Vary, MatchPrompt::NextGame) => next_game(app),
        (ActionId::RollDice | ActionId::Vary, MatchPrompt::Over) => {
            leave(app);
            app.say_keys("{play} begins another match like this one");
        }
        (_, MatchPrompt::Wait) => app.say("the program is at work"),
        _ if !is_end && !is_over => {
            app.say_keys("a match goes on at the end of its game: {next turn} leads there");
        }
        (ActionId::Vary, MatchPrompt::Play(roll)) => match variations::selected(app) {
            Some(play) => decide(app, PersonChoice::Make(Action::Move { roll, play })),
            None => app.say_keys("choose a play with {down}, or click on checkers"),
        },
        (ActionId::RollDice, MatchPrompt::Double) => decide(app, PersonChoice::Roll),
        (ActionId::Double, MatchPrompt::Double) => {
            decide(app, PersonChoice::Make(Action::Double { to: 0 }))
        }
        (ActionId::Take, MatchPrompt::Answer) => decide(app, PersonChoice::Make(Action::Take)),
        (ActionId::Pass, MatchPrompt::Answer) => decide(app, PersonChoice::Make(Action::Pass)),
        (ActionId::Beaver, MatchPrompt::Answer) => {
            decide(app, PersonChoice::Make(Action::Beaver { to: 0 }))
        }
        (ActionId::Program, _) if !is_over => {
            // What the program decides for the person is none of the person's decisions.
            if let Some(played) = app.played_mut() {
                played.last = None;
            }
            program::start(app);
        }
        (_, prompt) => remind(app, prompt),
    }
}

/// Tells what can be done instead of what cannot.
fn remind(app: &mut App, prompt: MatchPrompt) {
    match prompt {
        MatchPrompt::Double => app.say_keys("{double} doubles, {random dice} rolls"),
        MatchPrompt::Answer => app.say_keys(conditions::answers(app)),
        MatchPrompt::Play(roll) => app.say_keys(&format!(
            "{roll} is rolled: {{down}} chooses a play, {{what if}} makes it"
        )),
        MatchPrompt::NextGame => app.say_keys("{random dice} begins the next game"),
        MatchPrompt::Over => app.say_keys("the match is over: {random dice} shows it"),
        MatchPrompt::Wait => app.say("the program is at work"),
    }
}

/// The person decides. The tutor has a word first.
fn decide(app: &mut App, choice: PersonChoice) {
    let cost = cost(app, choice);
    if app.played().is_some_and(|played| played.has_tutor) {
        let Some(cost) = cost else {
            return weigh(app, choice);
        };
        let is_error = reaches(cost, app.tutored_from());
        if is_error && !app.confirmation.confirms(Loss::Equity(choice)) {
            let name = name(app, choice);
            return app.say(format!(
                "tutor: {name} costs {cost:.3}; the same key again does it all the same"
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
    app.lines += 1;
    let (generation, at, ply) = (TUTORED | app.lines, app.at, app.settings.ply);
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
pub(in crate::tui::update) fn weighed(app: &mut App, message: &Message) {
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
            weighed.cost = review.error;
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
fn make(app: &mut App, action: Action) -> bool {
    let count = |app: &App| app.variation.as_ref().map_or(0, |open| open.line.len());
    let before = count(app);
    variations::make(app, action);
    count(app) > before
}

fn toggle_tutor(app: &mut App) {
    let Some(played) = app.played_mut() else {
        return;
    };
    played.has_tutor = !played.has_tutor;
    match played.has_tutor {
        true => {
            let from = app.tutored_from();
            app.say_keys(&format!(
                "the tutor warns before errors of {from:.3} or more; {{threshold}} sets that"
            ));
        }
        false => app.say("the tutor is off"),
    }
}

/// Begins the next game.
fn next_game(app: &mut App) {
    let Some(open) = &mut app.variation else {
        return;
    };
    let VariationKind::Match(played) = &mut open.kind else {
        return;
    };
    let next = played.record.next_game();
    played.record.games.extend(next);
    (played.last, played.weighed) = (None, None);
    (played.resigned, played.has_ended) = (None, false);
    open.place = (played.game(), 0);
    begin_game(app);
}

/// The match that is played gives way to another document.
pub(in crate::tui::update) fn end(app: &mut App) {
    if app.played().is_some() {
        variations::leave(app);
    }
}

/// Leaves the match, which is shown as it was written.
pub(in crate::tui::update) fn leave(app: &mut App) {
    let Some(played) = app.played() else { return };
    let is_over = played.record.is_won();
    if is_over && app.settings.fill_library {
        app.effects.push(Effect::Fill(played.file.path.clone()));
    }
    variations::leave(app);
    app.openings.fall_behind();
    if !is_over {
        app.say_keys("{play} goes on with the match where it was left");
    }
}
