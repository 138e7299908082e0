//! The rollouts of a whole match: how they are asked for, what they change, how they end.

use std::path::Path;
use std::time::Duration;

use crate::cube::CubeChoice;
use crate::eval::Engine;
use crate::game::{Play, Player};
use crate::match_file::Action;
use crate::review::{Class, ClassFilter, ErrorFilter};
use crate::rollout::{CubeSettings, Settings, Status, StopReason};
use crate::tui::figures::candidate_rows::{FigureSource, rows};
use crate::tui::figures::error_list;
use crate::tui::message::{MatchRolloutNews, MatchRolloutProgress, Message};
use crate::tui::rollouts::decision_count::DecisionCount;
use crate::tui::rollouts::jobs::{DecisionKey, JobPlay};
use crate::tui::state::MatchRolloutGoal;
use crate::tui::testing::{TestApp, made_up};
use crate::tui::theme::Depth;

fn counted(done: usize, of: usize, used: Duration) -> MatchRolloutNews {
    MatchRolloutNews::Done(DecisionCount { done, of }, used)
}

fn news(bench: &mut TestApp, news: MatchRolloutNews) {
    let number = bench.app.match_runs;
    news_of_run(bench, number, news);
}

fn news_of_run(bench: &mut TestApp, number: u64, news: MatchRolloutNews) {
    let generation = bench.app.document.generation;
    bench.tell(Message::MatchRollouts {
        generation,
        number,
        news,
    });
}

fn over(decisions: usize, is_all: bool) -> MatchRolloutNews {
    MatchRolloutNews::Over {
        done: Some(MatchRolloutProgress { decisions, is_all }),
        recalled: false,
    }
}

/// A rollout of the match has come so far with the best plays of a turn and the one made.
fn rolled(bench: &mut TestApp, turn: usize, trials: u64) {
    let state = bench.app.document.turns[turn].before.state;
    let review = bench.app.document.reviews[turn].clone().unwrap();
    let mut places: Vec<usize> = (0..review.candidates.len().min(2)).collect();
    places.extend(review.played.filter(|i| *i >= 2));
    let play = |i: usize| JobPlay {
        play: review.candidates[i].play,
        result: review.candidates[i].result,
    };
    let settings = Settings {
        cube: Some(CubeSettings::after_play(&state)),
        ..Settings::default()
    };
    let status = match trials {
        360 | 720 => Status::Done(StopReason::Trials),
        _ => Status::Running,
    };
    news(
        bench,
        MatchRolloutNews::Rolled {
            decision: DecisionKey::of(&state),
            result: made_up(places.len(), trials, status),
            plays: places.into_iter().map(play).collect(),
            settings: settings.into(),
        },
    );
}

#[test]
fn what_was_kept_is_looked_for_once_the_review_has_ended() {
    let mut bench = TestApp::new(Depth::True);
    assert_eq!(bench.recalled, 1);
    let over = |done| MatchRolloutNews::Over {
        done,
        recalled: true,
    };
    news(&mut bench, over(None));
    assert!(bench.app.status.is_none());
    let some = MatchRolloutProgress {
        decisions: 3,
        is_all: false,
    };
    news(&mut bench, over(Some(some)));
    assert!(bench.said().contains("3 decisions"), "{}", bench.said());
}

