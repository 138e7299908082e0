//! What each action does.

use crate::tui::documents::played_match::MatchPrompt;
use crate::tui::figures::conditions;
use crate::tui::figures::explain::due_tip;
use crate::tui::keys::{ActionEntry, ActionId, KeyScope, actions, find};
use crate::tui::state::{App, Effect, Focus, Loss};
use crate::tui::update::analysis::rollouts::{self, leave_question};
use crate::tui::update::analysis::{
    filters, inquire, levels, match_rollouts, plays, second_opinion,
};
use crate::tui::update::lines::{self, by_hand, played_match, transcript, variations, walk};
use crate::tui::update::quizzes::{quiz, quiz_request};
use crate::tui::update::ranking;
use crate::tui::update::windows::{self, equity_table, kept_list, library, plan, rating};
use crate::tui::update::{appearance, document, editor, folder, notes, quiz_match};
use crate::tui::windows::tips::Tips;

/// Asks whether to leave what is not saved.
const UNSAVED: &str = "not everything is saved yet, {warnings} says why: {quit} again quits";
const BOTH: &str =
    "the game by hand would be lost, and not all is saved yet ({warnings}): {quit} again quits";
const WRITING: &str = "a file is still being written: {quit} again quits, and it may be missing";
const FILLING: &str =
    "matches are on their way into the library: the rest follows next time, {quit} again quits";
const UNDER_WAY: &str = "the game by hand is not over and would be lost: {quit} again quits";
const NOT_OVER: &str = "the game by hand is not over and would be lost: {back} again leaves it";

/// Does an action if it can be done, or says why not.
pub(crate) fn attempt(app: &mut App, action: &'static ActionEntry) {
    let action = match action.id {
        // The keys that a player tries first.
        ActionId::Look | ActionId::Mark if awaits_roll(app) => {
            find(ActionId::RollDice, KeyScope::Match).unwrap_or(action)
        }
        _ => action,
    };
    match conditions::check(app, action) {
        Ok(()) => {
            act(app, action.id);
        }
        Err(why) => app.say(app.keymap.reason(action, why)),
    }
}

/// Whether a match against the program waits for the person's roll.
fn awaits_roll(app: &App) -> bool {
    let awaits = |prompt| prompt == MatchPrompt::Double || prompt == MatchPrompt::NextGame;
    app.scope() == KeyScope::Match
        && !app.is_transcribing()
        && app.match_prompt().is_some_and(awaits)
        && conditions::is_at_end(app)
}

/// Does an action; answers whether it means something where the keyboard is.
pub(crate) fn act(app: &mut App, action: ActionId) -> bool {
    follow_tip(app, action);
    let is_over_screen = app.scope() != KeyScope::Match;
    let acted = is_over_screen
        && (in_window(app, action) || editor::act(app, action) || quiz::act(app, action));
    acted || on_screen(app, action)
}

/// Does what an action means in the window in view; answers whether it means something there.
fn in_window(app: &mut App, action: ActionId) -> bool {
    run_named(app, action) || windows::act(app, action)
}

/// Enter on a row that names an action closes the window and does that action.
fn run_named(app: &mut App, action: ActionId) -> bool {
    let chosen = windows::named_action(app).filter(|_| action == ActionId::Accept);
    // The last row of the help is reached by accident: there it asks like the key that does.
    let quit = || find(ActionId::Quit, KeyScope::Match);
    let asks = app
        .overlay
        .as_ref()
        .is_some_and(|window| window.is_help() && window.typed().is_empty());
    let chosen = match chosen.map(|chosen| chosen.id) {
        Some(ActionId::QuitNow) if asks => quit(),
        _ => chosen,
    };
    if let Some(chosen) = chosen {
        let named = windows::help::named_move(app);
        windows::close(app);
        match named {
            Some(named)
                if chosen.id == ActionId::GoTo && conditions::check(app, chosen).is_ok() =>
            {
                walk::to_move(app, named);
            }
            _ => attempt(app, chosen),
        }
    }
    chosen.is_some()
}

macro_rules! on_screen {
    ($($scope:ident $group:literal { $(
        $id:ident $name:literal [$($key:literal)*] $about:literal $hint:literal
        $(also $words:literal)? $(if $when:ident)? $(by $by:path)? $(=> $run:expr)?;
    )* })*) => {
        /// Does what an action means on the screen of the match; answers whether it means something there.
        fn on_screen(app: &mut App, action: ActionId) -> bool {
            match action {
                $($(
                    $(ActionId::$id => _ = $by(app, action),)?
                    $(ActionId::$id => {
                        let run: fn(&mut App) = $run;
                        run(app);
                    })?
                )*)*
                _ => return false,
            }
            true
        }
    };
}
actions!(on_screen);

/// Goes one step back: to all panes, out of a variation, to the roll, or to the position before the play.
fn step_back(app: &mut App) {
    if app.options.zoom.is_some() {
        app.options.zoom = None;
    } else if app.variation.is_some() && app.selection.is_empty() {
        leave_variation(app);
    } else if app.before.is_none() {
        app.selection.clear();
    } else {
        walk::before(app);
    }
}

/// Makes the selected play in a variation; elsewhere shows it, or the position before it.
fn look(app: &mut App) {
    match app.is_varying_at_choice() {
        true => lines::act(app, ActionId::Vary),
        false => plays::toggle_shown_play(app),
    }
}

