//! What comes of an edited position: names, figures with the first frame, and cubes that cannot be.

use ratatui::crossterm::event::{Event, KeyModifiers};

use crate::game::{GameState, Player, Position, Roll};
use crate::notation;
use crate::tui::message::Message;
use crate::tui::state::Document;
use crate::tui::testing::{TestApp, record};
use crate::tui::theme::Depth;
use crate::tui::windows::draft::{Draft, Edit};

fn draft(bench: &TestApp) -> &Draft {
    bench.app.editor.as_ref().unwrap().draft()
}

/// The opening, alone.
fn opening() -> TestApp {
    let state = GameState::money(Position::opening());
    TestApp::with(
        Depth::True,
        Document::of_position(state, "opening".into(), 1),
    )
}

/// A match without the Crawford rule stays one in the editor; that an XGID has no room for it is said before it is lost.
#[test]
fn a_match_without_the_crawford_rule_is_edited_as_one() {
    let mut state = GameState::money(Position::opening());
    (state.score.length, state.score.mover) = (7, 5);
    state.rules.no_crawford = true;
    let document = Document::of_position(state, "x".into(), 1);
    let mut bench = TestApp::with(Depth::True, document);
    bench.keys("e");
    assert_eq!(draft(&bench).state(), Ok(state));
    // In money play no rule of matches is in force.
    bench.keys("s 0 enter");
    assert!(!draft(&bench).shown().rules.no_crawford);
    bench.keys("u enter");
    assert!(bench.app.editor.is_some() && bench.said().contains("Enter again opens it"));
    bench.keys("enter");
    let opened = bench.app.turn().unwrap().before.state;
    assert!(bench.app.editor.is_none() && !opened.rules.no_crawford);
    // A Crawford game has the rule.
    let mut other = Draft::of(&state, Player::Left);
    other.points = [6, 3];
    other.apply(Edit::Crawford).unwrap();
    let made = other.state().unwrap();
    assert!(made.score.crawford && !made.rules.no_crawford);
    // Where both need one point none is played.
    let (length, points) = (7, [6, 6]);
    other.apply(Edit::Score { length, points }).unwrap();
    assert!(!other.state().unwrap().score.crawford);
}

#[test]
fn players_of_an_edited_position_keep_their_names() {
    let mut bench = TestApp::typed(Depth::True, "e t enter");
    assert_eq!(bench.app.name(Player::Left), "Bénédicte");
    assert_has!(bench.screen(80, 24), "Anna", "Bénédicte");
    // Through other dice and another change, and another time.
    bench.keys("d 3 1 enter");
    assert_eq!(bench.app.name(Player::Right), "Anna");
    bench.keys("e t enter");
    assert_eq!(bench.app.name(Player::Left), "Anna");
    let session = bench.app.session().unwrap();
    let source = crate::tui::documents::places::openable(&session.places[0].source);
    assert_eq!(source, bench.app.sources[bench.app.shown]);
    // Of an empty board nobody is known.
    bench.keys(": n e w space p o s enter 2 tab h k 2 enter");
    assert_eq!(bench.app.name(Player::Left), "player 1");
}

/// Outside the editor and in it: dice on a double on offer are of the player who might have doubled.
#[test]
fn dice_on_a_double_on_offer_are_the_doublers() {
    let id = "XGID=-a-a--E-C---dE--ac-e----B-:0:0:1:D:3:2:0:7:10";
    let answerer = notation::parse_id(id).unwrap();
    let rolled = GameState {
        roll: Roll::new(3, 1),
        ..answerer.roller()
    };
    for keys in ["d 3 1 enter", "e d 3 1 enter enter"] {
        let mut document = Document::of_position(answerer, "x".into(), 1);
        let mut record = (*document.record).clone();
        record.players = ["Anna".into(), "Ben".into()];
        document.record = record.into();
        let mut bench = TestApp::with(Depth::True, document);
        bench.keys(keys);
        assert_eq!(bench.app.turn().unwrap().before.state, rolled, "{keys}");
        assert_eq!(bench.app.name(Player::Left), "Ben", "{keys}");
    }
    // So is an emptied board.
    let mut bench = opening();
    bench.keys("e D");
    assert_eq!(draft(&bench).on_roll, Player::Right);
    bench.keys("x");
    assert!(!draft(&bench).doubled && draft(&bench).on_roll == Player::Left);
}

