//! What is said of matches that come into the library in the background.

use crate::tui::message::Message;
use crate::tui::testing::TestApp;
use crate::tui::theme::Depth;
use crate::tui::windows::library::FillNews;

/// Of a folder that the user has named it is told what became of its files, of others not.
#[test]
fn a_folder_that_was_named_is_told_of_once() {
    let mut bench = TestApp::new(Depth::True);
    let news = |done| FillNews {
        done,
        of: 14,
        known: 13,
        unreadable: vec!["bad.mat".into()],
        is_asked: true,
        ..FillNews::default()
    };
    bench.tell(Message::Filled(news(7)));
    bench.tell(Message::Filled(news(14)));
    let said = &bench.app.status.as_ref().expect("told").text;
    let summary = "library: 14 files: 13 known already, 1 unreadable: bad.mat";
    assert_eq!(said, summary);
    // Files that are saved in a watched folder later are not told of.
    bench.app.status = None;
    let mut later = news(14);
    later.is_asked = false;
    bench.tell(Message::Filled(later));
    assert!(bench.app.status.is_none());
}
