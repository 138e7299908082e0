//! The window of the library.

mod asked;
mod gone;
mod me;

use super::mouse::click;
use crate::library::{MatchHead, Order, PackedDecision, decisions};
use crate::match_file::read_bytes;
use crate::review::report::build::build;
use crate::review::report::context::ReportContext;
use crate::review::{Thresholds, analyse_match};
use crate::store::library::NewMatch;
use crate::store::{LibraryStore, MatchFingerprint, ReviewKey, ReviewMethod};
use crate::tui::keys::{ActionId, KeyScope};
use crate::tui::message::Message;
use crate::tui::screen::targets::Target;
use crate::tui::state::Openable;
use crate::tui::testing::{Race, TestApp};
use crate::tui::theme::Depth;
use crate::tui::windows::library::{LibraryList, LibraryQuery, LibraryRequest};
use crate::tui::windows::library::{LibraryRow, RowAbout};
use crate::tui::windows::overlay::{Overlay, help_rows};
use crate::tui::windows::path_prompt::PathPrompt;
use crate::tui::workers::librarian::answer;
use ratatui::crossterm::event::Event;

/// A library with one match, in a file that is there.
fn library() -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let bytes = include_bytes!("../../../sample_matches/clara-dev-3pt.mat");
    let file = folder.path().join("clara.mat");
    std::fs::write(&file, bytes).unwrap();
    let record = read_bytes(bytes, "clara.mat").unwrap();
    let model = crate::cube::Model::standard();
    let method = ReviewMethod::new("race", model, false);
    let analysed = analyse_match(&Race, model, &record, 0, &|| false).unwrap();
    let context = ReportContext {
        engine: "race",
        model,
        ply: 0,
        thresholds: Thresholds::default(),
        rollouts: None,
    };
    let report = build(&record, &analysed, &context);
    let all = decisions(&record, &report, &Race, model);
    let path = folder.path().join("library.sqlite");
    let mut store = LibraryStore::open(&path).unwrap();
    let new = NewMatch {
        fingerprint: MatchFingerprint::of(&record),
        head: MatchHead::new(&record, &report, "2026-03-05"),
        decisions: Some(all.iter().map(PackedDecision::from).collect()),
        review: ReviewKey::new(bytes, 0, &record, &method, 0).id,
    };
    store.keep(&file, "1", &[new]).unwrap();
    (folder, path)
}

/// Has the librarian answer the latest question.
fn answered(bench: &mut TestApp, path: &std::path::Path) -> LibraryQuery {
    let query = |request| match request {
        LibraryRequest::Show(query) => Some(*query),
        _ => None,
    };
    let asked = bench.requests.drain(..).rev().find_map(query);
    let query = asked.expect("nothing was asked");
    let found = answer(path, &query)
        .map(Box::new)
        .map_err(|e| e.to_string());
    bench.tell(Message::Library {
        number: query.number,
        found,
    });
    query
}

