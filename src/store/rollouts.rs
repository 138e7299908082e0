//! Stores rollouts in a SQLite file.
//!
//! The key of a rollout ([`RolloutKey`]) covers everything that determines it. All sums are stored, so that a rollout
//! continues as if it had never stopped. Every trial of a shard is stored too, so that shards can be merged in order.
//! The file also contains games played by a person ([`super::hand_games`]).
//!
//! A save is one transaction: a killed process loses its work since the last save, never the file. Two processes may
//! share a file and even a rollout: trial *i* depends only on the seed and *i*, so the process with more trials has
//! all trials of the other. A save with fewer trials than the stored rollout changes nothing.
//!
//! Each row has a checksum. A damaged row is never used: a save replaces it and keeps it under a key that no lookup
//! uses.
//!
//! The journal is rolled back when the file is next opened and then deleted, so that a file at rest can be copied.

pub(super) mod listed;

use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params};

use super::checksum::{ASIDE, RowChecksum, field};
use super::clock;
use super::database::Database;
use super::kind::{Kind, Table};
use super::listing::open_to_list;
use super::lookup::Lookup;
use super::rows::records;
use super::{RolloutKey, RolloutLabel, StoreError, user_folders};
use crate::rollout::{Progress, RECORD_BYTES, TrialRecord, Unfit, WantedRollout};

/// "LUCK" marks the file.
pub(super) const KIND: Kind = Kind {
    file: user_folders::ROLLOUTS,
    application: 0x4c55_434b,
    version: 2,
    schema: SCHEMA,
    tables: &[
        Table::Rows("rollouts"),
        Table::Pairs("trials", ["rollout", "first"]),
        Table::Rows("games"),
    ],
};
/// Maximum number of records in a row of the trials table.
const CHUNK: usize = 4096;

const SCHEMA: &str = "
CREATE TABLE rollouts (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  shown TEXT NOT NULL,
  created INTEGER NOT NULL,
  updated INTEGER NOT NULL,
  trials INTEGER NOT NULL,
  progress TEXT NOT NULL,
  sum INTEGER
);
CREATE TABLE trials (
  rollout INTEGER NOT NULL REFERENCES rollouts(id),
  first INTEGER NOT NULL,
  data BLOB NOT NULL,
  sum INTEGER,
  PRIMARY KEY (rollout, first)
) WITHOUT ROWID;
CREATE TABLE games (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL,
  trial INTEGER NOT NULL,
  played INTEGER NOT NULL,
  shown TEXT NOT NULL,
  data BLOB NOT NULL,
  sum INTEGER
);
CREATE INDEX games_by_key ON games (key, trial);
CREATE TABLE begun (
  key TEXT NOT NULL,
  trial INTEGER NOT NULL,
  sitting TEXT NOT NULL,
  since INTEGER NOT NULL,
  PRIMARY KEY (key, trial)
) WITHOUT ROWID;
";

/// A stored rollout.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredRollout {
    pub id: i64,
    pub shown: RolloutLabel,
    pub progress: Progress,
}

#[derive(Debug)]
pub struct RolloutStore {
    pub(super) database: Database,
    /// Keys of shards whose trials are damaged.
    doubted: RefCell<HashSet<String>>,
    /// Damage was found; the whole file may be affected.
    is_suspect: Cell<bool>,
}

impl From<Database> for RolloutStore {
    fn from(database: Database) -> Self {
        Self {
            database,
            doubted: RefCell::default(),
            is_suspect: Cell::default(),
        }
    }
}

/// A row with the right checksum.
struct RolloutRow {
    id: i64,
    shown: String,
    trials: i64,
    progress: String,
}

/// Selects the row of a key. Selecting by key directly would return the key from the index, which may be undamaged
/// while the row's is not.
const BY_KEY: &str = "id = (SELECT id FROM rollouts WHERE key = ?1)";

const FIELDS: &str = "id, key, shown, trials, progress, sum";

impl RolloutRow {
    /// Returns the rollout of a row; `None` if its checksum is wrong or it does not have this `key`.
    fn of(row: &Row<'_>, key: Option<&str>) -> Option<Self> {
        let own: String = field(row, 1)?;
        let whole = Self {
            id: field(row, 0)?,
            shown: field(row, 2)?,
            trials: field(row, 3)?,
            progress: field(row, 4)?,
        };
        let sum: i64 = field(row, 5)?;
        let is_asked = key.is_none_or(|key| key == own);
        (is_asked && sum == whole.sum(&own)).then_some(whole)
    }

    fn sum(&self, key: &str) -> i64 {
        RowChecksum::of("rollouts")
            .number(self.id)
            .text(key)
            .text(&self.shown)
            .number(self.trials)
            .text(&self.progress)
            .sum()
    }

