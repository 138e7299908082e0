//! The quiz: begun, answered, taken back, left. What it asks is found in [`super::quiz_request`].

use ratatui::crossterm::event::KeyCode;

use super::quiz_board;
use crate::cube::CubeChoice;
use crate::game::Play;
use crate::notation::parse_play;
use crate::store::StudyChange;
use crate::study::{Grade, StudyAction, StudyAnswer, question, sitting};
use crate::tui::figures::conditions::IS_ANSWERED;
use crate::tui::keys::{ActionId, Key, KeyScope};
use crate::tui::message::Message;
use crate::tui::state::{App, Effect, Selection};
use crate::tui::text;
use crate::tui::update::analysis::inquire;
use crate::tui::update::lines::program;
use crate::tui::update::ranking;
use crate::tui::windows::editor::ViewBefore;
use crate::tui::windows::quiz::{Answered, NewQuiz, Quiz, StudyWindow};
use crate::words::counted;

/// Seed of the order of a quiz: another one each time.
pub(crate) fn seed(app: &mut App) -> u64 {
    let now = app.now;
    question::session_seed(app.study.next_id(now))
}

pub(crate) fn begin(app: &mut App, new: NewQuiz) {
    if new.decisions.is_empty() {
        return app.say("nothing can be asked");
    }
    let view = ViewBefore {
        before: app.before.take(),
        play: app.selection.play.take(),
        scroll: app.selection.scroll,
    };
    let Some(quiz) = Quiz::new(new, app.generations.next_quiz(), view) else {
        return;
    };
    app.openings.guard();
    if app.quiz_aside.take().is_some() {
        app.say("the quiz that waited has ended; its answers are kept");
    }
    app.quiz = Some(Box::new(quiz));
    show(app);
}

/// A question has come into view: it is analysed.
fn show(app: &mut App) {
    app.selection = Selection::default();
    ranking::rerank(app);
    examine(app);
}

/// Has the question analysed, or the play that was typed.
pub(crate) fn examine(app: &mut App) {
    let ply = app.settings.ply;
    let Some(quiz) = &app.quiz else { return };
    app.effects.push(Effect::Draft {
        generation: quiz.generation,
        state: Box::new(quiz.open.decision.state),
        play: quiz.open.wanted(),
        ply,
    });
}

/// An analysis of a question has come; of one before it nobody wants to know any more.
pub(crate) fn analysed(app: &mut App, message: Message) {
    let wanted = app.settings.ply;
    let Some(quiz) = &mut app.quiz else { return };
    match message {
        Message::Reviewed {
            generation,
            ply,
            review,
            ..
        } if generation == quiz.generation && ply >= wanted => {
            let (had, was_asked) = (quiz.open.given, quiz.open.question.is_some());
            if !quiz.analysed(&review) {
                return;
            }
            let place = quiz.open.given.filter(|_| had.is_none());
            app.is_awaited = true;
            match place {
                Some(place) => take(app, place),
                None if app.quiz.as_ref().is_some_and(|q| q.open.failure.is_some()) => skip(app),
                // What was chosen on the board meanwhile stays.
                None if was_asked || quiz_board::is_used(app) => {}
                None => look(app),
            }
        }
        Message::ReviewFailed {
            generation, why, ..
        } if generation == quiz.generation => {
            let why = text::clean(&why, 200);
            quiz.open.failure = Some(format!("could not be analysed: {why}"));
        }
        _ => {}
    }
}

/// Does what an action means in the quiz; answers whether a quiz is open.
pub(crate) fn act(app: &mut App, action: ActionId) -> bool {
    let Some(quiz) = &app.quiz else { return false };
    let is_answered = quiz.open.given.is_some() || quiz.is_over;
    match action {
        ActionId::Down | ActionId::Up => select(app, action == ActionId::Down),
        ActionId::Accept if is_answered => next(app),
        ActionId::Accept if quiz_board::is_used(app) => match quiz_board::chosen(app) {
            Some(play) => answer_with(app, play),
            None if quiz_board::take(app) => {}
            None => app.say("several plays fit: say more, or type the play"),
        },
        ActionId::More | ActionId::Less => quiz_board::step(app, action == ActionId::More),
        ActionId::Back => quiz_board::back(app),
        ActionId::NoDouble => take_cube(app, CubeChoice::NoDouble),
        ActionId::Double => take_cube(app, CubeChoice::Double),
        ActionId::Take => take_cube(app, CubeChoice::Take),
        ActionId::Pass => take_cube(app, CubeChoice::Pass),
        ActionId::Beaver => take_cube(app, CubeChoice::Beaver),
        ActionId::Accept => take(app, quiz.open.row),
        ActionId::Skip => skip(app),
        ActionId::Undo => undo(app),
        ActionId::Why => why(app),
        ActionId::Close if quiz_board::is_used(app) => quiz_board::clear(app),
        ActionId::Close => leave(app),
        // What works on the board, windows, and what works everywhere.
        ActionId::Mirror
        | ActionId::Pips
        | ActionId::QuizMatch
        | ActionId::TypePlay
        | ActionId::Help
        | ActionId::QuitNow
        | ActionId::Redraw
        | ActionId::Suspend => return false,
        _ => {}
    }
    true
}

