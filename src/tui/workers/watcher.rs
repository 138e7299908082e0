//! Watches the open file and the user's themes, and rereads them after changes.
//!
//! Editors replace files instead of writing into them, so folders are watched instead of files. One save causes
//! several changes, so they are collected for a moment. Changes of other files in a busy folder do not extend that
//! moment.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, unbounded};
use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};

use super::started;
use crate::store::file;
use crate::tui::message::{Message, Tell as _};
use crate::tui::theme::Theme;

/// How long to collect changes after the latest one.
const DEBOUNCE: Duration = Duration::from_millis(120);
/// Maximum time to collect changes after the first one, so that a file that is written constantly is reported.
const LONGEST: Duration = Duration::from_millis(500);
/// Interval between checks whether the missing folder of the open file is back.
const LOOK_FOR_FOLDER: Duration = Duration::from_millis(500);
/// Interval between checks whether the folder of the open file was replaced. The system reports neither drives that
/// come and go nor renamed parent folders.
const LOOK_AT_FOLDER: Duration = Duration::from_secs(2);
/// Maximum number of themes.
const MOST_THEMES: usize = 200;
/// Maximum size of a theme file, in bytes.
const LARGEST_THEME: u64 = 64 << 10;

/// A request to the watcher.
enum Request {
    /// Files have changed.
    Changed(Vec<PathBuf>),
    /// Another file was opened.
    Open(Option<PathBuf>),
}

/// Handle of the watching thread.
pub struct Watcher {
    requests: Sender<Request>,
}

impl Watcher {
    /// Starts watching `themes`, if that folder exists, and reads its themes. Calls `changed` on the watcher's thread
    /// when the open file has changed.
    pub fn start(
        themes: Option<PathBuf>,
        messages: Sender<Message>,
        changed: impl Fn() + Send + 'static,
    ) -> Self {
        let (requests, inbox) = unbounded();
        let (back, own) = (requests.clone(), messages.clone());
        let spawned = std::thread::Builder::new()
            .name("watcher".into())
            .spawn(move || watch(themes, &own, &changed, back, &inbox));
        started(spawned, "watch files", &messages);
        Self { requests }
    }

    /// Watches this file instead of the previous one.
    pub fn open(&self, path: Option<PathBuf>) {
        // The thread has ended only if watching is impossible here, which it has reported.
        let _ = self.requests.send(Request::Open(path));
    }
}

fn watch(
    themes: Option<PathBuf>,
    messages: &Sender<Message>,
    changed: &dyn Fn(),
    back: Sender<Request>,
    inbox: &Receiver<Request>,
) {
    if let Some(folder) = &themes {
        send_themes(folder, messages);
    }
    let watcher = match notify::recommended_watcher(send_changes(back)) {
        Ok(watcher) => watcher,
        Err(why) => {
            return messages.warn(format!("changes of the open file are not seen: {why}"));
        }
    };
    let mut watched = Watched::new(watcher, themes);
    let mut gathered = Gathered::default();
    loop {
        match next(inbox, gathered.end().or(watched.look)) {
            Next::Request(Request::Open(path)) => watched.open(path),
            Next::Request(Request::Changed(paths)) => {
                let Watched { open, themes, .. } = &watched;
                gathered.add(&paths, open.as_deref(), themes.as_deref(), Instant::now());
            }
            Next::Report => {
                let Gathered { file, folder, .. } = std::mem::take(&mut gathered);
                if watched.look_again(file) {
                    changed();
                }
                if let Some(folder) = watched.themes.as_ref().filter(|_| folder) {
                    send_themes(folder, messages);
                }
                watched.look_later();
            }
            Next::End => return,
        }
    }
}

/// The watched folders: of the open file and of the themes.
struct Watched {
    watcher: RecommendedWatcher,
    themes: Option<PathBuf>,
    open: Option<PathBuf>,
    /// Its watched folder; `None` while that is missing.
    here: Option<FolderId>,
    /// Time of the next check of that folder. Changes of other files do not delay it.
    look: Option<Instant>,
}

impl Watched {
    /// Watches the themes; no file is open yet.
    fn new(mut watcher: RecommendedWatcher, themes: Option<PathBuf>) -> Self {
        if let Some(folder) = themes.as_deref().filter(|f| f.is_dir()) {
            // On failure themes are just not reread.
            let _ = watcher.watch(folder, RecursiveMode::NonRecursive);
        }
        Self {
            watcher,
            themes,
            open: None,
            here: None,
            look: None,
        }
    }

