//! A match that is transcribed: begun, written down line by line, corrected.

use tui_input::Input;

use super::person::{is_at_end, make};
use super::played_match::{Seats, begin_game, enter, first_decision, go_on, newest, turn_at};
use super::{former, new_match, played_match, variations};
use crate::game::{Player, Roll};
use crate::match_file::variations::is_first_roll;
use crate::match_file::{Action, EventPlace, Variations};
use crate::notation::{PlayError, parse_play};
use crate::review::MatchTurn;
use crate::tui::documents::played_match::{MatchPrompt, Resignation, seed_of};
use crate::tui::documents::transcript::{self, Entry, GameEnd, can_transcribe};
use crate::tui::documents::variation_kind::VariationKind;
use crate::tui::figures::conditions;
use crate::tui::keys::{ActionId, Key, KeyScope, find};
use crate::tui::state::{App, Loss, Openable};
use crate::tui::text;
use crate::tui::windows::overlay::{Overlay, Prompt};
use crate::words::counted;

/// Goes on with the match in view if it can be transcribed and is not over, from its last game; else asks for a new one,
/// or whether the game in view is to be corrected, and says why this match is not gone on with.
pub(crate) fn transcribe(app: &mut App) {
    let record = &app.document.record;
    match can_transcribe(record) {
        Ok(()) if !record.is_won() && !is_in_earlier_game(app) => return begin(app),
        Ok(()) => {}
        Err(why) if record.path.is_some() => app.say_keys(why),
        Err(_) => {}
    }
    new_match::ask_to_transcribe(app);
}

/// Begins to play or to transcribe the new match, if it is in view now.
pub(crate) fn begin_new(app: &mut App) {
    let wanted = app.new_match.take().map(Openable::File);
    if wanted.is_some() && wanted.as_ref() == app.sources.get(app.shown) {
        if let Some(why) = new_match::why_not_go_on(app) {
            return new_match::propose_another(app, why);
        }
        match seed_of(&app.document.record) {
            Some(_) => played_match::begin(app, false),
            None => begin(app),
        }
    }
}

/// Whether the turn in view is of another game than the last one that has turns.
fn is_in_earlier_game(app: &App) -> bool {
    let game = |turn: &MatchTurn| turn.game;
    app.document.turns.last().map(game) > app.document.turns.get(app.at).map(game)
}

/// Goes on with the transcript in view.
pub(crate) fn begin(app: &mut App) {
    come_to(app, None);
    ask_next(app);
}

/// Corrects the game of the turn in view, which stays in view.
pub(crate) fn correct(app: &mut App) {
    let place = app.document.turns.get(app.at).map(MatchTurn::place);
    come_to(app, place);
    let Some((game, event)) = place.filter(|_| app.is_transcribing()) else {
        return;
    };
    let prompt = app.match_prompt();
    let is_over = prompt.is_some_and(MatchPrompt::is_between_games);
    let actions = app.variation.as_ref().map_or(0, |open| open.line.len());
    // Behind its last turn a game may have been given up.
    let is_resigned = app.played().is_some_and(|played| played.resigned.is_some());
    if event + 1 < actions + usize::from(is_resigned) {
        variations::show(app, event);
        let number = app.document.record.games.get(game).map(|game| game.number);
        let number = number.unwrap_or(1);
        app.say_keys(&format!(
            "game {number}: {{remove branch}} takes this turn back with all after it"
        ));
    } else if is_over {
        played_match::say_outcome(app);
    } else {
        ask_next(app);
    }
}

/// Brings the transcript in view to its end, or to the end of the game of `place`.
fn come_to(app: &mut App, place: Option<EventPlace>) {
    variations::leave(app);
    let (left, record) = newest(app);
    if let Err(why) = can_transcribe(&record) {
        let why = app.keymap.named(why);
        return app.warn(why);
    }
    let seats = Seats {
        person: None,
        seed: 0,
        rating: None,
        has_tutor: false,
        game: place.map(|(game, _)| game),
    };
    enter(app, left, record, seats);
    if app.is_transcribing() {
        // The window asks.
        app.status = None;
    }
}

/// Opens the window for the next line, where dice or an answer to a double are wanted.
pub(super) fn ask_next(app: &mut App) {
    let is_wanted = matches!(
        app.match_prompt(),
        Some(MatchPrompt::Dice | MatchPrompt::Answer)
    );
    if is_wanted && is_at_end(app) && app.overlay.is_none() {
        app.overlay = Some(Overlay::prompt(Prompt::Play));
    }
}

/// Does what a key of variations means in a transcript.
pub(super) fn act(app: &mut App, action: ActionId) {
    let Some(prompt) = app.match_prompt() else {
        return;
    };
    match (action, prompt) {
        (ActionId::Opponent, _) => {
            return app.say("both players' decisions are yours in a transcript");
        }
        (ActionId::RollDice, MatchPrompt::Dice) if conditions::is_at_end(app) => {
            variations::roll_dice(app);
            go_on(app);
        }
        (ActionId::Double, MatchPrompt::Dice) if conditions::is_at_end(app) => {
            make(app, Action::Double { to: 0 });
        }
        _ => played_match::act(app, action),
    }
    ask_next(app);
}

