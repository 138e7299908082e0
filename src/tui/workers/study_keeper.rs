//! Keeps the answers of the quiz in their file, and reads all cards once, by a thread of its own.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crossbeam_channel::Sender;

use crate::store::worker::Backend;
use crate::store::{
    StoreError, StoreWorker, StudyChange, StudyStore, UnsavedRecords, library_decisions,
};
use crate::study::deck;
use crate::tui::message::{Message, StoreName};
use crate::tui::quiz::LibraryQuiz;

/// The thread that reads and writes answers.
pub struct StudyKeeper(StoreWorker<File>);

/// What is looked up.
pub enum StudyQuery {
    /// All cards.
    Cards,
    /// What of the library is to be asked.
    Library(LibraryQuiz),
}

struct File {
    path: PathBuf,
    library: PathBuf,
    messages: Sender<Message>,
}

impl StudyKeeper {
    /// Starts the thread for the file at `path` and the library beside it; it sends all cards as soon as they
    /// can be read.
    #[must_use]
    pub fn start(path: PathBuf, library: PathBuf, messages: Sender<Message>) -> Self {
        let tell = StoreName::Study.reporter(messages.clone());
        let file = File {
            path,
            library,
            messages,
        };
        let worker = StoreWorker::start("study store", file, tell);
        worker.ask(StudyQuery::Cards, None);
        Self(worker)
    }

    /// Keeps an answer, or takes it back.
    pub fn keep(&self, change: StudyChange) {
        self.0.save(change);
    }

    /// Finds what of the library is to be asked.
    pub fn find(&self, wanted: LibraryQuiz) {
        self.0.ask(StudyQuery::Library(wanted), None);
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
    type Query = StudyQuery;

    fn is_same(one: &StudyChange, other: &StudyChange) -> bool {
        one.id == other.id
    }

    fn save(&mut self, change: &StudyChange, timeout: Duration) -> Result<(), StoreError> {
        let mut store = StudyStore::open(&self.path, timeout)?;
        store.change(change)?;
        store.news().into_iter().for_each(|news| self.warn(news));
        Ok(())
    }

    fn answer(
        &mut self,
        query: &StudyQuery,
        unsaved: &[Arc<StudyChange>],
        timeout: Duration,
    ) -> Result<(), StoreError> {
        let mut cards = StudyStore::read(&self.path, timeout, &mut |why| self.warn(why))?;
        if let StudyQuery::Library(wanted) = query {
            // What waits to be kept was asked all the same.
            cards.extend(unsaved.iter().map(|change| change.card.clone()));
            let all =
                library_decisions(&self.library, (None, &wanted.filter), timeout, &mut |why| {
                    self.warn(why)
                })?;
            let LibraryQuiz {
                today, least, seed, ..
            } = *wanted;
            let decisions = deck::of_library(all, (&cards, today), least, seed);
            // Nobody listens only when the program ends.
            let _ = self.messages.send(Message::LibraryQuiz {
                wanted: wanted.clone(),
                decisions,
            });
            return Ok(());
        }
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        let micros = since.map_or(0, |d| i64::try_from(d.as_micros()).unwrap_or(i64::MAX));
        // Nobody listens only when the program ends.
        let _ = self.messages.send(Message::Study { cards, micros });
        Ok(())
    }

    fn is_late(&mut self, _: &StudyQuery, why: &StoreError) {
        self.warn(format!("the quiz cannot be read yet: {why}"));
    }
}
