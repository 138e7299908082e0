//! How the screen is laid out, and how long it takes to draw.

use std::time::{Duration, Instant};

use crate::tui::testing::TestApp;
use crate::tui::theme::Depth;

/// Run with `cargo test --release --lib a_whole_frame -- --ignored --nocapture`.
#[test]
#[ignore = "a measurement: it means something in a release build alone"]
fn a_whole_frame_takes_less_than_three_milliseconds() {
    let mut bench = TestApp::new(Depth::True);
    bench.keys("n j");
    let mut median = |is_new: bool| {
        let mut times: Vec<Duration> = (0..200)
            .map(|i| {
                if is_new {
                    // Every other frame has the board turned round: nothing of the last one serves.
                    bench.app.options.flipped = i % 2 == 0;
                }
                let begin = Instant::now();
                bench.draw(240, 70);
                begin.elapsed()
            })
            .collect();
        times.sort_unstable();
        times[times.len() / 2]
    };
    let (new, same) = (median(true), median(false));
    println!("240×70: {new:?} with a new board, {same:?} with the same");
    assert!(new < Duration::from_millis(3), "{new:?}");
}
