//! The position editor: keys, mouse and pasted text through the application, and what no sequence of
//! changes may do.

use proptest::prelude::*;
use ratatui::crossterm::event::{Event, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};

use crate::game::{CubeOwner, GameState, Player, Position, Roll};
use crate::notation::{parse_id, xgid_text};
use crate::tui::documents::standing::Standing;
use crate::tui::message::Message;
use crate::tui::state::{Document, Effect};
use crate::tui::testing::{TestApp, record};
use crate::tui::theme::Depth;
use crate::tui::windows::draft::{Draft, DraftProblem, Edit, Spot};
use crate::tui::windows::editor::{BoardCell, Editor, ViewBefore};
use crate::tui::windows::overlay::{Overlay, Prompt};

fn draft(bench: &TestApp) -> &Draft {
    bench
        .app
        .editor
        .as_ref()
        .expect("the editor is open")
        .draft()
}

/// The opening, alone.
fn opening() -> TestApp {
    let state = GameState::money(Position::opening());
    TestApp::with(
        Depth::True,
        Document::of_position(state, "opening".into(), 1),
    )
}

#[test]
fn a_position_is_put_together_with_keys() {
    let mut bench = opening();
    let screen = bench.screen_after("e x", 80, 24);
    assert_has!(screen, "15 ● and 15 ○ still to place");
    assert!(!screen.contains("no checkers"), "no fault yet: {screen}");
    bench.keys("enter");
    assert!(bench.app.editor.is_some() && bench.said().contains("no checkers"));
    bench.app.status = None;
    // Beyond the end of a row lies its other end, and half a board is no game that is over.
    bench.keys("right 5");
    assert_eq!(draft(&bench).count(Spot::Point(12), Player::Left), 5);
    let screen = bench.screen(80, 24);
    assert_has!(screen, "10 ● and 15 ○ still to place");
    assert_lacks!(screen, "the game is over");
    bench.keys("x left");
    // From the ace point to the left: two, three and one; then the other colour in the upper half.
    bench.keys("2 h 3 left space tab k 4 l - +");
    assert_eq!(draft(&bench).count(Spot::Point(2), Player::Left), 3);
    assert_eq!(draft(&bench).placed(Player::Left), 6);
    assert_eq!(
        draft(&bench).placed(Player::Right),
        5,
        "one on the point beside"
    );
    let screen = bench.screen(80, 24);
    assert_has!(screen, "6 of 15, 9 off", "5 of 15, 10 off", "colour ○");
    assert_has!(screen, "cube 1 centred");
    assert!(
        screen.contains("cube action"),
        "the draft is analysed:\n{screen}"
    );
    bench.keys("d 3 1 enter");
    assert!(!bench.app.review().unwrap().candidates.is_empty());
    bench.keys("t c O s 2 - 4 / 7 enter");
    let made = draft(&bench).state().unwrap();
    assert_eq!(made.roll, Roll::new(3, 1));
    assert_eq!(
        (made.score.length, made.score.mover, made.score.opponent),
        (7, 4, 2)
    );
    assert_eq!((made.cube, made.owner), (2, CubeOwner::Opponent));
    bench.keys("enter");
    assert!(bench.app.editor.is_none());
    assert_eq!(bench.app.turn().unwrap().before.state, made);
    // What stands alone can be edited on.
    bench.keys("e i enter");
    let position = bench.app.turn().unwrap().before.state.position;
    assert_eq!(position, Position::opening());
}

