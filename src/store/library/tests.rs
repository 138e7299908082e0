use rusqlite::Connection;

use super::*;
use crate::cube::Model;
use crate::eval::{Engine, Evaluator as _};
use crate::library::{MatchHead, Order, decisions};
use crate::match_file::{Match, read_bytes};
use crate::review::report::build::build;
use crate::review::report::context::ReportContext;
use crate::review::{Thresholds, analyse_match};
use crate::store::{NoteStore, ReviewId, ReviewKey, ReviewMethod, user_folders};

const TEXT: &[u8] = include_bytes!("../../../tests/fixtures/mat/three_points.mat");

fn record() -> Match {
    read_bytes(TEXT, "x.mat").unwrap()
}

pub(super) fn new(record: &Match) -> NewMatch {
    let (engine, model) = (Engine::embedded(), Model::standard());
    let analysed = analyse_match(&engine, model, record, 0, &|| false).unwrap();
    let context = ReportContext {
        engine: engine.name(),
        model,
        ply: 0,
        thresholds: Thresholds::default(),
        rollouts: None,
    };
    let report = build(record, &analysed, &context);
    let all = decisions(record, &report, &engine, model);
    let method = ReviewMethod::new(engine.name(), model, false);
    NewMatch {
        fingerprint: MatchFingerprint::of(record),
        head: MatchHead::new(record, &report, "2026-11-20"),
        decisions: Some(all.iter().map(PackedDecision::from).collect()),
        review: ReviewKey::new(TEXT, 0, record, &method, 0).id,
    }
}

fn store() -> (tempfile::TempDir, LibraryStore) {
    let folder = tempfile::tempdir().unwrap();
    let store = LibraryStore::open(&folder.path().join("library.sqlite")).unwrap();
    (folder, store)
}

fn all(store: &LibraryStore) -> Vec<LibraryMatch> {
    store.matches(&mut |why| panic!("{why}")).unwrap()
}

#[test]
fn a_match_in_several_files_is_one() {
    let (_folder, mut store) = store();
    let one = new(&record());
    let (a, b) = (Path::new("/m/a.mat"), Path::new("/m/b.sgf"));
    let kept = store.keep(a, "1", std::slice::from_ref(&one)).unwrap();
    let [Kept::Added(id)] = kept[..] else {
        panic!("{kept:?}")
    };
    assert_eq!(
        store.keep(a, "1", std::slice::from_ref(&one)).unwrap(),
        [Kept::Unchanged(id)]
    );
    // A stored match needs no decisions.
    let known = NewMatch {
        decisions: None,
        ..one.clone()
    };
    assert_eq!(
        store.keep(b, "2", std::slice::from_ref(&known)).unwrap(),
        [Kept::AnotherFile(id)]
    );
    let matches = all(&store);
    assert_eq!(matches.len(), 1);
    assert_eq!(matches[0].files, [a, b]);
    assert_eq!(
        (&matches[0].head, &matches[0].review.0),
        (&one.head, &one.review.0)
    );
    assert_eq!(
        store.decisions(id).unwrap(),
        Lookup::Kept(one.decisions.clone().unwrap())
    );
    let mut seen = 0;
    let bad = store.each(|of, decisions| {
        assert_eq!(of, id);
        seen += decisions.len();
    });
    assert_eq!(
        (bad.unwrap(), seen),
        (0, one.decisions.as_ref().unwrap().len())
    );
    // A removed match stays out and does not count as known.
    store.remove(&[id]).unwrap();
    assert!(all(&store).is_empty());
    let file = store.file(a).unwrap().unwrap();
    assert!(matches!(file.state, FileState::Removed));
    store.keep(b, "2", &[known]).unwrap_err();
    assert!(all(&store).is_empty());
}

