//! Damaged files under the names of stores: set aside, reported and replaced.

use std::path::{Path, PathBuf};

use rusqlite::Connection;

use crate::game::{GameState, Position};
use crate::store::database::Database;
use crate::store::kind::{Kind, Table};
use crate::store::{
    LibraryStore, MatchFingerprint, MendedIn, NoteStore, READ_TIMEOUT, RolloutStore, library,
    notes, reviews, rollouts, study,
};

/// Distance between damaged bytes; damaging every byte takes a minute.
const STEP: usize = 11;

pub(super) const KINDS: [&Kind; 5] = [
    &reviews::KIND,
    &rollouts::KIND,
    &notes::KIND,
    &library::tables::KIND,
    &study::KIND,
];

/// Contents that an accident may leave in place of a store.
fn accidents() -> [Vec<u8>; 4] {
    let noise = (0u64..9000).map(|i| (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8);
    [
        b"<html>404</html>".to_vec(),
        b"not a database, and long enough to be looked at ".repeat(300),
        vec![0; 20_480],
        noise.collect(),
    ]
}

fn with_suffix(path: &Path, end: &str) -> PathBuf {
    let name = path.file_name().unwrap().to_str().unwrap();
    path.with_file_name(format!("{name}{end}"))
}

#[test]
fn what_is_no_store_is_set_aside() {
    for kind in KINDS {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(kind.file);
        let mended = MendedIn::start(folder.path());
        for (n, bytes) in accidents().iter().enumerate() {
            let end = match n {
                0 => ".damaged".to_owned(),
                n => format!(".damaged-{}", n + 1),
            };
            std::fs::write(&path, bytes).unwrap();
            // Opening for reading replaces the file too; damage is reported only once.
            let store = match n % 2 {
                0 => Database::open(&path, kind).unwrap(),
                _ => Database::open_to_read(&path, kind, READ_TIMEOUT)
                    .unwrap()
                    .unwrap(),
            };
            let news = mended.take();
            assert_eq!(news.len(), 1, "{}: {news:?}", kind.file);
            assert!(news[0].contains("begins anew"), "{news:?}");
            assert!(news[0].ends_with(&end), "{news:?}");
            assert_eq!(std::fs::read(with_suffix(&path, &end)).unwrap(), *bytes);
            drop(store);
            drop(Database::open(&path, kind).unwrap());
            assert!(mended.take().is_empty());
        }
        let files = std::fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(files, 5, "{}", kind.file);
    }
}

/// The first reader of a damaged file must report it: later ones find it sound.
#[test]
fn readers_tell_of_what_they_mend() {
    let folder = tempfile::tempdir().unwrap();
    type Read = fn(&Path);
    let readers: [(&str, Read); 3] = [
        ("library.sqlite", |path| {
            LibraryStore::open_to_read(path, READ_TIMEOUT).unwrap();
        }),
        ("notes.sqlite", |path| {
            let position = GameState::money(Position::opening());
            let mark = MatchFingerprint::of_position(&position);
            NoteStore::read(path, &mark, READ_TIMEOUT).unwrap();
        }),
        ("rollouts.sqlite", |path| {
            RolloutStore::open_to_read(path, READ_TIMEOUT).unwrap();
        }),
    ];
    let mended = MendedIn::start(folder.path());
    for (file, read) in readers {
        let path = folder.path().join(file);
        std::fs::write(&path, &accidents()[3]).unwrap();
        read(&path);
        let told = mended.take();
        assert_eq!(told.len(), 1, "{file}: {told:?}");
        assert!(told[0].contains(file), "{told:?}");
    }
}

/// Several processes that find the damage at once repair it once and lose nothing.
#[test]
fn a_file_is_mended_by_one_alone() {
    let record = crate::match_file::read_bytes(super::MATCH, "x.mat").unwrap();
    let mark = MatchFingerprint::of(&record);
    for run in 0..10 {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notes.sqlite");
        let mut store = NoteStore::open(&path).unwrap();
        for event in 0..40 {
            store.keep(&mark, (0, event), "a note").unwrap();
        }
        drop(store);
        let mut bytes = std::fs::read(&path).unwrap();
        bytes[16..24].fill(0);
        std::fs::write(&path, bytes).unwrap();
        let mended = MendedIn::start(folder.path());
        let start = std::sync::Barrier::new(4);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    start.wait();
                    let notes = NoteStore::read(&path, &mark, READ_TIMEOUT).unwrap();
                    assert_eq!(notes.len(), 40, "{run}");
                });
            }
        });
        assert_eq!(mended.take().len(), 1, "{run}");
        let files = std::fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(files, 2, "{run}: the store and the damaged one");
    }
}

/// A file with another name, such as a mistyped path, is not moved; nor is another program's database.
#[test]
fn what_has_another_name_or_is_another_programs_stays() {
    let folder = tempfile::tempdir().unwrap();
    for kind in KINDS {
        let path = folder.path().join("match.mat");
        let text = " 7 point match\n".repeat(200);
        std::fs::write(&path, &text).unwrap();
        let refused = Database::open(&path, kind).unwrap_err().to_string();
        assert!(
            refused.ends_with("not a store of this program"),
            "{refused}"
        );
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        std::fs::write(&path, "x").unwrap();
        assert!(Database::open(&path, kind).is_err());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "x");
        let path = folder.path().join(kind.file);
        let other = Connection::open(&path).unwrap();
        other.execute_batch("CREATE TABLE t (x)").unwrap();
        drop(other);
        let refused = Database::open(&path, kind).unwrap_err().to_string();
        assert!(
            refused.ends_with("not a store of this program"),
            "{refused}"
        );
        assert!(!with_suffix(&path, ".damaged").exists());
    }
}

