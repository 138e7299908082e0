//! Signals of the system.

use crossbeam_channel::{Receiver, never};

/// The request of a signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// End as this signal ends a program.
    End(i32),
    /// Restore the terminal and stop.
    Suspend,
    /// Take the terminal again after the program was stopped and resumed.
    Resume,
    /// Redraw for another window size.
    Resize,
}

/// Returns a channel of signals; it is silent if they are unavailable.
#[cfg(unix)]
pub fn listen() -> Receiver<Signal> {
    use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGTERM, SIGTSTP, SIGWINCH};
    use signal_hook::iterator::Signals;
    let (sender, receiver) = crossbeam_channel::unbounded();
    let all = [SIGTERM, SIGHUP, SIGINT, SIGTSTP, SIGCONT, SIGWINCH];
    if let Ok(mut signals) = Signals::new(all) {
        let spawned = std::thread::Builder::new()
            .name("signals".into())
            .spawn(move || {
                for number in signals.forever() {
                    let signal = match number {
                        SIGTSTP => Signal::Suspend,
                        SIGCONT => Signal::Resume,
                        SIGWINCH => Signal::Resize,
                        number => Signal::End(number),
                    };
                    if sender.send(signal).is_err() {
                        return;
                    }
                }
            });
        if spawned.is_ok() {
            return receiver;
        }
    }
    never()
}

/// This system has no signals.
#[cfg(not(unix))]
pub fn listen() -> Receiver<Signal> {
    never()
}

/// Ends the program as this signal would.
///
/// # Errors
/// The signal cannot be raised.
pub fn end_by(number: i32) -> std::io::Result<()> {
    #[cfg(unix)]
    signal_hook::low_level::emulate_default_handler(number)?;
    #[cfg(not(unix))]
    let _ = number;
    Ok(())
}