/// A digit: the choice with this number, or after the answer how well it was known.
pub(crate) fn digit(app: &mut App, key: Key) {
    let KeyCode::Char(digit) = key.code() else {
        return;
    };
    let Some(number) = digit.to_digit(10) else {
        return;
    };
    let now = app.now;
    let Some(quiz) = &mut app.quiz else { return };
    if quiz.is_over {
        return;
    }
    match (quiz.open.given, Grade::of_number(i64::from(number))) {
        (None, _) => {
            quiz.open.digit = Some((number, now));
            take(app, (number as usize).saturating_sub(1));
        }
        (Some(_), _) if quiz.open.is_echo(number, now) => {}
        (Some(_), Some(grade)) => rate(app, grade),
        (Some(_), None) => app.say("1 again, 2 hard, 3 good, 4 easy"),
    }
}

/// A click on a row: it is selected, and taken if it was.
pub(crate) fn point(app: &mut App, row: usize) {
    let Some(quiz) = &mut app.quiz else { return };
    let open = &mut quiz.open;
    if quiz.is_over || open.given.is_some() {
        return;
    }
    let Some(choice) = open.question.as_ref().and_then(|q| q.choices.get(row)) else {
        return;
    };
    let is_shown = open.row == row && app.selection.play == choice.result;
    open.row = row;
    app.selection.play = choice.result;
    if is_shown {
        take(app, row);
    }
}

/// Selects another choice, until one is given; the board shows a play.
fn select(app: &mut App, down: bool) {
    let may = |quiz: &Quiz| !quiz.is_over && quiz.open.given.is_none();
    if !app.quiz.as_deref().is_some_and(may) {
        return;
    }
    quiz_board::clear(app);
    let Some(quiz) = &mut app.quiz else { return };
    let open = &mut quiz.open;
    let count = open
        .question
        .as_ref()
        .map_or(0, |asked| asked.choices.len());
    open.row = match down {
        true => (open.row + 1).min(count.saturating_sub(1)),
        false => open.row.saturating_sub(1),
    };
    let choices = open.question.as_ref().map(|asked| &asked.choices);
    let choice = choices.and_then(|choices| choices.get(open.row));
    app.selection.play = choice.and_then(|choice| choice.result);
}

/// The board shows the position as it stood, until a choice is selected.
fn look(app: &mut App) {
    app.selection = Selection::default();
}

/// Answers with the choice of this number.
fn take(app: &mut App, place: usize) {
    let now = app.now;
    let Some(quiz) = &mut app.quiz else { return };
    let open = &mut quiz.open;
    let Some(given) = open.question.as_ref().and_then(|q| q.choices.get(place)) else {
        if open.question.is_none() && !quiz.is_over {
            app.say("the plays are still being analysed");
        }
        return;
    };
    let id = app.study.next_id(now);
    let answer = StudyAnswer {
        id,
        grade: question::grade(given.cost),
        given: given.text.clone(),
        cost: given.cost,
    };
    let change = app.study.change(open.decision.card(quiz.least), answer);
    app.selection.picks.clear();
    app.selection.play = given.result;
    open.cursor = None;
    open.given = Some(place);
    open.row = place;
    quiz.done.push(Answered {
        decision: open.decision.clone(),
        change: change.clone(),
        is_again: false,
    });
    keep(app, change);
}

/// Gives the answer in view another grade.
fn rate(app: &mut App, grade: Grade) {
    let last = app.quiz.as_mut().and_then(|quiz| quiz.done.last_mut());
    let Some(last) = last else { return };
    let before = last.grade();
    let change = regraded(last, grade);
    if let Some(quiz) = &mut app.quiz {
        quiz.open.grades.push(before);
    }
    keep(app, change);
}

