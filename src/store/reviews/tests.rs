//! Reviews: stored, found, listed, damaged.

use super::*;
use crate::cube::Model;
use crate::match_file;
use crate::review::report::testing;
use crate::store::ReviewMethod;

const TEXT: &[u8] = include_bytes!("../../../tests/fixtures/mat/three_points.mat");

fn reviewed(ply: u8) -> Report {
    testing::reviewed(&match_file::read_bytes(TEXT, "x.mat").unwrap(), ply)
}

fn key(how: &str, ply: u8) -> ReviewKey {
    let record = match_file::read_bytes(TEXT, "x.mat").unwrap();
    let by = ReviewMethod::new(how, Model::standard(), false);
    ReviewKey::new(TEXT, 0, &record, &by, ply)
}

/// Lists the day and `of` each review, and the warnings.
fn listed<T>(store: &ReviewStore, of: impl Fn(Report) -> T) -> (Vec<(String, T)>, Vec<String>) {
    let (mut seen, mut warnings) = (Vec::new(), Vec::new());
    let each = |day: &str, report| {
        seen.push((day.to_owned(), of(report)));
        Ok::<_, StoreError>(())
    };
    store.each(&mut |why| warnings.push(why), each).unwrap();
    (seen, warnings)
}

const DAY: &str = "2024-03-01";

#[test]
fn what_is_kept_comes_back_and_the_deepest_is_listed() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = ReviewStore::open(&folder.path().join("deep/r.sqlite")).unwrap();
    assert_eq!(store.find(&key("e", 0).id).unwrap(), Lookup::Nothing);
    for ply in [1, 0, 0] {
        store
            .save(&key("e", ply), DAY, &reviewed(ply), None)
            .unwrap();
    }
    assert_eq!(
        store.find(&key("e", 0).id).unwrap(),
        Lookup::Kept(reviewed(0))
    );
    assert_eq!(store.find(&key("e", 2).id).unwrap(), Lookup::Nothing);
    let short = store.find_short(&key("e", 1).id).unwrap();
    let short = short.sound(|why| panic!("{why}")).unwrap();
    assert_eq!(short.players, reviewed(1).players);
    assert!(short.games.is_empty());
    let (seen, warnings) = listed(&store, |report| report.ply);
    assert_eq!((seen, warnings), (vec![(DAY.to_owned(), 1)], Vec::new()));
}

/// Reviews stored before cube errors were counted get them when wanted.
#[test]
fn cube_errors_are_counted_in_reviews_of_before() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = ReviewStore::open(&folder.path().join("r.sqlite")).unwrap();
    let report = reviewed(0);
    let mut before = report.clone();
    before
        .players
        .iter_mut()
        .for_each(|one| one.cube_errors = None);
    store.save(&key("e", 0), DAY, &before, None).unwrap();
    assert_eq!(
        store.find(&key("e", 0).id).unwrap(),
        Lookup::Kept(report.clone())
    );
    for is_wanted in [true, false] {
        let mut seen = Vec::new();
        let each = |_: &str, report: Report| {
            seen.push(report);
            Ok::<_, StoreError>(())
        };
        let mut warn = |why| panic!("{why}");
        store.each_counted(&mut warn, &|_| is_wanted, each).unwrap();
        let wanted = if is_wanted { &report } else { &before };
        assert_eq!(seen, [short(wanted)]);
    }
}

#[test]
fn of_reviews_as_deep_the_one_with_rollouts_is_listed() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = ReviewStore::open(&folder.path().join("r.sqlite")).unwrap();
    let mut rolled = reviewed(0);
    rolled.rollouts = Some(crate::review::report::RolloutsReport {
        errors_from: None,
        decisions: 3,
        left: 0,
        trials: 36,
        cube_trials: 36,
        ply: 1,
        horizon: 10,
        seconds: None,
    });
    store.save(&key("rolled", 0), DAY, &rolled, None).unwrap();
    store.save(&key("e", 0), DAY, &reviewed(0), None).unwrap();
    let (seen, _) = listed(&store, |report| report.rollouts.map(|r| r.decisions));
    assert_eq!(seen, [(DAY.to_owned(), Some(3))]);
}

