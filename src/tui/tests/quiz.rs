//! The quiz: nothing is told before the answer, each answer is kept at once, and what is not known comes
//! back.

use crate::review::Class;
use crate::store::StudyChange;
use crate::study::{Grade, StudyCard};
use crate::tui::message::Message;
use crate::tui::testing::TestApp;
use crate::tui::theme::Depth;
use crate::tui::windows::quiz::Quiz;

/// Microseconds of a day.
const DAY: i64 = 86_400_000_000;
/// When the tests begin.
const BEGIN: i64 = 20_600 * DAY;

/// With these cards at the beginning of a day.
pub(super) fn with(cards: Vec<StudyCard>, day: i64) -> TestApp {
    let mut bench = TestApp::new(Depth::True);
    let micros = BEGIN + day * DAY;
    bench.tell(Message::Study { cards, micros });
    bench
}

pub(super) fn quiz(bench: &TestApp) -> &Quiz {
    bench.app.quiz.as_ref().expect("a quiz is open")
}

/// The key of the best choice, or of the worst.
pub(super) fn key(bench: &TestApp, best: bool) -> String {
    let choices = &quiz(bench).open.question.as_ref().expect("asked").choices;
    let cost = |i: &usize| choices[*i].cost;
    let all = 0..choices.len();
    let place = match best {
        true => all.min_by(|a, b| cost(a).total_cmp(&cost(b))),
        false => all.max_by(|a, b| cost(a).total_cmp(&cost(b))),
    };
    (place.expect("there are choices") + 1).to_string()
}

/// Skips until a question with dice, or without, is in view.
pub(super) fn to_question(bench: &mut TestApp, has_dice: bool) {
    for _ in 0..200 {
        if quiz(bench).open.decision.state.roll.is_some() == has_dice {
            return;
        }
        bench.keys("s");
    }
    panic!("no such question");
}

/// The cards that these changes make.
fn cards(changes: &[StudyChange]) -> Vec<StudyCard> {
    let mut cards: Vec<StudyCard> = Vec::new();
    for change in changes {
        let known = |card: &StudyCard| card.position == change.card.position;
        let place = cards.iter().position(known).unwrap_or_else(|| {
            cards.push(change.card.clone());
            cards.len() - 1
        });
        cards[place].answers.retain(|answer| answer.id != change.id);
        cards[place].answers.extend(change.answer.clone());
    }
    cards
}

/// What was played changes nothing on the screen before the answer, and what is asked is no error alone.
#[test]
fn nothing_is_shown_before_the_answer() {
    let mut bench = with(Vec::new(), 0);
    bench.keys("z z");
    let all = quiz(&bench)
        .left
        .iter()
        .chain([&quiz(&bench).open.decision]);
    let errors = all.clone().filter(|one| one.is_error(0.02)).count();
    let right = all.count() - errors;
    assert!(errors > 0 && right > 0, "{errors} errors, {right} right");
    for _ in 0..12 {
        for size in [(80, 24), (120, 40), (200, 60), (60, 20)] {
            let shown = bench.screen(size.0, size.1);
            let quiz = bench.app.quiz.as_mut().expect("open");
            let before = quiz.open.decision.clone();
            quiz.open.decision.made = "xyz".into();
            quiz.open.decision.cost = 1.5;
            quiz.open.decision.source = "xyz".into();
            quiz.open.decision.note = Some("xyz".into());
            quiz.open.decision.play = None;
            assert_eq!(shown, bench.screen(size.0, size.1));
            bench.app.quiz.as_mut().expect("open").open.decision = before;
            assert_lacks!(shown, "Anna", "dicte", "equity", "diff", "★", "luck ");
        }
        bench.keys("s");
    }
    // No key leads to what the match has of it.
    for keys in ["Y", "E", "n", "L", "I", "r", "M", "tab", "b"] {
        let before = bench.screen(120, 39);
        bench.keys(keys);
        bench.app.status = None;
        assert_eq!(before, bench.screen(120, 39), "{keys}");
    }
}

