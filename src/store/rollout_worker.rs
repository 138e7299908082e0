//! Saves and finds rollouts in the background. The newest save of each rollout stays in memory until it is in the
//! file, and can be found there.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded};

use super::mended;
use super::worker::{Backend, StoreWorker, UnsavedRecords};
use super::{
    ListedRollout, Lookup, RolloutKey, RolloutLabel, RolloutStore, StoreError, StoredRollout,
};
use crate::rollout::{Progress, WantedRollout};

/// The thread that saves and finds rollouts.
pub struct RolloutWorker {
    worker: StoreWorker<File>,
    path: PathBuf,
}

struct File {
    path: PathBuf,
}

struct Record {
    key: RolloutKey,
    shown: RolloutLabel,
    progress: Progress,
}

/// A query and the channel for its result.
enum RolloutQuery {
    One {
        wanted: Box<WantedRollout>,
        answer: Sender<Result<Lookup<Progress>, String>>,
    },
    /// The rollouts whose label has one of these positions.
    Of {
        positions: HashSet<String>,
        answer: Sender<Result<Vec<StoredRollout>, String>>,
    },
    /// The rollouts saved last, at most `most`.
    Listed {
        most: usize,
        answer: Sender<Result<(Vec<ListedRollout>, usize), String>>,
    },
}

impl RolloutWorker {
    /// Starts the thread for the file at `path`. Calls `report` with the number of unsaved rollouts and the reason
    /// whenever these change.
    pub fn start(path: PathBuf, report: impl FnMut(&UnsavedRecords) + Send + 'static) -> Self {
        let file = File { path: path.clone() };
        Self {
            worker: StoreWorker::start("rollout store", file, report),
            path,
        }
    }

    /// Saves the progress of a rollout.
    pub fn save(&self, shown: RolloutLabel, progress: Progress) {
        self.worker.save(Record {
            key: RolloutKey::of(&progress),
            shown,
            progress,
        });
    }

    /// Returns the stored progress of the requested rollout, if it can be continued. Blocks up to `timeout`, so it
    /// must not be called on the screen's thread.
    ///
    /// # Errors
    /// The reason, in one line, why the file cannot be read.
    pub fn find(
        &self,
        wanted: WantedRollout,
        timeout: Duration,
    ) -> Result<Lookup<Progress>, String> {
        let wanted = Box::new(wanted);
        self.answer(timeout, |answer| RolloutQuery::One { wanted, answer })
    }

    /// Returns all rollouts whose label has one of these positions, oldest first. Blocks up to `timeout`, so it must
    /// not be called on the screen's thread.
    ///
    /// # Errors
    /// The reason, in one line, why the file cannot be read.
    pub fn find_all(
        &self,
        positions: HashSet<String>,
        timeout: Duration,
    ) -> Result<Vec<StoredRollout>, String> {
        self.answer(timeout, |answer| RolloutQuery::Of { positions, answer })
    }

    /// Returns at most `most` rollouts, last saved first, and their total number; rollouts of whole matches are
    /// excluded. Blocks up to `timeout`, so it must not be called on the screen's thread.
    ///
    /// # Errors
    /// The reason, in one line, why the file cannot be read.
    pub fn listed(
        &self,
        most: usize,
        timeout: Duration,
    ) -> Result<(Vec<ListedRollout>, usize), String> {
        self.answer(timeout, |answer| RolloutQuery::Listed { most, answer })
    }

    /// Sends a query and waits for the result.
    fn answer<T>(
        &self,
        timeout: Duration,
        query: impl FnOnce(Sender<Result<T, String>>) -> RolloutQuery,
    ) -> Result<T, String> {
        let (answer, answered) = bounded(2);
        let until = Instant::now() + timeout;
        self.worker.ask(query(answer), Some(until));
        awaited(&answered, until)
    }

    /// Returns whether there may be rollouts: in the file or waiting to be saved.
    pub fn may_hold(&self) -> bool {
        self.path.exists() || !self.worker.is_saved()
    }

