//! Reads whole files up to a size limit and writes them atomically.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{StoreError, process};

/// Maximum size, in bytes, of a checkpoint or settings file.
pub const LIMIT: u64 = 64 << 20;
/// How long to wait for a reader to open a pipe.
#[cfg(unix)]
const PIPE_TIMEOUT: Duration = Duration::from_secs(2);
/// Maximum number of links to follow, as on Linux.
const MOST_LINKS: usize = 40;
/// Longest time a process may take to write one file.
const LONGEST_WRITE: Duration = Duration::from_secs(24 * 3600);

/// Writes `bytes` to `path` atomically: to a temporary file in the same folder, flushed to disk and renamed. The new
/// file gets the permissions of the old one; a link's target is replaced, not the link. Missing folders are created.
/// Pipes, terminals and devices are written to directly.
///
/// # Errors
/// [`StoreError::Io`].
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    write_like(path, bytes, path)
}

/// Writes as [`write()`] does, with the permissions of the file `like`.
///
/// # Errors
/// [`StoreError::Io`].
pub fn write_like(path: &Path, bytes: &[u8], like: &Path) -> Result<(), StoreError> {
    let io = |e| StoreError::io(path)(e);
    let there = &behind_links(path).map_err(io)?;
    if is_device(there) {
        let device = open_device(there);
        return device.and_then(|mut to| to.write_all(bytes)).map_err(io);
    }
    if let Some(folder) = there.parent().filter(|f| !f.as_os_str().is_empty()) {
        fs::create_dir_all(folder).map_err(io)?;
    }
    let old = fs::metadata(like).ok().map(|meta| meta.permissions());
    replace_whole(there, bytes, old, |new| fs::rename(new, there)).map_err(io)
}

/// Returns the target of a link, even if the target does not exist yet; otherwise the path itself.
fn behind_links(path: &Path) -> io::Result<PathBuf> {
    if let Ok(real) = fs::canonicalize(path) {
        return Ok(real);
    }
    // For example a pipe behind /dev/stdout, which has no path.
    if fs::metadata(path).is_ok() {
        return Ok(path.to_owned());
    }
    let mut there = path.to_owned();
    for _ in 0..MOST_LINKS {
        let Ok(next) = fs::read_link(&there) else {
            return Ok(there);
        };
        // A relative target starts in the folder of its link.
        there = there.with_file_name("").join(next);
    }
    Err(io::Error::other("these links lead in a ring"))
}

/// Creates a file with the permissions of an old one.
fn create_like(path: &Path, old: Option<&fs::Permissions>) -> io::Result<File> {
    #[cfg(unix)]
    if let Some(old) = old {
        use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
        let mode = old.mode() & 0o777;
        let mut options = fs::OpenOptions::new();
        let options = options.write(true).create(true).truncate(true);
        // Restricted until the final permissions are set.
        let file = options.mode((mode & 0o700) | 0o600).open(path)?;
        // Some file systems have no permissions.
        let _ = file.set_permissions(fs::Permissions::from_mode(mode));
        return Ok(file);
    }
    #[cfg(not(unix))]
    let _ = old;
    File::create(path)
}

/// Writes `bytes` to a new file, atomically.
///
/// # Errors
/// [`StoreError::Io`], of kind [`io::ErrorKind::AlreadyExists`] if the path exists.
pub fn write_new(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    let taken = || Err(io::ErrorKind::AlreadyExists.into());
    let is_free = || fs::symlink_metadata(path).is_err();
    let take_place = |new: &Path| match fs::hard_link(new, path) {
        Ok(()) => fs::remove_file(new),
        Err(_) if !is_free() => taken(),
        // Fallback for file systems without hard links; it may overwrite a file that appears in between.
        Err(_) => fs::rename(new, path),
    };
    let written = match is_free() {
        true => replace_whole(path, bytes, None, take_place),
        false => taken(),
    };
    written.map_err(StoreError::io(path))
}

/// Maximum number for a name in a folder.
const MOST_NUMBERED: u32 = 10_000;

