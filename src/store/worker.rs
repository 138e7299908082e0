//! Saves and looks up in the background. A thread owns the store, so that no other thread waits for the disk or
//! another process.
//!
//! Records stay in memory until they are saved. If saving fails because the file is locked, the disk full, the folder
//! gone, or the store panics, it is retried at growing intervals; failed queries are, too. Of two records of the same
//! thing only the newer is saved. The thread reports the number of waiting records and the reason whenever these
//! change.

use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use super::StoreError;
use crate::locks::{lock, wait, wait_at_most};
use crate::panics::guarded;

/// How long an attempt waits for another process.
const LOCK_TIMEOUT: Duration = Duration::from_millis(200);
/// Delay before the second attempt; it doubles each time.
const FIRST_PAUSE: Duration = Duration::from_millis(250);
/// Maximum delay between two attempts.
const LONGEST_PAUSE: Duration = Duration::from_secs(4);
/// Delay between attempts while shutting down.
const LAST_PAUSE: Duration = Duration::from_millis(20);
/// Time to shut down if no deadline was given.
const END: Duration = Duration::from_secs(2);

/// A store used by its thread.
pub trait Backend: Send + 'static {
    /// Data to save.
    type Record: Send + Sync + 'static;
    /// A query, with the channel for its result.
    type Query: Send + 'static;

    /// Returns whether both are about the same thing, so that one is enough.
    fn is_same(one: &Self::Record, other: &Self::Record) -> bool;

    /// Returns whether the older of two records of the same thing contains more, and stays.
    fn is_outdated(_new: &Self::Record, _old: &Self::Record) -> bool {
        false
    }

    /// Copies data from the older of two records of the same thing, which will not be saved.
    fn take_over(_new: &mut Self::Record, _old: &Self::Record) {}

    /// Saves a record.
    ///
    /// # Errors
    /// [`StoreError`] if it is not saved.
    fn save(&mut self, record: &Self::Record, timeout: Duration) -> Result<(), StoreError>;

    /// Executes a query. `unsaved` are the records not yet in the file, oldest first.
    ///
    /// # Errors
    /// [`StoreError`] if the query fails for now.
    fn answer(
        &mut self,
        query: &Self::Query,
        unsaved: &[Arc<Self::Record>],
        timeout: Duration,
    ) -> Result<(), StoreError>;

    /// Receives a query that failed at first, and the reason.
    fn note_late(&mut self, _query: &Self::Query, _why: &StoreError) {}
}

/// Unsaved records and the reason.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct UnsavedRecords {
    pub count: usize,
    pub why: String,
}

/// The thread of a store. Dropping it makes a last attempt to save.
pub struct StoreWorker<B: Backend>(Arc<Shared<B>>);

struct Shared<B: Backend> {
    queue: Mutex<Queue<B>>,
    /// Signals work to do.
    wake: Condvar,
    /// Signals that the thread has ended.
    ended: Condvar,
}

struct Queue<B: Backend> {
    /// Records waiting or being saved, oldest first.
    records: Vec<Arc<B::Record>>,
    queries: Vec<PendingQuery<B::Query>>,
    /// The error of the last round.
    why: String,
    /// Time of the next round after a failure.
    retry: Option<Instant>,
    /// Deadline for shutting down.
    end: Option<Instant>,
    is_over: bool,
}

struct PendingQuery<Q> {
    query: Q,
    /// Time after which the result is useless.
    until: Option<Instant>,
    is_new: bool,
}

impl<B: Backend> Queue<B> {
    /// Returns whether there is work at `now`.
    fn is_due(&self, now: Instant) -> bool {
        let waits = !self.records.is_empty() || !self.queries.is_empty();
        let may = self.retry.is_none_or(|at| now >= at);
        self.end.is_some() || (waits && may) || self.queries.iter().any(|asked| asked.is_new)
    }
}

