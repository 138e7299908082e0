//! What each action does.

use super::windows;
use crate::tui::figures::conditions;
use crate::tui::figures::explain::due_tip;
use crate::tui::keys::{ActionEntry, ActionId, KeyScope, find};
use crate::tui::state::{App, Effect, Focus, Loss};
use crate::tui::update::across_matches::{library, plan, quiz_match, rating};
use crate::tui::update::analysis::rollouts::{self, leave_question};
use crate::tui::update::analysis::{
    equity_table, filters, inquire, levels, match_rollouts, plays, second_opinion,
};
use crate::tui::update::lines::{self, by_hand, played_match, transcript, variations, walk};
use crate::tui::update::quizzes::{quiz, quiz_request};
use crate::tui::update::ranking;
use crate::tui::update::{appearance, document, editor, notes};
use crate::tui::windows::overlay::Overlay;
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
    match conditions::check(app, action) {
        Ok(()) => {
            act(app, action.id);
        }
        Err(why) => app.say(app.keymap.reason(action, why)),
    }
}

/// Does an action; answers whether it means something where the keyboard is.
pub(crate) fn act(app: &mut App, action: ActionId) -> bool {
    follow_tip(app, action);
    in_window(app, action)
        || editor::act(app, action)
        || quiz::act(app, action)
        || on_screen(app, action)
}

/// Does what an action means in the window in view; answers whether it means something there.
fn in_window(app: &mut App, action: ActionId) -> bool {
    library::act(app, action)
        || plan::act(app, action)
        || rating::act(app, action)
        || run_named(app, action)
        || app.overlay.is_some() && windows::act(app, action)
}

