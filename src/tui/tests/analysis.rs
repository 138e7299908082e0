//! Where marks, errors and totals come from, and what a rollout changes.

use std::sync::Arc;

use crate::game::Player;
use crate::review::TurnReview;
use crate::rollout::Level;
use crate::tui::documents::standing::Standing;
use crate::tui::figures::candidate_rows::{FigureSource, rows};
use crate::tui::figures::error_list;
use crate::tui::message::Message;
use crate::tui::screen::units::{Scale, Units};
use crate::tui::state::Document;
use crate::tui::testing::{TestApp, record, text};
use crate::tui::theme::Depth;

fn totals(bench: &TestApp) -> [f32; 2] {
    [Player::Left, Player::Right].map(|p| error_list::figures(&bench.app, p).error_total as f32)
}

#[test]
fn looking_deeper_changes_candidates_and_no_totals() {
    let mut bench = TestApp::new(Depth::True);
    let before = totals(&bench);
    bench.keys("n");
    let error = bench.app.error(bench.app.at);
    bench.keys("+ n + n -");
    assert_eq!(totals(&bench), before);
    bench.keys("N N");
    assert_eq!(bench.app.review().unwrap().ply, 1, "the list is deeper");
    assert_eq!(bench.app.error(bench.app.at), error);
    bench.keys("-");
    assert_eq!(bench.app.review().unwrap().ply, 0);
}

#[test]
fn a_rollout_of_best_and_played_tells_the_error() {
    let mut bench = TestApp::typed(Depth::True, "n");
    let (before, sum) = (bench.app.error(bench.app.at).unwrap(), totals(&bench));
    assert_eq!(before.1, FigureSource::Ply(0));
    // The play made is marked alone with the best: the made-up rollout finds the first one better.
    bench.keys("r");
    let at = bench.app.at;
    let played = {
        let review = bench.app.review().unwrap();
        review.candidates[review.played.unwrap()].result
    };
    let job = bench.app.jobs.current().unwrap();
    let place = job.plays.iter().position(|p| p.result == played).unwrap();
    bench.roll(108, false);
    assert_eq!(bench.app.error(at), Some(before), "too few trials to tell");
    bench.roll(1296, true);
    let (error, source) = bench.app.error(at).unwrap();
    assert_eq!(source, FigureSource::Rollout);
    assert!((error - 0.03 * place as f32).abs() < 1e-6, "{error}");
    let player = bench.app.turn().unwrap().before.player.index();
    let change = totals(&bench)[player] - sum[player];
    assert!((change - (error - before.0)).abs() < 1e-5);
    assert_has!(bench.screen(120, 40), "by rollout");
}

#[test]
fn figures_of_different_levels_are_not_ranked() {
    let mut bench = TestApp::typed(Depth::True, "n j space j space r");
    bench.roll(1296, true);
    let rows = rows(&bench.app);
    assert_eq!(rows.iter().filter(|r| r.is_best).count(), 1);
    assert!(rows[0].is_best && rows[0].level == FigureSource::Rollout);
    assert!(rows[1].difference_text(&Scale::CUBE).starts_with('-'));
    let mut equal = rows[1].clone();
    equal.difference = 0.0;
    assert_eq!(equal.difference_text(&Scale::CUBE).trim(), "0.000");
    let lower = rows
        .iter()
        .find(|r| r.level != FigureSource::Rollout)
        .unwrap();
    assert!(lower.is_across && !lower.difference_text(&Scale::CUBE).is_empty());
}

/// Two rollouts are of one level only if they are played and truncated alike.
#[test]
fn rollouts_of_different_depth_are_not_ranked() {
    let mut bench = TestApp::typed(Depth::True, "n j space j space r");
    bench.roll(1296, true);
    let rolled = |bench: &TestApp| {
        let all = rows(&bench.app).into_iter();
        all.filter(|r| r.level == FigureSource::Rollout)
            .collect::<Vec<_>>()
    };
    assert!(rolled(&bench).iter().all(|row| !row.is_across));
    // Others are rolled out at another ply.
    bench.app.settings.rollout.ply ^= 1;
    bench.app.marked.clear();
    bench.keys("j space j space r");
    bench.roll(1296, true);
    let rows = rolled(&bench);
    let best = rows.iter().find(|row| row.is_best).unwrap().rolled_at;
    for row in &rows {
        assert_eq!(row.is_across, row.rolled_at != best);
    }
    assert!(rows.iter().any(|row| row.is_across), "{}", rows.len());
}

