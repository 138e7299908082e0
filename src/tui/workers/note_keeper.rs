//! Stores notes and variations, and finds those of a match, on a separate thread.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::Sender;

use crate::match_file::EventPlace;
use crate::store::worker::Backend;
use crate::store::{KeptNotes, MatchFingerprint, NoteStore, StoreError, StoreWorker};
use crate::tui::documents::notes::{JoinedNote, NoteChange, NoteContent};
use crate::tui::documents::store_name::StoreName;
use crate::tui::message::{Message, Tell as _};

pub struct NoteKeeper(StoreWorker<File>);

struct File {
    path: PathBuf,
    messages: Sender<Message>,
}

struct NoteQuery {
    generation: u64,
    mark: MatchFingerprint,
}

impl NoteKeeper {
    /// Starts the thread for the file at `path`.
    pub fn start(path: PathBuf, messages: Sender<Message>) -> Self {
        let tell = StoreName::Notes.reporter(messages.clone());
        let file = File { path, messages };
        Self(StoreWorker::start("note store", file, tell))
    }

    pub fn keep(&self, note: NoteChange) {
        self.0.save(note);
    }

    /// Sends the notes of a match as soon as they can be read.
    pub fn read(&self, generation: u64, mark: MatchFingerprint) {
        self.0.ask(NoteQuery { generation, mark }, None);
    }

    /// Starts shutting down; see [`StoreWorker::end`].
    pub fn end(&self, deadline: Instant) {
        self.0.end(deadline);
    }

    /// Shuts down. Returns the unsaved notes, and the reason.
    pub fn finish(&self, deadline: Instant) -> (Vec<Arc<NoteChange>>, String) {
        self.0.finish(deadline)
    }
}

