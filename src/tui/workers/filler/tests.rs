//! Tests of the thread that fills the library.

use super::*;
use crate::store::MendedIn;
use crate::tui::testing::filler_means as means;

const MATCH: &[u8] = include_bytes!("../../../../sample_matches/clara-dev-3pt.mat");

/// The thread's state, without the thread.
fn work(folder: &Path) -> (Work, Receiver<Message>) {
    let (messages, received) = unbounded();
    let work = Work {
        means: means(folder),
        messages,
        held: Arc::default(),
        ended: Arc::default(),
    };
    (work, received)
}

/// Reports for these requests, all present from the start; the first is processed alone.
fn told(folder: &Path, first: FillRequest, rest: Vec<FillRequest>) -> (Vec<FillNews>, Vec<String>) {
    let (work, received) = work(folder);
    let (requests, inbox) = unbounded();
    let (mut left, mut news) = (Waiting::default(), FillNews::default());
    assert!(work.queue(first, &mut left, &mut news));
    rest.into_iter()
        .for_each(|request| requests.send(request).unwrap());
    work.all(&inbox, &mut left, &mut news).unwrap();
    let (mut all, mut warnings) = (Vec::new(), Vec::new());
    for message in received.try_iter() {
        match message {
            Message::Filled(news) => all.push(news),
            Message::Warning(why) => warnings.push(why),
            other => panic!("{other:?}"),
        }
    }
    (all, warnings)
}

#[test]
fn what_became_of_the_last_file_is_told_before_new_requests_begin() {
    let folder = tempfile::tempdir().unwrap();
    let [bad, other, unknown] =
        ["bad.mat", "other.mat", "unknown.mat"].map(|name| folder.path().join(name));
    for path in [&bad, &other] {
        std::fs::write(path, "no match").unwrap();
    }
    let rest = vec![FillRequest::Reviewed(unknown), FillRequest::Asked(other)];
    let (all, warnings) = told(folder.path(), FillRequest::Asked(bad), rest);
    assert!(warnings.is_empty(), "{warnings:?}");
    let counts: Vec<_> = all.iter().map(|n| (n.done, n.of, n.failed)).collect();
    assert_eq!(counts, [(1, 1, 1), (0, 1, 1), (1, 1, 2)]);
    assert_eq!(all[0].unreadable, ["bad.mat"]);
    assert_eq!(all[2].unreadable, ["other.mat"]);
}

#[test]
fn a_folder_that_is_named_twice_counts_once() {
    let folder = tempfile::tempdir().unwrap();
    let (work, _received) = work(folder.path());
    std::fs::write(folder.path().join("bad.mat"), "no match").unwrap();
    let (mut left, mut news) = (Waiting::default(), FillNews::default());
    let named = |end: &str| FillRequest::Asked(format!("{}{end}", folder.path().display()).into());
    assert!(work.queue(named(""), &mut left, &mut news));
    assert!(!work.queue(named("/"), &mut left, &mut news));
    assert_eq!((left.files.len(), news.of, news.is_asked), (1, 1, true));
}

#[test]
fn a_request_that_comes_to_nothing_leaves_what_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let (work, _received) = work(folder.path());
    let mut news = FillNews {
        done: 3,
        of: 3,
        known: 2,
        unreadable: vec!["bad.mat".into()],
        ..FillNews::default()
    };
    let before = news.clone();
    let request = FillRequest::Reviewed(folder.path().join("unknown.mat"));
    assert!(!work.queue(request, &mut Waiting::default(), &mut news));
    assert_eq!(news, before);
}

#[test]
fn a_file_that_the_library_refuses_is_not_called_unreadable() {
    let folder = tempfile::tempdir().unwrap();
    let library = means(folder.path()).library;
    drop(LibraryStore::open(&library).unwrap());
    let refuse = "CREATE TRIGGER refuse BEFORE INSERT ON matches
        BEGIN SELECT RAISE(ABORT, 'no room'); END";
    let connection = rusqlite::Connection::open(&library).unwrap();
    connection.execute_batch(refuse).unwrap();
    drop(connection);
    let matches = folder.path().join("m");
    std::fs::create_dir(&matches).unwrap();
    std::fs::write(matches.join("a.mat"), MATCH).unwrap();
    std::fs::write(matches.join("b.mat"), MATCH).unwrap();
    std::fs::write(matches.join("bad.mat"), "no match").unwrap();
    let (all, warnings) = told(
        folder.path(),
        FillRequest::Watched(vec![matches]),
        Vec::new(),
    );
    let last = all.last().unwrap();
    assert_eq!((last.done, last.of, last.failed), (1, 1, 1));
    assert_eq!(last.unreadable, ["bad.mat"]);
    // One reason is reported once.
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    let why = &warnings[0];
    assert_has!(why, "mat is not in the library: ", "no room");
}

/// Without the Crawford rule, the reviewed match has no Crawford game, and its review has another key.
#[test]
fn matches_are_reviewed_without_the_crawford_rule() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.mat");
    std::fs::write(&path, MATCH).unwrap();
    let of = |no_crawford: bool| {
        let (mut work, _received) = work(folder.path());
        work.means.no_crawford = no_crawford;
        let reviewer = work.reviewer().unwrap();
        let file = reviewer.read(&path).unwrap();
        let (index, record) = &file.matches[0];
        let crawford = record.games.iter().filter(|game| game.crawford).count();
        (crawford, reviewer.key(&file, *index, record))
    };
    let ([played, without], [key, other]) = {
        let [(a, b), (c, d)] = [false, true].map(of);
        ([a, c], [b, d])
    };
    assert_eq!((played, without), (1, 0));
    assert_ne!(key, other);
}

