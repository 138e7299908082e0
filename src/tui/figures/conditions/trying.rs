//! Conditions of actions in variations, games by hand, and matches against the program.

use crate::game::CubeOwner;
use crate::match_file::variations::{is_double_allowed, is_first_roll, may_beaver, may_double};
use crate::match_file::{Action, DecisionState};
use crate::review::MatchTurn;
use crate::tui::documents::later_games::Withheld;
use crate::tui::documents::played_match::{MatchPrompt, PlayedMatch, can_go_on, seed_of};
use crate::tui::keys::KeyScope;
use crate::tui::state::App;

/// Reason why what needs a turn cannot be done in a match without one.
pub const NOTHING_PLAYED: &str = "nothing has been played in this match yet";

/// Whether the first roll of a transcript is awaited: nobody has a decision before it.
pub fn awaits_first_roll(app: &App) -> bool {
    let before = app.turn().map(|turn| turn.before);
    app.is_transcribing()
        && app.editor.is_none()
        && before.is_some_and(|before| before.state.roll.is_none() && is_first_roll(&before))
}

/// Whether games can be played by hand from the turn in view.
pub(super) fn can_play_by_hand(app: &App) -> Result<(), &'static str> {
    if app.variation.is_some() {
        return Err("{back} leads back to the match: games by hand begin there");
    }
    let why = "games by hand begin from a play, or before a roll";
    at_decision(app, |d| !d.state.doubled, why)
}

/// Whether the match in view can be gone on with against the program.
pub(super) fn can_play_on(app: &App) -> Result<(), &'static str> {
    if let Some(played) = app.played() {
        if offers_left_match(app) {
            return Ok(());
        }
        return Err(match played.is_won_here() {
            true => "{random dice} shows the match that is over: from there another begins",
            false => "this match is being played",
        });
    }
    if app.variation.is_some() {
        return Err(match app.home().record.games.is_empty() {
            true => "{back} leads back to the position: a match begins there",
            false => "{back} leads back to the match: it is gone on with there",
        });
    }
    match seed_of(&app.document.record) {
        Some(_) if !app.document.record.is_won() => can_go_on(&app.document.record),
        _ => is_not_played(app),
    }
}

/// How the match before a new one is gone on with.
pub const GOES_ON_WITH_LEFT: &str = "{play} goes on with the match that was left";

/// Whether the match that is played is a new one, in which the person has done nothing yet, and the one before it is not
/// over: that can still be gone on with instead.
pub fn offers_left_match(app: &App) -> bool {
    let is_new = |played: &PlayedMatch| !played.is_transcribed() && !played.is_begun();
    app.played().is_some_and(is_new) && app.match_to_go_on().is_some()
}

/// Whether the match in view can be transcribed, or a new one begun.
pub(super) fn can_transcribe(app: &App) -> Result<(), &'static str> {
    is_not_played(app)?;
    match app.variation {
        Some(_) => Err("{back} leads back first: a match is transcribed from there"),
        None => Ok(()),
    }
}

/// Whether there is a game against the program or of a transcript that the person can give up.
pub(super) fn can_resign(app: &App) -> Result<(), &'static str> {
    match app.match_prompt() {
        Some(MatchPrompt::Double | MatchPrompt::Dice | MatchPrompt::Play(_)) => {
            match is_at_end(app) {
                true => Ok(()),
                false => Err(GOES_ON_AT_END),
            }
        }
        Some(MatchPrompt::NextGame | MatchPrompt::Over) => Err("the game is over"),
        Some(MatchPrompt::Answer) => Err("a double waits for its answer: {pass} gives the game up"),
        Some(_) => Err("you are not on roll in this game"),
        None => Err("only a game that is played can be given up"),
    }
}

/// Why nothing can be done at an earlier turn.
pub const GOES_ON_AT_END: &str = "a match goes on at the end of its game: {next turn} leads there";

/// Whether the end of the variation, or of the game that is played, is in view.
pub fn is_at_end(app: &App) -> bool {
    let open = app.variation.as_ref();
    open.is_some_and(|open| app.at >= open.line.len())
}

