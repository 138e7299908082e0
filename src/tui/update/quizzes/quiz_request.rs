//! Quizzes that are asked for: of what is due, of the library, of a list of positions.

use super::quiz;
use crate::library::Filter;
use crate::study::{StudyDecision, deck, list};
use crate::tui::state::{App, Effect, Openable};
use crate::tui::windows::quiz::{NewQuiz, QuizRequest, QuizSource, StudyWindow};

/// Begins a quiz of what is due.
pub(crate) fn of_due(app: &mut App) {
    let (seed, least) = (quiz::seed(app), app.least_error());
    let new = NewQuiz {
        title: "quiz: due today".to_owned(),
        decisions: deck::due(app.study.cards(), app.study.today(app.now), seed),
        seed,
        least,
        ..NewQuiz::default()
    };
    quiz::begin(app, new);
}

/// Begins a quiz of the library, once it is known what is to be asked.
pub(crate) fn of_library(app: &mut App) {
    of_filter(app, "quiz: library".to_owned(), Filter::default(), None);
}

/// Begins a quiz of what of the library fits a filter: of errors, but of every decision where the filter asks for
/// notes.
pub(crate) fn of_filter(app: &mut App, title: String, filter: Filter, window: Option<StudyWindow>) {
    let least = match filter.wants_notes() {
        true => 0.0,
        false => app.least_error(),
    };
    let wanted = QuizRequest {
        title,
        source: QuizSource::Library(filter),
        seed: quiz::seed(app),
        least,
        today: app.study.today(app.now),
        window,
        is_of_user: false,
    };
    app.effects.push(Effect::FindQuiz(Box::new(wanted)));
    app.say("looking in the library …");
}

/// Begins a quiz of the list that the position in view is of, once notes and rollouts have been read.
pub(crate) fn of_list(app: &mut App) {
    let home = app.home();
    let whole = home.whole_list.clone();
    let source = app.sources.get(app.shown);
    let first = source.and_then(|source| Some((source.listed(0)?, source)));
    let Some((whole, (list, source))) = whole.zip(first) else {
        return;
    };
    let name = match source {
        Openable::Pasted(..) => "pasted list",
        _ => &home.title,
    };
    let wanted = QuizRequest {
        title: format!("quiz: {name}"),
        source: QuizSource::List {
            decisions: list::decisions(&whole, name),
            list,
        },
        seed: quiz::seed(app),
        least: app.least_error(),
        today: app.study.today(app.now),
        window: None,
        is_of_user: false,
    };
    app.effects.push(Effect::FindQuiz(Box::new(wanted)));
}

/// Begins a quiz with the decisions that were found for it.
pub(crate) fn found(app: &mut App, wanted: QuizRequest, decisions: Vec<StudyDecision>) {
    if app.quiz.is_some() {
        return;
    }
    if app.editor.is_some() || app.overlay.is_some() {
        let what = match app.overlay {
            Some(_) => "a window",
            None => "the editor",
        };
        return app.warn(format!(
            "{}: not begun, as {what} is open; ask for it again",
            wanted.title
        ));
    }
    app.status = None;
    if decisions.is_empty() {
        quiz::back_to(app, wanted.window);
        return app.say_keys(match wanted.filter() {
            Some(filter) if filter.is_empty() => {
                "nothing to ask in the library: {library} shows what it holds, and how matches come in"
            }
            Some(_) if wanted.is_of_user => {
                "nothing to ask: no such error of yours, or none due; player:NAME asks another's"
            }
            Some(_) => "nothing to ask: no such error, or all were asked and none is due",
            None => "nothing to ask: nothing is to be decided in this list",
        });
    }
    let new = NewQuiz {
        title: wanted.title,
        decisions,
        seed: wanted.seed,
        least: wanted.least,
        window: wanted.window,
        document: None,
        list: match wanted.source {
            QuizSource::List { list, .. } => Some(list),
            QuizSource::Library(_) => None,
        },
    };
    quiz::begin(app, new);
}