#[test]
fn an_answer_is_graded_kept_and_explained() {
    let mut bench = with(Vec::new(), 0);
    bench.keys("z z");
    to_question(&mut bench, true);
    let worst = key(&bench, false);
    bench.keys(&worst);
    let kept = bench.answers.last().expect("kept at once").clone();
    let answer = kept.answer.clone().expect("an answer");
    assert_eq!(answer.grade, Grade::Again);
    assert_eq!(kept.card.position, quiz(&bench).open.decision.key());
    let shown = bench.screen(120, 40);
    assert_has!(shown, "costs", "equity", "in the match");
    assert_has!(shown, "comes back in this quiz");
    // On a small screen too.
    assert_has!(bench.screen(80, 24), "comes back in this quiz");
    bench.keys("Y");
    assert!(bench.screen(120, 40).contains("why"));
    // The digit that answered, hit twice, grades nothing.
    bench.keys("esc");
    bench.keys(&worst);
    assert_eq!(bench.answers.last(), Some(&kept));
    bench.wait(600);
    bench.keys("4");
    let easy = bench.answers.last().expect("kept");
    assert_eq!(easy.id, kept.id);
    assert_eq!(easy.answer.as_ref().map(|a| a.grade), Some(Grade::Easy));
    bench.keys("1 enter");
    // What was not known was put at the end, once.
    let left = quiz(&bench).left.iter();
    let again = left.filter(|one| one.key() == kept.card.position);
    assert_eq!(again.count(), 1);
    assert_eq!(
        quiz(&bench).left.back().map(|one| one.key()),
        Some(kept.card.position)
    );
}

/// What the user wrote beside the move explains the answer; on a small screen too.
#[test]
fn the_note_stands_below_the_answer() {
    let mut bench = with(Vec::new(), 0);
    let turns = bench.app.document.turns.iter();
    let places: Vec<_> = turns.map(|turn| turn.place()).collect();
    for place in places {
        let note = "timing first".to_owned();
        bench.app.document.notes.insert(place, note);
    }
    bench.keys("z z");
    to_question(&mut bench, true);
    let sizes = [(80, 24), (120, 40), (200, 60)];
    for (w, h) in sizes {
        assert!(!bench.screen(w, h).contains("timing"));
    }
    let worst = key(&bench, false);
    bench.keys(&worst);
    for (w, h) in sizes {
        assert_has!(bench.screen(w, h), "note: timing first");
    }
}

/// A position of a list was never decided: nothing is said of a match.
#[test]
fn a_position_of_a_list_has_no_match() {
    let lone = crate::study::StudyDecision::of_position(
        crate::game::GameState {
            roll: crate::game::Roll::new(3, 1),
            ..crate::game::GameState::money(crate::game::Position::opening())
        },
        "list.txt, line 3".into(),
    );
    let mut bench = with(Vec::new(), 0);
    bench.keys("z l");
    let wanted = bench.quiz_request.clone().expect("looked for");
    let decisions = vec![lone];
    bench.tell(Message::QuizFound { wanted, decisions });
    let best = key(&bench, true);
    let shown = bench.screen_after(&best, 120, 40);
    assert_has!(shown, "list.txt, line 3");
    assert_lacks!(shown, "in the match", "▸ the match");
    // It is to be learnt, so it comes back though it was known.
    assert!(bench.answers.last().is_some_and(|kept| kept.card.is_error));
}

#[test]
fn undo_takes_the_last_answer_back() {
    let mut bench = with(Vec::new(), 0);
    bench.keys("z z");
    let first = quiz(&bench).open.decision.clone();
    let left = quiz(&bench).left.clone();
    let worst = key(&bench, false);
    bench.keys(&format!("{worst} enter"));
    assert_ne!(quiz(&bench).open.decision, first);
    bench.keys("u");
    assert_eq!(quiz(&bench).open.decision, first);
    assert_eq!(quiz(&bench).left, left);
    let last = bench.answers.last().expect("told");
    assert_eq!(last.answer, None);
    assert!(quiz(&bench).done.is_empty());
    assert!(
        cards(&bench.answers)
            .iter()
            .all(|card| card.answers.is_empty())
    );
    // Before the next question too.
    let best = key(&bench, true);
    bench.keys(&format!("{best} u"));
    assert_eq!(quiz(&bench).open.decision, first);
    assert_eq!(quiz(&bench).left, left);
    bench.keys("u");
    assert_eq!(
        bench.app.status.as_ref().map(|s| s.text.as_str()),
        Some("no answer to take back")
    );
}

