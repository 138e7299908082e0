//! Repairs a damaged file: sets a copy aside, rebuilds the file, and restores all readable rows.

use std::fs;
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::ops::Range;
use std::path::{Path, PathBuf};

use rusqlite::config::DbConfig;
use rusqlite::types::{Value, ValueRef};
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension as _, Row, params_from_iter};

use super::kind::{Kind, Table};
use super::schema;

/// Maximum number of damaged copies kept for a file.
const MOST_ASIDE: u32 = 100;
/// Number of consecutive unreadable IDs after which the search for rows ends.
pub(super) const MOST_GAPS: u32 = 10_000;
/// Parts of the file header that are equal in all store files: they describe the format.
const HEAD: [Range<usize>; 3] = [0..24, 44..48, 52..60];
/// Position of the application ID in the header.
const APPLICATION: Range<usize> = 68..72;

/// Returns whether an SQLite error indicates a damaged file.
pub(super) fn is_damage(error: &rusqlite::Error) -> bool {
    match error {
        rusqlite::Error::FromSqlConversionFailure(..)
        | rusqlite::Error::IntegralValueOutOfRange(..)
        | rusqlite::Error::InvalidColumnType(..)
        | rusqlite::Error::QueryReturnedNoRows
        | rusqlite::Error::Utf8Error(..) => true,
        rusqlite::Error::SqlInputError { error, .. } | rusqlite::Error::SqliteFailure(error, _) => {
            matches!(
                error.code,
                // SQLite reports `Unknown` for a missing table or another format version. A constraint error arises
                // from a key that is in an index but not in its table.
                ErrorCode::DatabaseCorrupt
                    | ErrorCode::NotADatabase
                    | ErrorCode::Unknown
                    | ErrorCode::ConstraintViolation
            )
        }
        _ => false,
    }
}

/// Returns whether a file that is not a readable database was once a store of this kind.
pub(super) fn was_ours(path: &Path, kind: &Kind) -> bool {
    let Ok(bytes) = head(path) else { return false };
    bytes.get(APPLICATION) == Some(&kind.application.to_be_bytes())
}

fn head(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut head = Vec::new();
    fs::File::open(path)?.take(100).read_to_end(&mut head)?;
    Ok(head)
}

/// Returns the path with `end` appended to its name.
fn with_suffix(path: &Path, end: &str) -> Option<PathBuf> {
    let name = path.file_name()?.to_string_lossy();
    Some(path.with_file_name(format!("{name}{end}")))
}

/// Lock that keeps all other processes and threads from repairing a file until it is dropped.
pub(super) struct MendingLock {
    _locked: fs::File,
    place: PathBuf,
}

impl MendingLock {
    /// Waits until nobody else repairs the file at `path`, and takes the lock.
    pub(super) fn take(path: &Path) -> Option<Self> {
        let place = with_suffix(path, ".mending")?;
        let locked = fs::File::create(&place).ok()?;
        locked.lock().ok()?;
        Some(Self {
            _locked: locked,
            place,
        })
    }
}

/// Waits while the file at `path` is under repair, because rows are missing meanwhile. Returns whether it was. A
/// waiting process must not delete the lock file: a third process would create another and repair at the same time.
pub(super) fn wait_while_mended(path: &Path) -> bool {
    let place = with_suffix(path, ".mending");
    let mending = place.and_then(|place| fs::File::open(place).ok());
    mending.is_some_and(|file| file.lock_shared().is_ok())
}

impl Drop for MendingLock {
    fn drop(&mut self) {
        // Waiting processes find the file sound, even if a third creates another lock file of this name.
        let _ = fs::remove_file(&self.place);
    }
}

/// Creates an empty file beside `path` to receive the damaged copy.
pub(super) fn place_aside(path: &Path) -> Option<PathBuf> {
    let name = path.file_name()?.to_string_lossy();
    (1..=MOST_ASIDE).find_map(|n| {
        let aside = path.with_file_name(match n {
            1 => format!("{name}.damaged"),
            n => format!("{name}.damaged-{n}"),
        });
        let new = fs::OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&aside);
        new.is_ok().then_some(aside)
    })
}

/// Returns the space of deleted rows to the disk if it is more than half of the file; rewriting the rest takes time.
/// If another process is reading, later rows will reuse the space instead.
pub(super) fn shrink(connection: &Connection) {
    let pages = |pragma| connection.pragma_query_value(None, pragma, |row| row.get::<_, i64>(0));
    if let (Ok(free), Ok(all)) = (pages("freelist_count"), pages("page_count"))
        && free > all / 2
    {
        let _ = connection.execute_batch("VACUUM");
    }
}

