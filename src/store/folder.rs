//! Folders of match files: what is in them, and what is saved there while one waits.
//!
//! A file that another program is still writing is not touched: it has *settled* when its length and
//! its time have stayed the same for a moment.

use std::collections::HashMap;
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant, SystemTime};

use notify::event::ModifyKind;
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};

use super::StoreError;

/// Extensions of match files.
const EXTENSIONS: [&str; 10] = [
    "mat", "txt", "sgf", "xg", "xgp", "bgf", "match", "gam", "json", "oldmoves",
];
/// How deep folders are looked into.
const DEEPEST: usize = 12;
/// How long a file must have stayed as it is.
const SETTLE: Duration = Duration::from_millis(800);
/// Time between looks at files that have not settled.
const LOOK: Duration = Duration::from_millis(100);
/// Files that are waited for at once; more than that is no saving of matches.
const MOST: usize = 10_000;

/// The match files in a folder and in the folders below it, by name. What cannot be looked into is
/// told to `trouble`.
pub fn match_files(folder: &Path, trouble: &mut dyn FnMut(String)) -> Vec<PathBuf> {
    let mut found = Vec::new();
    look(folder, 0, &mut found, trouble);
    found
}

fn look(folder: &Path, depth: usize, found: &mut Vec<PathBuf>, trouble: &mut dyn FnMut(String)) {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) => return trouble(format!("{}: {error}", folder.display())),
    };
    let mut all: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    all.sort();
    for path in all {
        // Links are left alone: they may lead round in a circle.
        let Ok(meta) = path.symlink_metadata() else {
            continue;
        };
        if is_hidden(&path) {
            continue;
        }
        if meta.is_dir() && depth < DEEPEST {
            look(&path, depth + 1, found, trouble);
        } else if meta.is_file() && is_match_name(&path) {
            found.push(path);
        }
    }
}

/// Whether a file of this name may be a match.
#[must_use]
pub fn is_match_name(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    !is_hidden(path) && EXTENSIONS.contains(&&*extension.to_lowercase())
}

fn is_hidden(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().starts_with('.')
}

/// What is known of a file that has not settled.
struct Pending {
    state: (u64, Option<SystemTime>),
    since: Instant,
}

/// A folder that is watched, with all below it.
pub struct FolderWatch {
    folder: PathBuf,
    events: Receiver<notify::Result<Event>>,
    pending: HashMap<PathBuf, Pending>,
    _watcher: RecommendedWatcher,
}

impl FolderWatch {
    /// Watches `folder` from now on.
    ///
    /// # Errors
    /// [`StoreError`] if it is no folder or cannot be watched.
    pub fn start(folder: &Path) -> Result<Self, StoreError> {
        let failed = |e: notify::Error| {
            let reason = match e.kind {
                notify::ErrorKind::Io(error) => error,
                _ => std::io::Error::other(e.to_string()),
            };
            StoreError::io(folder)(reason)
        };
        if !folder.is_dir() {
            let what = std::io::Error::other("not a folder");
            return Err(StoreError::io(folder)(what));
        }
        let (sender, events) = channel();
        let mut watcher = notify::recommended_watcher(sender).map_err(failed)?;
        watcher
            .watch(folder, RecursiveMode::Recursive)
            .map_err(failed)?;
        Ok(Self {
            folder: folder.to_owned(),
            events,
            pending: HashMap::new(),
            _watcher: watcher,
        })
    }