/// The workstation opens the first match of a file. Files that begin with a match therefore come first, led by the
/// source of its record.
#[test]
fn the_file_of_the_record_comes_first() {
    let (_folder, mut store) = store();
    let whole = record();
    let mut part = whole.clone();
    part.games.last_mut().unwrap().events.pop();
    let mut other = whole.clone();
    other.players = ["Eva", "Finn"].map(str::to_owned);
    other.games.remove(0);
    let [short, long, second] = ["/m/a.mat", "/m/b.mat", "/m/0.mat"].map(Path::new);
    let of_both = store.keep(second, "0", &[new(&other), new(&part)]).unwrap();
    let [Kept::Added(first), Kept::Added(id)] = of_both[..] else {
        panic!("{of_both:?}")
    };
    let files = |store: &LibraryStore, id| {
        let found = all(store).into_iter().find(|one| one.id == id).unwrap();
        (
            found.files.clone(),
            found.file_to_open().map(Path::to_owned),
        )
    };
    assert_eq!(files(&store, id), (vec![second.to_owned()], None));
    store.keep(short, "1", &[new(&part)]).unwrap();
    assert_eq!(
        store.keep(long, "2", &[new(&whole)]).unwrap(),
        [Kept::Updated(id)]
    );
    let opens = Some(long.to_owned());
    let in_order = [long, short, second].map(Path::to_owned).to_vec();
    assert_eq!(files(&store, id), (in_order, opens));
    assert_eq!(files(&store, first).1, Some(second.to_owned()));
    // A moved file keeps its place.
    let moved = Path::new("/m/c.mat");
    store.keep(moved, "2", &[new(&whole)]).unwrap();
    assert_eq!(files(&store, id).1, Some(moved.to_owned()));
}

#[test]
fn a_longer_or_deeper_record_takes_the_place_of_another() {
    let (_folder, mut store) = store();
    let whole = record();
    let mut part = whole.clone();
    let game = part.games.last_mut().unwrap();
    game.events.pop();
    game.result = None;
    let path = Path::new("/m/a.mat");
    let id = store.keep(path, "1", &[new(&part)]).unwrap()[0].id();
    let long = new(&whole);
    assert_eq!(
        store.keep(path, "2", std::slice::from_ref(&long)).unwrap(),
        [Kept::Updated(id)]
    );
    assert_eq!(store.get(id).unwrap().unwrap().head, long.head);
    // The shorter record of another file only adds the file.
    let other = Path::new("/m/b.mat");
    assert_eq!(
        store.keep(other, "3", &[new(&part)]).unwrap(),
        [Kept::AnotherFile(id)]
    );
    assert_eq!(store.get(id).unwrap().unwrap().head, long.head);
    // Another evaluator does not replace the longer record.
    let mut short = new(&part);
    short.head.engine = "another".into();
    store.keep(other, "3", &[short]).unwrap();
    assert_eq!(store.get(id).unwrap().unwrap().head, long.head);
    // Nor does another match equity table of a money session.
    let mut session = long.clone();
    (session.head.length, session.head.table) = (0, Some("other".into()));
    let mut same = session.clone();
    same.head.table = None;
    let kept = [session, same].map(|one| store.keep(path, "2", &[one]).unwrap());
    assert_eq!(kept, [[Kept::Updated(id)], [Kept::Unchanged(id)]]);
    let mut deep = long.clone();
    deep.head.ply = 2;
    store.keep(path, "2", &[deep]).unwrap();
    store.keep(path, "2", &[long]).unwrap();
    assert_eq!(store.get(id).unwrap().unwrap().head.ply, 2);
    assert_eq!(all(&store).len(), 1);
}

/// A match keeps the review of its decisions, not that of a shorter record, of exchanged seats, or of fewer plies.
#[test]
fn a_review_of_another_record_is_not_that_of_the_match() {
    let (_folder, mut store) = store();
    let keep = |store: &mut LibraryStore, one: &NewMatch| {
        let name = format!("/m/{}.mat", one.review.0);
        store
            .keep(Path::new(&name), &one.review.0, std::slice::from_ref(one))
            .unwrap();
        all(store)[0].review.0.clone()
    };
    let key = |key: &str| ReviewId(key.to_owned());
    let one = new(&record());
    let first = keep(&mut store, &one);
    let shorter = {
        let mut record = record();
        record.games.pop();
        NewMatch {
            review: key("shorter"),
            ..new(&record)
        }
    };
    let exchanged = {
        let mut one = one.clone();
        for decision in one.decisions.iter_mut().flatten() {
            let mut seen = decision.unpack().unwrap();
            seen.player = seen.player.other();
            *decision = PackedDecision::from(&seen);
        }
        NewMatch {
            review: key("exchanged"),
            ..one
        }
    };
    let mut shallower = NewMatch {
        review: key("shallower"),
        ..one.clone()
    };
    assert_eq!(keep(&mut store, &shorter), first);
    assert_eq!(keep(&mut store, &exchanged), first);
    // Repeated from other bytes of the same match.
    let again = NewMatch {
        review: key("again"),
        ..one
    };
    assert_eq!(keep(&mut store, &again), "again");
    let deeper = {
        let mut one = again.clone();
        one.head.ply = 2;
        NewMatch {
            review: key("deeper"),
            ..one
        }
    };
    assert_eq!(keep(&mut store, &deeper), "deeper");
    shallower.head.ply = 0;
    assert_eq!(keep(&mut store, &shallower), "deeper");
}