/// Notes cannot be computed again: those before and after the damage are kept.
#[test]
fn notes_around_the_damage_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notes.sqlite");
    let record = crate::match_file::read_bytes(super::MATCH, "x.mat").unwrap();
    let mark = MatchFingerprint::of(&record);
    let mut store = NoteStore::open(&path).unwrap();
    let text = |event: usize| format!("{event} ").repeat(90);
    let all = 0..400;
    for event in all.clone() {
        store.keep(&mark, (0, event), &text(event)).unwrap();
    }
    drop(store);
    let mut bytes = std::fs::read(&path).unwrap();
    let middle = bytes.len() / 4096 / 2 * 4096;
    bytes[middle..middle + 4096].fill(0xa5);
    std::fs::write(&path, bytes).unwrap();
    let mended = MendedIn::start(folder.path());
    let read = || {
        NoteStore::read_all(&path, &mark, READ_TIMEOUT)
            .unwrap()
            .notes
    };
    let found = read();
    assert_eq!(read(), found);
    let (first, last) = (found.first_key_value(), found.last_key_value());
    assert_eq!((first.unwrap().0.1, last.unwrap().0.1), (0, 399));
    assert!((350..400).contains(&found.len()), "{}", found.len());
    for ((_, event), found) in &found {
        assert_eq!(*found, text(*event).trim());
    }
    let warnings = mended.take();
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(
        warnings[0].contains("rows could be read and are kept"),
        "{warnings:?}"
    );
    let mut store = NoteStore::open(&path).unwrap();
    all.for_each(|event| store.keep(&mark, (0, event), &text(event)).unwrap());
    assert!(mended.take().is_empty());
    assert_eq!(store.notes(&mark).unwrap().len(), 400);
}

/// Adds three rows to each table of a file.
fn fill(path: &Path, kind: &Kind) {
    drop(Database::open(path, kind).unwrap());
    let file = Connection::open(path).unwrap();
    for table in kind.tables.iter().map(Table::name) {
        let question = "SELECT type FROM pragma_table_info(?1) ORDER BY cid";
        let mut columns = file.prepare(question).unwrap();
        let columns = columns.query_map([table], |row| row.get::<_, String>(0));
        let columns: Vec<String> = columns.unwrap().map(Result::unwrap).collect();
        for n in 1..=3 {
            let value = |kind: &String| match kind.as_str() {
                "TEXT" => format!("'text {n}'"),
                "BLOB" => format!("x'0{n}'"),
                _ => n.to_string(),
            };
            let values: Vec<String> = columns.iter().map(value).collect();
            let values = values.join(", ");
            let insert = format!("INSERT INTO {table} VALUES ({values})");
            file.execute(&insert, []).unwrap();
        }
    }
}

/// Returns the rows of all tables of a file, one line each.
fn rows(path: &Path, kind: &Kind) -> Vec<String> {
    let file = Connection::open(path).unwrap();
    let mut all = Vec::new();
    for table in kind.tables.iter().map(Table::name) {
        let mut found = file.prepare(&format!("SELECT * FROM {table}")).unwrap();
        let n = found.column_count();
        let line = |row: &rusqlite::Row<'_>| {
            let value = |i| row.get::<_, rusqlite::types::Value>(i);
            Ok(format!(
                "{table} {:?}",
                (0..n).map(value).collect::<Vec<_>>()
            ))
        };
        all.extend(found.query_map([], line).unwrap().map(Result::unwrap));
    }
    all.sort();
    all
}

/// No row is lost if the page with the table declarations is damaged, because the declarations are known.
#[test]
fn damaged_declarations_lose_no_row() {
    for (at, kind) in KINDS.into_iter().enumerate() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(kind.file);
        fill(&path, kind);
        let (whole, all) = (std::fs::read(&path).unwrap(), rows(&path, kind));
        assert_eq!(all.len(), 3 * kind.tables.len());
        let mended = MendedIn::start(folder.path());
        let written = (100..4096).filter(|&n| whole[n] != 0);
        for place in written.skip(at).step_by(STEP) {
            let mut bytes = whole.clone();
            bytes[place] ^= 0x15;
            std::fs::write(&path, bytes).unwrap();
            drop(Database::open_to_read(&path, kind, READ_TIMEOUT).unwrap());
            drop(Database::open(&path, kind).unwrap());
            assert_eq!(rows(&path, kind), all, "{} byte {place}", kind.file);
            let news = mended.take();
            assert!(news.len() <= 1, "{news:?}");
            let _ = std::fs::remove_file(with_suffix(&path, ".damaged"));
        }
        let mut bytes = whole.clone();
        bytes[..4096].fill(0);
        std::fs::write(&path, bytes).unwrap();
        drop(Database::open(&path, kind).unwrap());
        assert_eq!(rows(&path, kind), all, "{} page", kind.file);
        assert_eq!(mended.take().len(), 1);
    }
}
