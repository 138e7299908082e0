//! Watches a folder for match files saved in it.
//!
//! A file counts as *settled*, and is read, once its length and time have not changed for a moment: another program
//! may still be writing it.
//!
//! Every subfolder is watched separately, so that an unreadable folder affects only its own files. It is reported as
//! a [trouble](FolderWatch::troubles) and retried when its permissions change. Links are ignored, as in
//! [`folder`](super::folder). If the folder disappears and returns under its old name, all its files count as saved.

use std::collections::{HashMap, HashSet};
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant, SystemTime};

use notify::event::{ModifyKind, RenameMode};
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use super::StoreError;
use super::folder::{is_hidden, is_match_name, walk};

/// How long a file must be unchanged.
const UNCHANGED_FOR: Duration = Duration::from_millis(800);
/// Interval between checks of files that have just changed.
const POLL_INTERVAL: Duration = Duration::from_millis(100);
/// Interval between checks whether the folder is still the watched one.
const LOOK_AT_FOLDER: Duration = Duration::from_millis(500);
/// Maximum number of pending files. More are not match files being saved.
const MOST_FILES: usize = 10_000;
/// Maximum number of troubles kept until they are read.
const MOST_TROUBLES: usize = 100;

/// A file that has not settled.
struct Pending {
    state: (u64, Option<SystemTime>),
    since: Instant,
}

/// Device and inode: distinguishes a folder from a later one at the same path.
type Identity = (u64, u64);

/// A watched folder with its subfolders.
pub struct FolderWatch {
    folder: PathBuf,
    /// Identity of the watched folder; `None` while it is missing.
    identity: Option<Identity>,
    looked: Instant,
    watching: Option<Watching>,
    pending: HashMap<PathBuf, Pending>,
    troubles: Vec<String>,
    /// The latest trouble, so as not to report it twice.
    latest: String,
    /// Folders that could not be read.
    closed: HashSet<PathBuf>,
}

/// The system's watcher and its events.
struct Watching {
    events: Receiver<notify::Result<Event>>,
    watcher: RecommendedWatcher,
}

impl FolderWatch {
    /// Starts watching `folder`.
    ///
    /// # Errors
    /// [`StoreError`] if it is not a folder or cannot be watched.
    pub fn start(folder: &Path) -> Result<Self, StoreError> {
        if !folder.is_dir() {
            let what = std::io::Error::other("not a folder");
            return Err(StoreError::io(folder)(what));
        }
        let mut watch = Self {
            // Absolute, as in the system's events.
            folder: std::path::absolute(folder).map_err(StoreError::io(folder))?,
            identity: None,
            looked: Instant::now(),
            watching: None,
            pending: HashMap::new(),
            troubles: Vec::new(),
            latest: String::new(),
            closed: HashSet::new(),
        };
        watch.begin()?;
        Ok(watch)
    }

    /// Returns the match files that were saved and settled since the last call, by name. Waits at most `timeout` for
    /// the first. A file saved again is returned again.
    pub fn settled(&mut self, timeout: Duration) -> Vec<PathBuf> {
        let until = Instant::now() + timeout;
        loop {
            self.look_at_folder();
            let left = until.saturating_duration_since(Instant::now());
            let wait = if self.pending.is_empty() {
                left.min(LOOK_AT_FOLDER)
            } else {
                left.min(POLL_INTERVAL)
            };
            for event in self.events(wait) {
                self.take(event);
            }
            let now = Instant::now();
            let ready = self.scan(now);
            if !ready.is_empty() || now >= until {
                return ready;
            }
        }
    }

    /// Returns the problems since the last call, one line each: folders that cannot be watched or are gone.
    pub fn troubles(&mut self) -> Vec<String> {
        std::mem::take(&mut self.troubles)
    }

    /// Returns the events in the folder, waiting at most `wait`.
    fn events(&self, wait: Duration) -> Vec<notify::Result<Event>> {
        let Some(Watching { events, .. }) = &self.watching else {
            std::thread::sleep(wait);
            return Vec::new();
        };
        match events.recv_timeout(wait) {
            Ok(event) => std::iter::once(event).chain(events.try_iter()).collect(),
            Err(RecvTimeoutError::Timeout) => Vec::new(),
            Err(RecvTimeoutError::Disconnected) => {
                // The watcher has ended; pending files still settle.
                std::thread::sleep(wait);
                Vec::new()
            }
        }
    }