    fn kept(&self) -> Option<StoredRollout> {
        let progress: Progress = serde_json::from_str(&self.progress).ok()?;
        Some(StoredRollout {
            id: self.id,
            shown: serde_json::from_str(&self.shown).ok()?,
            progress: Some(progress).filter(|p| i64::try_from(p.trials()) == Ok(self.trials))?,
        })
    }
}

fn trials_sum(rollout: i64, first: i64, data: &[u8]) -> i64 {
    let head = RowChecksum::of("trials").number(rollout).number(first);
    head.bytes(data).sum()
}

impl RolloutStore {
    /// Opens the file at `path`; creates it and its folder if missing.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be opened or belongs to another program.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Database::open(path, &KIND).map(Self::from)
    }

    /// Opens the file as [`RolloutStore::open`] does; saves wait at most `timeout` for another process.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be opened or belongs to another program.
    pub fn open_within(path: &Path, timeout: Duration) -> Result<Self, StoreError> {
        Database::open_within(path, &KIND, timeout).map(Self::from)
    }

    /// Opens the file at `path` for reading; `None` if it is missing. Waits at most `timeout`, and only for the end
    /// of another process's save.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be opened or belongs to another program.
    pub fn open_to_read(path: &Path, timeout: Duration) -> Result<Option<Self>, StoreError> {
        Ok(Database::open_to_read(path, &KIND, timeout)?.map(Self::from))
    }

    /// Opens the file as [`RolloutStore::open_to_read`] does, and checks every page for damage, before a complete
    /// listing.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be opened or belongs to another program.
    pub fn open_to_list(path: &Path, timeout: Duration) -> Result<Option<Self>, StoreError> {
        Ok(open_to_list(path, &KIND, timeout)?.map(Self::from))
    }

    /// Opens another user's file for reading; `None` if it is missing. A damaged file is an error and stays
    /// unchanged.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be opened, is damaged, or belongs to another program.
    pub fn open_to_take_in(path: &Path, timeout: Duration) -> Result<Option<Self>, StoreError> {
        Ok(Database::open_to_take_in(path, &KIND, timeout)?.map(Self::from))
    }

    /// Sets the time that later operations wait for another process.
    ///
    /// # Errors
    /// [`StoreError`] if SQLite refuses.
    pub fn wait_at_most(&self, timeout: Duration) -> Result<(), StoreError> {
        self.database.wait_at_most(timeout)
    }

    pub fn path(&self) -> &Path {
        self.database.path()
    }

    /// Returns the rollout with this key, if stored.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be read.
    pub fn find(&self, key: &RolloutKey) -> Result<Lookup<StoredRollout>, StoreError> {
        let question = format!("SELECT {FIELDS} FROM rollouts WHERE {BY_KEY}");
        let found = self.database.read_row(|connection| {
            connection
                .query_row(&question, [&key.0], |row| {
                    Ok(RolloutRow::of(row, Some(&key.0)))
                })
                .optional()
        })?;
        Ok(found.and_then(|whole| match whole.and_then(|w| w.kept()) {
            Some(kept) => Lookup::Kept(kept),
            None => self.damaged(),
        }))
    }

    fn damaged<T>(&self) -> Lookup<T> {
        self.is_suspect.set(true);
        let path = self.path().display();
        Lookup::Damaged(format!("{path}: the rollout kept there is damaged"))
    }

    /// Returns the stored progress of a requested rollout, if it can be continued as [`Progress::toward`] decides.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be read.
    pub fn resume(&self, wanted: &WantedRollout) -> Result<Lookup<Progress>, StoreError> {
        let key = RolloutKey::new(wanted);
        let found = match self.find(&key)? {
            Lookup::Kept(kept) => kept,
            Lookup::Nothing => return Ok(Lookup::Nothing),
            Lookup::Damaged(why) => return Ok(Lookup::Damaged(why)),
        };
        if wanted.settings.shard.is_some() {
            let whole = self
                .database
                .read_row(|c| Ok(Some(has_trials(c, &found))))?;
            if whole != Lookup::Kept(true) {
                self.doubted.borrow_mut().insert(key.0);
                return Ok(self.damaged());
            }
        }
        let fits = found.progress.toward(wanted);
        Ok(match fits {
            Ok(progress) => Lookup::Kept(progress),
            Err(Unfit::Damaged { .. }) => self.damaged(),
            Err(_) => Lookup::Nothing,
        })
    }

    /// Returns all rollouts, oldest first. Damaged rollouts are passed to `report` and skipped.
    ///
    /// # Errors
    /// [`StoreError`] if they cannot be read.
    pub fn all(&self, report: &mut dyn FnMut(String)) -> Result<Vec<StoredRollout>, StoreError> {
        let mut all = Vec::new();
        for id in self.database.ids("rollouts")? {
            match self.row(id)? {
                Lookup::Nothing => {}
                Lookup::Kept(whole) => all.push((id, whole.and_then(|whole| whole.kept()))),
                Lookup::Damaged(_) => all.push((id, None)),
            }
        }
        let path = self.path().display();
        let sound = |(id, kept): (i64, Option<StoredRollout>)| {
            if kept.is_none() {
                report(format!("{path}: rollout {id} is damaged, and left out"));
            }
            kept
        };
        Ok(all.into_iter().filter_map(sound).collect())
    }

    /// Returns a row by its ID; nothing if it was set aside.
    fn row(&self, id: i64) -> Result<Lookup<Option<RolloutRow>>, StoreError> {
        let question = format!("SELECT {FIELDS} FROM rollouts WHERE id = ?1");
        let found = self.database.read_row(|connection| {
            let mut whole = connection.prepare_cached(&question)?;
            let found = whole.query_row([id], |row| {
                let key: Option<String> = field(row, 1);
                let is_aside = key.is_some_and(|key| key.starts_with(ASIDE));
                Ok((!is_aside).then(|| RolloutRow::of(row, None)))
            });
            Ok(found.optional()?.flatten())
        })?;
        Ok(found)
    }

    /// Stores `progress`, unless the stored rollout has more trials. For a shard, `records` are its trials up to
    /// `progress`, in order; trials already stored are skipped.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be written; the old content is then unchanged.
    pub fn save(
        &mut self,
        shown: &RolloutLabel,
        progress: &Progress,
        records: &[TrialRecord],
    ) -> Result<(), StoreError> {
        let wrong = |e: serde_json::Error| self.database.wrong(e);
        let trials = i64::try_from(progress.trials()).map_err(|e| self.database.wrong(e))?;
        let row = RolloutRow {
            id: 0,
            shown: serde_json::to_string(shown).map_err(wrong)?,
            trials,
            progress: serde_json::to_string(progress).map_err(wrong)?,
        };
        let key = RolloutKey::of(progress);
        let candidates = progress.candidates.len();
        let doubted = self.doubted.borrow_mut().remove(&key.0);
        if self.is_suspect.take() {
            // Does nothing if the file is sound and only a row is damaged.
            self.database.mend();
        }
        self.database.change(|change| {
            if doubted {
                set_doubted_aside(change, &key.0)?;
            }
            write(change, &key.0, &row, records, candidates)
        })
    }

    /// Returns the next row of trials of rollout `id`: those after trial `after`, or the first. Empty at the end.
    /// Damaged rows are passed to `report` and skipped.
    ///
    /// # Errors
    /// [`StoreError`] if they cannot be read.
    pub fn trials(
        &self,
        id: i64,
        after: Option<u64>,
        report: &mut dyn FnMut(String),
    ) -> Result<Vec<TrialRecord>, StoreError> {
        let mut after = after.map_or(-1, |a| i64::try_from(a).unwrap_or(i64::MAX));
        let damaged = || {
            let path = self.path().display();
            format!("{path}: trials of rollout {id} are damaged, and left out")
        };
        loop {
            match self.database.read_row(|c| next_trials(c, id, after))? {
                Lookup::Kept((_, Some(records))) => return Ok(records),
                Lookup::Kept((first, None)) => {
                    report(damaged());
                    after = first;
                }
                Lookup::Nothing => return Ok(Vec::new()),
                Lookup::Damaged(_) => {
                    report(damaged());
                    return Ok(Vec::new());
                }
            }
        }
    }
}

