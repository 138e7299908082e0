//! A SQLite file that must be ours: opened, read and changed, and what goes wrong with it told with its
//! name.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags, Statement, Transaction, TransactionBehavior};

use super::StoreError;

/// How long to wait for another process to finish its save, where nobody waits for an answer.
const PATIENCE: Duration = Duration::from_secs(20);

/// What marks a file as one of ours, and what is in it.
pub(super) struct Kind {
    /// SQLite's application number.
    pub(super) application: i32,
    /// The version of the tables.
    pub(super) version: i32,
    /// How they are made.
    pub(super) schema: &'static str,
    /// What leads from each version to the next, the first one's first; a file of another version is
    /// refused.
    pub(super) upgrades: &'static [&'static str],
}

/// An open file.
#[derive(Debug)]
pub(super) struct Database {
    connection: Connection,
    path: PathBuf,
}

impl Database {
    /// Opens the file at `path`, making it and its folder if they are not there. A file that is there
    /// and of this version is only read for that.
    pub(super) fn open(path: &Path, kind: &Kind) -> Result<Self, StoreError> {
        Self::open_within(path, kind, PATIENCE)
    }

    /// As [`Database::open`]; whatever is done with it waits no longer than `patience` for another
    /// process.
    pub(super) fn open_within(
        path: &Path,
        kind: &Kind,
        patience: Duration,
    ) -> Result<Self, StoreError> {
        if let Some(folder) = path.parent().filter(|f| !f.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder).map_err(StoreError::io(path))?;
        }
        let database = Self::connect(path, OpenFlags::default(), patience)?;
        database.prepared(kind)
    }

    /// Opens the file at `path` for reading; none if there is no file, or nothing in it yet. It is
    /// written to in one case only: a file of an older version is brought up to date, once.
    pub(super) fn open_to_read(
        path: &Path,
        kind: &Kind,
        patience: Duration,
    ) -> Result<Option<Self>, StoreError> {
        let there = match path.try_exists() {
            // A file where the folder should be holds no store either.
            Err(error) if error.kind() == std::io::ErrorKind::NotADirectory => false,
            other => other.map_err(StoreError::io(path))?,
        };
        if !there {
            return Ok(None);
        }
        // Not read-only: what a killed process left half written is rolled back first.
        let flags = OpenFlags::default() & !OpenFlags::SQLITE_OPEN_CREATE;
        let database = Self::connect(path, flags, patience)?;
        match database.state(kind)? {
            State::Empty => Ok(None),
            _ => database.prepared(kind).map(Some),
        }
    }

    fn connect(path: &Path, flags: OpenFlags, patience: Duration) -> Result<Self, StoreError> {
        let failed = |e: rusqlite::Error| failure(path, &e);
        let connection = Connection::open_with_flags(path, flags).map_err(failed)?;
        connection.busy_timeout(patience).map_err(failed)?;
        Ok(Self {
            connection,
            path: path.to_owned(),
        })
    }

    /// What the file is.
    fn state(&self, kind: &Kind) -> Result<State, StoreError> {
        let state = self
            .connection
            .unchecked_transaction()
            .and_then(|reading| state(&reading, kind));
        state.map_err(self.failed())?.map_err(|why| self.wrong(why))
    }

    /// Makes the tables, or brings them up to date, if they are not so already.
    fn prepared(mut self, kind: &Kind) -> Result<Self, StoreError> {
        if self.state(kind)? != State::Current {
            let mut refused = None;
            self.change(|change| {
                // Another process may have been quicker.
                match state(change, kind)? {
                    Ok(state) => prepare(change, kind, state),
                    Err(why) => {
                        refused = Some(why);
                        Ok(())
                    }
                }
            })?;
            if let Some(why) = refused {
                return Err(self.wrong(why));
            }
        }
        Ok(self)
    }

    /// Where it is.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// What SQLite says, as an error of this file.
    pub(super) fn failed(&self) -> impl Fn(rusqlite::Error) -> StoreError + '_ {
        |e| failure(&self.path, &e)
    }

    /// Something in the file, or meant for it, is not as it should be.
    pub(super) fn wrong(&self, message: impl fmt::Display) -> StoreError {
        StoreError::Format {
            path: self.path.clone(),
            message: message.to_string(),
        }
    }

    /// Reads.
    pub(super) fn read<T>(
        &self,
        read: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        read(&self.connection).map_err(self.failed())
    }

    /// A question to be asked row by row.
    pub(super) fn prepare(&self, question: &str) -> Result<Statement<'_>, StoreError> {
        self.connection.prepare(question).map_err(self.failed())
    }

    /// Changes what is there, all of it or, where that fails, nothing.
    pub(super) fn change(
        &mut self,
        change: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<()>,
    ) -> Result<(), StoreError> {
        let whole = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .and_then(|transaction| {
                change(&transaction)?;
                transaction.commit()
            });
        whole.map_err(self.failed())
    }
}

/// What a file is, as far as its tables go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// There is nothing in it.
    Empty,
    /// So many upgrades are wanting.
    Behind(usize),
    /// It can be used as it is.
    Current,
}

