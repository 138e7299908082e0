//! Whether the terminal is the program's, on systems with signals and without.

use std::sync::atomic::AtomicBool;

/// Whether the terminal is ours at the moment, no matter which thread gives it back.
pub(crate) static TAKEN: AtomicBool = AtomicBool::new(false);
