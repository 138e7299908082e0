//! Rollouts of the decision in view: queued, paused, stopped, gone on with.

use std::sync::Arc;

use super::rolling;
use crate::game::{GameState, Position};
use crate::rollout::Status;
use crate::tui::figures::candidate_rows::rows;
use crate::tui::figures::rollout_list;
use crate::tui::rollouts::jobs::JobState;
use crate::tui::state::Document;
use crate::tui::testing::{TestApp, made_up};
use crate::tui::theme::Depth;

#[test]
fn rollouts_queue_run_and_stay() {
    let mut bench = TestApp::typed(Depth::True, "n r");
    let decision = bench.app.decision().unwrap();
    let first = bench.rolling.unwrap();
    bench.roll(360, false);
    bench.keys("n r");
    assert_eq!(bench.rolling, Some(first), "one at a time");
    assert_eq!(bench.app.jobs.active().count(), 2);
    bench.roll(1296, true);
    assert_ne!(bench.rolling, Some(first), "the next one starts by itself");
    bench.roll(1296, true);
    assert_eq!(bench.app.jobs.active().count(), 0);
    bench.keys("N");
    assert_eq!(bench.app.decision(), Some(decision));
    let listed = rows(&bench.app);
    assert!(listed[0].rolled.as_ref().is_some_and(|s| s.trials == 1296));
    bench.keys("r");
    assert_eq!(bench.rolling, Some(first), "a rollout that is done goes on");
}

#[test]
fn pause_stop_and_freeze() {
    let mut bench = TestApp::typed(Depth::True, "p");
    assert_eq!(bench.said(), "nothing is being rolled out");
    bench.keys("n r p");
    assert_eq!(bench.app.jobs.current().unwrap().state, JobState::Paused);
    bench.keys("p");
    assert_eq!(bench.app.jobs.current().unwrap().state, JobState::Running);
    bench.roll(36, false);
    bench.keys("R f");
    bench.roll(720, false);
    let shown = |b: &TestApp| b.app.jobs.current().unwrap().result().unwrap().candidates[0].trials;
    assert_eq!(shown(&bench), 36, "the figures stand still");
    bench.keys("R f");
    assert_eq!(shown(&bench), 720);
    // Held still once more, they go where nothing is rolled out any more.
    bench.keys("R f");
    assert!(bench.app.jobs.frozen().is_some());
    bench.keys("x");
    assert_eq!(bench.app.jobs.active().count(), 0);
    assert!(bench.app.jobs.frozen().is_none());
    let decision = bench.app.decision().unwrap();
    let kept = bench.app.jobs.about(decision).next().unwrap();
    assert_eq!(kept.result().unwrap().candidates[0].trials, 360);
}

/// A review that is not made while a rollout has the processor says so.
#[test]
fn a_review_that_waits_says_so() {
    let mut bench = rolling(Depth::None);
    bench.app.document.is_final[0] = false;
    for (width, words) in [(80, "review waits"), (120, "% waits for the rollout")] {
        assert_has!(bench.screen(width, 24), words);
    }
    let screen = bench.screen_after("p", 80, 24);
    assert!(
        !screen.contains("waits") && screen.contains("review "),
        "{screen}"
    );
}

/// The play that was selected for a pair has come to lead: the pair goes on, and no other begins.
#[test]
fn a_pair_goes_on_whichever_play_leads() {
    let mut bench = TestApp::typed(Depth::True, "n j j j c");
    bench.roll(72, false);
    let first = bench.rolling.unwrap();
    bench.keys("x k k k");
    let listed = rows(&bench.app);
    assert_eq!(bench.app.selection.play, Some(listed[0].candidate.result));
    assert!(listed[0].is_best);
    bench.keys("c");
    assert_eq!(bench.rolling, Some(first));
}

/// What the net errs by at the end of a truncated trial is in no interval, so each screen says that it is truncated.
#[test]
fn a_truncated_rollout_says_so() {
    for keys in [
        "n j r",
        "n j space j space c",
        "n j space j space j space c",
    ] {
        let mut bench = TestApp::new(Depth::None);
        bench.app.settings.rollout.horizon = 6;
        bench.keys(keys);
        bench.roll(360, false);
        for (width, height) in [(80, 24), (120, 40), (200, 60)] {
            let screen = bench.screen(width, height);
            assert!(screen.contains("truncated"), "{keys} {width}:\n{screen}");
        }
    }
}

/// What its trials cannot play, a rollout does not advise: a beaver beyond its cap.
#[test]
fn a_rollout_advises_no_beaver_beyond_its_cap() {
    let behind = Position::from_points(&[(6, 5), (5, 5), (4, 5)], &[(6, 5), (5, 5)]).unwrap();
    let mut state = GameState::money(behind);
    state.rules.beavers = true;
    let rolled = |state: GameState, cap: u32| {
        let document = Document::of_position(state, "race".into(), 1);
        let mut bench = TestApp::with(Depth::None, document);
        bench.keys("r");
        let id = bench.rolling.unwrap();
        let job = bench.app.jobs.get_mut(id).unwrap();
        job.settings.cube.as_mut().unwrap().cap = cap;
        bench.roll(720, true);
        (bench, id)
    };
    for (cap, beavers) in [(4, true), (2, false)] {
        let (mut bench, _) = rolled(state, cap);
        let screen = bench.screen(120, 40);
        assert_eq!(screen.contains("/beaver"), beavers, "{screen}");
        let screen = bench.screen_after("Y", 120, 40);
        let line = screen.lines().find(|line| line.contains("rollout: "));
        let line = line.unwrap_or_else(|| panic!("{screen}"));
        assert_eq!(line.contains("double/beaver"), beavers, "{line}");
        // The best answer to a double on offer, as the window of rollouts has it.
        let (mut bench, id) = rolled(state.offered(), cap);
        let job = bench.app.jobs.get(id).unwrap();
        let answer = if beavers { "beaver" } else { "take" };
        let best = rollout_list::best(job).and_then(|best| best.play);
        assert_eq!(best.as_deref(), Some(answer));
        let screen = bench.screen(120, 40);
        assert_eq!(screen.contains("/beaver"), beavers, "{screen}");
    }
}

/// The best of a race is no play that is out of it, though its few trials say most of that.
#[test]
fn a_play_that_is_out_of_a_race_is_not_listed_as_the_best() {
    let mut bench = TestApp::typed(Depth::None, "n j space j space j space c");
    bench.roll(360, false);
    let id = bench.rolling.unwrap();
    let mut result = (*made_up(3, 360, Status::Running)).clone();
    let family = result.family.as_mut().unwrap();
    (family.beaten, family.out) = (vec![false; 3], vec![true, false, false]);
    for candidate in &mut result.candidates[1..] {
        candidate.trials = 720;
    }
    bench.app.jobs.update(id, Arc::new(result), false);
    let job = bench.app.jobs.get(id).unwrap();
    assert!(job.is_family());
    let best = rollout_list::best(job).and_then(|best| best.play);
    let name = job.name(1);
    assert_eq!(best.as_ref(), Some(&name));
    // The chart shows its lead over the next that may be the best, or over the selected play.
    bench.app.selection.play = None;
    assert_has!(bench.screen(200, 60), &format!("lead of b {name} over c "));
    let out = bench.app.jobs.get(id).unwrap().plays[0].result;
    bench.app.selection.play = Some(out);
    assert_has!(bench.screen(200, 60), &format!("lead of b {name} over a "));
}
