//! Opens, reads and changes one of the program's SQLite files. Errors carry the file's name.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{
    Connection, ErrorCode, OpenFlags, OptionalExtension as _, Transaction, TransactionBehavior,
};

use super::kind::{Kind, Table};
use super::{Lookup, StoreError, mended, repair, schema};

/// Error message for a file that belongs to another program.
pub(super) const FOREIGN: &str = "not a store of this program";

/// Default time to wait for another process to finish its save.
const LOCK_TIMEOUT: Duration = Duration::from_secs(5);

/// An open file.
pub(super) struct Database {
    connection: Connection,
    path: PathBuf,
    kind: Kind,
    /// Rebuilds the file if it is damaged.
    mends: bool,
}

impl fmt::Debug for Database {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Database")
            .field("path", &self.path)
            .finish()
    }
}

impl Database {
    /// Opens the file at `path`; creates it and its folder if missing. Opening an existing file of this version only
    /// reads it.
    pub(super) fn open(path: &Path, kind: &Kind) -> Result<Self, StoreError> {
        Self::open_within(path, kind, LOCK_TIMEOUT)
    }

    /// Opens the file as [`Database::open`] does. Every later operation waits at most `timeout` for another process.
    pub(super) fn open_within(
        path: &Path,
        kind: &Kind,
        timeout: Duration,
    ) -> Result<Self, StoreError> {
        if let Some(folder) = path.parent().filter(|f| !f.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder).map_err(StoreError::io(path))?;
        }
        if is_too_short(path) && !kind.names(path) {
            let (path, message) = (path.to_owned(), FOREIGN.to_owned());
            return Err(StoreError::Format { path, message });
        }
        let mut database = Self::connect(path, kind, OpenFlags::default(), timeout)?;
        let state = database.mended_state();
        state.and_then(|state| database.prepared(state))
    }

    /// Opens the file at `path` for reading; `None` if it is missing or empty. Writes only if the file is not
    /// readable as a database: it is then rebuilt from the rows that can be read.
    pub(super) fn open_to_read(
        path: &Path,
        kind: &Kind,
        timeout: Duration,
    ) -> Result<Option<Self>, StoreError> {
        Self::open_existing(path, kind, timeout, true)
    }

    /// Opens a foreign library file for reading; `None` if it is missing or empty. A damaged file is an error and
    /// stays unchanged.
    pub(super) fn open_to_take_in(
        path: &Path,
        kind: &Kind,
        timeout: Duration,
    ) -> Result<Option<Self>, StoreError> {
        Self::open_existing(path, kind, timeout, false)
    }

    fn open_existing(
        path: &Path,
        kind: &Kind,
        timeout: Duration,
        mends: bool,
    ) -> Result<Option<Self>, StoreError> {
        let there = match path.try_exists() {
            // If a file is in the place of the folder, there is no store either.
            Err(error) if error.kind() == std::io::ErrorKind::NotADirectory => false,
            other => other.map_err(StoreError::io(path))?,
        };
        if !there {
            return Ok(None);
        }
        // Not read-only, because SQLite must roll back the unfinished write of a killed process.
        let flags = OpenFlags::default() & !OpenFlags::SQLITE_OPEN_CREATE;
        let mut database = Self::connect(path, kind, flags, timeout)?;
        database.mends = mends;
        match database.mended_state()? {
            State::Empty => Ok(None),
            state => database.prepared(state).map(Some),
        }
    }

    /// Sets the time that later operations wait for another process.
    pub(super) fn wait_at_most(&self, timeout: Duration) -> Result<(), StoreError> {
        self.connection.busy_timeout(timeout).map_err(self.failed())
    }

    fn connect(
        path: &Path,
        kind: &Kind,
        flags: OpenFlags,
        timeout: Duration,
    ) -> Result<Self, StoreError> {
        let failed = |e: rusqlite::Error| failure(path, kind, &e);
        // SQLite would read a path that begins with `file:` as a URI.
        let place = match path.as_os_str().as_encoded_bytes().starts_with(b"file:") {
            true => &Path::new(".").join(path),
            false => path,
        };
        let connection = Connection::open_with_flags(place, flags).map_err(failed)?;
        connection.busy_timeout(timeout).map_err(failed)?;
        Ok(Self {
            connection,
            path: path.to_owned(),
            kind: *kind,
            mends: true,
        })
    }

    /// Returns the state of the file.
    fn state(&self) -> Result<State, StoreError> {
        let state = self
            .connection
            .unchecked_transaction()
            .and_then(|reading| state(&reading, &self.kind));
        state.map_err(self.failed())?.map_err(|why| self.wrong(why))
    }

    /// Returns the state of the file, after rebuilding it if it is damaged.
    fn mended_state(&mut self) -> Result<State, StoreError> {
        repair::wait_while_mended(&self.path);
        let mut state = self.state();
        if repair::wait_while_mended(&self.path) {
            state = self.state();
        }
        match state {
            Err(StoreError::Damaged { .. }) if self.mend() => self.state(),
            state => state,
        }
    }

    /// Creates the tables or sets the mark, if missing.
    fn prepared(mut self, state: State) -> Result<Self, StoreError> {
        if state == State::Current {
            return Ok(self);
        }
        self.make().map(|()| self)
    }

    fn make(&mut self) -> Result<(), StoreError> {
        let (kind, mut refused) = (self.kind, None);
        let made = self.try_change(&mut |change| {
            // Another process may have created them meanwhile.
            match state(change, &kind)? {
                Ok(state) => prepare(change, &kind, state),
                Err(why) => {
                    refused = Some(why);
                    Ok(())
                }
            }
        });
        made.map_err(self.failed())?;
        refused.map_or(Ok(()), |why| Err(self.wrong(why)))
    }

    /// Sets a damaged file aside and rebuilds it from its readable rows. Returns whether the file is sound now, even
    /// if another process rebuilt it.
    pub(super) fn mend(&mut self) -> bool {
        // If no table can be read row by row, the file stays unchanged.
        if !self.mends || self.kind.tables.is_empty() {
            return false;
        }
        // One process at a time: a file under repair looks damaged to others.
        let Some(_lock) = repair::MendingLock::take(&self.path) else {
            return false;
        };
        schema::is_sound(&self.connection, &self.kind) || self.make_anew()
    }

    fn make_anew(&mut self) -> bool {
        let Some(aside) = repair::empty(&self.connection, &self.path) else {
            return false;
        };
        if self.make().is_err() {
            return false;
        }
        let Self {
            connection, path, ..
        } = self;
        let rows = repair::recover(connection, path, &aside, &self.kind);
        let became = match rows {
            0 => "nothing in it could be read, it begins anew".to_owned(),
            1 => "1 row could be read and is kept".to_owned(),
            n => format!("{n} rows could be read and are kept"),
        };
        let (path, aside) = (self.path.display(), aside.display());
        mended::tell(&format!(
            "{path} was damaged: {became}; the old file is {aside}"
        ));
        true
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Converts SQLite errors into errors of this file.
    pub(super) fn failed(&self) -> impl Fn(rusqlite::Error) -> StoreError + '_ {
        |e| failure(&self.path, &self.kind, &e)
    }

    /// Returns a format error: the content, or the data to be written, is not valid.
    pub(super) fn wrong(&self, message: impl fmt::Display) -> StoreError {
        StoreError::Format {
            path: self.path.clone(),
            message: message.to_string(),
        }
    }

    /// Reads from the file.
    pub(super) fn read<T>(
        &self,
        read: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        read(&self.connection).map_err(self.failed())
    }

    /// Reads from the file. If the file turns out to be damaged, rebuilds it first from its readable rows.
    pub(super) fn read_mended<T>(
        &mut self,
        read: impl Fn(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        let mut found = read(&self.connection);
        if found.as_ref().is_err_and(repair::is_damage) && self.mend() {
            found = read(&self.connection);
        }
        found.map_err(self.failed())
    }

    /// Reads a row that may be missing.
    pub(super) fn read_row<T>(
        &self,
        read: impl FnOnce(&Connection) -> rusqlite::Result<Option<T>>,
    ) -> Result<Lookup<T>, StoreError> {
        match read(&self.connection) {
            Ok(found) => Ok(found.map_or(Lookup::Nothing, Lookup::Kept)),
            Err(error) => match failure(&self.path, &self.kind, &error) {
                damage @ StoreError::Damaged { .. } => Ok(Lookup::Damaged(damage.to_string())),
                other => Err(other),
            },
        }
    }

    /// Returns the readable row IDs of `table`, in order.
    pub(super) fn ids(&self, table: &str) -> Result<Vec<i64>, StoreError> {
        let question = format!("SELECT id FROM {table} WHERE id > ?1 ORDER BY id LIMIT 1");
        let (mut ids, mut at, mut gaps) = (Vec::new(), -1i64, 0);
        while gaps < repair::MOST_GAPS {
            let next = self.read_row(|connection| {
                let mut next = connection.prepare_cached(&question)?;
                next.query_row([at], |row| row.get(0)).optional()
            })?;
            match next {
                Lookup::Nothing => break,
                Lookup::Kept(id) if id > at => {
                    (at, gaps) = (id, 0);
                    ids.push(id);
                }
                // Continue after an unreadable row.
                _ => (at, gaps) = (at.saturating_add(1), gaps + 1),
            }
        }
        Ok(ids)
    }

    /// Changes the file in one transaction: all of `change` or nothing. If the file turns out to be damaged, rebuilds
    /// it first.
    pub(super) fn change(
        &mut self,
        mut change: impl FnMut(&Transaction<'_>) -> rusqlite::Result<()>,
    ) -> Result<(), StoreError> {
        let mut done = self.try_change(&mut change);
        if done.as_ref().is_err_and(repair::is_damage) && self.mend() {
            done = self.try_change(&mut change);
        }
        done.map_err(self.failed())
    }

    /// Returns free pages to the disk; see [`repair::shrink`].
    pub(super) fn shrink(&self) {
        repair::shrink(&self.connection);
    }

    fn try_change(
        &mut self,
        change: &mut dyn FnMut(&Transaction<'_>) -> rusqlite::Result<()>,
    ) -> rusqlite::Result<()> {
        let transaction = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)?;
        change(&transaction)?;
        transaction.commit()
    }
}

/// State of a file, judged by its tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// The file has no tables.
    Empty,
    /// The file has this program's tables but lost its mark.
    Unmarked,
    Current,
}