#[test]
fn errors_of_all_matches_are_filtered_as_one_types_and_opened() {
    let (folder, path) = library();
    let mut bench = TestApp::typed(Depth::None, "/");
    assert_eq!(answered(&mut bench, &path).list, LibraryList::Matches);
    for (w, h) in [(80, 24), (120, 40)] {
        let screen = bench.screen(w, h);
        assert_has!(screen, "1 of 1 matches", "2026-03-05", "Clara");
        // A name alone is of either player: whose errors are meant another word says.
        assert_has!(screen, "player:lasse");
    }
    bench.keys("tab");
    assert_eq!(answered(&mut bench, &path).list, LibraryList::Errors);
    let all = bench.app.library.rows();
    assert!(all > 10);
    let screen = bench.screen_after("c u b", 80, 24);
    assert!(screen.contains("→ cube"), "what can be completed: {screen}");
    bench.keys("right");
    assert_eq!(bench.app.library.input.value(), "cube");
    let query = answered(&mut bench, &path);
    assert!(query.filter.asks_for_decisions());
    let cubes = bench.app.library.rows();
    assert!(cubes > 0 && cubes < all, "{cubes} of {all}");
    bench.keys("ctrl-o");
    assert_eq!(answered(&mut bench, &path).order, Order::Loss);
    // A filter that is none says where, and what was found stays.
    let screen = bench.screen_after("space e r o r > 1", 80, 24);
    assert_has!(screen, "column 6: 'eror' is nothing");
    for _ in 0..11 {
        bench.keys("backspace");
    }
    answered(&mut bench, &path);
    bench.keys("down down");
    let row = bench.app.library.selected().unwrap().clone();
    let RowAbout::Decision { decision, .. } = row.about else {
        panic!("{row:?}");
    };
    bench.keys("enter");
    assert!(bench.app.overlay.is_none());
    let file = folder.path().join("clara.mat");
    assert_eq!(bench.app.sources[bench.app.source], Openable::File(file));
    assert_eq!(bench.app.at, decision.turn);
    let said = bench.app.status.as_ref().map(|s| s.text.clone());
    assert_eq!(said.as_deref(), Some("/ goes back to the list"));
    // Back, and as it was left; the file before is still there too.
    bench.keys("/");
    assert!(matches!(bench.app.overlay, Some(Overlay::Library)));
    answered(&mut bench, &path);
    assert_eq!(bench.app.library.selected(), Some(&row));
    bench.keys("esc [");
    assert!(bench.app.overlay.is_none());
}

/// A second click on a row opens it, as Enter does.
#[test]
fn a_row_is_opened_by_clicks() {
    let (folder, path) = library();
    let mut bench = TestApp::typed(Depth::None, "/");
    answered(&mut bench, &path);
    bench.keys("tab");
    answered(&mut bench, &path);
    let is_third = |target: &Target| *target == Target::Row(2);
    click(&mut bench, (80, 24), is_third);
    assert!(matches!(bench.app.overlay, Some(Overlay::Library)));
    assert_eq!(bench.app.library.row, 2);
    click(&mut bench, (80, 24), is_third);
    assert!(bench.app.overlay.is_none());
    let file = folder.path().join("clara.mat");
    assert_eq!(bench.app.sources[bench.app.source], Openable::File(file));
}

/// A game by hand is lost to a match of the list only when that is asked for twice.
#[test]
fn a_game_by_hand_outlasts_enter_in_the_list() {
    let (folder, path) = library();
    let mut bench = TestApp::typed(Depth::None, "l g h . /");
    answered(&mut bench, &path);
    bench.keys("enter");
    assert!(bench.app.is_playing_by_hand());
    assert!(matches!(bench.app.overlay, Some(Overlay::Library)));
    bench.keys("enter");
    assert!(bench.app.hand().is_none() && bench.app.overlay.is_none());
    let file = folder.path().join("clara.mat");
    assert_eq!(bench.app.sources[bench.app.shown], Openable::File(file));
}

/// What one works through waits while positions like one are looked at, and comes back after a quiz.
#[test]
fn the_list_that_was_left_comes_back() {
    let (_folder, path) = library();
    let mut bench = TestApp::new(Depth::None);
    bench.tell(Message::Study {
        cards: Vec::new(),
        micros: 0,
    });
    bench.keys("/ tab c u b e");
    answered(&mut bench, &path);
    bench.keys("down");
    let left = (bench.app.library.list, bench.app.library.row);
    assert_eq!(left, (LibraryList::Errors, 1));
    for back in ["esc /", "tab"] {
        bench.keys("esc *");
        assert_eq!(answered(&mut bench, &path).list, LibraryList::Like);
        assert_eq!(bench.app.library.input.value(), "");
        bench.keys(back);
        let query = answered(&mut bench, &path);
        assert_eq!(query.list, LibraryList::Errors);
        assert_eq!(bench.app.library.input.value(), "cube");
        assert_eq!((bench.app.library.list, bench.app.library.row), left);
    }
    bench.keys("ctrl-q");
    assert!(bench.app.overlay.is_none());
    let wanted = bench.quiz_request.clone().expect("a quiz");
    assert!(wanted.least > 0.0);
    bench.tell(Message::QuizFound {
        wanted,
        decisions: Vec::new(),
    });
    assert!(matches!(bench.app.overlay, Some(Overlay::Library)));
    assert_has!(bench.screen(80, 24), "nothing to ask");
    // What was noted is chosen already: errors and right decisions.
    bench.keys("space n o t e");
    answered(&mut bench, &path);
    bench.keys("ctrl-q");
    let wanted = bench.quiz_request.clone().expect("a quiz");
    assert!(wanted.filter().unwrap().wants_notes() && wanted.least <= 0.0);
}

