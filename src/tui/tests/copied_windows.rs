//! The windows that say why, and what is right at other scores: copied as text, with their keys, and with several
//! rollouts of one decision.

use std::sync::Arc;

use ratatui::crossterm::event::Event;

use crate::diagram::{Colours, Diagram};
use crate::game::PlayList;
use crate::notation::parse_id;
use crate::rollout::Status;
use crate::tui::figures::{candidate_rows, error_list};
use crate::tui::keys::KeyScope;
use crate::tui::message::Message;
use crate::tui::rollouts::jobs::{Aim, Job, JobPlay};
use crate::tui::state::Document;
use crate::tui::testing::{TestApp, made_up};
use crate::tui::theme::Depth;
use crate::tui::windows::exported::Written;
use crate::tui::windows::overlay::Overlay;

/// What the keys copy.
fn copied(bench: &mut TestApp, keys: &str) -> String {
    bench.copied = None;
    bench.keys(keys);
    bench.copied.take().expect("something is copied")
}

/// The first error of the match, rolled out, and its rollout.
fn rolled_out() -> (TestApp, Job) {
    let mut bench = TestApp::typed(Depth::True, "n r");
    bench.roll(2592, true);
    let job = bench.app.jobs.all().next().unwrap().clone();
    (bench, job)
}

/// They are copied as the command line prints them.
#[test]
fn the_windows_are_copied_as_text() {
    let mut bench = TestApp::new(Depth::True);
    let why = copied(&mut bench, "n j j Y y a");
    assert!(why.starts_with("XGID="), "{why}");
    assert_has!(why, "A−B after the opponent's next roll, 0-ply");
    assert_has!(why, "luck of 6-3, 0-ply");
    let scores = copied(&mut bench, "esc M y a");
    assert_has!(scores, ", the present choice", "gammon-go");
    assert_has!(scores, "\nrows: points away ");
    assert_lacks!(scores, "by rollout");
    let cube = copied(&mut bench, "esc b Y y a");
    assert_has!(cube, "chance to win");
}

/// What a match comes to, its errors and its equities are copied as the command line prints them.
#[test]
fn the_figures_of_the_match_are_copied_as_text() {
    let mut bench = TestApp::new(Depth::True);
    let figures = copied(&mut bench, "g s y a");
    assert!(figures.starts_with("Anna – Bénédicte, "), "{figures}");
    assert_has!(figures, "\nPR ", "luck-adjusted result", "kind of position");
    assert_has!(figures, "\ngame ");
    assert_lacks!(figures, "worst decisions");
    let errors = copied(&mut bench, "esc E y a");
    let rows = error_list::rows(&bench.app);
    assert_eq!(errors.lines().count(), rows.len() + 4, "{errors}");
    assert_has!(errors, "(from 0.020 points)");
    let first = format!("  {:.3}  ", rows[0].error);
    let row = errors.lines().nth(4);
    assert!(row.is_some_and(|row| row.contains(&first)), "{errors}");
    let equities = copied(&mut bench, "esc g m j y a");
    assert_has!(equities, "Anna needs ", "double to");
    assert_has!(equities, "\nafter the Crawford game\n");
}

/// Each identifier that is copied is that of the position in view, in a match as in the editor.
#[test]
fn the_position_is_copied_in_each_form() {
    let mut bench = TestApp::typed(Depth::True, "n j j");
    let state = bench.app.turn().unwrap().before.state;
    for keys in ["y x", "y g", "y o", "e y x", "y g", "y o"] {
        let id = copied(&mut bench, keys);
        assert_eq!(parse_id(&id), Ok(state), "{keys}: {id}");
    }
    bench.keys("esc x o");
    let large = "XGID=-b----E-C---eE---c-e----B-:10:1:1:00:0:0:0:0:10";
    bench.tell(Message::Input(Event::Paste(large.into())));
    bench.keys("enter");
    bench.copied = None;
    bench.keys("y o");
    assert_eq!(bench.copied, None);
    assert_has!(bench.said(), "no room for this cube");
}

/// Before the roll the analysis is that of the cube decision.
#[test]
fn a_cube_decision_is_copied() {
    let mut bench = TestApp::new(Depth::True);
    let cube = copied(&mut bench, "n b y a");
    assert!(cube.starts_with("XGID="), "{cube}");
    assert_has!(cube, "no double", "double/take", "double/pass", "best, ");
}

/// Of a double on offer the answer is copied, also where the double is wrong.
#[test]
fn an_answer_to_a_double_is_copied() {
    let state = parse_id("XGID=-a-a--E-C---dE--ac-e----B-:0:0:1:D:3:2:0:7:10").unwrap();
    let document = Document::of_position(state, "x".into(), 1);
    let mut bench = TestApp::with(Depth::True, document);
    let answer = copied(&mut bench, "y a");
    let last = answer.lines().last().unwrap();
    assert!(
        ["take", "pass"].iter().any(|word| last.starts_with(word)),
        "{answer}"
    );
}

/// The scores that go by a rollout are named.
#[test]
fn copied_scores_say_which_were_rolled_out() {
    let mut bench = TestApp::typed(Depth::True, "n r");
    bench.roll(720, true);
    let scores = copied(&mut bench, "M y a");
    let end = "\nby rollout: 5-away 5-away, cube 1 centred\n";
    assert!(scores.ends_with(end), "{scores}");
}