    /// Switches to another file.
    fn open(&mut self, path: Option<PathBuf>) {
        let (old, new) = (self.open.as_deref(), path.as_deref());
        if old.map(folder_of) != new.map(folder_of) {
            move_watch(&mut self.watcher, old, new, self.themes.as_deref());
            self.here = new.and_then(folder_id);
        }
        self.open = path;
        self.look_later();
    }

    /// Checks the folder of the open file. Returns whether the file was written, according to `is_written`, or is
    /// back.
    fn look_again(&mut self, is_written: bool) -> bool {
        let Some(open) = self.open.as_deref() else {
            return false;
        };
        let is_other = folder_id(open) != self.here;
        if is_written || is_other {
            // The watched folder may be gone and replaced.
            self.here = watch_again(&mut self.watcher, open);
        }
        let is_back = is_other && self.here.is_some() && open.exists();
        is_written || is_back
    }

    /// Sets the time of the next check of the folder, depending on whether it exists.
    fn look_later(&mut self) {
        let pause = self.here.map_or(LOOK_FOR_FOLDER, |_| LOOK_AT_FOLDER);
        self.look = self.open.as_ref().map(|_| Instant::now() + pause);
    }
}

/// Unreported changes.
#[derive(Default)]
struct Gathered {
    /// Whether the open file has changed.
    file: bool,
    /// Whether the folder of themes has changed.
    folder: bool,
    /// Time of the first and the latest change.
    span: Option<(Instant, Instant)>,
}

impl Gathered {
    /// Adds a change at `now`, if it affects the open file or the folder of themes.
    fn add(&mut self, paths: &[PathBuf], open: Option<&Path>, themes: Option<&Path>, now: Instant) {
        let any = |is: &dyn Fn(&Path) -> bool| paths.iter().any(|path| is(path));
        let file = open.is_some_and(|open| {
            // When a folder is removed or renamed, the system reports the folder's own name.
            let folder = std::path::absolute(folder_of(open)).unwrap_or_default();
            any(&|path| same(open, path) || path == folder)
        });
        let folder = themes.is_some_and(|themes| any(&|path| path.starts_with(themes)));
        if file || folder {
            self.file |= file;
            self.folder |= folder;
            self.span = Some((self.span.map_or(now, |(first, _)| first), now));
        }
    }

    /// When to report, if there is anything to report.
    fn end(&self) -> Option<Instant> {
        let (first, latest) = self.span?;
        Some((latest + DEBOUNCE).min(first + LONGEST))
    }
}

/// The next step.
enum Next {
    /// Handle a request.
    Request(Request),
    /// Report the collected changes.
    Report,
    /// End: there will be no more requests.
    End,
}

/// Waits for a request, until `end` if given.
fn next(inbox: &Receiver<Request>, end: Option<Instant>) -> Next {
    match end {
        None => inbox.recv().map_or(Next::End, Next::Request),
        // A channel still returns pending requests after the deadline: in a busy folder that would never end.
        Some(end) if Instant::now() >= end => Next::Report,
        Some(end) => match inbox.recv_deadline(end) {
            Ok(request) => Next::Request(request),
            Err(RecvTimeoutError::Timeout) => Next::Report,
            Err(RecvTimeoutError::Disconnected) => Next::End,
        },
    }
}

/// Forwards changes of files.
fn send_changes(back: Sender<Request>) -> impl FnMut(notify::Result<notify::Event>) {
    move |event| {
        let Ok(event) = event else { return };
        let matters = matches!(
            event.kind,
            EventKind::Create(_) | EventKind::Modify(_) | EventKind::Remove(_)
        );
        if matters {
            // The receiver is the thread that owns the watcher.
            let _ = back.send(Request::Changed(event.paths));
        }
    }
}

fn same(open: &Path, path: &Path) -> bool {
    open.file_name() == path.file_name()
}

fn folder_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(p) if !p.as_os_str().is_empty() => p.to_owned(),
        _ => PathBuf::from("."),
    }
}

