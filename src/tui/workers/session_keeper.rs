//! Writes where the user is, by a thread of its own: the newest state counts, and a slow disk holds nobody
//! up.

use std::path::PathBuf;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, unbounded};

use crate::store::session::Session;
use crate::tui::message::Message;

/// Least time between two savings.
const SAVE_INTERVAL: Duration = Duration::from_millis(500);

/// The thread that writes the session.
pub struct SessionKeeper {
    sessions: Option<Sender<Session>>,
    thread: Option<JoinHandle<()>>,
    last: Option<Session>,
}

impl SessionKeeper {
    /// Starts the thread for the file at `path`.
    #[must_use]
    pub fn start(path: PathBuf, messages: Sender<Message>) -> Self {
        let (sessions, waiting) = unbounded();
        let to = messages.clone();
        let work = move || write(&path, &waiting, &to);
        let spawned = thread::Builder::new().name("session".into()).spawn(work);
        let thread = super::started(spawned, "keep the session", &messages);
        Self {
            sessions: Some(sessions),
            thread,
            last: None,
        }
    }

    /// Has it written, unless it is what was written last.
    pub fn keep(&mut self, session: Session) {
        if self.last.as_ref() == Some(&session) {
            return;
        }
        if let Some(sessions) = &self.sessions {
            // Nobody listens when there is no thread.
            let _ = sessions.send(session.clone());
        }
        self.last = Some(session);
    }

    /// Ends the thread once it has written what waits, or when the time is over.
    pub fn finish(mut self, deadline: Instant) {
        self.sessions = None;
        let Some(thread) = self.thread.take() else {
            return;
        };
        while !thread.is_finished() && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(2));
        }
        if thread.is_finished() {
            // It has reported its troubles.
            let _ = thread.join();
        }
    }
}

fn write(path: &std::path::Path, waiting: &Receiver<Session>, messages: &Sender<Message>) {
    let mut is_reported = false;
    while let Ok(first) = waiting.recv() {
        let newest = waiting.try_iter().last().unwrap_or(first);
        if let Err(why) = newest.save(path)
            && !is_reported
        {
            is_reported = true;
            let text = format!("the place is not kept for the next start: {why}");
            // Nobody listens when the program ends.
            let _ = messages.send(Message::Warning(text));
        }
        // While more comes it waits; at the end it does not.
        let until = Instant::now() + SAVE_INTERVAL;
        if waiting.is_empty() {
            continue;
        }
        thread::sleep(until.saturating_duration_since(Instant::now()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::session::{SavedPlace, SavedSource};

    fn at(turn: usize) -> Session {
        Session {
            places: vec![SavedPlace {
                source: SavedSource::Id("x".into()),
                turn,
                marked: Vec::new(),
                rollouts: Vec::new(),
                match_rollouts: None,
            }],
            ..Session::default()
        }
    }

    #[test]
    fn the_newest_place_is_on_the_disk_at_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data").join("session.json");
        let (messages, inbox) = unbounded();
        let mut keeper = SessionKeeper::start(path.clone(), messages);
        for turn in 0..200 {
            keeper.keep(at(turn));
        }
        keeper.finish(Instant::now() + Duration::from_secs(20));
        assert_eq!(Session::load(&path).unwrap(), at(199));
        assert!(inbox.is_empty());
    }

    #[test]
    fn a_disk_that_refuses_is_reported_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file").join("session.json");
        std::fs::write(folder.path().join("file"), "").unwrap();
        let (messages, inbox) = unbounded();
        let mut keeper = SessionKeeper::start(path, messages);
        keeper.keep(at(1));
        let first = inbox.recv_timeout(Duration::from_secs(20)).unwrap();
        assert!(matches!(first, Message::Warning(text) if text.contains("next start")));
        keeper.keep(at(2));
        keeper.finish(Instant::now() + Duration::from_secs(20));
        assert!(inbox.is_empty());
    }
}