#[test]
fn what_was_open_comes_back_as_it_was() {
    let mut bench = TestApp::typed(Depth::True, "n j j r");
    bench.roll(1296, true);
    bench.keys("k");
    bench.app.status = None;
    let before = bench.screen(120, 40);
    let at = bench.app.at;
    bench.keys("e x 5 t");
    // An analysis of the match that is on its way is not lost.
    let turn = at + 1;
    bench.app.document.reviews[turn] = None;
    let review = bench.app.document.looks[&(turn, 0)].clone();
    bench.tell(Message::Reviewed {
        generation: bench.app.document.generation,
        turn,
        ply: 0,
        standing: Standing::Final,
        review,
    });
    assert!(bench.app.document.reviews[turn].is_some());
    bench.keys("esc");
    bench.app.status = None;
    assert_eq!(bench.app.at, at);
    assert_eq!(bench.screen(120, 40), before);
    // The draft can be taken up again, also after the editor was left without a change.
    for keys in ["e ctrl-r", "u esc e ctrl-r", "u esc e esc e ctrl-r"] {
        bench.keys(keys);
        assert_eq!(
            draft(&bench).placed(Player::Left) + draft(&bench).placed(Player::Right),
            5
        );
    }
    bench.keys("ctrl-r");
    assert!(
        bench.said().contains("nothing to do again"),
        "{}",
        bench.said()
    );
    // So does a variation that was open.
    let mut bench = TestApp::typed(Depth::True, "n j j v");
    bench.app.status = None;
    let before = bench.screen(120, 40);
    assert!(bench.app.variation.is_some(), "a variation is open");
    bench.keys("e x 5 esc");
    bench.app.status = None;
    assert_eq!(bench.screen(120, 40), before);
    // The cube decision before a roll comes back too.
    let mut bench = TestApp::typed(Depth::True, "n l l b");
    if bench.app.before.is_some() {
        bench.keys("e esc");
        assert!(bench.app.before.is_some());
    }
}

#[test]
fn a_file_that_changes_meanwhile_takes_nothing_away() {
    let mut bench = TestApp::typed(Depth::True, "e x 3");
    let again = Document::of_match(record(), "again".into(), 2);
    bench.tell(Message::Reread(2, Ok(Box::new(again))));
    assert_eq!(draft(&bench).placed(Player::Left), 3);
    let other = Document::of_match(record(), "other".into(), 3);
    bench.tell(Message::Opened(3, Ok(Box::new(other))));
    assert!(bench.app.editor.is_none(), "another document is looked at");
    bench.keys("e ctrl-r");
    assert_eq!(draft(&bench).placed(Player::Left), 3);
}

#[test]
fn an_analysis_of_another_draft_counts_for_nothing() {
    let mut bench = opening();
    bench.keys("e");
    let editor = bench.app.editor.as_ref().unwrap();
    let (generation, review) = (editor.generation, editor.looks[&0].clone());
    let late = |generation| Message::Reviewed {
        generation,
        turn: 0,
        ply: 3,
        standing: Standing::Look,
        review: review.clone(),
    };
    bench.keys("space");
    bench.tell(late(generation));
    assert!(!bench.app.editor.as_ref().unwrap().looks.contains_key(&3));
    bench.tell(late(generation + 1));
    assert!(bench.app.editor.as_ref().unwrap().looks.contains_key(&3));
    bench.tell(Message::ReviewFailed {
        generation: generation + 1,
        turn: 0,
        ply: 0,
        is_standard: true,
        why: "a bad day".into(),
    });
    assert_has!(bench.app.failure().unwrap(), "a bad day");
    assert!(bench.app.document.failed.is_empty());
}

#[test]
fn the_analysis_of_a_draft_is_not_taken_for_that_of_a_variation() {
    let mut bench = opening();
    // Lines and drafts are counted one by one: as many drafts as there were lines, and more.
    bench.keys("s s s j");
    let (play, known) = (bench.app.selection.play, bench.app.review().cloned());
    bench.keys("e");
    for _ in 0..6 {
        bench.keys("t");
    }
    bench.keys("esc");
    assert_eq!(bench.app.selection.play, play);
    assert_eq!(bench.app.review().cloned(), known);
}

