//! The window of statistics in a small terminal.

use crate::cube::CubeChoice;
use crate::game::{GameState, Position};
use crate::tui::documents::document::Document;
use crate::tui::message::Message;
use crate::tui::testing::{TestApp, record};
use crate::tui::text::width;
use crate::tui::theme::Depth;
use crate::tui::windows::overlay::Overlay;

/// Columns inside the window of a terminal with 60.
const INSIDE: usize = 56;

/// In a terminal that has grown the first key upwards, or notch of the wheel, moves the lines.
#[test]
fn the_end_of_the_statistics_is_left_at_once() {
    for key in ["k", "pgup"] {
        let mut bench = TestApp::new(Depth::True);
        bench.draw(80, 24);
        let end = bench.screen_after("g s end", 80, 30);
        bench.keys(key);
        assert_ne!(bench.screen(80, 30), end, "{key}");
    }
}

/// Beside the board figures have bars of both players, and the games a row of their own; what is below can be reached.
#[test]
fn figures_beside_the_board_have_bars() {
    let mut bench = TestApp::new(Depth::True);
    bench.draw(120, 40);
    let screen = bench.screen_after("g s", 120, 40);
    assert_has!(screen, "PR by game", "─ candidates ─");
    let bars = |label: &str| {
        let line = screen
            .lines()
            .find(|line| line.trim_start().starts_with(label));
        line.is_some_and(|line| line.contains("━│━"))
    };
    for label in ["PR  ", "checker play", "error total", "MWC lost"] {
        assert!(bars(label), "{label}: {screen}");
    }
    let Some(Overlay::Statistics { found, .. }) = &bench.app.overlay else {
        panic!("no window");
    };
    let last = found.lines.last().unwrap().trim().to_owned();
    assert_has!(bench.screen_after("end", 120, 40), &last);
    assert!(!bench.screen(80, 24).contains("━│"));
}

#[test]
fn both_players_have_their_place_in_a_small_window() {
    let mut bench = TestApp::new(Depth::True);
    let screen = bench.screen_after("g s", 60, 20);
    let head = screen.lines().find(|line| line.contains("● Anna"));
    assert!(
        head.is_some_and(|line| line.contains("○ Bénédicte")),
        "{screen}"
    );
    // How much follows is said as in every list.
    let below = |screen: &str| {
        let foot = screen.lines().rfind(|line| line.contains(" more ─"))?;
        let words: Vec<&str> = foot.split_whitespace().collect();
        let at = words.iter().position(|word| *word == "more")?;
        words[at - 1].parse::<usize>().ok()
    };
    let first = below(&screen).expect("there is more");
    let screen = bench.screen_after("j j", 60, 20);
    assert_eq!(below(&screen), Some(first - 2), "{screen}");
    let Some(Overlay::Statistics { found, .. }) = &bench.app.overlay else {
        panic!("no window");
    };
    let lines = &found.lines;
    let widest = lines.iter().map(|line| width(line)).max();
    assert!(widest.is_some_and(|wide| wide <= INSIDE), "{lines:#?}");
    // PR by class of decision, and wrong cube actions by what they were.
    let figures = |label: &str| {
        let line = lines
            .iter()
            .find(|line| line.trim_start().starts_with(label));
        let line = line.unwrap_or_else(|| panic!("no {label}: {lines:#?}"));
        line[line.find(label).unwrap() + label.len()..]
            .trim()
            .to_owned()
    };
    for label in ["checker play", "doubling", "taking"] {
        assert_ne!(figures(&format!("{label} ")), "–  –");
    }
    let counts = |label: &str| -> u32 {
        let figures = figures(label);
        figures
            .split_whitespace()
            .map(|n| n.parse::<u32>().unwrap())
            .sum()
    };
    let reviews = bench.app.document.reviews.iter().flatten();
    let cubes = reviews.filter_map(|review| review.cube);
    let marked = cubes.filter(|cube| cube.error.is_some_and(|error| error >= 0.02));
    let (mut doubles, mut answers) = (0, 0);
    for cube in marked {
        match cube.choice {
            Some(CubeChoice::NoDouble | CubeChoice::Double) => doubles += 1,
            _ => answers += 1,
        }
    }
    assert!(doubles > 0, "the test match has wrong cube actions");
    assert_eq!(
        counts("missed doubles") + counts("early doubles") + counts("too good doubles"),
        doubles
    );
    assert_eq!(counts("wrong takes") + counts("wrong passes"), answers);
    // What stands below a name is named.
    let kinds = lines.iter().position(|line| line.starts_with("kind of"));
    let heads = &lines[kinds.expect("a table by kind") + 1];
    assert_eq!(heads.matches("decisions error").count(), 2, "{heads}");
    // Decisions, error and PR of the one player, then of the other.
    let cells = lines[kinds.unwrap() + 2].split_whitespace().rev();
    let cells: Vec<&str> = cells.take(6).collect();
    let is_count = |c: usize| cells[c].parse::<u32>().is_ok();
    assert!(is_count(5) && is_count(2) && !is_count(4), "{cells:?}");
    assert!(lines.iter().any(|line| line == "* Crawford game"));
}

