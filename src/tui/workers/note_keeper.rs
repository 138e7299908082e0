//! Keeps the user's notes and variations in their file, and finds those of a match, by a thread of its own.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::Sender;

use crate::store::worker::Backend;
use crate::store::{MatchFingerprint, NoteStore, Notes, StoreError, StoreWorker};
use crate::tui::message::{Message, StoreName};
use crate::tui::notes::{NoteChange, NoteContent};

/// The thread that reads and writes notes.
pub struct NoteKeeper(StoreWorker<File>);

struct File {
    path: PathBuf,
    messages: Sender<Message>,
    /// The notes as they were read or written last: another text in a place is another process's.
    known: HashMap<MatchFingerprint, Notes>,
}

struct NoteQuery {
    generation: u64,
    mark: MatchFingerprint,
}

impl NoteKeeper {
    /// Starts the thread for the file at `path`.
    #[must_use]
    pub fn start(path: PathBuf, messages: Sender<Message>) -> Self {
        let tell = StoreName::Notes.reporter(messages.clone());
        let file = File {
            path,
            messages,
            known: HashMap::new(),
        };
        Self(StoreWorker::start("note store", file, tell))
    }

    /// Keeps a note.
    pub fn keep(&self, note: NoteChange) {
        self.0.save(note);
    }

    /// Sends the notes of a match, as soon as they can be read.
    pub fn read(&self, generation: u64, mark: MatchFingerprint) {
        self.0.ask(NoteQuery { generation, mark }, None);
    }

    /// Begins to end; see [`StoreWorker::end`].
    pub fn end(&self, deadline: Instant) {
        self.0.end(deadline);
    }

    /// Ends; answers the notes that could not be kept, and why.
    pub fn finish(&self, deadline: Instant) -> (Vec<Arc<NoteChange>>, String) {
        self.0.finish(deadline)
    }
}

impl File {
    fn warn(&self, text: String) {
        // Nobody listens only when the program ends.
        let _ = self.messages.send(Message::Warning(text));
    }

    /// These notes have been read. What is not saved yet was written without them.
    fn learn(&mut self, mark: &MatchFingerprint, notes: &Notes, unsaved: &[Arc<NoteChange>]) {
        let before = self.known.remove(mark).unwrap_or_default();
        let mut known = notes.clone();
        for note in unsaved.iter().filter(|note| note.mark == *mark) {
            if let NoteContent::Note(_) = note.content {
                let text = before.get(&note.place).map_or("", String::as_str);
                put(&mut known, note.place, text);
            }
        }
        self.known.insert(mark.clone(), known);
    }

    /// Keeps a note, with what another process has kept in its place since.
    fn keep(
        &mut self,
        store: &mut NoteStore,
        note: &NoteChange,
        text: &str,
    ) -> Result<(), StoreError> {
        let known = self.known.entry(note.mark.clone()).or_default();
        let before = known.get(&note.place).map_or("", String::as_str);
        let both = store.keep_beside(&note.mark, note.place, text, before)?;
        put(known, note.place, both.as_deref().unwrap_or(text));
        let message = match both {
            Some(text) => Message::NoteJoined {
                mark: note.mark.clone(),
                place: note.place,
                text,
            },
            None => Message::NoteKept {
                is_removed: text.is_empty(),
            },
        };
        // Nobody listens only when the program ends.
        let _ = self.messages.send(message);
        Ok(())
    }
}

impl Backend for File {
    type Record = NoteChange;
    type Query = NoteQuery;

    fn is_same(one: &NoteChange, other: &NoteChange) -> bool {
        let kinds = [one, other].map(|note| std::mem::discriminant(&note.content));
        (&one.mark, one.place, kinds[0]) == (&other.mark, other.place, kinds[1])
    }

    fn save(&mut self, note: &NoteChange, timeout: Duration) -> Result<(), StoreError> {
        let mut store = NoteStore::open_within(&self.path, timeout)?;
        let kept = match &note.content {
            NoteContent::Note(text) => self.keep(&mut store, note, text),
            NoteContent::Variations(tree) => store.keep_variations(&note.mark, note.place, tree),
        };
        store.news().into_iter().for_each(|news| self.warn(news));
        kept
    }

    fn answer(
        &mut self,
        wanted: &NoteQuery,
        unsaved: &[Arc<NoteChange>],
        timeout: Duration,
    ) -> Result<(), StoreError> {
        let (mut notes, mut variations) =
            NoteStore::read_all(&self.path, &wanted.mark, timeout, &mut |news| {
                self.warn(news);
            })?;
        self.learn(&wanted.mark, &notes, unsaved);
        for note in unsaved
            .iter()
            .filter(|note| wanted.mark.continues(&note.mark))
        {
            match &note.content {
                NoteContent::Note(text) => put(&mut notes, note.place, text),
                NoteContent::Variations(tree) => {
                    let text = if tree.is_empty() {
                        String::new()
                    } else {
                        tree.to_json()
                    };
                    put(&mut variations, note.place, &text);
                }
            }
        }
        // Nobody listens only when the program ends.
        let _ = self.messages.send(Message::Notes {
            generation: wanted.generation,
            notes,
            variations,
        });
        Ok(())
    }

    fn is_late(&mut self, _: &NoteQuery, why: &StoreError) {
        self.warn(format!("notes cannot be read yet: {why}"));
    }
}

