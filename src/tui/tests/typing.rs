//! What is pasted comes into the line of every window.

use ratatui::crossterm::event::Event;

use crate::game::{PlayList, Roll};
use crate::library::Filter;
use crate::notation::play_text;
use crate::tui::keys::KeyMap;
use crate::tui::message::Message;
use crate::tui::testing::TestApp;
use crate::tui::theme::Depth;
use crate::tui::windows::library::LibraryRequest;
use crate::tui::windows::overlay::{Overlay, Prompt};

pub(super) fn paste(bench: &mut TestApp, text: &str) {
    bench.tell(Message::Input(Event::Paste(text.into())));
}

#[test]
fn dice_a_time_and_a_score_are_pasted() {
    let mut bench = TestApp::typed(Depth::True, "n d");
    paste(&mut bench, "31\n");
    bench.keys("enter");
    let roll = bench.app.turn().and_then(|turn| turn.before.state.roll);
    assert_eq!(roll, Roll::new(3, 1));
    bench.keys("esc B");
    // It takes the place of the time that is proposed, as a digit that is typed does.
    paste(&mut bench, "7m");
    bench.keys("enter");
    assert_eq!(bench.app.settings.review.budget, 420);
    bench.keys("e s");
    paste(&mut bench, "2-4/7");
    bench.keys("enter");
    let draft = bench.app.editor.as_ref().map(|editor| editor.draft());
    assert_eq!(
        draft.map(|draft| (draft.length, draft.points)),
        Some((7, [2, 4]))
    );
}

#[test]
fn a_play_is_pasted_as_an_answer() {
    let mut bench = TestApp::new(Depth::True);
    let (cards, micros) = (Vec::new(), 20_600 * 86_400_000_000);
    bench.tell(Message::Study { cards, micros });
    bench.keys("z z");
    let has_dice = |bench: &TestApp| {
        let quiz = bench.app.quiz.as_ref();
        quiz.is_some_and(|quiz| quiz.open.decision.state.roll.is_some())
    };
    while !has_dice(&bench) {
        bench.keys("s");
    }
    bench.keys("i");
    paste(&mut bench, "24/23");
    match &bench.app.overlay {
        Some(Overlay::Prompt {
            what: Prompt::Play,
            input,
            ..
        }) => assert_eq!(input.value(), "24/23"),
        other => panic!("{other:?}"),
    }
}

/// In the match a typed play is selected, in a variation it is made.
#[test]
fn a_play_is_typed_instead_of_looked_for() {
    let mut bench = TestApp::typed(Depth::True, "n");
    let turn = *bench.app.turn().unwrap();
    let (before, roll) = (turn.before.state.position, turn.before.state.roll.unwrap());
    let list = PlayList::of(&before, roll);
    let last = *list.plays().last().unwrap();
    let type_play = |bench: &mut TestApp, text: &str| {
        bench.keys("g v");
        paste(bench, text);
        bench.keys("enter");
    };
    type_play(&mut bench, "1/99");
    assert!(
        matches!(
            bench.app.overlay,
            Some(Overlay::Prompt {
                what: Prompt::Play,
                ..
            })
        ),
        "can be put right"
    );
    bench.keys("esc");
    type_play(&mut bench, &play_text(&before, &last));
    assert!(bench.app.overlay.is_none() && bench.app.variation.is_none());
    assert_eq!(bench.app.selection.play, Some(last.apply(&before)));
    // A variation: the first play of the list, then a play that is typed.
    bench.keys("esc v d");
    paste(&mut bench, "31");
    bench.keys("enter");
    let turn = *bench.app.turn().unwrap();
    let (position, roll) = (turn.before.state.position, turn.before.state.roll.unwrap());
    let first = PlayList::of(&position, roll).plays()[0];
    type_play(&mut bench, &play_text(&position, &first));
    let open = bench.app.variation.as_ref().unwrap();
    assert_eq!(open.line.len(), 2);
    assert_eq!(
        bench.app.turn().unwrap().before.player,
        turn.before.player.other()
    );
    // Without dice there is nothing to type.
    bench.keys("g v");
    assert!(bench.app.overlay.is_none() && bench.app.status.is_some());
}

#[test]
fn a_pasted_filter_is_asked_for() {
    let mut bench = TestApp::typed(Depth::True, "/");
    paste(&mut bench, "cube error>0.1");
    assert_eq!(bench.app.library.input.value(), "cube error>0.1");
    let wanted = Filter::parse("cube error>0.1").unwrap();
    let Some(LibraryRequest::Show(query)) = bench.requests.last() else {
        panic!("nothing is asked");
    };
    assert_eq!(query.filter, wanted);
}

