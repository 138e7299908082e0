//! A position with what was tried in it: written, and opened again.

use std::path::Path;

use crate::eval::Engine;
use crate::match_file::read_bytes;
use crate::notation::parse_id;
use crate::tui::state::Document;
use crate::tui::testing::TestApp;
use crate::tui::theme::Depth;

const POSITION: &str = "XGID=-a--BBCBB--ABb--Acbcbb----:0:0:1:42:2:1:0:5:10";

/// Opens the position of a file.
fn opened(file: &[u8]) -> TestApp {
    let record = read_bytes(file, "x").unwrap();
    let document = Document::of_lone(&record.positions[0], "x".into(), 1);
    TestApp::with(Depth::True, document)
}

#[test]
fn a_position_is_written_with_its_variations() {
    let state = parse_id(POSITION).unwrap();
    let document = Document::of_position(state, "x".into(), 1);
    let mut bench = TestApp::with(Depth::True, document);
    bench.keys("j v");
    assert!(bench.app.variation.is_some());
    // Also from the position itself.
    for keys in ["y s", "esc esc y s"] {
        let screen = bench.screen_after(keys, 80, 24);
        assert_has!(screen, "position-variations.sgf");
        assert_has!(screen, "write the position with its variations");
        assert!(
            screen.contains("SGF, JSON") && !screen.contains("MAT"),
            "{screen}"
        );
    }
    bench.keys("enter");
    let written = bench.written.take().unwrap();
    let content = |name: &str| written.content(Path::new(name), &Engine::embedded());
    let tree = bench.app.home().variations[&(0, 0)].to_json();
    for name in ["x.sgf", "x.json"] {
        let content = content(name).unwrap();
        assert_eq!(content.left_out, [""; 0], "{name}");
        let mut other = opened(&content.bytes);
        let document = &other.app.document;
        assert_eq!(document.turns[0].before.state, state, "{name}");
        assert_eq!(document.variations[&(0, 0)].to_json(), tree, "{name}");
        other.keys("v");
        assert_eq!(other.app.document.turns[0].before.state, state);
    }
    for name in ["x.mat", "x.txt"] {
        let why = content(name).unwrap_err();
        let said = format!("variations of a position need .sgf or .json: {name}");
        assert_eq!(why, said);
    }
}

#[test]
fn remarks_on_a_position_and_its_variations_are_shown_and_written() {
    let file = r#"{"luckless":"match","version":1,"positions":[{"id":"4HPwATDgc/ABMA",
        "comment":"open","variations":[{"did":"31","steps":[[8,5],[6,5]],"comment":"best"}]}]}"#;
    let mut bench = opened(file.as_bytes());
    let remark = |bench: &TestApp| bench.app.document.remarks.get(&0).cloned();
    assert_eq!(remark(&bench).as_deref(), Some("open"));
    assert!(bench.screen(80, 24).contains("§ open"));
    bench.app.document.notes.insert((0, 0), "mine".into());
    assert_has!(bench.screen(80, 24), "¶ mine", "§ open");
    bench.keys("v");
    assert_eq!(remark(&bench).as_deref(), Some("best"));
    let written = bench.app.home().record_to_write();
    assert_eq!(written.positions[0].comment.as_deref(), Some("open\nmine"));
    let tree = written.positions[0].variations.as_deref().unwrap();
    assert_eq!(tree.remarks(), 1);
}