#[test]
fn a_file_of_a_version_before_is_refused_and_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    for version in 1..4 {
        let path = folder.path().join(format!("{version}.sqlite"));
        let sql = rusqlite::Connection::open(&path).unwrap();
        sql.execute_batch(&format!(
            "PRAGMA application_id = 0x4c554352; PRAGMA user_version = {version};
             CREATE TABLE reviews (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE);"
        ))
        .unwrap();
        drop(sql);
        let before = std::fs::read(&path).unwrap();
        assert!(ReviewStore::open(&path).is_err());
        assert_eq!(std::fs::read(&path).unwrap(), before);
    }
}

#[test]
fn a_bad_row_is_reported_and_made_anew() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r.sqlite");
    let mut store = ReviewStore::open(&path).unwrap();
    let (key, report) = (key("e", 0), reviewed(0));
    let turns = KeptTurns::of(&[]);
    for (column, value) in [
        ("report", "zeroblob(length(report))"),
        ("report", "substr(report, 1, 40)"),
        ("short", "replace(short, '0.', '1.')"),
        ("ply", "3"),
    ] {
        store.save(&key, DAY, &report, Some(&turns)).unwrap();
        let sql = rusqlite::Connection::open(&path).unwrap();
        let change = format!("UPDATE reviews SET {column} = {value} WHERE key NOT LIKE 'damaged%'");
        assert_eq!(sql.execute(&change, []).unwrap(), 1);
        drop(sql);
        assert!(matches!(store.find(&key.id).unwrap(), Lookup::Damaged(_)));
        if column != "report" {
            assert!(matches!(
                store.find_short(&key.id).unwrap(),
                Lookup::Damaged(_)
            ));
            let (seen, warnings) = listed(&store, |_| ());
            assert!(seen.is_empty());
            assert!(warnings[0].contains("1 review is damaged"), "{warnings:?}");
        }
    }
    store.save(&key, DAY, &report, Some(&turns)).unwrap();
    assert_eq!(store.find(&key.id).unwrap(), Lookup::Kept(report));
    let (seen, warnings) = listed(&store, |_| ());
    assert_eq!((seen.len(), warnings.len()), (1, 0));
    // Damaged turns do not affect the review.
    let sql = rusqlite::Connection::open(&path).unwrap();
    sql.execute_batch("UPDATE reviews SET turns = x'0102'")
        .unwrap();
    assert!(matches!(
        store.find_turns(&key.id).unwrap(),
        Lookup::Damaged(_)
    ));
    assert!(matches!(store.find(&key.id).unwrap(), Lookup::Kept(_)));
    store.save(&key, DAY, &reviewed(0), Some(&turns)).unwrap();
    assert_eq!(store.find_turns(&key.id).unwrap(), Lookup::Kept(turns));
}

