//! The current time, for timestamps.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Time since 1 January 1970 in UTC; zero if the clock is set to an earlier time.
pub fn since_1970() -> Duration {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default()
}

/// Seconds since 1970.
pub fn seconds() -> i64 {
    since_1970().as_secs() as i64
}

/// Microseconds since 1970.
pub fn micros() -> i64 {
    i64::try_from(since_1970().as_micros()).unwrap_or(i64::MAX)
}