/// Names are whole where there is room for them, and stand apart from what is beside them.
#[test]
fn long_names_are_whole_in_a_wide_window() {
    let names = ["Maximilian Mustermann", "Kévin Ungerer"];
    let mut record = record();
    record.players = names.map(Into::into);
    let mut bench = TestApp::with(Depth::True, Document::of_match(record, "x".into(), 1));
    for (w, is_whole) in [(132, true), (60, false)] {
        bench.draw(w, 40);
        bench.keys("esc g s");
        let Some(Overlay::Statistics { found, .. }) = &bench.app.overlay else {
            panic!("no window");
        };
        let lines = &found.lines;
        let widest = lines.iter().map(|line| width(line)).max();
        assert!(
            widest.is_some_and(|wide| wide <= usize::from(w) - 4),
            "{lines:#?}"
        );
        let kinds = lines.iter().find(|line| line.starts_with("kind of"));
        let kinds = kinds.expect("a table by kind");
        assert_has!(kinds, "position  ");
        let whole = names.iter().all(|name| kinds.contains(name));
        assert_eq!(whole, is_whole, "{kinds}");
    }
    let screen = bench.screen_after("esc", 200, 60);
    let mut lines = screen.lines();
    assert!(
        lines.any(|line| line.starts_with(" ○ Kévin Ung")),
        "{screen}"
    );
}

/// A game that is played from a position alone has figures like any other.
#[test]
fn a_game_from_a_position_has_statistics() {
    let state = GameState::money(Position::opening());
    let document = Document::of_position(state, "opening".into(), 1);
    let mut bench = TestApp::with(Depth::True, document);
    bench.keys("g s");
    assert!(bench.app.overlay.is_none(), "nothing was played");
    bench.keys("d 3 1 enter j v . . g s");
    let Some(Overlay::Statistics { found, .. }) = &bench.app.overlay else {
        panic!("no window: {:?}", bench.app.status);
    };
    let lines = &found.lines;
    assert!(
        lines.iter().any(|line| line.starts_with("PR ")),
        "{lines:#?}"
    );
}

/// They come while the list of keys lies over the window.
#[test]
fn what_comes_late_is_there_below_the_list_of_keys() {
    let mut bench = TestApp::typed(Depth::True, "g s");
    let Some(Overlay::Statistics { found, .. }) = &mut bench.app.overlay else {
        panic!("no window");
    };
    let found = std::mem::take(found);
    bench.keys("?");
    bench.tell(Message::Statistics {
        generation: bench.app.document.generation,
        found: Ok(found.clone()),
    });
    bench.keys("esc");
    let Some(Overlay::Statistics { found: shown, .. }) = &bench.app.overlay else {
        panic!("no window");
    };
    assert_eq!(*shown, found);
}

/// The window lists the keys that work in it, and Enter is none of them.
#[test]
fn the_window_has_keys_of_its_own() {
    let mut bench = TestApp::new(Depth::True);
    let keys = bench.screen_after("g s enter ?", 120, 40);
    assert_has!(keys, "copy the statistics as text");
    assert_lacks!(keys, "other page");
    bench.keys("esc");
    let is_there = matches!(bench.app.overlay, Some(Overlay::Statistics { .. }));
    assert!(is_there);
}