/// An older library keeps the path it has.
#[test]
fn a_file_keeps_the_path_under_which_it_is_known() {
    let (folder, mut store) = store();
    let folder = crate::store::file::real_path(folder.path());
    std::fs::create_dir(folder.join("m")).unwrap();
    let real = folder.join("m").join("a.mat");
    std::fs::write(&real, TEXT).unwrap();
    let roundabout = std::path::absolute(folder.join("m/../m/a.mat")).unwrap();
    assert_eq!(store.path_of(&roundabout).unwrap(), real);
    store.keep(&roundabout, "1", &[new(&record())]).unwrap();
    assert_eq!(store.path_of(&roundabout).unwrap(), roundabout);
    assert_eq!(store.path_of(&real).unwrap(), real);
}

#[test]
fn failures_are_kept_with_their_reason() {
    let (folder, mut store) = store();
    let path = &folder.path().join("a.mat");
    std::fs::write(path, "").unwrap();
    let why = "a.mat: the file is empty";
    store.set_failed(path, why).unwrap();
    let state = FileState::Failed {
        why: why.into(),
        matches: Vec::new(),
    };
    assert_eq!(store.file(path).unwrap().unwrap().state, state);
    let listed = |store: &LibraryStore| store.files(&mut |_| panic!()).unwrap().len();
    assert_eq!(listed(&store), 1);
    // A file that is gone is no longer listed; nor is one removed by name.
    let gone = folder.path().join("gone.mat");
    store.set_failed(&gone, why).unwrap();
    assert_eq!(
        (listed(&store), store.file(&gone).unwrap().is_some()),
        (1, true)
    );
    assert_eq!(store.forget_failed(&[]).unwrap(), 0);
    assert_eq!(store.file(&gone).unwrap(), None);
    assert_eq!(store.forget_failed(std::slice::from_ref(path)).unwrap(), 1);
    assert_eq!(listed(&store), 0);
    store.set_failed(path, why).unwrap();
    store.keep(path, "1", &[new(&record())]).unwrap();
    assert!(matches!(
        store.file(path).unwrap().unwrap().state,
        FileState::Read(_)
    ));
}

/// The list of removed matches survives while the file is unreadable.
#[test]
fn a_file_that_cannot_be_read_keeps_what_was_left_of_it() {
    let (_folder, mut store) = store();
    let path = Path::new("/m/a.mat");
    let one = new(&record());
    let other = read_bytes(
        include_bytes!("../../../sample_matches/clara-dev-3pt.mat"),
        "x",
    );
    let both = [one, new(&other.unwrap())];
    let kept = store.keep(path, "1", &both).unwrap();
    let [a, b] = [0, 1].map(|i| kept[i].id());
    let state = |store: &LibraryStore| store.file(path).unwrap().unwrap();
    let failed = |matches: &[i64]| FileState::Failed {
        why: "unreadable".into(),
        matches: matches.to_vec(),
    };
    store.set_failed(path, "unreadable").unwrap();
    store.set_failed(path, "unreadable").unwrap();
    assert_eq!(state(&store).state, failed(&[a, b]));
    store.remove(&[a]).unwrap();
    assert_eq!(state(&store).state, failed(&[b]));
    let again = store.set_readable(path).unwrap().unwrap();
    assert_eq!(
        (again.state, again.hash.as_str()),
        (FileState::Read(vec![b]), "1")
    );
    assert_eq!(all(&store)[0].files, [path]);
    // Once all its matches are removed, the file stays away.
    store.set_failed(path, "unreadable").unwrap();
    store.remove(&[b]).unwrap();
    store.set_failed(path, "unreadable").unwrap();
    store.set_readable(path).unwrap();
    assert!(matches!(state(&store).state, FileState::Removed));
}