/// The list of the library's keys stands over it, runs them there and leaves it as it was.
#[test]
fn the_keys_of_the_library_are_shown_in_it() {
    let (_folder, path) = library();
    let mut bench = TestApp::typed(Depth::None, "/ tab c u b e f1");
    answered(&mut bench, &path);
    let screen = bench.screen(120, 40);
    assert_has!(screen, "study plan", "this is me");
    assert_lacks!(screen, "legend");
    bench.keys("tab esc");
    assert!(matches!(bench.app.overlay, Some(Overlay::Library)));
    assert_eq!(bench.app.library.input.value(), "cube");
    let order = bench.app.library.order;
    let place = help_rows(KeyScope::Library)
        .iter()
        .position(|a| a.id == ActionId::Order)
        .unwrap();
    bench.keys("f1");
    for _ in 0..place {
        bench.keys("down");
    }
    bench.keys("enter");
    assert!(matches!(bench.app.overlay, Some(Overlay::Library)));
    assert_ne!(bench.app.library.order, order);
}

/// While a filter is half typed nothing is said of what fits it; a list that is cut says so.
#[test]
fn counts_are_of_what_is_shown() {
    let (_folder, path) = library();
    let mut bench = TestApp::typed(Depth::None, "/ tab");
    answered(&mut bench, &path);
    let errors = format!("{} errors", bench.app.library.rows());
    assert!(bench.screen(80, 24).contains(&errors));
    let screen = bench.screen_after("e r r o r >", 80, 24);
    assert_lacks!(screen, &errors, "nothing fits");
    let mut view = (**bench.app.library.view.as_ref().unwrap()).clone();
    view.total = 9349;
    let rows = view.rows.len();
    bench.app.library.view = Some(std::sync::Arc::new(view.clone()));
    bench.app.library.wrong = None;
    let screen = bench.screen(80, 24);
    let words = format!("first {rows} of 9349 errors");
    assert_has!(screen, &words);
    view.list = LibraryList::Decisions;
    bench.app.library.list = LibraryList::Decisions;
    bench.app.library.view = Some(std::sync::Arc::new(view.clone()));
    let screen = bench.screen(80, 24);
    let words = format!("first {rows} of 9349 decisions");
    assert_has!(screen, &words);
    view.list = LibraryList::Matches;
    for (width, matches, words) in [
        (80, 9349, "matches ─"),
        (120, 9349, "matches · filter for others ─"),
        (120, 9999, "found, of 9999 matches · filter for others ─"),
    ] {
        view.matches = matches;
        bench.app.library.view = Some(std::sync::Arc::new(view.clone()));
        bench.app.library.list = LibraryList::Matches;
        let screen = bench.screen(width, 24);
        assert!(screen.contains(&format!("first {rows} of 9349 {words}")));
    }
}