/// Whether something of variations can be done at the turn in view.
fn at_decision(
    app: &App,
    may: impl Fn(&DecisionState) -> bool,
    why: &'static str,
) -> Result<(), &'static str> {
    if app.is_between_games() {
        return Ok(());
    }
    if app.played().is_some() && !is_at_end(app) {
        return Err(GOES_ON_AT_END);
    }
    let decision = app.varied_decision().ok_or(NOTHING_PLAYED)?;
    match !decision.state.position.is_over() && may(&decision) {
        true => Ok(()),
        false => Err(why),
    }
}

/// Whether a play is to be chosen in a match against the program.
pub fn is_choosing(app: &App) -> bool {
    let is_play = matches!(app.match_prompt(), Some(MatchPrompt::Play(_)));
    is_play && is_at_end(app) && app.scope() == KeyScope::Match && !app.is_transcribing()
}

pub(super) fn can_vary(app: &App) -> Result<(), &'static str> {
    at_decision(app, |_| true, "the game is over")
}

/// Whether there is a play to make, or a variation to begin.
pub(super) fn can_make(app: &App) -> Result<(), &'static str> {
    is_not_passed(app)?;
    let is_doubled = |turn: &MatchTurn| turn.before.state.doubled;
    if app.variation.is_some() && app.turn().is_some_and(is_doubled) {
        return Err(match can_beaver(app) {
            Ok(()) => {
                "a double waits for its answer: {take} takes, {pass} passes, {beaver} beavers"
            }
            Err(_) => "a double waits for its answer: {take} takes, {pass} passes",
        });
    }
    can_vary(app)
}

/// Refuses a variation that a pass has ended.
fn is_not_passed(app: &App) -> Result<(), &'static str> {
    let passed = |turn: &MatchTurn| matches!(turn.action, Some(Action::Pass));
    let is_varied = app.variation.is_some() && !app.is_between_games();
    match is_varied && app.turn().is_some_and(passed) {
        true => Err("the game is over here: {take} takes instead"),
        false => Ok(()),
    }
}

pub(super) fn can_roll_dice(app: &App) -> Result<(), &'static str> {
    is_not_passed(app)?;
    let turn = app.turn();
    let is_doubled = turn.is_some_and(|turn| turn.before.state.doubled);
    let why = match (is_doubled, can_beaver(app)) {
        (true, Ok(())) => {
            "no dice before the double is answered: {take} takes, {pass} passes, {beaver} beavers"
        }
        (true, Err(_)) => "no dice before the double is answered: {take} takes, {pass} passes",
        (false, _) => "no dice: the game is over",
    };
    at_decision(app, |d| !d.state.doubled, why)
}

pub(super) fn can_set_dice(app: &App) -> Result<(), &'static str> {
    if app.is_transcribing() && app.is_between_games() {
        return Err("the game is over: {random dice} goes on");
    }
    // There the answer to a double is typed where dice are.
    let is_asked = app.is_transcribing()
        && is_at_end(app)
        && matches!(app.match_prompt(), Some(MatchPrompt::Answer));
    let is_alone = app.document.record.games.is_empty() && app.turn().is_some();
    match is_alone || is_asked {
        true => Ok(()),
        false => can_roll_dice(app),
    }
}

pub(super) fn can_double(app: &App) -> Result<(), &'static str> {
    let decision = app.varied_decision();
    let why = match &decision {
        Some(at) if at.state.doubled => "a double waits for its answer",
        Some(at) if at.state.score.crawford => "no double in the Crawford game",
        Some(at) if at.state.owner == CubeOwner::Opponent => "the other player owns the cube",
        Some(at) if at.state.score.length == 1 => "no cube is used in a match to one point",
        Some(at) if is_first_roll(at) => "no double before the first roll",
        Some(at) if is_double_allowed(at) => "the cube is dead: as it is, it wins the match",
        _ => "no double is possible here",
    };
    // A transcript says what was done, also where it was in vain.
    match app.is_transcribing() {
        true => at_decision(app, is_double_allowed, why),
        false => at_decision(app, may_double, why),
    }
}