/// The answer with another grade.
fn regraded(last: &mut Answered, grade: Grade) -> StudyChange {
    if let Some(answer) = &mut last.change.answer {
        answer.grade = grade;
    }
    last.change.clone()
}

/// The answer about the cube.
fn take_cube(app: &mut App, choice: CubeChoice) {
    let Some(quiz) = &app.quiz else { return };
    let asked = quiz.open.question.as_ref();
    match asked.map(|asked| asked.find(StudyAction::Cube(choice))) {
        Some(Some(place)) => take(app, place),
        Some(None) => app.say("that is no answer here"),
        None => app.say("the decision is still being analysed"),
    }
}

/// The answer is a play; one that is not shown is analysed.
fn answer_with(app: &mut App, play: Play) {
    let Some(quiz) = &mut app.quiz else { return };
    let state = quiz.open.decision.state;
    let open = &mut quiz.open;
    let Some(asked) = &open.question else {
        return app.say("the plays are still being analysed");
    };
    match asked.find(StudyAction::Play(play)) {
        Some(place) => take(app, place),
        None => {
            open.typed = Some(play);
            open.cursor = None;
            quiz.generation += 1;
            app.selection.picks.clear();
            app.selection.play = Some(play.apply(&state.position));
            examine(app);
        }
    }
}

fn keep(app: &mut App, change: StudyChange) {
    app.study.apply(&change);
    app.effects.push(Effect::KeepAnswer(Box::new(change)));
}

/// Goes on to the next question; what was not known comes again at the end.
fn next(app: &mut App) {
    let Some(quiz) = &mut app.quiz else { return };
    if quiz.is_over {
        return leave(app);
    }
    if let Some(last) = quiz.done.last_mut().filter(|_| quiz.open.given.is_some()) {
        last.is_again = sitting::repeat(&mut quiz.left, &last.decision, last.grade());
    }
    go_on(app);
}

fn go_on(app: &mut App) {
    let Some(quiz) = &mut app.quiz else { return };
    match quiz.left.pop_front() {
        Some(decision) => {
            quiz.ask(decision);
            show(app);
        }
        None => {
            quiz.is_over = true;
            quiz.generation += 1;
            app.effects.push(Effect::EndDraft);
            look(app);
        }
    }
}

/// Goes on to another question; this one comes at the end, if it can be asked at all.
fn skip(app: &mut App) {
    let Some(quiz) = &mut app.quiz else { return };
    if quiz.is_over || quiz.open.given.is_some() {
        let words = app.keymap.named_in(KeyScope::Quiz, IS_ANSWERED);
        return app.say(words);
    }
    if quiz.open.failure.is_none() {
        if quiz.left.is_empty() {
            return app.say("this is the last question");
        }
        quiz.left.push_back(quiz.open.decision.clone());
    }
    go_on(app);
}

/// Takes the last answer back, and asks it again.
fn undo(app: &mut App) {
    let Some(quiz) = &mut app.quiz else { return };
    let grade = quiz.open.grades.pop();
    if let Some((grade, last)) = grade.zip(quiz.done.last_mut()) {
        let change = regraded(last, grade);
        keep(app, change);
        return app.say(format!("the grade is '{}' as before", grade.name()));
    }
    let Some(mut last) = quiz.done.pop() else {
        return app.say("no answer to take back");
    };
    last.change.answer = None;
    let is_open = quiz.open.given.is_none() && !quiz.is_over;
    let open = is_open.then(|| quiz.open.decision.clone());
    sitting::undo(&mut quiz.left, last.decision, last.is_again, open);
    keep(app, last.change);
    go_on(app);
    app.say("taken back");
}

/// Why the best is better than what was answered.
fn why(app: &mut App) {
    let Some(quiz) = &app.quiz else { return };
    let open = &quiz.open;
    let asked = open.question.as_ref().zip(open.given);
    let Some((asked, place)) = asked.filter(|_| !quiz.is_over) else {
        return app.say("answer first: why would tell what is best");
    };
    inquire::why(app, compared(asked, place));
}

/// The best play and the one that was answered; where that was the best, the one nearest to it.
fn compared(asked: &question::Question, place: usize) -> Option<[Play; 2]> {
    let mut ranked: Vec<_> = asked.choices.iter().collect();
    ranked.sort_by(|a, b| a.cost.total_cmp(&b.cost));
    let given = &asked.choices[place];
    let best = ranked.first()?;
    let other = match best.action == given.action {
        true => ranked.get(1)?,
        false => given,
    };
    match (best.action, other.action) {
        (StudyAction::Play(best), StudyAction::Play(other)) => Some([best, other]),
        _ => None,
    }
}

