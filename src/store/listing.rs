//! Opens a store to read all of its rows.

use std::path::Path;
use std::time::Duration;

use rusqlite::Connection;

use super::database::Database;
use super::kind::Kind;
use super::{StoreError, mended, repair};

/// Opens the file at `path` as [`Database::open_to_read`] does, and checks its pages first. SQLite leaves rows out
/// without an error where a damaged page has lost the way to them. The check reads the whole file: 60 ms for 100 MB.
pub(super) fn open_to_list(
    path: &Path,
    kind: &Kind,
    timeout: Duration,
) -> Result<Option<Database>, StoreError> {
    let mut database = Database::open_to_read(path, kind, timeout)?;
    if let Some(database) = &mut database
        && database.read(|connection| Ok(has_damaged_pages(connection)))?
        && !database.mend()
    {
        let path = path.display();
        mended::tell(&format!("{path} is damaged: rows may be missing"));
    }
    Ok(database)
}

/// Returns whether SQLite finds pages out of order. Indexes are not compared with their tables.
fn has_damaged_pages(connection: &Connection) -> bool {
    let check = "PRAGMA quick_check(1)";
    match connection.query_row(check, [], |row| row.get::<_, String>(0)) {
        Ok(said) => said != "ok",
        // Another process may keep the file locked.
        Err(error) => repair::is_damage(&error),
    }
}
