//! Keeps the answers of the quiz in their file, and reads all cards once, by a thread of its own.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crossbeam_channel::Sender;

use crate::rollout::Setup;
use crate::store::worker::Backend;
use crate::store::{
    LibraryChoice, StoreError, StoreWorker, StudyChange, StudyNotes, StudyStore, UnsavedRecords,
    library_decisions, put_rollouts_beside, put_rollouts_beside_cards,
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

/// The files that it works on.
pub struct StudyFiles {
    /// The answers.
    pub answers: PathBuf,
    /// The library.
    pub library: PathBuf,
    /// The rollouts.
    pub rollouts: PathBuf,
}

struct File {
    files: StudyFiles,
    /// What rollouts are played with.
    setup: Setup,
    messages: Sender<Message>,
}

impl StudyKeeper {
    /// Starts the thread for these files; it sends all cards as soon as they can be read. Rollouts count that `setup`
    /// would play alike.
    #[must_use]
    pub fn start(files: StudyFiles, setup: Setup, messages: Sender<Message>) -> Self {
        let tell = StoreName::Study.reporter(messages.clone());
        let file = File {
            files,
            setup,
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

    /// The notes on what is asked; without them it is asked all the same.
    fn notes(&self, timeout: Duration) -> StudyNotes {
        StudyNotes::read(&self.files.library, timeout).unwrap_or_else(|why| {
            self.warn(format!("notes are left out: {why}"));
            StudyNotes::default()
        })
    }

    /// Says why no rollout counts, where they cannot be read; all is asked nevertheless.
    fn without_rollouts(&self, read: Result<(), StoreError>) {
        if let Err(why) = read {
            self.warn(format!("the quiz goes by lookahead alone: {why}"));
        }
    }
}

impl Backend for File {
    type Record = StudyChange;
    type Query = StudyQuery;

    fn is_same(one: &StudyChange, other: &StudyChange) -> bool {
        one.id == other.id
    }

    fn save(&mut self, change: &StudyChange, timeout: Duration) -> Result<(), StoreError> {
        let mut store = StudyStore::open(&self.files.answers, timeout)?;
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
        let mut cards = StudyStore::read(&self.files.answers, timeout, &mut |why| self.warn(why))?;
        if let StudyQuery::Library(wanted) = query {
            // What waits to be kept was asked all the same.
            cards.extend(unsaved.iter().map(|change| change.card.clone()));
            let library = &self.files.library;
            let choice = LibraryChoice {
                whose: None,
                filter: &wanted.filter,
                with_right: wanted.least > 0.0,
            };
            let mut all = library_decisions(library, &choice, timeout, &mut |why| self.warn(why))?;
            let rollouts = &self.files.rollouts;
            self.without_rollouts(put_rollouts_beside(
                rollouts,
                &self.setup,
                &mut all,
                timeout,
            ));
            let LibraryQuiz {
                today, least, seed, ..
            } = *wanted;
            let mut decisions = deck::of_library(all, (&cards, today), least, seed);
            self.notes(timeout).put_beside(&mut decisions);
            // Nobody listens only when the program ends.
            let _ = self.messages.send(Message::LibraryQuiz {
                wanted: wanted.clone(),
                decisions,
            });
            return Ok(());
        }
        if !cards.is_empty() {
            self.notes(timeout).put_beside_cards(&mut cards);
            let rollouts = &self.files.rollouts;
            self.without_rollouts(put_rollouts_beside_cards(
                rollouts,
                &self.setup,
                &mut cards,
                timeout,
            ));
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
