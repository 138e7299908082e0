//! Opening a SQLite file that must be ours.

use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, TransactionBehavior};

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

/// Opens the file at `path`, making it and its folder if they are not there.
pub(super) fn open(path: &Path, kind: &Kind) -> Result<Connection, StoreError> {
    if let Some(folder) = path.parent().filter(|f| !f.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder).map_err(StoreError::io(path))?;
    }
    let mut connection = Connection::open(path).map_err(|e| failure(path, &e))?;
    prepare(&mut connection, path, kind)?;
    Ok(connection)
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
pub(super) fn failure(path: &Path, error: &rusqlite::Error) -> StoreError {
    let message = match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => "not a store of this program".to_owned(),
        Some(ErrorCode::DatabaseBusy) => "another process keeps it locked".to_owned(),
        _ => error.to_string(),
    };
    StoreError::Format {
        path: path.to_owned(),
        message,
    }
}