pub(super) fn can_answer(app: &App) -> Result<(), &'static str> {
    at_decision(
        app,
        |d| d.state.doubled,
        "there is no double to answer here",
    )
}

pub(super) fn has_made(app: &App) -> Result<(), &'static str> {
    let made = app.made_choice();
    made.map(drop).ok_or("nothing was played here")
}

/// The answers to the double in view, with their keys in braces.
pub fn answers(app: &App) -> &'static str {
    match can_beaver(app) {
        Ok(()) => "{take} takes, {pass} passes, {beaver} beavers",
        Err(_) => "{take} takes, {pass} passes",
    }
}

/// Whether a double on offer may be beavered.
///
/// # Errors
/// Why not.
pub fn can_beaver(app: &App) -> Result<(), &'static str> {
    at_decision(app, |d| may_beaver(&d.state), "no beaver is possible here")
}

pub(super) fn is_varying(app: &App) -> Result<(), &'static str> {
    let open = app.variation.as_ref().map(drop);
    open.ok_or("no variation is in view ({what if} begins one)")
}

pub(super) fn has_removed(app: &App) -> Result<(), &'static str> {
    let removed = app.variation.as_ref().and_then(|open| open.removed.last());
    let has_some = removed.is_some() || has_former(app) || has_former_end(app);
    match has_some || app.removed_note().is_some() {
        true => Ok(()),
        false => Err("nothing was removed here"),
    }
}

/// Whether something of the transcript in view was taken back that is neither there again nor in its file.
fn has_former(app: &App) -> bool {
    let open = app.variation.as_ref();
    let played = open.and_then(|open| Some((open.kind.played()?, open.line.len())));
    played.is_some_and(|(played, actions)| played.former_behind(actions) > 0)
}

/// Whether a resignation that was taken back in the transcript in view can be brought back.
fn has_former_end(app: &App) -> bool {
    let open = app.variation.as_ref();
    let played = open.and_then(|open| Some((open.kind.played()?, &open.line)));
    played.is_some_and(|(played, line)| played.end_to_bring_back(line).is_some())
}

/// What is asked before the transcript in view is left, where that loses something; `again` says what the same key does
/// then.
pub fn lost_by_leaving(app: &App, again: &str) -> Option<String> {
    let back = [has_former(app), has_former_end(app)];
    let (lost, what) = match (app.played()?.withheld(), back) {
        (Some(why), _) => {
            let lost = match why {
                Withheld::NotOver => "the game is not over: its changes are lost then",
                Withheld::Misfit(_) => {
                    "later games do not fit: the changes of this one are lost then"
                }
            };
            (lost, if back[0] { "turns" } else { "its end" })
        }
        (None, [true, _]) => ("turns that were taken back are lost then", "them"),
        (None, [false, true]) => ("the end that was taken back is lost then", "it"),
        (None, [false, false]) => return None,
    };
    // A game that was given up again keeps what stood there before from coming back.
    let is_ended = app.played()?.resigned.is_some();
    let keeps = match back.contains(&true) && !is_ended {
        true => format!("{{restore branch}} brings {what} back, "),
        false => String::new(),
    };
    Some(format!("{lost}: {keeps}{again}"))
}

/// Whether the player on roll may double before this roll.
pub fn may_double_here(app: &App) -> bool {
    can_double(app).is_ok()
}

/// What can be typed before a roll of a transcript, with its keys.
pub fn dice_or_double(app: &App) -> &'static str {
    match may_double_here(app) {
        true => "{dice} types the turn, {double} doubles",
        false => "{dice} types the turn",
    }
}

/// Whether no match against the program is in view: what is told of a match or kept of it waits while it is
/// played on.
pub(super) fn is_not_played(app: &App) -> Result<(), &'static str> {
    match app.played() {
        Some(_) => Err("not while the match is played ({back} leaves it)"),
        None => Ok(()),
    }
}
