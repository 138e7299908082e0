//! How the screen is laid out, and how long it takes to draw.

use std::time::{Duration, Instant};

use ratatui::style::{Color, Modifier};

use crate::game::{GameState, Position, Roll};
use crate::notation::parse_id;
use crate::review::Mark;
use crate::tui::figures::candidate_rows;
use crate::tui::screen::layout::Pane;
use crate::tui::screen::targets::Target;
use crate::tui::state::Document;
use crate::tui::testing::{TestApp, record};
use crate::tui::theme::{Depth, contrast};

#[test]
fn panes_are_zoomed_in_turn_and_come_back() {
    let mut bench = TestApp::new(Depth::True);
    let before = bench.screen(120, 40);
    for pane in Pane::ALL {
        bench.keys("Z");
        assert_eq!(bench.app.options.zoom, Some(pane));
        assert_has!(bench.screen(120, 40), pane.name());
    }
    bench.keys("Z");
    assert_eq!(bench.screen(120, 40), before);
    bench.keys("Z esc");
    assert_eq!(bench.screen(120, 40), before);
    // Also with a play selected the bottom line begins with what leads back.
    bench.keys("j Z");
    bench.app.status = None;
    let screen = bench.screen(80, 24);
    let last = screen.lines().last().unwrap();
    assert!(last.starts_with(" Esc all panes  "), "{last}");
    assert!(last.ends_with("? keys   q quit"), "{last}");
    bench.keys("esc");
    assert_eq!(bench.app.options.zoom, None);
    bench.keys("esc");
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
    assert_eq!(widths("( ( ( ("), (board + 1, moves - 6));
}

/// The place of the editor's cursor stands out from the edge of the board in every theme at every depth.
#[test]
fn the_cursor_of_the_editor_is_seen() {
    for depth in [Depth::True, Depth::Indexed, Depth::Sixteen] {
        let mut bench = TestApp::new(depth);
        bench.keys("e");
        for theme in 0..bench.app.themes.len() {
            bench.app.theme = theme;
            let screen = bench.draw(120, 40);
            let (frame, style) = (
                bench.app.areas.board_frame().unwrap(),
                bench.app.areas.style,
            );
            let x = frame.x + style.cell_column(12, false);
            let [cursor, beside] = [x, x - 1].map(|x| &screen[(x, frame.bottom() - 1)]);
            assert!(cursor.modifier.contains(Modifier::REVERSED));
            let name = &bench.app.theme().name;
            if cursor.fg != Color::Reset {
                let found = contrast(cursor.fg, beside.bg);
                assert!(found >= 3.5, "{name} {depth:?}: {found:.2}");
            }
        }
    }
}

/// A key that can change nothing says so, and leaves nothing behind for a larger screen.
#[test]
fn edges_stop_where_the_screen_ends() {
    let mut bench = TestApp::new(Depth::True);
    let said = |bench: &TestApp| {
        let status = bench.app.status.as_ref();
        status.map_or_else(String::new, |status| status.text.clone())
    };
    bench.draw(80, 24);
    bench.keys("( (");
    assert_eq!(said(&bench), "the board is as small as it gets");
    assert_eq!(bench.app.options.smaller_board, 0);
    bench.draw(200, 60);
    bench.keys("( ( ( ( ( ( ( ( (");
    assert_eq!(said(&bench), "the board is as small as it gets");
    let steps = usize::from(bench.app.options.smaller_board);
    bench.draw(200, 60);
    let small = bench.app.areas.style.wide;
    bench.keys(")");
    bench.draw(200, 60);
    assert!(bench.app.areas.style.wide > small, "after {steps} steps");
    bench.keys(") ) ) ) ) ) ) )");
    let words = "the board is as large as the screen has room for";
    assert_eq!(said(&bench), words);
    bench.keys("tab");
    let narrowest = (0..20).any(|_| {
        bench.keys("(");
        bench.draw(200, 60);
        said(&bench) == "the list of moves is as narrow as it gets"
    });
    assert!(narrowest);
}

