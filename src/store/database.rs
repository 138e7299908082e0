//! A SQLite file that must be ours: opened, read and changed, and its errors reported with its name.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{
    Connection, ErrorCode, OpenFlags, OptionalExtension as _, Transaction, TransactionBehavior,
};

use super::kind::{Kind, Table};
use super::{Lookup, StoreError, mended, repair, schema};

/// Why a file is left alone that is something else.
pub(super) const FOREIGN: &str = "not a store of this program";

/// How long to wait for another process to finish its save, where nothing else is said.
const LOCK_TIMEOUT: Duration = Duration::from_secs(5);

/// An open file.
pub(super) struct Database {
    connection: Connection,
    path: PathBuf,
    kind: Kind,
    /// Whether it is made anew where it is damaged.
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
    /// Opens the file at `path`, making it and its folder if they are not there. A file that is there
    /// and of this version is only read for that.
    pub(super) fn open(path: &Path, kind: &Kind) -> Result<Self, StoreError> {
        Self::open_within(path, kind, LOCK_TIMEOUT)
    }

    /// Opens the file as [`Database::open`] does; whatever is done with it waits no longer than `timeout` for
    /// another process.
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

    /// Opens the file at `path` for reading; none if there is no file, or nothing in it yet. It is
    /// written to in one case only: a file that cannot be read as a database is made anew with the rows that
    /// can be read.
    pub(super) fn open_to_read(
        path: &Path,
        kind: &Kind,
        timeout: Duration,
    ) -> Result<Option<Self>, StoreError> {
        Self::open_existing(path, kind, timeout, true)
    }

    /// Opens a file that is another's for reading; none if there is no file, or nothing in it yet. A damaged
    /// one is an error, and stays as it is.
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
            // A file where the folder should be holds no store either.
            Err(error) if error.kind() == std::io::ErrorKind::NotADirectory => false,
            other => other.map_err(StoreError::io(path))?,
        };
        if !there {
            return Ok(None);
        }
        // Not read-only: what a killed process left half written is rolled back first.
        let flags = OpenFlags::default() & !OpenFlags::SQLITE_OPEN_CREATE;
        let mut database = Self::connect(path, kind, flags, timeout)?;
        database.mends = mends;
        match database.mended_state()? {
            State::Empty => Ok(None),
            state => database.prepared(state).map(Some),
        }
    }

    /// Waits no longer than this for another process from now on.
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
        // A path is no address, whatever it begins with.
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

    /// What the file is.
    fn state(&self) -> Result<State, StoreError> {
        let state = self
            .connection
            .unchecked_transaction()
            .and_then(|reading| state(&reading, &self.kind));
        state.map_err(self.failed())?.map_err(|why| self.wrong(why))
    }

    /// What the file is, once a damaged one has been made anew.
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

    /// Makes the tables, or marks the file, if that is not so already.
    fn prepared(mut self, state: State) -> Result<Self, StoreError> {
        if state == State::Current {
            return Ok(self);
        }
        self.make().map(|()| self)
    }

    fn make(&mut self) -> Result<(), StoreError> {
        let (kind, mut refused) = (self.kind, None);
        let made = self.try_change(&mut |change| {
            // Another process may have been quicker.
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

    /// Sets a file aside that is damaged, and makes it anew with all that can still be read. Answers whether it is in
    /// order then: by this, or because another process has done it.
    pub(super) fn mend(&mut self) -> bool {
        // Where no table can be read row by row, all of it stays as it is.
        if !self.mends || self.kind.tables.is_empty() {
            return false;
        }
        // One at a time: what another is making anew looks damaged meanwhile.
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

    /// Path of the file.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Makes an error of this file from one of SQLite.
    pub(super) fn failed(&self) -> impl Fn(rusqlite::Error) -> StoreError + '_ {
        |e| failure(&self.path, &self.kind, &e)
    }

    /// The error that something in the file, or meant for it, is not as it should be.
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

    /// Reads from the file. One that turns out to be damaged is made anew first, with what can be read of it.
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

    /// Reads from the file what may not be there.
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

    /// The numbers of the rows of `table` as far as they can be read, in order.
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
                // It goes on behind what cannot be read.
                _ => (at, gaps) = (at.saturating_add(1), gaps + 1),
            }
        }
        Ok(ids)
    }

    /// Changes the file: all that `change` does or, where that fails, nothing. A file that turns out to be
    /// damaged is made anew, and then changed.
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

    /// Gives room back to the disk; see [`repair::shrink`].
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

/// What a file is, as far as its tables go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// There is nothing in it.
    Empty,
    /// It is one of ours that does not say so any more.
    Unmarked,
    /// It can be used as it is.
    Current,
}

/// Whether something is in the file, but less than a database has: SQLite takes a single byte for nothing.
fn is_too_short(path: &Path) -> bool {
    const HEADER: u64 = 100;
    std::fs::metadata(path).is_ok_and(|meta| meta.is_file() && (1..HEADER).contains(&meta.len()))
}

/// What a file is; why it cannot be used, if it cannot.
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
        // A file with our tables has lost its mark.
        _ if are_ours && version == kind.version => Ok(State::Unmarked),
        _ => Err(FOREIGN),
    })
}

/// The error of a file that does not declare its tables as its version does.
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

/// The error of a file that SQLite reports, in one line.
fn failure(path: &Path, kind: &Kind, error: &rusqlite::Error) -> StoreError {
    let path = path.to_owned();
    let message = match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) if !repair::was_ours(&path, kind) && !kind.names(&path) => {
            let message = FOREIGN.to_owned();
            return StoreError::Format { path, message };
        }
        // SQLite names the file once more, and no reason.
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

/// Why the system lets nobody write a file, or make one in its folder, as the end of a message: SQLite does not say.
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
        // A save waits as long as it is allowed to, and says why it fails.
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
                assert!(error.to_string().contains("another version"), "{error}");
            }
        }
        assert_eq!(count(&Database::open(&path, &KIND).unwrap()), 1);
        let foreign = Kind {
            application: 8,
            ..KIND
        };
        let foreign = Database::open(&path, &foreign).unwrap_err();
        assert!(matches!(foreign, StoreError::Format { .. }), "{foreign:?}");
        assert!(foreign.to_string().contains("not a store"), "{foreign}");
    }

    /// The system's own reason: the folder takes no new file, then the file no more rows.
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
            assert!(why.contains("made there: Permission denied"), "{why}");
        }
        allow(folder.path(), 0o755);
        insert(&mut Database::open(&path, &KIND).unwrap()).unwrap();
        allow(&path, 0o444);
        if std::fs::OpenOptions::new().write(true).open(&path).is_err() {
            let why = Database::open(&path, &KIND).and_then(|mut store| insert(&mut store));
            let why = why.unwrap_err().to_string();
            assert!(
                why.contains("cannot be written: Permission denied"),
                "{why}"
            );
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
