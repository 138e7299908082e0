//! A SQLite file that must be ours: opened, read and changed, and what goes wrong with it told with its
//! name.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, Statement, Transaction, TransactionBehavior};

use super::StoreError;

/// How long to wait for another process to finish its save.
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
    /// Opens the file at `path`, making it and its folder if they are not there.
    pub(super) fn open(path: &Path, kind: &Kind) -> Result<Self, StoreError> {
        if let Some(folder) = path.parent().filter(|f| !f.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder).map_err(StoreError::io(path))?;
        }
        let mut connection = Connection::open(path).map_err(|e| failure(path, &e))?;
        prepare(&mut connection, path, kind)?;
        Ok(Self {
            connection,
            path: path.to_owned(),
        })
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

fn prepare(connection: &mut Connection, path: &Path, kind: &Kind) -> Result<(), StoreError> {
    let failed = |e: rusqlite::Error| failure(path, &e);
    let wrong = |what: &str| StoreError::Format {
        path: path.to_owned(),
        message: what.to_owned(),
    };
    connection.busy_timeout(PATIENCE).map_err(failed)?;
    let change = connection
        .transaction_with_behavior(TransactionBehavior::Immediate)
        .map_err(failed)?;
    let pragma = |name: &str| change.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
    let (application, version) = (
        pragma("application_id").map_err(failed)?,
        pragma("user_version").map_err(failed)?,
    );
    let tables: i64 = change
        .query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get(0))
        .map_err(failed)?;
    if application == kind.application {
        let behind = usize::try_from(kind.version - version).ok();
        let steps = behind.and_then(|n| kind.upgrades.len().checked_sub(n));
        let Some(from) = steps else {
            return Err(wrong("made by another version of this program"));
        };
        for step in &kind.upgrades[from..] {
            change.execute_batch(step).map_err(failed)?;
        }
        if version != kind.version {
            change
                .pragma_update(None, "user_version", kind.version)
                .map_err(failed)?;
        }
    } else if tables > 0 {
        return Err(wrong("not a store of this program"));
    } else {
        change.execute_batch(kind.schema).map_err(failed)?;
        let set = |name: &str, value: i32| change.pragma_update(None, name, value);
        set("application_id", kind.application).map_err(failed)?;
        set("user_version", kind.version).map_err(failed)?;
    }
    change.commit().map_err(failed)
}

/// What SQLite says, in one line.
fn failure(path: &Path, error: &rusqlite::Error) -> StoreError {
    let message = match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => "not a store of this program".to_owned(),
        // SQLite names the file once more, and no reason.
        Some(ErrorCode::CannotOpen) => "cannot be opened, or made there".to_owned(),
        Some(ErrorCode::ReadOnly) => "cannot be written".to_owned(),
        Some(ErrorCode::DatabaseBusy) => "another process keeps it locked".to_owned(),
        _ => error.to_string(),
    };
    StoreError::Format {
        path: path.to_owned(),
        message,
    }
}
