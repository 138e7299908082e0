//! Screens below 80×24: what needs more room is scrolled, shortened or said to be hidden.

use super::mouse::{LEFT, mouse};
use super::played_match::{begun, playing, roll_until};
use crate::analysis::{BestChoice, CellAnswer};
use crate::game::{GameState, PlayList, Position};
use crate::tui::documents::played_match::MatchPrompt;
use crate::tui::figures::lists::list_top;
use crate::tui::rollouts::inquiry::Finding;
use crate::tui::state::Document;
use crate::tui::testing::TestApp;
use crate::tui::theme::Depth;
use crate::tui::windows::overlay::Overlay;

/// Where the list has no room below it, its title says what the turn cost, and the top line which turn it is.
#[test]
fn a_small_screen_says_what_the_turn_cost() {
    let mut bench = TestApp::new(Depth::None);
    let mut shown = |keys: &str| {
        bench.keys(keys);
        bench.app.status = None;
        bench.screen(60, 20)
    };
    let title = |screen: &str| {
        let mut lines = screen.lines();
        lines
            .find(|line| {
                ["candidates", "plays by name", "cube decision"]
                    .iter()
                    .any(|name| line.contains(name))
            })
            .unwrap()
            .to_owned()
    };
    let screen = shown("n");
    assert!(screen.starts_with(" game 1 move 3  anna"), "{screen}");
    assert!(title(&screen).contains("error 0.534 ?? "), "{screen}");
    // The chances have their heads there as well.
    let screen = shown("i");
    for words in ["error 0.534 ?? ", "   win   wg   wb   lg   lb"] {
        assert!(title(&screen).contains(words), "{words}:\n{screen}");
    }
    assert_has!(screen, "Z shows moves, chart");
    // Of a cube decision it says what was done.
    let screen = shown("i b");
    assert!(
        title(&screen).contains("rolls without a double"),
        "{screen}"
    );
    // While the answers are hidden it says nothing.
    let screen = shown("b : h i d e enter");
    assert!(!title(&screen).contains("error"), "{screen}");
}

/// Where there is no room for the board, the top line tells the roll and whose it is, or who decides about the cube.
#[test]
fn a_screen_without_a_board_says_whose_turn_it_is() {
    let mut bench = TestApp::new(Depth::None);
    let mut shown = |keys: &str, (width, height): (u16, u16)| {
        bench.keys(keys);
        bench.app.status = None;
        let before = bench.app.turn().unwrap().before;
        let name = bench.app.name(before.player);
        let whose = format!("{} {name}", ["●", "○"][before.player.index()]);
        let asked = match before.state.roll {
            Some(roll) => format!(" {roll} {whose}"),
            None => format!(" cube: {whose}"),
        };
        let screen = bench.screen(width, height);
        (screen.lines().next().unwrap().to_owned(), asked)
    };
    for (keys, size, has_board) in [
        ("n", (40, 12), false),
        ("b", (40, 12), false),
        ("b", (60, 20), true),
    ] {
        let (line, asked) = shown(keys, size);
        assert!(line.starts_with(" game 1 move 3  "), "{line}");
        assert_eq!(line.contains(&asked), !has_board, "{line}: {asked}");
    }
}

/// A board alone on the screen gives way where a smaller terminal has no room for it, and comes back.
#[test]
fn a_board_alone_without_room_leaves_no_empty_screen() {
    let mut bench = TestApp::new(Depth::None);
    bench.draw(80, 24);
    bench.keys("Z");
    bench.app.status = None;
    let screen = bench.screen(40, 12);
    assert_has!(screen, "candidates");
    let last = screen.lines().last().unwrap();
    assert!(last.starts_with(" Esc all panes "), "{last}");
    assert_lacks!(bench.screen(80, 24), "candidates");
}

/// Nor is there one beside a question, which the pane says.
#[test]
fn a_question_without_a_board_says_so() {
    let mut bench = super::quiz::with(Vec::new(), 0);
    bench.keys("z z");
    let without = "no room for the board";
    for (size, words) in [
        ((40, 12), without),
        ((50, 15), without),
        ((60, 20), "1 of "),
    ] {
        let screen = bench.screen(size.0, size.1);
        let title = screen
            .lines()
            .find(|line| line.contains("question"))
            .unwrap();
        assert!(title.contains(words), "{screen}");
    }
}