/// A press on the cell of a point as it is drawn.
fn press(bench: &mut TestApp, cell: BoardCell, kind: MouseEventKind) {
    let frame = bench.app.areas.board_frame().unwrap();
    let style = bench.app.areas.style;
    let mirrored = bench.app.options.mirrored;
    let x = style.cell_column(cell.column, mirrored);
    let row = if cell.top {
        frame.y + 2
    } else {
        frame.bottom() - 3
    };
    bench.tell(Message::Input(Event::Mouse(MouseEvent {
        kind,
        column: frame.x + x + 1,
        row,
        modifiers: KeyModifiers::NONE,
    })));
}

#[test]
fn a_position_is_put_together_with_the_mouse() {
    let left = MouseEventKind::Down(MouseButton::Left);
    let right = MouseEventKind::Down(MouseButton::Right);
    let middle = MouseEventKind::Down(MouseButton::Middle);
    for (keys, bottom) in [("e x", Player::Left), ("e x f", Player::Right)] {
        for (w, h) in [(80, 24), (120, 40), (200, 60)] {
            let mut bench = opening();
            bench.keys(keys);
            bench.draw(w, h);
            let ace = BoardCell {
                top: false,
                column: 12,
            };
            let spot = ace.spot(bottom, false);
            for _ in 0..3 {
                press(&mut bench, ace, left);
            }
            assert_eq!(draft(&bench).count(spot, bottom), 3);
            press(&mut bench, ace, right);
            assert_eq!(draft(&bench).count(spot, bottom), 2);
            let mid = BoardCell {
                top: true,
                column: 0,
            };
            press(&mut bench, mid, right);
            press(&mut bench, mid, MouseEventKind::ScrollUp);
            let there = mid.spot(bottom, false);
            assert_eq!(draft(&bench).count(there, bottom.other()), 2);
            press(&mut bench, mid, MouseEventKind::ScrollDown);
            assert_eq!(draft(&bench).count(there, bottom.other()), 1);
            press(&mut bench, ace, middle);
            assert_eq!(draft(&bench).placed(bottom), 0);
            // Once more crosses the point: no checkers are wanted there.
            press(&mut bench, ace, middle);
            assert_eq!(draft(&bench).unwanted(spot), [true, true]);
            // Held, it makes a prime of blots, and once more of points.
            for _ in 0..2 {
                press(&mut bench, ace, left);
                for column in [12, 12, 11, 11, 10, 9] {
                    let cell = BoardCell { top: false, column };
                    press(&mut bench, cell, MouseEventKind::Drag(MouseButton::Left));
                }
            }
            let prime: Vec<u8> = (9..=12)
                .map(|column| BoardCell { top: false, column }.spot(bottom, false))
                .map(|spot| draft(&bench).count(spot, bottom))
                .collect();
            assert_eq!(prime, [2; 4]);
            for top in [true, false] {
                let bar = BoardCell { top, column: 6 };
                let whose = if top { bottom } else { bottom.other() };
                press(&mut bench, bar, left);
                press(&mut bench, bar, left);
                press(&mut bench, bar, right);
                let bar = Spot::Bar(whose);
                assert_eq!(draft(&bench).count(bar, whose), 1, "{top}");
            }
            // A player's line: that player is on roll.
            let frame = bench.app.areas.board_frame().unwrap();
            let on_roll = draft(&bench).on_roll;
            let y = if on_roll == bottom {
                frame.y - 1
            } else {
                frame.bottom()
            };
            bench.tell(Message::Input(Event::Mouse(MouseEvent {
                kind: left,
                column: frame.x + 3,
                row: y,
                modifiers: KeyModifiers::NONE,
            })));
            assert_eq!(draft(&bench).on_roll, on_roll.other());
        }
    }
}

