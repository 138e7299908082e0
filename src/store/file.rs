//! Whole files, written at once or not at all, and read up to a bound.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{StoreError, process};

/// Most bytes of a checkpoint or settings file.
pub const LIMIT: u64 = 64 << 20;
/// How long a pipe is waited for that nobody reads yet.
#[cfg(unix)]
const PIPE_TIMEOUT: Duration = Duration::from_secs(2);
/// Links that are followed one after the other, as Linux does.
const MOST_LINKS: usize = 40;
/// Longest time for which a process writes one file.
const LONGEST_WRITE: Duration = Duration::from_secs(24 * 3600);

/// Writes `bytes` to `path`: to a neighbour first, flushed to the disk, then renamed over the old
/// file, whose permissions the new one gets, or to where a link leads. Missing folders are made. What is no
/// file, such as a pipe or a terminal, is written to as it is.
///
/// # Errors
/// [`StoreError::Io`].
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    write_like(path, bytes, path)
}

/// As [`write()`], with the permissions of the file `like`: who may not read that may not read this.
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
    beside(there, bytes, old, |new| fs::rename(new, there)).map_err(io)
}

/// Where a path leads if it is a link, also to what is not there yet.
fn behind_links(path: &Path) -> io::Result<PathBuf> {
    if let Ok(real) = fs::canonicalize(path) {
        return Ok(real);
    }
    // Such as a pipe behind /dev/stdout, which has no path.
    if fs::metadata(path).is_ok() {
        return Ok(path.to_owned());
    }
    let mut there = path.to_owned();
    for _ in 0..MOST_LINKS {
        let Ok(next) = fs::read_link(&there) else {
            return Ok(there);
        };
        // A target that is no whole path begins in the folder of its link.
        there = there.with_file_name("").join(next);
    }
    Err(io::Error::other("these links lead in a ring"))
}

/// A new file, for those who may read and write an old one.
fn create_like(path: &Path, old: Option<&fs::Permissions>) -> io::Result<File> {
    #[cfg(unix)]
    if let Some(old) = old {
        use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
        let mode = old.mode() & 0o777;
        let mut options = fs::OpenOptions::new();
        let options = options.write(true).create(true).truncate(true);
        // Nobody reads meanwhile who may not read it then.
        let file = options.mode((mode & 0o700) | 0o600).open(path)?;
        // Some file systems have no permissions.
        let _ = file.set_permissions(fs::Permissions::from_mode(mode));
        return Ok(file);
    }
    #[cfg(not(unix))]
    let _ = old;
    File::create(path)
}

/// Writes `bytes` to a file that is not there yet, whole or not at all.
///
/// # Errors
/// [`StoreError::Io`]; of kind [`io::ErrorKind::AlreadyExists`] if something is there.
pub fn write_new(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    let taken = || Err(io::ErrorKind::AlreadyExists.into());
    let is_free = || fs::symlink_metadata(path).is_err();
    let take_place = |new: &Path| match fs::hard_link(new, path) {
        Ok(()) => fs::remove_file(new),
        Err(_) if !is_free() => taken(),
        // Not every file system has links: then a file that appears in between is overwritten.
        Err(_) => fs::rename(new, path),
    };
    let written = match is_free() {
        true => beside(path, bytes, None, take_place),
        false => taken(),
    };
    written.map_err(StoreError::io(path))
}

/// Most files of one stem in a folder.
const MOST_NUMBERED: u32 = 10_000;

/// Writes `bytes` to the first free of `stem-1.ending`, `stem-2.ending`, … in `folder`, which is made if it is not there.
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

/// Writes `bytes` beside the file `path`: to the first free of `name-2.ending`, `name-3.ending`, …
///
/// # Errors
/// [`StoreError::Io`].
pub fn write_beside(path: &Path, bytes: &[u8]) -> Result<PathBuf, StoreError> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let ending = path.extension().unwrap_or_default().to_string_lossy();
    write_numbered_from(2, folder, &stem, &ending, bytes)
}

/// Writes `bytes` to the first free of the numbered names, from the number `first` on.
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

/// Writes `bytes` to a neighbour of `path`, with the permissions of the `old` file, flushed to the disk, and
/// lets `take_place` put it there. If anything fails nothing is left behind.
fn beside(
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
        // The error that matters is reported; a neighbour left behind is harmless.
        let _ = fs::remove_file(&new);
    }
    moved
}

/// The beginning of the name of a file, so long that there is room for what stands before and behind it: file systems
/// have at most 255 bytes for a name.
pub fn short_name(name: &str) -> &str {
    const MOST: usize = 200;
    let end = (0..=MOST).rev().find(|&end| name.is_char_boundary(end));
    match name.len() > MOST {
        true => &name[..end.unwrap_or(0)],
        false => name,
    }
}

/// `text` with `~/` replaced by the home folder, as shells do; `~` alone is that folder.
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

