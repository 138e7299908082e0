//! How the screen is laid out, and how long it takes to draw.

use std::time::{Duration, Instant};

use crate::tui::layout::Pane;
use crate::tui::testing::{TestApp, text};
use crate::tui::theme::Depth;

#[test]
fn panes_are_zoomed_in_turn_and_come_back() {
    let mut bench = TestApp::new(Depth::True);
    let before = text(&bench.draw(120, 40));
    for pane in Pane::ALL {
        bench.keys("Z");
        assert_eq!(bench.app.options.zoom, Some(pane));
        let screen = text(&bench.draw(120, 40));
        assert!(screen.contains(pane.name()), "{screen}");
    }
    bench.keys("Z");
    assert_eq!(text(&bench.draw(120, 40)), before);
    bench.keys("Z esc");
    assert_eq!(text(&bench.draw(120, 40)), before);
    // Where nothing was played there are no moves to zoom.
    bench.keys("o");
    bench.tell(super::Message::Input(super::Event::Paste(
        "4HPwATDgc/ABMA".into(),
    )));
    bench.keys("enter Z Z Z");
    assert_eq!(bench.app.options.zoom, None);
}

#[test]
fn edges_are_moved_with_keys() {
    let mut bench = TestApp::new(Depth::True);
    let mut widths = |keys: &str| {
        bench.keys(keys);
        bench.draw(200, 60);
        (bench.app.areas.style.wide, bench.app.areas.moves.width)
    };
    let (board, moves) = widths("esc");
    assert_eq!(widths("("), (board - 1, moves));
    assert_eq!(widths(") )"), (board, moves));
    assert_eq!(widths("tab )").1, moves + 2);
    // What the list gives away the board may take.
    assert_eq!(widths("( ("), (board + 1, moves - 2));
}

/// `&` shows where the best play leads and where the one that was made does, with colours and without;
/// not while the answers are hidden.
#[test]
fn both_plays_are_on_the_board() {
    for depth in [Depth::True, Depth::Sixteen, Depth::None] {
        for (w, h) in [(80, 24), (120, 40), (200, 60)] {
            let mut bench = TestApp::new(depth);
            bench.keys("n");
            let mut signs = |keys: &str| {
                bench.keys(keys);
                bench.app.status = None;
                let buffer = bench.draw(w, h);
                let frame = bench.app.areas.board_frame().unwrap();
                let cells = (frame.top()..frame.bottom())
                    .flat_map(|y| (frame.left()..frame.right()).map(move |x| (x, y)));
                let all: String = cells.map(|cell| buffer[cell].symbol()).collect();
                (all.contains('★'), all.contains('▸'))
            };
            assert_eq!(signs("esc"), (false, false), "{w}×{h}");
            assert_eq!(signs("&"), (true, true), "{w}×{h}");
            assert_eq!(signs(": h i d e enter"), (false, false), "{w}×{h}");
            assert_eq!(signs(": h i d e enter &"), (false, false), "{w}×{h}");
        }
    }
}

/// Run with `cargo test --release --lib a_whole_frame -- --ignored --nocapture`.
#[test]
#[ignore = "a measurement: it means something in a release build alone"]
fn a_whole_frame_takes_less_than_three_milliseconds() {
    let mut bench = TestApp::new(Depth::True);
    bench.keys("n j");
    let mut median = |change: &dyn Fn(&mut TestApp, usize)| {
        let mut times: Vec<Duration> = (0..200)
            .map(|i| {
                change(&mut bench, i);
                let begin = Instant::now();
                bench.draw(240, 70);
                begin.elapsed()
            })
            .collect();
        times.sort_unstable();
        times[times.len() / 2]
    };
    // Every other frame in another theme: not even the cells that were seen before serve.
    let first = median(&|bench, i| bench.app.theme = i % 2);
    // Every other frame has the board turned round.
    let new = median(&|bench, i| bench.app.options.flipped = i % 2 == 0);
    let same = median(&|_, _| {});
    println!(
        "240×70: {first:?} with the first board, {new:?} with a new one, {same:?} with the same"
    );
    assert!(new < Duration::from_millis(3), "{new:?}");
}