/// No sentence of the rollout settings loses its end.
#[test]
fn the_rollout_settings_are_whole() {
    let mut bench = TestApp::new(Depth::None);
    let screen = bench.screen_after("R R", 60, 20);
    assert_has!(screen, "here at most 14 s", "plies, truncation");
    assert_has!(screen, "and trials");
}

/// However small the terminal, settings show the selected field with its value; a description that gives way to the count
/// of the other fields says that it is cut.
#[test]
fn settings_show_their_field_on_the_smallest_screens() {
    let mut bench = TestApp::new(Depth::None);
    let screen = bench.screen_after("R R", 20, 5);
    assert_has!(screen, "‹ ", "more");
    bench.keys("esc ,");
    let mut is_cut = false;
    for _ in 0..10 {
        let screen = bench.screen(40, 12);
        let line = screen
            .lines()
            .find(|line| line.contains(" more │"))
            .unwrap();
        let before: String = line.chars().take_while(|c| !"↑↓".contains(*c)).collect();
        assert!(before.ends_with("  "), "{line}");
        is_cut |= before.trim_end().ends_with('…');
        bench.keys("j");
    }
    assert!(is_cut, "no description is so long");
}

/// In a game that is played a second click on a play makes it, and does not mark it: no button does on a small screen.
#[test]
fn a_second_click_makes_the_play_of_a_game() {
    let (_folder, path) = begun(7, 5);
    let mut bench = playing(&path);
    roll_until(&mut bench, |prompt| matches!(prompt, MatchPrompt::Play(_)));
    let line = |bench: &TestApp| bench.app.variation.as_ref().unwrap().line.len();
    let before = line(&bench);
    for made in [false, true] {
        bench.app.status = None;
        bench.draw(60, 20);
        let area = bench.app.areas.candidates;
        let second = area.y + list_top(area.height) + 1;
        mouse(&mut bench, LEFT, (area.x + 5, second));
        assert_eq!(line(&bench) > before, made);
    }
    assert!(bench.app.marked.values().all(|plays| plays.is_empty()));
}

/// On a small screen the pane has the place of the candidates, and the bottom line says so.
#[test]
fn a_small_screen_has_the_pane_of_the_editor() {
    let mut bench = TestApp::typed(Depth::None, "n e d 3 1 enter");
    bench.app.status = None;
    let screen = bench.screen(60, 20);
    let known = [
        "● 15 of 15",
        "○ 15 of 15",
        "Enter opens it",
        "d dice 31",
        "t on roll ●",
    ];
    let others = [
        "cube 1 centred",
        "Crawford no",
        " Enter open ",
        "too small for candidates",
    ];
    for words in known.into_iter().chain(others) {
        assert_has!(screen, words);
    }
    // What is wrong with a position is said there.
    bench.keys("x 7");
    bench.app.status = None;
    let screen = bench.screen(60, 20);
    assert_has!(screen, "still to place");
    assert_lacks!(screen, "Enter open");
    // Where the candidates have rows enough they keep some.
    assert_has!(bench.screen(80, 23), "candidates ─", "position editor ─");
}

/// Where there is little room the letters of the grid come first, in few words.
#[test]
fn every_letter_of_the_matrix_is_explained() {
    let mut bench = TestApp::typed(Depth::None, "n M m");
    let Some(Overlay::Matrix { inquiry, .. }) = bench.app.overlay else {
        panic!("no window");
    };
    let answer = bench.app.inquiries.about(&inquiry).unwrap();
    let answers = answer.matrix.clone().unwrap().answers;
    let state = *inquiry.state();
    let plays = PlayList::of(&state.position, state.roll.unwrap());
    for (cell, answer) in answers.into_iter().enumerate() {
        let other = CellAnswer {
            best: Some(BestChoice::Play(plays.results()[cell % 5])),
            cost: Some(0.05),
            is_change: true,
            ..answer.unwrap()
        };
        bench.app.inquiries.found(2, Finding::Cell(cell, other));
    }
    let names: Vec<String> = (plays.plays().iter())
        .map(|play| crate::tui::text::play(play, &state.position))
        .collect();
    bench.keys("r");
    bench.roll(720, true);
    for (w, h) in [(80, 24), (60, 20)] {
        let screen = bench.screen(w, h);
        for letter in 'A'..='E' {
            let is_named = |name: &String| screen.contains(&format!("{letter} {name}"));
            assert!(names.iter().any(is_named), "{letter}:\n{screen}");
        }
        // Columns that are out of sight are said to be.
        assert_eq!(
            screen.lines().any(|line| line.ends_with("› │")),
            w < 80,
            "{screen}"
        );
    }
}