#[test]
fn positions_like_the_one_in_view_are_found() {
    let (_folder, path) = library();
    let mut bench = TestApp::typed(Depth::None, "*");
    let query = answered(&mut bench, &path);
    assert_eq!(query.list, LibraryList::Like);
    let state = bench.app.document.turns[0].before.state;
    assert_eq!(query.like.as_deref(), Some(&state));
    let view = bench.app.library.view.clone().unwrap();
    let distances = view.rows.iter().map(|row| match row.about {
        RowAbout::Decision { distance, .. } => distance.unwrap(),
        RowAbout::Match { .. } => panic!("{row:?}"),
    });
    let distances: Vec<u32> = distances.collect();
    assert!(!distances.is_empty() && distances.is_sorted());
    assert_has!(bench.screen(80, 24), "positions like this one");
    // A quiz would ask the whole library.
    bench.tell(Message::Study {
        cards: Vec::new(),
        micros: 0,
    });
    bench.keys("ctrl-q");
    let said = bench.app.status.as_ref().map(|status| status.text.as_str());
    assert_eq!(
        said,
        Some("a quiz asks what a filter finds, not positions like one")
    );
    assert!(bench.app.overlay.is_some());
    // From a match that was opened there they come back as they were left, and the list before them next.
    bench.keys("down enter");
    assert!(bench.app.overlay.is_none());
    bench.keys("/");
    let back = &bench.app.library;
    assert_eq!((back.list, back.row), (LibraryList::Like, 1));
    bench.keys("esc /");
    assert_eq!(bench.app.library.list, LibraryList::Matches);
    // A match that was opened from another list before changes nothing of that.
    answered(&mut bench, &path);
    bench.keys("enter * esc /");
    assert_eq!(bench.app.library.list, LibraryList::Matches);
}

/// Sorted by what errors cost of the match, the list shows that.
#[test]
fn errors_show_what_they_are_sorted_by() {
    let (_folder, path) = library();
    let mut bench = TestApp::typed(Depth::None, "/ tab");
    answered(&mut bench, &path);
    assert!(bench.screen(120, 40).contains("error "));
    bench.keys("ctrl-o");
    answered(&mut bench, &path);
    let screen = bench.screen(120, 40);
    let head = screen
        .lines()
        .find(|line| line.contains("opponent"))
        .unwrap();
    assert!(head.contains(" lost"), "{screen}");
    let losses = screen.lines().filter_map(|line| {
        let (figure, _) = line.split_once("% ")?;
        figure.split_whitespace().last()?.parse::<f64>().ok()
    });
    let losses: Vec<f64> = losses.collect();
    assert!(
        losses.len() > 2 && losses.is_sorted_by(|a, b| a >= b),
        "{screen}"
    );
}

#[test]
fn a_missed_double_is_opened_before_the_roll() {
    let (_folder, path) = library();
    let mut bench = TestApp::typed(Depth::None, "/ tab d o u b l e");
    answered(&mut bench, &path);
    let missed = |row: &LibraryRow| match row.about {
        RowAbout::Decision { decision, .. } => decision.is_silent,
        RowAbout::Match { .. } => false,
    };
    let view = bench.app.library.view.clone().unwrap();
    let row = view.rows.iter().position(missed).expect("a missed double");
    (0..row).for_each(|_| bench.keys("down"));
    let RowAbout::Decision { decision, .. } = view.rows[row].about else {
        panic!("no decision");
    };
    bench.keys("enter");
    assert_eq!(bench.app.at, decision.turn);
    let before = bench.app.before.expect("before the roll");
    assert_eq!(before.before.state.roll, None);
}

