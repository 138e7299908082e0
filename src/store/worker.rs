//! Saving and looking up in the background: a thread that owns a store, so that nobody who has
//! something to do waits for a disk or for another process.
//!
//! What is to be saved stays in memory until it is. A save may fail because the file is locked, the
//! disk full or its folder gone. It is then tried again, later each time, and so is a question that
//! cannot be answered. A panic of the store is a failure like these. Of two records of the same thing only the
//! newer is saved. The thread reports how many records wait, and why, whenever that changes.

use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use super::StoreError;
use crate::locks::{lock, wait, wait_at_most};
use crate::panics::guarded;

/// How long an attempt waits for another process.
const LOCK_TIMEOUT: Duration = Duration::from_millis(200);
/// Time until the second attempt; it doubles from one to the next.
const FIRST_PAUSE: Duration = Duration::from_millis(250);
/// Longest time between two attempts.
const LONGEST_PAUSE: Duration = Duration::from_secs(4);
/// Time between two attempts at the end.
const LAST_PAUSE: Duration = Duration::from_millis(20);
/// How long the end waits where nobody has said it.
const END: Duration = Duration::from_secs(2);

/// A store, as its thread uses it.
pub trait Backend: Send + 'static {
    /// Something to be saved.
    type Record: Send + Sync + 'static;
    /// Something to be looked up, and how the answer is given.
    type Query: Send + 'static;

    /// Whether both are about the same thing, so that one of them is enough.
    fn is_same(one: &Self::Record, other: &Self::Record) -> bool;

    /// Whether the older of two records of the same thing knows more, and stays.
    fn is_outdated(_new: &Self::Record, _old: &Self::Record) -> bool {
        false
    }

    /// Takes over from the older of two records of the same thing, which is not saved any more.
    fn take_over(_new: &mut Self::Record, _old: &Self::Record) {}

    /// Saves a record.
    ///
    /// # Errors
    /// [`StoreError`] if it is not saved.
    fn save(&mut self, record: &Self::Record, timeout: Duration) -> Result<(), StoreError>;

    /// Answers a question; `unsaved` are the records that the file does not have yet, the oldest first.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be answered now.
    fn answer(
        &mut self,
        query: &Self::Query,
        unsaved: &[Arc<Self::Record>],
        timeout: Duration,
    ) -> Result<(), StoreError>;

    /// Gets a question that could not be answered at once, and why.
    fn note_late(&mut self, _query: &Self::Query, _why: &StoreError) {}
}

/// What has been tried in vain.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct UnsavedRecords {
    /// How many records are not saved.
    pub count: usize,
    pub why: String,
}

/// The thread of a store. Dropping it makes a last attempt.
pub struct StoreWorker<B: Backend>(Arc<Shared<B>>);

struct Shared<B: Backend> {
    queue: Mutex<Queue<B>>,
    /// Something is to be done.
    wake: Condvar,
    /// The thread has ended.
    ended: Condvar,
}

struct Queue<B: Backend> {
    /// What waits and what is being saved, the oldest first.
    records: Vec<Arc<B::Record>>,
    queries: Vec<PendingQuery<B::Query>>,
    /// Why the last round failed.
    why: String,
    /// When the next round is due, after one that has failed.
    retry: Option<Instant>,
    /// When to give up.
    end: Option<Instant>,
    is_over: bool,
}

struct PendingQuery<Q> {
    query: Q,
    /// Until when the answer is of use.
    until: Option<Instant>,
    is_new: bool,
}

impl<B: Backend> Queue<B> {
    /// Whether there is something to do at `now`.
    fn is_due(&self, now: Instant) -> bool {
        let waits = !self.records.is_empty() || !self.queries.is_empty();
        let may = self.retry.is_none_or(|at| now >= at);
        self.end.is_some() || (waits && may) || self.queries.iter().any(|asked| asked.is_new)
    }
}

impl<B: Backend> StoreWorker<B> {
    /// Starts the thread; `tell` hears what has been tried in vain whenever that changes.
    pub fn start(
        name: &str,
        backend: B,
        tell: impl FnMut(&UnsavedRecords) + Send + 'static,
    ) -> StoreWorker<B> {
        let shared = Arc::new(Shared {
            queue: Mutex::new(Queue {
                records: Vec::new(),
                queries: Vec::new(),
                why: String::new(),
                retry: None,
                end: None,
                is_over: false,
            }),
            wake: Condvar::new(),
            ended: Condvar::new(),
        });
        let own = Arc::clone(&shared);
        let work = move || {
            // Also if something panics: nobody shall wait for it then.
            let _over = Over(&own);
            Work {
                shared: &own,
                backend,
                pause: FIRST_PAUSE,
                reported: UnsavedRecords::default(),
            }
            .run(tell);
        };
        if let Err(error) = thread::Builder::new().name(name.into()).spawn(work) {
            let mut queue = shared.lock();
            queue.is_over = true;
            queue.why = error.to_string();
        }
        Self(shared)
    }