/// Both windows list their keys, and come back as they were.
#[test]
fn the_windows_list_their_keys() {
    let mut bench = TestApp::typed(Depth::True, "n M tab ?");
    let is_keys = |bench: &TestApp, of: KeyScope| {
        let keys = &bench.app.overlay;
        matches!(keys, Some(Overlay::Help { place, .. }) if *place == of)
    };
    assert!(is_keys(&bench, KeyScope::Matrix));
    assert_has!(bench.screen(80, 24), "cube centred, own or theirs");
    assert_has!(bench.screen_after("esc", 80, 24), "other scores: own cube");
    bench.keys("esc j j Y ?");
    assert!(is_keys(&bench, KeyScope::Why));
    // The first of them is run in the window.
    bench.keys("enter");
    assert!(matches!(
        bench.app.overlay,
        Some(Overlay::Why { roll: 1, .. })
    ));
    bench.keys("esc");
    assert!(bench.app.overlay.is_none());
}

/// In a Crawford game at a score without a name the window opens there.
#[test]
fn the_matrix_has_the_score_of_a_crawford_game() {
    let mut bench = TestApp::typed(Depth::True, "L L n M");
    let Some(Overlay::Matrix { place, .. }) = bench.app.overlay else {
        panic!("no window");
    };
    assert_eq!((place.row, place.column), (0, 4));
    let screen = bench.screen(80, 24);
    assert_has!(screen, "own score", "▸", "1-away Crawford");
    assert_has!(screen, "1: post-Crawford");
    // Nothing is behind it, and the column below is another score.
    assert_has!(
        bench.screen_after("l j", 80, 24),
        "1-away 5-away post-Crawford"
    );
}

/// A comparison that has only begun does not take the place of the finished rollout of its plays.
#[test]
fn a_cell_goes_by_its_best_founded_rollout() {
    let mut bench = TestApp::typed(Depth::True, "n r");
    bench.roll(2592, true);
    bench.keys("j j space j space c");
    bench.roll(360, false);
    let screen = bench.screen_after("esc M", 120, 40);
    assert_has!(screen, "rolled out (0-ply, 2592): ", "+0.100 ±", "▸B .060R");
}

/// A play that only a comparison which has just begun has does not take it either, however good it looks.
#[test]
fn a_cell_does_not_go_by_a_play_that_has_just_begun() {
    let (mut bench, job) = rolled_out();
    let state = *job.decision.state();
    let list = PlayList::of(&state.position, state.roll.unwrap());
    let all = list.plays().iter().zip(list.results());
    let mut all = all.map(|(&play, &result)| JobPlay { play, result });
    let third = all.find(|play| job.place(&play.result).is_none()).unwrap();
    let plays = vec![third, job.plays[0]];
    let jobs = &mut bench.app.jobs;
    let id = jobs.add(job.decision, plays, Aim::Compare, job.asked().clone());
    let mut result = made_up(2, 36, Status::Running);
    Arc::make_mut(&mut result).candidates[0].equity.mean = 0.5;
    assert!(jobs.update(id, result, false));
    assert_has!(bench.screen_after("M", 120, 40), "▸B .060R");
}

/// The list and the line of the error have one difference of the play that was made, whichever rollouts there are.
#[test]
fn the_list_and_the_error_have_one_difference() {
    let (mut bench, job) = rolled_out();
    let row = |bench: &TestApp| {
        let rows = candidate_rows::rows(&bench.app);
        let other = rows.iter().find(|row| !row.is_best && row.rolled.is_some());
        (rows[0].candidate.result, other.unwrap().clone())
    };
    let (best, other) = row(&bench);
    let play = |result| job.plays[job.place(&result).unwrap()];
    let plays = vec![play(best), play(other.candidate.result)];
    let jobs = &mut bench.app.jobs;
    let id = jobs.add(job.decision, plays, Aim::Compare, job.asked().clone());
    let mut result = made_up(2, 20_000, Status::Running);
    let candidates = &mut Arc::make_mut(&mut result).candidates;
    (candidates[0].equity.mean, candidates[1].equity.mean) = (0.1, 0.05);
    assert!(jobs.update(id, result, false));
    let (_, beside) = row(&bench);
    assert_eq!(beside.candidate.result, other.candidate.result);
    let error = bench
        .app
        .jobs
        .error(job.decision, &best, &beside.candidate.result);
    assert!((error.unwrap() - 0.05).abs() < 1e-6, "{error:?}");
    assert!(
        (beside.difference + 0.05).abs() < 1e-6,
        "{}",
        beside.difference
    );
}

/// The cell of the score in view says what the pane beside the board says.
#[test]
fn the_own_score_of_a_cube_decision_is_that_of_the_pane() {
    let state = parse_id("XGID=---aBBCCCB----a-aa-babbbb-:0:0:1:00:7:1:0:9:10").unwrap();
    let document = Document::of_position(state, "x".into(), 1);
    let mut bench = TestApp::with(Depth::True, document);
    let known = bench.app.document.looks.values_mut().next().unwrap();
    let cube = Arc::make_mut(known).cube.as_mut().unwrap();
    (cube.decision.no_double, cube.decision.double_take) = (0.777, Some(1.234));
    assert_has!(bench.screen_after("M", 120, 40), "+0.777", "+1.234");
}

/// With its arrows, and its XGID below it.
#[test]
fn a_position_is_written_as_a_picture_with_the_selected_play() {
    let mut bench = TestApp::new(Depth::True);
    assert_has!(bench.screen_after("n j y p", 80, 24), "match-1-3.svg");
    bench.keys("enter");
    assert_eq!(bench.exported, Some("match-1-3.svg".into()));
    let is_named = |picture: &(Diagram, Colours)| picture.0.identified && picture.0.play.is_some();
    assert!(matches!(&bench.written, Some(Written::Picture(picture)) if is_named(picture)));
}