#[test]
fn what_is_damaged_is_reported_and_left_out() {
    let (_folder, mut store) = store();
    let one = new(&record());
    let path = Path::new("/m/a.mat");
    let id = store.keep(path, "1", std::slice::from_ref(&one)).unwrap()[0].id();
    let file = store.path().to_owned();
    let break_it = |sql: &str| {
        let other = Connection::open(&file).unwrap();
        other.execute_batch(sql).unwrap();
    };
    break_it("UPDATE matches SET decisions = zeroblob(length(decisions))");
    assert!(matches!(store.decisions(id).unwrap(), Lookup::Damaged(_)));
    assert_eq!(store.each(|_, _| panic!()).unwrap(), 1);
    assert_eq!(all(&store).len(), 1);
    break_it("UPDATE matches SET head = replace(head, '2026', '2027')");
    let mut warnings = Vec::new();
    assert!(
        store
            .matches(&mut |why| warnings.push(why))
            .unwrap()
            .is_empty()
    );
    assert_eq!(warnings.len(), 1);
    assert!(warnings[0].contains("1 match is damaged"), "{warnings:?}");
    // Added again, the match is back.
    assert!(matches!(
        store.keep(path, "1", &[one]).unwrap()[0],
        Kept::Added(_)
    ));
    break_it("UPDATE files SET hash = 'x'");
    assert_eq!(store.file(path).unwrap(), None);
}

/// Notes come from the file in the library's folder. Of a match that has grown, the newest note of each place counts.
#[test]
fn decisions_are_found_by_the_notes_beside_them() {
    let (folder, mut store) = store();
    let whole = record();
    let mut part = whole.clone();
    part.games.truncate(1);
    part.games[0].events.truncate(8);
    let one = new(&whole);
    let decisions = one.decisions.clone().unwrap();
    let spoken: Vec<_> = decisions.iter().filter(|d| !d.is_silent()).collect();
    let place = |n: usize| spoken[n].place();
    let notes = folder.path().join(user_folders::NOTES);
    let mut written = NoteStore::open(&notes).unwrap();
    let early = MatchFingerprint::of(&part);
    let mut write = |of, n, text| written.keep(of, place(n), text).unwrap();
    write(&early, 0, "Timing?");
    write(&early, 1, "gone");
    write(&early, 2, "as before");
    write(&one.fingerprint, 1, "");
    write(&one.fingerprint, 2, "Better timing");
    let last = spoken.len() - 1;
    write(&one.fingerprint, last, "a race\nby 10");
    store.keep(Path::new("/m/a.mat"), "1", &[one]).unwrap();
    let matches = all(&store);
    let found = |text: &str| {
        let filter = Filter::parse(text).unwrap();
        let listed = store.filter(&filter, &matches, &People::default()).unwrap();
        let search = Search {
            filter,
            order: Order::Newest,
            most: 1000,
            ..Search::default()
        };
        let found = store
            .search(&search, &matches, &People::default())
            .unwrap()
            .found;
        assert_eq!(listed.len(), usize::from(!found.is_empty()), "{text}");
        let place = |one: &PackedDecision| spoken.iter().position(|other| *other == one);
        let places = found.iter().filter_map(|found| place(&found.decision));
        places.collect::<Vec<usize>>()
    };
    assert_eq!(found("note"), [0, 2, last]);
    assert_eq!(found("note:timing"), [0, 2]);
    assert_eq!(found("note:better,\"race by\""), [2, last]);
    assert!(found("note:gone").is_empty());
    assert!(found("note:\"as before\"").is_empty());
    assert_eq!(found("!note").len(), spoken.len() - 3);
    assert_eq!(found("").len(), spoken.len());
}

#[test]
fn people_are_kept() {
    let (_folder, mut store) = store();
    store
        .change_people(|people| people.set_me("Anna", true))
        .unwrap();
    let people = store
        .change_people(|people| people.set_same("annak", "Anna"))
        .unwrap();
    assert_eq!(store.people().unwrap(), people);
    assert!(people.is_me("ANNAK"));
    // A player is found by either name or part of a name.
    for wanted in ["annak", "Anna", "ann", "nnak"] {
        assert!(people.is_called("annak", wanted), "{wanted}");
    }
    assert!(people.is_called("Anna", "annak") && !people.is_called("Ben", "annak"));
    // If two players contain the part, the exact name wins.
    let side = |players: [&str; 2], wanted| people.side_of(&players.map(str::to_owned), wanted);
    assert_eq!(side(["Joanna", "ANNA"], "anna"), Some(1));
    assert_eq!(side(["Joanna", "annak"], "Anna"), Some(1));
    assert_eq!(side(["Joanna", "Susanne"], "ann"), Some(0));
    assert_eq!(side(["Ben", "annak"], "ann"), Some(1));
    assert_eq!(side(["Ben", "Clara"], "anna"), None);
}