impl File {
    /// Stores a note, joined with unseen text of another process.
    fn keep(
        &self,
        store: &mut NoteStore,
        note: &NoteChange,
        text: &str,
        known: &[String],
    ) -> Result<(), StoreError> {
        let both = store.keep_beside(&note.mark, note.place, text, known)?;
        let message = match both {
            Some(both) => Message::NoteJoined(JoinedNote {
                mark: note.mark.clone(),
                place: note.place,
                sent: text.to_owned(),
                text: both,
                about: note.about.clone(),
            }),
            // It was not written just now.
            None if note.is_carried => return Ok(()),
            None => Message::NoteKept {
                is_removed: text.is_empty(),
            },
        };
        self.messages.tell(message);
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

    /// Adds texts seen before the older note to those seen before the newer one.
    fn take_over(new: &mut NoteChange, old: &NoteChange) {
        if let NoteContent::Note { known, .. } = &mut new.content
            && let NoteContent::Note { known: before, .. } = &old.content
        {
            known.extend_from_slice(before);
        }
    }

    fn save(&mut self, note: &NoteChange, timeout: Duration) -> Result<(), StoreError> {
        let mut store = NoteStore::open_within(&self.path, timeout)?;
        match &note.content {
            NoteContent::Note { text, known } => self.keep(&mut store, note, text, known),
            NoteContent::Variations(tree) => store.keep_variations(&note.mark, note.place, tree),
        }
    }

    fn answer(
        &mut self,
        wanted: &NoteQuery,
        unsaved: &[Arc<NoteChange>],
        timeout: Duration,
    ) -> Result<(), StoreError> {
        let kept = NoteStore::read_all(&self.path, &wanted.mark, timeout)?;
        let KeptNotes {
            mut notes,
            mut variations,
        } = kept;
        for note in unsaved
            .iter()
            .filter(|note| wanted.mark.continues(&note.mark))
        {
            match &note.content {
                NoteContent::Note { text, .. } => set_text(&mut notes, note.place, text),
                NoteContent::Variations(tree) => {
                    let text = if tree.is_empty() {
                        String::new()
                    } else {
                        tree.to_json()
                    };
                    set_text(&mut variations, note.place, &text);
                }
            }
        }
        self.messages.tell(Message::Notes {
            generation: wanted.generation,
            notes,
            variations,
        });
        Ok(())
    }

    fn note_late(&mut self, _: &NoteQuery, why: &StoreError) {
        self.messages
            .warn(format!("notes cannot be read yet: {why}"));
    }
}

/// Sets the text of a place; an empty text removes it.
fn set_text(texts: &mut BTreeMap<EventPlace, String>, place: EventPlace, text: &str) {
    if text.is_empty() {
        texts.remove(&place);
    } else {
        texts.insert(place, text.to_owned());
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
            self.keep_over(event, text, "");
        }

        /// By a user who has seen the text `known`.
        fn keep_over(&self, event: usize, text: &str, known: &str) {
            self.keeper.keep(change(&self.mark, event, text, known));
        }

        fn is_joined(&self, event: usize, both: &str) {
            match self.next() {
                Message::NoteJoined(JoinedNote { place, text, .. }) => {
                    assert_eq!((place, text.as_str()), ((0, event), both));
                }
                other => panic!("{other:?}"),
            }
        }

        fn is_kept(&self) {
            let message = self.next();
            assert!(matches!(message, Message::NoteKept { .. }), "{message:?}");
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

    fn change(mark: &MatchFingerprint, event: usize, text: &str, known: &str) -> NoteChange {
        NoteChange {
            mark: mark.clone(),
            place: (0, event),
            content: NoteContent::Note {
                text: text.into(),
                known: vec![known.into()],
            },
            about: String::new(),
            is_carried: false,
        }
    }

    #[test]
    fn a_note_of_another_process_stays_beside_the_new_one() {
        let bench = Bench::new();
        assert!(bench.notes().is_empty());
        let mut other = NoteStore::open(&bench.path).unwrap();
        other.keep(&bench.mark, (0, 1), "from A").unwrap();
        bench.keep(1, "from B");
        bench.is_joined(1, "from A / from B");
        // The user wrote again without having seen the other text.
        bench.keep_over(1, "and on", "from B");
        bench.is_joined(1, "from A / from B / and on");
        // Seen text is replaced.
        bench.keep_over(1, "shorter", "from A / from B / and on");
        bench.is_kept();
        bench.keep_over(1, "", "shorter");
        bench.is_kept();
        // It was read, but only after the window had opened.
        other.keep(&bench.mark, (0, 2), "read").unwrap();
        assert_eq!(bench.notes(), ["read"]);
        bench.keep(2, "new");
        bench.is_joined(2, "read / new");
        bench.keep_over(2, "replaced", "read / new");
        bench.is_kept();
        assert_eq!(bench.notes(), ["replaced"]);
    }

    /// Of two pending changes only the newer is saved: it replaces the older one's text.
    #[test]
    fn a_note_that_waits_is_replaced_by_its_writer() {
        let bench = Bench::new();
        bench.keep(1, "old");
        bench.is_kept();
        let other = Connection::open(&bench.path).unwrap();
        other.execute_batch("BEGIN IMMEDIATE").unwrap();
        bench.keep_over(1, "new", "old");
        let waits = bench.next();
        assert!(matches!(waits, Message::Unsaved { .. }), "{waits:?}");
        bench.keep_over(1, "newer", "new");
        other.execute_batch("COMMIT").unwrap();
        while !matches!(bench.next(), Message::NoteKept { .. }) {}
        assert_eq!(bench.notes(), ["newer"]);
    }

    /// Stored under the mark of the shorter match, and replaced under the mark of the longer one.
    #[test]
    fn a_note_follows_its_match_that_grows_while_it_waits() {
        let text = include_bytes!("../../../tests/fixtures/mat/three_points.mat");
        let mut record = crate::match_file::read_bytes(text, "x.mat").unwrap();
        record.games.truncate(1);
        let longer = MatchFingerprint::of(&record);
        record.games[0].events.truncate(2);
        let mark = MatchFingerprint::of(&record);
        assert!(longer != mark && longer.continues(&mark));
        let bench = Bench::new();
        let other = NoteStore::open(&bench.path).unwrap();
        let lock = Connection::open(&bench.path).unwrap();
        lock.execute_batch("BEGIN IMMEDIATE").unwrap();
        bench.keeper.keep(change(&mark, 1, "mine", ""));
        bench
            .keeper
            .keep(change(&longer, 1, "mine, better", "mine"));
        lock.execute_batch("COMMIT").unwrap();
        let mut kept = 0;
        while kept < 2 {
            let message = bench.next();
            assert!(!matches!(message, Message::NoteJoined(_)), "{message:?}");
            kept += usize::from(matches!(message, Message::NoteKept { .. }));
        }
        let notes = other.notes(&longer).unwrap();
        assert_eq!(notes[&(0, 1)], "mine, better");
    }

    /// Another process writes for a long time.
    #[test]
    fn a_locked_file_holds_up_nothing_and_loses_nothing() {
        let bench = Bench::new();
        bench.keep(0, "first");
        bench.is_kept();
        let other = Connection::open(&bench.path).unwrap();
        other.execute_batch("BEGIN IMMEDIATE").unwrap();
        // Best of several times: a busy machine may delay any single one.
        let is_quick = (0..5).any(|_| {
            let begin = Instant::now();
            bench.keep(1, "second");
            bench.keep(2, "third");
            begin.elapsed() < Duration::from_millis(100)
        });
        assert!(is_quick);
        loop {
            let Message::Unsaved { store, unsaved } = bench.next() else {
                panic!("nothing was saved");
            };
            assert_eq!(store, StoreName::Notes);
            assert_has!(unsaved.why, "locked");
            if unsaved.count == 2 {
                break;
            }
        }
        // Reading does not wait for a writer, and includes unsaved notes.
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
        // Neither is possible now; both are reported.
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
        // A file in the place of the folder.
        let taken = folder.path().join("data");
        std::fs::write(&taken, "x").unwrap();
        let (messages, received) = unbounded();
        let keeper = NoteKeeper::start(taken.join("notes.sqlite"), messages);
        let mark = MatchFingerprint::of(&Match::default());
        keeper.keep(change(&mark, 0, "kept", ""));
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
