//! Keeps the answers of the quiz in their file, and reads all cards once, by a thread of its own.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crossbeam_channel::Sender;

use crate::store::worker::Backend;
use crate::store::{StoreError, StoreWorker, StudyChange, StudyStore, UnsavedRecords};
use crate::tui::message::{Message, StoreName};

/// The thread that reads and writes answers.
pub struct StudyKeeper(StoreWorker<File>);

struct File {
    path: PathBuf,
    messages: Sender<Message>,
}

impl StudyKeeper {
    /// Starts the thread for the file at `path`; it sends all cards as soon as they can be read.
    #[must_use]
    pub fn start(path: PathBuf, messages: Sender<Message>) -> Self {
        let tell = StoreName::Study.teller(messages.clone());
        let file = File { path, messages };
        let worker = StoreWorker::start("study store", file, tell);
        worker.ask((), None);
        Self(worker)
    }

    /// Keeps an answer, or takes it back.
    pub fn keep(&self, change: StudyChange) {
        self.0.save(change);
    }

    /// Begins to end; see [`StoreWorker::end`].
    pub fn end(&self, deadline: Instant) {
        self.0.end(deadline);
    }

    /// Ends; answers how many answers could not be kept, and why.
    pub fn finish(&self, deadline: Instant) -> UnsavedRecords {
        let (left, why) = self.0.finish(deadline);
        UnsavedRecords {
            count: left.len(),
            why,
        }
    }
}

impl File {
    fn warn(&self, text: String) {
        // Nobody listens only when the program ends.
        let _ = self.messages.send(Message::Warning(text));
    }
}

impl Backend for File {
    type Record = StudyChange;
    type Query = ();

    fn is_same(one: &StudyChange, other: &StudyChange) -> bool {
        one.id == other.id
    }

    fn save(&mut self, change: &StudyChange, patience: Duration) -> Result<(), StoreError> {
        let mut store = StudyStore::open(&self.path, patience)?;
        store.change(change)?;
        store.news().into_iter().for_each(|news| self.warn(news));
        Ok(())
    }

    fn answer(
        &mut self,
        (): &(),
        _: &[Arc<StudyChange>],
        patience: Duration,
    ) -> Result<(), StoreError> {
        let cards = StudyStore::read(&self.path, patience, &mut |why| self.warn(why))?;
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        let micros = since.map_or(0, |d| i64::try_from(d.as_micros()).unwrap_or(i64::MAX));
        // Nobody listens only when the program ends.
        let _ = self.messages.send(Message::Study { cards, micros });
        Ok(())
    }

    fn is_late(&mut self, (): &(), why: &StoreError) {
        self.warn(format!("the cards of the quiz cannot be read yet: {why}"));
    }
}
