//! The window of the rollouts that are kept.

use super::transcript::{file, lines, transcribing};
use crate::tui::message::Message;
use crate::tui::state::Openable;
use crate::tui::testing::{TestApp, text};
use crate::tui::theme::Depth;
use crate::tui::windows::kept_list::{KeptBest, KeptList, KeptListRow};
use crate::tui::windows::overlay::Overlay;

const ID: &str = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10";

fn row(play: Option<&str>, best: bool) -> KeptListRow {
    KeptListRow {
        day: "2026-03-05".into(),
        id: ID.into(),
        dice: Some("31".into()),
        best: best.then(|| KeptBest {
            play: play.map(str::to_owned),
            equity: 0.159,
            half: 0.0042,
        }),
        plays: 3,
        trials: 1296,
        ply: 1,
        is_cubeful: true,
    }
}

#[test]
fn kept_rollouts_are_listed_and_opened() {
    let mut bench = TestApp::new(Depth::None);
    bench.keys("g k");
    assert!(bench.lists_kept);
    assert!(text(&bench.draw(80, 24)).contains("is being read"));
    let rows = vec![
        row(Some("8/5 6/5"), true),
        row(None, true),
        row(Some("8/5 \u{1b}[31m"), false),
    ];
    bench.tell(Message::KeptList(Ok(KeptList { rows, total: 7 })));
    for (w, h) in [(80, 24), (120, 40)] {
        let shown = text(&bench.draw(w, h));
        for word in [
            "the last 3 of 7",
            "2026-03-05 31   8/5 6/5",
            "the position",
            " .004 ",
            "1296",
            "played by another version",
            ID,
        ] {
            assert!(shown.contains(word), "{word}\n{shown}");
        }
        assert!(!shown.contains('\u{1b}'));
    }
    let narrow = text(&bench.draw(60, 20));
    assert!(narrow.contains("1296 trials, 1-ply, with cube"), "{narrow}");
    for (w, h) in [(60, 12), (20, 6), (1, 1)] {
        bench.draw(w, h);
    }
    bench.keys("j j j k enter");
    assert!(bench.app.overlay.is_none());
    assert_eq!(bench.app.sources[bench.app.source], Openable::Id(ID.into()));
}

#[test]
fn an_empty_list_says_so() {
    let mut bench = TestApp::new(Depth::None);
    bench.keys("g k");
    bench.tell(Message::KeptList(Ok(KeptList::default())));
    assert!(text(&bench.draw(80, 24)).contains("no rollout is kept yet"));
    bench.keys("enter");
    assert!(bench.app.overlay.is_none());
    bench.keys("g k");
    bench.tell(Message::KeptList(Err("locked".into())));
    assert!(text(&bench.draw(80, 24)).contains("locked"));
    bench.keys("esc");
    // A list that comes late opens nothing.
    bench.tell(Message::KeptList(Ok(KeptList::default())));
    assert!(!matches!(bench.app.overlay, Some(Overlay::KeptList { .. })));
}

/// Who hides the answers is not told them by a list, a copy, a card or the page of the match.
#[test]
fn what_was_found_is_hidden_with_the_answers() {
    let mut bench = TestApp::new(Depth::None);
    bench.keys("n");
    bench.app.options.hidden = true;
    for keys in ["g k", "y a", "y t", "y h", "y r"] {
        bench.app.status = None;
        bench.keys(keys);
        assert!(bench.app.overlay.is_none(), "{keys}");
        assert!(bench.copied.is_none(), "{keys}");
        let said = bench.app.status.as_ref().map(|said| said.text.as_str());
        assert!(said.is_some_and(|said| said.contains("hidden")), "{said:?}");
    }
    // The position is no answer.
    bench.keys("y x");
    assert!(bench.copied.is_some());
}

/// The list stays while it is asked whether something may be lost, so that the same key answers.
#[test]
fn a_kept_rollout_is_opened_when_it_is_asked_for_twice() {
    let (_folder, path) = file(7);
    let mut bench = transcribing(&path);
    lines(&mut bench, &["31: 8/5 6/5", "52: 13/8 24/22"]);
    bench.keys("esc delete g k");
    let rows = vec![row(None, true)];
    bench.tell(Message::KeptList(Ok(KeptList { rows, total: 1 })));
    bench.keys("enter");
    assert!(bench.app.is_transcribing());
    assert!(matches!(bench.app.overlay, Some(Overlay::KeptList { .. })));
    bench.keys("enter");
    let opened = &bench.app.sources[bench.app.source];
    assert_eq!(*opened, Openable::Id(ID.into()));
}