/// Returns whether the file has content, but less than a database header. SQLite treats a single byte as an empty
/// file.
fn is_too_short(path: &Path) -> bool {
    const HEADER: u64 = 100;
    std::fs::metadata(path).is_ok_and(|meta| meta.is_file() && (1..HEADER).contains(&meta.len()))
}

/// Returns the state of a file, or the reason why it cannot be used.
fn state(reading: &Connection, kind: &Kind) -> rusqlite::Result<Result<State, &'static str>> {
    let pragma = |name: &str| reading.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
    let (application, version) = (pragma("application_id")?, pragma("user_version")?);
    if application == kind.application {
        return Ok(match version == kind.version {
            true if !schema::is_of(reading, kind) => return Err(undeclared()),
            true => Ok(State::Current),
            false => Err("made by another version of this program"),
        });
    }
    let tables: Vec<String> = reading
        .prepare("SELECT name FROM sqlite_master WHERE type = 'table'")?
        .query_map([], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    let is_there = |table: &Table| tables.iter().any(|name| name == table.name());
    let are_ours = !kind.tables.is_empty() && kind.tables.iter().all(is_there);
    Ok(match tables.len() {
        0 => Ok(State::Empty),
        // A file with this program's tables that lost its mark.
        _ if are_ours && version == kind.version => Ok(State::Unmarked),
        _ => Err(FOREIGN),
    })
}

