//! Panics that end one piece of work and nothing else.
//!
//! A thread that works for others goes on after a panic: [`guarded`] makes it a reason, which whoever asked for the work
//! can be told. A panic hook asks [`is_guarded`] whether somebody waits for that.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    /// A caller waits for a panic of this thread.
    static IS_GUARDED: Cell<bool> = const { Cell::new(false) };
    /// Place of the newest panic of this thread.
    static PLACE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Does some work whose panic concerns nothing else; answers the reason of one, with its place where a hook has
/// noted it.
pub fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    let before = IS_GUARDED.replace(true);
    PLACE.with_borrow_mut(String::clear);
    let done = catch_unwind(AssertUnwindSafe(work));
    IS_GUARDED.set(before);
    done.map_err(|panic| format!("{}{}", reason(&*panic), PLACE.take()))
}

/// Returns whether a caller waits for a panic of this thread.
pub fn is_guarded() -> bool {
    IS_GUARDED.get()
}

/// Notes where this thread panicked, for the reason that [`guarded`] gives.
pub fn note_place(place: String) {
    PLACE.set(place);
}

fn reason(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("unknown").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guarded_panic_is_a_reason() {
        assert_eq!(guarded(|| 3), Ok(3));
        assert!(guarded(is_guarded).unwrap() && !is_guarded());
        let why = guarded(|| panic!("{} is too many", 7))
            .map(|()| 0)
            .unwrap_err();
        assert!(why.starts_with("7 is too many"), "{why}");
        let why = guarded(|| panic!("plain")).map(|()| 0).unwrap_err();
        assert!(why.starts_with("plain"), "{why}");
    }
}