/// Copies the file aside and empties it under locks that exclude other processes. Returns the path of the copy.
pub(super) fn empty(connection: &Connection, path: &Path) -> Option<PathBuf> {
    let aside = place_aside(path)?;
    if fs::copy(path, &aside).is_err() {
        // A partial copy is useless and takes space.
        let _ = fs::remove_file(&aside);
        return None;
    }
    let reset = DbConfig::SQLITE_DBCONFIG_RESET_DATABASE;
    connection.set_db_config(reset, true).ok()?;
    let emptied = connection.execute_batch("VACUUM");
    connection.set_db_config(reset, false).ok()?;
    emptied.ok()?;
    Some(aside)
}

/// Restores the readable rows of the damaged copy into `new`, which has the tables. Returns the number of rows.
pub(super) fn recover(new: &mut Connection, path: &Path, aside: &Path, kind: &Kind) -> usize {
    let Some(readable) = with_suffix(aside, ".readable") else {
        return 0;
    };
    let rows = make_readable(&readable, path, aside, kind).and_then(|()| {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let old = Connection::open_with_flags(&readable, flags).ok()?;
        copy_all(&old, new, kind).ok()
    });
    // Only a copy of the copy, or part of one.
    let _ = fs::remove_file(readable);
    rows.unwrap_or(0)
}

fn copy_all(old: &Connection, new: &mut Connection, kind: &Kind) -> rusqlite::Result<usize> {
    let change = new.transaction()?;
    let mut rows = 0;
    for table in kind.tables {
        rows += match table {
            Table::Rows(name) => copy(old, &change, name, &["id"])?,
            Table::Pairs(name, keys) => copy(old, &change, name, keys)?,
            Table::Ends(name, keys) => copy_ends(old, &change, name, keys)?,
        };
    }
    change.commit()?;
    Ok(rows)
}

/// Creates `readable`, a copy of the damaged copy with the format header of the new file. If its tables cannot be
/// found, takes their declarations from the new file.
fn make_readable(readable: &Path, path: &Path, aside: &Path, kind: &Kind) -> Option<()> {
    fs::copy(aside, readable).ok()?;
    let sound = head(path).ok()?;
    write_over(readable, &sound, &HEAD).ok()?;
    let declared = Connection::open(readable).ok()?;
    if schema::is_of(&declared, kind) {
        return Some(());
    }
    let roots = schema::roots(&declared, kind);
    drop(declared);
    let page = first_page(path).ok()?;
    write_over(readable, &page, &[0..24, 40..92, 96..page.len()]).ok()?;
    // Tables that were migrated from an older version do not start on the same pages as those of the new file.
    schema::set_roots(&Connection::open(readable).ok()?, &roots).ok()
}

/// Reads the first page of a store file: header and table declarations.
fn first_page(path: &Path) -> std::io::Result<Vec<u8>> {
    let size = head(path)?.get(16..18).map_or(0, |size| {
        // 65,536 does not fit and is stored as 1.
        match u16::from_be_bytes([size[0], size[1]]) {
            1 => 1 << 16,
            size => u64::from(size),
        }
    });
    let mut page = Vec::new();
    fs::File::open(path)?.take(size).read_to_end(&mut page)?;
    Ok(page)
}

/// Overwrites these parts of the file with those of `bytes`.
fn write_over(path: &Path, bytes: &[u8], parts: &[Range<usize>]) -> std::io::Result<()> {
    let mut file = fs::OpenOptions::new().write(true).open(path)?;
    for part in parts {
        file.seek(SeekFrom::Start(part.start as u64))?;
        file.write_all(bytes.get(part.clone()).unwrap_or_default())?;
    }
    Ok(())
}

