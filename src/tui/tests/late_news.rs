//! What comes while the user does something else: other rows, other settings, another turn.

use crate::tui::figures::candidate_rows;
use crate::tui::message::Message;
use crate::tui::testing::TestApp;
use crate::tui::theme::Depth;
use crate::tui::windows::library::{ExpectedMatch, FillNews, LibraryRow, LibraryView, RowAbout};
use crate::tui::windows::overlay::Overlay;

/// The library with these matches.
fn view(ids: &[i64]) -> LibraryView {
    let row = |&id: &i64| LibraryRow {
        id,
        date: "2026-03-05".into(),
        players: ["Anna".into(), "Ben".into()],
        path: None,
        file: None,
        expected: ExpectedMatch::Any,
        about: RowAbout::Match {
            length: 7,
            score: [7, 3],
            pr: [None; 2],
            event: String::new(),
            ply: 2,
        },
    };
    LibraryView {
        rows: ids.iter().map(row).collect(),
        total: ids.len(),
        matches: ids.len(),
        ..LibraryView::default()
    }
}

fn found(bench: &mut TestApp, ids: &[i64]) {
    let (number, found) = (bench.app.library.number, Ok(Box::new(view(ids))));
    bench.tell(Message::Library { number, found });
}

#[test]
fn a_row_stays_selected_while_matches_come_in_and_waits_for_what_is_typed() {
    let mut bench = TestApp::typed(Depth::None, "/");
    found(&mut bench, &[1, 2]);
    bench.keys("down");
    let selected = |bench: &TestApp| bench.app.library.selected().map(|row| row.id);
    assert_eq!(selected(&bench), Some(2));
    bench.tell(Message::Filled(FillNews {
        done: 1,
        of: 2,
        added: 1,
        ..FillNews::default()
    }));
    found(&mut bench, &[3, 1, 2]);
    assert_eq!(selected(&bench), Some(2));
    // One that is gone leaves its place.
    bench.keys("up down");
    found(&mut bench, &[3, 1]);
    assert_eq!(selected(&bench), Some(1));
    // What was typed begins at the first row, and nothing is done with a row of before.
    bench.keys("c enter");
    assert!(bench.said().contains("still looking"), "{}", bench.said());
    assert!(matches!(bench.app.overlay, Some(Overlay::Library)));
    found(&mut bench, &[1, 3]);
    assert_eq!(selected(&bench), Some(1));
}

/// A rollout that is extended goes by the settings of now.
#[test]
fn a_rollout_goes_on_by_the_rules_of_now() {
    let mut bench = TestApp::new(Depth::None);
    bench.app.settings.rollout.until_decided = true;
    bench.keys("n r");
    let stop = |bench: &TestApp| bench.app.jobs.current().unwrap().settings.stop;
    assert!(stop(&bench).separated.is_some());
    bench.keys("x");
    bench.app.settings.rollout.until_decided = false;
    bench.keys("r");
    assert_eq!(
        (stop(&bench).separated, stop(&bench).equivalent),
        (None, None)
    );
}

/// Without a mark the best play and the one made are rolled out, whatever was rolled out before.
#[test]
fn a_rollout_of_other_plays_is_not_gone_on_with() {
    let mut bench = TestApp::typed(Depth::None, "n");
    let rows = candidate_rows::rows(&bench.app);
    let others = rows.iter().filter(|row| !row.is_best && !row.is_played);
    let others: Vec<_> = others.map(|row| row.candidate.result).take(2).collect();
    assert_eq!(others.len(), 2);
    for result in others {
        bench.app.selection.play = Some(result);
        bench.keys("space");
    }
    bench.keys("r x");
    let first = bench.app.jobs.all().last().unwrap().id;
    bench.app.marked.clear();
    let rows = candidate_rows::rows(&bench.app);
    let made = rows.iter().find(|row| row.is_played).unwrap();
    let made = made.candidate.result;
    bench.keys("r");
    let job = bench.app.jobs.current().unwrap();
    assert_ne!(job.id, first);
    assert!(job.place(&made).is_some());
    // That one has what is needed.
    let second = job.id;
    bench.keys("x r");
    assert_eq!(bench.app.jobs.current().unwrap().id, second);
}

/// Ctrl-C keeps a note as far as it is typed, as the end of the terminal does.
#[test]
fn a_note_outlives_ctrl_c() {
    let mut bench = TestApp::typed(Depth::None, "n a");
    super::typing::paste(&mut bench, "remember this");
    bench.keys("ctrl-c");
    assert!(bench.over);
    let kept = bench.kept_note.as_ref().map(|(_, text)| text.as_str());
    assert_eq!(kept, Some("remember this"));
}
