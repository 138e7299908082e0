//! Plays compared with each other: how it is asked for, what runs, and what the screen says.

use std::sync::Arc;

use crate::rollout::{Allocation, Coupling, ErrorMethod, Estimate, LuckKind, Standing, StopReason};
use crate::store::settings::Coupled;
use crate::tui::figures::candidate_rows::rows;
use crate::tui::message::Message;
use crate::tui::rollouts::jobs::{Aim, Job, JobState};
use crate::tui::testing::TestApp;
use crate::tui::theme::Depth;

const SIZES: [(u16, u16); 3] = [(80, 24), (120, 40), (200, 60)];

fn current(bench: &TestApp) -> &Job {
    bench.app.jobs.current().expect("a rollout runs")
}

/// `gc` compares by matched ranks and leaves the settings as they are.
#[test]
fn one_key_compares_by_matched_ranks() {
    let mut bench = TestApp::typed(Depth::True, "n j j g c");
    assert_eq!(bench.app.settings.rollout.coupling, Coupled::default());
    bench.roll(1296, true);
    assert_has!(bench.screen(80, 24), "Koca's ranks, ");
}

#[test]
fn a_pair_is_what_is_marked_with_the_coupling_a_pilot_finds() {
    let mut bench = TestApp::typed(Depth::True, "n j j space j space c");
    let wanted = {
        let review = bench.app.review().unwrap();
        [1, 2].map(|i| review.candidates[i].result)
    };
    let job = current(&bench);
    assert!(job.is_pair() && !job.is_family() && job.wants_pilot());
    assert_eq!(job.settings.luck, LuckKind::Auto, "the pilot tries them");
    assert_eq!([job.plays[0].result, job.plays[1].result], wanted);
    assert_has!(bench.screen(80, 24), "a pilot run looks");
    bench.roll(360, false);
    let job = current(&bench);
    assert_eq!(job.settings.coupling, Coupling::HYBRID);
    assert_eq!(job.settings.stop.trials, 1296);
    assert!(!job.wants_pilot());
    // It is known again by what was asked for, not by what was chosen.
    let id = job.id;
    bench.roll(1296, true);
    bench.keys("c");
    assert_eq!(current(&bench).id, id);
    assert_eq!(current(&bench).settings.stop.trials, 2592);
    bench.roll(2592, true);
    // A rollout of the same plays by themselves is another.
    bench.keys("r");
    assert_ne!(current(&bench).id, id);
    assert_eq!(current(&bench).aim, Aim::Each);
}

#[test]
fn three_marked_plays_are_a_family() {
    let mut bench = TestApp::typed(Depth::True, "n j space j space j space c");
    let job = current(&bench);
    assert!(job.is_family() && !job.is_pair());
    assert_eq!(job.settings.allocation, Allocation::Race);
    bench.roll(144, false);
    assert_eq!(current(&bench).settings.coupling, Coupling::QUANTILE);
    assert!(!current(&bench).has_one_play_left());
    for (w, h) in SIZES {
        let screen = bench.screen(w, h);
        for word in ["family", "still open: ", "best", "…"] {
            assert!(screen.contains(word), "'{word}' at {w}×{h}:\n{screen}");
        }
    }
    // Once one play is left there is nothing to go on for.
    bench.roll(20_000, true);
    assert_has!(bench.screen(120, 40), "is the best of the 3", '✗');
    bench.keys("c");
    assert!(bench.said().starts_with("decided"), "{}", bench.said());
    assert_eq!(bench.app.jobs.active().count(), 0);
}

/// The best play of a race goes on when another is out: their difference is that of the games both have.
#[test]
fn a_play_that_is_out_differs_by_the_games_of_both() {
    let mut bench = TestApp::typed(Depth::True, "n j space j space j space c");
    let id = current(&bench).id;
    bench.roll(20_000, true);
    let job = bench.app.jobs.get(id).unwrap();
    let decision = job.decision;
    let [best, out] = [0, 1].map(|i| job.plays[i].result);
    let result = job.result().unwrap().clone();
    let told = |bench: &mut TestApp, lead: f64| {
        let mut result = result.clone();
        let counted = Arc::make_mut(&mut result);
        counted.candidates[1].trials -= 3_600;
        let family = counted.family.as_mut().unwrap();
        assert_eq!(family.beaten[..2], [false, true]);
        family.differences[0].equity.mean = lead;
        bench.tell(Message::Rollout {
            job: id,
            result,
            finished: true,
        });
        let listed = rows(&bench.app);
        let row = listed.iter().find(|row| row.candidate.result == out);
        let error = bench.app.jobs.error(decision, &best, &out).unwrap();
        assert!(listed[0].is_best && listed[0].candidate.result == best);
        [row.unwrap().difference, -f64::from(error)]
    };
    // The means are 0.03 apart.
    for difference in told(&mut bench, 0.05) {
        assert!((difference + 0.05).abs() < 1e-6, "{difference}");
    }
    assert_has!(bench.screen(120, 40), "-0.050");
    // A play that is out is not first again.
    for difference in told(&mut bench, -0.01) {
        assert!((-1e-6..=0.0).contains(&difference), "{difference}");
    }
}

