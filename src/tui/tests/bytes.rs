//! How much a slow line has to carry, while a rollout runs and for a key.

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;
use std::time::Duration;

use ratatui::backend::CrosstermBackend;
use ratatui::layout::Rect;
use ratatui::{Terminal, TerminalOptions, Viewport};

use crate::tui::event_loop::colour_filter::ColourFilter;
use crate::tui::event_loop::terminal::{LIVE, live_pause};
use crate::tui::testing::TestApp;
use crate::tui::theme::Depth;
use crate::tui::update::windows;
use crate::tui::view;

/// Bytes in a second that a slow line carries.
const MOST: usize = 20_000;

/// Counts what is written.
#[derive(Clone, Default)]
struct Counter(Rc<RefCell<usize>>);

impl Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        *self.0.borrow_mut() += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The line, counted, as the workstation writes to it.
fn filtered(counter: &Counter) -> Box<dyn Write> {
    Box::new(ColourFilter::new(counter.clone(), false))
}

/// A terminal of this size behind a line.
fn terminal(
    (w, h): (u16, u16),
    line: Box<dyn Write>,
) -> Terminal<CrosstermBackend<Box<dyn Write>>> {
    let viewport = Viewport::Fixed(Rect::new(0, 0, w, h));
    let options = TerminalOptions { viewport };
    Terminal::with_options(CrosstermBackend::new(line), options).unwrap()
}

/// Bytes in two seconds, with these keys typed before, while trials come in.
fn bytes(keys: &str, (w, h): (u16, u16)) -> usize {
    let mut bench = TestApp::new(Depth::True);
    bench.keys(keys);
    let counter = Counter::default();
    let mut terminal = terminal((w, h), filtered(&counter));
    let mut trials = 0;
    let mut frame = |bench: &mut TestApp, pause: Duration| {
        trials += 36;
        bench.roll(trials, false);
        bench.wait(pause.as_millis() as u64);
        bench.app.now = bench.now;
        let before = *counter.0.borrow();
        let drawn = terminal.draw(|frame| _ = view::draw(frame, &bench.app, windows::draw));
        drawn.unwrap();
        *counter.0.borrow() - before
    };
    // The first ones draw all of the screen, and messages go.
    for _ in 0..60 {
        frame(&mut bench, LIVE);
    }
    let (mut sum, mut time, mut pause) = (0, Duration::ZERO, LIVE);
    while time < Duration::from_secs(2) {
        let bytes = frame(&mut bench, pause);
        sum += bytes;
        pause = live_pause(bytes);
        time += pause;
    }
    sum
}

#[test]
fn a_slow_line_carries_a_rollout() {
    for keys in [
        "n j space j space j space r",
        "n j j c",
        "n j space j space j space j space c",
    ] {
        for size in [(80, 24), (120, 40), (240, 70)] {
            let rate = bytes(keys, size) / 2;
            println!("{keys} at {size:?}: {rate} bytes a second");
            assert!(rate < MOST, "{keys} at {size:?}: {rate}");
        }
    }
}

#[test]
fn figures_are_drawn_often_enough_on_any_line() {
    assert_eq!(live_pause(0), LIVE);
    assert_eq!(live_pause(1_800), Duration::from_millis(100));
    assert_eq!(live_pause(1_000_000), Duration::from_millis(250));
}

/// Bytes that a step along the match takes, on average.
fn step(size: (u16, u16), line: fn(&Counter) -> Box<dyn Write>) -> usize {
    const STEPS: usize = 12;
    let mut bench = TestApp::new(Depth::True);
    let counter = Counter::default();
    let mut terminal = terminal(size, line(&counter));
    let mut draw = |bench: &TestApp| {
        let drawn = terminal.draw(|frame| _ = view::draw(frame, &bench.app, windows::draw));
        drawn.unwrap();
    };
    draw(&bench);
    let whole = *counter.0.borrow();
    for _ in 0..STEPS {
        bench.keys("l");
        draw(&bench);
    }
    let all = *counter.0.borrow();
    (all - whole) / STEPS
}

/// A key that is held down repeats about thirty times a second. Without colours that are set already its step has a
/// fifth fewer bytes.
#[test]
fn a_slow_line_carries_the_keys_of_a_walk() {
    for (size, most) in [((80, 24), 4_000), ((120, 40), 8_000), ((240, 70), 16_000)] {
        let bytes = step(size, filtered);
        let plain = step(size, |counter| Box::new(counter.clone()));
        println!("a step at {size:?}: {bytes} bytes, {plain} as crossterm writes them");
        assert!(
            bytes < most && 5 * bytes < 4 * plain,
            "{size:?}: {bytes}, {plain}"
        );
    }
}
