//! The quiz of the match in view, and the way from an answered question to its match and back.

use crate::game::Position;
use crate::study::{StudyPlace, deck};
use crate::tui::documents::match_decision::MatchDecision;
use crate::tui::figures::study_decisions;
use crate::tui::state::{App, Openable, Selection};
use crate::tui::update::document;
use crate::tui::update::lines::walk;
use crate::tui::update::quizzes::{quiz, quiz_request};
use crate::tui::update::ranking;
use crate::tui::update::windows::library;
use crate::tui::windows::editor::ViewBefore;
use crate::tui::windows::library::{AwaitedMatch, ExpectedMatch};
use crate::tui::windows::quiz::{NewQuiz, Quiz};

/// How the bottom line says that the quiz can go on.
const WAY_BACK: &str = "the quiz waits: {back to the questions} goes on with it";

/// Begins a quiz of the match in view: of its errors as the list has them, by rollout where one counts.
pub(crate) fn begin(app: &mut App) {
    if app.home().list.is_some() {
        return quiz_request::of_list(app);
    }
    let least = app.least_error();
    let all = study_decisions::decisions(app);
    let is_analysed = app.home().is_analysed();
    if !all.iter().any(|one| one.is_to_be_asked(least)) {
        return app.say_keys(match is_analysed {
            true => app.no_error(),
            false => "no error is analysed to its full depth yet: try again in a moment",
        });
    }
    let seed = quiz::seed(app);
    let new = NewQuiz {
        title: "quiz: this match".to_owned(),
        decisions: deck::mixed(all, least, seed),
        seed,
        least,
        document: Some(app.home().fingerprint()),
        ..NewQuiz::default()
    };
    quiz::begin(app, new);
    if !is_analysed {
        app.say("the review is not done: what it has not come to is not asked");
    }
}

/// Goes to the decision of the answered question in its match. The quiz waits.
pub(crate) fn visit(app: &mut App) {
    let Some(quiz) = &app.quiz else { return };
    let Some(place) = quiz.open.decision.place.clone() else {
        return;
    };
    if let Some(list) = &quiz.list {
        let source = list.listed(place.turn);
        return visit_listed(app, source);
    }
    let expected = ExpectedMatch::Position(place.turn, quiz.open.decision.state.position);
    let Some(document) = &quiz.document else {
        return visit_file(app, place, expected);
    };
    // The file may have been read again since, with more moves. Only the beginning of a match makes its fingerprint.
    let home = app.home();
    let mark = home.fingerprint();
    if expected.unmet(&mark, &home.turns).is_some() || !mark.continues(document) {
        return app.say("the match of this quiz is not in view any more");
    }
    if app.variation.is_some() {
        return app.say("a variation is in view: leave the quiz and the variation first");
    }
    quiz::put_aside(app);
    walk::to_decision(app, decision_at(&place));
    app.say_keys(WAY_BACK);
}

/// The quiz is put aside, and a position of its list comes into view.
fn visit_listed(app: &mut App, source: Option<Openable>) {
    quiz::put_aside(app);
    if let Some(source) = source
        && document::open_source(app, source.clone())
    {
        app.awaited = Some(AwaitedMatch {
            source,
            missed: None,
            expected: ExpectedMatch::Any,
            way_back: WAY_BACK,
        });
    }
}

/// The quiz is put aside when the match comes into view: a file that cannot be read does not end it.
fn visit_file(app: &mut App, place: StudyPlace, expected: ExpectedMatch) {
    let decision = decision_at(&place);
    let is_opening = library::open_match(app, place.file, Some(decision), expected, WAY_BACK);
    if let Some(quiz) = &mut app.quiz {
        quiz.is_visiting = is_opening;
    }
}

fn decision_at(place: &StudyPlace) -> MatchDecision {
    MatchDecision {
        turn: place.turn,
        is_silent: place.is_silent,
    }
}

/// Goes on with the quiz that was put aside.
pub(crate) fn resume(app: &mut App) {
    let Some(mut quiz) = app.quiz_aside.take() else {
        return;
    };
    quiz.view = ViewBefore {
        before: app.before.take(),
        play: app.selection.play.take(),
        scroll: app.selection.scroll,
    };
    app.openings.guard();
    app.selection = Selection {
        play: shown(&quiz),
        ..Selection::default()
    };
    let waits = waits(&quiz);
    app.quiz = Some(quiz);
    ranking::rerank(app);
    if waits {
        // Its analysis was given up when the quiz was put aside.
        quiz::examine(app);
    }
}

/// The play that the board shows: the one that was answered, or the one that was typed.
fn shown(quiz: &Quiz) -> Option<Position> {
    let open = &quiz.open;
    let asked = open.question.as_ref().filter(|_| !quiz.is_over)?;
    match open.given {
        Some(place) => asked.choices.get(place)?.result,
        None => Some(open.typed?.apply(&open.decision.state.position)),
    }
}

/// Whether the question, or a play that was typed, still has to be analysed.
fn waits(quiz: &Quiz) -> bool {
    let open = &quiz.open;
    let is_open = !quiz.is_over && open.given.is_none() && open.failure.is_none();
    is_open && (open.question.is_none() || open.typed.is_some())
}