/// The error for a file whose tables differ from the schema of its version.
fn undeclared() -> rusqlite::Error {
    let code = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_CORRUPT);
    let why = "its tables are not those of its version";
    rusqlite::Error::SqliteFailure(code, Some(why.to_owned()))
}

fn prepare(change: &Transaction<'_>, kind: &Kind, state: State) -> rusqlite::Result<()> {
    match state {
        State::Current => return Ok(()),
        State::Empty | State::Unmarked => {
            if state == State::Empty {
                change.execute_batch(kind.schema)?;
            }
            change.pragma_update(None, "application_id", kind.application)?;
        }
    }
    change.pragma_update(None, "user_version", kind.version)
}

/// Converts an SQLite error of a file into a one-line store error.
fn failure(path: &Path, kind: &Kind, error: &rusqlite::Error) -> StoreError {
    let path = path.to_owned();
    let message = match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) if !repair::was_ours(&path, kind) && !kind.names(&path) => {
            let message = FOREIGN.to_owned();
            return StoreError::Format { path, message };
        }
        // SQLite's message repeats the file name and gives no reason.
        Some(ErrorCode::CannotOpen) => format!("cannot be opened, or made there{}", refusal(&path)),
        Some(ErrorCode::ReadOnly) => format!("cannot be written{}", refusal(&path)),
        Some(ErrorCode::DatabaseBusy) => return StoreError::Locked { path },
        Some(ErrorCode::DiskFull) => "the disk is full".to_owned(),
        _ if repair::is_damage(error) => {
            let message = error.to_string();
            return StoreError::Damaged { path, message };
        }
        _ => error.to_string(),
    };
    StoreError::Refused { path, message }
}