/// Plays are rolled out with the cube and at the score; without them is another rollout, which
/// tells no error.
#[test]
fn plays_are_rolled_out_at_the_score() {
    let mut bench = TestApp::typed(Depth::True, "n r");
    let state = bench.app.turn().unwrap().before.state;
    let job = bench.app.jobs.current().unwrap();
    let cube = job.settings.cube.unwrap();
    let (mine, theirs) = state.score.away().unwrap();
    // Seen by the opponent, who is on roll after the play.
    assert_eq!(cube.away, Some([theirs, mine]));
    assert!(!cube.decision);
    bench.roll(1296, true);
    let at = bench.app.at;
    let error = bench.app.error(at).unwrap();
    assert_eq!(error.1, FigureSource::Rollout);
    bench.keys("R R j j j j j l enter r");
    assert_eq!(bench.app.jobs.current().unwrap().settings.cube, None);
    assert!(!rows(&bench.app)[0].is_cubeless, "nothing is known yet");
    bench.roll(1296, true);
    assert!(rows(&bench.app)[0].is_cubeless);
    assert_eq!(bench.app.error(at), Some(error));
    assert!(bench.screen(120, 40).contains("cubeless, "));
    // Of an equity that knows no score no chance to win the match follows.
    let (scale, chances) = (bench.app.scale(), {
        bench.keys("u");
        bench.app.scale()
    });
    assert_eq!((scale.name(), chances.name()), ("equity", "MWC"));
    let job = bench.app.jobs.current().or(bench
        .app
        .jobs
        .about(bench.app.decision().unwrap())
        .next());
    assert_eq!(bench.app.scale_of(job.unwrap()).name(), "equity");
    assert_eq!(rows(&bench.app)[0].scale(&chances).name(), "equity");
    assert_has!(bench.screen(160, 50), "equity");
    bench.keys("u");
}

/// What has the cube and what has it not are never taken from each other.
#[test]
fn a_rollout_without_the_cube_says_so_and_has_no_difference_to_evaluations() {
    let mut bench = TestApp::typed(Depth::True, "R R j j j j j l enter n j space j space r");
    bench.roll(360, false);
    for (w, h) in [(80, 24), (100, 30), (120, 40), (200, 60)] {
        assert_has!(bench.screen(w, h), "cubeless, ", ", rolling");
    }
    bench.wait(5000);
    let rows = rows(&bench.app);
    assert!(rows[0].is_cubeless && rows[1].difference_text(&Scale::CUBE).starts_with('-'));
    let below = rows.iter().filter(|r| r.level != FigureSource::Rollout);
    let mut differences = below.map(|r| (r.is_cubeless, r.difference_text(&Scale::CUBE)));
    assert!(differences.all(|t| t == (false, String::new())));
}

#[test]
fn units_change_and_say_what_they_are() {
    let mut bench = TestApp::typed(Depth::True, "n");
    let equity = rows(&bench.app)[0].equity;
    let scale = Scale::new(
        Units::Whole,
        &bench.app.turn().unwrap().before.state,
        &bench.app.model,
    );
    bench.keys("u");
    assert_has!(bench.said(), "chances to win the match");
    let screen = bench.screen(160, 45);
    assert_has!(screen, "    MWC diff %", &scale.value(equity));
    bench.keys("u");
    assert!(bench.screen(160, 45).contains(" equity   diff"));
}

#[test]
fn a_review_that_was_kept_is_not_made_again() {
    let fresh = || Document::of_match(record(), "x.mat".into(), 1);
    let analysed = TestApp::with(Depth::True, fresh());
    assert_eq!(analysed.kept, 1, "what was made is kept");
    let verdicts = analysed.app.document.standard_reviews();
    let mut bench = TestApp::unanalysed(fresh());
    assert!(!bench.app.document.is_analysed());
    bench.tell(Message::Remembered {
        generation: 1,
        reviews: verdicts.clone(),
    });
    let document = &bench.app.document;
    assert!(document.is_analysed() && document.standard_reviews() == verdicts);
    assert_eq!((bench.kept, bench.recalled), (0, 1));
    let made = text(&TestApp::with(Depth::True, fresh()).draw(120, 40));
    assert_eq!(bench.screen(120, 40), made);
    // What was on its way changes nothing.
    bench.tell(Message::Reviewed {
        generation: 1,
        turn: 0,
        ply: 0,
        standing: Standing::Interim,
        review: verdicts[1].review.clone(),
    });
    assert!(bench.app.document.is_analysed() && bench.app.document.standard_reviews() == verdicts);
}

