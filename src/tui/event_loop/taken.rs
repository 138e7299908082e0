//! Whether the program controls the terminal; on all systems, with signals or without.

use std::sync::atomic::AtomicBool;

/// Whether the terminal is taken, whichever thread restores it.
pub(crate) static TAKEN: AtomicBool = AtomicBool::new(false);