/// Returns the operating system's reason why the file or its folder cannot be written, as the end of a message.
/// SQLite does not report it.
#[cfg(unix)]
fn refusal(path: &Path) -> String {
    use rustix::fs::{Access, access};
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let file = path
        .exists()
        .then(|| access(path, Access::READ_OK | Access::WRITE_OK));
    let folder = || {
        access(
            folder.unwrap_or(Path::new(".")),
            Access::WRITE_OK | Access::EXEC_OK,
        )
    };
    match file.unwrap_or(Ok(())).and_then(|()| folder()) {
        Ok(()) => String::new(),
        Err(why) => format!(": {}", std::io::Error::from(why)),
    }
}

#[cfg(not(unix))]
fn refusal(_: &Path) -> String {
    String::new()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    const KIND: Kind = Kind {
        file: "s.sqlite",
        application: 7,
        version: 2,
        schema: "CREATE TABLE t (x INTEGER, y INTEGER)",
        tables: &[],
    };
    const SHORT: Duration = Duration::from_millis(50);
    const LONG: Duration = Duration::from_secs(60);

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
        let reader = Database::open_to_read(&path, &KIND, LONG).unwrap();
        assert_eq!(count(&reader.unwrap()), 1);
        let mut other = Database::open_within(&path, &KIND, LONG).unwrap();
        assert_eq!(count(&other), 1);
        assert!(begin.elapsed() < LONG);
        // A save waits up to its timeout and reports why it failed.
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
    fn a_file_of_another_version_is_refused_and_stays_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s");
        insert(&mut Database::open(&path, &KIND).unwrap()).unwrap();
        for version in [1, 3] {
            let other = Kind { version, ..KIND };
            for error in [
                Database::open_to_read(&path, &other, SHORT).unwrap_err(),
                Database::open(&path, &other).unwrap_err(),
            ] {
                assert_has!(error.to_string(), "another version");
            }
        }
        assert_eq!(count(&Database::open(&path, &KIND).unwrap()), 1);
        let foreign = Kind {
            application: 8,
            ..KIND
        };
        let foreign = Database::open(&path, &foreign).unwrap_err();
        assert!(matches!(foreign, StoreError::Format { .. }), "{foreign:?}");
        assert_has!(foreign.to_string(), "not a store");
    }

    /// Reports the system's reason: first a folder that accepts no new file, then a read-only file.
    #[cfg(unix)]
    #[test]
    fn what_cannot_be_written_says_why() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s");
        let allow = |place: &Path, mode| {
            std::fs::set_permissions(place, std::fs::Permissions::from_mode(mode)).unwrap();
        };
        assert_eq!(refusal(&path), "");
        allow(folder.path(), 0o555);
        // Root, as in a container, may write everywhere.
        if std::fs::write(folder.path().join("x"), "").is_err() {
            let why = Database::open(&path, &KIND).unwrap_err().to_string();
            assert_has!(why, "made there: Permission denied");
        }
        allow(folder.path(), 0o755);
        insert(&mut Database::open(&path, &KIND).unwrap()).unwrap();
        allow(&path, 0o444);
        if std::fs::OpenOptions::new().write(true).open(&path).is_err() {
            let why = Database::open(&path, &KIND).and_then(|mut store| insert(&mut store));
            let why = why.unwrap_err().to_string();
            assert_has!(why, "cannot be written: Permission denied");
        }
        let nowhere = folder.path().join("none").join("s");
        assert!(refusal(&nowhere).starts_with(": No such file"));
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
        let full = full.unwrap_err();
        assert!(matches!(full, StoreError::Refused { .. }), "{full:?}");
        assert!(full.to_string().ends_with("the disk is full"), "{full}");
        assert_eq!(count(&store), 1);
        let set = "PRAGMA max_page_count = 1000";
        store.connection.query_row(set, [], |_| Ok(())).unwrap();
        store
            .change(|change| change.execute(many, []).map(drop))
            .unwrap();
        assert_eq!(count(&store), 5001);
    }
}
