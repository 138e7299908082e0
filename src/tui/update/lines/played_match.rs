//! A match against the program: begun, played on, left.

use super::person::{decide, is_at_end, make};
use super::{former, new_match, program, variations};
use crate::game::{PlayList, Player};
use crate::match_file::variations::may_double;
use crate::match_file::write::Target;
use crate::match_file::{Action, DecisionState, Event, Game, Match, Variations};
use crate::review::{MatchTurn, TurnReview};
use crate::store::UserSettings;
use crate::tui::documents::document::Home;
use crate::tui::documents::later_games::LaterGames;
use crate::tui::documents::played_match::{
    self, LeftMatch, MatchPrompt, PlayedFile, PlayedMatch, Resignation,
};
use crate::tui::documents::transcript::resignation;
use crate::tui::documents::variation_kind::VariationKind;
use crate::tui::figures::conditions;
use crate::tui::keys::ActionId;
use crate::tui::state::{App, Loss, OpenVariation, PersonChoice};
use crate::words::counted;

/// Goes on with the match in view, if it is one against the program that is not over; else asks for a new one.
pub(crate) fn play(app: &mut App) {
    let record = &app.document.record;
    let goes_on = played_match::seed_of(record).is_some() && !record.is_won();
    match goes_on && app.played().is_none() {
        true => begin(app, false),
        false => new_match::ask_to_play(app),
    }
}

/// Goes on with the match of the file in view; with the tutor where that was on before, or is asked for.
pub(crate) fn begin(app: &mut App, has_tutor: bool) {
    variations::leave(app);
    let (left, record) = newest(app);
    if let Err(why) = played_match::can_go_on(&record) {
        return app.warn(why);
    }
    let Some(seed) = played_match::seed_of(&record) else {
        return;
    };
    let seats = Seats {
        person: Some(played_match::person_of(&record)),
        seed,
        rating: played_match::rating_of(&record),
        has_tutor,
        game: None,
    };
    enter(app, left, record, seats);
}

/// Who decides in a match that comes into view to be played.
pub(super) struct Seats {
    /// Whose decisions are the person's; both players' where the match is transcribed.
    pub(super) person: Option<Player>,
    /// What the dice come from.
    pub(super) seed: u64,
    /// The performance rating at which the program plays.
    pub(super) rating: Option<f64>,
    /// Whether errors are pointed out, also where the file does not say so.
    pub(super) has_tutor: bool,
    /// The game that is corrected, where the match does not go on at its end.
    pub(super) game: Option<usize>,
}

impl Seats {
    /// The match as it comes into view: at its end, with its next game, or at the end of the game that is corrected.
    fn played(self, mut record: Match, file: PlayedFile, was_hidden: bool) -> PlayedMatch {
        let split_off = |game| LaterGames::split_off(&mut record, game);
        let later = self.game.and_then(split_off);
        if later.is_none() {
            record.add_next_game();
        }
        let first = self.person.unwrap_or(Player::Left);
        let mut played = PlayedMatch {
            tree: Variations::at(record.first_decision(&Game::default(), first)),
            // Of a game that is over in the file there is nothing to be written.
            has_ended: record.has_ended(),
            record,
            later,
            person: self.person,
            starter: None,
            seed: self.seed,
            rating: self.rating,
            resigned: None,
            weighed: None,
            file,
            last: None,
            was_taken_back: false,
            rolled_before: Vec::new(),
            former: Vec::new(),
            former_end: None,
            was_hidden,
        };
        if self.has_tutor {
            played.set_tutor(true);
        }
        played
    }
}

/// Brings the match of the file in view to its end, where it goes on, or the end of the game that is corrected. The answers
/// stay in view where nothing is played against the program.
pub(super) fn enter(app: &mut App, left: Option<PlayedFile>, record: Match, seats: Seats) {
    let Some(path) = record.path.clone() else {
        return;
    };
    let file = left.unwrap_or_else(|| PlayedFile {
        number: app.generations.next_request(),
        path,
        read: Target::Mat.write(&record).into(),
    });
    app.openings.guard();
    app.status = None;
    let is_hidden = seats.person.is_some() || app.options.hidden;
    let was_hidden = std::mem::replace(&mut app.options.hidden, is_hidden);
    let home = Home {
        document: std::mem::take(&mut app.document),
        at: app.at,
        before: app.before.take(),
    };
    let played = seats.played(record, file, was_hidden);
    let has_ended = played.has_ended;
    let place = (played.game(), 0);
    let turn = turn_at(&played, first_decision(&played));
    let mut open = OpenVariation::new(home, place, &turn);
    open.kind = VariationKind::Match(Box::new(played));
    app.variation = Some(Box::new(open));
    app.at = 0;
    app.note_play();
    begin_game(app);
    if has_ended {
        say_outcome(app);
    }
}

