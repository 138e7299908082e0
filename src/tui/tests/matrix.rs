//! Rollouts from the window of scores.

use super::inquiry::{shown, shows_made};
use crate::analysis::ReferenceChoice;
use crate::tui::figures::{candidate_rows, rolled_cells};
use crate::tui::rollouts::inquiry::Inquiry;
use crate::tui::testing::TestApp;
use crate::tui::theme::Depth;
use crate::tui::windows::overlay::Overlay;

/// A score of the matrix is rolled out without leaving the window, and its cell goes by the rollout.
#[test]
fn a_cell_of_the_matrix_is_rolled_out() {
    let mut bench = TestApp::typed(Depth::True, "n M m j r");
    let id = bench.rolling.expect("a rollout runs");
    let job = bench.app.jobs.get(id).unwrap();
    let state = *job.decision.state();
    assert_ne!(Some(job.decision), bench.app.decision());
    assert_eq!(
        job.settings.cube.unwrap().away.is_some(),
        !state.score.is_money()
    );
    assert!(job.plays.len() > 1, "the best and others");
    bench.roll(720, true);
    let screen = shown(&mut bench);
    assert_has!(screen, "rolled out (0-ply, 720): ", " R A ");
    // Again: on to more trials; the match waits where it was.
    bench.keys("r");
    assert_eq!(bench.rolling, Some(id));
    assert!(bench.app.jobs.get(id).unwrap().settings.stop.trials > 720);
    bench.roll(2592, true);
    bench.keys("esc");
    assert!(bench.app.overlay.is_none());
}

/// What `m` chose is rolled out too: a rollout without it is not gone on with.
#[test]
fn the_play_whose_cost_is_shown_is_rolled_out() {
    let mut bench = TestApp::typed(Depth::True, "n M l");
    if shows_made(&bench) {
        bench.keys("m");
    }
    bench.keys("r");
    let first = bench.rolling.expect("a rollout runs");
    bench.roll(720, true);
    bench.keys("m r");
    let id = bench.rolling.expect("a rollout runs");
    let job = bench.app.jobs.get(id).unwrap();
    let Some(Overlay::Matrix { inquiry, .. }) = &bench.app.overlay else {
        panic!("no window");
    };
    let Inquiry::Matrix {
        reference: Some(ReferenceChoice::Play(play)),
        ..
    } = inquiry
    else {
        panic!("{inquiry:?}");
    };
    assert!(job.place(play).is_some(), "of {first:?} it is {id:?}");
}

/// What a rollout has found counts: its best play is the one whose cost is shown, and its own score has its figures.
#[test]
fn the_matrix_follows_a_rollout() {
    let mut bench = TestApp::typed(Depth::True, "n r");
    let id = bench.rolling.expect("a rollout runs");
    bench.roll(720, true);
    let state = bench.app.turn().unwrap().before.state;
    let rows = candidate_rows::rows(&bench.app);
    let best = rows.iter().find(|row| row.is_best).unwrap();
    let name = crate::tui::text::play(&best.candidate.play, &state.position);
    bench.keys("M");
    if shows_made(&bench) {
        bench.keys("m");
    }
    let screen = shown(&mut bench);
    assert_has!(screen, &format!("A {name}"), "▸R A ");
    // The window opens at that score: it goes on with the same rollout.
    bench.keys("r");
    assert_eq!(bench.rolling, Some(id));
}

/// At the score of the match the window has the cost that the list of plays has.
#[test]
fn the_cell_in_view_costs_what_the_list_says() {
    let mut bench = TestApp::typed(Depth::True, "n M");
    if !shows_made(&bench) {
        bench.keys("m");
    }
    let state = bench.app.turn().unwrap().before.state;
    let review = bench.app.review().unwrap().clone();
    let made = review.candidates[review.played.unwrap()];
    let inquiry = Inquiry::Matrix {
        state,
        reference: Some(ReferenceChoice::Play(made.result)),
    };
    let mut matrix = bench
        .app
        .inquiries
        .about(&inquiry)
        .unwrap()
        .matrix
        .clone()
        .unwrap();
    let own = matrix
        .cells
        .iter()
        .position(|cell| cell.is_of(&state))
        .unwrap();
    // An analysis of many scores at once differs a little.
    let answer = matrix.answers[own].as_mut().unwrap();
    (answer.ply, answer.cost) = (made.ply, answer.cost.map(|cost| cost + 0.001));
    let (shown, _) = rolled_cells::shown(&bench.app, &state, &matrix);
    let cost = shown.answers[own].as_ref().and_then(|answer| answer.cost);
    assert_eq!(cost, Some(review.candidates[0].equity - made.equity));
}

/// Once another turn is in view nothing is asked about that of the window.
#[test]
fn what_was_made_elsewhere_is_not_asked_about() {
    let mut bench = TestApp::typed(Depth::True, "n M");
    let before = format!("{:?}", bench.app.overlay);
    bench.app.at += 1;
    bench.keys("m");
    assert_eq!(format!("{:?}", bench.app.overlay), before);
    let said = bench.app.status.as_ref().map(|status| &*status.text);
    assert!(
        said.is_some_and(|said| said.contains("not in view")),
        "{said:?}"
    );
}