/// Writes `bytes` to the first free name among `stem-1.ending`, `stem-2.ending`, … in `folder`, creating it if
/// missing.
///
/// # Errors
/// [`StoreError::Io`].
pub fn write_numbered(
    folder: &Path,
    stem: &str,
    ending: &str,
    bytes: &[u8],
) -> Result<PathBuf, StoreError> {
    write_numbered_from(1, folder, stem, ending, bytes)
}

/// Writes `bytes` in the folder of `path`, to the first free name among `name-2.ending`, `name-3.ending`, …
///
/// # Errors
/// [`StoreError::Io`].
pub fn write_beside(path: &Path, bytes: &[u8]) -> Result<PathBuf, StoreError> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let ending = path.extension().unwrap_or_default().to_string_lossy();
    write_numbered_from(2, folder, &stem, &ending, bytes)
}

/// Writes `bytes` to the first free numbered name, starting at `first`.
fn write_numbered_from(
    first: u32,
    folder: &Path,
    stem: &str,
    ending: &str,
    bytes: &[u8],
) -> Result<PathBuf, StoreError> {
    if !folder.as_os_str().is_empty() {
        fs::create_dir_all(folder).map_err(StoreError::io(folder))?;
    }
    let mut last = folder.to_owned();
    for number in first..=MOST_NUMBERED {
        last = folder.join(format!("{stem}-{number}.{ending}"));
        match write_new(&last, bytes) {
            Err(error) if error.is_taken() => {}
            done => return done.map(|()| last),
        }
    }
    Err(StoreError::io(&last)(io::ErrorKind::AlreadyExists.into()))
}

/// Writes `bytes` to a temporary file in the folder of `path`, with the permissions of `old`, flushes it to disk and
/// calls `take_place` to put it there. On failure no file is left behind.
fn replace_whole(
    path: &Path,
    bytes: &[u8],
    old: Option<fs::Permissions>,
    take_place: impl FnOnce(&Path) -> io::Result<()>,
) -> io::Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name = short_name(&name);
    // Two threads may write the same file.
    static WRITES: AtomicU32 = AtomicU32::new(0);
    let write = WRITES.fetch_add(1, Ordering::Relaxed);
    let new = path.with_file_name(format!("{name}.{}.{write}.tmp", process::own()));
    let written = create_like(&new, old.as_ref()).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    });
    remove_abandoned(&new, name);
    let moved = written.and_then(|()| take_place(&new));
    if moved.is_err() {
        // Only the error of the write matters; a leftover temporary file is harmless.
        let _ = fs::remove_file(&new);
    }
    moved
}

/// Shortens a name to leave room for a prefix and a suffix: file systems allow at most 255 bytes.
pub fn short_name(name: &str) -> &str {
    const MOST: usize = 200;
    let end = (0..=MOST).rev().find(|&end| name.is_char_boundary(end));
    match name.len() > MOST {
        true => &name[..end.unwrap_or(0)],
        false => name,
    }
}

/// Replaces a leading `~/`, or `~` alone, with the home folder, as shells do.
pub fn expand_home(text: &str) -> String {
    let rest = match text {
        "~" => Some(""),
        _ => text.strip_prefix("~/"),
    };
    match (rest, std::env::home_dir()) {
        (Some(rest), Some(home)) => home.join(rest).to_string_lossy().into_owned(),
        _ => text.to_owned(),
    }
}

