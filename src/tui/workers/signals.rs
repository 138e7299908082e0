//! What the system asks of the workstation.

use crossbeam_channel::{Receiver, never};

/// What a signal asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// To end as this signal ends a program.
    End(i32),
    /// To give the terminal back for a while.
    Suspend,
}

/// Signals as they come; none if the system has none or they cannot be listened to.
#[cfg(unix)]
#[must_use]
pub fn listen() -> Receiver<Signal> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGTSTP};
    use signal_hook::iterator::Signals;
    let (sender, receiver) = crossbeam_channel::unbounded();
    if let Ok(mut signals) = Signals::new([SIGTERM, SIGHUP, SIGINT, SIGTSTP]) {
        let spawned = std::thread::Builder::new()
            .name("signals".into())
            .spawn(move || {
                for number in signals.forever() {
                    let signal = if number == SIGTSTP {
                        Signal::Suspend
                    } else {
                        Signal::End(number)
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

/// There are none.
#[cfg(not(unix))]
#[must_use]
pub fn listen() -> Receiver<Signal> {
    never()
}