/// Leaves the variation, the game by hand or the match against the program in view; asks first where it would be lost.
fn leave_variation(app: &mut App) {
    let loss = Loss::Leave(ActionId::Back);
    if app.confirmation.takes_back(&loss) {
        return app.say("nothing done");
    }
    if let Some(played) = app.played() {
        // Of a transcript nothing is hidden, and what was not taken back is written.
        let lost = conditions::lost_by_leaving(app, "{back} again leaves");
        let is_over = lost.is_none() && (played.is_won_here() || played.is_transcribed());
        // After the last play there is no further turn.
        if !conditions::is_at_end(app) && !app.is_between_games() {
            variations::show(app, usize::MAX);
        } else if is_over || app.confirmation.confirms(loss) {
            played_match::leave(app);
        } else {
            let not_over = "the match is not over: {back} again leaves it, and shows the answers";
            app.say_keys(lost.as_deref().unwrap_or(not_over));
        }
    } else if app.is_playing_by_hand() && !app.confirmation.confirms(loss) {
        app.say_keys(NOT_OVER);
    } else {
        variations::leave(app);
    }
}

/// Moves in the pane that has the keyboard.
fn in_pane(app: &mut App, action: ActionId) {
    match app.focus {
        Focus::Moves if app.variation.is_some() => variations::walk_tree(app, action),
        Focus::Moves => walk::list(app, action),
        Focus::Candidates => plays::select(app, action),
    }
}

/// Gives the keyboard to the other pane.
fn other_pane(app: &mut App) {
    app.focus = match app.focus {
        Focus::Moves => Focus::Candidates,
        Focus::Candidates => Focus::Moves,
    };
}

fn roll_match(app: &mut App) {
    match app.match_rollouts {
        Some(_) => match_rollouts::again(app),
        None => _ = windows::open(app, ActionId::RollMatch),
    }
}

fn resign(app: &mut App) {
    match app.is_transcribing() {
        true => transcript::resign(app),
        false => played_match::resign(app),
    }
}

fn play_on(app: &mut App) {
    played_match::play(app);
    document::guard(app);
}

fn transcribe(app: &mut App) {
    transcript::transcribe(app);
    document::guard(app);
}

/// A tip that is followed gives way to the next. With nothing to step back from, Esc ends them.
fn follow_tip(app: &mut App, action: ActionId) {
    let shown = due_tip(app);
    let is_shown = shown.is_some() && app.options.zoom.is_none();
    let ends = action == ActionId::Back && is_shown && app.selection.is_empty();
    if let Some(tips) = &mut app.tips {
        match ends {
            true => tips.end(),
            false => tips.follow(action, shown),
        }
    }
}

fn pause(app: &mut App) {
    match app.jobs.current() {
        Some(_) => plays::pause(app),
        None => match_rollouts::pause(app),
    }
}

fn stop(app: &mut App) {
    let is_any = app.jobs.active().next().is_some();
    match is_any {
        true => plays::stop(app),
        false => match_rollouts::stop(app),
    }
}

fn freeze(app: &mut App) {
    let now = app.now;
    app.jobs.toggle_freeze(now);
    ranking::rerank(app);
}

/// Leaves; asks first where something would be lost.
fn quit(app: &mut App) {
    let (by_hand, unsaved) = (app.is_playing_by_hand(), app.unsaved());
    let lost = conditions::lost_by_leaving(app, "{quit} again quits");
    // What would be lost comes first: a rollout only ends, and what it has found is kept.
    let question = match (by_hand, unsaved > 0, &lost) {
        (true, true, _) => BOTH,
        (true, false, _) => UNDER_WAY,
        (false, true, _) => UNSAVED,
        (false, false, Some(lost)) => lost,
        (false, false, _) if !app.unwritten.is_empty() => WRITING,
        (false, false, _) if app.jobs.active().next().is_some() => leave_question(app),
        (false, false, _) if !app.library.under_way.is_empty() => FILLING,
        (false, false, _) => return leave_program(app),
    };
    if app.confirmation.confirms(Loss::Quit { by_hand, unsaved }) {
        leave_program(app);
    } else if unsaved > 0 {
        let text = app.keymap.named(question);
        app.warn(text);
    } else {
        app.say_keys(question);
    }
}

/// Ends the program, and keeps what is typed of a note. A match that is over comes into the library at the next start.
fn leave_program(app: &mut App) {
    notes::keep_open(app);
    played_match::fill_library(app);
    app.effects.push(Effect::Quit);
}

/// Brings back what was removed last. Outside of variations that can only be a note.
fn restore_branch(app: &mut App) {
    if !notes::bring_back(app) {
        lines::act(app, ActionId::RestoreBranch);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::keys::ACTIONS;
    use crate::tui::testing::TestApp;
    use crate::tui::theme::Depth;

    #[test]
    fn every_action_of_the_screen_is_meant() {
        let mut bench = TestApp::new(Depth::True);
        let of_screen = ACTIONS
            .iter()
            .filter(|row| row.scope.covers(KeyScope::Match));
        for row in of_screen {
            assert!(on_screen(&mut bench.app, row.id), "{:?}", row.id);
        }
        assert!(!on_screen(&mut bench.app, ActionId::Accept));
    }
}
