//! Completes paths on separate threads, because disks may be slow or never respond.

use std::fs::DirEntry;
use std::sync::{Arc, Mutex};
use std::thread;

use crossbeam_channel::Sender;

use crate::locks::lock;
use crate::panics::guarded;
use crate::store::file::expand_home;
use crate::tui::message::{Message, Tell as _};

/// Maximum number of completions shown.
const MOST_SHOWN: usize = 200;
/// Maximum number of entries read per folder.
const MOST_READ: usize = 100_000;

/// Maximum number of concurrent readers: each may be blocked forever.
const MOST_AT_ONCE: usize = 16;

/// Reads folders on threads that are not joined at the end.
pub struct PathCompleter {
    messages: Sender<Message>,
    readers: Arc<Mutex<Readers>>,
}

#[derive(Default)]
struct Readers {
    at_once: usize,
    /// The newest request while all of them were busy.
    waiting: Option<String>,
}

impl PathCompleter {
    pub fn new(messages: Sender<Message>) -> Self {
        Self {
            messages,
            readers: Arc::default(),
        }
    }

    /// Finds completions of `typed`; a message contains them.
    pub fn complete(&self, typed: String) {
        let mut readers = lock(&self.readers);
        if readers.at_once >= MOST_AT_ONCE {
            readers.waiting = Some(typed);
            return;
        }
        let (messages, all) = (self.messages.clone(), Arc::clone(&self.readers));
        let work = move || read_on(typed, &messages, &all);
        let spawned = thread::Builder::new().name("paths".into()).spawn(work);
        let started = super::started(spawned, "complete names of files", &self.messages);
        readers.at_once += usize::from(started.is_some());
    }
}

/// Handles a request and then pending ones.
fn read_on(mut typed: String, messages: &Sender<Message>, readers: &Mutex<Readers>) {
    loop {
        let found = guarded(|| completions(&typed)).unwrap_or_default();
        messages.tell(Message::Completed { typed, found });
        let mut readers = lock(readers);
        match readers.waiting.take() {
            Some(next) => typed = next,
            None => {
                readers.at_once -= 1;
                return;
            }
        }
    }
}

/// Returns the files and folders (with slash) in the typed folder whose names begin as typed.
pub fn completions(typed: &str) -> Vec<String> {
    let begin = typed.rfind(std::path::is_separator).map_or(0, |i| i + 1);
    let (folder, begin) = typed.split_at(begin);
    let real = match folder {
        "" => ".".to_owned(),
        folder => expand_home(folder),
    };
    let Ok(entries) = std::fs::read_dir(real) else {
        return Vec::new();
    };
    let completion = |entry: DirEntry| {
        let name = entry.file_name().into_string().ok()?;
        let is_shown = !name.starts_with('.') || begin.starts_with('.');
        // Only these need a further system call.
        (name.starts_with(begin) && is_shown).then(|| {
            let slash = if is_folder(&entry) { "/" } else { "" };
            format!("{folder}{name}{slash}")
        })
    };
    let read = entries.flatten().take(MOST_READ);
    let mut found: Vec<String> = read.filter_map(completion).collect();
    found.sort();
    found.truncate(MOST_SHOWN);
    found
}

/// Returns whether an entry is a folder or a link to one. Most systems return the kind with the name.
fn is_folder(entry: &DirEntry) -> bool {
    entry
        .file_type()
        .is_ok_and(|kind| kind.is_dir() || kind.is_symlink() && entry.path().is_dir())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use crossbeam_channel::unbounded;

    use super::*;

    #[test]
    fn paths_are_completed() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("anna.mat"), "").unwrap();
        std::fs::create_dir(folder.path().join("annex")).unwrap();
        let start = format!("{}/ann", folder.path().display());
        let found = completions(&start);
        assert_eq!(found.len(), 2);
        assert!(found[0].ends_with("anna.mat") && found[1].ends_with("annex/"));
        assert!(completions("/no such folder/x").is_empty());
    }

    /// The home folder keeps its short form as typed.
    #[test]
    fn the_home_folder_is_completed() {
        let home = std::env::home_dir().filter(|home| std::fs::read_dir(home).is_ok());
        let all = completions("~/.");
        assert!(all.iter().all(|name| name.starts_with("~/.")));
        let hidden = |entry: DirEntry| entry.file_name().to_string_lossy().starts_with('.');
        let entries = home.map(|home| std::fs::read_dir(home).unwrap().flatten());
        let is_any = entries.is_some_and(|mut entries| entries.any(hidden));
        assert_eq!(!all.is_empty(), is_any);
    }

    /// Of many requests the last is answered, whatever was in progress.
    #[test]
    fn the_newest_text_is_answered() {
        let (messages, inbox) = unbounded();
        let completer = PathCompleter::new(messages);
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.mat"), "").unwrap();
        let last = format!("{}/", folder.path().display());
        for end in 0..40 {
            completer.complete(format!("{last}{end}"));
        }
        completer.complete(last.clone());
        loop {
            let told = inbox.recv_timeout(Duration::from_secs(20)).expect("told");
            if let Message::Completed { typed, found } = told
                && typed == last
            {
                return assert_eq!(found, [format!("{last}a.mat")]);
            }
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_link_to_a_folder_is_one() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir(at("matches")).unwrap();
        for (to, name) in [("matches", "link1"), ("nowhere", "link2")] {
            std::os::unix::fs::symlink(at(to), at(name)).unwrap();
        }
        let start = format!("{}/link", folder.path().display());
        let found = completions(&start);
        assert_eq!(found, [format!("{start}1/"), format!("{start}2")]);
    }
}
