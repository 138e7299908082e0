//! Writes the file of a match that is being played, by a thread of its own: a slow disk holds nobody up.

use std::path::PathBuf;
use std::thread::{self, JoinHandle};
use std::time::Instant;

use crossbeam_channel::{Receiver, Sender, unbounded};

use super::in_background;
use super::panics::guarded;
use crate::match_file::write::Target;
use crate::store::{UserFolders, file, today};
use crate::tui::message::Message;
use crate::tui::played_match::NewMatch;

/// A file and its text.
type Written = (PathBuf, String);

/// The thread that writes.
pub struct MatchWriter {
    written: Option<Sender<Written>>,
    thread: Option<JoinHandle<()>>,
}

impl MatchWriter {
    /// Starts the thread.
    #[must_use]
    pub fn start(messages: Sender<Message>) -> Self {
        let (written, waiting) = unbounded();
        let to = messages.clone();
        let work = move || write_all(&waiting, &to);
        let spawned = thread::Builder::new().name("match".into()).spawn(work);
        Self {
            written: Some(written),
            thread: super::started(spawned, "save the match", &messages),
        }
    }

    /// Has the file replaced by this text; a message tells where that fails.
    pub fn write(&self, path: PathBuf, text: String) {
        if let Some(waiting) = &self.written {
            // Nobody listens when there is no thread, which was reported.
            let _ = waiting.send((path, text));
        }
    }

    /// Ends the thread once it has written what waits, or when the time is over.
    pub fn finish(mut self, deadline: Instant) {
        self.written = None;
        super::join_until(self.thread.take(), deadline);
    }
}

/// Writes a new match against the program to a file in `folder`, or in that of the user's matches; a message
/// tells which file it is.
pub fn begin(new: Box<NewMatch>, folder: Option<PathBuf>, messages: &Sender<Message>) {
    let write = move || {
        let of_user = || UserFolders::of_user().map(|folders| folders.matches());
        let Some(folder) = folder.or_else(of_user) else {
            return Err("this system has no folder for matches".to_owned());
        };
        let (day, mut record) = (today(), new.record());
        record.tags.push(("EventDate".into(), day.clone()));
        let text = Target::Mat.write(&record);
        file::write_numbered(&folder, &day, "mat", text.as_bytes()).map_err(|e| e.to_string())
    };
    in_background("new match", messages, write, Message::MatchBegun);
}

/// Writes what comes, in order. Each text is a whole match, of which the newest of a file is enough.
fn write_all(waiting: &Receiver<Written>, messages: &Sender<Message>) {
    while let Ok(first) = waiting.recv() {
        let mut newest = vec![first];
        for written in waiting.try_iter() {
            newest.retain(|(path, _)| *path != written.0);
            newest.push(written);
        }
        for (path, text) in newest {
            let done = guarded(|| file::write(&path, text.as_bytes()).map_err(|e| e.to_string()));
            if let Err(why) = done.and_then(|done| done) {
                // Nobody listens when the program ends.
                let _ = messages.send(Message::Warning(format!("the match is not saved: {why}")));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn end(writer: MatchWriter) {
        writer.finish(Instant::now() + Duration::from_secs(20));
    }

    #[test]
    fn the_newest_text_of_each_match_is_on_the_disk_at_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let [one, other] = ["a.mat", "b.mat"].map(|name| folder.path().join(name));
        let (messages, inbox) = unbounded();
        let writer = MatchWriter::start(messages);
        for i in 0..30 {
            writer.write(one.clone(), format!("a {i}"));
            writer.write(other.clone(), format!("b {i}"));
        }
        end(writer);
        assert_eq!(std::fs::read_to_string(one).unwrap(), "a 29");
        assert_eq!(std::fs::read_to_string(other).unwrap(), "b 29");
        assert!(inbox.is_empty());
    }

    #[test]
    fn a_disk_that_refuses_is_reported() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("file"), "").unwrap();
        let (messages, inbox) = unbounded();
        let writer = MatchWriter::start(messages);
        writer.write(folder.path().join("file").join("a.mat"), String::new());
        let told = inbox.recv_timeout(Duration::from_secs(20)).unwrap();
        assert!(matches!(told, Message::Warning(why) if why.contains("not saved")));
        end(writer);
    }
}
