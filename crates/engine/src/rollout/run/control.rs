//! Running, pausing, ending: what the owner of a rollout and its workers tell each other.

use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Condvar, Mutex};
use std::time::{Duration, Instant};

use crate::locks::{lock, wait, wait_at_most};
use crate::rollout::counts::result::StopReason;

const RUN: u8 = 0;
const PAUSE: u8 = 1;
const END: u8 = 2;

/// The switch. Workers ask it at every decision, at the cost of reading one byte.
#[derive(Debug)]
pub(super) struct Control {
    flag: AtomicU8,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug)]
struct State {
    /// Why it ends, once it does.
    reason: Option<StopReason>,
    /// Running time before the present stretch.
    before: Duration,
    /// Start of the present stretch of running.
    since: Option<Instant>,
    /// Workers still there.
    workers: usize,
}

/// State of the workers when the coordinator wakes up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WorkerState {
    pub(super) paused: bool,
    pub(super) workers: usize,
}

impl Control {
    pub(super) fn new(before: Duration, workers: usize) -> Self {
        Self {
            flag: AtomicU8::new(RUN),
            state: Mutex::new(State {
                reason: None,
                before,
                since: Some(Instant::now()),
                workers,
            }),
            changed: Condvar::new(),
        }
    }

    /// Returns whether the rollout must end. During a pause the call waits.
    #[inline]
    pub(super) fn ended(&self) -> bool {
        match self.flag.load(Ordering::Acquire) {
            RUN => false,
            END => true,
            _ => self.wait_out_pause(),
        }
    }

    #[cold]
    fn wait_out_pause(&self) -> bool {
        let mut state = lock(&self.state);
        while self.flag.load(Ordering::Acquire) == PAUSE {
            state = wait(&self.changed, state);
        }
        self.flag.load(Ordering::Acquire) == END
    }

    pub(super) fn pause(&self) {
        let mut state = lock(&self.state);
        if state.reason.is_none() {
            self.flag.store(PAUSE, Ordering::Release);
            state.stop_clock();
        }
        drop(state);
        self.changed.notify_all();
    }

    pub(super) fn go_on(&self) {
        let mut state = lock(&self.state);
        if state.reason.is_none() && state.since.is_none() {
            self.flag.store(RUN, Ordering::Release);
            state.since = Some(Instant::now());
        }
        drop(state);
        self.changed.notify_all();
    }

    /// Ends the rollout; the first reason counts.
    pub(super) fn end(&self, reason: StopReason) {
        let mut state = lock(&self.state);
        state.reason.get_or_insert(reason);
        self.flag.store(END, Ordering::Release);
        drop(state);
        self.changed.notify_all();
    }

    pub(super) fn worker_left(&self) {
        let mut state = lock(&self.state);
        state.workers -= 1;
        if state.workers == 0 {
            state.stop_clock();
        }
        drop(state);
        self.changed.notify_all();
    }

    pub(super) fn reason(&self) -> Option<StopReason> {
        lock(&self.state).reason
    }

    /// Time of running, pauses not counted.
    pub(super) fn running_time(&self) -> Duration {
        let state = lock(&self.state);
        state.before + state.since.map_or(Duration::ZERO, |s| s.elapsed())
    }

    /// Waits until something changes: at most `while_running`, but during a pause as long as it
    /// lasts.
    pub(super) fn wait(&self, last: WorkerState, while_running: Duration) -> WorkerState {
        let mut state = lock(&self.state);
        let start = Instant::now();
        loop {
            let seen = WorkerState {
                paused: self.flag.load(Ordering::Acquire) == PAUSE,
                workers: state.workers,
            };
            let left = while_running.saturating_sub(start.elapsed());
            let over = !seen.paused && left.is_zero();
            if over || seen.paused != last.paused || seen.workers == 0 {
                return seen;
            }
            state = if seen.paused {
                wait(&self.changed, state)
            } else {
                wait_at_most(&self.changed, state, left)
            };
        }
    }
}

impl State {
    fn stop_clock(&mut self) {
        if let Some(since) = self.since.take() {
            self.before += since.elapsed();
        }
    }
}
