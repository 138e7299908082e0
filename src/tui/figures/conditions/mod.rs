//! Whether an action can be done at the moment, or why not.

mod study;
mod trying;

use super::{imported, rollout_list, trials, troubles};
use crate::store::UserSettings;
use crate::tui::keys::{ActionEntry, ActionId, KeyScope, actions};
use crate::tui::rollouts::jobs::JobState;
use crate::tui::state::{App, Focus};
use crate::tui::windows::overlay::Overlay;
use study::*;
pub use study::{IS_ANSWERED, offers_to_library};
use trying::*;
pub use trying::{
    GOES_ON_AT_END, GOES_ON_WITH_LEFT, NOTHING_PLAYED, answers, awaits_first_roll, can_beaver,
    dice_or_double, is_at_end, is_choosing, lost_by_leaving, may_double_here, offers_left_match,
};

macro_rules! check {
    ($($scope:ident $group:literal { $(
        $id:ident $name:literal [$($key:literal)*] $about:literal $hint:literal
        $(also $words:literal)? $(if $when:ident)? $(by $by:path)? $(=> $run:expr)?;
    )* })*) => {
        /// Whether the action can be done now, or why not; keys stand in braces, by the names of their actions.
        ///
        /// # Errors
        ///
        /// What is missing.
        pub fn check(app: &App, action: &ActionEntry) -> Result<(), &'static str> {
            match (action.scope, action.id) {
                $($($((KeyScope::$scope, ActionId::$id) => $when(app),)?)*)*
                _ => Ok(()),
            }
        }
    };
}
actions!(check);

fn helps(app: &App) -> Result<(), &'static str> {
    match &app.overlay {
        Some(window) if window.is_help() => Ok(()),
        _ => Err("there is nothing else here"),
    }
}

fn lists(app: &App) -> Result<(), &'static str> {
    match app.overlay {
        Some(Overlay::Help { .. } | Overlay::Open(_) | Overlay::Form(_)) => Ok(()),
        _ => Err("there is no list here"),
    }
}

fn completes(app: &App) -> Result<(), &'static str> {
    match app.overlay {
        Some(Overlay::Open(_) | Overlay::Help { behind: None, .. }) => Ok(()),
        _ => Err("nothing here can be completed"),
    }
}

/// Why there is no turn to walk to.
fn nothing_or(app: &App, why: &'static str) -> &'static str {
    match app.document.turns.is_empty() {
        true => NOTHING_PLAYED,
        false => why,
    }
}

fn has_next(app: &App) -> Result<(), &'static str> {
    if app.at + 1 < app.document.turns.len() {
        Ok(())
    } else {
        Err(or_in_list(app, nothing_or(app, "this is the last turn")))
    }
}

fn has_previous(app: &App) -> Result<(), &'static str> {
    if app.at > 0 {
        Ok(())
    } else {
        Err(or_in_list(app, nothing_or(app, "this is the first turn")))
    }
}

fn has_games(app: &App) -> Result<(), &'static str> {
    if app.document.record.games.len() > 1 {
        Ok(())
    } else {
        Err(or_in_list(app, "there is only one game"))
    }
}

/// Why there is nowhere to go within what is open; of a position of a list, what leads to the others.
fn or_in_list(app: &App, why: &'static str) -> &'static str {
    match app.document.list {
        Some(_) => "a position of a list: {next file} and {previous file} show the others",
        None => why,
    }
}

fn has_errors(app: &App) -> Result<(), &'static str> {
    if app.is_transcribing() {
        return Err("not while the match is written down: {errors} lists them");
    }
    if app.is_in_game() {
        return Err("the answers are hidden while a game is played");
    }
    shows_answers(app)?;
    if app.errors().next().is_some() {
        Ok(())
    } else if app.document.record.games.is_empty() {
        Err("this is no match")
    } else if app.document.is_analysed() {
        Err(app.no_error())
    } else {
        Err("no error found yet, the review is still running")
    }
}

fn shows_answers(app: &App) -> Result<(), &'static str> {
    match app.options.hidden {
        true => Err("the answers are hidden ({answers} shows them)"),
        false => Ok(()),
    }
}

fn shows_errors(app: &App) -> Result<(), &'static str> {
    shows_answers(app)?;
    has_turns(app)
}

/// Plays that a comparison, or another program, may separate.
fn compares_plays(app: &App) -> Result<(), &'static str> {
    shows_answers(app)?;
    has_plays(app)
}

