//! What comes of an edited position: names, figures with the first frame, and cubes that cannot be.

use ratatui::crossterm::event::{Event, KeyModifiers};

use crate::game::{GameState, Player, Position};
use crate::tui::message::Message;
use crate::tui::state::Document;
use crate::tui::testing::{TestApp, text};
use crate::tui::theme::Depth;

fn says(bench: &TestApp) -> &str {
    bench.app.status.as_ref().map_or("", |status| &status.text)
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
fn players_of_an_edited_position_keep_their_names() {
    let mut bench = TestApp::new(Depth::True);
    bench.keys("e t enter");
    assert_eq!(bench.app.name(Player::Left), "Bénédicte");
    let screen = text(&bench.draw(80, 24));
    assert!(
        screen.contains("Anna") && screen.contains("Bénédicte"),
        "{screen}"
    );
    // Through other dice and another change, and another time.
    bench.keys("d 3 1 enter");
    assert_eq!(bench.app.name(Player::Right), "Anna");
    bench.keys("e t enter");
    assert_eq!(bench.app.name(Player::Left), "Anna");
    let session = bench.app.session().unwrap();
    let source = crate::tui::session::openable(&session.places[0].source);
    assert_eq!(source, bench.app.sources[bench.app.shown]);
    // Of an empty board nobody is known.
    bench.keys(": n e w space p o s enter 2 tab h k 2 enter");
    assert_eq!(bench.app.name(Player::Left), "player 1");
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
        assert!(says(&bench).contains(why), "{}", says(&bench));
        bench.tell(Message::Input(Event::Paste(id.into())));
        assert!(says(&bench).contains(why), "{}", says(&bench));
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
        assert!(problem.contains(why), "{problem}");
        bench.keys("esc");
    }
}
