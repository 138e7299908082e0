//! A damaged file of ours: it is set aside as it is, made anew, and gets all rows back that can still be
//! read. Which of them are whole their checksums tell.

use std::fs;
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::ops::Range;
use std::path::{Path, PathBuf};

use rusqlite::config::DbConfig;
use rusqlite::types::{Value, ValueRef};
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension as _, Row, params_from_iter};

use super::kind::{Kind, Table};
use super::schema;

/// Most damaged files that are set aside beside each other.
const MOST_ASIDE: u32 = 100;
/// After so many numbers in a row under which nothing can be read, no more are tried.
pub(super) const MOST_GAPS: u32 = 10_000;
/// Parts of the head of a file that are the same in all of ours: what says how the rest is read.
const HEAD: [Range<usize>; 3] = [0..24, 44..48, 52..60];
/// Where the application's number stands in the head.
const APPLICATION: Range<usize> = 68..72;

/// Whether what SQLite says means that the file is not as it was written.
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
                // Unknown is what there is to say of a table that is gone, or of a version of the format. A
                // key that is in an index and not in its table is found nowhere, and cannot be added.
                ErrorCode::DatabaseCorrupt
                    | ErrorCode::NotADatabase
                    | ErrorCode::Unknown
                    | ErrorCode::ConstraintViolation
            )
        }
        _ => false,
    }
}

/// Whether a file that is no database, or not one that can be read, was one of ours.
pub(super) fn was_ours(path: &Path, kind: &Kind) -> bool {
    let Ok(bytes) = head(path) else { return false };
    bytes.get(APPLICATION) == Some(&kind.application.to_be_bytes())
}

fn head(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut head = Vec::new();
    fs::File::open(path)?.take(100).read_to_end(&mut head)?;
    Ok(head)
}

/// The path with `end` behind its name.
fn beside(path: &Path, end: &str) -> Option<PathBuf> {
    let name = path.file_name()?.to_string_lossy();
    Some(path.with_file_name(format!("{name}{end}")))
}

/// Keeps all others, in this process and elsewhere, from mending a file until it is dropped.
pub(super) struct MendingLock {
    _locked: fs::File,
    place: PathBuf,
}

impl MendingLock {
    /// Waits until nobody else mends the file at `path`.
    pub(super) fn take(path: &Path) -> Option<Self> {
        let place = beside(path, ".mending")?;
        let locked = fs::File::create(&place).ok()?;
        locked.lock().ok()?;
        Some(Self {
            _locked: locked,
            place,
        })
    }
}

/// Waits while somebody mends the file at `path`: until that is done rows are wanting. Answers whether anybody did. Who
/// only waits leaves the lock's file where it is: without it a third would mend beside the one that has made it.
pub(super) fn wait_while_mended(path: &Path) -> bool {
    let place = beside(path, ".mending");
    let mending = place.and_then(|place| fs::File::open(place).ok());
    mending.is_some_and(|file| file.lock_shared().is_ok())
}

impl Drop for MendingLock {
    fn drop(&mut self) {
        // Who waits for it finds the file in order, even if a third makes another of its name.
        let _ = fs::remove_file(&self.place);
    }
}

/// Makes an empty file beside the one at `path`, for what is set aside of it.
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

/// Gives the room that removed rows have left back to the disk, where it is more than half of the file: to write the rest
/// anew takes time. Where it is not possible now, as another process reads, later rows use the room.
pub(super) fn shrink(connection: &Connection) {
    let pages = |pragma| connection.pragma_query_value(None, pragma, |row| row.get::<_, i64>(0));
    if let (Ok(free), Ok(all)) = (pages("freelist_count"), pages("page_count"))
        && free > all / 2
    {
        let _ = connection.execute_batch("VACUUM");
    }
}

/// Sets a copy of the file aside and empties it, with the locks that keep other processes out. Returns where
/// the copy lies.
pub(super) fn empty(connection: &Connection, path: &Path) -> Option<PathBuf> {
    let aside = place_aside(path)?;
    if fs::copy(path, &aside).is_err() {
        // Half of a copy is of no use, and takes room.
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

/// Brings what can be read of the file set aside into `new`, which has the tables. Returns how many rows.
pub(super) fn recover(new: &mut Connection, path: &Path, aside: &Path, kind: &Kind) -> usize {
    let Some(readable) = beside(aside, ".readable") else {
        return 0;
    };
    let rows = make_readable(&readable, path, aside, kind).and_then(|()| {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let old = Connection::open_with_flags(&readable, flags).ok()?;
        copy_all(&old, new, kind).ok()
    });
    // A copy of what is set aside already, or half of one.
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

/// Makes `readable` a copy of the file set aside whose head says of the format what that of the new file does. Where
/// the tables cannot be found by what it says of them, they are declared as in the new file.
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
    // Tables that were made by a step from one version to the next do not begin where those of the new file do.
    schema::set_roots(&Connection::open(readable).ok()?, &roots).ok()
}

/// The first page of a file of ours: its head, and how its tables are declared.
fn first_page(path: &Path) -> std::io::Result<Vec<u8>> {
    let size = head(path)?.get(16..18).map_or(0, |size| {
        // 65,536 does not fit, and is written as 1.
        match u16::from_be_bytes([size[0], size[1]]) {
            1 => 1 << 16,
            size => u64::from(size),
        }
    });
    let mut page = Vec::new();
    fs::File::open(path)?.take(size).read_to_end(&mut page)?;
    Ok(page)
}

/// Writes these parts of `bytes` over those of the file.
fn write_over(path: &Path, bytes: &[u8], parts: &[Range<usize>]) -> std::io::Result<()> {
    let mut file = fs::OpenOptions::new().write(true).open(path)?;
    for part in parts {
        file.seek(SeekFrom::Start(part.start as u64))?;
        file.write_all(bytes.get(part.clone()).unwrap_or_default())?;
    }
    Ok(())
}

/// Copies the rows of a table from its beginning as far as they can be read, and from its end.
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
        // A table that cannot even be asked for is gone.
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

/// The SQL that adds a row, unless it is there.
fn insertion(name: &str, columns: &[String]) -> String {
    let places = vec!["?"; columns.len()].join(", ");
    let listed = columns.join(", ");
    format!("INSERT OR IGNORE INTO {name} ({listed}) VALUES ({places})")
}

/// Copies the rows of a table by their numbers, one by one.
fn copy(old: &Connection, new: &Connection, name: &str, keys: &[&str]) -> rusqlite::Result<usize> {
    let columns = columns(new, name)?;
    let (listed, keyed) = (columns.join(", "), keys.join(", "));
    let mut insert = new.prepare(&insertion(name, &columns))?;
    let marks = vec!["?"; keys.len()].join(", ");
    let next = format!(
        "SELECT {keyed}, {listed} FROM {name} WHERE ({keyed}) > ({marks}) ORDER BY {keyed} LIMIT 1"
    );
    // A table that cannot even be asked for is gone.
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
                // One that is not even a row, or is there already, is left out.
                if let Some(values) = values {
                    rows += insert.execute(params_from_iter(values)).unwrap_or(0);
                }
            }
            // It goes on behind what cannot be read.
            _ => {
                gaps += 1;
                at[0] = at[0].saturating_add(1);
                at[1..].fill(-1);
            }
        }
    }
    Ok(rows)
}

/// A field as it is; `None` where it is a text that is no UTF-8.
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

    /// Room goes back to the disk where it is most of the file, and what is left in it stays.
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