    /// Starts watching the folder. Returns its match files.
    fn begin(&mut self) -> Result<Vec<PathBuf>, StoreError> {
        let failed = |error: notify::Error| {
            let reason = match error.kind {
                notify::ErrorKind::Io(error) => error,
                _ => std::io::Error::other(message_of(&error)),
            };
            StoreError::io(&self.folder)(reason)
        };
        let identity = identity(&self.folder);
        let (sender, events) = channel();
        let mut watcher = notify::recommended_watcher(sender).map_err(failed)?;
        let top = watcher.watch(&self.folder, RecursiveMode::NonRecursive);
        top.map_err(failed)?;
        self.watching = Some(Watching { events, watcher });
        self.identity = identity;
        self.closed.clear();
        Ok(self.enter(&self.folder.clone()))
    }

    /// Watches a folder and its subfolders. Returns their match files.
    fn enter(&mut self, folder: &Path) -> Vec<PathBuf> {
        let Some(Watching { watcher, .. }) = &mut self.watching else {
            return Vec::new();
        };
        let (mut failures, mut full) = (Vec::new(), false);
        let mut watch = |path: &Path| {
            if full {
                return Ok(());
            }
            // Watched before it is read, so that no file is missed in between.
            let watched = watcher.watch(path, RecursiveMode::NonRecursive);
            watched.map_err(|error| {
                full = matches!(error.kind, notify::ErrorKind::MaxFilesWatch);
                format!(
                    "{}: cannot be watched: {}",
                    path.display(),
                    message_of(&error)
                )
            })
        };
        let depth = folder
            .strip_prefix(&self.folder)
            .map_or(0, |below| below.iter().count());
        let mut trouble = |path: &Path, reason| failures.push((path.to_owned(), reason));
        let found = walk(folder, depth, &mut watch, &mut trouble);
        for (path, reason) in failures {
            self.closed.insert(path);
            self.trouble(reason);
        }
        found
    }

    fn trouble(&mut self, reason: String) {
        if reason != self.latest && self.troubles.len() < MOST_TROUBLES {
            self.latest.clone_from(&reason);
            self.troubles.push(reason);
        }
    }

    /// Detects that the folder is gone or was replaced, and watches the current one.
    fn look_at_folder(&mut self) {
        if self.looked.elapsed() < LOOK_AT_FOLDER {
            return;
        }
        self.looked = Instant::now();
        let there = identity(&self.folder);
        if there.is_none() {
            self.lose();
        } else if there != self.identity {
            self.lose();
            match self.begin() {
                Ok(files) => {
                    self.trouble(format!("{}: watched again", self.folder.display()));
                    files.into_iter().for_each(|path| self.add(path));
                }
                Err(error) => self.trouble(error.to_string()),
            }
        }
    }

    /// Handles the disappearance of the folder.
    fn lose(&mut self) {
        if self.identity.take().is_some() {
            self.watching = None;
            let name = self.folder.display();
            self.trouble(format!("{name}: gone, waiting for it to come back"));
        }
    }

    fn take(&mut self, event: notify::Result<Event>) {
        let event = match event {
            Ok(event) => event,
            Err(error) => return self.trouble(message_of(&error)),
        };
        let went = matches!(
            event.kind,
            EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(RenameMode::From))
        );
        if went && event.paths.contains(&self.folder) {
            return self.lose();
        }
        let may_be_new = event.need_rescan()
            || matches!(
                event.kind,
                EventKind::Create(_) | EventKind::Modify(ModifyKind::Name(_))
            );
        // Reading a file causes an event, too.
        if !may_be_new && !event.kind.is_modify() {
            return;
        }
        let lost = event.need_rescan().then(|| self.folder.clone());
        for path in event.paths.into_iter().chain(lost) {
            let Ok(meta) = path.symlink_metadata() else {
                continue;
            };
            if !meta.is_dir() {
                self.add(path);
            } else if !self.is_hidden(&path) && (self.closed.remove(&path) || may_be_new) {
                // A folder moved here brings its files without separate events.
                let files = self.enter(&path);
                files.into_iter().for_each(|path| self.add(path));
            }
        }
    }

    /// Returns whether a path, or a folder between it and the watched folder, is hidden.
    fn is_hidden(&self, path: &Path) -> bool {
        match path.strip_prefix(&self.folder) {
            Ok(below) => below.ancestors().any(is_hidden),
            // Some systems report another path to the same folder; only the name is checked then.
            Err(_) => is_hidden(path),
        }
    }

    fn add(&mut self, path: PathBuf) {
        if self.is_hidden(&path) || !is_match_name(&path) {
            return;
        }
        if self.pending.len() >= MOST_FILES && !self.pending.contains_key(&path) {
            let folder = self.folder.display();
            self.trouble(format!(
                "{folder}: more than {MOST_FILES} files at once; the others are left out"
            ));
            return;
        }
        if let Some(state) = state(&path) {
            let since = Instant::now();
            self.pending.insert(path, Pending { state, since });
        }
    }

    /// Removes and returns the files that have settled by `now`, by name.
    fn scan(&mut self, now: Instant) -> Vec<PathBuf> {
        let mut ready = Vec::new();
        self.pending.retain(|path, pending| {
            let Some(state) = state(path) else {
                return false;
            };
            if state != pending.state {
                *pending = Pending { state, since: now };
            }
            let settled = now.saturating_duration_since(pending.since) >= UNCHANGED_FOR;
            if settled {
                ready.push(path.clone());
            }
            !settled
        });
        ready.sort();
        ready
    }
}

