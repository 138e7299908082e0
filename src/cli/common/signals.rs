//! Handles Ctrl-C, SIGTERM and hang-ups for commands that must finish something first.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Context as _, Result};
use signal_hook::consts::{SIGINT, SIGTERM};

/// Makes writes beyond the file size limit (`ulimit -f`) fail like a full disk, instead of ending the program by a
/// signal.
#[cfg(unix)]
pub(crate) fn survive_file_limits() {
    let nobody_asks = Arc::new(AtomicBool::new(false));
    // If registration fails, the signal ends the program as usual.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, nobody_asks);
}

/// Returns a flag that is set when the user or the system requests the end. A second Ctrl-C ends the program at once.
pub(crate) fn asked_to_end() -> Result<Arc<AtomicBool>> {
    const WATCHING: &str = "watching for signals";
    let asked = Arc::new(AtomicBool::new(false));
    // The exit status by which shells report a signal.
    let status = 128 + SIGINT;
    signal_hook::flag::register_conditional_shutdown(SIGINT, status, Arc::clone(&asked))
        .context(WATCHING)?;
    for signal in [Some(SIGINT), Some(SIGTERM), hang_up()] {
        let Some(signal) = signal else { continue };
        signal_hook::flag::register(signal, Arc::clone(&asked)).context(WATCHING)?;
    }
    Ok(asked)
}

/// The hang-up signal, unless the program was started to ignore it (`nohup`).
#[cfg(unix)]
fn hang_up() -> Option<i32> {
    use signal_hook::consts::SIGHUP;
    let ignored = match std::fs::read_to_string("/proc/self/status") {
        Ok(status) => ignores(&status, SIGHUP),
        // A user who ignores hang-ups has redirected the output.
        Err(_) => !std::io::IsTerminal::is_terminal(&std::io::stderr()),
    };
    (!ignored).then_some(SIGHUP)
}

#[cfg(not(unix))]
fn hang_up() -> Option<i32> {
    None
}

/// Returns whether a signal is ignored, from Linux's status of a process.
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