/// What a file is; why it cannot be used, if it cannot.
fn state(reading: &Connection, kind: &Kind) -> rusqlite::Result<Result<State, &'static str>> {
    let pragma = |name: &str| reading.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
    let (application, version) = (pragma("application_id")?, pragma("user_version")?);
    if application == kind.application {
        let behind = i64::from(kind.version) - i64::from(version);
        let behind = usize::try_from(behind).ok();
        return Ok(match behind.filter(|&n| n <= kind.upgrades.len()) {
            Some(0) => Ok(State::Current),
            Some(n) => Ok(State::Behind(n)),
            None => Err("made by another version of this program"),
        });
    }
    let tables: i64 =
        reading.query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get(0))?;
    Ok(match tables {
        0 => Ok(State::Empty),
        _ => Err("not a store of this program"),
    })
}

fn prepare(change: &Transaction<'_>, kind: &Kind, state: State) -> rusqlite::Result<()> {
    match state {
        State::Current => return Ok(()),
        State::Behind(n) => {
            for step in &kind.upgrades[kind.upgrades.len() - n..] {
                change.execute_batch(step)?;
            }
        }
        State::Empty => {
            change.execute_batch(kind.schema)?;
            change.pragma_update(None, "application_id", kind.application)?;
        }
    }
    change.pragma_update(None, "user_version", kind.version)
}

/// What SQLite says, in one line.
fn failure(path: &Path, error: &rusqlite::Error) -> StoreError {
    let path = path.to_owned();
    let message = match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => "not a store of this program".to_owned(),
        // SQLite names the file once more, and no reason.
        Some(ErrorCode::CannotOpen) => "cannot be opened, or made there".to_owned(),
        Some(ErrorCode::ReadOnly) => "cannot be written".to_owned(),
        Some(ErrorCode::DatabaseBusy) => return StoreError::Locked { path },
        Some(ErrorCode::DiskFull) => "the disk is full".to_owned(),
        _ => error.to_string(),
    };
    StoreError::Format { path, message }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    const KIND: Kind = Kind {
        application: 7,
        version: 2,
        schema: "CREATE TABLE t (x INTEGER, y INTEGER)",
        upgrades: &["ALTER TABLE t ADD COLUMN y INTEGER"],
    };
    const SHORT: Duration = Duration::from_millis(50);

    fn count(database: &Database) -> i64 {
        let all = "SELECT count(*) FROM t";
        let count = database.read(|c| c.query_row(all, [], |row| row.get(0)));
        count.unwrap()
    }

    fn insert(database: &mut Database) -> Result<(), StoreError> {
        database.change(|change| change.execute("INSERT INTO t VALUES (1, 2)", []).map(drop))
    }

    #[test]
    fn reading_waits_for_no_writer() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s");
        assert!(
            Database::open_to_read(&path, &KIND, SHORT)
                .unwrap()
                .is_none()
        );
        assert!(!path.exists(), "reading makes nothing");
        insert(&mut Database::open(&path, &KIND).unwrap()).unwrap();
        let writer = Connection::open(&path).unwrap();
        writer
            .execute_batch("BEGIN IMMEDIATE; INSERT INTO t VALUES (3, 4)")
            .unwrap();
        let begin = Instant::now();
        let reader = Database::open_to_read(&path, &KIND, PATIENCE).unwrap();
        assert_eq!(count(&reader.unwrap()), 1);
        let mut other = Database::open(&path, &KIND).unwrap();
        assert_eq!(count(&other), 1);
        assert!(begin.elapsed() < Duration::from_secs(2));
        // A save waits as long as it is told to, and says why it fails.
        other.connection.busy_timeout(SHORT).unwrap();
        assert!(matches!(
            insert(&mut other).unwrap_err(),
            StoreError::Locked { .. }
        ));
        writer.execute_batch("COMMIT").unwrap();
        insert(&mut other).unwrap();
        assert_eq!(count(&other), 3);
    }

    #[test]
    fn an_older_file_is_brought_up_to_date_by_whoever_opens_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s");
        let old = Kind {
            version: 1,
            schema: "CREATE TABLE t (x INTEGER)",
            upgrades: &[],
            ..KIND
        };
        let made = Database::open(&path, &old).unwrap();
        made.connection
            .execute("INSERT INTO t VALUES (1)", [])
            .unwrap();
        let reader = Database::open_to_read(&path, &KIND, SHORT).unwrap();
        assert_eq!(count(&reader.unwrap()), 1);
        insert(&mut Database::open(&path, &KIND).unwrap()).unwrap();
        let newer = Database::open_to_read(&path, &old, SHORT).unwrap_err();
        assert!(newer.to_string().contains("another version"), "{newer}");
        let foreign = Kind {
            application: 8,
            ..KIND
        };
        let foreign = Database::open(&path, &foreign).unwrap_err();
        assert!(foreign.to_string().contains("not a store"), "{foreign}");
    }

    #[test]
    fn a_full_disk_is_named_and_loses_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s");
        let mut store = Database::open(&path, &KIND).unwrap();
        insert(&mut store).unwrap();
        let set = "PRAGMA max_page_count = 2";
        store.connection.query_row(set, [], |_| Ok(())).unwrap();
        let many = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 5000)
                    INSERT INTO t SELECT i, i FROM n";
        let full = store.change(|change| change.execute(many, []).map(drop));
        let full = full.unwrap_err().to_string();
        assert!(full.ends_with("the disk is full"), "{full}");
        assert_eq!(count(&store), 1);
        let set = "PRAGMA max_page_count = 1000";
        store.connection.query_row(set, [], |_| Ok(())).unwrap();
        store
            .change(|change| change.execute(many, []).map(drop))
            .unwrap();
        assert_eq!(count(&store), 5001);
    }
}