fn move_watch(
    watcher: &mut RecommendedWatcher,
    old: Option<&Path>,
    new: Option<&Path>,
    themes: Option<&Path>,
) {
    let (old, new) = (old.map(folder_of), new.map(folder_of));
    // A folder that cannot be watched or unwatched is ignored.
    if let Some(folder) = old.filter(|f| Some(f.as_path()) != themes) {
        let _ = watcher.unwatch(&folder);
    }
    if let Some(folder) = new {
        let _ = watcher.watch(&folder, RecursiveMode::NonRecursive);
    }
}

/// Watches the folder of the open file again. Returns its identity if it exists.
fn watch_again(watcher: &mut RecommendedWatcher, open: &Path) -> Option<FolderId> {
    let folder = folder_of(open);
    // A missing folder is no longer watched.
    let _ = watcher.unwatch(&folder);
    let watched = watcher.watch(&folder, RecursiveMode::NonRecursive);
    folder_id(open).filter(|_| watched.is_ok())
}

/// Device and inode of a folder: distinguish it from another of the same name.
type FolderId = (u64, u64);

/// Identity of a file's folder, if it exists.
#[cfg(unix)]
fn folder_id(file: &Path) -> Option<FolderId> {
    use std::os::unix::fs::MetadataExt as _;
    let folder = std::fs::metadata(folder_of(file)).ok()?;
    Some((folder.dev(), folder.ino()))
}

/// Systems without such numbers treat all folders alike.
#[cfg(not(unix))]
fn folder_id(file: &Path) -> Option<FolderId> {
    folder_of(file).is_dir().then_some((0, 0))
}

fn send_themes(folder: &Path, messages: &Sender<Message>) {
    let (themes, errors) = read_themes(folder);
    messages.tell(Message::Themes { themes, errors });
}

