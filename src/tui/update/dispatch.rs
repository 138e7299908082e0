//! What each action does.

use super::appearance;
use super::by_hand;
use super::document;
use super::editor;
use super::equity_table;
use super::filters;
use super::inquire;
use super::library;
use super::match_rollouts;
use super::plan;
use super::played_match;
use super::plays;
use super::program;
use super::quiz;
use super::quiz_match;
use super::quiz_request;
use super::rating;
use super::rollouts::LEAVE;
use super::second_opinion;
use super::variations;
use super::walk;
use super::windows;
use crate::store::UserSettings;
use crate::tui::actions::{ActionEntry, ActionId};
use crate::tui::candidate_rows;
use crate::tui::explain::due_tip;
use crate::tui::state::{App, Effect, Focus, Loss};
use crate::tui::tips::Tips;

/// Asks whether to leave what is not saved.
const UNSAVED: &str = "not everything is saved yet, {warnings} says why: {quit} again quits";
const BOTH: &str =
    "the game by hand would be lost, and not all is saved yet ({warnings}): {quit} again quits";

const UNDER_WAY: &str = "the game by hand is not over and would be lost: {quit} again quits";
const NOT_OVER: &str = "the game by hand is not over and would be lost: {back} again leaves it";

/// Does an action if it can be done, or says why not.
pub(super) fn attempt(app: &mut App, action: &'static ActionEntry) {
    match (action.enabled)(app) {
        Ok(()) => act(app, action.id),
        Err(why) => app.say(app.keymap.reason(action, why)),
    }
}

