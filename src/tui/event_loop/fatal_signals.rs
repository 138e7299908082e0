//! Restores the terminal when a fatal signal arrives.
//!
//! Only a signal handler still runs then, and installing one is `unsafe`: this file and the kernels of the net are
//! the crate's only unsafe code. The handler calls only functions that POSIX allows (`write`, `nanosleep`,
//! `tcsetattr`, `sigaction`, `signal`, `raise`) and reads memory written before it was installed.

use std::mem::MaybeUninit;
use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::Ordering;

use libc::{c_int, c_void, sigaction, siginfo_t};
use rustix::termios::{OptionalActions, Termios, tcgetattr, tcsetattr};

use super::frame_writer::ends_with;
use super::taken::TAKEN;

/// Signals that end a program by default and are not handled elsewhere. `workers::signals` handles requests for an
/// orderly end.
const FATAL: [c_int; 14] = [
    libc::SIGQUIT,
    libc::SIGILL,
    libc::SIGTRAP,
    libc::SIGABRT,
    libc::SIGBUS,
    libc::SIGFPE,
    libc::SIGSEGV,
    libc::SIGSYS,
    libc::SIGALRM,
    libc::SIGVTALRM,
    libc::SIGPROF,
    libc::SIGUSR1,
    libc::SIGUSR2,
    libc::SIGXCPU,
];

/// Leaves the alternate screen and switches off all modes. The first byte (CAN) ends a sequence interrupted by the
/// signal; colours are reset.
pub(crate) const RESTORE_TERMINAL: &[u8] =
    b"\x18\x1b[0m\x1b[?2026l\x1b[?1006l\x1b[?1015l\x1b[?1003l\x1b[?1002l\
    \x1b[?1000l\x1b[?2004l\x1b[?1049l\x1b[?25h";

/// The former state: terminal mode and signal actions.
struct Before {
    mode: Termios,
    actions: [sigaction; FATAL.len()],
}

static BEFORE: OnceLock<Before> = OnceLock::new();

/// Installs handlers that restore the terminal before a fatal signal takes effect. Must be called before the terminal
/// is set up, because it records the state to restore. Also ignores SIGXFSZ: a file that reaches the limit of the
/// process (`ulimit -f`) then causes a write error, as on a full disk.
pub(crate) fn prepare() {
    // SAFETY: ignoring a signal runs no code of ours.
    unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
    let Ok(mode) = tcgetattr(rustix::stdio::stdin()) else {
        return;
    };
    let actions = FATAL.map(current);
    if BEFORE.set(Before { mode, actions }).is_err() {
        return;
    }
    for (signal, before) in FATAL.into_iter().zip(&actions) {
        // An ignored signal is not fatal.
        if before.sa_sigaction != libc::SIG_IGN {
            install(signal);
        }
    }
}

/// The current action of a signal.
fn current(signal: c_int) -> sigaction {
    let mut action = MaybeUninit::<sigaction>::zeroed();
    // SAFETY: a null pointer requests the current action, which is written to `action`; zeros are a valid `sigaction`
    // if that fails.
    unsafe {
        sigaction(signal, ptr::null(), action.as_mut_ptr());
        action.assume_init()
    }
}

fn install(signal: c_int) {
    let mut action = MaybeUninit::<sigaction>::zeroed();
    // SAFETY: zeros are a valid `sigaction`, and the handler has the signature of SA_SIGINFO. It runs on the thread's
    // alternate stack if there is one, because the usual one may have overflowed. It calls only functions that POSIX
    // allows in a handler, and reads `BEFORE`, which is already set.
    unsafe {
        let action = action.assume_init_mut();
        action.sa_sigaction = handle as *const () as usize;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
        libc::sigemptyset(&raw mut action.sa_mask);
        // A signal that cannot be handled kills as before.
        sigaction(signal, action, ptr::null_mut());
    }
}

/// Sleeps for `nanoseconds`.
fn rest(nanoseconds: u32) {
    let time = libc::timespec {
        tv_sec: 0,
        tv_nsec: nanoseconds.into(),
    };
    // SAFETY: the time is only read during the call, and nothing is written. A signal may shorten it.
    unsafe { libc::nanosleep(&raw const time, ptr::null_mut()) };
}

/// Restores the terminal and lets the signal take its former effect.
extern "C" fn handle(signal: c_int, info: *mut siginfo_t, _: *mut c_void) {
    let Some(before) = BEFORE.get() else { return };
    if TAKEN.swap(false, Ordering::SeqCst) {
        // The signal must proceed whatever fails here. Writing to a blocked terminal would delay it.
        if ends_with(rest) {
            let _ = rustix::io::write(rustix::stdio::stdout(), RESTORE_TERMINAL);
        }
        let _ = tcsetattr(rustix::stdio::stdin(), OptionalActions::Now, &before.mode);
    }
    let place = FATAL.iter().position(|&fatal| fatal == signal);
    let Some(action) = place.and_then(|place| before.actions.get(place)) else {
        return;
    };
    let is_fault = matches!(
        signal,
        libc::SIGSEGV | libc::SIGBUS | libc::SIGILL | libc::SIGFPE
    );
    // SAFETY: the action came from the system, and `info` is valid while the handler runs.
    unsafe {
        if is_fault && (*info).si_code > 0 {
            // The fault recurs when the handler returns and takes its former effect: the standard library reports
            // stack overflows.
            sigaction(signal, action, ptr::null_mut());
        } else {
            // A signal that was sent is raised again and arrives when the handler returns. With its former action,
            // the standard library would swallow one spurious fault.
            libc::signal(signal, libc::SIG_DFL);
            libc::raise(signal);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::event_loop::terminal::switch_off;

    /// The handler writes the same sequences as the normal end.
    #[test]
    fn everything_is_switched_off() {
        let mut written = Vec::new();
        switch_off(&mut written).unwrap();
        assert_eq!(
            String::from_utf8_lossy(RESTORE_TERMINAL),
            String::from_utf8_lossy(&written)
        );
    }
}