#[test]
fn everything_needed_is_on_the_smallest_screen() {
    for (depth, keys, words) in [
        (
            Depth::True,
            "n j j c",
            &[
                "difference +0.030 ±",
                "anytime ±",
                "correlation 0.71",
                "VR: luck net",
                "pilot: hybrid 12",
                "as exact as",
                "is better by 0.030 ± ",
            ][..],
        ),
        (
            Depth::None,
            "n j space j space j space j space j space j space c",
            &[
                "pilot: quantiles 0.1",
                "✗",
                "★",
                "-0.030",
                "%",
                "is the best of",
            ],
        ),
    ] {
        let mut bench = TestApp::new(depth);
        bench.keys(keys);
        bench.roll(12_960, false);
        bench.wait(5000);
        let screen = bench.screen(80, 24);
        for word in words {
            assert_has!(screen, word);
        }
    }
}

/// The verdict stands first, with one interval; both intervals come after it. The dots have a title.
#[test]
fn a_comparison_begins_with_its_verdict() {
    let mut bench = TestApp::typed(Depth::True, "n j j c");
    bench.roll(12_960, true);
    bench.app.status = None;
    for (w, h) in SIZES {
        let screen = bench.screen(w, h);
        let line = |words: &str| screen.lines().position(|line| line.contains(words));
        let [verdict, figures] = [" is better by ", "difference +"].map(line);
        assert!(verdict.is_some() && verdict < figures, "{w}×{h}:\n{screen}");
        let title = match w {
            200 => "each dot: one pair of games",
            _ => "dots: pairs of games",
        };
        assert!(screen.contains(title), "{w}×{h}:\n{screen}");
    }
    // In few rows it is one line, and another one has what the plays are worth.
    let screen = bench.screen(80, 24);
    let brief = [
        "a is better by 0.030 ± ",
        "a 24/15* +0.100   b 13/10 8/2 +0.070",
    ];
    for words in brief {
        assert_has!(screen, words);
    }
    let screen = bench.screen(200, 60);
    assert_has!(screen, "anytime ±", "correlation without VR");
    assert_has!(screen, "── 95% fixed sample, ╌ anytime");
}

#[test]
fn the_coupling_can_be_named() {
    let mut bench = TestApp::typed(Depth::True, "R R k l enter");
    assert_eq!(bench.app.settings.rollout.coupling, Coupled::Koca);
    bench.keys("n j j c");
    let job = current(&bench);
    assert_eq!(
        (job.aim, job.settings.coupling),
        (Aim::Compare, Coupling::Rank)
    );
    assert!(job.settings.ranks.own_ties && job.is_pair());
    bench.roll(1296, true);
    assert_has!(bench.screen(80, 24), "Koca's ranks, ");
    // The same dice and no coupling at all are comparisons as well.
    for coupling in [Coupling::Dice, Coupling::None] {
        bench.app.settings.rollout.coupling = Coupled::Fixed(coupling);
        bench.keys("c");
        assert_eq!(current(&bench).settings.coupling, coupling);
        assert!(current(&bench).is_pair());
        bench.roll(1296, true);
    }
    // What serves two plays only is left to the pilot for more.
    bench.app.settings.rollout.coupling = Coupled::Fixed(Coupling::HYBRID);
    bench.keys("j space j space j space c");
    assert!(
        bench.said().contains("are for two plays"),
        "{}",
        bench.said()
    );
    assert_eq!(current(&bench).aim, Aim::Pilot);
}

#[test]
fn separated_plays_are_not_tied_though_their_intervals_overlap() {
    let mut bench = TestApp::typed(Depth::True, "n j j c");
    bench.roll(4000, true);
    let all = rows(&bench.app);
    let (best, other) = (&all[0], &all[1]);
    let [a, b] = [best, other].map(|r| r.rolled.as_ref().unwrap().equity.anytime95);
    assert!(b[1] > a[0], "each by itself is not known so well");
    assert_eq!(
        other.standing,
        Some(Standing::Decided),
        "but their difference is"
    );
}

