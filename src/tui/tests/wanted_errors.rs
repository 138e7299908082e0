//! Which errors are wanted: of which class, and whose, from one match to the next.

use ratatui::crossterm::event::Event;

use crate::game::Player;
use crate::review::{ClassFilter, TurnReview};
use crate::tui::documents::match_decision::MatchDecision;
use crate::tui::message::Message;
use crate::tui::testing::TestApp;
use crate::tui::theme::Depth;

fn in_view(bench: &TestApp) -> MatchDecision {
    MatchDecision {
        turn: bench.app.at,
        is_silent: bench.app.before.is_some(),
    }
}

/// A match in which a double is missed, as its review says.
fn missing_a_double() -> TestApp {
    let mut bench = TestApp::new(Depth::True);
    let mut reviews = bench.app.document.reviews.iter_mut().flatten();
    let review = reviews.find(|review| review.silent_cube().is_some());
    let review = review.expect("somebody might have doubled");
    let mut missed = TurnReview::clone(review);
    missed.cube.as_mut().unwrap().error = Some(0.3);
    *review = missed.into();
    bench
}

/// Each error is stopped at once, in both directions: at a double that was missed, before the roll.
#[test]
fn missed_doubles_are_shown_before_the_roll() {
    let mut bench = missing_a_double();
    bench.keys("C C");
    assert_eq!(bench.app.options.class, Some(ClassFilter::Cube));
    let wrong: Vec<MatchDecision> = bench.app.wrong_decisions().collect();
    assert!(wrong.iter().any(|one| one.is_silent), "{wrong:?}");
    let mut seen = Vec::new();
    for _ in &wrong {
        bench.keys("n");
        seen.push(in_view(&bench));
    }
    assert_eq!(seen, wrong);
    bench.keys("n");
    assert_has!(bench.said(), "cube decisions only");
    for one in wrong.iter().rev().skip(1) {
        bench.keys("N");
        assert_eq!(in_view(&bench), *one);
    }
    // Where the moves are one line, it says what is wanted.
    let strip = |bench: &mut TestApp| {
        let screen = bench.screen(80, 24);
        screen.lines().nth(1).unwrap().to_owned()
    };
    let line = strip(&mut bench);
    assert!(
        line.contains("PR cube") && !line.contains("errors"),
        "{line}"
    );
    bench.keys("C C C w t");
    let line = strip(&mut bench);
    assert_has!(line, "●errors ?  PR ●");
    bench.keys("w w t t");
    assert!(!strip(&mut bench).contains("errors"));
}

/// Opens a copy of a sample match with other names.
fn open(bench: &mut TestApp, folder: &std::path::Path, names: [&str; 2]) {
    let sample = include_str!("../../../sample_matches/clara-dev-3pt.mat");
    let [clara, dev] = names;
    let named = sample.replace("Dev", dev).replace("Clara", clara);
    let path = folder.join(format!("{clara}-{dev}.mat"));
    std::fs::write(&path, named).unwrap();
    bench.tell(Message::Input(Event::Paste(path.display().to_string())));
    assert_eq!(bench.app.document.record.players, names);
}

/// The filter is one of a person.
#[test]
fn whose_errors_are_wanted_follows_the_player() {
    let folder = tempfile::tempdir().unwrap();
    let mut bench = TestApp::new(Depth::True);
    open(&mut bench, folder.path(), ["Clara", "Dev"]);
    bench.keys("w w");
    assert_eq!(bench.app.options.whose, Some(Player::Right));
    open(&mut bench, folder.path(), ["Dev", "Ellen"]);
    assert_eq!(bench.app.options.whose, Some(Player::Left));
    // A position between two matches has no names.
    bench.tell(Message::Input(Event::Paste("4HPwATDgc/ABMA".into())));
    assert_eq!(bench.app.options.whose, Some(Player::Left));
    open(&mut bench, folder.path(), ["Fred", "Gina"]);
    assert_eq!(bench.app.options.whose, None);
    open(&mut bench, folder.path(), ["Dev", "Hans"]);
    assert_eq!(bench.app.options.whose, Some(Player::Left));
    // Of two of one name the seat tells which is meant.
    open(&mut bench, folder.path(), ["Dev", "Dev"]);
    bench.keys("w");
    assert_eq!(bench.app.options.whose, Some(Player::Right));
    let other = tempfile::tempdir().unwrap();
    open(&mut bench, other.path(), ["Dev", "Dev"]);
    assert_eq!(bench.app.options.whose, Some(Player::Right));
}

/// The list opens at the error in view, the missed double or the play of its turn.
#[test]
fn the_list_opens_at_the_decision_in_view() {
    let mut bench = missing_a_double();
    let missed = bench
        .app
        .wrong_decisions()
        .find(|one| one.is_silent)
        .unwrap();
    let mut review = TurnReview::clone(bench.app.document.reviews[missed.turn].as_ref().unwrap());
    review.error = Some(0.2);
    bench.app.document.reviews[missed.turn] = Some(review.into());
    bench.keys("E enter");
    for decision in [missed, MatchDecision::done(missed.turn)] {
        while in_view(&bench) != decision {
            let before = in_view(&bench);
            let place = |one: MatchDecision| (one.turn, !one.is_silent);
            let is_past = place(before) > place(decision);
            bench.keys(if is_past { "N" } else { "n" });
            assert_ne!(in_view(&bench), before);
        }
        bench.keys("E enter");
        assert_eq!(in_view(&bench), decision);
    }
}
