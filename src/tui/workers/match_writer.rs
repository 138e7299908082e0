//! Writes the file of a match that is being played, by a thread of its own: a slow disk holds nobody up.

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

/// The thread that writes. What it cannot write it tries again.
pub struct MatchWriter(StoreWorker<Files>);

struct Files {
    known: MatchFiles,
    messages: Sender<Message>,
}

impl MatchWriter {
    /// Starts the thread that writes.
    pub fn start(messages: Sender<Message>) -> Self {
        let tell = StoreName::Matches.reporter(messages.clone());
        let known = MatchFiles::default();
        Self(StoreWorker::start("match", Files { known, messages }, tell))
    }

    /// Has the file of a match replaced by a text; messages tell whether one waits to be written.
    pub fn write(&self, written: WrittenMatch) {
        self.0.save(written);
    }

    /// Ends the thread once it has tried what waits, or when the time is over. Answers what could not be written, in
    /// words.
    pub fn finish(self, deadline: Instant) -> Option<String> {
        let (lost, why) = self.0.finish(deadline);
        let name = lost.first()?.file.path.display().to_string();
        // Most reasons name the file themselves.
        Some(match why.contains(&name) {
            true => format!("the match {why}"),
            false => format!("the match {name}: {why}"),
        })
    }
}

impl Backend for Files {
    type Record = WrittenMatch;
    type Query = ();

    /// Whether two texts are of the same match: each is a whole match, of which the newest is enough.
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

/// The files of matches that are played: what was written to them, so that nothing of another program is overwritten.
#[derive(Default)]
pub struct MatchFiles(HashMap<u64, LastWrite>);

/// Where a match was written last, and what.
struct LastWrite {
    path: PathBuf,
    text: String,
}

impl MatchFiles {
    /// Writes a match to its file. If another program has changed that, it goes to another file beside it, also later;
    /// the answer says so.
    ///
    /// # Errors
    /// [`StoreError`] if it is not written.
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

    /// Whether `path` may be written, as nothing of another program is overwritten: what is there was written
    /// or read for this match.
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

/// The match of these bytes, written again.
fn as_written(bytes: &[u8]) -> Option<String> {
    let read = guarded(|| match_file::read_bytes(bytes, "the match")).ok()?;
    Some(Target::Mat.write(&read.ok()?))
}

/// Writes a new match that is to be played or transcribed to a file in `folder`, or in that of the user's matches; a message
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

#[cfg(test)]
mod tests {
    use std::fs;

    use crossbeam_channel::{Receiver, unbounded};

    use super::*;
    use crate::store::UnsavedRecords;
    use crate::tui::documents::played_match::PlayedFile;

    const LONG: Duration = Duration::from_secs(20);

    /// A thread, a match without actions in a file, and the text of it.
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

        /// Waits until all is written that was to be.
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
        // A second copy has read the file as it was at the start.
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
        // A round under way may have written what was there before.
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