#[test]
fn the_match_is_rolled_out_within_a_time_and_each_result_takes_its_place() {
    let mut bench = TestApp::typed(Depth::True, "B backspace backspace 5 x enter");
    assert!(bench.app.match_rollouts.is_none(), "5x is no time");
    assert!(bench.said().contains("5m"), "{}", bench.said());
    assert!(bench.screen(80, 24).contains("> 5x"), "it can be mended");
    // The time proposed goes with the first digit, and only with that.
    bench.keys("esc B 8 5");
    assert!(bench.screen(80, 24).contains("> 85 "));
    bench.keys("esc B m");
    assert!(bench.screen(80, 24).contains("> 60m "));
    bench.keys("esc B 5 x enter backspace m enter");
    assert!(bench.rolls_match);
    assert_eq!(bench.app.settings.review.budget, 300);
    bench.keys("n");
    let at = bench.app.at;
    let before = bench.app.error(at).unwrap();
    rolled(&mut bench, at, 72);
    assert_eq!(bench.app.error(at), Some(before), "too few trials to tell");
    assert!(
        rows(&bench.app)
            .iter()
            .any(|r| r.level == FigureSource::Rollout)
    );
    rolled(&mut bench, at, 360);
    assert_eq!(bench.app.error(at).unwrap().1, FigureSource::Rollout);
    news(&mut bench, counted(7, 40, Duration::from_secs(100)));
    let screen = bench.screen(160, 45);
    // The chance to win is the rollout's, and said to be.
    assert_has!(screen, "rolling out the match 7/40", "3 min left");
    assert_has!(screen, "by rollout", "%  rollout");
    bench.keys("p");
    assert!(bench.screen(120, 40).contains("match paused 7/40"));
    bench.keys("p x");
    assert!(bench.app.match_rollouts.is_none() && !bench.rolls_match);
    assert_eq!(
        bench.app.error(at).unwrap().1,
        FigureSource::Rollout,
        "it stays"
    );
    // Late news of what was stopped does no harm.
    let over = MatchRolloutNews::Over {
        done: None,
        recalled: false,
    };
    news(&mut bench, over);
    assert_eq!(bench.app.jobs.match_rollouts(), 1);
}

#[test]
fn the_errors_listed_are_rolled_out_and_those_that_are_none_are_told() {
    let mut bench = TestApp::typed(Depth::True, "E t t r");
    assert!(bench.rolls_match);
    let goal = bench.app.match_rollouts.as_ref().unwrap().goal;
    let MatchRolloutGoal::Errors(filter) = goal else {
        panic!("{goal:?}");
    };
    assert_eq!(filter, error_list::wanted(&bench.app));
    news(&mut bench, counted(2, 8, Duration::from_secs(10)));
    let screen = bench.screen(120, 40);
    assert_has!(screen, "rolling out the errors 2/8", "30 s left");
    // The window says so itself where it covers the top line.
    let screen = bench.screen(80, 24);
    assert_has!(screen, "rolled out 2 of 8, 30 s left", "r stop");
    // By these made-up figures it is no blunder.
    let row = error_list::rows(&bench.app)
        .into_iter()
        .find(|row| row.class == Class::Checker)
        .unwrap();
    rolled(&mut bench, row.decision.turn, 360);
    assert_eq!(
        bench.app.error(row.decision.turn).unwrap().1,
        FigureSource::Rollout
    );
    assert_eq!(error_list::overturned(&bench.app, filter), 1);
    // The match is meant also while a variation of it is in view.
    bench.keys("esc j v");
    assert!(bench.app.variation.is_some());
    assert_eq!(error_list::overturned(&bench.app, filter), 1);
    bench.keys("esc E");
    news(&mut bench, over(8, true));
    assert_eq!(
        bench.said(),
        "8 of 8 errors rolled out; 1 is less than 0.080 points by rollout"
    );
    let screen = bench.screen(80, 24);
    assert_has!(screen, bench.said());
    // And it stays there after the message.
    bench.wait(10_000);
    let screen = bench.screen(80, 24);
    let words = format!(
        "1 of {} rolled out; 1 is less than 0.080 points",
        error_list::rows(&bench.app).len() + 1
    );
    assert_has!(screen, &words, "r roll out");
    // Again starts, and again stops; a filter goes along.
    bench.keys("c r");
    let goal = bench.app.match_rollouts.as_ref().unwrap().goal;
    assert!(matches!(
        goal,
        MatchRolloutGoal::Errors(ErrorFilter {
            class: Some(ClassFilter::Checker),
            ..
        })
    ));
    bench.keys("r");
    assert!(bench.app.match_rollouts.is_none() && !bench.rolls_match);
    let words = "the errors are rolled out no further, r in E goes on; results stay";
    assert_eq!(bench.said(), words);
}