/// Copies the rows of a table from both ends, as far as they can be read.
fn copy_ends(
    old: &Connection,
    new: &Connection,
    name: &str,
    keys: &[&str],
) -> rusqlite::Result<usize> {
    let columns = columns(new, name)?;
    let listed = columns.join(", ");
    let mut insert = new.prepare(&insertion(name, &columns))?;
    let mut rows = 0;
    for way in ["ASC", "DESC"] {
        let order: Vec<String> = keys.iter().map(|key| format!("{key} {way}")).collect();
        let order = order.join(", ");
        // A table that cannot be queried is lost.
        let all = format!("SELECT {listed} FROM {name} ORDER BY {order}");
        let Ok(mut all) = old.prepare(&all) else {
            return Ok(0);
        };
        let mut found = all.query([])?;
        while let Ok(Some(row)) = found.next() {
            let values = (0..columns.len()).map(|i| value(row, i));
            if let Some(values) = values.collect::<Option<Vec<Value>>>() {
                rows += insert.execute(params_from_iter(values)).unwrap_or(0);
            }
        }
    }
    Ok(rows)
}

/// Returns the SQL that inserts a row unless it exists.
fn insertion(name: &str, columns: &[String]) -> String {
    let places = vec!["?"; columns.len()].join(", ");
    let listed = columns.join(", ");
    format!("INSERT OR IGNORE INTO {name} ({listed}) VALUES ({places})")
}

/// Copies the rows of a table one by one, by their IDs.
fn copy(old: &Connection, new: &Connection, name: &str, keys: &[&str]) -> rusqlite::Result<usize> {
    let columns = columns(new, name)?;
    let (listed, keyed) = (columns.join(", "), keys.join(", "));
    let mut insert = new.prepare(&insertion(name, &columns))?;
    let marks = vec!["?"; keys.len()].join(", ");
    let next = format!(
        "SELECT {keyed}, {listed} FROM {name} WHERE ({keyed}) > ({marks}) ORDER BY {keyed} LIMIT 1"
    );
    // A table that cannot be queried is lost.
    let Ok(mut next) = old.prepare(&next) else {
        return Ok(0);
    };
    let mut at = vec![-1i64; keys.len()];
    let (mut rows, mut gaps) = (0, 0);
    while gaps < MOST_GAPS {
        let found = next.query_row(params_from_iter(&at), |row| {
            let n = keys.len();
            let own: Vec<i64> = (0..n)
                .map(|i| row.get(i))
                .collect::<rusqlite::Result<_>>()?;
            let values = (n..n + columns.len()).map(|i| value(row, i));
            Ok((own, values.collect::<Option<Vec<Value>>>()))
        });
        match found.optional() {
            Ok(None) => break,
            Ok(Some((keys, values))) if keys > at => {
                gaps = 0;
                at = keys;
                // Unreadable rows and rows already present are skipped.
                if let Some(values) = values {
                    rows += insert.execute(params_from_iter(values)).unwrap_or(0);
                }
            }
            // Continue at the next first key: with two keys the other rows of this one are lost. No key is negative.
            _ => {
                gaps += 1;
                at[0] = at[0].saturating_add(1);
                at[1..].fill(-1);
            }
        }
    }
    Ok(rows)
}

/// Reads a field; `None` if it is text that is not UTF-8.
fn value(row: &Row<'_>, place: usize) -> Option<Value> {
    Some(match row.get_ref(place).ok()? {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => Value::Integer(number),
        ValueRef::Real(number) => Value::Real(number),
        ValueRef::Text(text) => Value::Text(String::from_utf8(text.to_vec()).ok()?),
        ValueRef::Blob(bytes) => Value::Blob(bytes.to_vec()),
    })
}

fn columns(of: &Connection, table: &str) -> rusqlite::Result<Vec<String>> {
    let question = "SELECT name FROM pragma_table_info(?1)";
    of.prepare(question)?
        .query_map([table], |row| row.get(0))?
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Space is returned once it is most of the file, and the remaining rows stay.
    #[test]
    fn room_goes_back_where_it_is_most_of_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.sqlite");
        let connection = Connection::open(&path).unwrap();
        let rows = "CREATE TABLE t (id INTEGER PRIMARY KEY, x BLOB);
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
            INSERT INTO t SELECT i, zeroblob(10000) FROM n";
        connection.execute_batch(rows).unwrap();
        let after_removal_of = |ids: &str| {
            let sql = format!("DELETE FROM t WHERE id {ids}");
            connection.execute(&sql, []).unwrap();
            shrink(&connection);
            fs::metadata(&path).unwrap().len()
        };
        let whole = fs::metadata(&path).unwrap().len();
        assert_eq!(after_removal_of("<= 30"), whole);
        assert!(after_removal_of("<= 90") < whole / 5);
        let left = connection.query_row("SELECT count(*), min(id) FROM t", [], |row| {
            Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?))
        });
        assert_eq!(left.unwrap(), (10, 91));
    }
}