/// No line takes more than it takes of keys.
#[test]
fn what_is_pasted_is_cut_like_what_is_typed() {
    let mut bench = TestApp::typed(Depth::True, "n d");
    paste(&mut bench, &"1".repeat(100));
    let length = |bench: &TestApp| match &bench.app.overlay {
        Some(Overlay::Prompt {
            what: Prompt::Dice,
            input,
            ..
        }) => input.value().len(),
        other => panic!("{other:?}"),
    };
    let pasted = length(&bench);
    bench.keys("1");
    assert_eq!(length(&bench), pasted);
    assert!(pasted < 100);
}

/// What was typed wrong can be put right.
#[test]
fn a_wrong_line_keeps_its_window() {
    let mut bench = TestApp::typed(Depth::True, "n d 7 1 enter");
    match &bench.app.overlay {
        Some(Overlay::Prompt {
            what: Prompt::Dice,
            input,
            ..
        }) => assert_eq!(input.value(), "71"),
        other => panic!("{other:?}"),
    }
    bench.keys("backspace backspace 3 1 enter");
    let roll = bench.app.turn().and_then(|turn| turn.before.state.roll);
    assert_eq!(roll, Roll::new(3, 1));
    bench.keys("esc y s ctrl-u enter");
    assert!(matches!(
        bench.app.overlay,
        Some(Overlay::Prompt {
            what: Prompt::Export(_),
            ..
        })
    ));
    let status = bench.app.status.as_ref().unwrap();
    assert!(status.is_warning && bench.exported.is_none(), "{status:?}");
}

#[test]
fn a_paste_of_blanks_opens_nothing() {
    let mut bench = TestApp::new(Depth::True);
    let title = bench.app.document.title.clone();
    bench.app.status = None;
    for blanks in ["", " ", "\n\t "] {
        paste(&mut bench, blanks);
        assert_eq!(bench.app.document.title, title);
        assert!(bench.app.status.is_none(), "{:?}", bench.app.status);
    }
}

/// What is typed in the window in view.
fn typed(bench: &TestApp) -> &str {
    match &bench.app.overlay {
        Some(Overlay::Library) => bench.app.library.input.value(),
        Some(Overlay::Open(prompt)) => prompt.input.value(),
        Some(Overlay::Help { input, .. } | Overlay::Note { input, .. }) => input.value(),
        other => panic!("{other:?}"),
    }
}

/// The erase key of PuTTY's Control-H and of VT terminals sends it.
#[test]
fn ctrl_h_erases_as_backspace_does() {
    let mut bench = TestApp::new(Depth::True);
    for field in [":", "/", "a", "o"] {
        bench.keys(field);
        bench.keys("ctrl-u a b c d ctrl-h ctrl-h");
        assert_eq!(typed(&bench), "ab", "{field}");
        bench.keys("esc");
        assert!(bench.app.overlay.is_none(), "{field}");
    }
    bench.app.keymap = KeyMap::read("[match]\n\"next turn\" = \"ctrl-h\"\n").keys;
    let at = bench.app.at;
    bench.keys("ctrl-h");
    assert_eq!(bench.app.at, at + 1, "one of the user's own keys");
    bench.keys(": x ctrl-h");
    assert_eq!(typed(&bench), "");
}

/// Esc and a key that come together look like that key with Alt.
#[cfg(unix)]
#[test]
fn alt_and_a_key_that_mean_nothing_are_esc_and_that_key() {
    let mut bench = TestApp::new(Depth::True);
    let at = bench.app.at;
    bench.keys("E alt-l");
    assert!(bench.app.overlay.is_none(), "Esc closes the window");
    assert_eq!(bench.app.at, at + 1, "l goes to the next turn");
    // Esc takes the keys before it back.
    bench.keys("g alt-l");
    assert_eq!(bench.app.at, at + 2);
    // What is typed stays, and a key that Alt is no Esc before means nothing, as before.
    bench.keys("a x y alt-l");
    assert_eq!(typed(&bench), "xy");
    bench.keys("esc E alt-left");
    assert!(matches!(bench.app.overlay, Some(Overlay::List { .. })));
    bench.keys("esc");
    // The user's own keys go first.
    bench.app.keymap = KeyMap::read("[match]\nerrors = \"alt-l\"\n").keys;
    bench.keys("alt-l");
    assert!(matches!(bench.app.overlay, Some(Overlay::List { .. })));
    bench.keys("esc");
    assert_eq!(bench.app.at, at + 2);
}