    /// Starts shutting down; see [`StoreWorker::end`].
    pub fn end(&self, deadline: Instant) {
        self.worker.end(deadline);
    }

    /// Shuts down: saves waiting rollouts until `deadline`. Returns how many could not be saved, and the reason.
    pub fn finish(&self, deadline: Instant) -> UnsavedRecords {
        self.worker.finish_counted(deadline)
    }
}

/// Returns the result, or after `until` the reason why there is none.
fn awaited<T>(answered: &Receiver<Result<T, String>>, until: Instant) -> Result<T, String> {
    let mut why = "the disk does not answer".to_owned();
    loop {
        match answered.recv_deadline(until) {
            Ok(Ok(found)) => return Ok(found),
            Ok(Err(late)) => why = late,
            Err(_) => return Err(why),
        }
    }
}

impl File {
    /// Opens the store, if it exists.
    fn store(&mut self, timeout: Duration) -> Result<Option<RolloutStore>, StoreError> {
        RolloutStore::open_to_read(&self.path, timeout)
    }

    fn one(
        &mut self,
        wanted: &WantedRollout,
        unsaved: &[Arc<Record>],
        timeout: Duration,
    ) -> Result<Lookup<Progress>, StoreError> {
        let key = RolloutKey::new(wanted);
        let waits = unsaved.iter().find(|record| record.key == key);
        if let Some(progress) = waits.and_then(|r| r.progress.clone().toward(wanted).ok()) {
            return Ok(Lookup::Kept(progress));
        }
        match self.store(timeout)? {
            Some(store) => store.resume(wanted),
            None => Ok(Lookup::Nothing),
        }
    }
}

impl Backend for File {
    type Record = Record;
    type Query = RolloutQuery;

    fn is_same(one: &Record, other: &Record) -> bool {
        one.key == other.key
    }

    fn is_outdated(new: &Record, old: &Record) -> bool {
        new.progress.trials() < old.progress.trials()
    }

    fn save(&mut self, record: &Record, timeout: Duration) -> Result<(), StoreError> {
        let mut store = RolloutStore::open_within(&self.path, timeout)?;
        store.save(&record.shown, &record.progress, &[])
    }

    fn answer(
        &mut self,
        asked: &RolloutQuery,
        unsaved: &[Arc<Record>],
        timeout: Duration,
    ) -> Result<(), StoreError> {
        // The receiver may be gone.
        match asked {
            RolloutQuery::One { wanted, answer } => {
                let _ = answer.try_send(Ok(self.one(wanted, unsaved, timeout)?));
            }
            RolloutQuery::Of { positions, answer } => {
                let is_wanted = |shown: &RolloutLabel| positions.contains(&shown.xgid());
                let kept = match self.store(timeout)? {
                    Some(store) => store.shown_as(&is_wanted)?,
                    None => Vec::new(),
                };
                let _ = answer.try_send(Ok(kept));
            }
            RolloutQuery::Listed { most, answer } => {
                // Queries precede pending saves, and the list shows stored rollouts only: save them first.
                let save = |record: &Arc<Record>| self.save(record, timeout);
                unsaved.iter().try_for_each(save)?;
                let found = match RolloutStore::open_to_list(&self.path, timeout)? {
                    Some(store) => {
                        store.listed(&|label| !label.is_of_match(), *most, &mut |why| {
                            mended::tell(&why);
                        })?
                    }
                    None => (Vec::new(), 0),
                };
                let _ = answer.try_send(Ok(found));
            }
        }
        Ok(())
    }

    fn note_late(&mut self, asked: &RolloutQuery, why: &StoreError) {
        // The receiver may be gone.
        match asked {
            RolloutQuery::One { answer, .. } => drop(answer.try_send(Err(why.to_string()))),
            RolloutQuery::Of { answer, .. } => drop(answer.try_send(Err(why.to_string()))),
            RolloutQuery::Listed { answer, .. } => drop(answer.try_send(Err(why.to_string()))),
        }
    }
}