/// A review's key is stored in its row and in the index, and each can be damaged alone.
#[test]
fn a_review_that_is_found_is_listed_wherever_its_key_is_damaged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r.sqlite");
    let (one, two, report) = (key("e", 0), key("f", 0), reviewed(0));
    let mut store = ReviewStore::open(&path).unwrap();
    store.save(&one, DAY, &report, None).unwrap();
    store.save(&two, DAY, &report, None).unwrap();
    drop(store);
    let whole = std::fs::read(&path).unwrap();
    let places: Vec<usize> = (0..whole.len())
        .filter(|&at| whole[at..].starts_with(one.id.0.as_bytes()))
        .collect();
    assert_eq!(places.len(), 2, "in the table and in its index");
    for (run, at) in places.into_iter().enumerate() {
        let path = folder.path().join(format!("{run}.sqlite"));
        let mut bytes = whole.clone();
        bytes[at] ^= 1;
        std::fs::write(&path, bytes).unwrap();
        let mut store = ReviewStore::open(&path).unwrap();
        let found = store.find(&one.id).unwrap();
        assert!(!matches!(found, Lookup::Kept(_)), "{run}: {found:?}");
        for key in [&one, &two] {
            store.save(key, DAY, &report, None).unwrap();
            assert_eq!(store.find(&key.id).unwrap(), Lookup::Kept(report.clone()));
        }
        let (seen, _) = listed(&store, |_| ());
        assert_eq!(seen.len(), 1, "{run}");
        let sound = store.0.ids("reviews").unwrap().into_iter();
        let sound = sound
            .filter(|&id| matches!(store.head(id).unwrap(), HeadRow::Whole(_)))
            .count();
        assert!(sound >= 2, "{run}: {sound}");
    }
}

#[test]
fn flipped_bits_never_change_a_review() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r.sqlite");
    let (key, report) = (key("e", 0), reviewed(0));
    let mut store = ReviewStore::open(&path).unwrap();
    store.save(&key, DAY, &report, None).unwrap();
    drop(store);
    let whole = std::fs::read(&path).unwrap();
    let mut state = 11u64;
    let mut below = |n: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % n
    };
    let mut damaged = 0;
    for run in 0..400 {
        let mut bytes = whole.clone();
        for _ in 0..1 + run % 4 {
            let at = below(if run % 4 == 0 { 512 } else { bytes.len() });
            // Not the version number: files of other versions are refused.
            if !(60..64).contains(&at) {
                bytes[at] ^= 1 << below(8);
            }
        }
        let path = folder.path().join(format!("{run}"));
        std::fs::write(&path, &bytes).unwrap();
        let mut store = ReviewStore::open(&path).unwrap_or_else(|e| panic!("{run}: {e}"));
        let (seen, _) = listed(&store, |short| short);
        assert!(
            seen.iter().all(|s| *s == (DAY.to_owned(), short(&report))),
            "{run}"
        );
        match store.find(&key.id).unwrap_or_else(|e| panic!("{run}: {e}")) {
            Lookup::Kept(kept) => assert_eq!(kept, report, "{run}"),
            Lookup::Nothing => {}
            Lookup::Damaged(_) => damaged += 1,
        }
        let saved = store.save(&key, DAY, &report, None);
        saved.unwrap_or_else(|e| panic!("{run}: {e}"));
        let kept = store.find(&key.id).unwrap_or_else(|e| panic!("{run}: {e}"));
        assert_eq!(kept, Lookup::Kept(report.clone()), "{run}");
    }
    assert!(damaged > 50, "{damaged}");
}

#[test]
fn a_store_of_rollouts_is_no_store_of_reviews() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s");
    drop(crate::store::RolloutStore::open(&path).unwrap());
    let error = ReviewStore::open(&path).unwrap_err().to_string();
    assert_has!(error, "not a store");
}

/// The beaver rule is not stored with each decision; it is restored from the review's rules.
#[test]
fn a_kept_double_is_still_beavered() {
    let record = match_file::read_bytes(testing::BEAVERS, "x.mat").unwrap();
    let report = testing::reviewed(&record, 0);
    let cubes = report.games[0].moves.iter();
    let cubes = cubes.filter_map(|one| one.cube.as_ref());
    let beavered = cubes.filter(|cube| cube.decision.beavered().is_some());
    assert!(
        beavered.count() > 0,
        "the take should cost more than a beaver"
    );
    let folder = tempfile::tempdir().unwrap();
    let mut store = ReviewStore::open(&folder.path().join("r.sqlite")).unwrap();
    store.save(&key("e", 0), DAY, &report, None).unwrap();
    assert_eq!(store.find(&key("e", 0).id).unwrap(), Lookup::Kept(report));
}