/// Of two plays that a comparison has told apart the worse one is not the best, whichever is.
#[test]
fn a_play_that_lost_a_comparison_is_not_tied_with_another_one() {
    let mut bench = TestApp::typed(Depth::True, "n r");
    bench.roll_to(72, Some(StopReason::Trials));
    bench.keys("j space j space c");
    let [one, two] = [0, 1].map(|i| current(&bench).plays[i].result);
    bench.roll(4000, true);
    let decision = bench.app.decision().unwrap();
    let standing = bench.app.jobs.standing(decision, &one, &two);
    assert_eq!(standing, Standing::Decided);
    let all = rows(&bench.app);
    let compared = all
        .iter()
        .filter(|r| [one, two].contains(&r.candidate.result));
    let lower = compared.min_by(|a, b| a.equity.total_cmp(&b.equity));
    assert_ne!(lower.unwrap().standing, Some(Standing::TooClose));
}

#[test]
fn a_pilot_that_fails_or_is_stopped_does_no_harm() {
    let mut bench = TestApp::typed(Depth::True, "n j j c");
    let id = current(&bench).id;
    bench.rolling = None;
    bench.tell(Message::RolloutFailed {
        job: id,
        why: "the pilot failed".into(),
    });
    assert!(matches!(
        bench.app.jobs.get(id).unwrap().state,
        JobState::Failed(_)
    ));
    bench.keys("c x");
    assert_eq!(bench.app.jobs.active().count(), 0);
    bench.keys("c");
    assert!(current(&bench).wants_pilot(), "it begins again");
    for (w, h) in SIZES.into_iter().chain([(60, 20), (40, 12), (20, 6)]) {
        bench.draw(w, h);
    }
}

#[test]
fn too_many_plays_are_refused() {
    let mut bench = TestApp::new(Depth::True);
    let many = (0..bench.app.document.turns.len()).find(|&i| {
        let review = bench.app.document.reviews[i].as_ref();
        review.is_some_and(|r| r.candidates.len() > 16)
    });
    let many = many.expect("the test match has such a roll");
    while bench.app.at < many {
        bench.keys("l");
    }
    let n = bench.app.review().unwrap().candidates.len().min(17);
    for _ in 0..n {
        bench.keys("j space");
    }
    bench.keys("c");
    assert!(bench.said().contains("up to 16"), "{}", bench.said());
    bench.keys("space c");
    assert_eq!(current(&bench).plays.len(), 16);
    bench.roll(648, false);
    for (w, h) in SIZES {
        let screen = bench.screen(w, h);
        assert!(screen.contains("more") || h > 24, "{screen}");
    }
}

/// Whether a pilot or experience chooses the dice is known once a comparison runs.
#[test]
fn a_comparison_that_waits_names_no_pilot() {
    let mut bench = TestApp::new(Depth::True);
    let screen = bench.screen_after("n r n j j c", 120, 40);
    assert_has!(screen, "automatic, 0-ply, queued");
    assert_lacks!(screen, "pilot");
}

#[test]
fn a_pilot_is_seen_at_work() {
    let mut bench = TestApp::new(Depth::True);
    let screen = bench.screen_after("n j j c", 80, 24);
    assert_has!(screen, "pilot at work  0 s", "pilot, 0-ply, choosing");
    assert_has!(screen, "a pilot run looks for the dice");
    let due = crate::tui::update::next_tick(&bench.app).expect("its seconds are counted");
    assert!(due <= bench.now + std::time::Duration::from_secs(1));
    bench.wait(3100);
    let screen = bench.screen(120, 40);
    assert_has!(screen, "soonest (3 s)");
    assert!(bench.screen(80, 24).contains("hybrid"));
    bench.roll(0, false);
    assert!(crate::tui::update::next_tick(&bench.app).is_none());
    assert_has!(bench.screen(200, 60), "first trials are");
}

