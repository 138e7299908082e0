//! Worker threads, which analyse, roll out, read and watch, and send messages to the screen. They do not depend on
//! the display.

use std::io;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crossbeam_channel::Sender;

use crate::panics::guarded;
use crate::tui::message::{Message, Tell as _};

pub(crate) mod analyst;
mod bursts;
pub(crate) mod by_hand;
pub(crate) mod clipboard;
pub(crate) mod exporter;
pub(crate) mod filler;
pub(crate) mod gnu_screen;
pub(crate) mod inbox;
pub(crate) mod inquirer;
pub(crate) mod kept_list;
pub(crate) mod kept_rollouts;
pub(crate) mod keyboard;
pub(crate) mod librarian;
pub(crate) mod match_rollouts;
pub(crate) mod match_writer;
pub(crate) mod note_keeper;
pub(crate) mod opener;
pub(crate) mod panics;
pub(crate) mod path_completer;
pub(crate) mod piloted;
pub(crate) mod planner;
pub(crate) mod review_keeper;
pub(crate) mod roller;
pub(crate) mod rollout_keeper;
pub(crate) mod running;
pub(crate) mod second_opinion;
pub(crate) mod session_keeper;
pub(crate) mod settings_keeper;
pub(crate) mod signals;
pub(crate) mod statistics;
pub(crate) mod stores;
pub(crate) mod study_keeper;
pub(crate) mod watcher;

/// Does `work` on a background thread. Sends the message that `told` builds from its result or error.
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

/// Waits for the end of a thread until `deadline`.
fn join_until(thread: Option<JoinHandle<()>>, deadline: Instant) {
    let Some(thread) = thread else { return };
    while !thread.is_finished() && Instant::now() < deadline {
        thread::sleep(Duration::from_millis(2));
    }
    if thread.is_finished() {
        // It has reported its errors.
        let _ = thread.join();
    }
}

/// A thread started for `what`; a failure to start is reported.
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