#[test]
fn a_pattern_is_drawn_and_found() {
    let (folder, path) = library();
    let mut bench = TestApp::typed(Depth::None, "e x /");
    assert!(
        bench.app.overlay.is_none(),
        "an empty board asks for nothing"
    );
    // Two on the 6 point, nothing at all on the bar point, no checker of the other player on the 5 point.
    let screen = bench.screen_after("h h h h n n n h 2 h h n", 120, 40);
    assert_has!(screen, "find 7:0 6:2 o7:0 o5:0", "×○");
    bench.keys("/");
    let query = answered(&mut bench, &path);
    assert_eq!(query.list, LibraryList::Decisions);
    assert_eq!(bench.app.library.input.value(), "7:0 6:2 o7:0 o5:0 ");
    let drawn = bench.app.library.rows();
    assert_has!(bench.screen(80, 24), "all decisions, by cost");
    bench.keys("space s w a p p e d");
    answered(&mut bench, &path);
    let either = bench.app.library.rows();
    assert!(0 < drawn && drawn < either, "{drawn} of {either}");
    // Back to the drawing, which can be changed and taken back.
    bench.keys("esc");
    assert!(bench.app.editor.is_some() && bench.app.overlay.is_none());
    bench.keys("u /");
    answered(&mut bench, &path);
    assert_eq!(bench.app.library.input.value(), "6:2 o5:0 ");
    assert!(bench.app.library.rows() > drawn);
    // Checkers stand where some are wanted.
    bench.keys("esc l l l 3 n /");
    assert_eq!(bench.app.library.input.value(), "6:2 5:3 ");
    bench.keys("esc u /");
    answered(&mut bench, &path);
    bench.keys("enter");
    let file = folder.path().join("clara.mat");
    assert_eq!(bench.app.sources[bench.app.source], Openable::File(file));
}

/// Once more takes it back, though the row has the players the other way round by then.
#[test]
fn who_is_me_is_taken_back_by_the_same_key() {
    let (_folder, path) = library();
    let mut bench = TestApp::typed(Depth::None, "/");
    answered(&mut bench, &path);
    let mut swapped = bench.app.library.view.as_deref().cloned().expect("a list");
    bench.keys("ctrl-t");
    swapped.rows[0].players.reverse();
    let number = bench.app.library.number;
    bench.tell(Message::Library {
        number,
        found: Ok(Box::new(swapped)),
    });
    bench.keys("ctrl-t");
    let clara = || LibraryRequest::Me("Clara".into());
    assert_eq!(
        bench.requests.drain(..).collect::<Vec<_>>(),
        [clara(), clara()]
    );
    // Elsewhere it is the player named first.
    bench.keys("down ctrl-t");
    assert_eq!(bench.requests, [LibraryRequest::Me("Dev".into())]);
}

#[test]
fn a_match_is_removed_when_it_is_asked_for_twice() {
    let (_folder, path) = library();
    let mut bench = TestApp::typed(Depth::None, "/");
    answered(&mut bench, &path);
    bench.keys("ctrl-t");
    assert_eq!(
        bench.requests.drain(..).collect::<Vec<_>>(),
        [LibraryRequest::Me("Clara".into())]
    );
    bench.keys("ctrl-x");
    assert!(bench.requests.is_empty());
    // A key between takes the question back.
    bench.keys("up ctrl-x");
    assert!(bench.requests.is_empty());
    bench.wait(5000);
    bench.keys("ctrl-x");
    assert!(bench.requests.is_empty());
    bench.keys("ctrl-x");
    let id = bench.app.library.selected().unwrap().id;
    assert_eq!(bench.requests, [LibraryRequest::Remove(id)]);
    // An empty library says how it is filled.
    let nowhere = path.with_file_name("none.sqlite");
    bench.keys("tab");
    answered(&mut bench, &nowhere);
    let screen = bench.screen(80, 24);
    assert_has!(screen, "luckless library add", "Esc, then o, and type");
    let screen = bench.screen(60, 20);
    let words = screen.replace(['│', '\n'], " ");
    let words: Vec<&str> = words.split_whitespace().collect();
    assert!(words.join(" ").contains("and appear here."), "{screen}");
    // An answer that nobody waits for any more changes nothing.
    let view = bench.app.library.view.clone();
    bench.tell(Message::Library {
        number: 1,
        found: Ok(Box::default()),
    });
    assert_eq!(bench.app.library.view, view);
}

