//! The quiz beside its match: rollouts that count in it, and the way from a question to its match and back.

use std::path::PathBuf;
use std::sync::Arc;

use super::quiz::{key, quiz, to_question, with};
use crate::review::Class;
use crate::rollout::{CubeSettings, Settings, Status, StopReason};
use crate::study::decision;
use crate::tui::error_list;
use crate::tui::jobs::{DecisionKey, JobPlay};
use crate::tui::message::{MatchRolloutNews, Message};
use crate::tui::rolled_turns;
use crate::tui::state::Openable;
use crate::tui::testing::{TestApp, made_up, text};

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
            cube: Some(CubeSettings::new(&state, false)),
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
    let turn = refuted.expect("an error").turn;
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
    let wanted = bench.library_quiz.clone().expect("looked for");
    bench.tell(Message::LibraryQuiz { wanted, decisions });
    let asked = quiz(&bench).open.question.as_ref().expect("asked");
    let made = quiz(&bench).open.decision.made.clone();
    assert_eq!(asked.best().map(|best| best.text.clone()), Some(made));
    let best = key(&bench, true);
    bench.keys(&best);
    for (w, h) in [(80, 24), (120, 40)] {
        let shown = text(&bench.draw(w, h));
        assert!(shown.contains("right, by rollout"), "{shown}");
    }
}

/// After the answer a key leads to the match at this decision, and another one back to the questions.
#[test]
fn a_key_leads_to_the_match_and_back() {
    let mut bench = with(Vec::new(), 0);
    bench.keys("z z");
    let said = |bench: &TestApp| bench.app.status.as_ref().expect("told").text.clone();
    bench.keys("o");
    assert!(said(&bench).contains("answer first"), "{}", said(&bench));
    to_question(&mut bench, true);
    let worst = key(&bench, false);
    bench.keys(&worst);
    assert!(text(&bench.draw(120, 40)).contains("o match"));
    let (state, left) = (quiz(&bench).open.decision.state, quiz(&bench).left.clone());
    bench.keys("o");
    assert!(bench.app.quiz.is_none());
    assert_eq!(bench.app.turn().map(|turn| turn.before.state), Some(state));
    assert!(said(&bench).contains("zq"), "{}", said(&bench));
    bench.keys("z q");
    assert_eq!(
        (quiz(&bench).open.decision.state, &quiz(&bench).left),
        (state, &left)
    );
    assert!(text(&bench.draw(120, 40)).contains("gives away"));
    bench.keys("enter");
    assert_eq!(quiz(&bench).done.len(), 1);
    bench.keys("esc z q");
    assert!(said(&bench).contains("no quiz waits"), "{}", said(&bench));
}

/// A question of the library has its match in a file, or says that this is not there.
#[test]
fn a_question_of_the_library_opens_its_file() {
    let mut other = with(Vec::new(), 0);
    other.keys("z z");
    let file = tempfile::NamedTempFile::new().unwrap();
    let sample = include_bytes!("../../../sample_matches/clara-dev-3pt.mat");
    std::fs::write(file.path(), sample).unwrap();
    let mut asked = quiz(&other).open.decision.clone();
    let mut visit = |path: Option<PathBuf>| {
        let place = asked.place.as_mut().expect("of a match");
        place.file = path;
        let mut bench = with(Vec::new(), 0);
        bench.keys("z l");
        let wanted = bench.library_quiz.clone().expect("looked for");
        let decisions = vec![asked.clone()];
        bench.tell(Message::LibraryQuiz { wanted, decisions });
        let best = key(&bench, true);
        bench.keys(&format!("{best} o"));
        bench
    };
    let gone = visit(Some("no such file.mat".into()));
    let said = gone.app.status.as_ref().expect("told").text.clone();
    assert!(said.contains("not there any more"), "{said}");
    assert!(quiz(&gone).open.given.is_some());
    let path = file.path().to_owned();
    let there = visit(Some(path.clone()));
    let known = &there.app.sources;
    assert!(
        known.contains(&Openable::File(path)),
        "{known:?} {:?}",
        there.app.status
    );
}
