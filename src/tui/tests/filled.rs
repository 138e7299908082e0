//! What is said of matches that come into the library in the background.

use std::path::Path;

use super::played_match::{begun, opened, playing};
use crate::store::LibraryStore;
use crate::tui::message::Message;
use crate::tui::testing::{TestApp, filler_means};
use crate::tui::theme::Depth;
use crate::tui::windows::asked::HistoryFailure;
use crate::tui::windows::library::{FillNews, LibraryRequest};
use crate::tui::windows::plan::PlanNews;
use crate::tui::windows::rating::RatingNews;
use crate::tui::workers::filler::Filler;
use crate::tui::workers::librarian::answer;

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
    let asked = bench.said().to_owned();
    assert_has!(asked, "on their way into the library");
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
    let said = bench.said();
    let summary = "library: 14 files: 13 known already, 1 unreadable: bad.mat";
    assert_eq!(said, summary);
    // Files that are saved in a watched folder later are not told of.
    bench.app.status = None;
    let mut later = news(14);
    later.is_asked = false;
    bench.tell(Message::Filled(later));
    assert!(bench.app.status.is_none());
}

const MATCH: &[u8] = include_bytes!("../../../sample_matches/clara-dev-3pt.mat");

/// The workstation with a match of a file, where there is a library.
fn with_match(path: &Path) -> TestApp {
    std::fs::write(path, MATCH).unwrap();
    let mut bench = opened(path);
    bench.has_stores();
    bench
}

/// Has a thread do what the key has asked for last, and passes on what it tells.
fn fill(bench: &mut TestApp, folder: &Path) {
    let (messages, received) = crossbeam_channel::unbounded();
    let filler = Filler::start(filler_means(folder), messages);
    filler.add(bench.filled.pop().expect("asked for"));
    for message in &received {
        let is_done = matches!(&message, Message::Filled(news) if news.done == news.of);
        bench.tell(message);
        if is_done {
            break;
        }
    }
    filler.end();
}

/// A key takes the match in view into the library once, and brings it back where it was removed.
#[test]
fn the_match_in_view_is_added_by_a_key() {
    let folder = tempfile::tempdir().unwrap();
    let [path, library] = ["clara.mat", "library.sqlite"].map(|name| folder.path().join(name));
    let mut bench = with_match(&path);
    bench.keys("z a");
    assert_eq!(bench.filled, std::slice::from_ref(&path));
    assert_eq!(bench.said(), "clara.mat comes into the library");
    bench.keys("z a");
    assert_eq!(bench.filled.len(), 1);
    assert!(bench.said().contains("on its way"), "{}", bench.said());
    let is_new = "clara.mat is in the library: / lists it";
    fill(&mut bench, folder.path());
    assert_eq!(bench.said(), is_new);
    // The palette finds the same action.
    bench.keys(": l i b r a r y space a d d enter");
    fill(&mut bench, folder.path());
    let is_known = "clara.mat was in the library already: / lists it";
    assert_eq!(bench.said(), is_known);
    let event = &MATCH[MATCH.iter().position(|&byte| byte == b'\n').unwrap()..];
    std::fs::write(&path, [b"; [Event \"Another one\"]", event].concat()).unwrap();
    bench.keys("z a");
    fill(&mut bench, folder.path());
    let is_updated = "clara.mat was in the library, and is updated: / lists it";
    assert_eq!(bench.said(), is_updated);
    let mut store = LibraryStore::open(&library).unwrap();
    let all = store.matches(&mut |why| panic!("{why}")).unwrap();
    store.remove(&[all[0].id]).unwrap();
    bench.keys("z a");
    fill(&mut bench, folder.path());
    assert_eq!(bench.said(), is_new);
}

/// What is in no file, or is still being played, is not added, and it is said why.
#[test]
fn a_match_without_a_file_is_not_added() {
    let mut bench = TestApp::typed(Depth::None, "z a");
    assert_eq!(bench.said(), "there is no library here");
    bench.has_stores();
    bench.keys("z a");
    let words = "this match is in no file: ys writes one, o opens that";
    assert_eq!(bench.said(), words);
    let (_folder, path) = begun(3, 1);
    let mut bench = playing(&path);
    bench.has_stores();
    bench.keys("z a");
    assert!(bench.said().contains("not while the match is played"));
    assert!(bench.filled.is_empty());
}

/// The windows of an empty library say how the match in view comes into it, until that is on its way.
#[test]
fn an_empty_library_offers_the_match_in_view() {
    let folder = tempfile::tempdir().unwrap();
    let mut bench = with_match(&folder.path().join("clara.mat"));
    for is_offered in [true, false] {
        let check = |bench: &mut TestApp, words: &str| {
            let screen = bench.screen(120, 40);
            let lines = screen.replace(['│', '\n'], " ");
            let shown = lines.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(shown.contains("o match in the library yet"), "{screen}");
            assert_eq!(shown.contains(words), is_offered, "{screen}");
            bench.keys("esc");
        };
        bench.keys("/");
        let Some(LibraryRequest::Show(query)) = bench.requests.pop() else {
            panic!("nothing was asked");
        };
        let found = answer(&folder.path().join("none.sqlite"), &query);
        bench.tell(Message::Library {
            number: query.number,
            found: Ok(Box::new(found.unwrap())),
        });
        check(&mut bench, "Esc, then za, adds the match in view.");
        bench.keys("z r");
        bench.tell(Message::Rating {
            number: bench.ratings.last().unwrap().number,
            news: RatingNews::Found(Err(HistoryFailure::Empty)),
        });
        check(&mut bench, "za adds the match in view");
        bench.keys("z p");
        bench.tell(Message::Plan {
            number: bench.plans.last().unwrap().number,
            news: PlanNews::Found(Err(HistoryFailure::Empty)),
        });
        check(&mut bench, "za adds the match in view");
        bench.keys("z a");
    }
}