/// A small screen says what it has no room for, but not in the place of what is said or asked; what is long
/// has a second row.
#[test]
fn messages_are_read_to_their_end() {
    for (w, h) in [(60, 20), (79, 23), (80, 24)] {
        let mut bench = TestApp::new(Depth::None);
        let calm = bench.screen(w, h);
        assert_eq!(
            calm.contains("Z shows chances, moves, chart"),
            w < 80,
            "{calm}"
        );
        let long =
            "one question that takes the room of a line and more: does anybody read the end of it?";
        bench.app.warn(long);
        let screen = bench.screen(w, h);
        let lines: Vec<&str> = screen.lines().collect();
        let said = lines[lines.len() - 2..].join(" ");
        let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(said, format!("! {long}"), "{screen}");
    }
    // On a tall screen the keys stay below it.
    let mut bench = TestApp::new(Depth::None);
    bench.app.warn("nothing to do");
    let screen = bench.screen(120, 40);
    let lines: Vec<&str> = screen.lines().collect();
    assert_has!(lines[38], "! nothing to do");
    assert_has!(lines[39], "next error");
}

/// Where there is little room for a cube decision the decision itself stays.
#[test]
fn a_small_screen_shows_the_decision_first() {
    let mut bench = TestApp::new(Depth::None);
    while bench.app.turn().unwrap().before.state.roll.is_some() {
        bench.keys("l");
    }
    bench.app.status = None;
    for (w, h) in [(60, 20), (120, 40)] {
        let screen = bench.screen(w, h);
        assert_has!(screen, "cube action", "no double", "double/take");
        assert_has!(screen, "double/pass");
        assert_eq!(screen.contains("gammon"), h > 20, "{screen}");
    }
    // The keys of a window stand where else is said what there is no room for.
    assert_lacks!(bench.screen_after("E", 60, 20), "Z shows");
}

/// While a position is set up, the marks are those of the match beneath, and no click leads there.
#[test]
fn a_click_into_the_marks_does_not_move_what_is_beneath() {
    let mut bench = TestApp::typed(Depth::None, "n n n");
    bench.draw(80, 24);
    let is_turn = |bench: &TestApp| {
        let mut targets = bench.app.areas.targets.iter();
        targets.any(|(_, target)| matches!(target, Target::Turn(_)))
    };
    let strip = |bench: &mut TestApp| {
        let screen = bench.screen(80, 24);
        screen.lines().nth(1).map(str::to_owned)
    };
    let before = strip(&mut bench);
    assert!(is_turn(&bench));
    bench.keys("e");
    assert!(bench.app.editor.is_some());
    assert_eq!(strip(&mut bench), before);
    assert!(!is_turn(&bench));
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
            assert_eq!(signs("V b"), (true, true), "{w}×{h}");
            assert_eq!(signs(": h i d e enter"), (false, false), "{w}×{h}");
            assert_eq!(signs(": h i d e enter V b"), (false, false), "{w}×{h}");
        }
    }
}

/// So it does where both bear a checker off: their signs are beside each other in the tray.
#[test]
fn both_plays_that_bear_off_are_in_the_tray() {
    for depth in [Depth::True, Depth::Sixteen, Depth::None] {
        for (w, h) in [(80, 24), (120, 40), (200, 60)] {
            let state = parse_id("XGID=-AA--A-------------bb-----:0:0:1:61:0:0:0:0:10").unwrap();
            let document = Document::of_position(state, "x".into(), 1);
            let mut bench = TestApp::with(depth, document);
            bench.keys("j j V b");
            bench.app.status = None;
            let buffer = bench.draw(w, h);
            let frame = bench.app.areas.board_frame().unwrap();
            let style = bench.app.areas.style;
            let left = frame.left() + style.tray_column(false);
            let cells = (frame.top()..frame.bottom())
                .flat_map(|y| (left..left + style.wide).map(move |x| (x, y)));
            let tray: String = cells.map(|cell| buffer[cell].symbol()).collect();
            assert!(tray.contains('★') && tray.contains('▸'), "{w}×{h}: {tray}");
        }
    }
}

