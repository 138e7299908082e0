//! Signals that kill: the terminal is given back before they do.
//!
//! A handler is the only code that still runs then, and installing one is `unsafe`: this file and the
//! kernels of the net are the two places in the crate that are. The handler does what POSIX allows in
//! one (`write`, `nanosleep`, `tcsetattr`, `sigaction`, `signal`, `raise`) and reads memory that was written before it was
//! installed.

use std::mem::MaybeUninit;
use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::Ordering;

use libc::{c_int, c_void, sigaction, siginfo_t};
use rustix::termios::{OptionalActions, Termios, tcgetattr, tcsetattr};

use super::frame_writer::ends_with;
use super::taken::TAKEN;

/// Signals that end a program which does not handle them, and that nothing else here handles. Those
/// that are sent to end it in good order are taken by `workers::signals`.
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

/// Leaves the other screen, and with it all that was switched on. The first byte (CAN) ends a
/// sequence that was being written when the signal came; colours end with it.
pub(crate) const RESTORE_TERMINAL: &[u8] =
    b"\x18\x1b[0m\x1b[?2026l\x1b[?1006l\x1b[?1015l\x1b[?1003l\x1b[?1002l\
    \x1b[?1000l\x1b[?2004l\x1b[?1049l\x1b[?25h";

/// What there was before: the terminal's mode, and what was done at each signal.
struct Before {
    mode: Termios,
    actions: [sigaction; FATAL.len()],
}

static BEFORE: OnceLock<Before> = OnceLock::new();

/// Prepares for fatal signals: from now on such a signal gives the terminal back first, if it is taken. Call
/// it before the terminal is taken; what it finds then is what is given back. A file that reaches the limit of the
/// process (`ulimit -f`) is from then on an error of its write, as a full disk is.
pub(crate) fn prepare() {
    // SAFETY: to ignore a signal runs no code of ours.
    unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
    let Ok(mode) = tcgetattr(rustix::stdio::stdin()) else {
        return;
    };
    let actions = FATAL.map(current);
    if BEFORE.set(Before { mode, actions }).is_err() {
        return;
    }
    for (signal, before) in FATAL.into_iter().zip(&actions) {
        // A signal that is ignored is not fatal.
        if before.sa_sigaction != libc::SIG_IGN {
            install(signal);
        }
    }
}

/// What is done at a signal.
fn current(signal: c_int) -> sigaction {
    let mut action = MaybeUninit::<sigaction>::zeroed();
    // SAFETY: a null pointer asks for the present action, which is written to `action`; zeros are a
    // valid `sigaction` should that fail.
    unsafe {
        sigaction(signal, ptr::null(), action.as_mut_ptr());
        action.assume_init()
    }
}

fn install(signal: c_int) {
    let mut action = MaybeUninit::<sigaction>::zeroed();
    // SAFETY: zeros are a valid `sigaction`, and the handler has the form that SA_SIGINFO wants. It
    // runs on the thread's other stack where there is one: the usual one may be used up. It calls only what POSIX
    // allows in a handler, and reads `BEFORE`, which is set before this.
    unsafe {
        let action = action.assume_init_mut();
        action.sa_sigaction = handle as *const () as usize;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
        libc::sigemptyset(&raw mut action.sa_mask);
        // One that cannot be handled kills as before.
        sigaction(signal, action, ptr::null_mut());
    }
}

/// Waits for so many nanoseconds.
fn rest(nanoseconds: u32) {
    let time = libc::timespec {
        tv_sec: 0,
        tv_nsec: nanoseconds.into(),
    };
    // SAFETY: the time is read while the call lasts, and nothing is written. A signal may shorten it.
    unsafe { libc::nanosleep(&raw const time, ptr::null_mut()) };
}

/// Gives the terminal back, and lets the signal do what it would have done.
extern "C" fn handle(signal: c_int, info: *mut siginfo_t, _: *mut c_void) {
    let Some(before) = BEFORE.get() else { return };
    if TAKEN.swap(false, Ordering::SeqCst) {
        // Whatever fails here, the signal goes on. A terminal that takes nothing would hold it up.
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
    // SAFETY: the action is one that the system gave, and `info` is valid as long as the handler runs.
    unsafe {
        if is_fault && (*info).si_code > 0 {
            // It happens again when the handler returns, and is handled as it was before: the standard
            // library tells of a stack that is used up.
            sigaction(signal, action, ptr::null_mut());
        } else {
            // What was sent is sent again, and comes when the handler returns. The standard library
            // would let a fault that is none pass once.
            libc::signal(signal, libc::SIG_DFL);
            libc::raise(signal);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::event_loop::terminal::switch_off;

    /// The handler writes what the end writes.
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