/// Returns the next row of trials with its first trial number; the trials are `None` if damaged.
fn next_trials(
    connection: &Connection,
    id: i64,
    after: i64,
) -> rusqlite::Result<Option<(i64, Option<Vec<TrialRecord>>)>> {
    let question = "SELECT first, data, sum FROM trials WHERE rollout = ?1 AND first > ?2
                    ORDER BY first LIMIT 1";
    let row = |row: &Row<'_>| {
        let first: i64 = row.get(0)?;
        if first <= after {
            // Rows out of order would cause an endless loop.
            return Err(rusqlite::Error::QueryReturnedNoRows);
        }
        let (data, sum): (Option<Vec<u8>>, Option<i64>) = (field(row, 1), field(row, 2));
        let data = data.filter(|data| sum == Some(trials_sum(id, first, data)));
        let records = data.and_then(|data| records(&data));
        Ok((
            first,
            records.filter(|r| i64::try_from(r[0].trial) == Ok(first)),
        ))
    };
    let mut question = connection.prepare_cached(question)?;
    let mut rows = question.query([id, after])?;
    rows.next()?.map(row).transpose()
}

/// Returns whether all trials of a shard are stored and undamaged.
fn has_trials(connection: &Connection, kept: &StoredRollout) -> bool {
    let (mut after, mut records) = (-1, 0);
    while let Ok(Some((first, Some(next)))) = next_trials(connection, kept.id, after) {
        (after, records) = (first, records + next.len());
    }
    let candidates = kept.progress.candidates.len() as u64;
    records as u64 == kept.progress.trials() * candidates
}