/// A play as typed; answers whether it was understood.
pub(crate) fn typed(app: &mut App, typed: &str) -> bool {
    let Some(quiz) = &app.quiz else {
        return false;
    };
    let state = quiz.open.decision.state;
    let open = &quiz.open;
    let Some(roll) = state.roll else {
        return true;
    };
    if open.question.is_none() {
        app.say("the plays are still being analysed: the same again in a moment");
        return false;
    }
    if open.given.is_some() || quiz.is_over {
        return true;
    }
    match parse_play(typed, &state.position, roll) {
        Ok(play) => {
            answer_with(app, play);
            true
        }
        Err(error) => {
            app.warn(error.to_string());
            false
        }
    }
}

/// Opens the window that a quiz was begun in, as it was.
pub(crate) fn back_to(app: &mut App, window: Option<StudyWindow>) {
    if let Some(window) = window {
        app.overlay = Some(window.into());
    }
}

/// Goes back to what was in view, and to the window where the quiz was begun; the answers are kept.
pub(crate) fn leave(app: &mut App) {
    let window = app.quiz.as_ref().and_then(|quiz| quiz.window);
    if let Some(quiz) = &mut app.quiz
        && std::mem::take(&mut quiz.is_visiting)
    {
        // No quiz will wait for the way back.
        app.awaited = None;
    }
    end(app);
    back_to(app, window);
    program::go_on(app);
}

/// Goes back to what was in view; the quiz waits.
pub(crate) fn put_aside(app: &mut App) {
    let Some(mut quiz) = close(app) else {
        return;
    };
    quiz.is_visiting = false;
    app.quiz_aside = Some(quiz);
}

/// Goes back to what was in view; the answers are kept. The quiz waits if its match has come into view.
pub(crate) fn end(app: &mut App) {
    if app.quiz.as_ref().is_some_and(|quiz| quiz.is_visiting) {
        return put_aside(app);
    }
    let Some(quiz) = close(app) else { return };
    let count = quiz.done.len();
    if count > 0 {
        let count = counted(count, "answer");
        let due = app.study.due();
        app.say(format!("{count} kept, {due} due today"));
    }
}

/// Closes the quiz: what was in view before is in view again.
pub(crate) fn close(app: &mut App) -> Option<Box<Quiz>> {
    let mut quiz = app.quiz.take()?;
    app.before = quiz.view.before.take();
    app.selection = Selection {
        play: quiz.view.play,
        scroll: quiz.view.scroll,
        ..Selection::default()
    };
    app.effects.push(Effect::EndDraft);
    ranking::rerank(app);
    Some(quiz)
}

#[cfg(test)]
mod tests {
    use crate::tui::message::Message;
    use crate::tui::testing::TestApp;
    use crate::tui::theme::Depth;

    /// In a quiz of so many errors, whose first one was not known.
    fn after_a_wrong_answer(count: usize) -> (TestApp, Vec<String>) {
        let mut bench = TestApp::new(Depth::True);
        let (cards, micros) = (Vec::new(), 20_600 * 86_400_000_000);
        bench.tell(Message::Study { cards, micros });
        bench.keys("z z");
        let quiz = bench.app.quiz.as_mut().expect("open");
        let least = quiz.least;
        quiz.left.retain(|one| one.is_error(least));
        quiz.left.truncate(count - 1);
        let asked = keys(&bench);
        assert_eq!(asked.len(), count);
        bench.keys("1");
        bench.wait(600);
        bench.keys("1 enter");
        (bench, asked)
    }

    /// What is in view, and what comes after it.
    fn keys(bench: &TestApp) -> Vec<String> {
        let quiz = bench.app.quiz.as_ref().expect("open");
        let all = std::iter::once(&quiz.open.decision).chain(&quiz.left);
        all.map(|one| one.key()).collect()
    }

    #[test]
    fn undo_leaves_skipped_questions() {
        let (mut bench, asked) = after_a_wrong_answer(3);
        bench.keys("s u");
        assert_eq!(keys(&bench), [0, 2, 1].map(|i| asked[i].clone()));
    }

    #[test]
    fn a_question_whose_copy_is_in_view_is_asked_once() {
        let (mut bench, asked) = after_a_wrong_answer(1);
        bench.keys("u");
        assert_eq!(keys(&bench), asked);
        assert!(
            bench
                .app
                .quiz
                .as_ref()
                .is_some_and(|quiz| quiz.done.is_empty())
        );
    }
}
