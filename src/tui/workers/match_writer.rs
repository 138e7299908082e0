//! Writes the file of a played match on a separate thread, because disks may be slow.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crossbeam_channel::Sender;

use super::in_background;
use crate::match_file::{self, write::Target};
use crate::panics::guarded;
use crate::store::worker::Backend;
use crate::store::{StoreError, StoreWorker, UserFolders, file, today};
use crate::tui::documents::new_match::NewMatch;
use crate::tui::documents::played_match::{MovedMatch, WrittenMatch};
use crate::tui::documents::store_name::StoreName;
use crate::tui::message::{Message, Tell as _};

/// The writing thread. Failed writes are retried.
pub struct MatchWriter(StoreWorker<Files>);

struct Files {
    known: MatchFiles,
    messages: Sender<Message>,
}

impl MatchWriter {
    pub fn start(messages: Sender<Message>) -> Self {
        let tell = StoreName::Matches.reporter(messages.clone());
        let known = MatchFiles::default();
        Self(StoreWorker::start("match", Files { known, messages }, tell))
    }

    /// Replaces the file of a match; messages report whether a write is pending.
    pub fn write(&self, written: WrittenMatch) {
        self.0.save(written);
    }

    /// Ends the thread after a last attempt or at the deadline. Returns a message about an unwritten match.
    pub fn finish(self, deadline: Instant) -> Option<String> {
        let (lost, why) = self.0.finish(deadline);
        let name = lost.first()?.file.path.display().to_string();
        // Most reasons contain the file name already.
        Some(match why.contains(&name) {
            true => format!("the match {why}"),
            false => format!("the match {name}: {why}"),
        })
    }
}

impl Backend for Files {
    type Record = WrittenMatch;
    type Query = ();

    /// Returns whether two texts are of the same match; only the newer whole match needs writing.
    fn is_same(one: &WrittenMatch, other: &WrittenMatch) -> bool {
        one.file.number == other.file.number
    }

    fn save(&mut self, written: &WrittenMatch, _: Duration) -> Result<(), StoreError> {
        if let Some(moved) = self.known.save(written)? {
            self.messages.tell(Message::MatchMoved(moved));
        }
        Ok(())
    }

    fn answer(
        &mut self,
        (): &(),
        _: &[std::sync::Arc<WrittenMatch>],
        _: Duration,
    ) -> Result<(), StoreError> {
        Ok(())
    }
}

/// The files of played matches with their last written content, so that other programs' changes are not overwritten.
#[derive(Default)]
pub struct MatchFiles(HashMap<u64, LastWrite>);

/// Path and text of the last write of a match.
struct LastWrite {
    path: PathBuf,
    text: String,
}

impl MatchFiles {
    /// Writes a match to its file. If another program has changed that file, writes to a new file in its folder, now
    /// and later; the result then names it.
    ///
    /// # Errors
    /// [`StoreError`] if it could not be written.
    pub fn save(&mut self, written: &WrittenMatch) -> Result<Option<MovedMatch>, StoreError> {
        let WrittenMatch { file: own, text } = written;
        let last = self.0.get(&own.number);
        let from = last.map_or(&own.path, |last| &last.path).clone();
        let moved = match self.is_free(&from, written)? {
            true => file::write(&from, text.as_bytes()).map(|()| None)?,
            false => Some(file::write_beside(&from, text.as_bytes())?),
        };
        let last = LastWrite {
            path: moved.as_ref().unwrap_or(&from).clone(),
            text: text.clone(),
        };
        self.0.insert(own.number, last);
        Ok(moved.map(|to| MovedMatch {
            number: own.number,
            from,
            to,
        }))
    }

    /// Returns whether `path` may be written: its content was written or read for this match.
    fn is_free(&self, path: &Path, written: &WrittenMatch) -> Result<bool, StoreError> {
        let there = match file::read(path, file::LIMIT) {
            Ok(there) => there,
            Err(error) if error.is_missing() => return Ok(true),
            Err(StoreError::TooLarge { .. }) => return Ok(false),
            Err(why) => return Err(why),
        };
        let is_own = match self.0.get(&written.file.number) {
            Some(last) => there == last.text.as_bytes(),
            None => as_written(&there).is_some_and(|text| text == *written.file.read),
        };
        Ok(is_own || there == written.text.as_bytes())
    }
}

/// Converts the bytes of a match to written form.
fn as_written(bytes: &[u8]) -> Option<String> {
    let read = guarded(|| match_file::read_bytes(bytes, "the match")).ok()?;
    Some(Target::Mat.write(&read.ok()?))
}

/// Writes a new match to a file in `folder`, or in the user's folder of matches; a message names the file.
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

#[cfg(test)]
mod tests {
    use std::fs;

    use crossbeam_channel::{Receiver, unbounded};

    use super::*;
    use crate::store::UnsavedRecords;
    use crate::tui::documents::played_match::PlayedFile;

    const LONG: Duration = Duration::from_secs(20);

    /// A writer, and a file with a match without actions.
    struct Bench {
        writer: MatchWriter,
        received: Receiver<Message>,
        folder: tempfile::TempDir,
        begun: String,
    }

    impl Bench {
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            let begun = Target::Mat.write(&NewMatch::usual(7).record());
            fs::write(folder.path().join("m.mat"), &begun).unwrap();
            let (messages, received) = unbounded();
            Self {
                writer: MatchWriter::start(messages),
                received,
                folder,
                begun,
            }
        }

