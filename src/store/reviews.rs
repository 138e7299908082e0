//! Reviewed matches that last: a SQLite file.
//!
//! A review is found by the bytes of its file (their SHA-256), its place in the file, and how it was
//! made; so a file that is moved, renamed or copied is not judged again, and one that is changed is.
//! Kept are its figures in a short form, to be listed, the whole document, packed, and of a match that
//! was open in the workstation what was found out about each of its turns ([`KeptTurns`]).

use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use rusqlite::types::FromSql;
use rusqlite::{OptionalExtension as _, params};
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest as _, Sha256};

use super::database::{Database, Kind};
use super::{KeptTurns, StoreError};
use crate::cube::Model;
use crate::review::Report;

/// "LUCR" marks the file as ours.
const KIND: Kind = Kind {
    application: 0x4c55_4352,
    version: 3,
    schema: "
CREATE TABLE reviews (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  match TEXT NOT NULL,
  ply INTEGER NOT NULL,
  played TEXT NOT NULL,
  short TEXT NOT NULL,
  report BLOB NOT NULL,
  rolled INTEGER NOT NULL DEFAULT 0,
  turns BLOB
);
CREATE INDEX by_match ON reviews (match, ply);
",
    upgrades: &[
        "ALTER TABLE reviews ADD COLUMN rolled INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE reviews ADD COLUMN turns BLOB",
    ],
};
/// The form of the documents: a change of what their fields mean is another form, and what was kept
/// before is judged anew.
const FORM: u32 = 3;
/// No document is larger, unpacked.
const LARGEST: u64 = 256 << 20;

/// What a review is found by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReviewKey {
    record: String,
    key: String,
    ply: u8,
}

impl ReviewKey {
    /// How matches are judged by this evaluator, with this model of the cube, and without the Crawford
    /// rule where that is so.
    #[must_use]
    pub fn how(evaluator: &str, model: &Model, no_crawford: bool) -> String {
        let said = |is: bool, words| if is { words } else { "" };
        let table = model.table.name();
        let digest = crc32fast::hash(format!("{:?}", model.table).as_bytes());
        let exact = said(model.bearoff.is_some(), " exact");
        let rule = said(no_crawford, " no Crawford");
        format!("{evaluator} {table} {digest:08x}{exact}{rule}")
    }

    /// The key of the match at place `index` of the file with these `bytes`, judged at up to `ply`
    /// plies by what `how` names: evaluator, match equities, rollouts.
    #[must_use]
    pub fn new(bytes: &[u8], index: usize, how: &str, ply: u8) -> Self {
        use std::fmt::Write as _;
        let mut record = String::with_capacity(72);
        for byte in Sha256::digest(bytes) {
            let _ = write!(record, "{byte:02x}");
        }
        let _ = write!(record, "#{index}");
        Self {
            key: format!("{record} {how} {ply}-ply form {FORM}"),
            record,
            ply,
        }
    }
}

/// An open file of reviews.
#[derive(Debug)]
pub struct ReviewStore(Database);

