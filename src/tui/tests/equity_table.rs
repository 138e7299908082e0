//! The window of the match equity table.

use std::sync::Arc;

use super::mouse::click;
use crate::cube::{EquityTable, Model};
use crate::game::{GameState, MatchScore, Position};
use crate::tui::screen::targets::Target;
use crate::tui::state::Document;
use crate::tui::testing::TestApp;
use crate::tui::theme::Depth;
use crate::tui::windows::overlay::Overlay;

const SIZES: [(u16, u16); 3] = [(80, 24), (120, 40), (200, 60)];

/// A position to 7 points, with the player at the bottom on roll.
fn at([mover, opponent]: [u16; 2], crawford: bool) -> TestApp {
    let mut state = GameState::money(Position::opening());
    state.score = MatchScore {
        length: 7,
        mover,
        opponent,
        crawford,
    };
    TestApp::with(Depth::None, Document::of_position(state, "x".into(), 1))
}

/// The first row in the window that begins with these points, or with this cube.
fn row(screen: &str, points: &str) -> String {
    let begins = |line: &&str| {
        let mut words = line.split_whitespace().skip(1);
        // The heading has the points of the other player alone.
        words.next() == Some(points) && words.next().is_some_and(|w| w.contains(['.', '→']))
    };
    let line = screen.lines().find(begins);
    line.unwrap_or_else(|| panic!("no row {points}\n{screen}"))
        .to_owned()
}

/// What the window says, line by line.
fn shown(bench: &mut TestApp, (w, h): (u16, u16)) -> String {
    let screen = bench.screen(w, h);
    let mut all = bench.app.areas.targets.iter();
    let window = all.find(|(_, target)| *target == Target::Ground).unwrap().0;
    let lines = screen.lines().skip(usize::from(window.y));
    let part = |line: &str| -> String {
        let signs = line.chars().skip(usize::from(window.x));
        signs.take(usize::from(window.width)).collect()
    };
    let lines: Vec<String> = lines.take(usize::from(window.height)).map(part).collect();
    lines.join("\n")
}

#[test]
fn the_table_opens_at_the_score_of_the_match() {
    let table = EquityTable::standard();
    for size in SIZES {
        let mut bench = at([2, 4], false);
        bench.keys("g m");
        let screen = shown(&mut bench, size);
        assert_has!(screen, "match equity table");
        assert_has!(screen, "Kazaross XG2, given to 25 points");
        assert_has!(screen, "5-away 3-away (present): 35.21% to win the match");
        assert_has!(screen, "[ ] present  1C Crawford", "gammon value ●      ○");
        // The row of five points: chances against 1, 2, … points, the present one in brackets.
        let five = row(&screen, "5").replace(['[', ']'], " ");
        let figures: Vec<String> = (1..=12)
            .map(|n| format!("{:.1}", 100.0 * table.chance(5, n, false)))
            .collect();
        let words: Vec<&str> = five.split_whitespace().skip(2).take(12).collect();
        assert_eq!(words, figures, "{screen}");
        assert!(row(&screen, "5").contains("[35.2]"), "{screen}");
        assert_eq!(screen.matches("[35.2]").count(), 1);
        // As `luckless met --score 5-3` prints them, and what they are for money.
        let cube = row(&screen, "1");
        assert_has!(cube, "0.415  0.571", "28.7   19.1", "20.9   17.6");
        assert_has!(screen, "8 → 16");
        let money = screen.lines().find(|line| line.contains("money ")).unwrap();
        assert_has!(money, "0.500  0.500", "25.0   20.0");
        // Another score is not the present one; the way back is a key.
        bench.keys("j right k up");
        let screen = shown(&mut bench, size);
        assert_has!(screen, "4-away 4-away: 50.00%", "[35.2]");
        bench.keys("s");
        assert!(shown(&mut bench, size).contains("5-away 3-away (present"));
        // A score is selected by a click.
        click(&mut bench, size, |t| *t == Target::AwayScore([2, 6]));
        let screen = shown(&mut bench, size);
        assert_has!(screen, "2-away 6-away: ");
        bench.keys("q");
        assert!(bench.app.overlay.is_none());
    }
}

/// The board turned round turns the score as well.
#[test]
fn rows_are_those_of_the_player_at_the_bottom() {
    let mut bench = at([2, 4], false);
    bench.keys("V f g m");
    let screen = shown(&mut bench, (80, 24));
    assert_has!(screen, "3-away 5-away (present): 64.7");
    assert!(row(&screen, "3").contains("[64.8]"), "{screen}");
}