/// A path from the root of the file system, as it was named.
pub fn whole_path(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// The one path of a file, by whatever way it is named: a whole one, without `..` and without links.
pub fn real_path(path: &Path) -> PathBuf {
    let whole = whole_path(path);
    let of_folder = || {
        let (folder, name) = whole.parent().zip(whole.file_name())?;
        Some(fs::canonicalize(folder).ok()?.join(name))
    };
    // Of a file that is gone the folder may still be there.
    let real = fs::canonicalize(&whole).ok().or_else(of_folder);
    real.map_or(whole, without_prefix)
}

/// A path as other programs read it: Windows writes one without links as `\\?\C:\matches`, which not every
/// program reads.
fn without_prefix(path: PathBuf) -> PathBuf {
    let plain = path.to_str().and_then(|text| text.strip_prefix(r"\\?\"));
    // A share of the network needs another spelling, and keeps its prefix.
    match plain.filter(|plain| plain.as_bytes().get(1) == Some(&b':')) {
        Some(plain) => PathBuf::from(plain),
        None => path,
    }
}

/// Whether two paths lead to one file, by whatever names.
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

/// Whether nothing is at a path. Where that cannot be known, as in a folder that nobody may read, it is not said.
pub fn is_gone(path: &Path) -> bool {
    // A name that is no Unicode was kept with other characters.
    let is_whole = !path.to_string_lossy().contains(char::REPLACEMENT_CHARACTER);
    is_whole && matches!(path.try_exists(), Ok(false))
}

/// Whether a path leads to something that is neither a file nor a folder: a pipe, a terminal, a device.
pub fn is_device(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|meta| !meta.is_file() && !meta.is_dir())
}

/// Whether a file is an SQLite database, as all stores are.
pub fn is_database(path: &Path) -> bool {
    /// How one begins (<https://www.sqlite.org/fileformat.html>, section 1.3).
    const BEGIN: &[u8; 16] = b"SQLite format 3\0";
    let mut begin = [0; BEGIN.len()];
    // A pipe is not opened: that may wait for ever.
    if !path.is_file() {
        return false;
    }
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut begin));
    read.is_ok() && begin == *BEGIN
}

/// Opens a pipe, a terminal or another device for writing. A pipe that nobody comes to read is an error:
/// opening it would wait for ever.
///
/// # Errors
/// What the system says.
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
    // What is written later may wait for its reader.
    fcntl_setfl(&file, fcntl_getfl(&file)? - OFlags::NONBLOCK)?;
    Ok(file)
}

/// Opens a device for writing.
///
/// # Errors
/// What the system says.
#[cfg(not(unix))]
pub fn open_device(path: &Path) -> io::Result<File> {
    fs::OpenOptions::new().write(true).open(path)
}

/// Opens a file to which lines are added, making it if it is not there, for this process alone; `None` while another
/// process has it.
///
/// # Errors
/// What the system says.
pub fn open_to_add(path: &Path) -> io::Result<Option<File>> {
    let mut options = fs::OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    // Windows cuts nothing off a file that is open for appending alone.
    let file = options.append(cfg!(unix)).open(path)?;
    // Not every file system has locks.
    let is_taken = matches!(file.try_lock(), Err(TryLockError::WouldBlock));
    Ok((!is_taken).then_some(file))
}

/// Opens a file for reading, without waiting for the writer of a pipe. What is no regular file is an
/// error.
///
/// # Errors
/// What the system says.
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

/// Removes what processes left behind that were killed while they wrote a file of this name. These are
/// processes that are certainly gone, and unknown ones that had begun long before `own` was written. Times
/// are those of the disk, which are the same for all machines.
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
            // Somebody else may have removed it meanwhile.
            let _ = fs::remove_file(path);
        }
    }
}

/// Reads at most `limit` bytes of `path`.
///
/// # Errors
/// [`StoreError::Io`]; [`StoreError::TooLarge`] if there is more.
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

/// Reads a text that a user writes, such as the settings, of at most `limit` bytes; `None` where there is no file.
///
/// # Errors
/// Why it cannot be read, without its name: who shows it names the file.
pub fn read_text(path: &Path, limit: u64) -> Result<Option<String>, String> {
    match read(path, limit) {
        Ok(bytes) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
        Err(error) if error.is_missing() => Ok(None),
        Err(StoreError::Io { source, .. }) => Err(source.to_string()),
        Err(StoreError::TooLarge { limit, .. }) => Err(format!("larger than {limit} bytes")),
        Err(other) => Err(other.to_string()),
    }
}

/// Writes a checkpoint: any serialisable state, as JSON.
///
/// # Errors
/// [`StoreError::Io`], or [`StoreError::Format`] if the state cannot be written as JSON.
pub fn save<T: Serialize>(path: &Path, state: &T) -> Result<(), StoreError> {
    let bytes = serde_json::to_vec(state).map_err(|e| format_error(path, &e))?;
    write(path, &bytes)
}

/// Reads at most `limit` bytes of what [`save`] wrote.
///
/// # Errors
/// As [`read`], and [`StoreError::Format`] with the line and column where the text is broken.
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