/// The grid moves along with the score that is selected, and leaves it its words.
#[test]
fn a_small_matrix_scrolls_with_the_selected_score() {
    let mut bench = TestApp::typed(Depth::True, "n M");
    // From the score of the match down to the last row, and up to the first.
    for key in ["j", "j", "j", "k", "k", "k", "k", "k", "k", "k"] {
        bench.keys(key);
        let Some(Overlay::Matrix { place, .. }) = bench.app.overlay else {
            panic!("no window");
        };
        let screen = bench.screen(40, 12);
        let label = format!("│ {:>3} ", place.row);
        assert_has!(screen, &label);
        // What is selected is told in words.
        let score = format!("{}-away", place.row);
        assert_has!(screen, &score);
    }
    let Some(Overlay::Matrix { place, .. }) = bench.app.overlay else {
        panic!("no window");
    };
    assert_eq!(place.row, 1);
}

/// All that a window says can be read on a small screen too: it scrolls with the selected roll.
#[test]
fn a_small_window_scrolls_with_the_selected_roll() {
    let race = [(6, 3), (5, 3), (4, 3), (3, 3), (2, 3)];
    let race = GameState::money(Position::from_points(&race, &race).unwrap());
    let race = Document::of_position(race, "race".into(), 1);
    let of_cube = [
        "│ no double ",
        "wins 54.5 gammon",
        "not doubling costs 0.000",
        "taking 0.000",
        "too good from 83.6%",
        "replies of 36 that lose the market",
        "  1    2    3    4    5    6 ",
        "6-6: a double is passed",
    ];
    let of_plays = [
        "A is better on",
        "A  24/15*",
        "bg lost",
        "A, best reply",
        "│  1-1 ",
        "│  6-6 ",
    ];
    let benches = [
        (TestApp::with(Depth::None, race), "Y", &of_cube[..]),
        (TestApp::new(Depth::None), "n j j Y", &of_plays),
    ];
    for (mut bench, keys, words) in benches {
        bench.keys(keys);
        let mut screens = bench.screen(60, 20);
        assert_has!(screens, " more ─");
        for _ in 0..20 {
            bench.keys("j");
            screens.push_str(&bench.screen(60, 20));
        }
        for words in words {
            assert_has!(screens, words);
        }
    }
}

/// In a very low window it goes from row to row as well: none is left out.
#[test]
fn a_very_low_window_leaves_no_row_out() {
    let mut bench = TestApp::typed(Depth::None, "n j j Y");
    let mut screens = bench.screen(45, 10);
    for _ in 0..20 {
        bench.keys("j");
        screens.push_str(&bench.screen(45, 10));
    }
    let rows = [
        "│ A  ",
        "│ equity ",
        "│ wins ",
        "│ gammons ",
        "│ bg ",
        "│ gammons lost ",
        "│ bg lost ",
        "A is better on",
        "A, best reply",
        "│  1-1 ",
        "│  6-6 ",
    ];
    for words in rows {
        assert_has!(screens, words);
    }
}

/// The editor has two columns only where the second one has room.
#[test]
fn the_second_column_of_the_editor_is_not_cut() {
    let mut bench = TestApp::typed(Depth::None, "n e");
    bench.app.status = None;
    assert_has!(bench.screen(45, 14), "d dice ");
}

