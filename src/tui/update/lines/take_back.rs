//! Decisions taken back in a match against the program.

use super::{played_match, transcript, variations};
use crate::game::{PlayList, Roll};
use crate::match_file::variations::{VariationNode, may_double};
use crate::match_file::{Action, DecisionState, NodeId};
use crate::tui::documents::played_match::{MatchPrompt, PlayedMatch};
use crate::tui::figures::conditions;
use crate::tui::keys::ActionId;
use crate::tui::state::App;

/// A decision of the person that can be taken back.
struct Taken {
    /// Its place in the line of the game.
    at: usize,
    /// The dice that were there to be played.
    roll: Option<Roll>,
}

/// Takes a decision back, or brings it back, which waits while the program is at work.
pub(super) fn act(app: &mut App, action: ActionId) {
    match app.match_prompt() {
        Some(MatchPrompt::Wait) if action == ActionId::RestoreBranch => {
            app.say("the program is at work");
        }
        _ if action == ActionId::RestoreBranch => restore(app),
        _ => take_back(app),
    }
}

/// Takes back the person's last decision, or the one of the turn in view, and what came after it. The dice stay those
/// that they were: they depend on how many rolls there have been.
fn take_back(app: &mut App) {
    if take_resignation_back(app) || take_dice_off(app) || take_roll_back(app) {
        return;
    }
    let Some(Taken { at, roll }) = last_decision(app) else {
        if transcript::goes_back_a_game(app) {
            return;
        }
        return app.say("nothing has been decided in this game that can be taken back");
    };
    let Some(open) = &mut app.variation else {
        return;
    };
    open.remember(&app.document);
    let line = open.line.clone();
    let taken = open.line.split_off(at);
    let is_first = open.removed.is_empty();
    if let Some(played) = open.kind.played_mut() {
        if played.is_transcribed() {
            played.take_end_back(&line);
            played.remember_former(&line);
        }
        if is_first {
            // What was taken back before gave way to what was done since.
            played.rolled_before.clear();
        }
        played.take_back_to(at, roll.is_some());
    }
    if let (Some(tree), Some(node)) = (open.tree_mut(), taken.first()) {
        tree.set_removed(*node, true);
        open.removed.push(*node);
    }
    open.dice = roll;
    app.save_match();
    variations::show(app, at);
    app.say_keys(match app.is_transcribing() {
        true if is_withheld(app) => {
            "taken back; {restore branch} brings it back; the file waits until the game is over again"
        }
        true => "taken back, in the file too; {restore branch} brings it back until you leave",
        false => "taken back; {restore branch} brings it back",
    });
}

/// Whether the game in view is not in its file as it stands.
fn is_withheld(app: &App) -> bool {
    let played = app.played();
    played.is_some_and(|played| played.withheld().is_some())
}

/// Brings back what was taken back last, with all that came after it.
fn restore(app: &mut App) {
    if app.played().is_some_and(|played| played.resigned.is_some()) {
        return app.say_keys("the game was given up: {remove branch} takes that back first");
    }
    let has_removed = app
        .variation
        .as_ref()
        .is_some_and(|open| !open.removed.is_empty());
    if !has_removed && app.is_transcribing() {
        return transcript::bring_former_back(app);
    }
    if let Some(played) = app.played_mut() {
        played.bring_back();
    }
    variations::restore(app);
    if app.is_transcribing() {
        transcript::bring_end_back(app);
    }
    variations::show(app, usize::MAX);
    played_match::go_on(app);
}

/// Whether the person has given the game up, which is taken back then. At an earlier turn of a transcript it is taken
/// back with that one.
fn take_resignation_back(app: &mut App) -> bool {
    let is_earlier = app.is_transcribing() && !conditions::is_at_end(app);
    let Some(open) = app.variation.as_mut().filter(|_| !is_earlier) else {
        return false;
    };
    let line = open.line.clone();
    let resigned = open.kind.played_mut().and_then(|played| {
        played.has_ended = false;
        if played.is_transcribed() {
            return played.take_end_back(&line);
        }
        // One of the program follows from the decision before it.
        let resigned = played.resigned.take()?;
        played.decides(resigned.player).then_some(resigned)
    });
    let Some(resigned) = resigned else {
        return false;
    };
    open.dice = resigned.roll;
    app.save_match();
    variations::show(app, usize::MAX);
    if let Some(played) = app.played_mut() {
        played.was_taken_back = true;
    }
    app.say(match is_withheld(app) {
        true => "the game goes on; the file waits until it is over again",
        false => "the game goes on",
    });
    true
}

/// Whether a transcript has dice without a play, which are taken off then.
fn take_dice_off(app: &mut App) -> bool {
    let is_meant = app.is_transcribing() && conditions::is_at_end(app);
    let Some(open) = app
        .variation
        .as_mut()
        .filter(|open| is_meant && open.dice.is_some())
    else {
        return false;
    };
    open.dice = None;
    variations::show(app, usize::MAX);
    app.say_keys("the dice are taken off: {dice} types others");
    true
}

/// Whether the person has rolled without a double, and not played yet: the roll is taken back then.
fn take_roll_back(app: &mut App) -> bool {
    let before = app.varied_decision().filter(could_double);
    let before = before.filter(|_| conditions::is_at_end(app));
    let (Some(before), Some(open)) = (before, &mut app.variation) else {
        return false;
    };
    let actions = open.line.len();
    let Some(played) = open.kind.played_mut() else {
        return false;
    };
    if open.dice.is_none() || !played.decides(before.player) || !played.has_rolled(actions) {
        return false;
    }
    played.take_roll_back();
    open.dice = None;
    app.save_match();
    variations::show(app, usize::MAX);
    app.say_keys("the roll is taken back: {double} doubles, {random dice} rolls it again");
    true
}

/// Whether the player of a turn could double before its roll.
fn could_double(before: &DecisionState) -> bool {
    let mut before = *before;
    before.state.roll = None;
    may_double(&before)
}

/// The person's decision of the turn in view, or else the last one before it.
fn last_decision(app: &App) -> Option<Taken> {
    let open = app.variation.as_ref()?;
    let played = open.kind.played()?;
    let line: &[NodeId] = &open.line;
    let to = line.len().min(app.at + 1);
    let all = line[..to].iter().enumerate().rev();
    all.filter_map(|(at, node)| Some((at, played.tree.node(*node)?)))
        .find_map(|(at, node)| decided(at, node, played))
}

/// What of a turn was decided by the person; nothing where there was no choice.
fn decided(at: usize, node: &VariationNode, played: &PlayedMatch) -> Option<Taken> {
    let before = &node.before;
    if !played.decides(before.player) {
        return None;
    }
    let Action::Move { roll, .. } = node.action else {
        return Some(Taken { at, roll: None });
    };
    if PlayList::of(&before.state.position, roll).plays().len() > 1 {
        let roll = Some(roll);
        return Some(Taken { at, roll });
    }
    let is_choice = could_double(before) || played.is_transcribed();
    is_choice.then_some(Taken { at, roll: None })
}