#[test]
fn a_change_waits_for_its_figures() {
    let mut bench = opening();
    bench.keys("e");
    assert!(!bench.app.awaits_figures(), "they have come");
    let change = |bench: &mut TestApp, word: &str| {
        let key = crate::tui::keys::Key::parse(word).unwrap();
        let event = ratatui::crossterm::event::KeyEvent::new(key.code(), KeyModifiers::NONE);
        let now = bench.now;
        crate::tui::update::update(&mut bench.app, Message::Input(Event::Key(event)), now);
    };
    change(&mut bench, "h");
    assert!(!bench.app.awaits_figures(), "a step changes nothing");
    change(&mut bench, "t");
    assert!(bench.app.awaits_figures());
    change(&mut bench, "x");
    assert!(!bench.app.awaits_figures(), "what cannot be has none");
}

#[test]
fn impossible_cubes_are_not_opened() {
    let mut bench = opening();
    for (id, why) in [
        (
            "XGID=-b----E-C---eE---c-e----B-:2:0:1:31:0:0:0:7:10",
            "a cube of 4 in the middle",
        ),
        (
            "XGID=-b----E-C---eE---c-e----B-:0:1:1:31:0:0:0:7:10",
            "a cube of 1 with an owner",
        ),
        (
            "XGID=-b----E-C---eE---c-e----B-:0:0:1:D:6:0:1:7:10",
            "not used in the Crawford game",
        ),
    ] {
        bench.keys("o");
        bench.tell(Message::Input(Event::Paste(id.into())));
        bench.keys("enter");
        assert!(bench.said().contains(why), "{}", bench.said());
        bench.tell(Message::Input(Event::Paste(id.into())));
        assert!(bench.said().contains(why), "{}", bench.said());
        assert_eq!(bench.app.document.title, "opening");
        // The editor takes it and says what is wrong.
        bench.keys("e");
        bench.tell(Message::Input(Event::Paste(id.into())));
        let problem = bench
            .app
            .editor
            .as_ref()
            .unwrap()
            .draft()
            .state()
            .unwrap_err()
            .to_string();
        assert_has!(problem, why);
        bench.keys("esc");
    }
}

/// A score is also typed by the points that are needed.
#[test]
fn a_score_is_set_by_what_is_needed() {
    let state = |bench: &TestApp| {
        let editor = bench.app.editor.as_ref().expect("the editor is open");
        editor.draft().state().unwrap()
    };
    let mut bench = opening();
    bench.keys("e s 7 enter");
    // Of this length, of the least, and of another.
    for (typed, score) in [
        ("5 a - 3 a", (7, 2, 4)),
        ("9 a space 1 a", (9, 0, 8)),
        ("5 A - 3 A / 7", (7, 2, 4)),
    ] {
        bench.keys(&format!("s {typed} enter"));
        let made = state(&bench).score;
        assert_eq!((made.length, made.mover, made.opponent), score, "{typed}");
    }
    for wrong in [
        "0 a - 3 a",
        "5 a - 3",
        "9 a - 1 a / 7",
        "- 1",
        "7 /",
        "3 - 2 / 0",
    ] {
        bench.keys(&format!("s {wrong} enter"));
        assert!(bench.said().contains("or 5a-3a"), "{wrong}");
        bench.keys("esc");
    }
}

/// The place of the cursor does not run into the number of the next point.
#[test]
fn the_numbers_beside_the_cursor_stay_apart() {
    let mut bench = TestApp::typed(Depth::None, "e");
    for _ in 0..26 {
        let screen = bench.screen_after("h", 80, 24);
        let edges = screen.lines().filter(|line| line.contains(['┬', '┴']));
        // Without the pane beside the board.
        let edges = edges.filter_map(|line| line.split(['╮', '╯']).next());
        let numbers = edges.flat_map(|line| line.split(|c: char| !c.is_ascii_digit()));
        let longest = numbers.map(str::len).max();
        assert_eq!(longest, Some(2), "{screen}");
    }
}

/// What comes back when the editor is left is of the match as it is now.
#[test]
fn a_file_that_changes_meanwhile_comes_back_as_it_is() {
    let mut bench = TestApp::typed(Depth::True, "n l l b e");
    assert!(bench.app.editor.is_some());
    let mut other = record();
    other.games.remove(0);
    let again = Document::of_match(other, "again".into(), 2);
    bench.tell(Message::Reread(2, Ok(Box::new(again))));
    bench.keys("esc");
    let turn = bench.app.document.turns[bench.app.at];
    let before = bench.app.before.expect("it was before the roll");
    assert_eq!(before.before.state.position, turn.before.state.position);
}