/// Plays, or a cube decision of which something is known.
fn has_analysis(app: &App) -> Result<(), &'static str> {
    shows_answers(app)?;
    let is_cube = app
        .turn()
        .is_some_and(|turn| turn.before.state.roll.is_none());
    match app.review().is_some_and(|review| review.cube.is_some()) {
        true if is_cube => Ok(()),
        _ => has_plays(app),
    }
}

fn is_reviewed(app: &App) -> Result<(), &'static str> {
    is_not_played(app)?;
    let reviewed = app.match_in_review();
    if reviewed.record.games.is_empty() {
        Err("this is no match")
    } else if reviewed.turns.is_empty() {
        Err(NOTHING_PLAYED)
    } else if reviewed.is_analysed() {
        Ok(())
    } else {
        Err("the review is not complete yet")
    }
}

/// A page of the review tells the answers.
fn reports(app: &App) -> Result<(), &'static str> {
    shows_answers(app)?;
    is_reviewed(app)
}

/// Whether there is a match to be written, or a position with variations.
fn can_write(app: &App) -> Result<(), &'static str> {
    is_not_played(app)?;
    match app.home().has_variations() || !app.document.record.games.is_empty() {
        true => Ok(()),
        false => Err("this is no match"),
    }
}

fn has_turns(app: &App) -> Result<(), &'static str> {
    if app.document.record.games.is_empty() {
        Err("this is no match")
    } else if app.document.turns.is_empty() {
        Err(NOTHING_PLAYED)
    } else {
        Ok(())
    }
}

fn has_plays(app: &App) -> Result<(), &'static str> {
    if app.before.is_some() {
        return Err("this is before the roll ({before the roll} shows the roll and its plays)");
    }
    match app.review() {
        None if app.document.turns.is_empty() => Err(NOTHING_PLAYED),
        None => Err("the plays are still being analysed"),
        Some(r) if r.candidates.is_empty() => Err("no dice here, so no plays"),
        Some(_) => Ok(()),
    }
}

/// Plays to look at, or a game by hand that has ended: there the key begins the next one.
fn can_look(app: &App) -> Result<(), &'static str> {
    match app.is_between_games() {
        true => Ok(()),
        false => has_plays(app),
    }
}

fn has_imported(app: &App) -> Result<(), &'static str> {
    shows_answers(app)?;
    match imported::analysis(app) {
        Some(_) => Ok(()),
        None => Err("the file has no analysis of this decision"),
    }
}

/// Rows of the pane that has the keyboard.
fn has_rows(app: &App) -> Result<(), &'static str> {
    match app.focus {
        Focus::Moves => has_turns(app),
        Focus::Candidates => has_plays(app),
    }
}

/// Two plays, or a cube decision.
fn has_question(app: &App) -> Result<(), &'static str> {
    match app.decision() {
        Some(decision) if decision.state().roll.is_none() => has_decision(app),
        _ => has_choice(app),
    }
}

fn has_choice(app: &App) -> Result<(), &'static str> {
    has_plays(app)?;
    shows_answers(app)?;
    match app.review() {
        Some(r) if r.candidates.len() > 1 => Ok(()),
        _ => Err("there is only one play"),
    }
}

fn has_decision(app: &App) -> Result<(), &'static str> {
    shows_answers(app)?;
    match app.turn().map(|turn| turn.before.state) {
        None if !app.document.record.games.is_empty() => Err(NOTHING_PLAYED),
        None => Err("there is no position"),
        Some(state) if state.position.is_over() => Err("the game is over"),
        Some(_) if awaits_first_roll(app) => Err(NO_DECISION_YET),
        Some(_) => Ok(()),
    }
}

/// Reason why nothing is rolled out or explained before the first roll.
const NO_DECISION_YET: &str = "there is no decision before the first roll";

fn can_roll(app: &App) -> Result<(), &'static str> {
    if awaits_first_roll(app) {
        return Err(NO_DECISION_YET);
    }
    match app.decision().and_then(|d| d.before_roll()) {
        Some(position) if position.is_over() => return Err("the game is over"),
        Some(_) => {}
        None => has_plays(app)?,
    }
    shows_answers(app)
}

fn can_roll_match(app: &App) -> Result<(), &'static str> {
    match app.variation {
        None => has_turns(app),
        Some(_) if app.hand().is_some() => {
            Err("this is a game by hand ({back} leads back to the match)")
        }
        Some(_) if app.played().is_some() => {
            Err("this game is being played ({back} leads back to the match)")
        }
        Some(_) => Err("this is a variation ({back} leads back to the match)"),
    }
}

fn is_rolling(app: &App) -> Result<(), &'static str> {
    if app.jobs.active().next().is_some() || app.match_rollouts.is_some() {
        Ok(())
    } else {
        Err("nothing is being rolled out")
    }
}