#[test]
fn a_position_in_any_form_takes_the_place_of_the_draft() {
    let mut bench = TestApp::typed(Depth::True, "e");
    let state = parse_id("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:4:0:7:10").unwrap();
    for form in [
        xgid_text(&state),
        format!("so?\n{}\nX:Änne O:Бен\n", xgid_text(&state)),
        crate::notation::gnubg_id::full_id(&state).unwrap(),
        "11ccccchhhjjjjj:66666888dddddoo:N0N:31:B::2:4:7".to_owned(),
        "board:You:him:7:2:4:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:3:1:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:2:0:0:0".to_owned(),
    ] {
        bench.keys("x");
        bench.tell(Message::Input(Event::Paste(form.clone())));
        assert_eq!(draft(&bench).state(), Ok(state), "{form}");
    }
    bench.tell(Message::Input(Event::Paste("XGID=-b---?".into())));
    assert!(bench.said().contains("character 11"), "{}", bench.said());
    // The same by typing it.
    bench.keys("x o");
    bench.tell(Message::Input(Event::Paste("4HPwATDgc/ABMA".into())));
    bench.keys("enter");
    assert_eq!(draft(&bench).state().unwrap().position, Position::opening());
    bench.keys("y x");
    assert_has!(bench.copied.as_ref().unwrap(), "-b----E-C---eE---c-e----B-");
    bench.tell(Message::Input(Event::Paste("no position at all".into())));
    assert!(bench.app.status.as_ref().unwrap().is_warning);
}

#[test]
fn what_cannot_be_is_named() {
    let problem = |keys: &str| {
        let mut bench = opening();
        bench.keys(&format!("e {keys}"));
        let problem = draft(&bench).state().expect_err(keys);
        let screen = bench.screen(120, 40);
        // While checkers are still to place, that is no fault yet.
        let told = match problem {
            DraftProblem::Empty | DraftProblem::Over(_) => "still to place".to_owned(),
            _ => problem.to_string(),
        };
        assert_has!(screen, &told);
        problem
    };
    assert_eq!(problem("x"), DraftProblem::Empty);
    assert_eq!(problem("x 4"), DraftProblem::Over(Player::Right));
    assert_eq!(
        problem("s 7 - 0 / 7 enter").to_string(),
        "● has 7 points: a match to 7 is over"
    );
    assert_eq!(
        problem("s 7 enter C").to_string(),
        "Crawford game, but not just one player is one point away"
    );
    assert_eq!(
        problem("s 6 - 0 / 7 enter C c").to_string(),
        "the cube is not used in the Crawford game"
    );
    assert_eq!(
        problem("s 3 enter c c c"),
        DraftProblem::TooHigh { cube: 8 }
    );
    assert_eq!(
        problem("O O D").to_string(),
        "● may not double: ○ owns the cube"
    );
    // Both closed out.
    let mut both = Draft::of(&GameState::money(Position::opening()), Player::Left);
    both.apply(Edit::Clear).unwrap();
    for point in 1..=6 {
        for (point, player) in [(point, Player::Left), (25 - point, Player::Right)] {
            both.apply(Edit::Set(Spot::Point(point), player, 2))
                .unwrap();
            both.apply(Edit::Set(Spot::Bar(player), player, 1)).unwrap();
        }
    }
    assert!(matches!(both.state(), Err(DraftProblem::Impossible(_))));
    let mut bench = opening();
    bench.keys("e");
    for (keys, why) in [
        ("h space", "all 15 checkers of ●"),
        ("C", "money play has no Crawford game"),
        ("s 5 enter J", "a rule of money play"),
        ("x -", "no checkers here"),
        ("s 1 - 2 enter", "such as 2-4/7"),
        ("esc d 9 enter", "two digits"),
        ("esc g", "means nothing here"),
    ] {
        bench.keys(keys);
        assert!(bench.said().contains(why), "{keys}: {}", bench.said());
    }
}

