//! Conditions of actions in the quiz and of what is studied.

use super::trying::{NOTHING_PLAYED, is_not_played};
use crate::tui::state::App;

/// Whether there is a match of which something is reviewed.
pub(super) fn can_quiz(app: &App) -> Result<(), &'static str> {
    is_not_played(app)?;
    let home = app.home();
    match home.record.games.is_empty() {
        _ if !app.study.is_there() => Err(NO_STUDY),
        true if home.list.is_some() => Ok(()),
        true if app.study.due() > 0 => {
            Err("this is no match ({quiz of what is due} asks what is due)")
        }
        true => Err("this is no match"),
        false if home.turns.is_empty() => Err(NOTHING_PLAYED),
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

/// Whether the library can take the match in view in. It may be there already.
pub(super) fn can_add_to_library(app: &App) -> Result<(), &'static str> {
    is_not_played(app)?;
    let home = app.home();
    if !app.study.is_there() {
        Err("there is no library here")
    } else if home.record.games.is_empty() {
        Err("this is no match")
    } else if home.turns.is_empty() {
        Err(NOTHING_PLAYED)
    } else if home.record.path.is_none() {
        Err("this match is in no file: {write match} writes one, {open} opens that")
    } else {
        Ok(())
    }
}

/// Whether an empty library offers to take the match in view in: it can, and the match is not on its way.
pub fn offers_to_library(app: &App) -> bool {
    let path = app.home().record.path.as_ref();
    can_add_to_library(app).is_ok() && path.is_some_and(|path| !app.library.is_under_way(path))
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
        0 if can_quiz(app).is_ok() => {
            Err("nothing is due today ({quiz of this match} asks the errors of this match)")
        }
        0 => Err("nothing is due today"),
        _ => Ok(()),
    }
}

/// Reason why a question that is answered already takes no other answer.
pub const IS_ANSWERED: &str = "this is answered ({answer or go on} goes on, {undo} takes it back)";

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

/// Whether the question in view is answered and its match is known, so that one may go there; else why not.
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