    /// Saves `record` soon, instead of a record of the same thing that still waits.
    pub fn save(&self, mut record: B::Record) {
        let mut queue = self.0.lock();
        let same = |one: &Arc<B::Record>| B::is_same(one, &record);
        match queue.records.iter().position(same) {
            Some(old) if B::is_outdated(&record, &queue.records[old]) => return,
            Some(old) => {
                let old = queue.records.remove(old);
                B::take_over(&mut record, &old);
            }
            None => {}
        }
        queue.records.push(Arc::new(record));
        self.0.wake.notify_one();
    }

    /// Answers `query` as soon as it can be answered; not after `until`.
    pub fn ask(&self, query: B::Query, until: Option<Instant>) {
        let mut queue = self.0.lock();
        if !queue.is_over {
            queue.queries.push(PendingQuery {
                query,
                until,
                is_new: true,
            });
            self.0.wake.notify_one();
        }
    }

    /// Whether all records that were to be saved are.
    pub fn is_saved(&self) -> bool {
        self.0.lock().records.is_empty()
    }

    /// Begins to end: what waits is saved, until `deadline` if another process keeps the file locked.
    /// Nothing is saved afterwards.
    pub fn end(&self, deadline: Instant) {
        self.0.lock().end = Some(deadline);
        self.0.wake.notify_one();
    }

    /// Ends, and waits for that; answers what could not be saved, and why.
    pub fn finish(&self, deadline: Instant) -> (Vec<Arc<B::Record>>, String) {
        self.end(deadline);
        let mut queue = self.0.lock();
        // An attempt under way may take its time, and a disk that hangs all of it.
        let deadline = deadline + LOCK_TIMEOUT;
        while !queue.is_over {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            queue = wait_at_most(&self.0.ended, queue, left);
        }
        let why = match (queue.records.is_empty(), queue.why.is_empty()) {
            (false, true) => "the disk does not answer".to_owned(),
            _ => queue.why.clone(),
        };
        (queue.records.clone(), why)
    }

    /// Ends as [`finish`](Self::finish) does; returns how many records could not be saved, and why.
    pub fn finish_counted(&self, deadline: Instant) -> UnsavedRecords {
        let (left, why) = self.finish(deadline);
        UnsavedRecords {
            count: left.len(),
            why,
        }
    }
}

impl<B: Backend> Drop for StoreWorker<B> {
    fn drop(&mut self) {
        let is_ended = self.0.lock().end.is_some();
        if !is_ended {
            self.finish(Instant::now() + END);
        }
    }
}

impl<B: Backend> Shared<B> {
    fn lock(&self) -> MutexGuard<'_, Queue<B>> {
        // Each change of it is a single step.
        lock(&self.queue)
    }
}

/// Notes that the thread has ended, when this is dropped.
struct Over<'a, B: Backend>(&'a Shared<B>);

impl<B: Backend> Drop for Over<'_, B> {
    fn drop(&mut self) {
        let mut queue = self.0.lock();
        queue.is_over = true;
        queue.queries.clear();
        self.0.ended.notify_all();
    }
}

/// The thread's own side.
struct Work<'a, B: Backend> {
    shared: &'a Shared<B>,
    backend: B,
    /// Time until the next attempt, should one fail.
    pause: Duration,
    reported: UnsavedRecords,
}

