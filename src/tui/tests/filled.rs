//! What is said of matches that come into the library in the background.

use crate::tui::message::Message;
use crate::tui::testing::TestApp;
use crate::tui::theme::Depth;
use crate::tui::windows::library::FillNews;

/// A program that ends while matches are on their way asks first, and the next one goes on with them.
#[test]
fn what_was_on_its_way_goes_on_next_time() {
    let folder = tempfile::tempdir().unwrap();
    let mut bench = TestApp::new(Depth::True);
    let news = |done, of| {
        Message::Filled(FillNews {
            done,
            of,
            ..FillNews::default()
        })
    };
    bench.app.fill_library(folder.path().to_owned());
    bench.tell(news(3, 14));
    bench.keys("q");
    assert!(!bench.over);
    let asked = bench.app.status.as_ref().unwrap().text.clone();
    assert!(asked.contains("on their way into the library"), "{asked}");
    let session = bench.app.session().unwrap();
    let mut again = TestApp::new(Depth::True);
    again.app.resume(&session);
    again.keys("?");
    assert_eq!(again.filled, [folder.path()]);
    // A folder that is watched goes on too, without a question.
    let mut watching = TestApp::new(Depth::True);
    watching.app.library.watch(folder.path());
    watching.tell(news(3, 14));
    assert_eq!(watching.app.session().unwrap().filling, [folder.path()]);
    watching.keys("q");
    assert!(watching.over);
    watching.tell(news(14, 14));
    assert!(watching.app.session().unwrap().filling.is_empty());
    // What is done, or came to nothing, is not asked about.
    bench.tell(news(14, 14));
    assert!(bench.app.session().unwrap().filling.is_empty());
    bench.app.fill_library(folder.path().to_owned());
    bench.tell(news(0, 0));
    bench.keys("q");
    assert!(bench.over);
}

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