#[test]
fn any_legal_play_may_be_typed() {
    let mut bench = with(Vec::new(), 0);
    bench.keys("z z");
    to_question(&mut bench, true);
    bench.keys("i x enter");
    assert_has!(bench.said(), "expected a point");
    bench.keys("esc");
    let state = quiz(&bench).open.decision.state;
    let roll = state.roll.expect("dice");
    let list = crate::game::PlayList::of(&state.position, roll);
    let asked = quiz(&bench).open.question.clone().expect("asked");
    let other = list
        .plays()
        .iter()
        .copied()
        .find(|play| asked.find(crate::study::StudyAction::Play(*play)).is_none());
    let Some(other) = other else {
        panic!("all plays are shown: choose another question");
    };
    let typed = crate::notation::play_text(&state.position, &other);
    let keys: Vec<String> = typed
        .chars()
        .map(|c| {
            if c == ' ' {
                "space".into()
            } else {
                c.to_string()
            }
        })
        .collect();
    bench.keys(&format!("i {} enter", keys.join(" ")));
    let open = &quiz(&bench).open;
    let given = open.given.expect("graded");
    let question = open.question.as_ref().expect("asked");
    assert_eq!(given, asked.choices.len());
    assert_eq!(question.choices[given].text, typed);
    assert!(question.choices[given].cost > 0.0);
    assert_eq!(quiz(&bench).done.len(), 1);
}

#[test]
fn cube_decisions_are_asked() {
    let mut bench = with(Vec::new(), 0);
    bench.keys("z z");
    to_question(&mut bench, false);
    let shown = bench.screen(80, 24);
    let is_double = !quiz(&bench).open.decision.state.doubled;
    let words = if is_double {
        ["no double", "double"]
    } else {
        ["take", "pass"]
    };
    for word in words {
        assert_has!(shown, word);
    }
    bench.keys("i");
    assert_has!(bench.said(), "no dice here");
    let best = key(&bench, true);
    bench.keys(&best);
    assert!(bench.screen(80, 24).contains("right"));
}

/// Nor has the doubler of a question a name: the match that is open may be another one.
#[test]
fn the_doubler_of_a_question_is_your_opponent() {
    let mut other = with(Vec::new(), 0);
    other.keys("z z");
    to_question(&mut other, false);
    let mut asked = quiz(&other).open.decision.clone();
    if !asked.state.doubled {
        (asked.state, asked.class) = (asked.state.offered(), Class::Take);
    }
    let mut bench = with(Vec::new(), 0);
    bench.keys("z l");
    let wanted = bench.quiz_request.clone().expect("looked for");
    let decisions = vec![asked];
    bench.tell(Message::QuizFound { wanted, decisions });
    let best = key(&bench, true);
    bench.keys(&best);
    let shown = bench.screen_after("Y", 80, 24);
    assert_has!(shown, "for your opponent, who doubles", "doubler wins");
}

/// Whether an equity stands beside a play is a matter of the width alone, not of the plays.
#[test]
fn plays_of_all_questions_have_the_same_columns() {
    let heads = |has_dice| {
        let mut bench = with(Vec::new(), 0);
        bench.keys("z z");
        to_question(&mut bench, has_dice);
        let worst = key(&bench, false);
        bench.keys(&worst);
        [(80, 24), (200, 60)].map(|(width, height)| {
            let shown = bench.screen(width, height);
            let head = shown.lines().find(|line| line.contains("    diff"));
            head.unwrap_or(&shown).contains("equity")
        })
    };
    assert_eq!(heads(true), [false, true]);
    assert_eq!(heads(false), [true, true]);
}

/// Answered on one day, due on another, as the clock says that is handed in.
#[test]
fn what_is_due_is_asked_and_counted_in_the_top_line() {
    let mut bench = with(Vec::new(), 0);
    bench.keys("z d");
    assert!(bench.app.quiz.is_none());
    bench.keys("z z");
    // All of it, known or not.
    while !quiz(&bench).is_over {
        let best = key(&bench, true);
        bench.keys(&format!("{best} enter"));
    }
    assert!(quiz(&bench).is_over);
    assert_has!(bench.screen(80, 24), "how it went", "due in the days");
    bench.keys("enter");
    assert!(bench.app.quiz.is_none());
    let known = cards(&bench.answers);
    let errors = known.iter().filter(|card| card.is_error).count();
    let later = |day| with(known.clone(), day);
    assert_eq!(
        [0, 1, 2].map(|day| later(day).app.study.due()),
        [0, 0, errors]
    );
    let mut due = later(2);
    assert_has!(due.screen(120, 40), &format!("{errors} due"));
    due.keys("z d");
    assert!(due.app.quiz.is_some(), "{:?}", due.app.status);
    assert_eq!(quiz(&due).left.len() + 1, errors);
    // A day passes while it is open.
    let mut open = later(1);
    open.wait(86_400_000);
    assert_eq!(open.app.study.due(), errors);
}

