//! Panics of workers: reported to the screen, on which they must not write, or handed to the caller
//! that guards the work and can say what it was about.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

use crossbeam_channel::Sender;

use crate::rollout::panic_reason;
use crate::tui::message::{Message, Tell as _};

thread_local! {
    /// Whether somebody waits for a panic of this thread.
    static IS_GUARDED: Cell<bool> = const { Cell::new(false) };
    /// Place of the newest panic of this thread.
    static PLACE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Does some work whose panic concerns nothing else; answers the reason of one, with its place where
/// the hook is installed.
pub fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    let before = IS_GUARDED.replace(true);
    PLACE.with_borrow_mut(String::clear);
    let done = catch_unwind(AssertUnwindSafe(work));
    IS_GUARDED.set(before);
    done.map_err(|panic| {
        let place = PLACE.take();
        format!("{}{place}", panic_reason(&*panic))
    })
}

/// A panic of this thread gives the terminal back by `give_back` before it is reported; one of a
/// worker becomes a message, unless somebody guards it.
pub fn install_hook(messages: Sender<Message>, give_back: fn()) {
    let before = std::panic::take_hook();
    let own = thread::current().id();
    std::panic::set_hook(Box::new(move |info| {
        if thread::current().id() == own && !IS_GUARDED.get() {
            give_back();
            before(info);
            return;
        }
        let place = info
            .location()
            .map_or_else(String::new, |l| format!(" at {}:{}", l.file(), l.line()));
        if IS_GUARDED.get() {
            PLACE.set(place);
            return;
        }
        let name = thread::current().name().unwrap_or("a worker").to_owned();
        messages.warn(format!("{name} panicked{place}; the rest works on"));
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guarded_panic_is_a_reason() {
        assert_eq!(guarded(|| 3), Ok(3));
        let why = guarded(|| panic!("{} is too many", 7))
            .map(|()| 0)
            .unwrap_err();
        assert!(why.starts_with("7 is too many"), "{why}");
        let why = guarded(|| panic!("plain")).map(|()| 0).unwrap_err();
        assert!(why.starts_with("plain"), "{why}");
    }
}
