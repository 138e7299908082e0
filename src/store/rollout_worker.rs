//! The file of rollouts in the background: of each rollout the newest save is kept until the file has
//! it, and is found even before.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::{Sender, bounded};

use super::worker::{Backend, StoreWorker, Unsaved};
use super::{RolloutKey, RolloutStore, Shown, StoreError};
use crate::rollout::Progress;

/// The thread that saves and finds rollouts.
pub struct RolloutWorker {
    worker: StoreWorker<File>,
    path: PathBuf,
}

struct File(PathBuf);

struct Record {
    key: RolloutKey,
    shown: Shown,
    progress: Progress,
}

/// Which rollout is wanted, and where the answer goes.
struct Wanted {
    key: RolloutKey,
    answer: Sender<Result<Option<Progress>, String>>,
}

impl RolloutWorker {
    /// Starts the thread for the file at `path`; `tell` hears how many rollouts are not saved, and why,
    /// whenever that changes.
    #[must_use]
    pub fn start(path: PathBuf, tell: impl FnMut(&Unsaved) + Send + 'static) -> Self {
        Self {
            worker: StoreWorker::start("rollout store", File(path.clone()), tell),
            path,
        }
    }

    /// Saves how far a rollout has come.
    pub fn save(&self, key: RolloutKey, shown: Shown, progress: Progress) {
        self.worker.save(Record {
            key,
            shown,
            progress,
        });
    }

    /// How far the rollout with this key came before, if there is one. Waits, but no longer than
    /// `patience`: not for the thread of a screen.
    ///
    /// # Errors
    /// Why the file cannot be read, in a line.
    pub fn find(&self, key: RolloutKey, patience: Duration) -> Result<Option<Progress>, String> {
        let (answer, answered) = bounded(2);
        let until = Instant::now() + patience;
        self.worker.ask(Wanted { key, answer }, Some(until));
        let mut why = "the disk does not answer".to_owned();
        loop {
            match answered.recv_deadline(until) {
                Ok(Ok(found)) => return Ok(found),
                Ok(Err(late)) => why = late,
                Err(_) => return Err(why),
            }
        }
    }

    /// Whether there may be a rollout: there is a file, or something waits to be saved.
    #[must_use]
    pub fn may_hold(&self) -> bool {
        self.path.exists() || !self.worker.is_saved()
    }

    /// Begins to end; see [`StoreWorker::end`].
    pub fn end(&self, deadline: Instant) {
        self.worker.end(deadline);
    }

    /// Ends: saves what waits, until `deadline` at most, and answers how many rollouts could not be
    /// saved, and why.
    pub fn finish(&self, deadline: Instant) -> Unsaved {
        let (left, why) = self.worker.finish(deadline);
        Unsaved {
            count: left.len(),
            why,
        }
    }
}

impl Backend for File {
    type Record = Record;
    type Query = Wanted;

    fn is_same(one: &Record, other: &Record) -> bool {
        one.key == other.key
    }

    fn is_outdated(new: &Record, old: &Record) -> bool {
        new.progress.trials() < old.progress.trials()
    }

    fn save(&mut self, record: &Record, patience: Duration) -> Result<(), StoreError> {
        let mut store = RolloutStore::open_within(&self.0, patience)?;
        store.save(&record.key, &record.shown, &record.progress, &[])
    }

    fn answer(
        &mut self,
        wanted: &Wanted,
        unsaved: &[Arc<Record>],
        patience: Duration,
    ) -> Result<(), StoreError> {
        let waits = unsaved.iter().find(|record| record.key == wanted.key);
        let found = match waits {
            Some(record) => Some(record.progress.clone()),
            None => match RolloutStore::open_to_read(&self.0, patience)? {
                Some(store) => store.find(&wanted.key)?.map(|kept| kept.progress),
                None => None,
            },
        };
        // Whoever asked may have gone.
        let _ = wanted.answer.try_send(Ok(found));
        Ok(())
    }

    fn is_late(&mut self, wanted: &Wanted, why: &StoreError) {
        // Whoever asked may have gone.
        let _ = wanted.answer.try_send(Err(why.to_string()));
    }
}