    /// The match files that were saved and have settled since the last call, by name; waits no
    /// longer than `patience` for one. A file that is saved again comes again.
    pub fn settled(&mut self, patience: Duration) -> Vec<PathBuf> {
        let until = Instant::now() + patience;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let wait = if self.pending.is_empty() {
                left
            } else {
                left.min(LOOK)
            };
            match self.events.recv_timeout(wait) {
                Ok(event) => {
                    self.take(event);
                    while let Ok(event) = self.events.try_recv() {
                        self.take(event);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                // The watcher is gone; what is pending still settles.
                Err(RecvTimeoutError::Disconnected) => std::thread::sleep(wait),
            }
            let now = Instant::now();
            let ready = self.look(now);
            if !ready.is_empty() || now >= until {
                return ready;
            }
        }
    }

    fn take(&mut self, event: notify::Result<Event>) {
        let Ok(event) = event else { return };
        if event.need_rescan() {
            for path in match_files(&self.folder, &mut |_| {}) {
                self.add(path);
            }
        }
        let came = matches!(
            event.kind,
            EventKind::Create(_) | EventKind::Modify(ModifyKind::Name(_))
        );
        // Looking at a file is an event as well.
        if !came && !event.kind.is_modify() {
            return;
        }
        for path in event.paths {
            if !path.is_dir() {
                self.add(path);
            } else if came {
                // A folder that was moved here brings its files without an event for each.
                for path in match_files(&path, &mut |_| {}) {
                    self.add(path);
                }
            }
        }
    }

    fn add(&mut self, path: PathBuf) {
        // Some systems tell another path to the same folder: then the name alone counts.
        let below = path.strip_prefix(&self.folder).unwrap_or(Path::new(""));
        let hidden = below.ancestors().any(is_hidden);
        if hidden || !is_match_name(&path) || self.pending.len() >= MOST {
            return;
        }
        if let Some(state) = state(&path) {
            let since = Instant::now();
            self.pending.insert(path, Pending { state, since });
        }
    }

    /// Those that have settled by `now`.
    fn look(&mut self, now: Instant) -> Vec<PathBuf> {
        let mut ready = Vec::new();
        self.pending.retain(|path, pending| {
            let Some(state) = state(path) else {
                return false;
            };
            if state != pending.state {
                *pending = Pending { state, since: now };
            }
            let settled = now.saturating_duration_since(pending.since) >= SETTLE;
            if settled {
                ready.push(path.clone());
            }
            !settled
        });
        ready.sort();
        ready
    }
}

fn state(path: &Path) -> Option<(u64, Option<SystemTime>)> {
    let meta: Metadata = path.symlink_metadata().ok().filter(Metadata::is_file)?;
    Some((meta.len(), meta.modified().ok()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::io::Write as _;

    #[test]
    fn folders_are_searched_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let below = folder.path().join("b");
        fs::create_dir(&below).unwrap();
        for name in ["c.mat", "a.SGF", "b/x.xg", "readme.md", ".hidden.mat"] {
            fs::write(folder.path().join(name), "x").unwrap();
        }
        let found = match_files(folder.path(), &mut |e| panic!("{e}"));
        let names: Vec<_> = found
            .iter()
            .map(|p| p.strip_prefix(folder.path()).unwrap().to_str().unwrap())
            .collect();
        assert_eq!(names, ["a.SGF", "b/x.xg", "c.mat"]);
        let mut told = 0;
        assert!(match_files(&below.join("none"), &mut |_| told += 1).is_empty());
        assert_eq!(told, 1);
    }

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
        for _ in 0..4 {
            slow.write_all(b"piece").unwrap();
            slow.flush().unwrap();
            assert!(watch.settled(Duration::from_millis(300)).is_empty());
        }
        drop(slow);
        assert_eq!(watch.settled(Duration::from_secs(10)), [at("slow.mat")]);
        assert!(began.elapsed() >= 3 * Duration::from_millis(300) + SETTLE);
        assert!(watch.settled(Duration::from_millis(200)).is_empty());
        // By another name, as editors save, and below the folder.
        fs::write(at("new.tmp"), "x").unwrap();
        fs::rename(at("new.tmp"), at("new.sgf")).unwrap();
        fs::create_dir(at("below")).unwrap();
        fs::write(at("gone.mat"), "x").unwrap();
        fs::remove_file(at("gone.mat")).unwrap();
        assert_eq!(watch.settled(Duration::from_secs(10)), [at("new.sgf")]);
        // Saved again: it comes again.
        fs::write(at("slow.mat"), "other").unwrap();
        assert_eq!(watch.settled(Duration::from_secs(10)), [at("slow.mat")]);
        let none = FolderWatch::start(&at("slow.mat")).err().unwrap();
        assert!(none.to_string().contains("not a folder"));
    }
}
