//! Locks that outlive a panic.
//!
//! A thread that panics while it holds a lock poisons it for all others. Almost every change that is made under
//! a lock of this program is a single step, so what the lock guards is whole after a panic too, and the other threads
//! go on. The counts of a rollout are the exception: a round is counted trial by trial, and a panic there would be a
//! fault of the counting itself.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Locks `mutex`, even where another thread has panicked while holding it.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Waits for a notice, as [`Condvar::wait`] does.
pub fn wait<'a, T>(condvar: &Condvar, guard: MutexGuard<'a, T>) -> MutexGuard<'a, T> {
    condvar.wait(guard).unwrap_or_else(PoisonError::into_inner)
}

/// Waits for a notice, but no longer than `most`, as [`Condvar::wait_timeout`] does.
pub fn wait_at_most<'a, T>(
    condvar: &Condvar,
    guard: MutexGuard<'a, T>,
    most: Duration,
) -> MutexGuard<'a, T> {
    let waited = condvar.wait_timeout(guard, most);
    waited.unwrap_or_else(PoisonError::into_inner).0
}

/// Returns the content of the mutex, once no other thread uses it.
pub fn unlocked<T>(mutex: Mutex<T>) -> T {
    mutex.into_inner().unwrap_or_else(PoisonError::into_inner)
}