/// As in a variation and in an XGID the player on roll doubles.
#[test]
fn who_is_on_roll_doubles_and_the_other_one_answers() {
    let mut bench = opening();
    bench.keys("e D");
    let state = draft(&bench).state().unwrap();
    assert!(state.doubled && draft(&bench).on_roll == Player::Right);
    assert_has!(bench.screen(80, 24), "● has doubled");
    bench.keys("D");
    assert!(!draft(&bench).doubled && draft(&bench).on_roll == Player::Left);
    bench.keys("D d 3 1 enter");
    assert!(!draft(&bench).doubled && draft(&bench).on_roll == Player::Left);
}

#[test]
fn windows_of_the_editor() {
    let mut bench = opening();
    let screen = bench.screen_after("e ?", 80, 24);
    assert_has!(screen, "other colour");
    bench.keys("esc : c r a w enter");
    assert!(bench.said().contains("money play"), "{}", bench.said());
    bench.keys("s");
    assert!(matches!(
        bench.app.overlay,
        Some(Overlay::Prompt {
            what: Prompt::Score,
            ..
        })
    ));
    assert!(bench.screen(80, 24).contains("to 7 points"));
    bench.keys("5 enter esc");
    assert!(bench.app.editor.is_none());
    // From the match screen by name.
    bench.keys(": n e w space p o s enter");
    assert_eq!(draft(&bench).state(), Err(DraftProblem::Empty));
    // The draft that was left was kept for the editor before this one.
    bench.keys("ctrl-r");
    assert_eq!(draft(&bench).length, 5);
}

#[test]
fn screens_of_the_editor() {
    for (w, h) in [(60, 20), (80, 24), (120, 40), (200, 60)] {
        let mut bench = TestApp::typed(Depth::None, "n e d 3 1 enter h h space");
        insta::assert_snapshot!(format!("editor_{w}x{h}"), bench.screen(w, h));
    }
    let mut bench = TestApp::typed(Depth::None, "e x 7 c s 4 - 0 / 5 enter C");
    insta::assert_snapshot!("editor_impossible", bench.screen(80, 24));
}

fn any_edit() -> impl Strategy<Value = Edit> {
    let player = || prop_oneof![Just(Player::Left), Just(Player::Right)];
    let spot = || {
        prop_oneof![
            6 => (0usize..30).prop_map(Spot::Point),
            1 => player().prop_map(Spot::Bar),
        ]
    };
    let roll = (0u8..8, 0u8..8).prop_map(|(a, b)| Roll::new(a, b));
    let ids = prop_oneof![
        Just("XGID=-BCBBBC------------bbbbcc-:3:-1:1:D:2:4:0:7:10"),
        Just("XGID=aBBBBBB------------bbbbbb-:0:0:1:00:6:0:1:7:10"),
    ];
    prop_oneof![
        20 => (spot(), player(), 0u8..20).prop_map(|(spot, player, n)| Edit::Set(spot, player, n)),
        10 => (spot(), player()).prop_map(|(spot, player)| Edit::Push(spot, player)),
        4 => spot().prop_map(Edit::Take),
        10 => prop_oneof![
            Just(Edit::OnRoll),
            Just(Edit::SwapSides),
            Just(Edit::Offer),
            Just(Edit::CubeValue),
            Just(Edit::CubeOwner),
            Just(Edit::Crawford),
            Just(Edit::Jacoby),
            Just(Edit::Beavers),
        ],
        3 => roll.prop_map(Edit::Dice),
        3 => (any::<u16>(), 0u16..9, 0u16..9).prop_map(|(length, a, b)| Edit::Score {
            length: if length % 3 == 0 { length } else { length % 9 },
            points: [a, b],
        }),
        1 => prop_oneof![Just(Edit::Clear), Just(Edit::Opening)],
        1 => ids.prop_map(|id| Edit::Whole(parse_id(id).unwrap())),
    ]
}