/// A player looks for the rating first: it is on every screen that lists the moves or their marks.
#[test]
fn both_ratings_are_in_view_on_every_screen() {
    let mut bench = TestApp::new(Depth::True);
    let rating = |bench: &TestApp, player| {
        let pr = error_list::figures(&bench.app, player).pr;
        format!("{:.2}", pr.expect("a rating"))
    };
    let [left, right] = [Player::Left, Player::Right].map(|player| rating(&bench, player));
    let screen = bench.screen(80, 24);
    let strip = screen.lines().nth(1).unwrap();
    let both = format!("PR ●{left} ○{right}");
    assert!(strip.trim_end().ends_with(&both), "{both}: {screen}");
    for (w, h, head) in [
        (110, 40, " PR"),
        (120, 40, "PR   errors"),
        (200, 60, "lost  PR   errors"),
    ] {
        let screen = bench.screen(w, h);
        assert_has!(screen, head);
        for pr in [&left, &right] {
            assert!(screen.contains(pr), "{pr} at {w}: {screen}");
        }
    }
    // They are the answers' own; and those of a class say so.
    let screen = bench.screen_after("C", 80, 24);
    assert_has!(screen, "PR plays ●");
    bench.app.options.hidden = true;
    assert_lacks!(bench.screen(80, 24), "PR plays");
}

/// A rollout with too few trials to count stands below what counts, and nothing of either is cut.
#[test]
fn an_error_of_the_cube_has_the_figure_of_a_short_rollout_as_well() {
    let mut bench = TestApp::new(Depth::True);
    while bench.app.document.turns[bench.app.at]
        .before
        .state
        .roll
        .is_some()
    {
        bench.keys("l");
    }
    bench.keys("r");
    bench.roll(108, false);
    for (w, h) in [(80, 24), (120, 40), (200, 60)] {
        let screen = bench.screen(w, h);
        assert_has!(screen, " (0-ply)");
        let line = screen.lines().find(|line| line.contains("so far"));
        assert!(
            line.is_some_and(|line| line.contains("rollout ")),
            "{screen}"
        );
    }
}

#[test]
fn sums_are_named_and_marked_while_they_grow() {
    let mut bench = TestApp::new(Depth::True);
    let screen = bench.screen(120, 40);
    assert_has!(screen, "PR   errors", "─ this game: ● Anna − ○ Bén");
    let review = bench.app.review().unwrap().clone();
    bench.tell(Message::Reviewed {
        generation: bench.app.document.generation,
        turn: 0,
        ply: 1,
        standing: Standing::Interim,
        review,
    });
    assert_has!(bench.screen(120, 40), "\n so far ─");
    bench.keys("t t");
    let bad: u32 = error_list::figures(&bench.app, Player::Left).marks()[2..]
        .iter()
        .sum();
    let screen = bench.screen(120, 40);
    let wanted = format!("{bad:>7} ");
    let mut lines = screen.lines().filter(|l| l.starts_with(" ● Anna "));
    assert!(lines.any(|l| l.contains(&wanted)), "{screen}");
}

#[test]
fn a_stopped_rollout_goes_on_and_a_finished_one_is_extended() {
    let mut bench = TestApp::typed(Depth::True, "n r x");
    let job = bench.app.jobs.about(bench.app.decision().unwrap()).next();
    let (id, plays) = (job.unwrap().id, job.unwrap().plays.clone());
    assert!(job.unwrap().was_stopped());
    bench.keys("r");
    let job = bench.app.jobs.current().unwrap();
    assert_eq!((job.id, &job.plays), (id, &plays), "the same plays");
    assert_eq!(job.settings.stop.trials, 1296);
    assert_eq!(job.trials_played(), 360, "what was done stays in view");
    assert_has!(bench.said(), "from 360 to 1296");
    bench.keys("r");
    assert_has!(bench.said(), "under way");
    bench.roll(1296, true);
    bench.keys("r");
    assert_eq!(bench.app.jobs.current().unwrap().id, id);
    assert_eq!(bench.app.jobs.current().unwrap().settings.stop.trials, 2592);
    bench.roll(2592, true);
    // Other plays chosen make another rollout.
    bench.keys("j space j j j space r");
    let other = bench.app.jobs.current().unwrap();
    assert_ne!(other.id, id);
    assert_eq!(other.plays.len(), 2);
}