#[test]
fn the_crawford_game_and_after_it_are_told_apart() {
    for (crawford, chance, other) in [
        (true, "18.56", "after it 31.00%"),
        (false, "31.00", "Crawford 18.56%"),
    ] {
        let mut bench = at([3, 6], crawford);
        bench.keys("g m");
        let screen = shown(&mut bench, (80, 24));
        let game = if crawford {
            "Crawford game"
        } else {
            "after Crawford"
        };
        let words = format!("4-away 1-away, {game} (present): {chance}% to win, {other}");
        assert_has!(screen, &words);
        let lit = if crawford { "[18.6]" } else { "[31.0]" };
        assert_has!(screen, lit);
        let head = if crawford { "1C" } else { "1" };
        assert!(row(&screen, head).contains("50.0"), "{screen}");
        // The other game is another score.
        bench.keys("c");
        let screen = shown(&mut bench, (80, 24));
        assert_lacks!(screen, "(present", lit);
        bench.keys("s");
        assert!(shown(&mut bench, (80, 24)).contains(&words));
    }
}

#[test]
fn in_money_play_no_score_is_present() {
    let state = GameState::money(Position::opening());
    let mut bench = TestApp::with(Depth::None, Document::of_position(state, "x".into(), 1));
    bench.keys("g m");
    for size in SIZES {
        let screen = shown(&mut bench, size);
        assert_has!(screen, "7-away 7-away: 50.00%", "money play  1C Crawford");
        assert_lacks!(screen, "[50.0]", "present");
        let money = screen
            .lines()
            .find(|line| line.contains(" money  "))
            .unwrap();
        assert_has!(money, "0.500", "25.0   20.0");
    }
    bench.keys("j s");
    assert!(shown(&mut bench, (80, 24)).contains("8-away 7-away"));
}

/// Another table is shown with its name; without the Crawford rule there is one kind of scores at one point.
#[test]
fn the_table_in_use_is_shown() {
    let mut bench = at([3, 6], false);
    let table = EquityTable::standard().without_crawford();
    bench.app.model = Arc::new(Model {
        table: Arc::new(table),
        ..Model::default()
    });
    bench.keys("g m c");
    let screen = shown(&mut bench, (120, 40));
    assert_has!(screen, "Kazaross XG2, no Crawford rule");
    assert_has!(screen, "4-away 1-away (present): 31.00%");
    assert_lacks!(screen, "1C", "Crawford game");
    // A file can say so of its match alone.
    let mut state = GameState::money(Position::opening());
    state.score.length = 7;
    state.rules.no_crawford = true;
    let mut bench = TestApp::with(Depth::None, Document::of_position(state, "x".into(), 1));
    bench.keys("g m");
    let screen = shown(&mut bench, (120, 40));
    assert_has!(screen, "Kazaross XG2, no Crawford rule");
}

/// The part around the selected score is in view, with its edges named.
#[test]
fn the_table_scrolls_with_the_selected_score() {
    let mut bench = at([0, 0], false);
    bench.keys("g m");
    let screen = shown(&mut bench, (80, 24));
    assert!(screen.contains('›') && !screen.contains('‹'), "{screen}");
    assert_has!(screen, "─ 13 more", "take points: no gammons");
    bench.keys("pgdn pgdn l l l l l l l l l l l l l l l l l l");
    let screen = shown(&mut bench, (80, 24));
    assert_has!(screen, "25-away 25-away: 50.00%");
    assert!(screen.contains('‹') && !screen.contains('›'), "{screen}");
    assert_lacks!(screen, "more");
    bench.keys("l j");
    assert!(shown(&mut bench, (80, 24)).contains("25-away 25-away"));
    bench.keys("pgup pgup pgup");
    assert!(shown(&mut bench, (80, 24)).contains("1-away 25-away"));
    // The take points of both players have their columns on a narrow screen too.
    let screen = shown(&mut bench, (60, 20));
    let head = screen.lines().find(|line| line.contains("cube  "));
    assert_eq!(head.unwrap().matches(" dead   live").count(), 2, "{screen}");
    let money = screen.lines().find(|line| line.contains("money"));
    assert_eq!(money.unwrap().matches("20.0").count(), 2, "{screen}");
    for size in [(40, 12), (20, 6), (1, 1)] {
        bench.draw(size.0, size.1);
    }
    assert!(matches!(bench.app.overlay, Some(Overlay::EquityTable(_))));
}

#[test]
fn the_palette_finds_it() {
    let bench = TestApp::typed(Depth::None, ": e q u i t y space t a b l e enter");
    assert!(matches!(bench.app.overlay, Some(Overlay::EquityTable(_))));
}
