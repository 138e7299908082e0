//! The quiz beside its match: rollouts that count in it, and the way from a question to its match and back.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};

use super::quiz::{key, quiz, to_question, with};
use crate::review::Class;
use crate::rollout::{CubeSettings, Settings, Status, StopReason};
use crate::study::{StudyDecision, decision};
use crate::tui::figures::error_list;
use crate::tui::figures::rolled_turns;
use crate::tui::message::{MatchRolloutNews, Message};
use crate::tui::rollouts::jobs::{DecisionKey, JobPlay};
use crate::tui::state::Effect;
use crate::tui::testing::{Race, TestApp, made_up};
use crate::tui::theme::Depth;
use crate::tui::update::update;
use crate::tui::windows::exported::Written;

/// A rollout of the plays of a turn says that the last of them is the best by 0.1 a place.
fn rolled(bench: &mut TestApp, turn: usize) {
    let state = bench.app.document.turns[turn].before.state;
    let review = bench.app.document.reviews[turn].clone().expect("reviewed");
    let mut places = vec![0];
    places.extend(review.played.filter(|i| *i > 0));
    let play = |i: &usize| JobPlay {
        play: review.candidates[*i].play,
        result: review.candidates[*i].result,
    };
    let mut result = made_up(places.len(), 360, Status::Done(StopReason::Trials));
    let candidates = &mut Arc::make_mut(&mut result).candidates;
    for (candidate, mean) in candidates.iter_mut().zip([0.0, 0.1]) {
        candidate.equity.mean = mean;
    }
    let news = MatchRolloutNews::Rolled {
        decision: DecisionKey::of(&state),
        result,
        plays: places.iter().map(play).collect(),
        settings: Box::new(Settings {
            cube: Some(CubeSettings::after_play(&state)),
            ..Settings::default()
        }),
    };
    let (generation, number) = (bench.app.document.generation, bench.app.match_runs);
    bench.tell(Message::MatchRollouts {
        generation,
        number,
        news,
    });
}

/// An error that a rollout has refuted is asked as none, and an answer is graded by the rollout.
#[test]
fn the_quiz_of_a_match_goes_by_its_rollouts() {
    let mut bench = with(Vec::new(), 0);
    let refuted = error_list::rows(&bench.app)
        .into_iter()
        .find(|row| row.class == Class::Checker && row.error > 0.02);
    let turn = refuted.expect("an error").decision.turn;
    rolled(&mut bench, turn);
    assert_eq!(bench.app.error(turn).map(|(error, _)| error), Some(0.0));
    let listed = error_list::rows(&bench.app).len();
    bench.keys("z z");
    let asked = || {
        let quiz = quiz(&bench);
        quiz.left.iter().chain([&quiz.open.decision])
    };
    assert_eq!(asked().filter(|one| one.is_error(0.02)).count(), listed);
    let state = bench.app.document.turns[turn].before.state;
    let own = asked().find(|one| one.state == state);
    assert!(own.is_none_or(|one| one.cost == 0.0));
    bench.keys("esc");
    // Asked in a quiz of its own, it is graded by the rollout.
    let review = bench.app.document.reviews[turn].clone().expect("reviewed");
    let own = &bench.app.document.turns[turn];
    let (put, rollouts) = rolled_turns::rolled(&bench.app.jobs, own, &review).expect("counts");
    let record = &bench.app.document.record;
    let mut decisions = decision::of_rolled_turn(record, own, &put, &rollouts);
    decisions.retain(|one| one.class == Class::Checker);
    bench.keys("z l");
    let wanted = bench.quiz_request.clone().expect("looked for");
    bench.tell(Message::QuizFound { wanted, decisions });
    let asked = quiz(&bench).open.question.as_ref().expect("asked");
    let made = quiz(&bench).open.decision.made.clone();
    assert_eq!(asked.best().map(|best| best.text.clone()), Some(made));
    let best = key(&bench, true);
    bench.keys(&best);
    for (w, h) in [(80, 24), (120, 40)] {
        assert_has!(bench.screen(w, h), "right, by rollout");
    }
}

/// After the answer a key leads to the match at this decision, and another one back to the questions.
#[test]
fn a_key_leads_to_the_match_and_back() {
    let mut bench = with(Vec::new(), 0);
    bench.keys("z z o");
    assert!(bench.said().contains("answer first"), "{}", bench.said());
    to_question(&mut bench, true);
    let worst = key(&bench, false);
    bench.keys(&worst);
    assert!(bench.screen(120, 40).contains("o match"));
    let (state, left) = (quiz(&bench).open.decision.state, quiz(&bench).left.clone());
    bench.keys("o");
    assert!(bench.app.quiz.is_none());
    assert_eq!(bench.app.turn().map(|turn| turn.before.state), Some(state));
    assert!(bench.said().contains("zq"), "{}", bench.said());
    bench.keys("z q");
    assert_eq!(
        (quiz(&bench).open.decision.state, &quiz(&bench).left),
        (state, &left)
    );
    assert!(bench.screen(120, 40).contains("costs"));
    bench.keys("enter");
    assert_eq!(quiz(&bench).done.len(), 1);
    bench.keys("esc z q");
    assert!(bench.said().contains("no quiz waits"), "{}", bench.said());
}

