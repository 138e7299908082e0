//! Ctrl-C and SIGTERM, for what has something to finish first.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Context as _, Result};
use signal_hook::consts::{SIGINT, SIGTERM};

/// A flag that is set when the user, or the system, asks for an end.
pub(super) fn asked_to_end() -> Result<Arc<AtomicBool>> {
    let asked = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        signal_hook::flag::register(signal, Arc::clone(&asked)).context("watching for signals")?;
    }
    Ok(asked)
}
