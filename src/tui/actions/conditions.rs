//! Whether an action can be done at the moment, or why not: the last column of the table of actions.

use crate::game::CubeOwner;
use crate::match_file::DecisionState;
use crate::match_file::variations::{is_first_roll, may_beaver, may_double};
use crate::review::MatchTurn;
use crate::store::UserSettings;
use crate::tui::overlay::Overlay;
use crate::tui::played_match::{MatchAsk, can_go_on, seed_of};
use crate::tui::state::{App, Focus};

pub(super) fn always(_: &App) -> Result<(), &'static str> {
    Ok(())
}

pub(super) fn helps(app: &App) -> Result<(), &'static str> {
    match app.overlay {
        Some(Overlay::Help { .. } | Overlay::Legend { .. } | Overlay::Figures { .. }) => Ok(()),
        _ => Err("there is nothing else here"),
    }
}

pub(super) fn lists(app: &App) -> Result<(), &'static str> {
    match app.overlay {
        Some(Overlay::Palette { .. } | Overlay::Open { .. } | Overlay::Form(_)) => Ok(()),
        _ => Err("there is no list here"),
    }
}

pub(super) fn completes(app: &App) -> Result<(), &'static str> {
    match app.overlay {
        Some(Overlay::Open { .. }) => Ok(()),
        _ => Err("nothing here can be completed"),
    }
}

pub(super) fn has_next(app: &App) -> Result<(), &'static str> {
    if app.at + 1 < app.document.turns.len() {
        Ok(())
    } else {
        Err(or_in_list(app, "this is the last turn"))
    }
}

pub(super) fn has_previous(app: &App) -> Result<(), &'static str> {
    if app.at > 0 {
        Ok(())
    } else {
        Err(or_in_list(app, "this is the first turn"))
    }
}

pub(super) fn has_games(app: &App) -> Result<(), &'static str> {
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

pub(super) fn has_errors(app: &App) -> Result<(), &'static str> {
    if app.is_in_game() {
        return Err("the answers are hidden while a game is played");
    }
    if app.errors().next().is_some() {
        Ok(())
    } else if app.document.record.games.is_empty() {
        Err("this is no match")
    } else if app.document.is_analysed() {
        Err("no error at this threshold ({threshold} changes it)")
    } else {
        Err("no error found yet, the review is still running")
    }
}

pub(super) fn shows_answers(app: &App) -> Result<(), &'static str> {
    match app.options.hidden {
        true => Err("the answers are hidden ({hide answers} shows them)"),
        false => Ok(()),
    }
}

pub(super) fn shows_errors(app: &App) -> Result<(), &'static str> {
    shows_answers(app)?;
    has_turns(app)
}

/// Plays that a comparison, or another program, may separate.
pub(super) fn compares_plays(app: &App) -> Result<(), &'static str> {
    shows_answers(app)?;
    has_plays(app)
}

/// Plays, or a cube decision of which something is known.
pub(super) fn has_analysis(app: &App) -> Result<(), &'static str> {
    shows_answers(app)?;
    let is_cube = app
        .turn()
        .is_some_and(|turn| turn.before.state.roll.is_none());
    match app.review().is_some_and(|review| review.cube.is_some()) {
        true if is_cube => Ok(()),
        _ => has_plays(app),
    }
}

/// Whether there is a match of which something is reviewed.
pub(super) fn can_quiz(app: &App) -> Result<(), &'static str> {
    is_not_played(app)?;
    let home = app.home();
    match home.record.games.is_empty() {
        _ if !app.study.is_there() => Err(NO_STUDY),
        true if home.list.is_some() => Ok(()),
        true => Err("this is no match ({quiz of what is due} asks what is due)"),
        false if home.reviews.iter().all(Option::is_none) => {
            Err("the match is still being analysed")
        }
        false => Ok(()),
    }
}

const NO_STUDY: &str = "the answers of the quiz cannot be kept here";

pub(super) fn can_study(app: &App) -> Result<(), &'static str> {
    match app.study.is_there() {
        true => Ok(()),
        false => Err(NO_STUDY),
    }
}

pub(super) fn lists_matches(app: &App) -> Result<(), &'static str> {
    match app.rating.selected() {
        Some(_) => Ok(()),
        None => Err("a match is chosen in the list of matches"),
    }
}

pub(super) fn has_due(app: &App) -> Result<(), &'static str> {
    match app.study.due() {
        _ if !app.study.is_there() => Err(NO_STUDY),
        0 => Err("nothing is due today ({quiz of this match} asks the errors of this match)"),
        _ => Ok(()),
    }
}