/// After the deepest lookahead `+` goes on to the levels that roll out, by their own settings: first *rolled*, then
/// *thorough*, which goes on with the games of *rolled*. After these there is none.
#[test]
fn a_deeper_look_goes_on_to_the_levels_that_roll_out() {
    let mut bench = TestApp::typed(Depth::True, "n");
    let note = |bench: &TestApp| bench.said().to_owned();
    while bench.app.settings.ply < 3 {
        bench.keys("+");
    }
    assert!(bench.app.jobs.is_empty(), "lookahead comes first");
    let levels = ["rolled", "thorough"].map(|name| Level::named(name).unwrap().rollout.unwrap());
    bench.keys("+");
    let job = bench.app.jobs.current().unwrap();
    let (id, plays) = (job.id, job.plays.len());
    assert_eq!(
        job.settings,
        levels[0].settings(plays, bench.app.live_cube())
    );
    assert!(note(&bench).starts_with("rolled: "), "{}", note(&bench));
    bench.keys("+");
    assert!(note(&bench).contains("under way"), "{}", note(&bench));
    bench.roll(216, true);
    bench.keys("+");
    let job = bench.app.jobs.current().unwrap();
    let settings = levels[1].settings(plays, bench.app.live_cube());
    assert_eq!((job.id, &job.settings), (id, &settings));
    assert!(
        note(&bench).contains("from 216 to 1296"),
        "{}",
        note(&bench)
    );
    bench.roll(1296, true);
    bench.keys("+");
    assert_eq!(bench.app.jobs.active().count(), 0);
    assert!(
        note(&bench).contains("no level is deeper"),
        "{}",
        note(&bench)
    );
    bench.keys("r");
    assert_ne!(
        bench.app.jobs.current().unwrap().id,
        id,
        "by the rollout settings"
    );
}

/// Before a roll the levels roll out the cube decision, to the end, and in the quiz nothing.
#[test]
fn a_level_rolls_out_the_cube_decision() {
    let bench = TestApp::typed(Depth::True, "n n b + + + +");
    let job = bench.app.jobs.current().expect("a rollout");
    assert_eq!((job.plays.len(), job.settings.horizon), (2, None));
    assert_eq!(job.settings.stop.trials, 144);
    let bench = TestApp::typed(Depth::True, "n ; + + + +");
    assert!(bench.app.jobs.is_empty(), "it would give the answer away");
}

#[test]
fn a_pair_goes_on_too_and_its_verdict_is_loud_only_when_it_decides() {
    let mut bench = TestApp::typed(Depth::True, "n j j c");
    bench.roll(1296, true);
    let screen = bench.screen(120, 40);
    assert_has!(screen, "still open");
    bench.keys("c");
    let job = bench.app.jobs.current().unwrap();
    assert!(job.is_pair() && job.settings.stop.trials == 2592);
    bench.roll(20_000, true);
    assert_has!(bench.screen(120, 40), "is better by 0.030");
}

#[test]
fn leaving_a_rollout_is_asked_once() {
    let mut bench = TestApp::typed(Depth::True, "n r q");
    assert!(!bench.over);
    bench.keys("j q");
    assert!(!bench.over, "another key takes the question back");
    bench.keys("q");
    assert!(bench.over);
}

#[test]
fn the_question_goes_with_the_last_rollout() {
    let mut bench = TestApp::typed(Depth::True, "n r q");
    assert!(bench.app.status.is_some());
    bench.roll(1296, true);
    assert!(bench.app.status.is_none() && !bench.app.confirmation.is_asked());
    bench.keys("r q");
    bench.wait(5000);
    bench.keys("q");
    assert!(!bench.over, "what is no longer read is asked again");
}

/// The list may be looked at more deeply than the review that analysed the turn.
#[test]
fn a_verdict_tells_whose_it_is() {
    let mut bench = TestApp::typed(Depth::True, "n");
    assert!(bench.screen(120, 40).contains(" at 0-ply"));
    let screen = bench.screen_after("+", 120, 40);
    assert_has!(screen, " (0-ply)");
    let rows_agree = |bench: &TestApp| {
        let all = rows(&bench.app);
        all.len() > 1 && all[0].is_best && all[0].is_played && all[0].level == FigureSource::Ply(1)
    };
    let none = |bench: &TestApp| bench.app.error(bench.app.at).is_some_and(|e| e.0 <= 0.0);
    while !(rows_agree(&bench) && none(&bench)) {
        bench.keys("l");
    }
    assert_has!(bench.screen(120, 40), "no error at 1-ply");
}

