//! The window of statistics in a small terminal.

use crate::tui::overlay::Overlay;
use crate::tui::testing::{TestApp, text};
use crate::tui::text::width;
use crate::tui::theme::Depth;

/// Columns inside the window of a terminal with 60.
const INSIDE: usize = 56;

#[test]
fn both_players_have_their_place_in_a_small_window() {
    let mut bench = TestApp::new(Depth::True);
    bench.keys("g s");
    let screen = text(&bench.draw(60, 20));
    let head = screen.lines().find(|line| line.contains("● Anna"));
    assert!(
        head.is_some_and(|line| line.contains("○ Bénédicte")),
        "{screen}"
    );
    let Some(Overlay::Statistics { lines, .. }) = &bench.app.overlay else {
        panic!("no window");
    };
    let widest = lines.iter().map(|line| width(line)).max();
    assert!(widest.is_some_and(|wide| wide <= INSIDE), "{lines:#?}");
    // What stands below a name is named.
    let kinds = lines.iter().position(|line| line.starts_with("kind of"));
    let heads = &lines[kinds.expect("a table by kind") + 1];
    assert_eq!(heads.matches("decisions error").count(), 2, "{heads}");
    assert!(lines.iter().any(|line| line == "* Crawford game"));
}