/// What an answer that is given already says to another one.
pub(in crate::tui) const IS_ANSWERED: &str =
    "this is answered ({answer or go on} goes on, {undo} takes it back)";

pub(super) fn has_question_open(app: &App) -> Result<(), &'static str> {
    match &app.quiz {
        Some(quiz) if !quiz.is_over && quiz.open.given.is_none() => Ok(()),
        _ => Err(IS_ANSWERED),
    }
}

pub(super) fn is_asking(app: &App) -> Result<(), &'static str> {
    match &app.quiz {
        Some(quiz) if !quiz.is_over => Ok(()),
        _ => Err("all is answered"),
    }
}

pub(super) fn types_play(app: &App) -> Result<(), &'static str> {
    has_question_open(app)?;
    match app.turn().map(|turn| turn.before.state.roll) {
        Some(Some(_)) => Ok(()),
        _ => Err("no dice here: choose what to do with the cube"),
    }
}

pub(super) fn is_cube_question(app: &App) -> Result<(), &'static str> {
    has_question_open(app)?;
    match app.turn().map(|turn| turn.before.state.roll) {
        Some(None) => Ok(()),
        _ => Err("a play is asked here, not the cube"),
    }
}

pub(super) fn has_answer(app: &App) -> Result<(), &'static str> {
    match &app.quiz {
        Some(quiz) if !quiz.is_over && quiz.open.given.is_some() => Ok(()),
        _ => Err("answer first: why would tell what is best"),
    }
}

/// As [`has_answer`], of what leads to the match.
pub(super) fn has_answer_given(app: &App) -> Result<(), &'static str> {
    has_answer(app).map_err(|_| "answer first: the match would tell what was played")?;
    let open = app.quiz.as_ref().map(|quiz| &quiz.open);
    match open.and_then(|open| open.decision.place.as_ref()) {
        Some(_) => Ok(()),
        None => Err("it is not known in which file this was played"),
    }
}

pub(super) fn has_quiz_aside(app: &App) -> Result<(), &'static str> {
    match app.quiz_aside {
        Some(_) => Ok(()),
        None => Err("no quiz waits"),
    }
}

pub(super) fn has_answers(app: &App) -> Result<(), &'static str> {
    match &app.quiz {
        Some(quiz) if !quiz.done.is_empty() => Ok(()),
        _ => Err("no answer to take back"),
    }
}

/// What is told of a match or kept of it waits while it is played on.
fn is_not_played(app: &App) -> Result<(), &'static str> {
    match app.played() {
        Some(_) => Err("not while the match is played ({back} leads back to it)"),
        None => Ok(()),
    }
}

pub(super) fn is_reviewed(app: &App) -> Result<(), &'static str> {
    is_not_played(app)?;
    let reviewed = app.match_in_review();
    if reviewed.record.games.is_empty() {
        Err("this is no match")
    } else if reviewed.is_analysed() {
        Ok(())
    } else {
        Err("the review is not complete yet")
    }
}

/// A page of the review tells the answers.
pub(super) fn reports(app: &App) -> Result<(), &'static str> {
    shows_answers(app)?;
    is_reviewed(app)
}

/// Whether there is a match to be written, or a position with variations.
pub(super) fn can_write(app: &App) -> Result<(), &'static str> {
    is_not_played(app)?;
    match app.home().has_variations() {
        true => Ok(()),
        false => has_turns(app),
    }
}

pub(super) fn has_turns(app: &App) -> Result<(), &'static str> {
    if app.document.record.games.is_empty() {
        Err("this is no match")
    } else {
        Ok(())
    }
}

pub(super) fn has_plays(app: &App) -> Result<(), &'static str> {
    if app.before.is_some() {
        return Err("this is before the roll ({before the roll} shows the roll and its plays)");
    }
    match app.review() {
        None => Err("the plays are still being analysed"),
        Some(r) if r.candidates.is_empty() => Err("no dice here, so no plays"),
        Some(_) => Ok(()),
    }
}

/// Plays to look at, or a game by hand that has ended: there the key begins the next one.
pub(super) fn can_look(app: &App) -> Result<(), &'static str> {
    match app.is_between_games() {
        true => Ok(()),
        false => has_plays(app),
    }
}

pub(super) fn has_imported(app: &App) -> Result<(), &'static str> {
    shows_answers(app)?;
    match crate::tui::imported::analysis(app) {
        Some(_) => Ok(()),
        None => Err("the file has no analysis of this decision"),
    }
}