const CLARA: &[u8] = include_bytes!("../../../sample_matches/clara-dev-3pt.mat");

/// A match in a file of its own, open.
fn with_file() -> (tempfile::TempDir, PathBuf, TestApp) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("clara.mat");
    std::fs::write(&path, CLARA).unwrap();
    let mut bench = with(Vec::new(), 0);
    bench.tell(Message::Input(Event::Paste(path.display().to_string())));
    assert_eq!(bench.app.document.record.path.as_ref(), Some(&path));
    (folder, path, bench)
}

/// Two errors with dice of the match in a file, as the library has them.
fn in_library(path: &Path, bench: &mut TestApp) -> Vec<StudyDecision> {
    bench.keys("z z");
    let quiz = quiz(bench);
    let all = quiz.left.iter().chain([&quiz.open.decision]);
    let mut errors: Vec<_> = all
        .filter(|one| one.is_error(0.02) && one.state.roll.is_some())
        .take(2)
        .cloned()
        .collect();
    assert_eq!(errors.len(), 2);
    for one in &mut errors {
        one.place.as_mut().expect("of a match").file = Some(path.to_owned());
    }
    errors
}

/// With the first of these questions of the library answered; another match is in view.
fn answered(decisions: &[StudyDecision]) -> TestApp {
    let mut bench = with(Vec::new(), 0);
    bench.keys("z l");
    let wanted = bench.quiz_request.clone().expect("looked for");
    let decisions = decisions.to_vec();
    bench.tell(Message::QuizFound { wanted, decisions });
    let best = key(&bench, true);
    bench.keys(&best);
    bench
}

/// A key whose effects wait.
fn press(bench: &mut TestApp, code: KeyCode) {
    let event = Event::Key(KeyEvent::new(code, KeyModifiers::NONE));
    let now = bench.now;
    update(&mut bench.app, Message::Input(event), now);
}

/// A question of the library has its match in a file, which opens at the decision; the quiz waits.
#[test]
fn a_question_of_the_library_opens_its_file() {
    let (_folder, path, mut other) = with_file();
    let asked = in_library(&path, &mut other);
    let mut bench = answered(&asked);
    let shown = bench.app.selection.play;
    assert!(shown.is_some());
    for _ in 0..2 {
        bench.keys("o");
        assert!(bench.app.quiz.is_none() && bench.app.quiz_aside.is_some());
        assert_eq!(bench.app.document.record.path.as_ref(), Some(&path));
        let state = bench.app.turn().map(|turn| turn.before.state);
        assert_eq!(state, Some(asked[0].state));
        assert!(bench.said().contains("zq"), "{}", bench.said());
        bench.keys("z q");
        assert_eq!(quiz(&bench).open.decision, asked[0]);
        assert!(quiz(&bench).open.given.is_some());
        assert_eq!(bench.app.selection.play, shown);
    }
}

#[test]
fn a_file_that_cannot_be_opened_does_not_end_the_quiz() {
    let (_folder, path, mut other) = with_file();
    let asked = in_library(&path, &mut other);
    std::fs::write(&path, "no match").unwrap();
    let mut bench = answered(&asked);
    bench.keys("o");
    assert!(quiz(&bench).open.given.is_some() && !quiz(&bench).is_visiting);
    assert_eq!(bench.app.awaited, None);
    assert_ne!(bench.app.document.record.path.as_ref(), Some(&path));
    std::fs::remove_file(&path).unwrap();
    bench.keys("o");
    let words = "luckless library add FILE";
    assert!(bench.said().contains(words), "{}", bench.said());
    assert!(quiz(&bench).open.given.is_some());
}

/// The match may come into view while the next question is being analysed: that goes on with the quiz.
#[test]
fn a_question_that_was_being_analysed_is_asked_after_the_visit() {
    let (_folder, path, mut other) = with_file();
    let asked = in_library(&path, &mut other);
    let mut bench = answered(&asked);
    press(&mut bench, KeyCode::Char('o'));
    press(&mut bench, KeyCode::Enter);
    let is_draft = |effect: &Effect| matches!(effect, Effect::Draft { .. });
    assert!(bench.app.effects.iter().any(is_draft));
    bench.app.effects.retain(|effect| !is_draft(effect));
    bench.tell(Message::Tick);
    assert!(bench.app.quiz.is_none() && bench.app.quiz_aside.is_some());
    bench.keys("z q");
    assert_eq!(quiz(&bench).open.decision, asked[1]);
    assert!(quiz(&bench).open.question.is_some());
}