/// Puts a note in its place; an empty one removes what is there.
fn put(notes: &mut Notes, place: (usize, usize), text: &str) {
    if text.is_empty() {
        notes.remove(&place);
    } else {
        notes.insert(place, text.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::match_file::Match;
    use crossbeam_channel::{Receiver, unbounded};
    use rusqlite::Connection;

    struct Bench {
        keeper: NoteKeeper,
        received: Receiver<Message>,
        path: PathBuf,
        mark: MatchFingerprint,
        _folder: tempfile::TempDir,
    }

    impl Bench {
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("notes.sqlite");
            let (messages, received) = unbounded();
            Self {
                keeper: NoteKeeper::start(path.clone(), messages),
                received,
                path,
                mark: MatchFingerprint::of(&Match::default()),
                _folder: folder,
            }
        }

        fn keep(&self, event: usize, text: &str) {
            self.keeper.keep(NoteChange {
                mark: self.mark.clone(),
                place: (0, event),
                content: NoteContent::Note(text.into()),
                about: String::new(),
            });
        }

        fn next(&self) -> Message {
            self.received.recv_timeout(Duration::from_secs(20)).unwrap()
        }

        fn notes(&self) -> Vec<String> {
            self.keeper.read(1, self.mark.clone());
            loop {
                if let Message::Notes { notes, .. } = self.next() {
                    return notes.into_values().collect();
                }
            }
        }
    }

    #[test]
    fn a_note_of_another_process_stays_beside_the_new_one() {
        let bench = Bench::new();
        assert!(bench.notes().is_empty());
        let mut other = NoteStore::open(&bench.path).unwrap();
        other.keep(&bench.mark, (0, 1), "from A").unwrap();
        bench.keep(1, "from B");
        let joined = bench.next();
        assert!(
            matches!(&joined, Message::NoteJoined { place: (0, 1), text, .. } if text == "from A / from B"),
            "{joined:?}"
        );
        // What was read or kept here is known, and replaced.
        for text in ["shorter", ""] {
            bench.keep(1, text);
            assert!(matches!(bench.next(), Message::NoteKept { .. }));
        }
        other.keep(&bench.mark, (0, 2), "read").unwrap();
        assert_eq!(bench.notes(), ["read"]);
        bench.keep(2, "replaced");
        assert!(matches!(bench.next(), Message::NoteKept { .. }));
        assert_eq!(bench.notes(), ["replaced"]);
    }

    /// Another process that writes for long.
    #[test]
    fn a_locked_file_holds_up_nothing_and_loses_nothing() {
        let bench = Bench::new();
        bench.keep(0, "first");
        assert!(matches!(
            bench.next(),
            Message::NoteKept { is_removed: false }
        ));
        let other = Connection::open(&bench.path).unwrap();
        other.execute_batch("BEGIN IMMEDIATE").unwrap();
        let begin = Instant::now();
        bench.keep(1, "second");
        bench.keep(2, "third");
        assert!(begin.elapsed() < Duration::from_millis(100));
        loop {
            let Message::Unsaved { store, unsaved } = bench.next() else {
                panic!("nothing was saved");
            };
            assert_eq!(store, StoreName::Notes);
            assert!(unsaved.why.contains("locked"), "{unsaved:?}");
            if unsaved.count == 2 {
                break;
            }
        }
        // Reading does not wait for a writer, and knows what is not saved.
        assert_eq!(bench.notes(), ["first", "second", "third"]);
        let (left, _) = NoteKeeper::finish(&bench.keeper, Instant::now());
        assert_eq!(left.len(), 2);
        drop(other);
    }

    #[test]
    fn what_waited_is_saved_when_the_lock_is_gone() {
        let bench = Bench::new();
        bench.keep(0, "first");
        assert!(matches!(bench.next(), Message::NoteKept { .. }));
        let other = Connection::open(&bench.path).unwrap();
        other.execute_batch("BEGIN EXCLUSIVE").unwrap();
        bench.keep(1, "second");
        bench.keeper.read(1, bench.mark.clone());
        // Neither can be done now; both are said.
        let mut said = [false; 2];
        while said.contains(&false) {
            match bench.next() {
                Message::Unsaved { unsaved, .. } => said[0] = unsaved.count == 1,
                Message::Warning(text) => said[1] = text.contains("cannot be read yet"),
                other => panic!("{other:?}"),
            }
        }
        other.execute_batch("COMMIT").unwrap();
        let mut done = [false; 3];
        while done.contains(&false) {
            match bench.next() {
                Message::Unsaved { unsaved, .. } => done[0] = unsaved.count == 0,
                Message::NoteKept { .. } => done[1] = true,
                Message::Notes { notes, .. } => done[2] = notes.len() == 2,
                other => panic!("{other:?}"),
            }
        }
    }

    #[test]
    fn a_folder_that_comes_back_gets_what_waited() {
        let folder = tempfile::tempdir().unwrap();
        // A file where the folder should be.
        let taken = folder.path().join("data");
        std::fs::write(&taken, "x").unwrap();
        let (messages, received) = unbounded();
        let keeper = NoteKeeper::start(taken.join("notes.sqlite"), messages);
        let mark = MatchFingerprint::of(&Match::default());
        keeper.keep(NoteChange {
            mark: mark.clone(),
            place: (0, 0),
            content: NoteContent::Note("kept".into()),
            about: String::new(),
        });
        let wait = Duration::from_secs(20);
        let first = received.recv_timeout(wait).unwrap();
        assert!(matches!(first, Message::Unsaved { ref unsaved, .. } if unsaved.count == 1));
        std::fs::remove_file(&taken).unwrap();
        let second = received.recv_timeout(wait).unwrap();
        assert!(matches!(second, Message::NoteKept { .. }), "{second:?}");
        let notes = NoteStore::read(&taken.join("notes.sqlite"), &mark, wait).unwrap();
        assert_eq!(notes.len(), 1);
    }
}