/// The statistics and the page of the review have the figures that the list of errors has.
#[test]
fn rollouts_that_count_are_in_the_statistics_and_the_report() {
    let page = |bench: &mut TestApp| {
        bench.keys("y r enter");
        let written = bench.written.take().expect("a page");
        let page = written.content(Path::new("x.html"), &Engine::embedded());
        String::from_utf8(page.unwrap().bytes).unwrap()
    };
    let ratings = |bench: &TestApp| {
        let pr = |player| error_list::figures(&bench.app, player).pr.unwrap();
        [Player::Left, Player::Right].map(|player| format!("{:.2}", pr(player)))
    };
    let mut bench = TestApp::new(Depth::True);
    let plain = page(&mut bench);
    assert_lacks!(plain, "rolled out", "R ±");
    let before = ratings(&bench);
    let mut rows = error_list::rows(&bench.app);
    rows.retain(|row| row.class == Class::Checker);
    rolled(&mut bench, rows[0].decision.turn, 360);
    rolled(&mut bench, rows[1].decision.turn, 720);
    // Too few trials to count.
    rolled(&mut bench, rows[2].decision.turn, 72);
    let after = ratings(&bench);
    assert_ne!(after, before);
    // Wherever the ratings are.
    assert_has!(bench.screen(120, 40), " 2 rollouts ─ PR ");
    assert_has!(bench.screen(80, 24), " PR (2 rollouts) ");
    let screen = bench.screen_after("g s", 120, 60);
    let has_both = |line: &str| line.contains(" PR ") && after.iter().all(|pr| line.contains(pr));
    assert!(screen.lines().any(has_both), "{after:?}: {screen}");
    let count = "2 decisions rolled out, 360 to 720 trials a play, most where close";
    assert_has!(screen, count);
    // Elsewhere the match has another PR.
    assert_has!(screen, "not in the library");
    bench.keys("esc");
    let rolled_page = page(&mut bench);
    assert!(rolled_page.contains(count) && rolled_page.contains("R ±"));
    assert!(
        after
            .iter()
            .all(|pr| rolled_page.contains(&format!("<td>{pr}</td>")))
    );
}

/// A worker ends some time after it was told to: its last words are not about the run after it.
#[test]
fn the_end_of_a_run_that_was_stopped_does_not_end_the_next() {
    let mut bench = TestApp::typed(Depth::True, "E r");
    let first = bench.app.match_runs;
    bench.keys("r r");
    assert_ne!(bench.app.match_runs, first);
    let done = counted(3, 8, Duration::from_secs(10));
    for late in [done, over(3, false)] {
        news_of_run(&mut bench, first, late);
    }
    let rollouts = bench.app.match_rollouts.as_ref();
    assert_eq!(
        rollouts.map(|rollouts| rollouts.count),
        Some(DecisionCount::default())
    );
    assert!(bench.rolls_match);
    news(&mut bench, over(8, true));
    assert!(bench.app.match_rollouts.is_none());
}

/// The key that rolls out the errors does not end what it has not begun.
#[test]
fn errors_wait_for_other_rollouts_of_the_match() {
    let bench = TestApp::typed(Depth::True, "B enter E r");
    let words = "the match is being rolled out: x stops that once the window is closed";
    assert_eq!(bench.said(), words);
    let goal = bench.app.match_rollouts.as_ref().map(|all| all.goal);
    assert_eq!(goal, Some(MatchRolloutGoal::Close));
    assert!(bench.rolls_match);
}

/// Nor do the other keys; the words and the bottom line name what runs.
#[test]
fn one_key_does_not_end_what_another_began() {
    let mut bench = TestApp::new(Depth::True);
    let errors = error_list::wanted(&bench.app);
    for (goal, words, top) in [
        (
            MatchRolloutGoal::Errors(errors),
            "the errors are being rolled out: x stops that",
            "rolling out the errors",
        ),
        (
            MatchRolloutGoal::Verify,
            "the file is being verified: x stops that",
            "verifying the file",
        ),
    ] {
        bench.app.want_match_rollouts(goal, Duration::from_secs(60));
        let rollouts = bench.app.match_rollouts.as_mut().unwrap();
        rollouts.has_begun = true;
        bench.keys("B");
        assert_eq!(bench.said(), words);
        assert!(bench.app.overlay.is_none());
        let running = bench.app.match_rollouts.as_ref().map(|all| all.goal);
        assert_eq!(running, Some(goal));
        let screen = bench.screen(160, 45);
        assert_has!(screen, top);
        assert_lacks!(screen, "stop match");
        bench.keys("x");
        assert!(bench.app.match_rollouts.is_none());
    }
    bench.keys("E r esc n r");
    bench.roll(12, false);
    assert_has!(bench.screen(160, 45), "+errors");
}

