//! The workers' ends: threads that analyse, roll out, read and watch, and tell the screen by
//! messages. None of them knows what is drawn.

use std::io;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crossbeam_channel::Sender;

use crate::panics::guarded;
use crate::tui::message::{Message, Tell as _};

pub mod analyst;
mod bursts;
pub mod by_hand;
pub mod clipboard;
pub mod exporter;
pub mod filler;
pub mod gnu_screen;
pub mod inbox;
pub mod inquirer;
pub mod kept_list;
pub mod kept_rollouts;
pub mod keyboard;
pub mod librarian;
pub mod match_rollouts;
pub mod match_writer;
pub mod note_keeper;
pub mod opener;
pub mod panics;
pub mod path_completer;
pub mod piloted;
pub mod planner;
pub mod review_keeper;
pub mod roller;
pub mod rollout_keeper;
pub mod running;
pub mod second_opinion;
pub mod session_keeper;
pub mod settings_keeper;
pub mod signals;
pub mod statistics;
pub mod stores;
pub mod study_keeper;
pub mod watcher;

/// Does `work` on a thread of its own, and sends the message that `told` makes of what it has found, or of why there is
/// nothing.
fn in_background<T>(
    name: &str,
    messages: &Sender<Message>,
    work: impl FnOnce() -> Result<T, String> + Send + 'static,
    told: impl FnOnce(Result<T, String>) -> Message + Clone + Send + 'static,
) {
    let (to, tell) = (messages.clone(), told.clone());
    let thread = move || {
        let found = guarded(work).unwrap_or_else(Err);
        to.tell(tell(found));
    };
    if let Err(error) = thread::Builder::new().name(name.into()).spawn(thread) {
        messages.tell(told(Err(error.to_string())));
    }
}

/// Waits for the end of a thread, at most until `deadline`.
fn join_until(thread: Option<JoinHandle<()>>, deadline: Instant) {
    let Some(thread) = thread else { return };
    while !thread.is_finished() && Instant::now() < deadline {
        thread::sleep(Duration::from_millis(2));
    }
    if thread.is_finished() {
        // It has reported its troubles.
        let _ = thread.join();
    }
}

/// A thread that was started to do `what`; where the system starts none, that is reported.
fn started<T>(
    thread: io::Result<JoinHandle<T>>,
    what: &str,
    messages: &Sender<Message>,
) -> Option<JoinHandle<T>> {
    thread
        .map_err(|why| {
            messages.warn(format!("no thread to {what}: {why}"));
        })
        .ok()
}
