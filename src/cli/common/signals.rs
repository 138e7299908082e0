//! Ctrl-C, SIGTERM and the end of the terminal, for what has something to finish first.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Context as _, Result};
use signal_hook::consts::{SIGINT, SIGTERM};

/// Has a file that may grow no more (`ulimit -f`) fail as a full disk does, where the signal of it would end the
/// program.
#[cfg(unix)]
pub(crate) fn survive_file_limits() {
    let nobody_asks = Arc::new(AtomicBool::new(false));
    // Where it cannot be had, the program ends as others do.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, nobody_asks);
}

/// A flag that is set when the user, or the system, asks for an end. A second Ctrl-C does not wait for
/// it.
pub(crate) fn asked_to_end() -> Result<Arc<AtomicBool>> {
    const WATCHING: &str = "watching for signals";
    let asked = Arc::new(AtomicBool::new(false));
    // As a shell tells of a program that a signal has ended.
    let status = 128 + SIGINT;
    signal_hook::flag::register_conditional_shutdown(SIGINT, status, Arc::clone(&asked))
        .context(WATCHING)?;
    for signal in [Some(SIGINT), Some(SIGTERM), hang_up()] {
        let Some(signal) = signal else { continue };
        signal_hook::flag::register(signal, Arc::clone(&asked)).context(WATCHING)?;
    }
    Ok(asked)
}

/// The signal that the terminal is gone, unless the program was started not to mind that (`nohup`).
#[cfg(unix)]
fn hang_up() -> Option<i32> {
    use signal_hook::consts::SIGHUP;
    let ignored = match std::fs::read_to_string("/proc/self/status") {
        Ok(status) => ignores(&status, SIGHUP),
        // A user who does not mind has redirected the program's output.
        Err(_) => !std::io::IsTerminal::is_terminal(&std::io::stderr()),
    };
    (!ignored).then_some(SIGHUP)
}

#[cfg(not(unix))]
fn hang_up() -> Option<i32> {
    None
}

/// Whether a signal is ignored, from what Linux tells of a process.
#[cfg(unix)]
fn ignores(status: &str, signal: i32) -> bool {
    let ignored = status
        .lines()
        .find_map(|line| line.strip_prefix("SigIgn:"))
        .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    ignored.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use signal_hook::consts::SIGHUP;

    #[test]
    fn what_is_ignored_is_left_ignored() {
        let status = |mask: &str| format!("Name:\tx\nSigIgn:\t{mask}\nSigCgt:\tffff\n");
        assert!(ignores(&status("0000000000000001"), SIGHUP));
        assert!(ignores(&status("0000000000001003"), SIGINT));
        assert!(!ignores(&status("0000000000001000"), SIGHUP));
        assert!(!ignores("", SIGHUP));
    }
}
