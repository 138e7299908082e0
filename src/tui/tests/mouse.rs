//! The mouse: what is drawn answers to a click.

use ratatui::crossterm::event::{Event, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Rect;

use crate::game::position::{BAR, OFF};
use crate::game::{Play, Player, Position, Roll};
use crate::tui::board::Scene;
use crate::tui::figures::candidate_rows::rows;
use crate::tui::figures::lists::{list_height, list_top};
use crate::tui::keys::{ActionId, KeyMap};
use crate::tui::message::Message;
use crate::tui::screen::targets::{Divider, Target};
use crate::tui::state::Document;
use crate::tui::testing::{TestApp, text};
use crate::tui::theme::Depth;
use crate::tui::windows::overlay::Overlay;

pub(super) const LEFT: MouseEventKind = MouseEventKind::Down(MouseButton::Left);

pub(super) fn mouse(bench: &mut TestApp, kind: MouseEventKind, (column, row): (u16, u16)) {
    let modifiers = KeyModifiers::NONE;
    bench.tell(Message::Input(Event::Mouse(MouseEvent {
        kind,
        column,
        row,
        modifiers,
    })));
}

/// Where something that can be pointed at was drawn, in a frame of this size.
fn area(bench: &mut TestApp, size: (u16, u16), is: impl Fn(&Target) -> bool) -> Option<Rect> {
    bench.app.status = None;
    bench.draw(size.0, size.1);
    let mut all = bench.app.areas.targets.iter();
    all.find(|(_, target)| is(target)).map(|found| found.0)
}

pub(super) fn click(bench: &mut TestApp, size: (u16, u16), is: impl Fn(&Target) -> bool) {
    let area = area(bench, size, is).expect("it is on the screen");
    mouse(bench, LEFT, (area.x, area.y));
}

fn click_action(bench: &mut TestApp, size: (u16, u16), id: ActionId) {
    click(bench, size, |target| *target == Target::Action(id));
}

const SIZES: [(u16, u16); 3] = [(80, 24), (120, 40), (200, 60)];

#[test]
fn the_keys_of_the_bottom_line_are_buttons() {
    for size in SIZES {
        let mut bench = TestApp::new(Depth::True);
        click_action(&mut bench, size, ActionId::NextTurn);
        assert_eq!(bench.app.at, 1);
        click_action(&mut bench, size, ActionId::PreviousTurn);
        assert_eq!(bench.app.at, 0);
        click_action(&mut bench, size, ActionId::NextError);
        assert_eq!(Some(bench.app.at), bench.app.errors().find(|&t| t > 0));
        click_action(&mut bench, size, ActionId::Down);
        assert!(bench.app.selection.play.is_some());
        click_action(&mut bench, size, ActionId::Help);
        assert!(matches!(bench.app.overlay, Some(Overlay::Help { .. })));
        click_action(&mut bench, size, ActionId::Close);
        assert!(bench.app.overlay.is_none());
        // The second key of a sequence.
        bench.keys("y");
        click_action(&mut bench, size, ActionId::CopyXgid);
        assert!(bench.copied.take().is_some_and(|id| id.starts_with("XGID")));
        assert!(bench.app.pending.is_empty());
    }
}

#[test]
fn charts_and_marks_lead_to_their_turns() {
    let mut bench = TestApp::new(Depth::True);
    for (w, h) in SIZES {
        bench.keys("L");
        let game = bench.app.turn().unwrap().game;
        let turns = || 0..bench.app.document.turns.len();
        let of_game = |i: &usize| bench.app.document.turns[*i].game == game;
        let (first, last) = (turns().find(of_game), turns().rfind(of_game));
        let is_course = |target: &Target| matches!(target, Target::Course { .. });
        let chart = area(&mut bench, (w, h), is_course).unwrap();
        mouse(&mut bench, LEFT, (chart.right() - 1, chart.y));
        assert_eq!(Some(bench.app.at), last);
        mouse(&mut bench, LEFT, (chart.x, chart.y));
        assert_eq!(Some(bench.app.at), first);
    }
    let third = |target: &Target| *target == Target::Turn(3);
    bench.keys("H H H");
    click(&mut bench, (80, 24), third);
    assert_eq!(bench.app.at, 3);
}

/// The list of moves stays where it is under the mouse: a second click is on the same turn.
#[test]
fn a_double_click_stays_on_its_turn() {
    let mut bench = TestApp::typed(Depth::True, "L L l l l l l l l l l l l l l l l l l l");
    for row in [6, 12, 5] {
        bench.draw(120, 40);
        mouse(&mut bench, LEFT, (5, row));
        let clicked = bench.app.at;
        bench.draw(120, 40);
        mouse(&mut bench, LEFT, (5, row));
        assert_eq!(bench.app.at, clicked);
    }
    // A key brings the turn in view near the middle again.
    bench.keys("l");
    bench.draw(120, 40);
    let clicked = bench.app.at;
    mouse(&mut bench, LEFT, (5, 5));
    assert!(bench.app.at + 5 < clicked);
}

#[test]
fn the_chart_of_a_rollout_tells_what_was_found_by_then() {
    for keys in ["n j space j space j space r", "n j j c"] {
        let mut bench = TestApp::new(Depth::True);
        bench.keys(keys);
        bench.roll(1296, true);
        for size in SIZES {
            let is_plot = |target: &Target| matches!(target, Target::Trials(1296));
            let plot = area(&mut bench, size, is_plot).unwrap();
            mouse(&mut bench, LEFT, (plot.x + plot.width / 2, plot.y));
            let said = bench.app.status.take().unwrap().text;
            assert!(said.starts_with("after ") && said.contains(" ± "), "{said}");
            mouse(&mut bench, LEFT, (plot.right() - 1, plot.y));
            let said = bench.app.status.take().unwrap().text;
            assert!(said.starts_with("after 1296 trials"), "{said}");
        }
        // A play of the table is selected by a click.
        let is_play = |target: &Target| matches!(target, Target::Play(_));
        let play = area(&mut bench, (120, 40), is_play).unwrap();
        mouse(&mut bench, LEFT, (play.x, play.y));
        let found = bench.app.areas.targets.at(play.x, play.y).map(|t| t.1);
        assert_eq!(found, bench.app.selection.play.map(Target::Play));
    }
}

/// Clicks on a point of the player on roll, on the bar or on the tray.
pub(super) fn click_point(bench: &mut TestApp, kind: MouseEventKind, point: usize) {
    let frame = bench.app.areas.board_frame().unwrap();
    let (style, mirrored) = (bench.app.areas.style, bench.app.options.mirrored);
    let on_roll = bench.app.turn().unwrap().before.player;
    let is_bottom = on_roll == bench.app.bottom();
    let (top, column) = match point {
        BAR => (is_bottom, style.bar_column(mirrored)),
        OFF => (!is_bottom, style.tray_column(mirrored)),
        point => {
            let point = if is_bottom { point } else { BAR - point };
            let (top, place) = Scene::place(point, mirrored);
            (top, style.column(place, mirrored))
        }
    };
    let y = if top { 1 } else { style.height() - 2 };
    mouse(bench, kind, (frame.x + column + 1, frame.y + y));
}

#[test]
fn a_play_is_chosen_by_its_checkers() {
    for player in [Player::Left, Player::Right] {
        for view in ["esc", "f", "m"] {
            let mut state = crate::game::GameState::money(Position::opening());
            state.roll = Roll::new(3, 1);
            let document = Document::of_position(state, "x".into(), 1);
            let mut bench = TestApp::with(Depth::True, document);
            if player == Player::Right {
                bench = TestApp::new(Depth::True);
                while bench.app.turn().unwrap().before.player != player {
                    bench.keys("l");
                }
            }
            bench.keys(view);
            for (w, h) in SIZES {
                bench.draw(w, h);
                let all = rows(&bench.app);
                let before = bench.app.turn().unwrap().before.state.position;
                // One whose checkers do not go on from where another has come: that point would be clicked twice.
                let comes_to = |play: &Play, point| play.steps().any(|step| step.to == point);
                let goes_on = |play: &Play| play.steps().any(|step| comes_to(play, step.from));
                let mut later = all[all.len() / 2..].iter().map(|row| row.candidate);
                let wanted = later.find(|one| !goes_on(&one.play)).expect("such a play");
                for step in wanted.play.steps() {
                    click_point(&mut bench, LEFT, usize::from(step.from));
                    assert!(rows(&bench.app).len() <= all.len());
                    let shown = bench.app.selection.play;
                    assert!(shown.is_none() || shown == Some(wanted.result));
                }
                for step in wanted.play.steps() {
                    if bench.app.selection.play.is_none() {
                        click_point(&mut bench, LEFT, usize::from(step.to));
                    }
                }
                let left = rows(&bench.app);
                assert!(
                    left.iter().any(|row| row.candidate.result == wanted.result),
                    "{:?}",
                    wanted.play
                );
                assert!(left.len() < all.len());
                let screen = bench.screen(w, h);
                let count = format!("{} of {}", left.len(), all.len());
                assert_has!(screen, &count);
                bench.keys("esc");
                assert_eq!(rows(&bench.app).len(), all.len());
                // One click is taken back by the right button, all by one beside the points.
                let from = (1..=BAR).rfind(|&p| before.mover.at(p) > 0).unwrap();
                click_point(&mut bench, LEFT, from);
                let fewer = !bench.app.selection.picks.is_empty();
                click_point(&mut bench, MouseEventKind::Down(MouseButton::Right), from);
                assert!(bench.app.selection.is_empty() && (fewer || player == Player::Right));
            }
        }
    }
}

/// A click on the opponent's tray bears nothing off.
#[test]
fn the_tray_of_the_opponent_is_another_one() {
    let mut state = crate::game::GameState::money(
        Position::from_points(&[(1, 2), (6, 2)], &[(1, 2), (6, 2)]).unwrap(),
    );
    state.roll = Roll::new(3, 1);
    for view in ["esc", "f", "m"] {
        let document = Document::of_position(state, "x".into(), 1);
        let mut bench = TestApp::with(Depth::True, document);
        bench.keys(view);
        bench.draw(80, 24);
        let frame = bench.app.areas.board_frame().unwrap();
        click_point(&mut bench, LEFT, OFF);
        assert!(!bench.app.selection.picks.is_empty(), "{view}");
        bench.keys("esc");
        let style = bench.app.areas.style;
        let x = frame.x + style.tray_column(bench.app.options.mirrored) + 1;
        let is_bottom = bench.app.turn().unwrap().before.player == bench.app.bottom();
        let y = match is_bottom {
            true => frame.y + 1,
            false => frame.bottom() - 2,
        };
        mouse(&mut bench, LEFT, (x, y));
        assert!(bench.app.selection.picks.is_empty(), "{view}");
    }
}

#[test]
fn edges_are_dragged() {
    let size = (200, 60);
    let mut bench = TestApp::new(Depth::True);
    let mut pull = |divider: Divider, by: (i32, i32)| {
        let edge = area(&mut bench, size, |t| *t == Target::Divider(divider)).unwrap();
        let at = (edge.x, edge.y + edge.height / 2);
        let to = (
            (i32::from(at.0) + by.0) as u16,
            (i32::from(at.1) + by.1) as u16,
        );
        mouse(&mut bench, LEFT, at);
        mouse(&mut bench, MouseEventKind::Drag(MouseButton::Left), to);
        mouse(&mut bench, MouseEventKind::Up(MouseButton::Left), to);
        // A button that was let go moves nothing more.
        mouse(&mut bench, MouseEventKind::Drag(MouseButton::Left), (0, 0));
        bench.draw(size.0, size.1);
        (bench.app.areas.moves.width, bench.app.areas.style.wide)
    };
    let (moves, wide) = pull(Divider::Moves, (0, 0));
    assert_eq!(pull(Divider::Moves, (6, 0)).0, moves + 6);
    assert_eq!(pull(Divider::Moves, (-6, 0)).0, moves);
    assert_eq!(pull(Divider::BoardSide, (-14, 0)).1, wide - 1);
    assert_eq!(pull(Divider::BoardSide, (28, 0)).1, wide);
    assert_eq!(pull(Divider::BoardFoot, (0, -10)).1, wide - 2);
}

/// An edge that was moved as far as it goes, also in an earlier session, comes back at once: with the mouse and with keys.
#[test]
fn edges_come_back_from_their_ends() {
    let size = (120, 40);
    let mut bench = TestApp::new(Depth::True);
    let pull = |bench: &mut TestApp, divider: Divider, by: i32| {
        let edge = area(bench, size, |t| *t == Target::Divider(divider)).unwrap();
        let to = ((i32::from(edge.x) + by) as u16, edge.y + 9);
        mouse(bench, LEFT, (edge.x, edge.y + 9));
        mouse(bench, MouseEventKind::Drag(MouseButton::Left), to);
        mouse(bench, MouseEventKind::Up(MouseButton::Left), to);
        bench.draw(size.0, size.1);
        bench.app.areas.moves.width
    };
    let widest = pull(&mut bench, Divider::Moves, 84);
    assert_eq!(pull(&mut bench, Divider::Moves, 9), widest);
    assert_eq!(pull(&mut bench, Divider::Moves, -1), widest - 1);
    bench.app.options.wider_moves = 60;
    assert_eq!(pull(&mut bench, Divider::Moves, 0), widest);
    bench.keys("tab (");
    bench.draw(size.0, size.1);
    assert_eq!(bench.app.areas.moves.width, widest - 2);
    bench.app.options.wider_moves = 0;
    bench.draw(size.0, size.1);
    let largest = bench.app.areas.style.wide;
    pull(&mut bench, Divider::BoardSide, -40);
    let smallest = bench.app.areas.style.wide;
    bench.app.options.smaller_board = 7;
    pull(&mut bench, Divider::BoardSide, 14);
    assert!(bench.app.areas.style.wide > smallest, "{smallest}");
    pull(&mut bench, Divider::BoardSide, 60);
    assert_eq!(bench.app.areas.style.wide, largest);
}

#[test]
fn rows_and_cells_of_windows_answer() {
    let size = (120, 40);
    let row = |i| move |target: &Target| *target == Target::Row(i);
    let mut bench = TestApp::new(Depth::True);
    // A tab of help.
    bench.keys("? tab");
    click_action(&mut bench, size, ActionId::Complete);
    assert!(matches!(bench.app.overlay, Some(Overlay::List { .. })));
    click(&mut bench, size, row(2));
    assert!(matches!(
        bench.app.overlay,
        Some(Overlay::List { row: 2, .. })
    ));
    // A command is run by one click, an entry of help by a second one.
    bench.keys("esc : f l i p");
    click(&mut bench, size, row(0));
    assert!(bench.app.overlay.is_none() && bench.app.options.flipped);
    bench.keys("V f ?");
    click(&mut bench, size, row(1));
    assert!(bench.app.overlay.is_some());
    // Settings: a row, then its arrows.
    bench.keys("esc R R");
    click(&mut bench, size, row(3));
    let seed = bench.app.settings.rollout.seed;
    for _ in 0..3 {
        click_action(&mut bench, size, ActionId::More);
    }
    let more = |target: &Target| *target == Target::Action(ActionId::Less);
    let less = area(&mut bench, size, more).unwrap();
    let form = |bench: &TestApp| match &bench.app.overlay {
        Some(Overlay::Form(form)) => form.values.rollout.seed,
        _ => panic!("the window is closed"),
    };
    assert_eq!(form(&bench), seed + 3);
    mouse(&mut bench, LEFT, (less.x, less.y));
    assert_eq!(form(&bench), seed + 2);
    // A click on the ground of a window does nothing, nor one beside it.
    mouse(&mut bench, LEFT, (0, 5));
    assert!(bench.app.overlay.is_some());
    bench.keys("esc n j j Y");
    click(&mut bench, size, row(7));
    assert!(matches!(
        bench.app.overlay,
        Some(Overlay::Why { roll: 7, .. })
    ));
    bench.keys("esc M");
    let is_cell =
        |target: &Target| matches!(target, Target::Cell(p) if (p.row, p.column) == (3, 4));
    click(&mut bench, size, is_cell);
    assert!(matches!(
        bench.app.overlay,
        Some(Overlay::Matrix { place, .. }) if (place.row, place.column) == (3, 4)
    ));
    bench.keys("esc W");
    mouse(&mut bench, MouseEventKind::ScrollDown, (60, 20));
    assert!(bench.app.overlay.is_some());
}

#[test]
fn the_wheel_scrolls_what_is_under_it() {
    let mut bench = TestApp::new(Depth::True);
    bench.draw(120, 40);
    let areas = bench.app.areas.clone();
    let down = MouseEventKind::ScrollDown;
    mouse(
        &mut bench,
        down,
        (areas.candidates.x + 2, areas.candidates.y + 2),
    );
    assert!(bench.app.selection.play.is_some() && bench.app.at == 0);
    for (at, pane) in [areas.moves, areas.board, areas.chart]
        .into_iter()
        .enumerate()
    {
        mouse(&mut bench, down, (pane.x + 2, pane.y + 2));
        assert_eq!(bench.app.at, at + 1);
    }
}

/// The pane of the editor names the user's keys, and each of them is a button.
#[test]
fn facts_of_the_editor_are_buttons_with_the_real_keys() {
    for size in SIZES {
        let mut bench = TestApp::new(Depth::True);
        let own = "[editor]\n\"Jacoby\" = \"ctrl-j\"\n\"clear\" = \"Q\"\n";
        let read = KeyMap::read(own);
        assert!(read.complaints.is_empty(), "{:?}", read.complaints);
        bench.app.keymap = read.keys;
        let screen = bench.screen_after("e", size.0, size.1);
        assert!(
            screen.contains("Q") && !screen.contains("x clear"),
            "{screen}"
        );
        click_action(&mut bench, size, ActionId::Clear);
        let placed = bench
            .app
            .editor
            .as_ref()
            .unwrap()
            .draft()
            .placed(Player::Left);
        assert_eq!(placed, 0);
        click_action(&mut bench, size, ActionId::Undo);
        click_action(&mut bench, size, ActionId::Colour);
        assert_eq!(bench.app.editor.as_ref().unwrap().changes(), 0);
    }
}

/// In the editor a click on the lines of a player, above and below the board or beside it, puts that player on roll. What
/// stands above and below a board without such lines does not.
#[test]
fn a_click_on_a_player_puts_that_one_on_roll() {
    for (size, are_beside) in [((60, 20), true), ((79, 24), true), ((80, 24), false)] {
        let mut bench = TestApp::typed(Depth::True, "e");
        let on_roll = |bench: &TestApp| bench.app.turn().unwrap().before.player;
        for _ in 0..2 {
            let was = on_roll(&bench);
            bench.draw(size.0, size.1);
            let frame = bench.app.areas.board_frame().unwrap();
            let top = was == bench.app.bottom();
            let at = match (are_beside, top) {
                (true, true) => (frame.right() + 3, frame.y),
                (true, false) => (frame.right() + 3, frame.bottom() - 4),
                (false, true) => (frame.x + 3, frame.y - 1),
                (false, false) => (frame.x + 3, frame.bottom()),
            };
            mouse(&mut bench, LEFT, at);
            assert_eq!(on_roll(&bench), was.other(), "{size:?} at {at:?}");
            for y in [frame.y.wrapping_sub(1), frame.bottom()] {
                let is_line = |bench: &mut TestApp| {
                    bench.draw(size.0, size.1);
                    mouse(bench, LEFT, (frame.x + 30, y));
                    bench.app.overlay = None;
                    on_roll(bench) != was.other()
                };
                assert!(!are_beside || !is_line(&mut bench), "{size:?} at row {y}");
            }
        }
    }
}

/// What the keys that may follow, or a long message, hide is not clicked through them; a click ends the keys.
#[test]
fn what_hides_the_screen_takes_its_clicks() {
    let size = (80, 24);
    let mut bench = TestApp::new(Depth::True);
    let is_course = |target: &Target| matches!(target, Target::Course { .. });
    let chart = area(&mut bench, size, is_course).unwrap();
    bench.keys("g");
    bench.draw(size.0, size.1);
    let row = chart.bottom() - 1;
    let is_gap = |x: &u16| {
        let target = bench.app.areas.targets.at(*x, row);
        target.is_some_and(|target| target.1 == Target::Cover)
    };
    let last = ((chart.x..chart.right()).rfind(is_gap).unwrap(), row);
    mouse(&mut bench, LEFT, last);
    assert_eq!(bench.app.at, 0);
    assert!(bench.app.pending.is_empty());
    bench.app.say("many words ".repeat(12));
    bench.draw(size.0, size.1);
    mouse(&mut bench, LEFT, last);
    assert_eq!(bench.app.at, 0);
    assert!(bench.app.status.is_none());
    bench.draw(size.0, size.1);
    mouse(&mut bench, LEFT, last);
    assert!(bench.app.at > 0);
    bench.keys("g");
    bench.draw(size.0, size.1);
    mouse(&mut bench, MouseEventKind::Down(MouseButton::Right), (2, 2));
    assert!(bench.app.pending.is_empty());
}

/// In the editor a button that went down beside the board places no checkers, wherever it is moved.
#[test]
fn only_a_press_on_the_board_goes_on_there() {
    let (down, drag, up) = (
        LEFT,
        MouseEventKind::Drag(MouseButton::Left),
        MouseEventKind::Up(MouseButton::Left),
    );
    let size = (120, 40);
    let mut bench = TestApp::typed(Depth::True, "e x");
    bench.draw(size.0, size.1);
    let (frame, style) = (
        bench.app.areas.board_frame().unwrap(),
        bench.app.areas.style,
    );
    let point = |column: u16| (frame.x + style.cell_column(column, false), frame.y + 2);
    let candidates = bench.app.areas.candidates;
    let beside = (candidates.x + 4, candidates.bottom() - 1);
    let mut placed = |events: &[(MouseEventKind, (u16, u16))]| {
        for (kind, at) in events {
            mouse(&mut bench, *kind, *at);
        }
        let draft = bench.app.editor.as_ref().unwrap().draft();
        draft.placed(Player::Left)
    };
    let two = [(drag, point(2)), (drag, point(3)), (up, point(3))];
    assert_eq!(placed(&[(down, beside), two[0], two[1], two[2]]), 0);
    assert_eq!(placed(&[(down, point(1)), two[0], two[1], two[2]]), 3);
    assert_eq!(placed(&two), 3);
}

/// A checker glides on while the mouse only moves.
#[test]
fn the_moving_mouse_leaves_a_play_in_motion() {
    let mut bench = TestApp::new(Depth::True);
    bench.app.settings.animation = true;
    bench.keys("l");
    assert!(bench.app.motion.is_some());
    mouse(&mut bench, MouseEventKind::Moved, (3, 3));
    assert!(bench.app.motion.is_some());
    bench.keys("j");
    assert!(bench.app.motion.is_none());
}

/// The selected play stays in the list when the pane gets another size, and a click meets what is drawn.
#[test]
fn the_selected_play_stays_in_the_list() {
    let mut bench = TestApp::typed(Depth::None, "n");
    bench.draw(120, 40);
    bench.keys("end");
    let all = rows(&bench.app);
    assert!(
        all.len() > 8 && bench.app.selection.play == all.last().map(|row| row.candidate.result)
    );
    for (w, h) in [(120, 40), (76, 24), (60, 20), (80, 24), (200, 60), (76, 22)] {
        let screen = bench.draw(w, h);
        let area = bench.app.areas.candidates;
        let first = bench.app.selection.scroll;
        let height = usize::from(list_height(area.height));
        let rules = all[first + 1..]
            .iter()
            .filter(|row| row.starts_level)
            .count();
        let row = all.len() - 1 - first + rules;
        assert!(row < height, "{}", text(&screen));
        assert!(first == 0 || row + 1 == height, "{}", text(&screen));
        let is_marked = |bench: &TestApp| rows(&bench.app).last().is_some_and(|row| row.is_marked);
        let before = is_marked(&bench);
        let y = area.y + list_top(area.height) + row as u16;
        mouse(&mut bench, LEFT, (area.x + 5, y));
        assert_ne!(is_marked(&bench), before, "{w}×{h}\n{}", text(&screen));
    }
    // Plays above the list are counted.
    let screen = bench.screen(80, 24);
    assert!(
        screen.contains(" above ") && !screen.contains(" below "),
        "{screen}"
    );
}

/// The play that was made has the last row of a list that does not reach it, and a click there selects it.
#[test]
fn the_play_that_was_made_is_always_listed() {
    let mut bench = TestApp::new(Depth::None);
    let mut pinned = 0;
    for _ in 0..12 {
        bench.keys("n");
        let screen = bench.draw(60, 20);
        let area = bench.app.areas.candidates;
        let height = list_height(area.height);
        let all = rows(&bench.app);
        let Some(made) = all.iter().position(|row| row.is_played) else {
            continue;
        };
        let last = area.y + list_top(area.height) + height - 1;
        let line = text(&screen).lines().nth(last.into()).unwrap().to_owned();
        if made < usize::from(height) {
            continue;
        }
        pinned += 1;
        assert!(line.starts_with(" ▸") || line.contains(" ▸  "), "{line}");
        mouse(&mut bench, LEFT, (area.x + 5, last));
        assert_eq!(bench.app.selection.play, Some(all[made].candidate.result));
        // Where it was clicked it still is.
        let screen = bench.screen(60, 20);
        let line = screen.lines().nth(last.into()).unwrap();
        assert!(line.contains('▸'), "{screen}");
    }
    assert!(pinned > 0, "no play that was made is so far down");
}