#[test]
fn every_figure_of_other_units_has_its_unit() {
    let mut bench = TestApp::typed(Depth::True, "n j j c u");
    bench.roll(1296, true);
    bench.app.status = None;
    for (w, h) in [(80, 24), (120, 40), (200, 60)] {
        let screen = bench.screen(w, h);
        for line in screen.lines().filter(|l| l.contains("difference ")) {
            let figure = line.split("difference ").nth(1).unwrap();
            assert!(figure.contains("% ±") || figure.contains("dots"), "{line}");
        }
        assert!(screen.contains("% ± "), "{w}×{h}: {screen}");
    }
    assert_has!(bench.screen(120, 40), "PR   errors");
}

/// The text for forums has the play that was made with its place, however many are better.
#[test]
fn a_text_for_forums_has_the_play_that_was_made() {
    let mut bench = TestApp::new(Depth::True);
    let made = |bench: &TestApp| rows(&bench.app).iter().position(|row| row.is_played);
    for _ in 0..bench.app.document.turns.len() {
        if made(&bench).is_some_and(|place| place >= 5) {
            break;
        }
        bench.keys("l");
    }
    let place = made(&bench).unwrap();
    assert!(place >= 5, "no play so bad in the match");
    bench.keys("y t");
    let copied = bench.copied.clone().unwrap();
    let position = bench.app.turn().unwrap().before.state.position;
    let name = crate::tui::text::play(&rows(&bench.app)[place].candidate.play, &position);
    let plays: Vec<&str> = copied.lines().filter(|l| l.contains(" eq:")).collect();
    assert_eq!(plays.len(), 6, "{copied}");
    assert!(plays[4].starts_with("    5. "), "{copied}");
    assert!(
        plays[5].starts_with(&format!("{:>5}. ", place + 1)),
        "{copied}"
    );
    assert!(plays[5].contains(&format!(" {name} ")), "{copied}");
}

/// What the line of costs says from the missed double on.
fn costs(bench: &mut TestApp, (w, h): (u16, u16)) -> String {
    let screen = bench.screen(w, h);
    let found = |line: &str| {
        let is_figure = |rest: &str| rest.starts_with(|c: char| c.is_ascii_digit());
        let at = ["double ", "cube "].map(|name| {
            let mut all = line.match_indices(name).map(|(at, _)| at);
            all.find(|at| is_figure(&line[at + name.len()..]))
        });
        let at = at.into_iter().flatten().next()?;
        Some(line[at..].trim_end().to_owned()).filter(|line| line.contains("??"))
    };
    screen.lines().find_map(found).expect("what it cost")
}

/// Where there is little room for what a missed double and the play cost, its words are shorter, and never cut.
#[test]
fn the_cost_of_a_missed_double_is_whole() {
    let mut bench = TestApp::new(Depth::True);
    let is_silent = |review: &Option<Arc<TurnReview>>| {
        let review = review.as_ref();
        review.is_some_and(|r| r.silent_cube().is_some() && !r.is_forced())
    };
    let at = bench.app.document.reviews.iter().position(is_silent);
    let at = at.unwrap();
    (0..at).for_each(|_| bench.keys("l"));
    for (error, words) in [(0.0, "play: no error"), (0.123, "error 0.123 ??")] {
        let review = bench.app.document.reviews[at].as_mut().unwrap();
        let review = Arc::make_mut(review);
        review.cube.as_mut().unwrap().error = Some(0.175);
        review.error = Some(error);
        for size in [(80, 24), (120, 40), (200, 60)] {
            let line = costs(&mut bench, size);
            assert_has!(line, &format!("0.175 ??  {words}"));
        }
        bench.keys("u");
        for size in [(80, 24), (100, 30), (120, 40), (200, 60)] {
            let line = costs(&mut bench, size);
            let (_, play) = line.split_once("% ??").unwrap();
            let is_whole = match play.trim_start() {
                "" => true,
                play if error > 0.0 => play.starts_with("error ") && play.contains("% ??"),
                play => play.starts_with("play: no error"),
            };
            assert!(is_whole, "{line}");
        }
        bench.keys("u");
    }
}

/// Hidden answers are said to be hidden, of plays and of a cube decision.
#[test]
fn what_is_hidden_is_said_to_be() {
    let mut bench = TestApp::typed(Depth::None, "n : h i d e enter");
    assert!(bench.app.options.hidden);
    for keys in ["", "b"] {
        bench.keys(keys);
        bench.app.status = None;
        assert_has!(bench.screen(80, 24), "hidden, ", " shows them");
    }
}