impl ReviewStore {
    /// Opens the file at `path`, making it and its folder if they are not there.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be opened, or is something else.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Database::open(path, &KIND).map(Self)
    }

    /// As [`ReviewStore::open`]; no save waits longer than `patience` for another process.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be opened, or is something else.
    pub fn open_within(path: &Path, patience: Duration) -> Result<Self, StoreError> {
        Database::open_within(path, &KIND, patience).map(Self)
    }

    /// Opens the file at `path` for reading; none if there is no file. Another process that writes to it
    /// is waited for no longer than `patience`, and only while it ends its save.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be opened, or is something else.
    pub fn open_to_read(path: &Path, patience: Duration) -> Result<Option<Self>, StoreError> {
        Ok(Database::open_to_read(path, &KIND, patience)?.map(Self))
    }

    /// The file of rollouts beside it.
    #[must_use]
    pub fn rollouts(&self) -> Option<PathBuf> {
        Some(self.0.path().parent()?.join(super::places::ROLLOUTS))
    }

    /// A column of the review with this key.
    fn column<T: FromSql>(&self, key: &ReviewKey, column: &str) -> Result<Option<T>, StoreError> {
        let question = format!("SELECT {column} FROM reviews WHERE key = ?1");
        self.0.read(|connection| {
            connection
                .query_row(&question, [&key.key], |row| row.get(0))
                .optional()
        })
    }

    /// The review with this key, if there is one.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be read.
    pub fn find(&self, key: &ReviewKey) -> Result<Option<Report>, StoreError> {
        let packed: Option<Vec<u8>> = self.column(key, "report")?;
        packed.map(|packed| self.unpack(&packed)).transpose()
    }

    /// What was found out about the turns of the match with this key, if that is kept.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be read.
    pub fn find_turns(&self, key: &ReviewKey) -> Result<Option<KeptTurns>, StoreError> {
        let packed: Option<Option<Vec<u8>>> = self.column(key, "turns")?;
        let packed = packed.flatten();
        packed.map(|packed| self.unpack(&packed)).transpose()
    }

    fn unpack<T: DeserializeOwned>(&self, packed: &[u8]) -> Result<T, StoreError> {
        let mut bytes = Vec::new();
        DeflateDecoder::new(packed)
            .take(LARGEST)
            .read_to_end(&mut bytes)
            .map_err(|e| self.0.wrong(e))?;
        serde_json::from_slice(&bytes).map_err(|e| self.0.wrong(e))
    }

    fn pack(&self, document: &impl Serialize) -> Result<Vec<u8>, StoreError> {
        let text = serde_json::to_vec(document).map_err(|e| self.0.wrong(e))?;
        let mut packer = DeflateEncoder::new(Vec::new(), Compression::fast());
        let packed = packer.write_all(&text).and_then(|()| packer.finish());
        packed.map_err(|e| self.0.wrong(e))
    }

    /// The figures of the review with this key, without its games, if there is one.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be read.
    pub fn find_short(&self, key: &ReviewKey) -> Result<Option<Report>, StoreError> {
        let short: Option<String> = self.column(key, "short")?;
        short
            .map(|text| serde_json::from_str(&text).map_err(|e| self.0.wrong(e)))
            .transpose()
    }

    /// Keeps a review, with its turns or without; `played` is what matches are ordered by, a date as
    /// `2026-11-20`. One that is there already stays, and gets the turns.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be written; what was there then is still there.
    pub fn save(
        &mut self,
        key: &ReviewKey,
        played: &str,
        report: &Report,
        turns: Option<&KeptTurns>,
    ) -> Result<(), StoreError> {
        let short = serde_json::to_string(&short(report)).map_err(|e| self.0.wrong(e))?;
        let packed = self.pack(report)?;
        let turns = turns.map(|turns| self.pack(turns)).transpose()?;
        let rolled = report.rollouts.map_or(0, |r| r.decisions);
        self.0.change(|change| {
            let row = params![
                key.key, key.record, key.ply, played, short, packed, rolled, turns
            ];
            let insert = "INSERT INTO reviews
                 (key, match, ply, played, short, report, rolled, turns)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
                 ON CONFLICT DO UPDATE SET turns = coalesce(excluded.turns, turns)";
            change.execute(insert, row).map(drop)
        })
    }

    /// Hands every match to `each`, in the order in which they were played: its date, and its figures
    /// without the games. A match that was judged in several ways comes once, by its deepest review.
    ///
    /// # Errors
    /// [`StoreError`] if they cannot be read; otherwise what `each` says.
    pub fn each<E: From<StoreError>>(
        &self,
        mut each: impl FnMut(&str, Report) -> Result<(), E>,
    ) -> Result<(), E> {
        let failed = self.0.failed();
        let mut query = self.0.prepare(
            "SELECT played, short FROM reviews AS r WHERE id =
               (SELECT id FROM reviews WHERE match = r.match
                 ORDER BY ply DESC, rolled DESC, id DESC LIMIT 1)
             ORDER BY played, id",
        )?;
        let mut rows = query.query([]).map_err(&failed)?;
        while let Some(row) = rows.next().map_err(&failed)? {
            let played: String = row.get(0).map_err(&failed)?;
            let text: String = row.get(1).map_err(&failed)?;
            let short = serde_json::from_str(&text).map_err(|e| self.0.wrong(e))?;
            each(&played, short)?;
        }
        Ok(())
    }
}