/// A digit begins a line of the transcript where no window is open; answers whether it did.
pub(crate) fn begins_line(app: &mut App, key: Key) -> bool {
    let digit = key.typed().filter(char::is_ascii_digit);
    let is_asked = app
        .match_prompt()
        .is_some_and(|prompt| !prompt.is_between_games());
    let is_free = app.overlay.is_none() && app.is_transcribing() && is_asked;
    let Some(digit) = digit.filter(|_| is_free) else {
        return false;
    };
    if !is_at_end(app) {
        app.say_keys(conditions::GOES_ON_AT_END);
        return true;
    }
    app.overlay = Some(Overlay::Prompt {
        what: Prompt::Play,
        input: Input::new(digit.to_string()),
        is_proposed: false,
    });
    true
}

/// Takes in a line of the transcript. Answers whether it was taken, or else says what is wrong.
pub(crate) fn line(app: &mut App, typed: &str) -> bool {
    let Some(prompt) = app.match_prompt().filter(|_| !typed.trim().is_empty()) else {
        return true;
    };
    if typed.trim().eq_ignore_ascii_case("u") {
        // Not in the window, where its key is a letter.
        bring_former_back(app);
        ask_next(app);
        return true;
    }
    if !is_at_end(app) {
        let why = app.keymap.named(conditions::GOES_ON_AT_END);
        app.warn(why);
        return false;
    }
    let has_dice = matches!(prompt, MatchPrompt::Play(_));
    let taken = match transcript::read(typed, has_dice) {
        Ok(Entry::Dice(dice, play)) => roll(app, prompt, dice, &play),
        Ok(Entry::Play(typed)) => play(app, &typed),
        Ok(Entry::Cube(id)) => cube(app, prompt, id),
        Ok(Entry::End(end)) => end_game(app, prompt, end),
        Err(_) if prompt == MatchPrompt::Answer => Err(match conditions::can_beaver(app) {
            Ok(()) => "expected take, pass or beaver".to_owned(),
            Err(_) => "expected take or pass".to_owned(),
        }),
        Err(why) => Err(why.to_owned()),
    };
    if let Err(why) = taken {
        app.warn(why);
        return false;
    }
    ask_next(app);
    true
}

/// What is wrong with a play in a line. Its characters are counted from its own first one.
fn in_play(error: PlayError) -> String {
    format!("in the play: {error}")
}

/// Sets the dice, and makes the play behind them. Where the play is wrong, nothing is done.
fn roll(app: &mut App, prompt: MatchPrompt, dice: [u8; 2], play: &str) -> Result<(), String> {
    let ([a, b], before) = (dice, app.varied_decision());
    let (Some(roll), Some(before)) = (Roll::new(a, b), before) else {
        return Err("no dice are wanted here".to_owned());
    };
    if !matches!(prompt, MatchPrompt::Dice | MatchPrompt::Play(_)) {
        return Err("no dice are wanted here".to_owned());
    }
    let play = match play {
        "" => None,
        // The board is the same for both players before the first roll.
        typed => Some(parse_play(typed, &before.state.position, roll).map_err(in_play)?),
    };
    if is_first_roll(&before) {
        let starter = transcript::starter(dice);
        let starter =
            starter.ok_or("the first roll has two different dice, the one on the left first")?;
        set_starter(app, starter);
    }
    variations::put_dice(app, Some(roll));
    if let Some(play) = play {
        make(app, Action::Move { roll, play });
    }
    go_on(app);
    Ok(())
}

/// The game in view, of which nothing was played, begins with this player.
fn set_starter(app: &mut App, player: Player) {
    let Some(open) = &mut app.variation else {
        return;
    };
    let VariationKind::Match(played) = &mut open.kind else {
        return;
    };
    played.starter = Some(player);
    let start = first_decision(played);
    played.tree = Variations::at(start);
    let turn = turn_at(played, start);
    open.begin_game(Vec::new(), &turn);
    variations::show(app, 0);
}

/// Makes a play of the dice that are there.
fn play(app: &mut App, typed: &str) -> Result<(), String> {
    let state = app.turn().map(|turn| turn.before.state);
    let Some((state, roll)) = state.and_then(|state| Some((state, state.roll?))) else {
        return Ok(());
    };
    let play = parse_play(typed, &state.position, roll).map_err(in_play)?;
    make(app, Action::Move { roll, play });
    go_on(app);
    Ok(())
}

/// A double, or an answer to one.
fn cube(app: &mut App, prompt: MatchPrompt, id: ActionId) -> Result<(), String> {
    let entry = find(id, KeyScope::Match);
    if let Some(entry) = entry {
        conditions::check(app, entry).map_err(|why| app.keymap.reason(entry, why))?;
    }
    if !prompt.is_answered_by(id) {
        let why = "no double comes after the roll: {remove branch} takes the dice off";
        return Err(app.keymap.named(why));
    }
    let action = match id {
        ActionId::Double => Action::Double { to: 0 },
        ActionId::Take => Action::Take,
        ActionId::Beaver => Action::Beaver { to: 0 },
        _ => Action::Pass,
    };
    make(app, action);
    go_on(app);
    Ok(())
}