fn is_under_way(app: &App) -> Result<(), &'static str> {
    match rollout_list::selected_job(app) {
        Some(_) => Ok(()),
        None => Err("this rollout neither runs nor waits"),
    }
}

fn is_waiting(app: &App) -> Result<(), &'static str> {
    match rollout_list::selected_job(app).map(|job| &job.state) {
        Some(JobState::Queued) => Ok(()),
        Some(_) => Err("this rollout does not wait"),
        None => Err("this rollout neither runs nor waits"),
    }
}

fn has_jobs(app: &App) -> Result<(), &'static str> {
    if app.jobs.is_empty() {
        Err("nothing has been rolled out yet")
    } else {
        Ok(())
    }
}

fn has_other_rollout(app: &App) -> Result<(), &'static str> {
    match trials::jobs_with_results(app).nth(1) {
        Some(_) => Ok(()),
        None => Err("there is no other rollout of this decision"),
    }
}

fn has_opinions(app: &App) -> Result<(), &'static str> {
    can_roll_match(app)?;
    shows_answers(app)?;
    match app.document.record.analyses.is_empty() {
        false => Ok(()),
        true => Err("this file holds no analysis of another program"),
    }
}

fn has_rollout(app: &App) -> Result<(), &'static str> {
    shows_answers(app)?;
    match trials::shown_job(app) {
        Some(job) if job.is_exact() => Err("its values are known exactly: there is no bias"),
        Some(_) => Ok(()),
        None => Err("this decision has not been rolled out yet ({roll out} does)"),
    }
}

fn has_files(app: &App) -> Result<(), &'static str> {
    if app.sources.len() > 1 {
        Ok(())
    } else {
        Err("nothing else has been opened")
    }
}

fn has_arrived(app: &App) -> Result<(), &'static str> {
    if app.arrived.is_some() {
        Ok(())
    } else {
        Err("no match has been saved in a watched folder")
    }
}

fn has_examples(app: &App) -> Result<(), &'static str> {
    match app.plan.references().is_empty() {
        true => Err("no position stands for this row"),
        false => Ok(()),
    }
}

fn has_place(app: &App) -> Result<(), &'static str> {
    is_not_played(app)?;
    if app.place().is_some() {
        Ok(())
    } else {
        Err("there is no turn here to write beside")
    }
}

fn has_warnings(app: &App) -> Result<(), &'static str> {
    if troubles::count(app) == 0 {
        Err("no warnings about this file")
    } else {
        Ok(())
    }
}

fn has_cube(app: &App) -> Result<(), &'static str> {
    let review = app.document.reviews.get(app.at).and_then(Option::as_ref);
    match review {
        Some(review) if review.cube.is_some() && !review.candidates.is_empty() => Ok(()),
        _ if app.before.is_some() => Ok(()),
        None if app.document.turns.is_empty() => Err(NOTHING_PLAYED),
        None => Err("this turn is being analysed"),
        Some(review) if review.cube.is_some() => Err("this is the cube decision itself"),
        Some(_) => Err(match app.turn() {
            Some(turn) if turn.is_opening_roll() => {
                "nobody doubles before the first roll of a game"
            }
            Some(turn) if turn.before.state.score.crawford => "no double in the Crawford game",
            _ => "no double was possible before this roll",
        }),
    }
}

fn can_deepen(app: &App) -> Result<(), &'static str> {
    if app.settings.ply < UserSettings::MOST_PLIES {
        Ok(())
    } else {
        can_roll(app)
    }
}

fn can_lessen(app: &App) -> Result<(), &'static str> {
    if app.settings.ply > 0 {
        Ok(())
    } else {
        Err("0 plies are the shallowest")
    }
}

fn has_changes(app: &App) -> Result<(), &'static str> {
    match &app.editor {
        Some(editor) if editor.changes() > 0 => Ok(()),
        _ => Err("nothing to undo"),
    }
}

fn has_undone(app: &App) -> Result<(), &'static str> {
    match &app.editor {
        Some(editor) if editor.can_redo() => Ok(()),
        _ => Err("nothing to do again"),
    }
}

fn has_score(app: &App) -> Result<(), &'static str> {
    match app.table_score() {
        Some(_) => Ok(()),
        None => Err("money play has no score"),
    }
}

fn has_crawford_game(app: &App) -> Result<(), &'static str> {
    match &app.overlay {
        Some(Overlay::EquityTable(place)) if !place.table.has_crawford() => {
            Err("this match is played without the Crawford rule")
        }
        _ => Ok(()),
    }
}
