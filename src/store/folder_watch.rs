//! A folder that is watched: the match files that are saved in it while one waits.
//!
//! A file that another program is still writing is not touched: it has *settled* when its length and
//! its time have stayed the same for a moment.
//!
//! Every folder below is watched by itself, so that one which cannot be read costs nothing but its own
//! files. It is reported as a [trouble](FolderWatch::troubles), and tried again when its permissions
//! change. Links are left alone, as in [`folder`](super::folder). The folder may go and come back, under
//! its old name: everything that is in it then counts as saved.

use std::collections::{HashMap, HashSet};
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant, SystemTime};

use notify::event::{ModifyKind, RenameMode};
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use super::StoreError;
use super::folder::{is_hidden, is_match_name, walk};

/// How long a file must have stayed as it is.
const UNCHANGED_FOR: Duration = Duration::from_millis(800);
/// Time between two checks of files that have just changed.
const POLL_INTERVAL: Duration = Duration::from_millis(100);
/// Time between two checks whether the folder is still the one that is watched.
const LOOK_AT_FOLDER: Duration = Duration::from_millis(500);
/// Files that are waited for at once; more than that is no saving of matches.
const MOST_FILES: usize = 10_000;
/// Troubles that are remembered until somebody asks.
const MOST_TROUBLES: usize = 100;

/// What is known of a file that has not settled.
struct Pending {
    state: (u64, Option<SystemTime>),
    since: Instant,
}

/// What tells a folder from another that came to the same place.
type Identity = (u64, u64);

/// A folder that is watched, with all below it.
pub struct FolderWatch {
    folder: PathBuf,
    /// Identity of the folder that is watched; `None` while there is none.
    identity: Option<Identity>,
    looked: Instant,
    watching: Option<Watching>,
    pending: HashMap<PathBuf, Pending>,
    troubles: Vec<String>,
    /// The latest trouble, which is not reported twice.
    latest: String,
    /// Folders that could not be entered.
    closed: HashSet<PathBuf>,
}

/// The system's end of it.
struct Watching {
    events: Receiver<notify::Result<Event>>,
    watcher: RecommendedWatcher,
}

impl FolderWatch {
    /// Watches `folder` from now on.
    ///
    /// # Errors
    /// [`StoreError`] if it is no folder or cannot be watched.
    pub fn start(folder: &Path) -> Result<Self, StoreError> {
        if !folder.is_dir() {
            let what = std::io::Error::other("not a folder");
            return Err(StoreError::io(folder)(what));
        }
        let mut watch = Self {
            // As the system tells of what happens in it.
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

    /// The match files that were saved and have settled since the last call, by name; waits no
    /// longer than `timeout` for one. A file that is saved again comes again.
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

    /// What has gone wrong since the last call, a line each: folders that cannot be watched, or a
    /// folder that is gone.
    pub fn troubles(&mut self) -> Vec<String> {
        std::mem::take(&mut self.troubles)
    }

    /// What has happened in the folder, after no more than `wait`.
    fn events(&self, wait: Duration) -> Vec<notify::Result<Event>> {
        let Some(Watching { events, .. }) = &self.watching else {
            std::thread::sleep(wait);
            return Vec::new();
        };
        match events.recv_timeout(wait) {
            Ok(event) => std::iter::once(event).chain(events.try_iter()).collect(),
            Err(RecvTimeoutError::Timeout) => Vec::new(),
            Err(RecvTimeoutError::Disconnected) => {
                // The watcher is gone; what is pending still settles.
                std::thread::sleep(wait);
                Vec::new()
            }
        }
    }

    /// Watches the folder. Returns the match files in it.
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

    /// Watches a folder and those below it. Returns the match files in them.
    fn enter(&mut self, folder: &Path) -> Vec<PathBuf> {
        let Some(Watching { watcher, .. }) = &mut self.watching else {
            return Vec::new();
        };
        let (mut failures, mut full) = (Vec::new(), false);
        let mut watch = |path: &Path| {
            if full {
                return Ok(());
            }
            // Watched before it is read, so that nothing falls between.
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

    /// Notices that the folder is gone, or is another one, and watches the one that is there.
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

    /// Notes that the folder is gone.
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
        let came = event.need_rescan()
            || matches!(
                event.kind,
                EventKind::Create(_) | EventKind::Modify(ModifyKind::Name(_))
            );
        // Looking at a file is an event as well.
        if !came && !event.kind.is_modify() {
            return;
        }
        let lost = event.need_rescan().then(|| self.folder.clone());
        for path in event.paths.into_iter().chain(lost) {
            let Ok(meta) = path.symlink_metadata() else {
                continue;
            };
            if !meta.is_dir() {
                self.add(path);
            } else if !self.is_hidden(&path) && (self.closed.remove(&path) || came) {
                // A folder that was moved here brings its files without an event for each.
                let files = self.enter(&path);
                files.into_iter().for_each(|path| self.add(path));
            }
        }
    }

    /// Whether a path, or a folder it lies in, is hidden below the folder that is watched.
    fn is_hidden(&self, path: &Path) -> bool {
        match path.strip_prefix(&self.folder) {
            Ok(below) => below.ancestors().any(is_hidden),
            // Some systems tell another path to the same folder: then the name alone counts.
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

    /// Takes the files that have settled by `now`, by name.
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

/// What the watcher says, without the paths, which stand beside it.
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

/// Identity of the folder at `path`, if there is one.
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
        // Written in pieces: it is not there before the last one has settled.
        for _ in 0..10 {
            slow.write_all(b"piece").unwrap();
            slow.flush().unwrap();
            assert!(watch.settled(Duration::from_millis(100)).is_empty());
        }
        drop(slow);
        assert_eq!(watch.settled(LONG), [at("slow.mat")]);
        assert!(began.elapsed() >= 9 * Duration::from_millis(100) + UNCHANGED_FOR);
        assert!(watch.settled(SHORT).is_empty());
        // By another name, as editors save, and below the folder.
        fs::write(at("new.tmp"), "x").unwrap();
        fs::rename(at("new.tmp"), at("new.sgf")).unwrap();
        fs::create_dir(at("below")).unwrap();
        fs::write(at("gone.mat"), "x").unwrap();
        fs::remove_file(at("gone.mat")).unwrap();
        assert_eq!(watch.settled(LONG), [at("new.sgf")]);
        // Saved again: it comes again.
        fs::write(at("slow.mat"), "other").unwrap();
        assert_eq!(watch.settled(LONG), [at("slow.mat")]);
        let none = FolderWatch::start(&at("slow.mat")).err().unwrap();
        assert!(none.to_string().contains("not a folder"));
        assert!(watch.troubles().is_empty());
    }

    /// A folder of a whole archive is moved into the one that is watched.
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
        // What comes later is seen.
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
        // One below: its parent tells of it.
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
        assert!(watch.troubles()[0].contains("gone"));
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("c.mat"), "x").unwrap();
        assert_eq!(watch.settled(LONG), [folder.join("c.mat")]);
        assert!(watch.troubles()[0].contains("watched again"));
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
        // Once it may be read, it is.
        permit(0o700);
        assert!(watch.settled(SHORT).is_empty());
        fs::write(shut.join("z.mat"), "x").unwrap();
        assert_eq!(watch.settled(LONG), [shut.join("z.mat")]);
        assert!(watch.troubles().is_empty());
    }
}