/// The game is given up.
fn end_game(app: &mut App, prompt: MatchPrompt, end: GameEnd) -> Result<(), String> {
    let GameEnd { is_won, size } = end;
    let is_answer = prompt == MatchPrompt::Answer;
    let Some(before) = app.varied_decision().filter(|_| !is_answer) else {
        return Err("a double waits for its answer: take or pass".to_owned());
    };
    let roll = app.variation.as_ref().and_then(|open| open.dice);
    let state = &before.state;
    let times = state.rules.times_cube(size, state.owner);
    if let Some(played) = app.played_mut() {
        played.resigned = Some(Resignation {
            player: if is_won {
                before.player.other()
            } else {
                before.player
            },
            points: times.saturating_mul(state.cube),
            // The dice of the turn are those of who has rolled them.
            roll: roll.filter(|_| !is_won),
        });
    }
    go_on(app);
    Ok(())
}

/// The player whose turn it is gives the game up.
pub(crate) fn resign(app: &mut App) {
    let (Some(prompt), Some(before)) = (app.match_prompt(), app.varied_decision()) else {
        return;
    };
    let points = before.state.cube;
    if !app.confirmation.confirms(Loss::Game(points)) {
        let name = &app.document.record.players[before.player.index()];
        let name = text::cut(name, 24);
        let again = app
            .keymap
            .named("{resign} again; a gammon is typed ({dice}): resigns gammon, wins gammon");
        return app.say(format!(
            "{name} resigns {}: {again}",
            counted(points, "point")
        ));
    }
    let end = GameEnd {
        is_won: false,
        size: 1,
    };
    if let Err(why) = end_game(app, prompt, end) {
        app.warn(why);
    }
}

/// Brings back what stood behind the turns that were written anew, as far as it is legal and the same player's turn, and
/// the resignation behind it. The rest can be brought back once what is before it is right.
pub(super) fn bring_former_back(app: &mut App) {
    let Some(open) = &mut app.variation else {
        return;
    };
    let VariationKind::Match(played) = &mut open.kind else {
        return;
    };
    let from = open.line.len().min(played.former.len());
    let all = played.former[from..].to_vec();
    let mut done = 0;
    for (player, action) in &all {
        let last = open.line.last().copied();
        let is_turn = played
            .tree
            .after(last)
            .is_some_and(|at| at.player == *player);
        if !is_turn {
            break;
        }
        let Ok(node) = played.tree.add(last, *action) else {
            break;
        };
        open.line.push(node);
        done += 1;
    }
    if done > 0 {
        open.dice = None;
        open.removed.clear();
    }
    let is_ended = bring_end_back(app);
    app.save_match();
    variations::show(app, usize::MAX);
    let what = counted(all.len(), "action");
    go_on(app);
    app.say(match done == all.len() {
        true if is_ended && done == 0 => "brought back: the resignation".to_owned(),
        true if is_ended => format!("brought back: {what} and the resignation"),
        true => format!("brought back: {what}"),
        false => format!("brought back: {done} of {what}; the next one does not fit here"),
    });
}

/// Brings the resignation back that was taken back, where all before it is there again; whether it did.
pub(super) fn bring_end_back(app: &mut App) -> bool {
    let Some(open) = &mut app.variation else {
        return false;
    };
    let VariationKind::Match(played) = &mut open.kind else {
        return false;
    };
    let Some(resigned) = played.end_to_bring_back(&open.line) else {
        return false;
    };
    (played.resigned, played.former_end) = (Some(resigned), None);
    open.dice = None;
    true
}

/// Goes back to the end of the game before, where nothing is written in the present one; whether there is one.
pub(super) fn goes_back_a_game(app: &mut App) -> bool {
    let is_empty = app
        .variation
        .as_ref()
        .is_some_and(|open| open.line.is_empty());
    let is_meant = is_empty && app.is_transcribing();
    if is_meant && app.played().is_some_and(|played| played.later.is_some()) {
        app.say_keys("games follow this one, so it stays: {dice} types its first turn");
        return true;
    }
    let has_one_before = app.played().is_some_and(|p| p.record.games.len() >= 2);
    if !is_meant || !has_one_before {
        return false;
    }
    if former::is_lost_by(
        app,
        ActionId::RemoveBranch,
        "{remove branch} again goes back a game",
    ) {
        return true;
    }
    let Some(played) = app.played_mut() else {
        return false;
    };
    played.record.games.pop();
    played.forget_former();
    (played.has_ended, played.starter) = (true, None);
    let place = (played.game(), 0);
    if let Some(open) = &mut app.variation {
        open.place = place;
    }
    begin_game(app);
    app.save_match();
    app.say_keys("the end of the game before: {remove branch} takes it back");
    true
}