#[test]
fn what_is_known_exactly_is_said_to_be() {
    let mut bench = TestApp::typed(Depth::True, "n j j c");
    bench.roll(1296, true);
    let id = bench.started[0];
    let shown = bench.app.jobs.get_mut(id).unwrap().shown.as_mut().unwrap();
    let result = std::sync::Arc::make_mut(shown);
    // One play is known exactly: its results never vary with those of the other.
    let difference = result.difference.as_mut().unwrap();
    (difference.correlation, difference.plain_correlation) = (f64::NAN, f64::NAN);
    for (w, h) in SIZES {
        let screen = bench.screen(w, h);
        assert_has!(screen, "correlation –");
        assert_lacks!(screen, "NaN", "A dot is");
    }
    let shown = bench.app.jobs.get_mut(id).unwrap().shown.as_mut().unwrap();
    let result = std::sync::Arc::make_mut(shown);
    let known = |mean: f64| Estimate {
        mean,
        se: 0.0,
        ci95: [mean; 2],
        anytime95: [mean; 2],
    };
    for candidate in &mut result.candidates {
        (candidate.equity, candidate.error_method) =
            (known(candidate.equity.mean), ErrorMethod::Exact);
        candidate.equivalent_trials = f64::INFINITY;
    }
    let difference = result.difference.as_mut().unwrap();
    (difference.equity, difference.error_method) = (known(0.03), ErrorMethod::Exact);
    difference.independent_trials = f64::INFINITY;
    for (w, h) in SIZES {
        let screen = bench.screen(w, h);
        let pane = [
            "difference +0.030  exact",
            "is better by 0.030",
            "known exactly",
        ];
        for words in pane {
            assert!(screen.contains(words), "{words} at {w}×{h}:\n{screen}");
        }
        for word in ["NaN", "inf", "as exact", "correlation", "A dot is"] {
            assert!(!screen.contains(word), "{word} at {w}×{h}:\n{screen}");
        }
    }
    bench.keys("R b");
    assert!(
        bench.app.overlay.is_none(),
        "nothing is there to be checked"
    );
    assert_has!(bench.screen(120, 40), "there is no bias");
}

/// The panes show the rollout that was asked for last; a key leads to the others of the decision, and round again.
#[test]
fn another_rollout_of_the_decision_is_put_on_show() {
    use crate::tui::figures::trials::shown_job;
    let mut bench = TestApp::typed(Depth::True, "n r");
    bench.roll_to(72, Some(StopReason::Trials));
    let first = shown_job(&bench.app).unwrap().id;
    bench.keys("R o");
    assert!(
        bench.said().contains("no other rollout"),
        "{}",
        bench.said()
    );
    bench.keys("j c");
    bench.roll_to(72, Some(StopReason::Trials));
    let pair = shown_job(&bench.app).unwrap().id;
    assert_ne!(pair, first);
    bench.keys("R o");
    assert_eq!(shown_job(&bench.app).unwrap().id, first);
    assert!(bench.said().contains("2 of 2"), "{}", bench.said());
    bench.keys("R o");
    assert_eq!(shown_job(&bench.app).unwrap().id, pair);
}

/// Two plays have one verdict: that of the rollout before, where it has decided what their comparison leaves open.
#[test]
fn what_one_rollout_has_decided_is_not_called_open_by_another() {
    let mut bench = TestApp::typed(Depth::True, "n r");
    bench.roll_to(40_000, Some(StopReason::Separated));
    assert_has!(bench.screen(120, 40), "decided: ");
    bench.keys("home space j space c");
    bench.roll_to(72, Some(StopReason::Trials));
    for (w, h) in [(80, 24), (120, 40), (200, 60)] {
        let screen = bench.screen(w, h);
        assert_has!(screen, "decided by the rollout of");
        assert_lacks!(screen, "still open");
    }
}

/// Only a play that is shown to be too close to matter has the sign: at no number of trials one that is clearly behind,
/// nor one beside a play that is surely the best. The best play is never below it.
#[test]
fn the_sign_of_a_close_play_is_its_standing() {
    for trials in [40, 180, 648, 4000] {
        let mut bench = TestApp::typed(Depth::True, "n r");
        bench.roll(trials, false);
        let screen = bench.screen(200, 60);
        assert!(
            screen.contains(">99.9%") && !screen.contains('≈'),
            "{screen}"
        );
        assert!(rows(&bench.app)[0].is_best);
        // Plays that differ by less than a point are too close to matter, unless one is shown to be better.
        let id = bench.started[0];
        let job = bench.app.jobs.get_mut(id).unwrap();
        job.settings.stop.equivalent = Some(1.0);
        let screen = bench.screen(200, 60);
        assert_eq!(screen.contains('≈'), trials < 4000, "{trials}: {screen}");
    }
}

/// The comparison in view is copied behind the candidates.
#[test]
fn a_comparison_is_copied_with_the_candidates() {
    let mut bench = TestApp::typed(Depth::True, "n y a");
    assert_lacks!(bench.copied.take().unwrap(), " − ");
    bench.keys("j j space j space c");
    bench.roll(1296, true);
    let names = current_names(&bench);
    bench.keys("y a");
    let copied = bench.copied.take().unwrap();
    let first = format!("\n{} − {}: difference +0.030 ±", names[0], names[1]);
    assert_has!(copied, &*first, "  anytime ±", "1,296 paired trials");
}

/// The plays of the comparison in view.
fn current_names(bench: &TestApp) -> [String; 2] {
    let job = crate::tui::figures::trials::shown_job(&bench.app).unwrap();
    [0, 1].map(|i| job.name(i))
}