#[test]
fn a_damaged_file_of_reviews_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(means(folder.path()).reviews, [0xa5; 4096]).unwrap();
    let path = folder.path().join("a.mat");
    std::fs::write(&path, MATCH).unwrap();
    let mended = MendedIn::start(folder.path());
    let (all, warnings) = told(folder.path(), FillRequest::Asked(path), Vec::new());
    assert_eq!(all.last().map(|news| news.added), Some(1));
    assert!(warnings.is_empty(), "{warnings:?}");
    let mended = mended.take();
    assert_eq!(mended.len(), 1, "{mended:?}");
    assert!(
        mended[0].contains("reviews.sqlite was damaged"),
        "{mended:?}"
    );
}

/// If the program ended before the library got a deeper review, it gets it when the match is opened again. The review
/// includes its turns, so the match needs no new analysis for display.
#[test]
fn a_match_that_stayed_shallow_is_deepened_when_it_is_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.mat");
    std::fs::write(&path, MATCH).unwrap();
    let shallow = Arc::new(AtomicU8::new(0));
    let found = |ply: &Arc<AtomicU8>, request: FillRequest| {
        let (mut work, _received) = work(folder.path());
        work.means.ply = Arc::clone(ply);
        let (_requests, inbox) = unbounded();
        let (mut left, mut news) = (Waiting::default(), FillNews::default());
        let is_wanted = work.queue(request, &mut left, &mut news);
        work.all(&inbox, &mut left, &mut news).unwrap();
        let library = LibraryStore::open(&work.means.library).unwrap();
        let all = library.matches(&mut |why| panic!("{why}")).unwrap();
        let reviews = ReviewStore::open(&work.means.reviews).unwrap();
        let turns = reviews.find_turns(&all[0].review).unwrap();
        assert!(turns.sound(|why| panic!("{why}")).is_some());
        (is_wanted, all[0].head.ply)
    };
    let deep = Arc::new(AtomicU8::new(1));
    assert_eq!(found(&shallow, FillRequest::Asked(path.clone())), (true, 0));
    assert_eq!(
        found(&shallow, FillRequest::Remembered(path.clone())),
        (false, 0)
    );
    assert_eq!(
        found(&deep, FillRequest::Remembered(path.clone())),
        (true, 1)
    );
    assert_eq!(found(&deep, FillRequest::Remembered(path)), (false, 1));
}

#[test]
fn a_folder_fills_the_library_once() {
    let folder = tempfile::tempdir().unwrap();
    let matches = folder.path().join("m");
    std::fs::create_dir(&matches).unwrap();
    std::fs::write(matches.join("a.mat"), MATCH).unwrap();
    std::fs::write(matches.join("copy.mat"), MATCH).unwrap();
    std::fs::write(matches.join("bad.mat"), "no match").unwrap();
    let means = means(folder.path());
    for (added, failed) in [(1, 1), (0, 0)] {
        let (messages, received) = unbounded();
        let filler = Filler::start(means.clone(), messages);
        filler.hold(true);
        filler.watched(vec![matches.clone()]);
        let begun = received.recv_timeout(Duration::from_secs(30));
        assert!(matches!(begun, Ok(Message::Filled(news)) if news.done == 0 && news.of == 3));
        let waits = received.recv_timeout(3 * PAUSE);
        assert!(waits.is_err(), "{waits:?}");
        filler.hold(false);
        let news = received.iter().find_map(|message| match message {
            Message::Filled(news) if news.done == news.of => Some(news),
            _ => None,
        });
        let news = news.unwrap();
        assert_eq!((news.of, news.added, news.failed), (3, added, failed));
        assert_eq!(
            (news.known, &news.unreadable[..]),
            (2 - added, &["bad.mat".into()][..])
        );
        // An opened file only matters if the library has it.
        filler.reviewed(matches.join("nowhere.mat"));
        filler.reviewed(matches.join("a.mat"));
        let news = received.iter().find_map(|message| match message {
            Message::Filled(news) if news.done == news.of => Some(news),
            _ => None,
        });
        assert_eq!(news.map(|news| (news.of, news.added)), Some((1, added)));
        filler.end();
    }
}

/// An empty watched folder must be reported as done; otherwise it would be tried again in the next session.
#[test]
fn an_empty_folder_that_is_watched_is_done_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let empty = folder.path().join("empty");
    std::fs::create_dir(&empty).unwrap();
    let (messages, received) = unbounded();
    let filler = Filler::start(means(folder.path()), messages);
    filler.watched(vec![empty]);
    let told = received.recv_timeout(Duration::from_secs(60)).unwrap();
    let Message::Filled(news) = told else {
        panic!("{told:?}");
    };
    assert_eq!((news.done, news.of, news.is_asked), (0, 0, false));
}

/// An empty folder does not end the report on another one, which covers all requests.
#[test]
fn an_empty_folder_does_not_end_another_one() {
    let folder = tempfile::tempdir().unwrap();
    let [empty, full] = ["empty", "full"].map(|name| folder.path().join(name));
    for one in [&empty, &full] {
        std::fs::create_dir(one).unwrap();
    }
    std::fs::write(full.join("a.mat"), MATCH).unwrap();
    let (messages, received) = unbounded();
    let filler = Filler::start(means(folder.path()), messages);
    filler.hold(true);
    filler.watched(vec![empty, full]);
    let told = received.recv_timeout(Duration::from_secs(60)).unwrap();
    let Message::Filled(news) = told else {
        panic!("{told:?}");
    };
    assert_eq!((news.done, news.of), (0, 1));
}