#[test]
fn the_end_of_the_errors_tells_what_is_left() {
    let end = |(done, of): (usize, usize), last| {
        let mut bench = TestApp::typed(Depth::True, "E r");
        news(&mut bench, counted(done, of, Duration::from_secs(10)));
        news(&mut bench, last);
        bench.said().to_owned()
    };
    assert_eq!(
        end((0, 0), over(0, true)),
        "the errors listed are rolled out already"
    );
    assert_eq!(
        end((3, 8), over(3, false)),
        "the time is over: 3 of 8 errors are rolled out; r goes on"
    );
    assert_eq!(
        end((6, 8), over(6, true)),
        "6 of 8 errors rolled out (2 failed); each is an error still"
    );
    assert_eq!(
        end((0, 2), over(0, true)),
        "none of the 2 errors could be rolled out"
    );
}

/// The bias check takes a rollout of the match like one that was asked for.
#[test]
fn the_play_of_a_match_rollout_is_checked() {
    let mut bench = TestApp::typed(Depth::True, "n");
    let at = bench.app.at;
    rolled(&mut bench, at, 360);
    let screen = bench.screen_after("R b", 120, 40);
    assert_has!(screen, "bias check", "deeper play", "4 games each");
}

#[test]
fn what_was_asked_for_goes_before_the_match() {
    let mut bench = TestApp::typed(Depth::True, "B enter n");
    let at = bench.app.at;
    rolled(&mut bench, at, 360);
    bench.keys("r");
    bench.roll(12, false);
    let level = |bench: &TestApp| rows(&bench.app)[0].rolled.as_ref().map(|s| s.trials);
    assert_eq!(level(&bench), Some(360), "a dozen trials hide nothing");
    bench.roll(720, false);
    assert_eq!(level(&bench), Some(720));
    rolled(&mut bench, at, 360);
    assert_eq!(level(&bench), Some(720));
    assert!(bench.screen(120, 40).contains("+match"));
    bench.keys("x");
    assert!(
        bench.app.match_rollouts.is_some(),
        "x stops what was asked for first"
    );
    bench.keys("x");
    assert!(bench.app.match_rollouts.is_none());
}

#[test]
fn a_match_left_ends_its_rollouts() {
    let mut bench = TestApp::typed(Depth::True, "B enter");
    assert!(bench.rolls_match);
    bench.keys("o");
    bench.tell(Message::Input(ratatui::crossterm::event::Event::Paste(
        "4HPwATDgc/ABMA".into(),
    )));
    bench.keys("enter");
    assert!(!bench.rolls_match && bench.app.match_rollouts.is_none());
}

#[test]
fn a_double_rolled_out_tells_its_answer_and_the_other_way_round() {
    let mut bench = TestApp::new(Depth::True);
    let turns = bench.app.document.turns.clone();
    let take = turns
        .iter()
        .position(|t| matches!(t.action, Some(Action::Take)))
        .unwrap();
    let double = take - 1;
    let state = turns[double].before.state;
    let roll = |bench: &mut TestApp, trials| {
        let settings = Settings {
            cube: Some(CubeSettings::of_decision(&state)),
            ..Settings::default()
        };
        let play = JobPlay {
            play: Play::NONE,
            result: state.position,
        };
        news(
            bench,
            MatchRolloutNews::Rolled {
                decision: DecisionKey::of(&state),
                plays: vec![play; 2],
                settings: settings.into(),
                result: made_up(2, trials, Status::Done(StopReason::Trials)),
            },
        );
    };
    roll(&mut bench, 360);
    // Told of the player who is not on roll: 0.1 and 0.07, so -0.1 and -0.07 to the doubler.
    let found = Some((0.0, FigureSource::Rollout));
    for (turn, choice, wanted) in [
        (double, CubeChoice::Double, 0.0),
        (take, CubeChoice::Take, 0.0),
    ] {
        let review = bench.app.document.reviews[turn].clone().unwrap();
        assert_eq!(review.cube.unwrap().choice, Some(choice));
        let (error, level) = bench.app.error(turn).unwrap();
        assert_eq!(level, FigureSource::Rollout, "{choice:?}");
        assert!((error - wanted).abs() < 1e-6, "{choice:?}: {error}");
    }
    assert_eq!(bench.app.error(take), found);
    // Both see it from the side of the doubler, and going on is going on with the same.
    bench.app.at = take;
    let screen = bench.screen(120, 40);
    assert_has!(screen, "double/take -0.070", "a no double   -0.100");
    let job = bench.app.jobs.about(bench.app.decision().unwrap()).next();
    let job = job.unwrap();
    let candidates = &job.result().unwrap().candidates;
    assert!((candidates[0].equity.mean + 0.1).abs() < 1e-9);
    let [hold, take_value] = job.cube_values().unwrap();
    assert!((hold.mean + 0.1).abs() < 1e-9 && (take_value.mean + 0.07).abs() < 1e-9);
    // The double is made: in words the equity is no longer that of the best choice.
    let says = |bench: &TestApp, words: &str| {
        let all = crate::tui::figures::explain::figures(&bench.app);
        all.iter().any(|one| one.words.contains(words))
    };
    assert!(says(&bench, "after this double, answered well (rollout)"));
    bench.app.at = double;
    assert!(says(&bench, "with the cube used well by both (rollout)"));
}

