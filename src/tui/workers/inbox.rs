//! Watches a folder for matches saved by other programs.

use std::collections::HashMap;
use std::path::PathBuf;
use std::time::Duration;

use crossbeam_channel::Sender;

use super::started;
use crate::match_file::{self, LARGEST_FILE};
use crate::store::{FolderWatch, file};
use crate::tui::message::{Message, Tell as _};

/// Maximum wait for the next saved file.
const LONGEST_WAIT: Duration = Duration::from_secs(1);
/// Number of files whose contents are remembered.
const MOST_FILES: usize = 1000;

/// Reports every match saved in `folder` from now on, once per content.
pub fn start(folder: PathBuf, messages: Sender<Message>) {
    let own = messages.clone();
    let spawned = std::thread::Builder::new()
        .name("inbox".into())
        .spawn(move || watch(folder, &own));
    started(spawned, "watch a folder", &messages);
}

fn watch(folder: PathBuf, messages: &Sender<Message>) {
    let mut watch = match FolderWatch::start(&folder) {
        Ok(watch) => watch,
        Err(error) => {
            messages.warn(format!("not watched: {error}"));
            return;
        }
    };
    let mut seen: HashMap<PathBuf, u32> = HashMap::new();
    loop {
        let saved = watch.settled(LONGEST_WAIT);
        for trouble in watch.troubles() {
            messages.warn(trouble);
        }
        for path in saved {
            let bytes = match file::read(&path, LARGEST_FILE) {
                Ok(bytes) => bytes,
                // It was deleted again.
                Err(_) if file::is_gone(&path) => continue,
                Err(error) => {
                    messages.warn(error.to_string());
                    continue;
                }
            };
            let digest = crc32fast::hash(&bytes);
            let name = path.display().to_string();
            let is_match =
                || match_file::read_bytes(&bytes, &name).is_ok_and(|r| !r.games.is_empty());
            // Files that are not matches, such as incomplete ones, are not remembered.
            if seen.get(&path) == Some(&digest) || !is_match() {
                continue;
            }
            if seen.len() >= MOST_FILES {
                seen.clear();
            }
            seen.insert(path.clone(), digest);
            if messages.send(Message::Saved(path)).is_err() {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_saved_match_is_announced_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new.mat");
        let (messages, received) = crossbeam_channel::unbounded();
        start(folder.path().to_owned(), messages);
        let text = "3 point match\n\n Game 1\n anna : 0    ben : 0\n  1) 31: 8/5 6/5\n";
        std::fs::write(folder.path().join("list.txt"), "no match at all").unwrap();
        // The watch is set up on another thread: save until it is noticed.
        let seen = (0..10).find_map(|_| {
            std::fs::write(&path, text).unwrap();
            received.recv_timeout(Duration::from_secs(3)).ok()
        });
        assert!(matches!(seen, Some(Message::Saved(p)) if p == path));
        std::fs::write(&path, text).unwrap();
        assert!(received.recv_timeout(Duration::from_secs(2)).is_err());
    }
}