/// Run with `cargo test --release --lib a_whole_frame -- --ignored --nocapture`.
#[test]
#[ignore = "a measurement: it means something in a release build alone"]
fn a_whole_frame_takes_less_than_three_milliseconds() {
    let mut bench = TestApp::typed(Depth::True, "n j");
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

/// The name of what is open is whole where there is room for it beside the facts; where it is cut, facts are left
/// out whole.
#[test]
fn a_long_title_takes_the_room_there_is() {
    let mut bench = TestApp::new(Depth::True);
    let title = "the final of the club evening in the old mill.mat";
    bench.app.document.title = title.into();
    let line = |bench: &mut TestApp, wide| bench.screen(wide, 24).lines().next().map(str::to_owned);
    let wide = line(&mut bench, 120).unwrap();
    assert_has!(wide, title, "move 1");
    let narrow = line(&mut bench, 80).unwrap();
    assert_has!(narrow, "the final of", '…', "game 1/3  0–0/5");
}

/// A name is proposed for a file: what is typed takes its place, but only at once.
#[test]
fn a_proposed_name_gives_way_to_what_is_typed() {
    let typed = |keys: &str| {
        let mut bench = TestApp::new(Depth::True);
        bench.keys(&format!("n y p {keys}"));
        let Some(super::Overlay::Prompt { input, .. }) = &bench.app.overlay else {
            panic!("no window");
        };
        input.value().to_owned()
    };
    let proposed = typed("");
    assert!(proposed.ends_with(".svg"), "{proposed}");
    assert_eq!(typed("x . p n g"), "x.png");
    assert_eq!(typed("home x"), format!("x{proposed}"));
    assert_eq!(
        typed("backspace backspace backspace p n g"),
        proposed.replace(".svg", ".png")
    );
}

/// What is cut ends with a sign, also before figures that are aligned.
#[test]
fn long_names_are_cut_with_a_sign() {
    let mut record = record();
    record.players = ["Maximilian Mustermann", "Bénédicte-Charlotte Ungerer"].map(Into::into);
    let document = Document::of_match(record, "long.mat".into(), 1);
    let mut bench = TestApp::with(Depth::None, document);
    for keys in ["", "C"] {
        bench.keys(keys);
        bench.app.status = None;
        let screen = bench.screen(120, 40);
        let is_total = |line: &&str| {
            [" ● Max", " ○ Bén"]
                .iter()
                .any(|name| line.starts_with(name))
        };
        let totals: Vec<&str> = screen.lines().filter(is_total).collect();
        assert_eq!(totals.len(), 2, "{screen}");
        assert!(totals.iter().all(|line| line.contains("… ")), "{screen}");
    }
}

/// A command whose description is long has as many lines for it as it takes.
#[test]
fn a_long_description_is_whole() {
    for (w, h) in [(80, 24), (120, 40), (200, 60)] {
        let mut bench = TestApp::new(Depth::None);
        assert_has!(
            bench.screen_after(": g a m m o n", w, h),
            "best costs there"
        );
    }
}

/// A name gives way to what was done with the cube, and to what was not.
#[test]
fn a_long_name_leaves_room_for_the_cube_action() {
    let mut record = record();
    record.players = ["Maximiliana Alexandra", "Bénédicte-Charlotte"].map(Into::into);
    for (w, h) in [(80, 24), (120, 40)] {
        let document = Document::of_match(record.clone(), "long.mat".into(), 1);
        let mut bench = TestApp::with(Depth::None, document);
        let mut screen = |keys: &str| {
            bench.keys(keys);
            bench.app.status = None;
            bench.screen(w, h)
        };
        let early = screen("l l b");
        assert_has!(early, "… rolls without a double");
        let doubled = screen("b l l l l l l");
        assert_has!(doubled, " doubles to 2");
        let late = screen("l l l b");
        assert_has!(late, "… rolls without a redouble");
    }
}

/// In the line of marks a cube action has the mark of its error, and one that could not be analysed says so.
#[test]
fn cube_actions_are_marked_in_the_line_of_marks() {
    let mut bench = TestApp::new(Depth::None);
    let is_double = |turn: &usize| bench.app.document.turns[*turn].before.state.roll.is_none();
    let double = (0..20).find(is_double).unwrap();
    assert_eq!(bench.app.worst_mark(double), Some(Mark::Blunder));
    bench.app.document.failed.insert(double + 1, "why".into());
    let mut sign = |turn: usize, keys: &str| {
        bench.keys(keys);
        bench.app.status = None;
        let screen = bench.draw(80, 24);
        let mut targets = bench.app.areas.targets.iter();
        let cell = targets.find(|(_, target)| *target == Target::Turn(turn));
        let (cell, _) = cell.unwrap();
        let signs = [cell.x, cell.x + 1].map(|x| screen[(x, cell.y)].symbol().to_owned());
        signs.concat().trim().to_owned()
    };
    assert_eq!(sign(double, "esc"), "??");
    assert_eq!(sign(double + 1, "esc"), "!");
    assert_eq!(sign(double, ": h i d e enter"), "▫");
}

/// The file may begin with a later game: all places count from its first one.
#[test]
fn errors_are_placed_by_the_order_of_the_games() {
    let mut record = record();
    for game in &mut record.games {
        game.number += 10;
    }
    let document = Document::of_match(record, "later.mat".into(), 1);
    let mut bench = TestApp::with(Depth::None, document);
    let screen = bench.screen_after("E", 120, 40);
    let line = screen.lines().find(|line| line.contains("  1.3 ")).unwrap();
    assert!(!line.contains(" 11.") && !line.contains(" 12."), "{screen}");
    assert_has!(screen, "  1.3 ");
}

/// Side facts give way to game and score, the last of them first.
#[test]
fn side_facts_give_way_to_the_place() {
    let mut bench = TestApp::typed(Depth::True, "n r n r");
    bench.roll(360, false);
    bench.app.document.is_final.fill(false);
    bench.app.status = None;
    let mut line = |wide| {
        let screen = bench.screen(wide, 24);
        screen.lines().next().unwrap().to_owned()
    };
    let wide = line(200);
    assert_has!(wide, "1 warning", "review 0% waits", "+1 queued");
    assert_has!(wide, "game 1/3  0–0");
    let narrow = line(80);
    assert_has!(narrow, " anna-", "game 1/3  0–0/5", "review waits");
    assert_has!(narrow, "● rolling", " left");
    assert_lacks!(narrow, "queued");
}

/// With little room long plays leave none for equities: the losses keep their column in each row, and the best equity
/// stands in the title.
#[test]
fn long_plays_have_the_room_of_the_equities() {
    let state = GameState {
        roll: Roll::new(3, 3),
        ..GameState::money(Position::opening())
    };
    let document = Document::of_position(state, "opening".into(), 1);
    let mut bench = TestApp::with(Depth::None, document);
    let screen = bench.screen(80, 24);
    let line = |words: &str| screen.lines().find(|line| line.contains(words)).unwrap();
    assert!(!line(" diff").contains("equity"), "{screen}");
    let rows = candidate_rows::rows(&bench.app);
    let best = crate::tui::text::equity(rows[0].equity);
    assert!(line("candidates").contains(&best), "{screen}");
    let losses = screen
        .lines()
        .filter(|line| line.ends_with(char::is_numeric));
    let losses = losses.filter(|line| line.contains(" -0.") || line.contains(" -1."));
    let ends: Vec<usize> = losses.map(|line| line.chars().count()).collect();
    assert!(ends.len() > 3, "{screen}");
    assert!(ends.iter().all(|end| *end == ends[0]), "{screen}");
    // Where there is room both are there.
    assert!(bench.screen(120, 40).contains("equity   diff"));
}

/// The list by equity has the best one: in its row, or where a long play takes the room, in the title; also while
/// deeper figures are to come.
#[test]
fn a_list_by_equity_has_the_best_one() {
    for (roll, is_long) in [((3, 1), false), ((3, 3), true)] {
        let state = GameState {
            roll: Roll::new(roll.0, roll.1),
            ..GameState::money(Position::opening())
        };
        let document = Document::of_position(state, "opening".into(), 1);
        let mut bench = TestApp::with(Depth::None, document);
        bench.keys("V o");
        for more in [0, 1] {
            bench.app.settings.ply += more;
            let screen = bench.screen(80, 24);
            let rows = candidate_rows::rows(&bench.app);
            let best = rows.iter().find(|row| row.is_best).unwrap();
            let play = crate::tui::text::play(&best.candidate.play, &state.position);
            let place = match play.len() > 10 {
                true => " by equity",
                false => "★",
            };
            let equity = crate::tui::text::equity(best.equity);
            let mut lines = screen.lines();
            assert!(
                lines.any(|line| line.contains(place) && line.contains(&equity)),
                "{play}: {screen}"
            );
            // A long play in the list takes nothing from the short ones.
            let has_heads = screen.lines().any(|line| line.contains("equity   diff"));
            assert!(has_heads || is_long, "{screen}");
        }
    }
}