/// Returns the watcher's message without paths, which are shown separately.
fn message_of(error: &notify::Error) -> String {
    match &error.kind {
        notify::ErrorKind::Io(error) => error.to_string(),
        notify::ErrorKind::MaxFilesWatch => {
            "the system watches no more folders for this user".to_owned()
        }
        notify::ErrorKind::PathNotFound => "not found".to_owned(),
        _ => error.to_string(),
    }
}

fn state(path: &Path) -> Option<(u64, Option<SystemTime>)> {
    let meta: Metadata = path.symlink_metadata().ok().filter(Metadata::is_file)?;
    Some((meta.len(), meta.modified().ok()))
}

/// Returns the identity of the folder at `path`, if it exists.
#[cfg(unix)]
fn identity(path: &Path) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt as _;
    let meta = std::fs::metadata(path).ok().filter(Metadata::is_dir)?;
    Some((meta.dev(), meta.ino()))
}

#[cfg(not(unix))]
fn identity(path: &Path) -> Option<Identity> {
    path.is_dir().then_some((0, 0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::io::Write as _;

    const LONG: Duration = Duration::from_secs(30);
    const SHORT: Duration = Duration::from_millis(200);

    #[test]
    fn files_come_once_they_have_settled() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("old.mat"), "there before").unwrap();
        let mut watch = FolderWatch::start(folder.path()).unwrap();
        fs::write(at("notes.md"), "no match").unwrap();
        let mut slow = fs::File::create(at("slow.mat")).unwrap();
        let began = Instant::now();
        // Written in pieces: reported only after the last piece has settled.
        for _ in 0..10 {
            slow.write_all(b"piece").unwrap();
            slow.flush().unwrap();
            assert!(watch.settled(Duration::from_millis(100)).is_empty());
        }
        drop(slow);
        assert_eq!(watch.settled(LONG), [at("slow.mat")]);
        assert!(began.elapsed() >= 9 * Duration::from_millis(100) + UNCHANGED_FOR);
        assert!(watch.settled(SHORT).is_empty());
        // Renamed, as editors save, and in a subfolder.
        fs::write(at("new.tmp"), "x").unwrap();
        fs::rename(at("new.tmp"), at("new.sgf")).unwrap();
        fs::create_dir(at("below")).unwrap();
        fs::write(at("gone.mat"), "x").unwrap();
        fs::remove_file(at("gone.mat")).unwrap();
        assert_eq!(watch.settled(LONG), [at("new.sgf")]);
        // Saved again: reported again.
        fs::write(at("slow.mat"), "other").unwrap();
        assert_eq!(watch.settled(LONG), [at("slow.mat")]);
        let none = FolderWatch::start(&at("slow.mat")).err().unwrap();
        assert_has!(none.to_string(), "not a folder");
        assert!(watch.troubles().is_empty());
    }

    /// A folder with a whole archive is moved into the watched folder.
    #[test]
    fn of_too_many_files_at_once_the_first_come_with_a_warning() {
        let folder = tempfile::tempdir().unwrap();
        let watched = folder.path().join("watched");
        let (outside, inside) = (folder.path().join("many"), watched.join("many"));
        fs::create_dir(&watched).unwrap();
        fs::create_dir(&outside).unwrap();
        for n in 0..MOST_FILES + 20 {
            fs::write(outside.join(format!("{n}.mat")), "x").unwrap();
        }
        let mut watch = FolderWatch::start(&watched).unwrap();
        fs::rename(&outside, &inside).unwrap();
        let begin = Instant::now();
        let mut found = HashSet::new();
        while found.len() < MOST_FILES && begin.elapsed() < 6 * LONG {
            found.extend(watch.settled(LONG));
        }
        assert_eq!(found.len(), MOST_FILES);
        let troubles = watch.troubles();
        assert!(
            matches!(&troubles[..], [one] if one.contains("more than 10000 files at once")),
            "{troubles:?}"
        );
        // Later files are seen.
        fs::write(inside.join("later.mat"), "x").unwrap();
        assert_eq!(watch.settled(LONG), [inside.join("later.mat")]);
    }

    #[test]
    fn folders_may_go_and_come_back() {
        let all = tempfile::tempdir().unwrap();
        let folder = all.path().join("matches");
        let below = folder.join("below");
        fs::create_dir_all(&below).unwrap();
        let mut watch = FolderWatch::start(&folder).unwrap();
        // A subfolder: its parent reports its return.
        fs::remove_dir(&below).unwrap();
        assert!(watch.settled(SHORT).is_empty());
        fs::create_dir(&below).unwrap();
        fs::write(below.join("a.mat"), "x").unwrap();
        assert_eq!(watch.settled(LONG), [below.join("a.mat")]);
        fs::write(below.join("b.mat"), "x").unwrap();
        assert_eq!(watch.settled(LONG), [below.join("b.mat")]);
        // The folder itself, removed at once or moved away first.
        fs::remove_dir_all(&folder).unwrap();
        assert!(watch.settled(2 * LOOK_AT_FOLDER).is_empty());
        assert_has!(watch.troubles()[0], "gone");
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("c.mat"), "x").unwrap();
        assert_eq!(watch.settled(LONG), [folder.join("c.mat")]);
        assert_has!(watch.troubles()[0], "watched again");
        fs::rename(&folder, all.path().join("old")).unwrap();
        fs::create_dir_all(&below).unwrap();
        fs::write(below.join("d.mat"), "x").unwrap();
        assert_eq!(watch.settled(LONG), [below.join("d.mat")]);
        fs::write(all.path().join("old/e.mat"), "x").unwrap();
        fs::write(folder.join("f.mat"), "x").unwrap();
        assert_eq!(watch.settled(LONG), [folder.join("f.mat")]);
    }

    #[cfg(unix)]
    #[test]
    fn what_cannot_be_read_costs_only_itself_and_links_are_left_alone() {
        use std::os::unix::fs::{PermissionsExt as _, symlink};
        let all = tempfile::tempdir().unwrap();
        let (folder, outside) = (all.path().join("in"), all.path().join("out"));
        let (shut, open) = (folder.join("a-shut"), folder.join("b-open"));
        for path in [&shut, &open, &outside] {
            fs::create_dir_all(path).unwrap();
        }
        let permit = |mode| fs::set_permissions(&shut, fs::Permissions::from_mode(mode)).unwrap();
        permit(0o000);
        // Some users may read everything.
        let blocked = fs::read_dir(&shut).is_err();
        symlink(&outside, folder.join("away")).unwrap();
        symlink(&folder, folder.join("round")).unwrap();
        let mut watch = FolderWatch::start(&folder).unwrap();
        assert_eq!(watch.troubles().len(), usize::from(blocked));
        symlink(&outside, open.join("away")).unwrap();
        fs::write(outside.join("x.mat"), "x").unwrap();
        fs::write(open.join("y.mat"), "x").unwrap();
        assert_eq!(watch.settled(LONG), [open.join("y.mat")]);
        assert!(watch.settled(UNCHANGED_FOR + SHORT).is_empty());
        // Once the folder is readable, it is watched.
        permit(0o700);
        assert!(watch.settled(SHORT).is_empty());
        fs::write(shut.join("z.mat"), "x").unwrap();
        assert_eq!(watch.settled(LONG), [shut.join("z.mat")]);
        assert!(watch.troubles().is_empty());
    }
}