impl<B: Backend> Work<'_, B> {
    fn run(&mut self, mut tell: impl FnMut(&UnsavedRecords)) {
        loop {
            self.wait(&mut tell);
            let now = Instant::now();
            let (end, is_due) = {
                let queue = self.shared.lock();
                (queue.end, queue.retry.is_none_or(|at| now >= at))
            };
            let left = end.map(|end| end.saturating_duration_since(now));
            let timeout = left.map_or(LOCK_TIMEOUT, |left| left.min(LOCK_TIMEOUT));
            let failed = match end {
                Some(_) => self.save_all(timeout).err(),
                None if is_due => {
                    let asked = self.answer_all(true, timeout);
                    self.save_all(timeout).and(asked).err()
                }
                // Only what is new: the others have their time.
                None => {
                    let _ = self.answer_all(false, timeout);
                    continue;
                }
            };
            let is_over = self.settle(failed, end);
            self.tell(&mut tell);
            if is_over {
                return;
            }
        }
    }

    /// Waits until there is something to do.
    fn wait(&mut self, tell: &mut impl FnMut(&UnsavedRecords)) {
        let mut queue = self.shared.lock();
        loop {
            let now = Instant::now();
            if queue.is_due(now) {
                return;
            }
            queue = match queue.retry {
                Some(at) => {
                    let left = at.saturating_duration_since(now);
                    wait_at_most(&self.shared.wake, queue, left)
                }
                None => wait(&self.shared.wake, queue),
            };
            // What comes meanwhile is not saved either.
            if queue.retry.is_some() && queue.records.len() != self.reported.count {
                drop(queue);
                self.tell(tell);
                queue = self.shared.lock();
            }
        }
    }

    /// Answers what can be answered: all questions, or those that are new.
    fn answer_all(&mut self, all: bool, timeout: Duration) -> Result<(), StoreError> {
        let (asked, unsaved) = {
            let mut queue = self.shared.lock();
            let asked: Vec<_> = queue.queries.extract_if(.., |a| all || a.is_new).collect();
            (asked, queue.records.clone())
        };
        let (mut result, mut left) = (Ok(()), Vec::new());
        for mut asked in asked {
            if asked.until.is_some_and(|until| Instant::now() >= until) {
                continue;
            }
            // After one that failed the others can wait.
            if result.is_ok() {
                let answer = || self.backend.answer(&asked.query, &unsaved, timeout);
                let Err(why) = unless_it_panics(answer) else {
                    continue;
                };
                if asked.is_new {
                    self.backend.note_late(&asked.query, &why);
                }
                result = Err(why);
            }
            asked.is_new = false;
            left.push(asked);
        }
        let mut queue = self.shared.lock();
        // Behind what was asked before, and before what came meanwhile.
        let place = queue.queries.iter().position(|asked| asked.is_new);
        let place = place.unwrap_or(queue.queries.len());
        queue.queries.splice(place..place, left);
        result
    }

    /// Saves what waits. A file that is locked is so for all; of what else is wrong with a record the
    /// others know nothing.
    fn save_all(&mut self, timeout: Duration) -> Result<(), StoreError> {
        let records = self.shared.lock().records.clone();
        let mut result = Ok(());
        for record in records {
            match unless_it_panics(|| self.backend.save(&record, timeout)) {
                Ok(()) => {
                    let mut queue = self.shared.lock();
                    queue.records.retain(|one| !Arc::ptr_eq(one, &record));
                }
                Err(why) => {
                    let is_locked = matches!(why, StoreError::Locked { .. });
                    result = Err(why);
                    if is_locked {
                        break;
                    }
                }
            }
        }
        result
    }

    /// Decides when to try again; returns whether that is never.
    fn settle(&mut self, failed: Option<StoreError>, end: Option<Instant>) -> bool {
        let mut queue = self.shared.lock();
        let now = Instant::now();
        let is_locked = matches!(failed, Some(StoreError::Locked { .. }));
        match failed {
            Some(why) => {
                queue.why = why.to_string();
                queue.retry = Some(now + self.pause);
                self.pause = (self.pause * 2).min(LONGEST_PAUSE);
            }
            None => {
                queue.why.clear();
                queue.retry = None;
                self.pause = FIRST_PAUSE;
            }
        }
        let Some(end) = end else { return false };
        let is_over = queue.records.is_empty() || !is_locked || now + LAST_PAUSE >= end;
        drop(queue);
        if !is_over {
            thread::sleep(LAST_PAUSE);
        }
        is_over
    }

    /// Says what waits, if it is not what was said last.
    fn tell(&mut self, tell: &mut impl FnMut(&UnsavedRecords)) {
        let unsaved = {
            let queue = self.shared.lock();
            match queue.retry {
                Some(_) if !queue.records.is_empty() => UnsavedRecords {
                    count: queue.records.len(),
                    why: queue.why.clone(),
                },
                _ => UnsavedRecords::default(),
            }
        };
        if unsaved != self.reported {
            tell(&unsaved);
            self.reported = unsaved;
        }
    }
}

/// What the store says, a panic included.
fn unless_it_panics(work: impl FnOnce() -> Result<(), StoreError>) -> Result<(), StoreError> {
    guarded(work).unwrap_or_else(|why| Err(StoreError::Panicked(why)))
}

#[cfg(test)]
mod tests;
