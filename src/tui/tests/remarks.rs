//! What the file of a match remarks: shown beside the user's notes, and none of them.

use crate::match_file::write::Target;
use crate::match_file::{Comment, read_bytes};
use crate::tui::state::Document;
use crate::tui::testing::{TestApp, record};
use crate::tui::theme::Depth;

const GAME: &str = "first of three";
const DIFFICULT: &str = "difficult";
const LONG: &str =
    "the anchor was worth more than the point that was made, as it turned out much later";

/// A match as a file has it, with remarks on its first game, on its third turn and on its fifth.
fn bench() -> TestApp {
    let mut record = record();
    let remarks = [(None, GAME), (Some(2), DIFFICULT), (Some(4), LONG)];
    record.comments = remarks
        .map(|(event, text)| Comment {
            game: 0,
            event,
            text: text.to_owned(),
        })
        .into();
    let file = Target::Json.write(&record);
    let record = read_bytes(file.as_bytes(), "match.json").unwrap();
    TestApp::with(
        Depth::None,
        Document::of_match(record, "match.json".into(), 1),
    )
}

fn screen(bench: &mut TestApp, (w, h): (u16, u16)) -> String {
    bench.app.status = None;
    bench.screen(w, h)
}

#[test]
fn a_remark_of_the_file_is_shown_as_the_files() {
    let mut bench = bench();
    let list = screen(&mut bench, (120, 40));
    assert_eq!(list.matches('§').count(), 3, "{list}");
    assert_has!(list, "in the file ─", GAME);
    bench.keys("l");
    assert!(!screen(&mut bench, (120, 40)).contains("in the file"));
    bench.keys("l");
    let list = screen(&mut bench, (120, 40));
    assert!(list.contains(DIFFICULT) && !list.contains('¶'), "{list}");
    let strip = screen(&mut bench, (80, 24));
    assert_has!(strip, "§ file: diff");
    // Below a note of one's own, of which it is no part.
    bench.keys("a");
    let window = screen(&mut bench, (80, 24));
    assert_has!(window, "in the file: difficult");
    bench.keys("m i n e enter");
    assert_eq!(bench.app.written(2), Some("mine"));
    assert_eq!(bench.kept_note.as_ref().unwrap().1, "mine");
    let list = screen(&mut bench, (120, 40));
    assert_has!(list, '¶', "note ─", "mine", DIFFICULT);
    let strip = screen(&mut bench, (80, 24));
    assert_has!(strip, "¶ ", "§ ");
}

/// A long one is broken between words in the list, whole in the window, and cut with a sign in a line.
#[test]
fn a_long_remark_is_broken_and_cut() {
    let mut bench = bench();
    bench.keys("l l l l");
    let list = screen(&mut bench, (120, 40));
    assert_has!(list, "the anchor", "later");
    let strip = screen(&mut bench, (80, 24));
    let line = strip.lines().nth(1).unwrap();
    let (_, said) = line.split_once("§ file: the").unwrap();
    assert!(said.contains('…'), "{strip}");
    bench.keys("a");
    let window = screen(&mut bench, (80, 24));
    assert_has!(window, "much later");
    for size in [(20, 5), (40, 12), (200, 60)] {
        screen(&mut bench, size);
    }
}

/// They may tell the answer.
#[test]
fn remark_and_note_are_hidden_with_the_answers() {
    let mut bench = bench();
    bench.keys("l l a m i n e enter");
    bench.app.options.hidden = true;
    for size in [(80, 24), (120, 40)] {
        let screen = screen(&mut bench, size);
        assert_lacks!(screen, DIFFICULT, "file:", "mine");
        assert_has!(screen, '§', '¶');
    }
    bench.keys("a");
    let window = screen(&mut bench, (80, 24));
    assert_lacks!(window, DIFFICULT);
}

/// A variation has none of the match's; its notes are beside the match's move, and so is the remark.
#[test]
fn a_variation_has_no_remarks_of_its_own() {
    let mut bench = bench();
    bench.keys("l l v");
    assert!(bench.app.variation.is_some());
    let line = screen(&mut bench, (120, 40));
    assert_lacks!(line, "in the file");
    bench.keys("a");
    let window = screen(&mut bench, (120, 40));
    assert_has!(window, "in the file: difficult");
}

#[test]
fn a_remark_steers_no_terminal() {
    let mut record = record();
    record.comments = vec![Comment {
        game: 0,
        event: Some(0),
        text: "red\u{1b}[31m\nsecond\u{202e}line".to_owned(),
    }];
    let document = Document::of_match(record, "match.json".into(), 1);
    assert_eq!(document.remarks[&0], "red[31m\nsecondline");
}
