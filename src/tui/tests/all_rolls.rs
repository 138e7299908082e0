//! The window of all rolls: keys through the application.

use crate::game::{GameState, Position};
use crate::tui::figures::luck;
use crate::tui::state::Document;
use crate::tui::testing::TestApp;
use crate::tui::theme::Depth;
use crate::tui::windows::overlay::Overlay;

#[test]
fn all_rolls_are_listed_and_the_one_that_came_is_marked() {
    let mut bench = TestApp::typed(Depth::True, "n g d");
    let roll = bench.app.turn().unwrap().before.state.roll.unwrap();
    let screen = bench.screen(120, 40);
    assert_has!(screen, "all rolls");
    let rows: Vec<&str> = screen.lines().filter(|line| line.contains('│')).collect();
    let marked = format!("▸{}", crate::notation::play::dice(roll));
    assert_eq!(rows.iter().filter(|row| row.contains(&marked)).count(), 1);
    // What the selected roll is worth stands below, and the keys go to others.
    assert!(screen.contains("1 in 36") || screen.contains("1 in 18"));
    bench.keys("j j G");
    let Some(Overlay::Why { roll, .. }) = bench.app.overlay else {
        panic!("no window");
    };
    assert_eq!(roll, 20);
    bench.keys("y a");
    let copied = bench.copied.as_ref().expect("copied");
    assert_has!(copied, "21 rolls", "rolled");
    bench.keys("esc");
    assert!(bench.app.overlay.is_none());
    for (w, h) in [(80, 24), (60, 20), (30, 10)] {
        bench.keys("g d");
        bench.draw(w, h);
        bench.keys("esc");
    }
}

/// Once all rolls were looked at, the line of the error and `why` have the luck of that table, with its depth.
#[test]
fn a_roll_has_one_luck() {
    let mut bench = TestApp::typed(Depth::True, "n g d");
    let state = bench.app.turn().unwrap().before.state;
    let (rank, ply) = luck::by_table(&bench.app, &state).expect("a table");
    let points = crate::tui::text::equity(f64::from(rank.points));
    bench.keys("esc");
    assert_has!(bench.screen(200, 60), &format!("luck {points}"));
    let screen = bench.screen_after("Y", 200, 60);
    let place = rank.rank_in_words();
    assert_has!(screen, &format!("{ply}-ply: {points}, {place}"));
}

/// Where the player may not double there are rolls all the same; where the game is over there are none.
#[test]
fn rolls_need_no_cube() {
    let ended = Position::from_points(&[], &[(6, 2)]).unwrap();
    for (position, is_over) in [(Position::opening(), false), (ended, true)] {
        let document = Document::of_position(GameState::money(position), "x".into(), 1);
        let mut bench = TestApp::with(Depth::True, document);
        bench.keys("g d");
        assert_eq!(bench.app.overlay.is_none(), is_over);
    }
}