/// Rows of the pane that has the keyboard.
pub(super) fn has_rows(app: &App) -> Result<(), &'static str> {
    match app.focus {
        Focus::Moves => has_turns(app),
        Focus::Candidates => has_plays(app),
    }
}

/// Two plays, or a cube decision.
pub(super) fn has_question(app: &App) -> Result<(), &'static str> {
    match app.decision() {
        Some(decision) if decision.state().roll.is_none() => has_decision(app),
        _ => has_choice(app),
    }
}

pub(super) fn has_choice(app: &App) -> Result<(), &'static str> {
    has_plays(app)?;
    shows_answers(app)?;
    match app.review() {
        Some(r) if r.candidates.len() > 1 => Ok(()),
        _ => Err("there is only one play"),
    }
}

pub(super) fn has_decision(app: &App) -> Result<(), &'static str> {
    shows_answers(app)?;
    match app.turn().map(|turn| turn.before.state) {
        None => Err("there is no position"),
        Some(state) if state.position.is_over() => Err("the game is over"),
        Some(_) => Ok(()),
    }
}

pub(super) fn can_roll(app: &App) -> Result<(), &'static str> {
    match app.decision().and_then(|d| d.before_roll()) {
        Some(position) if position.is_over() => return Err("the game is over"),
        Some(_) => {}
        None => has_plays(app)?,
    }
    shows_answers(app)
}

pub(super) fn can_roll_match(app: &App) -> Result<(), &'static str> {
    match app.variation {
        None => has_turns(app),
        Some(_) if app.hand().is_some() => {
            Err("this is a game by hand ({back} leads back to the match)")
        }
        Some(_) if app.played().is_some() => {
            Err("this is a game against the program ({back} leads back to the match)")
        }
        Some(_) => Err("this is a variation ({back} leads back to the match)"),
    }
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
    if app.variation.is_some() {
        return Err("{back} leads back to the match: it is gone on with there");
    }
    match seed_of(&app.document.record) {
        Some(_) if !app.document.record.is_won() => can_go_on(&app.document.record),
        _ => is_not_played(app),
    }
}

/// Whether there is a game against the program that the person can give up.
pub(super) fn can_resign(app: &App) -> Result<(), &'static str> {
    let is_end = app
        .variation
        .as_ref()
        .is_some_and(|open| app.at >= open.line.len());
    match app.match_ask() {
        Some(MatchAsk::Double | MatchAsk::Play(_)) if is_end => Ok(()),
        Some(MatchAsk::Answer) => Err("a double waits for its answer: {pass} gives the game up"),
        Some(_) => Err("you are not on roll in this game"),
        None => Err("only a game against the program can be given up"),
    }
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
    let decision = app.varied_decision();
    let decision = decision.filter(|d| !d.state.position.is_over() && may(d));
    decision.map(drop).ok_or(why)
}

pub(super) fn can_vary(app: &App) -> Result<(), &'static str> {
    at_decision(app, |_| true, "the game is over")
}

/// Whether there is a play to make, or a variation to begin.
pub(super) fn can_make(app: &App) -> Result<(), &'static str> {
    let is_doubled = |turn: &MatchTurn| turn.before.state.doubled;
    if app.variation.is_some() && app.turn().is_some_and(is_doubled) {
        return Err("a double waits for its answer: {take} takes, {pass} passes");
    }
    can_vary(app)
}

pub(super) fn can_roll_dice(app: &App) -> Result<(), &'static str> {
    let turn = app.turn();
    let why = match turn.is_some_and(|turn| turn.before.state.doubled) {
        true => "no dice before the double is answered: {take} takes, {pass} passes",
        false => "no dice: the game is over",
    };
    at_decision(app, |d| !d.state.doubled, why)
}

pub(super) fn can_set_dice(app: &App) -> Result<(), &'static str> {
    let is_alone = app.document.record.games.is_empty() && app.turn().is_some();
    if is_alone { Ok(()) } else { can_roll_dice(app) }
}

pub(super) fn can_double(app: &App) -> Result<(), &'static str> {
    let decision = app.varied_decision();
    let why = match &decision {
        Some(at) if at.state.doubled => "a double waits for its answer",
        Some(at) if at.state.score.crawford => "no double in the Crawford game",
        Some(at) if at.state.owner == CubeOwner::Opponent => "the other player owns the cube",
        Some(at) if is_first_roll(at) => "no double before the first roll",
        _ => "no double is possible here",
    };
    at_decision(app, may_double, why)
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