/// The match in view; as it was left, and its file, where not all of that has been read again.
pub(super) fn newest(app: &mut App) -> (Option<PlayedFile>, Match) {
    let record = &app.document.record;
    let is_newer = |left: &LeftMatch| {
        record.path.as_ref() == Some(&left.file.path)
            && !left.is_read
            && (left.was_taken_back
                || played_match::actions(&left.record) >= played_match::actions(record))
    };
    match app.left_match.take().filter(is_newer) {
        Some(left) => (Some(left.file), *left.record),
        None => (None, (**record).clone()),
    }
}

/// The first decision of the game in view: of the player who won its first roll. Until a transcript has that roll it is
/// the player's on the left.
pub(super) fn first_decision(played: &PlayedMatch) -> DecisionState {
    let known = played.record.games.last().cloned().unwrap_or_default();
    // Who gives a game up before its first roll has not begun it.
    let is_decided =
        |event: &&Event| !matches!(event.action, Action::Resign | Action::Hidden { .. });
    let begun = known
        .events
        .iter()
        .find(is_decided)
        .map(|event| event.player);
    let starter = || match played.person {
        Some(_) => played_match::starter(played.seed, played.game()),
        None => played.starter.unwrap_or(Player::Left),
    };
    played
        .record
        .first_decision(&known, begun.unwrap_or_else(starter))
}

pub(super) fn turn_at(played: &PlayedMatch, before: DecisionState) -> MatchTurn {
    MatchTurn {
        game: played.game(),
        number: 1,
        before,
        action: None,
        resigned: None,
        is_of_match: true,
    }
}