#[test]
fn the_match_waits_unchanged() {
    let mut bench = with(Vec::new(), 0);
    let before = bench.screen_after("n j", 120, 40);
    bench.keys("z z s s esc");
    bench.app.status = None;
    assert_eq!(before, bench.screen(120, 40));
    // Without a place for the answers there is no quiz.
    let none = TestApp::typed(Depth::True, "z z");
    assert!(none.app.quiz.is_none());
}

#[test]
fn what_the_library_has_is_asked() {
    let mut bench = with(Vec::new(), 0);
    bench.keys("z l");
    let wanted = bench.quiz_request.clone().expect("looked for");
    assert_eq!(wanted.today, BEGIN / DAY);
    bench.tell(Message::QuizFound {
        wanted: wanted.clone(),
        decisions: Vec::new(),
    });
    assert_has!(bench.said(), "nothing to ask");
    let mut other = with(Vec::new(), 0);
    other.keys("z z");
    let decisions: Vec<_> = quiz(&other).left.iter().cloned().collect();
    let first = decisions[0].clone();
    bench.tell(Message::QuizFound { wanted, decisions });
    assert_eq!(quiz(&bench).open.decision, first);
    assert!(bench.screen(80, 24).contains("quiz: library"));
}

#[test]
fn screens_of_the_quiz() {
    for (width, height) in [(80, 24), (120, 40)] {
        let mut bench = with(Vec::new(), 0);
        bench.keys("z z j");
        let size = format!("{width}x{height}");
        insta::assert_snapshot!(format!("question_{size}"), bench.screen(width, height));
        bench.keys("2");
        insta::assert_snapshot!(format!("answer_{size}"), bench.screen(width, height));
    }
}

/// The play that is chosen on the board, once only one fits.
fn chosen(bench: &TestApp) -> Option<crate::game::Position> {
    let selection = &bench.app.selection;
    selection.play.filter(|_| !selection.picks.is_empty())
}

#[test]
fn a_play_is_put_together_by_clicks_on_the_board() {
    use ratatui::crossterm::event::{MouseButton, MouseEventKind};
    let left = MouseEventKind::Down(MouseButton::Left);
    let mut bench = with(Vec::new(), 0);
    bench.keys("z z");
    to_question(&mut bench, true);
    let state = quiz(&bench).open.decision.state;
    let list = crate::game::PlayList::of(&state.position, state.roll.expect("dice"));
    let mut reached = 0;
    for (w, h) in [(80, 24), (120, 40)] {
        bench.draw(w, h);
        for play in list.plays() {
            for step in play.steps() {
                for point in [step.from, step.to] {
                    super::mouse::click_point(&mut bench, left, usize::from(point));
                }
            }
            reached += usize::from(chosen(&bench) == Some(play.apply(&state.position)));
            bench.keys("esc");
            assert!(bench.app.quiz.is_some() && bench.app.selection.is_empty());
        }
    }
    // All but plays that others contain.
    assert!(reached >= list.len(), "{reached} of {}", 2 * list.len());
    // The right button takes a point back.
    let point = usize::from(list.plays()[0].steps().next().expect("a step").from);
    super::mouse::click_point(&mut bench, left, point);
    assert_eq!(bench.app.selection.picks.len(), 1);
    let right = MouseEventKind::Down(MouseButton::Right);
    super::mouse::click_point(&mut bench, right, point);
    assert!(bench.app.selection.picks.is_empty());
}