#[test]
fn matches_are_sorted_and_what_is_new_is_reported() {
    use crate::tui::windows::library::{FillNews, MatchOrder};
    let (_folder, path) = library();
    let mut bench = TestApp::new(Depth::None);
    let news = |done, added, failed| {
        Message::Filled(FillNews {
            done,
            of: 40,
            added,
            failed,
            ..FillNews::default()
        })
    };
    bench.tell(news(12, 0, 0));
    assert!(bench.screen(80, 24).contains("library 12/40"));
    bench.tell(news(40, 3, 2));
    let shown = bench.screen(120, 40);
    assert_has!(shown, "3 new, 2 unreadable");
    bench.keys("/");
    assert_eq!(answered(&mut bench, &path).by, MatchOrder::Newest);
    for by in [
        MatchOrder::Player,
        MatchOrder::Opponent,
        MatchOrder::Event,
        MatchOrder::Rating,
        MatchOrder::Result,
        MatchOrder::Newest,
    ] {
        bench.keys("ctrl-o");
        assert_eq!(answered(&mut bench, &path).by, by);
        assert_has!(bench.screen(120, 40), by.name());
    }
    // While the window is open new matches appear in it, and nothing is told of them.
    bench.tell(news(40, 4, 2));
    assert_eq!(answered(&mut bench, &path).list, LibraryList::Matches);
    bench.keys("esc");
    assert!(!bench.screen(120, 40).contains(" new"));
    // A match that was saved in a watched folder is taken in, unless the settings say no.
    bench.tell(Message::Saved("x.mat".into()));
    assert_eq!(bench.filled, [std::path::absolute("x.mat").unwrap()]);
    bench.app.settings.fill_library = false;
    bench.tell(Message::Saved("y.mat".into()));
    assert_eq!(bench.filled.len(), 1);
    // A folder that is typed is taken in; one that is chosen in the list is entered.
    bench.keys("o");
    let typed = PathPrompt::new("/no such folder/".to_owned());
    bench.app.overlay = Some(Overlay::Open(typed));
    bench.keys("enter");
    assert_eq!(
        bench.filled[1..],
        [std::path::PathBuf::from("/no such folder/")]
    );
    assert_has!(bench.said(), "come into the library");
    // So is one that is pasted, or typed without the slash.
    let folder = tempfile::tempdir().unwrap();
    let name = folder.path().display().to_string();
    bench.tell(Message::Input(Event::Paste(name.clone())));
    bench.keys("o");
    bench.app.overlay = Some(Overlay::Open(PathPrompt::new(name)));
    bench.keys("enter");
    assert_eq!(bench.filled[2..], [folder.path(), folder.path()]);
}

/// Nothing fits `me` before the user has said who that is: the window says so, and how it is said.
#[test]
fn me_of_nobody_tells_how_one_says_who_one_is() {
    let (_folder, path) = library();
    let mut bench = TestApp::typed(Depth::None, "/");
    answered(&mut bench, &path);
    bench.keys("m e");
    answered(&mut bench, &path);
    for (w, h) in [(80, 24), (120, 40)] {
        assert_has!(bench.screen(w, h), "you have not said who you are: Ctrl-T");
    }
    bench.keys("backspace backspace z z z");
    answered(&mut bench, &path);
    assert!(bench.screen(80, 24).contains("nothing fits"));
}

/// Which match an error is of shows in the row itself, where there is room for that.
#[test]
fn errors_of_all_matches_have_their_opponent() {
    let (_folder, path) = library();
    let mut bench = TestApp::typed(Depth::None, "/");
    answered(&mut bench, &path);
    bench.keys("tab");
    answered(&mut bench, &path);
    for (w, h) in [(90, 30), (100, 32), (110, 30), (120, 40), (200, 60)] {
        let screen = bench.screen(w, h);
        assert_has!(screen, " opponent ");
        let both = |line: &str| line.contains("Clara") && line.contains("Dev");
        let rows = screen
            .lines()
            .filter(|line| both(line) && !line.contains("–"));
        assert!(rows.count() > 5, "{screen}");
    }
}