/// Sets a shard aside if its trials are incomplete.
fn set_doubted_aside(change: &Transaction<'_>, key: &str) -> rusqlite::Result<()> {
    let question = format!("SELECT {FIELDS} FROM rollouts WHERE {BY_KEY}");
    let kept = change
        .query_row(&question, [key], |row| Ok(RolloutRow::of(row, Some(key))))
        .optional()?;
    match kept.flatten().and_then(|whole| whole.kept()) {
        Some(kept) if !has_trials(change, &kept) => set_aside(change, kept.id),
        _ => Ok(()),
    }
}

fn write(
    change: &Transaction<'_>,
    key: &str,
    new: &RolloutRow,
    records: &[TrialRecord],
    candidates: usize,
) -> rusqlite::Result<()> {
    let question = format!("SELECT {FIELDS} FROM rollouts WHERE {BY_KEY}");
    let there: Option<(i64, Option<RolloutRow>)> = change
        .query_row(&question, [key], |row| {
            Ok((row.get(0)?, RolloutRow::of(row, Some(key))))
        })
        .optional()?;
    let (id, before) = match there {
        // No new trials; with the same number of trials the stopping rules may have changed.
        Some((_, Some(old))) if old.trials > new.trials => return Ok(()),
        Some((id, Some(old))) => {
            change.execute(
                "UPDATE rollouts SET shown = ?2, updated = ?3, trials = ?4, progress = ?5
                 WHERE id = ?1",
                params![id, new.shown, clock::seconds(), new.trials, new.progress],
            )?;
            (id, old.trials)
        }
        other => {
            if let Some((damaged, _)) = other {
                set_aside(change, damaged)?;
            }
            change.execute(
                "INSERT INTO rollouts (key, shown, created, updated, trials, progress)
                 VALUES (?1, ?2, ?3, ?3, ?4, ?5)",
                params![key, new.shown, clock::seconds(), new.trials, new.progress],
            )?;
            let id = change.last_insert_rowid();
            // Trials left by a damaged row belong to no rollout.
            change.execute("DELETE FROM trials WHERE rollout = ?1", [id])?;
            (id, 0)
        }
    };
    seal_rollout(change, id)?;
    let new = usize::try_from(new.trials - before).unwrap_or(0) * candidates;
    let new = &records[records.len() - new.min(records.len())..];
    for chunk in new.chunks(CHUNK - CHUNK % candidates.max(1)) {
        let mut data = Vec::with_capacity(chunk.len() * RECORD_BYTES);
        chunk.iter().for_each(|r| r.write(&mut data));
        let first = i64::try_from(chunk[0].trial).unwrap_or(i64::MAX);
        change.execute(
            "INSERT OR REPLACE INTO trials (rollout, first, data, sum) VALUES (?1, ?2, ?3, ?4)",
            params![id, first, data, trials_sum(id, first, &data)],
        )?;
    }
    Ok(())
}

/// Keeps a damaged row under a key that no lookup uses.
fn set_aside(change: &Transaction<'_>, id: i64) -> rusqlite::Result<()> {
    let sql = "UPDATE rollouts SET key = ?2 || id || ' ' || key WHERE id = ?1";
    change.execute(sql, params![id, ASIDE]).map(drop)
}

/// Updates the checksum of a row.
fn seal_rollout(change: &Transaction<'_>, id: i64) -> rusqlite::Result<()> {
    let question = format!("SELECT {FIELDS} FROM rollouts WHERE id = ?1");
    let sum = change.query_row(&question, [id], |row| {
        let (key, row): (String, _) = (
            row.get(1)?,
            RolloutRow {
                id,
                shown: row.get(2)?,
                trials: row.get(3)?,
                progress: row.get(4)?,
            },
        );
        Ok(row.sum(&key))
    })?;
    let sql = "UPDATE rollouts SET sum = ?2 WHERE id = ?1";
    change.execute(sql, params![id, sum]).map(drop)
}

#[cfg(test)]
mod tests;