impl<B: Backend> StoreWorker<B> {
    /// Starts the thread. Calls `report` with the unsaved records whenever these change.
    pub fn start(
        name: &str,
        backend: B,
        report: impl FnMut(&UnsavedRecords) + Send + 'static,
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
            // Even after a panic, so that nobody waits for the thread.
            let _over = Over(&own);
            Work {
                shared: &own,
                backend,
                pause: FIRST_PAUSE,
                reported: UnsavedRecords::default(),
            }
            .run(report);
        };
        if let Err(error) = thread::Builder::new().name(name.into()).spawn(work) {
            let mut queue = shared.lock();
            queue.is_over = true;
            queue.why = error.to_string();
        }
        Self(shared)
    }

    /// Queues `record`, replacing a waiting record of the same thing.
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

    /// Queues `query`, which expires at `until`.
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

    /// Returns whether all queued records are saved.
    pub fn is_saved(&self) -> bool {
        self.0.lock().records.is_empty()
    }

    /// Starts shutting down: saves waiting records until `deadline` while another process locks the file. Later
    /// records are not saved.
    pub fn end(&self, deadline: Instant) {
        self.0.lock().end = Some(deadline);
        self.0.wake.notify_one();
    }

    /// Shuts down and waits for the thread. Returns the records that could not be saved, and the reason.
    pub fn finish(&self, deadline: Instant) -> (Vec<Arc<B::Record>>, String) {
        self.end(deadline);
        let mut queue = self.0.lock();
        // A running attempt may use its whole timeout, and a hanging disk may never return.
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

    /// Shuts down as [`finish`](Self::finish) does. Returns how many records could not be saved, and the reason.
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
        // Each change is a single step.
        lock(&self.queue)
    }
}

/// Marks the thread as ended when dropped.
struct Over<'a, B: Backend>(&'a Shared<B>);

impl<B: Backend> Drop for Over<'_, B> {
    fn drop(&mut self) {
        let mut queue = self.0.lock();
        queue.is_over = true;
        queue.queries.clear();
        self.0.ended.notify_all();
    }
}

/// State of the thread.
struct Work<'a, B: Backend> {
    shared: &'a Shared<B>,
    backend: B,
    /// Delay before the next attempt after a failure.
    pause: Duration,
    reported: UnsavedRecords,
}

impl<B: Backend> Work<'_, B> {
    fn run(&mut self, mut report: impl FnMut(&UnsavedRecords)) {
        loop {
            self.wait(&mut report);
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
                // Only new queries: the others wait for their retry.
                None => {
                    let _ = self.answer_all(false, timeout);
                    continue;
                }
            };
            let is_over = self.settle(failed, end);
            self.report_changes(&mut report);
            if is_over {
                return;
            }
        }
    }

    /// Waits for work.
    fn wait(&mut self, report: &mut impl FnMut(&UnsavedRecords)) {
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
            // Records added meanwhile are unsaved, too.
            if queue.retry.is_some() && queue.records.len() != self.reported.count {
                drop(queue);
                self.report_changes(report);
                queue = self.shared.lock();
            }
        }
    }

    /// Executes all queries, or only new ones.
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
            // After a failure the others can wait.
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
        // After older queries, and before those added meanwhile.
        let place = queue.queries.iter().position(|asked| asked.is_new);
        let place = place.unwrap_or(queue.queries.len());
        queue.queries.splice(place..place, left);
        result
    }

    /// Saves waiting records. A locked file stops the round; any other error affects only its record.
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

    /// Sets the time of the next attempt. Returns whether the thread must end.
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

    /// Reports the unsaved records if they changed.
    fn report_changes(&mut self, report: &mut impl FnMut(&UnsavedRecords)) {
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
            report(&unsaved);
            self.reported = unsaved;
        }
    }
}

/// Runs `work` and converts a panic into an error.
fn unless_it_panics(work: impl FnOnce() -> Result<(), StoreError>) -> Result<(), StoreError> {
    guarded(work).unwrap_or_else(|why| Err(StoreError::Panicked(why)))
}

#[cfg(test)]
mod tests;
