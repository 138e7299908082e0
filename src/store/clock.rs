//! The time of day, for what is dated.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Time since 1 January 1970, in UTC; nothing where the clock is set to before that.
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
