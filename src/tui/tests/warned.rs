//! What is odd in a file is marked in the list of moves, shown on the board as the file has it, and led to
//! from the window of warnings.

use crate::game::Player;
use crate::match_file::{Action, read_bytes};
use crate::tui::state::Document;
use crate::tui::testing::TestApp;
use crate::tui::theme::Depth;

/// An illegal 6-1 that was let stand, a play that is not recorded, and a second game in which the right
/// player's first roll is missing.
const ODD: &str = " 7 point match\n\n Game 1\n anna : 0                      ben : 0\n  \
    1) 61: Illegal play (7;0;1;0;0;ben;anna;0;0;0;1;0;0;-2;0;0;0;0;5;0;3;0;0;0;-3;5;0;0;0;-4;-1;-5;0;0;0;0;2;0;3;1;) 31: 8/5 6/5\n  \
    2) 42: 8/4 6/4                 65: 24/18 18/13\n  \
    3) 21: 13/11 6/5               62: ????\n      \
       Wins 1 point\n\n Game 2\n anna : 1                      ben : 0\n  \
    1) 31: 8/5 6/5\n  2) 42: 8/4 6/4                 64: 24/14\n";

fn bench() -> TestApp {
    let record = read_bytes(ODD.as_bytes(), "odd.mat").unwrap();
    TestApp::with(Depth::None, Document::of_match(record, "odd.mat".into(), 1))
}

#[test]
fn an_illegal_play_is_shown_as_the_file_has_it() {
    let mut bench = bench();
    let action = bench.app.turn().unwrap().action;
    let Some(Action::Illegal { after, .. }) = action else {
        panic!("{action:?}");
    };
    assert_eq!(after.opponent.at(13), 3, "seen by the next player");
    for (w, h) in [(80, 24), (120, 40), (200, 60)] {
        let screen = bench.screen(w, h);
        let is_marked = |line: &str| line.contains("▸ ● anna") && line.contains("illegal");
        assert!(screen.lines().any(is_marked), "{screen}");
    }
    let shown = bench.screen(80, 24);
    // A play of ours takes its place, and Esc brings it back.
    let other = bench.screen_after("j", 80, 24);
    assert!(
        !other.contains("anna  illegal") && other != shown,
        "{other}"
    );
    bench.keys("esc");
    assert_eq!(bench.screen(80, 24), shown);
    bench.keys("l");
    let next = bench.app.turn().unwrap().before;
    assert_eq!((next.state.position, next.player), (after, Player::Right));
}

#[test]
fn odd_turns_are_marked_and_led_to() {
    let mut bench = bench();
    let warned = bench.app.document.warned.clone();
    let turns = &bench.app.document.turns;
    let at = |game: usize, event: usize| {
        let is_here = |t: &crate::review::MatchTurn| t.place() == (game, event);
        turns.iter().position(is_here).unwrap()
    };
    // The illegal play, the one that is not recorded, and the last one before the missing roll.
    let odd = [at(0, 0), at(0, 4), at(1, 0)];
    for turn in odd {
        assert!(warned.contains(&turn), "{turn}: {warned:?}");
    }
    let screen = bench.screen(120, 40);
    let marked = screen.lines().filter(|line| line.contains("¿")).count();
    assert!(marked >= odd.len(), "{screen}");
    let strip = bench.screen(80, 24);
    assert!(strip.lines().nth(1).unwrap().contains('¿'), "{strip}");
    // Each warning leads to its own turn, also where two turns stand in one line.
    let rows = crate::tui::figures::troubles::rows(&bench.app);
    let row = rows
        .iter()
        .position(|r| r.text.contains("missing"))
        .unwrap();
    bench.keys("W");
    for _ in 0..row {
        bench.keys("j");
    }
    bench.keys("enter");
    assert_eq!(bench.app.at, odd[2]);
    bench.keys("H H W enter");
    assert_eq!(bench.app.at, odd[0]);
    while bench.app.at != odd[1] {
        bench.keys("l");
    }
    for (width, height, words) in [
        (80, 24, "anna   no play "),
        (120, 40, "  no play recorded "),
    ] {
        assert_has!(bench.screen(width, height), words);
    }
}

/// What is wrong with the file is listed also while a variation is in view, and leads back to the match.
#[test]
fn a_variation_has_the_warnings_of_its_match() {
    let mut bench = TestApp::new(Depth::True);
    let rows = crate::tui::figures::troubles::rows(&bench.app);
    assert!(!rows.is_empty());
    bench.keys("n j v");
    assert!(bench.app.variation.is_some());
    assert_eq!(crate::tui::figures::troubles::rows(&bench.app), rows);
    assert_eq!(crate::tui::figures::troubles::count(&bench.app), rows.len());
    bench.keys("W enter");
    assert!(bench.app.overlay.is_none() && bench.app.variation.is_none());
}

/// The places of a binary file are wider than lines and columns, and run into no message.
#[test]
fn offsets_stand_apart_from_what_is_wrong() {
    let mut record = read_bytes(ODD.as_bytes(), "odd.mat").unwrap();
    record.warnings[0].offset = Some(94_720);
    let message = record.warnings[0].message.clone();
    let begin: String = message.chars().take(12).collect();
    let document = Document::of_match(record, "odd.xg".into(), 1);
    let mut bench = TestApp::with(Depth::None, document);
    bench.keys("W");
    for (w, h) in [(60, 20), (80, 24), (120, 40)] {
        assert_has!(bench.screen(w, h), &format!("byte 94720 {begin}"));
    }
}