/// The equities of plays stand beside them wherever the plays of the question leave room for them.
#[test]
fn the_quiz_has_the_equities_of_short_plays() {
    /// Columns that the pane has for plays beside both figures.
    const ROOM: usize = 11;
    let mut bench = super::quiz::with(Vec::new(), 0);
    bench.keys("z z");
    let left = super::quiz::quiz(&bench).left.iter();
    let plays = left
        .filter(|decision| decision.state.roll.is_some())
        .count();
    let mut with_equities = 0;
    for _ in 0..plays.min(8) {
        super::quiz::to_question(&mut bench, true);
        let asked = super::quiz::quiz(&bench).open.question.as_ref().unwrap();
        let longest = asked
            .choices
            .iter()
            .map(|choice| asked.words(choice).chars().count());
        let has_room = longest.max().unwrap() <= ROOM;
        let best = super::quiz::key(&bench, true);
        let screen = bench.screen_after(&best, 80, 24);
        assert_eq!(screen.contains("equity    diff"), has_room, "{screen}");
        with_equities += usize::from(has_room);
        bench.keys("enter");
    }
    assert!(with_equities > 0, "no question had short plays");
}

/// The list of moves that has the screen alone has the totals of both players.
#[test]
fn the_moves_alone_have_both_totals() {
    let mut bench = TestApp::typed(Depth::None, "Z Z Z");
    bench.app.status = None;
    let screen = bench.screen(60, 20);
    let below = screen.lines().skip_while(|line| !line.contains("match ─"));
    let below: Vec<&str> = below.skip(1).take(2).collect();
    assert!(
        below[0].contains("Anna") && below[1].contains("Bénédicte"),
        "{screen}"
    );
}

/// Where more plays than rows are in the chart, each letter stands at the height of its line, beside others there.
#[test]
fn letters_of_the_chart_stand_at_their_lines() {
    let mut bench = TestApp::typed(
        Depth::None,
        "n space j space j space j space j space j space r",
    );
    // All are shown to be worse than the first: there is no lead to look at.
    bench.roll(360_000, false);
    bench.app.selection.play = None;
    let screen = bench.screen(80, 24);
    let chart = screen
        .lines()
        .skip_while(|line| !line.contains("convergence"));
    let ends: String = chart
        .skip(1)
        .take(4)
        .flat_map(|line| line.chars().skip(33).take(4))
        .filter(|c| !c.is_whitespace())
        .collect();
    assert!(ends.len() >= 5 || ends.contains('…'), "{ends}:\n{screen}");
}

/// Keys that may follow, and messages, have the whole width, also over what the screen is too small for and over a
/// window of the whole height.
#[test]
fn what_may_follow_and_what_is_said_is_whole() {
    let mut bench = TestApp::new(Depth::None);
    bench.draw(60, 20);
    let screen = bench.screen_after("n z", 60, 20);
    assert_has!(screen, "back to the questions");
    bench.keys("esc /");
    bench
        .app
        .say("a message that is much longer than the bottom line of a screen of sixty columns");
    assert_has!(bench.screen(60, 20), "a message that is", "sixty columns");
}

/// Keys that are about a row are named only where there is one.
#[test]
fn a_window_without_rows_names_no_keys_of_rows() {
    let mut bench = TestApp::typed(Depth::None, "/");
    let bar = |bench: &mut TestApp| {
        let screen = bench.screen(120, 40);
        screen.lines().last().unwrap().to_owned()
    };
    let library = bar(&mut bench);
    for key in ["rows", "open", "remove", "me"] {
        assert!(
            !library.split_whitespace().any(|word| word == key),
            "{library}"
        );
    }
    assert_has!(library, "close");
}

#[test]
fn a_time_left_that_has_no_room_is_left_out() {
    let mut bench = TestApp::typed(Depth::None, "B enter");
    for width in 30..60 {
        let top = bench.screen(width, 12);
        let top = top.lines().next().unwrap().trim_end().to_owned();
        assert!(
            !top.contains("left") || top.ends_with("left"),
            "{width}: {top}"
        );
        assert!(
            !top.contains(" le ") && !top.ends_with(" le") && !top.ends_with("lef"),
            "{top}"
        );
    }
}