/// A rollout of a double that waits is one of its answer: it is not asked for twice, and `x` means it there.
#[test]
fn a_double_that_waits_is_not_rolled_out_twice() {
    let mut bench = TestApp::new(Depth::True);
    let turns = &bench.app.document.turns;
    let is_take = |action: &Option<Action>| matches!(action, Some(Action::Take));
    let take = turns.iter().position(|t| is_take(&t.action)).unwrap();
    bench.keys("n r");
    let first = bench.app.jobs.current().unwrap().id;
    bench.app.at = take - 1;
    bench.keys("r");
    assert_eq!(bench.app.jobs.active().count(), 2);
    bench.app.at = take;
    bench.keys("r");
    assert_eq!(bench.app.jobs.all().count(), 2);
    bench.keys("x");
    let left: Vec<_> = bench.app.jobs.active().map(|job| job.id).collect();
    assert_eq!(left, [first]);
}

#[test]
fn the_figures_follow_the_filters_and_say_when_they_are_not_whole() {
    let mut bench = TestApp::typed(Depth::True, "E");
    let all = error_list::figures(&bench.app, Player::Left);
    let (n, sum) = error_list::listed(&bench.app, Player::Left);
    assert_eq!(n as u32, all.marks().iter().sum::<u32>());
    assert!(sum > 0.0 && sum <= all.error_total);
    bench.keys("c c c");
    assert_eq!(bench.app.options.class, Some(ClassFilter::Double));
    let doubles = error_list::figures(&bench.app, Player::Left);
    assert!(doubles.decisions < all.decisions);
    assert_eq!(doubles.checker.decisions, 0);
    assert_eq!(doubles.luck, all.luck);
    assert_has!(bench.screen(80, 24), "doubling only");
    let screen = bench.screen_after("c c w t t", 80, 24);
    assert_has!(screen, "not shown", "?!– ?–");
    assert_lacks!(screen, "provisional");
    bench.app.document.is_final[0] = false;
    assert_has!(bench.screen(80, 24), "provisional", '…');
}

#[test]
fn a_note_is_typed_in_as_many_lines_as_it_takes() {
    let mut bench = TestApp::typed(Depth::True, "n a");
    let words = "the anchor was worth more than the point, as it turned out much later. ";
    for _ in 0..4 {
        bench.tell(Message::Input(ratatui::crossterm::event::Event::Paste(
            words.into(),
        )));
    }
    let screen = bench.screen(80, 24);
    assert_eq!(screen.matches("anchor").count(), 4, "{screen}");
    assert_has!(screen, "Enter keep");
    assert_lacks!(screen, "Tab complete");
    bench.keys("up X home Y enter");
    let note = bench.app.written(bench.app.at).unwrap();
    assert!(note.starts_with("Ythe anchor"), "{note}");
    assert!(note.contains('X') && !note.ends_with('X'), "{note}");
}