/// Enter on a row that names an action closes the window and does that action.
fn run_named(app: &mut App, action: ActionId) -> bool {
    let chosen = windows::named_action(app).filter(|_| action == ActionId::Accept);
    // The last row of the help is reached by accident: there it asks like the key that does.
    let quit = || find(ActionId::Quit, KeyScope::Match);
    let asks = app.overlay.as_ref().is_some_and(Overlay::is_help);
    let chosen = match chosen.map(|chosen| chosen.id) {
        Some(ActionId::QuitNow) if asks => quit(),
        _ => chosen,
    };
    if let Some(chosen) = chosen {
        let named = windows::named_move(app);
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

/// Does what an action means on the screen of the match; answers whether it means something there.
fn on_screen(app: &mut App, action: ActionId) -> bool {
    match action {
        // These come before what the same keys mean elsewhere.
        ActionId::Back if app.options.zoom.is_some() => app.options.zoom = None,
        ActionId::Back if app.variation.is_some() && app.selection.is_empty() => {
            leave_variation(app);
        }
        ActionId::Look if app.is_varying_at_choice() => return vary(app, ActionId::Vary),
        ActionId::RollMatch if app.match_rollouts.is_some() => match_rollouts::again(app),
        _ => {
            return walk::act(app, action)
                || in_pane(app, action)
                || roll_act(app, action)
                || appearance::change(app, action)
                || filters::change(app, action)
                || document::other(app, action)
                || plays::copy(app, action)
                || vary(app, action)
                || windows::open(app, action)
                || library::open(app, action)
                || ask(app, action)
                || begin(app, action)
                || of_program(app, action);
        }
    }
    true
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

/// Moves in the pane that has the keyboard, or gives it to the other one.
fn in_pane(app: &mut App, action: ActionId) -> bool {
    match action {
        ActionId::Down | ActionId::Up | ActionId::First | ActionId::Last => match app.focus {
            Focus::Moves if app.variation.is_some() => variations::walk_tree(app, action),
            Focus::Moves => walk::list(app, action),
            Focus::Candidates => plays::select(app, action),
        },
        ActionId::FocusNext | ActionId::FocusPrevious => {
            app.focus = match app.focus {
                Focus::Moves => Focus::Candidates,
                Focus::Candidates => Focus::Moves,
            };
        }
        _ => return false,
    }
    true
}

/// Carries out an action that asks about the decision in view, or the match; false for all others.
fn ask(app: &mut App, action: ActionId) -> bool {
    match action {
        ActionId::Deeper => levels::deepen(app),
        ActionId::Shallower => levels::look_ahead(app, app.settings.ply.saturating_sub(1)),
        ActionId::Why => inquire::why(app, plays::pair(app)),
        ActionId::Rolls => inquire::rolls(app),
        ActionId::Matrix => inquire::matrix(app),
        ActionId::BiasCheck => inquire::bias(app),
        ActionId::Verify => match_rollouts::verify(app),
        ActionId::SecondOpinion => second_opinion::ask(app),
        _ => return false,
    }
    true
}

/// Carries out an action that takes the screen, or lies over it with a state of its own; false for all
/// others.
fn begin(app: &mut App, action: ActionId) -> bool {
    match action {
        ActionId::Edit => editor::open(app, false),
        ActionId::EmptyBoard => editor::open(app, true),
        ActionId::ByHand => by_hand::begin(app),
        ActionId::Resign if app.is_transcribing() => transcript::resign(app),
        ActionId::Resign => played_match::resign(app),
        ActionId::PlayOn => {
            played_match::play(app);
            document::guard(app);
        }
        ActionId::Transcribe => {
            transcript::transcribe(app);
            document::guard(app);
        }
        ActionId::StudyPlan => plan::open(app),
        ActionId::Rating => rating::open(app),
        ActionId::EquityTable => equity_table::open(app),
        ActionId::KeptRollouts => windows::rollout_list::open(app),
        ActionId::Quiz => quiz_match::begin(app),
        ActionId::QuizMatch => quiz_match::visit(app),
        ActionId::QuizAgain => quiz_match::resume(app),
        ActionId::QuizDue => quiz_request::of_due(app),
        ActionId::QuizLibrary => quiz_request::of_library(app),
        _ => return false,
    }
    true
}

/// Carries out an action that concerns the program as a whole; false for all others.
fn of_program(app: &mut App, action: ActionId) -> bool {
    match action {
        ActionId::Tips => app.tips = Some(Tips::default()),
        ActionId::SaveSettings => app.effects.push(Effect::SaveSettings),
        ActionId::Quit => quit(app),
        ActionId::QuitNow => leave_program(app),
        ActionId::Redraw => app.effects.push(Effect::Redraw),
        ActionId::Suspend => app.effects.push(Effect::Suspend),
        _ => return false,
    }
    true
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

/// Carries out an action on the selected plays or on rollouts; false for all others.
fn roll_act(app: &mut App, action: ActionId) -> bool {
    match action {
        ActionId::Look => plays::toggle_shown_play(app),
        ActionId::Mark => plays::mark(app),
        ActionId::RollOut => plays::roll_out(app),
        ActionId::Compare => plays::compare(app),
        ActionId::Pause if app.jobs.current().is_none() => match_rollouts::pause(app),
        ActionId::Pause => plays::pause(app),
        ActionId::Stop if app.jobs.active().next().is_none() => match_rollouts::stop(app),
        ActionId::Stop => plays::stop(app),
        ActionId::OtherRollout => rollouts::show_other(app),
        ActionId::Freeze => {
            let now = app.now;
            app.jobs.toggle_freeze(now);
            ranking::rerank(app);
        }
        _ => return false,
    }
    true
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

/// Does what a key of variations means, in a variation or in a game that is played.
fn vary(app: &mut App, action: ActionId) -> bool {
    let is_meant = matches!(
        action,
        ActionId::Vary
            | ActionId::RollDice
            | ActionId::NextRoll
            | ActionId::PreviousRoll
            | ActionId::Double
            | ActionId::Take
            | ActionId::Pass
            | ActionId::Beaver
            | ActionId::Program
            | ActionId::Opponent
            | ActionId::NextBranch
            | ActionId::PreviousBranch
            | ActionId::RemoveBranch
            | ActionId::RestoreBranch
    );
    // Outside of variations a note is all that can have been removed.
    let is_note = action == ActionId::RestoreBranch && notes::bring_back(app);
    if is_meant && !is_note {
        lines::act(app, action);
    }
    is_meant
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