/// The figures of a match without its games.
#[must_use]
pub fn short(report: &Report) -> Report {
    Report {
        file: report.file.clone(),
        format: report.format.clone(),
        date: report.date.clone(),
        event: report.event.clone(),
        engine: report.engine.clone(),
        table: report.table.clone(),
        players: report.players.clone(),
        games: Vec::new(),
        warnings: Vec::new(),
        ..*report
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Engine;
    use crate::match_file;
    use crate::review::report::build::{Setting, build};
    use crate::review::{Thresholds, judge_match};

    const TEXT: &[u8] = include_bytes!("../../tests/fixtures/mat/three_points.mat");

    fn reviewed(ply: u8) -> Report {
        let engine = Engine::embedded();
        let record = match_file::read_bytes(TEXT, "x.mat").unwrap();
        let model = Model::standard();
        let judged = judge_match(&engine, model, &record, ply, &|| false).unwrap();
        let setting = Setting {
            engine: "e",
            model,
            ply,
            thresholds: Thresholds::default(),
            rollouts: None,
        };
        build(&record, &judged, &setting)
    }

    #[test]
    fn what_is_kept_comes_back_and_the_deepest_is_listed() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = ReviewStore::open(&folder.path().join("deep/r.sqlite")).unwrap();
        let key = |ply| ReviewKey::new(TEXT, 0, "e met", ply);
        assert_eq!(store.find(&key(0)).unwrap(), None);
        for ply in [1, 0, 0] {
            store
                .save(&key(ply), "2024-03-01", &reviewed(ply), None)
                .unwrap();
        }
        assert_eq!(store.find(&key(0)).unwrap(), Some(reviewed(0)));
        assert_eq!(store.find(&key(2)).unwrap(), None);
        let short = store.find_short(&key(1)).unwrap().unwrap();
        assert_eq!(short.players, reviewed(1).players);
        assert!(short.games.is_empty());
        let mut seen = Vec::new();
        store
            .each(|played, report| {
                seen.push((played.to_owned(), report.ply));
                Ok::<_, StoreError>(())
            })
            .unwrap();
        assert_eq!(seen, [("2024-03-01".to_owned(), 1)]);
    }

    #[test]
    fn a_file_of_the_version_before_is_brought_up_to_date() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("old.sqlite");
        let old = Kind {
            version: 1,
            schema: "
CREATE TABLE reviews (
  id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, match TEXT NOT NULL, ply INTEGER NOT NULL,
  played TEXT NOT NULL, short TEXT NOT NULL, report BLOB NOT NULL
);",
            upgrades: &[],
            ..KIND
        };
        drop(Database::open(&path, &old).unwrap());
        let key = ReviewKey::new(TEXT, 0, "e met", 0);
        let mut store = ReviewStore::open(&path).unwrap();
        store.save(&key, "2024-03-01", &reviewed(0), None).unwrap();
        drop(store);
        let store = ReviewStore::open(&path).unwrap();
        assert!(store.find(&key).unwrap().is_some());
        drop(store);
        assert!(Database::open(&path, &old).is_err(), "newer than known");
    }

    #[test]
    fn of_reviews_as_deep_the_one_with_rollouts_is_listed() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = ReviewStore::open(&folder.path().join("r.sqlite")).unwrap();
        let mut rolled = reviewed(0);
        rolled.rollouts = Some(crate::review::report::RolloutsReport {
            decisions: 3,
            left: 0,
            trials: 36,
            ply: 1,
            horizon: 10,
            seconds: None,
        });
        let key = |how| ReviewKey::new(TEXT, 0, how, 0);
        store
            .save(&key("e rolled"), "2024-03-01", &rolled, None)
            .unwrap();
        store
            .save(&key("e"), "2024-03-01", &reviewed(0), None)
            .unwrap();
        let mut seen = Vec::new();
        store
            .each(|_, report| {
                seen.push(report.rollouts.map(|r| r.decisions));
                Ok::<_, StoreError>(())
            })
            .unwrap();
        assert_eq!(seen, [Some(3)]);
    }

    #[test]
    fn other_bytes_and_other_ways_are_other_keys() {
        let key = ReviewKey::new(TEXT, 0, "e met", 2);
        assert_eq!(key, ReviewKey::new(TEXT, 0, "e met", 2));
        for other in [
            ReviewKey::new(b"else", 0, "e met", 2),
            ReviewKey::new(TEXT, 1, "e met", 2),
            ReviewKey::new(TEXT, 0, "f met", 2),
            ReviewKey::new(TEXT, 0, "e met", 1),
        ] {
            assert_ne!(key.key, other.key);
        }
    }

    #[test]
    fn a_store_of_rollouts_is_no_store_of_reviews() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s");
        drop(crate::store::RolloutStore::open(&path).unwrap());
        let error = ReviewStore::open(&path).unwrap_err().to_string();
        assert!(error.contains("not a store"), "{error}");
    }
}