/// Returns the absolute path, without resolving links.
pub fn whole_path(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// Returns the canonical path of a file: absolute, without `..` and links.
pub fn real_path(path: &Path) -> PathBuf {
    let whole = whole_path(path);
    let of_folder = || {
        let (folder, name) = whole.parent().zip(whole.file_name())?;
        Some(fs::canonicalize(folder).ok()?.join(name))
    };
    // If the file is gone, its folder may still exist.
    let real = fs::canonicalize(&whole).ok().or_else(of_folder);
    real.map_or(whole, without_prefix)
}

/// Removes the prefix `\\?\` that Windows puts before canonical paths; some programs cannot read it.
fn without_prefix(path: PathBuf) -> PathBuf {
    let plain = path.to_str().and_then(|text| text.strip_prefix(r"\\?\"));
    // Network shares need another spelling and keep the prefix.
    match plain.filter(|plain| plain.as_bytes().get(1) == Some(&b':')) {
        Some(plain) => PathBuf::from(plain),
        None => path,
    }
}

/// Returns whether two paths lead to the same file.
pub fn is_same(one: &Path, other: &Path) -> bool {
    #[cfg(unix)]
    if let (Ok(a), Ok(b)) = (fs::metadata(one), fs::metadata(other)) {
        use std::os::unix::fs::MetadataExt as _;
        return (a.dev(), a.ino()) == (b.dev(), b.ino());
    }
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => false,
    }
}

/// Returns whether a path certainly does not exist. Returns false if that is unknown, as in an unreadable folder.
pub fn is_gone(path: &Path) -> bool {
    // A name with a replacement character was not Unicode; its real name is unknown.
    let is_whole = !path.to_string_lossy().contains(char::REPLACEMENT_CHARACTER);
    is_whole && matches!(path.try_exists(), Ok(false))
}

/// Returns whether a path leads to a pipe, a terminal or another device.
pub fn is_device(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|meta| !meta.is_file() && !meta.is_dir())
}

/// Returns whether a file is an SQLite database, as all stores are.
pub fn is_database(path: &Path) -> bool {
    /// First bytes of a database (<https://www.sqlite.org/fileformat.html>, section 1.3).
    const BEGIN: &[u8; 16] = b"SQLite format 3\0";
    let mut begin = [0; BEGIN.len()];
    // Opening a pipe may block forever.
    if !path.is_file() {
        return false;
    }
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut begin));
    read.is_ok() && begin == *BEGIN
}

/// Opens a pipe, a terminal or another device for writing. A pipe without a reader is an error, because opening it
/// would block forever.
///
/// # Errors
/// The system's error.
#[cfg(unix)]
pub fn open_device(path: &Path) -> io::Result<File> {
    use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
    use std::os::unix::fs::OpenOptionsExt as _;
    let flags = (OFlags::NONBLOCK | OFlags::NOCTTY).bits() as i32;
    let mut options = fs::OpenOptions::new();
    let options = options.write(true).custom_flags(flags);
    let begun = std::time::Instant::now();
    let file = loop {
        match options.open(path) {
            Err(e) if e.raw_os_error() == Some(rustix::io::Errno::NXIO.raw_os_error()) => {
                if begun.elapsed() > PIPE_TIMEOUT {
                    return Err(io::Error::other("nobody reads from this pipe"));
                }
                std::thread::sleep(Duration::from_millis(20));
            }
            opened => break opened?,
        }
    };
    // Later writes may block until the reader reads.
    fcntl_setfl(&file, fcntl_getfl(&file)? - OFlags::NONBLOCK)?;
    Ok(file)
}

/// Opens a device for writing.
///
/// # Errors
/// The system's error.
#[cfg(not(unix))]
pub fn open_device(path: &Path) -> io::Result<File> {
    fs::OpenOptions::new().write(true).open(path)
}

/// Opens a file for appending, creating it if missing, and locks it for this process; `None` if another process has
/// locked it.
///
/// # Errors
/// The system's error.
pub fn open_to_add(path: &Path) -> io::Result<Option<File>> {
    let mut options = fs::OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    // On Windows a file opened only for appending cannot be truncated.
    let file = options.append(cfg!(unix)).open(path)?;
    // Some file systems have no locks; then the file counts as free.
    let is_taken = matches!(file.try_lock(), Err(TryLockError::WouldBlock));
    Ok((!is_taken).then_some(file))
}