/// A quiz that is left before its match comes into view does not wait.
#[test]
fn no_way_back_is_told_to_a_quiz_that_was_left() {
    let (_folder, path, mut other) = with_file();
    let asked = in_library(&path, &mut other);
    let mut bench = answered(&asked);
    press(&mut bench, KeyCode::Char('o'));
    press(&mut bench, KeyCode::Esc);
    bench.tell(Message::Tick);
    assert_eq!(bench.app.document.record.path.as_ref(), Some(&path));
    assert!(bench.app.quiz.is_none() && bench.app.quiz_aside.is_none());
    assert!(!bench.said().contains("zq"), "{}", bench.said());
}

/// The match of the quiz is still found after its file was read again.
#[test]
fn a_match_that_was_read_again_is_still_that_of_the_quiz() {
    let (_folder, path, mut bench) = with_file();
    bench.keys("z z");
    to_question(&mut bench, true);
    let best = key(&bench, true);
    bench.keys(&best);
    bench.keys("o");
    let before = bench.app.document.generation;
    std::fs::write(&path, [CLARA, b"\n"].concat()).unwrap();
    bench.tell(Message::FileChanged);
    assert!(bench.app.document.generation > before);
    bench.keys("z q");
    let state = quiz(&bench).open.decision.state;
    bench.keys("o");
    assert!(bench.app.quiz_aside.is_some(), "{}", bench.said());
    assert_eq!(bench.app.turn().map(|turn| turn.before.state), Some(state));
}

/// A card does not say where it was played, so no key to the match is offered.
#[test]
fn what_is_due_has_no_match_to_go_to() {
    let mut bench = with(Vec::new(), 0);
    bench.keys("z z");
    to_question(&mut bench, true);
    let worst = key(&bench, false);
    bench.keys(&worst);
    let kept = bench.answers.last().expect("kept").clone();
    let mut card = kept.card;
    card.answers.extend(kept.answer);
    let mut later = with(vec![card], 30);
    later.keys("z d");
    let best = key(&later, true);
    assert_lacks!(later.screen_after(&best, 120, 40), "o match");
    later.keys("o");
    let words = "not known in which file";
    assert!(later.said().contains(words), "{}", later.said());
}

#[test]
fn a_new_quiz_says_that_the_one_that_waited_has_ended() {
    let mut bench = with(Vec::new(), 0);
    bench.keys("z z");
    to_question(&mut bench, true);
    let best = key(&bench, true);
    bench.keys(&best);
    bench.keys("o");
    assert!(bench.app.quiz_aside.is_some());
    bench.keys("z z");
    assert!(bench.app.quiz_aside.is_none());
    assert!(bench.said().contains("has ended"), "{}", bench.said());
}

/// What the review has not come to is not asked: its figures may still change.
#[test]
fn a_review_under_way_asks_what_it_has_judged() {
    let mut bench = with(Vec::new(), 0);
    bench.keys("z z");
    let whole = quiz(&bench).left.len();
    bench.keys("esc");
    let turns = bench.app.document.is_final.len();
    bench.app.document.is_final[turns / 2..].fill(false);
    bench.keys("z z");
    let all = quiz(&bench)
        .left
        .iter()
        .chain([&quiz(&bench).open.decision]);
    let places: Vec<usize> = all.map(|one| one.place.as_ref().unwrap().turn).collect();
    assert!(places.len() <= whole && places.iter().all(|turn| *turn < turns / 2));
    let said = bench.said();
    assert_has!(said, "the review is not done");
    bench.keys("esc");
    bench.app.document.is_final.fill(false);
    bench.keys("z z");
    assert_has!(bench.said(), "try again in a moment");
}

/// What the quiz of the match would ask becomes a package for Anki.
#[test]
fn errors_become_cards_for_anki() {
    let mut bench = TestApp::new(Depth::None);
    assert_has!(bench.screen_after("y k", 80, 24), "write cards for Anki");
    bench.keys("ctrl-u e . a p k g enter");
    assert_eq!(bench.exported, Some("e.apkg".into()));
    let least = bench.app.least_error();
    let Some(Written::Anki(cards)) = &bench.written else {
        panic!("{:?}", bench.written)
    };
    assert!(!cards.decisions.is_empty());
    assert!(cards.decisions.iter().all(|one| one.is_error(least)));
    let written = Written::Anki(cards.clone());
    let content = written.content(Path::new("e.apkg"), &Race).unwrap();
    assert!(content.bytes.starts_with(b"PK"));
}
