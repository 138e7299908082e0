//! Stores of former versions of their tables, as their programs made them: each opens, and its rows can be
//! read. A change of the tables without a step that leads there fails here.

use std::path::PathBuf;

use rusqlite::Connection;

use super::damaged_files::KINDS;
use crate::store::database::Database;
use crate::store::kind::Kind;
use crate::store::{
    MatchFingerprint, MendedIn, NoteStore, READ_TIMEOUT, ReviewStore, RolloutStore, schema,
};

/// By the name of the store, and the version.
const FORMER: [(&str, i32, &str); 5] = [
    (
        "reviews.sqlite",
        1,
        include_str!("../../../tests/fixtures/stores/reviews-1.sql"),
    ),
    (
        "reviews.sqlite",
        2,
        include_str!("../../../tests/fixtures/stores/reviews-2.sql"),
    ),
    (
        "reviews.sqlite",
        3,
        include_str!("../../../tests/fixtures/stores/reviews-3.sql"),
    ),
    (
        "rollouts.sqlite",
        1,
        include_str!("../../../tests/fixtures/stores/rollouts-1.sql"),
    ),
    (
        "notes.sqlite",
        1,
        include_str!("../../../tests/fixtures/stores/notes-1.sql"),
    ),
];

/// All tables and indices of a file, by name, with what each index has.
fn plan(of: &Connection) -> Vec<(String, String)> {
    let question =
        "SELECT m.name, coalesce((SELECT group_concat(name) FROM pragma_index_info(m.name)), '')
                    FROM sqlite_master m ORDER BY m.name";
    let mut all = of.prepare(question).unwrap();
    let all = all.query_map([], |row| Ok((row.get(0)?, row.get(1)?)));
    all.unwrap().map(Result::unwrap).collect()
}

fn make(kind: &Kind, version: i32) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(kind.file);
    let former = |one: &&(&str, i32, &str)| (one.0, one.1) == (kind.file, version);
    let (.., sql) = FORMER.iter().find(former).unwrap_or_else(|| {
        let name = kind.file;
        panic!("{name}: a file of version {version} is missing in tests/fixtures/stores")
    });
    Connection::open(&path).unwrap().execute_batch(sql).unwrap();
    (folder, path)
}

/// Files of users have the tables of the version that they name. A change of tables makes a new
/// version, a step that leads there, and keeps a file of the version before.
#[test]
fn a_change_of_tables_is_a_new_version() {
    let found = KINDS.map(|kind| {
        let sum = crc32fast::hash(kind.schema.as_bytes());
        (kind.file, kind.version, sum)
    });
    let expected = [
        ("reviews.sqlite", 4, 2_776_868_167),
        ("rollouts.sqlite", 2, 3_640_107_338),
        ("notes.sqlite", 2, 1_388_062_432),
        ("library.sqlite", 1, 630_152_860),
        ("study.sqlite", 1, 4_007_645_768),
    ];
    assert_eq!(found, expected, "a new version and a step are missing");
    for kind in KINDS {
        let steps = kind.upgrades.len() as i32;
        assert_eq!(steps, kind.version - 1, "{}", kind.file);
    }
}

#[test]
fn former_stores_become_what_new_ones_are() {
    for kind in KINDS {
        for version in 1..kind.version {
            let (folder, path) = make(kind, version);
            let mended = MendedIn::start(folder.path());
            drop(Database::open(&path, kind).unwrap());
            assert!(mended.take().is_empty());
            let fresh = folder.path().join("fresh");
            drop(Database::open(&fresh, kind).unwrap());
            let [old, new] = [&path, &fresh].map(|path| Connection::open(path).unwrap());
            assert!(schema::is_sound(&old, kind), "{} {version}", kind.file);
            assert_eq!(plan(&old), plan(&new), "{} {version}", kind.file);
        }
    }
}

#[test]
fn reviews_of_former_versions_are_listed() {
    for version in 1..4 {
        let (_folder, path) = make(KINDS[0], version);
        let store = ReviewStore::open_to_read(&path, READ_TIMEOUT)
            .unwrap()
            .unwrap();
        let mut found = Vec::new();
        let listed = store.each(&mut |why| panic!("{why}"), |played, report| {
            found.push((played.to_owned(), report.length));
            Ok::<(), crate::store::StoreError>(())
        });
        listed.unwrap();
        assert_eq!(found, [("2024-03-01".to_owned(), 3)], "{version}");
        drop(store);
        let sql = Connection::open(&path).unwrap();
        let question =
            "SELECT report_sum IS NOT NULL, (turns IS NULL) = (turns_sum IS NULL) FROM reviews";
        let sealed = sql.query_row(question, [], |row| Ok((row.get(0)?, row.get(1)?)));
        assert_eq!(sealed.unwrap(), (true, true), "{version}");
    }
}

#[test]
fn rollouts_of_the_former_version_are_listed_with_their_trials() {
    let (folder, path) = make(KINDS[1], 1);
    let mended = MendedIn::start(folder.path());
    let store = RolloutStore::open(&path).unwrap();
    let all = store.all(&mut |why| panic!("{why}")).unwrap();
    assert_eq!(all.len(), 1);
    assert_eq!(all[0].progress.trials(), 36);
    let trials = store.trials(all[0].id, None, &mut |why| panic!("{why}"));
    // Of each of two candidates.
    assert_eq!(trials.unwrap().len(), 72);
    assert!(mended.take().is_empty());
}

#[test]
fn notes_of_the_former_version_stand_beside_their_moves() {
    let (folder, path) = make(KINDS[2], 1);
    let mended = MendedIn::start(folder.path());
    let record = crate::match_file::read_bytes(super::MATCH, "x.mat").unwrap();
    let mark = MatchFingerprint::of(&record);
    let kept = NoteStore::read_all(&path, &mark, READ_TIMEOUT).unwrap();
    assert!(mended.take().is_empty());
    let notes: Vec<_> = kept.notes.into_iter().collect();
    assert_eq!(notes, [((0, 0), "too loose".to_owned())]);
    assert!(kept.variations.is_empty());
}