/// Reads the themes in a folder. Returns them with error messages for unusable ones.
pub fn read_themes(folder: &Path) -> (Vec<Theme>, Vec<String>) {
    let (mut themes, mut errors) = (Vec::new(), Vec::new());
    let Ok(entries) = std::fs::read_dir(folder) else {
        return (themes, errors);
    };
    let mut paths: Vec<PathBuf> = entries
        .flatten()
        .map(|e| e.path())
        .filter(|p| p.extension().is_some_and(|e| e == "toml"))
        .collect();
    paths.sort();
    paths.truncate(MOST_THEMES);
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let text = file::read(&path, LARGEST_THEME).map_err(|e| e.to_string());
        let theme = text.and_then(|bytes| {
            Theme::parse(&String::from_utf8_lossy(&bytes)).map_err(|e| format!("{name}: {e}"))
        });
        match theme {
            Ok(theme) => themes.push(theme),
            Err(error) => errors.push(error),
        }
    }
    (themes, errors)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn good_themes_are_read_and_broken_ones_reported() {
        let folder = tempfile::tempdir().unwrap();
        let own = include_str!("../../../themes/dark.toml").replace("\"dark\"", "\"own\"");
        std::fs::write(folder.path().join("own.toml"), own).unwrap();
        std::fs::write(folder.path().join("broken.toml"), "name = ").unwrap();
        std::fs::write(folder.path().join("notes.txt"), "no theme").unwrap();
        let (themes, errors) = read_themes(folder.path());
        assert_eq!(themes.len(), 1);
        assert_eq!(themes[0].name, "own");
        assert_eq!(errors.len(), 1);
        assert!(errors[0].starts_with("broken.toml: line 1"), "{errors:?}");
    }

    #[test]
    fn a_busy_folder_does_not_put_off_the_report_of_a_change() {
        let start = Instant::now();
        let after = |ms| start + Duration::from_millis(ms);
        let [open, other] = ["m/a.mat", "m/log.txt"].map(PathBuf::from);
        let theme = PathBuf::from("themes/own.toml");
        let themes = Some(Path::new("themes"));
        let mut gathered = Gathered::default();
        let mut add = |path: &PathBuf, ms| {
            gathered.add(std::slice::from_ref(path), Some(&open), themes, after(ms));
            gathered.end()
        };
        assert_eq!(add(&other, 0), None);
        assert_eq!(add(&open, 10), Some(after(130)));
        assert_eq!(add(&other, 100), Some(after(130)));
        // Each relevant change extends the wait, up to a limit.
        assert_eq!(add(&open, 100), Some(after(220)));
        assert_eq!(add(&theme, 200), Some(after(320)));
        for ms in [300, 400, 450] {
            assert_eq!(add(&open, ms), Some(after((ms + 120).min(510))));
        }
        assert!(gathered.file && gathered.folder);
    }

    #[test]
    fn a_report_that_is_due_comes_before_what_waits() {
        let (requests, inbox) = unbounded();
        requests.send(Request::Changed(Vec::new())).unwrap();
        let due = Some(Instant::now());
        assert!(matches!(next(&inbox, due), Next::Report));
        assert!(matches!(
            next(&inbox, None),
            Next::Request(Request::Changed(paths)) if paths.is_empty()
        ));
        drop(requests);
        assert!(matches!(next(&inbox, None), Next::End));
    }

    /// When a folder is renamed, the system reports only the folder's own name.
    #[test]
    fn a_change_of_the_folder_is_one_of_the_file() {
        let folder = std::path::absolute("m").unwrap();
        for (changed, counts) in [(folder.clone(), true), (folder.join("log.txt"), false)] {
            let mut gathered = Gathered::default();
            let open = Some(Path::new("m/a.mat"));
            gathered.add(&[changed], open, None, Instant::now());
            assert_eq!(gathered.file, counts);
        }
    }

    #[test]
    fn a_file_is_followed_again_when_its_folder_is_back() {
        is_followed_again(true, |top| {
            std::fs::remove_dir_all(top.join("p/w")).unwrap();
        });
    }

    /// As with a removed drive, the system reports nothing about the file.
    #[cfg(unix)]
    #[test]
    fn a_file_is_followed_again_when_its_folder_is_another_one() {
        for folder in ["p/w", "p"] {
            is_followed_again(false, |top| {
                std::fs::rename(top.join(folder), top.join("before")).unwrap();
            });
        }
    }

    /// Even while a program keeps writing into the former folder.
    #[cfg(unix)]
    #[test]
    fn a_busy_folder_does_not_hide_another_one() {
        use std::io::Write as _;
        let (running, ended) = unbounded::<()>();
        is_followed_again(false, move |top| {
            let mut log = std::fs::File::create(top.join("p/w/log.txt")).unwrap();
            std::fs::rename(top.join("p"), top.join("before")).unwrap();
            let ended = ended.clone();
            let pause = Duration::from_millis(100);
            std::thread::spawn(move || {
                while ended.recv_timeout(pause).is_err_and(|e| e.is_timeout()) {
                    writeln!(log, "more").unwrap();
                }
            });
        });
        drop(running);
    }

    /// Follows a file in the folder `p/w`, which is removed, with or without a report of the system, and recreated.
    fn is_followed_again(is_told: bool, take_away: impl Fn(&Path)) {
        let top = tempfile::tempdir().unwrap();
        let folder = top.path().join("p/w");
        let path = folder.join("a.mat");
        let make = || {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(&path, "1").unwrap();
        };
        make();
        let (messages, _inbox) = unbounded();
        let (tell, changes) = unbounded();
        let watcher = Watcher::start(None, messages, move || tell.send(()).unwrap());
        watcher.open(Some(path.clone()));
        let is_followed = || {
            (0..120).any(|i| {
                std::fs::write(&path, i.to_string()).unwrap();
                changes.recv_timeout(Duration::from_millis(250)).is_ok()
            })
        };
        let settle = || while changes.recv_timeout(Duration::from_secs(1)).is_ok() {};
        assert!(is_followed());
        settle();
        take_away(top.path());
        assert!(!is_told || changes.recv_timeout(Duration::from_secs(20)).is_ok());
        settle();
        make();
        let is_back = changes.recv_timeout(Duration::from_secs(20)).is_ok();
        assert!(is_back, "read again without another change");
        settle();
        assert!(is_followed());
    }

    #[test]
    fn a_changed_file_is_reported() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.mat");
        std::fs::write(&path, "1").unwrap();
        let (messages, _inbox) = unbounded();
        let (tell, changes) = unbounded();
        let watcher = Watcher::start(None, messages, move || tell.send(()).unwrap());
        watcher.open(Some(path.clone()));
        // The watch is set up on another thread: write until it is noticed.
        let seen = (0..40).any(|i| {
            std::fs::write(&path, i.to_string()).unwrap();
            changes.recv_timeout(Duration::from_millis(250)).is_ok()
        });
        assert!(seen);
    }
}