#[test]
fn a_play_is_put_together_by_the_arrow_keys() {
    let mut bench = with(Vec::new(), 0);
    bench.keys("z z");
    to_question(&mut bench, true);
    bench.keys("l");
    let first = quiz(&bench).open.cursor.expect("a point");
    bench.keys("l h");
    assert_eq!(quiz(&bench).open.cursor, Some(first));
    assert!(bench.screen(80, 24).contains(&format!("{first}")));
    bench.keys("enter");
    assert_eq!(bench.app.selection.picks.len(), 1);
    bench.keys("backspace");
    assert!(bench.app.selection.picks.is_empty());
    for _ in 0..12 {
        if chosen(&bench).is_some() {
            break;
        }
        bench.keys("l enter");
    }
    let result = chosen(&bench).expect("one play is left");
    assert_eq!(quiz(&bench).open.given, None);
    bench.keys("enter");
    let open = &quiz(&bench).open;
    let given = open.given.expect("answered");
    let choices = &open.question.as_ref().expect("asked").choices;
    assert_eq!(choices[given].result, Some(result));
}

#[test]
fn cube_actions_have_keys_and_a_grade_is_taken_back_alone() {
    let mut bench = with(Vec::new(), 0);
    bench.keys("z z");
    to_question(&mut bench, true);
    bench.keys("n");
    let said = bench.said().to_owned();
    assert_eq!(said, "a play is asked here, not the cube");
    to_question(&mut bench, false);
    let is_double = !quiz(&bench).open.decision.state.doubled;
    bench.keys(if is_double { "t" } else { "d" });
    assert_eq!(quiz(&bench).open.given, None);
    bench.keys(if is_double { "n" } else { "p" });
    let kept = bench.answers.last().expect("kept").clone();
    let answer = kept.answer.expect("an answer");
    assert_eq!(answer.given, if is_double { "no double" } else { "pass" });
    let other = if answer.grade == Grade::Easy {
        "1"
    } else {
        "4"
    };
    bench.keys(other);
    bench.keys("u");
    let back = bench.answers.last().expect("kept").clone();
    assert_eq!((back.id, back.answer), (kept.id, Some(answer)));
    bench.keys("u");
    assert_eq!(bench.answers.last().expect("kept").answer, None);
    assert_eq!(quiz(&bench).open.given, None);
}

/// A screen of 60 columns has few rows beside the board: for the choices, and for what is right.
#[test]
fn a_small_screen_asks_and_answers() {
    for has_dice in [true, false] {
        let mut bench = with(Vec::new(), 0);
        bench.keys("z z");
        to_question(&mut bench, has_dice);
        bench.app.status = None;
        let asked = bench.screen(60, 20);
        let choices = &quiz(&bench).open.question.as_ref().unwrap().choices;
        let best = choices.iter().min_by(|a, b| a.cost.total_cmp(&b.cost));
        let best = best.unwrap().text.clone();
        for choice in choices {
            assert!(asked.contains(&choice.text), "{}:\n{asked}", choice.text);
        }
        let wrong = key(&bench, false);
        bench.keys(&wrong);
        bench.app.status = None;
        assert_has!(bench.screen(60, 20), "costs", &format!("best: {best}"));
    }
}

/// After the answer the wheel selects nothing else, and what refuses another one names the keys of the user.
#[test]
fn an_answer_stays_in_view() {
    use ratatui::crossterm::event::{Event, KeyModifiers, MouseEvent, MouseEventKind};
    let mut bench = with(Vec::new(), 0);
    let keys = crate::tui::keys::KeyMap::read("[quiz]\nundo = \"f4\"\n").keys;
    bench.app.keymap = keys;
    bench.keys("z z");
    to_question(&mut bench, true);
    bench.keys("1");
    let (row, shown) = (quiz(&bench).open.row, bench.app.selection.play);
    bench.tell(Message::Input(Event::Mouse(MouseEvent {
        kind: MouseEventKind::ScrollDown,
        column: 3,
        row: 3,
        modifiers: KeyModifiers::NONE,
    })));
    assert_eq!(
        (quiz(&bench).open.row, bench.app.selection.play),
        (row, shown)
    );
    bench.keys("s");
    assert_has!(bench.said(), "Enter goes on, F4 takes it back");
}

/// A quiz that was found while a window is open is not dropped without a word.
#[test]
fn a_quiz_that_cannot_begin_is_told() {
    let mut bench = with(Vec::new(), 0);
    bench.keys("z l ?");
    let wanted = bench.quiz_request.clone().expect("looked for");
    let decisions = Vec::new();
    bench.tell(Message::QuizFound { wanted, decisions });
    assert_has!(bench.said(), "not begun");
}