/// Brings the last game of the match into view, with what was done in it.
pub(super) fn begin_game(app: &mut App) {
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
    let (events, resigned) = resignation(&game);
    played.resigned = resigned;
    for event in events {
        match played.tree.add(line.last().copied(), event.action) {
            Ok(node) => line.push(node),
            Err(why) => {
                leave(app);
                return app.warn(format!(
                    "game {} cannot be gone on with: {why} (line {} of the file)",
                    game.number, event.line
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
pub(crate) fn go_on(app: &mut App) {
    while is_at_end(app) {
        let Some((before, is_own)) = to_decide(app) else {
            end_game(app);
            return ask(app);
        };
        if !is_own {
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
        && app.overlay.is_none()
        && app.areas.chart.is_empty()
        && let Some(prompt) = app.match_prompt()
    {
        remind(app, prompt);
    }
}

/// The only thing that the person can do: to roll, or the one play of the roll. `None` where there is a choice.
fn without_choice(app: &App, before: &DecisionState) -> Option<PersonChoice> {
    let open = app.variation.as_ref()?;
    let played = open.kind.played()?;
    let may_wait = || may_double(before) && !played.has_rolled(open.line.len());
    match open.dice {
        None if before.state.doubled || played.is_transcribed() || may_wait() => None,
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

/// The decision at the end of the game in view, and whether it is the person's; `None` where nothing is to be
/// decided.
fn to_decide(app: &App) -> Option<(DecisionState, bool)> {
    let open = app.variation.as_ref()?;
    let played = open.kind.played()?;
    let before = played.tree.after(open.line.last().copied())?;
    if played.resigned.is_some() {
        return None;
    }
    Some((before, played.decides(before.player)))
}

/// The game in view is over: tells what it came to.
fn end_game(app: &mut App) {
    match app.played_mut() {
        Some(played) if !played.has_ended => played.has_ended = true,
        _ => return,
    }
    app.save_match();
    say_outcome(app);
}

/// Says what the last game came to, and what comes next.
pub(super) fn say_outcome(app: &mut App) {
    let words = app.played().map(|played| played.between_games(&app.keymap));
    if let Some(words) = words {
        app.say(words);
    }
}

/// The person gives the game up, for as few points as the program takes.
pub(crate) fn resign(app: &mut App) {
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
        let player = played.first();
        played.resigned = Some(Resignation {
            player,
            points,
            roll,
        });
    }
}

/// Does what a key of variations means in a match against the program.
pub(crate) fn act(app: &mut App, action: ActionId) {
    let Some(prompt) = app.match_prompt() else {
        return;
    };
    let is_end = conditions::is_at_end(app);
    let is_over = prompt.is_between_games();
    match (action, prompt) {
        (ActionId::Opponent, _) => toggle_tutor(app),
        (ActionId::RollDice | ActionId::Vary, MatchPrompt::NextGame) => leave_game(app, action),
        (ActionId::RollDice | ActionId::Vary, MatchPrompt::Over) => {
            if former::is_lost_by(app, action, "the same key again leaves") {
                return;
            }
            let is_transcribed = app.is_transcribing();
            leave(app);
            app.say_keys(match is_transcribed {
                true => "the match is complete: {errors} lists its errors",
                false => "{play} begins another match like this one",
            });
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
        MatchPrompt::Dice => app.say_keys(conditions::dice_or_double(app)),
        MatchPrompt::Answer => app.say_keys(conditions::answers(app)),
        MatchPrompt::Play(roll) => app.say_keys(&format!(
            "{roll} is rolled: {{down}} or a digit chooses a play, Enter makes it"
        )),
        MatchPrompt::NextGame | MatchPrompt::Over => say_outcome(app),
        MatchPrompt::Wait => app.say("the program is at work"),
    }
}

fn toggle_tutor(app: &mut App) {
    let Some(played) = app.played_mut() else {
        return;
    };
    let is_on = !played.has_tutor();
    played.set_tutor(is_on);
    app.save_match();
    match is_on {
        true => {
            let from = app.tutored_from();
            app.say_keys(&format!(
                "the tutor warns before errors of {from:.3} or more; {{threshold}} sets that"
            ));
        }
        false => app.say("the tutor is off"),
    }
}

/// Goes on behind a game that is over, unless the later ones do not fit it; asks before turns that were taken back are lost.
fn leave_game(app: &mut App, action: ActionId) {
    let misfit = app.played().and_then(PlayedMatch::misfit);
    if let Some(why) = misfit.map(str::to_owned) {
        app.say_keys(&format!(
            "{why}: the file stays as it was; {{remove branch}} takes the end back"
        ));
    } else if !former::is_lost_by(app, action, "the same key again goes on") {
        next_game(app);
    }
}

/// Begins the next game, or comes to the end of the one that is there.
fn next_game(app: &mut App) {
    let Some(open) = &mut app.variation else {
        return;
    };
    let VariationKind::Match(played) = &mut open.kind else {
        return;
    };
    played.go_to_next_game();
    (played.last, played.weighed) = (None, None);
    (played.resigned, played.starter) = (None, None);
    played.forget_former();
    let is_over = played.has_ended;
    open.place = (played.game(), 0);
    begin_game(app);
    if is_over {
        say_outcome(app);
    }
}

/// The match that is played gives way to another document.
pub(crate) fn end(app: &mut App) {
    if app.played().is_some() {
        fill_library(app);
        variations::leave(app);
    }
}

/// Has the match that is played taken into the library, if it is over.
pub(crate) fn fill_library(app: &mut App) {
    let over = app.played().filter(|played| played.in_file().is_won());
    if let Some(played) = over.filter(|_| app.settings.fill_library) {
        let path = played.file.path.clone();
        app.fill_library(path);
    }
}

/// Leaves the match, which is shown as it was written.
pub(crate) fn leave(app: &mut App) {
    let Some(played) = app.played() else { return };
    let is_over = played.in_file().is_won();
    let is_transcribed = played.is_transcribed();
    fill_library(app);
    variations::leave(app);
    app.openings.fall_behind();
    if !is_over {
        app.say_keys(match is_transcribed {
            true => "{transcribe} goes on with the match where it was left",
            false => "{play} goes on with the match where it was left",
        });
    }
}