fn act(app: &mut App, action: ActionId) {
    follow_tip(app, action);
    if library::act(app, action)
        || plan::act(app, action)
        || rating::act(app, action)
        || app.overlay.is_some() && windows::act(app, action)
    {
        return;
    }
    if editor::act(app, action) || quiz::act(app, action) {
        return;
    }
    match action {
        ActionId::Back if app.options.zoom.is_some() => app.options.zoom = None,
        ActionId::Back if app.variation.is_some() && app.selection.is_empty() => {
            let loss = Loss::Leave(ActionId::Back);
            if app.confirmation.takes_back(&loss) {
                return app.say("nothing done");
            }
            if app.played().is_some() {
                played_match::leave(app);
            } else if app.is_playing_by_hand() && !app.confirmation.confirms(loss) {
                app.say_keys(NOT_OVER);
            } else {
                variations::leave(app);
            }
        }
        ActionId::Look if app.is_varying_at_choice() => {
            vary(app, ActionId::Vary);
        }
        ActionId::NextTurn
        | ActionId::PreviousTurn
        | ActionId::NextGame
        | ActionId::PreviousGame
        | ActionId::NextError
        | ActionId::PreviousError
        | ActionId::Before
        | ActionId::Back => walk::act(app, action),
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
        ActionId::Look
        | ActionId::Mark
        | ActionId::RollOut
        | ActionId::Compare
        | ActionId::Pause
        | ActionId::Stop
        | ActionId::Freeze => {
            roll_act(app, action);
        }
        ActionId::RollMatch if app.match_rollouts.is_some() => match_rollouts::again(app),
        ActionId::Deeper => deepen(app, app.settings.ply + 1),
        ActionId::Shallower => deepen(app, app.settings.ply.saturating_sub(1)),
        ActionId::Columns
        | ActionId::Order
        | ActionId::Units
        | ActionId::Flip
        | ActionId::Mirror
        | ActionId::Pips
        | ActionId::BothPlays
        | ActionId::Zoom
        | ActionId::Larger
        | ActionId::Smaller
        | ActionId::Hide
        | ActionId::NextTheme => {
            appearance::change(app, action);
        }
        ActionId::Threshold | ActionId::Whose | ActionId::Class => filters::change(app, action),
        ActionId::OpenNew | ActionId::NextFile | ActionId::PreviousFile => {
            document::other(app, action)
        }
        ActionId::CopyXgid | ActionId::CopyGnubg | ActionId::CopyTable | ActionId::CopyXgText => {
            plays::copy(app, action)
        }
        ActionId::Why => inquire::why(app, plays::pair(app)),
        ActionId::Matrix => inquire::matrix(app),
        ActionId::BiasCheck => inquire::bias(app),
        ActionId::Verify => match_rollouts::verify(app),
        ActionId::Edit => editor::open(app, false),
        ActionId::EmptyBoard => editor::open(app, true),
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
        | ActionId::RestoreBranch => vary(app, action),
        ActionId::ByHand => by_hand::begin(app),
        ActionId::Resign => played_match::resign(app),
        ActionId::PlayOn => played_match::play(app),
        ActionId::SecondOpinion => second_opinion::ask(app),
        ActionId::Tips => app.tips = Some(Tips::default()),
        ActionId::SaveSettings => app.effects.push(Effect::SaveSettings),
        ActionId::Open
        | ActionId::Note
        | ActionId::RollMatch
        | ActionId::Signs
        | ActionId::Themes
        | ActionId::Figures
        | ActionId::Dice
        | ActionId::Score
        | ActionId::Palette
        | ActionId::Help
        | ActionId::Errors
        | ActionId::Imported
        | ActionId::Statistics
        | ActionId::Warnings
        | ActionId::Export
        | ActionId::Picture
        | ActionId::Card
        | ActionId::MatchReport
        | ActionId::RolloutSettings
        | ActionId::Settings
        | ActionId::TypePlay => windows::open(app, action),
        ActionId::Library | ActionId::Similar => library::open(app, action),
        ActionId::StudyPlan => plan::open(app),
        ActionId::Rating => rating::open(app),
        ActionId::EquityTable => equity_table::open(app),
        ActionId::KeptRollouts => windows::open_kept_list(app),
        ActionId::Quiz => quiz_match::begin(app),
        ActionId::QuizMatch => quiz_match::visit(app),
        ActionId::QuizAgain => quiz_match::resume(app),
        ActionId::QuizDue => quiz_request::of_due(app),
        ActionId::QuizLibrary => quiz_request::of_library(app),
        ActionId::Quit => quit(app),
        ActionId::QuitNow => app.effects.push(Effect::Quit),
        ActionId::Redraw => app.effects.push(Effect::Redraw),
        ActionId::Suspend => app.effects.push(Effect::Suspend),
        ActionId::Close
        | ActionId::Accept
        | ActionId::Less
        | ActionId::More
        | ActionId::Complete
        | ActionId::PageDown
        | ActionId::PageUp
        | ActionId::Count
        | ActionId::Choice
        | ActionId::NoDouble
        | ActionId::Myself
        | ActionId::MoneyPlan
        | ActionId::OpponentRating
        | ActionId::RemoveMatch
        | ActionId::Skip
        | ActionId::AddChecker
        | ActionId::TakeChecker
        | ActionId::Colour
        | ActionId::OnRoll
        | ActionId::CubeValue
        | ActionId::CubeOwner
        | ActionId::Offer
        | ActionId::Crawford
        | ActionId::Jacoby
        | ActionId::Beavers
        | ActionId::Undo
        | ActionId::Redo
        | ActionId::Clear
        | ActionId::Opening
        | ActionId::SwapSides
        | ActionId::Unwanted
        | ActionId::FindDrawn => {}
    }
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

/// What is done with the selected plays and with rollouts.
fn roll_act(app: &mut App, action: ActionId) {
    match action {
        ActionId::Look => plays::toggle_shown_play(app),
        ActionId::Mark => plays::mark(app),
        ActionId::RollOut => plays::roll_out(app),
        ActionId::Compare => plays::compare(app),
        ActionId::Pause if app.jobs.current().is_none() => match_rollouts::pause(app),
        ActionId::Pause => plays::pause(app),
        ActionId::Stop if app.jobs.active().next().is_none() => match_rollouts::stop(app),
        ActionId::Stop => plays::stop(app),
        ActionId::Freeze => {
            let now = app.now;
            app.jobs.toggle_freeze(now);
            candidate_rows::rerank(app);
        }
        other => unreachable!("{other:?} is no action of rollouts"),
    }
}

/// Leaves; asks first where something would be lost.
fn quit(app: &mut App) {
    let (by_hand, unsaved) = (app.is_playing_by_hand(), app.unsaved());
    // What would be lost comes first: a rollout only ends, and what it has found is kept.
    let question = match (by_hand, unsaved > 0) {
        (true, true) => BOTH,
        (true, false) => UNDER_WAY,
        (false, true) => UNSAVED,
        (false, false) if app.jobs.active().next().is_some() => LEAVE,
        (false, false) => return app.effects.push(Effect::Quit),
    };
    if app.confirmation.confirms(Loss::Quit { by_hand, unsaved }) {
        app.effects.push(Effect::Quit);
    } else if unsaved > 0 {
        let text = app.keymap.named(question);
        app.warn(text);
    } else {
        app.say_keys(question);
    }
}

fn deepen(app: &mut App, ply: u8) {
    app.settings.ply = ply.min(UserSettings::MOST_PLIES);
    candidate_rows::rerank(app);
    walk::analyse_turn_in_view(app);
}

/// Does what a key of variations means, in a variation or in a game that is played.
fn vary(app: &mut App, action: ActionId) {
    if app.hand().is_some() {
        by_hand::act(app, action);
    } else if app.played().is_some() {
        played_match::act(app, action);
    } else {
        program::act(app, action);
    }
}