/// Opens a regular file for reading, without waiting for the writer of a pipe. Anything else is an error.
///
/// # Errors
/// The system's error.
pub fn open_regular(path: &Path) -> io::Result<File> {
    let mut options = fs::OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(
        &mut options,
        rustix::fs::OFlags::NONBLOCK.bits() as i32,
    );
    let file = options.open(path)?;
    match file.metadata()? {
        meta if meta.is_file() || meta.is_dir() => Ok(file),
        _ => Err(io::Error::other("not a regular file")),
    }
}

/// Removes temporary files for `name` that killed processes left behind: those of processes that have certainly
/// ended, and those of unknown processes written long before `own`. Compares times of the disk, which are the same
/// for all machines.
fn remove_abandoned(own: &Path, name: &str) {
    let written = |path: &Path| path.metadata().and_then(|meta| meta.modified()).ok();
    let folder = own.parent().filter(|f| !f.as_os_str().is_empty());
    let Ok(entries) = fs::read_dir(folder.unwrap_or(Path::new("."))) else {
        return;
    };
    for entry in entries.flatten() {
        let (other, path) = (entry.file_name(), entry.path());
        let mark = other.to_str().and_then(|other| {
            let mark = other.strip_prefix(name)?.strip_prefix('.')?;
            let mark = mark.strip_suffix(".tmp")?;
            // Earlier versions did not number their writes.
            let (mark, write) = mark.split_once('.').unwrap_or((mark, "0"));
            write.parse::<u32>().is_ok().then_some(mark)
        });
        let Some(mark) = mark.filter(|mark| process::is_mark(mark)) else {
            continue;
        };
        let age = || written(own)?.duration_since(written(&path)?).ok();
        if process::is_gone(mark) || age().is_some_and(|age| age > LONGEST_WRITE) {
            // Another process may have removed it meanwhile.
            let _ = fs::remove_file(path);
        }
    }
}

///
/// # Errors
/// [`StoreError::Io`]; [`StoreError::TooLarge`] if the file is larger than `limit` bytes.
pub fn read(path: &Path, limit: u64) -> Result<Vec<u8>, StoreError> {
    let io = |e| StoreError::io(path)(e);
    let mut bytes = Vec::new();
    let file = open_regular(path).map_err(io)?;
    file.take(limit + 1).read_to_end(&mut bytes).map_err(io)?;
    if bytes.len() as u64 > limit {
        return Err(StoreError::TooLarge {
            path: path.to_owned(),
            limit,
        });
    }
    Ok(bytes)
}

/// Reads a user's text file, such as the settings, of at most `limit` bytes; `None` if it is missing.
///
/// # Errors
/// The reason, without the file's name.
pub fn read_text(path: &Path, limit: u64) -> Result<Option<String>, String> {
    match read(path, limit) {
        Ok(bytes) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
        Err(error) if error.is_missing() => Ok(None),
        Err(StoreError::Io { source, .. }) => Err(source.to_string()),
        Err(StoreError::TooLarge { limit, .. }) => Err(format!("larger than {limit} bytes")),
        Err(other) => Err(other.to_string()),
    }
}

/// Writes a serialisable state as JSON.
///
/// # Errors
/// [`StoreError::Io`], or [`StoreError::Format`] if the state cannot be expressed as JSON.
pub fn save<T: Serialize>(path: &Path, state: &T) -> Result<(), StoreError> {
    let bytes = serde_json::to_vec(state).map_err(|e| format_error(path, &e))?;
    write(path, &bytes)
}

/// Reads a file written by [`save`], of at most `limit` bytes.
///
/// # Errors
/// As [`read`], and [`StoreError::Format`] with line and column of a syntax error.
pub fn load<T: DeserializeOwned>(path: &Path, limit: u64) -> Result<T, StoreError> {
    let bytes = read(path, limit)?;
    serde_json::from_slice(&bytes).map_err(|e| format_error(path, &e))
}

fn format_error(path: &Path, error: &serde_json::Error) -> StoreError {
    StoreError::Format {
        path: path.to_owned(),
        message: error.to_string(),
    }
}

#[cfg(test)]
mod tests;