pub(super) fn can_beaver(app: &App) -> Result<(), &'static str> {
    at_decision(app, |d| may_beaver(&d.state), "no beaver is possible here")
}

pub(super) fn is_varying(app: &App) -> Result<(), &'static str> {
    let open = app.variation.as_ref().map(drop);
    open.ok_or("no variation is in view ({what if} begins one)")
}

pub(super) fn has_removed(app: &App) -> Result<(), &'static str> {
    let removed = app.variation.as_ref().and_then(|open| open.removed.last());
    removed.map(|_| ()).ok_or("nothing was removed")
}

pub(super) fn is_rolling(app: &App) -> Result<(), &'static str> {
    if app.jobs.active().next().is_some() || app.match_rollouts.is_some() {
        Ok(())
    } else {
        Err("nothing is being rolled out")
    }
}

pub(super) fn has_jobs(app: &App) -> Result<(), &'static str> {
    if app.jobs.is_empty() {
        Err("nothing has been rolled out yet")
    } else {
        Ok(())
    }
}

pub(super) fn has_opinions(app: &App) -> Result<(), &'static str> {
    can_roll_match(app)?;
    shows_answers(app)?;
    match app.document.record.analyses.is_empty() {
        false => Ok(()),
        true => Err("this file holds no analysis of another program"),
    }
}

pub(super) fn has_rollout(app: &App) -> Result<(), &'static str> {
    shows_answers(app)?;
    match app.decision().and_then(|d| app.jobs.about(d).next()) {
        Some(_) => Ok(()),
        None => Err("this decision has not been rolled out yet ({roll out} does)"),
    }
}

pub(super) fn has_files(app: &App) -> Result<(), &'static str> {
    if app.sources.len() > 1 {
        Ok(())
    } else {
        Err("nothing else has been opened")
    }
}

pub(super) fn has_arrived(app: &App) -> Result<(), &'static str> {
    if app.arrived.is_some() {
        Ok(())
    } else {
        Err("no match has been saved in a watched folder")
    }
}

pub(super) fn has_place(app: &App) -> Result<(), &'static str> {
    is_not_played(app)?;
    if app.place().is_some() {
        Ok(())
    } else {
        Err("there is no turn here to write beside")
    }
}

pub(super) fn has_warnings(app: &App) -> Result<(), &'static str> {
    if crate::tui::troubles::count(app) == 0 {
        Err("no warnings about this file")
    } else {
        Ok(())
    }
}

pub(super) fn has_cube(app: &App) -> Result<(), &'static str> {
    let review = app.document.reviews.get(app.at).and_then(Option::as_ref);
    match review {
        Some(review) if review.cube.is_some() && !review.candidates.is_empty() => Ok(()),
        _ if app.before.is_some() => Ok(()),
        None => Err("this turn is being analysed"),
        Some(review) if review.cube.is_some() => Err("this is the cube decision itself"),
        Some(_) => match app.turn().is_some_and(MatchTurn::is_opening_roll) {
            true => Err("nobody doubles before the first roll of a game"),
            false => Err("no double was possible before a roll here"),
        },
    }
}

pub(super) fn can_deepen(app: &App) -> Result<(), &'static str> {
    if app.settings.ply < UserSettings::MOST_PLIES {
        Ok(())
    } else {
        Err("3 plies are the deepest")
    }
}

pub(super) fn can_lessen(app: &App) -> Result<(), &'static str> {
    if app.settings.ply > 0 {
        Ok(())
    } else {
        Err("0 plies are the shallowest")
    }
}

pub(super) fn has_changes(app: &App) -> Result<(), &'static str> {
    match &app.editor {
        Some(editor) if editor.changes() > 0 => Ok(()),
        _ => Err("nothing to undo"),
    }
}

pub(super) fn has_undone(app: &App) -> Result<(), &'static str> {
    match &app.editor {
        Some(editor) if editor.can_redo() => Ok(()),
        _ => Err("nothing to do again"),
    }
}

pub(super) fn has_score(app: &App) -> Result<(), &'static str> {
    match app.table_score() {
        Some(_) => Ok(()),
        None => Err("money play has no score"),
    }
}

pub(super) fn has_crawford_game(app: &App) -> Result<(), &'static str> {
    match &app.overlay {
        Some(Overlay::EquityTable(place)) if !place.table.has_crawford() => {
            Err("this match is played without the Crawford rule")
        }
        _ => Ok(()),
    }
}
