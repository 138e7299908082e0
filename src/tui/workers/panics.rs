//! Reports panics of workers as messages, because they must not write to the screen.

use std::thread;

use crossbeam_channel::Sender;

use crate::panics;
use crate::tui::message::{Message, Tell as _};

/// Installs a panic hook. A panic of this thread first restores the terminal with `give_back`; one of a worker
/// becomes a message, unless it is caught.
pub fn install_hook(messages: Sender<Message>, give_back: fn()) {
    let before = std::panic::take_hook();
    let own = thread::current().id();
    std::panic::set_hook(Box::new(move |info| {
        if thread::current().id() == own && !panics::is_guarded() {
            give_back();
            before(info);
            return;
        }
        let place = info
            .location()
            .map_or_else(String::new, |l| format!(" at {}:{}", l.file(), l.line()));
        if panics::is_guarded() {
            panics::note_place(place);
            return;
        }
        let name = thread::current().name().unwrap_or("a worker").to_owned();
        messages.warn(format!("{name} panicked{place}; the rest works on"));
    }));
}
