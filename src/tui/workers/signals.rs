//! What the system asks of the workstation.

use crossbeam_channel::{Receiver, never};

/// What a signal asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// To end as this signal ends a program.
    End(i32),
    /// To give the terminal back for a while.
    Suspend,
    /// To take the terminal again: the program was stopped, and now goes on.
    Resume,
    /// To draw for a window of another size.
    Resize,
}

/// Signals as they come; none if the system has none or they cannot be listened to.
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

/// Signals to wait for: this system has none.
#[cfg(not(unix))]
pub fn listen() -> Receiver<Signal> {
    never()
}

/// Ends the program as this signal ends one.
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