        fn path(&self, name: &str) -> PathBuf {
            self.folder.path().join(name)
        }

        fn text(&self, name: &str) -> String {
            fs::read_to_string(self.path(name)).unwrap()
        }

        fn write(&self, number: u64, name: &str, text: &str) {
            let file = PlayedFile {
                number,
                path: self.path(name),
                read: self.begun.as_str().into(),
            };
            let text = text.to_owned();
            self.writer.write(WrittenMatch { file, text });
        }

        /// Waits until everything is written.
        fn wait(&self) {
            let begun = Instant::now();
            while !self.writer.0.is_saved() {
                assert!(begun.elapsed() < LONG, "it is not written");
                std::thread::sleep(Duration::from_millis(2));
            }
        }

        fn moved(&self) -> [String; 2] {
            match self.received.recv_timeout(LONG).unwrap() {
                Message::MatchMoved(moved) => [moved.from, moved.to]
                    .map(|path| path.file_name().unwrap().to_str().unwrap().to_owned()),
                other => panic!("{other:?}"),
            }
        }

        fn unsaved(&self) -> UnsavedRecords {
            match self.received.recv_timeout(LONG).unwrap() {
                Message::Unsaved { store, unsaved } => {
                    assert_eq!(store, StoreName::Matches);
                    unsaved
                }
                other => panic!("{other:?}"),
            }
        }

        fn end(self) -> Option<String> {
            self.writer.finish(Instant::now() + LONG)
        }
    }

    #[test]
    fn the_newest_text_of_each_match_is_on_the_disk_at_the_end() {
        let bench = Bench::new();
        for i in 0..30 {
            bench.write(1, "m.mat", &format!("a {i}"));
            bench.write(2, "n.mat", &format!("b {i}"));
        }
        let Bench {
            writer,
            received,
            folder,
            ..
        } = bench;
        assert_eq!(writer.finish(Instant::now() + LONG), None);
        let text = |name| fs::read_to_string(folder.path().join(name)).unwrap();
        assert_eq!([text("m.mat"), text("n.mat")], ["a 29", "b 29"]);
        assert!(received.is_empty());
    }

    #[test]
    fn what_another_program_has_written_stays() {
        let bench = Bench::new();
        bench.write(1, "m.mat", "a 1");
        bench.wait();
        bench.write(1, "m.mat", "a 2");
        bench.wait();
        assert_eq!(bench.text("m.mat"), "a 2");
        // A second instance has read the original file.
        bench.write(2, "m.mat", "b 1");
        assert_eq!(bench.moved(), ["m.mat", "m-2.mat"]);
        bench.write(2, "m.mat", "b 2");
        bench.write(1, "m.mat", "a 3");
        bench.wait();
        assert_eq!([bench.text("m.mat"), bench.text("m-2.mat")], ["a 3", "b 2"]);
        fs::write(bench.path("m.mat"), "of an editor").unwrap();
        bench.write(1, "m.mat", "a 4");
        assert_eq!(bench.moved(), ["m.mat", "m-3.mat"]);
        bench.wait();
        assert_eq!(bench.text("m.mat"), "of an editor");
        assert_eq!(bench.text("m-3.mat"), "a 4");
        assert!(bench.received.is_empty(), "it is said once");
    }

    #[test]
    fn a_file_that_was_changed_before_the_first_action_stays() {
        let bench = Bench::new();
        fs::write(bench.path("m.mat"), "of an editor").unwrap();
        bench.write(1, "m.mat", "a 1");
        assert_eq!(bench.moved(), ["m.mat", "m-2.mat"]);
        assert_eq!(bench.text("m.mat"), "of an editor");
    }

    #[test]
    fn a_file_that_says_the_same_in_other_bytes_is_written() {
        let bench = Bench::new();
        let ends = bench.begun.replace('\n', "\r\n");
        fs::write(bench.path("m.mat"), ends).unwrap();
        bench.write(1, "m.mat", "a 1");
        bench.wait();
        assert_eq!(bench.text("m.mat"), "a 1");
    }

    #[test]
    fn a_file_that_was_deleted_is_written_again() {
        let bench = Bench::new();
        for text in ["a 1", "a 2"] {
            fs::remove_file(bench.path("m.mat")).unwrap();
            bench.write(1, "m.mat", text);
            bench.wait();
            assert_eq!(bench.text("m.mat"), text);
        }
        assert!(bench.received.is_empty());
    }

    #[test]
    fn a_match_that_waits_is_written_once_there_is_room() {
        let bench = Bench::new();
        fs::write(bench.path("taken"), "").unwrap();
        bench.write(1, "taken/a.mat", "a 1");
        let unsaved = bench.unsaved();
        assert_eq!(unsaved.count, 1, "{unsaved:?}");
        bench.write(1, "taken/a.mat", "a 2");
        fs::remove_file(bench.path("taken")).unwrap();
        assert_eq!(bench.unsaved().count, 0);
        // The current round may have written the former text.
        bench.wait();
        assert_eq!(bench.text("taken/a.mat"), "a 2");
    }

    #[test]
    fn a_match_that_is_lost_is_named_at_the_end() {
        let bench = Bench::new();
        fs::write(bench.path("taken"), "").unwrap();
        bench.write(1, "taken/a.mat", "a 1");
        let lost = bench.end().expect("it cannot be written");
        assert!(
            lost.starts_with("the match ") && lost.contains("a.mat: "),
            "{lost}"
        );
    }
}