fn empty_view() -> ViewBefore {
    ViewBefore {
        before: None,
        play: None,
        scroll: 0,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever is changed, the draft is a position that can be written down and read back, or says why
    /// it is none; and undoing all of it leads back to where it began.
    #[test]
    fn no_sequence_of_changes_makes_an_impossible_position(
        edits in proptest::collection::vec(any_edit(), 0..120),
    ) {
        let first = Draft::of(&GameState::money(Position::opening()), Player::Left);
        let mut editor = Editor::new(first.clone(), None, empty_view(), 1);
        let mut changes = 0;
        for edit in edits {
            changes += usize::from(editor.apply(edit) == Ok(true));
            let draft = editor.draft();
            for player in [Player::Left, Player::Right] {
                prop_assert!(draft.placed(player) <= 15);
            }
            for point in 1..=24 {
                let at = Spot::Point(point);
                prop_assert!(draft.count(at, Player::Left) == 0 || draft.count(at, Player::Right) == 0);
            }
            prop_assert_eq!(editor.turn().before.state, draft.shown());
            match draft.state() {
                Ok(state) => {
                    prop_assert_eq!(parse_id(&xgid_text(&state)).unwrap(), state);
                    prop_assert!(state.position.points().is_none());
                    prop_assert!(!(state.doubled && state.roll.is_some()));
                }
                Err(problem) => prop_assert!(!problem.to_string().is_empty()),
            }
        }
        prop_assert_eq!(editor.changes(), changes);
        let last = editor.draft().clone();
        while editor.undo() {}
        prop_assert_eq!(editor.draft(), &first);
        while editor.redo() {}
        prop_assert_eq!(editor.draft(), &last);
    }

    /// Any keys and clicks: nothing panics, what is drawn fits, and what was open stays.
    #[test]
    fn any_keys_and_clicks_leave_what_was_open(
        keys in proptest::collection::vec(0usize..64, 1..60),
        clicks in proptest::collection::vec((0u16..80, 0u16..24, 0u8..5), 0..20),
    ) {
        const KEYS: [&str; 32] = [
            "h", "j", "k", "l", "space", "+", "-", "0", "2", "5", "9", "tab", "t", "c", "O", "D", "C",
            "J", "B", "x", "X", "i", "u", "ctrl-r", "f", "m", "d", "3", "1", "s", "/", "backspace",
        ];
        let mut bench = opening();
        bench.draw(80, 24);
        bench.keys("e");
        let mut clicks = clicks.into_iter();
        for key in keys {
            match (KEYS.get(key), clicks.next()) {
                (Some(key), _) => bench.keys(key),
                (None, Some((column, row, button))) => {
                    let kind = [
                        MouseEventKind::Down(MouseButton::Left),
                        MouseEventKind::Down(MouseButton::Right),
                        MouseEventKind::Down(MouseButton::Middle),
                        MouseEventKind::ScrollUp,
                        MouseEventKind::ScrollDown,
                    ][usize::from(button)];
                    let modifiers = KeyModifiers::NONE;
                    bench.tell(Message::Input(Event::Mouse(MouseEvent { kind, column, row, modifiers })));
                }
                (None, None) => bench.keys("enter"),
            }
            bench.draw(80, 24);
            if bench.app.editor.is_none() {
                break;
            }
            prop_assert_eq!(bench.app.document.turns.len(), 1);
        }
    }
}

#[test]
fn effects_name_the_draft_that_is_in_view() {
    let mut bench = opening();
    bench.keys("e");
    let now = bench.now;
    let key = crate::tui::keys::Key::parse("t").unwrap();
    let event = ratatui::crossterm::event::KeyEvent::new(key.code(), KeyModifiers::NONE);
    crate::tui::update::update(&mut bench.app, Message::Input(Event::Key(event)), now);
    let editor = bench.app.editor.as_ref().unwrap();
    let wanted = Effect::Draft {
        generation: editor.generation,
        state: Box::new(editor.draft().state().unwrap()),
        play: None,
        ply: bench.app.settings.ply,
    };
    assert!(bench.app.effects.contains(&wanted));
}
